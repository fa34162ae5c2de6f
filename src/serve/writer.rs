//! The thread that writes the ended games: a disk that is full or does not answer keeps nobody from playing.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use super::table::TableId;
use crate::files;
use crate::game::notation;
use crate::game::record::Record;
use crate::job::run_dir::utc;
use crate::sanitize;
use crate::tabs::board::ENDING;
use crate::threads;

/// Games that wait to be written; those beyond it are lost.
const WAITING: usize = 1000;

/// Time to write the games that wait at the end.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Names that are tried for a game.
const NAMES: usize = 1000;

type EndedGame = (TableId, Arc<Record>);

/// The handle of the thread.
pub struct Writer {
    games: Sender<EndedGame>,
    /// Disconnected once all games are written.
    done: Receiver<()>,
}

impl Writer {
    /// Starts the thread. Games are written to `folder`, which may hold `most` of them; without a folder they are lost.
    pub fn start(folder: Option<PathBuf>, most: usize) -> Writer {
        let (games, ended) = bounded::<EndedGame>(WAITING);
        let (writing, done) = bounded(0);
        let run = move || {
            let _writing: Sender<()> = writing;
            for (table, record) in ended {
                keep(folder.as_deref(), most, table, &record);
            }
        };
        if let Err(error) = threads::spawn("writer", run) {
            tracing::error!("cannot start the thread that writes games: {error}");
        }
        Writer { games, done }
    }

    pub fn write(&self, table: TableId, record: Arc<Record>) {
        if self.games.try_send((table, record)).is_err() {
            tracing::error!(table, "{WAITING} games wait to be written: the game is lost");
        }
    }

    /// Waits until all games are written, or the time for it is over.
    pub fn finish(self) {
        let Writer { games, done } = self;
        // The thread ends at the last game.
        drop(games);
        if done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            tracing::error!("the games are not written within {} s: the rest are lost", PATIENCE.as_secs());
        }
    }
}

/// Writes a game; the log has its file, or why it is lost.
fn keep(folder: Option<&Path>, most: usize, table: TableId, record: &Record) {
    let Some(folder) = folder else {
        return tracing::error!(table, "no folder for games: the game is lost");
    };
    if count(folder) >= most {
        let folder = sanitize::path(folder);
        return tracing::error!(table, most, %folder, "the folder has as many games of the lobby as --games allows: the game is lost");
    }
    match write(folder, table, record) {
        Ok(file) => tracing::info!(table, file = %sanitize::path(&file), "kept a game"),
        Err(error) => tracing::error!(table, reason = %sanitize::reason(&error), "cannot keep a game"),
    }
}

/// The beginning of the names of the lobby's games.
const PREFIX: &str = "ssh-";

/// Counts the lobby's games in a folder.
fn count(folder: &Path) -> usize {
    let names = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.filter(|name| name.as_encoded_bytes().starts_with(PREFIX.as_bytes())).count()
}

/// Writes a game as `ssh-DATE-TIME-TABLE.game`, with a number if the name is taken.
fn write(folder: &Path, table: TableId, record: &Record) -> std::io::Result<PathBuf> {
    let time: String = utc(SystemTime::now()).chars().filter(char::is_ascii_digit).collect();
    let name = format!("{PREFIX}{}-{}-table{table}", &time[..8], &time[8..]);
    let text = notation::write(record);
    let names = std::iter::once(name.clone()).chain((2..=NAMES).map(|number| format!("{name}-{number}")));
    for name in names {
        let file = folder.join(format!("{name}.{ENDING}"));
        match files::save_new(&file, text.as_bytes()) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            written => return written.map(|()| file),
        }
    }
    Err(std::io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;

    #[test]
    fn a_folder_holds_a_bounded_number_of_games() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("own.game"), "").unwrap();
        let record = Record::new(Variant::usual()[0], ["anna".to_owned(), "bert".to_owned()], None);
        (0..4).for_each(|_| keep(Some(folder.path()), 3, 1, &record));
        assert_eq!(count(folder.path()), 3);
    }
}
