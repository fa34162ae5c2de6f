//! Saved runs: found by name, renamed and deleted.
//!
//! Renaming and deleting hold the run's lock, so that no process writes it meanwhile.

use mancalab_base::{Error, bail};
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::dir_handle::{DirHandle, is_left_behind};
use super::lock::Lock;
use super::{Manifest, ROWS, RUN, TIMINGS, checkpoint, inputs, parent};
use crate::files::{self, Kind};
use crate::sanitize;
use crate::settings::nearest;

/// Maximum length of a name in bytes, within the limit of every file system.
const LONGEST_NAME: usize = 200;

/// Maximum number of runs named in an error.
const TOLD: usize = 8;

/// Finds the folder of a run by path, name, or unique start of the name.
///
/// # Errors
/// There is no such run, or there are several: which.
pub fn find(runs: Option<&Path>, text: &Path) -> Result<PathBuf, Error> {
    find_by(runs, text, "run", &[RUN])
}

/// The same for any folder with one of these files, called `noun` in messages.
///
/// # Errors
/// Those of [`find`].
pub fn find_by(runs: Option<&Path>, text: &Path, noun: &str, files: &[&str]) -> Result<PathBuf, Error> {
    // Those in the working folder may be named without a path too.
    find_in(runs, text, noun, files, || names(Path::new("."), files))
}

/// The same for the runs of a folder alone.
///
/// # Errors
/// Those of [`find`].
pub fn find_merged(runs: &Path, text: &Path) -> Result<PathBuf, Error> {
    find_in(Some(runs), text, "run", &[RUN], Vec::new)
}

/// `others` are names that may have been meant besides those in `runs`.
fn find_in(
    runs: Option<&Path>,
    text: &Path,
    noun: &str,
    files: &[&str],
    others: impl FnOnce() -> Vec<String>,
) -> Result<PathBuf, Error> {
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
        [] => {
            let others = others().into_iter().filter(|other| !names.contains(other));
            let known: Vec<String> = names.iter().cloned().chain(others).collect();
            Err(unknown(runs, name, noun, &known))
        }
        [only] => Ok(runs.join(only)),
        [..] => {
            Err(Error::unknown(format!("'{name}' is ambiguous: {} {noun}s begin with it", begin.len()), some(begin)))
        }
    }
}

/// The same by the complete name only, for irreversible commands.
///
/// # Errors
/// Those of [`find_by`], or the name is only the start of one.
pub fn find_whole(runs: Option<&Path>, text: &Path, noun: &str, files: &[&str]) -> Result<PathBuf, Error> {
    let found = find_by(runs, text, noun, files)?;
    if found != text && found.file_name() != text.file_name() {
        let name = found.file_name().unwrap_or_default().to_string_lossy();
        bail!("no {noun} is named '{}'; give the whole name, such as '{name}'", sanitize::path(text));
    }
    Ok(found)
}

/// Checks that the folder of runs can be read, if it is there.
///
/// # Errors
/// It cannot be read: why.
pub fn check_readable(runs: &Path) -> Result<(), Error> {
    files::if_there(fs::read_dir(runs)).map(drop).map_err(Error::cannot("read", runs))
}

fn unknown(runs: &Path, name: &str, noun: &str, names: &[String]) -> Error {
    if let Err(error) = check_readable(runs) {
        return error;
    }
    if names.is_empty() {
        return format!(
            "no {noun} is named '{name}': neither here nor in {}, where there are none yet",
            sanitize::path(runs)
        )
        .into();
    }
    let near = nearest(name, names.iter().map(String::as_str));
    let hint = near.map(|near| format!(" (did you mean '{near}'?)")).unwrap_or_default();
    Error::unknown(format!("no {noun} is named '{name}'{hint}"), some(names))
}

/// The first few, and the number of the others.
fn some<'a>(names: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let mut names: Vec<String> = names.into_iter().cloned().collect();
    let more = names.len().saturating_sub(TOLD);
    names.truncate(TOLD);
    names.extend((more > 0).then(|| format!("and {more} more")));
    names
}

