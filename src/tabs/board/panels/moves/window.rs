//! The part of the list that is laid out as rows: what is around the current move, with comments and variations below the moves. A long
//! game is not laid out as a whole for each frame.

use ratatui::text::Span;

use super::{List, Row, Turn, VALUE_EACH};
use crate::game::Side;
use crate::game::notation::Marks;
use crate::game::record::{NodeId, Step};
use crate::theme::Role;
use crate::ui::{width, wrap_within};

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

/// Maximum rows of a comment in the list, and of the one on the current move.
const COMMENT: usize = 3;
const CURRENT: usize = 12;

/// The deepest variation that is indented further.
const DEEPEST: u16 = 4;

impl List<'_> {
    /// Returns whether the move has hidden variations.
    pub fn is_folded(&self, node: NodeId) -> bool {
        let record = &self.session.record;
        let others = record.parent(node).map_or(0, |parent| record.tried(parent).count());
        others > 1 && !self.shows_below(node)
    }

    /// Folded variations are shown if the position is in them.
    fn shows_below(&self, node: NodeId) -> bool {
        !self.panels.folded || self.unfolded == Some(self.session.record.parent(node).unwrap_or(0))
    }

    /// Adds what is below a move of the main line: its comment, and the variations.
    pub fn below(&self, step: &Step, blocks: &mut Vec<Block<'_>>) {
        let record = &self.session.record;
        if self.room >= VALUE_EACH && !Marks::parse(record.comment(step.node)).words().is_empty() {
            blocks.push(Block::Comment(step.node));
        }
        let Some(parent) = record.parent(step.node).filter(|_| self.shows_below(step.node)) else { return };
        // The innermost last, without recursion: files may nest deeply.
        let others =
            |parent: NodeId, but: NodeId| record.tried(parent).map(|(node, _)| node).filter(move |&n| n != but);
        let mut left: Vec<_> = others(parent, step.node).map(|node| (node, step.turn, 0)).collect();
        left.reverse();
        while let Some((first, turn, depth)) = left.pop() {
            let steps = self.variation(first, turn);
            let inner: Vec<_> = steps[1..]
                .iter()
                .flat_map(|step| {
                    let parent = record.parent(step.node).unwrap_or(0);
                    others(parent, step.node).map(move |node| (node, step.turn, depth + 1))
                })
                .collect();
            blocks.push(Block::Variation(steps, depth));
            left.extend(inner.into_iter().rev());
        }
    }

    /// The moves of a variation from its first on, which belongs to `turn`.
    fn variation(&self, first: NodeId, turn: u32) -> Vec<Step> {
        let record = &self.session.record;
        let (mut steps, mut turn): (Vec<Step>, u32) = (Vec::new(), turn);
        for node in std::iter::successors(Some(first), |&node| record.main(node)) {
            let Some(parent) = record.parent(node) else { break };
            let Some((_, mv)) = record.tried(parent).find(|&(child, _)| child == node) else { break };
            let mover = record.position_at(parent).side();
            let opens_turn = steps.last().is_none_or(|before| before.mover != mover);
            turn += u32::from(opens_turn && !steps.is_empty());
            steps.push(Step { node, mv, mover, turn, opens_turn, variations: 1 });
        }
        steps
    }

    /// A variation as running text with turn numbers.
    pub fn rows_of(&self, steps: &[Step], depth: u16) -> Vec<Row> {
        let look = self.look;
        let indent = (1 + 2 * depth.min(DEEPEST)).min(self.room / 3);
        let mut rows: Vec<Row> = Vec::new();
        for step in steps {
            let word = self.word(step.node, step.mv, step.mover, false);
            let number = if step.opens_turn { format!("{} ", step.turn) } else { String::new() };
            let cells = width(&number) + width(&word.text);
            if rows.last().is_none_or(|row| row.cells() + cells > self.room) {
                let mut row = Row::new();
                row.pad(indent);
                let corner = if rows.is_empty() { look.glyphs.line.bottom_left } else { " " };
                row.line.spans.push(look.span(Role::Border, format!("{corner} ")));
                rows.push(row);
            }
            let Some(row) = rows.last_mut() else { continue };
            row.line.spans.push(look.span(Role::Dim, number));
            row.word(&word, look);
            row.line.spans.push(Span::raw(" "));
        }
        if self.room >= VALUE_EACH {
            rows.extend(steps.iter().flat_map(|step| self.comment(step.node)));
        }
        rows
    }

    /// The comment on a position; the current one in full.
    pub fn comment(&self, node: NodeId) -> Vec<Row> {
        let text = Marks::parse(self.session.record.comment(node)).words();
        let indent = self.number_room + 1;
        let room = self.room.saturating_sub(indent + 1);
        let is_current = node == self.session.record.at();
        let (most, role) = if is_current { (CURRENT, Role::Text) } else { (COMMENT, Role::Dim) };
        let lines = wrap_within(&text, room, most, self.look).into_iter().filter(|line| !line.is_empty());
        let row = |text: String| {
            let mut row = Row::new();
            row.pad(indent);
            row.line.spans.push(self.look.span(role, text));
            row
        };
        lines.map(row).collect()
    }
}
