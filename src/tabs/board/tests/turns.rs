//! Computer players live on from turn to turn, and what they remember with them.

use std::time::Duration;

use crate::app::stage::Stage;
use crate::budget::{Budget, Job};
use crate::game::record::Record;
use crate::player::{MoveJob, Spec};
use crate::search::Report;

/// A number as the screen writes it, such as `950` or `12.3k`.
fn number(word: &str) -> Option<f64> {
    word.strip_suffix('k').map_or_else(|| word.parse().ok(), |word| word.parse::<f64>().ok().map(|n| n * 1e3))
}

/// The number of nodes in the line below the board.
fn nodes(stage: &mut Stage) -> f64 {
    let line = stage.story().remove(0);
    number(line.split(" nodes").next().and_then(|before| before.split(' ').next_back()).unwrap()).unwrap()
}

/// The visits of all moves in the panel.
fn visits(stage: &mut Stage) -> f64 {
    let panel = stage.panel("Monte Carlo").expect("the analysis");
    panel.lines().iter().filter_map(|row| row.split(' ').find_map(number)).sum()
}

/// What a player that remembers nothing chooses, and what it reports.
fn fresh(record: &Record, ply: usize, spec: &str) -> (crate::game::Move, Report) {
    let mut position = *record.start();
    for step in &record.line()[..ply] {
        position = position.play(step.mv);
    }
    let spec: Spec = spec.parse().unwrap();
    let mut thinking = MoveJob::new(position, &spec, ply as u32, record.seed.unwrap()).unwrap();
    thinking.step(Budget::UNLIMITED);
    let thought = thinking.view();
    (thought.choice.unwrap(), thought.report.unwrap())
}

/// Lets two players finish their game, and calls `look` whenever one has chosen and its move is not made yet.
fn play(stage: &mut Stage, mut look: impl FnMut(&mut Stage)) -> Record {
    stage.wait();
    while stage.record().ending().is_none() {
        look(stage);
        stage.pass(Duration::from_secs(1));
    }
    stage.record().clone()
}

#[test]
fn a_table_stays_from_turn_to_turn_and_changes_no_move() {
    let mut stage = Stage::new("minimax:7", "minimax:7:ties=random");
    let mut seen = Vec::new();
    let record = play(&mut stage, |stage| seen.push(nodes(stage)));
    let players = ["minimax:7", "minimax:7:ties=random"];
    let mut position = *record.start();
    let mut afresh = Vec::new();
    for (ply, mv) in record.line().iter().map(|step| step.mv).enumerate() {
        let (choice, report) = fresh(&record, ply, players[position.side().index()]);
        assert_eq!(mv, choice, "move {ply}");
        afresh.push(report.nodes as f64);
        position = position.play(mv);
    }
    assert_eq!(seen.len(), afresh.len());
    assert!((seen[0] - afresh[0]).abs() < 100.0, "the first search has no memory: {seen:?} {afresh:?}");
    let sum = |all: &[f64]| all.iter().sum::<f64>();
    assert!(seen.iter().zip(&afresh).all(|(seen, afresh)| seen <= afresh), "{seen:?} against {afresh:?}");
    assert!(sum(&seen) < 0.95 * sum(&afresh), "{seen:?} against {afresh:?}");
}

#[test]
fn a_tree_is_resumed_in_the_next_turn_if_its_player_reuses_it() {
    for (south, grows) in [("mcts:400:reuse=yes", true), ("mcts:400", false)] {
        let mut stage = Stage::new(south, "max");
        stage.wait();
        stage.keys("i");
        let mut seen = Vec::new();
        let record = play(&mut stage, |stage| {
            let thinks = format!("South thinks: {south} 400 games");
            if stage.panel("Monte Carlo").is_some_and(|panel| panel.foot.starts_with(&thinks)) {
                seen.push(visits(stage));
            }
        });
        let whole = seen.iter().filter(|&&visits| visits > 400.0).count();
        assert_eq!(whole > seen.len() / 2, grows, "{south}: {seen:?}");
        assert!(seen[0] <= 400.0, "{seen:?}");
        if !grows {
            assert_eq!(whole, 0, "{seen:?}");
            let line = record.line();
            let own = line.iter().scan(*record.start(), |position, step| {
                let side = position.side();
                *position = position.play(step.mv);
                Some((side, step.mv))
            });
            for (ply, (side, mv)) in own.enumerate() {
                if side == crate::game::Side::South {
                    assert_eq!(mv, fresh(&record, ply, south).0, "move {ply}");
                }
            }
        }
    }
}

#[test]
fn a_move_taken_back_is_answered_as_before() {
    let mut stage = Stage::new("human", "minimax:6:ties=random");
    stage.keys("C F");
    let answered = stage.moves();
    // The same move again is the same line: another answer would stand beside it as a variation.
    stage.keys("u F");
    assert_eq!(stage.moves(), answered);
    stage.keys("u A u F");
    let line = stage.record().line();
    stage.keys("home right right right right");
    assert_eq!(stage.record().line(), line);
}

#[test]
fn a_new_game_begins_with_players_that_remember_nothing() {
    let mut stage = Stage::new("minimax:7", "minimax:7");
    stage.wait();
    let first = nodes(&mut stage);
    for _ in 0..6 {
        stage.pass(Duration::from_secs(1));
    }
    stage.keys("n enter");
    assert_eq!(stage.moves(), "No moves yet");
    assert_eq!(nodes(&mut stage), first);
}
