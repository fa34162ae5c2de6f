//! Selective searches against plain minimax, and against themselves however they are interrupted.

use super::*;
use crate::evaluations::othello::Weights;
use crate::evaluations::{Errors, LearnedEvaluation as _, LearnedWeights};
use crate::game::checkers::Checkers;
use crate::game::othello::{Othello, PASS};
use crate::game::{BoardGame as _, GameState};
use crate::rng;
use rand::Rng as _;
use std::sync::Arc;

/// Random weights whose searches disagree often.
fn weights() -> Arc<Weights> {
    let mut random = rng::keyed(&[1]);
    let mut weight = || (random.next_u32() % 101) as i16 - 50;
    let stages = (0..Othello::STAGES).map(|_| (0..Othello::weights_per_stage()).map(|_| weight()).collect()).collect();
    Arc::new(Othello::weights(&LearnedWeights { stages, errors: Errors([5.5, 0.05, -0.1, 0.0]) }))
}

/// Positions of random games, one after each number of discs from 4 on.
fn positions(key: u64) -> Vec<Othello> {
    let mut random = rng::keyed(&[2, key]);
    let mut pos = Othello::start(Default::default());
    let mut all = Vec::new();
    while !pos.is_over() {
        all.push(pos);
        pos = pos.play(pos.pick(random.next_u32()));
    }
    all
}

/// Plain minimax, in which a pass costs no depth.
fn minimax(evaluator: &OthelloEvaluator, pos: &Othello, depth: u32) -> i32 {
    if pos.is_over() {
        return evaluator.ended(pos);
    }
    if depth == 0 {
        return evaluator.value(pos, &evaluator.state(pos));
    }
    let value = |mv| -minimax(evaluator, &pos.play(mv), depth - u32::from(mv != PASS));
    pos.moves().map(value).max().unwrap()
}

fn search(pos: &Othello, evaluator: &OthelloEvaluator, aim: Aim) -> Selective<Othello, OthelloEvaluator> {
    let mut search = Selective::new(pos, evaluator.clone(), aim, Table::default());
    assert_eq!(search.step(Budget::UNLIMITED), Status::Done);
    search
}

#[test]
fn shallow_searches_are_plain_minimax() {
    let evaluator = Othello::evaluator_in_full(weights());
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
    let evaluator = Othello::evaluator_in_full(weights());
    for pos in positions(9) {
        // After a pass the search of the next position is one ply shorter.
        let report = search(&pos, &evaluator, Aim { depth: 3, all: true }).report();
        assert_eq!(report.lines.len(), pos.moves().count());
        for line in report.lines {
            let value = -minimax(&evaluator, &pos.play(line.mv), 2);
            assert_eq!(line.weighed, Some(MoveValue::Value(i64::from(value) * 10)), "{pos:?} {:?}", line.mv);
        }
    }
}

#[test]
fn values_that_swing_are_means_of_two_depths_and_moves_pass_that_are_better_at_both() {
    let evaluator = Othello::evaluator_in_full(weights());
    for pos in positions(9).into_iter().step_by(3) {
        for depth in 1..=3 {
            let aim = Aim { depth, all: true };
            let mut search = Selective::new(&pos, evaluator.clone(), aim, Table::default()).averaged();
            assert_eq!(search.step(Budget::UNLIMITED), Status::Done);
            let report = search.report();
            let values = |line: &Line| {
                let child = pos.play(line.mv);
                let before =
                    if depth > 1 { -minimax(&evaluator, &child, depth - 2) } else { minimax(&evaluator, &pos, 0) };
                [before, -minimax(&evaluator, &child, depth - 1)]
            };
            let values: Vec<[i32; 2]> = report.lines.iter().map(values).collect();
            for (line, [before, after]) in report.lines.iter().zip(&values) {
                let mean = (before + after).div_euclid(2);
                assert!(
                    line.solved || line.weighed == Some(MoveValue::Value(i64::from(mean) * 10)),
                    "{pos:?} {:?}",
                    line.mv
                );
            }
            let gains = |pair: &[[i32; 2]]| [pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]];
            assert!(values.windows(2).map(gains).all(|[a, b]| a.min(b) < 0 || a.max(b) == 0), "{values:?}");
        }
    }
}

