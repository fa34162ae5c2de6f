//! The search against plain minimax with the same evaluation, which also extends captures.

use super::*;
use crate::budget::{Budget, Status};
use crate::game::checkers::Rules;
use crate::game::{Game, GameState, Move, referee};
use crate::search::MoveValue;
use crate::search::pvs::Evaluate as _;
use crate::{Spec, Turn, build, choose};
use std::time::{Duration, Instant};

/// The value of a win, from which its plies are subtracted.
const WON: i64 = 1 << 40;

/// The value for the side to move, without pruning or a table.
fn minimax(game_state: &GameState<Checkers>, depth: u32, settings: &Samuel, evaluator: &Evaluator, plies: i64) -> i64 {
    let pos = game_state.pos();
    if pos.is_over() {
        return plies - WON;
    }
    if game_state.ending().is_some() {
        return 0;
    }
    if depth == 0 {
        return if settings.plays_out { played_out(pos, evaluator, plies) } else { evaluator.value(pos).into() };
    }
    let value = |mv| -minimax(&played(game_state, mv), depth - 1, settings, evaluator, plies + 1);
    pos.moves().map(value).max().unwrap()
}

/// The value after best play while there are jumps.
fn played_out(pos: &Checkers, evaluator: &Evaluator, plies: i64) -> i64 {
    match () {
        () if pos.is_over() => plies - WON,
        () if pos.must_jump() => pos.moves().map(|mv| -played_out(&pos.play(mv), evaluator, plies + 1)).max().unwrap(),
        () => evaluator.value(pos).into(),
    }
}

fn played(game_state: &GameState<Checkers>, mv: Move) -> GameState<Checkers> {
    let mut after = game_state.clone();
    after.play(mv);
    after
}

/// Positions in play: random games, and their endings with few pieces and many kings.
fn courses() -> Vec<GameState<Checkers>> {
    let game = |game: u64| {
        let mut rng = rng::keyed(&[game, 9]);
        let rules: Rules = if game % 5 == 4 { "limit=40" } else { "" }.parse().unwrap();
        let mut game_state = GameState::new(rules.position());
        let mut seen = Vec::new();
        let stop = rng.random_range(4..120);
        while !game_state.is_over() && game_state.plies() < stop {
            seen.push(game_state.clone());
            let mv = game_state.pos().pick(rng.next_u32());
            game_state.play(mv);
        }
        // The last few are enough.
        seen.split_off(seen.len().saturating_sub(3))
    };
    (0..40).flat_map(game).collect()
}

fn settings(depth: u32, number: usize) -> Samuel {
    let mut weights = weights::ONES;
    let mut rng = rng::keyed(&[number as u64, 2]);
    if !number.is_multiple_of(3) {
        weights.0.iter_mut().for_each(|weight| *weight = rng.random_range(-1.0..4.0));
    }
    Samuel { plays_out: number % 4 != 3, ..Samuel::new(depth, weights) }
}

fn searched(searcher: &mut Searcher, game_state: &GameState<Checkers>) -> crate::search::Report {
    searcher.begin(game_state, 1);
    assert_eq!(searcher.step(Budget::UNLIMITED), Status::Done);
    searcher.report().unwrap()
}

#[test]
fn values_and_moves_are_those_of_minimax() {
    for (number, game_state) in courses().into_iter().enumerate() {
        if game_state.pos().count_moves() < 2 {
            continue;
        }
        for depth in 1..=4 {
            let settings = Samuel { ties: Ties::Random, ..settings(depth, number) };
            let evaluator = Evaluator::new(&settings.weights);
            let valued: Vec<(Move, i64)> = game_state
                .pos()
                .moves()
                .map(|mv| (mv, -minimax(&played(&game_state, mv), depth - 1, &settings, &evaluator, 1)))
                .collect();
            let most = valued.iter().map(|(_, value)| *value).max().unwrap();
            let best: Vec<Move> = valued.iter().filter(|(_, value)| *value == most).map(|(mv, _)| *mv).collect();
            let report = searched(&mut Searcher::new(&settings), &game_state);
            let expected = match most {
                win if win > WON / 2 => MoveValue::Wins((WON - win) as u32),
                loss if loss < -WON / 2 => MoveValue::Loses((WON + loss) as u32),
                value => MoveValue::Value(evaluator.thousandths(value as i32)),
            };
            // A position decided in fewer plies is solved sooner.
            assert!(report.depth == depth || report.solved && report.depth < depth);
            assert_eq!(report.lines[0].weighed, Some(expected), "{game_state:?} to {depth}");
            let found: Vec<Move> = report.lines.iter().map(|line| line.mv).collect();
            assert_eq!(found, best, "{game_state:?} to {depth}");
            let first = Samuel { ties: Ties::First, ..settings };
            let report = searched(&mut Searcher::new(&first), &game_state);
            assert_eq!(report.best(), Some(best[0]), "{game_state:?} to {depth}");
        }
    }
}

