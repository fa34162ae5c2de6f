//! Games of pits and stores, and the positions that most of them share.
//!
//! A [`SowingPosition`] is stored from the mover's seat, each side's pits as the bytes of one word in sowing order, so
//! that boards sown clockwise are mirror images. A game adds its [`SowingRules`]: captures, legal moves, and choices.
//! Seeds left when the game is over belong to the side that has them in its pits.
//!
//! Seeds that are sown and not captured may go round for ever. A position that comes up a second time ends the game, and
//! the seeds in the pits are given out as [`RepetitionRule`] says.

mod board_game;
mod laps;
mod order;
pub(crate) mod pits;
pub(crate) mod planes;
mod repeated;
mod rules;
pub(crate) mod text;
pub(crate) mod words;

pub mod awari;
pub mod erherhe;
pub mod ohvalhu;
pub mod oware;
pub mod vai_lung_thlan;

use std::fmt;

pub use laps::Sown;
pub use pits::Pits;
pub use rules::{RepetitionRule, RuleChoice, Rules, SowingRules};

use super::{Game, History, Move, Notation, PitGame, Seeds, Side};
use laps::{Runs, runs};
use words::{mixed, nonzero, total};

/// Maximal number of seeds on a board; fits a byte.
pub const MAX_TOTAL: u8 = 192;

/// Plies after which an endless game is ended.
const MOST_PLIES: u32 = 2000;

/// A position of a game with the rules `R`. At the end the seeds left are gathered.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SowingPosition<R> {
    /// The mover's pits and the opponent's; bytes after the last pit are 0.
    pits: [u64; 2],
    stores: [u8; 2],
    /// 0 when South is to move, 1 when North is.
    side: u8,
    /// The pits from which the mover may sow; none when the game is over.
    legal: u8,
    rules: Rules<R>,
}

impl<R: SowingRules> SowingPosition<R> {
    const RUNS: Runs = runs(R::PITS, R::HAS_STORE);

    /// Rules of this position.
    pub fn rules(&self) -> Rules<R> {
        self.rules
    }

    /// The position with these pits of the mover, South, and the opponent, and empty stores; or its end.
    pub fn with_pits(rules: Rules<R>, pits: [u64; 2]) -> SowingPosition<R> {
        SowingPosition::settled(pits, [0; 2], 0, rules)
    }

    /// The position with these pits and stores of the mover and the opponent, or its end if the mover cannot move.
    #[inline]
    fn settled(pits: [u64; 2], stores: [u8; 2], side: u8, rules: Rules<R>) -> SowingPosition<R> {
        let pos = SowingPosition { pits, stores, side, legal: R::legal(rules, pits), rules };
        if pos.legal == 0 { pos.stuck() } else { pos }
    }

    /// The position of a side that cannot move: the other's turn, or the end of the game.
    #[cold]
    fn stuck(self) -> SowingPosition<R> {
        let SowingPosition { pits: [own, other], stores: [own_store, other_store], side, rules, .. } = self;
        if R::passes(rules) && other != 0 {
            return SowingPosition::settled([other, own], [other_store, own_store], side ^ 1, rules);
        }
        SowingPosition { pits: [0; 2], stores: [own_store + total(own), other_store + total(other)], ..self }
    }

    /// Effect of sowing from `pit`, and whether the mover moves again.
    #[inline]
    fn sown(rules: Rules<R>, pits: [u64; 2], pit: u8) -> (Sown, bool) {
        let mut sown = Sown { pits, gain: 0, last: pit };
        let shape = (R::PITS, R::HAS_STORE, R::SKIPS_ORIGIN);
        sown.lap(&Self::RUNS, shape, pit);
        while R::RELAYS && sown.count(R::PITS) > 1 {
            sown.lap(&Self::RUNS, shape, sown.last);
        }
        if R::HAS_STORE && sown.last == R::PITS {
            return (sown, true);
        }
        R::capture(rules, &mut sown);
        (sown, false)
    }

    /// Number of a pit from its side's left, by its number in sowing order, and the reverse.
    #[inline]
    fn mirrored(&self, pit: u8) -> u8 {
        if R::is_clockwise(self.rules) { R::PITS - 1 - pit } else { pit }
    }

