//! A process that ends, or finds the disk full, between any two changes it makes to a run's folder.

use std::path::Path;

use super::held::faults::{self, Fault};
use super::tests::{ROWS_OF_TEN, Sums, manifest, resume, snapshot, steps, stopped};
use super::*;
use crate::crew::Crew;
use crate::job::RunJob;
use crate::step::{Budget, Job as _, Status};

/// Begins the run, or goes on with it, and saves it now and then; what cannot be done any more is told.
fn live(folder: &Path, generations: u32) -> Result<(), String> {
    let mut job = match folder.join(RUN).exists() {
        false => RunJob::<Sums>::create(folder, manifest(), &Crew::alone()).map_err(|refusal| refusal.to_string())?,
        true => resume(folder)?.0,
    };
    for _ in 0..generations {
        steps(&mut job, 1);
        job.rest();
    }
    job.error().map_or(Ok(()), |error| Err(error.to_owned()))
}

/// Whatever is there, the run comes to the same end, and nothing is left behind.
fn comes_to_its_end(folder: &Path, what: &str) {
    let mut job = match folder.join(RUN).exists() {
        false => RunJob::<Sums>::create(folder, manifest(), &Crew::alone()).expect(what),
        true => RunJob::<Sums>::resume(folder, &Crew::alone()).expect(what).0,
    };
    assert_eq!((job.step(Budget::UNLIMITED), job.error()), (Status::Done, None), "{what}");
    drop(job);
    assert_eq!(fs::read_to_string(folder.join(ROWS)).unwrap(), ROWS_OF_TEN, "{what}");
    assert_eq!(fs::read_to_string(folder.join(BEST)).unwrap(), "# sum 70\n", "{what}");
    let names =
        [RUN, ROWS, TIMINGS, BEST, LOG, "checkpoint", "checkpoint.old", "lock", "timings.csv.old", "timings.csv.old-2"];
    for (path, _) in snapshot(folder) {
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(names.contains(&name), "{what}: {name}");
    }
}

/// Lets `fault` come after 0, 1, 2 … changes, until there are no more.
fn at_every_change(begin: impl Fn() -> tempfile::TempDir, generations: u32) {
    for fault in [Fault::Killed, Fault::Full] {
        for count in 0.. {
            let folder = begin();
            let run = folder.path().join("run");
            faults::after(count, fault);
            let lived = live(&run, generations);
            let has_come = faults::end();
            let what = format!("after {count} changes: {lived:?}");
            // A full disk is told with the file that did not fit, unless it was the log.
            if fault == Fault::Full && has_come {
                let names = [RUN, ROWS, TIMINGS, BEST, "checkpoint", "lock"];
                let is_named = |error: &String| names.iter().any(|name| error.contains(&format!("/{name}: ")));
                assert!(lived.as_ref().err().is_none_or(is_named), "{what}");
            }
            comes_to_its_end(&run, &what);
            if !has_come {
                assert!(count > 10, "{what}");
                break;
            }
        }
    }
}

#[test]
fn a_run_that_begins_can_be_cut_short_at_any_change() {
    at_every_change(|| tempfile::tempdir().unwrap(), 4);
}

#[test]
fn a_run_that_is_taken_up_can_be_cut_short_at_any_change() {
    let begin = || {
        let (parent, folder) = (tempfile::tempdir().unwrap(), stopped());
        let run = parent.path().join("run");
        fs::create_dir(&run).unwrap();
        for (path, bytes) in snapshot(folder.path()) {
            fs::write(run.join(path.file_name().unwrap()), bytes).unwrap();
        }
        // As it is after a kill: rows that are newer than the checkpoint, and one that is torn.
        fs::write(run.join(ROWS), fs::read_to_string(run.join(ROWS)).unwrap() + "6,42\n7,4").unwrap();
        fs::write(run.join(TIMINGS), "what is this\n").unwrap();
        fs::write(run.join("checkpoint.4711.tmp"), "half").unwrap();
        parent
    };
    at_every_change(begin, 3);
    // The newest checkpoint is damaged, and the one before must not go before there is another.
    let begin_damaged = || {
        let parent = begin();
        fs::write(parent.path().join("run/checkpoint"), "damaged").unwrap();
        parent
    };
    at_every_change(begin_damaged, 3);
}

/// Putting back rows that were deleted is a change like others.
#[test]
fn rows_that_are_put_back_are_so_at_any_change() {
    for count in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let mut job = RunJob::<Sums>::create(folder.path(), manifest(), &Crew::alone()).unwrap();
        steps(&mut job, 4);
        fs::remove_file(folder.path().join(ROWS)).unwrap();
        faults::after(count, Fault::Full);
        job.rest();
        let has_come = faults::end();
        let error = job.error().map(str::to_owned);
        drop(job);
        let whole = ROWS_OF_TEN.lines().take(5).map(|line| format!("{line}\n")).collect::<String>();
        assert!(error.is_some() || fs::read_to_string(folder.path().join(ROWS)).unwrap() == whole);
        comes_to_its_end(folder.path(), &format!("after {count} changes: {error:?}"));
        if !has_come {
            return;
        }
    }
}