#[test]
fn the_table_of_earlier_turns_and_how_the_work_is_cut_change_nothing() {
    let settings = Samuel::new(7, weights::ONES);
    let mut kept = Searcher::new(&settings);
    for game_state in courses().into_iter().step_by(4) {
        if game_state.is_over() {
            continue;
        }
        let whole = searched(&mut Searcher::new(&settings), &game_state);
        let again = searched(&mut kept, &game_state);
        assert_eq!(again.lines[0].weighed, whole.lines[0].weighed, "{game_state:?}");
        assert_eq!(again.best(), whole.best(), "{game_state:?}");
        let mut cut = Searcher::new(&settings);
        cut.begin(&game_state, 1);
        let mut steps = 1_u64;
        while cut.step(Budget::time(Duration::ZERO)) == Status::Running {
            steps += 1;
        }
        assert_eq!(cut.report().unwrap(), whole, "{game_state:?} in {steps} steps");
        assert!(steps > 20 || game_state.pos().count_moves() == 1 || whole.solved, "{steps} steps");
    }
}

#[test]
fn lines_are_legal_and_begin_with_their_move() {
    let settings = Samuel::new(6, weights::ONES);
    for game_state in courses().into_iter().step_by(3).filter(|game_state| !game_state.is_over()) {
        let report = searched(&mut Searcher::new(&settings), &game_state);
        for line in &report.lines {
            assert_eq!(line.pv.first(), Some(&line.mv));
            let mut game_state = game_state.clone();
            for &mv in &line.pv {
                assert!(game_state.pos().moves().any(|legal| legal == mv));
                game_state.play(mv);
            }
        }
    }
}

#[test]
fn a_win_sooner_is_better_whatever_the_weights() {
    // Black moves to 22, White must step in front of it and is captured. Only squares to step to have a weight.
    let mut weights = weights::Weights([0.0; COUNT]);
    weights.0[18] = 1e6;
    assert_eq!(TERMS[18].name, "MOB");
    let pos = drawn(
        " . . . W
         . . . .
          . . . .
         . . B .
          . . . .
         . . . .
          . . . .
         . . . .",
        Side::South,
    );
    let report = searched(&mut Searcher::new(&Samuel::new(9, weights)), &GameState::new(pos));
    assert_eq!(report.lines[0].weighed, Some(MoveValue::Wins(3)));
    // A solved position is not searched deeper.
    assert!(report.solved && report.depth == 3, "{report:?}");
    let mut game_state = GameState::new(pos);
    report.lines[0].pv.iter().for_each(|&mv| game_state.play(mv));
    assert!(game_state.is_over() && game_state.plies() == 3);
}

#[test]
fn a_position_that_came_up_twice_is_worth_nothing() {
    let mut game_state = GameState::new(drawn(
        " . . . .
         . W . .
          . . . .
         . . . .
          . . . .
         . . . .
          . B B .
         . . . B",
        Side::South,
    ));
    // Kings move back and forth on both sides.
    let go = |game_state: &mut GameState<Checkers>, texts: &[&str]| {
        for text in texts {
            let pos = Position::from(*game_state.pos());
            game_state.play(pos.move_from_text(text).unwrap());
        }
    };
    go(&mut game_state, &["1-5", "27-32", "5-1", "32-27", "1-5", "27-32", "5-1"]);
    assert!(!game_state.is_over());
    let pos = *game_state.pos();
    let back = Position::from(pos).move_from_text("32-27").unwrap();
    assert!(referee::ending(&pos.play(back), played(&game_state, back).history(), 0).is_some());
    // White, with one king against three, goes back for the draw, which it finds only with the history.
    let settings = Samuel::new(4, weights::PIECES);
    let with_past = searched(&mut Searcher::new(&settings), &game_state);
    assert_eq!((with_past.best(), with_past.lines[0].weighed), (Some(back), Some(MoveValue::Value(0))));
    let without = searched(&mut Searcher::new(&settings), &GameState::new(pos));
    assert_ne!(without.lines[0].weighed, Some(MoveValue::Value(0)));
}

