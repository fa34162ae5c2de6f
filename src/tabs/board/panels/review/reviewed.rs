//! What a review found: the mistakes of the line, the way to them, better moves, and the line below the board.

use std::sync::Arc;
use std::time::Duration;

use ratatui::text::Line;

use super::super::figures::value_text;
use super::Review;
use crate::app::effect::{Context, Tone};
use crate::game::record::{NodeId, Record, Step};
use crate::game::{Move, Side};
use crate::player::reviewing::{GivenAway, Mark, Terms};
use crate::player::{PositionValue, reviewing};
use crate::search;
use crate::tabs::board::Board;
use crate::theme::Role;
use crate::ui::{Look, clip, width};

/// What the results mean for a line.
#[derive(Debug)]
pub(in crate::tabs::board) struct Summary {
    key: Key,
    /// Numbers of evaluated and of all positions.
    reviewed: (usize, usize),
    mistakes: Arc<[(NodeId, Mark)]>,
    accuracies: [Option<f64>; 2],
}

/// What a [`Summary`] depends on.
#[derive(PartialEq, Debug)]
struct Key {
    games: [u64; 2],
    changes: u64,
    terms: Option<Terms>,
    version: u64,
    end: NodeId,
}

/// The key of the better move.
const KEYS: &str = ". ! adds its line";

impl Board {
    /// The positions of the line from the start.
    pub(in crate::tabs::board) fn line_nodes(&self) -> Vec<NodeId> {
        std::iter::once(0).chain(self.session.record.line().into_iter().map(|step| step.node)).collect()
    }

    /// Numbers of evaluated and of all positions of the line.
    pub(in crate::tabs::board) fn reviewed(&self) -> (usize, usize) {
        self.of_line().reviewed
    }

    /// The mistakes of the line in their order, by the positions after them.
    pub(in crate::tabs::board) fn mistakes(&self) -> Arc<[(NodeId, Mark)]> {
        Arc::clone(&self.of_line().mistakes)
    }

    /// What the results mean for the line. A frame needs it several times, so that it is kept.
    fn of_line(&self) -> Arc<Summary> {
        let Review { game, changes, terms, summary, .. } = &self.panels.review;
        let key = Key {
            games: [self.session.game, *game],
            changes: *changes,
            terms: *terms,
            version: self.session.record.version(),
            end: self.session.record.end(),
        };
        let mut summary = summary.borrow_mut();
        match &*summary {
            Some(known) if known.key == key => Arc::clone(known),
            _ => Arc::clone(summary.insert(Arc::new(self.summarised(key)))),
        }
    }

    fn summarised(&self, key: Key) -> Summary {
        let nodes = self.line_nodes();
        let line = self.session.record.line();
        let done = nodes.iter().filter(|&&node| self.valued(node).is_some()).count();
        let marked = |&node: &NodeId| Some((node, self.verdict(node)?.mark?));
        let chosen = |step: &Step| Some((self.valued(self.session.record.parent(step.node)?)?.as_ref(), step.mv));
        let of = |side: Side| line.iter().filter(move |step| step.mover == side).filter_map(chosen);
        let accuracies = Side::BOTH.map(|side| reviewing::accuracy(of(side)));
        let mistakes = nodes.iter().filter_map(marked).collect();
        Summary { key, reviewed: (done, nodes.len()), mistakes, accuracies }
    }

    pub(in crate::tabs::board) fn has_mistakes(&self) -> bool {
        !self.mistakes().is_empty()
    }

    /// The numbers of mistakes, as a sentence.
    pub(in crate::tabs::board) fn summary(&self) -> String {
        let mistakes = self.mistakes();
        let blunders = mistakes.iter().filter(|(_, mark)| *mark == Mark::Blunder).count();
        let count = |number: usize, one: &str| match number {
            0 => format!("no {one}"),
            1 => format!("1 {one}"),
            _ => format!("{number} {one}s"),
        };
        let next = if mistakes.is_empty() { "" } else { "; > goes to the next" };
        let few = count(mistakes.len() - blunders, "mistake");
        let many = count(blunders, "blunder");
        format!("Reviewed: {few} (?), {many} (??){next}")
    }

