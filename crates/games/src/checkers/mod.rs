//! English checkers, on the 32 dark squares of a board of 8 by 8.
//!
//! A position is three sets of squares: Black's pieces, White's pieces, and the kings of both. It also holds the pieces
//! that can move, computed once when the position is created, so that the end of the game and compulsory jumps are
//! known at no cost. Sets are absolute: bit n - 1 is square n (see [`sets`]). `jump_sources` finds the pieces that can
//! move, `moves` lists all moves and the paths of one piece, `counts` answers questions that need no list, and
//! `draws` applies the history-dependent rules.
//!
//! Rules: Black is South, begins on squares 1 to 12 and moves first. A man steps to an empty adjacent square ahead, a
//! king to any empty adjacent square. In the same directions a piece captures an adjacent piece of the other side by
//! jumping over it to the empty square behind. Jumps are compulsory: a side that can jump must, may choose any jump,
//! and must continue it to its end, all in one move. A man that reaches the last row becomes a king, which ends the
//! move. A side without a legal move loses. A position that occurs for the third time is a draw; so is a game after 80
//! moves without a capture or a man's move, or after the variant's move limit.
//!
//! The margin is in half men: 2 for a man, 3 for a king, [`WON`] for a won game.

pub mod ballots;
mod board_game;
mod counts;
mod draws;
mod jump_sources;
mod moves;
mod planes;
pub mod sets;
mod text;

use std::fmt;
use std::str::FromStr;

use mancalab_base::Error;

use super::{Game, History, Move, Side};
use moves::parts;
use sets::{FARTHEST_ROW, NEAREST_ROW};

pub use moves::{MOST_CAPTURED, Moves, Path};

/// Value of a man in the margin.
pub const MAN: i32 = 2;

/// Value of a king in the margin.
pub const KING: i32 = 3;

/// Margin of a won game; more than all pieces together.
pub const WON: i32 = 100;

/// A position of English checkers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Checkers {
    /// `[black, white]`.
    pieces: [u32; 2],
    kings: u32,
    /// The mover's pieces that have a legal move.
    able: u32,
    /// Moves a side after which the game is drawn; 0 for no limit.
    limit: u16,
    /// Black's material minus White's.
    lead: i8,
    /// 0 when South, Black, is to move, 1 when North is.
    side: u8,
    /// Whether the legal moves are jumps.
    jumps: bool,
}

/// Value of a king minus that of a man.
const CROWN: i32 = KING - MAN;

impl Checkers {
    /// The position with these pieces, `[black, white]`, and `side` to move, without a move limit. The four sets must
    /// be disjoint.
    #[must_use]
    pub fn from_sets(men: [u32; 2], kings: [u32; 2], side: Side) -> Checkers {
        let pieces = [men[0] | kings[0], men[1] | kings[1]];
        let all_kings = kings[0] | kings[1];
        debug_assert!(pieces[0] & pieces[1] == 0 && (men[0] | men[1]) & all_kings == 0);
        let worth = |side: usize| MAN * men[side].count_ones() as i32 + KING * kings[side].count_ones() as i32;
        let lead = (worth(0) - worth(1)) as i8;
        let unmoved = Checkers { pieces, kings: all_kings, able: 0, limit: 0, lead, side: side as u8, jumps: false };
        unmoved.enabled()
    }

    /// The same position with a move limit, in moves a side; 0 for no limit.
    #[must_use]
    pub(crate) fn limited(self, limit: u16) -> Checkers {
        Checkers { limit, ..self }
    }

    /// The squares of a side's men.
    pub fn men(&self, side: Side) -> u32 {
        self.pieces[side.index()] & !self.kings
    }

    /// The squares of a side's kings.
    pub fn kings(&self, side: Side) -> u32 {
        self.pieces[side.index()] & self.kings
    }

    /// The squares of a side's men and kings.
    pub fn pieces(&self, side: Side) -> u32 {
        self.pieces[side.index()]
    }

    /// The men and kings of the mover and of the opponent, `[[men, kings], [men, kings]]`, as the mover sees the board:
    /// where White moves it is turned, so that the mover's men always move to higher numbers.
    #[inline]
    pub fn sides(&self) -> [[u32; 2]; 2] {
        let sets = self.pieces.map(|pieces| [pieces & !self.kings, pieces & self.kings]);
        if self.side == 0 {
            return sets;
        }
        let [south, north] = sets;
        // Two sets at once take as long as one.
        [north, south].map(|[men, kings]| {
            let turned = (u64::from(men) | u64::from(kings) << 32).reverse_bits();
            [(turned >> 32) as u32, turned as u32]
        })
    }

