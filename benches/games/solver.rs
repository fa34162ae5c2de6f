//! Speed of endgame tables and exact solutions, on one thread.

use criterion::{Criterion, Throughput, criterion_group};
use mancalab::budget::{Budget, Status};
use mancalab::game::checkers::Checkers;
use mancalab::game::kalah::Kalah;
use mancalab::game::{BoardGame as _, Side};
use mancalab::pool::Pool;
use mancalab::rng;
use mancalab::tables::endgame::{Size, TableRules};
use mancalab::tables::{EndgameTable, Solver, TableBuilder};
use rand::RngExt as _;

/// Elements: boards. Each build starts from nothing and writes its file.
fn build(c: &mut Criterion) {
    let rules = "6x4".parse().unwrap();
    let seeds = 12;
    let mut group = c.benchmark_group("solver/table");
    group.throughput(Throughput::Elements(Size::compute(rules, seeds).unwrap().boards));
    group.bench_function("12 seeds", |b| {
        b.iter(|| {
            let folder = tempfile::tempdir().unwrap();
            let mut builder = TableBuilder::new(folder.path(), rules, seeds, Pool::alone()).unwrap();
            while builder.step(Budget::UNLIMITED).unwrap() == Status::Running {}
        });
    });
}

/// A table of checkers. Elements: positions, built from nothing, and read at random with all blocks in memory.
fn checkers(c: &mut Criterion) {
    const PIECES: u8 = 3;
    let folder = tempfile::tempdir().unwrap();
    let build = || {
        let mut builder = TableBuilder::new(folder.path(), TableRules::Checkers, PIECES, Pool::alone()).unwrap();
        while builder.step(Budget::UNLIMITED).unwrap() == Status::Running {}
    };
    let mut group = c.benchmark_group("checkers/table");
    group.throughput(Throughput::Elements(Size::compute(TableRules::Checkers, PIECES).unwrap().boards));
    group.sample_size(10).bench_function("3 pieces", |b| b.iter(build));
    // A filter may have left the bench out.
    build();
    let table = EndgameTable::open(&TableRules::Checkers.path(folder.path())).unwrap();
    let mut random = rng::keyed(&[1]);
    let mut square = || 1_u32 << random.random_range(4..28);
    let positions: Vec<Checkers> = std::iter::repeat_with(|| [square(), square(), square()])
        .filter(|[a, b, c]| a & b == 0 && (a | b) & c == 0)
        .map(|[a, b, c]| Checkers::from_sets([a, b], [c, 0], Side::South))
        .take(10_000)
        .collect();
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("probe", |b| b.iter(|| positions.iter().filter_map(|pos| table.value(pos)).count()));
}

/// Whole solutions without a table on disk.
fn solve(c: &mut Criterion) {
    let mut group = c.benchmark_group("solver/solve");
    group.sample_size(10);
    for rules in ["5x3:standard", "6x3:empty"] {
        let start = Kalah::start(rules.parse().unwrap());
        group.bench_function(rules, |b| {
            b.iter(|| {
                let mut solver = Solver::with_table(&start, 64, None).unwrap();
                while solver.step(Budget::UNLIMITED) == Status::Running {}
                solver.solution()
            });
        });
    }
}

criterion_group!(solver, build, checkers, solve);
