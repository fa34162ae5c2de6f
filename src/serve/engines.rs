//! The engines at the tables: a few threads that think about all their turns, one step of each in order.
//!
//! So each engine gets its share, however many play and however long the others think.

use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::shared::SharedLobby;
use super::table::{EngineTurn, TableId};
use crate::budget::{Budget, Job, Status};
use crate::game::Move;
use crate::player::{Seat, Thinking};
use crate::pool::Pool;

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
    thinking: Option<Thinking>,
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
    fn begin(&self, turn: &EngineTurn) -> Option<Thinking> {
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
