//! The scores that a problem measures besides fitness, and their names in files and on the screen.

use mancalab_base::Error;
use std::ops::{Deref, DerefMut};

use serde::Serialize;

use crate::codec::Decoder;

/// Maximum number of measures.
pub const MOST: usize = 4;

/// The measures of a problem.
#[derive(Debug)]
pub struct Measures {
    /// In the order of the scores.
    pub all: &'static [Measure],
    /// The header of `generations.csv`.
    pub columns: &'static str,
    /// The header of `individuals.csv`.
    pub individual_columns: &'static str,
}

/// A measure.
#[derive(Debug)]
pub struct Measure {
    /// The name in files, with its unit; prefixed with `best_` there.
    pub name: &'static str,
    /// The short name, for column headings and after a number.
    pub short: &'static str,
    /// What it counts, such as `seeds moving first`.
    pub about: &'static str,
}

/// Creates [`Measures`] from names, short names and descriptions.
#[macro_export]
macro_rules! measures {
    ($(($name:literal, $short:literal, $about:literal)),+ $(,)?) => {
        $crate::gp::Measures {
            all: &[$($crate::gp::Measure { name: $name, short: $short, about: $about }),+],
            columns: concat!(
                "generation,best_fitness_points,upper_quartile_fitness_points,median_fitness_points,",
                "lower_quartile_fitness_points,worst_fitness_points,mean_fitness_points,",
                $("best_", $name, ",",)+
                "best_size_nodes,best_depth_nodes,mean_size_nodes,largest_size_nodes,mean_depth_nodes,largest_depth_nodes,",
                "unique_programs_count,unique_behaviours_count,best_operator_name,best_born_generation,best_parent1_rank,",
                "best_parent2_rank"
            ),
            individual_columns: concat!(
                "generation,rank,fitness_points,",
                $($name, ",",)+
                "size_nodes,depth_nodes,operator_name,born_generation,birth_operator_name,parent1_rank,parent2_rank,program"
            ),
        }
    };
}

/// The scores of a program.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Scores {
    values: [f64; MOST],
    count: u8,
}

impl Scores {
    /// Takes the first [`MOST`] scores.
    pub fn new(scores: &[f64]) -> Scores {
        let mut values = [0.0; MOST];
        let count = scores.len().min(MOST);
        values[..count].copy_from_slice(&scores[..count]);
        Scores { values, count: count as u8 }
    }

    /// Decodes this number of scores.
    pub(super) fn decode(from: &mut Decoder<'_>, count: usize) -> Result<Scores, Error> {
        let scores = (0..count).map(|_| from.f64()).collect::<Result<Vec<f64>, Error>>()?;
        Ok(Scores::new(&scores))
    }
}

impl Deref for Scores {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.values[..usize::from(self.count)]
    }
}

impl DerefMut for Scores {
    fn deref_mut(&mut self) -> &mut [f64] {
        &mut self.values[..usize::from(self.count)]
    }
}

impl Serialize for Scores {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl Measures {
    /// Returns the scores as text, such as `41 first, 37 second`.
    pub fn to_text(&self, scores: &[f64], number: fn(f64) -> String) -> String {
        let one = |(score, measure): (&f64, &Measure)| format!("{} {}", number(*score), measure.short);
        scores.iter().zip(self.all).map(one).collect::<Vec<_>>().join(", ")
    }
}
