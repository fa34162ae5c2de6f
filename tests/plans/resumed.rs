//! Units killed while they run: the next attempt starts from their saved state.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;

use rustix::process::{Pid, Signal, kill_process};

use super::{assert_same, await_readiness, files, home, kill, start, stdout_of, wait};

/// A plan large enough to interrupt: its first unit is running and has saved its state.
struct Middle {
    plan: String,
    /// The ordinary command of the same run.
    run: String,
    child: Child,
    attempt: PathBuf,
}

/// Creates growing plans until the first unit of one saves its state before it ends; halts it there.
fn middle(home: &Path, make: &dyn Fn(u64) -> (String, String), saved: &str) -> Middle {
    for doubled in 0..12 {
        let (plan, run) = make(1 << doubled);
        let name = format!("plan{doubled}");
        stdout_of(home, &format!("plan new {plan} --out {name}"));
        let mut child = start(home, &format!("plan unit {name} --index 0"));
        let found = wait(&mut child, "something saved", || {
            let attempt = files(&home.join(&name), "attempts").into_iter().next()?;
            attempt.join(saved).is_file().then_some(attempt)
        });
        // Halted, so that it cannot end before it is killed; it may already have ended, or be about to.
        let pid = Pid::from_child(&child);
        let _ = kill_process(pid, Signal::STOP);
        let is_under_way =
            files(&home.join(&name), "marks").iter().any(|mark| mark.extension().is_some_and(|end| end == "run"))
                && files(&home.join(&name), "results").is_empty();
        if let (Some(attempt), None, true) = (found, child.try_wait().unwrap(), is_under_way) {
            return Middle { plan: name, run, child, attempt };
        }
        let _ = kill_process(pid, Signal::CONT);
        child.wait().unwrap();
    }
    panic!("no unit saved its state before it ended");
}

/// Returns the paths of the saved states.
fn attempts(home: &Path, plan: &str) -> Vec<PathBuf> {
    files(&home.join(plan), "attempts")
}

/// Computes the remaining units and compares.
fn finish(home: &Path, plan: &str, run: &str, name: &str) {
    // An attempt killed between writing its result and cleaning up leaves its files.
    let is_killed_late = !files(&home.join(plan), "results").is_empty();
    stdout_of(home, &format!("plan submit {plan} --engine local --jobs 2"));
    assert!(is_killed_late || attempts(home, plan).is_empty(), "{:?}", attempts(home, plan));
    stdout_of(home, &format!("plan merge {plan}"));
    stdout_of(home, &format!("{run} --out whole"));
    assert_same(&home.join(plan).join("merged").join(name), &home.join("whole"));
}

/// A whole run: its process is killed, the next attempt resumes it, as the log shows, and is killed too.
fn whole(make: &dyn Fn(u64) -> (String, String), name: &str) {
    let home = home();
    let Middle { plan, run, mut child, attempt } = middle(home.path(), make, "checkpoint");
    kill(&mut child, Signal::KILL);
    let mark = files(&home.path().join(&plan), "marks");
    assert!(mark.len() == 1 && mark[0].extension().is_some_and(|end| end == "run"), "{mark:?}");
    assert!(stdout_of(home.path(), &format!("runs show ./{plan}")).contains("0 running"));
    let mut second = start(home.path(), &format!("plan unit {plan} --index 0 --threads 2"));
    let log = wait(&mut second, "a second attempt", || {
        let other = attempts(home.path(), &plan).into_iter().find(|other| *other != attempt)?;
        fs::read_to_string(other.join("mancalab.log")).ok().filter(|log| log.contains('\n'))
    });
    // If it was that fast, its result is checked below.
    if let Some(log) = log {
        assert!(log.contains("resumed from the end of generation ") && !log.contains("started"), "{log}");
    }
    let _ = second.kill();
    second.wait().unwrap();
    finish(home.path(), &plan, &run, name);
}

#[test]
fn a_run_of_genetic_programming_continues() {
    let make = |size: u64| {
        let evolve = format!("evolve mancala-gp-1 --population 60 --generations {} --set opponents=max", 20 * size);
        (format!("{evolve} --seeds 5-6"), format!("{evolve} --seed 5"))
    };
    whole(&make, "mancala-gp-1-seed5");
}

