//! Fair openings: starts beside the usual one whose value is a draw.
//!
//! `fair.csv` lists those with one seed in another pit, a line each: what `mancalab solve fair RULES` prints for each size.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::{Kalah, Rules};
use crate::{BoardGame as _, Notation as _, Side};

impl Rules {
    /// Returns the starts with one to `moved` seeds in another pit than at the usual start, each once, fewest seeds first.
    pub fn starts(self, moved: u32) -> Vec<Kalah> {
        let usual = Kalah::start(self.opened(0)).by_seat().0;
        let mut known = BTreeSet::from([usual]);
        let mut starts = Vec::new();
        let mut last = vec![usual];
        for _ in 0..moved {
            let next = last.iter().flat_map(|&pits| self.with_one_moved(pits)).filter(|&pits| known.insert(pits));
            last = next.collect();
            starts.extend(last.iter().map(|&pits| Kalah::from_parts(self, pits, [0; 2], Side::South)));
        }
        starts.retain(|pos| pos.own != 0);
        starts
    }

    /// Returns the boards with one seed more in another pit.
    fn with_one_moved(self, pits: [u64; 2]) -> Vec<[u64; 2]> {
        let places = || (0..2).flat_map(|side| (0..self.pits()).map(move |pit| (side, 8 * pit)));
        let mut boards = Vec::new();
        for (from, seeds) in places().filter(|&(side, shift)| pits[side] >> shift & 0xff != 0) {
            for (to, shift) in places().filter(|place| *place != (from, seeds)) {
                let mut board = pits;
                board[from] -= 1 << seeds;
                board[to] += 1 << shift;
                boards.push(board);
            }
        }
        boards
    }

    /// Returns the known fair openings, numbered from 1 in this order; none of rules that were not solved.
    pub fn fair_openings(self) -> impl Iterator<Item = Kalah> {
        let own = self.opened(0);
        known().iter().copied().filter(move |pos| pos.rules() == own)
    }

    /// Returns the rules with known fair openings.
    pub fn with_fair_openings() -> impl Iterator<Item = Rules> {
        known().chunk_by(|one, next| one.rules() == next.rules()).map(|of_rules| of_rules[0].rules())
    }
}

fn known() -> &'static [Kalah] {
    static KNOWN: OnceLock<Vec<Kalah>> = OnceLock::new();
    let line = |line: &str| {
        let (rules, position) = line.split_once(' ')?;
        Kalah::from_text(rules.parse().ok()?, position).ok()
    };
    KNOWN.get_or_init(|| include_str!("fair.csv").lines().filter_map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game as _, Variant};

    #[test]
    fn known_openings_differ_from_the_usual_start_by_one_seed() {
        let known = known();
        assert_eq!(known.len(), include_str!("fair.csv").lines().count());
        assert!(known.iter().all(|pos| pos.rules().starts(1).contains(pos)));
        // One of twelve seeds' pits for another; two seeds moved the same way, or apart, or from or to the same pit.
        let counts = [1, 2].map(|moved| "6x4".parse::<Rules>().unwrap().starts(moved).len());
        assert_eq!(counts, [12 * 11, 12 * 11 + 12 * 11 + 2 * 12 * 55 + 66 * 45]);
    }

    #[test]
    fn a_game_may_start_with_a_fair_opening() {
        let variant: Variant = "kalah:3x4:standard:fair=2".parse().unwrap();
        let rules: Rules = "3x4".parse().unwrap();
        let opening = rules.fair_openings().nth(1).unwrap();
        assert_eq!(variant.start().to_text(), opening.to_text());
        assert_eq!(variant.to_string(), "kalah:3x4:standard:fair=2");
        let after = Kalah::start("3x4:fair=2".parse().unwrap()).play(crate::Move(0));
        assert_eq!(Kalah::from_text("3x4:fair=2".parse().unwrap(), &after.to_text()), Ok(after));
        let error = |text: &str| text.parse::<Rules>().unwrap_err().to_string();
        assert_eq!(error("3x4:fair=0"), format!("fair must be 1 to {} (got '0')", rules.fair_openings().count()));
        assert_eq!(error("6x6:fair=1"), "no fair openings of 6x6:standard are known");
    }
}
