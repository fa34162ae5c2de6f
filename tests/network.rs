//! The network against reference values (`tests/net/reference.py`), against numerical gradients of its own loss, and
//! against the clock.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use mancalab::net::{
    Activations, Adam, Betas, Decision, Input, LossWeights, Losses, Network, Policy, Scratch, Shape, clip, losses,
};
use mancalab::rng::keyed;

/// The lines of the reference: names and numbers.
fn reference() -> BTreeMap<&'static str, Vec<f32>> {
    let line = |line: &'static str| {
        let (name, numbers) = line.split_once(' ').unwrap();
        (name, numbers.split(' ').map(|number| number.parse().unwrap()).collect())
    };
    include_str!("net/reference.txt").lines().map(line).collect()
}

fn assert_near(name: &str, own: &[f32], expected: &[f32], most: f32) {
    assert_eq!(own.len(), expected.len(), "{name}");
    for (n, (own, expected)) in own.iter().zip(expected).enumerate() {
        assert!((own - expected).abs() <= most * expected.abs().max(1.0), "{name} {n}: {own} instead of {expected}");
    }
}

/// A training case: the input, the legal moves and the outcome.
struct Case {
    input: &'static Input,
    legal: &'static [u16],
    decision: Decision,
}

const CASES: [Case; 3] = [
    Case {
        input: &[(0, 1.0), (3, 1.0), (9, -0.25)],
        legal: &[0, 1, 3],
        decision: Decision { chosen: 2, advantage: 0.75, goal: 1.0 },
    },
    Case {
        input: &[(1, 1.0), (4, 0.5), (8, 2.0)],
        legal: &[0, 1, 2, 3],
        decision: Decision { chosen: 0, advantage: -0.5, goal: -1.0 },
    },
    Case {
        input: &[(2, 1.0), (7, 1.0), (9, 1.0)],
        legal: &[2, 3],
        decision: Decision { chosen: 0, advantage: 0.3, goal: 0.2 },
    },
];
const WEIGHING: LossWeights = LossWeights { value: 0.5, entropy: 0.02 };

fn shape() -> Shape {
    Shape { inputs: 10, hidden: vec![6, 5], outputs: 4 }
}

/// Returns the mean loss of all cases, its gradient, and each case's activations and losses.
fn judge(network: &Network) -> (f64, Vec<f32>, Vec<(Activations, Losses)>) {
    let mut loss = 0.0;
    let mut gradient = vec![0.0; network.parameters().len()];
    let mut all = Vec::new();
    let mut scratch = Scratch::default();
    let mut slopes = Vec::new();
    let mut policy = Policy::default();
    for Case { input, legal, decision } in CASES {
        let mut printed = Activations::default();
        network.forward(input, &mut printed);
        policy.read(printed.logits(), legal, 1.0);
        let lost = losses(&printed, &policy, legal, decision, WEIGHING, 1.0 / 3.0, &mut slopes);
        network.backward(input, &printed, &slopes, &mut scratch, &mut gradient);
        let parts = [lost.policy, WEIGHING.value * lost.value, -WEIGHING.entropy * lost.entropy];
        loss += parts.into_iter().map(f64::from).sum::<f64>() / 3.0;
        all.push((printed, lost));
    }
    (loss, gradient, all)
}

#[test]
fn it_computes_what_another_program_computes() {
    let reference = reference();
    let mut network = Network::new(shape()).unwrap();
    network.parameters_mut().copy_from_slice(&reference["weights"]);
    let (_, mut gradient, all) = judge(&network);
    let logits: Vec<f32> = all.iter().flat_map(|(printed, _)| printed.logits().to_vec()).collect();
    assert_near("logits", &logits, &reference["logits"], 2e-6);
    let each = |part: fn(&(Activations, Losses)) -> f32| all.iter().map(part).collect::<Vec<f32>>();
    assert_near("value", &each(|(printed, _)| printed.value()), &reference["value"], 2e-6);
    assert_near("policy_loss", &each(|(_, lost)| lost.policy), &reference["policy_loss"], 2e-6);
    assert_near("value_loss", &each(|(_, lost)| lost.value), &reference["value_loss"], 2e-6);
    assert_near("entropy", &each(|(_, lost)| lost.entropy), &reference["entropy"], 2e-6);
    assert_near("gradient", &gradient, &reference["gradient"], 2e-6);
    assert!(gradient.iter().filter(|slope| **slope != 0.0).count() > 40);

    let mut adam = Adam::new(gradient.len(), Betas::default(), 1e-5);
    for name in ["one_step", "two_steps"] {
        let norm = clip(&mut gradient, 0.3);
        if name == "one_step" {
            assert_near("norm", &[norm], &reference["norm"], 2e-6);
        }
        adam.step(network.parameters_mut(), &gradient, 1e-3);
        assert_near(name, network.parameters(), &reference[name], 1e-6);
        gradient = judge(&network).1;
    }
}

