//! Tournaments on the screen: set up, played, killed, resumed, and their games replayed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::Signal;

use super::harness::{Terminal, eventually, mancalab};
use super::process::process_state;

const ENTER: &str = "\r";
const CLEAR: &str = "\x15";
const DOWN: &str = "\x1b[B";
const RIGHT: &str = "\x1b[C";
const END: &str = "\x1b[F";

fn rows(run: &Path) -> String {
    fs::read_to_string(run.join("generations.csv")).unwrap_or_default()
}

/// Fills in the form of the first preset, one player per line, and starts it.
fn start(terminal: &mut Terminal, players: &[&str], games: &str) {
    terminal.until("Board");
    terminal.keys("4");
    terminal.until("round-robin");
    terminal.keys("e");
    terminal.until("player 8");
    for slot in 0..8 {
        terminal.keys(&format!("{CLEAR}{}{DOWN}", players.get(slot).unwrap_or(&"")));
    }
    terminal.keys(&format!("7{DOWN}{DOWN}{DOWN}{games}{ENTER}"));
    terminal.until("won by the row");
}

fn folder(state: &Path) -> PathBuf {
    state.join("mancalab/runs/round-robin-seed7")
}

#[test]
fn players_are_chosen_and_a_game_is_stepped_through_on_the_board() {
    let mut terminal = mancalab(&[]).open();
    start(&mut terminal, &["random", "max", "minimax:3:ties=random"], "5");
    terminal.until("45/45");
    terminal.until("finished");
    terminal.keys(&format!("{DOWN}{DOWN}{RIGHT}"));
    terminal.until("minimax:3 v max");
    terminal.until("95 %:");
    terminal.keys(&format!("j{ENTER}"));
    terminal.until("Loaded round-robin-seed7, game 2");
    terminal.until("South  minimax:3");
    terminal.keys(RIGHT);
    terminal.keys(END);
    terminal.until("wins");
    terminal.keys("4c");
    terminal.until("North  minimax:3");
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

/// The same tournament without a screen, from beginning to end.
fn headless(state: &Path, players: &str, games: &str) -> String {
    let status = Command::new(env!("CARGO_BIN_EXE_mancalab"))
        .env("XDG_STATE_HOME", state)
        .args(["match", "round-robin", "--players", players, "--games", games, "--seed", "7", "--format", "csv"])
        .output()
        .unwrap()
        .status;
    assert!(status.success());
    rows(&folder(state))
}

#[test]
fn a_killed_tournament_is_resumed_and_plays_what_the_command_line_plays() {
    let players = ["mcts:300", "minimax:4"];
    let state = tempfile::tempdir().unwrap();
    let whole = headless(&state.path().join("headless"), &players.join(","), "30");
    assert_eq!(whole.lines().count(), 31);

    let state = state.path().join("killed");
    let with_state = || mancalab(&[]).env("XDG_STATE_HOME", &state.display().to_string()).size(120, 40).open();
    let mut terminal = with_state();
    start(&mut terminal, &players, "30");
    eventually("some rounds", || rows(&folder(&state)).lines().count() > 5);
    let pid = terminal.pid();
    terminal.signal(Signal::KILL);
    eventually("the writer's end", || matches!(process_state(pid), None | Some('Z')));
    drop(terminal);

    let mut terminal = with_state();
    terminal.until("Board");
    terminal.keys("4");
    terminal.until("round-robin-seed7");
    terminal.keys(&format!("{END}{ENTER}"));
    terminal.until("finished");
    terminal.until("120 of 120");
    assert_eq!(rows(&folder(&state)), whole);
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

#[test]
fn keys_are_answered_while_slow_players_think() {
    let mut terminal = mancalab(&[]).size(120, 40).open();
    start(&mut terminal, &["mcts:100000", "mcts:90000"], "1000");
    terminal.keys(DOWN);
    let time = terminal.until("mcts:90000 v mcts:100000");
    assert!(time.as_millis() < 1000, "{time:?}");
    terminal.keys(" ");
    terminal.until("paused");
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}
