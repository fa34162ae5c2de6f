//! The entry of a move by the places that it names, typed, chosen or clicked one after another.

use super::naming::fitting;
use super::{Session, Spot};
use crate::game::{self, Place, Step};

/// Separators between the squares of a move.
pub const BETWEEN: &str = "xX- ";

/// The state of a move being entered.
#[derive(Default)]
pub struct Entry {
    /// The position of the move.
    spot: Option<Spot>,
    /// The places named so far.
    named: Vec<Place>,
    /// The beginning of the next place's name.
    typed: String,
    /// The last typed place, if it was refused: what follows of the same move is not a command.
    refused: Option<Place>,
    /// Digits typed after it.
    skipped: Option<String>,
    /// The square or the pit of the cursor, which stays from move to move; `None` until it is used.
    pub cursor: Option<u8>,
}

impl Entry {
    /// Takes the beginning of a place's name.
    pub fn take_text(&mut self, text: String) {
        self.typed = text;
    }

    /// Returns whether a name was begun, in any position.
    pub fn has_typed(&self) -> bool {
        !self.typed.is_empty()
    }

    /// Takes the places named so far.
    pub fn take_places(&mut self, named: Vec<Place>) {
        self.named = named;
    }

    /// Ends a typed name, and skips what follows if its place was refused.
    pub fn refuse(&mut self, place: Option<Place>) {
        self.refused = place;
    }

    pub fn clear(&mut self) {
        self.named.clear();
        self.typed.clear();
        (self.refused, self.skipped) = (None, None);
    }

    /// The places named so far, for the position on screen.
    pub fn named(&self, session: &Session) -> &[Place] {
        if self.is_current(session) { &self.named } else { &[] }
    }

    pub fn typed(&self, session: &Session) -> &str {
        if self.is_current(session) { &self.typed } else { "" }
    }

    pub fn is_current(&self, session: &Session) -> bool {
        self.spot == Some(session.spot())
    }

    /// The possible next places.
    pub fn next_places(&self, session: &Session) -> Vec<Place> {
        let named = self.named(session);
        let mut places: Vec<Place> = Vec::new();
        for (_, route) in fitting(session.position(), named) {
            let next = route.get(named.len()).copied();
            places.extend(next.filter(|next| !places.contains(next)));
        }
        places
    }

    /// The board during entry: the moving piece at its last place, without the pieces captured so far.
    pub fn begun_board(&self, session: &Session) -> Option<game::Board> {
        let named = self.named(session);
        let position = session.position();
        let (mv, _) = fitting(position, named).into_iter().next().filter(|_| named.len() > 1)?;
        let trace = position.trace(mv);
        let dropped = |steps: &[Step]| steps.iter().filter(|step| matches!(step, Step::Drop(_))).count();
        let until = (0..=trace.steps.len()).rev().find(|&end| dropped(&trace.steps[..end]) < named.len())?;
        // Lifts the piece before it is placed again.
        let lifts = trace.steps[..until].iter().rev().take_while(|step| matches!(step, Step::Lift(_))).count();
        Some(trace.at(&position.board(), until - lifts))
    }

    /// The entry for display: `c3 d_`; `None` if nothing was entered.
    pub fn text(&self, session: &Session) -> Option<String> {
        let board = session.position().board();
        let mut words: Vec<String> = self.named(session).iter().map(|&place| board.name(place)).collect();
        if !self.typed(session).is_empty() {
            words.push(format!("{}_", self.typed(session)));
        }
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// Returns whether an entry was begun, or was refused and its rest is skipped.
    pub fn is_entering(&self, session: &Session) -> bool {
        self.text(session).is_some() || self.refused(session).is_some()
    }

    /// Removes the last typed character or named place; false if nothing was entered.
    pub fn take_back(&mut self, session: &Session) -> bool {
        self.is_current(session) && (self.typed.pop().is_some() || self.named.pop().is_some())
    }

    /// Drops an entry that was made for another position.
    pub fn begin(&mut self, session: &Session) {
        if !self.is_current(session) {
            self.clear();
            self.spot = Some(session.spot());
        }
    }

    /// The typed number, if no move begins there.
    pub fn refused(&self, session: &Session) -> Option<Place> {
        self.refused.filter(|_| self.is_current(session))
    }

    /// Skips the rest of a move after a refused place: a separator, and a number after each.
    pub fn skips(&mut self, session: &Session, c: char) -> bool {
        if BETWEEN.contains(c) {
            self.skipped = Some(String::new());
            return true;
        }
        let Some(longer) = self.skipped.take().map(|skipped| format!("{skipped}{c}")) else {
            self.refused = None;
            return false;
        };
        let begun = session.begun_by(&longer).len();
        if begun > 1 {
            self.skipped = Some(longer);
        }
        if begun == 0 {
            self.refused = None;
        }
        begun > 0
    }
}

impl Session {
    /// The places whose names begin so.
    pub fn begun_by(&self, text: &str) -> Vec<Place> {
        let board = self.position().board();
        let text = text.to_ascii_lowercase();
        board.places().into_iter().filter(|&place| board.name(place).starts_with(&text)).collect()
    }

    pub fn begins_a_name(&self, text: &str) -> bool {
        !self.begun_by(text).is_empty()
    }

    /// The place with this name.
    pub fn called(&self, text: &str) -> Option<Place> {
        let board = self.position().board();
        self.begun_by(text).into_iter().find(|&place| !text.is_empty() && board.name(place) == text)
    }
}
