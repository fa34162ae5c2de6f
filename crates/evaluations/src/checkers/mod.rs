//! Evaluation of checkers by small neural networks, learned from the program's own games.
//!
//! The board is seen from the mover's side. A network has an input for each square of each kind of piece: the mover's men and kings, the
//! opponent's men and kings. A hidden layer follows, whose values are held between 0 and 1 and squared, and one output: the logarithm of
//! the odds of winning. The inputs have direct weights to the output too, which begin as the values of the pieces. There is a network for
//! each stage of the game, by pieces taken.
//!
//! Searches use whole numbers. A board has at most 24 pieces, so the hidden layer is computed anew in each position, a few rows of weights
//! to add, and a search has nothing to keep up to date. The sums are compiled for each width of the processor's registers; whole numbers
//! have the same sums in all of them.

mod fit;

pub use fit::Descent;

use std::sync::{Arc, LazyLock};

use crate::{Errors, LearnedEvaluation, LearnedWeights, Stage};
use fearless_simd::{Level, dispatch};
use mancalab_base::rng;
use mancalab_games::checkers::Checkers;
use rand::RngExt as _;

/// Unit of a value: hundredths of a man.
pub const POINT: i32 = 100;

/// Limit of the absolute value of an evaluation.
pub const MOST: i32 = 30 * POINT;

/// The value at which the odds of winning are e to 1, in hundredths of a man.
const ODDS: f32 = 50.0;

/// Pieces taken from which on the stages begin.
const STAGES: [u32; 5] = [0, 7, 11, 15, 18];

/// Inputs: 32 squares of each kind of piece.
const INPUTS: usize = 4 * 32;

/// Values of the hidden layer.
const HIDDEN: usize = 256;

/// Values of the hidden layer that are computed together, half of what registers of 256 bits hold.
const PART: usize = 128;

/// First weight of each group after those of the inputs to the hidden layer: its biases, its weights to the output, the direct weights of
/// the inputs, the bias of the output.
const BIASES: usize = INPUTS * HIDDEN;
const OUTPUT: usize = BIASES + HIDDEN;
const DIRECT: usize = OUTPUT + HIDDEN;
const BIAS: usize = DIRECT + INPUTS;
const WEIGHTS: usize = BIAS + 1;

/// Whole numbers in 1 of a value of the hidden layer, of a weight to the output, and of a direct weight. A square of the first times the
/// second is [`RATIO`] times the third.
const UNIT: f32 = 255.0;
const OUTPUT_UNIT: f32 = 64.0;
const DIRECT_UNIT: f32 = 1600.0;
const RATIO: i32 = 2601;

/// Whole numbers of a direct weight in a hundredth of a man.
const HUNDREDTH: i32 = 32;

/// Greatest absolute weights of the three groups: sums of 24 pieces, and products with a value of the hidden layer, fit 16 bits.
const LIMIT: f32 = 5.0;
const OUTPUT_LIMIT: f32 = 1.98;
const DIRECT_LIMIT: f32 = 20.0;

/// Values of a man and a king before anything is learned, in hundredths of a man.
const MAN: f32 = 100.0;
const KING: f32 = 140.0;

/// Greatest weights before anything is learned.
const FIRST: f32 = 0.25;
const FIRST_OUTPUT: f32 = 0.05;

/// The mover's men and kings, and the opponent's.
type Sets = [u32; 4];

fn sets(pos: &Checkers) -> Sets {
    let [[men, kings], [their_men, their_kings]] = pos.sides();
    [men, kings, their_men, their_kings]
}

/// The inputs of a position's pieces.
#[derive(Clone, Copy)]
struct Inputs {
    numbers: [u8; 32],
    count: usize,
}

impl Inputs {
    #[inline]
    fn new(sets: Sets) -> Inputs {
        let mut inputs = Inputs { numbers: [0; 32], count: 0 };
        for (kind, mut set) in sets.into_iter().enumerate() {
            while set != 0 {
                inputs.numbers[inputs.count & 31] = (32 * kind) as u8 + set.trailing_zeros() as u8;
                inputs.count += 1;
                set &= set - 1;
            }
        }
        inputs
    }

    #[inline]
    fn iter(&self) -> impl Iterator<Item = usize> {
        self.numbers[..self.count.min(32)].iter().map(|&number| usize::from(number) & (INPUTS - 1))
    }
}

/// A part of the weights of an input, or of others of the hidden layer; on a cache line's boundary.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Part([i16; PART]);

/// A network as a search reads it.
struct Network {
    /// By part of the hidden layer.
    parts: Vec<HiddenPart>,
    direct: [i16; INPUTS],
    bias: i16,
    /// The processor's instructions.
    level: Level,
}

struct HiddenPart {
    inputs: Box<[Part; INPUTS]>,
    biases: Part,
    output: Part,
}

