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
//! Contents are computed from the sets of squares, of all rows at once, so a search has nothing to keep up to date.

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

/// Rows of the first square of the patterns of two rows, of those of two columns over four rows, and of those of all pieces, which are two
/// columns over three rows.
const STRIP_ROWS: usize = 7;
const BLOCK_ROWS: usize = 5;
const MIXED_ROWS: usize = 6;

/// Columns of the first square of a pattern of two columns.
const COLUMNS: usize = 3;

const PATTERNS: usize = STRIP_ROWS + COLUMNS * BLOCK_ROWS;

/// First weight of each group after the patterns of men: patterns of all pieces, kings by side and square, material, pieces that
/// can step by side, opposition.
const ALL: usize = PATTERNS * CONTENTS;
const KINGS: usize = ALL + MIXED_ROWS * COLUMNS * MIXED;
const MATERIAL: usize = KINGS + 2 * 32;
const ABLE: usize = MATERIAL + 13 * 13 * MOST_KINGS * MOST_KINGS;
const OPPOSITION: usize = ABLE + 2 * 13;
const WEIGHTS: usize = OPPOSITION + 2 * 25;

/// More kings of a side count as one less than this.
const MOST_KINGS: usize = 4;

/// A number for each row, in two sets of bytes: those of the rows 0, 2, 4 and 6, and those of 1, 3, 5 and 7. Sums and products of
/// several rows at once are those of single ones as long as each fits a byte.
#[derive(Clone, Copy)]
struct Rows([u32; 2]);

impl Rows {
    /// Numbers of at most 15 in the four bits of each row.
    #[inline(always)]
    fn new(nibbles: u32) -> Rows {
        Rows([nibbles & EVEN_ROWS, nibbles >> 4 & EVEN_ROWS])
    }

    /// These numbers and others times a factor.
    #[inline(always)]
    fn plus(self, times: u32, Rows(other): Rows) -> Rows {
        Rows([self.0[0] + times * other[0], self.0[1] + times * other[1]])
    }

    /// These numbers and those of the next row times a factor; the last row has none.
    #[inline(always)]
    fn with_next(self, times: u32) -> Rows {
        self.plus(times, Rows([self.0[1], self.0[0] >> 8]))
    }

    /// The numbers by row.
    #[inline(always)]
    fn all(self) -> [usize; 8] {
        let [[a, c, e, g], [b, d, f, h]] = self.0.map(u32::to_le_bytes);
        [a, b, c, d, e, f, g, h].map(usize::from)
    }
}

/// The squares of each row in a column: 1 in the row's four bits for a square in the set.
#[inline(always)]
fn column(set: u32, column: u32) -> u32 {
    set >> column & 0x1111_1111
}

/// Calls `with` with the contents of the patterns of men, in the order of their weights.
#[inline(always)]
fn visit_men(men: u32, their_men: u32, mut with: impl FnMut(usize)) {
    let digits: [Rows; 4] =
        std::array::from_fn(|at| Rows::new(column(men, at as u32) + 2 * column(their_men, at as u32)));
    let pairs: [Rows; 3] = std::array::from_fn(|at| digits[at].plus(3, digits[at + 1]));
    let fours = pairs[0].plus(9, pairs[2]).all();
    for row in 0..STRIP_ROWS {
        with(fours[row] + 81 * fours[row + 1]);
    }
    let squares = pairs.map(|pair| pair.with_next(9).all());
    for row in 0..BLOCK_ROWS {
        for squares in &squares {
            with(squares[row] + 81 * squares[row + 2]);
        }
    }
}

/// The same for the patterns of all pieces: 1 for the mover's men, 2 for its kings, 3 and 4 for the opponent's.
#[inline(always)]
fn visit_mixed([men, kings, their_men, their_kings]: [u32; 4], mut with: impl FnMut(usize)) {
    let digits: [Rows; 4] = std::array::from_fn(|at| {
        let [men, kings, their_men, their_kings] =
            [men, kings, their_men, their_kings].map(|set| column(set, at as u32));
        Rows::new(men + 2 * kings + 3 * their_men + 4 * their_kings)
    });
    let pairs: [[usize; 8]; 3] = std::array::from_fn(|at| digits[at].plus(5, digits[at + 1]).all());
    for row in 0..MIXED_ROWS {
        for pair in &pairs {
            with(pair[row] + 25 * pair[row + 1] + 625 * pair[row + 2]);
        }
    }
}

