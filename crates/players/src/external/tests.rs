//! Programs that answer, die, hang, flood and write nonsense; texts of the player.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, test_kill_process};

use crate::budget::Budget;
use crate::game::kalah::Kalah;
use crate::game::{BoardGame as _, Game as _, Move};
use crate::spec::Unread;
use crate::{Player, Spec, Turn, build, choose};

/// The time beyond its limit that a program has in tests.
const GRACE_IN_TESTS: Duration = Duration::from_secs(2);

/// A program by UGI that does `go` for a move.
fn program(go: &str) -> String {
    format!(
        "while read word rest; do case $word in ugi) echo ugiok;; isready) echo readyok;; go) {go};; quit) exit 0;; esac; done"
    )
}

fn spec(command: &str, settings: &str) -> Spec {
    let command = command.replace('\\', "\\\\").replace('"', "\\\"");
    format!("engine:\"{command}\"{settings}").parse().unwrap()
}

/// A script in a folder, as longer commands are.
fn script(folder: &Path, text: &str) -> String {
    let path = folder.join("engine.sh");
    fs::write(&path, text).unwrap();
    format!("sh {}", path.display())
}

fn turn(ply: u32) -> Turn<Kalah> {
    Turn::new(Kalah::start("6x4".parse().unwrap()), ply, 1)
}

/// The move of a program that does `go`, or why there is none, after a turn of any budgets.
fn answer(go: &str, settings: &str) -> Result<Move, String> {
    let folder = tempfile::tempdir().unwrap();
    let mut player = build::<Kalah>(&spec(&script(folder.path(), &program(go)), settings)).unwrap();
    played(player.as_mut())
}

fn played(player: &mut dyn Player<Kalah>) -> Result<Move, String> {
    choose(player, &turn(0)).ok_or_else(|| player.failure().unwrap().to_string())
}

#[test]
fn texts_come_back_the_same() {
    for text in [
        "engine:\"ntest\"",
        "engine:\"./a b, c:depth=3\":protocol=uci:ms=500",
        "engine:\"sh -c \\\"a \\\\\\\\ b\\\"\":depth=4:nodes=1000",
        "engine:\"cd x && ./ntest\":protocol=nboard:depth=6",
    ] {
        let spec: Spec = text.parse().unwrap();
        assert_eq!(spec.to_string(), text);
        assert!(spec.is_timed() && !spec.is_deterministic() && spec.impurity().is_some() && spec.contents().is_none());
        let list = Spec::list(&format!("random,{text},max, {text}")).unwrap();
        assert_eq!(list.iter().map(Spec::to_string).collect::<Vec<_>>(), ["random", text, "max", text]);
        assert!(text.parse::<Unread>().unwrap().needs_agreement());
    }
    let others = [("engine:ntest -x", "engine:\"ntest -x\""), (" Engine:a:ms=5:protocol=ugi", "engine:\"a\":ms=5")];
    for (text, written) in others {
        assert_eq!(text.parse::<Spec>().unwrap().to_string(), written);
    }
}

#[test]
fn errors_say_what_would_be_accepted() {
    let error = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
    for text in ["engine", "engine:", "engine:\" \"", "engine::ms=5"] {
        assert_eq!(error(text), "engine needs a command, as in engine:\"program -x\"", "{text}");
    }
    assert!(error("engine:\"a").contains("needs a closing quotation mark"));
    assert_eq!(
        error("engine:\"a\":speed=2"),
        "engine takes protocol=ugi|uci|nboard, ms=T, depth=D and nodes=N (got speed=2)"
    );
    assert_eq!(error("engine:\"a\":protocol=xboard"), "protocol must be ugi, uci or nboard (got xboard)");
    assert!(error("engine:\"a\":protocol=nboard").contains("needs depth=D"));
    assert!(error("engine:\"a\nb\"").contains("one line"));
    assert!(error(&format!("engine:\"{}\"", "x".repeat(201))).contains("at most 200 bytes"));
    let nboard: Spec = "engine:\"a\":protocol=nboard:depth=6".parse().unwrap();
    let refused = crate::check_plays(&nboard, &"kalah".parse().unwrap()).unwrap_err().to_string();
    assert!(refused.ends_with("does not play Kalah: an NBoard engine plays othello only"), "{refused}");
    assert!(crate::check_plays(&nboard, &"othello".parse().unwrap()).is_ok());
}

#[test]
fn a_program_gets_its_turn_in_steps_of_any_length() {
    let folder = tempfile::tempdir().unwrap();
    let command = script(folder.path(), &program("echo info depth 7 nodes 9 score margin -3 pv C F; echo bestmove C"));
    let mut player = build::<Kalah>(&spec(&command, ":depth=7")).unwrap();
    let mv = std::iter::repeat_with(|| player.think(&turn(0), Budget::time(Duration::ZERO))).find_map(|mv| mv);
    let report = player.report().unwrap();
    assert_eq!((mv, report.depth, report.lines[0].pv.len()), (Some(Move(2)), 7, 2));
    player.rest();
    assert_eq!(choose(player.as_mut(), &turn(0)), Some(Move(2)));
}

