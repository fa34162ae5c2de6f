//! Kalah(m, n): m pits a side, n seeds a pit.
//!
//! A position is stored from the mover's seat, each side's pits as the bytes of one word: a sowing is two additions
//! from a table (`sow`), a capture a few masks, and a change of turn a swap. Only the end of the game is a branch on
//! the board; other branches would be unpredictable and mispredicted half of the time.
//!
//! Rules: seeds are sown counter-clockwise, skipping the opponent's store; a lap drops one in the emptied pit, too. A
//! last seed in the own store gives an extra turn. A last seed in an own pit that was empty captures (see [`Capture`]).
//! Once either side has no seeds after a move (see [`End`]), each side keeps the seeds in its pits.

mod board_game;
mod fair;
mod horizon;
pub mod large;
mod pairs;
mod planes;
mod rules;
mod sow;

use std::fmt;

use super::{Game, Move, PitGame, Seeds, Side};
pub use rules::{Capture, End, MAX_PITS, MAX_SEEDS, MAX_TOTAL, Rules};
pub use sow::Sowing;

use crate::sowing::pits;
pub use crate::sowing::pits::Pits;
use crate::sowing::words::nonzero;
pub use crate::sowing::words::total;

/// A position of Kalah. At the end the seeds left are gathered, so the game is over exactly when all pits are empty, and as
/// soon as the mover's are.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kalah {
    /// The mover's pits from the mover's left, the leftmost in the lowest byte; bytes after the last pit are 0.
    own: u64,
    /// The opponent's pits from the opponent's left.
    other: u64,
    own_store: u8,
    other_store: u8,
    /// 0 when South is to move, 1 when North is.
    side: u8,
    rules: Rules,
}

impl Kalah {
    /// Rules of this position.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Creates a position, or its end if the rules say that the game is over.
    fn from_parts(rules: Rules, pits: [u64; 2], stores: [u8; 2], side: Side) -> Kalah {
        let own = side.index();
        let other = side.other().index();
        let pos = Kalah {
            own: pits[own],
            other: pits[other],
            own_store: stores[own],
            other_store: stores[other],
            side: side as u8,
            rules,
        };
        pos.ended()
    }

    /// The position after a move: at the end of the game with all seeds in the stores.
    #[inline]
    fn ended(self) -> Kalah {
        let over = self.own == 0 || self.other == 0;
        if over && !(self.rules.ends_with_mover() && self.own != 0) { self.gathered() } else { self }
    }

    /// Moves each side's seeds into its own store.
    #[cold]
    fn gathered(self) -> Kalah {
        Kalah {
            own: 0,
            other: 0,
            own_store: self.own_store + total(self.own),
            other_store: self.other_store + total(self.other),
            ..self
        }
    }

    fn sowable(&self, pit: Move) -> u8 {
        (self.own >> (8 * pit.0)) as u8
    }

    /// Pits and stores by seat, `[south, north]`.
    fn by_seat(&self) -> ([u64; 2], [u8; 2]) {
        match self.side() {
            Side::South => ([self.own, self.other], [self.own_store, self.other_store]),
            Side::North => ([self.other, self.own], [self.other_store, self.own_store]),
        }
    }
}

impl Game for Kalah {
    type Moves = Pits;
    type Key = [u64; 2];

    #[inline]
    fn side(&self) -> Side {
        if self.side == 0 { Side::South } else { Side::North }
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.own == 0
    }

    #[inline]
    fn moves(&self) -> Pits {
        Pits(nonzero(self.own))
    }

    #[inline(always)]
    fn play(&self, mv: Move) -> Kalah {
        debug_assert!(
            mv.index() < usize::from(self.rules.pits()) && self.sowable(mv) != 0,
            "no such move: {mv:?} in {self:?}"
        );
        let Sowing { own, other, gain, again } = self.rules.sow([self.own, self.other], mv.0 as u8);
        let own_store = self.own_store + gain;
        let same = Kalah { own, other, own_store, other_store: self.other_store, side: self.side, rules: self.rules };
        if own == 0 || other == 0 {
            return if again { same.ended() } else { same.turned().ended() };
        }
        if again { same } else { same.turned() }
    }

    #[inline]
    fn margin(&self, side: Side) -> i32 {
        let margin = i32::from(self.own_store) - i32::from(self.other_store);
        if side as u8 == self.side { margin } else { -margin }
    }

    /// Seeds in the own store after the move, those gathered at the end of the game included.
    #[inline]
    fn gain(&self, mv: Move) -> i32 {
        self.play(mv).seeds(self.side()).store.into()
    }

    #[inline]
    fn key(&self) -> [u64; 2] {
        [self.own, self.other]
    }

    #[inline]
    fn hash(key: &[u64; 2]) -> u64 {
        crate::sowing::words::mixed(key)
    }

    #[inline]
    fn variant(&self) -> u64 {
        u64::from(self.rules.pits()) << 8 | (self.rules.end() as u64) << 1 | self.rules.capture() as u64
    }

    /// Every seed in a pit can go to either store.
    #[inline]
    fn reach(&self) -> i32 {
        i32::from(total(self.own)) + i32::from(total(self.other))
    }

    #[inline]
    fn pick(&self, bits: u32) -> Move {
        pits::any(nonzero(self.own), bits)
    }

    #[inline]
    fn greedy(&self, bits: u32) -> Move {
        self.greatest_gainer(bits)
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        pits::count(nonzero(self.own)).into()
    }

    #[inline]
    fn count_pairs(&self) -> u64 {
        self.pairs()
    }
}

impl PitGame for Kalah {
    #[inline]
    fn seeds(&self, side: Side) -> Seeds {
        let own = side as u8 == self.side;
        let (pits, store) = if own { (self.own, self.own_store) } else { (self.other, self.other_store) };
        let filled = pits::count(nonzero(pits));
        Seeds { leftmost_pit: pits as u8, pits: total(pits), filled, store }
    }

    fn pits_a_side(&self) -> u8 {
        self.rules.pits()
    }

    fn row(&self, side: Side) -> [u8; 8] {
        if side as u8 == self.side { self.own } else { self.other }.to_le_bytes()
    }
}

impl Kalah {
    /// The same board with the other side to move.
    #[inline]
    fn turned(self) -> Kalah {
        Kalah {
            own: self.other,
            other: self.own,
            own_store: self.other_store,
            other_store: self.own_store,
            side: self.side ^ 1,
            rules: self.rules,
        }
    }
}

impl fmt::Debug for Kalah {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kalah({}: {})", self.rules, super::Notation::to_text(self))
    }
}
