//! Evaluation of checkers by patterns, learned from the program's own games.
//!
//! The board is seen from the mover's side. A pattern of men is eight squares: two whole rows, or two of the four dark columns
//! over four rows. Its content has a ternary digit per square: empty, a man of the mover, a man of the opponent. Patterns of men
//! over a few rows are those of draughts programs such as Scan. Positions with kings have stages of their own, and patterns of
//! all pieces besides: two columns over three rows, which hold a jump in every direction. Further weights are for kings by
//! square, for the material of both sides, for the number of pieces that can step, and for the opposition.
//!
//! The evaluation is antisymmetric: a content and its twin, the other side's pieces on the turned board, share one weight with
//! opposite signs. The numbers of pieces that can step and the opposition depend on the side to move and have no twins.
//!
//! Contents are computed from the sets of squares with a few shifts, so a search has nothing to keep up to date.

use std::cmp::Ordering;
use std::sync::{Arc, LazyLock};

use crate::{Errors, LearnedWeights, NEGATIVE, PatternEvaluation, Stage};
use mancalab_games::Game as _;
use mancalab_games::checkers::{Checkers, sets::EVEN_ROWS};

/// Unit of a value: hundredths of a man.
pub const POINT: i32 = 100;

/// Limit of the absolute value of an evaluation.
const MOST: i32 = 30 * POINT;

/// Pieces taken from which on the stages begin, without kings and with kings.
const STAGES: [[u32; 4]; 2] = [[0, 4, 8, 12], [0, 12, 16, 18]];

/// Contents of a pattern of men, and of one of all pieces.
const CONTENTS: usize = 3_usize.pow(8);
const MIXED: usize = 5_usize.pow(6);

/// Rows of the first square of the patterns of two rows, and of those of four rows, with their first column.
const STRIPS: u32 = 7;
const BLOCKS: [(u32, u32); 15] = {
    let mut blocks = [(0, 0); 15];
    let mut at = 0;
    while at < 15 {
        blocks[at] = (at as u32 / 3, at as u32 % 3);
        at += 1;
    }
    blocks
};

const PATTERNS: usize = STRIPS as usize + BLOCKS.len();

/// Rows and columns of the first square of a pattern of all pieces.
const MIXED_ROWS: u32 = 6;
const MIXED_COLUMNS: u32 = 3;

/// First weight of each group after the patterns of men: patterns of all pieces, kings by side and square, material, pieces that
/// can step by side, opposition.
const ALL: usize = PATTERNS * CONTENTS;
const KINGS: usize = ALL + (MIXED_ROWS * MIXED_COLUMNS) as usize * MIXED;
const MATERIAL: usize = KINGS + 2 * 32;
const ABLE: usize = MATERIAL + 13 * 13 * MOST_KINGS * MOST_KINGS;
const OPPOSITION: usize = ABLE + 2 * 13;
const WEIGHTS: usize = OPPOSITION + 2 * 25;

/// More kings of a side count as one less than this.
const MOST_KINGS: usize = 4;

/// The content of eight squares, as if each in the set were one digit 1.
static TERNARY: [u16; 256] = {
    let mut table = [0; 256];
    let mut set = 0;
    while set < 256 {
        let mut bit = 0;
        let mut power = 1;
        while bit < 8 {
            if set >> bit & 1 == 1 {
                table[set] += power;
            }
            power *= 3;
            bit += 1;
        }
        set += 1;
    }
    table
};

/// The content of six squares, as if each in the set were one digit 1.
static QUINARY: [u16; 64] = {
    let mut table = [0; 64];
    let mut set = 0;
    while set < 64 {
        let mut bit = 0;
        let mut power = 1;
        while bit < 6 {
            if set >> bit & 1 == 1 {
                table[set] += power;
            }
            power *= 5;
            bit += 1;
        }
        set += 1;
    }
    table
};

