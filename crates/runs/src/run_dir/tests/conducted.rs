//! Runs that end early, keep checkpoints, or are forked.

use super::*;
use crate::Extension;
use crate::fork::Fork;
use crate::run_dir::dir_handle::faults::{self, Fault};
use crate::verify::verify;

fn conducted(stop: &str, keep: u64) -> SumsSettings {
    SumsSettings(manifest(), Conduct { stop: stop.parse().unwrap(), keep })
}

fn run(folder: &Path, settings: SumsSettings) -> RunJob {
    let mut job = RunJob::create(folder, settings, &Pool::alone()).unwrap();
    assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
    job
}

fn rows(folder: &Path) -> Vec<String> {
    fs::read_to_string(folder.join(ROWS)).unwrap().lines().skip(1).map(str::to_owned).collect()
}

fn finish(folder: &Path) {
    assert_eq!(RunJob::resume(folder, FORMS, &Pool::alone()).unwrap().0.step(Budget::UNLIMITED), Status::Done);
}

#[test]
fn a_rule_ends_a_run_and_another_one_lets_it_go_on() {
    let folder = tempfile::tempdir().unwrap();
    drop(run(folder.path(), conducted("target:28", 0)));
    assert_eq!(rows(folder.path()).last().unwrap(), "4,28");
    let entry = entry(folder.path().to_owned());
    assert_eq!(
        (entry.state.clone(), entry.ended_early()),
        (EntryState::Finished, Some("target:28 in generation 4".into()))
    );
    assert!(RunWatcher::open(folder.path(), FORMS).unwrap().is_finished());
    // Resumed, it has ended already.
    finish(folder.path());
    assert_eq!(rows(folder.path()).len(), 5);
    let error = RunJob::extend(folder.path(), 20, FORMS, &Pool::alone()).err().unwrap().to_string();
    assert!(error.contains("target:28 ended it; change that rule as well"), "{error}");
    let verified = verify(folder.path(), FORMS, 99, &Pool::alone(), |_, _| true).unwrap();
    assert_eq!((verified.compared, verified.difference), (5, None));
    let extension = Extension { generations: 10, stop: Some("target:42".parse().unwrap()) };
    let (mut job, _) = RunJob::extend(folder.path(), extension, FORMS, &Pool::alone()).unwrap();
    assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
    drop(job);
    assert_eq!(rows(folder.path()).last().unwrap(), "6,42");
    // A person may change the rule in the file as well.
    let path = folder.path().join(RUN);
    fs::write(&path, fs::read_to_string(&path).unwrap().replace("target:42", "never")).unwrap();
    finish(folder.path());
    assert_eq!(fs::read_to_string(folder.path().join(ROWS)).unwrap(), ROWS_OF_TEN);
    assert_eq!(super::entry(folder.path().to_owned()).ended_early(), None);
}

#[test]
fn a_run_that_was_stopped_ends_where_it_would_have_ended() {
    for stopped in 1..4 {
        let folder = tempfile::tempdir().unwrap();
        let mut job = RunJob::create(folder.path(), conducted("target:21", 0), &Pool::alone()).unwrap();
        steps(&mut job, stopped);
        drop(job);
        finish(folder.path());
        assert_eq!(rows(folder.path()).last().unwrap(), "3,21");
    }
}