    /// Pits and stores by seat, `[south, north]`.
    fn by_seat(&self) -> ([u64; 2], [u8; 2]) {
        let ([own, other], [own_store, other_store]) = (self.pits, self.stores);
        match self.side() {
            Side::South => ([own, other], [own_store, other_store]),
            Side::North => ([other, own], [other_store, own_store]),
        }
    }

    fn in_pits(&self) -> i32 {
        i32::from(total(self.pits[0])) + i32::from(total(self.pits[1]))
    }
}

impl<R: SowingRules> Game for SowingPosition<R> {
    const USES_HISTORY: bool = R::REPEATED.is_some();
    const MOST_PLIES: Option<u32> = if R::REPEATED.is_some() { Some(MOST_PLIES) } else { None };

    type Moves = Pits;
    type Key = [u64; 2];

    #[inline]
    fn side(&self) -> Side {
        if self.side == 0 { Side::South } else { Side::North }
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.legal == 0
    }

    #[inline]
    fn moves(&self) -> Pits {
        Pits(self.legal)
    }

    #[inline]
    fn play(&self, mv: Move) -> SowingPosition<R> {
        debug_assert!(self.legal >> mv.0 & 1 == 1, "no such move: {mv:?} in {self:?}");
        let (Sown { pits: [own, other], gain, .. }, again) = Self::sown(self.rules, self.pits, mv.0 as u8);
        let [own_store, other_store] = [self.stores[0] + gain, self.stores[1]];
        if again {
            return Self::settled([own, other], [own_store, other_store], self.side, self.rules);
        }
        Self::settled([other, own], [other_store, own_store], self.side ^ 1, self.rules)
    }

    #[inline]
    fn margin(&self, side: Side) -> i32 {
        let margin = i32::from(self.stores[0]) - i32::from(self.stores[1]);
        if side as u8 == self.side { margin } else { -margin }
    }

    /// No move counts as irreversible, because it takes playing one to see; the rule itself looks no further back than
    /// the last capture.
    #[inline]
    fn is_irreversible(&self, _mv: Move) -> bool {
        false
    }

    #[inline]
    fn ruling(&self, history: &History<Self>) -> Option<&'static str> {
        self.is_repeated(history.positions()).then_some("repetition")
    }

    fn stopped_margin(&self, side: Side) -> Option<i32> {
        let kept = match R::REPEATED {
            Some(RepetitionRule::Halved) => 0,
            _ => i32::from(total(self.pits[0])) - i32::from(total(self.pits[1])),
        };
        Some(self.margin(side) + if side as u8 == self.side { kept } else { -kept })
    }

    #[inline]
    fn depends_on_history(&self, history: &History<Self>, depth: u32) -> bool {
        self.may_repeat(history.positions(), depth)
    }

    #[inline]
    fn key(&self) -> [u64; 2] {
        self.pits
    }

    #[inline]
    fn hash(key: &[u64; 2]) -> u64 {
        mixed(key)
    }

    #[inline]
    fn variant(&self) -> u64 {
        self.rules.number()
    }

    /// Every seed in a pit can go to either store.
    #[inline]
    fn reach(&self) -> i32 {
        self.in_pits()
    }

    #[inline]
    fn pick(&self, bits: u32) -> Move {
        pits::any(self.legal, bits)
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        pits::count(self.legal).into()
    }
}

impl<R: SowingRules> PitGame for SowingPosition<R> {
    fn seeds(&self, side: Side) -> Seeds {
        let seat = usize::from(side as u8 != self.side);
        let pits = self.pits[seat];
        let store = self.stores[seat];
        let leftmost_pit = (pits >> (8 * self.mirrored(0))) as u8;
        Seeds { leftmost_pit, pits: total(pits), filled: pits::count(nonzero(pits)), store }
    }

    fn pits_a_side(&self) -> u8 {
        R::PITS
    }

    fn row(&self, side: Side) -> [u8; 8] {
        self.pits[usize::from(side as u8 != self.side)].to_le_bytes()
    }

    fn looks_back_to<'a>(&self, history: &'a History<Self>) -> &'a [Self] {
        let positions = history.positions();
        &positions[positions.len() - self.since_capture(positions).count()..]
    }
}

impl<R: SowingRules> fmt::Debug for SowingPosition<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}: {})", R::TITLE, self.rules, self.to_text())
    }
}
