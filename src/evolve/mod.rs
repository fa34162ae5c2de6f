//! Breeding: genetic programming, and what it is applied to.
//!
//! - [`gp`]: programs as trees, whatever the problem: growing, varying, printing, folding, and the run that breeds them.
//! - [`kalah`]: programs that play Kalah: their language, their fitness, and the presets of "Using Genetic Programming to Play
//!   Mancala" (J. Ahlschwede).
//!
//! Trees and the language of Kalah programs ([`gp::tree`], [`kalah::language`]) lie below the players, one kind of which is such
//! a program; fitness, which needs opponents, and runs lie above them.

pub mod gp;
pub mod kalah;
