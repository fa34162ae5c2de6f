//! What the terms look at: the board as each of the two players sees it from its own seat, both at once.
//!
//! White's board is Black's turned by half a circle: square n becomes 33 - n, and men go towards higher numbers in either. So
//! a term is written once, for a side whose men go up, and says the same of both. The two boards lie side by side in one word
//! of 64 bits, the side's own in the lower half, the other side's in the upper: what is worked out of sets of squares is worked
//! out for both sides at once, and counts are subtracted in one go.

use crate::game::checkers::Checkers;
use crate::game::{Game as _, Side};

/// A set of squares on each of the two boards. Bit n - 1 of a half is the square that is n from its owner's seat.
pub(super) type Sets = u64;

/// The squares of the board in the lower half.
const LOWER: Sets = 0xFFFF_FFFF;

/// The same squares on both boards.
pub(super) const fn both(squares: u32) -> Sets {
    (squares as u64) << 32 | squares as u64
}

/// The set of squares with these numbers, on both boards.
pub(super) const fn squares<const N: usize>(numbers: [u32; N]) -> Sets {
    let (mut set, mut index) = (0, 0);
    while index < N {
        set |= 1 << (numbers[index] - 1);
        index += 1;
    }
    both(set)
}

/// One of the four ways to the next square on a diagonal, from the seat of the board's owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    ForwardLeft,
    ForwardRight,
    BackLeft,
    BackRight,
}

pub(super) const FORWARD: [Way; 2] = [Way::ForwardLeft, Way::ForwardRight];
pub(super) const BACK: [Way; 2] = [Way::BackLeft, Way::BackRight];
pub(super) const WAYS: [Way; 4] = [Way::ForwardLeft, Way::ForwardRight, Way::BackLeft, Way::BackRight];

impl Way {
    pub const fn opposite(self) -> Way {
        match self {
            Way::ForwardLeft => Way::BackRight,
            Way::ForwardRight => Way::BackLeft,
            Way::BackLeft => Way::ForwardRight,
            Way::BackRight => Way::ForwardLeft,
        }
    }

    /// The two ways along the other diagonal.
    pub const fn across(self) -> [Way; 2] {
        match self {
            Way::ForwardLeft | Way::BackRight => [Way::ForwardRight, Way::BackLeft],
            Way::ForwardRight | Way::BackLeft => [Way::ForwardLeft, Way::BackRight],
        }
    }

    pub const fn is_forward(self) -> bool {
        matches!(self, Way::ForwardLeft | Way::ForwardRight)
    }

    /// The squares one step this way from those of `sets`; what would step off the board is gone.
    ///
    /// Squares 1 to 4, 9 to 12 and so on stand half a square further to the left than the rows between them.
    #[inline(always)]
    pub const fn of(self, sets: Sets) -> Sets {
        match self {
            Way::ForwardLeft => (sets & both(0x0707_0707)) << 5 | (sets & both(0x00F0_F0F0)) << 4,
            Way::ForwardRight => (sets & both(0x0F0F_0F0F)) << 4 | (sets & both(0x00E0_E0E0)) << 3,
            Way::BackLeft => (sets & both(0xF0F0_F0F0)) >> 4 | (sets & both(0x0707_0700)) >> 3,
            Way::BackRight => (sets & both(0x0F0F_0F00)) >> 4 | (sets & both(0xE0E0_E0E0)) >> 5,
        }
    }
}

/// A position as both sides see it, with what several terms ask for.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// Of the board's owner.
    pub(super) men: Sets,
    pub(super) kings: Sets,
    /// Of the other side.
    pub(super) other_men: Sets,
    pub(super) other_kings: Sets,
    pub(super) empty: Sets,
    /// Every square of the board whose owner moves next.
    pub(super) mover: Sets,
}

