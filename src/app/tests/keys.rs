//! Commands and their keys: the registry, what the config changes, and digits.

use std::collections::{HashMap, HashSet};

use super::super::stage::{Stage, config, config_with_keys};
use crate::app::CommandEntry;
use crate::app::command::Registry;
use crate::app::place::Whose;
use crate::app::tab::Tab;
use crate::paths::Paths;
use crate::tabs::board::{Settings, Setup};
use crate::tabs::{self, TabSettings};
use crate::term::Chord;

#[test]
fn keys_can_be_changed_and_the_footer_and_help_follow() {
    let config = config_with_keys("board.new = 'ctrl-n'\nboard.hint = []\n'app.help' = ['H', '?']");
    let mut stage = Stage::with_config(config, "human", "human");
    assert!(stage.footer().contains(" ^N new ") && !stage.footer().contains("hint"), "{}", stage.footer());
    stage.keys("ctrl-n");
    assert_eq!(stage.dialog_title(), "New game");
    stage.keys("esc H");
    assert!(stage.dialog_has("^N Start a new game"));
    stage.keys("esc n");
    assert_eq!(stage.dialog(), None);
}

#[test]
fn the_first_letter_that_does_nothing_is_reported_and_no_other() {
    let mut stage = Stage::new("human", "human");
    assert_eq!(stage.keys("k").notice(), "k does nothing here");
    assert_eq!(stage.keys("k").notice(), "");
}

#[test]
fn an_unbound_key_with_alt_is_escape_and_the_key() {
    let mut stage = Stage::new("human", "human");
    let before = stage.screen(120, 40);
    assert_eq!(stage.keys("alt-,").screen(120, 40), before);
    assert_eq!(stage.keys("n").dialog_title(), "New game");
    assert_eq!(stage.keys("alt-left").dialog(), None);
    assert_eq!(stage.keys("n alt-k").notice(), "k does nothing here");
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
            let entries = open().offered();
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
    assert!(stage.footer().contains("? help"));
    // The dialog may reach the last line.
    let is_empty = |stage: &mut Stage| stage.footer().trim_matches([' ', '╰', '─', '╯']).is_empty();
    assert!(is_empty(stage.keys("n")), "{}", stage.footer());
    assert!(is_empty(stage.keys("esc T")), "{}", stage.footer());
    assert!(stage.keys("esc").footer().contains("? help"));
}

/// The registry as the program has it.
fn tables() -> (Vec<Box<dyn Tab>>, Registry) {
    let setup = Setup::from_config(&config().board);
    let board = Settings::new(setup, None);
    let tabs = tabs::all(TabSettings::new(board, &Paths::default()));
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
        let name = &label.id[scope.len() + 1..];
        let is_word =
            !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        assert!(is_word, "{} is no scope and a name of small letters", label.id);
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

#[test]
fn digits_can_be_given_to_other_commands_and_tabs_other_keys() {
    let config = config_with_keys("app.tab-2 = 'f2'\napp.help = '2'\nboard.hint = '3'\n");
    let mut stage = Stage::with_config(config, "human", "human");
    assert!(stage.keys("2").dialog_has("Kalah: the rules"), "the digit shows the keys");
    assert_eq!(stage.keys("esc f2").tab(), "Evolution");
    assert_eq!(stage.keys("3").tab(), "Weights", "only the Board has another use for it");
    assert!(stage.keys("1 3").footer().contains(" 3 hint "), "{}", stage.footer());
}

#[test]
fn digits_that_choose_pits_win_over_those_of_tabs() {
    let mut config = config_with_keys("app.tab-2 = 'b'\n");
    config.board.digits = crate::config::Digits::Pits;
    let mut stage = Stage::with_config(config, "human", "human");
    assert_eq!(stage.keys("3 9").story(), ["South sows C (4 seeds) and moves again"]);
    assert_eq!(stage.keys("alt-3").tab(), "Weights");
    assert_eq!(
        stage.keys("1").story(),
        ["South sows C (4 seeds) and moves again"],
        "other tabs have no use for digits"
    );
    assert_eq!(stage.keys("b").tab(), "Evolution", "a key that was asked for is the app's");
}

#[test]
fn digits_are_commands_that_help_and_palette_list_for_the_tabs_there_are() {
    let mut stage = Stage::new("human", "human");
    assert_eq!(stage.keys("alt-2").tab(), "Evolution");
    let help = stage.keys("? end").screen(120, 60);
    assert!(help.contains("6 M-6") && help.contains("Go to Monitor") && !help.contains("M-7"), "{help}");
    let palette = stage.keys("esc :").text("go to").screen(120, 60);
    assert!(palette.contains("Go to Board") && palette.contains("Go to Train"), "{palette}");
    assert!(!palette.contains("Go to tab"), "{palette}");
    assert_eq!(stage.text(" board").keys("enter").story(), ["Type a letter to sow that pit"]);
}
