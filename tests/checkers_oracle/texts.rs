//! The rules by example; moves and positions as text, valid and damaged.

use mancalab::game::checkers::{Checkers, Rules, WON};
use mancalab::game::{Game, Notation, Outcome, Side};
use proptest::prelude::*;

use super::oracle::Oracle;
use super::positions::{pieces, side};

/// Returns the names of the moves of a position given as text.
fn names(text: &str) -> Vec<String> {
    let pos = Checkers::read(text).unwrap();
    pos.moves().map(|mv| pos.move_text(mv)).collect()
}

#[test]
fn rules_by_example() {
    assert_eq!(names("B:W21-32:B1-12"), ["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"]);
    // A jump is compulsory and must be completed.
    assert_eq!(names("B:W18,25:B14,1"), ["14x23"]);
    assert_eq!(names("B:W18,26:B14,1"), ["14x30"]);
    // Any jump is legal, not only the one that captures most.
    assert_eq!(names("B:W10,18,26:B7,14"), ["7x14"].map(|_| "14x30").into_iter().collect::<Vec<_>>());
    // A man that becomes a king stops there, even if a king could continue the jump.
    let pos = Checkers::read("B:W26,27,5:B22").unwrap();
    assert_eq!(names("B:W26,27,5:B22"), ["22x31"]);
    let next = pos.play(pos.moves().next().unwrap());
    assert_eq!(next.to_text(), "W:W5,27:BK31");
    // A king jumps back to its start.
    assert_eq!(
        names("B:W14,15,22,23:BK10"),
        ["10x19x26x17x10", "10x17x26x19x10"].map(str::to_owned).into_iter().rev().collect::<Vec<_>>()
    );
    // A side without a legal move loses, with pieces or without.
    for text in ["W:W12:B8,3", "W:B8", "W:W:B8"] {
        let pos = Checkers::read(text).unwrap();
        assert_eq!(
            (pos.is_over(), pos.outcome(Side::South), pos.margin(Side::North)),
            (true, Outcome::Won, -WON),
            "{text}"
        );
    }
}

#[test]
fn moves_are_named_as_players_write_them() {
    let pos = Checkers::read("B:W14,15,22,23:BK10").unwrap();
    assert_eq!(pos.moves_named("10x10").len(), 2, "two ways round");
    assert_eq!(pos.named("10x10"), None);
    for text in ["10x19x26x17x10", "10-19-26-17-10", "10X19X26X17X10", "10:19:26:17:10"] {
        assert_eq!(pos.named(text), pos.moves().nth(1), "{text}");
    }
    let start = Rules::default().position();
    for text in ["11-15", "11x15", "11:15"] {
        assert_eq!(start.named(text).map(|mv| start.move_text(mv)).as_deref(), Some("11-15"));
    }
    for text in ["11-17", "11", "", "11-15-18", "0-4", "300-1", "a-b", "11--15"] {
        assert_eq!(start.named(text), None, "{text}");
    }
}

#[test]
fn errors_of_positions_say_where_and_what_was_expected() {
    let error = |text: &str| Checkers::read(text).unwrap_err().to_string();
    for (text, message) in [
        ("", "line 1, column 1: the text ends here; expected B or W, the side to move"),
        ("X:W1", "line 1, column 1: found 'X'; expected B or W, the side to move"),
        ("B", "line 1, column 2: the text ends here; expected a colon and the squares of a side, such as :W21,K30"),
        ("B:W21,33", "line 1, column 7: found '33'; expected a square from 1 to 32"),
        ("B:W21,:B1", "line 1, column 7: found ':'; expected a square from 1 to 32"),
        ("B:W21\n :W5", "line 2, column 3: found 'W'; expected the other side's squares"),
        ("B:W21,22:B5,K22", "line 1, column 14: found '22'; expected another square: 22 is already taken"),
        ("B:W21-19:B1", "line 1, column 7: found '19'; expected a square from 21 to 32"),
        ("B:W21 22", "line 1, column 7: found '2'; expected a comma and another square, or a colon"),
        ("B:W21:B1:W3", "line 1, column 10: found 'W'; expected nothing more"),
        ("B:W21:B1:H", "line 1, column 11: the text ends here; expected a number of moves"),
        ("B:W21:B1:F1:F2", "line 1, column 13: found 'F'; expected nothing more"),
        ("B:W21:B1:H0,3", "line 1, column 12: found ','; expected nothing more"),
        ("B:H0:W21:B1", "line 1, column 3: found 'H'; expected B or W and that side's squares"),
        ("B:W21:B1 x", "line 1, column 10: found 'x'; expected nothing more"),
    ] {
        assert_eq!(error(text), message, "{text}");
    }
    assert!(error("B:W14-26:B1").contains("White must have at most 12 pieces (got 13)"));
    assert!(error("B:W:B").contains("at least one is needed"));
    // A man on its last row is a king, with a note.
    for (text, read, notes) in [
        ("B:W4:B1", "B:WK4:B1", vec!["the man of White on 4, its last row, is a king"]),
        ("B:W9:B27-29", "B:W9:B27,28,K29", vec!["the man of Black on 29, its last row, is a king"]),
        ("B:WK4:B1", "B:WK4:B1", vec![]),
    ] {
        assert_eq!(Checkers::read(text).unwrap().to_text(), read);
        assert_eq!(Checkers::corrections(text), notes, "{text}");
    }
    for text in [
        "B:W21,22,K30:B5,K9",
        "b: b5, k9 :w 21,22,k30 .",
        "B:BK9,5:W22,21,K30",
        "B:W21,22,K30:B5,K9:H0:F1",
        "B:W21,22,K30:B5,K9 :f 12.",
    ] {
        assert_eq!(Checkers::read(text).unwrap().to_text(), "B:W21,22,K30:B5,K9", "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_text_is_too_strange_to_read(text in "\\PC*", fen in "[BWbwHF:K,0-9 .\n-]{0,40}") {
        for text in [text, fen] {
            if let Ok(pos) = Checkers::read(&text) {
                prop_assert_eq!(Checkers::read(&pos.to_text()), Ok(pos));
            }
            let _ = text.parse::<Rules>();
            let _ = Rules::default().position().named(&text);
            let _ = <Checkers as Notation>::recognise(&text);
        }
    }

    /// Characters of a valid text are deleted, doubled or replaced: the result either parses and prints back to itself,
    /// or is rejected at a position within the text.
    #[test]
    fn a_damaged_position_is_refused_where_it_is_damaged(
        pieces in pieces(), side in side(), damage in prop::collection::vec((0..60_usize, "[BWKHF:,.0-9 \n#é-]{0,2}"), 1..4),
    ) {
        let mut letters: Vec<String> = Oracle::new(&pieces, side).position().to_text().chars().map(String::from).collect();
        for (at, with) in damage {
            if let Some(letter) = letters.get_mut(at) {
                *letter = with;
            }
        }
        let text = letters.concat();
        match Checkers::read(&text) {
            Ok(pos) => prop_assert_eq!(Checkers::read(&pos.to_text()), Ok(pos)),
            Err(error) => {
                let lines: Vec<&str> = text.split('\n').collect();
                prop_assert!(error.line <= lines.len());
                prop_assert!(error.column <= lines[error.line - 1].chars().count() + 1);
                prop_assert!(!error.expected.is_empty());
            }
        }
    }
}
