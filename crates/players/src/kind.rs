//! What a kind of player is: its settings as a text, and the player that they make.

use mancalab_base::Error;
use std::fmt;
use std::sync::Arc;

use super::Built;
use super::network::GameNetwork;
use crate::game::{Move, Position, Variant};
use crate::pool::Pool;
use crate::search::{SearchHints, Ties};

/// (form, description) for help and error messages; each form begins with the kind's name.
pub(crate) type Forms = &'static [(&'static str, &'static str)];

/// The size of a player's search for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Effort {
    /// Plies.
    pub depth: u32,
    /// Playouts.
    pub iterations: u32,
    /// The search ends with its clock or with the game only.
    pub is_open: bool,
    /// Threads of its own; guests may not have more than 1.
    pub threads: u32,
}

impl Effort {
    pub fn of_depth(depth: u32) -> Effort {
        Effort { depth, ..Effort::default() }
    }
}

/// The settings of one kind of player. `Display` gives the text that parses to the same.
pub(crate) trait PlayerKind: fmt::Display {
    /// Builds the player, with this thread pool.
    fn build<G: SearchHints>(&self, pool: &Pool) -> Built<G>;

    /// Returns a short description.
    fn about(&self) -> String;

    /// See `Spec::contents`.
    fn contents(&self) -> Option<String> {
        None
    }

    /// Returns the player's network.
    fn network(&self) -> Option<&Arc<GameNetwork>> {
        None
    }

    /// Checks these rules, for a game that the player knows.
    fn check_rules(&self, variant: &Variant) -> Result<(), Error> {
        self.network().map_or(Ok(()), |network| network.check_plays(&self.to_string(), variant))
    }

    /// Sets the choice among equally good moves, if the player makes one.
    fn set_ties(&mut self, _ties: Ties) {}

    /// See `Spec::is_timed`.
    fn is_timed(&self) -> bool {
        false
    }

    /// Returns the size of its search.
    fn effort(&self) -> Effort {
        Effort::default()
    }

    /// See `Spec::is_deterministic`.
    fn is_deterministic(&self) -> bool {
        false
    }

    /// See `Spec::impurity`.
    fn impurity(&self) -> Option<[&'static str; 2]> {
        self.is_timed().then_some(["against the clock", "leave out ms= and clock="])
    }

    /// See `Spec::explanation`.
    fn explanation(&self, _before: Position, _mv: Move, _ply: u32, _seed: u64) -> Option<String> {
        None
    }
}

/// The parsed text of a player's settings, before the file that it names is opened.
pub struct Unread<T> {
    file: Option<(String, &'static str)>,
    is_command: bool,
    load: Load<T>,
}

type Load<T> = Box<dyn FnOnce() -> Result<T, Error>>;

impl<T: 'static> Unread<T> {
    /// A player without a file.
    pub(crate) fn ready(settings: T) -> Unread<T> {
        Unread { file: None, is_command: false, load: Box::new(|| Ok(settings)) }
    }

    /// A player whose turns run a command.
    pub(crate) fn command(settings: T) -> Unread<T> {
        Unread { is_command: true, ..Unread::ready(settings) }
    }

    /// A player with a file of this name, which `load` opens; `what` names its content, such as `weights`, or is empty.
    pub(crate) fn in_file(
        file: Option<String>,
        what: &'static str,
        load: impl FnOnce() -> Result<T, Error> + 'static,
    ) -> Unread<T> {
        Unread { file: file.map(|name| (name, what)), is_command: false, load: Box::new(load) }
    }

    /// Converts the settings, once they are loaded.
    pub(crate) fn map<U>(self, make: impl FnOnce(T) -> U + 'static) -> Unread<U> {
        let Unread { file, is_command, load } = self;
        Unread { file, is_command, load: Box::new(|| load().map(make)) }
    }

    /// Returns the name of the file that [`load`](Unread::load) opens.
    pub fn file(&self) -> Option<&str> {
        self.file.as_ref().map(|(name, _)| name.as_str())
    }

    /// Returns what the file holds, which may be empty; `None` without a file.
    pub(crate) fn content(&self) -> Option<&'static str> {
        self.file.as_ref().map(|(_, what)| *what)
    }

    /// Returns whether the player's turns run a command.
    pub fn is_command(&self) -> bool {
        self.is_command
    }

    /// Returns whether the player needs the user's agreement if a file names it: it opens a file or runs a command.
    pub fn needs_agreement(&self) -> bool {
        self.file.is_some() || self.is_command
    }

    /// Loads the settings with the content of their file.
    ///
    /// # Errors
    /// The file cannot be read or is invalid: its name, and the place in it.
    pub fn load(self) -> Result<T, Error> {
        (self.load)()
    }
}
