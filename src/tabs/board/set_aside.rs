//! The game on the board while puzzles take its place: it comes back when they end, and is saved if another game or the end of the
//! program comes first.

use std::path::PathBuf;

use super::Board;
use super::panels::review::Review;
use super::session::Session;
use crate::app::effect::Context;

/// A game that is set aside.
pub(super) struct FormerGame {
    pub session: Session,
    review: Review,
    /// See [`Library`](super::library::Library).
    pub saved: u64,
    file: Option<PathBuf>,
    /// The number of the game in the open collection.
    of_shelf: Option<usize>,
}

impl Board {
    /// Sets the game on the board aside, unless one is.
    pub(super) fn set_aside(&mut self, cx: &mut Context) {
        if self.library.former.is_some() {
            return;
        }
        self.stop_review(cx);
        self.pause_clocks(cx.now);
        let Session { record, players, seed, game, .. } = &self.session;
        let place = Session { game: *game, ..Session::new(record.clone(), players.clone(), *seed) };
        self.library.former = Some(FormerGame {
            session: std::mem::replace(&mut self.session, place),
            review: std::mem::take(&mut self.panels.review),
            saved: self.library.saved,
            file: self.library.file.take(),
            of_shelf: self.library.shelf.as_mut().and_then(|shelf| shelf.open.take()),
        });
    }

    /// Puts the game back; false if none is set aside.
    pub(super) fn put_back(&mut self, cx: &mut Context) -> bool {
        let Some(FormerGame { session, review, saved, file, of_shelf }) = self.library.former.take() else {
            return false;
        };
        self.stop_review(cx);
        self.edit = None;
        self.session = session;
        self.panels.review = review;
        (self.library.saved, self.library.file) = (saved, file);
        if let Some(shelf) = &mut self.library.shelf {
            shelf.open = of_shelf;
        }
        self.show_now(cx);
        true
    }
}
