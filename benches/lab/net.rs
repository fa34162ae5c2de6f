//! Speed of a network of the usual size: forward pass, training and playing.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group};
use mancalab::budget::Budget;
use mancalab::game::kalah::Kalah;
use mancalab::game::{BoardGame as _, Planes as _};
use mancalab::job::{Progress, Run as _};
use mancalab::net::{Activations, Adam, Betas, Decision, LossWeights, Network, Policy, Scratch, Shape, losses};
use mancalab::player::{Spec, Turn, build, choose};
use mancalab::pool::Pool;
use mancalab::rng::keyed;
use mancalab::train::{Training, preset};

fn network(c: &mut Criterion) {
    let start = Kalah::start("".parse().expect("an empty text is the default variant"));
    // The shapes of the presets a3c-mixed and a3c-best, for the game's two encodings.
    let hidden = [[64, 64], [192, 64]];
    for ((encoding, (name, _)), hidden) in Kalah::ENCODINGS.iter().enumerate().zip(hidden) {
        let shape = Shape { inputs: start.inputs(encoding), hidden: hidden.to_vec(), outputs: start.outputs() };
        let mut network = Network::random(shape, &mut keyed(&[1])).expect("the shape is valid");
        let mut input = Vec::new();
        let mut printed = Activations::default();
        let mut policy = Policy::default();
        let legal: Vec<u16> = (0..6).collect();
        c.bench_function(&format!("network/{name}/encode"), |b| {
            b.iter(|| {
                input.clear();
                black_box(&start).encode(encoding, &mut input);
            });
        });
        c.bench_function(&format!("network/{name}/forward"), |b| {
            b.iter(|| {
                network.forward(black_box(&input), &mut printed);
                policy.read(printed.logits(), &legal, 1.0);
            });
        });
        let mut scratch = Scratch::default();
        let mut slopes = Vec::new();
        let mut gradient = vec![0.0; network.parameters().len()];
        let decision = Decision { chosen: 2, advantage: 0.3, goal: 0.5 };
        let loss_weights = LossWeights { value: 1.0, entropy: 0.01 };
        c.bench_function(&format!("network/{name}/backward"), |b| {
            b.iter(|| {
                losses(&printed, &policy, &legal, black_box(decision), loss_weights, 1.0, &mut slopes);
                network.backward(&input, &printed, &slopes, &mut scratch, &mut gradient);
            });
        });
        let mut adam = Adam::new(gradient.len(), Betas::default(), 1e-5);
        c.bench_function(&format!("network/{name}/adam"), |b| {
            b.iter(|| adam.step(network.parameters_mut(), black_box(&gradient), 1e-6));
        });
    }
}

/// A move of the player, from the text of the position to the move.
fn player(c: &mut Criterion) {
    let start = Kalah::start("".parse().expect("an empty text is the default variant"));
    let spec: Spec = "a3c".parse().expect("the built-in player");
    let mut player = build::<Kalah>(&spec).expect("it plays Kalah");
    let mut seed = 0;
    c.bench_function("network/a3c/move", |b| {
        b.iter(|| {
            seed += 1;
            choose(player.as_mut(), &Turn::new(black_box(start), 0, seed))
        });
    });
}

/// Games per second of training on one processor, without evaluation: generations of four rounds.
fn training(c: &mut Criterion) {
    let mut group = c.benchmark_group("training");
    for name in ["kalah-thesis-a3c", "a3c-mixed", "a3c-best", "a3c-othello"] {
        let mut settings = preset(name).expect("a preset");
        (settings.rounds, settings.panel.players) = (4, Vec::new());
        let generation = |mut run: Training| {
            while !matches!(run.advance(&Pool::alone(), Budget::UNLIMITED), Progress::Generation(_)) {}
            run
        };
        let begun = || generation(Training::start(settings.clone()).expect("the settings are valid"));
        // The number of games in the timed generation, the second.
        let games = generation(begun()).past().windows(2).map(|two| two[1].games - two[0].games).sum();
        group.throughput(Throughput::Elements(games)).sample_size(20);
        group.bench_function(name, |b| b.iter_batched(begun, generation, BatchSize::PerIteration));
    }
}

criterion_group!(benches, network, player, training);