impl Scene {
    /// The position with `side` as the owner of the board in the lower halves.
    #[inline]
    pub fn new(pos: &Checkers, side: Side) -> Scene {
        let other = side.other();
        let men = [pos.men(side), pos.men(other)];
        let kings = [pos.kings(side), pos.kings(other)];
        // From its own seat each side looks up the board.
        let seen = |sets: [u32; 2]| {
            let [own, others] = if side == Side::South { sets } else { sets.map(u32::reverse_bits) };
            [pair(own, others.reverse_bits()), pair(others, own.reverse_bits())]
        };
        let ([men, other_men], [kings, other_kings]) = (seen(men), seen(kings));
        let mover = if pos.side() == side { LOWER } else { !LOWER };
        Scene { men, kings, other_men, other_kings, empty: !(men | kings | other_men | other_kings), mover }
    }

    #[inline]
    pub(super) fn own(&self) -> Sets {
        self.men | self.kings
    }

    #[inline]
    pub(super) fn other(&self) -> Sets {
        self.other_men | self.other_kings
    }

    /// Own pieces that may go this way: kings, and men if it is forward.
    #[inline(always)]
    pub(super) fn going(&self, way: Way) -> Sets {
        if way.is_forward() { self.men | self.kings } else { self.kings }
    }

    /// The other side's pieces that may go this way as this side sees it.
    #[inline(always)]
    pub(super) fn others_going(&self, way: Way) -> Sets {
        if way.is_forward() { self.other_kings } else { self.other_men | self.other_kings }
    }

    /// Empty squares that an own man, and those that an own king, could step to, whether or not a jump is compulsory.
    #[inline]
    pub(super) fn steps(&self) -> [Sets; 2] {
        let to = |pieces, ways: &[Way]| ways.iter().fold(0, |sets, way| sets | way.of(pieces)) & self.empty;
        [to(self.men, &FORWARD), to(self.kings, &WAYS)]
    }
}

const fn pair(lower: u32, upper: u32) -> Sets {
    (upper as u64) << 32 | lower as u64
}

/// The halves changed over: what is the side's own becomes the other side's.
#[inline]
pub(super) const fn exchanged(sets: Sets) -> Sets {
    sets.rotate_left(32)
}

/// A set of one square on each board of whose owner something holds.
#[inline]
pub(super) fn flags(holds: impl Fn(fn(Sets) -> u32) -> bool) -> Sets {
    pair(holds(lower).into(), holds(upper).into())
}

fn lower(sets: Sets) -> u32 {
    sets as u32
}

fn upper(sets: Sets) -> u32 {
    (sets >> 32) as u32
}

/// A term's value in halves: sets of squares, each of which counts so many halves a square.
#[derive(Clone, Copy, Debug)]
pub struct Halves([(i32, Sets); 3]);

impl Halves {
    #[inline(always)]
    pub(super) const fn of(each: i32, squares: Sets) -> Halves {
        Halves([(each, squares), (0, 0), (0, 0)])
    }

    #[inline(always)]
    pub(super) const fn and(self, each: i32, squares: Sets) -> Halves {
        let [first, second, _] = self.0;
        if second.0 == 0 { Halves([first, (each, squares), (0, 0)]) } else { Halves([first, second, (each, squares)]) }
    }

    /// `[own, other's]`
    pub fn of_both(&self) -> [i32; 2] {
        let sum = |half: fn(Sets) -> u32| self.0.iter().map(|(each, set)| each * half(*set).count_ones() as i32).sum();
        [sum(lower), sum(upper)]
    }

    /// Own less the other's.
    #[inline(always)]
    pub fn difference(&self) -> i32 {
        // What the other side has not is counted, so that both are counted together.
        let counted = |set: Sets| (set ^ !LOWER).count_ones() as i32 - 32;
        let [(each, first), (each_second, second), (each_third, third)] = self.0;
        let mut sum = each * counted(first);
        if each_second != 0 {
            sum += each_second * counted(second);
        }
        if each_third != 0 {
            sum += each_third * counted(third);
        }
        sum
    }
}
