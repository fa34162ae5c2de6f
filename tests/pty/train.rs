//! Training on the screen: started by keys, watched to its end, its games opened on the Board.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::Signal;

use super::harness::{Terminal, eventually, mancalab};
use super::process::process_state;

const ENTER: &str = "\r";
const DOWN: &str = "\x1b[B";
const END: &str = "\x1b[F";

/// Starts a training of 200 generations, each of twenty gradients, evaluated with one game from either seat against
/// each panel player.
fn begin(terminal: &mut Terminal) {
    terminal.until("Board");
    terminal.keys("5");
    terminal.until("a3c-mixed");
    terminal.keys("je");
    terminal.until("Settings");
    // Seed and generations; default game and encoding; hidden and workers; default schedule; rounds; and, far below,
    // games.
    terminal.keys(&format!("3\t200\t\t\t8\t1\t\t20{}1{ENTER}", "\t".repeat(18)));
    terminal.until("Value and policy of generation");
}

fn rows(run: &Path) -> usize {
    fs::read_to_string(run.join("generations.csv")).unwrap_or_default().lines().count()
}

/// Returns a run's results: its rows and its network.
fn computed(run: &Path) -> [Vec<u8>; 2] {
    ["generations.csv", "network.safetensors"].map(|name| fs::read(run.join(name)).unwrap())
}

fn folder(state: &Path) -> PathBuf {
    state.join("mancalab/runs/a3c-mixed-seed3")
}

/// Stopped by a key, resumed, killed and resumed again, by keys and without a screen: always the same run.
#[test]
fn a_training_stopped_and_killed_on_the_screen_comes_out_the_same() {
    let whole = {
        let mut terminal = mancalab(&[]).size(120, 40).open();
        begin(&mut terminal);
        terminal.until("finished");
        for curve in ["Won against the panel, %", " seen ", " unseen ", "its 95 %", "Policy loss", "value loss"] {
            terminal.until(curve);
        }
        terminal.keys("q");
        let state = terminal.home().join("state");
        let whole = computed(&folder(&state));
        assert_eq!((rows(&folder(&state)), terminal.end().status), (1 + 201, 0));
        whole
    };
    // Outlives the terminal, which deletes its folders.
    let kept = tempfile::tempdir().unwrap();
    let [by_keys, alone] = ["by_keys", "alone"].map(|name| kept.path().join(name));
    // A training may end before the signal arrives: then the test tries again.
    let killed = (0..20).find_map(|_| {
        let (terminal, run) = killed();
        (rows(&run) < 1 + 201).then(|| [&by_keys, &alone].map(|state| copy(&run, &folder(state)))).map(|_| terminal)
    });
    drop(killed.expect("it ends before it can be killed"));

    let mut terminal = mancalab(&[]).env("XDG_STATE_HOME", &by_keys.display().to_string()).size(120, 40).open();
    terminal.until("Board");
    terminal.keys("5");
    terminal.until("Runs (1)");
    terminal.keys(END);
    terminal.until("killed (Enter: resume)");
    terminal.keys(ENTER);
    terminal.until("finished");
    assert!(computed(&folder(&by_keys)) == whole);
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);

    let resumed = Command::new(env!("CARGO_BIN_EXE_mancalab"))
        .args(["train", "--threads", "1", "--resume"])
        .arg(folder(&alone))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(resumed.unwrap().success());
    assert!(computed(&folder(&alone)) == whole);
}

/// A training stopped by a key, resumed, and killed some generations later; and its folder, which the terminal deletes.
fn killed() -> (Terminal, PathBuf) {
    let mut terminal = mancalab(&[]).size(120, 40).open();
    begin(&mut terminal);
    let run = folder(&terminal.home().join("state"));
    terminal.keys(" ");
    terminal.until("paused");
    terminal.keys("x");
    terminal.until("Saved and stopped");
    let before = rows(&run);
    terminal.until("Runs (1)");
    terminal.keys(END);
    terminal.until("stopped (Enter: resume)");
    terminal.keys(ENTER);
    terminal.until_screen("the run in progress", |screen| {
        ["running", "finished"].iter().any(|word| screen.contents().contains(word))
    });
    eventually("some generations more", || rows(&run) > (before + 8).min(201));
    let pid = terminal.pid();
    terminal.signal(Signal::KILL);
    eventually("the writer's end", || matches!(process_state(pid), None | Some('Z')));
    (terminal, run)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten().filter(|entry| entry.path().is_file()) {
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[test]
fn a_training_is_begun_by_keys_watched_to_its_end_and_a_game_of_it_opened() {
    let mut terminal = mancalab(&[]).size(120, 40).open();
    terminal.until("Board");
    terminal.keys("5");
    terminal.until("a3c-mixed");
    terminal.keys("je");
    terminal.until("Settings");
    // Seed and generations; default game and encoding; hidden and workers; default schedule; rounds.
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
    let mut terminal = mancalab(&["runs", "watch", &run.display().to_string()]).size(120, 40).open();
    terminal.until("watching");
    terminal.until("Value and policy of generation");
    let seen = terminal.text();
    terminal.until_screen("the next generations", |screen| screen.contents() != seen);
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
    assert!(writer.try_wait().unwrap().is_none(), "the writer continues");
    writer.kill().unwrap();
    writer.wait().unwrap();
}
