//! How fast the engine is: the move generator, random games, and the search as it ships, each search with a fresh table.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use mancalab::game::Tabletop;
use mancalab::game::kalah::{Kalah, Rules};
use mancalab::game::perft::perft;
use mancalab::rng;
use mancalab::search::{Analysis, Limits, Search, Table, playout};
use mancalab::step::Budget;
use std::hint::black_box;
use std::time::Duration;

fn start() -> Kalah {
    Kalah::start(Rules::default())
}

/// Elements are leaves.
fn perft_10(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    group.throughput(Throughput::Elements(perft(&start(), 10)));
    group.bench_function("10", |b| b.iter(|| perft(black_box(&start()), 10)));
}

/// Elements are sowings.
fn playouts(c: &mut Criterion) {
    const GAMES: u32 = 1000;
    let games = || {
        let mut rng = rng::keyed(&[1]);
        (0..GAMES).map(|_| u64::from(playout(black_box(&start()), &mut rng).0.plies())).sum::<u64>()
    };
    let mut group = c.benchmark_group("playouts");
    group.throughput(Throughput::Elements(games()));
    group.bench_function(format!("{GAMES} games"), |b| b.iter(games));
}

fn searched(depth: u32) -> Search<Kalah> {
    let mut search = Search::new(black_box(&start()), Limits::depth(depth));
    search.step(Budget::UNLIMITED);
    search
}

/// Elements are positions visited; the time is that of choosing a move at the start of a game.
fn search(c: &mut Criterion) {
    let mut group = c.benchmark_group("search");
    for depth in [8, 12, 16, 20] {
        group.throughput(Throughput::Elements(searched(depth).report().nodes));
        group.bench_function(depth.to_string(), |b| b.iter_with_large_drop(|| searched(depth)));
    }
}

/// Every move's own value.
fn analysis(c: &mut Criterion) {
    c.bench_function("analysis/12", |b| {
        b.iter_batched_ref(
            || Analysis::new(&start(), 12, Table::new(64)),
            |analysis| analysis.step(Budget::UNLIMITED),
            BatchSize::LargeInput,
        );
    });
}

criterion_group! {
    name = engine;
    config = Criterion::default().warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(4)).sample_size(50);
    targets = perft_10, playouts, search, analysis
}
criterion_main!(engine);
