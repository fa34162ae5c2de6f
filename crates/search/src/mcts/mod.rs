//! Monte Carlo tree search over any game.
//!
//! An iteration goes down from the root, from node to child, to where the [`Method`] ends it, and what is seen there goes back to every
//! node on the way. [`Mcts`] plays games out from the leaves and needs no evaluation (`uct`); [`Puct`] asks a network about them
//! (`puct`). A node counts what is seen for the side that chose it, so that a side which moves twice in a row simply chooses twice. The
//! move visited most is played.
//!
//! What a search finds follows from the position, the generator and the number of iterations, never from how they were cut
//! into steps.

mod puct;
mod rollout;
mod tree;
mod uct;

use super::{Line, Report, Tried};
use crate::budget::{Budget, Status};
use crate::game::{Game, GameState, Move, Side};
use crate::rng::Rng;
pub use puct::{Guide, Puct};
pub use rollout::{Epsilon, Policy, Rollout};
use tree::Tree;
pub use tree::{MAX_NODES, MAX_VISITS, Node};
pub use uct::Uct;

/// Iterations between two looks at the clock: some hundredths of a millisecond, or tenths where a network is asked.
const BETWEEN_LOOKS: u32 = 16;

/// What tells one Monte Carlo tree search from another: how a visit ends, and which child is visited next.
pub trait Method<G: Game>: Send {
    /// What is kept of a node besides its position and its visits; the default before the first visit.
    type Kept: Copy + Default + Send;
    /// What a visit brings, as South sees it.
    type Seen: Copy;

    /// Whether visits are games played out.
    const PLAYS_OUT: bool;

    /// Takes up another position, for which all chance is drawn from here.
    fn begin(&mut self, _rng: Rng) {}

    /// Prepares a root without children.
    fn plant(&mut self, _tree: &mut Tree<G, Self::Kept>) {}

    /// What is seen at a node, and the margin for South, if the visit ends there; else it has children.
    fn visit(&mut self, tree: &mut Tree<G, Self::Kept>, at: usize) -> Option<(Self::Seen, i32)>;

    /// The child to visit next.
    fn select(&mut self, tree: &mut Tree<G, Self::Kept>, at: usize) -> usize;

    /// Takes in a visit, which is counted.
    fn absorb(node: &mut Node<G, Self::Kept>, seen: Self::Seen);

    /// What a visit has brought to the side that made the move to the node, in the mean.
    fn mean(node: &Node<G, Self::Kept>) -> f32;

    /// Decides between moves that were visited as often and brought the same: more is better.
    fn prior(_kept: &Self::Kept) -> f32 {
        0.0
    }

    /// What there is to say of a move with so many visits of such a mean, below a node with `parent` visits.
    fn tried(&self, parent: u64, visits: u64, mean: f64, kept: &Self::Kept) -> Tried;
}

/// A search of one position, or of one after the other in the same game.
pub struct TreeSearch<G: Game, M: Method<G>> {
    tree: Tree<G, M::Kept>,
    method: M,
    /// Iterations since the present root was taken up.
    iterations: u64,
}

/// A search that plays games out.
pub type Mcts<G> = TreeSearch<G, Uct>;

/// A search that asks a network.
pub type PuctSearch<G> = TreeSearch<G, Puct>;

impl<G: Game, M: Method<G>> TreeSearch<G, M> {
    fn of(root: &GameState<G>, mut method: M) -> TreeSearch<G, M> {
        let mut tree = Tree::new(root, M::Kept::default());
        method.plant(&mut tree);
        TreeSearch { tree, method, iterations: 0 }
    }

    /// The same search with a tree of at most `mb` megabytes, and of [`MAX_NODES`] nodes.
    #[must_use]
    pub fn in_memory(mut self, mb: usize) -> TreeSearch<G, M> {
        self.tree.keep_to(mb);
        self
    }