/// The number of squares in a set; `count_ones` without the processor's instruction takes as long as both of two at once.
#[inline(always)]
fn counts_of(low: u32, high: u32) -> [usize; 2] {
    let set = u64::from(low) | u64::from(high) << 32;
    let pairs = set - (set >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let sum = |bytes: u32| (bytes.wrapping_mul(0x0101_0101) >> 24) as usize;
    [sum(bytes as u32), sum((bytes >> 32) as u32)]
}

/// Calls `with` with the number of each of the position's weights.
#[inline(always)]
fn visit(pos: &Checkers, mut with: impl FnMut(usize)) {
    let [[men, kings], [their_men, their_kings]] = pos.sides();
    let mut first = 0;
    visit_men(men, their_men, |content| {
        with(first + content);
        first += CONTENTS;
    });
    let [own, theirs] = counts_of(men, their_men);
    let mut all = own + theirs;
    let mut few = [0; 2];
    if kings | their_kings != 0 {
        let mut first = ALL;
        visit_mixed([men, kings, their_men, their_kings], |content| {
            with(first + content);
            first += MIXED;
        });
        for (side, mut kings) in [kings, their_kings].into_iter().enumerate() {
            while kings != 0 {
                with(KINGS + 32 * side + kings.trailing_zeros() as usize);
                kings &= kings - 1;
            }
        }
        let counts = counts_of(kings, their_kings);
        all += counts[0] + counts[1];
        few = counts.map(|count| count.min(MOST_KINGS - 1));
    }
    let [own, theirs] = [own, theirs].map(|men| men.min(12));
    with(MATERIAL + ((own * 13 + theirs) * MOST_KINGS + few[0]) * MOST_KINGS + few[1]);
    let able = counts_of(pos.movers(pos.side()), pos.movers(pos.side().other()));
    with(ABLE + able[0].min(12));
    with(ABLE + 13 + able[1].min(12));
    // With an odd number of pieces in the files of the mover's first row, the mover has the opposition.
    let mut files = (men | kings | their_men | their_kings) & EVEN_ROWS;
    files ^= files >> 16;
    files ^= files >> 8;
    with(OPPOSITION + 25 * (0x6996 >> (files & 15) & 1) + all.min(24));
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
        let strips = STRIP_ROWS;
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

/// Weights and what no feature reaches, so that no index that is read needs a check: the compiler knows that a content computed from bytes
/// has at most 18 bits.
const PADDED: usize = WEIGHTS + (1 << 18);

/// Weights as a search reads them: one for every feature.
pub struct Weights {
    stages: Vec<Box<[i16; PADDED]>>,
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
        let [_, second, third, fourth] = STAGES[has_kings];
        let begun = usize::from(taken >= second) + usize::from(taken >= third) + usize::from(taken >= fourth);
        STAGES[0].len() * has_kings + begun
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
        let all = |stage: &Stage| {
            // Fresh pages that nothing is written to take no memory.
            let mut all = vec![0; PADDED];
            all.iter_mut().zip(&*SHARED).for_each(|(to, &shared)| *to = weight(stage, shared));
            all.into_boxed_slice().try_into().expect("as many as the array has")
        };
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

    /// The number of each of a position's weights, square by square as the description says.
    fn features_by_squares(pos: &Checkers) -> Vec<usize> {
        let sides = pos.sides();
        let is_in = |set: u32, row: usize, column: usize| (set >> (4 * row + column) & 1) as usize;
        let [[men, kings], [their_men, their_kings]] = sides;
        let man = |row, column| is_in(men, row, column) + 2 * is_in(their_men, row, column);
        let piece = |row, column| {
            let [king, their_king] = [kings, their_kings].map(|set| is_in(set, row, column));
            is_in(men, row, column) + 2 * king + 3 * is_in(their_men, row, column) + 4 * their_king
        };
        let content = |squares: &[(usize, usize)], base: usize, digit: &dyn Fn(usize, usize) -> usize| {
            squares.iter().rev().fold(0, |sum, &(row, column)| base * sum + digit(row, column))
        };
        let area = |row: usize, rows: usize, column: usize, columns: usize| {
            let squares = (row..row + rows).flat_map(|row| (column..column + columns).map(move |column| (row, column)));
            squares.collect::<Vec<_>>()
        };
        let strips = (0..STRIP_ROWS).map(|row| area(row, 2, 0, 4));
        let blocks = (0..5).flat_map(|row| (0..3).map(move |column| area(row, 4, column, 2)));
        let mut all: Vec<usize> = strips.chain(blocks).map(|squares| content(&squares, 3, &man)).collect();
        all.iter_mut().enumerate().for_each(|(place, content)| *content += place * CONTENTS);
        if kings | their_kings != 0 {
            let places = (0..6).flat_map(|row| (0..3).map(move |column| area(row, 3, column, 2)));
            all.extend(places.enumerate().map(|(place, squares)| ALL + place * MIXED + content(&squares, 5, &piece)));
        }
        for (side, kings) in [kings, their_kings].into_iter().enumerate() {
            all.extend((0..32).filter(|square| kings >> square & 1 == 1).map(|square| KINGS + 32 * side + square));
        }
        let count = |set: u32| set.count_ones() as usize;
        let material = [(men, 13), (their_men, 13), (kings, MOST_KINGS), (their_kings, MOST_KINGS)];
        all.push(MATERIAL + material.iter().fold(0, |sum, &(set, least)| least * sum + count(set).min(least - 1)));
        all.push(ABLE + count(pos.movers(pos.side())).min(12));
        all.push(ABLE + 13 + count(pos.movers(pos.side().other())).min(12));
        let pieces = men | kings | their_men | their_kings;
        all.push(OPPOSITION + 25 * (count(pieces & EVEN_ROWS) % 2) + count(pieces));
        all
    }

    #[test]
    fn features_are_those_of_the_squares() {
        let mut random = rng::keyed(&[53]);
        for _ in 0..1000 {
            let mut pos = Checkers::start(Default::default());
            for _ in 0..150 {
                if pos.is_over() {
                    break;
                }
                let mut found = Vec::new();
                visit(&pos, |at| found.push(at));
                assert_eq!(found, features_by_squares(&pos), "{pos:?}");
                pos = pos.play(pos.pick(random.next_u32()));
            }
        }
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
