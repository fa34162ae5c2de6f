//! What was played on behind a draw that the rules give and nobody claimed.
//!
//! A record ends at such a draw. What people played on must be legal all the same; it is kept in words, in the comment on the position in
//! which the game was drawn.

use crate::{Move, Position};

/// The moves behind a draw, variations among them.
#[derive(Default)]
pub(super) struct PlayedOn {
    /// The position after each move, of the variation that is open and of what led to it.
    line: Vec<Position>,
    /// All moves as words, with what is said of them.
    told: String,
}

/// Where the moves go on behind a variation.
pub(super) struct Left {
    plies: usize,
    position: Position,
}

impl PlayedOn {
    /// There is a move behind the draw.
    pub fn has_begun(&self) -> bool {
        !self.told.is_empty()
    }

    /// The position after the last move; `None` where that is the record's.
    pub fn position(&self) -> Option<&Position> {
        self.line.last()
    }

    /// Moves from the record's position to this one.
    pub fn plies(&self) -> u32 {
        self.line.len() as u32
    }

    /// Makes a legal move.
    pub fn play(&mut self, position: &Position, mv: Move) {
        self.tell(&position.move_text(mv));
        self.line.push(position.play(mv));
    }

    /// Keeps what is said; `!` and the like stand right behind the move.
    pub fn tell(&mut self, word: &str) {
        let is_behind = word == ")" || word.chars().all(|c| c == '!' || c == '?');
        if !self.told.is_empty() && !self.told.ends_with('(') && !is_behind {
            self.told.push(' ');
        }
        self.told += word;
    }

    /// Begins a variation on the last move; `None` if there is none.
    pub fn open(&mut self) -> Option<Left> {
        let position = self.line.pop()?;
        self.tell("(");
        Some(Left { plies: self.line.len(), position })
    }

    /// Ends the variation that left the moves there.
    pub fn close(&mut self, left: Left) {
        self.tell(")");
        self.line.truncate(left.plies);
        self.line.push(left.position);
    }

    /// Everything in words, to begin anew; `None` if nothing was played on.
    pub fn end(&mut self) -> Option<String> {
        self.line.clear();
        Some(std::mem::take(&mut self.told)).filter(|told| !told.is_empty()).map(|told| format!("played on: {told}"))
    }
}
