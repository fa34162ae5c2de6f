use super::tree::START;
use super::uct::NodePoints;
use super::*;
use crate::game::kalah::Kalah;
use crate::game::{BoardGame, PitGame, Side};
use crate::rng;
use crate::{Analysis, Table, playout};
use mancalab_base::memory::{Meter, TableBytes};
use std::time::Duration;

fn start(rules: &str) -> Kalah {
    Kalah::start(rules.parse().unwrap())
}

fn searched(pos: &Kalah, iterations: u64, seed: u64) -> Mcts<Kalah> {
    let mut search = Mcts::new(pos, Rollout::default(), rng::keyed(&[seed]));
    assert_eq!(search.step(iterations, Budget::UNLIMITED), Status::Done);
    search
}

#[test]
fn wins_are_found_where_the_game_is_solved() {
    let mut won = 0;
    for seed in 0..60 {
        // A few moves into a small game.
        let mut pos = start("3x3:standard");
        let mut rng = rng::keyed(&[seed]);
        for _ in 0..4 {
            if !pos.is_over() {
                pos = pos.play(pos.pick(rand::Rng::next_u32(&mut rng)));
            }
        }
        if pos.is_over() {
            continue;
        }
        let mut analysis = Analysis::new(&pos, 250, Table::new(1));
        analysis.step(Budget::UNLIMITED);
        let report = analysis.report();
        let margin = |mv| report.lines.iter().find(|line| line.mv == mv).unwrap().margin;
        if report.lines[0].margin > 0 {
            won += 1;
            assert!(margin(searched(&pos, 3000, seed).best_move().unwrap()) > 0, "{pos:?}");
        }
    }
    assert!(won > 10, "too few games for a conclusion: {won}");
}

#[test]
fn steps_change_nothing() {
    for policy in [Policy::Greedy, Policy::Random] {
        let rollout = Rollout { policy, ..Rollout::default() };
        let new = || Mcts::new(&start("6x4:standard"), rollout, rng::keyed(&[3]));
        let mut whole = new();
        let mut cut = new();
        whole.step(2000, Budget::UNLIMITED);
        while cut.step(2000, Budget::time(Duration::ZERO)) == Status::Running {}
        assert_eq!((whole.report(), whole.iterations()), (cut.report(), cut.iterations()));
    }
}

#[test]
fn every_iteration_is_counted_once() {
    let search = searched(&start("6x4:standard"), 5000, 1);
    let lines = search.report().lines;
    let tried: Vec<MoveStatistics> = lines.iter().map(|line| line.tried.unwrap()).collect();
    assert_eq!(tried.iter().map(|tried| tried.visits).sum::<u64>(), 5000);
    assert!(tried.iter().all(|tried| tried.mean <= MoveStatistics::UNIT && tried.exploration > 0));
    assert!(tried.is_sorted_by_key(|tried| std::cmp::Reverse(tried.visits)));
    assert_eq!(Some(lines[0].mv), search.best_move());
    assert!(lines[0].pv.len() > 1 && lines[0].depth == lines[0].pv.len() as u32);
}

#[test]
fn a_tree_continues_below_the_moves_that_were_played() {
    let pos = start("6x4:standard");
    let mut search = searched(&pos, 5000, 1);
    let line = search.report().lines[0].pv[..2].to_vec();
    let after = line.iter().fold(pos, |pos, &mv| pos.play(mv));
    let before = search.tree.len();
    assert!(search.descend(&after, 2, rng::keyed(&[2])));
    assert!(search.tree.len() < before && search.tree.root().pos == after);
    let visits = |search: &Mcts<Kalah>| search.tree.choices().iter().map(|choice| choice.visits).sum::<u32>();
    let known = visits(&search);
    assert!(known > 100);
    search.step(1000, Budget::UNLIMITED);
    assert_eq!(visits(&search), known + 1000);
    // With its old statistics it prefers the same move as a new search.
    let fresh = searched(&after, 20_000, 9);
    search.step(20_000, Budget::UNLIMITED);
    assert_eq!(search.best_move(), fresh.best_move());
    // An unrelated position restarts the tree.
    assert!(!search.descend(&pos, 1, rng::keyed(&[2])));
    assert_eq!((search.tree.root().pos, visits(&search)), (pos, 0));
}

/// A tree that is kept for hours of games must not overflow its counters.
#[test]
fn a_tree_ends_before_its_numbers_do() {
    let pos = start("6x4:standard");
    let mut search = searched(&pos, 5000, 1);
    let root = &mut search.tree.nodes[0];
    let more = MAX_VISITS - 5000 - 100;
    root.visits += more;
    root.kept.pretend(more);
    assert_eq!(search.step(u64::MAX, Budget::time(Duration::ZERO)), Status::Running);
    assert_eq!(search.step(u64::MAX, Budget::UNLIMITED), Status::Done);
    assert_eq!((search.iterations(), search.tree.root().visits), (5100, tree::MAX_VISITS));
    assert!((0.9..=1.0).contains(&Uct::mean(search.tree.root())));
    // No more visits are counted until the root moves.
    assert_eq!((search.step(u64::MAX, Budget::UNLIMITED), search.iterations()), (Status::Done, 5100));
    let after = pos.play(search.best_move().unwrap());
    assert!(search.descend(&after, 1, rng::keyed(&[2])) && search.tree.visits_left() > 50);
    search.step(50, Budget::UNLIMITED);
    assert_eq!(search.iterations(), 50);
}

