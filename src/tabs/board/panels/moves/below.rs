//! The rows below a move in the list: comments and variations.

use ratatui::text::Span;

use super::window::Block;
use super::{List, Row, VALUE_EACH};
use crate::game::notation::Marks;
use crate::game::record::{NodeId, Step};
use crate::theme::Role;
use crate::ui::{width, wrap_within};

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
