//! The input of the terms: the board from both players' perspectives at once.
//!
//! White's board is Black's rotated by 180 degrees: square n becomes 33 - n, and men move towards higher numbers on either. So a
//! term is written once, for a side whose men move up, and applies to both. The two boards share one 64-bit word, the side's own in
//! the lower half, the opponent's in the upper: set operations apply to both sides at once, and counts are subtracted in one step.

use crate::game::checkers::Checkers;
use crate::game::{Game as _, Side};

/// A set of squares on each of the two boards. Bit n - 1 of a half is square n from its owner's perspective.
pub(super) type Sets = u64;

/// The lower half: the squares of the side's own board.
const LOWER: Sets = 0xFFFF_FFFF;

/// The same squares on both boards.
pub(super) const fn both(squares: u32) -> Sets {
    (squares as u64) << 32 | squares as u64
}

/// The set of squares with these numbers, on both boards.
pub(super) const fn squares<const N: usize>(numbers: [u32; N]) -> Sets {
    let mut set = 0;
    let mut index = 0;
    while index < N {
        set |= 1 << (numbers[index] - 1);
        index += 1;
    }
    both(set)
}

/// One of the four diagonal directions, from the perspective of the board's owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    ForwardLeft,
    ForwardRight,
    BackLeft,
    BackRight,
}

impl Way {
    /// Returns the squares one step this way from those of `sets`; steps off the board are dropped.
    ///
    /// Squares 1 to 4, 9 to 12 and so on are half a square further to the left than the rows between them.
    #[inline(always)]
    pub const fn shift(self, sets: Sets) -> Sets {
        match self {
            Way::ForwardLeft => (sets & both(0x0707_0707)) << 5 | (sets & both(0x00F0_F0F0)) << 4,
            Way::ForwardRight => (sets & both(0x0F0F_0F0F)) << 4 | (sets & both(0x00E0_E0E0)) << 3,
            Way::BackLeft => (sets & both(0xF0F0_F0F0)) >> 4 | (sets & both(0x0707_0700)) >> 3,
            Way::BackRight => (sets & both(0x0F0F_0F00)) >> 4 | (sets & both(0xE0E0_E0E0)) >> 5,
        }
    }
}

/// The neighbours of a set's squares, by direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    pub forward_left: Sets,
    pub forward_right: Sets,
    pub back_left: Sets,
    pub back_right: Sets,
}

impl Around {
    #[inline(always)]
    pub const fn new(sets: Sets) -> Around {
        Around::of_two(sets, sets)
    }

    /// The neighbours of one set forward, of another backward.
    #[inline(always)]
    pub const fn of_two(forward: Sets, back: Sets) -> Around {
        Around {
            forward_left: Way::ForwardLeft.shift(forward),
            forward_right: Way::ForwardRight.shift(forward),
            back_left: Way::BackLeft.shift(back),
            back_right: Way::BackRight.shift(back),
        }
    }

    #[inline(always)]
    pub const fn any(&self) -> Sets {
        self.forward_left | self.forward_right | self.back_left | self.back_right
    }

    /// Returns the squares between two squares of the set on a diagonal.
    #[inline(always)]
    pub const fn between(&self) -> Sets {
        self.forward_left & self.back_right | self.forward_right & self.back_left
    }

    /// Returns the squares with three or four neighbours in the set.
    #[inline(always)]
    pub const fn three(&self) -> Sets {
        let a = self.forward_left;
        let b = self.forward_right;
        let c = self.back_left;
        let d = self.back_right;
        a & b & (c | d) | c & d & (a | b)
    }

    #[inline(always)]
    pub const fn all(&self) -> Sets {
        self.forward_left & self.forward_right & self.back_left & self.back_right
    }
}

/// A position from both sides' perspectives, with sets that several terms need.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// The owner's men.
    pub(super) men: Sets,
    pub(super) kings: Sets,
    /// The opponent's kings.
    pub(super) other_kings: Sets,
    /// Men and kings.
    pub(super) own: Sets,
    pub(super) other: Sets,
    pub(super) empty: Sets,
    /// The neighbours of own pieces, and of empty squares.
    pub(super) beside_own: Around,
    pub(super) beside_empty: Around,
    /// The squares that own pieces would step to in each direction, occupied or not.
    pub(super) ahead: Around,
    /// 2 a man and 3 a king, `[own, other's]`.
    pub(super) material: [u32; 2],
    /// Whether the side has the turn.
    pub(super) is_mover: bool,
}

