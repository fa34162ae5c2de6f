//! Speed of the engine: move generation, random games, and the default search, each search with a fresh table.

use criterion::{BatchSize, Criterion, Throughput, criterion_group};
use mancalab::budget::Budget;
use mancalab::game::checkers::{self, Checkers};
use mancalab::game::kalah::{Kalah, Rules};
use mancalab::game::othello::{self, Othello};
use mancalab::game::perft::perft;
use mancalab::game::sowing::{ohvalhu::Ohvalhu, oware::Oware};
use mancalab::game::{BoardGame, Game};
use mancalab::rng::{self, Rng};
use mancalab::search::mcts::{Policy, Rollout};
use mancalab::search::{Analysis, Limits, Mcts, Search, SearchHints, Table, playout};
use mancalab::tables::Solver;
use std::hint::black_box;
use std::time::Duration;

fn start() -> Kalah {
    Kalah::start(Rules::default())
}

/// Elements: leaves.
fn perft_10(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    group.throughput(Throughput::Elements(perft(&start(), 10)));
    group.bench_function("10", |b| b.iter(|| perft(black_box(&start()), 10)));
}

/// Elements: leaves of games that share the sowing positions.
fn sowing_perft(c: &mut Criterion) {
    fn bench<G: BoardGame + SearchHints>(c: &mut Criterion, depth: u32) {
        let start = || G::start("".parse().unwrap());
        let mut group = c.benchmark_group(format!("{} perft", G::NAME));
        group.throughput(Throughput::Elements(perft(&start(), depth)));
        group.bench_function(depth.to_string(), |b| b.iter(|| perft(black_box(&start()), depth)));
    }
    bench::<Oware>(c, 8);
    bench::<Ohvalhu>(c, 5);
}

/// Elements: sowings.
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

/// Elements: random games of Oware, and iterations of a Monte Carlo search with random games.
fn random_games(c: &mut Criterion) {
    fn mcts<G: BoardGame>(c: &mut Criterion) {
        const ITERATIONS: u64 = 1000;
        let mut group = c.benchmark_group("mcts random");
        group.throughput(Throughput::Elements(ITERATIONS));
        let rollout = Rollout { policy: Policy::Random, ..Rollout::default() };
        group.bench_function(G::NAME, |b| {
            b.iter_with_large_drop(|| {
                let start = G::start("".parse().unwrap());
                let mut search = Mcts::new(black_box(&start), rollout, rng::keyed(&[1]));
                search.step(ITERATIONS, Budget::UNLIMITED);
                search
            });
        });
    }
    const GAMES: u64 = 1000;
    let start = Oware::start("".parse().unwrap());
    let mut group = c.benchmark_group("oware games");
    group.throughput(Throughput::Elements(GAMES));
    group.bench_function("playouts", |b| {
        b.iter(|| {
            let mut rng: Rng = rng::keyed(&[1]);
            (0..GAMES).map(|_| i64::from(playout(black_box(&start), &mut rng).1.margin)).sum::<i64>()
        });
    });
    group.finish();
    mcts::<Othello>(c);
    mcts::<Checkers>(c);
}

fn searched(depth: u32) -> Search<Kalah> {
    let mut search = Search::new(black_box(&start()), Limits::depth(depth));
    search.step(Budget::UNLIMITED);
    search
}

/// Elements: positions visited. The time is that of choosing a move at the start of a game.
fn search(c: &mut Criterion) {
    let mut group = c.benchmark_group("search");
    for depth in [8, 12, 16, 20] {
        group.throughput(Throughput::Elements(searched(depth).report().nodes));
        group.bench_function(depth.to_string(), |b| b.iter_with_large_drop(|| searched(depth)));
    }
}

/// The value of every move.
fn analysis(c: &mut Criterion) {
    c.bench_function("analysis/12", |b| {
        b.iter_batched_ref(
            || Analysis::new(&start(), 12, Table::new(64)),
            |analysis| analysis.step(Budget::UNLIMITED),
            BatchSize::LargeInput,
        );
    });
}

/// The margin of a start and best play. Elements: positions visited.
fn solve(c: &mut Criterion) {
    let mut group = c.benchmark_group("solve");
    group.sample_size(10);
    let solved = || {
        let mut solver = Solver::new(&Kalah::start("6x3:empty".parse().unwrap()), 128).unwrap();
        solver.step(Budget::UNLIMITED);
        solver
    };
    group.throughput(Throughput::Elements(solved().solution().nodes));
    group.bench_function("6x3:empty", |b| b.iter_with_large_drop(solved));
}

fn othello_start() -> Othello {
    othello::Rules::default().position()
}

/// A position of a random game with this number of empty squares.
fn endgame(empty: usize) -> Othello {
    let mut rng = rng::keyed(&[3]);
    let mut pos = othello_start();
    while pos.squares().iter().filter(|disc| disc.is_none()).count() > empty {
        pos = pos.play(pos.pick(rand::Rng::next_u32(&mut rng)));
    }
    pos
}

