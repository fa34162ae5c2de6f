//! A game that was played: a tree of positions with one line through it that is walked back and forth.
//!
//! Playing a different move from an earlier position keeps what was there as a variation. Of the moves tried at a position the first
//! is the main line's, and stays so until another is promoted; walking only chooses which of them the line goes through. Any
//! position may have a comment. [`notation`](super::notation) writes a record as text and reads it again.

mod tree;

use super::referee::{self, Ending};
use super::{Game, History, Move, Position, Side, Variant};

pub use tree::Deleted;

/// Names a position in its record; 0 is the start.
pub type NodeId = usize;

#[derive(Clone, PartialEq, Eq, Debug)]
struct Node {
    position: Position,
    /// How the position came about; `None` for the start.
    came: Option<(NodeId, Move)>,
    /// Where it goes on: the main line first, then in the order in which the moves were first tried.
    children: Vec<NodeId>,
    /// Which child the line goes through.
    chosen: usize,
    ply: u32,
    /// What was written about the position; empty for nothing.
    comment: String,
}

/// A game tree with a current position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    pub variant: Variant,
    /// Who played, as player specs or any other names: `[south, north]`.
    pub players: [String; 2],
    pub seed: Option<u64>,
    /// Headers of a game file that say nothing to this program, such as a date; written again as they were.
    pub headers: Vec<(String, String)>,
    nodes: Vec<Node>,
    at: NodeId,
    /// Changes of the tree: moves, promotions, deletions, comments.
    version: u64,
}

/// The way to a position, as far as the rules of its game look back at it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Before(Vec<(Position, Move)>);

impl Before {
    /// The same for the game that `pos` is of.
    pub fn history<G: Game + TryFrom<Position>>(&self, pos: &G) -> History<G> {
        past_of(pos, || self.0.clone())
    }
}

fn looks_back<G: Game>(_: &G) -> bool {
    G::USES_HISTORY
}

/// The past that a way makes, if the rules look back at all.
fn past_of<G: Game + TryFrom<Position>>(_: &G, way: impl Fn() -> Vec<(Position, Move)>) -> History<G> {
    let mut history = History::default();
    if G::USES_HISTORY {
        for (position, mv) in way() {
            if let Ok(pos) = G::try_from(position) {
                history.push(&pos, mv);
            }
        }
    }
    history
}

/// One move of a record's line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The position after the move.
    pub node: NodeId,
    pub mv: Move,
    pub mover: Side,
    /// Counts turns from 1: all moves of a turn, extra moves included, share it; where games are noted so, North's turn has the number
    /// of South's before it.
    pub turn: u32,
    /// The move is the first of its turn.
    pub opens_turn: bool,
    /// How many moves were tried here, this one included.
    pub variations: usize,
}

impl Record {
    pub fn new(variant: Variant, players: [String; 2], seed: Option<u64>) -> Record {
        Record::from_position(variant, variant.start(), players, seed)
    }

    /// A game that starts from a position of its own.
    pub fn from_position(variant: Variant, start: Position, players: [String; 2], seed: Option<u64>) -> Record {
        let root =
            Node { position: start, came: None, children: Vec::new(), chosen: 0, ply: 0, comment: String::new() };
        Record { variant, players, seed, headers: Vec::new(), nodes: vec![root], at: 0, version: 0 }
    }

    pub fn start(&self) -> &Position {
        &self.nodes[0].position
    }

    pub fn position(&self) -> &Position {
        &self.nodes[self.at].position
    }

    pub fn position_at(&self, node: NodeId) -> &Position {
        &self.nodes[node].position
    }

    /// The current position's name.
    pub fn at(&self) -> NodeId {
        self.at
    }

    /// How many positions the record holds, all variations included.
    pub fn len(&self) -> usize {
        self.count(0)
    }

    /// There is no move in it.
    pub fn is_empty(&self) -> bool {
        self.nodes[0].children.is_empty()
    }

