//! `mancalab train` as a process.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

fn mancalab(state: &Path) -> Command {
    let mut command = Command::cargo_bin("mancalab").unwrap();
    command.env("XDG_STATE_HOME", state).env("XDG_CONFIG_HOME", state.join("config")).current_dir(state);
    command
}

fn stdout(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn failure(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).unwrap()
}

fn rows(folder: &Path) -> String {
    fs::read_to_string(folder.join("generations.csv")).unwrap_or_default()
}

const RUN: &[&str] = &[
    "train",
    "a3c-mixed",
    "--seed",
    "3",
    "--generations",
    "12",
    "--set",
    "hidden=8",
    "--set",
    "rounds=4",
    "--set",
    "steps=12",
    "--set",
    "panel=random,max",
    "--set",
    "panel_games=3",
    "--set",
    "panel_every=4",
    "--out",
];

#[test]
fn killed_and_resumed_a_training_writes_the_same_files() {
    let state = tempfile::tempdir().unwrap();
    let (whole, cut) = (state.path().join("whole"), state.path().join("cut"));
    let text = stdout(mancalab(state.path()).args(RUN).arg(&whole).args(["--threads", "1"]));
    assert!(text.contains("generation 12: ") && text.contains("network.safetensors"), "{text}");
    assert!(text.contains("won moving first/second in percent: random "), "{text}");
    assert_eq!(rows(&whole).lines().count(), 14);

    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_mancalab"))
        .args(RUN)
        .arg(&cut)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while rows(&cut).lines().count() < 4 && child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "the training does not come forward");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let text = stdout(mancalab(state.path()).args(["train", "--json", "--threads", "2", "--resume"]).arg(&cut));
    for name in ["generations.csv", "network.safetensors"] {
        assert!(fs::read(whole.join(name)).unwrap() == fs::read(cut.join(name)).unwrap(), "{name}");
    }
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let end = events.last().unwrap();
    assert_eq!((&events[0]["event"], &end["event"], &end["finished"]), (&"begin".into(), &"end".into(), &true.into()));
    assert_eq!(end["newest"]["generation"], 12);
    let shown = stdout(mancalab(state.path()).args(["runs", "show"]).arg(&cut));
    assert!(shown.contains("a3c-mixed") && shown.contains("opponents"), "{shown}");
}

#[test]
fn what_is_wrong_is_told() {
    let state = tempfile::tempdir().unwrap();
    let error = |args: &[&str]| failure(mancalab(state.path()).args(args));
    assert!(error(&["train"]).contains("train needs a preset to begin with, as in: mancalab train kalah-thesis-a3c"));
    assert!(error(&["train", "a3c-mixd"]).contains("did you mean 'a3c-mixed'?"));
    assert!(error(&["train", "a3c-mixed", "--set", "opponents=minimax:4:ms=5"]).contains("plays against the clock"));
    assert!(error(&["train", "a3c-mixed", "--set", "game=othello"]).contains("encoding: discs is expected"));
    assert!(error(&["train", "a3c-mixed", "--set", "workers=0"]).contains("a whole number from 1 to 256 is expected"));
}
