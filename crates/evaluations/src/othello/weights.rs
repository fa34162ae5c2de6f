//! Weights of the patterns: as they are learned and stored, one per distinct content, and as a search reads them, one per
//! content and side to move.

use super::fit::LeastSquares;
use super::layout::{CONTENTS, LANES, Layout, OFFSETS, PLACES_OF, SHAPES, contents};
use super::{COUNTED, Contents, MOBILITIES, counts, counts_of};
use crate::{Errors, LearnedEvaluation, LearnedWeights, Stage};
use mancalab_games::othello::Othello;
use mancalab_games::{Game, Side};
use std::sync::{Arc, LazyLock};

/// Stages of the game, by discs placed.
const STAGES: usize = 12;

/// Discs placed in a stage.
const STAGE: u32 = 60 / STAGES as u32;

/// Unit of a value: hundredths of a disc.
pub const DISC: i32 = 100;

/// Limit of the absolute value of an evaluation: all discs.
const MOST: i32 = 64 * DISC;

/// Value of a move that the mover has more, in hundredths of a disc, before anything is learned.
const MOBILITY: f32 = 60.0;

/// Stored weights are multiples of this, in hundredths of a disc: files take half of the space, and a value is off by about a tenth of a
/// disc.
const STEP: f32 = 4.0;

/// The largest stored weight, a multiple of the same.
const LARGEST: f32 = 32_000.0;

/// Appends the numbers of a position's weights among those of its stage, with [`NEGATIVE`](crate::NEGATIVE) where a weight is subtracted.
pub(crate) fn features(pos: &Othello, into: &mut Vec<u32>) {
    let layout = Layout::get();
    let [own, other] = pos.key();
    let contents = Contents::of_discs(own, other);
    for ([first, end], offset) in PLACES_OF.into_iter().zip(OFFSETS) {
        let contents = &contents.lanes()[first..end];
        into.extend(contents.iter().map(|&content| layout.weights[offset + usize::from(content)]));
    }
    let [ours, theirs, odd] = counts(pos);
    let counted = [ours, MOBILITIES + theirs, 2 * MOBILITIES + odd];
    into.extend(counted.map(|counted| (layout.distinct + counted) as u32));
}

/// The stage of a position with discs on these squares.
#[inline]
fn stage_of(taken: u64) -> usize {
    let put = taken.count_ones().saturating_sub(4);
    ((put / STAGE) as usize).min(STAGES - 1)
}

/// The weights of a stage are those of the patterns' distinct contents, then those of the counts, in hundredths of a disc.
impl LearnedEvaluation for Othello {
    const LEARNED: &'static str = "patterns";
    const STAGES: usize = STAGES;
    const ODDS: Option<f32> = None;

    type Weights = Weights;
    type Fit = LeastSquares;

    fn weights_per_stage() -> usize {
        Layout::get().distinct + COUNTED
    }

    /// By discs placed.
    #[inline]
    fn stage(&self) -> usize {
        let [own, other] = self.key();
        stage_of(own | other)
    }

    fn progress(&self) -> u32 {
        self.put()
    }

    /// Mobility alone.
    fn initial() -> Vec<f32> {
        let mut weights = vec![0.0; Self::weights_per_stage()];
        let (ours, theirs) = weights[Layout::get().distinct..].split_at_mut(MOBILITIES);
        for (moves, (ours, theirs)) in ours.iter_mut().zip(theirs).enumerate() {
            (*ours, *theirs) = (MOBILITY * moves as f32, -MOBILITY * moves as f32);
        }
        weights
    }

    fn stored(weights: &[f32]) -> Stage {
        weights.iter().map(|weight| ((weight / STEP).round() * STEP).clamp(-LARGEST, LARGEST) as i16).collect()
    }

    fn weights(learned: &LearnedWeights) -> Weights {
        Weights::new(learned)
    }

    fn shipped() -> Arc<Weights> {
        static WEIGHTS: LazyLock<Arc<Weights>> = LazyLock::new(|| LearnedWeights::of_program::<Othello>(SHIPPED));
        Arc::clone(&WEIGHTS)
    }
}

/// Contents and what no content reaches, so that no index that is read needs a check: a lane may hold any 16 bits.
const PADDED: usize = CONTENTS + (1 << 16);

/// The weights of one stage for one side to move.
struct Table {
    contents: Box<[i16; PADDED]>,
    counted: [i16; COUNTED],
}

/// Weights as a search reads them.
pub struct Weights {
    /// By stage and side to move.
    tables: Vec<[Table; 2]>,
    pub errors: Errors,
}

/// Each digit 1 of a content becomes 2, and 2 becomes 1.
fn swapped(content: usize, digits: usize) -> usize {
    (0..digits).map(|digit| contents(digit) * [0, 2, 1][content / contents(digit) % 3]).sum()
}

impl Weights {
    fn new(learned: &LearnedWeights) -> Weights {
        let layout = Layout::get();
        let mut swap = Vec::with_capacity(CONTENTS);
        for (_, squares) in SHAPES {
            let offset = swap.len();
            swap.extend((0..contents(squares.len())).map(|content| offset + swapped(content, squares.len())));
        }
        let table = |stage: &Stage, side: usize| {
            let weight = |content: usize| {
                let content = if side == 0 { content } else { swap[content] };
                stage[layout.weights[content] as usize]
            };
            let mut counted = [0; COUNTED];
            counted.copy_from_slice(&stage[layout.distinct..]);
            // Fresh pages that nothing is written to take no memory.
            let mut contents = vec![0; PADDED];
            contents[..CONTENTS].iter_mut().enumerate().for_each(|(content, to)| *to = weight(content));
            Table { contents: contents.into_boxed_slice().try_into().expect("as many as the array has"), counted }
        };
        Weights {
            tables: learned.stages.iter().map(|stage| [table(stage, 0), table(stage, 1)]).collect(),
            errors: learned.errors,
        }
    }

