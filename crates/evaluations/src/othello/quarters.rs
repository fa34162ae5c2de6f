//! Quarters of the board, 16 squares each. In a quarter with an odd number of empty squares, the side that moves first
//! is likely to make the last move.

const QUARTERS: [u64; 4] = [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

/// Squares of each set of quarters, one bit per quarter.
pub(super) static OF_QUARTERS: [u64; 16] = {
    let mut squares = [0; 16];
    let mut at = 0;
    while at < 64 {
        let quarters = at / 4;
        let quarter = at % 4;
        if quarters >> quarter & 1 == 1 {
            squares[quarters] |= QUARTERS[quarter];
        }
        at += 1;
    }
    squares
};

/// Quarters with an odd number of `empty` squares, one bit each.
#[inline]
pub(super) fn odd_quarters(empty: u64) -> u8 {
    // The parity of each four files in a row, then of four rows, is in the lowest of their bits.
    let files = empty ^ empty >> 1;
    let files = files ^ files >> 2;
    let rows = files ^ files >> 8;
    let rows = rows ^ rows >> 16;
    (rows & 1 | rows >> 3 & 2 | rows >> 30 & 4 | rows >> 33 & 8) as u8
}

/// Squares in quarters with an odd number of `empty` squares.
#[inline]
pub(super) fn in_odd_quarters(empty: u64) -> u64 {
    OF_QUARTERS[usize::from(odd_quarters(empty) & 15)]
}

/// Bit of a square's quarter.
#[inline(always)]
pub(super) fn quarter(square: u8) -> u8 {
    1 << (square >> 2 & 1 | square >> 4 & 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancalab_base::rng;
    use rand::Rng as _;

    #[test]
    fn odd_quarters_have_odd_numbers_of_squares() {
        let mut random = rng::keyed(&[7]);
        for _ in 0..1000 {
            let empty = random.next_u64();
            let is_odd = |quarter: usize| (empty & QUARTERS[quarter]).count_ones() % 2 == 1;
            let expected = (0..4).filter(|at| is_odd(*at)).fold(0, |odd, at| odd | 1 << at);
            assert_eq!(odd_quarters(empty), expected, "{empty:#x}");
        }
    }
}
