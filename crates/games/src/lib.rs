#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! [`Game`] has the rules, for search and self-play. It is built for speed: positions are small and `Copy`, moves are
//! numbers, nothing allocates. [`BoardGame`] adds what a user interface needs: names, the board as counts or pieces,
//! moves as lists of places, and the steps of a move. [`registry`] lists the games once and provides one [`Position`]
//! type for all of them.

#[cfg(test)]
use mancalab_base::rng;
use mancalab_base::sanitize;

// First, because the modules below use its `with_position!`.
#[macro_use]
pub mod registry;

mod bits;
pub mod board;
pub mod board_game;
pub mod checkers;
pub mod history;
pub mod kalah;
pub mod notation;
pub mod othello;
pub mod perft;
pub mod planes;
pub mod record;
pub mod referee;
pub mod sowing;
pub mod text;

use std::fmt;
use std::hash::Hash;

pub use board::{Board, Ground, Piece, PitBoard, Place, Squares, Step, Trace};
pub use board_game::{Bare, BoardGame, Choice, Notation, Transcript};
pub use history::History;
pub use planes::Planes;
pub use referee::{Ending, GameState, Outcome};
pub use registry::{Position, Variant};
pub use text::TextError;

/// One of the two players, named by the seat: South sits at the bottom of the board and moves first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    South,
    North,
}

impl Side {
    pub const BOTH: [Side; 2] = [Side::South, Side::North];

    pub fn other(self) -> Side {
        match self {
            Side::South => Side::North,
            Side::North => Side::South,
        }
    }

    /// 0 for South, 1 for North; an index into per-side arrays.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The side's letter in texts, `S` or `N`.
    pub fn letter(self) -> char {
        match self {
            Side::South => 'S',
            Side::North => 'N',
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::South => "South",
            Side::North => "North",
        })
    }
}

/// Number of a move within its game. In Kalah this is the pit, counted from the mover's left, from 0. Two bytes,
/// because a game may have several moves between the same two squares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Move(pub u16);

impl Move {
    /// Placeholder for "no move"; never a legal move.
    pub const NONE: Move = Move(u16::MAX);

    /// The number, as an index into per-move arrays.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<u8> for Move {
    #[inline]
    fn from(number: u8) -> Move {
        Move(number.into())
    }
}

/// The best margin after one move, or a bound of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Horizon {
    /// If at least `beta`: a lower bound of the best margin. If below `beta`: an upper bound.
    pub best: i32,
    /// Positions visited.
    pub visited: u32,
    /// The bound holds at any search depth, because it rests on finished games only.
    pub solved: bool,
}

