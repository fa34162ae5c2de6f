#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! - [`program`]: programs as data: trees, tapes, languages.
//! - [`gp`]: genetic programming for any problem: variation, selection, and the run.
//! - [`formula`]: fitness as a formula.
//! - [`initial`]: individuals from files that begin a population of either.
//! - [`ga`]: the genetic algorithm over real numbers: operators, contests, and the run.

use mancalab_base::{budget, codec, files, pool, rng, row, sanitize, settings, sort, work};
use mancalab_games as game;
use mancalab_runs as job;

pub mod chunks;
pub mod formula;
pub mod ga;
pub mod gp;
pub mod initial;
pub mod program;
