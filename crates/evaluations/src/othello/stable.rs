//! Discs that can never be flipped again.
//!
//! A disc is stable if in each of the four directions its line is full, or a neighbour is the edge or a stable disc of
//! its own side. Finds only stable discs, but not all of them.

/// Squares from which `by` steps of this many rows and files leave the board.
const fn leaving(rows: i32, files: i32, by: i32) -> u64 {
    let mut set = 0;
    let mut square = 0;
    while square < 64 {
        let row = square / 8 + rows * by;
        let file = square % 8 + files * by;
        if row < 0 || row > 7 || file < 0 || file > 7 {
            set |= 1 << square;
        }
        square += 1;
    }
    set
}

/// One of the four directions of lines: a left shift of `BY` bits, and back.
struct Way<const BY: u32, const FILES: i32>;

impl<const BY: u32, const FILES: i32> Way<BY, FILES> {
    const ROWS: i32 = if BY == 1 { 0 } else { 1 };
    /// Squares from which 1, 2 and 4 steps backwards leave the board, and as many forwards.
    const BACK: [u64; 3] =
        [leaving(-Self::ROWS, -FILES, 1), leaving(-Self::ROWS, -FILES, 2), leaving(-Self::ROWS, -FILES, 4)];
    const ON: [u64; 3] = [leaving(Self::ROWS, FILES, 1), leaving(Self::ROWS, FILES, 2), leaving(Self::ROWS, FILES, 4)];

    /// Squares whose whole line is occupied.
    #[inline(always)]
    fn full(taken: u64) -> u64 {
        let mut back = taken;
        let mut on = taken;
        back &= back << BY | Self::BACK[0];
        on &= on >> BY | Self::ON[0];
        back &= back << (2 * BY) | Self::BACK[1];
        on &= on >> (2 * BY) | Self::ON[1];
        back &= back << (4 * BY) | Self::BACK[2];
        on &= on >> (4 * BY) | Self::ON[2];
        back & on | Self::BACK[0] | Self::ON[0]
    }

    /// Neighbours of `stable` on the line.
    #[inline(always)]
    fn beside(stable: u64) -> u64 {
        (stable << BY & !Self::BACK[0]) | (stable >> BY & !Self::ON[0])
    }
}

/// Discs of `own` that can never be flipped.
pub(super) fn stable(own: u64, other: u64) -> u64 {
    let taken = own | other;
    let full =
        [Way::<1, 1>::full(taken), Way::<8, 0>::full(taken), Way::<7, -1>::full(taken), Way::<9, 1>::full(taken)];
    let mut stable = own & full[0] & full[1] & full[2] & full[3];
    loop {
        let grown = own
            & (full[0] | Way::<1, 1>::beside(stable))
            & (full[1] | Way::<8, 0>::beside(stable))
            & (full[2] | Way::<7, -1>::beside(stable))
            & (full[3] | Way::<9, 1>::beside(stable));
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

/// Lower bound of the final margin of `own`.
pub(super) fn at_least(own: u64, other: u64) -> i32 {
    2 * stable(own, other).count_ones() as i32 - 64
}
