//! A player with a tree search, limited by iterations or by time.

use std::time::{Duration, Instant};

use super::clock::Timer;
use super::mcts::Limit;
use super::{Player, Purpose, Turn};
use crate::budget::{Budget, Status};
use crate::game::{Game, Move};
use crate::pool::Pool;
use crate::rng::{self, Rng};
use crate::search::mcts::{self, Method, TreeSearch};
use crate::search::{Report, Threads};

/// The differences between tree-searching players.
pub(super) trait Searcher<G: Game>: Send {
    type Method: Method<G>;

    /// Returns the limit of a turn.
    fn limit(&self) -> Limit;

    /// Returns the search of a turn with all its randomness from `rng`; `None` for games that the player does not know.
    fn search(&self, turn: &Turn<G>, rng: Rng) -> Option<TreeSearch<G, Self::Method>>;

    /// Returns whether a turn reuses the tree of the turn before.
    fn reuses(&self) -> bool {
        false
    }

    /// Returns the threads, each of which grows a tree.
    fn threads(&self, _pool: &Pool) -> Threads {
        Threads::ONE
    }

    /// Returns whether iterations stop once the move is certain.
    fn stops_early(&self) -> bool {
        false
    }
}

pub(super) struct TreePlayer<G: Game, S: Searcher<G>> {
    searcher: S,
    /// The threads for several trees. None of them may call this player: waiting for the others, it could be given any of their
    /// other work.
    pool: Pool,
    timer: Timer,
    pub(super) thinking: Option<Thinking<G, S::Method>>,
}

/// The search for one turn.
pub(super) struct Thinking<G: Game, M: Method<G>> {
    turn: Turn<G>,
    pub(super) searches: Vec<TreeSearch<G, M>>,
}

impl<G: Game, S: Searcher<G>> TreePlayer<G, S> {
    pub fn new(searcher: S, pool: Pool) -> TreePlayer<G, S> {
        let timer = searcher.limit().timer();
        TreePlayer { searcher, pool, timer, thinking: None }
    }

    fn begin(&mut self, turn: &Turn<G>) -> Option<Thinking<G, S::Method>> {
        self.timer.begin(turn);
        let rng = |tree: usize| rng::keyed(&[turn.seed, turn.ply.into(), Purpose::Move as u64, tree as u64]);
        if let Some(mut before) = self.thinking.take().filter(|_| self.searcher.reuses())
            && before.turn.seed == turn.seed
            && before.turn.ply < turn.ply
        {
            let plies = turn.ply - before.turn.ply;
            for (tree, search) in before.searches.iter_mut().enumerate() {
                search.descend(turn.game_state(), plies, rng(tree));
            }
            return Some(Thinking { turn: turn.clone(), ..before });
        }
        let searches = (0..self.searcher.threads(&self.pool).count()).map(|tree| self.searcher.search(turn, rng(tree)));
        Some(Thinking { turn: turn.clone(), searches: searches.collect::<Option<_>>()? })
    }
}

/// Iterations between two checks whether the rest can still change the move.
const SPAN: u64 = 128;

/// The same for each of several trees, which wait for each other there.
const ROUND: u64 = 2048;

impl<G: Game, M: Method<G>> Thinking<G, M> {
    /// Iterates up to `iterations`, or until the move is certain.
    fn count(&mut self, iterations: u64, stops_early: bool, threads: &Threads, budget: Budget) -> Status {
        if self.searches.len() > 1 {
            return self.count_together(iterations, stops_early, threads, budget);
        }
        let Some(search) = self.searches.first_mut() else { return Status::Done };
        if !stops_early {
            return search.step(iterations, budget);
        }
        loop {
            let made = search.iterations();
            // Checked at the ends of spans only, so that the budget does not change the figures.
            if made >= iterations || (made % SPAN == 0 && search.is_decided(iterations - made)) {
                return Status::Done;
            }
            let next = ((made / SPAN + 1) * SPAN).min(iterations);
            if search.step(next, budget) == Status::Running || (budget.is_spent() && next < iterations) {
                return Status::Running;
            }
        }
    }