impl Network {
    fn new(weights: &[i16], level: Level) -> Network {
        let part = |first: usize| Part(*weights[first..].first_chunk().expect("a part is within the weights"));
        let parts = (0..HIDDEN).step_by(PART).map(|first| HiddenPart {
            inputs: Box::new(std::array::from_fn(|input| part(input * HIDDEN + first))),
            biases: part(BIASES + first),
            output: part(OUTPUT + first),
        });
        let direct = *weights[DIRECT..].first_chunk().expect("as many as there are inputs");
        Network { parts: parts.collect(), direct, bias: weights[BIAS], level }
    }

    /// The mover's prospects in hundredths of a man.
    fn value(&self, sets: Sets) -> i32 {
        let inputs = Inputs::new(sets);
        let hidden: i32 = dispatch!(self.level, _ => self.parts.iter().map(|part| part.value(&inputs)).sum());
        let direct: i32 = inputs.iter().map(|input| i32::from(self.direct[input])).sum();
        (hidden / RATIO + direct + i32::from(self.bias)) / HUNDREDTH
    }
}

impl HiddenPart {
    /// The part of the hidden layer's share of the output. A function of its own would lose the instructions of its caller.
    #[inline(always)]
    fn value(&self, inputs: &Inputs) -> i32 {
        let Part(mut sums) = self.biases;
        for input in inputs.iter() {
            for (sum, weight) in sums.iter_mut().zip(&self.inputs[input].0) {
                *sum = sum.wrapping_add(*weight);
            }
        }
        let squared = |(sum, weight): (i16, i16)| {
            let value = sum.clamp(0, UNIT as i16);
            i32::from(value.wrapping_mul(weight)) * i32::from(value)
        };
        sums.into_iter().zip(self.output.0).map(squared).sum()
    }
}

/// Weights as a search reads them.
pub struct Weights {
    networks: Vec<Network>,
    pub errors: Errors,
}

impl Weights {
    /// The mover's prospects in hundredths of a man, in a position without a jump.
    #[inline]
    pub fn value(&self, pos: &Checkers) -> i32 {
        self.networks[pos.stage()].value(sets(pos)).clamp(-MOST, MOST)
    }
}

impl LearnedEvaluation for Checkers {
    const LEARNED: &'static str = "networks";
    const STAGES: usize = STAGES.len();
    const ODDS: Option<f32> = Some(ODDS);

    type Weights = Weights;
    type Fit = Descent;

    fn weights_per_stage() -> usize {
        WEIGHTS
    }

    #[inline]
    fn stage(&self) -> usize {
        let taken = self.progress();
        let [_, later @ ..] = STAGES;
        later.into_iter().map(|from| usize::from(taken >= from)).sum()
    }

    /// Pieces taken.
    #[inline]
    fn progress(&self) -> u32 {
        24_u32.saturating_sub((!self.empty()).count_ones())
    }

    /// Material, besides small random weights of the hidden layer.
    fn initial() -> Vec<f32> {
        let mut random = rng::keyed(&[WEIGHTS as u64]);
        let mut weights: Vec<f32> = (0..WEIGHTS).map(|_| FIRST * random.random_range(-1.0..1.0_f32)).collect();
        weights[OUTPUT..DIRECT].iter_mut().for_each(|weight| *weight *= FIRST_OUTPUT / FIRST);
        for (kind, worth) in [MAN, KING, -MAN, -KING].into_iter().enumerate() {
            weights[DIRECT + 32 * kind..][..32].fill(worth / ODDS);
        }
        weights[BIAS] = 0.0;
        weights
    }

    fn stored(weights: &[f32]) -> Stage {
        let unit = |at: usize| match at {
            ..OUTPUT => UNIT,
            OUTPUT..DIRECT => OUTPUT_UNIT,
            _ => DIRECT_UNIT,
        };
        weights.iter().enumerate().map(|(at, weight)| (weight * unit(at)).round() as i16).collect()
    }

    fn weights(learned: &LearnedWeights) -> Weights {
        let level = Level::new();
        let networks = learned.stages.iter().map(|stage| Network::new(stage, level)).collect();
        Weights { networks, errors: learned.errors }
    }

    fn shipped() -> Arc<Weights> {
        static WEIGHTS: LazyLock<Arc<Weights>> = LazyLock::new(|| LearnedWeights::of_program::<Checkers>(SHIPPED));
        Arc::clone(&WEIGHTS)
    }
}

