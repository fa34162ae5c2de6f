//! Lines of discs: legal moves and flips.
//!
//! A disc of the mover *holds* the opponent's discs that follow it in a line without a gap. The empty square after the
//! last of them is a legal move, which flips them. Held discs are found for the whole board at once, by shifts; the
//! flips of one move are the run of held discs next to it, whose end a subtraction finds.
//!
//! A board and its mirror image in two lanes of one wide word.
//!
//! The mirror image is upside down, so its rows come in reverse order. One shift of both lanes thus covers two
//! directions, and so do additions, whose carries run one way only.

/// All files but the outer ones: discs held horizontally or diagonally are never in those.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Discs of `other` that `own` holds in the direction of a left shift by `BY`, in both lanes.
#[inline(always)]
fn held<const BY: i32, const TWICE: i32>(own: Lanes, other: Lanes) -> Lanes {
    let mut held = other.and(own.shifted::<BY>());
    held = held.or(other.and(held.shifted::<BY>()));
    let pairs = other.and(other.shifted::<BY>());
    held = held.or(pairs.and(held.shifted::<TWICE>()));
    held.or(pairs.and(held.shifted::<TWICE>()))
}

/// Discs of `other`, all in inner files, that `own` holds towards file a.
#[inline(always)]
fn held_leftwards(own: u64, other: u64) -> u64 {
    let mut held = other & (own >> 1);
    held |= other & (held >> 1);
    let pairs = other & (other >> 1);
    held |= pairs & (held >> 2);
    held | pairs & (held >> 2)
}

/// The legal squares of the side with `own`.
#[inline(always)]
pub fn legal(own: u64, other: u64) -> u64 {
    let us = Lanes::mirrored(own);
    let them = Lanes::mirrored(other);
    let inner = them.and(Lanes::both(INNER));
    let straight = held::<8, 16>(us, them).shifted::<8>();
    let aslant = held::<9, 18>(us, inner).shifted::<9>().or(held::<7, 14>(us, inner).shifted::<7>());
    let row = other & INNER;
    // Towards file h a carry runs through the discs in between, from the first to the square after the last.
    let rightwards = (row + (row & (own << 1))) & !row;
    let leftwards = held_leftwards(own, row) >> 1;
    (straight.or(aslant).merged() | rightwards | leftwards) & !(own | other)
}

/// [`legal`] for many positions at once: a plain loop without branches or tables, for the compiler to vectorize.
#[inline]
pub fn legal_of_all<const N: usize>(own: &[u64; N], other: &[u64; N], legal: &mut [u64; N], count: usize) {
    let count = count.min(N);
    let boards = own[..count].iter().zip(&other[..count]);
    for (legal, (&own, &other)) in legal[..count].iter_mut().zip(boards) {
        *legal = legal_by_shifts(own, other);
    }
}

#[inline(always)]
fn legal_by_shifts(own: u64, other: u64) -> u64 {
    let inner = other & INNER;
    let rightwards = (inner + (inner & (own << 1))) & !inner;
    let leftwards = held_leftwards(own, inner) >> 1;
    let straight = both_ways::<8>(own, other);
    let aslant = both_ways::<7>(own, inner) | both_ways::<9>(own, inner);
    (straight | aslant | rightwards | leftwards) & !(own | other)
}

/// Squares after discs of `other` held by `own`, in the directions of shifts by `BY` to the left and right.
#[inline(always)]
fn both_ways<const BY: u32>(own: u64, other: u64) -> u64 {
    let pairs = other & (other << BY);
    let mut up = other & (own << BY);
    up |= other & (up << BY);
    up |= pairs & (up << (2 * BY));
    up |= pairs & (up << (2 * BY));
    let pairs = pairs >> BY;
    let mut down = other & (own >> BY);
    down |= other & (down >> BY);
    down |= pairs & (down >> (2 * BY));
    down |= pairs & (down >> (2 * BY));
    up << BY | down >> BY
}

/// The squares that follow a square in each direction, in one line of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Rays {
    /// For shifts of 7, 8 and 9: upright, and mirrored, from the square's mirror image.
    lanes: [[u64; 2]; 3],
    /// Towards file h.
    right: u64,
}

