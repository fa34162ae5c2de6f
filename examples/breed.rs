//! A program bred on a small problem: to beat the greedy player `max` at Kalah, by genetic programming.
//!
//!     cargo run --release --example breed
#![allow(clippy::print_stdout)]

use mancalab_base::budget::{Budget, Job as _};
use mancalab_base::{Error, pool::Pool, settings::KeyedSettings as _};
use mancalab_lab::evolve::kalah::{KalahRun, Settings};
use mancalab_runs::RunJob;

fn main() -> Result<(), Error> {
    let mut settings = Settings::preset("mancala-gp-1")?;
    for text in ["opponents=max", "population=100", "generations=15", "seed=1"] {
        settings.set_text(text)?;
    }
    let mut job = RunJob::in_memory(settings, &Pool::default())?;
    job.step(Budget::UNLIMITED);
    let run = job.run_as::<KalahRun>();
    for row in run.history().iter() {
        println!(
            "generation {:>2}: {} seeds of 96 in both games, {:.1} nodes on average",
            row.generation, row.best, row.mean_nodes
        );
    }
    if let Some(best) = run.best_so_far() {
        println!("{}", best.simplified.0);
    }
    Ok(())
}
