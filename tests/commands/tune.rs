//! `mancalab tune` and `mancalab reproduce kalah-thesis/…` as processes.

use std::fs;

use serde_json::Value;

use super::{assert_refused, failure, kill, mancalab, rows, start, stdout, wait_for_rows};

const RUN: &[&str] = &["tune", "kalah-thesis", "--seed", "3", "--population", "12", "--generations", "40"];

#[test]
fn killed_and_resumed_a_run_writes_the_same_rows() {
    let state = tempfile::tempdir().unwrap();
    let whole = state.path().join("whole");
    let cut = state.path().join("cut");
    let text = stdout(mancalab(state.path()).args(RUN).args(["--threads", "1", "--out"]).arg(&whole));
    assert!(
        text.contains("generation 40: best ")
            && text.contains("play: mancalab --game kalah:6x4:standard --north heuristic:4@"),
        "{text}"
    );
    assert_eq!(rows(&whole).lines().count(), 42);

    let mut child = start(state.path(), &cut, &[RUN, &["--out"]].concat());
    wait_for_rows(&mut child, &cut, 5);
    kill(child);
    let text = stdout(mancalab(state.path()).args(["tune", "--json", "--threads", "2", "--resume"]).arg(&cut));
    assert_eq!(rows(&cut), rows(&whole));
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let end = events.last().unwrap();
    assert_eq!((&events[0]["event"], &end["event"], &end["finished"]), (&"begin".into(), &"end".into(), &true.into()));
    // The best individual is a player.
    let player = format!("heuristic:2@{}", cut.join("best.txt").display());
    let set = format!("weights={}", player.split_once('@').unwrap().1);
    let matches = ["reproduce", "kalah-thesis/matches", "--games", "4", "--set", "opponents=random+max", "--set", &set];
    assert!(stdout(mancalab(state.path()).args(matches)).contains("v max"));
}

/// Any task is tuned, shown and resumed in the same way.
#[test]
fn weights_for_checkers_are_tuned_and_the_run_is_extended() {
    let state = tempfile::tempdir().unwrap();
    let run = ["tune", "checkers-ga", "--seed", "4", "--population", "6", "--set", "depth=1", "--set", "limit=20"];
    let text = stdout(mancalab(state.path()).args(run).args(["--generations", "2", "--out", "short"]));
    assert!(
        text.contains("generation 2: best ")
            && text.contains("play: mancalab --game checkers:limit=20 --north samuel:1@"),
        "{text}"
    );
    stdout(mancalab(state.path()).args(run).args(["--generations", "4", "--out", "long", "--threads", "1"]));
    stdout(mancalab(state.path()).args(["tune", "--resume", "short", "--generations", "4"]));
    let [short, long] = ["short", "long"].map(|name| rows(&state.path().join(name)));
    assert_eq!(short, long);
    assert!(
        long.starts_with("generation,best_percent,mean_percent,worst_percent,best_id,best_born,ADV,APEX,"),
        "{long}"
    );
    let listed = stdout(mancalab(state.path()).args(["runs", "show", "short"]));
    assert!(listed.contains("checkers-ga") && listed.contains("depth"), "{listed}");
    // The best individual is a player.
    let player = format!("samuel:1@{}", state.path().join("long/best.txt").display());
    let score = ["match", &player, "random", "--game", "checkers", "--games", "2"];
    stdout(mancalab(state.path()).args(score));
}

#[test]
fn mistakes_are_told() {
    let state = tempfile::tempdir().unwrap();
    let error = |arguments: &[&str]| failure(mancalab(state.path()).args(arguments));
    assert_eq!(
        error(&["tune", "chess"]),
        "error: no preset is named 'chess'; known: kalah-thesis, oware-weights, checkers-ga, checkers-ga-robin, kalah-hybrid, kalah-network\n"
    );
    let game = error(&["tune", "oware-weights", "--set", "game=checkers"]);
    assert!(game.contains("Checkers has no pits; known: kalah") && game.contains("awari"), "{game}");
    let refused = [
        ("tune kalah-thesis --set depth=99", "a whole number from 1 to 12 is expected"),
        ("tune kalah-thesis --set depth", "--set takes KEY=VALUE"),
        ("tune kalah-thesis --population 1", "from 2 to 1000"),
        ("tune --resume nowhere", "no run is named 'nowhere'"),
        ("reproduce kalah-thesis/table4", "did you mean 'kalah-thesis/table"),
    ];
    assert_refused(state.path(), &refused);
    assert_eq!(fs::read_dir(state.path()).unwrap().count(), 0);
}

#[test]
fn tables_are_reproduced() {
    let state = tempfile::tempdir().unwrap();
    let table2 = ["reproduce", "kalah-thesis/table2", "--games", "2", "--json"];
    let table: Value = serde_json::from_str(&stdout(mancalab(state.path()).args(table2))).unwrap();
    assert_eq!(table["lines"].as_array().unwrap().len(), 20);
    assert!(table["reading"]["H9, H10"].as_str().unwrap().starts_with("near=indicator"));
    let table3 = ["reproduce", "kalah-thesis/table3", "--runs", "2", "--generations", "1", "--set", "population=6"];
    let text = stdout(mancalab(state.path()).args(table3).args(["--out", "t3"]));
    assert!(text.contains("W7 lowest") && text.contains("2 runs of 1 generations"), "{text}");
    for file in ["kalah-thesis-table3.csv", "kalah-thesis-table3.svg", "seed1/generations.csv", "seed2/best.txt"] {
        assert!(state.path().join("t3").join(file).exists(), "{file}");
    }
}
