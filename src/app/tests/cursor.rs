//! The terminal's cursor is where the choice is, on every tab and in every dialog: readers of screens follow it.

use std::fs;

use crate::app::stage::{Stage, config, look};
use crate::config::Config;
use crate::tabs::staged::with_runs;
use crate::theme::Role;

fn of_game(game: &str) -> Stage {
    Stage::of_game(game, "human", "human")
}

/// The symbols from the cursor on, on an 80×24 screen.
fn at_cursor(stage: &mut Stage, length: usize) -> String {
    let ((x, y), _) = stage.cursor(80, 24);
    let buffer = stage.buffer(80, 24);
    (x..80).take(length).map(|x| buffer[(x, y)].symbol().to_owned()).collect()
}

#[test]
fn on_the_board_it_goes_with_the_squares_and_their_cursor() {
    for game in ["othello", "checkers"] {
        let mut stage = of_game(game);
        stage.keys("right");
        stage.cursor_follows("right up left down");
    }
    // The square itself, not only another cell.
    let mut stage = of_game("othello");
    stage.keys("right");
    let (first, _) = stage.cursor(80, 24);
    stage.keys("right");
    let (second, _) = stage.cursor(80, 24);
    assert_eq!((second.1, second.0 - first.0), (first.1, 4), "the width of a square");
}

#[test]
fn on_the_board_it_goes_with_the_pits_of_the_moves() {
    let mut stage = Stage::new("human", "human");
    // At the start it stands at the head of the list of moves.
    let ((x, y), is_shown) = stage.cursor(80, 24);
    assert!(stage.screen(80, 24).lines().nth(usize::from(y) - 1).unwrap().contains("Moves") && x > 0 && !is_shown);
    for (key, pit) in [("C", 'C'), ("F", 'F'), ("b", 'b'), (",", 'F'), ("left", 'C'), ("right", 'F'), ("end", 'b')] {
        stage.keys(key);
        assert_eq!(pit_at_cursor(&mut stage), pit, "{key}:\n{}", stage.screen(80, 24));
    }
}

/// The letter of the pit with the cursor, which is above South's pits and below North's.
fn pit_at_cursor(stage: &mut Stage) -> char {
    let ((x, y), _) = stage.cursor(80, 24);
    let screen: Vec<Vec<char>> = stage.screen(80, 24).lines().map(|line| line.chars().collect()).collect();
    let letter = |y: usize| screen[y].get(usize::from(x)).copied();
    let rows =
        |letters: &str| screen.iter().position(|row| letters.chars().all(|letter| row.contains(&letter))).unwrap();
    let [north, south] = ["fedcba", "ABCDEF"].map(rows);
    let nearer = if usize::from(y).abs_diff(north) < usize::from(y).abs_diff(south) { north } else { south };
    letter(nearer).unwrap_or(' ')
}

#[test]
fn where_a_position_is_set_up_it_goes_with_the_pits_and_squares() {
    let mut stage = Stage::new("human", "human");
    stage.keys("p");
    let places: Vec<_> = ["right", "right", "up", "left"]
        .into_iter()
        .map(|key| {
            stage.keys(key);
            stage.cursor(80, 24).0
        })
        .collect();
    assert!(places[0].0 < places[1].0 && places[0].1 == places[1].1, "{places:?}");
    assert!(places[2].1 < places[1].1 && places[3].0 < places[2].0, "{places:?}");
    // The number that is typed appears there.
    stage.keys("7");
    assert_eq!(at_cursor(&mut stage, 1), "7");
    of_game("othello").keys("p").cursor_follows("right down");
}

#[test]
fn in_forms_it_goes_with_the_fields_and_is_shown_where_text_is_typed() {
    let mut stage = Stage::new("human", "minimax:8");
    stage.keys("n");
    stage.cursor_follows("down down");
    assert!(!stage.cursor(80, 24).1, "a field without text");
    // The rules, then the players, who are typed.
    let is_typed = |stage: &mut Stage| stage.keys("down").cursor(80, 24).1;
    assert!((0..5).any(|_| is_typed(&mut stage)), "{}", stage.screen(80, 24));
    let (before, _) = stage.cursor(80, 24);
    stage.text("x");
    assert_ne!(stage.cursor(80, 24).0, before);
    stage.keys("tab");
    assert!(stage.cursor(80, 24).0.1 > before.1);
    // Saving, and a comment.
    for keys in ["esc C s", "esc ;"] {
        stage.keys(keys);
        let ((x, _), is_shown) = stage.cursor(80, 24);
        stage.text("y");
        assert!(is_shown && stage.cursor(80, 24).0.0 != x, "{keys}");
    }
    stage.keys("esc O");
    let (before, _) = stage.cursor(80, 24);
    stage.keys("tab");
    assert_ne!(stage.cursor(80, 24).0, before, "the players to play on with");
}

