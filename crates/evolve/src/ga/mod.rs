//! A genetic algorithm over real numbers.
//!
//! A [`Task`] defines the problem: its [genes](Gene), the [`Contest`] that evaluates them, and the [`Operators`] that breed
//! them. [`Ga`] is the [`Run`](crate::job::Run) of any task: it is stored in a directory, can be stopped after any generation,
//! and gives the same rows on every machine. A contest plays games through [`play::Play`]: in a [`round_robin`] everyone plays
//! everyone, in a [`knockout`] winners play winners.

pub mod bracket;
mod breed;
mod genome;
pub mod knockout;
pub mod operators;
pub mod play;
pub mod round_robin;
mod run;
pub mod task;
#[cfg(test)]
mod tests;
mod view;

pub use bracket::Bracket;
pub use breed::Couple;
pub use genome::{Gene, Genome, Grain, Individual, Member, Tie};
pub use operators::Operators;
pub use play::{Contest, ContestProgress};
pub use run::{FORMAT, Ga, TIMING_COLUMNS};
pub use task::{Settings, Task};
pub use view::{GaView, GenerationRow};
