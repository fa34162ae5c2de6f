//! Othello on 8 by 8 squares.
//!
//! A position is two 64-bit words, the mover's discs and the opponent's, and the mover's legal moves. These are
//! computed once when the position is created, so that their number, the nth move and the end of the game cost next to
//! nothing. `lines` finds legal moves and flipped discs by shifts and carries on a board and its mirror image at once.
//!
//! Rules: a disc is placed on an empty square from which at least one gapless line of the opponent's discs leads to an
//! own disc; the discs of all such lines are flipped. A side without such a square passes, which is a move of its own,
//! and the game is over when neither side has one. Black is South and moves first. The margin is the difference of
//! discs; at the end of a game empty squares count for the winner, as the federation and other programs count them.

mod board_game;
mod counts;
pub mod lines;
mod openings;
mod planes;
mod squares;
pub mod text;
use std::fmt;
use std::str::FromStr;

use mancalab_base::Error;

use super::{Game, Horizon, Move, Side};
use lines::{Held, flips, legal, legal_of_all};
use squares::{Tally, any};

pub use counts::{Afterwards, COUNTS, MOST_MOVES, Zones};
pub use squares::{Moves, PASS};
pub(crate) use text::{is_server_board, without_comments};

/// Number of empty squares from which the game is solved.
pub const IN_SIGHT: u32 = 24;

/// Number of empty squares from which a horizon checks whether a move ends the game.
const NEAR_END: u32 = 16;

/// Maximal number of legal moves for batch computations.
const MOST: usize = 32;

/// A position of Othello.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Othello {
    /// The mover's discs.
    own: u64,
    other: u64,
    /// Squares where the mover may place a disc.
    legal: u64,
    /// 0 when South, Black, is to move, 1 when North is.
    side: u8,
    /// Neither side has a legal square.
    over: bool,
}

/// Final margin of the side with the discs `own`: empty squares count for the winner.
#[inline]
pub fn final_margin(own: u64, other: u64) -> i32 {
    let lead = own.count_ones() as i32 - other.count_ones() as i32;
    lead + lead.signum() * (own | other).count_zeros() as i32
}

impl Othello {
    /// The position with each side's discs, `[black, white]`, as disjoint sets of squares.
    #[must_use]
    pub fn from_discs(discs: [u64; 2], side: Side) -> Othello {
        debug_assert!(discs[0] & discs[1] == 0);
        Othello::new(discs[side.index()], discs[side.other().index()], side as u8)
    }

    /// Each side's discs, `[black, white]`.
    pub fn discs(&self) -> [u64; 2] {
        if self.side == 0 { [self.own, self.other] } else { [self.other, self.own] }
    }

    /// Owner of the disc on a square, counted from 0 for a1 by rows.
    pub fn disc(&self, square: u8) -> Option<Side> {
        let [black, white] = self.discs();
        let has = |discs: u64| discs >> (square & 63) & 1 == 1;
        if has(black) { Some(Side::South) } else { has(white).then_some(Side::North) }
    }

    /// Name of a move: a square such as `d3`, or `pass`.
    pub fn name(mv: Move) -> String {
        text::name(mv)
    }

    /// Discs flipped by the mover's disc on `square`; empty if it is not a legal move.
    pub fn flipped(&self, square: u8) -> u64 {
        if self.legal >> (square & 63) & 1 == 1 { flips(square, self.own, self.other) } else { 0 }
    }

    #[inline]
    fn new(own: u64, other: u64, side: u8) -> Othello {
        let legal = legal(own, other);
        Othello { own, other, legal, side, over: legal == 0 && lines::legal(other, own) == 0 }
    }

    /// The position after a disc on `square` that flips `flipped`.
    #[inline]
    fn after(&self, square: u8, flipped: u64) -> Othello {
        Othello::new(self.other ^ flipped, self.own | flipped | 1 << square, self.side ^ 1)
    }

    /// The position after a pass.
    #[inline]
    fn passed(&self) -> Othello {
        Othello::new(self.other, self.own, self.side ^ 1)
    }

    /// Squares where the mover may place a disc.
    #[inline]
    pub fn legal(&self) -> u64 {
        self.legal
    }

    /// Number of empty squares.
    #[inline]
    pub fn empty(&self) -> u32 {
        (self.own | self.other).count_zeros()
    }

    /// Number of discs placed since the start.
    #[inline]
    pub fn put(&self) -> u32 {
        60_u32.saturating_sub(self.empty())
    }

    #[inline]
    fn margin_to_move(&self) -> i32 {
        if self.over { final_margin(self.own, self.other) } else { self.lead() }
    }

    fn lead(&self) -> i32 {
        self.own.count_ones() as i32 - self.other.count_ones() as i32
    }
}

impl Game for Othello {
    type Moves = Moves;
    type Key = [u64; 2];

    #[inline]
    fn side(&self) -> Side {
        if self.side == 0 { Side::South } else { Side::North }
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.over
    }

    #[inline]
    fn moves(&self) -> Moves {
        Moves::new(self.legal, self.legal == 0 && !self.over)
    }

    // Always, because a call passes both positions through memory: a quarter of the time of a random game.
    #[inline(always)]
    fn play(&self, mv: Move) -> Othello {
        debug_assert!(self.moves().any(|legal| legal == mv), "no such move: {mv:?} in {self:?}");
        if mv == PASS {
            return self.passed();
        }
        let square = mv.0 as u8;
        self.after(square, flips(square, self.own, self.other))
    }

    #[inline]
    fn margin(&self, side: Side) -> i32 {
        let margin = self.margin_to_move();
        if side as u8 == self.side { margin } else { -margin }
    }

    #[inline]
    fn key(&self) -> [u64; 2] {
        [self.own, self.other]
    }

