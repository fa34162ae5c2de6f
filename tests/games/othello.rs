//! Othello from the command line: commands without a screen, files, and errors.

use std::fs;

use mancalab::game::notation;

use super::{assert_counted, assert_files_refused, refused, state, stdout_of, tournament_rows};
use crate::commands::assert_refused;

#[test]
fn sequences_of_moves_are_counted() {
    assert_counted("othello", ["4", "12", "56", "244", "1396", "8200", "55092", "390216"]);
}

#[test]
fn players_meet_and_their_games_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("games");
    let output = stdout_of(&[
        "match",
        "minimax:2",
        "random",
        "--game",
        "othello",
        "--games",
        "10",
        "--seed",
        "3",
        "--json",
        "--save",
        save.to_str().unwrap(),
    ]);
    assert!(output.contains("\"game\":\"othello:8x8:standard\"") && output.contains("\"games\":10"), "{output}");
    assert_eq!(output.lines().count(), 1, "one object per line: {output}");
    let mut games = 0;
    for file in fs::read_dir(&save).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        let record = notation::read(&text).unwrap();
        assert!(text.contains("[Black \"") && record.result().is_some(), "{text}");
        assert_eq!(notation::write(&record), text);
        games += 1;
    }
    assert_eq!(games, 10);
}

#[test]
fn a_tournament_is_the_same_with_any_number_of_threads() {
    let rows = |threads: &str| tournament_rows("othello", "random,max,minimax:2:ties=random,mcts:30", threads);
    assert_eq!(rows("1"), rows("3"));
}

/// Function players from text and from a file play the same games, which are read again with the players' names.
#[test]
fn players_by_functions_meet_others() {
    let folder = tempfile::tempdir().unwrap();
    let [file, out] = ["f.txt", "run"].map(|name| folder.path().join(name));
    let functions = "( white ),75,( adf2 white_corners 10 ) where adf2 = ( * arg1 ( - arg2 black_edges ) ),25";
    fs::write(&file, format!("# bred\n{}\n", functions.replace(',', ",\n"))).unwrap();
    let by_text = format!("staged:{functions}:overlap=10");
    let by_file = format!("staged:{}:overlap=10", file.display());
    let games = |player: &str, save: &str| {
        let save = folder.path().join(save);
        let args = ["match", player, "random", "--game", "othello", "--games", "6", "--seed", "3", "--save"];
        stdout_of(&[&args[..], &[save.to_str().unwrap()]].concat());
        let mut files: Vec<_> = fs::read_dir(&save).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        files.iter().map(|file| fs::read_to_string(file).unwrap()).collect::<Vec<String>>()
    };
    let [texts, files] = [games(&by_text, "a"), games(&by_file, "b")];
    for (text, file) in texts.iter().zip(&files) {
        let record = notation::read(text).unwrap();
        assert!(record.players.contains(&by_text) && record.result().is_some(), "{text}");
        assert_eq!(text.replace(&by_text, &by_file), *file);
    }
    assert_eq!(texts.len(), 6);
    // Commas within a player's text do not split a list of players.
    let players = format!("random,{by_text},staged:( white ):depth=2,max");
    let output =
        stdout_of(&["match", "othello", "--players", &players, "--games", "2", "--out", out.to_str().unwrap()]);
    for player in [&by_text, "staged:( white ):depth=2"] {
        assert!(output.contains(player), "{output}");
    }
    let output = refused(&["match", "staged:( white )", "random"]);
    assert!(output.contains("'staged:( white )' does not play Kalah: staged plays othello only"), "{output}");
    let output = refused(&["match", "staged:( white ),60", "random", "--game", "othello"]);
    assert!(
        output.contains("column 13: the text ends here; expected shares that add up to 100; they add up to 60"),
        "{output}"
    );
}

#[test]
fn what_othello_does_not_know_is_refused_by_name() {
    let commands = [
        (
            "match heuristic:4 random --game othello",
            "'heuristic:4' does not play Othello: heuristic plays kalah, oware, awari, vai-lung-thlan, ohvalhu or erherhe only",
        ),
        ("--game othello --north program:figure5-1", "north: 'program:figure5-1' does not play Othello"),
        ("match othello --players max,heuristic:2", "'heuristic:2' does not play Othello"),
        ("dev perft --game othello:6x6", "unknown Othello board size '6x6'; known: 8x8"),
        ("dev perft --game othello --position ---X", "expected 60 more of 64 squares"),
        ("dev perft --game draughts", "unknown game 'draughts'; known: kalah"),
    ];
    assert_refused(state(), &commands);
}

#[test]
fn files_that_break_the_rules_are_refused_by_place() {
    assert_files_refused(&[
        ("f5d6c3a1", "line 1, column 7: found 'a1'; expected a move of White: "),
        ("[Game \"othello\"]\n1. f5 2. e6", "line 2, column 10: found 'e6'; expected a move of White: f4, d6, f6"),
        ("[Game \"othello\"]\n[Start \"--X\"]", "line 2, column "),
    ]);
}
