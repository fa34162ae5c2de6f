//! JobContext out what opponents reply: on every processor, in pieces, however long a move is thought about.
//!
//! Every thread has a worker with players of its own. A worker takes one edge after the other and leaves it in the middle, even in
//! the middle of a move, when the budget of a step is spent. A player keeps the search of its last turn, so an edge under way
//! stays with the worker that began it. What is found is put in by whoever asked once all edges are known, so that neither threads
//! nor budgets show in it.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::graph::{Arrival, Case, Way};
use crate::budget::Budget;
use crate::game::kalah::Kalah;
use crate::game::{Game, PitGame};
use crate::player::{self, Player, Spec, Turn};
use crate::pool::Pool;

/// The opponents, and for each thread players of its own.
pub(super) struct Opponents {
    specs: Vec<Spec>,
    workers: Vec<Seats>,
}

/// A thread's players, made when they are first asked.
type Seats = Vec<Option<Box<dyn Player<Kalah>>>>;

/// An edge to work out, and what became of it.
pub(super) struct Edge {
    pub case: usize,
    pub way: Way,
    pub arrival: Option<Arrival>,
}

/// Edges to be worked out together.
#[derive(Default)]
pub(super) struct PendingEdges {
    pub edges: Vec<Edge>,
    /// Edges that a worker has begun with.
    dealt: AtomicUsize,
    /// Edges that are worked out.
    known: usize,
    /// For each worker the edge it is in the middle of.
    going: Vec<Option<Going>>,
}

/// An edge under way.
struct Going {
    edge: usize,
    /// How far the game has got from the edge's beginning.
    pos: Kalah,
    ply: u32,
}

impl PendingEdges {
    pub fn new(edges: Vec<Edge>) -> PendingEdges {
        PendingEdges { edges, ..PendingEdges::default() }
    }

    /// Whether all edges are worked out.
    pub fn are_done(&self) -> bool {
        self.known == self.edges.len()
    }
}

/// What all workers see of the work.
struct Work<'a> {
    cases: &'a [Case],
    edges: &'a [Edge],
    dealt: &'a AtomicUsize,
    start: Kalah,
    specs: &'a [Spec],
    budget: Budget,
}

/// One worker at work, and what it finds: where edges lead, by their numbers.
struct AtWork<'a> {
    seats: &'a mut Seats,
    going: &'a mut Option<Going>,
    /// Whether it begins with new edges, and does not just finish its own.
    is_dealt_to: bool,
    found: Vec<(usize, Arrival)>,
}

impl Opponents {
    pub fn new(specs: Vec<Spec>) -> Opponents {
        Opponents { specs, workers: Vec::new() }
    }

    /// Works edges out until the budget is spent or all are known; games begin at `start`.
    pub fn work_out(&mut self, pending: &mut PendingEdges, cases: &[Case], start: Kalah, pool: &Pool, budget: Budget) {
        // There may have been more threads before, whose edges are still under way.
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
    /// An edge that no worker has begun with.
    fn deal(&self) -> Option<Going> {
        let edge = self.dealt.fetch_add(1, Ordering::Relaxed);
        let Some(Edge { case, way, .. }) = self.edges.get(edge) else {
            // So that the count never runs away.
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
            // Humans, who have no player, are no opponents.
            let Some(player) = seat else { return Some(Arrival::Over(0)) };
            let mv = player.think(&Turn::new(going.pos, going.ply, case.seed), work.budget)?;
            (going.pos, going.ply) = (going.pos.play(mv), going.ply + 1);
        }
        let Going { pos, ply, .. } = *going;
        Some(if pos.is_over() { Arrival::Over(pos.seeds(case.seat).store.into()) } else { Arrival::At(pos, ply) })
    }
}
