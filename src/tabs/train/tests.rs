//! A small training from its preset to its games on the Board.

use std::path::Path;

use crate::app::stage::Stage;
use crate::tabs::staged::{go_to, with_runs};

fn stage(folder: &Path) -> Stage {
    with_runs("5", folder, None)
}

/// Types values into the settings of the chosen preset, and starts.
fn begin(stage: &mut Stage, settings: &[(&str, &str)]) {
    stage.keys("e");
    for (key, value) in settings {
        go_to(stage, key);
        stage.text(value);
    }
    stage.keys("enter");
    stage.wait();
}

/// Fast: a small network, few rounds, shallow opponents.
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
    insta::assert_snapshot!(stage(folder.path()).pages());
}

#[test]
fn a_run_from_beginning_to_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    small_run(&mut stage);
    let pages = stage.pages();
    assert!(pages.contains("finished") && pages.contains("generation 7 of 7"), "{pages}");
    insta::assert_snapshot!(pages + &stage.body(200, 60));
}

/// The list selects the charted measure, and the cursor reads it.
#[test]
fn panels_have_a_focus_a_zoom_and_a_cursor() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    small_run(&mut stage);
    stage.click("value loss");
    assert!(stage.screen(80, 24).contains("╭ Value loss "), "{}", stage.screen(80, 24));
    stage.keys("down");
    assert!(stage.screen(80, 24).contains("╭ Entropy of the policy"), "{}", stage.screen(80, 24));
    stage.keys("f");
    assert!(stage.screen(80, 24).contains("▸start, South"), "{}", stage.screen(80, 24));
    stage.keys("z down");
    insta::assert_snapshot!(stage.body(80, 24));
    stage.keys("z d");
    assert!(stage.screen(80, 24).contains("Opponents, their shares"), "{}", stage.screen(80, 24));
    // From the charts up to the table.
    stage.keys("f left left");
    assert!(stage.screen(80, 24).contains("generation 6: "), "{}", stage.screen(80, 24));
    stage.keys("esc f");
    assert!(!stage.screen(80, 24).contains("generation 6: "), "{}", stage.screen(80, 24));
}

#[test]
fn a_game_of_the_panel_is_opened_and_its_network_shows_every_move() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    small_run(&mut stage);
    stage.screen(120, 40);
    stage.keys("down pgdn enter");
    let board = stage.screen(120, 40);
    assert!(board.contains("South  max") && board.contains("North  a3c:"), "{board}");
    assert!(folder.path().join("a3c-mixed-seed5/networks/generation-7.safetensors").exists());
    stage.keys("right right right w");
    let board = stage.screen(120, 40);
    assert!(board.contains("Network for ") && board.contains("policy   logit   value"), "{board}");
    // The game is the same every time.
    let moves = |stage: &mut Stage| {
        stage.keys("end");
        let screen = stage.screen(120, 40);
        screen.lines().filter_map(|line| line.split("╮╭ ").nth(1).or(line.split("││").nth(1))).collect::<String>()
    };
    let before = moves(&mut stage);
    stage.keys("5 enter");
    assert_eq!(moves(&mut stage), before);
    stage.keys("5 up enter");
    assert_ne!(moves(&mut stage), before);
}

#[test]
fn a_position_is_opened_and_a_person_can_challenge_the_network() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    small_run(&mut stage);
    stage.screen(120, 40);
    while !stage.screen(120, 40).contains("▸start, South") {
        stage.keys("f");
    }
    stage.keys("down enter w");
    assert!(
        stage.shows("Network for South") && stage.shows("masked: 2 outputs, logits up to"),
        "{}",
        stage.screen(120, 40)
    );
    // Beside a search's values of the same moves.
    stage.keys("i");
    assert!(stage.shows("Network for South") && stage.shows("Analysis for South"), "{}", stage.screen(120, 40));
    stage.keys("5 c");
    assert!(stage.shows("South  you") && stage.shows("Network for"), "{}", stage.screen(120, 40));
}

/// Othello has more moves than fit, and checkers has moves of several squares.
#[test]
fn every_game_fits_in_every_size() {
    for (game, encoding) in [("othello", "discs"), ("checkers", "pieces"), ("kalah:8x2", "outlook")] {
        let folder = tempfile::tempdir().unwrap();
        let mut stage = stage(folder.path());
        stage.keys("down");
        let own = [("game", game), ("encoding", encoding)];
        begin(&mut stage, &[SMALL, &own].concat());
        assert!(stage.shows("finished"), "{}", stage.screen(120, 40));
        for (width, height) in [(40, 12), (60, 20), (80, 24), (100, 30), (120, 34), (160, 50), (240, 80)] {
            for _ in 0..6 {
                stage.screen(width, height);
                stage.keys("z");
                stage.screen(width, height);
                stage.keys("z f d");
            }
        }
        stage.keys("enter w");
        for (width, height) in [(40, 12), (60, 20), (80, 24), (120, 40), (200, 60)] {
            stage.screen(width, height);
        }
    }
}

