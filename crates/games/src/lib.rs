//! The rules of the games, and nothing else.
//!
//! [`Game`] is what search and self-play need, and is written for speed: positions are small and `Copy`, moves are a number,
//! nothing allocates. [`BoardGame`] is what a person needs: names, the board as counts or pieces, a move by the places
//! it names, and what it does told step by step. [`registry`] lists the games once and gives the rest of the program one [`Position`] type over all of them.
//!
//! ```
//! use mancalab_games::{Game, Side, BoardGame, Variant, kalah::Kalah, othello::Othello, perft};
//!
//! // A game by its type, as search uses it: positions are values, moves are numbers.
//! let start = Kalah::start(Default::default());
//! let mv = start.moves().next().unwrap();
//! assert_eq!(start.play(mv).margin(Side::South), 0);
//! assert_eq!(perft::perft(&Othello::start(Default::default()), 4), 244);
//!
//! // Any game by its name, as people use it.
//! let game: Variant = "othello".parse()?;
//! let position = game.start();
//! let mv = position.move_from_text("d3").unwrap();
//! assert_eq!(position.play(mv).moves().len(), 3);
//! # Ok::<(), mancalab_base::Error>(())
//! ```

#[cfg(test)]
use mancalab_base::rng;
use mancalab_base::sanitize;

// First, because its `with_position!` is for all that follow.
#[macro_use]
pub mod registry;

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
pub mod text;

use std::fmt;

pub use board::{Board, Ground, Piece, PitBoard, Place, Squares, Step, Trace};
pub use board_game::{Bare, BoardGame, Choice, Notation};
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

    /// 0 for South, 1 for North: the index into anything kept a side.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The letter of the text forms, `S` or `N`.
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

/// A move's number within its game: for Kalah the pit, counted from the mover's left, from 0. Two bytes, because a game may have
/// several ways between the same two squares, each a move of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Move(pub u16);

impl Move {
    /// Stands where there is no move; no game has this one.
    pub const NONE: Move = Move(u16::MAX);

    /// The number, as an index into anything kept a move.
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

/// What [`Game::horizon`] found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Horizon {
    /// At least `beta`: the best margin is no less. Below `beta`: it is no more.
    pub best: i32,
    /// Positions that were looked at for it.
    pub visited: u32,
    /// The bound holds however much further the game is looked into, because it rests on ends of the game only.
    pub solved: bool,
}

