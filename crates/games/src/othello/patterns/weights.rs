//! Weights of the patterns: as they are learned and stored, one per distinct content, and as a search reads them, one per
//! content and side to move.

use super::file;
use super::layout::{CONTENTS, Layout, PLACES, SHAPES, contents};
use super::{COUNTED, Contents, MOBILITIES, counts, counts_of};
use crate::Game;
use crate::othello::Othello;
use std::sync::{Arc, LazyLock};

/// Stages of the game, by discs placed.
pub const STAGES: usize = 12;

/// Discs placed in a stage.
const STAGE: u32 = 60 / STAGES as u32;

/// Unit of a value: hundredths of a disc.
pub const DISC: i32 = 100;

/// Limit of the absolute value of an evaluation: all discs.
const MOST: i32 = 64 * DISC;

/// The weights of one stage, in hundredths of a disc: the patterns' distinct contents, then the counts.
pub type Stage = Vec<i16>;

/// Weights as they are learned and stored.
#[derive(Clone, PartialEq, Debug)]
pub struct Learned {
    pub stages: [Stage; STAGES],
    pub errors: Errors,
}

/// How far a deep search's value lies from a shallow one's: the standard deviation in hundredths of a disc, as the exponential
/// of a linear function of the deep depth, the shallow depth and the discs placed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Errors(pub [f32; 4]);

/// So large that no search is left out.
impl Default for Errors {
    fn default() -> Errors {
        Errors([12.0, 0.0, 0.0, 0.0])
    }
}

impl Errors {
    /// The standard deviation for a search to `deep` plies predicted by one to `shallow`, with `put` discs placed.
    pub fn deviation(&self, deep: u32, shallow: u32, put: u32) -> f32 {
        let [base, by_deep, by_shallow, by_put] = self.0;
        (base + by_deep * deep as f32 + by_shallow * shallow as f32 + by_put * put as f32).exp()
    }
}

/// Number of weights of a stage.
pub fn weights_per_stage() -> usize {
    Layout::get().distinct + COUNTED
}

/// The stage of a position.
#[inline]
pub fn stage(pos: &Othello) -> usize {
    stage_of(pos.own | pos.other)
}

/// The stage of a position with discs on these squares.
#[inline]
fn stage_of(taken: u64) -> usize {
    let put = taken.count_ones().saturating_sub(4);
    ((put / STAGE) as usize).min(STAGES - 1)
}

impl Learned {
    /// Weights that value every position as 0.
    pub fn zero() -> Learned {
        Learned { stages: std::array::from_fn(|_| vec![0; weights_per_stage()]), errors: Errors::default() }
    }
}

/// The numbers of a position's weights among those of its stage.
pub fn features(pos: &Othello) -> [u32; PLACES + 3] {
    let layout = Layout::get();
    let own = Contents::of_discs(pos.own, pos.other);
    let mut features = [0; PLACES + 3];
    for (feature, (&content, &offset)) in features.iter_mut().zip(own.lanes().iter().zip(&layout.offsets)).take(PLACES)
    {
        *feature = layout.weights[offset as usize + usize::from(content)];
    }
    let [ours, theirs, odd] = counts(pos);
    let counted = [ours, MOBILITIES + theirs, 2 * MOBILITIES + odd];
    for (feature, counted) in features[PLACES..].iter_mut().zip(counted) {
        *feature = (layout.distinct + counted) as u32;
    }
    features
}

/// The weights of one stage for one side to move.
struct Table {
    contents: Box<[i16]>,
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
    pub fn new(learned: &Learned) -> Weights {
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
            Table { contents: (0..CONTENTS).map(weight).collect(), counted }
        };
        Weights {
            tables: learned.stages.iter().map(|stage| [table(stage, 0), table(stage, 1)]).collect(),
            errors: learned.errors,
        }
    }

    /// The mover's expected final margin in hundredths of a disc; the game is not over.
    #[inline]
    pub fn value(&self, pos: &Othello, contents: &Contents) -> i32 {
        self.tables[stage(pos)][pos.side().index()].value(contents, counts(pos))
    }

    /// The same for the discs of the mover and the other side, and both sides' legal squares.
    pub(in super::super) fn value_of(&self, own: u64, other: u64, moves: u64, answers: u64) -> i32 {
        let table = &self.tables[stage_of(own | other)][0];
        table.value(&Contents::of_discs(own, other), counts_of(own | other, moves, answers))
    }
}

impl Table {
    #[inline]
    fn value(&self, contents: &Contents, [ours, theirs, odd]: [usize; 3]) -> i32 {
        let offsets = &Layout::get().offsets;
        let mut sum = 0;
        for (&content, &offset) in contents.lanes().iter().zip(offsets).take(PLACES) {
            sum += i32::from(self.contents[offset as usize + usize::from(content)]);
        }
        for counted in [ours, MOBILITIES + theirs, 2 * MOBILITIES + odd] {
            sum += i32::from(self.counted[counted]);
        }
        sum.clamp(-MOST, MOST)
    }
}

/// The weights that come with the program; docs/strength.md has the command that made them.
const SHIPPED: &[u8] = include_bytes!("../../../weights/othello.patterns");

/// Returns the weights that come with the program. The first call takes some 20 ms: not for a thread that draws.
pub fn shipped() -> Arc<Weights> {
    static WEIGHTS: LazyLock<Arc<Weights>> = LazyLock::new(|| {
        let learned = file::read(SHIPPED).map_or_else(|_| Learned::zero(), |(learned, _)| learned);
        Arc::new(Weights::new(&learned))
    });
    Arc::clone(&WEIGHTS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BoardGame as _;
    use crate::othello::lines;
    use crate::othello::patterns::layout::image;
    use crate::rng;
    use rand::Rng as _;

    fn random_weights() -> Learned {
        let mut random = rng::keyed(&[5]);
        let mut weight = || (random.next_u32() % 41) as i16 - 20;
        Learned {
            stages: std::array::from_fn(|_| (0..weights_per_stage()).map(|_| weight()).collect()),
            ..Learned::zero()
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
        let (learned, notes) = file::read(SHIPPED).unwrap();
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
                let value = weights.value(&pos, &Contents::of(&pos));
                let weight = |&at: &u32| i32::from(learned.stages[stage(&pos)][at as usize]);
                assert_eq!(value, features(&pos).iter().map(weight).sum::<i32>().clamp(-MOST, MOST));
                let answers = lines::legal(pos.other, pos.own);
                assert_eq!(weights.value_of(pos.own, pos.other, pos.legal, answers), value);
                for other in (0..8).map(|symmetry| transformed(&pos, symmetry)).chain([recoloured(&pos)]) {
                    assert_eq!(weights.value(&other, &Contents::of(&other)), value, "{pos:?} and {other:?}");
                }
                pos = pos.play(pos.pick(random.next_u32()));
            }
        }
    }
}
