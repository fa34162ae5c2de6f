//! The part of the list that is laid out as rows: what is around the current move. A long game is not laid out as a whole for each
//! frame.

use super::{List, Row, Turn};
use crate::game::Side;
use crate::game::record::{NodeId, Step};

/// A part of the list, before it is laid out.
pub enum Block<'a> {
    /// A turn of its own, or one of South and one of North; whether its number is new.
    Turns(&'a [Turn<'a>], bool),
    Comment(NodeId),
    /// The moves of a variation, and how deeply it is nested.
    Variation(Vec<Step>, u16),
}

/// The rows around the current one, and about how many are above and below them.
#[derive(Default)]
pub struct Window {
    pub rows: Vec<Row>,
    pub current: usize,
    pub above: usize,
    pub below: usize,
}

impl Block<'_> {
    fn holds(&self, node: NodeId) -> bool {
        match self {
            Block::Turns(turns, _) => turns.iter().flat_map(|turn| turn.steps).any(|step| step.node == node),
            Block::Comment(_) => false,
            Block::Variation(steps, _) => steps.iter().any(|step| step.node == node),
        }
    }
}

impl List<'_> {
    /// Lays out at least `height` rows above the current one and as many from it on, where there are so many.
    pub fn window(&self, height: usize) -> Window {
        let steps = self.session.record.main_line();
        let turns: Vec<Turn> = steps
            .chunk_by(|_, next| !next.opens_turn)
            .map(|steps| Turn { number: steps[0].turn, mover: steps[0].mover, steps })
            .collect();
        let blocks = self.blocks(&turns);
        let at = self.session.record.at();
        let mut first = blocks.iter().position(|block| block.holds(at)).unwrap_or(0);
        let Some(block) = blocks.get(first) else { return Window::default() };
        let mut rows = self.rows(block);
        let mut next = first + 1;
        let mut current = rows.iter().position(|row| row.is_current).unwrap_or(0);
        while next < blocks.len() && rows.len() < current + height {
            rows.extend(self.rows(&blocks[next]));
            next += 1;
        }
        while first > 0 && current < height {
            first -= 1;
            let before = self.rows(&blocks[first]);
            current += before.len();
            rows.splice(0..0, before);
        }
        Window { rows, current, above: first, below: blocks.len() - next }
    }

    fn blocks<'a>(&self, turns: &'a [Turn<'a>]) -> Vec<Block<'a>> {
        // North's turn shares the row of South's preceding one.
        let shares = |one: &Turn, next: &Turn| !self.is_single && one.mover == Side::South && next.mover == Side::North;
        let mut blocks = Vec::new();
        let mut number = None;
        for turns in turns.chunk_by(shares) {
            blocks.push(Block::Turns(turns, number != Some(turns[0].number)));
            number = turns.last().map(|turn| turn.number);
            turns.iter().flat_map(|turn| turn.steps).for_each(|step| self.below(step, &mut blocks));
        }
        blocks
    }

    fn rows(&self, block: &Block) -> Vec<Row> {
        match block {
            Block::Turns([turn], is_numbered) if self.is_single => self.single(turn, *is_numbered),
            Block::Turns(turns, _) => self.pair(turns),
            Block::Comment(node) => self.comment(*node),
            Block::Variation(steps, depth) => self.rows_of(steps, *depth),
        }
    }
}
