//! A process that ends, or finds the disk full, between any two changes to a run's folder.

use super::*;
use crate::run_dir::dir_handle::faults::{self, Fault};
use mancalab_base::Error;

/// Starts or resumes the run, and saves it now and then; reports errors.
fn live(folder: &Path, generations: u32) -> Result<(), Error> {
    let mut job = match folder.join(RUN).exists() {
        false => RunJob::create(folder, settings(), &Pool::alone()).map_err(|refusal| refusal.to_string())?,
        true => resume(folder)?.0,
    };
    for _ in 0..generations {
        steps(&mut job, 1);
        job.rest();
    }
    job.error().map_or(Ok(()), |error| Err(error.to_owned()))
}

/// From any state of the folder, the run comes to the same end, with nothing left behind.
fn comes_to_its_end(folder: &Path, what: &str) {
    let mut job = match folder.join(RUN).exists() {
        false => RunJob::create(folder, settings(), &Pool::alone()).expect(what),
        true => RunJob::resume(folder, FORMS, &Pool::alone()).expect(what).0,
    };
    assert_eq!((job.step(Budget::UNLIMITED), job.error()), (Status::Done, None), "{what}");
    drop(job);
    assert_eq!(fs::read_to_string(folder.join(ROWS)).unwrap(), ROWS_OF_TEN, "{what}");
    assert_eq!(fs::read_to_string(folder.join(BEST)).unwrap(), "# sum 70\n", "{what}");
    let names = [RUN, ROWS, TIMINGS, BEST, LOG, processes::FILE, "checkpoint", "checkpoint.old", "lock"];
    let names: Vec<&str> = names.into_iter().chain(["timings.csv.old", "timings.csv.old-2"]).collect();
    for (path, _) in snapshot(folder) {
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(names.contains(&name), "{what}: {name}");
    }
}

