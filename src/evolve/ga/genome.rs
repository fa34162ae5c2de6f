//! Genomes of real numbers, and what each number may be.

use std::sync::Arc;

use crate::rng::{Rng, gaussian};

/// The values of all genes. Cheap to share: views and generations hold the same ones.
pub type Genome = Arc<[f64]>;

/// What one number of a genome may be.
#[derive(Clone, PartialEq, Debug)]
pub struct Gene {
    pub name: String,
    /// Bounds: what lies beyond is clipped to them.
    pub low: f64,
    pub high: f64,
    /// About what it starts with.
    pub start: f64,
    /// The standard deviation around that in the first population.
    pub spread: f64,
    /// Decimal places it is kept to, so that what is printed is all there is.
    pub digits: u32,
    /// It stays what it starts with.
    pub fixed: bool,
}

impl Gene {
    /// A value that the gene may have: the nearest to `value`.
    pub fn admit(&self, value: f64) -> f64 {
        if self.fixed {
            return self.start;
        }
        let grain = 10_f64.powi(self.digits as i32);
        // Adding 0 turns a negative zero into the usual one.
        (value.clamp(self.low, self.high) * grain).round() / grain + 0.0
    }

    /// A value for the first population.
    pub fn draw(&self, rng: &mut Rng) -> f64 {
        self.admit(self.start + self.spread * gaussian(rng))
    }
}

/// A member of the population.
#[derive(Clone, PartialEq, Debug)]
pub struct Individual {
    /// Never given to another in the same run.
    pub id: u64,
    /// The generation it was first in; an elite is older than its generation.
    pub born: u64,
    pub genome: Genome,
}

/// A member of a population that has been judged.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranked {
    pub individual: Individual,
    /// What its contests brought.
    pub points: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn genes_admit_what_they_may_be() {
        let gene = Gene { name: "W1".into(), low: 0.0, high: 1.0, start: 0.5, spread: 0.1, digits: 3, fixed: false };
        assert_eq!([1.7, -0.2, 0.12349, -0.0001].map(|value| gene.admit(value)), [1.0, 0.0, 0.123, 0.0]);
        assert!(gene.admit(-0.0).is_sign_positive());
        let fixed = Gene { fixed: true, ..gene };
        assert_eq!(fixed.admit(0.9), 0.5);
    }
}