    /// Takes up another position, with what is known of it if it lies `plies` moves below the present one. Whether it does.
    pub fn descend(&mut self, root: impl Into<GameState<G>>, plies: u32, rng: Rng) -> bool {
        self.iterations = 0;
        self.method.begin(rng);
        let is_known = self.tree.descend(&root.into(), M::Kept::default(), plies);
        if self.tree.root().count == 0 {
            self.method.plant(&mut self.tree);
        }
        is_known
    }

    /// Iterates until there were `iterations` in all at this position, the tree can count no more of them, or the budget is
    /// spent.
    pub fn step(&mut self, iterations: u64, budget: Budget) -> Status {
        if self.tree.root().pos.is_over() {
            return Status::Done;
        }
        if self.tree.take_over(budget) == Status::Running {
            return Status::Running;
        }
        let iterations = iterations.min(self.iterations + self.tree.visits_left());
        while self.iterations < iterations {
            let left = iterations - self.iterations;
            for _ in 0..left.min(BETWEEN_LOOKS.into()) {
                self.tree.iterate(&mut self.method);
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

/// A move at the root as several searches of the same position know it together.
struct Known<K> {
    mv: Move,
    visits: u64,
    /// What its visits have brought, added up.
    total: f64,
    /// Margins for South.
    margins: i64,
    kept: K,
}

/// The root's moves, those visited most first; among equals the one that won more, then the likelier, then the first in the game's order.
fn together<G: Game, M: Method<G>>(searches: &[TreeSearch<G, M>]) -> Vec<Known<M::Kept>> {
    let mut all: Vec<Known<M::Kept>> = Vec::new();
    for choice in searches.iter().flat_map(|search| search.tree.choices()) {
        let Node { mv, visits, margins, kept, .. } = *choice;
        let total = f64::from(M::mean(choice)) * f64::from(visits);
        match all.iter_mut().find(|known| known.mv == mv) {
            Some(known) => {
                known.visits += u64::from(visits);
                known.total += total;
                known.margins += margins;
            }
            None => all.push(Known { mv, visits: visits.into(), total, margins, kept }),
        }
    }
    all.sort_by(|a, b| {
        let by_visits = b.visits.cmp(&a.visits).then(b.total.total_cmp(&a.total));
        by_visits.then(M::prior(&b.kept).total_cmp(&M::prior(&a.kept)))
    });
    all
}

/// The move that several searches of the same position visited most, together; see [`report`] for equals. `None` if the game is over, and
/// before the first iteration of a search that asks a network.
pub fn best_move<G: Game, M: Method<G>>(searches: &[TreeSearch<G, M>]) -> Option<Move> {
    together(searches).first().map(|known| known.mv)
}

/// What several searches of the same position know together, the move visited most first; among equals the one that won more, then the
/// one that the network finds likelier, then the first in the game's order. A line's margin is the mean of those where the visits ended,
/// its exploration what it would be if all of them had been in one tree.
pub fn report<G: Game, M: Method<G>>(searches: &[TreeSearch<G, M>]) -> Report {
    let Some(one) = searches.first() else { return Report::default() };
    let side = one.tree.root().pos.side();
    let all = searches.iter().map(|search| u64::from(search.tree.root().visits)).sum();
    let line = |Known { mv, visits, total, margins, kept }: Known<M::Kept>| {
        let mean = |sum: f64| sum / visits.max(1) as f64;
        let margin = mean(margins as f64).round() as i32;
        let margin = if side == Side::South { margin } else { -margin };
        let pv = one.tree.line(mv);
        let pv = if pv.is_empty() { vec![mv] } else { pv };
        let tried = Some(one.method.tried(all, visits, mean(total), &kept));
        Line { mv, margin, depth: pv.len() as u32, solved: false, pv, tried, weighed: None }
    };
    let lines: Vec<Line> = together(searches).into_iter().map(line).collect();
    let iterations = searches.iter().map(TreeSearch::iterations).sum();
    let nodes = searches.iter().map(|search| search.tree.len() as u64).sum();
    let (nodes, games) = if M::PLAYS_OUT { (nodes, iterations) } else { (iterations, 0) };
    Report { depth: lines.first().map_or(0, |line| line.depth), nodes, games, solved: false, lines }
}

#[cfg(test)]
mod tests;
