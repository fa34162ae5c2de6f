//! Speed of Kalah's endgame tables and exact solutions, on one thread.

use criterion::{Criterion, Throughput, criterion_group};
use mancalab::budget::{Budget, Status};
use mancalab::game::BoardGame as _;
use mancalab::game::kalah::Kalah;
use mancalab::pool::Pool;
use mancalab::search::endgame::Size;
use mancalab::search::{Solver, TableBuilder};

/// Elements: boards. Each build starts from nothing and writes its file.
fn build(c: &mut Criterion) {
    let (rules, seeds) = ("6x4".parse().unwrap(), 12);
    let mut group = c.benchmark_group("solver/table");
    group.throughput(Throughput::Elements(Size::of(rules, seeds).unwrap().boards));
    group.bench_function("12 seeds", |b| {
        b.iter(|| {
            let folder = tempfile::tempdir().unwrap();
            let mut builder = TableBuilder::new(folder.path(), rules, seeds, Pool::alone()).unwrap();
            while builder.step(Budget::UNLIMITED).unwrap() == Status::Running {}
        });
    });
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

criterion_group!(solver, build, solve);
