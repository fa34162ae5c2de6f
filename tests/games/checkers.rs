//! Checkers from the command line: commands without a screen, files, and errors.

use std::fs;

use mancalab::game::notation;

use super::{assert_counted, assert_files_refused, state, stdout_of, tournament_rows};
use crate::commands::assert_refused;

#[test]
fn sequences_of_moves_are_counted() {
    assert_counted("checkers", ["7", "49", "302", "1469", "7361", "36768", "179740", "845931"]);
    let one = stdout_of(&["dev", "perft", "--game", "checkers", "--position", "B:W18,26:B14", "--depth", "1"]);
    assert!(one.split_whitespace().any(|word| word == "1"), "{one}");
}

/// Games of every player, saved and read again, with several draws: results are noted as the standard of English checkers
/// does, the points of Black, who moves first, first.
#[test]
fn players_meet_and_their_games_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut results = std::collections::BTreeMap::new();
    for (first, second) in
        [("minimax:4:ties=random", "random"), ("mcts:60", "max"), ("minimax:2", "minimax:2:ties=random")]
    {
        let save = folder.path().join(first.replace(':', "-"));
        let args =
            ["match", first, second, "--game", "checkers:limit=60", "--games", "8", "--seed", "3", "--json", "--save"];
        let output = stdout_of(&[&args[..], &[save.to_str().unwrap()]].concat());
        assert!(output.contains("\"game\":\"checkers:limit=60\"") && output.contains("\"games\":8"), "{output}");
        for file in fs::read_dir(&save).unwrap() {
            let text = fs::read_to_string(file.unwrap().path()).unwrap();
            let record = notation::read(&text).unwrap();
            assert!(text.contains("[Black \"") && record.result().is_some() && record.ply() <= 120, "{text}");
            assert_eq!(notation::write(&record), text);
            let ending = record.result().unwrap();
            let result = notation::result_text(&record);
            let wanted = ["0-1", "1/2-1/2", "1-0"][ending.outcome as usize];
            assert_eq!(result, wanted, "{text}");
            *results.entry(result).or_insert(0) += 1;
        }
    }
    assert!(results.len() == 3 && results.values().sum::<u32>() == 24, "{results:?}");
}

#[test]
fn a_tournament_is_the_same_with_any_number_of_threads() {
    let rows = |threads: &str| tournament_rows("checkers", "random,max,minimax:3:ties=random,mcts:30", threads);
    assert_eq!(rows("1"), rows("3"));
}

/// White loses three men to one jump; the review shows the better move before it.
#[test]
fn a_game_is_reviewed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lost.game");
    fs::write(
        &file,
        "[Game \"checkers\"]\n1. 11-15 2. 21-17 3. 9-13 4. 25-21 5. 15-19 6. 24x15 7. 10x19 8. 23x16 9. 12x19\n",
    )
    .unwrap();
    let output = stdout_of(&["review", file.to_str().unwrap(), "--depth", "5"]);
    assert!(output.contains("24x15") && output.contains("12x19"), "{output}");
}

#[test]
fn what_checkers_does_not_know_is_refused_by_name() {
    let commands = [
        (
            "match heuristic:4 random --game checkers",
            "'heuristic:4' does not play Checkers: heuristic plays kalah, oware, awari, vai-lung-thlan, ohvalhu or erherhe only",
        ),
        ("dev perft --game checkers:limit=0", "the move limit must be 1 to 9999 moves a side (got '0')"),
        ("dev perft --game checkers:russian", "unknown checkers rule 'russian'; known: english, limit=MOVES"),
        ("dev perft --game checkers --position B:W33", "found '33'; expected a square from 1 to 32"),
        ("dev perft --game chekers", "did you mean 'checkers'?"),
    ];
    assert_refused(state(), &commands);
}

#[test]
fn files_that_break_the_rules_are_refused_by_place() {
    assert_files_refused(&[
        ("11-15 22-18 11-16", "line 1, column 13: found '11-16'; expected a move of Black: 15x22"),
        (
            "[Game \"checkers\"]\n1. 11-15 2. 11-16",
            "line 2, column 13: found '11-16'; expected a move of White: 21-17, 22-17",
        ),
        ("[Game \"checkers\"]\n[Start \"B:W21,x\"]", "line 2, column 15: found 'x'; expected a square from 1 to 32"),
        (
            "[Game \"checkers\"]\n[Start \"B:W14,15,22,23:BK10\"]\n\n10x10",
            "found '10x10'; expected a move of Black: 10x17x26x19x10, 10x19x26x17x10",
        ),
    ]);
}
