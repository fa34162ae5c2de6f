//! The draft of the game on the board: its file while it is played, written after each turn, so that a killed program loses at
//! most the turn in play.
//!
//! Its name has the process's number and start: numbers are given out again. Saving the game removes it; the next start saves the drafts
//! of processes that have ended as automatically saved games.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use mancalab_base::Error;
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use super::game_file::read_limited;
use super::kept;
use crate::files::write_atomic;
use crate::sanitize;

/// Names are `playing-PROCESS-START-NUMBER.draft`.
const NAME: (&str, &str) = ("playing-", ".draft");

/// When this process began to name drafts, in nanoseconds since 1970.
static START: LazyLock<u128> =
    LazyLock::new(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos()));

/// The draft of one game.
#[derive(Clone, Default)]
pub struct Draft(Arc<Mutex<DraftFile>>);

#[derive(Default)]
struct DraftFile {
    /// `None` if the game has no draft on disk.
    path: Option<PathBuf>,
    /// The newest version of the game written or saved: background threads may write in another order than they were started in.
    version: u64,
}

impl Draft {
    fn lock(&self) -> MutexGuard<'_, DraftFile> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a version of the game, unless it or a newer one is on disk.
    ///
    /// # Errors
    /// The file could not be written.
    pub fn write(&self, folder: &Path, text: &str, version: u64) -> Result<(), Error> {
        let mut draft = self.lock();
        if version <= draft.version {
            return Ok(());
        }
        let path = draft.path.get_or_insert_with(|| own_name(folder));
        let written = write_atomic(path, text.as_bytes());
        written.map_err(|error| kept::cannot_save(folder, &error))?;
        draft.version = version;
        Ok(())
    }

    /// Removes the file, unless it has a newer version than this one, which is saved elsewhere.
    pub fn remove(&self, version: u64) {
        let mut draft = self.lock();
        if draft.version <= version {
            draft.version = version;
            draft.path.take().into_iter().for_each(|path| _ = fs::remove_file(path));
        }
    }
}

/// A name that no other game has.
fn own_name(folder: &Path) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let (start, end) = NAME;
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    folder.join(format!("{start}{}-{}-{number}{end}", std::process::id(), *START))
}

/// Saves the drafts of processes that have ended as games, the oldest first.
pub fn recover(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let changed = |path: &PathBuf| fs::metadata(path).and_then(|meta| meta.modified()).ok();
    let left = entries.filter(|path| is_left_behind(path));
    let mut drafts: Vec<(Option<SystemTime>, PathBuf)> = left.map(|path| (changed(&path), path)).collect();
    drafts.sort();
    for (_, path) in drafts {
        // Of several processes that start at once one takes it.
        let claimed = own_name(folder);
        if fs::rename(&path, &claimed).is_err() {
            continue;
        }
        match read_limited(&claimed).and_then(|text| kept::keep(folder, &text)) {
            Ok(_) => _ = fs::remove_file(claimed),
            Err(error) => {
                tracing::warn!("cannot save {}: {}", path.display(), sanitize::inline(&error.to_string()));
                _ = fs::rename(claimed, path);
            }
        }
    }
}

/// Returns the draft of a game in play elsewhere that was changed last, and when.
pub fn newest_of_others(folder: &Path) -> Option<(PathBuf, SystemTime)> {
    let entries = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let others = entries.filter(|path| owner(path) == Some(Owner::Other));
    let changed = |path: PathBuf| fs::metadata(&path).and_then(|meta| meta.modified()).ok().map(|time| (path, time));
    others.filter_map(changed).max_by_key(|(_, time)| *time)
}

fn is_left_behind(path: &Path) -> bool {
    owner(path) == Some(Owner::Ended)
}

/// The process that writes a draft.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    This,
    Other,
    Ended,
}

