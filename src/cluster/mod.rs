//! Runs and tournaments beyond one machine.
//!
//! A plan is a folder that says what is computed and cuts it into units. A unit depends on nothing but the plan and its number, so that
//! whatever runs array jobs can have them computed: scheduling, restarting and moving on when a machine dies is an engine's work. What
//! the units computed is put together to ordinary runs, the same as one machine would have written.

mod blocks;
mod copies;
pub(crate) mod draft;
pub(crate) mod engine;
mod islands;
pub(crate) mod kinds;
pub(crate) mod making;
pub(crate) mod merge;
mod part;
pub(crate) mod place;
pub(crate) mod plan;
pub(crate) mod result;
pub(crate) mod runs;
mod sample;
pub(crate) mod shelf;
pub(crate) mod standing;
pub(crate) mod sweep;
mod task;
pub(crate) mod unit;
mod whole;
pub(crate) mod work;
