//! Evolution: genetic programming, the genetic algorithm, and their applications.
//!
//! - [`gp`]: genetic programming for any problem: variation, selection, and the run.
//! - [`kalah`]: programs that play Kalah and other games of pits: their fitness, and the presets of "Using Genetic Programming to
//!   Play Mancala" (J. Ahlschwede); and [`kalah::weights`], the weights of the ten heuristics of the Kalah thesis in these games.
//! - [`othello`]: functions that evaluate Othello boards: their fitness, and the presets of "Genetic Programming Applied to
//!   Board Game Othello" (L. Liao).
//! - [`opponent`]: opponents of the programs of either game.
//! - [`analysis`]: what a program does in its games.
//! - [`inspect`]: the display of programs of any problem.
//! - [`problems`]: what all problems have in common, for lists and pages.
//! - `champion`: the best of a run as a player, for its panel.
//! - [`vocabulary`]: the names in programs and in formulas of fitness.
//! - [`checkers`]: the weights of Samuel's terms for checkers.
//! - [`ga`]: the genetic algorithm over real numbers: operators, contests, and the run.
//! - [`task`]: the list of all tasks of the genetic algorithm, and the run of any of them.
//!
//! Programs and their languages ([`crate::program`]) are a layer below the players, one kind of which is such a program.
//! Fitness, which needs opponents, and runs are a layer above the players.

pub mod analysis;
pub(crate) mod champion;
pub mod checkers;
mod experiment;
pub mod fitness_command;
mod fitness_text;
pub mod inspect;
pub mod kalah;
pub mod opponent;
pub mod othello;
pub mod problems;
pub mod subterms;
mod terms;
pub mod vocabulary;

pub use ga::task;

pub use mancalab_evolve::{chunks, ga, gp};

#[cfg(test)]
pub(crate) mod checks;
#[cfg(test)]
mod selection_tests;
