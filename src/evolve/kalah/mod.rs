//! Programs that play Kalah.

pub mod language;

pub use language::{Bowls, Program, Reading};
