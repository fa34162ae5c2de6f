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

/// Where the shapes are, and which contents share a weight.
pub struct Layout {
    /// By place, its shape and its squares.
    pub places: Vec<(usize, Vec<u8>)>,
    /// By lane, the number of the shape's content 0 among all shapes' contents.
    pub offsets: [u32; LANES],
    /// By square, what an own disc on it adds to each place's content.
    pub powers: [[u16; LANES]; 64],
    /// By content of any shape, the number of its weight among all distinct weights.
    pub weights: Vec<u32>,
    /// Number of distinct weights.
    pub distinct: usize,
}

static LAYOUT: LazyLock<Layout> = LazyLock::new(Layout::new);

/// The image of a square under one of the eight symmetries of the board.
pub(crate) fn image(square: u8, symmetry: u8) -> u8 {
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
        let mut layout = Layout {
            places: Vec::new(),
            offsets: [0; LANES],
            powers: [[0; LANES]; 64],
            weights: Vec::with_capacity(CONTENTS),
            distinct: 0,
        };
        for (shape, (_, squares)) in SHAPES.iter().enumerate() {
            layout.add(shape, squares);
        }
        layout
    }

    fn add(&mut self, shape: usize, squares: &[u8]) {
        let offset = self.weights.len() as u32;
        // Orders of the squares under symmetries that leave their set unchanged.
        let mut orders = Vec::new();
        for symmetry in 0..8 {
            let images: Vec<u8> = squares.iter().map(|&square| image(square, symmetry)).collect();
            if let Some(order) =
                images.iter().map(|image| squares.iter().position(|s| s == image)).collect::<Option<Vec<usize>>>()
            {
                orders.push(order);
            }
            let is_known = |(_, known): &(usize, Vec<u8>)| images.iter().all(|image| known.contains(image));
            if !self.places.iter().any(|place| place.0 == shape && is_known(place)) {
                let lane = self.places.len();
                self.offsets[lane] = offset;
                for (digit, &square) in images.iter().enumerate() {
                    self.powers[usize::from(square)][lane] = contents(digit) as u16;
                }
                self.places.push((shape, images));
            }
        }
        for content in 0..contents(squares.len()) {
            let least = orders.iter().map(|order| permuted(content, order)).min().unwrap_or(content);
            if least == content {
                self.weights.push(self.distinct as u32);
                self.distinct += 1;
            } else {
                self.weights.push(self.weights[offset as usize + least]);
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
        assert_eq!((layout.places.len(), layout.weights.len()), (PLACES, CONTENTS));
        let count = |shape| layout.places.iter().filter(|place| place.0 == shape).count();
        assert_eq!(std::array::from_fn(count), [4, 4, 4, 2, 4, 4, 4, 4, 4, 4, 8]);
        let distinct = |shape: usize| {
            let offset = layout.offsets[layout.places.iter().position(|place| place.0 == shape).unwrap()] as usize;
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
