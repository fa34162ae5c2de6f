//! Network encodings of Kalah: that of [`sowing::planes`](crate::sowing::planes), and one with the effects of moves.

use super::{Kalah, Move};
use crate::sowing::planes;
use crate::{Game, Planes};

/// Inputs of the `outlook` encoding per own pit, and per pit of the opponent.
const OWN: u16 = 3;
const OTHER: u16 = 2;

/// Gain of a move that is scaled to 1, in seeds.
const GAIN: f32 = 8.0;

/// Index of the `outlook` encoding.
const OUTLOOK: usize = 1;

impl Kalah {
    fn pits(&self) -> u16 {
        self.rules().pits().into()
    }

    /// The position with the other side to move; `None` if a side has no seeds.
    fn waiting(&self) -> Option<Kalah> {
        (self.other != 0 && self.own != 0).then(|| self.turned())
    }

    /// The position after `mv`, the seeds that it gains, and whether it gives an extra turn.
    fn does(&self, mv: Move) -> (Kalah, i32, bool) {
        let side = self.side();
        let next = self.play(mv);
        (next, next.margin(side) - self.margin(side), !next.is_over() && next.side() == side)
    }

    /// Adds the effects of each move: whether it gives an extra turn, its gain, and the gain that remains after the
    /// best next sowing by either side. For the other side's moves, if it had the turn, only the first two.
    fn encode_outlook(&self, at: u16, input: &mut Vec<(u16, f32)>) {
        let side = self.side();
        let margin = self.margin(self.side());
        let mut tell = |place: u16, number: f32| {
            if number != 0.0 {
                input.push((place, number));
            }
        };
        for mv in self.moves() {
            let (next, gain, again) = self.does(mv);
            let best = |next: &Kalah| next.best_after_one(i32::MAX).best * if next.side() == side { 1 } else { -1 };
            let later = if next.is_over() { next.margin(side) } else { best(&next) } - margin;
            let place = at + OWN * mv.0;
            tell(place, f32::from(u8::from(again)));
            tell(place + 1, gain as f32 / GAIN);
            tell(place + 2, later as f32 / GAIN);
        }
        let Some(waiting) = self.waiting() else { return };
        for mv in waiting.moves() {
            let (_, gain, again) = waiting.does(mv);
            let place = at + OWN * self.pits() + OTHER * mv.0;
            tell(place, f32::from(u8::from(again)));
            tell(place + 1, gain as f32 / GAIN);
        }
    }
}

impl Planes for Kalah {
    const ENCODINGS: &'static [(&'static str, &'static str)] =
        &[planes::COUNTS, ("outlook", "the same, and each move's gain, turn and best reply")];

    fn inputs(&self, encoding: usize) -> usize {
        let outlook = if encoding == OUTLOOK { (OWN + OTHER) * self.pits() } else { 0 };
        planes::inputs(self.rules().pits()) + usize::from(outlook)
    }

    fn outputs(&self) -> usize {
        self.pits().into()
    }

    #[inline]
    fn encode(&self, encoding: usize, input: &mut Vec<(u16, f32)>) {
        let pits = usize::from(self.pits());
        let [own, other] = [self.own, self.other].map(u64::to_le_bytes);
        let counts = |side: [u8; 8]| side.into_iter().take(pits).map(u16::from);
        let stores = [self.own_store, self.other_store].map(u16::from);
        planes::encode(counts(own).chain(counts(other)), stores, self.rules().pits() * self.rules().seeds(), input);
        if encoding == OUTLOOK {
            self.encode_outlook(planes::inputs(self.rules().pits()) as u16, input);
        }
    }

    #[inline]
    fn output(&self, mv: Move) -> u16 {
        mv.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoardGame as _, Notation as _};

    fn message(text: &str, encoding: usize) -> Vec<(u16, f32)> {
        let mut input = Vec::new();
        Kalah::from_text("".parse().unwrap(), text).unwrap().encode(encoding, &mut input);
        input
    }

    #[test]
    fn the_start_is_reported_by_its_pits_and_what_can_be_done() {
        let start = Kalah::start("".parse().unwrap());
        let mut input = Vec::new();
        start.encode(0, &mut input);
        let fours: Vec<(u16, f32)> = (0..12).map(|pit| (16 * pit + 4, 1.0)).chain([(195, 1.0)]).collect();
        assert_eq!(input, fours);
        assert_eq!((start.inputs(0), start.inputs(1), start.outputs()), (196, 226, 6));
        // The third pit ends in the store: an extra turn and one seed. The sixth drops one there on its way.
        input.clear();
        start.encode(1, &mut input);
        let at = |place: u16| input.iter().find(|(known, _)| *known == place).map_or(0.0, |(_, number)| *number);
        assert_eq!([at(196 + 6), at(196 + 7), at(196 + 15), at(196 + 16)], [1.0, 0.125, 0.0, 0.125]);
        // After the first pit the other side's third pit gains one seed and an extra turn.
        assert_eq!(at(196 + 2), -0.125);
        assert_eq!([at(214 + 4), at(214 + 5)], [1.0, 0.125]);
    }

    #[test]
    fn both_seats_see_the_same() {
        let south = "<6,5,3,0,1,2,3,4,15,6,5,1,0,2,1> S";
        let north = "<6,3,5,6,5,1,0,2,1,0,1,2,3,4,15> N";
        for encoding in 0..2 {
            assert_eq!(message(south, encoding), message(north, encoding));
        }
        let other = "<6,5,3,0,1,2,3,4,15,6,5,1,0,1,2> S";
        assert_ne!(message(south, 0), message(other, 0));
    }
}
