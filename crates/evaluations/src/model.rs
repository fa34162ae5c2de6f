//! What a run has learned: the weights of all stages, and the errors of shallow searches with them.

use crate::fit::StageWeights;
use crate::{Errors, LearnedEvaluation, LearnedWeights};
use mancalab_base::Error;
use mancalab_base::codec::{Decoder, Encoder};

/// See the [module](self).
pub struct Model {
    pub stages: Vec<StageWeights>,
    pub errors: Errors,
}

impl Model {
    /// The model before the first generation.
    pub fn first<G: LearnedEvaluation>() -> Model {
        Model { stages: vec![StageWeights::new(G::initial()); G::STAGES], errors: Errors::default() }
    }

    /// The model as it is stored and as searches use it.
    pub fn learned<G: LearnedEvaluation>(&self) -> LearnedWeights {
        LearnedWeights {
            stages: self.stages.iter().map(|stage| G::stored(&stage.weights)).collect(),
            errors: self.errors,
        }
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
