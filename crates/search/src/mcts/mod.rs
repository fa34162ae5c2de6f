//! Monte Carlo tree search over any game.
//!
//! An iteration descends from the root to a node where the [`Method`] ends it, and adds the result to every
//! node on the path. [`Mcts`] runs playouts from the leaves and needs no evaluation (`uct`); [`Puct`]
//! evaluates leaves by a network (`puct`). A node's values are those for the side that moved to it, so an
//! extra turn needs no special case. The most visited move is played.
//!
//! A result depends on the position, the generator and the number of iterations, never on the division into
//! steps; and on what is free where the [memory](mancalab_base::memory) of searches is limited.

mod puct;
mod tree;
mod uct;

use super::{Line, MoveStatistics, Report};
use crate::budget::{Budget, Status};
use crate::game::{Game, GameState, Move, Side};
use crate::rng::Rng;
pub use puct::{Guide, Puct};
use tree::Tree;
pub use tree::{MAX_NODES, MAX_VISITS, Node};
pub use uct::{Epsilon, Policy, Rollout, Uct};

/// Iterations between two checks of the budget: some hundredths of a millisecond, or tenths with a network.
const BETWEEN_LOOKS: u32 = 16;

/// Variant of Monte Carlo tree search: evaluation of a visited node and selection of a child.
pub trait Method<G: Game>: Send {
    /// Statistics of a node besides its position and visits; the default before the first visit.
    type NodeResults: Copy + Default + Send;
    /// Result of a visit, for South.
    type Seen: Copy;

    /// Whether visits are playouts.
    const PLAYS_OUT: bool;

    /// Begins the search of another position, with its own random generator.
    fn begin(&mut self, _rng: Rng) {}

    /// Prepares a root without children.
    fn plant(&mut self, _tree: &mut Tree<G, Self::NodeResults>) {}

    /// Returns the result and the margin for South if the visit ends at this node; otherwise the node has
    /// children.
    fn visit(&mut self, tree: &mut Tree<G, Self::NodeResults>, at: usize) -> Option<(Self::Seen, i32)>;

    /// Selects the child to visit next.
    fn select(&mut self, tree: &mut Tree<G, Self::NodeResults>, at: usize) -> usize;

    /// Adds a visit's result; `visits` already includes it.
    fn absorb(node: &mut Node<G, Self::NodeResults>, seen: Self::Seen);

    /// Returns the mean result for the side that moved to the node.
    fn mean(node: &Node<G, Self::NodeResults>) -> f32;

    /// Breaks ties between moves with equal visits and totals: the greater prior comes first.
    fn prior(_kept: &Self::NodeResults) -> f32 {
        0.0
    }

    /// Returns the statistics of a move with this number of visits and mean, at a node with `parent` visits.
    fn tried(&self, parent: u64, visits: u64, mean: f64, kept: &Self::NodeResults) -> MoveStatistics;
}

/// A search of one position, or of successive positions of one game.
pub struct TreeSearch<G: Game, M: Method<G>> {
    tree: Tree<G, M::NodeResults>,
    method: M,
    /// Iterations since the current root was set.
    iterations: u64,
}

/// A search with playouts.
pub type Mcts<G> = TreeSearch<G, Uct>;

/// A search with a network.
pub type PuctSearch<G> = TreeSearch<G, Puct>;

impl<G: Game, M: Method<G>> TreeSearch<G, M> {
    fn with_method(root: &GameState<G>, mut method: M) -> TreeSearch<G, M> {
        let mut tree = Tree::new(root, M::NodeResults::default());
        method.plant(&mut tree);
        TreeSearch { tree, method, iterations: 0 }
    }

    /// Limits the tree to `mb` megabytes and [`MAX_NODES`] nodes.
    #[must_use]
    pub fn in_memory(mut self, mb: usize) -> TreeSearch<G, M> {
        self.tree.keep_to(mb);
        self
    }

    /// Changes the root to another position. Returns whether the tree contains it `plies` moves below the
    /// current root; its subtree is then kept.
    pub fn descend(&mut self, root: impl Into<GameState<G>>, plies: u32, rng: Rng) -> bool {
        self.iterations = 0;
        self.method.begin(rng);
        let is_known = self.tree.descend(&root.into(), M::NodeResults::default(), plies);
        if self.tree.root().count == 0 {
            self.method.plant(&mut self.tree);
        }
        is_known
    }

    /// Iterates until the position has `iterations` in all, the tree's visit counter is full, or the budget
    /// is spent.
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

    /// Returns the iterations since the root was set.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// See [`is_decided`].
    pub fn is_decided(&self, further: u64) -> bool {
        is_decided(std::slice::from_ref(self), further)
    }

    /// Returns whether there is at most one move.
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

/// Statistics of a root move, over several searches of the same position.
struct RootStatistics<K> {
    mv: Move,
    visits: u64,
    /// Sum of the results of its visits.
    total: f64,
    /// Sum of the margins for South.
    margins: i64,
    kept: K,
}

/// Returns the root's moves by visits; ties are broken by total, then by prior, then by the game's order.
fn together<G: Game, M: Method<G>>(searches: &[TreeSearch<G, M>]) -> Vec<RootStatistics<M::NodeResults>> {
    let mut all: Vec<RootStatistics<M::NodeResults>> = Vec::new();
    for choice in searches.iter().flat_map(|search| search.tree.choices()) {
        let Node { mv, visits, margins, kept, .. } = *choice;
        let total = f64::from(M::mean(choice)) * f64::from(visits);
        match all.iter_mut().find(|known| known.mv == mv) {
            Some(known) => {
                known.visits += u64::from(visits);
                known.total += total;
                known.margins += margins;
            }
            None => all.push(RootStatistics { mv, visits: visits.into(), total, margins, kept }),
        }
    }
    crate::sort::sort_by(&mut all, |a, b| {
        let by_visits = b.visits.cmp(&a.visits).then(b.total.total_cmp(&a.total));
        by_visits.then(M::prior(&b.kept).total_cmp(&M::prior(&a.kept)))
    });
    all
}

/// Returns whether `further` iterations of several searches of the same position together cannot change the most visited move.
pub fn is_decided<G: Game, M: Method<G>>(searches: &[TreeSearch<G, M>], further: u64) -> bool {
    let mut most = 0;
    let mut next = 0;
    let mut count = |visits: u64| {
        (most, next) = if visits > most { (visits, most) } else { (most, next.max(visits)) };
    };
    match searches {
        [one] => one.tree.choices().iter().for_each(|choice| count(choice.visits.into())),
        many => together(many).iter().for_each(|known| count(known.visits)),
    }
    most > next + further || searches.iter().any(TreeSearch::is_forced)
}

/// Returns the most visited move over several searches of the same position, with ties as in [`report`].
/// `None` if the game is over, and before the first iteration of a search with a network.
pub fn best_move<G: Game, M: Method<G>>(searches: &[TreeSearch<G, M>]) -> Option<Move> {
    together(searches).first().map(|known| known.mv)
}

/// Returns the combined result of several searches of the same position, by visits; ties are broken by total,
/// then by the network's prior, then by the game's order. A line's margin is the mean over the ends of its
/// visits. Its exploration term is that of a single tree with all visits.
pub fn report<G: Game, M: Method<G>>(searches: &[TreeSearch<G, M>]) -> Report {
    let Some(one) = searches.first() else { return Report::default() };
    let side = one.tree.root().pos.side();
    let all = searches.iter().map(|search| u64::from(search.tree.root().visits)).sum();
    let line = |RootStatistics { mv, visits, total, margins, kept }: RootStatistics<M::NodeResults>| {
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
