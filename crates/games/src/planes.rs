//! Positions and moves as numbers, the input and output of neural networks.

use super::{Game, Move};

/// A game with network encodings. All are from the seat of the side to move, so that a network learns for both seats at
/// once.
pub trait Planes: Game {
    /// The input encodings: name, which network files store, and a one-line description. The first is the default. An
    /// encoding never changes; a new one gets a new name.
    const ENCODINGS: &'static [(&'static str, &'static str)];

    /// Number of inputs; the same for all positions of a game.
    fn inputs(&self, encoding: usize) -> usize;

    /// Number of policy outputs.
    fn outputs(&self) -> usize;

    /// Appends the non-zero inputs of the position to `input`: the index, below [`inputs`](Planes::inputs), each at
    /// most once, and the value, mostly from -1 to 1. The game must not be over.
    fn encode(&self, encoding: usize, input: &mut Vec<(u16, f32)>);

    /// Policy output of a legal move, below [`outputs`](Planes::outputs). Two moves of a position share an output only
    /// if they are nearly equivalent; each then has that output's probability.
    fn output(&self, mv: Move) -> u16;
}

/// Index of an encoding in [`ENCODINGS`](Planes::ENCODINGS).
pub fn encoding<G: Planes>(name: &str) -> Option<usize> {
    G::ENCODINGS.iter().position(|(known, _)| *known == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::Variant;
    use crate::rng::keyed;
    use rand::Rng as _;

    /// Visits the positions of random games, at most 150 plies each: some games only end by a history-dependent rule.
    fn each_position<G: Planes>(start: G, mut look: impl FnMut(&G)) {
        for seed in 0..20 {
            let mut pos = start;
            let mut rng = keyed(&[seed]);
            for _ in 0..150 {
                if !pos.is_over() {
                    look(&pos);
                    pos = pos.play(pos.pick(rng.next_u32()));
                }
            }
        }
    }

    fn check<G: Planes>(start: G) {
        for (encoding, (name, _)) in G::ENCODINGS.iter().enumerate() {
            assert_eq!(super::encoding::<G>(name), Some(encoding));
            let mut seen = BTreeSet::new();
            let mut text = BTreeSet::new();
            let mut shared = 0;
            let mut moves = 0;
            each_position(start, |pos| {
                let mut input = Vec::new();
                pos.encode(encoding, &mut input);
                assert_eq!((pos.inputs(encoding), pos.outputs()), (start.inputs(encoding), start.outputs()));
                let places: BTreeSet<u16> = input.iter().map(|(place, _)| *place).collect();
                assert!(
                    places.len() == input.len()
                        && places.iter().all(|place| usize::from(*place) < start.inputs(encoding))
                );
                assert!(
                    input.iter().all(|(_, number)| number.is_finite() && *number != 0.0 && number.abs() <= 8.0),
                    "{input:?}"
                );
                seen.extend(places);
                text.insert(format!("{input:?}"));
                let outputs: BTreeSet<u16> = pos.moves().map(|mv| pos.output(mv)).collect();
                assert!(outputs.iter().all(|output| usize::from(*output) < pos.outputs()));
                shared += pos.count_moves() - outputs.len() as u64;
                moves += pos.count_moves();
            });
            assert!(1000 * shared <= moves, "{name}: {shared} of {moves} moves share an output");
            assert!(2 * seen.len() > start.inputs(encoding) && text.len() > 100, "{name}: {} places", seen.len());
        }
        assert_eq!(super::encoding::<G>("no such"), None);
    }

    #[test]
    fn positions_fill_their_inputs_and_moves_have_outputs_of_their_own() {
        for variant in Variant::usual() {
            with_position!(variant.start(), start => check(start));
        }
        let small: Variant = "kalah:3x2:empty".parse().unwrap();
        with_position!(small.start(), start => each_position(start, |pos| assert!(pos.outputs() >= 3)));
    }
}
