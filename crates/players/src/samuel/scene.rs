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

impl Way {
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

/// The squares next to those of a set, each way by itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    pub forward_left: Sets,
    pub forward_right: Sets,
    pub back_left: Sets,
    pub back_right: Sets,
}

impl Around {
    #[inline(always)]
    pub const fn of(sets: Sets) -> Around {
        Around::of_two(sets, sets)
    }

    /// Of one set forward, of another back.
    #[inline(always)]
    pub const fn of_two(forward: Sets, back: Sets) -> Around {
        Around {
            forward_left: Way::ForwardLeft.of(forward),
            forward_right: Way::ForwardRight.of(forward),
            back_left: Way::BackLeft.of(back),
            back_right: Way::BackRight.of(back),
        }
    }

    #[inline(always)]
    pub const fn any(&self) -> Sets {
        self.forward_left | self.forward_right | self.back_left | self.back_right
    }

    /// Squares that lie between two of the set, on one diagonal or the other.
    #[inline(always)]
    pub const fn between(&self) -> Sets {
        self.forward_left & self.back_right | self.forward_right & self.back_left
    }

    /// Squares with three or four of the set around them.
    #[inline(always)]
    pub const fn three(&self) -> Sets {
        let (a, b, c, d) = (self.forward_left, self.forward_right, self.back_left, self.back_right);
        a & b & (c | d) | c & d & (a | b)
    }

    #[inline(always)]
    pub const fn all(&self) -> Sets {
        self.forward_left & self.forward_right & self.back_left & self.back_right
    }
}

/// A position as both sides see it, with what several terms ask for.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// Of the board's owner.
    pub(super) men: Sets,
    pub(super) kings: Sets,
    /// Of the other side.
    pub(super) other_kings: Sets,
    /// Men and kings.
    pub(super) own: Sets,
    pub(super) other: Sets,
    pub(super) empty: Sets,
    /// What lies next to own pieces, and next to empty squares.
    pub(super) beside_own: Around,
    pub(super) beside_empty: Around,
    /// Squares that own pieces would come to that go each way, whatever stands there.
    pub(super) ahead: Around,
    /// 2 a man and 3 a king, `[own, other's]`.
    pub(super) material: [u32; 2],
    /// It is the side's turn, or else the other's.
    pub(super) is_mover: bool,
}

impl Scene {
    /// The position with `side` as the owner of the board in the lower halves.
    #[inline]
    pub fn new(pos: &Checkers, side: Side) -> Scene {
        let other = side.other();
        // From its own seat each side looks up the board.
        let seen = |[own, other]: [u32; 2]| {
            let [own, other] = if side == Side::South { [own, other] } else { [own, other].map(u32::reverse_bits) };
            [pair(own, other.reverse_bits()), pair(other, own.reverse_bits())]
        };
        let [men, other_men] = seen([pos.men(side), pos.men(other)]);
        let [kings, other_kings] = seen([pos.kings(side), pos.kings(other)]);
        let (own, other) = (men | kings, other_men | other_kings);
        let empty = !(own | other);
        let material = |half| 2 * worker(men, half).count_ones() + 3 * worker(kings, half).count_ones();
        let beside_own = Around::of(own);
        Scene {
            men,
            kings,
            other_kings,
            own,
            other,
            empty,
            beside_own,
            beside_empty: Around::of(empty),
            ahead: Around { back_left: Way::BackLeft.of(kings), back_right: Way::BackRight.of(kings), ..beside_own },
            material: [material(0), material(1)],
            is_mover: pos.side() == side,
        }
    }

    /// Empty squares that some piece could step to, whether or not a jump is compulsory.
    #[inline(always)]
    pub(super) fn steps(&self) -> Sets {
        self.ahead.any() & self.empty
    }

    /// Those that a king could step to.
    #[inline(always)]
    pub(super) fn kings_steps(&self) -> Sets {
        Around::of(self.kings).any() & self.empty
    }
}

const fn pair(lower: u32, upper: u32) -> Sets {
    (upper as u64) << 32 | lower as u64
}

/// One of the two boards: 0 for the side's own, 1 for the other's.
#[inline(always)]
pub(super) const fn worker(sets: Sets, half: usize) -> u32 {
    (sets >> (32 * half)) as u32
}

/// The halves changed over: what is the side's own becomes the other side's.
#[inline(always)]
pub(super) const fn exchanged(sets: Sets) -> Sets {
    sets.rotate_left(32)
}

/// A term's value to both sides in halves: so many for a side of which something holds, and so many for each square of a set.
#[derive(Clone, Copy, Debug)]
pub struct Halves {
    sides: [i32; 2],
    squares: [(i32, Sets); 3],
}

impl Halves {
    /// For each square.
    #[inline(always)]
    pub(super) const fn of(each: i32, squares: Sets) -> Halves {
        Halves { sides: [0; 2], squares: [(each, squares), (0, 0), (0, 0)] }
    }

    /// For a side of which this holds, 0 being the side itself and 1 the other.
    #[inline(always)]
    pub(super) fn whether(halves: i32, holds: impl Fn(usize) -> bool) -> Halves {
        Halves::sides([halves * i32::from(holds(0)), halves * i32::from(holds(1))])
    }

    /// As it is.
    #[inline(always)]
    pub(super) const fn sides(sides: [i32; 2]) -> Halves {
        Halves { sides, squares: [(0, 0); 3] }
    }

    /// And for each square of another set.
    #[inline(always)]
    pub(super) const fn and(self, each: i32, squares: Sets) -> Halves {
        let [first, second, _] = self.squares;
        let squares = if second.0 == 0 { [first, (each, squares), (0, 0)] } else { [first, second, (each, squares)] };
        Halves { squares, ..self }
    }

    /// `[own, other's]`
    pub fn of_both(&self) -> [i32; 2] {
        [0, 1].map(|half| {
            let counted = |(each, set): &(i32, Sets)| each * worker(*set, half).count_ones() as i32;
            self.sides[half] + self.squares.iter().map(counted).sum::<i32>()
        })
    }

    /// Own less the other's.
    #[inline(always)]
    pub fn difference(&self) -> i32 {
        // Both are counted together, the other side's by what it has not.
        let counted = |set: Sets| (set ^ !LOWER).count_ones() as i32 - 32;
        let [(each, first), (each_second, second), (each_third, third)] = self.squares;
        let mut sum = self.sides[0] - self.sides[1];
        if each != 0 {
            sum += each * counted(first);
        }
        if each_second != 0 {
            sum += each_second * counted(second);
        }
        if each_third != 0 {
            sum += each_third * counted(third);
        }
        sum
    }
}
