//! Automatically saved games: what was on the board when another game replaced it or the program ended.
//!
//! The newest is `last.game`, the one before `last-2.game` and so on. Any number of programs may end at once, as when a
//! connection to tmux drops, and each keeps its own game: a new game is on disk before any other is renamed, one
//! process at a time renames, and a game is deleted only when it is beyond the fifth and over a day old. Where renaming
//! is impossible, because a process was stopped or a name is taken, the new game keeps a unique name.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant, SystemTime};

use mancalab_base::Error;
use rustix::fs::{FlockOperation, flock};

use super::game_file::{ENDING, read_limited};
use crate::files::{self, write_atomic};
use crate::game::notation;
use crate::sanitize;

/// Number of games kept regardless of age.
const KEPT: usize = 5;

/// Minimum age of a game that is deleted.
const YOUNG: Duration = Duration::from_secs(24 * 60 * 60);

/// Time limit of waiting for other processes.
const PATIENCE: Duration = Duration::from_millis(400);

const LOCK: &str = ".last.lock";

/// Saves a game in `folder`; returns its file.
///
/// # Errors
/// The game could not be written; nothing has changed.
pub fn keep(folder: &Path, text: &str) -> Result<PathBuf, Error> {
    let new = own_name(folder);
    write_atomic(&new, text.as_bytes()).map_err(|error| cannot_save(folder, &error))?;
    // The game is on disk; the rest only gives it its usual name.
    let moved = lock(folder).and_then(|_lock| {
        make_room(folder)?;
        fs::rename(&new, newest(folder))?;
        remove_old(folder);
        Ok(newest(folder))
    });
    files::sync_folder(folder);
    Ok(moved.unwrap_or_else(|error| {
        tracing::warn!("saved a game as {}: cannot rename the older ones: {error}", new.display());
        new
    }))
}

pub fn cannot_save(folder: &Path, error: &io::Error) -> Error {
    format!("cannot save the game on the board in {}: {}", folder.display(), sanitize::reason(error)).into()
}

/// Returns whether the game saved automatically last is unfinished.
pub fn has_unfinished(folder: &Path) -> bool {
    let text = read_limited(&folder.join(name(1))).ok();
    let record = text.and_then(|text| notation::read(&text).ok());
    record.is_some_and(|record| notation::given_result(&record) == "*")
}

/// Returns the file of the game saved automatically last.
pub fn newest(folder: &Path) -> PathBuf {
    folder.join(name(1))
}

/// Names of automatically saved games change, so that they are not destinations for saving.
pub fn is_kept(path: &Path) -> bool {
    let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let number = name.strip_prefix("last-").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit() || b == b'-'));
    path.extension().is_some_and(|ending| ending == ENDING) && (name == "last" || number)
}

/// Numbers start at 1, the newest.
fn name(number: usize) -> String {
    if number == 1 { format!("last.{ENDING}") } else { format!("last-{number}.{ENDING}") }
}

/// A name that no other process or thread uses.
fn own_name(folder: &Path) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("last-{}-{number}.{ENDING}", std::process::id()));
        // An earlier process with this id may have left a file.
        if path.symlink_metadata().is_err() {
            return path;
        }
    }
}

/// The lock, held until the file is dropped.
fn lock(folder: &Path) -> io::Result<File> {
    let file = files::open_with(OpenOptions::new().create(true).truncate(false).write(true), &folder.join(LOCK))?;
    let deadline = Instant::now() + PATIENCE;
    loop {
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(file),
            Err(rustix::io::Errno::WOULDBLOCK | rustix::io::Errno::INTR) if Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(2));
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Renames each game to the next number up to the first free one, the oldest first: none is missing at any moment.
fn make_room(folder: &Path) -> io::Result<()> {
    let taken = |number: &usize| folder.join(name(*number)).symlink_metadata().is_ok();
    let count = (1..).take_while(taken).count();
    (1..=count).rev().try_for_each(|number| fs::rename(folder.join(name(number)), folder.join(name(number + 1))))
}

/// Deletes games beyond the number kept that are old enough. Failures are ignored.
fn remove_old(folder: &Path) {
    let path = |number: usize| folder.join(name(number));
    let is_old = |path: &PathBuf| {
        let written = fs::metadata(path).and_then(|meta| meta.modified());
        written.is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|age| age > YOUNG))
    };
    let beyond = (KEPT + 1..).map(path).take_while(|path| path.symlink_metadata().is_ok());
    // From the end, so that no gap arises.
    let beyond: Vec<PathBuf> = beyond.collect();
    for path in beyond.iter().rev().take_while(|path| is_old(path)) {
        let _ = fs::remove_file(path);
    }
    // Temporary files of killed processes.
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    for path in entries.filter(|path| is_half_written(path) && is_old(path)) {
        let _ = fs::remove_file(path);
    }
}