    #[inline]
    pub fn empty(&self) -> u32 {
        !(self.pieces[0] | self.pieces[1])
    }

    /// Pieces that could step if `side` were to move, ignoring compulsory jumps.
    #[inline]
    pub fn movers(&self, side: Side) -> u32 {
        if side == Side::South { self.movers_of::<true>() } else { self.movers_of::<false>() }
    }

    /// Pieces that could jump if `side` were to move.
    #[inline]
    pub fn jumpers(&self, side: Side) -> u32 {
        if side == Side::South {
            self.jumpers_of::<true>(self.jump_sources_of::<true>())
        } else {
            self.jumpers_of::<false>(self.jump_sources_of::<false>())
        }
    }

    /// Whether the mover has to jump.
    pub fn must_jump(&self) -> bool {
        self.jumps
    }

    /// Computes the pieces that have a legal move.
    #[inline]
    fn enabled(mut self) -> Checkers {
        let jumpers = self.jumpers(self.side());
        self.jumps = jumpers != 0;
        self.able = if self.jumps { jumpers } else { self.movers(self.side()) };
        self
    }

    /// The position after a piece moved from one square to another and captured these; `able` and `jumps` are not
    /// updated.
    #[inline]
    fn moved(&self, from: u8, to: u8, captured: u32) -> Checkers {
        let mine = usize::from(self.side & 1);
        let theirs = usize::from(self.side & 1 ^ 1);
        let from = 1_u32 << (from & 31);
        let to = 1_u32 << (to & 31);
        let mut next = *self;
        // A jump may end where it began.
        next.pieces[mine] = self.pieces[mine] & !from | to;
        let mut gain = 0;
        if captured != 0 {
            next.pieces[theirs] = self.pieces[theirs] & !captured;
            gain = MAN * captured.count_ones() as i32 + CROWN * (captured & self.kings).count_ones() as i32;
        }
        let is_king = self.kings & from != 0;
        let is_crowned = !is_king && to & [FARTHEST_ROW, NEAREST_ROW][mine] != 0;
        next.kings = self.kings & !(from | captured) | if is_king || is_crowned { to } else { 0 };
        gain += if is_crowned { CROWN } else { 0 };
        next.lead += (if mine == 0 { gain } else { -gain }) as i8;
        next.side = self.side ^ 1;
        next
    }

    /// Squares captured by a legal move.
    #[inline]
    fn captured(&self, mv: Move) -> u32 {
        let (from, to, number) = parts(mv);
        if !self.jumps {
            0
        } else if number == 0 {
            // A jump changes a square's number by 7 or 9: the middle is half the sum of both ends, rounded up from rows
            // such as 1 to 4 and down from the others.
            1 << ((from + to + (!from >> 2 & 1)) >> 1 & 31)
        } else {
            self.pieces[usize::from(self.side & 1 ^ 1)] & !self.walked(mv).left()
        }
    }

    /// The position after a legal move; `able` and `jumps` are not updated.
    #[inline]
    fn after(&self, mv: Move) -> Checkers {
        let (from, to, _) = parts(mv);
        self.moved(from, to, self.captured(mv))
    }

    /// Whether both positions have the same pieces on the same squares.
    #[inline]
    fn is_alike(&self, other: &Checkers) -> bool {
        self.pieces == other.pieces && self.kings == other.kings
    }

    /// Material of `side` minus that of the other side, whether or not the game is over.
    #[inline]
    pub fn lead(&self, side: Side) -> i32 {
        if side == Side::South { self.lead.into() } else { -i32::from(self.lead) }
    }
}

impl Game for Checkers {
    const USES_HISTORY: bool = true;
    const WIN_SCORE: Option<i32> = Some(WON);

    type Moves = Moves;
    /// Black's pieces, White's pieces, the kings, and the side to move.
    type Key = [u32; 4];

    #[inline]
    fn side(&self) -> Side {
        if self.side == 0 { Side::South } else { Side::North }
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.able == 0
    }

    #[inline]
    fn moves(&self) -> Moves {
        Moves::new(self)
    }

    #[inline(always)]
    fn play(&self, mv: Move) -> Checkers {
        debug_assert!(self.moves().any(|legal| legal == mv), "no such move: {mv:?} in {self:?}");
        self.after(mv).enabled()
    }

    /// Material, or the value of the whole game once the mover has no move.
    #[inline]
    fn margin(&self, side: Side) -> i32 {
        if self.able == 0 {
            return if side as u8 == self.side { -WON } else { WON };
        }
        self.lead(side)
    }

