//! Speed of evolution: running one program's tape, making a tape, and whole runs with the presets' settings on one
//! processor.

use criterion::{BatchSize, Criterion, Throughput, criterion_group};
use mancalab::budget::{Budget, Job};
use mancalab::evolve::kalah::{KalahRun, Settings};
use mancalab::evolve::othello;
use mancalab::job::{Rows, RunJob};
use mancalab::pool::Pool;
use mancalab::program::Tape;
use mancalab::program::kalah::printed;
use mancalab::row::Row as _;
use std::hint::black_box;
use std::time::Duration;

/// The 80 nodes of the second printed program, on the start position.
fn tape(c: &mut Criterion) {
    let program = printed("figure5-2").unwrap();
    let mut tape = Tape::new(&program);
    let mut group = c.benchmark_group("tape");
    group.bench_function("run, 80 nodes", |b| {
        b.iter(|| tape.run(black_box(&[0, 4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4])))
    });
    group.bench_function("make, 80 nodes", |b| b.iter(|| Tape::new(black_box(&program))));
}

fn job(preset: &str, seed: u64) -> RunJob {
    let mut settings = Settings::preset(preset).unwrap();
    settings.tableau.seed = seed;
    RunJob::in_memory(settings, &Pool::alone()).unwrap()
}

/// 512 programs, 150 generations, with another seed each time: programs grow larger with some seeds than with others.
fn runs(c: &mut Criterion) {
    let mut group = c.benchmark_group("run");
    group.sample_size(10).warm_up_time(Duration::from_millis(1));
    for preset in ["mancala-gp-1", "mancala-gp-2"] {
        let mut seed = 0;
        group.bench_function(preset, |b| {
            b.iter_batched(
                || {
                    seed += 1;
                    job(preset, seed)
                },
                |mut job| job.step(Budget::UNLIMITED),
                BatchSize::PerIteration,
            );
        });
    }
}

/// The first generation of 500 functions, ramped half-and-half, each of which plays 5 games of Othello against the
/// random player (elements: games), and the next fifty generations, in which functions grow.
fn othello(c: &mut Criterion) {
    let mut group = c.benchmark_group("othello");
    group.sample_size(10).warm_up_time(Duration::from_millis(1));
    for (name, generations) in [("first generation", 0), ("51 generations", 50)] {
        let mut settings = othello::Settings::preset("othello-gp-25").unwrap();
        (settings.tableau.generations, settings.termination) = (generations, 0.0);
        let programs = u64::from(settings.tableau.population) * (generations + 1);
        group.throughput(Throughput::Elements(programs * u64::from(settings.games)));
        group.bench_function(name, |b| {
            let job = || {
                settings.tableau.seed += 1;
                RunJob::in_memory(settings.clone(), &Pool::alone()).unwrap()
            };
            b.iter_batched(job, |mut job| job.step(Budget::UNLIMITED), BatchSize::PerIteration);
        });
    }
}

/// Encodes and decodes the state of a run's last generation.
fn checkpoint(c: &mut Criterion) {
    let mut job = job("mancala-gp-2", 1);
    job.step(Budget::UNLIMITED);
    let mut group = c.benchmark_group("checkpoint");
    group.bench_function("save", |b| b.iter(|| job.run().save(&Pool::alone())));
    let run = job.run_as::<KalahRun>();
    let settings = run.settings().clone();
    let state = job.run().save(&Pool::alone());
    let rows: Vec<String> = run.history().iter().map(|row| row.to_row()).collect();
    let restore =
        |settings| KalahRun::restore(settings, &state, Rows::in_memory(&rows)).expect("the state is the run's own");
    group.bench_function("restore", |b| {
        b.iter_batched(|| settings.clone(), restore, BatchSize::LargeInput);
    });
}

criterion_group! {
    name = evolve;
    config = Criterion::default().warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(3)).sample_size(30);
    targets = tape, runs, othello, checkpoint
}
