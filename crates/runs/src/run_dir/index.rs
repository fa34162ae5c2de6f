//! Runs as things one keeps: found by their names, renamed and deleted.
//!
//! Whoever renames or deletes a run holds its lock meanwhile, so that no process writes it.

use mancalab_base::{Error, bail};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::dir_handle::{DirHandle, is_left_behind};
use super::lock::Lock;
use super::{Manifest, ROWS, RUN, TIMINGS, checkpoint, inputs};
use crate::sanitize;
use crate::settings::nearest;

/// No file system takes longer names, in bytes.
const LONGEST_NAME: usize = 200;

/// Of so many runs the names are told when none of them fits.
const TOLD: usize = 8;

/// The folder of a run that a person names: a path, or the name of a run in `runs` or how it begins.
///
/// # Errors
/// There is no such run, or there are several: which.
pub fn find(runs: Option<&Path>, text: &Path) -> Result<PathBuf, Error> {
    find_by(runs, text, "run", &[RUN])
}

/// The same of any folder that holds one of these files, which people call `noun`.
///
/// # Errors
/// As [`find`].
pub fn find_by(runs: Option<&Path>, text: &Path, noun: &str, files: &[&str]) -> Result<PathBuf, Error> {
    let name = text.to_str().filter(|name| is_name(name));
    let (Some(runs), Some(name)) = (runs, name) else { return Ok(text.to_owned()) };
    let is_one = |folder: &Path| files.iter().any(|file| folder.join(file).exists());
    if is_one(text) {
        return Ok(text.to_owned());
    }
    if is_one(&runs.join(name)) {
        return Ok(runs.join(name));
    }
    let names = names(runs, files);
    let begin: Vec<&String> = names.iter().filter(|known| known.starts_with(name)).collect();
    match begin[..] {
        [] => Err(unknown(name, noun, names)),
        [only] => Ok(runs.join(only)),
        [..] => Err(Error::unknown(format!("'{name}' is how {} {noun}s begin", begin.len()), some(begin))),
    }
}

/// The same by the whole name only: for what cannot be undone.
///
/// # Errors
/// As [`find_by`], or the name is only the beginning of one.
pub fn find_whole(runs: Option<&Path>, text: &Path, noun: &str, files: &[&str]) -> Result<PathBuf, Error> {
    let found = find_by(runs, text, noun, files)?;
    if found != text && found.file_name() != text.file_name() {
        let name = found.file_name().unwrap_or_default().to_string_lossy();
        bail!("no {noun} is named '{}'; give the whole name, such as '{name}'", sanitize::path(text));
    }
    Ok(found)
}

fn unknown(name: &str, noun: &str, names: Vec<String>) -> Error {
    if names.is_empty() {
        return format!("{name} holds no {noun}, and none is called so: there are none yet").into();
    }
    let near = nearest(name, names.iter().map(String::as_str));
    let hint = near.map(|near| format!(" (did you mean '{near}'?)")).unwrap_or_default();
    Error::unknown(format!("{name} holds no {noun}, and none is called so{hint}"), some(&names))
}

/// The first of them, and how many more there are.
fn some<'a>(names: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let mut names: Vec<String> = names.into_iter().cloned().collect();
    let more = names.len().saturating_sub(TOLD);
    names.truncate(TOLD);
    names.extend((more > 0).then(|| format!("and {more} more")));
    names
}

/// The names of all runs in a folder, the one that came forward last at the front.
fn names(runs: &Path, files: &[&str]) -> Vec<String> {
    let folders = fs::read_dir(runs).into_iter().flatten().flatten().map(|entry| entry.path());
    let named = |folder: PathBuf| {
        let changed = changed(&folder, files)?;
        Some((changed, folder.file_name()?.to_str()?.to_owned()))
    };
    let mut names: Vec<(SystemTime, String)> = folders.filter_map(named).collect();
    names.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    names.into_iter().map(|(_, name)| name).collect()
}

