//! Network encoding of checkers: one plane of 32 squares for each side's men and kings, from the mover's side of the
//! board.

use super::moves::parts;
use super::{Checkers, Move};
use crate::{Game, Planes, Side};

/// Number of squares, and of inputs per plane.
const SQUARES: u16 = 32;

/// Lead that is scaled to 1, about the largest likely one.
const LEAD: f32 = 24.0;

impl Checkers {
    /// A set of squares as the mover sees it.
    fn turned(&self, squares: u32) -> u32 {
        if self.side() == Side::South { squares } else { squares.reverse_bits() }
    }
}

impl Planes for Checkers {
    const ENCODINGS: &'static [(&'static str, &'static str)] =
        &[("pieces", "each side's men and kings, the lead and whether a jump is compulsory")];

    fn inputs(&self, _: usize) -> usize {
        4 * usize::from(SQUARES) + 3
    }

    /// One output per pair of start and end square; jumps with the same ends share one.
    fn outputs(&self) -> usize {
        usize::from(SQUARES * SQUARES)
    }

    #[inline]
    fn encode(&self, _: usize, input: &mut Vec<(u16, f32)>) {
        let own = self.side();
        let other = self.side().other();
        let planes = [self.men(own), self.kings(own), self.men(other), self.kings(other)];
        for (plane, squares) in planes.into_iter().enumerate() {
            let mut squares = self.turned(squares);
            while squares != 0 {
                input.push((plane as u16 * SQUARES + squares.trailing_zeros() as u16, 1.0));
                squares &= squares - 1;
            }
        }
        let rest = [self.lead(own) as f32 / LEAD, f32::from(u8::from(self.must_jump())), 1.0];
        let message = rest.into_iter().enumerate().filter(|(_, number)| *number != 0.0);
        input.extend(message.map(|(n, number)| (4 * SQUARES + n as u16, number)));
    }

    #[inline]
    fn output(&self, mv: Move) -> u16 {
        let (from, to, _) = parts(mv);
        let turn = |square: u8| u16::from(if self.side() == Side::South { square } else { 31 - square });
        turn(from) * SQUARES + turn(to)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::Notation as _;

    #[test]
    fn both_seats_see_the_same() {
        let message = |text: &str| {
            let pos = Checkers::from_text(Default::default(), text).unwrap();
            let mut input = Vec::new();
            pos.encode(0, &mut input);
            (input, pos.moves().map(|mv| pos.output(mv)).collect::<BTreeSet<u16>>())
        };
        let (input, outputs) = message("B:W22,K31:B9,K2");
        assert_eq!((&input, &outputs), (&message("W:W24,K31:B11,K2").0, &message("W:W24,K31:B11,K2").1));
        assert!(input.len() == 5 && outputs.len() > 3, "{input:?} {outputs:?}");
        let other = message("B:W22,K31:B11,K2");
        assert!(other.0 != input && other.1 != outputs);
    }
}
