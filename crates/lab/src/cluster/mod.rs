//! Runs and tournaments across machines.
//!
//! A plan is a folder that describes a computation and divides it into units. A unit depends only on the plan, its
//! number and the results of the units it needs, so any array job engine can compute it; scheduling, restarts and
//! failover are the engine's work. Merging the results gives ordinary runs, identical to those of one machine.

pub mod create;
pub mod engine;
pub mod index;
pub mod layout;
pub mod manifest;
pub mod merge;
pub mod plan;
mod processes;
pub mod result;
pub mod runs;
pub mod status;
pub mod sweep;
pub mod trials;
pub mod unit;
