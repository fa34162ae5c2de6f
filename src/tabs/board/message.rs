//! Messages to the Board: from other tabs, its dialogs, and its background tasks.

use mancalab_base::Error;
use std::path::PathBuf;

use super::Spot;
use super::library::following::FoundDraft;
use super::library::game_file::{FileContents, OpenedGame, PartialGame, Shelf};
use super::library::save::FileAnswer;
use super::palette_items::PaletteEntry;
use super::practice::grading::Asked;
use super::setup::Setup;
use crate::app::effect;
use crate::game::record::NodeId;
use crate::openings::Answer;
use crate::player::Spec;
use crate::results::{GameResult, MyLevels};
use crate::tables::endgame::checkers::Value;

/// A message to the Board.
pub(crate) enum Message {
    /// A game and its players were chosen in a dialog: start it, and remember them.
    Chosen(Setup),
    /// Start a game.
    Start(Setup),
    /// Show a game.
    Show(OpenedGame),
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
    /// The puzzles of the saved games and their cards.
    Puzzles(Result<Asked, Error>),
    /// The cards were written.
    Graded(Result<(), Error>),
    /// The game with this number of a collection was chosen.
    Game(usize),
    /// The user agreed to open the files of this game's players.
    OpenPlayers(u64),
    /// An entry of the palette was chosen.
    Named(PaletteEntry),
    /// A comment on a position of this game was entered.
    Comment { game: u64, node: NodeId, text: String },
    /// The user confirmed deleting a move of this game with all that follows.
    Delete { game: u64, node: NodeId },
    /// The user confirmed resigning this game.
    Resign(u64),
    /// Other players take the seats of this game.
    PlayOn { game: u64, setup: Setup },
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
    /// The value of a position was read from an endgame table.
    TableValue { spot: Spot, value: Option<Value> },
    /// The moves that were played in a position were read.
    Explored { request: u64, spot: Spot, result: Result<Answer, Error> },
    /// The files of this game's players were opened.
    Players { game: u64, players: [Result<Spec, Error>; 2] },
}

impl effect::Message for Message {
    const SCOPE: &'static str = "board";
}
