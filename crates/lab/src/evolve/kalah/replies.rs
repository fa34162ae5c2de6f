//! The computation of opponents' replies: on all threads, in pieces, for any thinking time.
//!
//! Every thread has a worker with its own players. A worker processes one edge at a time and suspends it, even in the middle of
//! a move, when the budget is spent. A player keeps the search of its last turn, so an edge in progress stays with its worker.
//! The caller inserts the results once all edges are known, so they do not depend on threads or budgets.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::graph::{Arrival, Case, Way};
use crate::budget::Budget;
use crate::game::kalah::Kalah;
use crate::game::{Game, PitGame};
use crate::player::{self, Player, Spec, Turn};
use crate::pool::Pool;

/// The opponents, with separate players for each thread.
pub(super) struct Opponents {
    specs: Vec<Spec>,
    workers: Vec<Seats>,
}

/// A thread's players, created on first use.
type Seats = Vec<Option<Box<dyn Player<Kalah>>>>;

/// An edge to compute, and its result.
pub(super) struct Edge {
    pub case: usize,
    pub way: Way,
    pub arrival: Option<Arrival>,
}

/// A set of edges to compute.
#[derive(Default)]
pub(super) struct PendingEdges {
    pub edges: Vec<Edge>,
    /// Number of edges taken by workers.
    dealt: AtomicUsize,
    /// Number of computed edges.
    known: usize,
    /// The edge in progress of each worker.
    going: Vec<Option<Going>>,
}

/// An edge in progress.
struct Going {
    edge: usize,
    /// The current position on the edge.
    pos: Kalah,
    ply: u32,
}

impl PendingEdges {
    pub fn new(edges: Vec<Edge>) -> PendingEdges {
        PendingEdges { edges, ..PendingEdges::default() }
    }

    /// Returns whether all edges are computed.
    pub fn are_done(&self) -> bool {
        self.known == self.edges.len()
    }
}

/// The shared input of all workers.
struct Work<'a> {
    cases: &'a [Case],
    edges: &'a [Edge],
    dealt: &'a AtomicUsize,
    start: Kalah,
    specs: &'a [Spec],
    budget: Budget,
}

/// A worker, and its results: the targets of edges, by number.
struct AtWork<'a> {
    seats: &'a mut Seats,
    going: &'a mut Option<Going>,
    /// Whether it takes new edges, rather than only finishing its own.
    is_dealt_to: bool,
    found: Vec<(usize, Arrival)>,
}

impl Opponents {
    pub fn new(specs: Vec<Spec>) -> Opponents {
        Opponents { specs, workers: Vec::new() }
    }

    /// Computes edges until the budget is spent or all are known; games begin at `start`.
    pub fn work_out(&mut self, pending: &mut PendingEdges, cases: &[Case], start: Kalah, pool: &Pool, budget: Budget) {
        // Edges of a previously larger number of threads may still be in progress.
        let workers = pool.count().max(pending.going.len());
        self.workers.resize_with(self.workers.len().max(workers), || self.specs.iter().map(|_| None).collect());
        pending.going.resize_with(workers, || None);
        let PendingEdges { edges, dealt, known, going } = pending;
        let work = Work { cases, edges, dealt, start, specs: &self.specs, budget };
        let at_work = |(worker, (seats, going))| {
            let is_dealt_to = worker < pool.count();
            AtWork { seats, going, is_dealt_to, found: Vec::new() }
        };
        let mut workers: Vec<AtWork<'_>> = self.workers.iter_mut().zip(going).enumerate().map(at_work).collect();
        pool.each(&mut workers, |worker| worker.run(&work));
        let found: Vec<(usize, Arrival)> = workers.into_iter().flat_map(|worker| worker.found).collect();
        *known += found.len();
        found.into_iter().for_each(|(edge, arrival)| edges[edge].arrival = Some(arrival));
    }
}

impl Work<'_> {
    /// Takes the next edge.
    fn deal(&self) -> Option<Going> {
        let edge = self.dealt.fetch_add(1, Ordering::Relaxed);
        let Some(Edge { case, way, .. }) = self.edges.get(edge) else {
            // Keeps the counter from growing without bound.
            self.dealt.store(self.edges.len(), Ordering::Relaxed);
            return None;
        };
        let (pos, ply) = self.cases[*case].beginning(*way, self.start);
        Some(Going { edge, pos, ply })
    }
}

impl AtWork<'_> {
    fn run(&mut self, work: &Work<'_>) {
        while let Some(mut going) = self.going.take().or_else(|| self.is_dealt_to.then(|| work.deal()).flatten()) {
            let Some(arrival) = self.reply(work, &mut going) else {
                *self.going = Some(going);
                return;
            };
            self.found.push((going.edge, arrival));
            if work.budget.is_spent() {
                return;
            }
        }
    }

    /// Plays the opponent's moves until it is the program's turn or the game is over; `None` if the budget is spent first.
    fn reply(&mut self, work: &Work<'_>, going: &mut Going) -> Option<Arrival> {
        let case = &work.cases[work.edges[going.edge].case];
        while !going.pos.is_over() && going.pos.side() != case.seat {
            let seat = &mut self.seats[case.opponent];
            if seat.is_none() {
                *seat = player::build(&work.specs[case.opponent]).ok();
            }
            // A human has no player and cannot be an opponent.
            let Some(player) = seat else { return Some(Arrival::Over(0)) };
            let mv = player.think(&Turn::new(going.pos, going.ply, case.seed), work.budget)?;
            (going.pos, going.ply) = (going.pos.play(mv), going.ply + 1);
        }
        let Going { pos, ply, .. } = *going;
        Some(if pos.is_over() { Arrival::Over(pos.seeds(case.seat).store.into()) } else { Arrival::At(pos, ply) })
    }
}
