//! How fast a network of the usual size is: asked, taught, and playing.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use mancalab::game::kalah::Kalah;
use mancalab::game::{Planes as _, Tabletop as _};
use mancalab::net::{Activations, Adam, Betas, Decision, Network, Policy, Scratch, Shape, Weighing, losses};
use mancalab::rng::keyed;

fn network(c: &mut Criterion) {
    let start = Kalah::start("".parse().expect("an empty text is the usual variant"));
    for (encoding, (name, _)) in Kalah::ENCODINGS.iter().enumerate() {
        let shape = Shape { inputs: start.inputs(encoding), hidden: vec![64, 64], outputs: start.outputs() };
        let mut network = Network::random(shape, &mut keyed(&[1])).expect("a shape that is possible");
        let (mut input, mut said, mut policy) = (Vec::new(), Activations::default(), Policy::default());
        let legal: Vec<u16> = (0..6).collect();
        c.bench_function(&format!("network/{name}/encode"), |b| {
            b.iter(|| {
                input.clear();
                black_box(&start).encode(encoding, &mut input);
            });
        });
        c.bench_function(&format!("network/{name}/forward"), |b| {
            b.iter(|| {
                network.forward(black_box(&input), &mut said);
                policy.read(said.logits(), &legal, 1.0);
            });
        });
        let (mut scratch, mut slopes) = (Scratch::default(), Vec::new());
        let mut gradient = vec![0.0; network.parameters().len()];
        let decision = Decision { chosen: 2, advantage: 0.3, goal: 0.5 };
        let weighing = Weighing { value: 1.0, entropy: 0.01 };
        c.bench_function(&format!("network/{name}/backward"), |b| {
            b.iter(|| {
                losses(&said, &policy, &legal, black_box(decision), weighing, 1.0, &mut slopes);
                network.backward(&input, &said, &slopes, &mut scratch, &mut gradient);
            });
        });
        let mut adam = Adam::new(gradient.len(), Betas::default(), 1e-5);
        c.bench_function(&format!("network/{name}/adam"), |b| {
            b.iter(|| adam.step(network.parameters_mut(), black_box(&gradient), 1e-6));
        });
    }
}

criterion_group!(benches, network);
criterion_main!(benches);
