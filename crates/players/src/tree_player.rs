//! A player that searches a tree, whatever is done at its leaves: so many iterations, or as many as a time allows.

use std::time::{Duration, Instant};

use super::mcts::Limit;
use super::{Player, Purpose, Turn};
use crate::budget::{Budget, Status};
use crate::game::{Game, Move};
use crate::pool::Pool;
use crate::rng::{self, Rng};
use crate::search::Report;
use crate::search::mcts::{self, Method, TreeSearch};

/// What tells one such player from another.
pub(super) trait Searcher<G: Game>: Send {
    type Method: Method<G>;

    /// When a move is chosen.
    fn limit(&self) -> Limit;

    /// The search for a turn, all chance drawn from `rng`; `None` in games that the player knows nothing of.
    fn search(&self, turn: &Turn<G>, rng: Rng) -> Option<TreeSearch<G, Self::Method>>;

    /// Whether a turn goes on with the tree of the turn before.
    fn reuses(&self) -> bool {
        false
    }

    /// How many trees grow at once.
    fn trees(&self, _pool: &Pool) -> usize {
        1
    }

    /// Whether it iterates no further than it takes to know the move.
    fn stops_early(&self) -> bool {
        false
    }
}

pub(super) struct TreePlayer<G: Game, S: Searcher<G>> {
    searcher: S,
    /// Who thinks, where several trees grow. None of them may ask this player: the others have work of their own then, and to wait for
    /// them could take up any of it.
    pool: Pool,
    pub(super) thinking: Option<Thinking<G, S::Method>>,
}

/// The search for one turn.
pub(super) struct Thinking<G: Game, M: Method<G>> {
    turn: Turn<G>,
    pub(super) searches: Vec<TreeSearch<G, M>>,
    spent: Duration,
}

impl<G: Game, S: Searcher<G>> TreePlayer<G, S> {
    pub fn new(searcher: S, pool: Pool) -> TreePlayer<G, S> {
        TreePlayer { searcher, pool, thinking: None }
    }

    fn begin(&mut self, turn: &Turn<G>) -> Option<Thinking<G, S::Method>> {
        let rng = |tree: usize| rng::keyed(&[turn.seed, turn.ply.into(), Purpose::Move as u64, tree as u64]);
        if let Some(mut before) = self.thinking.take().filter(|_| self.searcher.reuses())
            && before.turn.seed == turn.seed
            && before.turn.ply < turn.ply
        {
            let plies = turn.ply - before.turn.ply;
            for (tree, search) in before.searches.iter_mut().enumerate() {
                search.descend(turn.course(), plies, rng(tree));
            }
            return Some(Thinking { turn: turn.clone(), spent: Duration::ZERO, ..before });
        }
        let searches = (0..self.searcher.trees(&self.pool)).map(|tree| self.searcher.search(turn, rng(tree)));
        Some(Thinking { turn: turn.clone(), searches: searches.collect::<Option<_>>()?, spent: Duration::ZERO })
    }
}

/// Iterations between two looks at whether the rest can still change the move.
const SPAN: u64 = 128;

impl<G: Game, M: Method<G>> Thinking<G, M> {
    /// Iterates up to `iterations`, or no further than it takes to know the move.
    fn count(&mut self, iterations: u64, stops_early: bool, budget: Budget) -> Status {
        let Some(search) = self.searches.first_mut() else { return Status::Done };
        if !stops_early {
            return search.step(iterations, budget);
        }
        loop {
            let made = search.iterations();
            // Asked at the ends of spans alone, so that how the thinking is cut does not show in the figures either.
            if made >= iterations || (made % SPAN == 0 && search.is_decided(iterations - made)) {
                return Status::Done;
            }
            let next = ((made / SPAN + 1) * SPAN).min(iterations);
            if search.step(next, budget) == Status::Running || (budget.is_spent() && next < iterations) {
                return Status::Running;
            }
        }
    }

    fn race(&mut self, time: Duration, pool: &Pool, budget: Budget) -> Status {
        let started = Instant::now();
        let over = match &mut self.searches[..] {
            // A move that is the only one needs no thought.
            [one, ..] if self.turn.pos.count_moves() < 2 => one.step(1, Budget::UNLIMITED) == Status::Done,
            [one] => one.step(u64::MAX, budget.at_most(time.saturating_sub(self.spent))) == Status::Done,
            many => {
                let _turn = pool.turn();
                // Time goes on while others have the pool, but the step begins with the turn.
                let left = time.saturating_sub(self.spent + started.elapsed());
                let budget = budget.afresh().at_most(left);
                let all = pool.map_each(many, |search| search.step(u64::MAX, budget));
                all.iter().all(|status| *status == Status::Done)
            }
        };
        self.spent += started.elapsed();
        if over || self.spent >= time { Status::Done } else { Status::Running }
    }
}

impl<G: Game, S: Searcher<G>> Player<G> for TreePlayer<G, S> {
    fn think(&mut self, turn: &Turn<G>, budget: Budget) -> Option<Move> {
        if self.thinking.as_ref().is_none_or(|thinking| thinking.turn != *turn) {
            self.thinking = self.begin(turn);
        }
        let Some(thinking) = self.thinking.as_mut() else { return turn.pos.moves().next() };
        let status = match self.searcher.limit() {
            Limit::Iterations(count) => thinking.count(count.into(), self.searcher.stops_early(), budget),
            Limit::Time(time) => thinking.race(time, &self.pool, budget),
        };
        if status == Status::Running { None } else { mcts::best_move(&thinking.searches) }
    }

    fn report(&self) -> Option<Report> {
        self.thinking.as_ref().map(|thinking| mcts::report(&thinking.searches))
    }

    /// Another game begins with an empty tree anyway.
    fn rest(&mut self) {
        self.thinking = None;
    }
}
