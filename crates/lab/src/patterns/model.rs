//! What a run has learned: the weights of all stages, and the errors of shallow searches with them.

use super::fit::Learning;
use crate::codec::{Decoder, Encoder};
use crate::game::othello::patterns::{Errors, Layout, Learned, MOBILITIES, STAGES, weights_per_stage};
use mancalab_base::Error;

/// Value of a move that the mover has more, in hundredths of a disc, before the first generation.
const MOBILITY: f32 = 60.0;

/// Stored weights are multiples of this, in hundredths of a disc: files take half of the space, and a value is off by a tenth of a
/// disc.
const STEP: f32 = 4.0;

/// The largest stored weight, a multiple of the same.
const MOST: f32 = 32_000.0;

/// See the [module](self).
pub struct Model {
    pub stages: Vec<Learning>,
    pub errors: Errors,
}

impl Model {
    /// The model before the first generation: mobility alone.
    pub fn first() -> Model {
        let mut stage = Learning::new(weights_per_stage());
        let counts = Layout::get().distinct;
        for moves in 0..MOBILITIES {
            stage.weights[counts + moves] = MOBILITY * moves as f32;
            stage.weights[counts + MOBILITIES + moves] = -MOBILITY * moves as f32;
        }
        Model { stages: vec![stage; STAGES], errors: Errors::default() }
    }

    /// The model as it is stored and as searches use it.
    pub fn learned(&self) -> Learned {
        let whole = |weight: &f32| ((weight / STEP).round() * STEP).clamp(-MOST, MOST) as i16;
        let stages = std::array::from_fn(|stage| self.stages[stage].weights.iter().map(whole).collect());
        Learned { stages, errors: self.errors }
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
