//! A run's rows read: the best fitness of each generation of a run of `mancalab evolve` or `tune`, while it is computed or later.
//!
//!     cargo run --release -- evolve mancala-gp-1 --generations 20 --out run
//!     cargo run --release --example run_rows run
#![allow(clippy::print_stdout)]

use std::path::PathBuf;

use mancalab_base::Error;
use mancalab_runs::{RunReader, run_dir::Columns};

fn main() -> Result<(), Error> {
    let folder: PathBuf = std::env::args_os().nth(1).ok_or("name the folder of a run")?.into();
    let reader = RunReader::open(&folder)?;
    let manifest = reader.manifest();
    println!("{} {} with seed {}", manifest.kind, manifest.preset, manifest.seed);
    let rows = Columns::open(&folder)?;
    let best = rows.names.iter().position(|name| name.starts_with("best_fitness_")).ok_or("the run has no fitness")?;
    for (generation, value) in rows.numbers(best)?.iter().enumerate() {
        println!("{generation:>5} {value}");
    }
    Ok(())
}
