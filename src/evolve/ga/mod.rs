//! The genetic algorithm over real numbers.
//!
//! A [`Task`] says what is tuned: its [genes](Gene), the [`Contest`] that judges them, and the [`Operators`] they are bred
//! with. [`Ga`] is the run of any task, a [`Run`](crate::job::Run) like every other: it lives in a directory, can be stopped
//! after any generation, and gives the same rows on every machine. [`weights`] tunes the ten heuristics of the Kalah thesis.

mod breed;
pub mod contest;
pub mod duel;
mod genome;
pub mod operators;
pub mod round_robin;
mod run;
pub mod task;
#[cfg(test)]
mod tests;
mod view;
pub mod weights;

pub use contest::{Contest, Standing};
pub use genome::{Gene, Genome, Individual, Ranked};
pub use operators::Operators;
pub use run::Ga;
pub use task::{Settings, Task};
pub use view::{GaView, Past};
