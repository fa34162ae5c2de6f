//! Speed of tuning: the games of a generation as a run plays them, and single searches with the ten heuristics.

use criterion::{BatchSize, Criterion, Throughput, criterion_group};
use mancalab::budget::Budget;
use mancalab::evolve::kalah::weights::{WeightsRun, preset};
use mancalab::game::kalah::{Kalah, Rules};
use mancalab::game::{BoardGame, Game};
use mancalab::job::Run;
use mancalab::player::heuristic::weights::TABLE3;
use mancalab::player::heuristic::{Evaluator, HeuristicReading};
use mancalab::pool::Pool;
use mancalab::rng;
use mancalab::search::alpha_beta::best_moves;
use rand::Rng;
use std::hint::black_box;
use std::time::Duration;

/// Elements: the games of the first generation of kalah-thesis, on one thread.
fn generation(c: &mut Criterion) {
    let settings = preset("kalah-thesis").expect("a preset");
    let games = 50 * 49 / 2 * 10;
    let one = Pool::alone();
    let mut group = c.benchmark_group("tune");
    group.throughput(Throughput::Elements(games));
    group.bench_function("generation", |b| {
        b.iter_batched_ref(
            || WeightsRun::start(settings.clone()).expect("settings"),
            |run| run.advance(&one, Budget::UNLIMITED),
            BatchSize::LargeInput,
        );
    });
}

/// Elements: searches for a move, over positions of random games.
fn searches(c: &mut Criterion) {
    let mut rng = rng::keyed(&[1]);
    let mut positions = Vec::new();
    while positions.len() < 256 {
        let mut pos = Kalah::start(Rules::default());
        for _ in 0..rng.next_u32() % 30 {
            if !pos.is_over() {
                pos = pos.play(pos.pick(rng.next_u32()));
            }
        }
        positions.extend((!pos.is_over()).then_some(pos));
    }
    let evaluator = Evaluator::new(&TABLE3[18], HeuristicReading::default());
    let mut group = c.benchmark_group("heuristic");
    group.throughput(Throughput::Elements(positions.len() as u64));
    for depth in [4, 8] {
        group.bench_function(depth.to_string(), |b| {
            b.iter(|| positions.iter().map(|pos| best_moves(black_box(pos), depth, &evaluator).value).max());
        });
    }
}

criterion_group! {
    name = weights;
    config = Criterion::default().warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(5)).sample_size(20);
    targets = generation, searches
}
