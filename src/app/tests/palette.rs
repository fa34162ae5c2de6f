//! The palette: its matches, their order, and commands that do not apply.

use super::super::stage::{Stage, config, look};
use crate::theme::Role;

#[test]
fn the_palette_runs_what_was_found() {
    let mut stage = Stage::new("human", "human");
    assert!(stage.keys(":").text("new game").keys("enter").dialog_has("Pits a side 6"));
    stage.keys("esc :").text("nothing of the kind");
    assert!(stage.dialog_has("No match"));
}

/// The rows of the palette below the input.
fn rows_of_palette(stage: &mut Stage) -> Vec<String> {
    stage.dialog().unwrap().lines().split_off(1)
}

#[test]
fn the_palette_finds_tabs_presets_players_and_themes_by_their_names() {
    let mut stage = Stage::new("human", "human");
    let first = |stage: &mut Stage, typed: &str| {
        stage.keys("esc :").text(typed);
        rows_of_palette(stage).into_iter().next().unwrap_or_default()
    };
    assert_eq!(first(&mut stage, "th"), "Choose a theme T");
    assert_eq!(first(&mut stage, "aren"), "Go to Arena 4 M-4");
    assert!(first(&mut stage, "mancala-gp-2").ends_with("preset"));
    assert!(first(&mut stage, "minimax:4").ends_with("player"));
    assert_eq!(first(&mut stage, "okabe"), "okabe-ito theme");
    stage.keys("enter");
    assert_eq!(stage.notice(), "Theme: okabe-ito");
    stage.keys(":").text("random player").keys("enter");
    assert_eq!(stage.north(), "North  random");
    stage.keys(":").text("mancala-gp-2").keys("enter");
    assert!(
        stage.dialog_has("Enter start Esc cancel arrows choose type to replace * changed"),
        "the settings of a preset can be looked at first"
    );
}

#[test]
fn the_palette_loads_saved_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("brilliant.game");
    std::fs::write(path, "[Game \"kalah:6x4:standard\"]\n\n1. C F 2. a\n").unwrap();
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().to_owned()));
    stage.keys("3 :").text("brill").keys("enter");
    assert_eq!(stage.notice(), "Loaded brilliant.game");
}

#[test]
fn what_does_not_apply_is_dim_in_the_palette_and_shows_why() {
    let mut stage = Stage::new("human", "human");
    stage.keys(":").text("take your last");
    assert_eq!(rows_of_palette(&mut stage), ["Take your last move back this is the start of the game"]);
    let screen = stage.keys("esc :").text("copy").screen(120, 40);
    let is_it = |line: &&str| line.contains("no move has been made yet");
    let row = screen.lines().position(|line| is_it(&line)).unwrap();
    let column = screen.lines().find(is_it).unwrap().chars().position(|c| c == 'C').unwrap();
    assert_eq!(Some(stage.cell(row as u16, column as u16).fg), look().style(Role::Dim).fg, "{screen}");
    stage.keys("esc 2 :").text("pause");
    let rows = rows_of_palette(&mut stage);
    assert!(rows.iter().any(|row| row.contains("select a run first")), "{rows:?}");
    assert!(
        stage.keys("esc :").text("go to tab").dialog_row("Go to tab").is_empty(),
        "tabs that there are not are not listed"
    );
}
