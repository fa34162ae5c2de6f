//! Moves played after a draw by rule that neither player claimed.
//!
//! A record ends at such a draw. Later moves must be legal all the same; they are kept as text, in the comment on the
//! drawn position.

use crate::{Move, Position};

/// The moves after a draw, variations included.
#[derive(Default)]
pub(super) struct PlayedOn {
    /// Position after each move of the open variation and of the line that leads to it.
    line: Vec<Position>,
    /// All moves and comments as text.
    text: String,
}

/// State of the main moves while a variation is open.
pub(super) struct MainLine {
    plies: usize,
    position: Position,
}

impl PlayedOn {
    /// Whether there is a move after the draw.
    pub fn has_begun(&self) -> bool {
        !self.text.is_empty()
    }

    /// The position after the last move; `None` if that is the record's.
    pub fn position(&self) -> Option<&Position> {
        self.line.last()
    }

    /// Number of moves from the record's position to this one.
    pub fn plies(&self) -> u32 {
        self.line.len() as u32
    }

    /// Plays a legal move.
    pub fn play(&mut self, position: &Position, mv: Move) {
        self.tell(&position.move_text(mv));
        self.line.push(position.play(mv));
    }

    /// Appends a word; `!` and the like directly follow the move.
    pub fn tell(&mut self, word: &str) {
        let is_behind = word == ")" || word.chars().all(|c| c == '!' || c == '?');
        if !self.text.is_empty() && !self.text.ends_with('(') && !is_behind {
            self.text.push(' ');
        }
        self.text += word;
    }

    /// Starts a variation on the last move; `None` if there is none.
    pub fn open(&mut self) -> Option<MainLine> {
        let position = self.line.pop()?;
        self.tell("(");
        Some(MainLine { plies: self.line.len(), position })
    }

    /// Ends the variation and restores the state before it.
    pub fn close(&mut self, left: MainLine) {
        self.tell(")");
        self.line.truncate(left.plies);
        self.line.push(left.position);
    }

    /// Returns all text and resets; `None` if there are no moves.
    pub fn end(&mut self) -> Option<String> {
        self.line.clear();
        Some(std::mem::take(&mut self.text)).filter(|text| !text.is_empty()).map(|text| format!("played on: {text}"))
    }
}
