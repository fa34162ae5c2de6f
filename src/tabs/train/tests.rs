//! A small training from its preset to its games on the Board.

use std::path::Path;

use crate::app::stage::{Stage, config};
use crate::paths::Paths;
use crate::tabs::board::{Settings, Setup};
use crate::tabs::{Opening, all};

fn stage(folder: &Path) -> Stage {
    let board = Settings { setup: Setup::from_config(&config().board), opened: None, games: None };
    let opening = Opening { runs: Some(folder.into()), ..Opening::new(board, &Paths::default()) };
    let mut stage = Stage::with_tabs(config(), all(opening));
    stage.keys("5");
    stage
}

/// Types values into the settings of the chosen preset, and starts.
fn begin(stage: &mut Stage, settings: &[(&str, &str)]) {
    stage.keys("e");
    for (key, value) in settings {
        let shown = |stage: &mut Stage| stage.screen(120, 60);
        for _ in 0..40 {
            if is_on(stage, key) {
                break;
            }
            stage.press("down");
        }
        assert!(is_on(stage, key), "{key} is no setting:\n{}", shown(stage));
        stage.text(value);
    }
    stage.keys("enter");
    stage.wait();
}

/// Whether the form's cursor is on this setting.
fn is_on(stage: &mut Stage, label: &str) -> bool {
    let buffer = stage.buffer(120, 60);
    let selection = crate::app::stage::look().style(crate::theme::Role::Selection).bg;
    let rows = (0..60).filter(|&y| (0..120).any(|x| Some(buffer[(x, y)].bg) == selection && selection.is_some()));
    let text = |y: u16| (0..120).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    rows.into_iter().any(|y| text(y).contains(&format!(" {label} ")))
}

/// Done in no time: a small network, few rounds, shallow opponents.
const SMALL: &[(&str, &str)] = &[
    ("seed", "5"),
    ("generations", "7"),
    ("hidden", "8"),
    ("workers", "2"),
    ("rounds", "3"),
    ("steps", "12"),
    ("opponents", "random,2*max,2*self,past"),
    ("panel", "random,max,minimax:1"),
    ("panel_games", "3"),
    ("panel_every", "2"),
];

fn small_run(stage: &mut Stage) {
    stage.keys("down");
    begin(stage, SMALL);
}

#[test]
fn the_list_of_presets() {
    let folder = tempfile::tempdir().unwrap();
    insta::assert_snapshot!(stage(folder.path()).screens());
}

#[test]
fn a_run_from_beginning_to_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    small_run(&mut stage);
    let screens = stage.screens();
    assert!(screens.contains("finished") && screens.contains("generation 7 of 7"), "{screens}");
    insta::assert_snapshot!(screens + &stage.screen(200, 60));
}
