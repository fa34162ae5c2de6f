//! Runs on the screen: started by keys, killed, resumed, watched from another terminal.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::Signal;

use super::harness::{Terminal, eventually, mancalab};
use super::process::process_state;

const ENTER: &str = "\r";
const END: &str = "\x1b[F";

fn rows(run: &Path) -> String {
    fs::read_to_string(run.join("generations.csv")).unwrap_or_default()
}

/// Starts the paper's second run with these settings in the first fields: seed, generations, population.
fn start_evolution(terminal: &mut Terminal, settings: [&str; 3]) {
    terminal.until("Board");
    terminal.keys("2");
    terminal.until("mancala-gp-2");
    terminal.keys("je");
    terminal.until("Settings");
    let [seed, generations, population] = settings;
    terminal.keys(&format!("{seed}\t{generations}\t{population}{ENTER}"));
    terminal.until("generation");
}

fn run_folder(terminal: &Terminal, name: &str) -> PathBuf {
    terminal.home().join("state/mancalab/runs").join(name)
}

#[test]
fn a_run_is_started_by_keys_and_its_best_played_on_the_board() {
    let mut terminal = mancalab(&[]).size(120, 40).open();
    start_evolution(&mut terminal, ["7", "5", "60"]);
    terminal.until("finished");
    terminal.keys(ENTER);
    terminal.until("program:");
    terminal.until("minimax:8");
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

#[test]
fn a_killed_run_is_resumed_from_the_list_and_comes_out_the_same() {
    let name = "mancala-gp-2-seed3";
    let whole = {
        let mut terminal = mancalab(&[]).size(120, 40).open();
        start_evolution(&mut terminal, ["3", "120", "500"]);
        terminal.until("finished");
        let rows = rows(&run_folder(&terminal, name));
        terminal.keys("q");
        terminal.end();
        rows
    };
    let mut terminal = mancalab(&[]).size(120, 40).open();
    start_evolution(&mut terminal, ["3", "120", "500"]);
    let run = run_folder(&terminal, name);
    eventually("some generations", || rows(&run).lines().count() > 5);
    // Outlives this terminal, which deletes its folders.
    let kept = tempfile::tempdir().unwrap();
    let pid = terminal.pid();
    terminal.signal(Signal::KILL);
    eventually("the writer's end", || matches!(process_state(pid), None | Some('Z')));
    copy(&run, &kept.path().join("mancalab/runs").join(name));
    drop(terminal);

    let state = kept.path().display().to_string();
    let mut terminal = mancalab(&[]).env("XDG_STATE_HOME", &state).size(120, 40).open();
    terminal.until("Board");
    terminal.keys("2");
    terminal.until("Runs (1)");
    terminal.keys(END);
    terminal.until("killed (Enter: resume)");
    terminal.keys(ENTER);
    terminal.until("finished");
    assert_eq!(rows(&kept.path().join("mancalab/runs").join(name)), whole);
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[test]
fn a_run_of_another_process_is_watched_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let mut writer = Command::new(env!("CARGO_BIN_EXE_mancalab"))
        .args(["evolve", "mancala-gp-2", "--seed", "5", "--generations", "100000", "--population", "64", "--out"])
        .arg(&run)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    eventually("the run has rows", || rows(&run).lines().count() > 3);
    let mut terminal = mancalab(&["runs", "watch", &run.display().to_string()]).size(120, 40).open();
    terminal.until("watching");
    let seen = terminal.text();
    terminal.until_screen("the next generations", |screen| screen.contents() != seen);
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
    assert!(writer.try_wait().unwrap().is_none(), "the writer continues");
    writer.kill().unwrap();
    writer.wait().unwrap();
}

#[test]
fn quitting_while_a_run_continues_asks_and_saves() {
    let mut terminal = mancalab(&[]).size(120, 40).open();
    start_evolution(&mut terminal, ["1", "100000", "200"]);
    let run = run_folder(&terminal, "mancala-gp-2-seed1");
    eventually("some generations", || rows(&run).lines().count() > 3);
    terminal.keys("q");
    terminal.until("can be resumed");
    terminal.keys("n");
    terminal.until_gone("can be resumed");
    terminal.keys("q");
    terminal.until("can be resumed");
    terminal.keys("y");
    eventually("the checkpoint", || fs::metadata(run.join("checkpoint")).is_ok());
    assert_eq!(terminal.end().status, 0);
}

#[test]
fn a_run_goes_on_in_the_background_after_quitting() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().display().to_string();
    let mut terminal = mancalab(&[]).env("XDG_STATE_HOME", &state).size(120, 40).open();
    start_evolution(&mut terminal, ["1", "1000000", "200"]);
    let run = folder.path().join("mancalab/runs/mancala-gp-2-seed1");
    eventually("some generations", || rows(&run).lines().count() > 3);
    terminal.keys("q");
    terminal.until("go on in the background");
    terminal.keys("b");
    let end = terminal.end();
    assert_eq!(end.status, 0);
    let ended = String::from_utf8_lossy(&end.bytes).into_owned();
    assert!(ended.contains("goes on in the background"), "{ended}");
    let number = ended.split("kill ").nth(1).unwrap().chars().take_while(char::is_ascii_digit).collect::<String>();
    let before = rows(&run).lines().count();
    eventually("further generations", || rows(&run).lines().count() > before);
    let state_is = |wanted: &str| {
        let mut show = Command::new(env!("CARGO_BIN_EXE_mancalab"));
        let shown = show.env("XDG_STATE_HOME", &state).args(["runs", "show", "--json"]).output().unwrap();
        let shown: serde_json::Value = serde_json::from_slice(&shown.stdout).unwrap();
        shown["state"] == wanted
    };
    assert!(state_is("running"));
    assert!(Command::new("kill").arg(&number).status().unwrap().success());
    eventually("the saved state", || state_is("stopped"));
}

