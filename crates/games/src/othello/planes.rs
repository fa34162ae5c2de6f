//! Network encoding of Othello: one plane of 64 squares for each side's discs, and one for the legal squares.

use super::{Othello, PASS};
use crate::{Move, Planes};

/// Number of squares, and of inputs per plane.
const SQUARES: u16 = 64;

impl Planes for Othello {
    const ENCODINGS: &'static [(&'static str, &'static str)] =
        &[("discs", "each side's discs, the legal moves, the margin and the discs placed")];

    fn inputs(&self, _: usize) -> usize {
        3 * usize::from(SQUARES) + 3
    }

    /// One output per square, and the pass.
    fn outputs(&self) -> usize {
        usize::from(PASS.0) + 1
    }

    #[inline]
    fn encode(&self, _: usize, input: &mut Vec<(u16, f32)>) {
        for (plane, mut squares) in [self.own, self.other, self.legal].into_iter().enumerate() {
            while squares != 0 {
                input.push((plane as u16 * SQUARES + squares.trailing_zeros() as u16, 1.0));
                squares &= squares - 1;
            }
        }
        let whole = f32::from(SQUARES);
        let rest = [self.lead() as f32 / whole, self.put() as f32 / whole, 1.0];
        let text = rest.into_iter().enumerate().filter(|(_, number)| *number != 0.0);
        input.extend(text.map(|(n, number)| (3 * SQUARES + n as u16, number)));
    }

    #[inline]
    fn output(&self, mv: Move) -> u16 {
        mv.0
    }
}