    #[inline]
    fn hash(key: &[u64; 2]) -> u64 {
        let word = (key[0] ^ key[1].rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let word = (word ^ (word >> 32) ^ key[1]).wrapping_mul(0xd6e8_feb8_6659_fd93);
        word ^ (word >> 32)
    }

    /// All discs can still become one side's.
    #[inline]
    fn reach(&self) -> i32 {
        64 + self.lead().abs()
    }

    #[inline]
    fn pick(&self, bits: u32) -> Move {
        if self.legal == 0 {
            return PASS;
        }
        any(self.legal, bits).into()
    }

    #[inline]
    fn greedy(&self, bits: u32) -> Move {
        self.greediest(bits)
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        if self.legal == 0 { u64::from(!self.over) } else { self.legal.count_ones().into() }
    }

    const ENDED: u64 = 1;

    #[inline]
    fn count_pairs(&self) -> u64 {
        self.pairs()
    }
}

impl Othello {
    /// See [`Game::count_pairs`].
    #[inline]
    fn pairs(&self) -> u64 {
        let count = self.legal.count_ones();
        if count == 0 || count as usize > MOST.min(Tally::MOST as usize) {
            return self.moves().map(|mv| self.play(mv).count_moves().max(1)).sum();
        }
        let held = Held::new(self.own, self.other);
        let mut own = [0; MOST];
        let mut other = [0; MOST];
        let mut moves = [0; MOST];
        let mut n = 0;
        let mut left = self.legal;
        while left != 0 {
            let square = left.trailing_zeros() as u8;
            left &= left - 1;
            let flipped = held.flips(square);
            own[n] = self.other ^ flipped;
            other[n] = self.own | flipped | 1 << square;
            n += 1;
        }
        // Rounded up to whole vectors; the padding boards are empty and have no legal moves.
        legal_of_all(&own, &other, &mut moves, n.next_multiple_of(4));
        let mut tally = Tally::default();
        for &moves in &moves[..n] {
            tally.add(moves);
        }
        tally.total() + moves[..n].iter().map(|&moves| u64::from(moves == 0)).sum::<u64>()
    }

    /// The mover's best margin after one move, or any bound that decides whether it is at least `beta`. The game is not over.
    /// Far from its end, only a move that flips all of the opponent's discs is known to end it.
    #[inline]
    pub fn best_after_one(&self, beta: i32) -> Horizon {
        let lead = self.lead();
        if self.legal == 0 {
            return Horizon { best: lead, visited: 1, solved: self.passed().over };
        }
        let held = Held::new(self.own, self.other);
        let is_near_end = self.empty() <= NEAR_END;
        let mut horizon = Horizon { best: i32::MIN, visited: 0, solved: false };
        for square in self.moves() {
            let flipped = held.flips(square.0 as u8);
            horizon.visited += 1;
            let margin = match flipped == self.other || is_near_end {
                true => -self.after(square.0 as u8, flipped).margin_to_move(),
                false => lead + 1 + 2 * flipped.count_ones() as i32,
            };
            horizon.best = horizon.best.max(margin);
            if horizon.best >= beta {
                break;
            }
        }
        horizon
    }

    /// See [`Game::greedy`].
    #[inline]
    fn greediest(&self, bits: u32) -> Move {
        let held = Held::new(self.own, self.other);
        let mut best = 0;
        let mut most = 0;
        for square in Moves::new(self.legal, false) {
            let count = held.flips(square.0 as u8).count_ones();
            if count > most {
                (best, most) = (0, count);
            }
            best |= u64::from(count == most) << square.0;
        }
        if best == 0 {
            return PASS;
        }
        any(best, bits).into()
    }
}

impl fmt::Debug for Othello {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Othello({self})")
    }
}

/// Text of the position: see [`Othello::read`].
impl fmt::Display for Othello {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |disc| match disc {
            None => '-',
            Some(Side::South) => 'X',
            Some(Side::North) => 'O',
        };
        let squares: String = self.squares().map(letter).iter().collect();
        write!(f, "{squares} {}", letter(Some(self.side())))
    }
}

/// Arrangement of the first four discs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Start {
    /// Each side's discs on a diagonal: White on d4 and e5, Black on e4 and d5.
    #[default]
    Standard,
    /// Each side's discs in a row: White on d4 and e4, Black on d5 and e5.
    Parallel,
}

/// Rules of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    pub start: Start,
}

impl Rules {
    /// The forms of a variant's text after the name.
    pub const HELP: &'static str = "[:8x8[:standard|parallel]]";

    /// The start position.
    #[must_use]
    pub fn position(self) -> Othello {
        let discs = match self.start {
            Start::Standard => [1 << 28 | 1 << 35, 1 << 27 | 1 << 36],
            Start::Parallel => [1 << 35 | 1 << 36, 1 << 27 | 1 << 28],
        };
        Othello::from_discs(discs, Side::South)
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.start {
            Start::Standard => "8x8:standard",
            Start::Parallel => "8x8:parallel",
        })
    }
}

impl FromStr for Rules {
    type Err = Error;

    fn from_str(text: &str) -> Result<Rules, Error> {
        let (size, start) = match text {
            "standard" | "parallel" => ("", text),
            _ => text.split_once(':').unwrap_or((text, "")),
        };
        if !matches!(size, "" | "8x8") {
            return Err(Error::unknown(format!("unknown Othello board size '{size}'"), ["8x8"]));
        }
        match start {
            "" | "standard" => Ok(Rules { start: Start::Standard }),
            "parallel" => Ok(Rules { start: Start::Parallel }),
            _ => Err(Error::unknown(format!("unknown Othello start '{start}'"), ["standard", "parallel"])),
        }
    }
}
