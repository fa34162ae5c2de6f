use super::*;
use crate::game::checkers::Checkers;
use crate::game::kalah::Kalah;
use crate::game::othello::Othello;
use crate::game::sowing::oware::Oware;
use crate::game::{BoardGame, GameState};
use crate::{Analysis, Limits, Report, Search, SearchHints, Table, Ties};
use rand::Rng as _;

/// A game after some random moves, which is not over.
fn random<G: BoardGame>(start: G, plies: u32, seed: u64) -> GameState<G> {
    let mut rng = crate::rng::keyed(&[seed]);
    loop {
        let mut game_state = GameState::new(start);
        for _ in 0..plies {
            if !game_state.is_over() {
                game_state.play(game_state.pos().pick(rng.next_u32()));
            }
        }
        if !game_state.is_over() && game_state.pos().count_moves() > 1 {
            return game_state;
        }
    }
}

fn kalah() -> Kalah {
    Kalah::start("6x4:standard".parse().unwrap())
}

/// Moves, values and depths of a search's last iteration.
fn values(report: &Report) -> Vec<(u16, i32, u32)> {
    report.lines.iter().map(|line| (line.mv.0, line.margin, line.depth)).collect()
}

/// Compares searches on several threads with those on one. Returns whether any had helpers.
fn compare<G: BoardGame + SearchHints>(start: G, depth: u32, plies: &[u32]) -> bool {
    let mut helped = false;
    for (seed, &plies) in plies.iter().enumerate() {
        let game_state = random(start, plies, seed as u64);
        for ties in [Ties::First, Ties::Random] {
            let limits = Limits { ties, seed: 3, ..Limits::depth(depth) };
            let mut alone = Search::new(game_state.clone(), limits);
            alone.step(Budget::UNLIMITED);
            for count in [2, 3] {
                let mut many = Search::with_table(game_state.clone(), limits, Table::new(64)).on(Threads::Own(count));
                let mut steps = 0;
                while many.step(Budget::time(Duration::from_micros(700))) == Status::Running {
                    steps += 1;
                    helped |= many.helpers_count() + 1 == count;
                }
                assert_eq!(values(&many.report()), values(&alone.report()), "{:?} {steps}", game_state.pos());
                assert_eq!(many.best_move(), alone.best_move());
            }
        }
        let mut alone = Analysis::new(game_state.clone(), depth, Table::new(16));
        let mut many = Analysis::new(game_state.clone(), depth, Table::new(16)).on(&Pool::new(2));
        alone.step(Budget::UNLIMITED);
        many.step(Budget::UNLIMITED);
        assert_eq!(values(&many.report()), values(&alone.report()), "{:?}", game_state.pos());
    }
    helped
}

#[test]
fn threads_change_neither_values_nor_moves() {
    assert!(compare(kalah(), 13, &[0, 4, 9, 14, 22]));
    // How often others help depends on the machine: here the iterations are short.
    compare(Oware::start(Default::default()), 10, &[0, 6, 15]);
    compare(Othello::start(Default::default()), 7, &[4, 20, 51]);
    compare(Checkers::start(Default::default()), 9, &[4, 12, 30]);
}

#[test]
fn a_step_of_several_threads_ends_with_its_budget() {
    let mut search = Search::new(random(kalah(), 2, 1), Limits::depth(60)).on(Threads::Own(3));
    for _ in 0..20 {
        let began = std::time::Instant::now();
        assert_eq!(search.step(Budget::time(Duration::from_millis(10))), Status::Running);
        // Pieces of work of a slow build, on a busy machine.
        assert!(began.elapsed() < Duration::from_secs(2));
    }
}

#[test]
fn a_pool_helps_in_its_turn() {
    let pool = Pool::new(2);
    let mut analysis = Analysis::new(random(kalah(), 2, 1), 60, Table::new(16)).on(&pool);
    for _ in 0..10 {
        assert_eq!(analysis.step(Budget::time(Duration::from_millis(2))), Status::Running);
        drop(pool.turn());
    }
}

#[test]
fn helpers_stop_when_the_search_panics() {
    let mut helpers = Helpers::new(Threads::Own(3));
    let work = |calls: &mut Option<u32>, _| {
        match calls {
            Some(0) => *calls = Some(1),
            Some(_) => panic!("the search panics"),
            None => {}
        }
        Status::Running
    };
    let step = || helpers.step(&mut Some(0), Budget::UNLIMITED, work, |_, _| Some(None));
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(step)).is_err());
}
