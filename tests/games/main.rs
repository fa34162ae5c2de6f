//! The games on squares from outside: commands without a screen, files, and what is refused.

mod checkers;
mod othello;

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
