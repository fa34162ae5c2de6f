//! Learning of evaluations of Othello and checkers, as a run.
//!
//! A generation plays games of its own from random openings (`games`), fits the weights to them ([`mancalab_evaluations::fit`]), measures how
//! well shallow searches predict deep ones (`errors`), and at intervals meets a fixed panel of players (`panel`). `run` puts them
//! together; `learnable` has what differs between the games.

mod errors;
mod games;
mod learnable;
mod panel;
mod row;
mod run;
mod run_settings;
mod settings;
#[cfg(test)]
mod tests;
mod view;

pub use learnable::{Learnable, Subject};
pub use row::EvaluationRow;
pub use run::EvaluationLearning;
pub use settings::Settings;
pub use view::View;