    /// Men never move back, and captures are final.
    #[inline]
    fn is_irreversible(&self, mv: Move) -> bool {
        self.jumps || self.kings >> (mv.0 & 31) & 1 == 0
    }

    #[inline]
    fn ruling(&self, history: &History<Checkers>) -> Option<&'static str> {
        self.drawn(history)
    }

    #[inline]
    fn depends_on_history(&self, history: &History<Checkers>, depth: u32) -> bool {
        self.may_be_drawn(history, depth)
    }

    #[inline]
    fn key(&self) -> [u32; 4] {
        [self.pieces[0], self.pieces[1], self.kings, self.side.into()]
    }

    #[inline]
    fn hash(key: &[u32; 4]) -> u64 {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let word = pair(key[0], key[1]).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let word = (word ^ (word >> 32) ^ pair(key[2], key[3])).wrapping_mul(0xd6e8_feb8_6659_fd93);
        word ^ (word >> 32)
    }

    /// The move limit.
    fn variant(&self) -> u64 {
        self.limit.into()
    }

    /// The game can still be won by either side.
    #[inline]
    fn reach(&self) -> i32 {
        WON + i32::from(self.lead).abs()
    }

    #[inline]
    fn pick(&self, bits: u32) -> Move {
        self.picked(bits)
    }

    #[inline]
    fn greedy(&self, bits: u32) -> Move {
        self.greediest(bits)
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        self.number_of_moves()
    }

    #[inline]
    fn count_pairs(&self) -> u64 {
        self.pairs()
    }
}

impl fmt::Debug for Checkers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Checkers({self})")
    }
}

/// Rules of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    /// Moves a side after which the game is drawn; 0 for no limit.
    limit: u16,
}

/// Start squares of Black's men and of White's.
const START: [u32; 2] = [0x0000_0fff, 0xfff0_0000];

impl Rules {
    /// The forms of a variant's text after the name.
    pub const HELP: &'static str = "[:english|:limit=MOVES]";

    /// Maximal move limit, in moves a side.
    pub const MOST_MOVES: u16 = 9999;

    /// Rules with a move limit, in moves a side, from 1 to [`MOST_MOVES`](Rules::MOST_MOVES); `None` outside that
    /// range.
    pub fn limited(moves: u16) -> Option<Rules> {
        (1..=Rules::MOST_MOVES).contains(&moves).then_some(Rules { limit: moves })
    }

    /// The move limit in moves a side, if any.
    pub fn limit(self) -> Option<u16> {
        (self.limit > 0).then_some(self.limit)
    }

    /// The start position.
    #[must_use]
    pub fn position(self) -> Checkers {
        self.apply(Checkers::from_sets(START, [0; 2], Side::South))
    }

    /// The rules of the position's game.
    fn of_position(pos: &Checkers) -> Rules {
        Rules { limit: pos.limit }
    }

    /// The same position under these rules.
    #[must_use]
    fn apply(self, pos: Checkers) -> Checkers {
        pos.limited(self.limit)
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit() {
            None => f.pad("english"),
            Some(moves) => f.pad(&format!("limit={moves}")),
        }
    }
}

impl FromStr for Rules {
    type Err = Error;

    fn from_str(text: &str) -> Result<Rules, Error> {
        if matches!(text, "" | "english") {
            return Ok(Rules::default());
        }
        let Some(moves) = text.strip_prefix("english:").unwrap_or(text).strip_prefix("limit=") else {
            return Err(Error::unknown(format!("unknown checkers rule '{text}'"), ["english", "limit=MOVES"]));
        };
        moves.parse().ok().and_then(Rules::limited).ok_or_else(|| {
            format!("the move limit must be 1 to {} moves a side (got '{moves}')", Rules::MOST_MOVES).into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_rules() {
        for (text, printed, limit) in [
            ("", "english", None),
            ("english", "english", None),
            ("limit=40", "limit=40", Some(40)),
            ("english:limit=9999", "limit=9999", Some(9999)),
        ] {
            let rules: Rules = text.parse().unwrap();
            assert_eq!((rules.to_string().as_str(), rules.limit()), (printed, limit));
            assert_eq!(rules.to_string().parse(), Ok(rules));
        }
        for text in ["limit=0", "limit=10000", "limit=", "limit=-1", "limit", "russian", "english:"] {
            assert!(text.parse::<Rules>().is_err(), "{text}");
        }
    }
}