#[test]
fn interruptions_and_former_tables_change_nothing() {
    let evaluator = Othello::evaluator(weights());
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
fn a_search_by_two_plies_has_the_values_of_its_depths() {
    let evaluator = Othello::evaluator_in_full(weights()).in_time();
    for pos in positions(12).into_iter().step_by(11) {
        for depth in [5, 7, 8, 9] {
            let aim = Aim { depth, all: false };
            let whole = search(&pos, &evaluator, aim);
            let mut other = Selective::new(&pos, evaluator.clone(), aim, Table::default()).by_two_plies();
            let mut depths = Vec::new();
            while other.step(Budget::time(std::time::Duration::ZERO)) == Status::Running {
                depths.push(other.report().depth);
            }
            depths.push(other.report().depth);
            depths.retain(|depth| *depth > 0);
            depths.dedup();
            assert_eq!(other.value(), whole.value(), "{pos:?} to {depth}");
            let expected = [1, 2, 3, 4, 5, 6, 8, 9].into_iter().filter(|reached| *reached < depth);
            assert!(other.report().solved || depths == expected.chain([depth]).collect::<Vec<_>>(), "{depths:?}");
        }
    }
}

#[test]
fn lines_are_legal_and_finished_games_have_none() {
    let evaluator = Othello::evaluator(weights());
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

mod checkers {
    use super::*;
    use crate::game::checkers::Checkers;
    use crate::pvs::before;
    use crate::tables::endgame::outcomes::outcome;
    use rand::RngExt as _;

    /// Weights that count material, besides random ones.
    fn weights() -> Arc<<Checkers as LearnedEvaluation>::Weights> {
        let mut random = rng::keyed(&[3]);
        let mut stage = || {
            let weights = Checkers::initial().into_iter().map(|weight| weight + random.random_range(-0.1..0.1_f32));
            Checkers::stored(&weights.collect::<Vec<_>>())
        };
        let stages = (0..Checkers::STAGES).map(|_| stage()).collect();
        Arc::new(Checkers::weights(&LearnedWeights { stages, errors: Errors([3.0, 0.1, -0.1, 0.0]) }))
    }

    fn positions(key: u64) -> Vec<Checkers> {
        let mut random = rng::keyed(&[4, key]);
        let mut pos = Checkers::start(Default::default());
        let mut all = Vec::new();
        while !pos.is_over() && all.len() < 80 {
            all.push(pos);
            pos = pos.play(pos.pick(random.next_u32()));
        }
        all
    }

    /// Plain minimax: jumps are played to their end, and one without an alternative costs no depth.
    fn minimax(evaluator: &CheckersEvaluator, pos: &Checkers, depth: u32) -> i32 {
        if pos.is_over() {
            return evaluator.ended(pos);
        }
        if depth == 0 && !pos.must_jump() {
            return evaluator.value(pos, &());
        }
        let is_forced = pos.must_jump() && pos.moves().count() == 1;
        let depth = if is_forced { depth } else { depth.saturating_sub(1) };
        pos.moves().map(|mv| before(true, minimax(evaluator, &pos.play(mv), depth))).max().unwrap()
    }

    #[test]
    fn shallow_searches_are_plain_minimax() {
        let evaluator = Checkers::evaluator_in_full(weights());
        for pos in (0..6).flat_map(positions) {
            for depth in 1..=3 {
                let mut search = Selective::new(&pos, evaluator.clone(), Aim { depth, all: false }, Table::default());
                search.step(Budget::UNLIMITED);
                assert_eq!(search.value(), Some(minimax(&evaluator, &pos, depth)), "{pos:?} to {depth}");
            }
        }
    }

    #[test]
    fn interruptions_and_former_tables_change_nothing() {
        let evaluator = Checkers::evaluator(weights());
        let mut table = Table::default();
        for pos in positions(10).into_iter().step_by(9) {
            for all in [false, true] {
                let aim = Aim { depth: 7, all };
                let mut whole = Selective::new(&pos, evaluator.clone(), aim, Table::default());
                whole.step(Budget::UNLIMITED);
                let mut cut = Selective::new(&pos, evaluator.clone(), aim, table);
                while cut.step(Budget::time(std::time::Duration::ZERO)) == Status::Running {}
                assert_eq!((cut.report(), cut.best_move()), (whole.report(), whole.best_move()), "{pos:?}");
                table = cut.into_table();
            }
        }
    }

    /// The winner of two kings against one sees the win, and a repeated position counts as drawn.
    #[test]
    fn wins_are_counted_in_plies_and_repetitions_are_draws() {
        let pos = Checkers::from_sets([0, 0], [1 << 14 | 1 << 17, 1 << 28], crate::game::Side::South);
        let evaluator = Checkers::evaluator(weights());
        let mut search = Selective::new(&pos, evaluator.clone(), Aim { depth: 14, all: false }, Table::default());
        search.step(Budget::UNLIMITED);
        assert!(matches!(search.report().lines[0].weighed, Some(MoveValue::Wins(_))), "{:?}", search.report());
        let mut state = GameState::new(pos);
        let there = ["15-19", "29-25", "19-15", "25-29"];
        for text in there {
            use crate::game::Notation as _;
            let mv = state.pos().named(text).unwrap();
            state.play(mv);
        }
        assert!(evaluator.is_drawn(state.pos(), state.history(), 4));
        // A position that came up once before the search is not drawn yet.
        assert!(!evaluator.is_drawn(state.pos(), state.history(), 0));
    }

    /// A position of four pieces with this outcome, whoever has them.
    fn endgame(random: &mut rng::Rng, sign: i32) -> Checkers {
        loop {
            let mut sets = [[0_u32; 2]; 2];
            let mut free: Vec<u32> = (4..28).collect();
            for piece in 0..4 {
                let square = free.swap_remove(random.random_range(0..free.len()));
                let side = usize::from(piece >= random.random_range(1..4));
                sets[random.random_range(0..2)][side] |= 1 << square;
            }
            let pos = Checkers::from_sets(sets[0], sets[1], crate::game::Side::South);
            if outcome(&pos).is_some_and(|outcome| outcome.sign == sign) {
                return pos;
            }
        }
    }

    /// The half points of the side to move in play to a depth of 6 plies.
    fn played(pos: Checkers, evaluator: &CheckersEvaluator) -> u32 {
        let mut state = GameState::new(pos);
        while !state.is_over() {
            let aim = Aim { depth: 6, all: false };
            let mut search = Selective::new(state.clone(), evaluator.clone(), aim, Table::default());
            search.step(Budget::UNLIMITED);
            state.play(search.best_move().unwrap());
        }
        state.ending().map_or(1, |ending| ending.outcome(pos.side()).halves())
    }

    #[test]
    fn endgames_end_with_their_outcomes() {
        let evaluator = Checkers::evaluator(Checkers::shipped()).for_play();
        let mut random = rng::keyed(&[62]);
        let won = (0..40).filter(|_| played(endgame(&mut random, 1), &evaluator) == 2).count();
        let drawn = (0..40).filter(|_| played(endgame(&mut random, 0), &evaluator) == 1).count();
        assert!(won >= 38 && drawn == 40, "{won} won and {drawn} drawn of 40");
    }

    /// Each move's value, by the search of a position with the outcomes.
    fn moves(pos: &Checkers, depth: u32) -> Vec<(crate::game::Move, i32, MoveValue)> {
        let evaluator = Checkers::evaluator(Checkers::shipped()).for_play();
        let mut search = Selective::new(pos, evaluator, Aim { depth, all: true }, Table::default());
        search.step(Budget::UNLIMITED);
        search.report().lines.into_iter().map(|line| (line.mv, line.margin, line.weighed.unwrap())).collect()
    }

    #[test]
    fn moves_within_an_endgame_win_and_lose_by_its_outcome() {
        let mut random = rng::keyed(&[63]);
        let won = Checkers::WIN_SCORE.unwrap();
        for sign in [1, 0, -1] {
            for _ in 0..20 {
                let pos = endgame(&mut random, sign);
                for (mv, margin, value) in moves(&pos, 1) {
                    let child = pos.play(mv);
                    let Some(outcome) = outcome(&child) else { continue };
                    let found = match value {
                        MoveValue::Outcome(value) => value.signum() as i32,
                        MoveValue::Value(value) => {
                            assert_eq!(value, 0, "{pos:?}");
                            0
                        }
                        MoveValue::Wins(_) | MoveValue::Loses(_) => continue,
                    };
                    assert_eq!((found, margin), (-outcome.sign, found * won), "{pos:?} {mv:?}");
                }
            }
        }
    }

    #[test]
    fn a_move_into_a_won_endgame_wins() {
        // Black's king takes the last but one of White's men, and two kings beat one man.
        let pos =
            Checkers::from_sets([0, 1 << 17 | 1 << 10 | 1 << 2], [1 << 14 | 1 << 27, 0], crate::game::Side::South);
        assert!(pos.must_jump() && (!pos.empty()).count_ones() == 5);
        let (_, margin, value) = moves(&pos, 4)[0];
        assert!(matches!(value, MoveValue::Outcome(1..) | MoveValue::Wins(_)) && margin > 0, "{value:?}");
    }
}

/// A search against the clock has the entries of those before it, whatever their depth, and a search to a depth only its own.
#[test]
fn a_table_for_a_time_is_kept() {
    let pos = positions(9)[30];
    let evaluator = Othello::evaluator(Othello::shipped());
    let visited = |depth: u32, table: Table| {
        let mut search = Selective::new(&pos, evaluator.clone(), Aim { depth, all: false }, table);
        search.step(Budget::UNLIMITED);
        let found = (search.best_move(), search.value());
        (search.report().nodes, found, search.into_table())
    };
    let (first, found, table) = visited(8, Table::kept());
    let (second, again, table) = visited(8, table);
    assert!(second * 4 < first && again == found, "{first} and {second} positions");
    assert!(table.is_kept() && table.bytes() < 4 << 20, "{}", table.bytes());
    let bytes = table.bytes();
    assert!(visited(13, table).2.bytes() > bytes, "it grows with its use");
    let (first, found, table) = visited(8, Table::default());
    let (second, again, table) = visited(8, table);
    assert_eq!((second, again, table.is_kept()), (first, found, false));
}

/// A search that the clock ends is surer of what it leaves out than one to a depth, whose results stay what they were.
#[test]
fn predictions_of_checkers_against_the_clock_have_wider_margins() {
    let pos = Checkers::start(Default::default());
    let evaluator = Checkers::evaluator(Checkers::shipped());
    let timed = evaluator.clone().in_time();
    for depth in 2..20 {
        let margin = |evaluator: &CheckersEvaluator| evaluator.cut(&pos, depth).unwrap().margin;
        assert!(margin(&timed) > margin(&evaluator), "at depth {depth}");
    }
}
