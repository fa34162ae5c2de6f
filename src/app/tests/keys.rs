//! Commands and their keys: the registry, what the config changes, and digits.

use std::collections::{HashMap, HashSet};

use super::super::stage::{Stage, config};
use crate::app::CommandEntry;
use crate::app::command::Registry;
use crate::app::place::Whose;
use crate::app::tab::Tab;
use crate::config::Config;
use crate::paths::Paths;
use crate::tabs::board::{Settings, Setup};
use crate::tabs::{self, Opening};
use crate::term::Chord;

#[test]
fn keys_can_be_changed_and_the_footer_and_help_follow() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.toml");
    std::fs::write(&path, "[keys]\nboard.new = 'ctrl-n'\nboard.hint = []\n'app.help' = ['H', '?']\n").unwrap();
    let config = Config { keys: Config::check_file(&path, &Paths::default()).unwrap().keys, ..config() };
    let mut stage = Stage::with_config(config, "human", "human");
    assert!(stage.shows("^N new") && !stage.shows("hint"), "{}", stage.screen(120, 40));
    stage.keys("ctrl-n");
    assert!(stage.shows("New game"));
    stage.keys("esc H");
    assert!(stage.shows("^N"));
    stage.keys("esc n");
    assert!(!stage.shows("New game"));
}

#[test]
fn the_first_letter_that_does_nothing_is_reported_and_no_other() {
    let mut stage = Stage::new("human", "human");
    assert!(stage.keys("k").shows("k does nothing here"), "{}", stage.screen(120, 40));
    assert!(!stage.keys("k").shows("does nothing here"));
}

#[test]
fn an_unbound_key_with_alt_is_escape_and_the_key() {
    let mut stage = Stage::new("human", "human");
    let before = stage.screen(120, 40);
    assert_eq!(stage.keys("alt-left").screen(120, 40), before);
    assert!(stage.keys("n").shows("New game"));
    assert!(!stage.keys("alt-left").shows("New game"));
    assert!(stage.keys("n alt-k").shows("k does nothing here"));
}

/// The commands in the footer of the tab in front.
fn offered(stage: &mut Stage) -> Vec<CommandEntry> {
    let (app, _) = stage.parts();
    let all = app.tables_in_front().into_iter().flat_map(|whose| app.listed(whose));
    all.filter(|entry| entry.is_offered).collect()
}

/// Returns whether a command changes the screen, asks the terminal for something, or ends the program.
fn does_something(stage: &mut Stage, entry: &CommandEntry) -> bool {
    let before = stage.screen(120, 40);
    stage.press(entry.label.keys[0]);
    stage.wait();
    let (app, _) = stage.parts();
    app.quit().is_some() || !app.take_requests().is_empty() || stage.screen(120, 40) != before
}

#[test]
fn the_keys_in_the_footer_do_something() {
    for start in ["", "C", "C F", "C F home", "C F i", "C u"] {
        for tab in 1..=6 {
            let open = || {
                let mut stage = Stage::new("human", "human");
                stage.keys(&format!("{start} {tab}"));
                stage
            };
            let entries = offered(&mut open());
            assert!(entries.len() >= 3, "{tab}");
            for entry in entries {
                let mut stage = open();
                assert!(does_something(&mut stage, &entry), "{} after '{start}'", entry.label.id);
            }
        }
    }
}

#[test]
fn under_a_dialog_the_footer_is_empty() {
    let mut stage = Stage::new("human", "human");
    let footer = |stage: &mut Stage| stage.screen(80, 24).lines().last().unwrap_or_default().to_owned();
    assert!(footer(&mut stage).contains("? help"));
    // The dialog may reach the last line.
    let edge = |line: String| line.trim_matches([' ', '╰', '─', '╯']).to_owned();
    assert_eq!(edge(footer(stage.keys("n"))), "");
    assert_eq!(edge(footer(stage.keys("esc T"))), "");
    assert!(footer(stage.keys("esc")).contains("? help"));
}

/// The registry as the program has it.
fn tables() -> (Vec<Box<dyn Tab>>, Registry) {
    let setup = Setup::from_config(&config().board);
    let board = Settings::new(setup, None);
    let tabs = tabs::all(Opening::new(board, &Paths::default()));
    let registry = crate::app::registry(&tabs);
    (tabs, registry)
}

#[test]
fn every_command_is_there_once_and_in_its_scope() {
    let (tabs, registry) = tables();
    let mut ids = HashSet::new();
    for (place, label) in &registry {
        assert!(ids.insert(label.id), "{} is there twice", label.id);
        let scope = match place.whose {
            Whose::App => "app",
            Whose::Tab(index) => tabs[index].scope(),
        };
        assert_eq!(label.scope(), scope, "{}", label.id);
        assert!(label.id.len() > scope.len() + 1, "{} has no name", label.id);
    }
    assert!(ids.len() > 60, "{}", ids.len());
}

#[test]
fn the_usual_keys_are_keys_and_no_two_commands_of_a_table_share_one() {
    let mut taken = HashMap::new();
    for (place, label) in tables().1 {
        for key in label.keys {
            let chord: Chord = key.parse().unwrap_or_else(|error| panic!("{}: {error}", label.id));
            let before = taken.insert((place.whose, chord), label.id);
            assert_eq!(before, None, "{key} of {}", label.id);
        }
    }
}

fn with_keys(keys: &str) -> Config {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.toml");
    std::fs::write(&path, format!("[keys]\n{keys}")).unwrap();
    Config { keys: Config::check_file(&path, &Paths::default()).unwrap().keys, ..config() }
}

#[test]
fn digits_can_be_given_to_other_commands_and_tabs_other_keys() {
    let config = with_keys("app.tab-2 = 'f2'\napp.help = '2'\nboard.hint = '3'\n");
    let mut stage = Stage::with_config(config, "human", "human");
    assert!(stage.keys("2").shows("Kalah: the rules"), "the digit shows the keys: {}", stage.screen(120, 40));
    assert!(stage.keys("esc f2").shows("Genetic programming"));
    assert!(stage.keys("3").shows("tunes the weights"), "only the Board has another use for it");
    assert!(stage.keys("1 3").shows("3 hint"), "{}", stage.screen(120, 40));
}

#[test]
fn digits_that_choose_pits_win_over_those_of_tabs() {
    let mut config = with_keys("app.tab-2 = 'b'\n");
    config.board.digits = crate::config::Digits::Pits;
    let mut stage = Stage::with_config(config, "human", "human");
    assert!(stage.keys("3 9").shows("South sows C"), "{}", stage.screen(120, 40));
    assert!(stage.keys("alt-3").shows("tunes the weights"));
    assert!(stage.keys("1").shows("South sows C"), "other tabs have no use for digits");
    assert!(stage.keys("b").shows("Genetic programming"), "a key that was asked for is the app's");
}

#[test]
fn digits_are_commands_that_help_and_palette_list_for_the_tabs_there_are() {
    let mut stage = Stage::new("human", "human");
    assert!(stage.keys("alt-2").shows("Genetic programming"));
    let help = stage.keys("? end").screen(120, 60);
    assert!(help.contains("6 M-6") && help.contains("Go to Monitor") && !help.contains("M-7"), "{help}");
    let palette = stage.keys("esc :").text("go to").screen(120, 60);
    assert!(palette.contains("Go to Board") && palette.contains("Go to Train"), "{palette}");
    assert!(!palette.contains("Go to tab"), "{palette}");
    assert!(stage.text(" board").keys("enter").shows("sow"));
}
