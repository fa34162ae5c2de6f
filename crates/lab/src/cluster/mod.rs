//! Runs and tournaments beyond one machine.
//!
//! A plan is a folder that says what is computed and cuts it into units. A unit depends on nothing but the plan and its number, so that
//! whatever runs array jobs can have them computed: scheduling, restarting and moving on when a machine dies is an engine's work. What
//! the units computed is put together to ordinary runs, the same as one machine would have written.

mod blocks;
pub mod create;
pub mod engine;
pub mod index;
mod islands;
pub mod layout;
pub mod manifest;
pub mod merge;
pub(crate) mod part;
pub mod plan;
pub mod result;
pub mod runs;
pub(crate) mod sample;
pub mod status;
pub mod sweep;
pub(crate) mod task;
pub mod unit;
pub(crate) mod whole;
