//! A line of moves shown on the board without being played: the better line of a mistake, or a line of the analysis.
//!
//! The record stays as it is. Esc, Home and V end the preview; any other key that does not step through the line ends it and does its
//! own work.

use ratatui::text::Line;

use super::Panels;
use super::figures::{marked_variation, variation_text};
use crate::game::{Move, Position};
use crate::tabs::board::session::{Session, Spot};
use crate::theme::Role;
use crate::ui::{Look, width};

/// The line, and how much of it is on the board.
pub struct Preview {
    spot: Spot,
    moves: Vec<Move>,
    shown: usize,
}

/// A position of the line, and the move that led to it.
pub struct LinePosition {
    pub position: Position,
    pub before: Position,
    pub mv: Move,
}

/// The keys of a preview, with their words.
pub fn footer_keys() -> Vec<(String, String)> {
    [(". ,", "step"), ("Esc", "back to the game")].map(|(key, word)| (key.to_owned(), word.to_owned())).into()
}

impl Preview {
    /// A line from the position of the game, up to its first illegal move; `None` if that is the first. No move is shown yet.
    pub fn new(session: &Session, line: &[Move]) -> Option<Preview> {
        let mut position = *session.position();
        let mut moves = Vec::new();
        for &mv in line {
            if position.is_over() || !position.is_legal(mv) {
                break;
            }
            position = position.play(mv);
            moves.push(mv);
        }
        (!moves.is_empty()).then(|| Preview { spot: session.spot(), moves, shown: 0 })
    }

    /// Shows the next move (`by` = 1) or takes the last one back (-1); returns whether a move is new.
    pub fn step(&mut self, by: isize) -> bool {
        let before = self.shown;
        self.shown = before.saturating_add_signed(by).min(self.moves.len());
        self.shown > before
    }
}

impl Panels {
    fn preview(&self, session: &Session) -> Option<&Preview> {
        self.preview.as_ref().filter(|preview| preview.spot == session.spot())
    }

    pub fn is_previewing(&self, session: &Session) -> bool {
        self.preview(session).is_some()
    }

    /// The position on the board, if it is one of a line.
    pub fn previewed(&self, session: &Session) -> Option<LinePosition> {
        let preview = self.preview(session)?;
        let (&mv, earlier) = preview.moves[..preview.shown].split_last()?;
        let before = earlier.iter().fold(*session.position(), |position, &mv| position.play(mv));
        Some(LinePosition { position: before.play(mv), before, mv })
    }

    /// Drops a line of another position.
    pub fn settle_preview(&mut self, session: &Session) {
        if !self.is_previewing(session) {
            self.preview = None;
        }
    }

    /// The line in words: the shown moves, then the others.
    pub fn preview_line(&self, session: &Session, room: u16, look: &Look) -> Option<Line<'static>> {
        let Preview { moves, shown, .. } = self.preview(session)?;
        let (shown, rest) = moves.split_at(*shown);
        let count = format!("Line {} of {}: ", shown.len(), moves.len());
        let mut left = room.saturating_sub(width(&count));
        let first = variation_text(session.position(), shown, left);
        left = left.saturating_sub(width(&first) + 1);
        let after = self.previewed(session)?.position;
        Some(Line::from(vec![
            look.span(Role::Dim, count),
            look.span(Role::Accent, first),
            look.span(Role::Dim, format!(" {}", marked_variation(&after, rest, left, look))),
        ]))
    }
}
