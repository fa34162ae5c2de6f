//! Files of other programs and by hand, read by `review` and `analyse`: what is in them, and what is said of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A file of this folder.
fn case(name: &str) -> String {
    format!("{}/tests/readers/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn run(args: &[&str]) -> Output {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_mancalab"));
    command.env_clear().env("HOME", home.path()).args(args).output().unwrap()
}

/// The review of a file and its warnings.
#[track_caller]
fn reviewed(file: &str, more: &[&str]) -> (Value, String) {
    let run = run(&[&["review", file, "--depth", "1", "--solve", "0", "--json"], more].concat());
    let warnings = String::from_utf8(run.stderr).unwrap();
    assert!(run.status.success(), "{file}: {warnings}");
    (serde_json::from_slice(&run.stdout).unwrap(), warnings)
}

/// The error of a command that must fail.
#[track_caller]
fn error(args: &[&str]) -> String {
    let run = run(args);
    assert_eq!((run.status.code(), run.stdout.len()), (Some(2), 0), "{args:?}");
    String::from_utf8(run.stderr).unwrap()
}

fn moves(review: &Value) -> Vec<&str> {
    review["moves"].as_array().unwrap().iter().map(|row| row["move"].as_str().unwrap()).collect()
}

fn written(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    let path: PathBuf = folder.join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn results_are_those_of_the_file_and_disagreements_are_said() {
    for (game, result) in [("1", "1-0"), ("2", "0-1"), ("3", "1-0")] {
        let (review, warnings) = reviewed(&format!("{}#{game}", case("result-black-wins.pdn")), &[]);
        assert_eq!((review["result"].as_str(), &*warnings), (Some(result), ""), "game {game}");
    }
    let (review, warnings) = reviewed(&case("result-mismatch.pdn"), &[]);
    let expected = "the results differ: given Black won, after the moves White won";
    assert!(warnings.contains(expected), "{warnings}");
    assert_eq!((&review["result"], &review["notes"][0]), (&"1-0".into(), &expected.into()));
    let table = run(&["review", &format!("{}#1", case("result-black-wins.pdn")), "--depth", "1"]);
    assert!(String::from_utf8(table.stdout).unwrap().starts_with("checkers:english  First - Second  Black won\n"));
}

#[test]
fn what_a_reader_corrects_is_said() {
    let text = fs::read_to_string(case("ambiguous-capture.pdn")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (next, route) in [("15-10 *", "10x17x26"), ("30x23 2. 1-5 14-10 *", "10x19x26")] {
        let file = written(folder.path(), "a.pdn", text.replace("30x23 2. 1-5 15-10 *", next));
        let (review, warnings) = reviewed(&file, &[]);
        assert_eq!(moves(&review)[0], route);
        let note = format!("10x26 is ambiguous (10x17x26, 10x19x26); read as {route}, since the next moves need it");
        assert!(warnings.contains(&note), "{warnings}");
    }
    // After neither of the routes are all moves legal: it is read as far as possible.
    let message = error(&["review", &case("ambiguous-capture.pdn")]);
    assert!(message.contains("found '15-10'") && message.contains("read as 10x19x26"), "{message}");
    let (_, warnings) = reviewed(&case("setup-header-case.pdn"), &[]);
    assert_eq!(warnings, "");
    let (_, warnings) = reviewed(&case("man-on-last-row.pdn"), &[]);
    assert!(warnings.ends_with("man-on-last-row.pdn: the man of White on 2, its last row, is a king\n"), "{warnings}");
    let run = run(&["analyse", "--game", "checkers", "--position", "B:W2,30:B6,K9", "--depth", "1"]);
    assert!(run.status.success());
    assert!(String::from_utf8(run.stderr).unwrap().contains("the man of White on 2"));
}

#[test]
fn positions_and_transcripts_of_othello_are_read_in_every_form() {
    let board = "-XXOXXO-XXOXXOXXXOXXOXXOOXXOXXOXXXOXXOXX-OXXOXX----------------- X";
    let table = |file: &str| {
        let run = run(&["review", file, "--game", "othello", "--depth", "1", "--solve", "0"]);
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8(run.stdout).unwrap()
    };
    let text = table(&case("position.obf"));
    assert!(text.contains(board) && text.contains("given: H1 -22, F7 -42"), "{text}");
    assert!(table(&case("board-ggs.txt")).contains("---------------------------OX------XO-"));
    let line = fs::read_to_string(case("position.obf")).unwrap();
    let analysed = run(&["analyse", "--game", "othello", "--position", &line, "--depth", "1", "--json"]);
    let json: Value = serde_json::from_slice(&analysed.stdout).unwrap();
    assert_eq!(json["position"], board);
    let (review, _) = reviewed(&case("board-then-moves.txt"), &["--game", "othello"]);
    assert_eq!(moves(&review), ["h1", "a6"]);
    let (review, _) = reviewed(&case("transcript-with-score.txt"), &["--game", "othello"]);
    assert_eq!((moves(&review).len(), &review["result"]), (6, &"34-30".into()));
    let second = format!("{}#2", case("two-transcripts.txt"));
    assert_eq!(moves(&reviewed(&second, &["--game", "othello"]).0), ["f5", "f6", "e6", "f4"]);
    // All of a file, one after another.
    let all = run(&["review", &case("two-transcripts.txt"), "--game", "othello", "--depth", "1", "--json"]);
    assert!(all.status.success() && String::from_utf8(all.stdout).unwrap().lines().count() == 2);
    let (review, warnings) = reviewed(&case("othello.pgn"), &[]);
    assert_eq!((&review["game"], moves(&review).len(), &*warnings), (&"othello:8x8:standard".into(), 6, ""));
    assert_eq!(review["result"], "34-30");
}

#[test]
fn the_game_that_is_named_is_the_one_that_is_read() {
    let refused = |file: &str, game: &str| error(&["review", file, "--game", game]);
    assert!(refused(&case("othello.pgn"), "checkers").contains("a game of othello:8x8:standard, not of checkers"));
    assert!(refused(&case("two-transcripts.txt"), "kalah").contains("not of kalah"));
    let folder = tempfile::tempdir().unwrap();
    let saved = written(folder.path(), "a.game", "[Game \"kalah:6x5\"]\n1. B\n");
    assert!(refused(&saved, "kalah:6x4").contains("a game of kalah:6x5:standard, not of kalah:6x4:standard"));
    let headed = written(folder.path(), "a.pdn", "[Event \"a\"]\n1. 11-15\n");
    assert_eq!(reviewed(&headed, &["--game", "checkers:limit=40"]).0["game"], "checkers:limit=40");
}

#[test]
fn no_start_position_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str, text: &str| error(&["review", &written(folder.path(), name, text)]);
    let errors = [
        ("a.pdn", "[Event \"a\"]\n[fen \"B:W40:B1\"]\n1. 1-5\n", "line 2, column 10: found '40'"),
        ("b.pdn", "[Event \"a\"]\n[SETUP \"1\"]\n1. 11-15\n", "line 2, column 1: found '[SETUP \"1\"]'"),
        ("a.game", "[Game \"checkers\"]\n[POSITION \"B:W40:B1\"]\n1. 1-5\n", "line 2, column 15: found '40'"),
        ("b.game", "[Game \"kalah\"]\n[setup \"1\"]\nC\n", "line 2, column 9: found '1'"),
        ("c.txt", "B:W40:B1", "line 1, column 4: found '40'"),
        ("a.ggf", "(;GM[Othello]bo[8 x]B[F5];)", "line 1, column 17: found '8 x'"),
        ("b.ggf", "(;GM[Othello]B[F5];)", "expected the start position, BO[8"),
        ("a.obf", "---X X; a1:+2\n", "line 1, column 7: found ';'"),
    ];
    for (name, text, expected) in errors {
        let message = refused(name, text);
        assert!(message.contains(expected), "{name}: {message}");
    }
    for (game, position, expected) in
        [("checkers", "B:W40:B1", "--position: line 1, column 4"), ("othello", "---X", "--position: line 1, column 5")]
    {
        let message = error(&["analyse", "--game", game, "--position", position]);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn games_may_be_in_utf_16() {
    let folder = tempfile::tempdir().unwrap();
    let utf_16 =
        |text: &str| [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    for (name, text) in [
        ("a.pdn", "[Event \"ö\"]\n1. 11-15 *"),
        ("a.game", "[Game \"checkers\"]\n1. 11-15"),
        ("a.txt", "1. 11-15 *"),
        ("b", "[Event \"ö\"]\n1. 11-15 *\n\n[Event \"b\"]\n1. 9-13 *"),
    ] {
        let file = written(folder.path(), name, utf_16(text));
        let file = if name == "b" { file + "#1" } else { file };
        assert_eq!(moves(&reviewed(&file, &[]).0), ["11-15"], "{name}");
    }
}

#[test]
fn files_of_names_are_named() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["wthor.jou", "WTHOR.TRN"] {
        let message = error(&["review", &written(folder.path(), name, [0_u8; 36])]);
        assert!(
            message.contains("it has the names of a WTHOR database; open the file of its games, .wtb"),
            "{message}"
        );
    }
}
