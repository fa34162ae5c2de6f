//! The board games on squares from the command line: commands without a screen, files, and errors.

mod checkers;
mod othello;

use std::fs;

use assert_cmd::Command;

/// The program, isolated from the tester's settings and games.
fn mancalab(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("mancalab").unwrap();
    command
        .args(args)
        .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// Returns the output of a command that must succeed.
fn stdout_of(args: &[&str]) -> String {
    let output = mancalab(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the error of a command that must fail.
fn refused(args: &[&str]) -> String {
    let output = mancalab(args).output().unwrap();
    assert!(!output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).unwrap()
}

/// Checks that each of these commands, whose arguments are separated by blanks, fails with an error that has this text.
fn assert_refused(commands: &[(&str, &str)]) {
    for (arguments, text) in commands {
        let error = refused(&arguments.split(' ').collect::<Vec<_>>());
        assert!(error.contains(text), "{arguments}: {error}");
    }
}

/// Checks that a review of each of these files fails with an error that has the file's name and this text.
fn assert_files_refused(files: &[(&str, &str)]) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("broken.game");
    for (contents, text) in files {
        fs::write(&file, contents).unwrap();
        let error = refused(&["review", file.to_str().unwrap()]);
        assert!(error.contains(text) && error.contains("broken.game"), "{contents}: {error}");
    }
}

/// Checks the perft counts from the start position against published ones, from depth 1.
fn assert_counted(game: &str, published: [&str; 8]) {
    let counts = stdout_of(&["perft", "--game", game, "--depth", "8"]);
    for count in published {
        assert!(counts.split_whitespace().any(|word| word.replace([',', '_'], "") == count), "{count}: {counts}");
    }
}

/// Returns the rows of a tournament in which every pair meets three times.
fn tournament_rows(game: &str, players: &str, threads: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let out_text = out.to_str().unwrap();
    stdout_of(&["arena", game, "--players", players, "--games", "3", "--threads", threads, "--out", out_text]);
    fs::read_to_string(out.join("generations.csv")).unwrap()
}
