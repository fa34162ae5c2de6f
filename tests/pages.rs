//! Every command that README and the pages print in a block is run, in the order of its page and in a folder of its own.
//!
//! `pages.txt` has what differs from a command that ends with status 0: see there. Commands that take long are interrupted once they
//! have read their arguments; `.ci/pages` runs them to their end and writes the day into that file.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::messages::{PATIENCE, handles_signals};
use crate::pty::harness::mancalab;
use crate::pty::process::cpu_time;

const NOTES: &str = include_str!("pages.txt");
const PROGRAM: &str = env!("CARGO_BIN_EXE_mancalab");

/// Pages that other tests follow.
const TESTED: [&str; 1] = ["docs/experiment.md"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap()
}

/// Returns README and all pages of the book, by their paths in the project.
fn pages() -> Vec<String> {
    let mut pages = vec!["README.md".to_owned()];
    for folder in ["docs", "docs/design"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            pages.extend(name.ends_with(".md").then(|| format!("{folder}/{name}")));
        }
    }
    pages.retain(|page| !TESTED.contains(&&**page));
    pages.sort();
    pages
}

/// Returns the lines of a page's blocks that begin so, without the comments behind them; a line that ends with `\` goes on in the next.
fn block_lines(page: &str, begin: &str) -> Vec<String> {
    let text = read(page).replace("\\\n        ", "");
    // A block in an item of a list is indented further.
    let block = text.lines().filter(|line| line.starts_with("    ")).map(str::trim_start);
    let lines = block.filter(|line| line.starts_with(begin));
    lines.map(|line| line.split("  #").next().unwrap().trim_end().to_owned()).collect()
}

/// Returns the commands of a page.
fn commands(page: &str) -> Vec<String> {
    block_lines(page, "mancalab").into_iter().filter(|line| line == "mancalab" || line.contains(' ')).collect()
}

/// Returns what stands before the `|` of a command's note, if it has one.
fn note(command: &str) -> Option<&'static str> {
    let notes = NOTES.lines().filter_map(|line| line.split_once(" | "));
    notes.filter(|(_, noted)| *noted == command).map(|(note, _)| note).next()
}

/// Returns a shell with the command, in a process group of its own.
fn shell(home: &Path, command: &str) -> Command {
    let mut shell = Command::new("/bin/sh");
    let path = format!("{}:/usr/bin:/bin", Path::new(PROGRAM).parent().unwrap().display());
    shell.args(["-c", command]).current_dir(home).process_group(0).stdin(Stdio::null());
    shell.env_clear().env("PATH", path).env("HOME", home).env("SCRATCH", home).env("LANG", "C.UTF-8");
    shell
}

/// Runs a command to its end, which must be a success; fails with the command and its errors.
fn run(home: &Path, command: &str) -> Result<(), String> {
    let output = shell(home, command).output().unwrap();
    if output.status.success() { Ok(()) } else { Err(failed(command, &output.stderr)) }
}

fn failed(command: &str, errors: &[u8]) -> String {
    format!("{command}\n{}", String::from_utf8_lossy(errors))
}

/// Processor time after which a command that does not handle signals has read its arguments.
const STARTED: Duration = Duration::from_millis(500);

/// Starts a command and interrupts it once it has read its arguments; fails if it was refused.
fn begin(home: &Path, command: &str) -> Result<(), String> {
    let errors = home.join("errors");
    let mut child = shell(home, &format!("exec {command}"));
    let mut child = child.stdout(Stdio::null()).stderr(fs::File::create(&errors).unwrap()).spawn().unwrap();
    let pid = Pid::from_child(&child);
    while child.try_wait().unwrap().is_none() && !handles_signals(&child) && cpu_time(pid) < STARTED {
        std::thread::sleep(Duration::from_millis(5));
    }
    // It may have ended meanwhile.
    let _ = kill_process_group(pid, Signal::INT);
    let is_refused = child.wait().unwrap().code() == Some(2);
    if is_refused { Err(failed(command, &fs::read(errors).unwrap())) } else { Ok(()) }
}

/// Waits for the first screen.
fn open(home: &Path, command: &str) {
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let terminal = mancalab(&words).within(home).open();
    terminal.until_screen(command, |screen| screen.alternate_screen() && !screen.contents().trim().is_empty());
    terminal.kill();
}

/// Runs one command as its note says.
fn follow(home: &Path, command: &str) -> Result<(), String> {
    match note(command).map(|note| note.split_once(' ').unwrap_or((note, ""))) {
        Some(("elsewhere", _)) => Ok(()),
        Some(("screen", first)) => {
            let begun = if first.is_empty() { Ok(()) } else { run(home, first) };
            begun.map(|()| open(home, command))
        }
        Some(("long", _)) => begin(home, command),
        Some(("after", first)) => run(home, first).and_then(|()| run(home, command)),
        _ => run(home, command),
    }
}