#[test]
fn what_is_taken_over_does_not_show_how_it_was_cut() {
    let pos = start("6x4:standard");
    let goes_on = |budget: fn() -> Budget| {
        let mut search = searched(&pos, 20_000, 1);
        let after = pos.play(search.best_move().unwrap());
        assert!(search.descend(&after, 1, rng::keyed(&[2])));
        let mut steps = 1;
        let known = search.report();
        while search.step(3000, budget()) == Status::Running {
            steps += 1;
            // The report is available during the copy.
            assert!(search.report().lines.len() == known.lines.len() && search.best_move().is_some());
        }
        // A move before the copy keeps the whole subtree for the next turn.
        let further = after.play(search.best_move().unwrap());
        assert!(search.descend(&further, 1, rng::keyed(&[3])));
        assert!(search.descend(&further.play(search.best_move().unwrap()), 1, rng::keyed(&[4])));
        while search.step(500, budget()) == Status::Running {}
        (steps, search.report())
    };
    let whole = goes_on(|| Budget::UNLIMITED);
    let cut = goes_on(|| Budget::time(Duration::ZERO));
    assert_eq!(whole.1, cut.1);
    // More steps than the iterations alone take.
    assert!(whole.0 == 1 && cut.0 > 3000 / 16 + 5, "{} steps", cut.0);
}

#[test]
fn random_play_is_no_match() {
    let mut points = 0;
    for seed in 0..60 {
        let mut pos = start("6x4:standard");
        let seat = if seed % 2 == 0 { Side::South } else { Side::North };
        let mut rng = rng::keyed(&[seed, 1]);
        while !pos.is_over() {
            let mv = if pos.side() == seat {
                searched(&pos, 200, seed).best_move().unwrap()
            } else {
                pos.pick(rand::Rng::next_u32(&mut rng))
            };
            pos = pos.play(mv);
        }
        points += pos.margin(seat).signum() + 1;
    }
    assert!(points > 2 * 57, "{points} half points of 120");
}

#[test]
fn an_end_is_an_end() {
    let (over, _) = playout(&start("6x4:standard"), &mut rng::keyed(&[1]));
    let search = searched(over.pos(), 10, 1);
    assert_eq!((search.best_move(), search.report().lines.len()), (None, 0));
}

/// The fast version must choose among exactly the moves of the simple one.
#[test]
fn greed_takes_the_greatest_gain() {
    let mut seen = 0;
    for seed in 0..300 {
        let rules = ["6x4:standard", "6x6:empty-capture", "4x3:standard", "3x2:standard"][seed as usize % 4];
        let Ok(rules) = rules.parse() else { continue };
        let mut pos = Kalah::start(rules);
        let mut rng = rng::keyed(&[seed]);
        while !pos.is_over() {
            let side = pos.side();
            let gain = |mv: Move| pos.play(mv).seeds(side).store;
            let most = pos.moves().map(gain).max().unwrap();
            let chosen: Vec<Move> = (0..32).map(|nth| pos.greedy(nth << 27)).collect();
            for mv in pos.moves() {
                assert_eq!(chosen.contains(&mv), gain(mv) == most, "{mv:?} in {pos:?}");
                seen += 1;
            }
            pos = pos.play(pos.pick(rand::Rng::next_u32(&mut rng)));
        }
    }
    assert!(seen > 10_000);
}

#[test]
fn a_tree_stays_small_while_tables_have_the_memory() {
    const NODES: usize = 8 * START;
    static METER: Meter = Meter::new(NODES * size_of::<Node<Kalah, NodePoints>>());
    let pos = start("6x4");
    let limited = || {
        let mut search = Mcts::new(&pos, Rollout::default(), rng::keyed(&[1]));
        search.tree.memory.counted = TableBytes::new(&METER);
        search.tree.spare_memory.counted = TableBytes::new(&METER);
        search
    };
    let mut one = limited();
    assert_eq!(one.step(20_000, Budget::UNLIMITED), Status::Done);
    assert!((START..=2 * START).contains(&one.tree.len()), "it doubles once: {} nodes", one.tree.len());
    // The buffer of the next turn grows too, or cuts the tree short.
    let next = pos.play(one.best_move().unwrap());
    assert!(one.descend(&next, 1, rng::keyed(&[2])));
    assert_eq!(one.step(20_000, Budget::UNLIMITED), Status::Done);
    assert!(one.tree.len() <= 2 * START, "{} nodes", one.tree.len());
    drop(one);
    assert!(
        TableBytes::new(&METER).grow(NODES / 4 * size_of::<Node<Kalah, NodePoints>>()),
        "a tree that is gone has none"
    );
}

#[test]
fn a_turns_subtree_is_cut_where_tables_have_the_memory() {
    static METER: Meter = Meter::new(0);
    let pos = start("6x4");
    let mut search = Mcts::new(&pos, Rollout::default(), rng::keyed(&[1]));
    assert_eq!(search.step(50_000, Budget::UNLIMITED), Status::Done);
    search.tree.spare_memory.counted = TableBytes::new(&METER);
    let next = pos.play(search.best_move().unwrap());
    assert!(search.descend(&next, 1, rng::keyed(&[2])));
    assert_eq!(search.step(10_000, Budget::UNLIMITED), Status::Done);
    assert!((START / 2..=START).contains(&search.tree.len()), "{} nodes", search.tree.len());
    let visits: u64 = search.report().lines.iter().map(|line| line.tried.unwrap().visits).sum();
    assert!(visits > 10_000, "the visits before count: {visits}");
}