#[test]
fn in_lists_it_goes_with_the_rows_and_back_to_what_is_typed() {
    let mut stage = Stage::new("human", "human");
    stage.keys(":");
    let (caret, is_shown) = stage.cursor(80, 24);
    assert!(is_shown);
    stage.cursor_follows("down down");
    assert!(!stage.cursor(80, 24).1);
    stage.text("a");
    assert_eq!(stage.cursor(80, 24), ((caret.0 + 1, caret.1), true));
    stage.keys("esc T");
    stage.cursor_follows("down down up");
}

#[test]
fn in_the_lists_of_games_it_goes_with_the_rows() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["one", "two", "three"] {
        fs::write(folder.path().join(format!("{name}.game")), "[Game \"kalah:6x4:standard\"]\n\n1. C F\n").unwrap();
    }
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().to_owned()));
    stage.keys("l");
    assert!(stage.cursor(80, 24).1, "what is typed finds games");
    stage.cursor_follows("down down");
    let games = "1. 11-15 23-19 *\n\n[Event \"b\"]\n1. 9-13 *\n\n[Event \"c\"]\n1. 9-14 *\n";
    stage.keys("esc").paste(&format!("[Event \"a\"]\n{games}"));
    assert!(stage.shows("1-3 of 3") || stage.shows("3 games"), "{}", stage.screen(120, 40));
    stage.cursor_follows("down down");
}

#[test]
fn in_pages_of_text_it_is_at_the_first_line_and_in_questions_at_the_answers() {
    let mut stage = Stage::new("human", "human");
    stage.keys("?");
    let ((_, top), _) = stage.cursor(80, 24);
    let line = |stage: &mut Stage| at_cursor(stage, 20);
    let first = line(&mut stage);
    stage.keys("down");
    assert!(stage.cursor(80, 24).0.1 == top && line(&mut stage) != first, "the next line moves to the cursor");
    stage.keys("esc C R");
    assert_eq!(at_cursor(&mut stage, 8), "y resign");
    stage.keys("esc delete");
    assert!(at_cursor(&mut stage, 1).starts_with('y'), "{}", stage.screen(80, 24));
}

#[test]
fn in_the_lists_of_runs_and_in_the_monitor_it_goes_with_the_rows() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = with_runs("5", folder.path(), None);
    for tab in ["2", "3", "4", "5"] {
        stage.keys(tab);
        stage.cursor_follows("down up");
        // The form of the preset, and leaving it.
        stage.keys("e");
        let (before, _) = stage.cursor(80, 24);
        stage.keys("down");
        assert_ne!(stage.cursor(80, 24).0, before, "{tab}");
        stage.keys("esc");
    }
    let _jobs = ["one", "two"].map(|name| super::runs::begun(folder.path(), name));
    stage.keys("6 r");
    stage.cursor_follows("down up");
}

/// Where the cursor of a dialog is.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Focus {
    /// On the selected row, which Down and Tab change.
    Row,
    /// In the text that is typed.
    Text,
    /// At the first of the answers.
    Answers,
    /// At the first line of a page.
    Page,
}

/// A dialog by its type, the way to open it, and a text of it.
type Dialog = (&'static str, fn() -> Stage, &'static str, Focus);

/// Every kind of dialog. `OpenTable` is tested with the lobby.
const DIALOGS: [Dialog; 14] = [
    ("Agree", agreement, "Open players' files?", Focus::Answers),
    ("Ask", || of_runs("end D"), "Delete", Focus::Answers),
    ("Comment", || on_board(";"), "Comment on", Focus::Text),
    ("ConfirmQuit", quitting, "Quit?", Focus::Answers),
    ("Enter", || of_runs("/"), "Filter runs", Focus::Text),
    ("FormDialog", || of_runs("e"), "Esc cancel", Focus::Row),
    ("Games", collection, "3 games", Focus::Row),
    ("Help", || on_board("?"), "close: Esc", Focus::Page),
    ("Load", saved_games, "Load", Focus::Row),
    ("NewGame", || on_board("n"), "New game", Focus::Row),
    ("Palette", || on_board(":"), "Find", Focus::Row),
    ("Question", || on_board("R"), "Resign?", Focus::Answers),
    ("Save", || on_board("s"), "Save the game", Focus::Text),
    ("Themes", || on_board("T"), "Theme", Focus::Row),
];

