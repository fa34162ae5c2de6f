//! A table of mistakes, `mistakes.txt`: each is a command line, and the message and status that it has to give. Every message has one
//! shape, names what would be accepted, and has short paragraphs. `MISTAKES_UPDATE=1` writes what the program says now into the table;
//! `MISTAKES_PROGRAM` names another build of the program, whose messages have to be the same.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The table: `$ ARGUMENTS`, the status unless it is 2, the message, and an empty line.
const TABLE: &str = include_str!("mistakes.txt");

/// Longest paragraph of a message, in characters.
const MOST: usize = 220;

/// Words of the language and its libraries, which say nothing to a person.
const FOREIGN: [&str; 10] = [
    "invalid digit",
    "fit in target type",
    "..=",
    "os error",
    "lookup address",
    "ParseInt",
    "None",
    "Some(",
    "socket address syntax",
    "panicked",
];

struct Home(tempfile::TempDir);

impl Home {
    /// Prepares the files that the mistakes name: games, a collection, a broken config, two runs and a plan.
    fn new() -> Home {
        let home = Home(tempfile::tempdir().unwrap());
        let game = "[Game \"kalah:6x4:standard\"]\n[South \"human\"]\n[North \"minimax:2\"]\n\n1. A 2. c f 3. B 4. d\n";
        for (name, text) in [
            ("a.game", game),
            ("b.game", game),
            ("bad.game", "[Game \"kalah:6x4:standard\"]\n\n1. A zz\n"),
            ("moves.txt", "f5d6c3d3c4\n"),
            ("own.toml", "[ui]\ntheme = 3\n"),
            ("taken", "x"),
        ] {
            fs::write(home.0.path().join(name), text).unwrap();
        }
        for line in [
            "match max random --game checkers --games 2 --seed 1 --save all.pdn",
            "evolve mancala-gp-1 --seed 1 --population 8 --generations 1 --set opponents=max --out state/mancalab/runs/bred",
            "match random max --games 2 --seed 1 --out state/mancalab/runs/table",
            "plan new evolve mancala-gp-1 --population 8 --generations 1 --set opponents=max --seeds 1-2 --out state/mancalab/runs/day",
        ] {
            let output = home.run(line);
            assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        }
        home
    }

    fn run(&self, line: &str) -> Output {
        let home = self.0.path();
        let other = std::env::var_os("MISTAKES_PROGRAM");
        let mut command = Command::new(other.unwrap_or_else(|| env!("CARGO_BIN_EXE_mancalab").into()));
        command.env_clear().env("HOME", home).env("XDG_STATE_HOME", home.join("state")).current_dir(home);
        command.args(words(line)).stdin(Stdio::null()).output().unwrap()
    }

    /// Returns the entry of a command line, with what it gives.
    fn entry(&self, line: &str) -> String {
        let Output { status, stdout, stderr } = self.run(line);
        let said = String::from_utf8(stderr).unwrap().replace(&self.0.path().display().to_string(), "~");
        let mut entry = format!("$ {line}\n");
        let code = status.code().unwrap_or(-1);
        if code != 2 {
            let _ = writeln!(entry, "[{code}]");
        }
        if !stdout.is_empty() {
            entry += "[prints a result]\n";
        }
        entry + said.trim_end() + "\n\n"
    }
}

/// The words of a line; those in single quotes are one.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

fn check(entry: &str) {
    let (line, said) = entry.split_once('\n').unwrap();
    let message = said.trim_end();
    assert!(
        message.starts_with("error: ") || message.contains("\nerror: "),
        "{line}: not in the shape of errors: {message}"
    );
    assert_eq!(message.matches("error: ").count(), 1, "{line}: {message}");
    for word in FOREIGN {
        assert!(!message.contains(word), "{line}: '{word}' in {message}");
    }
    for paragraph in message.lines() {
        assert!(paragraph.chars().count() <= MOST, "{line}: a wall of {}: {paragraph}", paragraph.chars().count());
    }
}

#[test]
fn every_mistake_has_its_message() {
    let lines: Vec<&str> = TABLE.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    assert!(lines.len() >= 120, "{} mistakes", lines.len());
    let home = Home::new();
    // A command that opens a run keeps others from it for a moment: those of the same runs are run one after the other.
    let names_runs = |line: &&str| ["bred", "table", "day"].iter().any(|run| line.contains(run));
    let (of_runs, others): (Vec<_>, Vec<_>) = lines.iter().enumerate().partition(|(_, line)| names_runs(line));
    let parts: Vec<_> =
        std::iter::once(of_runs).chain(others.chunks(others.len() / 3 + 1).map(<[_]>::to_vec)).collect();
    let work = |part: Vec<(usize, &&str)>| -> Vec<_> {
        part.into_iter().map(|(index, line)| (index, home.entry(line))).collect()
    };
    let mut entries: Vec<(usize, String)> = std::thread::scope(|scope| {
        let threads: Vec<_> = parts.into_iter().map(|part| scope.spawn(|| work(part))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    entries.sort();
    let now: String = entries.into_iter().map(|(_, entry)| entry).collect();
    if std::env::var_os("MISTAKES_UPDATE").is_some() {
        fs::write(path(), &now).unwrap();
    }
    for (expected, found) in TABLE.split("\n\n$ ").zip(now.split("\n\n$ ")) {
        check(found);
        assert_eq!(found, expected, "MISTAKES_UPDATE=1 writes the table anew");
    }
    assert_eq!(now, TABLE);
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes.txt")
}
