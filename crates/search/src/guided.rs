//! Monte Carlo tree search that plays no games out: a network says which moves are worth a look, and what a leaf is worth.
//!
//! PUCT as in "Mastering the game of Go without human knowledge" (Silver et al., 2017): from the root the child with the highest
//! Q + c·P·√N / (1 + n), where P is the network's chance of the move (of its logits divided by a temperature), N the visits of its parent, n its own, and Q the mean value of
//! what was seen below it; before its first visit, that of its parent. The leaf is put before the network once: its policy becomes
//! the children's P, its value goes back to every node on the way. A node counts for the side that chose it, so that a side which moves
//! twice in a row simply chooses twice. Nothing is drawn at random: what is found follows from the position, the network and the number
//! of iterations.

use std::sync::Arc;

use super::mcts::MAX_NODES;
use super::{Line, Report, Tried};
use crate::game::{Course, Ending, Game, Move, Past, Planes, Side, referee};
use crate::net::{Activations, Network, Policy};
use crate::step::{Budget, Status};

/// Iterations between two looks at the clock: some tenths of a millisecond.
const BETWEEN_LOOKS: u64 = 16;

/// Who is asked, and how much the answers count.
#[derive(Clone, PartialEq, Debug)]
pub struct Guide {
    pub network: Arc<Network>,
    /// Which of the game's encodings it reads.
    pub encoding: usize,
    /// What it was taught that a lead larger by one is worth beside a game won: its value is that of what is still to come.
    pub shaping: f32,
    /// c: how far the network's policy draws the search, above 0.
    pub exploration: f32,
    /// What the policy's logits are divided by, above 0: more spreads the search over more moves. A policy that learned to play by
    /// itself, without a search behind it, is surer of its moves than it should be here.
    pub temperature: f32,
}

#[derive(Clone, Copy, Debug)]
struct Node<G> {
    pos: G,
    /// The chance that the network gives the move to here.
    prior: f32,
    visits: u32,
    /// Values seen below, added up, for the side that made the move to here: about -1 to 1 each.
    total: f64,
    /// Margins where the search stopped looking, added up, for South.
    margins: i64,
    /// Where the children begin; there are none as long as it was not put before the network.
    children: u32,
    count: u16,
    mv: Move,
    /// Who made the move to here.
    by: Side,
}

impl<G: Game> Node<G> {
    fn new(pos: G, mv: Move, by: Side, prior: f32) -> Node<G> {
        Node { pos, prior, visits: 0, total: 0.0, margins: 0, children: 0, count: 0, mv, by }
    }

    fn block(&self) -> std::ops::Range<usize> {
        let first = self.children as usize;
        first..first + usize::from(self.count)
    }

    /// For the side that made the move to here; 0 before the first visit.
    fn mean(&self) -> f32 {
        if self.visits == 0 { 0.0 } else { (self.total / f64::from(self.visits)) as f32 }
    }

    /// For the side to move here.
    fn mean_ahead(&self) -> f32 {
        if self.by == self.pos.side() { self.mean() } else { -self.mean() }
    }
}

/// A search of one position.
pub struct Guided<G: Planes> {
    guide: Guide,
    nodes: Vec<Node<G>>,
    /// What was played before the root, and beyond while an iteration goes down.
    past: Past<G>,
    /// Moves played before the root.
    plies: u32,
    /// The way of the present iteration.
    path: Vec<usize>,
    iterations: u64,
    /// Nodes it may have. Leaves for whose children there is no room stay leaves, and are asked about again.
    most: usize,
    input: Vec<(u16, f32)>,
    legal: Vec<u16>,
    said: Activations,
    policy: Policy,
}

impl<G: Planes> Guided<G> {
    /// A search of the position that a game has come to.
    pub fn new(root: impl Into<Course<G>>, guide: Guide) -> Guided<G> {
        let root: Course<G> = root.into();
        let pos = *root.pos();
        Guided {
            guide,
            nodes: vec![Node::new(pos, Move::NONE, pos.side().other(), 1.0)],
            past: root.past().clone(),
            plies: root.plies(),
            path: Vec::new(),
            iterations: 0,
            most: MAX_NODES,
            input: Vec::new(),
            legal: Vec::new(),
            said: Activations::default(),
            policy: Policy::default(),
        }
    }

    /// Iterates until there were `iterations` in all, or the budget is spent. The first asks for the root's own value.
    pub fn step(&mut self, iterations: u64, budget: Budget) -> Status {
        if self.nodes[0].pos.is_over() {
            return Status::Done;
        }
        while self.iterations < iterations {
            for _ in 0..BETWEEN_LOOKS.min(iterations - self.iterations) {
                self.iterate();
            }
            if budget.is_spent() && self.iterations < iterations {
                return Status::Running;
            }
        }
        Status::Done
    }

    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Down to a leaf, what it is worth, and back up with that.
    fn iterate(&mut self) {
        self.path.clear();
        self.path.push(0);
        let (before, mut at) = (self.past.len(), 0);
        let (value, margin) = loop {
            let Node { pos, count, .. } = self.nodes[at];
            let plies = self.plies + self.path.len() as u32 - 1;
            // A rule that looks back ends what lies below the root; at the root itself a move is wanted.
            let ending = if at == 0 { None } else { referee::ending(&pos, &self.past, plies) };
            if let Some(ending) = ending {
                break self.at_the_end(ending);
            }
            if count == 0 {
                break self.at_a_leaf(at);
            }
            at = self.select(at);
            self.past.push(&pos, self.nodes[at].mv);
            self.path.push(at);
        };
        self.past.truncate(before);
        for &at in &self.path {
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.total += f64::from(if node.by == Side::South { value } else { -value });
            node.margins += i64::from(margin);
        }
        self.iterations += 1;
    }