fn on_board(key: &str) -> Stage {
    let mut stage = Stage::new("human", "minimax:2");
    stage.keys("C").keys(key);
    stage
}

fn of_runs(keys: &str) -> Stage {
    // The folder is read when the tab opens.
    let folder = tempfile::tempdir().unwrap();
    let _jobs = ["one", "two"].map(|name| super::runs::begun(folder.path(), name));
    let mut stage = with_runs("3", folder.path(), None);
    stage.keys(keys);
    stage
}

fn quitting() -> Stage {
    let mut stage = Stage::new("human", "human");
    let question = crate::app::overlay::confirm::ConfirmQuit::new(vec!["A run is saved.".to_owned()], true, false);
    stage.app.open_layer(None, Box::new(question), std::time::Instant::now());
    stage
}

fn agreement() -> Stage {
    let mut stage = Stage::new("human", "human");
    stage.paste("[Game \"kalah:6x4:standard\"]\n[North \"program:/nowhere/at/all\"]\n\nC F");
    stage
}

fn collection() -> Stage {
    let mut stage = Stage::new("human", "human");
    stage.paste("[Event \"a\"]\n1. 11-15 23-19 *\n\n[Event \"b\"]\n1. 9-13 *\n\n[Event \"c\"]\n1. 9-14 *\n");
    stage
}

fn saved_games() -> Stage {
    let folder = tempfile::tempdir().unwrap();
    for name in ["one", "two", "three"] {
        fs::write(folder.path().join(format!("{name}.game")), "[Game \"kalah:6x4:standard\"]\n\n1. C F\n").unwrap();
    }
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().to_owned()));
    stage.keys("l");
    stage
}

#[test]
fn in_every_dialog_it_is_at_the_row_with_the_focus() {
    for (name, open, text, focus) in DIALOGS {
        let mut stage = open();
        let screen = stage.screen(80, 24);
        assert!(screen.contains(text), "{name}: no '{text}':\n{screen}");
        let ((_, first), _) = stage.cursor(80, 24);
        let mut rows = vec![first];
        for key in ["down", "down", "tab"] {
            stage.keys(key);
            let ((x, y), is_shown) = stage.cursor(80, 24);
            let screen = stage.screen(80, 24);
            let buffer = stage.buffer(80, 24);
            let selection = look().style(Role::Selection).bg;
            let selected = |y: u16| (0..80).any(|x| Some(buffer[(x, y)].bg) == selection);
            let row: String = (x..80).map(|x| buffer[(x, y)].symbol()).collect();
            match focus {
                Focus::Row => assert!(selected(y), "{name}, {key}: row {y} is not selected:\n{screen}"),
                Focus::Text => assert!(is_shown && selected(y), "{name}, {key}: no text in row {y}:\n{screen}"),
                Focus::Answers => assert!(row.starts_with("y "), "{name}, {key}: no answers at '{row}':\n{screen}"),
                Focus::Page => assert_eq!(y, first, "{name}, {key}:\n{screen}"),
            }
            rows.push(y);
        }
        rows.dedup();
        assert_eq!(rows.len() > 1, focus == Focus::Row, "{name}: rows {rows:?}");
    }
}

#[test]
fn no_kind_of_dialog_is_left_out() {
    fn add(folder: &std::path::Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            if entry.path().is_dir() {
                add(&entry.path(), found);
            } else if let Ok(text) = fs::read_to_string(entry.path()) {
                let blocks = text.lines().filter(|line| line.starts_with("impl"));
                let names = blocks.filter_map(|line| line.split_once(" Overlay for ")?.1.split([' ', '<']).next());
                found.extend(names.map(str::to_owned));
            }
        }
    }
    let mut found = Vec::new();
    for folder in ["app/overlay", "serve", "tabs"] {
        add(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder), &mut found);
    }
    found.sort();
    let mut expected = DIALOGS.map(|(name, ..)| name).to_vec();
    expected.push("OpenTable");
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn the_config_shows_it() {
    let mut config: Config = config();
    config.ui.cursor = true;
    let mut stage = Stage::with_config(config, "human", "human");
    stage.keys("C");
    assert!(stage.cursor(80, 24).1);
    // Where the screen is too small for anything, nothing is chosen.
    stage.buffer(20, 5);
    assert_eq!(stage.app.cursor(), crate::term::Cursor::default());
}
