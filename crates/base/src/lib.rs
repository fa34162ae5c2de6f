#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! - [`budget`]: long work in bounded steps; [`pool`]: its worker threads, and [`work`] for them; [`threads`]: other
//!   threads; [`active`]: what the threads of a search are in.
//! - [`rng`]: generators keyed by the purpose of a random choice; [`codec`]: binary encoding of checkpoints.
//! - [`settings`]: parsing of TOML files, and settings by key; [`csv`]: comma-separated values, and
//!   [`row`]: rows of a run's file of them.
//! - [`Error`]: the error type of all crates; [`utc`], [`date()`]: dates; [`name`]: names that peers choose;
//!   [`counted()`]: numbers of things in sentences.
//! - [`memory`]: the count of the bytes of search tables.
//! - [`files`], [`paths`]: safe file access, and the locations of files; [`sanitize`]: makes external text safe to
//!   display.

pub mod active;
pub mod budget;
pub mod codec;
pub mod confined;
mod counted;
pub mod csv;
mod date;
mod error;
pub mod files;
pub mod memory;
pub mod name;
pub mod paths;
pub mod pool;
pub mod prefetch;
pub mod processor;
pub mod rights;
pub mod rng;
pub mod row;
pub mod sanitize;
pub mod settings;
pub mod sort;
pub mod threads;
pub mod work;

pub use counted::counted;
pub use date::{date, day_of, utc};
pub use error::Error;
