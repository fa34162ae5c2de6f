//! A recorded game: a tree of positions with a current line through it.
//!
//! A different move at an earlier position starts a variation. The first move tried at a position belongs to the main
//! line until another is promoted; navigation only changes the current line. Any position may have a comment.
//! [`notation`](super::notation) writes and reads records as text.

mod tree;

use super::referee::{self, Ending};
use super::{Game, History, Move, Position, Side, Variant};

pub use tree::DeletedVariation;

/// Index of a position in its record; 0 is the start.
pub type NodeId = usize;

#[derive(Clone, PartialEq, Eq, Debug)]
struct Node {
    position: Position,
    /// The move that led to the position, and its parent; `None` for the start.
    came: Option<(NodeId, Move)>,
    /// Children: the main line first, then in the order in which the moves were first tried.
    children: Vec<NodeId>,
    /// Index of the child on the current line.
    chosen: usize,
    ply: u32,
    /// Comment on the position; empty if there is none.
    comment: String,
    /// The values that a review found, as written in files; empty if there are none.
    review: String,
}

impl Node {
    fn new(position: Position, came: Option<(NodeId, Move)>, ply: u32) -> Node {
        Node { position, came, children: Vec::new(), chosen: 0, ply, comment: String::new(), review: String::new() }
    }
}

/// A game tree with a current position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    pub variant: Variant,
    /// Names of the players, as player specs or any other text: `[south, north]`.
    pub players: [String; 2],
    pub seed: Option<u64>,
    /// Headers of a game file that this program does not use, such as a date; written back unchanged.
    pub headers: Vec<(String, String)>,
    /// What a reader changed or doubted in the text of the game, in sentences without a full stop; not written to files.
    pub notes: Vec<String>,
    nodes: Vec<Node>,
    current: NodeId,
    /// Number of changes of the tree: moves, promotions, deletions, comments.
    version: u64,
}

/// The moves since the last irreversible one before a position, if the game's rules depend on history.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Before {
    /// Number of moves before these.
    omitted: usize,
    /// Oldest first: each position with the move played in it.
    moves: Vec<(Position, Move)>,
}

impl Before {
    /// The history of `pos`, typed for its game.
    pub fn history<G: Game + TryFrom<Position>>(&self, _pos: &G) -> History<G> {
        let moves = self.moves.iter().filter_map(|&(position, mv)| Some((G::try_from(position).ok()?, mv)));
        history(self.omitted, moves)
    }
}

fn history<G: Game>(omitted: usize, moves: impl Iterator<Item = (G, Move)>) -> History<G> {
    let mut history = History::behind(omitted);
    moves.for_each(|(pos, mv)| history.push(&pos, mv));
    history
}

/// One move of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The position after the move.
    pub node: NodeId,
    pub mv: Move,
    pub mover: Side,
    /// Number of the turn, from 1. All moves of a turn, extra moves included, share it. In games with PDN notation,
    /// North's turn has the number of South's turn before it.
    pub turn: u32,
    /// Whether the move is the first of its turn.
    pub opens_turn: bool,
    /// Number of moves tried at this position, this one included.
    pub variations: usize,
}

impl Record {
    pub fn new(variant: Variant, players: [String; 2], seed: Option<u64>) -> Record {
        Record::from_position(variant, variant.start(), players, seed)
    }

    /// A game that starts from another position.
    pub fn from_position(variant: Variant, start: Position, players: [String; 2], seed: Option<u64>) -> Record {
        let root = Node::new(start, None, 0);
        Record {
            variant,
            players,
            seed,
            headers: Vec::new(),
            notes: Vec::new(),
            nodes: vec![root],
            current: 0,
            version: 0,
        }
    }

    pub fn start(&self) -> &Position {
        &self.nodes[0].position
    }

    pub fn position(&self) -> &Position {
        &self.nodes[self.current].position
    }

    pub fn position_at(&self, node: NodeId) -> &Position {
        &self.nodes[node].position
    }

    /// The current position.
    pub fn at(&self) -> NodeId {
        self.current
    }

    /// Number of positions in the record, all variations included.
    pub fn len(&self) -> usize {
        self.count(0)
    }

    /// Whether the record has no moves.
    pub fn is_empty(&self) -> bool {
        self.nodes[0].children.is_empty()
    }

    /// The value of a header, whatever the case of its name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Sets a header, or removes it.
    pub fn set_header(&mut self, name: &str, value: Option<String>) {
        if self.header(name) != value.as_deref() {
            self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
            self.headers.extend(value.map(|value| (name.to_owned(), value)));
            self.version += 1;
        }
    }

    /// Grows with every change of the written content, not with navigation.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Number of moves from the one that led to `node` on, in all variations.
    pub fn count(&self, node: NodeId) -> usize {
        self.from(node).len()
    }

    /// `node` and all positions after it.
    fn from(&self, node: NodeId) -> Vec<NodeId> {
        let mut nodes = vec![node];
        let mut next = 0;
        while let Some(&node) = nodes.get(next) {
            nodes.extend(&self.nodes[node].children);
            next += 1;
        }
        nodes
    }

    /// The moves since the last irreversible one before `node`, oldest first, and the number of moves before them; none
    /// if the rules of `pos`, the position at `node`, do not depend on history. A long game has few of them, so that
    /// they are found without a walk to the start.
    fn recent<G: Game + TryFrom<Position>>(&self, node: NodeId, _pos: &G) -> (usize, Vec<(G, Move)>) {
        let came = std::iter::successors(self.nodes[node].came, |&(parent, _)| self.nodes[parent].came);
        let typed = came.map_while(|(parent, mv)| Some((G::try_from(self.nodes[parent].position).ok()?, mv)));
        let mut moves = match G::USES_HISTORY {
            true => typed.take_while(|(pos, mv)| !pos.is_irreversible(*mv)).collect(),
            false => Vec::new(),
        };
        moves.reverse();
        (self.nodes[node].ply as usize - moves.len(), moves)
    }

