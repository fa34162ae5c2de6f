//! Search against plain minimax: the same values and the same moves.

use mancalab::budget::{Budget, Status};
use mancalab::game::kalah::{Capture, End, Kalah, Rules};
use mancalab::game::othello::{self, Othello};
use mancalab::game::{BoardGame, Game, Move, Notation, Side};
use mancalab::pool::Pool;
use mancalab::rng;
use mancalab::search::{Analysis, Limits, Report, Search, SearchHints, Table, Ties};
use proptest::prelude::*;
use rand::RngExt;
use std::time::Duration;

/// The margin for `side` after best play for `depth` more plies, without cutoffs or a table.
fn minimax<G: Game>(pos: &G, depth: u32, side: Side) -> i32 {
    if depth == 0 || pos.is_over() {
        return pos.margin(side);
    }
    let values = pos.moves().map(|mv| minimax(&pos.play(mv), depth - 1, side));
    let best = if pos.side() == side { values.max() } else { values.min() };
    best.unwrap()
}

/// The value of every move, in canonical order.
fn values<G: Game>(pos: &G, depth: u32) -> Vec<(Move, i32)> {
    pos.moves().map(|mv| (mv, minimax(&pos.play(mv), depth - 1, pos.side()))).collect()
}

/// A position after some random moves.
fn position(rules: Rules, plies: u32, seed: u64) -> Kalah {
    let mut rng = rng::keyed(&[seed]);
    let mut pos = Kalah::start(rules);
    for _ in 0..plies {
        let next = if pos.is_over() { pos } else { pos.play(pos.pick(rng.random())) };
        if next.is_over() {
            break;
        }
        pos = next;
    }
    pos
}

fn rules() -> impl Strategy<Value = Rules> {
    let capture = prop::sample::select(vec![Capture::Standard, Capture::Empty]);
    let end = prop::sample::select(vec![End::Either, End::Mover]);
    (1..=8_u8, 1..=8_u8, capture, end)
        .prop_map(|(pits, seeds, capture, end)| Rules::new(pits, seeds, capture).unwrap().ending(end))
}

fn search<G: SearchHints>(pos: &G, limits: Limits) -> Search<G> {
    let mut search = Search::new(pos, limits);
    assert_eq!(search.step(Budget::UNLIMITED), Status::Done);
    search
}

/// A spent budget: each step does the smallest possible unit of work.
fn spent() -> Budget {
    Budget::time(Duration::ZERO)
}

