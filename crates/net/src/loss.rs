//! How wrong the heads were about a decision: the loss of the advantage actor-critic, `½·v·(R − V)² − ln π(a)·A − β·H(π)`, and its
//! slopes.

use super::network::Activations;
use super::policy::Policy;

/// What the parts of the loss weigh.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weighing {
    /// `v`, of the value's squared error.
    pub value: f32,
    /// `β`, of the policy's entropy, which is rewarded.
    pub entropy: f32,
}

/// A decision and what came of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Decision {
    /// Which of the allowed outputs was chosen, counted in their order.
    pub chosen: usize,
    /// `A`: how much better it was than expected.
    pub advantage: f32,
    /// `R`: what the value should have been.
    pub goal: f32,
}

/// The parts of a loss, unweighed.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Losses {
    /// `−ln π(a)·A`
    pub policy: f32,
    /// `½(R − V)²`
    pub value: f32,
    /// `H(π)`, in nats.
    pub entropy: f32,
}

/// The parts of the loss of a decision in which the network `said` this and so had this `policy` over the `legal` outputs. `slopes`
/// becomes how the weighed loss, times `share`, grows with each logit and with the value.
pub fn losses(
    said: &Activations,
    policy: &Policy,
    legal: &[u16],
    decision: Decision,
    weighing: Weighing,
    share: f32,
    slopes: &mut Vec<f32>,
) -> Losses {
    let (logits, entropy, error) = (said.logits().len(), policy.entropy(), said.value() - decision.goal);
    slopes.clear();
    slopes.resize(logits + 1, 0.0);
    for (nth, &place) in legal.iter().enumerate() {
        let (chance, log) = (policy.chances[nth], policy.logs[nth]);
        let toward = chance - if nth == decision.chosen { 1.0 } else { 0.0 };
        let flatter = chance * (log + entropy);
        // Two moves may share an output.
        slopes[usize::from(place)] += share * (decision.advantage * toward + weighing.entropy * flatter);
    }
    slopes[logits] = share * weighing.value * error;
    Losses { policy: -policy.logs[decision.chosen] * decision.advantage, value: 0.5 * error * error, entropy }
}
