//! The patterns' squares, and the numbering of their contents.
//!
//! A pattern is a list of squares. Its *content* is a number with a ternary digit per square, the first square's lowest:
//! 0 for an empty square, 1 for the first side's disc, 2 for the other side's. Each shape stands on the board in up to eight
//! places, its images under the symmetries of the square; where two symmetries give the same squares in another order, both
//! contents share one weight.

use std::sync::LazyLock;

/// Places of all shapes on the board.
pub const PLACES: usize = 46;

/// [`PLACES`], rounded up to whole vectors.
pub const LANES: usize = 48;

/// The shapes, with the squares of one place of each.
///
/// Rows, diagonals, a corner's surroundings and an edge with the squares before its corners: the shapes that Othello
/// programs have used since Buro's Logistello (M. Buro, "From Simple Features to Sophisticated Evaluation Functions", 1998).
pub const SHAPES: [(&str, &[u8]); 11] = [
    ("row 2", &[8, 9, 10, 11, 12, 13, 14, 15]),
    ("row 3", &[16, 17, 18, 19, 20, 21, 22, 23]),
    ("row 4", &[24, 25, 26, 27, 28, 29, 30, 31]),
    ("diagonal 8", &[0, 9, 18, 27, 36, 45, 54, 63]),
    ("diagonal 7", &[1, 10, 19, 28, 37, 46, 55]),
    ("diagonal 6", &[2, 11, 20, 29, 38, 47]),
    ("diagonal 5", &[3, 12, 21, 30, 39]),
    ("diagonal 4", &[4, 13, 22, 31]),
    ("edge", &[9, 0, 1, 2, 3, 4, 5, 6, 7, 14]),
    ("corner 3x3", &[0, 1, 2, 8, 9, 10, 16, 17, 18]),
    ("corner 2x5", &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12]),
];

/// Number of contents of `squares` squares.
pub const fn contents(squares: usize) -> usize {
    3_usize.pow(squares as u32)
}

/// Number of contents of all shapes.
pub const CONTENTS: usize = {
    let mut sum = 0;
    let mut shape = 0;
    while shape < SHAPES.len() {
        sum += contents(SHAPES[shape].1.len());
        shape += 1;
    }
    sum
};

/// Squares of the longest shape.
const LONGEST: usize = 10;

/// By place, its shape and the images of the shape's squares. Two symmetries may give the same squares: they are one place.
const PLACED: [(usize, [u8; LONGEST]); PLACES] = {
    let mut placed = [(0, [0; LONGEST]); PLACES];
    let mut sets = [0; PLACES];
    let mut count = 0;
    let mut shape = 0;
    while shape < SHAPES.len() {
        let mut symmetry = 0;
        while symmetry < 8 {
            let mut images = [0; LONGEST];
            let mut set = 0_u64;
            let mut at = 0;
            while at < SHAPES[shape].1.len() {
                images[at] = image(SHAPES[shape].1[at], symmetry);
                set |= 1 << images[at];
                at += 1;
            }
            let mut known = 0;
            while known < count && (sets[known] != set || placed[known].0 != shape) {
                known += 1;
            }
            if known == count {
                (placed[count], sets[count]) = ((shape, images), set);
                count += 1;
            }
            symmetry += 1;
        }
        shape += 1;
    }
    assert!(count == PLACES);
    placed
};

/// The first place of a shape, and of the next.
const fn places(shape: usize) -> [usize; 2] {
    let mut first = 0;
    while first < PLACES && PLACED[first].0 < shape {
        first += 1;
    }
    let mut end = first;
    while end < PLACES && PLACED[end].0 == shape {
        end += 1;
    }
    [first, end]
}

/// By shape, its first place and that of the next.
pub(super) const PLACES_OF: [[usize; 2]; SHAPES.len()] = {
    let mut all = [[0; 2]; SHAPES.len()];
    let mut shape = 0;
    while shape < SHAPES.len() {
        all[shape] = places(shape);
        shape += 1;
    }
    all
};

