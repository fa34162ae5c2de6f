//! The commands that start, resume, list and manage runs, as processes: `evolve`, `tune`, `train`, `arena` and `runs`.

mod arena;
mod evolve;
mod export;
mod opened;
mod page;
mod runs;
mod shared;
mod train;
mod tune;

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::Command;

/// Returns the program with that folder for its state and as working folder.
pub(crate) fn mancalab(state: &Path) -> Command {
    let mut command = Command::cargo_bin("mancalab").unwrap();
    command.env("XDG_STATE_HOME", state).env("XDG_CONFIG_HOME", state.join("config")).current_dir(state);
    command
}

/// Returns the output of a command that must succeed.
pub(crate) fn stdout(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the standard error of a command that must fail.
pub(crate) fn failure(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).unwrap()
}

/// Returns the output of a command that must succeed; its arguments are separated by blanks.
fn stdout_of(state: &Path, arguments: &str) -> String {
    stdout(mancalab(state).args(arguments.split(' ')))
}

/// Returns the standard error of a command that must fail.
fn refused(state: &Path, arguments: &str) -> String {
    failure(mancalab(state).args(arguments.split(' ')))
}

/// Checks that each of these commands fails with an error that has this text.
pub(crate) fn assert_refused(state: &Path, commands: &[(&str, &str)]) {
    for (arguments, text) in commands {
        let error = refused(state, arguments);
        assert!(error.contains(text), "{arguments}: {error}");
    }
}

/// Starts the program in the background, with `folder` as last argument.
fn start(state: &Path, folder: &Path, arguments: &[&str]) -> Child {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_mancalab"));
    command.env("XDG_STATE_HOME", state).env("XDG_CONFIG_HOME", state.join("config")).current_dir(state);
    command.args(arguments).arg(folder).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Returns a run's header and rows; empty before they are written.
fn rows(folder: &Path) -> String {
    fs::read_to_string(folder.join("generations.csv")).unwrap_or_default()
}

/// Waits until the run has `count` more lines than now, or has ended.
fn wait_for_rows(child: &mut Child, folder: &Path, count: usize) {
    let wanted = rows(folder).lines().count() + count;
    let deadline = Instant::now() + Duration::from_secs(60);
    while rows(folder).lines().count() < wanted && child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "the run makes no progress");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Kills the process as a crash would, if it has not ended.
fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}
