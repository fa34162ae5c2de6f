//! The languages that programs which play are written in, beside what holds for programs of any language.
//!
//! [`kalah`]: programs that play Kalah, and how a number becomes a bowl. [`othello`]: functions over real numbers that value a board,
//! each perhaps with one that it calls, which is folded into the tape call by call.

pub mod kalah;
pub mod othello;

pub use mancalab_evolve::program::*;
