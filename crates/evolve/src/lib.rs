//! Evolution, whatever it is applied to.
//!
//! - [`program`]: programs as data: trees, tapes, languages.
//! - [`gp`]: genetic programming, whatever the problem: varying programs, choosing among them, and the run that breeds them.
//! - [`ga`]: genomes of real numbers, whatever they weigh: operators, contests, the run that breeds them.

use mancalab_base::{budget, codec, pool, rng, row, settings};
use mancalab_games as game;
use mancalab_runs as job;

pub mod ga;
pub mod gp;
pub mod program;
