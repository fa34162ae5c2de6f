//! Runs and tournaments beyond one machine.
//!
//! A plan is a folder that says what is computed and cuts it into units. A unit depends on nothing but the plan and its number, so that
//! whatever runs array jobs can have them computed: scheduling, restarting and moving on when a machine dies is an engine's work. What
//! the units computed is put together to ordinary runs, the same as one machine would have written.

mod blocks;
mod copies;
pub mod draft;
pub mod engine;
mod islands;
pub mod making;
pub mod merge;
pub(crate) mod part;
pub mod place;
pub mod plan;
pub mod result;
pub mod runs;
pub(crate) mod sample;
pub mod shelf;
pub mod standing;
pub mod sweep;
pub(crate) mod task;
pub mod unit;
pub(crate) mod whole;