/// Applies `fault` after 0, 1, 2 … changes, until there are no more.
fn at_every_change(begin: impl Fn() -> tempfile::TempDir, generations: u32) {
    for fault in [Fault::Killed, Fault::Full] {
        for count in 0.. {
            let folder = begin();
            let run = folder.path().join("run");
            faults::after(count, fault);
            let lived = live(&run, generations);
            let has_come = faults::end();
            let what = format!("after {count} changes: {lived:?}");
            // The error of a full disk names the file, unless it was the log.
            if fault == Fault::Full && has_come {
                let names = [RUN, ROWS, TIMINGS, BEST, processes::FILE, "checkpoint", "lock"];
                let is_named =
                    |error: &Error| names.iter().any(|name| error.to_string().contains(&format!("/{name}: ")));
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
fn a_run_that_is_resumed_can_be_cut_short_at_any_change() {
    let begin = || {
        let parent = tempfile::tempdir().unwrap();
        let folder = stopped();
        let run = parent.path().join("run");
        fs::create_dir(&run).unwrap();
        for (path, bytes) in snapshot(folder.path()) {
            fs::write(run.join(path.file_name().unwrap()), bytes).unwrap();
        }
        // As after a kill: rows newer than the checkpoint, and a partial one.
        fs::write(run.join(ROWS), fs::read_to_string(run.join(ROWS)).unwrap() + "6,42\n7,4").unwrap();
        fs::write(run.join(TIMINGS), "what is this\n").unwrap();
        fs::write(run.join("checkpoint.4711.tmp"), "half").unwrap();
        parent
    };
    at_every_change(begin, 3);
    // The newest checkpoint is damaged: the previous one must stay until there is another.
    let begin_damaged = || {
        let parent = begin();
        fs::write(parent.path().join("run/checkpoint"), "damaged").unwrap();
        parent
    };
    at_every_change(begin_damaged, 3);
}

/// The rows of a run of sums up to this generation.
fn rows_of(generations: u64) -> String {
    let rows: String = (0..=generations).map(|at| format!("{at},{}\n", 7 * at)).collect();
    format!("generation,sum\n{rows}")
}

/// A run being extended is unchanged or extended whenever its process ends, and can be extended then.
#[test]
fn a_run_that_is_extended_can_be_cut_short_at_any_change() {
    for (fault, done) in [(Fault::Killed, 11), (Fault::Full, 11), (Fault::Killed, 6), (Fault::Killed, 0)] {
        for count in 0.. {
            let parent = tempfile::tempdir().unwrap();
            let run = parent.path().join("run");
            let mut job = RunJob::create(&run, settings(), &Pool::alone()).unwrap();
            steps(&mut job, done + u32::from(done == 11));
            drop(job);
            faults::after(count, fault);
            let lived = RunJob::extend(&run, 13, FORMS, &Pool::alone()).map(|(mut job, _)| {
                steps(&mut job, 1);
                job.rest();
            });
            let has_come = faults::end();
            let what = format!("{done} rows, after {count} changes: {lived:?}");
            let [newest, _] =
                [checkpoint::FILE, checkpoint::OLD].map(|name| checkpoint::peek(&run.join(name)).expect(&what));
            assert_eq!(newest.is_some(), done > 0 || lived.is_ok() && newest.is_some(), "{what}");
            let until = RunReader::open(&run).expect(&what).manifest().generations;
            assert!(until == 13 || until == 10 && has_come, "{what}: {until}");
            assert_eq!(finish_rows(&run, &what), rows_of(until), "{what}");
            RunJob::extend(&run, 13, FORMS, &Pool::alone()).expect(&what).0.step(Budget::UNLIMITED);
            assert_eq!(finish_rows(&run, &what), rows_of(13), "{what}");
            let odd = |(path, _): &(std::path::PathBuf, Vec<u8>)| path.extension().is_some_and(|end| end == "tmp");
            assert!(!snapshot(&run).iter().any(odd), "{what}");
            if !has_come {
                assert!(count > 5, "{what}");
                break;
            }
        }
    }
}

/// Continues to the end; returns the rows.
fn finish_rows(folder: &Path, what: &str) -> String {
    let (mut job, _) = RunJob::resume(folder, FORMS, &Pool::alone()).expect(what);
    assert_eq!((job.step(Budget::UNLIMITED), job.error()), (Status::Done, None), "{what}");
    drop(job);
    fs::read_to_string(folder.join(ROWS)).unwrap()
}

#[test]
fn whoever_watches_a_run_that_is_extended_continues_watching() {
    let folder = tempfile::tempdir().unwrap();
    RunJob::create(folder.path(), settings(), &Pool::alone()).unwrap().step(Budget::UNLIMITED);
    let mut watcher = RunWatcher::open(folder.path(), FORMS).unwrap();
    assert!(watcher.is_finished());
    let (mut job, _) = RunJob::extend(folder.path(), 13, FORMS, &Pool::alone()).unwrap();
    assert_eq!(watcher.poll(), Ok(true));
    assert!(!watcher.is_finished() && watcher.damage().is_none());
    job.step(Budget::UNLIMITED);
    assert_eq!((watcher.poll(), watcher.generation(), watcher.is_finished()), (Ok(true), Some(13), true));
    assert_eq!(rows_seen(&watcher).iter().filter(|row| !row.starts_with("timing")).count(), 14);
    drop(job);
    // Another run in its place is not an extended one.
    let text = fs::read_to_string(folder.path().join(RUN)).unwrap();
    fs::write(folder.path().join(RUN), text.replace("seed = 7", "seed = 8")).unwrap();
    assert!(watcher.poll().unwrap_err().to_string().contains("is another than it was"));
}

#[test]
fn an_extended_run_does_not_lie_about_how_long_it_is() {
    let folder = tempfile::tempdir().unwrap();
    RunJob::create(folder.path(), settings(), &Pool::alone()).unwrap().step(Budget::UNLIMITED);
    let path = folder.path().join(RUN);
    let noted = format!("# mine\n{}", fs::read_to_string(&path).unwrap());
    fs::write(&path, &noted).unwrap();
    let extend = |until: u64| RunJob::extend(folder.path(), until, FORMS, &Pool::alone()).map(drop);
    assert!(extend(9).unwrap_err().to_string().contains("is longer already"));
    let entry = || list(folder.path().parent().unwrap()).into_iter().find(|entry| entry.folder == folder.path());
    assert_eq!(entry().unwrap().state, EntryState::Finished);
    extend(13).unwrap();
    assert_eq!(entry().unwrap().state, EntryState::Stopped);
    let extended = fs::read_to_string(&path).unwrap();
    assert_eq!(extended, noted.replace("generations = 10", "generations = 13"), "what people wrote stays");
    // Nothing was computed: it can still become what it was, and nothing else.
    fs::write(&path, noted.replace("generations = 10", "generations = 12")).unwrap();
    assert!(resume(folder.path()).err().unwrap().to_string().contains("`generations` is 12 there, but was 13"));
    fs::write(&path, &noted).unwrap();
    resume(folder.path()).unwrap();
    fs::write(&path, &extended).unwrap();
    assert_eq!(finish_rows(folder.path(), ""), rows_of(13));
    fs::write(&path, &noted).unwrap();
    assert!(resume(folder.path()).err().unwrap().to_string().contains("`generations` is 10 there, but was 13"));
    // Nor while another process writes it.
    fs::write(&path, &extended).unwrap();
    let (job, _) = resume(folder.path()).unwrap();
    assert!(extend(20).unwrap_err().to_string().contains("is being written by process"));
    drop(job);
}