/// By shape, the number of its content 0 among all shapes' contents.
pub(super) const OFFSETS: [usize; SHAPES.len()] = {
    let mut offsets = [0; SHAPES.len()];
    let mut shape = 1;
    while shape < SHAPES.len() {
        offsets[shape] = offsets[shape - 1] + contents(SHAPES[shape - 1].1.len());
        shape += 1;
    }
    offsets
};

/// By square, what an own disc on it adds to each place's content.
pub(super) static POWERS: [[u16; LANES]; 64] = {
    let mut powers = [[0; LANES]; 64];
    let mut place = 0;
    while place < PLACES {
        let (shape, squares) = PLACED[place];
        let mut digit = 0;
        while digit < SHAPES[shape].1.len() {
            powers[squares[digit] as usize][place] = contents(digit) as u16;
            digit += 1;
        }
        place += 1;
    }
    powers
};

/// Which contents share a weight.
pub struct Layout {
    /// By content of any shape, the number of its weight among all distinct weights.
    pub weights: Vec<u32>,
    /// Number of distinct weights.
    pub distinct: usize,
}

static LAYOUT: LazyLock<Layout> = LazyLock::new(Layout::new);

/// The image of a square under one of the eight symmetries of the board.
pub(crate) const fn image(square: u8, symmetry: u8) -> u8 {
    let mut row = square / 8;
    let mut file = square % 8;
    if symmetry & 1 != 0 {
        file = 7 - file;
    }
    if symmetry & 2 != 0 {
        row = 7 - row;
    }
    if symmetry & 4 != 0 {
        (row, file) = (file, row);
    }
    8 * row + file
}

/// The content with its digits in another order: digit `n` of the result is digit `order[n]`.
fn permuted(content: usize, order: &[usize]) -> usize {
    order.iter().rev().fold(0, |sum, &at| 3 * sum + content / contents(at) % 3)
}

impl Layout {
    pub fn get() -> &'static Layout {
        &LAYOUT
    }

    fn new() -> Layout {
        let mut layout = Layout { weights: Vec::with_capacity(CONTENTS), distinct: 0 };
        SHAPES.iter().for_each(|(_, squares)| layout.add(squares));
        layout
    }

    fn add(&mut self, squares: &[u8]) {
        let offset = self.weights.len();
        // Orders of the squares under symmetries that leave their set unchanged.
        let orders: Vec<Vec<usize>> = (0..8)
            .filter_map(|symmetry| {
                let images = squares.iter().map(|&square| image(square, symmetry));
                images.map(|image| squares.iter().position(|square| *square == image)).collect()
            })
            .collect();
        for content in 0..contents(squares.len()) {
            let least = orders.iter().map(|order| permuted(content, order)).min().unwrap_or(content);
            if least == content {
                self.weights.push(self.distinct as u32);
                self.distinct += 1;
            } else {
                self.weights.push(self.weights[offset + least]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_has_its_places_and_its_weights() {
        let layout = Layout::get();
        assert_eq!(layout.weights.len(), CONTENTS);
        let count = |shape: usize| PLACES_OF[shape][1] - PLACES_OF[shape][0];
        assert_eq!(std::array::from_fn(count), [4, 4, 4, 2, 4, 4, 4, 4, 4, 4, 8]);
        let distinct = |shape: usize| {
            let offset = OFFSETS[shape];
            let weights = &layout.weights[offset..offset + contents(SHAPES[shape].1.len())];
            weights.iter().collect::<std::collections::HashSet<_>>().len()
        };
        // Palindromes of n digits are 3^(n/2 rounded up); a 3x3 corner has three squares on its axis.
        let mirrored = |digits: u32| (3_usize.pow(digits) + 3_usize.pow(digits.div_ceil(2))) / 2;
        let corner = (contents(9) + 3_usize.pow(6)) / 2;
        let expected = [8, 8, 8, 8, 7, 6, 5, 4, 10].map(mirrored);
        assert_eq!(std::array::from_fn(distinct), expected);
        assert_eq!((distinct(9), distinct(10)), (corner, contents(10)));
    }
}
