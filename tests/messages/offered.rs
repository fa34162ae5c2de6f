//! Commands offered for copying work, and messages name only files that exist.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::{PATIENCE, await_file, await_readiness, home, kill, mancalab, text};

#[test]
fn what_is_offered_for_copying_can_be_copied() {
    let home = home();
    let folder = "it's a run; $(no)";
    let args =
        ["evolve", "mancala-gp-1", "--population", "50", "--generations", "1000000", "--seed", "1", "--out", folder];
    let mut child = mancalab(home.path(), &args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    await_file(&mut child, &home.path().join(folder).join("checkpoint"));
    kill(&child, Signal::TERM);
    let printed = text(&child.wait_with_output().unwrap().stdout);
    let line = printed.lines().find_map(|line| line.strip_prefix("saved; resume with: mancalab ")).expect(&printed);
    assert_eq!(line, r"runs resume 'it'\''s a run; $(no)'");
    assert!(
        printed.contains(r"play: mancalab --game kalah:6x4:empty --north 'program:it'\''s a run; $(no)/best.txt'"),
        "{printed}"
    );
    let again = mancalab(home.path(), &args).output().unwrap();
    assert!(
        text(&again.stderr).contains(r"resume it with: mancalab runs resume 'it'\''s a run; $(no)',"),
        "{}",
        text(&again.stderr)
    );
    // A shell resumes the run with it.
    let script = format!("exec \"$0\" {line}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_mancalab")]).current_dir(home.path()).env("HOME", home.path());
    let child = shell.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let rows = home.path().join(folder).join("generations.csv");
    let before = fs::read_to_string(&rows).unwrap().len();
    let deadline = Instant::now() + PATIENCE;
    while fs::read_to_string(&rows).unwrap().len() <= before {
        assert!(Instant::now() < deadline, "the run is not resumed");
        std::thread::sleep(Duration::from_millis(5));
    }
    kill(&child, Signal::TERM);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(128 + 15));
}

#[test]
fn nothing_is_printed_to_be_there_that_is_not() {
    let home = home();
    let args = ["evolve", "mancala-gp-1", "--population", "1000000", "--set", "opponents=minimax:12", "--out", "run"];
    let mut child = mancalab(home.path(), &args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    await_file(&mut child, &home.path().join("run/run.toml"));
    await_readiness(&child);
    kill(&child, Signal::TERM);
    let printed = text(&child.wait_with_output().unwrap().stdout);
    assert!(!home.path().join("run/checkpoint").exists() && !home.path().join("run/best.txt").exists());
    assert!(!printed.contains("\nsaved") && !printed.contains("play:"), "{printed}");
    assert!(
        printed.ends_with("stopped before the first save; start again with: mancalab runs resume run\n"),
        "{printed}"
    );
}
