//! The genetic algorithm over real numbers, whatever they weigh.
//!
//! A [`Task`] says what is tuned: its [genes](Gene), the [`Contest`] that judges them, and the [`Operators`] they are bred
//! with. [`Ga`] is the run of any task, a [`Run`](crate::job::Run) like every other: it lives in a directory, can be stopped
//! after any generation, and gives the same rows on every machine. A contest has games played by whatever says how
//! ([`play::Play`]): [`round_robin`] everyone against everyone, [`knockout`] with those who win against each other.

pub mod bracket;
mod breed;
pub mod contest;
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
pub use contest::{Contest, Standing};
pub use genome::{Gene, Genome, Grain, Individual, Ranked};
pub use operators::Operators;
pub use run::{FORMAT, Ga, TIMING_COLUMNS};
pub use task::{Settings, Task};
pub use view::{GaView, GenerationRow};