#[test]
fn a_program_that_dies_is_started_anew_once_a_turn() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let go = format!("if [ -e {0} ]; then rm {0}; echo bestmove B; else touch {0}; exit 3; fi", mark.display());
    let mut player = build::<Kalah>(&spec(&script(folder.path(), &program(&go)), ":depth=1")).unwrap();
    for ply in 0..3 {
        assert_eq!(choose(player.as_mut(), &turn(ply)), Some(Move(1)), "{:?}", player.failure());
    }
    assert!(answer("exit 3", ":depth=1").unwrap_err().ends_with(
        "exited with status 3; its last line was 'readyok'; 2>&1 at the end of its command shows its errors here"
    ));
    let mut missing = build::<Kalah>(&spec("/no/such/program", "")).unwrap();
    let error = played(missing.as_mut()).unwrap_err();
    assert!(error.contains("engine:\"/no/such/program\" exited with status 127: the shell did not find"), "{error}");
}

#[test]
fn a_program_that_hangs_is_killed() {
    let error = answer("sleep 1000", ":ms=1").unwrap_err();
    assert!(error.contains("exceeded its time for a move"), "{error}");
}

#[test]
fn a_pause_is_not_the_programs_time() {
    let folder = tempfile::tempdir().unwrap();
    let started = folder.path().join("started");
    let go = format!("echo >> {}; echo info depth 1; echo info depth 2; echo bestmove C", started.display());
    let mut player = build::<Kalah>(&spec(&script(folder.path(), &program(&go)), ":ms=1")).unwrap();
    while !started.exists() {
        assert_eq!(player.think(&turn(0), Budget::time(Duration::ZERO)), None);
    }
    std::thread::sleep(GRACE_IN_TESTS + Duration::from_millis(500));
    assert_eq!(choose(player.as_mut(), &turn(0)), Some(Move(2)));
    assert_eq!(fs::read_to_string(&started).unwrap().lines().count(), 1, "it was not started anew");
}

#[test]
fn nonsense_is_named_in_the_error() {
    let error = answer("echo bestmove zz9", ":depth=1").unwrap_err();
    assert!(error.contains("answered 'zz9', which is not a legal move; its last line was 'bestmove zz9'"), "{error}");
    let error = answer("printf 'bestmove \\033[2J\\n'", ":depth=1").unwrap_err();
    assert!(!error.contains('\x1b'), "{error:?}");
}

#[test]
fn a_flood_is_read_in_bounded_memory() {
    let lines = "i=0; while [ $i -lt 3000 ]; do echo info string $i; i=$((i+1)); done; echo bestmove D";
    assert_eq!(answer(lines, ":depth=1"), Ok(Move(3)));
    let line = "head -c 3000000 /dev/zero; echo; echo bestmove E";
    assert_eq!(answer(line, ":depth=1"), Ok(Move(4)));
    assert!(answer("yes info", ":ms=1").unwrap_err().contains("exceeded its time"));
}

/// It answers by rote, until the pipe to it is full.
#[test]
fn a_program_that_never_reads_is_started_anew() {
    let folder = tempfile::tempdir().unwrap();
    let started = folder.path().join("started");
    let text = format!("echo >> {}; echo ugiok; while :; do echo readyok; echo bestmove A; done", started.display());
    let mut player = build::<Kalah>(&spec(&script(folder.path(), &text), ":ms=1")).unwrap();
    let starts = || fs::read_to_string(&started).unwrap_or_default().lines().count();
    let mut ply = 0;
    while starts() < 2 {
        assert_eq!(choose(player.as_mut(), &turn(ply)), Some(Move(0)), "{:?}", player.failure());
        ply += 1;
    }
}

#[test]
fn no_process_outlives_the_player() {
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    // A child that ignores the end of its input and requests to end.
    let begin = format!("(trap '' TERM HUP; exec sleep 1000) & echo $! > {}\n", pid.display());
    let text = begin + &program("echo bestmove A");
    let mut player = build::<Kalah>(&spec(&script(folder.path(), &text), ":depth=1")).unwrap();
    assert_eq!(played(player.as_mut()), Ok(Move(0)));
    let child = Pid::from_raw(fs::read_to_string(&pid).unwrap().trim().parse().unwrap()).unwrap();
    let is_alive = || {
        let stat = fs::read_to_string(format!("/proc/{}/stat", child.as_raw_nonzero())).unwrap_or_default();
        test_kill_process(child).is_ok() && !stat.contains(") Z ")
    };
    assert!(is_alive());
    drop(player);
    // The system needs a moment to end a killed process.
    while is_alive() {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_turn_that_is_taken_back_gets_no_late_answer() {
    let folder = tempfile::tempdir().unwrap();
    // Answers the first search only when it is stopped.
    let text = "while read word rest; do case $word in ugi) echo ugiok;; isready) echo readyok;; stop) echo bestmove A;; \
                position) p=$rest;; go) case $p in startpos) ;; *) echo bestmove b;; esac;; quit) exit;; esac; done";
    let mut player = build::<Kalah>(&spec(&script(folder.path(), text), ":depth=1")).unwrap();
    for _ in 0..20 {
        assert_eq!(player.think(&turn(0), Budget::time(Duration::from_millis(5))), None);
    }
    let next = Turn::new(turn(0).pos.play(Move(0)), 1, 1);
    assert_eq!(choose(player.as_mut(), &next), Some(Move(1)), "{:?}", player.failure());
}
