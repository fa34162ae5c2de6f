//! Foundations that all other crates of mancalab stand on; nothing here knows a game.
//!
//! - [`budget`]: long work in bounded steps; [`pool`]: the threads that do it.
//! - [`rng`]: generators keyed by what a random choice is for; [`codec`]: the bytes of checkpoints.
//! - [`settings`]: the TOML files that people write, and settings by key; [`row`]: the rows of a run's CSV file.
//! - [`Error`]: what went wrong, for every crate.
//! - [`files`], [`paths`]: careful access to files, and where they are; [`sanitize`]: texts from outside made safe to show.

pub mod budget;
pub mod codec;
mod error;
pub mod files;
pub mod paths;
pub mod pool;
pub mod rng;
pub mod row;
pub mod sanitize;
pub mod settings;

pub use error::Error;
