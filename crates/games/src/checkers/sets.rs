//! Sets of squares as bits, and their neighbours.
//!
//! Bit n - 1 is square n: 1 to 4 are the dark squares of Black's first row, from right to left as Black sees the board,
//! 5 to 8 those of the next row, and so on up to 32. Rows alternate by half a square, so that a step in one direction
//! changes the number by 4 from one kind of row and by 3 or 5 from the other: two shifts move a whole set.

/// A direction, as South (Black) sees it: far is away from Black, towards higher numbers.
///
/// In this order steps and jumps are sorted by target, from lower to higher numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Way {
    NearRight,
    NearLeft,
    FarRight,
    FarLeft,
}

impl Way {
    pub const ALL: [Way; 4] = [Way::NearRight, Way::NearLeft, Way::FarRight, Way::FarLeft];
    pub const NEAR: [Way; 2] = [Way::NearRight, Way::NearLeft];
    pub const FAR: [Way; 2] = [Way::FarRight, Way::FarLeft];

    /// The opposite direction.
    #[must_use]
    pub const fn back(self) -> Way {
        match self {
            Way::NearRight => Way::FarLeft,
            Way::NearLeft => Way::FarRight,
            Way::FarRight => Way::NearLeft,
            Way::FarLeft => Way::NearRight,
        }
    }
}

/// The rows of 1 to 4, 9 to 12 and so on.
pub const EVEN_ROWS: u32 = 0x0f0f_0f0f;
/// The rows of 5 to 8, 13 to 16 and so on.
pub const ODD_ROWS: u32 = 0xf0f0_f0f0;
/// 1 to 4, where White's men become kings.
pub const NEAREST_ROW: u32 = 0x0000_000f;
/// 29 to 32, where Black's men become kings.
pub const FARTHEST_ROW: u32 = 0xf000_0000;
/// 4, 12, 20 and 28, at Black's left edge: they have no neighbours to the left.
pub const LEFT_EDGE: u32 = 0x0808_0808;
/// 5, 13, 21 and 29, at Black's right edge: they have no neighbours to the right.
pub const RIGHT_EDGE: u32 = 0x1010_1010;

/// The neighbours of a set in one direction; edge squares may have none.
#[inline(always)]
pub const fn neighbours(set: u32, way: Way) -> u32 {
    let inner_even = set & EVEN_ROWS & !LEFT_EDGE;
    let inner_odd = set & ODD_ROWS & !RIGHT_EDGE;
    match way {
        Way::NearRight => (set & EVEN_ROWS) >> 4 | inner_odd >> 5,
        Way::NearLeft => inner_even >> 3 | (set & ODD_ROWS) >> 4,
        Way::FarRight => (set & EVEN_ROWS) << 4 | inner_odd << 3,
        Way::FarLeft => inner_even << 5 | (set & ODD_ROWS) << 4,
    }
}

/// Placeholder for "no square".
pub(super) const NOWHERE: u8 = 32;

/// The neighbour of each square, counted from 0, in each direction, indexed by [`Way`]; [`NOWHERE`] at the edge.
pub(super) static NEXT: [[u8; 4]; 32] = table(1);

/// The square two steps away, where a jump ends.
pub(super) static BEHIND: [[u8; 4]; 32] = table(2);

const fn table(steps: u32) -> [[u8; 4]; 32] {
    let mut table = [[NOWHERE; 4]; 32];
    let mut square = 0;
    while square < 32 {
        let mut way = 0;
        while way < 4 {
            let mut set = 1 << square;
            let mut step = 0;
            while step < steps {
                set = neighbours(set, Way::ALL[way]);
                step += 1;
            }
            // 32 for an empty set, which is `NOWHERE`.
            table[square][way] = set.trailing_zeros() as u8;
            way += 1;
        }
        square += 1;
    }
    table
}

/// Targets of a man of South, a man of North and a king from each square of an empty board.
pub(super) static STEPS: [[u32; 32]; 3] = {
    let mut table = [[0; 32]; 3];
    let mut square = 0;
    while square < 32 {
        let set = 1 << square;
        let far = neighbours(set, Way::FarLeft) | neighbours(set, Way::FarRight);
        let near = neighbours(set, Way::NearLeft) | neighbours(set, Way::NearRight);
        (table[0][square], table[1][square], table[2][square]) = (far, near, far | near);
        square += 1;
    }
    table
};

/// Index of square `number`, 1 to 32, among the 64 squares counted row by row from the upper left corner, as South sees
/// the board.
pub fn place(number: u8) -> u8 {
    let nth = 32_u8.saturating_sub(number);
    let row = nth / 4;
    let column = nth % 4;
    8 * row + 2 * column + u8::from(row.is_multiple_of(2))
}

/// Number of one of the 64 squares, if it is dark.
pub fn number(place: u8) -> Option<u8> {
    let row = place / 8;
    let file = place % 8;
    (place < 64 && (row + file) % 2 == 1).then(|| 32 - (4 * row + file / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_numbers_are_each_other_s() {
        assert_eq!([1, 4, 5, 29, 32].map(place), [62, 56, 55, 7, 1]);
        for n in 1..=32 {
            assert_eq!(number(place(n)), Some(n));
        }
        assert_eq!((0..=u8::MAX).filter(|&at| number(at).is_some()).count(), 32);
    }

    /// Checked by rows and files of the board of 64 squares, where directions are obvious.
    #[test]
    fn neighbours_lie_next_to_each_other_on_the_board() {
        for n in 1..=32_u8 {
            for (way, right, down) in
                [(Way::NearRight, 1, 1), (Way::NearLeft, -1, 1), (Way::FarRight, 1, -1), (Way::FarLeft, -1, -1)]
            {
                let next = |steps: i8| {
                    let row = (place(n) / 8) as i8 + steps * down;
                    let file = (place(n) % 8) as i8 + steps * right;
                    let inside = (0..8).contains(&row) && (0..8).contains(&file);
                    if inside { number((8 * row + file) as u8).map(|n| n - 1) } else { None }
                };
                let set = next(1).map_or(0, |at| 1_u32 << at);
                assert_eq!(neighbours(1 << (n - 1), way), set, "{n} {way:?}");
                assert_eq!(NEXT[usize::from(n - 1)][way as usize], next(1).unwrap_or(NOWHERE));
                assert_eq!(BEHIND[usize::from(n - 1)][way as usize], next(2).unwrap_or(NOWHERE));
                assert_eq!(neighbours(set, way.back()), if set == 0 { 0 } else { 1 << (n - 1) });
            }
        }
        assert_eq!(neighbours(u32::MAX, Way::FarLeft).count_ones(), 32 - 4 - 4);
    }
}
