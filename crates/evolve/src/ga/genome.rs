//! Genomes of real numbers and the range of each gene.

use std::sync::Arc;

use crate::rng::{Rng, gaussian};

/// The values of all genes. Cheap to clone: views and generations share them.
pub type Genome = Arc<[f64]>;

/// The range, initial distribution and precision of one number of a genome.
#[derive(Clone, PartialEq, Debug)]
pub struct Gene {
    pub name: String,
    /// Bounds; values are clamped to them.
    pub low: f64,
    pub high: f64,
    /// Mean of the first population.
    pub start: f64,
    /// Standard deviation of the first population.
    pub spread: f64,
    pub grain: Grain,
    /// Whether the gene always keeps `start`.
    pub fixed: bool,
}

/// The precision of a gene. Stored values are exactly the printed ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grain {
    /// Number of decimal places.
    Decimals(u32),
    /// Number of significant digits, 1 to 17, for genes of any magnitude.
    Digits(u32),
}

impl Grain {
    /// Rounds to the nearest value of this precision. NaN becomes 0.
    fn round(self, value: f64) -> f64 {
        let rounded = match self {
            Grain::Decimals(places) => {
                let grain = 10_f64.powi(places as i32);
                (value * grain).round() / grain
            }
            // Rounds by the decimal text, so that no power of ten is rounded.
            Grain::Digits(digits) => {
                format!("{value:.places$e}", places = digits.max(1) as usize - 1).parse().unwrap_or(0.0)
            }
        };
        // Adding 0 turns negative zero into positive zero.
        if rounded.is_nan() { 0.0 } else { rounded + 0.0 }
    }
}

impl Gene {
    /// Returns the admissible value nearest to `value`.
    pub fn admit(&self, value: f64) -> f64 {
        if self.fixed {
            return self.start;
        }
        self.grain.round(value.clamp(self.low, self.high))
    }

    /// Draws a value for the first population.
    pub fn draw(&self, rng: &mut Rng) -> f64 {
        self.admit(self.start + self.spread * gaussian(rng))
    }
}

/// A member of the population.
#[derive(Clone, PartialEq, Debug)]
pub struct Individual {
    /// Unique within the run.
    pub id: u64,
    /// The first generation that contains it; an elite member is older than its generation.
    pub born: u64,
    pub genome: Genome,
}

/// A member of a population with its points.
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    pub individual: Individual,
    /// Points won in the contests.
    pub points: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn genes_admit_what_they_may_be() {
        let low = 0.0;
        let high = 1.0;
        let grain = Grain::Decimals(3);
        let gene = Gene { name: "W1".into(), low, high, start: 0.5, spread: 0.1, grain, fixed: false };
        assert_eq!([1.7, -0.2, 0.12349, -0.0001].map(|value| gene.admit(value)), [1.0, 0.0, 0.123, 0.0]);
        assert!(gene.admit(-0.0).is_sign_positive());
        let fixed = Gene { fixed: true, ..gene };
        assert_eq!(fixed.admit(0.9), 0.5);
    }

    #[test]
    fn genes_of_any_magnitude_keep_their_digits() {
        let low = -1e12;
        let high = 1e12;
        let grain = Grain::Digits(6);
        let gene = Gene { name: "ADV".into(), low, high, start: 1.0, spread: 0.0, grain, fixed: false };
        let values = [123_456.789, -0.000_123_456_789, 2.0, 0.0, -0.0, f64::INFINITY, f64::NAN, 1e-300];
        let kept = values.map(|value| gene.admit(value));
        assert_eq!(kept, [123_457.0, -0.000_123_457, 2.0, 0.0, 0.0, 1e12, 0.0, 1e-300]);
        for value in kept {
            assert_eq!(gene.admit(value).to_bits(), value.to_bits());
            assert_eq!(value.to_string().parse::<f64>().unwrap().to_bits(), value.to_bits());
        }
        assert_eq!(gene.draw(&mut crate::rng::keyed(&[1])), 1.0);
    }
}