/// The weights that come with the program; docs/training.md has the command that made them.
const SHIPPED: &[u8] = include_bytes!("../../weights/checkers.networks");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file;
    use mancalab_games::{BoardGame as _, Game as _, Side};
    use rand::Rng as _;

    /// Positions of this many random games.
    fn positions(games: usize) -> Vec<Checkers> {
        let mut random = rng::keyed(&[51]);
        let mut all = Vec::new();
        for _ in 0..games {
            let mut pos = Checkers::start(Default::default());
            for _ in 0..150 {
                if pos.is_over() {
                    break;
                }
                all.push(pos);
                pos = pos.play(pos.pick(random.next_u32()));
            }
        }
        all
    }

    /// Random weights of their usual sizes.
    fn learned() -> LearnedWeights {
        let mut random = rng::keyed(&[52]);
        let mut stage = || {
            let mut weights = Checkers::initial();
            for weight in &mut weights {
                *weight += random.random_range(-0.3..0.3_f32);
            }
            Checkers::stored(&weights)
        };
        LearnedWeights { stages: (0..Checkers::STAGES).map(|_| stage()).collect(), errors: Errors::default() }
    }

    /// The value as the description says it, square by square and with real numbers.
    fn value_by_squares(pos: &Checkers, stage: &Stage) -> f64 {
        let weight = |at: usize| f64::from(stage[at]);
        let turned = |square: usize| if pos.side() == Side::South { square } else { 31 - square };
        let mut inputs = Vec::new();
        for (kind, side) in [(0, pos.side()), (2, pos.side().other())] {
            for square in 0..32 {
                let is_in = |set: u32| set >> turned(square) & 1 == 1;
                inputs.extend(is_in(pos.men(side)).then_some(32 * kind + square));
                inputs.extend(is_in(pos.kings(side)).then_some(32 * (kind + 1) + square));
            }
        }
        let mut logarithm = weight(BIAS) / 1600.0;
        logarithm += inputs.iter().map(|input| weight(DIRECT + input) / 1600.0).sum::<f64>();
        for hidden in 0..HIDDEN {
            let sum = weight(BIASES + hidden) + inputs.iter().map(|input| weight(input * HIDDEN + hidden)).sum::<f64>();
            logarithm += weight(OUTPUT + hidden) / 64.0 * (sum / 255.0).clamp(0.0, 1.0).powi(2);
        }
        50.0 * logarithm
    }

    #[test]
    fn values_are_those_of_the_description() {
        let learned = learned();
        let weights = Checkers::weights(&learned);
        let mut stages = [0; Checkers::STAGES];
        for pos in positions(100) {
            let expected = value_by_squares(&pos, &learned.stages[pos.stage()]).clamp(-3000.0, 3000.0);
            let value = f64::from(weights.value(&pos));
            assert!((value - expected).abs() < 1.1, "{pos:?}: {value}, not {expected}");
            stages[pos.stage()] += 1;
        }
        assert!(stages.iter().all(|&count| count > 100), "{stages:?}");
    }

    #[test]
    fn values_are_the_same_with_all_instructions() {
        let learned = learned();
        let networks = |level| learned.stages.iter().map(move |stage| Network::new(stage, level)).collect::<Vec<_>>();
        let [plain, best] = [Level::baseline(), Level::new()].map(networks);
        for pos in positions(1000) {
            assert_eq!(plain[pos.stage()].value(sets(&pos)), best[pos.stage()].value(sets(&pos)), "{pos:?}");
        }
    }

    #[test]
    fn a_board_seen_from_the_other_side_has_the_same_value() {
        let weights = Checkers::weights(&learned());
        for pos in positions(100) {
            let turned = |set: [u32; 2]| [set[1].reverse_bits(), set[0].reverse_bits()];
            let [men, kings] =
                [Side::BOTH.map(|side| pos.men(side)), Side::BOTH.map(|side| pos.kings(side))].map(turned);
            let other = Checkers::from_sets(men, kings, pos.side().other());
            assert_eq!(weights.value(&pos), weights.value(&other), "{pos:?}");
        }
    }

    #[test]
    fn the_initial_weights_count_material() {
        let stages = vec![Checkers::stored(&Checkers::initial()); Checkers::STAGES];
        let weights = Checkers::weights(&LearnedWeights { stages, errors: Errors::default() });
        let value = |men, kings| weights.value(&Checkers::from_sets(men, kings, Side::South));
        for (men, kings, material) in [
            ([0xfff, 0xfff0_0000], [0; 2], 0),
            ([0xfff, 0xff00_0000], [0; 2], 400),
            ([0xf, 0xff00_0000], [0x100, 0], -260),
        ] {
            assert!((value(men, kings) - material).abs() < 30, "{} is not about {material}", value(men, kings));
        }
    }

    #[test]
    fn the_weights_of_the_program_are_small_and_name_their_origin() {
        assert!(SHIPPED.len() < 1_000_000, "{} bytes", SHIPPED.len());
        let (learned, notes) = file::read::<Checkers>(SHIPPED).unwrap();
        assert!(notes["command"].starts_with("mancalab train checkers-networks --seed "), "{notes:?}");
        assert!(learned.stages.iter().all(|stage| stage.iter().any(|weight| *weight != 0)));
        assert!((5.0..300.0).contains(&learned.errors.deviation(8, 4, 8)), "{:?}", learned.errors);
    }
}
