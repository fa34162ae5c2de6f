//! The mistakes of a reviewed game tried again: the position before each, with the move hidden.
//!
//! A move is right if it loses at most one percentage point of the chance of winning, nearly right below the threshold of a mistake,
//! and otherwise wrong. Nothing is added to the record. Going elsewhere ends the tries.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::Board;
use super::puzzles::Puzzle;
use crate::app::effect::{Context, Tone};
use crate::game::record::NodeId;
use crate::game::{Move, Side};
use crate::theme::Role;
use crate::ui::{Look, panel, put, row, wrap};

/// Greatest loss of a right move, in percentage points of the chance of winning.
const RIGHT: f64 = 1.0;

/// A position to find a better move in.
pub(super) enum Task {
    /// Before a mistake of the game on the board.
    Own(NodeId),
    Puzzle(Puzzle),
}

/// The mistakes being tried.
pub(super) struct Retry {
    game: u64,
    tasks: Vec<Task>,
    current: usize,
    right: usize,
    nearly: usize,
    wrong: usize,
    /// Whether the analysis was on before.
    analysis: bool,
}

impl Retry {
    /// The position of the current mistake.
    fn node(&self) -> Option<NodeId> {
        self.tasks.get(self.current).map(|task| match task {
            Task::Own(node) => *node,
            Task::Puzzle(_) => 0,
        })
    }
}

impl Board {
    /// Returns whether a mistake is tried now: what would show the move is hidden.
    pub(super) fn is_retrying(&self) -> bool {
        self.panels
            .retry
            .as_ref()
            .is_some_and(|retry| retry.game == self.session.game && retry.node() == Some(self.session.record.at()))
    }

    /// The sides whose mistakes are tried: those of persons, or both.
    fn tried_sides(&self) -> Vec<Side> {
        let humans: Vec<Side> = Side::BOTH.into_iter().filter(|&side| self.session.is_human(side)).collect();
        if humans.is_empty() { Side::BOTH.to_vec() } else { humans }
    }

    /// Begins with the first mistake, or ends.
    pub(super) fn toggle_retry(&mut self, cx: &mut Context) {
        if self.is_retrying() {
            return self.end_retry(cx);
        }
        if self.is_reviewing() {
            return cx.notice(Tone::Info, "The review is not complete yet");
        }
        let sides = self.tried_sides();
        let mistakes = self.mistakes();
        let parents = mistakes.iter().filter_map(|&(node, _)| self.session.record.parent(node));
        let tasks: Vec<Task> = parents
            .filter(|&node| sides.contains(&self.session.record.position_at(node).side()))
            .map(Task::Own)
            .collect();
        if tasks.is_empty() {
            return cx.notice(Tone::Info, "No mistakes known; r reviews the game");
        }
        self.begin_retry(tasks, cx);
    }

    pub(super) fn begin_retry(&mut self, tasks: Vec<Task>, cx: &mut Context) {
        let analysis = std::mem::take(&mut self.panels.analysis.on);
        self.panels.retry =
            Some(Retry { game: self.session.game, tasks, current: 0, right: 0, nearly: 0, wrong: 0, analysis });
        self.show_retried(cx);
    }

    fn show_retried(&mut self, cx: &mut Context) {
        let Some(retry) = &mut self.panels.retry else { return };
        match retry.tasks.get(retry.current) {
            Some(&Task::Own(node)) => self.show_node(node, cx),
            Some(Task::Puzzle(puzzle)) => {
                // That of the game that begins with the puzzle.
                retry.game = self.session.game + 1;
                let puzzle = puzzle.clone();
                self.show_puzzle(&puzzle, cx);
            }
            None => self.end_retry(cx),
        }
    }

    fn end_retry(&mut self, cx: &mut Context) {
        if let Some(Retry { tasks, right, nearly, wrong, analysis, .. }) = self.panels.retry.take() {
            self.panels.analysis.on = analysis;
            let of = tasks.len();
            cx.notice(Tone::Good, format!("{right} of {of} found, {nearly} nearly, {wrong} wrong tries"));
        }
        self.settle(cx);
    }

    /// Ends the tries once another position is shown.
    pub(super) fn settle_retry(&mut self) {
        if self.edit.is_some() || !self.is_retrying() {
            self.panels.analysis.on |= self.panels.retry.take().is_some_and(|retry| retry.analysis);
        }
    }

    /// Shows the next mistake without an answer.
    pub(super) fn skip_retried(&mut self, cx: &mut Context) {
        if let Some(retry) = &mut self.panels.retry {
            retry.current += 1;
        }
        self.show_retried(cx);
    }

    /// Judges a move at a mistake that is tried; false if none is.
    pub(super) fn try_move(&mut self, mv: Move, cx: &mut Context) -> bool {
        if !self.is_retrying() {
            return false;
        }
        let loss = self.valued(self.session.record.at()).and_then(|valued| valued.loss(mv));
        let mistake = self.thresholds().map_or(0.0, |[mistake, _]| f64::from(mistake));
        let name = self.session.position().move_text(mv);
        let Some((retry, loss)) = self.panels.retry.as_mut().zip(loss) else { return false };
        let (tone, text) = match loss.chance {
            lost if lost <= RIGHT => {
                retry.right += 1;
                (Tone::Good, format!("Yes: {name}"))
            }
            lost if lost < mistake => {
                retry.nearly += 1;
                (Tone::Info, format!("Nearly: {name} loses {lost:.0} %"))
            }
            lost => {
                retry.wrong += 1;
                cx.notice(Tone::Bad, format!("No: {name} loses {lost:.0} %. Try again, or > skips"));
                self.settle(cx);
                return true;
            }
        };
        retry.current += 1;
        cx.notice(tone, text);
        self.show_retried(cx);
        true
    }

    /// Draws the state of the tries where the moves would show the answer.
    pub(super) fn draw_retry(&self, area: Rect, buf: &mut Buffer, look: &Look) {
        let Some(Retry { tasks, current: at, right, nearly, wrong, .. }) = &self.panels.retry else { return };
        let inner = panel(area, Line::from(look.span(Role::Title, "Find a better move")), false, buf, look);
        let side = self.session.seat_name(self.session.position().side());
        let number = (at + 1).min(tasks.len());
        let of = tasks.len();
        let task = match tasks.get(*at) {
            Some(Task::Puzzle(Puzzle { file, turn, .. })) => format!("Puzzle {number} of {of} ({file}, turn {turn})"),
            _ => format!("Mistake {number} of {of}"),
        };
        let text =
            format!("{task}: {side} to move. Found {right}, nearly {nearly}, wrong tries {wrong}. > skips, Z ends.");
        for (index, line) in wrap(&text, inner.width.saturating_sub(2)).into_iter().enumerate() {
            put(look.span(Role::Text, format!(" {line}")), row(inner, index as u16), buf);
        }
    }
}