    /// What a game that ended on the present way is worth to South, and its margin.
    fn at_the_end(&self, ending: Ending) -> (f32, i32) {
        let outcome = ending.outcome(Side::South).halves() as f32 - 1.0;
        // A margin that only says who has won is none to be counted: the one before the last move is.
        let parent = self.path.len().saturating_sub(2);
        let margin = match G::DECIDED {
            Some(_) => self.nodes[self.path[parent]].pos.margin(Side::South),
            None => ending.margin(Side::South),
        };
        (outcome + self.guide.shaping * margin as f32, margin)
    }

    /// Puts a position before the network: it gets its children, if there is room for them. What it is worth to South, and its margin.
    fn at_a_leaf(&mut self, at: usize) -> (f32, i32) {
        let Guided { guide, nodes, most, input, legal, said, policy, .. } = self;
        let pos = nodes[at].pos;
        input.clear();
        pos.encode(guide.encoding, input);
        guide.network.forward(input, said);
        legal.clear();
        legal.extend(pos.moves().map(|mv| pos.output(mv)));
        if nodes.len() + legal.len() <= *most {
            policy.read(said.logits(), legal, guide.temperature);
            let first = nodes.len();
            nodes.extend(
                pos.moves().zip(&policy.chances).map(|(mv, &prior)| Node::new(pos.play(mv), mv, pos.side(), prior)),
            );
            (nodes[at].children, nodes[at].count) = (first as u32, (nodes.len() - first) as u16);
        }
        let margin = pos.margin(Side::South);
        let value = if pos.side() == Side::South { said.value() } else { -said.value() };
        (value + guide.shaping * margin as f32, margin)
    }

    /// How far the bound of a child lies above its mean.
    fn reach(&self, parent: &Node<G>, child: &Node<G>) -> f32 {
        self.guide.exploration * child.prior * (parent.visits as f32).sqrt() / (1.0 + child.visits as f32)
    }

    /// The child to visit next, the first among equals.
    fn select(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let (mut best, mut highest) = (node.children as usize, f32::NEG_INFINITY);
        for child in node.block() {
            let one = &self.nodes[child];
            let mean = if one.visits == 0 { node.mean_ahead() } else { one.mean() };
            let bound = mean + self.reach(node, one);
            if bound > highest {
                (best, highest) = (child, bound);
            }
        }
        best
    }

    /// The root's moves, the one visited most first; among equals the one of the higher mean, then the one that the network finds
    /// likelier, then the first in the game's order.
    fn ranked(&self) -> Vec<usize> {
        let mut ranked: Vec<usize> = self.nodes[0].block().collect();
        ranked.sort_by(|&one, &other| {
            let (one, other) = (&self.nodes[one], &self.nodes[other]);
            let by_visits = other.visits.cmp(&one.visits);
            by_visits.then(other.mean().total_cmp(&one.mean())).then(other.prior.total_cmp(&one.prior))
        });
        ranked
    }

    /// The move visited most; see [`report`](Guided::report) for equals. `None` before the first iteration, and if the game is over.
    pub fn best_move(&self) -> Option<Move> {
        self.ranked().first().map(|&at| self.nodes[at].mv)
    }

    /// The moves visited most from a node on, its own move first.
    fn line(&self, at: usize) -> Vec<Move> {
        let (mut line, mut next) = (vec![self.nodes[at].mv], at);
        // The first of those visited most.
        while let Some(child) = self.nodes[next].block().rev().max_by_key(|&child| self.nodes[child].visits) {
            if self.nodes[child].visits == 0 {
                break;
            }
            line.push(self.nodes[child].mv);
            next = child;
        }
        line
    }

    /// What is known of every move, the one visited most first; among equals the one of the higher mean, then the one that the network
    /// finds likelier, then the first in the game's order. A line's margin is the mean of those where the search stopped looking. No games were played out.
    pub fn report(&self) -> Report {
        let root = &self.nodes[0];
        let sign = if root.pos.side() == Side::South { 1.0 } else { -1.0 };
        let line = |at: usize| {
            let node = &self.nodes[at];
            let unit = |number: f32| (number * Tried::UNIT as f32).round() as u32;
            // A value from -1 to 1 as points from 0 to 1.
            let points = |value: f32| ((value + 1.0) / 2.0).clamp(0.0, 1.0);
            let tried = Tried {
                visits: node.visits.into(),
                mean: unit(points(node.mean())),
                exploration: unit(self.reach(root, node) / 2.0),
            };
            let margin = (sign * node.margins as f64 / f64::from(node.visits.max(1))).round() as i32;
            let pv = self.line(at);
            Line { mv: node.mv, margin, depth: pv.len() as u32, solved: false, pv, tried: Some(tried), weighed: None }
        };
        let lines: Vec<Line> = self.ranked().into_iter().map(line).collect();
        let depth = lines.first().map_or(0, |line| line.depth);
        Report { depth, nodes: self.iterations, games: 0, solved: false, lines }
    }
}

#[cfg(test)]
mod tests;
