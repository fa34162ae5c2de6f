//! Loss of the advantage actor-critic for one decision, `½·v·(R − V)² − ln π(a)·A − β·H(π)`, and its gradient.

use super::network::Activations;
use super::policy::Policy;

/// Weights of the terms of the loss.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weighing {
    /// `v`, of the squared error of the value.
    pub value: f32,
    /// `β`, of the policy's entropy, which is a bonus.
    pub entropy: f32,
}

/// A decision and its result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Decision {
    /// Index of the chosen output among the legal ones.
    pub chosen: usize,
    /// `A`: advantage over the expected value.
    pub advantage: f32,
    /// `R`: target of the value.
    pub goal: f32,
}

/// The terms of a loss, without weights.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Losses {
    /// `−ln π(a)·A`
    pub policy: f32,
    /// `½(R − V)²`
    pub value: f32,
    /// `H(π)`, in nats.
    pub entropy: f32,
}

/// Returns the terms of the loss of a decision, for the network's activations `printed` and its `policy` over the
/// `legal` outputs. Sets `slopes` to the gradient of the weighted loss, times `share`, with respect to each logit
/// and the value.
pub fn losses(
    printed: &Activations,
    policy: &Policy,
    legal: &[u16],
    decision: Decision,
    weighing: Weighing,
    share: f32,
    slopes: &mut Vec<f32>,
) -> Losses {
    let logits = printed.logits().len();
    let entropy = policy.entropy();
    let error = printed.value() - decision.goal;
    slopes.clear();
    slopes.resize(logits + 1, 0.0);
    for (nth, &place) in legal.iter().enumerate() {
        let chance = policy.chances[nth];
        let log = policy.logs[nth];
        let toward = chance - if nth == decision.chosen { 1.0 } else { 0.0 };
        let flatter = chance * (log + entropy);
        // Two moves may share an output.
        slopes[usize::from(place)] += share * (decision.advantage * toward + weighing.entropy * flatter);
    }
    slopes[logits] = share * weighing.value * error;
    Losses { policy: -policy.logs[decision.chosen] * decision.advantage, value: 0.5 * error * error, entropy }
}