/// Runs that are not reproducible are marked, in the run and in the list.
#[test]
fn a_free_schedule_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    stage.keys("down");
    begin(&mut stage, &[SMALL, &[("schedule", "free")]].concat());
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        let screen = stage.screen(width, height);
        assert!(screen.contains("not reproducible"), "{screen}");
    }
    stage.keys("l end");
    for (width, height) in [(80, 24), (120, 40)] {
        let screen = stage.screen(width, height);
        assert!(screen.contains("a3c-mixed (not reproducible)"), "{screen}");
    }
}

/// The same key shows the next panel, whether one or all panels fit.
#[test]
fn on_a_small_page_the_panels_take_turns() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    small_run(&mut stage);
    for title in ["Panel", "Won %", "Learning", "Policy loss", "position 1 of 4", "Opponents, their shares", "Panel"] {
        let screen = stage.screen(40, 12);
        let head = screen.lines().nth(2).unwrap_or_default();
        assert!(head.contains(title), "{title} is expected:\n{screen}");
        stage.keys("f");
    }
}

/// The curves of the panel have a legend at every size, in the frame's head or at its foot.
#[test]
fn the_curves_of_the_panel_are_named_at_every_size() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    small_run(&mut stage);
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        let screen = stage.screen(width, height);
        for name in ["⠒⠒⠒ seen ", "⠀ unseen ", " random    its 95 % "] {
            assert!(screen.contains(name), "{name} is expected:\n{screen}");
        }
    }
}

/// A row without figures gives a reason, and lines break between words.
#[test]
fn what_is_not_counted_is_reported_and_no_text_runs_into_the_frame() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    small_run(&mut stage);
    assert!(stage.screen(80, 24).contains("not counted"), "{}", stage.screen(80, 24));
    stage.keys("d");
    let screen = stage.screen(80, 24);
    let bars: Vec<&str> = screen.lines().skip_while(|line| !line.contains("Opponents, their shares")).collect();
    assert!(bars[1..6].iter().all(|line| line.ends_with(" │")), "{screen}");
    assert!(screen.contains("past: one of the last 8 "), "{screen}");
}

/// Fast: few games, shallow searches.
const PATTERNS: &[(&str, &str)] = &[
    ("seed", "3"),
    ("generations", "1"),
    ("games", "12"),
    ("depth", "1"),
    ("exact", "6"),
    ("opening", "20"),
    ("iterations", "3"),
    ("held_out", "3"),
    ("compared", "3"),
    ("panel", "random,max"),
    ("panel_games", "1"),
    ("panel_every", "1"),
    ("panel_depth", "1"),
];

fn othello_run(stage: &mut Stage) {
    stage.keys("down down down down");
    begin(stage, PATTERNS);
}

/// Errors by stage, their curves, and the strength against the panel.
#[test]
fn a_run_of_an_evaluation_from_beginning_to_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    othello_run(&mut stage);
    let pages = stage.pages();
    assert!(pages.contains("finished") && pages.contains("Panel of generation 1: all "), "{pages}");
    insta::assert_snapshot!(pages + &stage.body(200, 60));
    // The list selects the charted error, and the cursor reads it.
    stage.screen(80, 24);
    stage.keys("down down down");
    assert!(stage.screen(80, 24).contains("╭ Error, 10 to 14 discs placed"), "{}", stage.screen(80, 24));
    stage.keys("end");
    assert!(stage.screen(80, 24).contains("╭ Error of depth 4 against depth 8"), "{}", stage.screen(80, 24));
    stage.click("Error of depth 4");
    stage.keys("left left");
    assert!(stage.screen(80, 24).contains("generation 0: "), "{}", stage.screen(80, 24));
    stage.keys("esc d");
    assert!(stage.screen(80, 24).contains("0     discs placed     40"), "{}", stage.screen(80, 24));
    for (width, height) in [(40, 12), (60, 20), (80, 24), (100, 30), (120, 34), (160, 50), (240, 80)] {
        for _ in 0..5 {
            stage.screen(width, height);
            stage.keys("z");
            stage.screen(width, height);
            stage.keys("z f d o O");
        }
    }
}

/// An evaluation has no game to open, but a player to challenge.
#[test]
fn an_evaluation_can_be_challenged() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    othello_run(&mut stage);
    let screen = stage.screen(120, 40);
    let footer = screen.lines().last().unwrap_or_default();
    assert!(footer.contains("challenge") && !footer.contains("open"), "{screen}");
    stage.keys("enter");
    assert!(stage.shows("This run has ended") && stage.shows("Errors, discs"), "{}", stage.screen(120, 40));
    stage.keys("c");
    assert!(stage.shows("Black  you") && stage.shows("White  minimax:1@othello.patterns"), "{}", stage.screen(120, 40));
}

#[test]
fn the_cursor_goes_with_the_measures_and_the_positions() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    small_run(&mut stage);
    stage.click("value loss");
    stage.cursor_follows("down down up");
    stage.keys("f");
    stage.cursor_follows("down");
}
