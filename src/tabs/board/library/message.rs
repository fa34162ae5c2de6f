//! The results of the library's dialogs and background tasks.

use std::path::PathBuf;

use mancalab_base::Error;

use super::following::FoundDraft;
use super::game_file::{FileContents, PartialGame, Shelf};
use super::save::FileAnswer;
use crate::player::Spec;
use crate::results::{GameResult, MyLevels};

/// A result for the Board.
pub enum LibraryMessage {
    /// A file was chosen in a dialog.
    File(FileAnswer),
    /// The result of the game was logged.
    Logged(Result<(), Error>),
    /// The draft of the watched game was looked for.
    FoundDraft(FoundDraft),
    /// The levels that follow the person's results, read at the start.
    MyLevels(MyLevels),
    /// The person's results were read.
    Results(Result<Vec<GameResult>, Error>),
    /// The game with this number of a collection was chosen.
    Game(usize),
    /// The user agreed to open the files of this game's players.
    OpenPlayers(u64),
    /// Whether an automatically saved game exists.
    Last(bool),
    /// The result of saving the game automatically; `is_news`: always shown.
    Kept { result: Result<(), Error>, is_news: bool },
    /// The draft of the game was written.
    Drafted(Result<(), Error>),
    /// This game was saved as of `version`.
    Saved { game: u64, version: u64, path: PathBuf, result: Result<(), Error> },
    /// This game was added to a collection as of `version`, with this number, without what it `loses`.
    Added { game: u64, version: u64, path: PathBuf, result: Result<usize, Error>, loses: Option<&'static str> },
    /// A game or a collection was read from a file.
    Read { origin: String, result: Result<FileContents, Error> },
    /// The same from pasted text, whichever tab is in front.
    Pasted(Result<FileContents, Error>),
    /// A game of a collection was read.
    Picked { shelf: Shelf, result: Result<PartialGame, Error> },
    /// The files of this game's players were opened.
    Players { game: u64, players: [Result<Spec, Error>; 2] },
}