    /// Goes to the next (`by` = 1) or previous (-1) mistake of the line.
    pub(in crate::tabs::board) fn go_to_mistake(&mut self, by: isize, cx: &mut Context) {
        if self.is_retrying() {
            return self.skip_retried(cx);
        }
        if !self.has_review() {
            return cx.notice(Tone::Info, "The game is not reviewed yet (r: review)");
        }
        let place = |node: NodeId| self.session.record.ply_at(node);
        let here = place(self.session.record.at());
        let mistakes = self.mistakes();
        let mut places = mistakes.iter().map(|&(node, _)| (place(node), node));
        let found = match by {
            // At the end of the game, continues with the first mistake.
            1.. if self.session.record.next().is_none() => places.next(),
            1.. => places.find(|(place, _)| *place > here),
            _ => places.rfind(|(place, _)| *place < here),
        };
        let Some((_, node)) = found else {
            let where_to = if by > 0 { "after" } else { "before" };
            return cx.notice(Tone::Info, format!("No mistakes {where_to} this move"));
        };
        self.show_node(node, cx);
    }

    /// Goes to a position.
    pub(in crate::tabs::board) fn show_node(&mut self, node: NodeId, cx: &mut Context) {
        self.walk(cx, |record| {
            record.go_to(node);
            true
        });
    }

    /// The last move, or else the next one, if it gave something away, with the position before it.
    fn bettered(&self) -> Option<(NodeId, Move)> {
        let is_worse = |(parent, mv): &(NodeId, Move)| {
            self.valued(*parent).and_then(|valued| valued.loss(*mv)).is_some_and(|loss| !loss.is_zero())
        };
        let at = self.session.record.at();
        let last = self.session.record.came(at).filter(is_worse);
        last.or_else(|| self.session.record.next().map(|mv| (at, mv)).filter(is_worse))
    }

    pub(in crate::tabs::board) fn can_better(&self) -> bool {
        !self.is_retrying() && self.bettered().is_some()
    }

    /// Adds the principal variation beside the move that gave something away, and shows its first move.
    pub(in crate::tabs::board) fn show_better(&mut self, cx: &mut Context) {
        let Some((parent, mv)) = self.bettered() else {
            let known = self.valued(self.session.record.at()).is_some();
            let text = if known { "No better move here" } else { "Not reviewed yet (r: review)" };
            return cx.notice(Tone::Info, text);
        };
        let Some(valued) = self.valued(parent).cloned() else { return };
        let Some(best) = valued.best() else { return };
        let position = *self.session.record.position_at(parent);
        let better = position.move_text(best.mv);
        let worse = position.move_text(mv);
        let mover = self.session.seat_name(position.side());
        let plies = valued.depth;
        let Some(loss) = valued.loss(mv) else { return };
        let (comment, text) = match loss.result {
            Some(GivenAway::Win) => (format!("wins, {worse} does not; {plies} plies ahead"), "which wins".to_owned()),
            Some(GivenAway::NotLost) => (format!("{worse} loses; {plies} plies ahead"), format!("as {worse} loses")),
            None => {
                let by = (10.0 * loss.value).round() / 10.0;
                let value = (10.0 * valued.value_of(best)).round() / 10.0;
                (
                    format!("{mover} {value:+}, {by} better than {worse}, {plies} plies ahead"),
                    format!("{by} better than {worse}"),
                )
            }
        };
        self.walk(cx, |record| add_line(record, parent, valued.line(), &comment));
        cx.notice(Tone::Info, format!("Added {better}, {text}. [ ] switches"));
        self.start_review(true, cx);
        self.settle(cx);
    }

    /// Progress of the review: `12 of 50 positions · 4 s left`.
    pub(in crate::tabs::board) fn review_progress(&self, look: &Look) -> Option<String> {
        let view = &self.panels.review.running.as_ref()?.view;
        let (done, of) = self.reviewed();
        let left = view.left().map(|left| format!(" {} {} left", look.glyphs.dot, time_text(left)));
        Some(format!("{done} of {of} positions{}", left.unwrap_or_default()))
    }

