//! Genetic programming over any language of expressions.
//!
//! A problem provides a [`Language`](crate::program::Language) (functions, inputs and constants) and a [`Problem`] (the fitness
//! of a program). All problems share crossover, mutation, selection, statistics and the run.

pub mod archive;
mod builder;
pub mod genome;
pub mod islands;
mod lexicase;
mod nsga2;
pub mod points;
pub mod population;
pub mod problem;
pub mod row;
pub mod run;
mod run_settings;
pub mod select;
mod sharing;
pub mod tableau;
#[cfg(test)]
mod tests;
pub mod view;

pub use archive::Archive;
pub use genome::Genome;
pub use points::Points;
pub use population::{Individual, Lineage, Operator, OperatorSuccess, Population, Selectable};
pub use problem::{Measure, Measures, Memo, Outcome, Problem, Scores};
pub use row::{GenerationRow, History};
pub use run::GpRun;
pub use run_settings::GpSettings;
pub use tableau::{Selection, Tableau};
pub use view::{Best, EvolutionView, Histograms, Improvement, RunStatus, Times};
