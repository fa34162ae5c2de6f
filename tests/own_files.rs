//! Commands that read and write files in the user's folders: tables, saved games, results.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::cli::assert_has;

/// A home directory, deleted when dropped.
pub(crate) struct Home(tempfile::TempDir);

impl Home {
    pub(crate) fn new() -> Home {
        Home(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mancalab"));
        command.env_clear().env("HOME", self.path()).args(args).output().unwrap()
    }

    /// Returns the standard output.
    pub(crate) fn text(&self, args: &[&str]) -> String {
        String::from_utf8(self.run(args).stdout).unwrap()
    }

    /// Returns the standard error.
    fn error(&self, args: &[&str]) -> String {
        String::from_utf8(self.run(args).stderr).unwrap()
    }
}

#[test]
fn tables_are_built_listed_verified_and_removed() {
    let home = Home::new();
    let built = home.run(&["tables", "build", "3x2", "--seeds", "9", "--threads", "2", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&built.stdout).unwrap();
    assert_eq!((&json["seeds"], &json["boards"]), (&9.into(), &5005.into()));
    assert_has(&home.text(&["tables", "list"]), &["kalah-3-standard", "up to 9 seeds, 5005 boards"]);
    assert_has(&home.text(&["tables", "verify", "--sample", "20"]), &["all checksums and 20 boards are right"]);
    assert_has(&home.text(&["solve", "position", "3x2"]), &["margin    +4"]);
    // A damaged table is refused by name, and solving works without it.
    let path = home.path().join(".local/share/mancalab/tables/kalah-3-standard.endgames");
    let mut bytes = fs::read(&path).unwrap();
    bytes.pop();
    fs::write(&path, bytes).unwrap();
    let solved = home.run(&["solve", "position", "3x2"]);
    assert_has(&String::from_utf8(solved.stdout).unwrap(), &["margin    +4"]);
    assert_has(
        &String::from_utf8(solved.stderr).unwrap(),
        &["warning: cannot use", "kalah-3-standard", "bytes (expected"],
    );
    assert_eq!(home.run(&["tables", "verify"]).status.code(), Some(1));
    assert_eq!(home.run(&["tables", "remove", "kalah-3-standard"]).status.code(), Some(0));
    assert_eq!(home.text(&["tables", "list"]), "");
}

#[test]
fn tables_of_bounds_are_built_and_solve_reviews() {
    let home = Home::new();
    let game = home.path().join("a.game");
    fs::write(&game, "[Game \"awari\"]\n[Start \"<6,20,20,1,0,2,0,1,0,0,2,1,0,1,0> S\"]\n\n1. C\n").unwrap();
    let review = || home.text(&["review", &game.display().to_string(), "--depth", "6", "--json"]);
    let without = review();
    for (game, name) in [("awari", "awari-standard"), ("oware:slam=all", "oware-slam-all")] {
        assert_has(&home.text(&["tables", "build", game, "--seeds", "8"]), &[name, "up to 8 seeds, 126k boards"]);
    }
    assert_has(
        &home.text(&["tables", "verify"]),
        &["awari-standard: all checksums and 100 boards are right", "oware-slam-all: "],
    );
    let with = review();
    assert!(!without.contains("\"solved\":true") && with.contains("\"solved\":true"), "{without}{with}");
    // A table of other rules under this name is refused, and the review works without it.
    let tables = home.path().join(".local/share/mancalab/tables");
    fs::rename(tables.join("oware-slam-all.endgames"), tables.join("awari-standard.endgames")).unwrap();
    let refused = home.run(&["review", &game.display().to_string(), "--depth", "6", "--json"]);
    assert_has(
        &String::from_utf8(refused.stderr).unwrap(),
        &["warning: cannot use", "awari-standard.endgames: it is for oware-slam-all"],
    );
    assert_eq!(String::from_utf8(refused.stdout).unwrap(), without);
    assert_has(&home.text(&["tables", "list"]), &["awari-standard", "it is for oware-slam-all"]);
    assert_eq!(home.run(&["tables", "verify"]).status.code(), Some(1));
    assert_eq!(home.run(&["tables", "remove", "awari-standard"]).status.code(), Some(0));
}

/// The card of the one puzzle is due, or not yet, and a damaged file is an error.
fn check_cards(home: &Home, position: &str) {
    let path = home.path().join(".local/state/mancalab/cards.toml");
    let card = |due: &str| {
        let head = "[[card]]\ngame = \"kalah:6x4:standard\"";
        let tail = "interval = 6\nease = 2.36\nrepetitions = 2\ngrade = 4";
        let text = format!("{head}\nposition = \"{position}\"\ndue = \"{due}\"\n{tail}\n");
        fs::write(&path, text).unwrap();
        home.text(&["puzzles", "--due"])
    };
    fs::remove_file(&path).unwrap_err();
    assert_eq!(home.text(&["puzzles", "--due"]), "0 to repeat today, 0 this week, 1 new, 1 in all\nNext: today (1)\n");
    assert_eq!(card("9000-01-01"), "0 to repeat today, 0 this week, 0 new, 1 in all\nNext: 9000-01-01 (1)\n");
    assert_has(&home.text(&["puzzles", "--format", "text"]), &["shipped", "10 of 24 puzzles;"]);
    assert_has(&home.text(&["puzzles", "--list"]), &["9000-01-01", "1 of 1 puzzles;"]);
    assert_eq!(card("2020-02-29"), "1 to repeat today, 1 this week, 0 new, 1 in all\nNext: today (1)\n");
    assert_has(&home.text(&["puzzles", "--format", "csv"]), &[",own,due,position", ",true,2020-02-29,"]);
    assert_has(&home.text(&["puzzles", "--format", "md"]), &["| Due |", "2020-02-29"]);
    assert_eq!(card("2020-02-30"), "");
    for args in [&["puzzles"][..], &["puzzles", "--due"]] {
        assert_eq!(home.run(args).status.code(), Some(2));
        assert_has(
            &home.error(args),
            &["cards.toml:4:7", "expected a date such as", "until the file is corrected or deleted"],
        );
    }
    fs::remove_file(&path).unwrap();
}

/// A reviewed game shows its mistakes as puzzles; without results there are none to show.
#[test]
fn reviews_are_saved_puzzles_listed_and_results_told() {
    let home = Home::new();
    let games = home.path().join(".local/state/mancalab/games");
    fs::create_dir_all(&games).unwrap();
    let file = games.join("one.game");
    let text = "[Game \"kalah:6x4:standard\"]\n[South \"human\"]\n[North \"minimax:2\"]\n\n1. A 2. c f 3. B 4. d\n";
    fs::write(&file, text).unwrap();
    let name = file.display().to_string();
    assert!(home.text(&["puzzles", "--list"]).ends_with("0 of 0 puzzles; 1 of 1 games not reviewed\n"));
    let plain = home.text(&["review", &name, "--depth", "8", "--solve", "0"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), text, "only --save writes");
    assert_eq!(home.text(&["review", &name, "--depth", "8", "--solve", "0", "--save"]), plain);
    assert_eq!(fs::read_to_string(&file).unwrap().matches("[%values").count(), 6);
    assert_eq!(home.text(&["review", &name, "--depth", "8", "--solve", "0"]), plain, "the file is still a game");
    let puzzles = home.text(&["puzzles", "--answers"]);
    assert_has(&puzzles, &["one.game", "A??", "(best C)", "1 of 1 puzzles; 0 of 1 games not reviewed"]);
    let json: serde_json::Value = serde_json::from_str(&home.text(&["puzzles", "--json"])).unwrap();
    let first = &json["puzzles"][0];
    assert_eq!((&first["played"], &first["best"], &first["due"]), (&"A".into(), &Value::Null, &Value::Null));
    check_cards(&home, first["position"].as_str().unwrap());
    fs::write(games.join("bare.txt"), "C F").unwrap();
    let bare = games.join("bare.txt").display().to_string();
    assert_has(&home.error(&["review", &bare, "--save"]), &["bare.txt must be a game with headers"]);
    assert_has(&home.text(&["stats"]), &["No finished games"]);
    let row = "00000000000000aa,2026-11-25 18:00:00Z,kalah:6x4:standard,South,won,30,18,40,81.5,2,1,minimax:2\n";
    fs::write(home.path().join(".local/state/mancalab/results.csv"), row).unwrap();
    assert_has(&home.text(&["stats"]), &["kalah:6x4:standard", "1 game, Elo ", "accuracy 82 %", "Easy"]);
    assert_has(&home.text(&["stats"]), &["1 game, Elo +28 on the ladder (1 rated)\n", "unknown "]);
    assert_has(&home.text(&["stats", "--format", "csv"]), &["kalah:6x4:standard,minimax:2,-163,1,0,0,81.5"]);
    assert_has(&home.error(&["play", "--game", "kalah", "--start", "ballot:3"]), &["only checkers has ballots"]);
    assert_has(&home.error(&["play", "--game", "checkers", "--start", "ballot:145"]), &["ballot:1 to ballot:144"]);
}