/// A two-player game of perfect information, as search and self-play see it.
///
/// One [`play`](Game::play) is one ply, also when the same side moves again.
pub trait Game: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// Whether some rule asks what was played before the position.
    const USES_HISTORY: bool = false;

    /// Plies after which a game is drawn that might else go on for ever; `None` where every game ends by itself.
    const MOST_PLIES: Option<u32> = None;

    /// Whether a side keeps what it has banked, so that a margin in the middle of the game says who is ahead. Where discs turn over
    /// it does not, and only the end of the game tells what a move was worth.
    const SCORE_IS_MONOTONE: bool = true;

    /// The margin of a game that one side has won, where pieces count only as long as it goes on and winning is all; more than any
    /// margin before the end. `None` where the margin says by how much.
    const WIN_SCORE: Option<i32> = None;

    /// The legal moves in their canonical order (for Kalah: left to right); at most 256.
    type Moves: Iterator<Item = Move> + Clone;

    /// What decides everything that is still to come, whoever is called South, and whatever is already banked.
    /// Two positions with the same key have the same legal moves and the same gains ahead of them.
    type Key: Copy + Eq + fmt::Debug + Send + Sync + 'static;

    /// Who moves next. Without meaning once the game is over.
    fn side(&self) -> Side;

    fn is_over(&self) -> bool;

    /// Empty exactly when the game is over.
    fn moves(&self) -> Self::Moves;

    /// The position after a legal move. An illegal one gives nonsense, checked in debug builds only.
    fn play(&self, mv: Move) -> Self;

    /// What `side` has banked less what the other side has; final once the game is over.
    fn margin(&self, side: Side) -> i32;

    /// How the game ended for `side`, once there are no moves left.
    #[inline]
    fn outcome(&self, side: Side) -> Outcome {
        Outcome::of(self.margin(side))
    }

    /// What the mover has after `mv`, in the game's own unit: what a player that looks no further makes as large as it can.
    #[inline]
    fn gain(&self, mv: Move) -> i32 {
        self.play(mv).margin(self.side())
    }

    /// Whether no position from before `mv` can come again after it.
    fn is_irreversible(&self, _mv: Move) -> bool {
        true
    }

    /// The rule that draws the game here because of what was played before, in a few words. Asked only where
    /// [`USES_HISTORY`](Game::USES_HISTORY).
    fn ruling(&self, _past: &History<Self>) -> Option<&'static str> {
        None
    }

    /// Whether such a rule may apply within the next `depth` plies, so that what is found of the position to that depth holds of
    /// this way to it alone. Asked only where [`USES_HISTORY`](Game::USES_HISTORY).
    fn depends_on_history(&self, _past: &History<Self>, _depth: u32) -> bool {
        true
    }

    /// See [`Game::Key`].
    fn key(&self) -> Self::Key;

    /// 64 well-mixed bits of a key.
    fn hash(key: &Self::Key) -> u64;

    /// What of the rules the key leaves out: constant in a game, and positions of two games that differ in it share nothing.
    fn variant(&self) -> u64 {
        0
    }

    /// How far the margin can still move from what it is now, either way, at most.
    fn reach(&self) -> i32 {
        i32::from(i16::MAX)
    }

    /// The mover's best margin after one move, or any bound that settles whether it is at least `beta`. Not asked once the
    /// game is over.
    #[inline]
    fn horizon(&self, beta: i32) -> Horizon {
        let side = self.side();
        let mut horizon = Horizon { best: i32::MIN, visited: 0, solved: true };
        for mv in self.ordered_moves(0) {
            let child = self.play(mv);
            let margin = child.margin(side);
            horizon.visited += 1;
            horizon.best = horizon.best.max(margin);
            if margin >= beta {
                horizon.solved = child.is_over();
                break;
            }
            horizon.solved &= child.is_over();
        }
        horizon
    }

    /// A bound of the mover's margin, now and ever after, that settles whether it is at least `beta`, where one is quickly seen.
    #[inline]
    fn bound(&self, beta: i32) -> Option<i32> {
        let (margin, reach) = (self.margin(self.side()), self.reach());
        let (least, most) = (margin - reach, margin + reach);
        if least >= beta { Some(least) } else { (most < beta).then_some(most) }
    }

    /// How many plies there are to the end of the game, at most, where it is so near that a search does well to look there at
    /// once instead of deepening ply by ply; in no game whose rules look back. Not less than what is left after any move, and one
    /// more.
    #[inline]
    fn plies_left(&self) -> Option<u32> {
        None
    }

    /// The mover's margin at the end of the game if both sides play their best, or a bound that settles whether it is at least
    /// `beta`, where the game finds that sooner than a search. Asked only where [`plies_left`](Game::plies_left) is known.
    #[inline]
    fn finish(&self, _beta: i32) -> Option<Horizon> {
        None
    }

    /// The mover's margin at the end of the game as it looks a few plies ahead: a guess, for a search that leaps to the end of the
    /// game to begin with. Asked only where [`plies_left`](Game::plies_left) is known.
    fn static_eval(&self) -> Option<i32> {
        None
    }

    /// The legal moves, the most promising first, for a search to try in that order and to look `plies` plies ahead of each: the
    /// more, the more it is worth to order them well. The same set as [`moves`](Game::moves).
    fn ordered_moves(&self, _plies: u32) -> impl Iterator<Item = Move> {
        self.moves()
    }

    /// The legal move that 32 random bits choose, each as likely as the others to within 2^-24. The game must not be over.
    fn pick(&self, bits: u32) -> Move {
        let nth = (u64::from(bits) * self.count_moves()) >> 32;
        self.moves().nth(nth as usize).unwrap_or_default()
    }

    /// The move with the greatest [`gain`](Game::gain), among equals the one that 32 random bits choose. The game must not be over.
    #[inline]
    fn greedy(&self, bits: u32) -> Move {
        let most = self.moves().map(|mv| self.gain(mv)).max().unwrap_or_default();
        let best = self.moves().filter(|&mv| self.gain(mv) == most);
        let nth = (u64::from(bits) * best.clone().count() as u64) >> 32;
        best.into_iter().nth(nth as usize).unwrap_or_default()
    }

    /// How many legal moves there are.
    fn count_moves(&self) -> u64 {
        self.moves().count() as u64
    }

    /// What a game that has ended counts as in [`perft`](perft::perft) at greater depths: nothing, or one where that is how the
    /// counts of a game are published.
    const ENDED: u64 = 0;

    /// How many sequences of two moves there are, a game that has ended after one as [`ENDED`](Game::ENDED): the last two plies of
    /// perft, which some games can count without playing them. The game must not be over.
    fn count_pairs(&self) -> u64 {
        let after = |next: Self| if next.is_over() { Self::ENDED } else { next.count_moves() };
        self.moves().map(|mv| after(self.play(mv))).sum()
    }
}

/// What lies before one side in a game of pits and stores, counted in seeds and from that side's own seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seeds {
    pub leftmost_pit: u8,
    /// In all of its pits.
    pub pits: u8,
    /// How many of its pits have any.
    pub filled: u8,
    pub store: u8,
}

/// A game of pits and stores.
pub trait PitGame: Game {
    fn seeds(&self, side: Side) -> Seeds;
}
