//! Speed of Othello by patterns: evaluations, and selective searches with the weights of the program.

use criterion::{Criterion, Throughput, criterion_group};
use mancalab::budget::Budget;
use mancalab::game::othello::Othello;
use mancalab::game::{BoardGame as _, Game as _};
use mancalab::rng;
use mancalab::search::selective::{Aim, Selective, SelectiveGame as _, Table};
use mancalab_evaluations::LearnedEvaluation as _;
use mancalab_evaluations::othello::Contents;
use rand::Rng as _;
use std::hint::black_box;

/// Positions after 12 to 43 random moves.
fn positions() -> Vec<Othello> {
    let mut random = rng::keyed(&[1]);
    let mut position = |plies| {
        let mut pos = Othello::start(Default::default());
        for _ in 0..plies {
            pos = if pos.is_over() { pos } else { pos.play(pos.pick(random.next_u32())) };
        }
        pos
    };
    (12..44).map(&mut position).filter(|pos| !pos.is_over()).collect()
}

/// Elements: positions, whose contents are known.
fn evaluate(c: &mut Criterion) {
    let weights = Othello::shipped();
    let positions: Vec<(Othello, Contents)> = positions().into_iter().map(|pos| (pos, Contents::read(&pos))).collect();
    let mut group = c.benchmark_group("othello/patterns");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("evaluate", |b| {
        b.iter(|| positions.iter().map(|(pos, contents)| weights.value(black_box(pos), contents)).sum::<i32>());
    });
}

/// Elements: positions visited.
fn search(c: &mut Criterion) {
    let positions = positions();
    let evaluator = Othello::evaluator(Othello::shipped());
    let searched = |depth| {
        let nodes = |pos| {
            let aim = Aim { depth, all: false };
            let mut search = Selective::new(pos, evaluator.clone(), aim, Table::default());
            search.step(Budget::UNLIMITED);
            search.report().nodes
        };
        positions.iter().map(nodes).sum::<u64>()
    };
    let mut group = c.benchmark_group("othello/selective");
    group.sample_size(10);
    for depth in [6, 10] {
        group.throughput(Throughput::Elements(searched(depth)));
        group.bench_function(depth.to_string(), |b| b.iter(|| searched(depth)));
    }
}

criterion_group!(patterns, evaluate, search);