#[test]
fn gradients_are_the_differences_of_the_loss() {
    for seed in 0..4 {
        let mut network = Network::random(shape(), &mut keyed(&[seed])).unwrap();
        // Biases of 0 are on the edge of every ReLU.
        network.parameters_mut().iter_mut().enumerate().for_each(|(n, number)| *number += (n % 7) as f32 / 20.0 - 0.13);
        let gradient = judge(&network).1;
        let step = 1e-3;
        let mut apart = 0;
        for (n, &slope) in gradient.iter().enumerate() {
            let at = |offset: f32| {
                let mut network = network.clone();
                network.parameters_mut()[n] += offset;
                judge(&network).0
            };
            let difference = (at(step) - at(-step)) / (2.0 * f64::from(step));
            // Occasionally the edge of a ReLU lies between the two.
            apart += usize::from((difference - f64::from(slope)).abs() > 2e-3);
        }
        assert!(apart <= 1, "seed {seed}: {apart} of {} slopes differ", gradient.len());
    }
}

/// Memorises a small table.
#[test]
fn it_learns() {
    let mut network = Network::random(Shape { inputs: 20, hidden: vec![16], outputs: 3 }, &mut keyed(&[1])).unwrap();
    let mut adam = Adam::new(network.parameters().len(), Betas::default(), 1e-5);
    let mut printed = Activations::default();
    let mut policy = Policy::default();
    let mut scratch = Scratch::default();
    let mut slopes = Vec::new();
    let mut wrong = (0, 0.0_f32);
    for round in 0..400 {
        let mut gradient = vec![0.0; network.parameters().len()];
        wrong = (0, 0.0);
        for case in 0..20_u16 {
            let input = [(case, 1.0)];
            let right = usize::from(case % 3);
            let goal = f32::from(case % 5) / 2.0 - 1.0;
            network.forward(&input, &mut printed);
            policy.read(printed.logits(), &[0, 1, 2], 1.0);
            wrong.0 += usize::from(policy.likeliest() != right);
            wrong.1 = wrong.1.max((printed.value() - goal).abs());
            let decision = Decision { chosen: right, advantage: 1.0, goal };
            losses(
                &printed,
                &policy,
                &[0, 1, 2],
                decision,
                LossWeights { value: 1.0, entropy: 0.0 },
                0.05,
                &mut slopes,
            );
            network.backward(&input, &printed, &slopes, &mut scratch, &mut gradient);
        }
        clip(&mut gradient, 1.0);
        adam.step(network.parameters_mut(), &gradient, if round < 300 { 0.02 } else { 0.004 });
    }
    assert!(wrong.0 == 0 && wrong.1 < 0.05, "{wrong:?}");
}

/// A generous limit for slow or busy machines, and many times larger without optimisation.
#[test]
fn a_forward_is_short() {
    let shape = Shape { inputs: 196, hidden: vec![64, 64], outputs: 6 };
    let network = Network::random(shape, &mut keyed(&[2])).unwrap();
    let input: Vec<(u16, f32)> = (0..16).map(|n| (12 * n, 1.0)).collect();
    let mut printed = Activations::default();
    let mut least = Duration::MAX;
    for _ in 0..20 {
        let began = Instant::now();
        (0..50).for_each(|_| network.forward(&input, &mut printed));
        least = least.min(began.elapsed() / 50);
    }
    let most = if cfg!(debug_assertions) { 500 } else { 10 };
    assert!(least < Duration::from_micros(most), "{least:?}");
}
