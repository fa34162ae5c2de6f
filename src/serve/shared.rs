//! The lobby as all sessions share it, and the thread behind it: it ends what the time ends, and passes ended games to the writer
//! and turns to the engines.
//!
//! The engines at the tables: a few threads that think about all their turns, one step of each in order.
//!
//! So each engine gets its share, however many play and however long the others think.

use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::limits::Limits;
use super::lobby::{Lobby, PersonId, View};
use super::table::{EngineTurn, TableId};
use super::writer::Writer;
use crate::budget::{Budget, Job, Status};
use crate::game::Move;
use crate::player::{MoveJob, Seat};
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

/// The length of a step.
const STEP: Duration = Duration::from_millis(20);

/// The handle of the threads, which end when it is dropped.
pub struct Engines {
    tasks: Sender<Option<Task>>,
    threads: Vec<JoinHandle<()>>,
    seats: Arc<Mutex<Seats>>,
}

/// The players by table and side, each with its game, kept from turn to turn.
type Seats = HashMap<(TableId, usize), (u32, Seat)>;

struct Task {
    turn: EngineTurn,
    /// `None` before the first step.
    thinking: Option<MoveJob>,
}

impl Engines {
    /// Starts as many threads as the pool has.
    pub fn start(shared: &Arc<SharedLobby>, pool: &Pool) -> Engines {
        let (tasks, receiver) = unbounded();
        let seats = Arc::new(Mutex::new(Seats::new()));
        let mut threads = Vec::new();
        for _ in 0..pool.count() {
            let worker = Worker {
                again: tasks.clone(),
                tasks: receiver.clone(),
                seats: Arc::clone(&seats),
                shared: Arc::clone(shared),
                pool: pool.clone(),
            };
            match Builder::new().name("engine".into()).spawn(move || worker.run()) {
                Ok(thread) => threads.push(thread),
                Err(error) => tracing::error!("cannot start a thread for engines: {error}"),
            }
        }
        Engines { tasks, threads, seats }
    }

    /// Begins these turns; players of tables that are gone are dropped.
    pub fn think(&self, turns: Vec<EngineTurn>, tables: &BTreeSet<TableId>) {
        let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        seats.retain(|(table, _), _| tables.contains(table));
        drop(seats);
        for turn in turns {
            let _ = self.tasks.send(Some(Task { turn, thinking: None }));
        }
    }
}

impl Drop for Engines {
    fn drop(&mut self) {
        self.threads.iter().for_each(|_| _ = self.tasks.send(None));
        for thread in self.threads.drain(..) {
            // Its panic has been reported by the hook.
            let _ = thread.join();
        }
    }
}

struct Worker {
    /// `None` ends a thread.
    tasks: Receiver<Option<Task>>,
    again: Sender<Option<Task>>,
    seats: Arc<Mutex<Seats>>,
    shared: Arc<SharedLobby>,
    pool: Pool,
}

impl Worker {
    fn run(&self) {
        while let Ok(Some(mut task)) = self.tasks.recv() {
            if task.thinking.is_none() {
                task.thinking = self.begin(&task.turn);
            }
            let Some(mut thinking) = task.thinking.take() else {
                self.answer(&task.turn, None);
                continue;
            };
            // A player that panics resigns; the others play on.
            match catch_unwind(AssertUnwindSafe(|| thinking.step(Budget::time(STEP)))) {
                Ok(Status::Running) => _ = self.again.send(Some(Task { thinking: Some(thinking), ..task })),
                Ok(Status::Done) => self.answer(&task.turn, thinking.view().choice),
                Err(_) => self.answer(&task.turn, None),
            }
        }
    }

    fn answer(&self, turn: &EngineTurn, mv: Option<Move>) {
        self.shared.act(|lobby, now| lobby.engine_moves(turn, mv, now));
    }

    /// The turn of the seat's player, which is built on its first turn in a game.
    fn begin(&self, turn: &EngineTurn) -> Option<MoveJob> {
        let position = *turn.record.position();
        let place = (turn.table, position.side().index());
        let taken = self.seats.lock().unwrap_or_else(PoisonError::into_inner).remove(&place);
        let seat = match taken.filter(|(game, _)| *game == turn.game) {
            Some((_, seat)) => seat,
            None => {
                let spec = turn.level.player(&turn.record.variant).parse().ok()?;
                Seat::new(position, &spec, &self.pool)?
            }
        };
        let thinking =
            seat.turn(position, turn.record.before(), turn.record.ply(), turn.record.seed.unwrap_or_default());
        self.seats.lock().unwrap_or_else(PoisonError::into_inner).insert(place, (turn.game, seat));
        thinking
    }
}
