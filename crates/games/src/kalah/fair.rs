//! Fair openings: starts beside the usual one whose value is a draw.
//!
//! `fair.csv` lists those with one seed in another pit, a line each: what `mancalab fair RULES` prints for each size.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::{Kalah, Rules};
use crate::{BoardGame as _, Notation as _, Side};

impl Rules {
    /// Returns the starts with one to `moved` seeds in another pit than at the usual start, each once, fewest seeds first.
    pub fn starts(self, moved: u32) -> Vec<Kalah> {
        let usual = Kalah::start(self.opened(0)).by_seat().0;
        let (mut known, mut starts, mut last) = (BTreeSet::from([usual]), Vec::new(), vec![usual]);
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
        static KNOWN: OnceLock<Vec<Kalah>> = OnceLock::new();
        let rules = |pos: &Kalah| pos.rules().opened(0);
        let own = self.opened(0);
        KNOWN.get_or_init(read).iter().copied().filter(move |pos| rules(pos) == own)
    }
}

fn read() -> Vec<Kalah> {
    let line = |line: &str| {
        let (rules, position) = line.split_once(' ')?;
        Kalah::from_text(rules.parse().ok()?, position).ok()
    };
    include_str!("fair.csv").lines().filter_map(line).collect()
}