/// The names of all runs in a folder, the most recently active first.
fn names(runs: &Path, files: &[&str]) -> Vec<String> {
    let folders = fs::read_dir(runs).into_iter().flatten().flatten().map(|entry| entry.path());
    let named = |folder: PathBuf| {
        let changed = changed(&folder, files)?;
        Some((changed, folder.file_name()?.to_str()?.to_owned()))
    };
    let mut names: Vec<(SystemTime, String)> = folders.filter_map(named).collect();
    crate::sort::sort_by(&mut names, |one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    names.into_iter().map(|(_, name)| name).collect()
}

/// The time of the last activity in a folder; `None` if it holds none of these files.
pub fn changed(folder: &Path, files: &[&str]) -> Option<SystemTime> {
    let modified = |name: &str| fs::metadata(folder.join(name)).and_then(|meta| meta.modified()).ok();
    let made = files.iter().filter_map(|name| modified(name)).max()?;
    Some(made.max([ROWS, checkpoint::FILE].iter().filter_map(|name| modified(name)).max().unwrap_or(made)))
}

/// Returns the most recently active run in `runs`.
///
/// # Errors
/// There is none.
pub fn newest(runs: Option<&Path>) -> Result<PathBuf, Error> {
    let runs = runs.ok_or("there is no home directory for runs; give a run's folder")?;
    check_readable(runs)?;
    let newest = names(runs, &[RUN]).into_iter().next();
    newest
        .map(|name| runs.join(name))
        .ok_or_else(|| format!("there are no runs in {} yet", sanitize::path(runs)).into())
}

/// Returns the folders of the runs in a folder, sorted by name, without hidden ones.
pub fn runs_in(folder: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_shown = |folder: &PathBuf| {
        folder.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.')) && folder.join(RUN).exists()
    };
    let mut folders: Vec<PathBuf> = folders.filter(is_shown).collect();
    crate::sort::sort(&mut folders);
    folders
}

/// Returns the names of folders, each with as many folders above it as set it apart from others of the same name.
pub fn distinct_names(folders: &[impl AsRef<Path>]) -> Vec<String> {
    let end = |folder: &Path, count: usize| -> PathBuf {
        let above = folder.components().count().saturating_sub(count);
        folder.components().skip(above).collect()
    };
    let mut of_name: HashMap<PathBuf, Vec<&Path>> = HashMap::new();
    folders.iter().map(AsRef::as_ref).for_each(|folder| of_name.entry(end(folder, 1)).or_default().push(folder));
    let name = |folder: &Path| {
        let namesakes = &of_name[&end(folder, 1)];
        let others = || namesakes.iter().copied().filter(|other| *other != folder);
        let most = folder.components().count();
        let count = (1..most).find(|&count| others().all(|other| end(other, count) != end(folder, count)));
        sanitize::path(&end(folder, count.unwrap_or(most)))
    };
    folders.iter().map(|folder| name(folder.as_ref())).collect()
}

/// Returns the folders of runs whose `run.toml` is readable.
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
        "'{}' cannot be a run's name: it must have 1 to {LONGEST_NAME} characters, none of /{MARKUP}, and begin with none of .{FORMULA}",
        sanitize::inline(name)
    );
    Err(reason.into())
}

/// Returns whether it can be the name of a run's folder.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= LONGEST_NAME && !name.starts_with('.') && !name.contains('/') && is_text(name)
}

/// Characters of markup, and those that begin a formula where a table is opened as a spreadsheet.
const MARKUP: &str = "<>|[]`\"\\";
const FORMULA: &str = "=+-@";

/// Returns whether a name is text in every table and document.
fn is_text(name: &str) -> bool {
    let begins_formula = name.starts_with(|c: char| FORMULA.contains(c));
    !begins_formula && !name.contains(|c: char| MARKUP.contains(c) || c.is_control())
}

/// # Errors
/// The name of a run's folder, which somebody else may have chosen, is markup or a formula.
pub(crate) fn check_folder(folder: &Path) -> Result<(), Error> {
    match folder.file_name().map(|name| name.to_string_lossy()).filter(|name| !is_text(name)) {
        None => Ok(()),
        Some(name) => Err(format!(
            "the folder '{}' cannot be read as a run: its name has one of {MARKUP} or begins with one of {FORMULA}; rename it",
            sanitize::inline(&name)
        )
        .into()),
    }
}

/// Renames a run within its folder; returns the new path.
///
/// # Errors
/// The name is taken or invalid, there is no run, or a process writes it.
pub fn rename(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    check_name(name)?;
    let _lock = taken(folder)?;
    rename_folder(folder, name)
}

/// Returns the path of a folder under another name.
///
/// # Errors
/// The name is taken.
pub fn check_free(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    let to = folder.with_file_name(name);
    if fs::symlink_metadata(&to).is_ok() {
        bail!("{} is there already", sanitize::path(&to));
    }
    Ok(to)
}

/// Renames a folder that no process writes.
///
/// # Errors
/// The name is taken, or the system's error.
pub fn rename_folder(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    let to = check_free(folder, name)?;
    fs::rename(folder, &to).map_err(Error::cannot("rename", folder))?;
    Ok(to)
}

/// Names of unknown files and folders, sorted, which were not deleted.
pub type RemainingFiles = Vec<String>;

/// Folders in a run's folder for players of its individuals, with their file extensions.
const FOLDERS: [(&str, &str); 3] = [("genomes", ".toml"), ("networks", ".safetensors"), ("programs", ".txt")];

