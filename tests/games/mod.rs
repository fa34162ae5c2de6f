//! The games on squares from outside: commands without a screen, files, and what is refused.

mod checkers;
mod othello;

use std::fs;

use assert_cmd::Command;

/// The program, away from the settings and games of whoever tests it.
fn mancalab(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("mancalab").unwrap();
    command
        .args(args)
        .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// What a command says that does what it should.
fn said(args: &[&str]) -> String {
    let output = mancalab(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What a command says that refuses.
fn refused(args: &[&str]) -> String {
    let output = mancalab(args).output().unwrap();
    assert!(!output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).unwrap()
}

/// The sequences of moves from the start are counted as published, those of one move first.
fn assert_counted(game: &str, published: [&str; 8]) {
    let counts = said(&["perft", "--game", game, "--depth", "8"]);
    for count in published {
        assert!(counts.split_whitespace().any(|word| word.replace([',', '_'], "") == count), "{count}: {counts}");
    }
}

/// The rows of a tournament in which everyone meets everyone three times.
fn tournament_rows(game: &str, players: &str, threads: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let out_text = out.to_str().unwrap();
    said(&["arena", game, "--players", players, "--games", "3", "--threads", threads, "--out", out_text]);
    fs::read_to_string(out.join("generations.csv")).unwrap()
}
