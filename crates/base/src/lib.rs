//! Foundations that all other crates of mancalab stand on; nothing here knows a game.
//!
//! - [`step`]: long work in bounded steps; [`crew`]: the threads that do it.
//! - [`rng`]: generators keyed by what a random choice is for; [`codec`]: the bytes of checkpoints.
//! - [`document`]: the TOML files that people write, and settings by key; [`row`]: the rows of a run's CSV file.
//! - [`Error`]: what went wrong, for every crate.
//! - [`files`], [`paths`]: careful access to files, and where they are; [`plain`]: texts from outside made safe to show.

pub mod codec;
pub mod crew;
pub mod document;
mod error;
pub mod files;
pub mod paths;
pub mod plain;
pub mod rng;
pub mod row;
pub mod step;

pub use error::Error;
