//! What a run has learned: the weights of all stages, and the errors of shallow searches with them.

use crate::fit::Learning;
use crate::{Errors, LearnedWeights, PatternEvaluation};
use mancalab_base::Error;
use mancalab_base::codec::{Decoder, Encoder};

/// Stored weights are multiples of this, in hundredths of the displayed unit: files take half of the space, and a
/// value is off by about a tenth of a disc or of a man.
const STEP: f32 = 4.0;

/// The largest stored weight, a multiple of the same.
const MOST: f32 = 32_000.0;

/// See the [module](self).
pub struct Model {
    pub stages: Vec<Learning>,
    pub errors: Errors,
}

impl Model {
    /// The model before the first generation.
    pub fn first<G: PatternEvaluation>() -> Model {
        Model { stages: vec![Learning::new(G::initial()); G::STAGES], errors: Errors::default() }
    }

    /// Moves each weight towards the mean of its stages, which counts as `share` samples.
    pub fn pool(&mut self, share: f32) {
        for at in 0..self.stages.first().map_or(0, |stage| stage.weights.len()) {
            let mut sum = 0.0;
            let mut all = 0.0;
            for stage in &self.stages {
                sum += stage.support[at] * stage.weights[at];
                all += stage.support[at];
            }
            if all == 0.0 {
                continue;
            }
            for Learning { weights, support } in &mut self.stages {
                weights[at] = (support[at] * weights[at] + share * sum / all) / (support[at] + share);
            }
        }
    }

    /// The model as it is stored and as searches use it.
    pub fn learned(&self) -> LearnedWeights {
        let whole = |weight: &f32| ((weight / STEP).round() * STEP).clamp(-MOST, MOST) as i16;
        let stages = self.stages.iter().map(|stage| stage.weights.iter().map(whole).collect()).collect();
        LearnedWeights { stages, errors: self.errors }
    }

    pub fn save(&self, out: &mut Encoder) {
        out.floats(&self.errors.0);
        for stage in &self.stages {
            out.floats(&stage.weights);
            out.floats(&stage.support);
        }
    }

    /// # Errors
    /// The bytes are not the output of [`save`](Model::save).
    pub fn restore(&mut self, from: &mut Decoder<'_>) -> Result<(), Error> {
        from.floats_into(&mut self.errors.0)?;
        for stage in &mut self.stages {
            from.floats_into(&mut stage.weights)?;
            from.floats_into(&mut stage.support)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pooled_weights_lie_between_their_own_and_the_mean() {
        let stage = |weight: f32, support: f32| Learning { weights: vec![weight, 7.0], support: vec![support, 0.0] };
        let mut model =
            Model { stages: vec![stage(10.0, 3.0), stage(-2.0, 1.0), stage(50.0, 0.0)], errors: Errors::default() };
        model.pool(1.0);
        let weights: Vec<f32> = model.stages.iter().map(|stage| stage.weights[0]).collect();
        // The mean is 7: a stage that no sample supports takes it.
        assert_eq!(weights, [(3.0 * 10.0 + 7.0) / 4.0, (-2.0 + 7.0) / 2.0, 7.0]);
        assert!(model.stages.iter().all(|stage| stage.weights[1] == 7.0));
    }
}