    /// How the game ended at a position; `None` if it continues there.
    pub fn ending_at(&self, node: NodeId) -> Option<Ending> {
        let Node { position, ply, .. } = &self.nodes[node];
        with_position!(position, pos => {
            let (omitted, moves) = self.recent(node, pos);
            referee::ending(pos, &history(omitted, moves.into_iter()), *ply)
        })
    }

    /// How the game ended at the current position; `None` if it continues.
    pub fn ending(&self) -> Option<Ending> {
        self.ending_at(self.current)
    }

    /// The moves before the current position, for players and searches.
    pub fn before(&self) -> Before {
        self.before_at(self.current)
    }

    /// The moves before any position of the record.
    pub fn before_at(&self, node: NodeId) -> Before {
        with_position!(self.position_at(node), pos => {
            let (omitted, moves) = self.recent(node, pos);
            Before { omitted, moves: moves.into_iter().map(|(pos, mv)| (pos.into(), mv)).collect() }
        })
    }

    /// The parent of `node` and the move between them; `None` for the start.
    pub fn came(&self, node: NodeId) -> Option<(NodeId, Move)> {
        self.nodes[node].came
    }

    /// Moves from the start to the current position.
    pub fn ply(&self) -> u32 {
        self.nodes[self.current].ply
    }

    /// Moves from the start to `node`.
    pub fn ply_at(&self, node: NodeId) -> u32 {
        self.nodes[node].ply
    }

    /// The position before the current one and the move between them.
    pub fn last(&self) -> Option<(&Position, Move)> {
        let (parent, mv) = self.nodes[self.current].came?;
        Some((&self.nodes[parent].position, mv))
    }

    /// Whether the current position has no moves after it.
    pub fn is_at_end(&self) -> bool {
        self.nodes[self.current].children.is_empty()
    }

    /// The next move of the line.
    pub fn next(&self) -> Option<Move> {
        self.chosen(self.current).and_then(|child| self.nodes[child].came).map(|(_, mv)| mv)
    }

    /// The moves tried from `node`: the main line's first, then in the order in which they were first tried.
    pub fn tried(&self, node: NodeId) -> impl Iterator<Item = (NodeId, Move)> + '_ {
        self.nodes[node].children.iter().filter_map(|&child| self.nodes[child].came.map(|(_, mv)| (child, mv)))
    }

    /// Plays a legal move from the current position and goes to the new one. A new move starts a variation; either way
    /// the current line then goes through it. Returns false, and changes nothing, for an illegal move.
    pub fn play(&mut self, mv: Move) -> bool {
        if self.ending().is_some() || !self.position().is_legal(mv) {
            return false;
        }
        let known = self.tried(self.current).find(|&(_, tried)| tried == mv).map(|(child, _)| child);
        let child = known.unwrap_or_else(|| self.add_child(mv));
        self.go_to(child);
        true
    }

    fn add_child(&mut self, mv: Move) -> NodeId {
        let position = self.position().play(mv);
        let ply = self.ply() + 1;
        let came = Some((self.current, mv));
        self.nodes.push(Node::new(position, came, ply));
        let child = self.nodes.len() - 1;
        self.nodes[self.current].children.push(child);
        self.version += 1;
        child
    }

    /// The position before `node`; `None` for the start.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node].came.map(|(parent, _)| parent)
    }

    /// Goes to a position and makes the line go through it. The line goes through the current position, so that only
    /// the way from the last position that both have in common changes.
    pub fn go_to(&mut self, node: NodeId) {
        let mut old = std::mem::replace(&mut self.current, node);
        let mut new = node;
        while old != new {
            if self.nodes[old].ply > self.nodes[new].ply {
                old = self.parent(old).unwrap_or(0);
            } else if let Some((parent, _)) = self.nodes[new].came {
                let index = self.nodes[parent].children.iter().position(|&child| child == new);
                self.nodes[parent].chosen = index.unwrap_or(0);
                new = parent;
            } else {
                break;
            }
        }
    }

    /// Goes one move back; false at the start.
    pub fn back(&mut self) -> bool {
        match self.nodes[self.current].came {
            Some((parent, _)) => {
                self.current = parent;
                true
            }
            None => false,
        }
    }

    /// Goes one move forward along the line; false at its end.
    pub fn forward(&mut self) -> bool {
        match self.chosen(self.current) {
            Some(child) => {
                self.current = child;
                true
            }
            None => false,
        }
    }

    pub fn to_start(&mut self) {
        self.current = 0;
    }

    pub fn to_end(&mut self) {
        while self.forward() {}
    }

    /// Goes to the next (`by` = 1) or previous (-1) alternative of the current move. If it has none, goes to an
    /// alternative of the nearest earlier move that has some. False if there is none.
    pub fn switch_variation(&mut self, by: isize) -> bool {
        let mut node = self.current;
        while let Some((parent, _)) = self.nodes[node].came {
            let siblings = &self.nodes[parent].children;
            if siblings.len() > 1 {
                let index =
                    siblings.iter().position(|&sibling| sibling == node).expect("a node is a child of its parent");
                let index = index as isize;
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

    /// The next position of the main line after `node`, as if `node` were on it.
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
            // PDN numbers the moves of both sides in pairs.
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

    /// How the line ended; `None` if it continues.
    pub fn result(&self) -> Option<Ending> {
        self.ending_at(self.end())
    }

    /// The next position of the line after `node`.
    pub fn chosen(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node].children.get(self.nodes[node].chosen).copied()
    }
}

#[cfg(test)]
mod tests;