/// When what a folder holds last came forward; `None` if it holds none of these files.
pub fn changed(folder: &Path, files: &[&str]) -> Option<SystemTime> {
    let modified = |name: &str| fs::metadata(folder.join(name)).and_then(|meta| meta.modified()).ok();
    let made = files.iter().filter_map(|name| modified(name)).max()?;
    Some(made.max([ROWS, checkpoint::FILE].iter().filter_map(|name| modified(name)).max().unwrap_or(made)))
}

/// The run in `runs` that came forward last.
///
/// # Errors
/// There is none.
pub fn newest(runs: Option<&Path>) -> Result<PathBuf, Error> {
    let runs = runs.ok_or("there is no home directory to keep runs in; name a run's folder")?;
    let newest = names(runs, &[RUN]).into_iter().next();
    newest
        .map(|name| runs.join(name))
        .ok_or_else(|| format!("there are no runs in {} yet", sanitize::path(runs)).into())
}

/// The seed of a run for which none was asked: the first from 1 on that no kept run of its preset has, whose seeds are given. So
/// two runs that are begun alike are never the same by accident, and their names stay short.
pub fn next_seed(seeds: impl IntoIterator<Item = u64>) -> u64 {
    let taken: HashSet<u64> = seeds.into_iter().collect();
    (1..).find(|seed| !taken.contains(seed)).unwrap_or(1)
}

/// The seeds of the runs of a preset in a folder.
pub fn seeds(runs: &Path, kinds: &[&str], preset: &str) -> Vec<u64> {
    let is_such = |manifest: &Manifest| kinds.contains(&manifest.kind.as_str()) && manifest.preset == preset;
    manifests(runs).map(|(_, manifest)| manifest).filter(is_such).map(|manifest| manifest.seed).collect()
}

/// The folders of the runs in a folder whose `run.toml` can be read.
pub(crate) fn manifests(runs: &Path) -> impl Iterator<Item = (PathBuf, Manifest)> {
    let folders = fs::read_dir(runs).into_iter().flatten().flatten().map(|entry| entry.path());
    folders.filter_map(|folder| {
        let (manifest, ()) = Manifest::read(&folder, |_, _, _| ()).ok()?;
        Some((folder, manifest))
    })
}

/// # Errors
/// It cannot be the name of a run's folder: what is expected.
pub fn check_name(name: &str) -> Result<(), Error> {
    if is_name(name) {
        return Ok(());
    }
    let reason = format!(
        "'{}' cannot be a run's name; 1 to {LONGEST_NAME} characters without '/' are expected, the first neither '.' nor '-'",
        sanitize::inline(name)
    );
    Err(reason.into())
}

/// Whether it can be the name of a run's folder.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= LONGEST_NAME
        && !name.starts_with(['.', '-'])
        && !name.contains(|c: char| c == '/' || c.is_control())
}

/// Gives a run another name in the folder it is in; gives its folder.
///
/// # Errors
/// The name is taken or none that a run can have, there is no run, or a process writes it.
pub fn rename(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    check_name(name)?;
    let _lock = taken(folder)?;
    rename_folder(folder, name)
}

/// Gives a folder that nobody writes in another name.
///
/// # Errors
/// The name is taken, or the system refuses.
pub fn rename_folder(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    let to = folder.with_file_name(name);
    if fs::symlink_metadata(&to).is_ok() {
        bail!("{} is there already", sanitize::path(&to));
    }
    fs::rename(folder, &to).map_err(Error::cannot("rename", folder))?;
    Ok(to)
}

/// What a folder holds that the program does not know: names of files and folders, in order. They were not deleted.
pub type Left = Vec<String>;

/// Folders in a run's folder for the players of its individuals, with the end of their files' names.
const FOLDERS: [(&str, &str); 3] = [("genomes", ".toml"), ("networks", ".safetensors"), ("programs", ".txt")];

