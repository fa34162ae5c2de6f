//! The open collection: its list, stepping through its games, and the game on the board.

use super::collection::Games;
use super::game_file::{PartialGame, Shelf};
use super::{Library, LibraryMessage};
use crate::app::effect::{Context, Tone};
use crate::tabs::board::session::Session;

impl Library {
    pub fn has_collection(&self) -> bool {
        self.shelf.is_some()
    }

    /// Returns whether the game on the board belongs to it.
    pub fn is_of_collection(&self) -> bool {
        self.shelf.as_ref().is_some_and(|shelf| shelf.open.is_some())
    }

    /// Lists the games of the collection opened last.
    pub fn open_collection(&mut self, session: &Session, cx: &mut Context) {
        match &self.shelf {
            Some(shelf) => cx.open(Games::new(shelf.clone(), session.record.variant)),
            None => cx.notice(Tone::Info, "No collection is open (l: load, such as FILE.pdn)"),
        }
    }

    /// Opens the game `by` places after the one on the board.
    pub fn next_game(&mut self, session: &Session, by: isize, cx: &mut Context) {
        let Some(shelf) = &self.shelf else { return self.open_collection(session, cx) };
        let count = shelf.games.len();
        let next = match shelf.open {
            None => Some(0),
            Some(index) => index.checked_add_signed(by).filter(|&index| index < count),
        };
        match next {
            Some(index) => self.open_from(session, index, by, cx),
            None => cx.notice(Tone::Info, format!("There are no more games; {} has {count}", shelf.name)),
        }
    }

    pub fn open_game(&self, session: &Session, index: usize, cx: &mut Context) {
        self.open_from(session, index, 0, cx);
    }

    /// Opens a game, or if it is unreadable the next readable one in steps of `by`, and reports the first error.
    fn open_from(&self, session: &Session, index: usize, by: isize, cx: &mut Context) {
        let Some(shelf) = self.shelf.clone() else { return };
        let variant = session.record.variant;
        cx.wait_for(move || {
            let mut at = index;
            let mut skipped = None;
            loop {
                let result = shelf.read(at, variant);
                let further = at.checked_add_signed(by).filter(|&next| next != at && next < shelf.games.len());
                match (result, further) {
                    (Err(reason), Some(next)) => {
                        skipped.get_or_insert(reason.to_string());
                        at = next;
                    }
                    (Ok(picked), _) => {
                        let picked = PartialGame { broken: skipped.or(picked.broken), ..picked };
                        return LibraryMessage::Picked { shelf: Shelf { open: Some(at), ..shelf }, result: Ok(picked) };
                    }
                    (Err(reason), None) => {
                        return LibraryMessage::Picked {
                            shelf: Shelf { open: Some(index), ..shelf },
                            result: Err(skipped.unwrap_or(reason.to_string()).into()),
                        };
                    }
                }
            }
        });
    }

    /// `game 3 of 200`, if it is on the board.
    pub fn shelf_text(&self) -> Option<String> {
        let shelf = self.shelf.as_ref()?;
        let count = shelf.games.len();
        shelf.open.filter(|_| count > 1).map(|index| format!("game {} of {count}", index + 1))
    }

    /// Detaches the game on the board from the open collection.
    pub fn leave_shelf(&mut self) {
        if let Some(shelf) = &mut self.shelf {
            shelf.open = None;
        }
    }
}
