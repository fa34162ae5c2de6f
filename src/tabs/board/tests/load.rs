//! The dialog of saved games.

use std::path::Path;

use crate::app::stage::{Stage, config};

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

fn kalah(players: [&str; 2], moves: &str) -> String {
    format!("[Game \"kalah:6x4:standard\"]\n[South \"{}\"]\n[North \"{}\"]\n\n{moves}\n", players[0], players[1])
}

/// Three games, one of which is none.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "one.game", &kalah(["human", "minimax:8"], "1. C F 2. b"));
    write(folder.path(), "two.game", &kalah(["human", "human"], "1. A"));
    write(folder.path(), "bad.game", "[Game \"chess\"]\n");
    folder
}

fn open(folder: &Path) -> Stage {
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.to_owned()));
    stage.keys("l");
    stage
}

#[test]
fn games_are_listed_with_what_is_in_them_and_why_it_is_not() {
    let folder = folder();
    let mut stage = open(folder.path());
    let screen = stage.screen(120, 40);
    for part in ["human v Hard", "unfinished", "just now", "bad  ", "cannot be read: line 1, column 8"] {
        assert!(screen.contains(part), "no '{part}' in\n{screen}");
    }
    // The ending of every file is not found.
    stage.text("game");
    assert!(stage.dialog_has("No match. Enter opens it as a path."));
    stage.keys("ctrl-u");
    // What is typed finds by players, too.
    stage.text("minimax");
    assert!(stage.selected().starts_with("one human v Hard"), "{}", stage.selected());
    assert_eq!(stage.dialog_row("two "), "");
    assert!(stage.dialog_has("file players result moves saved kalah:6x4:standard, unfinished"));
    stage.keys("enter");
    assert_eq!(stage.notice(), "Loaded one.game; Hard is paused (space: continue, m: one move)");
}

#[test]
fn a_game_is_deleted_only_when_that_is_confirmed() {
    let folder = folder();
    let mut stage = open(folder.path());
    stage.text("one").keys("delete");
    assert!(stage.dialog_has("Delete one.game? y: delete, any other key: keep"));
    stage.keys("n");
    assert!(folder.path().join("one.game").exists() && stage.dialog_row("Delete one.game?").is_empty());
    stage.keys("delete y");
    assert!(!folder.path().join("one.game").exists() && folder.path().join("two.game").exists());
    assert!(stage.dialog_has("No match. Enter opens it as a path."));
}

#[test]
fn a_click_selects_and_one_more_loads() {
    let folder = folder();
    let mut stage = open(folder.path());
    // The newest comes first, and of files of the same time the first by name: `bad` either way.
    stage.keys("home").click("one  ");
    assert_eq!(stage.dialog_title(), "Load a game");
    stage.click("one  ");
    assert_eq!(stage.notice(), "Loaded one.game; Hard is paused (space: continue, m: one move)");
}

#[test]
fn a_preview_stands_beside_the_list_or_below_it_where_there_is_room() {
    let folder = folder();
    let mut stage = open(folder.path());
    stage.text("two");
    for (size, is_shown) in [((80, 24), true), ((120, 40), true), ((60, 16), false), ((40, 12), false)] {
        let screen = stage.screen(size.0, size.1);
        assert!(screen.contains("Find: two") && screen.contains("two  "), "{screen}");
        assert_eq!(screen.contains("kalah:6x4:standard, unfinished"), is_shown, "{screen}");
    }
}
