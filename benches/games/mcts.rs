//! Speed of Monte Carlo search: iterations from the start of a game, beside the rollouts alone, which are the upper
//! bound for any tree; and tournaments of fast players.

use criterion::{Criterion, Throughput, criterion_group};
use mancalab::arena::Settings;
use mancalab::budget::{Budget, Job};
use mancalab::game::kalah::{Kalah, Rules};
use mancalab::game::{BoardGame, Game};
use mancalab::job::RunJob;
use mancalab::pool::Pool;
use mancalab::rng;
use mancalab::search::mcts::{Policy, Rollout};
use mancalab::search::{Mcts, playout};
use rand::Rng as _;
use std::hint::black_box;
use std::time::Duration;

const ITERATIONS: u64 = 4000;

fn start() -> Kalah {
    Kalah::start(Rules::default())
}

/// Elements: iterations.
fn iterations(c: &mut Criterion) {
    let mut group = c.benchmark_group("mcts");
    group.throughput(Throughput::Elements(ITERATIONS));
    for policy in [Policy::Random, Policy::Greedy] {
        let rollout = Rollout { policy, ..Rollout::default() };
        group.bench_function(policy.to_string(), |b| {
            b.iter_with_large_drop(|| {
                let mut search = Mcts::new(black_box(&start()), rollout, rng::keyed(&[1]));
                search.step(ITERATIONS, Budget::UNLIMITED);
                search
            });
        });
    }
}

/// Elements: games, without a tree.
fn rollouts(c: &mut Criterion) {
    let mut group = c.benchmark_group("rollouts");
    group.throughput(Throughput::Elements(ITERATIONS));
    group.bench_function("random", |b| {
        b.iter(|| {
            let mut rng = rng::keyed(&[1]);
            (0..ITERATIONS).map(|_| u64::from(playout(black_box(&start()), &mut rng).0.plies())).sum::<u64>()
        });
    });
    group.bench_function("greedy", |b| {
        b.iter(|| {
            let mut rng = rng::keyed(&[1]);
            let game = |_| {
                let mut pos = *black_box(&start());
                while !pos.is_over() {
                    let word = rng.next_u64();
                    let bits = (word >> 32) as u32;
                    pos = pos.play(if word & 0xffff_ffff < 429_496_729 { pos.pick(bits) } else { pos.greedy(bits) });
                }
                i64::from(pos.margin(mancalab::game::Side::South))
            };
            (0..ITERATIONS).map(game).sum::<i64>()
        });
    });
}

/// Elements: games, on all processors. The last players are those that take nearly all of the time of the Kalah thesis' Table 1.
fn tournament(c: &mut Criterion) {
    let mut group = c.benchmark_group("tournament");
    for (name, game, players, games) in [
        ("random, max", "kalah", ["random", "max"], 500),
        ("kalah", "kalah", ["random", "random"], 500),
        ("othello", "othello", ["random", "random"], 500),
        ("checkers", "checkers", ["random", "random"], 500),
        ("table 1", "kalah", ["mcts:4000:eps=0.9", "minimax:4"], 4),
    ] {
        group.throughput(Throughput::Elements(4 * u64::from(games)));
        let players = players.map(|text| text.parse().expect("players' texts")).to_vec();
        let settings = Settings::round_robin(game.parse().expect("a game"), players, games, 1);
        group.bench_function(name, |b| {
            b.iter(|| {
                RunJob::in_memory(settings.clone(), &Pool::default())
                    .map(|mut tournament| tournament.step(Budget::UNLIMITED))
            });
        });
    }
}

criterion_group! {
    name = mcts;
    config = Criterion::default().warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3)).sample_size(20);
    targets = iterations, rollouts, tournament
}
