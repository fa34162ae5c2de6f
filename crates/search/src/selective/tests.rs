//! Selective searches against plain minimax, and against themselves however they are interrupted.

use super::*;
use crate::game::othello::patterns::{Errors, Learned, Weights, weights_per_stage};
use crate::game::othello::{Othello, PASS};
use crate::game::{BoardGame as _, GameState};
use crate::rng;
use rand::Rng as _;
use std::sync::Arc;

/// Random weights whose searches disagree often.
fn weights() -> Arc<Weights> {
    let mut random = rng::keyed(&[1]);
    let mut weight = || (random.next_u32() % 101) as i16 - 50;
    let stages = std::array::from_fn(|_| (0..weights_per_stage()).map(|_| weight()).collect());
    Arc::new(Weights::new(&Learned { stages, errors: Errors([5.5, 0.05, -0.1, 0.0]) }))
}

/// Positions of random games, one after each number of discs from 4 on.
fn positions(key: u64) -> Vec<Othello> {
    let mut random = rng::keyed(&[2, key]);
    let (mut pos, mut all) = (Othello::start(Default::default()), Vec::new());
    while !pos.is_over() {
        all.push(pos);
        pos = pos.play(pos.pick(random.next_u32()));
    }
    all
}

/// Plain minimax, in which a pass costs no depth.
fn minimax(evaluator: &PatternEvaluator, pos: &Othello, depth: u32) -> i32 {
    if pos.is_over() {
        return evaluator.ended(pos);
    }
    if depth == 0 {
        return evaluator.value(pos, &evaluator.state(pos));
    }
    let value = |mv| -minimax(evaluator, &pos.play(mv), depth - u32::from(mv != PASS));
    pos.moves().map(value).max().unwrap()
}

fn search(pos: &Othello, evaluator: &PatternEvaluator, aim: Aim) -> Selective<Othello, PatternEvaluator> {
    let mut search = Selective::new(pos, evaluator.clone(), aim, Table::default());
    assert_eq!(search.step(Budget::UNLIMITED), Status::Done);
    search
}

#[test]
fn shallow_searches_are_plain_minimax() {
    let evaluator = PatternEvaluator::in_full(weights());
    for pos in (0..4).flat_map(positions) {
        for depth in 1..=4 {
            let best = search(&pos, &evaluator, Aim { depth, all: false });
            let value = minimax(&evaluator, &pos, depth);
            assert_eq!(best.value(), Some(value), "{pos:?} to {depth}");
            let mv = best.best_move().unwrap();
            assert_eq!(-minimax(&evaluator, &pos.play(mv), depth - u32::from(mv != PASS)), value, "{pos:?} {mv:?}");
        }
    }
}

#[test]
fn all_moves_get_their_values() {
    let evaluator = PatternEvaluator::in_full(weights());
    for pos in positions(9) {
        // After a pass the search of the next position is one ply shorter.
        let report = search(&pos, &evaluator, Aim { depth: 3, all: true }).report();
        assert_eq!(report.lines.len(), pos.moves().count());
        for line in report.lines {
            let value = -minimax(&evaluator, &pos.play(line.mv), 2);
            assert_eq!(line.weighed, Some(Weighed::Value(i64::from(value) * 10)), "{pos:?} {:?}", line.mv);
        }
    }
}

#[test]
fn interruptions_and_former_tables_change_nothing() {
    let evaluator = PatternEvaluator::new(weights());
    for all in [false, true] {
        let mut table = Table::default();
        for pos in positions(10).into_iter().step_by(7) {
            let aim = Aim { depth: 7, all };
            let whole = search(&pos, &evaluator, aim);
            let mut cut = Selective::new(&pos, evaluator.clone(), aim, table);
            while cut.step(Budget::time(std::time::Duration::ZERO)) == Status::Running {}
            assert_eq!((cut.report(), cut.best_move()), (whole.report(), whole.best_move()), "{pos:?}");
            table = cut.into_table();
        }
    }
}

#[test]
fn lines_are_legal_and_finished_games_have_none() {
    let evaluator = PatternEvaluator::new(weights());
    for pos in positions(11) {
        let report = search(&pos, &evaluator, Aim { depth: 5, all: false }).report();
        let mut state = GameState::from(&pos);
        for &mv in &report.lines[0].pv {
            assert!(state.pos().moves().any(|legal| legal == mv));
            state.play(mv);
        }
    }
    let over = Othello::from_discs([1, 0], crate::game::Side::South);
    let search = search(&over, &evaluator, Aim { depth: 5, all: false });
    assert!(search.report().solved && search.best_move().is_none());
}
