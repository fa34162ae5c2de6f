//! Breeding: genetic programming, a genetic algorithm over numbers, and what they are applied to.
//!
//! - [`gp`]: genetic programming, whatever the problem: varying programs, choosing among them, and the run that breeds them.
//! - [`kalah`]: programs that play Kalah: their fitness, and the presets of "Using Genetic Programming to Play Mancala" (J.
//!   Ahlschwede); and [`kalah::weights`], the weights of the ten heuristics of the Kalah thesis.
//! - [`othello`]: functions that value boards of Othello: their fitness, and the presets of "Genetic Programming Applied to Board Game
//!   Othello" (L. Liao).
//! - [`opponent`]: whom programs of either game are bred against.
//! - [`shown`]: what a person is shown of programs, whatever the problem.
//! - `any`: settings and runs of any kind in a list of kinds, which the two lists are made with.
//! - [`problems`]: the one list of problems, and the run of any of them.
//! - [`checkers`]: the weights of Samuel's terms for checkers, as a program that learns tunes them.
//! - [`ga`]: genomes of real numbers, whatever they weigh: operators, contests, the run that breeds them.
//! - [`tasks`]: the one list of what such genomes are tuned for, and the run of any of it.
//!
//! Programs themselves and their languages ([`crate::program`]) lie below the players, one kind of which is such a program;
//! fitness, which needs opponents, and runs lie above them.

pub mod checkers;
pub mod inspect;
pub mod kalah;
pub mod opponent;
pub mod othello;
pub mod problems;
pub mod tasks;

pub use mancalab_evolve::{ga, gp};

#[cfg(test)]
mod gp_tests;