/// The content of a pattern of all pieces: 1 for the mover's men, 2 for its kings, 3 and 4 for the opponent's.
#[inline(always)]
fn mixed(sets: [u32; 4], row: u32, column: u32) -> usize {
    let digit = |set: u32| {
        let rows = set >> (4 * row + column);
        usize::from(QUINARY[(rows & 3 | rows >> 2 & 12 | rows >> 4 & 48) as usize])
    };
    (1..=4).zip(sets).map(|(times, set)| times * digit(set)).sum()
}

/// The eight squares of two columns over four rows, from the low 16 bits.
#[inline(always)]
const fn block(rows: u32, column: u32) -> u32 {
    let pairs = rows >> column & 0x3333;
    let halves = (pairs | pairs >> 2) & 0x0f0f;
    (halves | halves >> 4) & 0xff
}

/// Calls `with` with the number of each of the position's weights.
#[inline(always)]
fn visit(pos: &Checkers, mut with: impl FnMut(usize)) {
    let [[men, kings], [their_men, their_kings]] = pos.sides();
    let content = |own: u32, theirs: u32| {
        usize::from(TERNARY[own as usize & 255]) + 2 * usize::from(TERNARY[theirs as usize & 255])
    };
    let mut first = 0;
    for row in 0..STRIPS {
        with(first + content(men >> (4 * row), their_men >> (4 * row)));
        first += CONTENTS;
    }
    for (row, column) in BLOCKS {
        with(first + content(block(men >> (4 * row), column), block(their_men >> (4 * row), column)));
        first += CONTENTS;
    }
    if kings | their_kings != 0 {
        let sets = [men, kings, their_men, their_kings];
        let mut first = ALL;
        for row in 0..MIXED_ROWS {
            for column in 0..MIXED_COLUMNS {
                with(first + mixed(sets, row, column));
                first += MIXED;
            }
        }
    }
    for (side, mut kings) in [kings, their_kings].into_iter().enumerate() {
        while kings != 0 {
            with(KINGS + 32 * side + kings.trailing_zeros() as usize);
            kings &= kings - 1;
        }
    }
    let count = |set: u32| set.count_ones() as usize;
    let [few, their_few] = [kings, their_kings].map(|kings| count(kings).min(MOST_KINGS - 1));
    let [own, theirs] = [men, their_men].map(|men| count(men).min(12));
    with(MATERIAL + ((own * 13 + theirs) * MOST_KINGS + few) * MOST_KINGS + their_few);
    with(ABLE + count(pos.movers(pos.side())).min(12));
    with(ABLE + 13 + count(pos.movers(pos.side().other())).min(12));
    // With an odd number of pieces in the files of the mover's first row, the mover has the opposition.
    let all = men | kings | their_men | their_kings;
    with(OPPOSITION + 25 * (count(all & EVEN_ROWS) & 1) + count(all).min(24));
}

/// The weight that a feature uses, with [`NEGATIVE`] for the twin of another; [`NO_WEIGHT`] for its own twin, whose weight
/// is 0.
static SHARED: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let shared = |at: usize| match at.cmp(&twin(at)) {
        Ordering::Less => at as u32,
        Ordering::Greater => twin(at) as u32 | NEGATIVE,
        Ordering::Equal if at >= ABLE => at as u32,
        Ordering::Equal => NO_WEIGHT,
    };
    (0..WEIGHTS).map(shared).collect()
});

const NO_WEIGHT: u32 = u32::MAX;

