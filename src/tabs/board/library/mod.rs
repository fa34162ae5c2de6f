//! The files of the board: where games are saved, the collection that is open, and what is saved of the game shown.

pub(super) mod agree;
pub(super) mod collection;
pub(super) mod draft;
pub(super) mod following;
pub(super) mod game_file;
pub(super) mod kept;
pub(super) mod load;
pub(super) mod save;
pub(super) mod saved;
mod saved_row;
mod shelf;

use std::path::PathBuf;

use crate::game::Side;
use crate::game::record::Record;
use crate::results::{GameResult, MyLevels};
use crate::tabs::board::practice::grading::Cards;
use crate::tabs::board::set_aside::FormerGame;
use draft::Draft;
use following::WatchedGame;
use game_file::Shelf;

/// The files of the game on the board and of others.
pub(in crate::tabs::board) struct Library {
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
    /// The cards of puzzles.
    pub cards: Cards,
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
            cards: Cards::default(),
        }
    }

    /// Returns whether the record has changed since it was saved.
    pub fn is_modified(&self, record: &Record) -> bool {
        record.version() != self.saved
    }
}
