//! What the binary says, and to whom: to full disks, to readers that have gone, to terminals that hang up. Nothing is lost by
//! it, and nothing reaches a terminal that is not text.

#![cfg(target_os = "linux")]

use std::fs::{self, File, OpenOptions};
use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use mancalab::plain;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

/// How long something may take on a busy machine before it counts as never happening.
const PATIENCE: Duration = Duration::from_secs(60);

fn home() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn mancalab(home: &Path, args: &[&str]) -> Command {
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

fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Every command without a screen, short enough to be run often, with what it leaves in its folder.
const COMMANDS: &[(&[&str], Option<&str>)] = &[
    (&["match", "random", "max", "--games", "6", "--seed", "1", "--save", "games"], Some("games/1-2-00003.game")),
    (&["match", "random", "max", "--games", "6", "--json"], None),
    (
        &["arena", "--players", "random,max", "--games", "2", "--seed", "1", "--out", "run", "--save", "games"],
        Some("games/2-2-00002.game"),
    ),
    (
        &["arena", "--players", "random,max", "--games", "2", "--seed", "1", "--out", "run", "--json"],
        Some("run/checkpoint"),
    ),
    (
        &["evolve", "mancala-gp-1", "--population", "8", "--generations", "2", "--seed", "1", "--out", "run"],
        Some("run/best.txt"),
    ),
    (
        &["evolve", "mancala-gp-1", "--population", "8", "--generations", "2", "--seed", "1", "--out", "run", "--json"],
        Some("run/best.txt"),
    ),
    (
        &[
            "tune",
            "kalah-thesis",
            "--population",
            "4",
            "--generations",
            "1",
            "--set",
            "depth=1",
            "--seed",
            "1",
            "--out",
            "run",
        ],
        Some("run/checkpoint"),
    ),
    (&["reproduce", "mancala-gp/figure10", "--programs", "2"], None),
    (&["reproduce", "--list"], None),
    (&["reproduce", "kalah-thesis/table2", "--games", "1", "--out", "files"], Some("files/table2.csv")),
    (&["reproduce", "othello-gp/table1", "--games", "1", "--out", "files"], Some("files/table1.csv")),
    (&["perft", "--depth", "4"], None),
    (&["config", "--print-default"], None),
    (&["config", "--list-keys"], None),
    (&["completions", "bash"], None),
    (&["man"], None),
    (&["--help"], None),
    (&["--version"], None),
    (&["evolve", "--help"], None),
];

fn assert_kept(home: &Path, kept: Option<&str>, args: &[&str]) {
    if let Some(kept) = kept {
        assert!(home.join(kept).is_file(), "{args:?}: there is no {kept}");
    }
}

#[test]
fn a_full_disk_behind_standard_output_is_told_and_loses_nothing() {
    for (args, kept) in COMMANDS {
        let home = home();
        let output = mancalab(home.path(), args).stdout(full()).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains("mancalab: standard output: no space left on device"), "{args:?}: {said}");
        assert!(!said.contains("panicked"), "{said}");
        assert_kept(home.path(), *kept, args);
    }
}