#[test]
fn a_run_of_the_genetic_algorithm_continues() {
    let make = |size: u64| {
        let tune = format!("tune kalah-thesis --population 10 --generations {} --set depth=2 --set games=2", 6 * size);
        (tune.clone(), format!("{tune} --seed 1"))
    };
    whole(&make, "kalah-thesis-seed1");
}

#[test]
fn a_training_continues() {
    let make = |size: u64| {
        let train = format!(
            "train kalah-thesis-a3c --generations {} --set workers=2 --set rounds=5 --set hidden=8 --set panel=random --set \
             panel_games=2",
            10 * size
        );
        (train.clone(), format!("{train} --seed 1"))
    };
    whole(&make, "kalah-thesis-a3c-seed1");
}

/// Returns the saved games of an attempt, and their times, which differ in every attempt.
fn halves(bytes: &[u8]) -> Option<(String, String)> {
    let part = |from: &[u8]| {
        // Each byte holds seven bits of the length; the last byte is below 128.
        let end = from.iter().position(|byte| *byte < 0x80)?;
        let length = from[..=end].iter().rev().fold(0, |length, byte| length << 7 | usize::from(byte & 0x7f));
        let rest = &from[end + 1..];
        Some((String::from_utf8(rest.get(..length)?.to_vec()).ok()?, rest[length..].to_vec()))
    };
    // After the checksum.
    let (promised, rest) = part(bytes.get(8..)?)?;
    Some((promised, part(&rest)?.0))
}

#[test]
fn games_of_a_tournament_continue() {
    let home = home();
    let make = |size: u64| {
        let arena = format!("match --players minimax:4,max --pairs 1-2 --games {}", 40 * size);
        (format!("{arena} --block {}", 20 * size), format!("{arena} --seed 1"))
    };
    let Middle { plan, run, mut child, attempt } = middle(home.path(), &make, "part");
    kill(&mut child, Signal::KILL);
    let saved = fs::read(attempt.join("part")).unwrap();
    let (games, times) = halves(&saved).unwrap();
    assert!(games.lines().count() > 0 && games.lines().count() == times.lines().count(), "{games}");
    // Stopped it saves, killed it leaves its mark: both are resumed.
    let mut second = start(home.path(), &format!("plan unit {plan} --index 0 --threads 2"));
    await_readiness(&mut second);
    kill(&mut second, Signal::TERM);
    finish(home.path(), &plan, &run, "tournament-seed1");
    let result = fs::read(&files(&home.path().join(&plan), "results")[0]).unwrap();
    let behind = result.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let result = String::from_utf8(result[behind..].to_vec()).unwrap();
    assert!(result.starts_with(&games), "the games come first");
    assert!(result.contains(&times), "the games were played again, with other times");
}

#[test]
fn an_island_continues() {
    let home = home();
    let make = |size: u64| {
        let flags = "mancala-gp-1 --population 200 --set opponents=max";
        let every = 4 * size;
        let flags = format!("{flags} --generations {}", 2 * every + 1);
        let own = format!("--set islands=2 --set migrants=1 --set migration_every={every}");
        (
            format!("islands {flags} --islands 2 --migrants 1 --migration-every {every}"),
            format!("evolve {flags} {own} --seed 1"),
        )
    };
    let Middle { plan, run, mut child, attempt } = middle(home.path(), &make, "part");
    kill(&mut child, Signal::KILL);
    let before = fs::metadata(attempt.join("part")).unwrap().len();
    let mut second = start(home.path(), &format!("plan unit {plan} --index 0"));
    await_readiness(&mut second);
    kill(&mut second, Signal::TERM);
    // Another generation makes it longer; it had no time to come so far from the beginning.
    if let Some(other) = attempts(home.path(), &plan).iter().find(|other| **other != attempt) {
        assert!(fs::metadata(other.join("part")).unwrap().len() >= before, "it restarted");
    }
    finish(home.path(), &plan, &run, "mancala-gp-1-seed1");
}
