//! Runs that keep the individuals of every generation.

use super::*;
use crate::run_dir::dir_handle::faults::{self, Fault};

/// The file after ten generations.
fn of_ten() -> String {
    let generation = |at: u64| format!("{at},1,{0}\n{at},2,\"a, \"\"{0}\"\"\n3,b\"\n", at * 7);
    "generation,rank,text\n".to_owned() + &(0..=10).map(generation).collect::<String>()
}

fn kept(folder: &Path) -> String {
    fs::read_to_string(folder.join(INDIVIDUALS)).unwrap()
}

/// Starts the run, or resumes it, and computes up to `count` generations, each saved.
fn live(folder: &Path, count: u32) -> Result<(), Error> {
    let mut job = match folder.join(RUN).exists() {
        false => RunJob::create_with_individuals(folder, settings(), &Pool::alone())?,
        true => RunJob::resume(folder, FORMS, &Pool::alone())?.0,
    };
    for _ in 0..count {
        steps(&mut job, 1);
        job.rest();
    }
    job.error().map_or(Ok(()), |error| Err(error.to_owned()))
}

#[test]
fn the_bytes_are_the_same_whenever_the_process_ends_or_the_disk_is_full() {
    for fault in [Fault::Killed, Fault::Full] {
        for count in 0.. {
            let folder = tempfile::tempdir().unwrap();
            faults::after(count, fault);
            let _ = live(folder.path(), 3);
            if !faults::end() {
                assert!(count > 10);
                break;
            }
            live(folder.path(), 12).unwrap_or_else(|error| panic!("{fault:?} after {count}: {error}"));
            assert_eq!(kept(folder.path()), of_ten(), "{fault:?} after {count}");
            assert_eq!(fs::read_to_string(folder.path().join(ROWS)).unwrap(), ROWS_OF_TEN);
        }
    }
}

#[test]
fn rows_after_the_checkpoint_are_cut_off_and_missing_ones_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(INDIVIDUALS);
    live(folder.path(), 4).unwrap();
    let whole = kept(folder.path());
    // Rows of a generation that no checkpoint counts, the last of them cut in the middle of a quoted field.
    fs::write(&path, format!("{whole}4,1,28\n4,2,\"a, \"\"28")).unwrap();
    live(folder.path(), 1).unwrap();
    assert!(of_ten().starts_with(&kept(folder.path())) && kept(folder.path()).contains("\n4,2,"));
    let whole = kept(folder.path());
    let fewer = whole.replace("4,1,28\n4,2,\"a, \"\"28\"\"\n3,b\"\n", "");
    for (text, part) in [
        (fewer, "ends before generation 4"),
        (whole.replace("\n2,1,", "\n5,1,"), "line 8 is not an individual of generation 2"),
    ] {
        fs::write(&path, text).unwrap();
        let error = live(folder.path(), 1).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    // Without the file no individuals are kept.
    fs::remove_file(&path).unwrap();
    live(folder.path(), 12).unwrap();
    assert!(!path.exists());
}

#[test]
fn a_folder_with_another_file_of_that_name_is_refused_and_an_unbegun_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(INDIVIDUALS);
    for text in ["name,age\n", "generation,rank,x\n0,1,2\n"] {
        fs::write(&path, text).unwrap();
        let refused = RunJob::create(folder.path(), settings(), &Pool::alone()).err().unwrap().to_string();
        assert!(refused.contains("individuals.csv"), "{refused}");
        assert_eq!(kept(folder.path()), text);
    }
    fs::write(&path, "generation,ra").unwrap();
    drop(RunJob::create(folder.path(), settings(), &Pool::alone()).unwrap());
    assert!(!path.exists());
}
