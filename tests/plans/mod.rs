//! Plans as processes: units are computed in any order, on any number of threads, killed and repeated; merging gives
//! the result of one machine.

#![cfg(target_os = "linux")]

mod builds;
mod kept;
mod kinds;
mod local;
mod partial;
mod refused;
mod resumed;
mod units;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// Timeout of a wait, generous for a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) fn home() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// Returns the program in that folder, with its state there too. Arguments are separated by spaces.
pub(crate) fn mancalab(home: &Path, args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mancalab"));
    command
        .env_clear()
        .env("HOME", home)
        .env("PATH", "/usr/bin:/bin")
        .current_dir(home)
        .args(args.split_whitespace())
        .stdin(Stdio::null());
    command
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the output of a command that must succeed.
pub(crate) fn stdout_of(home: &Path, args: &str) -> String {
    let output = mancalab(home, args).output().unwrap();
    assert!(output.status.success(), "{args}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Returns the error of a command that must exit with 2.
pub(crate) fn refused(home: &Path, args: &str) -> String {
    complaint(args, &mancalab(home, args).output().unwrap())
}

pub(crate) fn complaint(args: &str, output: &Output) -> String {
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args}: {}{error}", text(&output.stdout));
    assert!(error.starts_with("error: ") && !error.contains("panicked"), "{args}: {error}");
    error
}

/// Starts the program in the background without a terminal.
pub(crate) fn start(home: &Path, args: &str) -> Child {
    mancalab(home, args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Computes a unit, which must succeed.
pub(crate) fn unit(home: &Path, plan: &str, unit: usize) {
    stdout_of(home, &format!("plan unit {plan} --index {unit}"));
}

pub(crate) fn kill(child: &mut Child, signal: Signal) {
    kill_process(Pid::from_raw(child.id() as i32).unwrap(), signal).unwrap();
    child.wait().unwrap();
}

/// Waits for a condition; `None` if the process ended first.
pub(crate) fn wait<T>(child: &mut Child, what: &str, mut there: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let has_ended = child.try_wait().unwrap().is_some();
        if let Some(found) = there() {
            return Some(found);
        }
        if has_ended {
            return None;
        }
        assert!(Instant::now() < deadline, "timeout: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Waits until the process handles SIGTERM.
pub(crate) fn await_readiness(child: &mut Child) {
    let status = format!("/proc/{}/status", child.id());
    let catches = |line: &str| {
        let mask = line.strip_prefix("SigCgt:").and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (15 - 1) & 1 == 1)
    };
    wait(child, "readiness", || fs::read_to_string(&status).ok()?.lines().any(catches).then_some(()));
}

/// Returns a plan's files of one kind, such as `results`, by name.
pub(crate) fn files(plan: &Path, folder: &str) -> Vec<PathBuf> {
    let within = |folder: &Path| {
        let mut paths: Vec<PathBuf> =
            fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    // A process that was killed while it wrote leaves a temporary file, which nobody reads.
    let is_whole = |path: &PathBuf| path.extension().is_none_or(|ending| ending != "tmp");
    within(&plan.join(folder)).iter().flat_map(|shelf| within(shelf)).filter(is_whole).collect()
}

/// Returns the number of units of a plan.
pub(crate) fn units_of(plan: &Path) -> usize {
    let toml = fs::read_to_string(plan.join("plan.toml")).unwrap();
    let line = toml.lines().find_map(|line| line.strip_prefix("units = ")).unwrap();
    line.parse().unwrap()
}

/// Compares the deterministic files of two runs.
pub(crate) fn assert_same(one: &Path, other: &Path) {
    for name in ["run.toml", "generations.csv", "best.txt", "network.safetensors", "othello.patterns"] {
        let read = |folder: &Path| fs::read(folder.join(name)).ok();
        let left = read(one);
        let right = read(other);
        let is_product = ["network.safetensors", "othello.patterns"].contains(&name);
        assert!(left.is_some() || is_product, "{} has no {name}", one.display());
        assert!(left == right, "{name} of {} and {} differ", one.display(), other.display());
    }
}

/// Returns all files below a folder, to detect changes.
pub(crate) fn all(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(all(&path)) } else { found.push((path.clone(), fs::read(&path).unwrap())) }
    }
    found.sort();
    found
}

/// Shuffles numbers with a seed.
pub(crate) fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    for at in (1..count).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        numbers.swap(at, (state >> 33) as usize % (at + 1));
    }
    numbers
}
