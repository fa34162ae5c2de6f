//! The files of the board: where games are saved, the collection that is open, and what is saved of the game shown.

pub(super) mod agree;
pub(super) mod collection;
mod draft;
pub(super) mod files;
pub(super) mod following;
pub(super) mod game_file;
mod kept;
mod leaving;
mod load;
mod message;
pub(super) mod results;
pub(super) mod save;
pub(super) mod saved;
mod shelf;

use std::path::PathBuf;

use crate::game::Side;
use crate::game::record::Record;
use crate::results::{GameResult, MyLevels};
use crate::tabs::board::session::Session;
use draft::Draft;
use following::WatchedGame;
use game_file::Shelf;

pub(super) use message::LibraryMessage;

/// A game that is set aside while puzzles take its place.
pub(super) struct FormerGame {
    session: Session,
    /// As of the library.
    saved: u64,
    file: Option<PathBuf>,
    /// The number of the game in the open collection.
    of_shelf: Option<usize>,
}

/// The files of the game on the board and of others.
pub struct Library {
    /// The folder of saved games.
    pub games: Option<PathBuf>,
    /// The file that the game was saved to or loaded from, if saving there again loses nothing.
    pub file: Option<PathBuf>,
    /// The collection opened last, and its game on the board.
    pub shelf: Option<Shelf>,
    /// The record's version on disk; 0 for none.
    pub saved: u64,
    /// Unconfirmed players in files that the record names; humans replace them.
    pub strangers: Vec<(Side, String)>,
    /// Games are saved automatically.
    pub keeps: bool,
    /// The file of the game while it is played, the game and version written to it last, and whether writing has failed.
    pub draft: Draft,
    pub draft_failed: bool,
    pub drafted: Option<(u64, u64)>,
    /// The error of saving the game, when the user asked to quit.
    pub unsaved: Option<String>,
    /// The game and its version that were saved when the user asked to quit.
    pub autosaved: Option<(u64, u64)>,
    /// Its file.
    pub autosaved_file: Option<PathBuf>,
    /// The game whose result was logged last, with it.
    pub logged: Option<(u64, GameResult)>,
    pub my_levels: MyLevels,
    /// The game of another terminal that is watched.
    pub watched: Option<WatchedGame>,
    /// The game that comes back after puzzles.
    pub former: Option<FormerGame>,
}

impl Library {
    pub fn new(games: Option<PathBuf>) -> Library {
        Library {
            games,
            file: None,
            shelf: None,
            saved: 0,
            strangers: Vec::new(),
            keeps: true,
            draft: Draft::default(),
            draft_failed: false,
            drafted: None,
            unsaved: None,
            autosaved: None,
            autosaved_file: None,
            logged: None,
            my_levels: MyLevels::default(),
            watched: None,
            former: None,
        }
    }

    /// Returns whether the record has changed since it was saved.
    pub fn is_modified(&self, record: &Record) -> bool {
        record.version() != self.saved
    }

    /// Takes the game on the board, which puzzles replace.
    pub fn set_aside(&mut self, session: Session) {
        self.former = Some(FormerGame {
            session,
            saved: self.saved,
            file: self.file.take(),
            of_shelf: self.shelf.as_mut().and_then(|shelf| shelf.open.take()),
        });
    }

    /// Gives the game back that was set aside.
    pub fn put_back(&mut self) -> Option<Session> {
        let FormerGame { session, saved, file, of_shelf } = self.former.take()?;
        (self.saved, self.file) = (saved, file);
        if let Some(shelf) = &mut self.shelf {
            shelf.open = of_shelf;
        }
        Some(session)
    }
}