static RAYS: [Rays; 64] = {
    let mut rays = [Rays { lanes: [[0; 2]; 3], right: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        let row = square / 8;
        let file = square % 8;
        let slopes: [i32; 3] = [-1, 0, 1];
        let mut slope = 0;
        while slope < 3 {
            let mut lane = 0;
            while lane < 2 {
                let mut at = (if lane == 0 { row } else { 7 - row }, file as i32);
                while at.0 < 7 && at.1 + slopes[slope] >= 0 && at.1 + slopes[slope] < 8 {
                    at = (at.0 + 1, at.1 + slopes[slope]);
                    rays[square].lanes[slope][lane] |= 1 << (8 * at.0 as i32 + at.1);
                }
                lane += 1;
            }
            slope += 1;
        }
        rays[square].right = (0xfe << file & 0xff) << (8 * row);
        square += 1;
    }
    rays
};

/// The run of a row's squares that ends directly left of a file: `RUN_LEFT[file][row]`.
static RUN_LEFT: [[u8; 256]; 8] = {
    let mut runs = [[0; 256]; 8];
    let mut file = 0;
    while file < 8 {
        let mut row = 0;
        while row < 256 {
            let mut at = file;
            while at > 0 && row >> (at - 1) & 1 == 1 {
                at -= 1;
                runs[file][row] |= 1 << at;
            }
            row += 1;
        }
        file += 1;
    }
    runs
};

/// All discs of a side that the other side holds, by direction: the flips of every legal move follow from it.
#[derive(Clone, Copy)]
pub struct Held {
    /// Upright lane: discs on upward rays (by 7, 8 or 9); mirrored lane: the same in the mirror image.
    lanes: [Lanes; 3],
    right: u64,
    left: u64,
}

impl Held {
    #[inline(always)]
    pub fn new(own: u64, other: u64) -> Held {
        let us = Lanes::mirrored(own);
        let them = Lanes::mirrored(other);
        let inner = them.and(Lanes::both(INNER));
        // Discs held from further along the ray are found from the other end, which is in the other lane.
        let turned = |lanes: Lanes| {
            let [upright, mirrored] = lanes.words();
            Lanes::new(mirrored.swap_bytes(), upright.swap_bytes())
        };
        let lanes =
            [turned(held::<9, 18>(us, inner)), turned(held::<8, 16>(us, them)), turned(held::<7, 14>(us, inner))];
        let row = other & INNER;
        let first = row & (own << 1);
        // The carry clears the run that it passes.
        Held { lanes, right: held_leftwards(own, row), left: row & !(row + first) }
    }

    /// Discs flipped by a disc on a legal `square`.
    #[inline(always)]
    pub fn flips(&self, square: u8) -> u64 {
        let rays = &RAYS[usize::from(square & 63)];
        let run = |slope: usize| {
            let ray = Lanes::new(rays.lanes[slope][0], rays.lanes[slope][1]);
            let held = self.lanes[slope].and(ray);
            // Subtracting the ray adds its first square, as the rest of the word is full: the carry clears the run.
            held.without(held.minus(ray))
        };
        let upwards = run(0).or(run(1)).or(run(2)).merged();
        let right = self.right & rays.right;
        let right = right & !right.wrapping_sub(rays.right);
        upwards | right | run_left(self.left, square)
    }
}

/// The run of squares in `set` that ends directly left of `square`.
#[inline(always)]
fn run_left(set: u64, square: u8) -> u64 {
    let row = square & 56;
    u64::from(RUN_LEFT[usize::from(square & 7)][usize::from((set >> row) as u8)]) << row
}

/// Discs flipped by a disc of the side with `own` on an empty `square`; empty if the move is illegal.
#[inline(always)]
pub fn flips(square: u8, own: u64, other: u64) -> u64 {
    let rays = &RAYS[usize::from(square & 63)];
    let us = Lanes::mirrored(own);
    let them = Lanes::mirrored(other);
    let run = |slope: usize| {
        let ray = Lanes::new(rays.lanes[slope][0], rays.lanes[slope][1]);
        let others = them.and(ray);
        let carried = others.minus(ray);
        let holder = carried.and(ray).and(us);
        others.without(carried).without(holder.zeros())
    };
    let upwards = run(0).or(run(1)).or(run(2)).merged();
    let others = other & rays.right;
    let carried = others.wrapping_sub(rays.right);
    let is_held = carried & rays.right & own != 0;
    let right = others & !carried & u64::from(is_held).wrapping_neg();
    let row = square & 56;
    let left = RUN_LEFT[usize::from(square & 7)][usize::from((other >> row) as u8)];
    let holder = (left & left.wrapping_neg()) >> 1;
    let is_held = holder & (own >> row) as u8 != 0;
    let left = u64::from(left & u8::from(is_held).wrapping_neg()) << row;
    upwards | right | left
}

/// Number of discs that a disc on a square of an otherwise full line flips, by the mover's discs on the line:
/// `ALONE[square][discs]`.
static ALONE: [[u8; 256]; 8] = {
    let mut counts = [[0; 256]; 8];
    let mut square = 0;
    while square < 8 {
        let mut own: usize = 0;
        while own < 256 {
            let above = own >> (square + 1);
            let below = own & ((1 << square) - 1);
            if above != 0 {
                counts[square][own] += above.trailing_zeros() as u8;
            }
            if below != 0 {
                counts[square][own] += square as u8 - 1 - below.ilog2() as u8;
            }
            own += 1;
        }
        square += 1;
    }
    counts
};

/// Both diagonals through a square: the one on which rows and files grow together, and the other.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut diagonals = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let rows = other / 8 - square / 8;
            let files = other % 8 - square % 8;
            if rows == files {
                diagonals[square as usize][0] |= 1 << other;
            }
            if rows == -files {
                diagonals[square as usize][1] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    diagonals
};

/// Number of discs that the side with `own` flips on the last empty square.
#[inline(always)]
pub fn count_on_last(square: u8, own: u64) -> i32 {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    let row = usize::from(square >> 3 & 7);
    let file = usize::from(square & 7);
    let sideways = own >> (8 * row) & 0xff;
    // A file is gathered in the highest byte row by row, a diagonal file by file.
    let down = (own >> file & FILE_A).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let [rising, falling] = DIAGONALS[usize::from(square & 63)].map(|line| (own & line).wrapping_mul(FILE_A) >> 56);
    let counts = &ALONE[file];
    let aslant = counts[rising as usize & 255] + counts[falling as usize & 255];
    i32::from(counts[sideways as usize] + ALONE[row][down as usize & 255] + aslant)
}

#[cfg(not(target_arch = "x86_64"))]
use plain as words;
#[cfg(target_arch = "x86_64")]
use wide as words;

/// Two lanes of 64 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes(words::Pair);

impl Lanes {
    #[inline(always)]
    pub fn new(upright: u64, mirrored: u64) -> Lanes {
        Lanes(words::pair(upright, mirrored))
    }

    #[inline(always)]
    pub fn both(word: u64) -> Lanes {
        Lanes::new(word, word)
    }

    #[inline(always)]
    pub fn words(self) -> [u64; 2] {
        words::parts(self.0)
    }

    #[inline(always)]
    pub fn and(self, other: Lanes) -> Lanes {
        Lanes(words::and(self.0, other.0))
    }

    #[inline(always)]
    pub fn or(self, other: Lanes) -> Lanes {
        Lanes(words::or(self.0, other.0))
    }

    /// Bits of `self` that are not in `other`.
    #[inline(always)]
    pub fn without(self, other: Lanes) -> Lanes {
        Lanes(words::without(self.0, other.0))
    }

    #[inline(always)]
    pub fn minus(self, other: Lanes) -> Lanes {
        Lanes(words::minus(self.0, other.0))
    }

    #[inline(always)]
    pub fn shifted<const BY: i32>(self) -> Lanes {
        Lanes(words::shifted::<BY>(self.0))
    }

    /// All ones in lanes that are 0, zero in the others.
    #[inline(always)]
    pub fn zeros(self) -> Lanes {
        Lanes(words::zeros(self.0))
    }
}

/// In one register of SSE2, which every x86-64 processor has. The compiler does not find that out by itself.
#[cfg(target_arch = "x86_64")]
mod wide {
    pub use safe_arch::{
        bitand_m128i as and, bitor_m128i as or, m128i as Pair, shl_imm_u64_m128i as shifted, sub_i64_m128i as minus,
    };
    use safe_arch::{bitandnot_m128i, cmp_eq_mask_i32_m128i, set_i64_m128i, shuffle_ai_f32_all_m128i, zeroed_m128i};

    #[inline(always)]
    pub fn pair(upright: u64, mirrored: u64) -> Pair {
        set_i64_m128i(mirrored.cast_signed(), upright.cast_signed())
    }

    #[inline(always)]
    pub fn parts(pair: Pair) -> [u64; 2] {
        pair.into()
    }

    #[inline(always)]
    pub fn without(pair: Pair, other: Pair) -> Pair {
        bitandnot_m128i(other, pair)
    }

    #[inline(always)]
    pub fn zeros(pair: Pair) -> Pair {
        let halves = cmp_eq_mask_i32_m128i(pair, zeroed_m128i());
        // A lane is 0 if both of its halves are.
        and(halves, shuffle_ai_f32_all_m128i::<0b10_11_00_01>(halves))
    }
}

/// In two words.
#[cfg(any(test, not(target_arch = "x86_64")))]
mod plain {
    pub type Pair = [u64; 2];

    #[inline(always)]
    pub fn pair(upright: u64, mirrored: u64) -> Pair {
        [upright, mirrored]
    }

    #[inline(always)]
    pub fn parts(pair: Pair) -> [u64; 2] {
        pair
    }

    #[inline(always)]
    pub fn and([a, b]: Pair, [c, d]: Pair) -> Pair {
        [a & c, b & d]
    }

    #[inline(always)]
    pub fn or([a, b]: Pair, [c, d]: Pair) -> Pair {
        [a | c, b | d]
    }

    #[inline(always)]
    pub fn without([a, b]: Pair, [c, d]: Pair) -> Pair {
        [a & !c, b & !d]
    }

    #[inline(always)]
    pub fn minus([a, b]: Pair, [c, d]: Pair) -> Pair {
        [a.wrapping_sub(c), b.wrapping_sub(d)]
    }

    #[inline(always)]
    pub fn shifted<const BY: i32>(pair: Pair) -> Pair {
        pair.map(|word| word << BY)
    }

    #[inline(always)]
    pub fn zeros(pair: Pair) -> Pair {
        pair.map(|word| u64::from(word == 0).wrapping_neg())
    }
}

impl Lanes {
    #[inline(always)]
    pub fn mirrored(board: u64) -> Lanes {
        Lanes::new(board, board.swap_bytes())
    }

    /// Union of both lanes, upright.
    #[inline(always)]
    pub fn merged(self) -> u64 {
        let [upright, mirrored] = self.words();
        upright | mirrored.swap_bytes()
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use mancalab_base::rng;
    use rand::Rng as _;

    /// Those of other processors, which compute with two words, and those of this one.
    #[test]
    fn wide_words_compute_as_two_words() {
        let mut random = rng::keyed(&[3]);
        // Zero often, in one half or both, for `zeros`.
        let mut word = || random.next_u64() & [u64::MAX, 0, 0xffff_ffff, !0xffff_ffff][random.next_u32() as usize % 4];
        for _ in 0..1000 {
            let [a, b, c, d] = std::array::from_fn(|_| word());
            let [own, other] = [Lanes::new(a, b), Lanes::new(c, d)];
            assert_eq!(own.and(other).words(), plain::and([a, b], [c, d]));
            assert_eq!(own.or(other).words(), plain::or([a, b], [c, d]));
            assert_eq!(own.without(other).words(), plain::without([a, b], [c, d]));
            assert_eq!(own.minus(other).words(), plain::minus([a, b], [c, d]));
            assert_eq!(own.shifted::<9>().words(), plain::shifted::<9>([a, b]));
            assert_eq!(own.zeros().words(), plain::zeros([a, b]));
            assert_eq!((own.words(), plain::parts(plain::pair(a, b))), ([a, b], [a, b]));
        }
    }
}
