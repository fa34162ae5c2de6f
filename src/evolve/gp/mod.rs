//! Genetic programming over any language of expressions.
//!
//! A problem brings a [`Language`](crate::program::Language) (its functions, inputs and constants) and a [`Problem`] (what a
//! program is worth); everything else is shared: crossover, mutation, selection, statistics, and the run.

pub mod breed;
mod genome;
mod making;
mod places;
pub mod population;
pub mod problem;
pub mod row;
pub mod run;
pub mod scores;
mod select;
pub mod tableau;
pub mod view;

pub use genome::Genome;
pub use population::{Birth, Individual, Operator, Population};
pub use problem::{Memo, Outcome, Problem};
pub use row::{GenerationRow, History};
pub use run::GpRun;
pub use scores::{Measure, Measures, Scores};
pub use tableau::{Selection, Tableau};
pub use view::{Best, EvolutionView, Histograms, Improvement, Times};