#[test]
fn a_time_limit_is_kept_and_a_move_is_there() {
    let spec: Spec = "samuel:ms=400".parse().unwrap();
    let mut player = build::<Checkers>(&spec).unwrap();
    let pos = Rules::default().position();
    let turn = Turn::new(pos, 0, 1);
    let started = Instant::now();
    let mut steps = 0;
    let mv = loop {
        steps += 1;
        if let Some(mv) = player.think(&turn, Budget::time(Duration::from_millis(10))) {
            break mv;
        }
    };
    assert!(pos.moves().any(|legal| legal == mv));
    let spent = started.elapsed();
    assert!(spent >= Duration::from_millis(400) && spent < Duration::from_secs(8), "{spent:?}");
    assert!(steps > 1 && player.report().unwrap().depth > 1);
}

#[test]
fn choices_follow_from_the_turn_alone() {
    for text in ["samuel:5", "samuel:5:ties=random", "samuel:6:prune=on", "samuel:4@pieces:quiet=off"] {
        let spec: Spec = text.parse().unwrap();
        let mut player = build::<Checkers>(&spec).unwrap();
        for (number, game_state) in
            courses().into_iter().enumerate().step_by(5).filter(|(_, game_state)| !game_state.is_over())
        {
            let turn = Turn::current(&game_state, number as u64);
            let mv = choose(&mut *player, &turn);
            assert!(mv.is_some());
            assert_eq!(choose(&mut *build::<Checkers>(&spec).unwrap(), &turn), mv, "{text} {game_state:?}");
            player.rest();
            assert_eq!(choose(&mut *player, &turn), mv, "{text}");
        }
    }
}

#[test]
fn pruning_looks_at_fewer_positions_and_mostly_finds_the_same() {
    let plain = Samuel::new(8, weights::ONES);
    let pruned = Samuel { prunes: true, ..plain.clone() };
    let mut nodes = [0, 0];
    let mut same = 0;
    let mut count = 0;
    for game_state in courses().into_iter().step_by(6).filter(|game_state| !game_state.is_over()) {
        let reports = [&plain, &pruned].map(|settings| searched(&mut Searcher::new(settings), &game_state));
        nodes[0] += reports[0].nodes;
        nodes[1] += reports[1].nodes;
        same += u32::from(reports[0].best() == reports[1].best());
        count += 1;
    }
    assert!(nodes[1] < nodes[0] * 9 / 10, "{nodes:?}");
    assert!(2 * same > count, "{same} of {count}");
}

#[test]
fn the_sum_is_that_of_the_terms() {
    for number in 0..6 {
        let samuel = settings(1, number);
        let evaluator = Evaluator::new(&samuel.weights);
        for pos in positions(20) {
            let terms = explain(&Position::from(pos), pos.side(), &samuel.weights).unwrap();
            let sum: f64 = terms.iter().map(|term| term.contribution).sum();
            let value = evaluator.thousandths(evaluator.value(&pos)) as f64 / 1000.0;
            assert!((value - sum).abs() < 0.02, "{value} and {sum} of {pos:?}");
        }
    }
    // Weights of 1 are exact, however large.
    for weights in
        [weights::ONES, weights::Weights([1_048_576.0; COUNT]), weights::PIECES, weights::Weights([0.0; COUNT])]
    {
        let evaluator = Evaluator::new(&weights);
        for pos in positions(10) {
            let terms = explain(&Position::from(pos), pos.side(), &weights).unwrap();
            let sum: f64 = terms.iter().map(|term| term.contribution).sum();
            assert_eq!(evaluator.thousandths(evaluator.value(&pos)) as f64, sum * 1000.0, "{pos:?}");
        }
    }
}