    /// Returns whether a review is running, or the last move was a mistake.
    pub(in crate::tabs::board) fn has_review_news(&self) -> bool {
        self.is_reviewing() || self.verdict(self.session.record.at()).is_some_and(|verdict| verdict.mark.is_some())
    }

    /// The review's line about the last move: progress, or the better move.
    pub(in crate::tabs::board) fn review_line(&self, room: u16, look: &Look) -> Option<Line<'static>> {
        if let Some(progress) = self.review_progress(look) {
            let text = format!("Reviewing {} {progress} {} r stops", look.glyphs.pointer, look.glyphs.dot);
            let (done, of) = self.reviewed();
            let short = format!("Reviewing: {done} of {of}");
            let text = if width(&text) <= room { text } else { short };
            return Some(Line::from(look.span(Role::Accent, clip(&text, room, look))));
        }
        let at = self.session.record.at();
        let (verdict, (parent, mv)) = (self.verdict(at)?, self.session.record.came(at)?);
        let before = self.valued(parent)?;
        let position = self.session.record.position_at(parent);
        let name = position.move_text(mv);
        let best = before.best()?;
        let loss = before.loss(mv)?;
        let value = self.shown_value(before, best, look);
        let text = match loss.is_zero() {
            _ if before.moves.len() == 1 => format!("{name} was the only move ({value})"),
            true if before.is_decisive(best.margin) => format!("{name} changes nothing: {value}"),
            true => format!("{name} is the best move ({value})"),
            false => {
                let mark = verdict.mark.map_or(String::new(), |mark| format!("{} ", mark.text()));
                let lost = match loss.result {
                    None => {
                        let after = self.shown_value(before, before.move_line(mv)?, look);
                        format!("{value} {} {after}, loses {:.0} %", look.glyphs.right, loss.chance)
                    }
                    Some(GivenAway::Win) => "gives up the win".to_owned(),
                    Some(GivenAway::NotLost) => "loses the game".to_owned(),
                };
                let text = format!("{mark}{name} {lost}. {} was better", position.move_text(best.mv));
                // The footer also shows the key, if it does not fit.
                Some(format!("{text}{KEYS}")).filter(|long| width(long) <= room).unwrap_or(text)
            }
        };
        let role = match verdict.mark {
            Some(Mark::Blunder) => Role::Bad,
            Some(Mark::Mistake) => Role::Warning,
            None => Role::Dim,
        };
        Some(Line::from(look.span(role, clip(&text, room, look))))
    }

    /// The value or the result of a move from the shown [point of view](Board::point_of_view), as in the list of moves.
    pub(in crate::tabs::board) fn shown_value(
        &self,
        valued: &PositionValue,
        line: &search::Line,
        look: &Look,
    ) -> String {
        let south = valued.south_of(line);
        let value = if self.point_of_view() == Side::South { south } else { 0.0 - south };
        match valued.is_decisive(line.margin) {
            true => if value > 0.0 { "wins" } else { "loses" }.to_owned(),
            false => value_text(value, look),
        }
    }

    /// How well a side chose its moves in percent, over its reviewed moves with a choice; `None` if there are none.
    pub(in crate::tabs::board) fn accuracy(&self, side: Side) -> Option<f64> {
        self.of_line().accuracies[side.index()]
    }
}

/// `12 s`, or `3 min`.
fn time_text(time: Duration) -> String {
    let seconds = time.as_secs_f64().ceil() as u64;
    if seconds < 100 { format!("{seconds} s") } else { format!("{} min", seconds.div_ceil(60)) }
}

/// Adds moves from a position unless they exist, and goes to the first of them; the line includes all. Existing moves
/// get no comment.
fn add_line(record: &mut Record, from: NodeId, moves: &[Move], comment: &str) -> bool {
    record.go_to(from);
    let mut first = None;
    for &mv in moves {
        if !record.play(mv) {
            break;
        }
        first.get_or_insert(record.at());
    }
    if let Some(first) = first {
        while record.at() != first && record.back() {}
        if record.comment(first).is_empty() {
            record.set_comment(first, comment);
        }
    }
    first.is_some()
}
