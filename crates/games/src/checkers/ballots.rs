//! The three-move ballots of the American Checker Federation.
//!
//! In tournaments the first three moves are drawn by lot, to vary the games. Of the federation's 174 numbered beginnings 18 are
//! barred, and 12 are for correspondence play only: 144 are played over the board.

use std::sync::LazyLock;

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
pub fn ballots() -> &'static [[Move; MOVES as usize]] {
    static ALL: LazyLock<Vec<[Move; MOVES as usize]>> = LazyLock::new(read);
    &ALL
}

fn read() -> Vec<[Move; MOVES as usize]> {
    let of_line = |line: &'static str| {
        let (first, thirds) = line.split_once(':')?;
        let (first, second) = first.split_once(' ')?;
        Some(thirds.split_whitespace().filter_map(move |third| moves([first, second, third])))
    };
    BALLOTS.lines().filter_map(of_line).flatten().collect()
}

/// Names of first moves, and of some replies to the most usual one.
const NAMES: &[(&str, &str)] = &[
    ("9-13", "Edinburgh"),
    ("9-14", "Double Corner"),
    ("10-14", "Denny"),
    ("10-15", "Kelso"),
    ("11-15", "Old Faithful"),
    ("11-15 21-17", "Switcher"),
    ("11-15 22-18", "Single Corner"),
    ("11-15 23-18", "Cross"),
    ("11-15 24-19", "Second Double Corner"),
    ("11-15 24-20", "Ayrshire Lassie"),
    ("11-16", "Bristol"),
    ("12-16", "Dundee"),
];

/// Returns the name of the opening with which a game from the start begins, and the number of its ballot.
pub(super) fn opening(played: &[Move]) -> Option<String> {
    let mut pos = Checkers::start(Default::default());
    let mut text = String::new();
    for &mv in played.iter().take(2) {
        text += &format!("{}{}", if text.is_empty() { "" } else { " " }, pos.move_text(mv));
        pos = pos.play(mv);
    }
    let begun = NAMES.iter().filter(|(moves, _)| text == *moves || text.starts_with(&format!("{moves} ")));
    let (_, name) = begun.max_by_key(|(moves, _)| moves.len())?;
    let ballot = ballots().iter().position(|ballot| played.starts_with(ballot));
    Some(ballot.map_or((*name).to_owned(), |ballot| format!("{name}, ballot {}", ballot + 1)))
}

fn moves(texts: [&str; MOVES as usize]) -> Option<[Move; MOVES as usize]> {
    let mut pos = Checkers::start(Default::default());
    let mut moves = [Move::NONE; MOVES as usize];
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

    #[test]
    fn ballots_and_first_moves_have_names() {
        let name = |texts: [&str; 3], count: usize| opening(&moves(texts).unwrap()[..count]);
        assert_eq!(name(["11-15", "22-18", "15x22"], 1).as_deref(), Some("Old Faithful"));
        assert_eq!(name(["11-15", "22-18", "15x22"], 2).as_deref(), Some("Single Corner"));
        let number = ballots().iter().position(|ballot| *ballot == moves(["12-16", "24-20", "8-12"]).unwrap());
        assert_eq!((number, name(["12-16", "24-20", "8-12"], 3).as_deref()), (Some(143), Some("Dundee, ballot 144")));
        assert_eq!(name(["9-14", "22-18", "5-9"], 1).as_deref(), Some("Double Corner"));
        assert_eq!(opening(&[]), None);
    }
}