#[test]
fn a_fork_begins_with_the_rows_of_its_parent_and_is_verified_through_it() {
    let runs = tempfile::tempdir().unwrap();
    let [parent, child, grandchild] = ["parent", "child", "grandchild"].map(|name| runs.path().join(name));
    drop(run(&parent, conducted("never", 3)));
    let kept = |name: &str| parent.join(name).exists();
    assert_eq!(["checkpoint.3", "checkpoint.6", "checkpoint.9"].map(kept), [true; 3]);
    let fork = |from: &Path, at: Option<u64>, seed: u64, to: &Path| {
        let fork = Fork::new(from, at, FORMS).unwrap();
        let changed = SumsSettings(Manifest { seed, ..manifest() }, Conduct::default());
        fork.write(&changed, to, &Pool::alone(), |_, _| true)
    };
    // Generation 5 is computed again from the kept checkpoint of 3.
    assert_eq!(fork(&parent, Some(5), 100, &child), Ok(true));
    finish(&child);
    assert_eq!(rows(&child)[..6], rows(&parent)[..6]);
    assert_eq!(rows(&child)[6..8], ["6,135", "7,235"]);
    assert_eq!(fork(&child, Some(7), 1000, &grandchild), Ok(true));
    finish(&grandchild);
    assert_eq!(rows(&grandchild)[7..], ["7,235", "8,1235", "9,2235", "10,3235"]);
    fs::remove_dir_all(&parent).unwrap();
    for folder in [&child, &grandchild] {
        let verified = verify(folder, FORMS, 99, &Pool::alone(), |_, _| true).unwrap();
        assert_eq!((verified.compared, verified.difference), (11, None));
    }
    // What it follows from is checked, and deleted with it.
    let path = grandchild.join("parent/parent/run.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("seed = 7", "seed = 8")).unwrap();
    let error = verify(&grandchild, FORMS, 99, &Pool::alone(), |_, _| true).unwrap_err().to_string();
    assert!(error.contains("parent/parent/run.toml") && error.contains("was changed"), "{error}");
    fs::write(&path, text).unwrap();
    assert_eq!(index::delete(&grandchild), Ok(Vec::new()));
    assert!(!grandchild.exists());
}

#[test]
fn a_fork_that_would_change_nothing_or_cannot_go_on_is_refused() {
    let runs = tempfile::tempdir().unwrap();
    let [parent, child] = ["parent", "child"].map(|name| runs.path().join(name));
    drop(run(&parent, conducted("never", 0)));
    let refused = |at: Option<u64>, changed: Manifest| {
        let fork = Fork::new(&parent, at, FORMS).unwrap();
        let changed = SumsSettings(changed, Conduct::default());
        let error = fork.write(&changed, &child, &Pool::alone(), |_, _| true).unwrap_err().to_string();
        assert!(!child.exists());
        error
    };
    assert!(refused(Some(5), manifest()).contains("nothing changes"));
    assert!(refused(None, Manifest { seed: 1, ..manifest() }).contains("generations must exceed 10"));
    let shorter = Manifest { generations: 5, ..manifest() };
    assert!(refused(Some(5), shorter).contains("generations must exceed 5, the last in common (got 5)"));
    assert!(
        refused(Some(11), Manifest { generations: 20, ..manifest() }).contains("has no generation 11; it has up to 10")
    );
    // Rows that this build does not compute are no beginning.
    let path = parent.join(ROWS);
    fs::write(&path, fs::read_to_string(&path).unwrap().replace("2,14", "2,15")).unwrap();
    let error = refused(Some(5), Manifest { seed: 1, ..manifest() });
    assert!(error.contains("row 2") && error.contains("sum is 15 there, and 14 here"), "{error}");
}

#[test]
fn a_fork_that_is_killed_while_it_is_written_leaves_no_run_or_a_whole_one() {
    let runs = tempfile::tempdir().unwrap();
    let parent = runs.path().join("parent");
    drop(run(&parent, conducted("never", 2)));
    let mut is_complete = false;
    for after in 0.. {
        let child = runs.path().join(format!("child-{after}"));
        let fork = Fork::new(&parent, Some(4), FORMS).unwrap();
        let changed = SumsSettings(Manifest { seed: 100, ..manifest() }, Conduct::default());
        faults::after(after, Fault::Killed);
        let written = fork.write(&changed, &child, &Pool::alone(), |_, _| true);
        let came = faults::end();
        match RunJob::resume(&child, FORMS, &Pool::alone()) {
            Ok((mut job, _)) => {
                assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
                assert_eq!(rows(&child)[5..7], ["5,128", "6,228"], "after {after}");
            }
            Err(error) => {
                let error = error.to_string();
                let is_known = ["holds no run", "has no checkpoint", "ends before its row"]
                    .iter()
                    .any(|text| error.contains(text));
                assert!(is_known && written.is_err(), "after {after}: {error}");
            }
        }
        if !came {
            is_complete = true;
            assert_eq!(written, Ok(true));
            break;
        }
    }
    assert!(is_complete);
}