/// A two-player game of perfect information, as search and self-play use it.
///
/// One [`play`](Game::play) is one ply, also when the same side moves again.
pub trait Game: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// Whether a rule depends on earlier positions.
    const USES_HISTORY: bool = false;

    /// Plies after which the game is ended. `None` if every game ends by itself.
    const MOST_PLIES: Option<u32> = None;

    /// Margin of a won game, in games where only winning counts; larger than any margin during the game. `None` if the
    /// final margin is the score.
    const WIN_SCORE: Option<i32> = None;

    /// The legal moves in canonical order (Kalah: left to right); at most 256.
    type Moves: Iterator<Item = Move> + Clone;

    /// Everything that decides the rest of the game, independent of which side is South and of what is already banked.
    /// Positions with equal keys have the same legal moves and the same gains to come.
    type Key: Copy + Eq + Hash + fmt::Debug + Send + Sync + 'static;

    /// The side to move. Meaningless once the game is over.
    fn side(&self) -> Side;

    fn is_over(&self) -> bool;

    /// The legal moves. Empty exactly when the game is over.
    fn moves(&self) -> Self::Moves;

    /// The position after a legal move. An illegal move gives an unspecified position; debug builds check.
    fn play(&self, mv: Move) -> Self;

    /// Points that `side` has banked minus those of the other side; final once the game is over.
    fn margin(&self, side: Side) -> i32;

    /// Result of the game for `side`, when no moves are left.
    #[inline]
    fn outcome(&self, side: Side) -> Outcome {
        Outcome::from_margin(self.margin(side))
    }

    /// The mover's score after `mv`, in the game's unit: what a greedy player maximizes.
    #[inline]
    fn gain(&self, mv: Move) -> i32 {
        self.play(mv).margin(self.side())
    }

    /// Whether no earlier position can recur after `mv`.
    fn is_irreversible(&self, _mv: Move) -> bool {
        true
    }

    /// The history-dependent rule that ends the game here, in a few words. Only called if
    /// [`USES_HISTORY`](Game::USES_HISTORY).
    fn ruling(&self, _history: &History<Self>) -> Option<&'static str> {
        None
    }

    /// `side`'s margin if the game is ended here although legal moves exist, by a history-dependent rule or by
    /// [`MOST_PLIES`](Game::MOST_PLIES); `None` if it is then drawn, whatever the margin.
    fn stopped_margin(&self, _side: Side) -> Option<i32> {
        None
    }

    /// Whether a history-dependent rule may apply within the next `depth` plies, so that a search result of that depth
    /// is valid for this history only. Only called if [`USES_HISTORY`](Game::USES_HISTORY).
    fn depends_on_history(&self, _history: &History<Self>, _depth: u32) -> bool {
        true
    }

    /// See [`Game::Key`].
    fn key(&self) -> Self::Key;

    /// Hash of a key: 64 well-mixed bits.
    fn hash(key: &Self::Key) -> u64;

    /// The rules that the key leaves out. Constant within a game; positions of different variants share no results.
    fn variant(&self) -> u64 {
        0
    }

    /// Upper bound of the change of the margin until the end of the game, in either direction.
    fn reach(&self) -> i32 {
        i32::from(i16::MAX)
    }

    /// Selects a legal move by 32 random bits, uniformly to within 2^-24. The game must not be over.
    fn pick(&self, bits: u32) -> Move {
        let nth = (u64::from(bits) * self.count_moves()) >> 32;
        self.moves().nth(nth as usize).unwrap_or_default()
    }

    /// Selects a move with the greatest [`gain`](Game::gain), ties broken by 32 random bits. The game must not be over.
    #[inline]
    fn greedy(&self, bits: u32) -> Move {
        let most = self.moves().map(|mv| self.gain(mv)).max().unwrap_or_default();
        let best = self.moves().filter(|&mv| self.gain(mv) == most);
        let nth = (u64::from(bits) * best.clone().count() as u64) >> 32;
        best.into_iter().nth(nth as usize).unwrap_or_default()
    }

    /// Number of legal moves.
    fn count_moves(&self) -> u64 {
        self.moves().count() as u64
    }

    /// Count of a finished game in [`perft`](perft::perft) at greater depths: 0, or 1 where a game's published counts
    /// include them.
    const ENDED: u64 = 0;

    /// Number of sequences of two moves, with [`ENDED`](Game::ENDED) for a game that ends after one: the last two plies
    /// of perft, which some games count without playing them. The game must not be over.
    fn count_pairs(&self) -> u64 {
        let after = |next: Self| if next.is_over() { Self::ENDED } else { next.count_moves() };
        self.moves().map(|mv| after(self.play(mv))).sum()
    }
}

/// Seeds of one side in a game of pits and stores, from that side's own seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seeds {
    pub leftmost_pit: u8,
    /// Sum over all pits of the side.
    pub pits: u8,
    /// Number of its non-empty pits.
    pub filled: u8,
    pub store: u8,
}

/// A game of pits and stores, with at most eight pits a side.
pub trait PitGame: Game {
    fn seeds(&self, side: Side) -> Seeds;

    fn pits_a_side(&self) -> u8;

    /// Seeds in the pits of a side in sowing order, 0 after the last pit. Move `n` of the side to move sows pit `n`.
    fn row(&self, side: Side) -> [u8; 8];

    /// The earlier positions, oldest first, that the rules may still look back to.
    fn looks_back_to<'a>(&self, history: &'a History<Self>) -> &'a [Self] {
        history.positions()
    }

    /// Seeds that a side ends with if the game ends here; of an odd number to be halved, one goes to neither.
    fn final_seeds(&self, side: Side) -> u8 {
        let of = |seeds: Seeds| i32::from(seeds.pits) + i32::from(seeds.store);
        let all = of(self.seeds(side)) + of(self.seeds(side.other()));
        let margin = if self.is_over() { None } else { self.stopped_margin(side) };
        ((all + margin.unwrap_or_else(|| self.margin(side))) / 2) as u8
    }
}

/// Returns the first value of `$value`, an option, with `$game` as each [`PitGame`]: `of_pits!(Pits => of::<Pits>())`.
#[macro_export]
macro_rules! of_pits {
    ($game:ident => $value:expr) => {
        $crate::of_pits!($game => $value; kalah::Kalah, sowing::oware::Oware, sowing::awari::Awari,
            sowing::vai_lung_thlan::VaiLungThlan, sowing::ohvalhu::Ohvalhu, sowing::erherhe::Erherhe)
    };
    ($game:ident => $value:expr; $($($part:ident)::+),+) => {
        None$(.or_else(|| {
            type $game = $crate::$($part)::+;
            $value
        }))+
    };
}
