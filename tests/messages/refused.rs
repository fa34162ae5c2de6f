//! Devices, pipes and oversized files are refused at once, with little memory.

use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use super::{PATIENCE, home, mancalab, text};

/// Runs a command that must fail at once with these messages.
fn refused(home: &Path, args: &[&str], wanted: &[&str]) {
    let began = Instant::now();
    let output = mancalab(home, args).output().unwrap();
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {printed}");
    assert!(began.elapsed() < PATIENCE, "{args:?}");
    for part in wanted {
        assert!(printed.contains(part), "{args:?}: no '{part}' in {printed}");
    }
}

#[test]
fn devices_and_pipes_are_not_read_as_files() {
    let home = home();
    let pipe = home.path().join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0).unwrap();
    std::os::unix::fs::symlink("/dev/zero", home.path().join("zero.toml")).unwrap();
    for name in ["pipe", "./zero.toml", "/dev/zero", "/dev/full", "/dev/stdin", "/dev/tty"] {
        let why = &["device, a pipe or a socket", name][..];
        let program = format!("program:{name}");
        let weights = format!("heuristic:4@{name}");
        refused(home.path(), &["match", &program, "max"], why);
        refused(home.path(), &["match", &weights, "max"], why);
        refused(home.path(), &["--config", name], why);
        refused(home.path(), &["config", "check", name], why);
        refused(home.path(), &[name], why);
        if name.contains('/') {
            refused(home.path(), &["--theme", name], why);
        }
    }
}

#[test]
fn programs_without_end_are_refused_in_little_time_and_room() {
    let home = home();
    let write = |name: &str, bytes: &[u8]| fs::write(home.path().join(name), bytes).unwrap();
    write("latin1.txt", b"# caf\xe9\n(1)\n");
    refused(
        home.path(),
        &["match", "program:latin1.txt", "max"],
        &["program:latin1.txt", "line 1, column 6 is not UTF-8"],
    );
    write("deep.txt", &b"(".repeat(24 << 20));
    write("wide.txt", &b"((1) + ".repeat(3 << 20));
    File::create(home.path().join("long.txt")).unwrap().set_len((64 << 20) + 1).unwrap();
    for (name, why) in [("deep.txt", "column"), ("wide.txt", "at most 1000000 nodes"), ("long.txt", "larger than")] {
        let mut command = Command::new("sh");
        // Virtual memory in KiB; 24 MiB of it hold the file, most of the rest the program and its threads.
        let line = "ulimit -v 600000; exec \"$0\" match \"program:$1\" max --threads 1";
        command
            .args(["-c", line, env!("CARGO_BIN_EXE_mancalab"), name])
            .current_dir(home.path())
            .env("HOME", home.path());
        let began = Instant::now();
        let output = command.output().unwrap();
        let printed = text(&output.stderr);
        assert_eq!((output.status.code(), output.status.signal()), (Some(2), None), "{name}: {printed}");
        assert!(printed.contains(why) && printed.contains(name), "{printed}");
        assert!(began.elapsed() < PATIENCE, "{name}");
    }
}