/// The same feature for the other side: digits in reverse order, with the sides exchanged. Itself if it has no twin.
fn twin(at: usize) -> usize {
    let turned = |mut content: usize, digits: usize, exchange: &[usize]| {
        let mut turned = 0;
        for _ in 0..digits {
            turned = exchange.len() * turned + exchange[content % exchange.len()];
            content /= exchange.len();
        }
        turned
    };
    if at < ALL {
        let place = at / CONTENTS;
        let content = turned(at % CONTENTS, 8, &[0, 2, 1]);
        let strips = STRIPS as usize;
        // Blocks are in the order of their squares, so turning reverses their order as well as that of the strips.
        let other = if place < strips { strips - 1 - place } else { strips + PATTERNS - 1 - place };
        return other * CONTENTS + content;
    }
    if at < KINGS {
        let places = (KINGS - ALL) / MIXED;
        let place = (at - ALL) / MIXED;
        let content = turned((at - ALL) % MIXED, 6, &[0, 3, 4, 1, 2]);
        return ALL + (places - 1 - place) * MIXED + content;
    }
    if at < MATERIAL {
        return KINGS + 63 - (at - KINGS);
    }
    if at < ABLE {
        let men = (at - MATERIAL) / MOST_KINGS.pow(2);
        let kings = (at - MATERIAL) % MOST_KINGS.pow(2);
        let men = men % 13 * 13 + men / 13;
        return MATERIAL + men * MOST_KINGS.pow(2) + kings % MOST_KINGS * MOST_KINGS + kings / MOST_KINGS;
    }
    at
}

/// Weights as a search reads them: one for every feature.
pub struct Weights {
    stages: Vec<Box<[i16]>>,
    pub errors: Errors,
}

impl Weights {
    /// The mover's prospects in hundredths of a man, in a position without a jump.
    #[inline]
    pub fn value(&self, pos: &Checkers) -> i32 {
        let weights = &self.stages[pos.stage()];
        let mut sum = 0;
        visit(pos, |at| sum += i32::from(weights[at]));
        sum.clamp(-MOST, MOST)
    }
}

/// Values of a man and a king before anything is learned, in hundredths of a man.
const MAN: f32 = 100.0;
const KING: f32 = 140.0;

impl PatternEvaluation for Checkers {
    const STAGES: usize = STAGES.len() * STAGES[0].len();
    const ODDS: Option<f32> = Some(50.0);
    const POOLED: bool = true;

    type Weights = Weights;

    fn weights_per_stage() -> usize {
        WEIGHTS
    }

    /// Without kings and with kings, by pieces taken.
    #[inline]
    fn stage(&self) -> usize {
        let [.., kings, _] = self.key();
        let has_kings = usize::from(kings != 0);
        let taken = self.progress();
        let begun = STAGES[has_kings].iter().filter(|&&first| taken >= first).count();
        STAGES[0].len() * has_kings + begun.max(1) - 1
    }

    /// Pieces taken.
    #[inline]
    fn progress(&self) -> u32 {
        24_u32.saturating_sub((!self.empty()).count_ones())
    }

    fn features(&self, into: &mut Vec<u32>) {
        visit(self, |at| into.extend(Some(SHARED[at]).filter(|&shared| shared != NO_WEIGHT)));
    }

    /// Material alone.
    fn initial() -> Vec<f32> {
        let mut weights = vec![0.0; WEIGHTS];
        weights[KINGS..KINGS + 32].fill(KING);
        for (at, weight) in weights[MATERIAL..ABLE].iter_mut().enumerate() {
            let men = at / (MOST_KINGS * MOST_KINGS);
            *weight = MAN * ((men / 13) as f32 - (men % 13) as f32);
        }
        weights
    }

    fn weights(learned: &LearnedWeights) -> Weights {
        let weight = |stage: &Stage, shared: u32| match shared {
            NO_WEIGHT => 0,
            shared if shared & NEGATIVE != 0 => stage[(shared & !NEGATIVE) as usize].saturating_neg(),
            shared => stage[shared as usize],
        };
        let all = |stage: &Stage| SHARED.iter().map(|&shared| weight(stage, shared)).collect();
        Weights { stages: learned.stages.iter().map(all).collect(), errors: learned.errors }
    }

    fn shipped() -> Arc<Weights> {
        static WEIGHTS: LazyLock<Arc<Weights>> = LazyLock::new(|| LearnedWeights::of_program::<Checkers>(SHIPPED));
        Arc::clone(&WEIGHTS)
    }
}