/// Deletes the files of a run, and its folder if it is then empty.
///
/// # Errors
/// There is no run, a process writes it, `run.toml` is another program's, or a part cannot be deleted. Only in the last
/// case is `run.toml` gone.
pub fn delete(folder: &Path) -> Result<RemainingFiles, Error> {
    let _lock = taken(folder)?;
    let inputs = Manifest::read(folder, |_, _, _| ()).map(|(manifest, ())| manifest.files).unwrap_or_default();
    delete_known(folder, RUN, |path, name, kind| {
        if kind.is_dir() && name == inputs::FILES {
            return inputs::delete(&inputs, folder);
        }
        if kind.is_dir() && name == parent::PARENT {
            return parent::delete(path);
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

/// Checks that the file is one that this program wrote: the comment in its first line says so.
///
/// # Errors
/// It does not.
pub fn check_ours(folder: &Path, file: &str) -> Result<(), Error> {
    let path = folder.join(file);
    let text = files::read_text(&path, Kind::Document).map_err(Error::cannot("read", &path))?;
    if !text.lines().next().is_some_and(|line| line.starts_with('#') && line.contains("mancalab")) {
        bail!("{} was not written by mancalab", sanitize::path(&path));
    }
    Ok(())
}

/// Deletes the file `first`, then what `delete` recognizes in a folder that no process writes, and the folder if it is
/// then empty. Follows no link.
///
/// # Errors
/// The system's error.
pub fn delete_known(
    folder: &Path,
    first: &str,
    delete: impl Fn(&Path, &str, fs::FileType) -> io::Result<()>,
) -> Result<RemainingFiles, Error> {
    let fail = Error::cannot("delete", folder);
    fs::remove_file(folder.join(first)).map_err(fail)?;
    let mut left = RemainingFiles::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        delete(&entry.path(), &name, entry.file_type().map_err(fail)?).map_err(fail)?;
        if fs::symlink_metadata(entry.path()).is_ok() {
            left.push(name);
        }
    }
    crate::sort::sort(&mut left);
    if left.is_empty() {
        fs::remove_dir(folder).map_err(fail)?;
    }
    Ok(left)
}

/// Deletes the files of a folder with this extension, and the folder if it is then empty.
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

/// Returns whether a run's folder has files of this name: its own, temporary files of killed processes, and old
/// timings.
pub(crate) fn is_of_run(name: &str) -> bool {
    super::is_own(name) || is_left_behind(name, &super::REPLACED) || name.starts_with(&format!("{TIMINGS}.old"))
}

/// Takes the lock of a run's own folder.
fn taken(folder: &Path) -> Result<Lock, Error> {
    let is_folder = fs::symlink_metadata(folder).is_ok_and(|meta| meta.is_dir());
    if !is_folder || !folder.join(RUN).is_file() {
        bail!("{} is not a run's folder: {RUN} is missing", sanitize::path(folder));
    }
    if Manifest::read(folder, |_, _, _| ()).is_err() {
        check_ours(folder, RUN)?;
    }
    let held = DirHandle::open(folder).map_err(Error::cannot("open", folder))?;
    let mut lock = Lock::take(&held)?;
    lock.keep();
    Ok(lock)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{FORMS, settings, steps};
    use super::*;
    use crate::RunJob;
    use crate::pool::Pool;

    fn run(folder: &Path) -> RunJob {
        let mut job = RunJob::create(folder, settings(), &Pool::alone()).unwrap();
        steps(&mut job, 2);
        job
    }

    #[test]
    fn folders_of_the_same_name_are_set_apart() {
        let names = |folders: &[&str]| distinct_names(folders);
        assert_eq!(names(&["/runs/a", "b", "/runs/a"]), ["a", "b", "a"]);
        assert_eq!(names(&["/one/x/a", "/two/x/a", "a", "/x/b"]), ["one/x/a", "two/x/a", "a", "b"]);
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
        let error = found("gp").unwrap_err().to_string();
        assert!(error.starts_with("'gp' is ambiguous: 2 runs begin with it; known: gp-seed1"), "{error}");
        let error = found("weihgts").unwrap_err().to_string();
        assert!(error.starts_with("no run is named 'weihgts' (did you mean 'weights'?); known: "), "{error}");
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
        let thesis = parent.path().join("thesis.tex");
        let folder = parent.path().join("proj");
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
        fs::write(folder.join(RUN), "kind = \"other\"\n").unwrap();
        let error = delete(&folder).unwrap_err().to_string();
        assert!(error.ends_with("proj/run.toml was not written by mancalab"), "{error}");
        assert!(folder.join(RUN).exists() && !folder.join("lock").exists());
        fs::write(folder.join(RUN), "# A run of mancalab\nkind = 7\n").unwrap();
        delete(&folder).unwrap();
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
        assert!(!one.exists() && RunJob::resume(&three, FORMS, &Pool::alone()).is_ok());
        delete(&three).unwrap();
        assert!(!three.exists() && two.exists());
        // Folders without a run stay, and so do targets of links.
        let other = parent.path().join("photos");
        fs::create_dir(&other).unwrap();
        assert!(delete(&other).unwrap_err().to_string().contains("is not a run's folder"));
        let link = parent.path().join("link");
        std::os::unix::fs::symlink(&two, &link).unwrap();
        assert!(delete(&link).unwrap_err().to_string().contains("is not a run's folder"));
        assert!(two.join(RUN).exists() && other.exists());
    }
}
