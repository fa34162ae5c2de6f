//! The lobby as all sessions share it, and the thread behind it: it ends what the time ends, writes the ended games, and passes
//! turns to the engines.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::engines::Engines;
use super::limits::Limits;
use super::lobby::{Lobby, PersonId, View};
use super::table::TableId;
use crate::files;
use crate::game::notation;
use crate::game::record::Record;
use crate::job::run_dir::utc;
use crate::pool::Pool;
use crate::sanitize;
use crate::tabs::board::ENDING;

/// The lobby behind a lock.
pub struct Shared {
    state: Mutex<State>,
    /// Something has changed that the thread may have to act on.
    changed: Condvar,
}

struct State {
    lobby: Lobby,
    is_stopping: bool,
}

impl Shared {
    pub fn new(limits: Limits) -> Arc<Shared> {
        let state = State { lobby: Lobby::new(limits), is_stopping: false };
        Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the lobby and wakes the sessions concerned.
    pub fn act<T>(&self, change: impl FnOnce(&mut Lobby, Instant) -> T) -> T {
        let mut state = self.lock();
        let result = change(&mut state.lobby, Instant::now());
        state.lobby.wake();
        self.changed.notify_all();
        result
    }

    /// What a person sees.
    pub fn view(&self, person: PersonId) -> Option<View> {
        self.lock().lobby.view(person)
    }

    /// Stops all games and ends all sessions; [`run`](Shared::run) returns once the games are written.
    pub fn stop(&self, why: &str) {
        let mut state = self.lock();
        state.lobby.stop(why, Instant::now());
        state.is_stopping = true;
        self.changed.notify_all();
    }

    /// The thread's work, until [`stop`](Shared::stop). Games are written to `games`, which may hold so many of them; without a folder
    /// they are lost.
    pub fn run(self: &Arc<Shared>, games: Option<&Path>, most: usize, pool: &Pool) {
        let engines = Engines::start(self, pool);
        loop {
            let mut state = self.lock();
            let now = Instant::now();
            state.lobby.tick(now);
            state.lobby.wake();
            let (ended, turns) = (state.lobby.take_ended(), state.lobby.take_engine_turns());
            if ended.is_empty() && turns.is_empty() {
                if state.is_stopping {
                    return;
                }
                // Without a deadline only a change wakes the thread; a day is as good as never.
                let wait = state.lobby.deadline(now).map_or(Duration::from_secs(86_400), |at| at - now);
                drop(self.changed.wait_timeout(state, wait));
                continue;
            }
            let tables: BTreeSet<TableId> = state.lobby.table_numbers().collect();
            drop(state);
            for (table, record) in ended {
                keep(games, most, table, &record);
            }
            engines.think(turns, &tables);
        }
    }
}

/// Writes a game; the log has its file, or why it is lost.
fn keep(games: Option<&Path>, most: usize, table: TableId, record: &Record) {
    let Some(games) = games else {
        return tracing::error!(table, "no folder for games: the game is lost");
    };
    if count(games) >= most {
        return tracing::error!(table, folder = %sanitize::path(games), "{most} games of the lobby are there: the game is lost");
    }
    match write(games, table, record) {
        Ok(file) => tracing::info!(table, file = %sanitize::path(&file), "kept a game"),
        Err(error) => tracing::error!(table, reason = %sanitize::reason(&error), "cannot keep a game"),
    }
}

/// The beginning of the names of the lobby's games.
const PREFIX: &str = "ssh-";

/// Counts the lobby's games in a folder.
fn count(games: &Path) -> usize {
    let names = std::fs::read_dir(games).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.filter(|name| name.as_encoded_bytes().starts_with(PREFIX.as_bytes())).count()
}

/// Writes a game as `ssh-DATE-TIME-TABLE.game`, with a number if the name is taken.
fn write(games: &Path, table: TableId, record: &Record) -> std::io::Result<PathBuf> {
    let time: String = utc(SystemTime::now()).chars().filter(char::is_ascii_digit).collect();
    let name = format!("{PREFIX}{}-{}-table{table}", &time[..8], &time[8..]);
    let text = notation::write(record);
    let names = std::iter::once(name.clone()).chain((2..).map(|number| format!("{name}-{number}")));
    for name in names {
        let file = games.join(format!("{name}.{ENDING}"));
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
