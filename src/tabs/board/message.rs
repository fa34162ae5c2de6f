//! What the Board is told: by other tabs, by its own dialogs, and of what came of its background tasks.

use mancalab_base::Error;
use std::path::PathBuf;

use super::Setup;
use super::file_dialogs::Chosen;
use super::game_file::{Held, Opened, Picked, Shelf};
use super::palette_items::Named;
use crate::app::effect;
use crate::game::record::NodeId;
use crate::player::Spec;

/// See the module.
pub(crate) enum Message {
    /// Begin a game.
    Start(Setup),
    /// Show a game.
    Show(Opened),
    /// A file was chosen in a dialog.
    File(Chosen),
    /// The game of this number was chosen from a collection.
    Game(usize),
    /// The person agreed that the files of this game's players are opened.
    OpenPlayers(u64),
    /// Something was chosen by its name in the palette.
    Named(Named),
    /// A comment was written on a position of this game.
    Comment { game: u64, node: NodeId, text: String },
    /// The person agreed that a move of this game is deleted, with all that follows it.
    Delete { game: u64, node: NodeId },
    /// Whether a game that was left is there to be loaded.
    Last(bool),
    /// The game that was on the board was kept, or why not; told in any case if that is news.
    Kept { result: Result<(), Error>, is_news: bool },
    /// This game was saved as it was at `version`.
    Saved { game: u64, version: u64, path: PathBuf, result: Result<(), Error> },
    /// This game was added to a collection as it was at `version`, and is the one of this number there.
    Added { game: u64, version: u64, path: PathBuf, result: Result<usize, Error> },
    /// A game was read from a file, or a collection.
    Read { origin: String, result: Result<Held, Error> },
    /// The same from a text that was pasted, whichever tab was in front.
    Pasted(Result<Held, Error>),
    /// A game of a collection was read.
    Picked { shelf: Shelf, result: Result<Picked, Error> },
    /// The players that are in files were opened, for this game.
    Players { game: u64, players: [Result<Spec, Error>; 2] },
}

impl effect::Message for Message {
    const SCOPE: &'static str = "board";
}
