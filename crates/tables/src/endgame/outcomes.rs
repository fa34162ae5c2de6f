//! The outcomes of checkers with at most four pieces, which come with the program: who wins, and roughly how soon.
//!
//! The [endgame table](super::checkers) with the same positions, which knows distances to the ply, has eight times the bytes. Here a
//! distance is a number of [spans](SPAN); a search that looks about as far ahead finds its way from one to the next. Where the side to move
//! must jump, a search sees the outcome of another position after a few plies, so those positions have none: they repeat the half byte
//! before, which makes the file smaller.
//!
//! The file has half a byte for each position, in the order of their [numbers](Slices), lower half first, compressed by Deflate: 0 for a
//! draw, then a number for each span of a win, then for each of a loss. `mancalab dev outcomes` writes it.

use std::sync::LazyLock;

use mancalab_base::{Error, bail};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use super::checkers::{Tables, Value};
use super::slices::{Placement, Slices};
use crate::game::Game as _;
use crate::game::checkers::Checkers;

/// The greatest number of pieces.
pub const PIECES: u8 = 4;

/// Plies of a span.
pub const SPAN: u8 = 24;

/// Spans that a distance may have; a longer one counts as the last.
const SPANS: u8 = 7;

/// Level of compression, the highest that there is.
const LEVEL: u8 = 10;

/// The outcome of a position for its side to move, with best play by both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// 1 if it wins, 0 in a draw, -1 if it loses.
    pub sign: i32,
    /// Whole [spans](SPAN) of plies until then.
    pub spans: i32,
}

impl Outcome {
    fn of_value(value: Value) -> Outcome {
        let spans = i32::from(value.plies().map_or(0, |plies| (plies / SPAN).min(SPANS - 1)));
        let sign = match value {
            Value::Wins(_) => 1,
            Value::Draws => 0,
            Value::Loses(_) => -1,
        };
        Outcome { sign, spans }
    }

    fn number(self) -> u8 {
        let spans = self.spans as u8;
        match self.sign {
            1 => 1 + spans,
            0 => 0,
            _ => 1 + SPANS + spans,
        }
    }

    #[inline]
    fn from_number(number: u8) -> Outcome {
        match number {
            0 => Outcome { sign: 0, spans: 0 },
            1..=SPANS => Outcome { sign: 1, spans: i32::from(number - 1) },
            _ => Outcome { sign: -1, spans: i32::from(number - 1 - SPANS) },
        }
    }
}

/// The outcome of a position; `None` if it has more pieces, a side has none or no legal move, or the side to move must jump.
#[inline]
pub fn outcome(pos: &Checkers) -> Option<Outcome> {
    if (!pos.empty()).count_ones() > PIECES.into() || pos.must_jump() || pos.is_over() {
        return None;
    }
    OUTCOMES.get(pos)
}

/// The numbers of all positions, two in a byte.
struct Outcomes {
    slices: Slices,
    /// The first position of each layer.
    starts: Vec<usize>,
    halves: Vec<u8>,
}

/// The outcomes that come with the program.
static OUTCOMES: LazyLock<Outcomes> =
    LazyLock::new(|| Outcomes::read(include_bytes!("../../data/checkers.outcomes")).expect("the program's own file"));

impl Outcomes {
    fn read(bytes: &[u8]) -> Option<Outcomes> {
        let slices = Slices::new(PIECES);
        let starts = starts(&slices);
        let most = (slices.count() as usize).div_ceil(2);
        let halves = decompress_to_vec_with_limit(bytes, most).ok().filter(|halves| halves.len() == most)?;
        Some(Outcomes { slices, starts, halves })
    }

    #[inline]
    fn get(&self, pos: &Checkers) -> Option<Outcome> {
        let (layer, number) = self.slices.place(&Placement::from_position(pos))?;
        let at = self.starts[usize::from(layer)] + number;
        let half = self.halves[at / 2] >> (4 * (at % 2)) & 15;
        Some(Outcome::from_number(half))
    }
}

/// The number of positions before each layer.
fn starts(slices: &Slices) -> Vec<usize> {
    let before = |layer| (0..layer).map(|layer| slices.positions(layer)).sum();
    slices.layers().map(before).collect()
}

