//! Softmax over the legal outputs, and the loss of the advantage actor-critic for one decision, `½·v·(R − V)² − ln π(a)·A − β·H(π)`, with its gradient.

use super::network::Activations;

/// Weights of the terms of the loss.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LossWeights {
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
    loss_weights: LossWeights,
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
        slopes[usize::from(place)] += share * (decision.advantage * toward + loss_weights.entropy * flatter);
    }
    slopes[logits] = share * loss_weights.value * error;
    Losses { policy: -policy.logs[decision.chosen] * decision.advantage, value: 0.5 * error * error, entropy }
}

/// Probability of each legal output, in their order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Policy {
    /// Their sum is 1.
    pub chances: Vec<f32>,
    /// Their natural logarithms.
    pub logs: Vec<f32>,
}

impl Policy {
    /// Computes the masked softmax: over the `logits` at the indices `legal`, each divided by `temperature` (above
    /// 0; 1: as trained; below 1: sharper).
    pub fn read(&mut self, logits: &[f32], legal: &[u16], temperature: f32) {
        let Policy { chances, logs } = self;
        logs.clear();
        logs.extend(legal.iter().map(|&place| logits[usize::from(place)] / temperature));
        let most = logs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        chances.clear();
        chances.extend(logs.iter().map(|log| libm::expf(log - most)));
        let total: f32 = chances.iter().sum();
        let ln_total = libm::logf(total);
        chances.iter_mut().for_each(|chance| *chance /= total);
        logs.iter_mut().for_each(|log| *log = *log - most - ln_total);
    }

    /// Returns the entropy in nats: 0 if one output has probability 1.
    pub fn entropy(&self) -> f32 {
        -self.chances.iter().zip(&self.logs).map(|(chance, log)| chance * log).sum::<f32>()
    }

    /// Samples a legal output with 32 random bits; returns its index in `legal`.
    pub fn pick(&self, bits: u32) -> usize {
        // 24 bits, the precision of an `f32`.
        let mut left = (bits >> 8) as f32 / (1_u32 << 24) as f32;
        for (nth, chance) in self.chances.iter().enumerate() {
            left -= chance;
            if left < 0.0 {
                return nth;
            }
        }
        // The rounding error goes to the most likely output.
        self.likeliest()
    }

    /// Returns the index of the most likely legal output, the first of equals.
    pub fn likeliest(&self) -> usize {
        let mut best = 0;
        for (nth, chance) in self.chances.iter().enumerate() {
            if *chance > self.chances[best] {
                best = nth;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::super::rng::keyed;
    use super::*;
    use rand::Rng as _;

    #[test]
    fn what_is_not_allowed_has_no_chance_and_large_logits_overflow_nothing() {
        let mut policy = Policy::default();
        policy.read(&[1000.0, 1001.0, 5000.0, -1000.0], &[0, 1, 3], 1.0);
        let expected = [1.0 / (1.0 + 1f32.exp()), 1.0 / (1.0 + (-1f32).exp()), 0.0];
        assert!(policy.chances.iter().zip(expected).all(|(chance, expected)| (chance - expected).abs() < 1e-6));
        assert!(policy.logs.iter().all(|log| log.is_finite()) && policy.entropy() > 0.0);
        policy.read(&[0.0, 1.0], &[0, 1], 0.5);
        assert!((policy.chances[1] / policy.chances[0] - 2f32.exp()).abs() < 1e-4);
        policy.read(&[3.0], &[0], 1.0);
        assert_eq!((policy.chances[0], policy.entropy(), policy.pick(u32::MAX)), (1.0, 0.0, 0));
    }

    #[test]
    fn outputs_are_picked_as_often_as_their_chances_say() {
        let mut policy = Policy::default();
        let mut rng = keyed(&[5]);
        let mut counts = [0; 3];
        policy.read(&[0.0, 9.0, 1.0, 2.0], &[0, 2, 3], 1.0);
        (0..30_000).for_each(|_| counts[policy.pick(rng.next_u32())] += 1);
        for (count, chance) in counts.iter().zip(&policy.chances) {
            assert!((*count as f32 / 30_000.0 - chance).abs() < 0.012, "{counts:?} {policy:?}");
        }
        assert_eq!(policy.likeliest(), 2);
    }
}