fn othello_perft(c: &mut Criterion) {
    let mut group = c.benchmark_group("othello perft");
    for depth in [9, 10] {
        group.throughput(Throughput::Elements(perft(&othello_start(), depth)));
        group.bench_function(depth.to_string(), |b| b.iter(|| perft(black_box(&othello_start()), depth)));
    }
}

/// Elements: random games, and iterations of a Monte Carlo search.
fn othello_games(c: &mut Criterion) {
    const GAMES: u64 = 1000;
    let mut group = c.benchmark_group("othello games");
    group.throughput(Throughput::Elements(GAMES));
    group.bench_function("playouts", |b| {
        b.iter(|| {
            let mut rng: Rng = rng::keyed(&[1]);
            (0..GAMES).map(|_| i64::from(playout(black_box(&othello_start()), &mut rng).1.margin)).sum::<i64>()
        });
    });
    group.bench_function("mcts", |b| {
        b.iter_with_large_drop(|| {
            let mut search = Mcts::new(black_box(&othello_start()), Rollout::default(), rng::keyed(&[1]));
            search.step(GAMES, Budget::UNLIMITED);
            search
        });
    });
}

/// Elements: positions visited, to a depth from the start, and to the end of the game.
fn othello_search(c: &mut Criterion) {
    let mut group = c.benchmark_group("othello search");
    let searched = |pos: &Othello, depth: u32| {
        let mut search = Search::new(black_box(pos), Limits::depth(depth));
        search.step(Budget::UNLIMITED);
        search
    };
    for (name, pos, depth) in [("8", othello_start(), 8), ("10", othello_start(), 10), ("16 empty", endgame(16), 250)] {
        group.throughput(Throughput::Elements(searched(&pos, depth).report().nodes));
        group.bench_function(name, |b| b.iter_with_large_drop(|| searched(&pos, depth)));
    }
}

/// From a random game's position with 20 empty squares to the end. Elements: positions visited.
fn othello_endgame(c: &mut Criterion) {
    let mut group = c.benchmark_group("othello endgame");
    group.sample_size(10);
    let pos = endgame(20);
    let best = || {
        let mut search = Search::new(black_box(&pos), Limits::depth(250));
        search.step(Budget::UNLIMITED);
        search
    };
    group.throughput(Throughput::Elements(best().report().nodes));
    group.bench_function("20 best move", |b| b.iter_with_large_drop(best));
    let all = || {
        let mut analysis = Analysis::new(black_box(&pos), 250, Table::new(64));
        analysis.step(Budget::UNLIMITED);
        analysis
    };
    group.throughput(Throughput::Elements(all().report().nodes));
    group.bench_function("20 all moves", |b| b.iter_with_large_drop(all));
}

fn checkers_start() -> Checkers {
    checkers::Rules::default().position()
}

fn checkers_perft(c: &mut Criterion) {
    let mut group = c.benchmark_group("checkers perft");
    for depth in [9, 10] {
        group.throughput(Throughput::Elements(perft(&checkers_start(), depth)));
        group.bench_function(depth.to_string(), |b| b.iter(|| perft(black_box(&checkers_start()), depth)));
    }
}

/// Elements: random games, and iterations of a Monte Carlo search.
fn checkers_games(c: &mut Criterion) {
    const GAMES: u64 = 1000;
    let mut group = c.benchmark_group("checkers games");
    group.throughput(Throughput::Elements(GAMES));
    group.bench_function("playouts", |b| {
        b.iter(|| {
            let mut rng: Rng = rng::keyed(&[1]);
            (0..GAMES).map(|_| i64::from(playout(black_box(&checkers_start()), &mut rng).1.margin)).sum::<i64>()
        });
    });
    group.bench_function("mcts", |b| {
        b.iter_with_large_drop(|| {
            let mut search = Mcts::new(black_box(&checkers_start()), Rollout::default(), rng::keyed(&[1]));
            search.step(GAMES, Budget::UNLIMITED);
            search
        });
    });
}

/// Elements: positions visited, from the start, among men and kings, and among kings only, where positions repeat.
fn checkers_search(c: &mut Criterion) {
    let mut group = c.benchmark_group("checkers search");
    let searched = |pos: &Checkers, depth: u32| {
        let mut search = Search::new(black_box(pos), Limits::depth(depth));
        search.step(Budget::UNLIMITED);
        search
    };
    let read = |text| Checkers::read(text).unwrap_or_else(|_| checkers_start());
    let mixed = read("B:WK3,13,16,18,21,25,29,30:B4,5,6,9,19,23,K28");
    let kings = read("B:WK4,K17,K18:BK2,K27");
    for (name, pos, depth) in [("10", checkers_start(), 10), ("mixed 9", mixed, 9), ("kings 11", kings, 11)] {
        group.throughput(Throughput::Elements(searched(&pos, depth).report().nodes));
        group.bench_function(name, |b| b.iter_with_large_drop(|| searched(&pos, depth)));
    }
}

criterion_group! {
    name = engine;
    config = Criterion::default().warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(4)).sample_size(50);
    targets = perft_10, sowing_perft, playouts, random_games, search, analysis, solve, othello_perft, othello_games, othello_search, othello_endgame,
        checkers_perft, checkers_games, checkers_search
}