#[test]
#[ignore = "minutes of processor time: .ci/pages runs it"]
fn every_command_of_the_pages_runs() {
    let pages = pages();
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let home = tempfile::tempdir().unwrap();
                    let failed = commands(page).into_iter().filter_map(|command| follow(home.path(), &command).err());
                    failures.lock().unwrap().extend(failed.map(|error| format!("{page}: {error}")));
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_note_is_about_a_command_of_a_page() {
    let all: Vec<String> = pages().iter().flat_map(|page| commands(page)).collect();
    assert!(all.len() > 200, "{}", all.len());
    for line in NOTES.lines().filter(|line| !line.starts_with('#')) {
        let (note, command) = line.split_once(" | ").unwrap();
        let kind = note.split(' ').next().unwrap();
        assert!(["elsewhere", "screen", "long", "after"].contains(&kind), "{line}");
        assert!(all.iter().any(|other| other == command), "no page has the command '{command}'");
    }
}

/// Returns whether a line of the engine is the one on the page: `…` stands for any end; speeds and times differ.
fn is_same(line: &str, printed: &str) -> bool {
    if let Some(begin) = printed.strip_suffix('…') {
        return line.starts_with(begin);
    }
    let steady = |text: &str| {
        let mut words: Vec<&str> = text.split(' ').collect();
        for at in 1..words.len() {
            match (words[0], words[at - 1]) {
                (_, "nps" | "time") => words[at] = "*",
                ("nodestats", _) if at == 2 => words[at] = "*",
                ("===", "===") => words[at] = words[at].rsplit_once('/').map_or("", |(rest, _)| rest),
                _ => {}
            }
        }
        words.join(" ")
    };
    steady(line) == steady(printed)
}

/// Writes the lines `> …` to an engine and waits for each line `< …`.
fn talk(lines: &[String]) {
    let home = tempfile::tempdir().unwrap();
    let mut child = shell(home.path(), "exec mancalab engine");
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let group = Pid::from_child(&child);
    let (ended, guard) = std::sync::mpsc::channel::<()>();
    let guard = std::thread::spawn(move || {
        if guard.recv_timeout(PATIENCE).is_err_and(|error| error == std::sync::mpsc::RecvTimeoutError::Timeout) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    });
    let mut answers = BufReader::new(output).lines();
    for line in lines {
        match line.split_at(2) {
            ("> ", line) => writeln!(input, "{line}").unwrap(),
            (_, printed) => {
                let mut said = String::new();
                let is_said = answers.by_ref().map(Result::unwrap).any(|line| {
                    said = said.clone() + &line + "\n";
                    is_same(&line, printed)
                });
                assert!(is_said, "the engine does not say '{printed}', but\n{said}");
            }
        }
    }
    drop((input, ended));
    guard.join().unwrap();
    child.wait().unwrap();
}

/// What a command answers to lines of input is in the block of text behind it.
#[test]
fn what_commands_print_is_on_their_pages() {
    for (page, command, input) in [
        ("docs/play.md", "mancalab play --lines --level easy --seed 1", "C\nA\n"),
        ("docs/engine.md", "mancalab analyse --depth 8", ""),
        ("docs/checkers-ga.md", "mancalab reproduce checkers-ga/minimax", ""),
    ] {
        let text = read(page);
        let (_, behind) = text.split_once(&format!("    {command}\n")).unwrap();
        let (_, block) = behind.split_once("```text\n").unwrap();
        let (block, _) = block.split_once("```").unwrap();
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("input"), input).unwrap();
        let output = shell(home.path(), &format!("{command} < input")).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let mut printed_lines = printed.lines();
        // Times differ.
        let expected: Vec<&str> = block.lines().filter(|line| !line.contains(" nodes/s)")).collect();
        assert!(expected.len() > 3, "{page}: {expected:?}");
        for line in expected {
            let is_printed = printed_lines.any(|other| other.trim_end() == line);
            assert!(is_printed, "{page}: {command} does not print '{line}', but\n{printed}");
        }
    }
}

#[test]
fn the_dialogues_with_the_engine_are_true() {
    let text = read("docs/engine.md");
    let is_said = |line: &str| line.starts_with("    > ") || line.starts_with("    < ");
    let lines: Vec<&str> = text.lines().collect();
    let mut dialogues = 0;
    for block in lines.split(|line| !is_said(line)).filter(|block| !block.is_empty()) {
        talk(&block.iter().map(|line| line[4..].to_owned()).collect::<Vec<_>>());
        dialogues += 1;
    }
    assert_eq!(dialogues, 2);
}
