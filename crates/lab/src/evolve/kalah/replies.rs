//! The computation of opponents' replies: one edge of a graph at a time.
//!
//! A player keeps the search of its last turn, so an edge in progress stays with its worker. The caller inserts the results once
//! all edges are known, so they do not depend on threads or budgets.

use super::BredGame;
use super::graph::{Arrival, Case, Way};
use super::problem::Rival;
use crate::budget::Budget;
use crate::game::GameState;
use crate::player::{Player, Spec, Turn};
use crate::pool::Pool;
use crate::work::{Work, WorkList};

/// The opponents, with separate players for each thread.
pub(super) struct Opponents<G> {
    pub rivals: Vec<Rival>,
    /// The edges in progress.
    work_list: WorkList<Seats<G>, EdgeWork<G>>,
}

/// A thread's players by their places, created on first use, and the champions that they are.
type Seats<G> = Vec<Option<(Option<Spec>, Box<dyn Player<G>>)>>;

/// An edge to compute, and its result.
pub(super) struct Edge<G> {
    pub case: usize,
    pub way: Way,
    pub arrival: Option<Arrival<G>>,
}

/// A set of edges to compute.
pub(super) struct PendingEdges<G> {
    pub edges: Vec<Edge<G>>,
    /// Number of computed edges.
    known: usize,
}

/// An edge in progress.
struct EdgeWork<G> {
    edge: usize,
    /// The game up to the current position on the edge.
    game_state: GameState<G>,
}

impl<G> PendingEdges<G> {
    pub fn new(edges: Vec<Edge<G>>) -> PendingEdges<G> {
        PendingEdges { edges, known: 0 }
    }

    /// Returns whether all edges are computed.
    pub fn are_done(&self) -> bool {
        self.known == self.edges.len()
    }
}

/// The edges to compute.
struct Edges<'a, G: BredGame> {
    cases: &'a [Case<G>],
    edges: &'a [Edge<G>],
    start: G,
    rivals: &'a [Rival],
}

impl<G: BredGame> Opponents<G> {
    pub fn new() -> Opponents<G> {
        Opponents { rivals: Vec::new(), work_list: WorkList::default() }
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
        let work = Edges { cases, edges: &pending.edges, start, rivals: &self.rivals };
        let found = self.work_list.advance(&work, pool, budget);
        pending.known += found.len();
        found.into_iter().for_each(|(edge, arrival)| pending.edges[edge].arrival = Some(arrival));
    }

    /// Drops the edges in progress, for a new set.
    pub fn restart(&mut self) {
        self.work_list.restart();
    }
}

impl<G: BredGame> Work for Edges<'_, G> {
    type Memory = Seats<G>;
    type Item = EdgeWork<G>;
    /// The edge and its target.
    type Output = (usize, Arrival<G>);

    fn memory(&self) -> Seats<G> {
        Vec::new()
    }

    fn begin(&self, edge: usize) -> Option<EdgeWork<G>> {
        let Edge { case, way, .. } = self.edges.get(edge)?;
        Some(EdgeWork { edge, game_state: self.cases[*case].beginning(*way, self.start) })
    }

    fn advance(&self, seats: &mut Seats<G>, work: &mut EdgeWork<G>, budget: Budget) -> Option<(usize, Arrival<G>)> {
        Some((work.edge, self.reply(seats, work, budget)?))
    }
}

impl<G: BredGame> Edges<'_, G> {
    /// Plays the opponent's moves until it is the program's turn or the game is over; `None` if the budget is spent first.
    fn reply(
        &self,
        seats: &mut Seats<G>,
        EdgeWork { edge, game_state }: &mut EdgeWork<G>,
        budget: Budget,
    ) -> Option<Arrival<G>> {
        let case = &self.cases[self.edges[*edge].case];
        while !game_state.is_over() {
            if game_state.pos().side() == case.seat {
                return Some(Arrival::At(game_state.clone()));
            }
            let rival = &self.rivals[case.opponent];
            if seats.len() <= rival.place {
                seats.resize_with(rival.place + 1, || None);
            }
            let seat = &mut seats[rival.place];
            let champion = rival.reading.map(|_| &rival.spec);
            if seat.as_ref().is_none_or(|(of, _)| of.as_ref() != champion) {
                *seat = rival.player().map(|player| (champion.cloned(), player));
            }
            // The problem checks that every opponent plays its game.
            let Some((_, player)) = seat else { return Some(Arrival::Over([0, 0])) };
            game_state.play(player.think(&Turn::current(game_state, case.seed), budget)?);
        }
        Some(Arrival::Over([case.seat, case.seat.other()].map(|side| game_state.pos().final_seeds(side))))
    }
}
