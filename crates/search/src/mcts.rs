//! Monte Carlo tree search over any game: no evaluation, only games played out and counted.
//!
//! UCT as the Kalah thesis has it (its section 5.5, after Chaslot): from the root the child with the highest
//! mean + 2·Cp·√(2 ln N / n), Cp = √2/2, until a child that was never visited; from there a game to its end, and the reward
//! (1 for a win, ½ for a draw, 0 for a loss, to each side its own) back to every node on the way. A node counts the reward of
//! the side that chose it, so that a side which moves twice in a row simply chooses twice. The move visited most is played.
//!
//! What a search finds follows from the position, the generator and the number of iterations, never from how they were cut
//! into steps.

mod rollout;
mod tree;

use super::{Line, Report, Tried};
use crate::game::{Course, Game, Move};
use crate::rng::Rng;
use crate::step::{Budget, Status};
pub use rollout::{Epsilon, Policy, Rollout};
pub use tree::{MAX_NODES, MAX_VISITS};
use tree::{Tree, exploration};

/// Iterations between two looks at the clock: some hundredths of a millisecond.
const BETWEEN_LOOKS: u32 = 16;

/// A search of one position, or of one after the other in the same game.
pub struct Mcts<G: Game> {
    tree: Tree<G>,
    rollout: Rollout,
    rng: Rng,
    /// Iterations since the present root was taken up.
    iterations: u64,
}

impl<G: Game> Mcts<G> {
    /// A search of the position that a game has come to.
    pub fn new(root: impl Into<Course<G>>, rollout: Rollout, rng: Rng) -> Mcts<G> {
        Mcts { tree: Tree::new(root.into()), rollout, rng, iterations: 0 }
    }

    /// The same search with a tree of at most `mb` megabytes, and of [`MAX_NODES`] nodes.
    #[must_use]
    pub fn in_memory(mut self, mb: usize) -> Mcts<G> {
        self.tree.keep_to(mb);
        self
    }

    /// Takes up another position, with what is known of it if it lies `plies` moves below the present one. Whether it does.
    pub fn descend(&mut self, root: impl Into<Course<G>>, plies: u32, rng: Rng) -> bool {
        (self.rng, self.iterations) = (rng, 0);
        self.tree.descend(root.into(), plies)
    }

    /// Iterates until there were `iterations` in all at this position, the tree can count no more of them, or the budget is
    /// spent.
    pub fn step(&mut self, iterations: u64, budget: Budget) -> Status {
        if self.tree.choices().is_empty() {
            return Status::Done;
        }
        if self.tree.take_over(budget) == Status::Running {
            return Status::Running;
        }
        let iterations = iterations.min(self.iterations + self.tree.room());
        while self.iterations < iterations {
            let left = iterations - self.iterations;
            for _ in 0..left.min(BETWEEN_LOOKS.into()) {
                self.tree.iterate(self.rollout, &mut self.rng);
                self.iterations += 1;
            }
            if budget.is_spent() && self.iterations < iterations {
                return Status::Running;
            }
        }
        Status::Done
    }

    /// Iterations since this position was taken up.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Whether no `further` iterations can change which move is visited most.
    pub fn is_decided(&self, further: u64) -> bool {
        let (mut most, mut next) = (0, 0);
        for choice in self.tree.choices() {
            let visits = u64::from(choice.visits);
            (most, next) = if visits > most { (visits, most) } else { (most, next.max(visits)) };
        }
        most > next + further || self.is_forced()
    }

    /// Whether there is at most one move.
    pub fn is_forced(&self) -> bool {
        self.tree.choices().len() < 2
    }

    /// See [`best_move`].
    pub fn best_move(&self) -> Option<Move> {
        best_move(std::slice::from_ref(self))
    }

    /// See [`report`].
    pub fn report(&self) -> Report {
        report(std::slice::from_ref(self))
    }
}

/// The root's moves as several searches of the same position know them together: (move, visits, points, margins for South).
fn together<G: Game>(searches: &[Mcts<G>]) -> Vec<(Move, u64, f64, i64)> {
    let mut all: Vec<(Move, u64, f64, i64)> = Vec::new();
    for choice in searches.iter().flat_map(|search| search.tree.choices()) {
        let points = f64::from(choice.mean) * f64::from(choice.visits);
        match all.iter_mut().find(|(mv, ..)| *mv == choice.mv) {
            Some(known) => {
                (known.1, known.2, known.3) =
                    (known.1 + u64::from(choice.visits), known.2 + points, known.3 + choice.margins);
            }
            None => all.push((choice.mv, choice.visits.into(), points, choice.margins)),
        }
    }
    // Stable, so that equals stay in the canonical order.
    all.sort_by(|a, b| b.1.cmp(&a.1).then(b.2.total_cmp(&a.2)));
    all
}

/// The move that several searches of the same position visited most, together; among equals the one that won more, then the
/// first in the game's order. `None` if the game is over.
pub fn best_move<G: Game>(searches: &[Mcts<G>]) -> Option<Move> {
    together(searches).first().map(|(mv, ..)| *mv)
}

/// What several searches of the same position know together, the move visited most first. A line's margin is the mean of the
/// games played through it, its exploration what it would be if all games had been played in one tree.
pub fn report<G: Game>(searches: &[Mcts<G>]) -> Report {
    let Some(one) = searches.first() else { return Report::default() };
    let side = one.tree.root().pos.side();
    let all = searches.iter().map(|search| u64::from(search.tree.root().visits)).sum();
    let line = |(mv, visits, points, margins): (Move, u64, f64, i64)| {
        let mean = |sum: f64| sum / visits.max(1) as f64;
        let margin = mean(margins as f64).round() as i32;
        let margin = if side == crate::game::Side::South { margin } else { -margin };
        let pv = one.tree.line(mv);
        let pv = if pv.is_empty() { vec![mv] } else { pv };
        let tried = Tried {
            visits,
            mean: (mean(points) * f64::from(Tried::UNIT)).round() as u32,
            exploration: (exploration(all, visits.max(1)) * f64::from(Tried::UNIT)).round() as u32,
        };
        Line { mv, margin, depth: pv.len() as u32, solved: false, pv, tried: Some(tried), weighed: None }
    };
    let lines: Vec<Line> = together(searches).into_iter().map(line).collect();
    let nodes = searches.iter().map(|search| search.tree.len() as u64).sum();
    let games = searches.iter().map(Mcts::iterations).sum();
    Report { depth: lines.first().map_or(0, |line| line.depth), nodes, games, solved: false, lines }
}

#[cfg(test)]
mod tests;