/// Deletes the files of a run, and its folder if it is then empty.
///
/// # Errors
/// There is no run, or a process writes it; or some of it cannot be deleted. The folder then has no `run.toml`.
pub fn delete(folder: &Path) -> Result<Left, Error> {
    let _lock = taken(folder)?;
    let inputs = Manifest::read(folder, |_, _, _| ()).map(|(manifest, ())| manifest.files).unwrap_or_default();
    delete_known(folder, RUN, |path, name, kind| {
        if kind.is_dir() && name == inputs::FILES {
            return inputs::delete(&inputs, folder);
        }
        if kind.is_file() {
            return if is_of_run(name) { fs::remove_file(path) } else { Ok(()) };
        }
        match FOLDERS.iter().find(|(own, _)| kind.is_dir() && *own == name) {
            Some((_, end)) => delete_files(path, end),
            None => Ok(()),
        }
    })
}

/// Deletes what `delete` takes for the program's own of the entries of a folder that no process writes, the file `first` before
/// all others, and the folder if it is then empty. No link is followed.
///
/// # Errors
/// The system's.
pub fn delete_known(
    folder: &Path,
    first: &str,
    delete: impl Fn(&Path, &str, fs::FileType) -> io::Result<()>,
) -> Result<Left, Error> {
    let fail = Error::cannot("delete", folder);
    fs::remove_file(folder.join(first)).map_err(fail)?;
    let mut left = Left::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        delete(&entry.path(), &name, entry.file_type().map_err(fail)?).map_err(fail)?;
        if fs::symlink_metadata(entry.path()).is_ok() {
            left.push(name);
        }
    }
    left.sort();
    if left.is_empty() {
        fs::remove_dir(folder).map_err(fail)?;
    }
    Ok(left)
}

/// Deletes the files of a folder whose names end so, and the folder if it is then empty.
fn delete_files(folder: &Path, end: &str) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_file() && entry.file_name().to_string_lossy().ends_with(end) {
            fs::remove_file(entry.path())?;
        }
    }
    // Other files stay, and the folder with them.
    let _ = fs::remove_dir(folder);
    Ok(())
}

/// Whether a run's folder has files of this name: its own, what was left by a process that was killed, and timings put aside.
pub(crate) fn is_of_run(name: &str) -> bool {
    super::is_own(name) || is_left_behind(name, &super::REPLACED) || name.starts_with(&format!("{TIMINGS}.old"))
}

