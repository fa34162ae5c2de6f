//! A plan on the screen while other processes compute its units.

use std::path::Path;
use std::process::Command;

use super::harness::mancalab;

fn headless(state: &Path, args: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_mancalab")).env("XDG_STATE_HOME", state).args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_plan_is_watched_while_its_units_are_computed_and_its_games_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path();
    let plan = folder.path().join("mancalab/runs/night");
    let out = plan.display().to_string();
    let made = ["plan", "new", "match", "round-robin", "--players", "random,max", "--games", "4", "--block", "2"];
    headless(state, &[&made[..], &["--seeds", "7", "--out", &out]].concat());
    let unit = |index: u32| headless(state, &["plan", "unit", "night", "--index", &index.to_string()]);
    (0..4).for_each(unit);

    // Without a name it is the most recently active plan or run.
    let mut terminal = mancalab(&["runs", "watch"]).env("XDG_STATE_HOME", &state.display().to_string()).open();
    terminal.until("8 units: 4 done");
    terminal.until("[▮]▮ ▮ ▮ · · · ·");
    terminal.until("p starts it, or: mancalab plan submit night --engine local");
    unit(4);
    terminal.until("8 units: 5 done");
    terminal.until("[▮]▮ ▮ ▮ ▮ · · ·");
    (5..8).for_each(unit);
    terminal.until("finished");
    terminal.until("[▮]▮ ▮ ▮ ▮ ▮ ▮ ▮");

    terminal.keys("u");
    terminal.until("round-robin-seed7 done  8 of 8 units");
    terminal.until("% of games won by the row");
    terminal.keys("j\r");
    terminal.until("Loaded round-robin-seed7, game 2");
    terminal.keys("4q");
    assert_eq!(terminal.end().status, 0);
    let kept: Vec<_> = std::fs::read_dir(&plan).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(kept.iter().all(|name| ["plan.toml", "results", "marks", "attempts"].contains(&&*name.to_string_lossy())));
}

/// Plans made on the screen are computed by a process of their own, merged, and summarised; the Monitor lists them.
#[test]
fn a_plan_is_made_computed_and_summarised_from_the_screen() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = mancalab(&[]).env("XDG_STATE_HOME", &folder.path().display().to_string()).open();
    terminal.until("6 Monitor");
    terminal.keys("2");
    terminal.until("Presets");
    terminal.keys("p");
    terminal.until("A plan of many runs");
    terminal.keys("\x151-2\x1b[Bpopulation=8,9\x1b[B\x15generations=2;opponents=max\r");
    terminal.until("4 units:");
    terminal.until("4 units: 4 done");
    let merged = folder.path().join("mancalab/runs/plan-mancala-gp-1/merged");
    let is_merged = |folder: &Path| std::fs::read_dir(folder).is_ok_and(|runs| runs.count() == 4);
    while !is_merged(&merged) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    // A run is complete once its checkpoint says so: the summary needs only its rows.
    terminal.keys("S");
    terminal.until("Groups of runs");
    terminal.until("population=9");
    terminal.keys("6");
    terminal.until("plan-mancala-gp-1");
    terminal.until("finished");
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

/// The first unit is seen at work before it ends.
#[test]
fn a_plan_computed_one_unit_at_a_time_shows_that_one_is_running() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path();
    let plan = folder.path().join("mancalab/runs/long");
    let out = plan.display().to_string();
    headless(
        state,
        &["plan", "new", "evolve", "mancala-gp-1", "--seeds", "1", "--generations", "100000", "--out", &out],
    );
    let args = ["plan", "submit", "long", "--engine", "local", "--jobs", "1"];
    let mut terminal = mancalab(&args).env("XDG_STATE_HOME", &state.display().to_string()).open();
    terminal.until("1 running");
    terminal.keys("\x03");
    terminal.until("1 unit left");
    assert_eq!(terminal.end().status, 128 + 2);
}