    /// The mover's expected final margin in hundredths of a disc; the game is not over.
    #[inline]
    pub fn value(&self, pos: &Othello, contents: &Contents) -> i32 {
        self.tables[pos.stage()][pos.side().index()].value(contents, counts(pos))
    }

    /// The same for occupied squares, and the legal squares of `side`, which moves, and of the other side.
    #[inline]
    pub(super) fn value_of(&self, taken: u64, contents: &Contents, side: Side, moves: [u64; 2]) -> i32 {
        self.tables[stage_of(taken)][side.index()].value(contents, counts_of(taken, moves))
    }
}

impl Table {
    /// The sum of the weights of a shape's places. As constants, places and offset need no checks.
    #[inline(always)]
    fn shape<const SHAPE: usize>(&self, lanes: &[u16; LANES]) -> i32 {
        let [first, end] = const { PLACES_OF[SHAPE] };
        let weight = |place: usize| i32::from(self.contents[const { OFFSETS[SHAPE] } + usize::from(lanes[place])]);
        (first..end).map(weight).sum()
    }

    #[inline]
    fn value(&self, contents: &Contents, [ours, theirs, odd]: [usize; 3]) -> i32 {
        let lanes = contents.lanes();
        let mut sum = self.shape::<0>(lanes) + self.shape::<1>(lanes) + self.shape::<2>(lanes) + self.shape::<3>(lanes);
        sum += self.shape::<4>(lanes) + self.shape::<5>(lanes) + self.shape::<6>(lanes) + self.shape::<7>(lanes);
        sum += self.shape::<8>(lanes) + self.shape::<9>(lanes) + self.shape::<10>(lanes);
        for counted in [ours, MOBILITIES + theirs, 2 * MOBILITIES + odd] {
            sum += i32::from(self.counted[counted]);
        }
        sum.clamp(-MOST, MOST)
    }
}

/// The weights that come with the program; docs/training.md has the command that made them.
const SHIPPED: &[u8] = include_bytes!("../../weights/othello.patterns");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file;
    use crate::othello::layout::image;
    use mancalab_base::rng;
    use mancalab_games::BoardGame as _;
    use mancalab_games::othello::lines;
    use rand::Rng as _;

    fn random_weights() -> LearnedWeights {
        let mut random = rng::keyed(&[5]);
        let mut weight = || (random.next_u32() % 41) as i16 - 20;
        LearnedWeights {
            stages: (0..STAGES).map(|_| (0..Othello::weights_per_stage()).map(|_| weight()).collect()).collect(),
            errors: Errors::default(),
        }
    }

    fn transformed(pos: &Othello, symmetry: u8) -> Othello {
        let map = |discs: u64| (0..64).filter(|s| discs >> s & 1 == 1).map(|s| 1 << image(s, symmetry)).sum();
        Othello::from_discs(pos.discs().map(map), pos.side())
    }

    fn recoloured(pos: &Othello) -> Othello {
        let [black, white] = pos.discs();
        Othello::from_discs([white, black], pos.side().other())
    }

    #[test]
    fn the_weights_of_the_program_are_small_and_name_their_origin() {
        assert!(SHIPPED.len() < 1_000_000, "{} bytes", SHIPPED.len());
        let (learned, notes) = file::read::<Othello>(SHIPPED).unwrap();
        assert!(notes["command"].starts_with("mancalab train othello-patterns --seed "), "{notes:?}");
        assert!(learned.stages.iter().all(|stage| stage.iter().any(|weight| *weight != 0)));
        // A search predicts another within a few discs.
        assert!((50.0..1500.0).contains(&learned.errors.deviation(8, 4, 30)), "{:?}", learned.errors);
    }

    #[test]
    fn values_equal_the_sums_of_the_features_and_respect_all_symmetries() {
        let learned = random_weights();
        let weights = Weights::new(&learned);
        let mut random = rng::keyed(&[12]);
        for _ in 0..20 {
            let mut pos = Othello::start(Default::default());
            while !pos.is_over() {
                let value = weights.value(&pos, &Contents::read(&pos));
                let weight = |&at: &u32| i32::from(learned.stages[pos.stage()][at as usize]);
                let mut features = Vec::new();
                super::features(&pos, &mut features);
                assert_eq!(value, features.iter().map(weight).sum::<i32>().clamp(-MOST, MOST));
                let [own, other] = pos.key();
                let answers = lines::legal(other, own);
                let contents = Contents::of_discs(own, other);
                assert_eq!(weights.value_of(own | other, &contents, Side::South, [pos.legal(), answers]), value);
                for other in (0..8).map(|symmetry| transformed(&pos, symmetry)).chain([recoloured(&pos)]) {
                    assert_eq!(weights.value(&other, &Contents::read(&other)), value, "{pos:?} and {other:?}");
                }
                pos = pos.play(pos.pick(random.next_u32()));
            }
        }
    }
}