/// The lock of a run's own folder.
fn taken(folder: &Path) -> Result<Lock, Error> {
    let is_folder = fs::symlink_metadata(folder).is_ok_and(|meta| meta.is_dir());
    if !is_folder || !folder.join(RUN).is_file() {
        bail!("{} is no run's folder: there is no {RUN}", sanitize::path(folder));
    }
    let held = DirHandle::open(folder).map_err(Error::cannot("open", folder))?;
    let mut lock = Lock::take(&held)?;
    lock.keep();
    Ok(lock)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Sums, manifest, steps};
    use super::*;
    use crate::RunJob;
    use crate::pool::Pool;

    fn run(folder: &Path) -> RunJob<Sums> {
        let mut job = RunJob::<Sums>::create(folder, manifest(), &Pool::alone()).unwrap();
        steps(&mut job, 2);
        job
    }

    #[test]
    fn runs_are_found_by_their_names_and_how_these_begin() {
        let parent = tempfile::tempdir().unwrap();
        let runs = parent.path();
        assert!(newest(Some(runs)).unwrap_err().to_string().contains("there are no runs in "));
        assert!(find(Some(runs), Path::new("x")).unwrap_err().to_string().contains("there are none yet"));
        ["gp-seed1", "gp-seed12", "weights"].iter().for_each(|name| drop(run(&runs.join(name))));
        let found = |text: &str| find(Some(runs), Path::new(text));
        assert_eq!(found("gp-seed1").unwrap(), runs.join("gp-seed1"));
        assert_eq!(found("w").unwrap(), runs.join("weights"));
        assert_eq!(found("a/path").unwrap(), Path::new("a/path"));
        assert_eq!(found(runs.join("weights").to_str().unwrap()).unwrap(), runs.join("weights"));
        let told = found("gp").unwrap_err().to_string();
        assert!(told.starts_with("'gp' is how 2 runs begin; known: gp-seed1"), "{told}");
        let told = found("weihgts").unwrap_err().to_string();
        assert!(
            told.starts_with("weihgts holds no run, and none is called so (did you mean 'weights'?); known: "),
            "{told}"
        );
        let later = SystemTime::now() + std::time::Duration::from_secs(60);
        let rows = fs::File::options().append(true).open(runs.join("gp-seed1").join(ROWS)).unwrap();
        rows.set_modified(later).unwrap();
        assert_eq!(newest(Some(runs)).unwrap(), runs.join("gp-seed1"));
    }

    #[test]
    fn only_the_whole_name_of_a_run_is_enough_to_delete_it() {
        let parent = tempfile::tempdir().unwrap();
        drop(run(&parent.path().join("sweep-10")));
        let found = |text: &str| find_whole(Some(parent.path()), Path::new(text), "run", &[RUN]);
        assert_eq!(found("sweep-10").unwrap(), parent.path().join("sweep-10"));
        assert_eq!(
            found("sweep-1").unwrap_err().to_string(),
            "no run is named 'sweep-1'; give the whole name, such as 'sweep-10'"
        );
    }

    #[test]
    fn files_that_are_not_the_runs_are_not_deleted() {
        let parent = tempfile::tempdir().unwrap();
        let (thesis, folder) = (parent.path().join("thesis.tex"), parent.path().join("proj"));
        drop(run(&folder));
        for name in ["notes.txt", "networks/generation-3.safetensors", "networks/mine.bin", "genomes/genome-1.toml"] {
            fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
            fs::write(folder.join(name), "x").unwrap();
        }
        fs::write(&thesis, "x").unwrap();
        std::os::unix::fs::symlink(&thesis, folder.join("best.txt.1.tmp")).unwrap();
        assert_eq!(delete(&folder).unwrap(), ["best.txt.1.tmp", "networks", "notes.txt"]);
        assert!(thesis.exists() && folder.join("networks/mine.bin").exists());
        assert!(!folder.join("networks/generation-3.safetensors").exists() && !folder.join("genomes").exists());
        assert!(!folder.join(ROWS).exists() && delete(&folder).is_err(), "it is no run's folder any more");
    }

    #[test]
    fn a_run_without_a_seed_of_its_own_gets_the_first_that_is_free() {
        assert_eq!([next_seed([]), next_seed([2, 7]), next_seed([3, 1, 2, 2])], [1, 1, 4]);
        let parent = tempfile::tempdir().unwrap();
        drop(run(&parent.path().join("one")));
        assert_eq!(seeds(parent.path(), &["sums"], "plain"), [7]);
        assert_eq!(
            (seeds(parent.path(), &["sums"], "other"), seeds(parent.path(), &["gp"], "plain")),
            (vec![], vec![])
        );
    }

    #[test]
    fn a_run_is_renamed_and_deleted_unless_it_is_being_written() {
        let parent = tempfile::tempdir().unwrap();
        let [one, two] = ["one", "two"].map(|name| parent.path().join(name));
        let job = run(&one);
        for refused in [rename(&one, "other").map(drop), delete(&one).map(drop)] {
            assert!(refused.unwrap_err().to_string().contains("is being written by process"));
        }
        drop(job);
        drop(run(&two));
        assert!(rename(&one, "two").unwrap_err().to_string().contains("is there already"));
        for odd in ["", ".x", "-x", "a/b", "a\nb", &"x".repeat(300)] {
            assert!(rename(&one, odd).unwrap_err().to_string().contains("cannot be a run's name"), "{odd}");
        }
        let three = rename(&one, "three").unwrap();
        assert!(!one.exists() && RunJob::<Sums>::resume(&three, &Pool::alone()).is_ok());
        delete(&three).unwrap();
        assert!(!three.exists() && two.exists());
        // What is no run's folder stays, and so does what a link leads to.
        let other = parent.path().join("photos");
        fs::create_dir(&other).unwrap();
        assert!(delete(&other).unwrap_err().to_string().contains("is no run's folder"));
        let link = parent.path().join("link");
        std::os::unix::fs::symlink(&two, &link).unwrap();
        assert!(delete(&link).unwrap_err().to_string().contains("is no run's folder"));
        assert!(two.join(RUN).exists() && other.exists());
    }
}
