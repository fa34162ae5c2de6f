//! Output of the binary to full disks, closed pipes and terminals that hang up. No data is lost, and terminals receive
//! only text.

#![cfg(target_os = "linux")]

mod disks;
mod hostile;
mod offered;
mod refused;
mod signals;

use std::fs::{self, File, OpenOptions};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// Timeout of a wait, generous for a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn home() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

pub(crate) fn mancalab(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mancalab"));
    command
        .env_clear()
        .env("HOME", home)
        .env("PATH", "/usr/bin:/bin")
        .current_dir(home)
        .args(args)
        .stdin(Stdio::null());
    command
}

pub(crate) fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Waits until the file exists.
pub(crate) fn await_file(child: &mut Child, path: &Path) {
    let deadline = Instant::now() + PATIENCE;
    while !path.exists() {
        assert!(Instant::now() < deadline, "{} never came", path.display());
        assert!(child.try_wait().unwrap().is_none(), "the process has ended");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Returns whether the process handles signals.
pub(crate) fn handles_signals(child: &Child) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    status.lines().any(|line| {
        let mask = line.strip_prefix("SigCgt:").and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (15 - 1) & 1 == 1)
    })
}

/// Waits until the process handles signals.
pub(crate) fn await_readiness(child: &Child) {
    let deadline = Instant::now() + PATIENCE;
    while !handles_signals(child) {
        assert!(Instant::now() < deadline, "it does not handle signals");
        std::thread::sleep(Duration::from_millis(5));
    }
}

pub(crate) fn kill(child: &Child, signal: Signal) {
    kill_process(Pid::from_raw(child.id() as i32).unwrap(), signal).unwrap();
}
