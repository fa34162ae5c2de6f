//! `mancalab engine` and `analyse` as processes, and the player that is another program.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, test_kill_process};
use serde_json::Value;

use crate::messages::{PATIENCE, await_file, await_readiness, home, kill, mancalab, text};

const PROGRAM: &str = env!("CARGO_BIN_EXE_mancalab");

/// A running engine.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(home: &Path, args: &[&str]) -> Engine {
        let mut command = mancalab(home, &["engine"]);
        let mut child = command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Engine { child, input, output }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// Reads lines up to one that begins with `begin`, and returns it.
    fn until(&mut self, begin: &str) -> String {
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "no line begins with {begin}");
            if line.starts_with(begin) {
                return line.trim_end().to_owned();
            }
        }
    }
}

/// The JSON of a command.
fn json(home: &Path, args: &[&str]) -> Value {
    let run = mancalab(home, args).output().unwrap();
    assert!(run.status.success(), "{}", text(&run.stderr));
    serde_json::from_slice(&run.stdout).unwrap()
}

#[test]
fn a_search_is_stopped_by_a_line_and_by_the_end_of_the_input() {
    let home = home();
    let mut engine = Engine::start(home.path(), &["--game", "checkers"]);
    engine.send("ugi");
    engine.until("ugiok");
    engine.send("go infinite");
    engine.until("info depth ");
    engine.send("isready");
    engine.until("readyok");
    engine.send("stop");
    engine.until("bestmove ");
    engine.send("\u{1b}[2J go \u{202e}");
    assert!(!engine.until("info string unknown line").contains(['\u{1b}', '\u{202e}']));
    engine.send("go infinite");
    engine.until("info depth ");
    drop(engine.input);
    let rest: Vec<String> = engine.output.lines().map(Result::unwrap).collect();
    assert!(rest.last().unwrap().starts_with("bestmove "), "{rest:?}");
    assert_eq!(engine.child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_reader_that_is_gone_ends_the_engine() {
    let home = home();
    let Engine { mut child, mut input, output } = Engine::start(home.path(), &[]);
    drop(output);
    writeln!(input, "go infinite").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn an_engine_plays_like_its_player() {
    let home = home();
    let score = |player: &str, game: &str| {
        let match_ = ["match", player, "max:ties=last", "--game", game, "--games", "4", "--seed", "3", "--json"];
        let result = json(home.path(), &match_);
        assert_eq!(result["players"][0], player);
        assert!(result["seconds_a_move"][0].as_f64().is_some());
        ["all", "first", "second", "mean_margin"].map(|key| match &result[key] {
            Value::Object(share) => ["wins", "draws", "losses"].map(|key| share[key].to_string()).join(" "),
            other => other.to_string(),
        })
    };
    for (game, protocol) in [("kalah", "ugi"), ("checkers", "uci"), ("oware", "ugi"), ("othello", "nboard")] {
        let engine = format!("engine:\"{PROGRAM} engine\":protocol={protocol}:depth=3").replace(":protocol=ugi", "");
        assert_eq!(score(&engine, game), score("minimax:3", game), "{game} by {protocol}");
    }
}

#[test]
fn two_engines_play_a_match_and_leave_no_process() {
    let home = home();
    // The shell of each engine writes its number.
    let engine = |name: &str| format!("engine:\"echo $$ >> {name}; exec {PROGRAM} engine\":depth=2");
    let a = engine("a");
    let b = engine("b");
    let result = json(home.path(), &["match", &a, &b, "--games", "2", "--seed", "1", "--json", "--threads", "1"]);
    assert_eq!(result["games"], 2);
    for name in ["a", "b"] {
        let numbers = fs::read_to_string(home.path().join(name)).unwrap();
        // One for each seat.
        assert_eq!(numbers.lines().count(), 2);
        numbers.lines().for_each(|number| assert!(!is_alive(number), "{name}: {number}"));
    }
}

#[test]
fn a_tournament_with_an_engine_is_resumed_and_starts_nothing_to_be_listed() {
    let home = home();
    let players = format!("max,engine:\"touch mark; echo a,b >&2; exec {PROGRAM} engine\":depth=1");
    let run = |args: &[&str]| {
        let run = mancalab(home.path(), args).output().unwrap();
        assert!(run.status.success(), "{}", text(&run.stderr));
        text(&run.stdout)
    };
    run(&["match", "--players", &players, "--games", "1", "--seed", "1", "--out", "run"]);
    let mark = home.path().join("mark");
    fs::remove_file(&mark).unwrap();
    for command in [&["match", "--resume", "run", "--format", "csv"][..], &["runs", "show", "run"]] {
        let listed = run(command);
        assert!(listed.contains("engine:") && !mark.exists(), "{command:?}: {listed}");
    }
    run(&["match", "--resume", "run", "--games", "2"]);
    assert!(mark.exists());
}

fn is_alive(number: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", number.trim())).unwrap_or_default();
    let pid = Pid::from_raw(number.trim().parse().unwrap()).unwrap();
    test_kill_process(pid).is_ok() && !stat.contains(") Z ")
}

/// A script that answers nothing and does not end by itself, not even at the end of its input.
const DEAF: &str = "echo $$ > pid.$$; mv pid.$$ pid; while read -r line; do :; done; exec sleep 1000";

/// A match with that script.
fn deaf(home: &Path) -> Child {
    fs::write(home.join("deaf.sh"), DEAF).unwrap();
    let args = ["match", "engine:\"exec sh deaf.sh\"", "max", "--games", "2", "--seed", "1"];
    let mut child = mancalab(home, &args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    await_file(&mut child, &home.join("pid"));
    await_readiness(&child);
    child
}

#[test]
fn a_signal_ends_the_programs_too() {
    for signal in [Signal::INT, Signal::TERM] {
        let home = home();
        let mut child = deaf(home.path());
        kill(&child, signal);
        assert_eq!(child.wait().unwrap().code(), Some(128 + signal.as_raw()));
        let number = fs::read_to_string(home.path().join("pid")).unwrap();
        assert!(!is_alive(&number), "{signal:?}");
    }
}

#[test]
fn a_program_whose_caller_is_killed_is_killed_too() {
    let home = home();
    let mut child = deaf(home.path());
    kill(&child, Signal::KILL);
    child.wait().unwrap();
    let number = fs::read_to_string(home.path().join("pid")).unwrap();
    let deadline = Instant::now() + PATIENCE;
    while is_alive(&number) {
        assert!(Instant::now() < deadline, "it stays");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_position_is_analysed_in_every_format() {
    let home = home();
    let prints = |args: &[&str]| {
        let run = mancalab(home.path(), &[&["analyse"], args].concat()).output().unwrap();
        assert!(run.status.success(), "{}", text(&run.stderr));
        text(&run.stdout)
    };
    let table = prints(&["--depth", "8"]);
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(
        (&rows[1][..], rows[3][0], &rows[4][..3]),
        (&["South", "to", "move"][..], "move", &["C", "+4", "8"][..])
    );
    let csv = prints(&["--game", "checkers", "--depth", "5", "--multipv", "2", "--format", "csv"]);
    assert_eq!((csv.lines().count(), csv.lines().next()), (3, Some("move,value,solved,depth,line")));
    assert!(prints(&["--depth", "2", "--format", "md"]).starts_with("| Move | Value | Depth | Line |\n|---|"));
    let solved = json(home.path(), &["analyse", "--game", "kalah:4x3", "--exact", "--json"]);
    let margins: Vec<i64> =
        solved["moves"].as_array().unwrap().iter().map(|row| row["margin"].as_i64().unwrap()).collect();
    assert_eq!((margins, &solved["solved"]), (vec![6, 2, -2, -6], &Value::Bool(true)));
    let position = ["--position", "W:WK1:BK10"];
    let lost =
        json(home.path(), &[&["analyse", "--game", "checkers", "--json", "--depth", "3"], &position[..]].concat());
    assert_eq!((&lost["moves"][0]["solved"], &lost["moves"][1]["outcome"]), (&false.into(), &Value::from("loss")));
    assert_eq!(lost["moves"][1]["line"], serde_json::json!(["1-6", "10x1"]));
    for args in [&["--position", "x"][..], &["--depth", "3", "--ms", "5"], &["--depth", "0"]] {
        let run = mancalab(home.path(), &[&["analyse"], args].concat()).output().unwrap();
        assert_eq!((run.status.code(), run.stdout.len()), (Some(2), 0), "{args:?}");
    }
}

/// A public problem of Othello with 25 empty squares, where b6 gives −24, a6 −30 and h6 −42.
const PROBLEM: &str = "-XXOXXOXXOXXOXXOXXOXXOXXOXXOXXOXXOXXOXXO------------------------ X";

#[test]
fn what_is_not_solved_is_said_with_status_1() {
    let home = home();
    let solve = |args: &[&str]| {
        let run = mancalab(home.path(), &[&["analyse", "--exact", "--json"], args].concat()).output().unwrap();
        (run.status.code(), text(&run.stdout), text(&run.stderr))
    };
    let limit = "Othello is solved from 24 empty squares on (this position has 25)";
    let (code, found, error) = solve(&["--game", "othello", "--position", PROBLEM]);
    assert_eq!((code, found.as_str(), error.trim_end()), (Some(1), "", &*format!("mancalab: --exact: {limit}")));
    let (code, found, error) = solve(&["--game", "oware", "--ms", "1"]);
    assert_eq!((code, error.trim_end()), (Some(1), "mancalab: 0 of 6 moves solved"));
    assert!(found.contains(r#""solved":false"#), "{found}");
    // The same with seven empty squares.
    let near = PROBLEM.replacen("------------------------", "XXXXXXXXXXXXXXXXXX------", 1);
    let (code, found, error) = solve(&["--game", "othello", "--position", &near]);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{found}");
    assert!(found.contains(r#""solved":true"#), "{found}");
    let run = mancalab(home.path(), &["review", "x.game", "--solve", "25"]).output().unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert!(text(&run.stderr).contains("0 to 24"), "{}", text(&run.stderr));
}

#[test]
fn every_move_has_a_value_in_json() {
    let home = home();
    for (game, unit) in [("kalah", 1.0), ("othello", 1.0), ("checkers", 2.0), ("oware", 1.0)] {
        let analysis = json(home.path(), &["analyse", "--game", game, "--depth", "4", "--json"]);
        for row in analysis["moves"].as_array().unwrap() {
            let value = row["value"].as_f64().unwrap_or_else(|| panic!("{game}: {row}"));
            assert!(row["margin"].as_f64().is_none_or(|margin| margin == unit * value), "{game}: {row}");
        }
    }
    let won =
        json(home.path(), &["analyse", "--game", "checkers", "--position", "W:WK1:BK10", "--depth", "3", "--json"]);
    let lost = &won["moves"][1];
    assert_eq!((&lost["value"], &lost["outcome"], &lost["plies"]), (&Value::Null, &"loss".into(), &2.into()));
}

#[test]
fn values_of_othello_do_not_swing_with_the_depth() {
    let home = home();
    // The signs of the values of single depths change from ply to ply here.
    let values: Vec<f64> = (5..11)
        .map(|depth| {
            let depth = depth.to_string();
            let analysis = json(home.path(), &["analyse", "--game", "othello", "--depth", &depth, "--json"]);
            analysis["moves"][0]["value"].as_f64().unwrap()
        })
        .collect();
    assert!(values.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 1.5), "{values:?}");
}