/// Checks that a line is legal and, at full depth, ends with the margin it promises.
fn assert_lines_hold<G: SearchHints>(pos: &G, report: &Report) {
    for line in &report.lines {
        assert_eq!(line.pv.first(), Some(&line.mv));
        assert!(line.pv.len() <= line.depth as usize);
        let mut end = *pos;
        for &mv in &line.pv {
            assert!(end.moves().any(|legal| legal == mv));
            end = end.play(mv);
        }
        // Searches as shallow as these know their lines to the end.
        assert!(line.pv.len() == line.depth as usize || end.is_over());
        assert_eq!(end.margin(pos.side()), line.margin);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn values_and_moves_are_those_of_minimax(rules in rules(), plies in 0..60_u32, seed: u64, depth in 1..=6_u32) {
        let pos = position(rules, plies, seed);
        let values = values(&pos, depth);
        let best = values.iter().map(|&(_, value)| value).max().unwrap();

        let first = search(&pos, Limits::depth(depth)).report();
        prop_assert_eq!(first.lines[0].margin, best);
        prop_assert_eq!(first.best(), values.iter().find(|&&(_, value)| value == best).map(|&(mv, _)| mv));
        prop_assert!(first.depth == depth || first.solved);
        assert_lines_hold(&pos, &first);

        let all_best = search(&pos, Limits { ties: Ties::Random, every_depth: true, seed, ..Limits::depth(depth) });
        let tied: Vec<Move> = values.iter().filter(|&&(_, value)| value == best).map(|&(mv, _)| mv).collect();
        prop_assert_eq!(all_best.report().lines.iter().map(|line| line.mv).collect::<Vec<_>>(), tied.clone());
        prop_assert!(tied.contains(&all_best.best_move().unwrap()));

        let mut analysis = Analysis::new(&pos, depth, Table::new(1));
        analysis.step(Budget::UNLIMITED);
        let report = analysis.report();
        let mut found: Vec<(Move, i32)> = report.lines.iter().map(|line| (line.mv, line.margin)).collect();
        prop_assert!(found.is_sorted_by_key(|&(_, value)| -value));
        found.sort_unstable();
        prop_assert_eq!(found, values);
        assert_lines_hold(&pos, &report);
    }

    /// Table entries from other searches, depths and rules do not change results.
    #[test]
    fn a_used_table_changes_no_value(rules in rules(), seed: u64, depths in prop::collection::vec(1..=7_u32, 1..6)) {
        let mut table = Table::new(1);
        let mut pos = Kalah::start(rules);
        for depth in depths {
            let fresh = search(&pos, Limits::depth(depth)).report();
            let mut again = Search::with_table(&pos, Limits::depth(depth), table);
            again.step(Budget::UNLIMITED);
            let report = again.report();
            prop_assert_eq!(report.lines[0].margin, fresh.lines[0].margin);
            prop_assert_eq!(report.best(), fresh.best());
            table = again.into_table();
            pos = position(Rules::new(rules.pits(), rules.seeds(), if seed.is_multiple_of(2) { Capture::Standard } else { Capture::Empty }).unwrap(), depth, seed);
        }
    }
}

/// A table that is far too small loses entries but never returns wrong ones.
#[test]
fn a_crowded_table_changes_no_value() {
    for seed in 0..4 {
        let pos = position(Rules::default(), 4 + 5 * seed, seed.into());
        let roomy = search(&pos, Limits::depth(15)).report();
        let mut crowded = Search::with_table(&pos, Limits::depth(15), Table::new(0));
        crowded.step(Budget::UNLIMITED);
        let report = crowded.report();
        assert_eq!((report.best(), report.lines[0].margin), (roomy.best(), roomy.lines[0].margin));
        assert!(crowded.into_table().bytes() <= 64 << 10);
    }
}

#[test]
fn steps_may_be_cut_anywhere() {
    let pos = Kalah::start(Rules::default());
    for limits in [Limits::depth(12), Limits { ties: Ties::Random, every_depth: true, seed: 3, ..Limits::depth(11) }] {
        let whole = search(&pos, limits);
        let mut cut = Search::new(&pos, limits);
        let mut steps = 0;
        while cut.step(spent()) == Status::Running {
            assert!(!cut.report().lines.is_empty());
            steps += 1;
        }
        assert!(steps > 50, "{steps}");
        assert_eq!(cut.report(), whole.report());
        assert_eq!(cut.best_move(), whole.best_move());
    }
    let mut whole = Analysis::new(&pos, 11, Table::new(8));
    whole.step(Budget::UNLIMITED);
    let mut cut = Analysis::new(&pos, 11, Table::new(8));
    while cut.step(spent()) == Status::Running {}
    assert_eq!(cut.report(), whole.report());
}

/// The first player's margin under perfect play, for 1 to 6 seeds a pit; (Irving, Donkers and Uiterwijk, 2000) for the
/// empty-capture rule.
const SOLVED: [(Capture, u8, [i32; 6]); 6] = [
    (Capture::Empty, 1, [0, -2, 6, -2, 2, 0]),
    (Capture::Empty, 2, [2, -2, -2, -12, 6, 8]),
    (Capture::Empty, 3, [0, 4, 2, 2, 6, -10]),
    (Capture::Standard, 1, [0, -2, 6, -2, 2, 0]),
    (Capture::Standard, 2, [2, -2, -2, -10, 6, 8]),
    (Capture::Standard, 3, [0, 4, 2, 2, 6, -8]),
];

#[test]
fn small_games_are_solved() {
    for (capture, pits, margins) in SOLVED {
        for (seeds, margin) in (1..).zip(margins) {
            let pos = Kalah::start(Rules::new(pits, seeds, capture).unwrap());
            let report = search(&pos, Limits::depth(250)).report();
            assert!(report.solved, "{pits}x{seeds} {capture:?}: {report:?}");
            assert_eq!(report.lines[0].margin, margin, "{pits}x{seeds} {capture:?}");
        }
    }
}

#[test]
fn a_game_that_is_over_has_nothing_to_search() {
    let pos = Kalah::from_text(Rules::default(), "<6,20,20,0,0,0,0,0,0,1,2,0,0,0,5>").unwrap();
    let mut search = Search::new(&pos, Limits::depth(8));
    assert_eq!(search.step(spent()), Status::Done);
    assert_eq!(search.best_move(), None);
    assert!(search.report().solved);
    assert_eq!(Analysis::new(&pos, 8, Table::new(1)).step(spent()), Status::Done);
}

/// A position with this number of empty squares, from the first random game that does not end sooner: a game over
/// with half the board empty has too many empty squares for an oracle.
fn othello(empty: u32, seed: u64) -> Othello {
    let game = |number: u64| {
        let mut rng = rng::keyed(&[seed, number]);
        let mut pos = othello::Rules::default().position();
        while pos.squares().iter().filter(|disc| disc.is_none()).count() > empty as usize {
            pos = pos.play(pos.pick(rng.random()));
            if pos.is_over() {
                return None;
            }
        }
        Some(pos)
    };
    (0..).find_map(game).unwrap()
}

#[test]
fn threads_change_no_value_at_the_end_of_othello() {
    for (seed, threads) in [(1, 2), (2, 3), (3, 40)] {
        let pos = othello(11, seed);
        let mut divided = Analysis::new(&pos, 250, Table::new(1)).on(&Pool::new(threads));
        let mut steps = 1;
        while divided.step(spent()) == Status::Running {
            steps += 1;
        }
        let values = |report: Report| -> Vec<(Move, i32, bool)> {
            report.lines.iter().map(|line| (line.mv, line.margin, line.solved)).collect()
        };
        let report = divided.report();
        let alone = analysis(&pos, 250);
        assert!(steps > 5 && report.solved, "{steps}");
        assert_eq!(values(report), values(alone), "{pos:?}");
    }
}

fn analysis<G: SearchHints>(pos: &G, depth: u32) -> Report {
    let mut analysis = Analysis::new(pos, depth, Table::new(1));
    assert_eq!(analysis.step(Budget::UNLIMITED), Status::Done);
    analysis.report()
}

fn found(report: &Report) -> Vec<(Move, i32)> {
    let mut found: Vec<(Move, i32)> = report.lines.iter().map(|line| (line.mv, line.margin)).collect();
    found.sort_unstable();
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Near the end of the game, where a search may jump to it, and far from it, where it may not.
    #[test]
    fn othello_to_a_depth_is_that_of_minimax(empty in prop_oneof![1..=8_u32, 1..=59_u32], seed: u64, depth in 1..=5_u32) {
        let pos = othello(empty, seed);
        let values = values(&pos, depth);
        let best = values.iter().map(|&(_, value)| value).max().unwrap();
        let report = search(&pos, Limits::depth(depth)).report();
        prop_assert_eq!(report.lines[0].margin, best);
        prop_assert_eq!(report.best(), values.iter().find(|&&(_, value)| value == best).map(|&(mv, _)| mv));
        prop_assert!(report.depth == depth || report.solved);
        assert_lines_hold(&pos, &report);
        let report = analysis(&pos, depth);
        prop_assert_eq!(found(&report), values);
        assert_lines_hold(&pos, &report);
    }

    /// To the end, at most twice as many plies as there are empty squares.
    #[test]
    fn othello_to_the_end_is_that_of_minimax(empty in 1..=7_u32, seed: u64) {
        let pos = othello(empty, seed);
        let report = analysis(&pos, 250);
        prop_assert!(report.solved && report.lines.iter().all(|line| line.solved));
        prop_assert_eq!(found(&report), values(&pos, 2 * 59));
        assert_lines_hold(&pos, &report);
        let best = search(&pos, Limits::depth(250)).report();
        prop_assert_eq!((best.solved, best.lines[0].margin), (true, report.lines[0].margin));
    }
}

/// Too far from the end for plain minimax: the searches agree with each other, whatever their tables and budgets, and a
/// line leads to the margin it promises.
#[test]
fn othello_endgames_are_solved() {
    let mut table = Table::new(8);
    for seed in 0..6 {
        let pos = othello(13, seed);
        let report = analysis(&pos, 250);
        assert!(report.solved, "{pos}");
        for line in &report.lines {
            let end = line.pv.iter().fold(pos, |pos, &mv| pos.play(mv));
            assert!(!end.is_over() || end.margin(pos.side()) == line.margin, "{pos}");
            // The position after a move, searched separately with a filled table.
            let next = pos.play(line.mv);
            let mut again = Search::with_table(&next, Limits::depth(250), table);
            while again.step(spent()) == Status::Running {}
            let report = again.report();
            assert!(report.solved || next.is_over());
            let value = report.lines.first().map_or(next.margin(next.side()), |line| line.margin);
            assert_eq!(if next.side() == pos.side() { value } else { -value }, line.margin, "{pos}");
            table = again.into_table();
        }
    }
}

#[test]
fn a_search_that_is_stopped_far_from_the_end_has_looked_ahead() {
    let pos = othello(20, 1);
    let mut search = Search::new(&pos, Limits { every_depth: true, ..Limits::depth(60) });
    for _ in 0..500 {
        assert_eq!(search.step(spent()), Status::Running);
    }
    assert!(search.report().depth >= 6, "{:?}", search.report());
}

#[test]
fn an_analysis_reports_the_moves_that_are_solved_first() {
    let pos = othello(14, 2);
    let mut analysis = Analysis::new(&pos, 60, Table::new(16));
    let mut counts = Vec::new();
    while analysis.step(spent()) == Status::Running {
        counts.push(analysis.report().lines.iter().filter(|line| line.solved).count());
    }
    let report = analysis.report();
    assert!(report.solved && counts.is_sorted() && counts.iter().any(|&count| 0 < count && count < report.lines.len()));
    let mut whole = Analysis::new(&pos, 60, Table::new(16));
    assert_eq!((whole.step(Budget::UNLIMITED), whole.report()), (Status::Done, report));
}