impl Scene {
    /// The position with `side` as the owner of the board in the lower halves.
    #[inline]
    pub fn new(pos: &Checkers, side: Side) -> Scene {
        let other = side.other();
        // From its own perspective each side looks up the board.
        let seen = |[own, other]: [u32; 2]| {
            let [own, other] = if side == Side::South { [own, other] } else { [own, other].map(u32::reverse_bits) };
            [pair(own, other.reverse_bits()), pair(other, own.reverse_bits())]
        };
        let [men, other_men] = seen([pos.men(side), pos.men(other)]);
        let [kings, other_kings] = seen([pos.kings(side), pos.kings(other)]);
        let own = men | kings;
        let other = other_men | other_kings;
        let empty = !(own | other);
        let material = |half| 2 * worker(men, half).count_ones() + 3 * worker(kings, half).count_ones();
        let beside_own = Around::new(own);
        Scene {
            men,
            kings,
            other_kings,
            own,
            other,
            empty,
            beside_own,
            beside_empty: Around::new(empty),
            ahead: Around {
                back_left: Way::BackLeft.shift(kings),
                back_right: Way::BackRight.shift(kings),
                ..beside_own
            },
            material: [material(0), material(1)],
            is_mover: pos.side() == side,
        }
    }

    /// Returns the empty squares that some piece could step to, whether or not a jump is compulsory.
    #[inline(always)]
    pub(super) fn steps(&self) -> Sets {
        self.ahead.any() & self.empty
    }

    /// Returns the empty squares that a king could step to.
    #[inline(always)]
    pub(super) fn kings_steps(&self) -> Sets {
        Around::new(self.kings).any() & self.empty
    }
}

const fn pair(lower: u32, upper: u32) -> Sets {
    (upper as u64) << 32 | lower as u64
}

/// Returns one of the two boards: 0 for the side's own, 1 for the opponent's.
#[inline(always)]
pub(super) const fn worker(sets: Sets, half: usize) -> u32 {
    (sets >> (32 * half)) as u32
}

/// Swaps the halves: the side's own set becomes the opponent's.
#[inline(always)]
pub(super) const fn exchanged(sets: Sets) -> Sets {
    sets.rotate_left(32)
}

/// A term's value for both sides in halves: a part for each side, and so many for each square of up to three sets.
#[derive(Clone, Copy, Debug)]
pub struct Halves {
    sides: [i32; 2],
    squares: [(i32, Sets); 3],
}

impl Halves {
    /// The value `each` for each square.
    #[inline(always)]
    pub(super) const fn each(each: i32, squares: Sets) -> Halves {
        Halves { sides: [0; 2], squares: [(each, squares), (0, 0), (0, 0)] }
    }

    /// The value `halves` for each side where `holds`, 0 being the side itself and 1 the opponent.
    #[inline(always)]
    pub(super) fn whether(halves: i32, holds: impl Fn(usize) -> bool) -> Halves {
        Halves::sides([halves * i32::from(holds(0)), halves * i32::from(holds(1))])
    }

    /// These values.
    #[inline(always)]
    pub(super) const fn sides(sides: [i32; 2]) -> Halves {
        Halves { sides, squares: [(0, 0); 3] }
    }

    /// Adds `each` for each square of another set.
    #[inline(always)]
    pub(super) const fn and(self, each: i32, squares: Sets) -> Halves {
        let [first, second, _] = self.squares;
        let squares = if second.0 == 0 { [first, (each, squares), (0, 0)] } else { [first, second, (each, squares)] };
        Halves { squares, ..self }
    }

    /// Returns `[own, opponent's]`.
    pub fn of_both(&self) -> [i32; 2] {
        [0, 1].map(|half| {
            let counted = |(each, set): &(i32, Sets)| each * worker(*set, half).count_ones() as i32;
            self.sides[half] + self.squares.iter().map(counted).sum::<i32>()
        })
    }

    /// Returns the own value minus the opponent's.
    #[inline(always)]
    pub fn difference(&self) -> i32 {
        // Counts both at once, the opponent's by its complement.
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
