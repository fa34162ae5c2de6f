//! The game on the board: its record and players, and whether moves come by themselves.

pub(super) mod casual;
pub(crate) mod clock;
pub(super) mod timing;

use std::time::{Duration, Instant};

use crate::game::record::{DeletedVariation, NodeId, Record};
use crate::game::{self, Position, Side};
use crate::player::Spec;
use crate::player::levels::Level;
use crate::tabs::board::Spot;
use casual::Reason;
use clock::GameClock;
use timing::Stopwatch;

/// What happens at the position shown. A game is played after a move just made, or when the user resumes it; loading a game or
/// stepping through it only views it, and pauses the computer players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::tabs::board) enum Mode {
    /// No move follows by itself.
    Viewed,
    /// The known moves follow by themselves.
    Replayed,
    /// A computer player answers a person, even if a next move is known.
    Played,
    /// The same, and a computer player makes one move against another.
    OneMove,
    /// Computer players play on against each other.
    Autoplayed,
}

impl Mode {
    /// Returns whether the game is played, not viewed.
    pub fn is_live(self) -> bool {
        matches!(self, Mode::Played | Mode::OneMove | Mode::Autoplayed)
    }

    /// Returns whether moves follow without a key.
    pub fn is_automatic(self) -> bool {
        matches!(self, Mode::Replayed | Mode::Autoplayed)
    }

    /// Ends autoplay.
    pub fn stop(&mut self) {
        *self = match *self {
            Mode::Replayed => Mode::Viewed,
            Mode::Autoplayed => Mode::Played,
            other => other,
        };
    }

    /// Withdraws the request of one move.
    pub fn withdraw(&mut self) {
        if *self == Mode::OneMove {
            *self = Mode::Played;
        }
    }

    /// Continues the game, after a move was made.
    pub fn resume(&mut self) {
        *self = if self.is_automatic() { Mode::Autoplayed } else { Mode::Played };
    }
}

/// The game on the board.
pub(in crate::tabs::board) struct Session {
    pub record: Record,
    /// The number of this game: that of games on the board before it.
    pub game: u64,
    pub players: [Spec; 2],
    /// Determines all random choices in the game.
    pub seed: u64,
    pub mode: Mode,
    /// The position of the last undone move: the next move made there becomes the main line.
    pub taken_back: Option<NodeId>,
    /// The variation deleted last, and its game.
    pub deleted: Option<(u64, DeletedVariation)>,
    /// The game that began here last, from the usual start.
    pub begun: Option<u64>,
    /// The game from a file or another position that a move has continued last.
    pub continued: Option<u64>,
    /// What was used in a game before its first move.
    pub early_help: Vec<(u64, Reason)>,
    pub clock: Option<GameClock>,
    /// The position in which the last move was made, and its time, until the record has it.
    pub measured: Option<(Position, Duration)>,
    pub stopwatch: Stopwatch,
    /// The time of the last tick, which the clock shows.
    pub seen: Instant,
}

impl Session {
    pub fn new(record: Record, players: [Spec; 2], seed: u64) -> Session {
        Session {
            record,
            game: 0,
            players,
            seed,
            mode: Mode::Played,
            taken_back: None,
            deleted: None,
            begun: None,
            continued: None,
            early_help: Vec::new(),
            clock: None,
            measured: None,
            stopwatch: Stopwatch::default(),
            seen: Instant::now(),
        }
    }

    pub fn spot(&self) -> Spot {
        Spot { game: self.game, node: self.record.at() }
    }

    pub fn position(&self) -> &Position {
        self.record.position()
    }

    /// Returns the name of a side in this game.
    pub fn seat_name(&self, side: Side) -> &'static str {
        self.record.variant.seats()[side.index()]
    }

    /// Returns the name of a side's player in a sentence: its level in a person's game, or its text.
    pub fn player_name(&self, side: Side) -> String {
        let text = self.players[side.index()].to_string();
        if self.has_human() { Level::name(&text, &self.record.variant).to_owned() } else { text }
    }

    pub fn is_human(&self, side: Side) -> bool {
        self.players[side.index()].is_human()
    }

    pub fn has_human(&self) -> bool {
        Side::BOTH.into_iter().any(|side| self.is_human(side))
    }

    /// Returns whether the game is over at the current position.
    pub fn is_over(&self) -> bool {
        self.record.ending().is_some()
    }

    /// Lets the players play on from here, computer players by themselves.
    pub fn play_on(&mut self) {
        self.mode = if self.has_human() { Mode::Played } else { Mode::Autoplayed };
    }

    /// Returns the pits of a side; 0 on a board of squares.
    pub fn pits(&self) -> u8 {
        match self.position().board() {
            game::Board::Pits(board) => board.pits_a_side() as u8,
            game::Board::Squares(_) => 0,
        }
    }

    /// Returns the name of the pit keys in the footer and help.
    pub fn pit_keys(&self) -> String {
        format!("A-{}", char::from((b'A' + self.pits()).saturating_sub(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_changes_only_in_what_is_asked() {
        let after = |change: fn(&mut Mode)| {
            [Mode::Viewed, Mode::Replayed, Mode::Played, Mode::OneMove, Mode::Autoplayed].map(|mut mode| {
                change(&mut mode);
                mode
            })
        };
        assert_eq!(after(Mode::stop), [Mode::Viewed, Mode::Viewed, Mode::Played, Mode::OneMove, Mode::Played]);
        assert_eq!(after(Mode::withdraw), [Mode::Viewed, Mode::Replayed, Mode::Played, Mode::Played, Mode::Autoplayed]);
        let resumed = after(Mode::resume);
        assert_eq!(resumed, [Mode::Played, Mode::Autoplayed, Mode::Played, Mode::Played, Mode::Autoplayed]);
        assert!(resumed.into_iter().all(Mode::is_live));
        assert_eq!(after(|_| ()).map(Mode::is_automatic), [false, true, false, false, true]);
    }
}
