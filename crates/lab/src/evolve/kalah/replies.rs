//! The computation of opponents' replies: on all threads, in pieces, for any thinking time.
//!
//! Every thread has a worker with its own players. A worker processes one edge at a time and suspends it, even in the middle of
//! a move, when the budget is spent. A player keeps the search of its last turn, so an edge in progress stays with its worker.
//! The caller inserts the results once all edges are known, so they do not depend on threads or budgets.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::graph::{Arrival, Case, Way};
use crate::budget::Budget;
use crate::game::GameState;
use crate::player::{self, Player, Spec, Turn};
use crate::pool::Pool;
use crate::program::kalah::ProgramGame;

/// The opponents, with separate players for each thread.
pub(super) struct Opponents<G> {
    specs: Vec<Spec>,
    workers: Vec<Seats<G>>,
}

/// A thread's players, created on first use.
type Seats<G> = Vec<Option<Box<dyn Player<G>>>>;

/// An edge to compute, and its result.
pub(super) struct Edge<G> {
    pub case: usize,
    pub way: Way,
    pub arrival: Option<Arrival<G>>,
}

/// A set of edges to compute.
pub(super) struct PendingEdges<G> {
    pub edges: Vec<Edge<G>>,
    /// Number of edges taken by workers.
    dealt: AtomicUsize,
    /// Number of computed edges.
    known: usize,
    /// The edge in progress of each worker.
    going: Vec<Option<Going<G>>>,
}

/// An edge in progress.
struct Going<G> {
    edge: usize,
    /// The game up to the current position on the edge.
    game_state: GameState<G>,
}

impl<G> PendingEdges<G> {
    pub fn new(edges: Vec<Edge<G>>) -> PendingEdges<G> {
        PendingEdges { edges, dealt: AtomicUsize::new(0), known: 0, going: Vec::new() }
    }

    /// Returns whether all edges are computed.
    pub fn are_done(&self) -> bool {
        self.known == self.edges.len()
    }
}

/// The shared input of all workers.
struct Work<'a, G: ProgramGame> {
    cases: &'a [Case<G>],
    edges: &'a [Edge<G>],
    dealt: &'a AtomicUsize,
    start: G,
    specs: &'a [Spec],
    budget: Budget,
}

/// A worker, and its results: the targets of edges, by number.
struct AtWork<'a, G> {
    seats: &'a mut Seats<G>,
    going: &'a mut Option<Going<G>>,
    /// Whether it takes new edges, rather than only finishing its own.
    is_dealt_to: bool,
    found: Vec<(usize, Arrival<G>)>,
}

impl<G: ProgramGame> Opponents<G> {
    pub fn new(specs: Vec<Spec>) -> Opponents<G> {
        Opponents { specs, workers: Vec::new() }
    }

    /// Computes edges until the budget is spent or all are known; games begin at `start`.
    pub fn work_out(
        &mut self,
        pending: &mut PendingEdges<G>,
        cases: &[Case<G>],
        start: G,
        pool: &Pool,
        budget: Budget,
    ) {
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
        let mut workers: Vec<AtWork<'_, G>> = self.workers.iter_mut().zip(going).enumerate().map(at_work).collect();
        pool.each(&mut workers, |worker| worker.run(&work));
        let found: Vec<(usize, Arrival<G>)> = workers.into_iter().flat_map(|worker| worker.found).collect();
        *known += found.len();
        found.into_iter().for_each(|(edge, arrival)| edges[edge].arrival = Some(arrival));
    }
}

impl<G: ProgramGame> Work<'_, G> {
    /// Takes the next edge.
    fn deal(&self) -> Option<Going<G>> {
        let edge = self.dealt.fetch_add(1, Ordering::Relaxed);
        let Some(Edge { case, way, .. }) = self.edges.get(edge) else {
            // Keeps the counter from growing without bound.
            self.dealt.store(self.edges.len(), Ordering::Relaxed);
            return None;
        };
        Some(Going { edge, game_state: self.cases[*case].beginning(*way, self.start) })
    }
}

impl<G: ProgramGame> AtWork<'_, G> {
    fn run(&mut self, work: &Work<'_, G>) {
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
    fn reply(&mut self, work: &Work<'_, G>, Going { edge, game_state }: &mut Going<G>) -> Option<Arrival<G>> {
        let case = &work.cases[work.edges[*edge].case];
        while !game_state.is_over() {
            if game_state.pos().side() == case.seat {
                return Some(Arrival::At(game_state.clone()));
            }
            let seat = &mut self.seats[case.opponent];
            if seat.is_none() {
                *seat = player::build(&work.specs[case.opponent]).ok();
            }
            // The problem checks that every opponent plays its game.
            let Some(player) = seat else { return Some(Arrival::Over(0)) };
            game_state.play(player.think(&Turn::current(game_state, case.seed), work.budget)?);
        }
        Some(Arrival::Over(game_state.pos().final_seeds(case.seat).into()))
    }
}