/// The weights that come with the program; docs/training.md has the command that made them.
const SHIPPED: &[u8] = include_bytes!("../weights/checkers.patterns");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file;
    use mancalab_base::rng;
    use mancalab_games::{BoardGame as _, Side};
    use rand::Rng as _;

    /// Positions of random games.
    fn positions() -> Vec<Checkers> {
        let mut random = rng::keyed(&[51]);
        let mut all = Vec::new();
        for _ in 0..20 {
            let mut pos = Checkers::start(Default::default());
            for _ in 0..120 {
                if pos.is_over() {
                    break;
                }
                all.push(pos);
                pos = pos.play(pos.pick(random.next_u32()));
            }
        }
        all
    }

    /// Small random weights; 0 from this one on.
    fn learned(end: usize) -> LearnedWeights {
        let mut random = rng::keyed(&[52]);
        let mut weight = |at: usize| if at < end { (random.next_u32() % 41) as i16 - 20 } else { 0 };
        let stages = (0..Checkers::STAGES).map(|_| (0..WEIGHTS).map(&mut weight).collect()).collect();
        LearnedWeights { stages, errors: Errors::default() }
    }

    #[test]
    fn values_equal_the_sums_of_the_features() {
        let learned = learned(WEIGHTS);
        let weights = Checkers::weights(&learned);
        let mut stages = [0; Checkers::STAGES];
        for pos in positions() {
            let mut features = Vec::new();
            pos.features(&mut features);
            let weight = |&at: &u32| {
                let weight = i32::from(learned.stages[pos.stage()][(at & !NEGATIVE) as usize]);
                if at & NEGATIVE == 0 { weight } else { -weight }
            };
            let sum = features.iter().map(weight).sum::<i32>().clamp(-MOST, MOST);
            assert_eq!(weights.value(&pos), sum, "{pos:?}");
            stages[pos.stage()] += 1;
        }
        assert!(stages.iter().filter(|&&count| count > 0).count() >= 6, "{stages:?}");
    }

    #[test]
    fn a_position_is_worth_to_one_side_what_it_costs_the_other() {
        let weights = Checkers::weights(&learned(ABLE));
        for pos in positions() {
            let [south, north] = [Side::South, Side::North].map(|side| {
                let men = Side::BOTH.map(|of| pos.men(of));
                weights.value(&Checkers::from_sets(men, Side::BOTH.map(|of| pos.kings(of)), side))
            });
            assert_eq!(south, -north, "{pos:?}");
        }
        assert!((0..WEIGHTS).all(|at| twin(twin(at)) == at));
    }

    #[test]
    fn the_initial_weights_count_material() {
        let initial = Checkers::initial().iter().map(|weight| *weight as i16).collect();
        let weights =
            Checkers::weights(&LearnedWeights { stages: vec![initial; Checkers::STAGES], errors: Errors::default() });
        let value = |men, kings| weights.value(&Checkers::from_sets(men, kings, Side::South));
        assert_eq!(value([0xfff, 0xfff0_0000], [0; 2]), 0);
        assert_eq!(value([0xfff, 0xff00_0000], [0; 2]), 400);
        assert_eq!(value([0xf, 0xff00_0000], [0x100, 0]), -260);
    }

    #[test]
    fn the_weights_of_the_program_are_small_and_name_their_origin() {
        assert!(SHIPPED.len() < 1_000_000, "{} bytes", SHIPPED.len());
        let (learned, notes) = file::read::<Checkers>(SHIPPED).unwrap();
        assert!(notes["command"].starts_with("mancalab train checkers-patterns --seed "), "{notes:?}");
        assert!(learned.stages.iter().all(|stage| stage.iter().any(|weight| *weight != 0)));
        assert!((5.0..300.0).contains(&learned.errors.deviation(8, 4, 8)), "{:?}", learned.errors);
    }
}
