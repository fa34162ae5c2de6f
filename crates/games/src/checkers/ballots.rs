//! The three-move ballots of the American Checker Federation.
//!
//! In tournaments the first three moves are drawn by lot, to vary the games. Of the federation's 174 numbered beginnings 18 are
//! barred, and 12 are for correspondence play only: 144 are played over the board.

use super::Checkers;
use crate::{BoardGame as _, Game as _, Move, Notation as _};

/// The ballots: each line has the first two moves, and the third moves that may follow.
const BALLOTS: &str = "\
9-13 21-17: 5-9 6-9
9-13 22-17: 13x22
9-13 22-18: 6-9 10-15 11-15 12-16
9-13 23-18: 5-9 6-9 10-15 11-15 12-16
9-13 23-19: 5-9 6-9 10-14 11-16
9-13 24-19: 5-9 6-9 10-14 11-15 11-16
9-13 24-20: 5-9 6-9 10-14 10-15 11-15
9-14 22-17: 5-9 6-9 11-15 11-16
9-14 22-18: 5-9 10-15 11-15 11-16
9-14 23-18: 14x23
9-14 23-19: 5-9 11-16 14-18
9-14 24-19: 5-9 11-15 11-16
9-14 24-20: 5-9 10-15 11-15 11-16
10-14 22-17: 7-10 14-18
10-14 22-18: 6-10 7-10 11-15 11-16 12-16
10-14 23-18: 14x23
10-14 23-19: 6-10 7-10 11-15 11-16 14-18
10-14 24-19: 6-10 7-10 11-16 14-18
10-14 24-20: 6-10 7-10 11-15 11-16 14-18
10-15 21-17: 6-10 7-10 9-13 11-16 15-18
10-15 22-17: 6-10 7-10 9-13 11-16 15-19
10-15 22-18: 15x22
10-15 23-18: 6-10 7-10 9-14 11-16 12-16
10-15 23-19: 6-10 7-10
10-15 24-19: 15x24
10-15 24-20: 6-10 7-10 15-19
11-15 21-17: 8-11 9-13 9-14 15-19
11-15 22-17: 8-11 9-13 15-18 15-19
11-15 22-18: 15x22
11-15 23-18: 8-11 9-14 10-14 12-16 15-19
11-15 23-19: 8-11 9-13 9-14
11-15 24-19: 15x24
11-15 24-20: 8-11 12-16 15-18
11-16 21-17: 7-11 8-11 9-13 9-14 16-20
11-16 22-17: 7-11 8-11 16-20
11-16 22-18: 7-11 8-11 16-19 16-20
11-16 23-18: 7-11 8-11 9-14 10-14 16-20
11-16 24-19: 7-11 8-11 16-20
11-16 24-20: 7-11 16-19
12-16 21-17: 9-13 9-14 16-19 16-20
12-16 22-17: 16-19 16-20
12-16 22-18: 16-19 16-20
12-16 23-18: 16-19 16-20
12-16 24-19: 16-20
12-16 24-20: 8-12
";

/// Moves of a ballot.
pub const MOVES: u32 = 3;

/// Returns the moves of every ballot that is played over the board, in the federation's order.
pub fn ballots() -> Vec<[Move; MOVES as usize]> {
    let of_line = |line: &'static str| {
        let (first, thirds) = line.split_once(':')?;
        let (first, second) = first.split_once(' ')?;
        Some(thirds.split_whitespace().filter_map(move |third| moves([first, second, third])))
    };
    BALLOTS.lines().filter_map(of_line).flatten().collect()
}

fn moves(texts: [&str; MOVES as usize]) -> Option<[Move; MOVES as usize]> {
    let (mut pos, mut moves) = (Checkers::start(Default::default()), [Move::NONE; MOVES as usize]);
    for (mv, text) in moves.iter_mut().zip(texts) {
        *mv = pos.named(text)?;
        pos = pos.play(*mv);
    }
    Some(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn there_are_144_ballots_of_legal_moves() {
        let all = ballots();
        assert_eq!(all.len(), 144);
        let distinct: HashSet<_> = all.iter().map(|moves| moves.map(|mv| mv.0)).collect();
        assert_eq!(distinct.len(), all.len());
        assert_eq!(all[2], moves(["9-13", "22-17", "13x22"]).unwrap());
    }
}
