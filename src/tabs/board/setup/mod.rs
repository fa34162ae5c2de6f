//! The initial state of the tab, and the setup of a new game.

pub(super) mod new_game;
mod picker;

use std::path::PathBuf;

use crate::config;
use crate::game::checkers::ballots::ballots;
use crate::game::record::Record;
use crate::game::{Position, Variant};
use crate::player::Spec;
use crate::player::offers::Opponent;
use crate::tabs::board::library::game_file::FileContents;
use crate::tabs::board::practice::puzzles::Mistakes;
use crate::tabs::board::session::clock::TimeControl;

/// The initial state of the tab.
#[derive(Clone, Debug)]
pub struct Settings {
    pub setup: Setup,
    /// The position that a new game begins with; `None`: the game's usual start.
    pub start: Option<Position>,
    /// A game to open instead of a new one, or a collection to choose from.
    pub opened: Option<FileContents>,
    /// The first start: a game and a level are chosen first.
    pub welcomes: bool,
    /// The day's puzzles from these mistakes are shown.
    pub puzzles: Option<Mistakes>,
    /// The folder of saved games; `None` if the system has no home directory.
    pub games: Option<PathBuf>,
    /// The game is played by lines: no dialog opens, and the players of an opened game play on.
    pub by_lines: bool,
    /// The game of another terminal is watched.
    pub follows: bool,
}

impl Settings {
    /// Begins with a new game.
    pub fn new(setup: Setup, games: Option<PathBuf>) -> Settings {
        Settings {
            setup,
            start: None,
            opened: None,
            welcomes: false,
            puzzles: None,
            games,
            by_lines: false,
            follows: false,
        }
    }
}

/// The setup of a new game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    pub variant: Variant,
    /// `[south, north]`.
    pub players: [Opponent; 2],
    /// `None`: a new one for each game.
    pub seed: Option<u64>,
    /// The ballot whose moves begin each game of checkers, from 1.
    pub ballot: Option<usize>,
    /// The clock of each game.
    pub clock: Option<TimeControl>,
}

impl Setup {
    /// A game of these players without a clock, from the usual start, with a new seed each time.
    pub fn new(variant: Variant, players: [Opponent; 2]) -> Setup {
        Setup { variant, players, seed: None, ballot: None, clock: None }
    }

    pub fn from_config(settings: &config::Board) -> Setup {
        Setup::new(settings.game, [settings.south.clone(), settings.north.clone()])
    }

    /// The players in this game.
    pub fn specs(&self) -> [Spec; 2] {
        self.players.each_ref().map(|player| player.player(&self.variant))
    }

    /// The record of a game from this position, after the moves of its ballot.
    pub fn record(&self, start: Position, seed: u64) -> Record {
        let names = self.specs().map(|spec| spec.to_string());
        let mut record = Record::from_position(self.variant, start, names, Some(seed));
        let has_ballot = matches!(self.variant, Variant::Checkers(_)) && start == self.variant.start();
        let ballot = self.ballot.filter(|_| has_ballot).and_then(|number| ballots().get(number - 1));
        for &mv in ballot.into_iter().flatten() {
            record.play(mv);
        }
        record
    }
}

/// A choice in the dialog of new games.
pub(super) enum SetupMessage {
    /// A game and its players: start it, and remember them.
    Chosen(Setup),
    /// Other players take the seats of this game.
    PlayOn { game: u64, setup: Setup },
}