/// The contents of the file, from an endgame table.
///
/// # Errors
/// The table has fewer pieces, or cannot be read.
pub fn file(table: &Tables) -> Result<Vec<u8>, Error> {
    if table.pieces() < PIECES {
        bail!(
            "the table of checkers has {} pieces, {PIECES} are needed: mancalab tables build checkers --pieces {PIECES}",
            table.pieces()
        );
    }
    let slices = Slices::new(PIECES);
    let mut halves = vec![0; (slices.count() as usize).div_ceil(2)];
    let mut last = 0;
    let positions = slices.layers().flat_map(|layer| (0..slices.positions(layer)).map(move |number| (layer, number)));
    for (at, (layer, number)) in positions.enumerate() {
        let pos = slices.placement(layer, number).position();
        if !pos.must_jump() && !pos.is_over() {
            let value = table.probe(&pos).ok_or("the table of checkers cannot be read")?;
            last = Outcome::of_value(value).number();
        }
        halves[at / 2] |= last << (4 * (at % 2));
    }
    Ok(compress_to_vec(&halves, LEVEL))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancalab_base::rng;
    use rand::RngExt as _;

    #[test]
    fn outcomes_have_half_a_byte() {
        let signs =
            [1, -1].into_iter().flat_map(|sign| (0..i32::from(SPANS)).map(move |spans| Outcome { sign, spans }));
        let all: Vec<Outcome> = signs.chain([Outcome { sign: 0, spans: 0 }]).collect();
        for outcome in &all {
            assert!(outcome.number() < 16 && Outcome::from_number(outcome.number()) == *outcome, "{outcome:?}");
        }
        assert_eq!(all.len(), 15);
    }

    /// With three pieces they are those of a table that is computed here.
    #[test]
    fn outcomes_are_those_of_the_table() {
        let table = super::super::tests::table("checkers", 3);
        let slices = Slices::new(3);
        let mut known = 0;
        for layer in slices.layers() {
            for number in 0..slices.positions(layer) {
                let pos = slices.placement(layer, number).position();
                let Some(outcome) = outcome(&pos) else { continue };
                assert_eq!(Some(outcome), table.value(&pos).map(Outcome::of_value), "{pos:?}");
                known += 1;
            }
        }
        assert!(known > 100_000, "{known}");
    }

    /// The value that a position's moves give it, for its side to move: the shortest win, the longest loss. Jumps are played to their end.
    fn by_moves(pos: &Checkers) -> Outcome {
        let rank = |outcome: &Outcome| outcome.sign * (100 - outcome.spans);
        let after = |mv| {
            let child = pos.play(mv);
            let known = if child.is_over() { Outcome { sign: -1, spans: 0 } } else { value(&child) };
            Outcome { sign: -known.sign, ..known }
        };
        pos.moves().map(after).max_by_key(rank).expect("it is not over")
    }

    fn value(pos: &Checkers) -> Outcome {
        outcome(pos).unwrap_or_else(|| by_moves(pos))
    }

    /// An outcome is the best of those after its moves, at most one span later.
    #[test]
    fn outcomes_follow_from_those_after_the_moves() {
        let slices = Slices::new(PIECES);
        let mut random = rng::keyed(&[61]);
        let mut signs = [0; 3];
        for _ in 0..20_000 {
            let layer = random.random_range(slices.layers());
            let pos = slices.placement(layer, random.random_range(0..slices.positions(layer))).position();
            let Some(outcome) = outcome(&pos) else { continue };
            let best = by_moves(&pos);
            assert_eq!(outcome.sign, best.sign, "{pos:?}");
            assert!((best.spans..=best.spans + 1).contains(&outcome.spans), "{pos:?}: {outcome:?} after {best:?}");
            signs[(1 + outcome.sign) as usize] += 1;
        }
        assert!(signs.iter().all(|&count| count > 1000), "{signs:?}");
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let bytes = include_bytes!("../../data/checkers.outcomes");
        assert!(bytes.len() < 400_000, "{} bytes", bytes.len());
        assert!(Outcomes::read(bytes).is_some());
        assert!(Outcomes::read(&bytes[..bytes.len() / 2]).is_none());
        assert!(Outcomes::read(&[]).is_none());
    }
}