/// The life of a long run: started, watched from a second terminal, stopped, extended, compared.
#[test]
fn a_run_of_days_is_left_watched_extended_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().display().to_string();
    let program = |args: &[&str]| mancalab(args).env("XDG_STATE_HOME", &state).size(120, 40);
    let headless = |args: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_mancalab")).env("XDG_STATE_HOME", &state).args(args).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let small = ["--population", "20", "--generations", "4", "--seed", "6"];
    headless(&[&["evolve", "mancala-gp-2"], &small[..]].concat());
    let mut first = program(&[]).open();
    start_evolution(&mut first, ["5", "100000", "400"]);
    let run = folder.path().join("mancalab/runs/mancala-gp-2-seed5");
    eventually("some generations", || rows(&run).lines().count() > 20);

    // Without a name `watch` shows the most recently active run, with all that its own process shows.
    let mut second = program(&["runs", "watch"]).open();
    second.until("mancala-gp-2-seed5");
    second.until("Population of generation");
    let seen = second.text();
    second.until_screen("the next generations", |screen| screen.contents() != seen);
    second.keys("q");
    assert_eq!(second.end().status, 0);
    assert!(headless(&["runs", "--state", "running"]).contains("/100000"));

    // A pause shows and ends in every terminal.
    first.keys(" ");
    eventually("the pause is listed", || headless(&["runs", "--state", "paused"]).contains("/100000"));
    let mut third = program(&["runs", "watch"]).open();
    third.until("paused");
    third.until_screen("no time left", |screen| !screen.contents().contains("? left"));
    first.keys(" ");
    third.until("watching process");
    third.keys("q");
    assert_eq!(third.end().status, 0);

    first.keys("x");
    first.until("Saved and stopped");
    first.until("stopped (Enter: resume)");
    first.keys("e");
    first.until("Extend a run");
    first.keys(&format!("100001{ENTER}"));
    first.until_gone("Extend a run");
    let before = rows(&run).lines().count();
    eventually("the extended run has new rows", || rows(&run).lines().count() > before);
    assert!(fs::read_to_string(run.join("run.toml")).unwrap().contains("\ngenerations = 100001\n"));
    first.keys("x");
    first.until("stopped (Enter: resume)");
    first.keys(&format!("{END} k C"));
    first.until("Differences and status");
    first.until("mancala-gp-2-seed6");
    first.keys("q");
    assert_eq!(first.end().status, 0);
}

/// The user's command rings for a run of another process, on whichever tab.
#[test]
fn an_alarm_of_a_run_elsewhere_rings() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().display().to_string();
    let rung = folder.path().join("rung");
    let config = format!("[ui]\non_alarm = 'printf %s \"$MANCALAB_ALARM\" > {}'\n", rung.display());
    let mut terminal = mancalab(&[]).env("XDG_STATE_HOME", &state).config(&config).open();
    terminal.until("6 Monitor");
    terminal.keys("6");
    terminal.until("No runs or plans yet");
    let out = folder.path().join("mancalab/runs/night").display().to_string();
    let mut run = Command::new(env!("CARGO_BIN_EXE_mancalab"));
    run.env("XDG_STATE_HOME", &state).args(["evolve", "mancala-gp-1", "--set", "opponents=max", "--out", &out]);
    let mut run = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    terminal.until("1 running");
    run.kill().unwrap();
    run.wait().unwrap();
    terminal.until("crashed");
    eventually("the command", || {
        fs::read_to_string(&rung).is_ok_and(|text| text == "night: its process was killed; it can be resumed")
    });
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}
