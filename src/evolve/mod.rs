//! Breeding: genetic programming, a genetic algorithm over numbers, and what they are applied to.
//!
//! - [`gp`]: programs as trees, whatever the problem: growing, varying, printing, folding, and the run that breeds them.
//! - [`kalah`]: programs that play Kalah: their language, their fitness, and the presets of "Using Genetic Programming to Play
//!   Mancala" (J. Ahlschwede).
//! - [`ga`]: genomes of real numbers, whatever they weigh: operators, contests, the run that breeds them; and the weights of
//!   the ten heuristics of the Kalah thesis.
//!
//! Trees and the language of Kalah programs ([`gp::tree`], [`kalah::language`]) lie below the players, one kind of which is such
//! a program; fitness, which needs opponents, and runs lie above them.

pub mod ga;
pub mod gp;
pub mod kalah;
