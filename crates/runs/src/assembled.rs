//! The folder of a run whose rows were computed elsewhere: the same files as of a [`RunJob`](super::RunJob).

use mancalab_base::Error;
use std::path::Path;

use super::run::{Row, Run, RunSettings};
use super::run_dir::processes::Role;
use super::run_dir::{Format, RunDir};
use super::run_inputs::{copy_inputs, format, run_inputs};
use crate::pool::Pool;

/// A run's folder being filled.
pub struct RunAssembly(RunDir);

impl RunAssembly {
    /// `computed` are the processes that computed the rows, for `provenance.toml`.
    ///
    /// # Errors
    /// See `RunDir::create`.
    pub fn create(folder: &Path, settings: &dyn RunSettings, computed: &[toml::Table]) -> Result<RunAssembly, Error> {
        let inputs = || Ok(run_inputs(settings, &copy_inputs(settings, folder)?, None));
        let format = Format { individual_columns: None, ..format(settings) };
        // The run was started when its first rows were, however often it is put together.
        let is_time =
            |time: &&str| time.len() == 20 && time.bytes().all(|b| b.is_ascii_digit() || b"- :Z".contains(&b));
        let started = computed.iter().filter_map(|process| process.get("started")?.as_str()).filter(is_time).min();
        let dir = RunDir::create(folder, format, started, inputs)?;
        dir.begin_processes(computed)?;
        dir.add_process(Role::Merged, 1)?;
        Ok(RunAssembly(dir))
    }

    /// Writes the row of the next generation.
    ///
    /// # Errors
    /// The file and the reason, such as a full disk.
    pub fn row(&mut self, row: &Row) -> Result<(), Error> {
        self.0.append(&row.values, &row.timings)
    }

    /// Saves the run as of the last row.
    ///
    /// # Errors
    /// The file and the reason, such as a full disk.
    pub fn finish(mut self, run: &dyn Run, finished: bool, pool: &Pool) -> Result<(), Error> {
        if let Some(generation) = run.generation() {
            self.0.save(generation, finished, run.save(pool), &run.best())?;
            if let Some((name, bytes)) = run.product() {
                self.0.put(name, &bytes)?;
            }
        }
        self.0.note("put together");
        Ok(())
    }

    /// Logs the reason why the run cannot continue.
    pub fn note_stop(&self, reason: &str) {
        self.0.note_stop(reason);
    }
}
