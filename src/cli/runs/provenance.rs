//! Which processes computed a run.

use std::path::Path;

use crate::cli::out;
use crate::job::run_dir::processes;

/// The processes that computed a run, the newest last; a damaged file is reported.
pub fn provenance_of(folder: &Path) -> Vec<toml::Table> {
    processes::read(folder).unwrap_or_else(|error| {
        out::report(&format!("mancalab: {error}"));
        Vec::new()
    })
}
