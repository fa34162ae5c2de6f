//! A line of moves shown on the board without being played: the better line of a mistake, or a line of the analysis.
//!
//! The record stays as it is. Esc, Home and V end the preview; any other key that does not step through the line ends it and does its
//! own work.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::text::Line;

use super::figures::variation_text;
use crate::app::effect::{Context, Tone};
use crate::game::{Move, Position};
use crate::tabs::board::{Board, Spot};
use crate::theme::Role;
use crate::ui::{Look, width};

/// The line, and how much of it is on the board.
pub(in crate::tabs::board) struct Preview {
    spot: Spot,
    moves: Vec<Move>,
    shown: usize,
}

/// A position of the line, and the move that led to it.
pub(in crate::tabs::board) struct Previewed {
    pub position: Position,
    pub before: Position,
    pub mv: Move,
}

/// The keys of a preview, with their words.
pub(in crate::tabs::board) fn footer_keys() -> Vec<(String, String)> {
    [(". ,", "step"), ("Esc", "back to the game")].map(|(key, word)| (key.to_owned(), word.to_owned())).into()
}

impl Board {
    fn preview(&self) -> Option<&Preview> {
        self.panels.preview.as_ref().filter(|preview| preview.spot == self.session.spot())
    }

    pub(in crate::tabs::board) fn is_previewing(&self) -> bool {
        self.preview().is_some()
    }

    /// The position on the board, if it is one of a line.
    pub(in crate::tabs::board) fn previewed(&self) -> Option<Previewed> {
        let preview = self.preview()?;
        let (&mv, earlier) = preview.moves[..preview.shown].split_last()?;
        let before = earlier.iter().fold(*self.session.position(), |position, &mv| position.play(mv));
        Some(Previewed { position: before.play(mv), before, mv })
    }

    /// Shows the first move of a line from the position of the game. Moves from the first illegal one on are left out.
    pub(in crate::tabs::board) fn begin_preview(&mut self, line: &[Move], cx: &mut Context) {
        let mut position = *self.session.position();
        let mut moves = Vec::new();
        for &mv in line {
            if position.is_over() || !position.is_legal(mv) {
                break;
            }
            position = position.play(mv);
            moves.push(mv);
        }
        if moves.is_empty() {
            return cx.notice(Tone::Info, "No line is known here");
        }
        self.panels.preview = Some(Preview { spot: self.session.spot(), moves, shown: 0 });
        self.step_preview(1, cx);
    }

    /// Shows the next move (`by` = 1) or takes the last one back (-1); before the first the preview ends.
    fn step_preview(&mut self, by: isize, cx: &mut Context) {
        let animation = self.playback.animation.take();
        let Some(preview) = &mut self.panels.preview else { return };
        let shown = preview.shown.saturating_add_signed(by).min(preview.moves.len());
        let is_new = shown > preview.shown;
        preview.shown = shown;
        match self.previewed() {
            Some(Previewed { before, mv, .. }) if is_new => {
                self.playback.animation = self.playback.animate(&before.board(), before.trace(mv), cx.now);
            }
            Some(_) => self.playback.animation = animation.filter(|_| by > 0),
            None => self.panels.preview = None,
        }
    }

    /// A key while a line is shown; false if it is for the board.
    pub(in crate::tabs::board) fn preview_key(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        if !self.is_previewing() || self.edit.is_some() {
            return false;
        }
        match key.code {
            KeyCode::Char('.') | KeyCode::Right => self.step_preview(1, cx),
            KeyCode::Char(',') | KeyCode::Left => self.step_preview(-1, cx),
            KeyCode::End => self.step_preview(isize::MAX, cx),
            KeyCode::Esc | KeyCode::Home | KeyCode::Char('V') => self.end_preview(),
            _ => {
                self.end_preview();
                return false;
            }
        }
        true
    }

    pub(in crate::tabs::board) fn end_preview(&mut self) {
        if self.panels.preview.take().is_some() {
            self.playback.animation = None;
        }
    }

    /// Drops a line of another position.
    pub(in crate::tabs::board) fn settle_preview(&mut self) {
        if !self.is_previewing() {
            self.panels.preview = None;
        }
    }

    /// The line in words: the shown moves, then the others.
    pub(in crate::tabs::board) fn preview_line(&self, room: u16, look: &Look) -> Option<Line<'static>> {
        let Preview { moves, shown, .. } = self.preview()?;
        let (shown, rest) = moves.split_at(*shown);
        let count = format!("Line {} of {}: ", shown.len(), moves.len());
        let mut left = room.saturating_sub(width(&count));
        let first = variation_text(self.session.position(), shown, left);
        left = left.saturating_sub(width(&first) + 1);
        let after = self.previewed()?.position;
        Some(Line::from(vec![
            look.span(Role::Dim, count),
            look.span(Role::Accent, first),
            look.span(Role::Dim, format!(" {}", variation_text(&after, rest, left))),
        ]))
    }

    /// Shows the line of the move chosen in the analysis, or of the best one.
    pub(in crate::tabs::board) fn preview_analysis(&mut self, cx: &mut Context) {
        if self.is_retrying() {
            return cx.notice(Tone::Info, "Find the move first (v: answer)");
        }
        let lines = self.panels.analysis.view.as_ref().map_or(&[][..], |view| &view.report.lines);
        let chosen = self.picked().and_then(|mv| lines.iter().find(|line| line.mv == mv));
        let reviewed = || self.valued(self.session.record.at()).map(|valued| valued.line().to_vec());
        match chosen.or(lines.first()).map(|line| line.pv.clone()).or_else(reviewed) {
            Some(line) => self.begin_preview(&line, cx),
            None => cx.notice(Tone::Info, "No line is known here (i: analysis)"),
        }
    }

    /// Returns whether a line from the position of the game is known, and is not the answer to a mistake that is tried.
    pub(in crate::tabs::board) fn has_line(&self) -> bool {
        let is_analysed = self.panels.analysis.view.as_ref().is_some_and(|view| !view.report.lines.is_empty());
        (is_analysed || self.valued(self.session.record.at()).is_some()) && !self.is_retrying()
    }
}
