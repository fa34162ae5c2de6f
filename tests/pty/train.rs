//! A network that learns on the screen: begun by keys, watched to its end, its games opened on the Board.

use std::fs;
use std::process::{Command, Stdio};

use crate::harness::{eventually, mancalab};

const ENTER: &str = "\r";
const DOWN: &str = "\x1b[B";

#[test]
fn a_training_is_begun_by_keys_watched_to_its_end_and_a_game_of_it_opened() {
    let mut terminal = mancalab(&[]).size(120, 40).open();
    terminal.until("Board");
    terminal.keys("5");
    terminal.until("a3c-mixed");
    terminal.keys("je");
    terminal.until("Settings");
    // Seed and generations; game and encoding as they are; hidden and workers; the schedule as it is; rounds.
    terminal.keys(&format!("7\t3\t\t\t8\t1\t\t2{ENTER}"));
    terminal.until("Value and policy of generation");
    terminal.until("finished");
    let run = terminal.home().join("state/mancalab/runs/a3c-mixed-seed7");
    assert_eq!(fs::read_to_string(run.join("generations.csv")).unwrap().lines().count(), 1 + 4);
    terminal.keys(&format!("{DOWN}{ENTER}"));
    terminal.until("South  a3c:generation-3.safetensors");
    terminal.until("North  max");
    terminal.keys("w");
    terminal.until("Network for");
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

#[test]
fn a_training_of_another_process_is_watched() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let mut writer = Command::new(env!("CARGO_BIN_EXE_mancalab"))
        .args([
            "train",
            "a3c-mixed",
            "--seed",
            "5",
            "--generations",
            "100000",
            "--set",
            "hidden=8",
            "--set",
            "rounds=1",
        ])
        .args(["--set", "opponents=random,self", "--set", "panel=random", "--set", "panel_every=2", "--out"])
        .arg(&run)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    eventually("the network is there", || run.join("network.safetensors").exists());
    let mut terminal = mancalab(&["watch", &run.display().to_string()]).size(120, 40).open();
    terminal.until("watching");
    terminal.until("Value and policy of generation");
    let seen = terminal.text();
    terminal.until_screen("the next generations", |screen| screen.contents() != seen);
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
    assert!(writer.try_wait().unwrap().is_none(), "the writer goes on");
    writer.kill().unwrap();
    writer.wait().unwrap();
}
