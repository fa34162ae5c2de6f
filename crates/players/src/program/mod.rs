//! The languages of evolved programs, with what programs of all languages share.
//!
//! [`kalah`]: programs that play Kalah and other games of pits, and how a number becomes a bowl. [`othello`]: real-valued functions that evaluate a board,
//! each with an optional function that it calls, which is inlined into the tape at every call.

pub mod kalah;
pub mod othello;

pub use mancalab_evolve::program::*;
