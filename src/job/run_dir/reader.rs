//! Looking at a run that another process may be writing.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::checkpoint::{self, Peek};
use super::csv::Tail;
use super::{BEST, Manifest, ROWS, TIMINGS, lock};
use crate::document::{Problem, Table};
use crate::job::Run;

/// Follows a run's directory. Reads only; [`poll`](RunReader::poll) as often as there is to be drawn.
#[derive(Debug)]
pub struct RunReader {
    folder: PathBuf,
    manifest: Manifest,
    rows: Tail,
    timings: Tail,
    best: Option<(SystemTime, String)>,
    writer: Option<String>,
    checkpoint: Option<Peek>,
}

impl RunReader {
    /// # Errors
    /// The folder holds no run, or its `run.toml` cannot be read: why.
    pub fn open(folder: &Path) -> Result<RunReader, String> {
        let (manifest, ()) = Manifest::read(folder, |_, _, _| ())?;
        let (rows, timings) = (Tail::new(folder.join(ROWS)), Tail::new(folder.join(TIMINGS)));
        let mut reader = RunReader {
            folder: folder.to_owned(),
            manifest,
            rows,
            timings,
            best: None,
            writer: None,
            checkpoint: None,
        };
        reader.poll()?;
        Ok(reader)
    }

    /// Reads what is new; gives whether there was anything.
    ///
    /// # Errors
    /// A file cannot be read: which, and why.
    pub fn poll(&mut self) -> Result<bool, String> {
        let fail = |error: std::io::Error| format!("cannot read {}: {error}", self.folder.display());
        let mut changed = self.rows.poll().map_err(fail)?;
        changed |= self.timings.poll().map_err(fail)?;
        let path = self.folder.join(BEST);
        let modified = std::fs::metadata(&path).and_then(|meta| meta.modified()).ok();
        if modified.is_some() && modified != self.best.as_ref().map(|(time, _)| *time) {
            self.best = modified.zip(std::fs::read_to_string(&path).ok());
            changed = true;
        }
        let checkpoint = checkpoint::peek(&self.folder);
        changed |= checkpoint != self.checkpoint;
        self.checkpoint = checkpoint;
        let writer = lock::holder(&self.folder);
        changed |= writer != self.writer;
        self.writer = writer;
        Ok(changed)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The run's settings, for a reader that knows its kind.
    ///
    /// # Errors
    /// It is of another kind, or its settings are not accepted: all that is wrong.
    pub fn settings<R: Run>(&self) -> Result<R::Settings, String> {
        settings::<R>(&self.folder).map(|(_, settings)| settings)
    }

    /// The header of the rows, empty as long as there is none.
    pub fn columns(&self) -> &str {
        self.rows.header.as_deref().unwrap_or_default()
    }

    /// The whole rows of `generations.csv`, one a generation from 0 on.
    pub fn rows(&self) -> &[String] {
        &self.rows.rows
    }

    /// The header of the timings, empty as long as there is none.
    pub fn timing_columns(&self) -> &str {
        self.timings.header.as_deref().unwrap_or_default()
    }

    /// The whole rows of `timings.csv`.
    pub fn timings(&self) -> &[String] {
        &self.timings.rows
    }

    /// The newest generation that has ended.
    pub fn generation(&self) -> Option<u64> {
        (self.rows.rows.len() as u64).checked_sub(1)
    }

    /// Whether all generations have ended, or the run found that no more are needed.
    pub fn is_finished(&self) -> bool {
        let newest = |saved: &Peek| saved.finished && Some(saved.generation) == self.generation();
        self.generation() == Some(self.manifest.generations) || self.checkpoint.as_ref().is_some_and(newest)
    }

    /// `best.txt` as of the last checkpoint.
    pub fn best(&self) -> Option<&str> {
        self.best.as_ref().map(|(_, text)| text.as_str())
    }

    /// The process that writes the run now, such as `process 4711 on dolomite`; `None` if none does.
    pub fn writer(&self) -> Option<&str> {
        self.writer.as_deref()
    }

    /// The generation of the newest checkpoint, and how old it is.
    pub fn checkpoint(&self) -> Option<(u64, Duration)> {
        let Peek { generation, time, .. } = checkpoint::peek(&self.folder)?;
        Some((generation, time.elapsed().unwrap_or_default()))
    }
}

/// `run.toml` as settings of the kind `R`.
pub(in crate::job) fn settings<R: Run>(folder: &Path) -> Result<(Manifest, R::Settings), String> {
    let (manifest, settings) = Manifest::read(folder, |manifest, table: &Table<'_>, problems: &mut Vec<Problem>| {
        (manifest.kind == R::KIND).then(|| R::read_settings(manifest, table, problems))
    })?;
    let wrong = || format!("{} is a run of kind '{}', not '{}'", folder.display(), manifest.kind, R::KIND);
    settings.ok_or_else(wrong).map(|settings| (manifest.clone(), settings))
}