/// Whether this is `NAME.game.PROCESS.tmp`, of a game being written.
fn is_half_written(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let parts = name.strip_suffix(".tmp").and_then(|name| name.rsplit_once('.'));
    parts.is_some_and(|(game, process)| {
        game.ends_with(&format!(".{ENDING}")) && !process.is_empty() && process.bytes().all(|b| b.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(folder: &Path) -> Vec<String> {
        let mut texts: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending == ENDING))
            .map(|path| fs::read_to_string(path).unwrap())
            .collect();
        texts.sort();
        texts
    }

    #[test]
    fn the_newest_is_the_last_and_none_is_lost_within_a_day() {
        let folder = tempfile::tempdir().unwrap();
        for game in 0..12 {
            keep(folder.path(), &game.to_string()).unwrap();
        }
        for (number, game) in [(1, "11"), (2, "10"), (12, "0")] {
            assert_eq!(fs::read_to_string(folder.path().join(name(number))).unwrap(), game);
        }
        for (text, unfinished) in [
            ("[Game \"kalah\"]\n1. C", true),
            ("[Game \"kalah\"]\n[Agreed \"1/2-1/2\"]\n1. C", false),
            ("[Game \"kalah:1x1\"]\n1. A", false),
            ("tea", false),
        ] {
            keep(folder.path(), text).unwrap();
            assert_eq!(has_unfinished(folder.path()), unfinished, "{text}");
        }
    }

    #[test]
    fn old_ones_are_deleted_once_there_are_enough() {
        let folder = tempfile::tempdir().unwrap();
        for game in 0..8 {
            keep(folder.path(), &game.to_string()).unwrap();
        }
        for number in 1..=8 {
            let file = File::options().write(true).open(folder.path().join(name(number))).unwrap();
            file.set_modified(SystemTime::now() - 2 * YOUNG).unwrap();
        }
        keep(folder.path(), "new").unwrap();
        assert_eq!(texts(folder.path()), ["4", "5", "6", "7", "new"]);
    }

    #[test]
    fn every_game_of_a_crowd_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for game in 0..40 {
                let folder = folder.path();
                scope.spawn(move || keep(folder, &format!("{game:02}")).unwrap());
            }
        });
        assert_eq!(texts(folder.path()), (0..40).map(|game| format!("{game:02}")).collect::<Vec<_>>());
    }

    #[test]
    fn a_game_that_cannot_be_written_costs_no_other() {
        let folder = tempfile::tempdir().unwrap();
        for game in 0..5 {
            keep(folder.path(), &game.to_string()).unwrap();
        }
        let before = texts(folder.path());
        for _ in 0..4 {
            assert!(keep(&folder.path().join("last.game"), "new").unwrap_err().to_string().contains("cannot save"));
        }
        assert_eq!(texts(folder.path()), before);
    }

    #[test]
    fn a_process_that_holds_the_lock_costs_no_game() {
        let folder = tempfile::tempdir().unwrap();
        keep(folder.path(), "one").unwrap();
        let held = lock(folder.path()).unwrap();
        assert_eq!(fs::read_to_string(keep(folder.path(), "two").unwrap()).unwrap(), "two");
        drop(held);
        assert_eq!(keep(folder.path(), "three").unwrap(), newest(folder.path()));
        assert_eq!(texts(folder.path()), ["one", "three", "two"]);
        assert_eq!(fs::read_to_string(folder.path().join("last.game")).unwrap(), "three");
    }

    #[test]
    fn kept_games_are_reported_by_their_names() {
        for (name, is) in [
            ("last.game", true),
            ("last-2.game", true),
            ("last-4711-0.game", true),
            ("last-one.game", false),
            ("game-1.game", false),
            ("last.txt", false),
        ] {
            assert_eq!(is_kept(&Path::new("folder").join(name)), is, "{name}");
        }
    }
}
