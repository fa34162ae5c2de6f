//! Typed moves on squares, character by character: names while they may continue, and separators.

use super::Board;
use crate::app::effect::{Context, Tone};
use crate::game::Place;

/// Separators between the squares of a move.
pub(super) const BETWEEN: &str = "xX- ";

impl Board {
    /// The places whose names begin so.
    fn begun_by(&self, text: &str) -> Vec<Place> {
        let board = self.session.position().board();
        let text = text.to_ascii_lowercase();
        board.places().into_iter().filter(|&place| board.name(place).starts_with(&text)).collect()
    }

    pub(super) fn begins_a_name(&self, text: &str) -> bool {
        !self.begun_by(text).is_empty()
    }

    /// The place with this name.
    fn called(&self, text: &str) -> Option<Place> {
        let board = self.session.position().board();
        self.begun_by(text).into_iter().find(|&place| !text.is_empty() && board.name(place) == text)
    }

    /// Takes a character of a square's name; false if no name fits.
    pub(in crate::tabs::board) fn type_name(&mut self, c: char, cx: &mut Context) -> bool {
        if !self.on_squares() || self.edit.is_some() {
            return false;
        }
        if let Some(place) = self.refused()
            && self.skips(c)
        {
            // The error stays readable.
            cx.notice(Tone::Bad, self.why_not(place, self.session.position().side()));
            return true;
        }
        let longer = format!("{}{}", self.typed(), c.to_ascii_lowercase());
        if self.by_numbers() && !self.begins_a_name(&longer) {
            // The typed number was complete, and the next one begins.
            self.name_typed(cx);
            if BETWEEN.contains(c) {
                return true;
            }
        }
        // A second letter starts a new name.
        let longer = format!("{}{}", self.typed(), c.to_ascii_lowercase());
        let anew = c.to_ascii_lowercase().to_string();
        let Some(text) = [longer, anew].into_iter().find(|text| self.begins_a_name(text)) else { return false };
        self.begin_entry();
        let is_whole = self.begun_by(&text).len() == 1 && self.called(&text).is_some();
        self.entry.typed = text;
        if is_whole {
            self.name_typed(cx);
        }
        true
    }

    /// Names the typed place; returns whether it exists.
    pub(super) fn name_typed(&mut self, cx: &mut Context) -> bool {
        let Some(place) = self.called(self.typed()) else { return false };
        self.entry.typed.clear();
        let before = self.session.spot();
        self.name_place(place, cx);
        let is_refused = self.by_numbers() && self.session.spot() == before && self.named().is_empty();
        self.entry.refused = Some(place).filter(|_| is_refused);
        true
    }

    /// The typed number, if no move begins there.
    pub(super) fn refused(&self) -> Option<Place> {
        self.entry.refused.filter(|_| self.is_entry_current())
    }

    /// Skips the rest of a move after a refused place: a separator, and a number after each.
    fn skips(&mut self, c: char) -> bool {
        if BETWEEN.contains(c) {
            self.entry.skipped = Some(String::new());
            return true;
        }
        let Some(longer) = self.entry.skipped.take().map(|skipped| format!("{skipped}{c}")) else {
            self.entry.refused = None;
            return false;
        };
        let begun = self.begun_by(&longer).len();
        if begun > 1 {
            self.entry.skipped = Some(longer);
        }
        if begun == 0 {
            self.entry.refused = None;
        }
        begun > 0
    }
}