/// Returns the writer of a draft; `None` if the file is none.
fn owner(path: &Path) -> Option<Owner> {
    let (start, end) = NAME;
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let parts = name.strip_prefix(start).and_then(|name| name.strip_suffix(end)).map(|name| name.split('-'));
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    let [process, begun, _] = parts[..] else { return None };
    let process = process.parse().ok().and_then(Pid::from_raw)?;
    Some(match process.as_raw_nonzero().get().cast_unsigned() == std::process::id() {
        true if begun.parse() == Ok(*START) => Owner::This,
        false if test_kill_process(process) != Err(Errno::SRCH) => Owner::Other,
        _ => Owner::Ended,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = entries.filter(|name| !name.starts_with('.')).collect();
        names.sort();
        names
    }

    #[test]
    fn a_draft_holds_the_newest_version_until_the_game_is_saved() {
        let folder = tempfile::tempdir().unwrap();
        let draft = Draft::default();
        draft.write(folder.path(), "two", 2).unwrap();
        draft.write(folder.path(), "one", 1).unwrap();
        let [name] = names(folder.path()).try_into().unwrap();
        assert_eq!(fs::read_to_string(folder.path().join(&name)).unwrap(), "two");
        recover(folder.path());
        assert_eq!(names(folder.path()), [name], "this process plays it");
        draft.remove(1);
        assert_eq!(names(folder.path()).len(), 1, "an older version was saved elsewhere");
        draft.remove(3);
        draft.write(folder.path(), "three", 3).unwrap();
        assert_eq!(names(folder.path()), [""; 0], "a write that comes after the save");
        draft.write(folder.path(), "four", 4).unwrap();
        assert_eq!(names(folder.path()).len(), 1, "the game goes on");
    }

    #[test]
    fn drafts_of_processes_that_are_gone_become_games() {
        let folder = tempfile::tempdir().unwrap();
        let gone = |number: u32, text: &str, age: u64| {
            // Above the greatest process number of Linux.
            let path = folder.path().join(format!("playing-2000000000-7-{number}.draft"));
            fs::write(&path, text).unwrap();
            let time = SystemTime::now() - std::time::Duration::from_secs(age);
            fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
        };
        gone(0, "newer", 1);
        gone(1, "older", 2);
        // An earlier process had the number of this one.
        let path = folder.path().join(format!("playing-{}-7-0.draft", std::process::id()));
        fs::write(path, "newest").unwrap();
        // Neither can be read as a game's text or belongs to a process.
        let broken = folder.path().join("playing-2000000000-7-9.draft");
        fs::write(&broken, [0xff]).unwrap();
        fs::write(folder.path().join("playing-x-1-1.draft"), "another's").unwrap();
        recover(folder.path());
        let left = ["last-2.game", "last-3.game", "last.game", "playing-2000000000-7-9.draft", "playing-x-1-1.draft"];
        assert_eq!(names(folder.path()), left);
        assert_eq!(fs::read_to_string(kept::newest(folder.path())).unwrap(), "newest");
    }

    #[test]
    fn the_newest_draft_of_another_process_in_play_is_found() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(newest_of_others(folder.path()), None);
        // The test's parent runs as long as the test.
        let parent = std::os::unix::process::parent_id();
        let own = own_name(folder.path());
        let name = |number: u32| folder.path().join(format!("playing-{parent}-7-{number}.draft"));
        for (path, age) in
            [(own, 0), (folder.path().join("playing-2000000000-7-1.draft"), 0), (name(2), 2), (name(3), 1)]
        {
            fs::write(&path, "").unwrap();
            let time = SystemTime::now() - std::time::Duration::from_secs(age);
            fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
        }
        assert_eq!(newest_of_others(folder.path()).unwrap().0, name(3));
    }

    #[test]
    fn of_several_processes_one_saves_a_draft() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..8 {
            fs::write(folder.path().join(format!("playing-2000000000-7-{number}.draft")), number.to_string()).unwrap();
        }
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| recover(folder.path()));
            }
        });
        let texts = names(folder.path()).into_iter().map(|name| fs::read_to_string(folder.path().join(name)).unwrap());
        let mut texts: Vec<String> = texts.collect();
        texts.sort();
        assert_eq!(texts, ["0", "1", "2", "3", "4", "5", "6", "7"]);
    }
}