#[test]
fn a_full_disk_behind_standard_error_changes_nothing() {
    for (args, kept) in COMMANDS {
        let (home, other) = (home(), home());
        let output = mancalab(home.path(), args).stderr(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(!output.stdout.is_empty(), "{args:?}");
        assert_kept(home.path(), *kept, args);
        let both = mancalab(other.path(), args).stdout(full()).stderr(full()).output().unwrap();
        assert_eq!(both.status.code(), Some(2), "{args:?}");
        assert_kept(other.path(), *kept, args);
    }
}

#[test]
fn readers_that_have_gone_are_nobodys_mistake() {
    for (args, kept) in COMMANDS {
        let home = home();
        let gone = || {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            writer
        };
        let status = mancalab(home.path(), args).stdout(gone()).stderr(gone()).status().unwrap();
        assert_eq!(status.code(), Some(0), "{args:?}");
        assert_kept(home.path(), *kept, args);
    }
}

/// Waits until there is such a file.
fn await_file(child: &mut Child, path: &Path) {
    let deadline = Instant::now() + PATIENCE;
    while !path.exists() {
        assert!(Instant::now() < deadline, "{} never came", path.display());
        assert!(child.try_wait().unwrap().is_none(), "it has ended");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until it would answer a signal and not be ended by it.
fn await_readiness(child: &Child) {
    let status = format!("/proc/{}/status", child.id());
    let deadline = Instant::now() + PATIENCE;
    let catches = |line: &str| {
        let mask = line.strip_prefix("SigCgt:").and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (15 - 1) & 1 == 1)
    };
    while !fs::read_to_string(&status).unwrap().lines().any(catches) {
        assert!(Instant::now() < deadline, "it does not listen to signals");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn kill(child: &Child, signal: Signal) {
    kill_process(Pid::from_raw(child.id() as i32).unwrap(), signal).unwrap();
}

#[test]
fn what_a_signal_interrupts_is_kept_though_nobody_can_be_told() {
    let home = home();
    let args = ["match", "random", "max", "--games", "1000000", "--save", "games"];
    let mut child = mancalab(home.path(), &args).stdout(full()).stderr(full()).spawn().unwrap();
    await_readiness(&child);
    std::thread::sleep(Duration::from_millis(500));
    kill(&child, Signal::TERM);
    // Saving hundreds of thousands of games takes long; once there are some, that may be cut short, too.
    await_file(&mut child, &home.path().join("games/1-2-00009.game"));
    std::thread::sleep(Duration::from_millis(400));
    kill(&child, Signal::TERM);
    assert_eq!(child.wait().unwrap().code(), Some(128 + 15));
    assert!(fs::read_dir(home.path().join("games")).unwrap().count() >= 9);
}

/// A pager that was stopped, a terminal that takes nothing: whoever is told to end ends, with everything kept.
#[test]
fn a_reader_that_does_not_read_keeps_nobody_from_ending() {
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
    // It writes until the pipe is full, and then waits for the reader: its rows no longer grow.
    let rows = || fs::metadata(home.path().join("run/generations.csv")).map_or(0, |meta| meta.len());
    let (mut seen, mut same) = (0, 0);
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

/// On a terminal that hangs up in the middle, which is told by a signal and by errors at every write.
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
            assert!(Instant::now() < deadline, "it does not come forward");
            // It speaks all the time.
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

/// Every escape sequence and mark of direction that could come in by an argument, a name or a file.
const HOSTILE: &str = "\u{1b}]0;x\u{7}\u{1b}[31m\u{9b}2J\u{202e}x\u{2066}\u{200f}\u{7f}\u{2028}";

fn assert_plain(output: &Output, what: &str) {
    for said in [&output.stdout, &output.stderr].map(|bytes| text(bytes)) {
        assert!(!said.contains(|c| !matches!(c, '\n' | '\t') && plain::is_hidden(c)), "{what}: {said:?}");
    }
}

#[test]
fn nothing_hidden_in_arguments_names_and_files_reaches_the_terminal() {
    let home = home();
    let write = |name: &str, text: &str| fs::write(home.path().join(name), text).unwrap();
    let game = format!("{HOSTILE}.game");
    write(&game, &format!("[Game \"kalah\"]\n[South \"{HOSTILE}\"]\n1. {HOSTILE}"));
    write("header.game", &format!("[{HOSTILE} \"x\"]\n"));
    write("result.game", &format!("[Game \"{HOSTILE}\"]\n[Result \"{HOSTILE}\"]\n"));
    let toml = format!("{HOSTILE}.toml");
    write(&toml, &format!("[ui]\ntheme = '{HOSTILE}'\n\"{HOSTILE}\" = '{HOSTILE}'\n"));
    write("keys.toml", "[keys]\n\"\\u001b[31m\\u202E\" = 'x'\nboard.undo = \"\\u001b[31m\"\n");
    write("fine.toml", "");
    fs::rename(home.path().join("fine.toml"), home.path().join(format!("fine{HOSTILE}.toml"))).unwrap();
    fs::create_dir(home.path().join("run")).unwrap();
    for (name, value) in [("kind", HOSTILE), ("preset", HOSTILE)] {
        let other = if name == "kind" { "preset" } else { "kind" };
        let value = value.chars().map(|c| format!("\\U{:08X}", u32::from(c))).collect::<String>();
        write(
            "run/run.toml",
            &format!("format = 1\n{name} = \"{value}\"\n{other} = \"gp\"\nseed = 1\ngenerations = 1\n"),
        );
        assert_plain(&mancalab(home.path(), &["watch", "run"]).output().unwrap(), "watch");
        assert_plain(&mancalab(home.path(), &["evolve", "--resume", "run"]).output().unwrap(), "resume");
    }
    let fine = format!("fine{HOSTILE}.toml");
    let program = format!("program:{HOSTILE}");
    let weights = format!("heuristic:4@{toml}");
    for args in [
        &["--game", HOSTILE][..],
        &["--south", HOSTILE],
        &["--north", &program],
        &["--north", &weights],
        &["--color", HOSTILE],
        &["--theme", HOSTILE],
        &["--theme", &toml],
        &["--config", &toml],
        &["config", "--check", &toml],
        &["config", "--check", &fine],
        &["config", "--check", "keys.toml"],
        &[HOSTILE],
        &[&game],
        &["header.game"],
        &["result.game"],
        &[HOSTILE, HOSTILE],
        &["perft", "--position", HOSTILE],
        &["match", HOSTILE, "max"],
        &["arena", HOSTILE],
        &["arena", "--players", HOSTILE],
        &["arena", "--players", "max,random", "--set", HOSTILE],
        &["evolve", HOSTILE],
        &["evolve", "--resume", HOSTILE],
        &["tune", "--resume", HOSTILE],
        &["reproduce", HOSTILE],
        &["reproduce", "mancala-gp/figure5", "--set", HOSTILE],
        &["watch", HOSTILE],
    ] {
        let output = mancalab(home.path(), args).output().unwrap();
        assert_plain(&output, &format!("{args:?}"));
        assert!(output.status.code().is_some_and(|code| code == 2 || args.contains(&fine.as_str())), "{args:?}");
    }
}

/// What is told in JSON is told whole; on a terminal it is harmless, too.
#[test]
fn players_with_hostile_names_play_and_are_told_harmlessly() {
    let home = home();
    let file = format!("{HOSTILE} \"quoted\".txt");
    fs::write(home.path().join(&file), "7").unwrap();
    let player = format!("program:{file}");
    let run = |args: &[&str]| {
        let output = mancalab(home.path(), args).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_plain(&output, &format!("{args:?}"));
        text(&output.stdout)
    };
    let games = ["--games", "2", "--save", "games"];
    assert!(run(&[&["match", &player, "max"], &games[..]].concat()).contains("program:�]0;x"));
    let json: serde_json::Value =
        serde_json::from_str(&run(&[&["match", &player, "max", "--json"], &games[..]].concat())).unwrap();
    assert_eq!(json["players"][0], player.as_str());
    let saved = fs::read_to_string(home.path().join("games/1-2-00001.game")).unwrap();
    assert_eq!(mancalab::game::notation::read(&saved).unwrap().players[0], player);
}

/// Runs that must say no at once, and why.
fn refused(home: &Path, args: &[&str], wanted: &[&str]) {
    let began = Instant::now();
    let output = mancalab(home, args).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
    assert!(began.elapsed() < PATIENCE, "{args:?}");
    for part in wanted {
        assert!(said.contains(part), "{args:?}: no '{part}' in {said}");
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
        let (program, weights) = (format!("program:{name}"), format!("heuristic:4@{name}"));
        refused(home.path(), &["match", &program, "max"], why);
        refused(home.path(), &["match", &weights, "max"], why);
        refused(home.path(), &["--config", name], why);
        refused(home.path(), &["config", "--check", name], why);
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
    write("deep.txt", &b"(".repeat(64 << 20));
    write("wide.txt", &b"((1) + ".repeat(9 << 20));
    File::create(home.path().join("long.txt")).unwrap().set_len((64 << 20) + 1).unwrap();
    for (name, why) in [("deep.txt", "column"), ("wide.txt", "at most 1000000 nodes"), ("long.txt", "larger than")] {
        let mut command = Command::new("sh");
        // Virtual memory in KiB; the file itself takes 64 MiB of it, the program and its threads most of the rest.
        let line = "ulimit -v 1000000; exec \"$0\" match \"program:$1\" max --threads 1";
        command
            .args(["-c", line, env!("CARGO_BIN_EXE_mancalab"), name])
            .current_dir(home.path())
            .env("HOME", home.path());
        let began = Instant::now();
        let output = command.output().unwrap();
        let said = text(&output.stderr);
        assert_eq!((output.status.code(), output.status.signal()), (Some(2), None), "{name}: {said}");
        assert!(said.contains(why) && said.contains(name), "{said}");
        assert!(began.elapsed() < PATIENCE, "{name}");
    }
}

#[test]
fn what_is_offered_for_copying_can_be_copied() {
    let home = home();
    let folder = "it's a run; $(no)";
    let args =
        ["evolve", "mancala-gp-1", "--population", "50", "--generations", "1000000", "--seed", "1", "--out", folder];
    let mut child = mancalab(home.path(), &args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    await_file(&mut child, &home.path().join(folder).join("checkpoint"));
    kill(&child, Signal::TERM);
    let said = text(&child.wait_with_output().unwrap().stdout);
    let line = said.lines().find_map(|line| line.strip_prefix("saved; go on with: mancalab ")).expect(&said);
    assert_eq!(line, r"evolve --resume 'it'\''s a run; $(no)'");
    assert!(said.contains(r"play: mancalab --north 'program:it'\''s a run; $(no)/best.txt'"), "{said}");
    let again = mancalab(home.path(), &args).output().unwrap();
    assert!(
        text(&again.stderr).contains(r"go on with it by --resume 'it'\''s a run; $(no)',"),
        "{}",
        text(&again.stderr)
    );
    // By a shell, the run goes on.
    let script = format!("exec \"$0\" {line}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_mancalab")]).current_dir(home.path()).env("HOME", home.path());
    let child = shell.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let rows = home.path().join(folder).join("generations.csv");
    let (before, deadline) = (fs::read_to_string(&rows).unwrap().len(), Instant::now() + PATIENCE);
    while fs::read_to_string(&rows).unwrap().len() <= before {
        assert!(Instant::now() < deadline, "the run is not taken up");
        std::thread::sleep(Duration::from_millis(5));
    }
    kill(&child, Signal::TERM);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(128 + 15));
}

#[test]
fn nothing_is_said_to_be_there_that_is_not() {
    let home = home();
    let args = ["evolve", "mancala-gp-1", "--population", "1000000", "--set", "opponents=minimax:12", "--out", "run"];
    let mut child = mancalab(home.path(), &args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    await_file(&mut child, &home.path().join("run/run.toml"));
    await_readiness(&child);
    kill(&child, Signal::TERM);
    let said = text(&child.wait_with_output().unwrap().stdout);
    assert!(!home.path().join("run/checkpoint").exists() && !home.path().join("run/best.txt").exists());
    assert!(!said.contains("\nsaved") && !said.contains("play:"), "{said}");
    assert!(
        said.ends_with("stopped before anything could be saved; begin again with: mancalab evolve --resume run\n"),
        "{said}"
    );
}
