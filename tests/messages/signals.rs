//! Signals, readers that do not read, and terminals that hang up.

use std::fs;
use std::io::Read as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use rustix::process::{Pid, Signal};

use super::{PATIENCE, await_file, await_readiness, full, home, kill, mancalab};
use crate::pty::process::cpu_time;

#[test]
fn what_a_signal_interrupts_is_kept_though_no_one_can_be_reported() {
    let home = home();
    let args = ["match", "random", "max", "--games", "1000000", "--save", "games"];
    let mut child = mancalab(home.path(), &args).stdout(full()).stderr(full()).spawn().unwrap();
    await_readiness(&child);
    // Long enough to play so many games that saving them can be interrupted.
    let pid = Pid::from_child(&child);
    let deadline = Instant::now() + PATIENCE;
    while cpu_time(pid) < Duration::from_millis(500) {
        assert!(Instant::now() < deadline, "it plays no games");
        std::thread::sleep(Duration::from_millis(5));
    }
    kill(&child, Signal::TERM);
    // Saving hundreds of thousands of games takes long and can be interrupted.
    await_file(&mut child, &home.path().join("games/1-2-00009.game"));
    kill(&child, Signal::TERM);
    assert_eq!(child.wait().unwrap().code(), Some(128 + 15));
    assert!(fs::read_dir(home.path().join("games")).unwrap().count() >= 9);
}

/// A stopped pager, a blocked terminal: a signal still ends the program, and everything is saved.
#[test]
fn a_reader_that_does_not_read_keeps_no_one_from_ending() {
    let home = home();
    let args = [
        "evolve",
        "mancala-gp-1",
        "--population",
        "60",
        "--generations",
        "1000000",
        "--seed",
        "1",
        "--out",
        "run",
        "--json",
    ];
    let (reader, writer) = std::io::pipe().unwrap();
    let mut child = mancalab(home.path(), &args).stdout(writer).stderr(Stdio::null()).spawn().unwrap();
    // It writes until the pipe is full and then blocks, so the number of rows stops growing.
    let rows = || fs::metadata(home.path().join("run/generations.csv")).map_or(0, |meta| meta.len());
    let mut seen = 0;
    let mut same = 0;
    let deadline = Instant::now() + PATIENCE;
    while same < 20 {
        std::thread::sleep(Duration::from_millis(50));
        let now = rows();
        same = if now > 0 && now == seen { same + 1 } else { 0 };
        seen = now;
        assert!(Instant::now() < deadline, "the pipe is never full");
    }
    kill(&child, Signal::TERM);
    assert_eq!(child.wait().unwrap().code(), Some(128 + 15));
    assert!(home.path().join("run/checkpoint").exists(), "the work was lost");
    drop(reader);
}

/// A terminal that hangs up: a signal arrives, and every write fails.
#[test]
fn a_terminal_that_hangs_up_takes_nothing_with_it() {
    let run: &[&str] = &["--population", "200", "--generations", "1000000", "--seed", "1", "--out", "run"];
    for args in [&["evolve", "mancala-gp-1"][..], &["evolve", "mancala-gp-1", "--json"]] {
        let home = home();
        let pty = native_pty_system().openpty(PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 }).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_mancalab"));
        command.args(args);
        command.args(run);
        command.env_clear();
        command.env("HOME", home.path());
        command.cwd(home.path());
        let mut child = pty.slave.spawn_command(command).unwrap();
        drop(pty.slave);
        let mut reader = pty.master.try_clone_reader().unwrap();
        let deadline = Instant::now() + PATIENCE;
        while !home.path().join("run/checkpoint").exists() {
            assert!(Instant::now() < deadline, "it makes no progress");
            // It writes continuously.
            assert!(reader.read(&mut [0; 4096]).unwrap() > 0);
        }
        drop(reader);
        drop(pty.master);
        let status = child.wait().unwrap();
        assert_eq!(status.exit_code(), 128 + 1, "{args:?}");
        let resumed = mancalab(home.path(), &["evolve", "--resume", "run"]).stdout(full()).stderr(full()).spawn();
        let mut resumed = resumed.unwrap();
        await_readiness(&resumed);
        kill(&resumed, Signal::TERM);
        assert_eq!(resumed.wait().unwrap().code(), Some(128 + 15));
    }
}
