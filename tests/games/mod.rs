//! The board games on squares from the command line: commands without a screen, files, and errors.

mod checkers;
mod othello;

use std::fs;
use std::path::Path;

use crate::commands::{failure, mancalab, stdout};

/// The folder for the state of all these commands, which keep nothing there.
fn state() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Returns the output of a command that must succeed; its arguments may have blanks.
fn stdout_of(args: &[&str]) -> String {
    stdout(mancalab(state()).args(args))
}

/// Returns the error of a command that must fail; its arguments may have blanks.
fn refused(args: &[&str]) -> String {
    failure(mancalab(state()).args(args))
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
    let counts = stdout_of(&["dev", "perft", "--game", game, "--depth", "8"]);
    for count in published {
        assert!(counts.split_whitespace().any(|word| word.replace([',', '_'], "") == count), "{count}: {counts}");
    }
}

/// Returns the rows of a tournament in which every pair meets three times.
fn tournament_rows(game: &str, players: &str, threads: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let out_text = out.to_str().unwrap();
    stdout_of(&["match", game, "--players", players, "--games", "3", "--threads", threads, "--out", out_text]);
    fs::read_to_string(out.join("generations.csv")).unwrap()
}