    /// Grows with every change of what is written of the record, and not with walking.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// How many moves lie behind `node`, the one that led to it included, in all variations.
    pub fn count(&self, node: NodeId) -> usize {
        self.from(node).len()
    }

    /// The positions from `node` on, itself included.
    fn from(&self, node: NodeId) -> Vec<NodeId> {
        let (mut nodes, mut next) = (vec![node], 0);
        while let Some(&node) = nodes.get(next) {
            nodes.extend(&self.nodes[node].children);
            next += 1;
        }
        nodes
    }

    /// The way to a position, oldest first: each position with the move that was played in it.
    fn way(&self, node: NodeId) -> Vec<(Position, Move)> {
        let came = |&(position, mv): &(NodeId, Move)| (self.nodes[position].position, mv);
        let mut way: Vec<_> =
            std::iter::successors(self.nodes[node].came, |&(parent, _)| self.nodes[parent].came).collect();
        way.reverse();
        way.iter().map(came).collect()
    }

    /// How the game has ended that came to a position; `None` if it goes on there.
    pub fn ending_at(&self, node: NodeId) -> Option<Ending> {
        let Node { position, ply, .. } = &self.nodes[node];
        with_position!(position, pos => referee::ending(pos, &past_of(pos, || self.way(node)), *ply))
    }

    /// How the game has ended that came to the current position; `None` if it goes on.
    pub fn ending(&self) -> Option<Ending> {
        self.ending_at(self.at)
    }

    /// What was played before the current position, for players and searches.
    pub fn before(&self) -> Before {
        self.before_at(self.at)
    }

    /// The same for any position of the record.
    pub fn before_at(&self, node: NodeId) -> Before {
        let looks_back = with_position!(self.position_at(node), pos => looks_back(pos));
        Before(if looks_back { self.way(node) } else { Vec::new() })
    }

    /// The position from which the game came to `node`, and by which move; `None` for the start.
    pub fn came(&self, node: NodeId) -> Option<(NodeId, Move)> {
        self.nodes[node].came
    }

    /// Moves from the start to the current position.
    pub fn ply(&self) -> u32 {
        self.nodes[self.at].ply
    }

    /// Moves from the start to `node`.
    pub fn ply_at(&self, node: NodeId) -> u32 {
        self.nodes[node].ply
    }

    /// The position before the current one and the move between them.
    pub fn last(&self) -> Option<(&Position, Move)> {
        let (parent, mv) = self.nodes[self.at].came?;
        Some((&self.nodes[parent].position, mv))
    }

    /// Nothing was played from the current position.
    pub fn is_at_end(&self) -> bool {
        self.nodes[self.at].children.is_empty()
    }

    /// The move the line goes on with.
    pub fn next(&self) -> Option<Move> {
        self.chosen(self.at).and_then(|child| self.nodes[child].came).map(|(_, mv)| mv)
    }