    /// The same with several trees, in rounds that depend neither on the budget nor on the threads.
    fn count_together(&mut self, iterations: u64, stops_early: bool, threads: &Threads, budget: Budget) -> Status {
        let trees = self.searches.len() as u64;
        let share = |tree: usize| iterations / trees + u64::from((tree as u64) < iterations % trees);
        loop {
            let made: Vec<u64> = self.searches.iter().map(TreeSearch::iterations).collect();
            let open = made.iter().enumerate().filter(|&(tree, &made)| made < share(tree));
            let Some(round) = open.map(|(_, &made)| made / ROUND).min() else { return Status::Done };
            let all: u64 = made.iter().sum();
            let begins = made.iter().enumerate().all(|(tree, &made)| made == share(tree).min(round * ROUND));
            if begins && stops_early && mcts::is_decided(&self.searches, iterations - all) {
                return Status::Done;
            }
            let end = |tree: usize| (share(tree).min((round + 1) * ROUND), None);
            if self.step_all(threads, budget, &end) == Status::Running {
                return Status::Running;
            }
            // Trees that can count no further visits make no progress.
            if self.searches.iter().map(TreeSearch::iterations).sum::<u64>() == all {
                return Status::Done;
            }
            if budget.is_spent() {
                return Status::Running;
            }
        }
    }

    /// Advances all trees, each to the number of iterations that `end` returns for it, within that time; returns whether all are there.
    #[inline(never)]
    fn step_all(
        &mut self,
        threads: &Threads,
        budget: Budget,
        end: &(dyn Fn(usize) -> (u64, Option<Duration>) + Sync),
    ) -> Status {
        let mut numbered: Vec<_> = self.searches.iter_mut().enumerate().collect();
        let statuses = threads.run(&mut numbered, budget, |(tree, search), budget| {
            let (iterations, time) = end(*tree);
            search.step(iterations, time.map_or(budget, |time| budget.at_most(time)))
        });
        if statuses.contains(&Status::Running) { Status::Running } else { Status::Done }
    }

    fn race(&mut self, timer: &mut Timer, threads: &Threads, budget: Budget) -> Status {
        let began = timer.start();
        // The only legal move needs no search, and without time there is none.
        if self.turn.pos.count_moves() < 2 || timer.is_over() {
            let status = self.searches[0].step(1, Budget::UNLIMITED);
            timer.stop(began);
            return status;
        }
        timer.search(began, budget, |timer, stretch| match &mut self.searches[..] {
            [one] => one.step(u64::MAX, stretch),
            _ => {
                // The clock runs while others use the pool, but the step begins with the turn.
                let started = Instant::now();
                let left = timer.stretch();
                let end = |_| (u64::MAX, left.map(|left| left.saturating_sub(started.elapsed())));
                self.step_all(threads, budget, &end)
            }
        })
    }
}

impl<G: Game, S: Searcher<G>> Player<G> for TreePlayer<G, S> {
    fn think(&mut self, turn: &Turn<G>, budget: Budget) -> Option<Move> {
        if self.thinking.as_ref().is_none_or(|thinking| thinking.turn != *turn) {
            self.thinking = self.begin(turn);
        }
        let Some(thinking) = self.thinking.as_mut() else { return turn.pos.moves().next() };
        let threads = self.searcher.threads(&self.pool);
        let status = match self.searcher.limit() {
            Limit::Iterations(count) => thinking.count(count.into(), self.searcher.stops_early(), &threads, budget),
            Limit::Time(_) | Limit::Clock(_) => thinking.race(&mut self.timer, &threads, budget),
        };
        if status == Status::Running { None } else { mcts::best_move(&thinking.searches) }
    }

    fn report(&self) -> Option<Report> {
        self.thinking.as_ref().map(|thinking| mcts::report(&thinking.searches))
    }

    fn count_work(&mut self) {
        let threads = self.searcher.threads(&self.pool);
        self.timer.count_work(threads.count());
    }

    /// Another game begins with an empty tree in any case.
    fn rest(&mut self) {
        self.timer.reset();
        self.thinking = None;
    }
}
