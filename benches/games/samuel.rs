//! Speed of Samuel's evaluation, and positions visited by a search with it, each search with a fresh table.

use criterion::{Criterion, Throughput, criterion_group};
use mancalab::budget::Budget;
use mancalab::game::checkers::{Checkers, Rules};
use mancalab::game::{Game, GameState, Side};
use mancalab::player::samuel::weights::{ONES, PIECES};
use mancalab::player::samuel::{Evaluator, Samuel, Searcher};
use mancalab::rng;
use rand::Rng as _;
use std::hint::black_box;
use std::time::Duration;

/// Positions of random games.
fn positions(count: usize) -> Vec<Checkers> {
    let mut rng = rng::keyed(&[3]);
    let start = Rules::default().position();
    let mut all = Vec::new();
    let mut pos = start;
    while all.len() < count {
        pos = if pos.is_over() { start } else { pos.play(pos.pick(rng.next_u32())) };
        all.push(pos);
    }
    all
}

/// Elements: positions.
fn evaluation(c: &mut Criterion) {
    let mut group = c.benchmark_group("samuel evaluation");
    let all = positions(1000);
    group.throughput(Throughput::Elements(all.len() as u64));
    for (name, weights) in [("ones", ONES), ("pieces", PIECES)] {
        let evaluator = Evaluator::new(&weights);
        group.bench_function(name, |b| {
            b.iter(|| black_box(&all).iter().map(|pos| evaluator.of_side(pos, pos.side())).fold(0, i32::wrapping_add));
        });
    }
}

/// Elements: positions visited, from the start, and from the middle of a random game.
fn search(c: &mut Criterion) {
    let mut group = c.benchmark_group("samuel search");
    // A quiet position with many moves.
    let middle =
        positions(10_000).into_iter().find(|pos| pos.pieces(Side::South).count_ones() == 8 && pos.count_moves() > 7);
    let middle = middle.unwrap_or_else(|| Rules::default().position());
    for (name, pos, weights, prunes) in [
        ("start", Rules::default().position(), ONES, false),
        ("middle", middle, ONES, false),
        ("middle, pieces", middle, PIECES, false),
        ("middle, pruned", middle, ONES, true),
    ] {
        let settings = Samuel { prunes, ..Samuel::new(8, weights) };
        let searched = || {
            let mut searcher = Searcher::new(&settings);
            searcher.begin(&GameState::new(black_box(pos)), 0);
            searcher.step(Budget::UNLIMITED);
            searcher
        };
        group.throughput(Throughput::Elements(searched().report().map_or(0, |report| report.nodes)));
        group.bench_function(name, |b| b.iter_with_large_drop(searched));
    }
}

criterion_group! {
    name = samuel;
    config = Criterion::default().warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(4)).sample_size(50);
    targets = evaluation, search
}