    /// The moves already tried from `node`: the main line's first, then in the order of their first trial.
    pub fn tried(&self, node: NodeId) -> impl Iterator<Item = (NodeId, Move)> + '_ {
        self.nodes[node].children.iter().filter_map(|&child| self.nodes[child].came.map(|(_, mv)| (child, mv)))
    }

    /// Makes a legal move from the current position and goes there. A move tried before is found again, another one becomes
    /// a variation; either way the line goes through it from now on. Gives false, and changes nothing, for an illegal move.
    pub fn play(&mut self, mv: Move) -> bool {
        if self.ending().is_some() || !self.position().is_legal(mv) {
            return false;
        }
        let known = self.tried(self.at).find(|&(_, tried)| tried == mv).map(|(child, _)| child);
        let child = known.unwrap_or_else(|| self.add_child(mv));
        self.go_to(child);
        true
    }

    fn add_child(&mut self, mv: Move) -> NodeId {
        let (position, ply) = (self.position().play(mv), self.ply() + 1);
        let came = Some((self.at, mv));
        self.nodes.push(Node { position, came, children: Vec::new(), chosen: 0, ply, comment: String::new() });
        let child = self.nodes.len() - 1;
        self.nodes[self.at].children.push(child);
        self.version += 1;
        child
    }

    /// The position before `node`; `None` for the start.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node].came.map(|(parent, _)| parent)
    }

    /// Goes to a position and lets the line go through it.
    pub fn go_to(&mut self, node: NodeId) {
        self.at = node;
        let mut child = node;
        while let Some((parent, _)) = self.nodes[child].came {
            let index = self.nodes[parent].children.iter().position(|&c| c == child);
            self.nodes[parent].chosen = index.unwrap_or(0);
            child = parent;
        }
    }

    /// One move back; false at the start.
    pub fn back(&mut self) -> bool {
        match self.nodes[self.at].came {
            Some((parent, _)) => {
                self.at = parent;
                true
            }
            None => false,
        }
    }

    /// One move on along the line; false at its end.
    pub fn forward(&mut self) -> bool {
        match self.chosen(self.at) {
            Some(child) => {
                self.at = child;
                true
            }
            None => false,
        }
    }

    pub fn to_start(&mut self) {
        self.at = 0;
    }

    pub fn to_end(&mut self) {
        while self.forward() {}
    }

    /// Goes to the move tried after (`by` = 1) or before (-1) the current one in its place; where only one was tried, the
    /// nearest move before it that has others is taken. False if there is none.
    pub fn switch_variation(&mut self, by: isize) -> bool {
        let mut node = self.at;
        while let Some((parent, _)) = self.nodes[node].came {
            let siblings = &self.nodes[parent].children;
            if siblings.len() > 1 {
                let index = siblings.iter().position(|&c| c == node).unwrap_or(0) as isize;
                let other = siblings[(index + by).rem_euclid(siblings.len() as isize) as usize];
                self.go_to(other);
                return true;
            }
            node = parent;
        }
        false
    }

    /// The line from the start to its end, through the current position.
    pub fn line(&self) -> Vec<Step> {
        self.steps(|node| self.chosen(node))
    }

    /// The main line from the start to its end.
    pub fn main_line(&self) -> Vec<Step> {
        self.steps(|node| self.main(node))
    }

    /// Where the main line goes on from `node`, or would if it came there.
    pub fn main(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node].children.first().copied()
    }

    fn steps(&self, next: impl Fn(NodeId) -> Option<NodeId>) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        let mut node = 0;
        while let Some(child) = next(node) {
            let mover = self.nodes[node].position.side();
            let before = steps.last().map(|step| (step.mover, step.turn));
            let opens_turn = before.is_none_or(|(side, _)| side != mover);
            // Elsewhere these moves go by one number for both sides, too.
            let shares = self.variant.game_type().is_some() && mover == Side::North && before.is_some();
            let turn = before.map_or(0, |(_, turn)| turn) + u32::from(opens_turn && !shares);
            if let Some((_, mv)) = self.nodes[child].came {
                let variations = self.nodes[node].children.len();
                steps.push(Step { node: child, mv, mover, turn, opens_turn, variations });
            }
            node = child;
        }
        steps
    }

    /// The last position of the line.
    pub fn end(&self) -> NodeId {
        std::iter::successors(Some(0), |&node| self.chosen(node)).last().unwrap_or(0)
    }

    /// The last position of the main line.
    pub fn main_end(&self) -> NodeId {
        std::iter::successors(Some(0), |&node| self.main(node)).last().unwrap_or(0)
    }

    /// How the line has ended; `None` if it goes on.
    pub fn result(&self) -> Option<Ending> {
        self.ending_at(self.end())
    }

    /// Where the line goes on from `node`.
    pub fn chosen(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node].children.get(self.nodes[node].chosen).copied()
    }
}

#[cfg(test)]
mod tests;
