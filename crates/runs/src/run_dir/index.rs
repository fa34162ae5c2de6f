//! Runs as things one keeps: found by their names, renamed and deleted.
//!
//! Whoever renames or deletes a run holds its lock meanwhile, so that no process writes it.

use mancalab_base::{Error, bail};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::dir_handle::DirHandle;
use super::lock::Lock;
use super::{Manifest, ROWS, RUN, checkpoint};
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

/// Deletes a run with all that is in its folder.
///
/// # Errors
/// There is no run, or a process writes it; or some of it cannot be deleted, and is there then without its `run.toml`.
pub fn delete(folder: &Path) -> Result<(), Error> {
    let _lock = taken(folder)?;
    delete_folder(folder, RUN)
}

/// Deletes a folder that nobody writes in; without the file `first` it is no run's or plan's any more, however the rest goes.
///
/// # Errors
/// The system's.
pub fn delete_folder(folder: &Path, first: &str) -> Result<(), Error> {
    let fail = Error::cannot("delete", folder);
    fs::remove_file(folder.join(first)).map_err(fail)?;
    fs::remove_dir_all(folder).map_err(fail)?;
    Ok(())
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
        for refused in [rename(&one, "other").map(drop), delete(&one)] {
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
