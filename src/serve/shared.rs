//! The lobby as all sessions share it, and the thread behind it: it ends what the time ends, and passes ended games to the writer
//! and turns to the engines.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::engines::Engines;
use super::limits::Limits;
use super::lobby::{Lobby, PersonId, View};
use super::table::TableId;
use super::writer::Writer;
use crate::pool::Pool;

/// The lobby behind a lock.
pub struct SharedLobby {
    state: Mutex<State>,
    /// Something has changed that the thread may have to act on.
    changed: Condvar,
}

struct State {
    lobby: Lobby,
    is_stopping: bool,
}

impl SharedLobby {
    pub fn new(limits: Limits) -> Arc<SharedLobby> {
        let state = State { lobby: Lobby::new(limits), is_stopping: false };
        Arc::new(SharedLobby { state: Mutex::new(state), changed: Condvar::new() })
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

    /// Stops all games and ends all sessions; [`run`](SharedLobby::run) returns once the games are written, or the time for it
    /// is over.
    pub fn stop(&self, why: &str) {
        let mut state = self.lock();
        state.lobby.stop(why, Instant::now());
        state.is_stopping = true;
        self.changed.notify_all();
    }

    /// The thread's work, until [`stop`](SharedLobby::stop). Games are written to `games`, which may hold so many of them; without a folder
    /// they are lost.
    pub fn run(self: &Arc<SharedLobby>, games: Option<PathBuf>, most: usize, pool: &Pool) {
        let writer = Writer::start(games, most);
        let engines = Engines::start(self, pool);
        loop {
            let mut state = self.lock();
            let now = Instant::now();
            state.lobby.tick(now);
            state.lobby.wake();
            let ended = state.lobby.take_ended();
            let turns = state.lobby.take_engine_turns();
            if ended.is_empty() && turns.is_empty() {
                if state.is_stopping {
                    break;
                }
                // Without a deadline only a change wakes the thread; a day is as good as never.
                let wait = state.lobby.deadline(now).map_or(Duration::from_secs(86_400), |at| at - now);
                drop(self.changed.wait_timeout(state, wait));
                continue;
            }
            let tables: BTreeSet<TableId> = state.lobby.table_numbers().collect();
            drop(state);
            for (table, record) in ended {
                writer.write(table, record);
            }
            engines.think(turns, &tables);
        }
        writer.finish();
    }
}

#[cfg(test)]
mod tests;
