//! A run to be resumed: everything is checked before anything is changed.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use mancalab_base::{Error, bail};
use rustix::fs::OFlags;

use super::checkpoint::{self, Checkpoint};
use super::csv::{self, Csv, Rows, Scan};
use super::dir_handle::DirHandle;
use super::lock::Lock;
use super::provenance::{self, Provenance, RunInputs};
use super::{BEST, Format, INDIVIDUALS, ROWS, RUN, RunDir, SavedGeneration, TIMINGS, clear, individuals, note};
use crate::files::{self, Kind};
use crate::sanitize;
use crate::settings::Source;

/// Part of the message that `run.toml` was changed.
pub(crate) const SINCE: &str = "was changed since the checkpoint was written: ";

/// A run's locked folder. Dropping leaves it unchanged.
#[derive(Debug)]
pub struct LockedRun {
    held: DirHandle,
    lock: Lock,
    run: Vec<u8>,
    source: Arc<Source>,
}

/// A run whose files match.
#[derive(Debug)]
pub struct CheckedRun {
    found: LockedRun,
    format: Format,
    run_inputs: RunInputs,
    /// `None`: there are none, and no checkpoint counts on them.
    rows: Option<File>,
    rows_path: PathBuf,
    scan: Scan,
    checkpoint: Option<Checkpoint>,
    /// It is the newest, including damaged ones.
    is_newest: bool,
    timings: Timings,
    /// The individuals, continued after this many bytes.
    individuals: Option<(File, u64)>,
    notes: Vec<String>,
}

#[derive(Debug)]
enum Timings {
    None,
    /// Continued after this many bytes.
    Kept(File, u64),
    /// Invalid, with the reason.
    Odd(Error),
}

impl LockedRun {
    /// # Errors
    /// There is no run, another process writes it, or its `run.toml` cannot be read.
    pub(crate) fn open(folder: &Path) -> Result<LockedRun, Error> {
        let none = || format!("{} holds no run: {RUN} is missing", folder.display());
        let held = DirHandle::open(folder).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => none().into(),
            _ => Error::cannot("open", folder)(error),
        })?;
        if !held.has(RUN) {
            return Err(none().into());
        }
        let lock = Lock::take(&held)?;
        let path = held.path_of(RUN);
        let run = held.read(RUN, Kind::Document).map_err(Error::cannot("read", &path))?;
        let source = Source::from_bytes(path.display().to_string(), run.clone())?;
        Ok(LockedRun { held, lock, run, source })
    }

    /// Returns `run.toml`.
    pub(crate) fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Finds the newest valid checkpoint whose rows all exist, and checks both against `run_inputs`, the inputs of the
    /// present `run.toml`. `plain` converts a `run.toml` of an older version of mancalab.
    ///
    /// # Errors
    /// A file is damaged, missing, changed, or of a newer version: which, and what to do.
    pub(crate) fn examine(
        self,
        format: Format,
        run_inputs: RunInputs,
        plain: impl Fn(&str) -> Option<String>,
    ) -> Result<CheckedRun, Error> {
        let mut notes = Vec::new();
        let rows = self.open_rows(&format)?;
        let (checkpoint, is_newest, scan) = self.usable(&format, rows.as_ref(), &mut notes)?;
        if let Some(checkpoint) = &checkpoint {
            self.compare(&checkpoint.provenance, &run_inputs, plain)?;
        }
        let kept = scan.kept.rows;
        if scan.rows > kept && kept > 0 {
            let last = scan.rows - 1;
            notes.push(format!("generations {kept} to {last} came after the checkpoint and are computed again"));
        }
        if checkpoint.is_none() && scan.rows > 0 {
            let rows = scan.rows;
            notes.push(format!("there is no checkpoint: the run starts again, and its {rows} rows are recomputed"));
        }
        let timings = self.open_timings(&format, kept);
        let individuals = match format.individual_columns {
            Some(header) => individuals::open(&self.held, header, kept)?,
            None => None,
        };
        let rows_path = self.held.path_of(ROWS);
        Ok(CheckedRun {
            found: self,
            format,
            run_inputs,
            rows,
            rows_path,
            scan,
            checkpoint,
            is_newest,
            timings,
            individuals,
            notes,
        })
    }

    /// Opens the rows; a run that ended in its first moments has no such file, or an incomplete header.
    fn open_rows(&self, format: &Format) -> Result<Option<File>, Error> {
        let path = self.held.path_of(ROWS);
        let fail = Error::cannot("read", &path);
        let begun = [checkpoint::FILE, checkpoint::OLD].iter().any(|name| self.held.has(name));
        let file = match self.held.open_file(ROWS, OFlags::RDWR | OFlags::APPEND) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && !begun => return Ok(None),
            file => file.map_err(fail)?,
        };
        let is_unbegun = !begun && self.is_unbegun(ROWS, &file, &format.columns).map_err(fail)?;
        Ok((!is_unbegun).then_some(file))
    }

    /// Returns whether the file holds only a part of its header.
    fn is_unbegun(&self, name: &str, file: &File, header: &str) -> io::Result<bool> {
        let length = file.metadata()?.len();
        Ok(length <= header.len() as u64 && header.as_bytes().starts_with(&self.held.read(name, Kind::Document)?))
    }

    /// Returns the newest valid checkpoint whose rows all exist, whether it is the newest of all, and the scan of its
    /// rows; notes rejected ones.
    fn usable(
        &self,
        format: &Format,
        rows: Option<&File>,
        notes: &mut Vec<String>,
    ) -> Result<(Option<Checkpoint>, bool, Scan), Error> {
        let scan = |keep: u64| match rows {
            Some(file) => csv::scan(file, &self.held.path_of(ROWS), &format.columns, keep, false),
            None => Ok(Scan::default()),
        };
        let mut problems = Vec::new();
        for name in [checkpoint::FILE, checkpoint::OLD] {
            let path = self.held.path_of(name);
            let problem = match checkpoint::read(&self.held, name, format.expected, Kind::Checkpoint) {
                Ok(None) => continue,
                Ok(Some(found)) => {
                    let scan = scan(found.generation.saturating_add(1))?;
                    if scan.rows > found.generation {
                        notes.append(&mut problems);
                        return Ok((Some(found), name == checkpoint::FILE, scan));
                    }
                    format!("is of generation {}, but {ROWS} ends before its row", found.generation).into()
                }
                // The previous one is of the same version; using it would lose the newer version's work.
                Err(refused) if refused.is_newer => bail!("{} {}", path.display(), refused.reason),
                Err(refused) => refused.reason,
            };
            problems.push(format!("{} {problem}", path.display()));
        }
        if problems.is_empty() {
            return Ok((None, true, scan(0)?));
        }
        let advice = "restore it from a copy, or start a new run with the settings of run.toml";
        Err(format!("{}; {advice}", problems.join("; ")).into())
    }

    /// # Errors
    /// The inputs of the rows were changed.
    fn compare(
        &self,
        provenance: &Provenance,
        now: &RunInputs,
        plain: impl Fn(&str) -> Option<String>,
    ) -> Result<(), Error> {
        let then = &provenance.run_inputs;
        if let Some(change) = provenance.change(now, plain) {
            bail!(
                "{} {SINCE}{change}; the rows of {ROWS} depend on it; restore it, or start a new run",
                sanitize::path(&self.held.path_of(RUN))
            );
        }
        match now.changed_file(then) {
            None => Ok(()),
            Some(name) => Err(format!(
                "the file of {name} was changed since {} was started; restore it, or start a new run",
                self.held.path().display()
            )
            .into()),
        }
    }

    fn open_timings(&self, format: &Format, kept: u64) -> Timings {
        let path = self.held.path_of(TIMINGS);
        let file = match files::if_there(self.held.open_file(TIMINGS, OFlags::RDWR | OFlags::APPEND)) {
            Ok(Some(file)) => file,
            Ok(None) => return Timings::None,
            Err(error) => return Timings::Odd(Error::cannot("read", &path)(error)),
        };
        if self.is_unbegun(TIMINGS, &file, format.timing_columns).unwrap_or(false) {
            return Timings::None;
        }
        match csv::scan(&file, &path, format.timing_columns, kept, true) {
            Ok(scan) => Timings::Kept(file, scan.end),
            Err(reason) => Timings::Odd(reason),
        }
    }
}

impl CheckedRun {
    /// Returns the checkpoint; `None`: the run starts again.
    pub(crate) fn checkpoint(&self) -> Option<&Checkpoint> {
        self.checkpoint.as_ref()
    }

    /// Returns the rows up to the checkpoint.
    ///
    /// # Errors
    /// They cannot be read.
    pub(crate) fn rows(&self) -> Result<Rows<'_>, Error> {
        match &self.rows {
            Some(file) => Rows::of_file(file, &self.rows_path, &self.format.columns, self.scan.kept.rows),
            None => Ok(Rows::in_memory(&[])),
        }
    }

    /// Returns a sentence if a row does not match the checkpoint. Such rows may be [read](CheckedRun::rows) to find the
    /// error, but the run is not resumed.
    pub(crate) fn changed_rows(&self) -> Option<String> {
        let then = &self.checkpoint.as_ref()?.provenance.rows;
        let sentence = || {
            format!(
                "{}: a row is not what the run wrote; `mancalab runs verify` shows which",
                sanitize::path(&self.rows_path)
            )
        };
        (*then != self.scan.kept).then(sentence)
    }

    /// Opens it for writing: the only step that changes anything. Also returns notes about its files.
    ///
    /// # Errors
    /// A file cannot be written: which, and why.
    pub(crate) fn commit(self) -> Result<(RunDir, Vec<String>), Error> {
        let CheckedRun {
            found,
            format,
            run_inputs,
            rows,
            scan,
            checkpoint,
            is_newest,
            timings,
            individuals,
            mut notes,
            ..
        } = self;
        let LockedRun { held, mut lock, run, .. } = found;
        let [rows_path, timings_path] = [ROWS, TIMINGS].map(|name| held.path_of(name));
        let fail = Error::cannot("write", &timings_path);
        lock.keep();
        clear(&held);
        let rows = match rows {
            Some(file) => Csv::go_on(&held, ROWS, file, scan.end),
            None => Csv::begin(&held, ROWS, &format.columns),
        };
        let rows = rows.map_err(Error::cannot("write", &rows_path))?;
        let timings = match timings {
            Timings::Kept(file, end) => Csv::go_on(&held, TIMINGS, file, end),
            Timings::None => Csv::begin(&held, TIMINGS, format.timing_columns),
            Timings::Odd(reason) => {
                let aside = put_aside(&held).map_err(fail)?;
                let aside = held.path_of(&aside);
                notes.push(format!("{reason}; it is kept as {}, and a new one is started", aside.display()));
                Csv::begin(&held, TIMINGS, format.timing_columns)
            }
        };
        let timings = timings.map_err(fail)?;
        let header = format.individual_columns.unwrap_or_default();
        let individuals = individuals.map(|(file, end)| match end {
            0 => Csv::begin(&held, INDIVIDUALS, header),
            _ => Csv::go_on(&held, INDIVIDUALS, file, end),
        });
        let individuals = individuals.transpose().map_err(Error::cannot("write", &held.path_of(INDIVIDUALS)))?;
        match &checkpoint {
            Some(checkpoint) => {
                note(&held, None, &format!("resumed from the end of generation {}", checkpoint.generation))
            }
            None => note(&held, None, "started again: there was no checkpoint"),
        }
        notes.iter().for_each(|text| note(&held, None, text));
        // Only to detect a new best.
        let best =
            held.read(BEST, Kind::Program).ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        let saved =
            checkpoint.map(|checkpoint| SavedGeneration { generation: checkpoint.generation, time: Instant::now() });
        let written = scan.kept;
        let is_whole = is_newest;
        let dir =
            RunDir { held, format, run, run_inputs, rows, written, timings, individuals, best, saved, is_whole, lock };
        Ok((dir, notes))
    }
}

/// Renames the timings to a free name, and returns it.
fn put_aside(held: &DirHandle) -> io::Result<String> {
    let first = format!("{TIMINGS}.old");
    let numbered = (2..).map(|number| format!("{TIMINGS}.old-{number}"));
    let free = std::iter::once(first.clone()).chain(numbered).find(|name| !held.has(name)).unwrap_or(first);
    held.rename(TIMINGS, &free)?;
    Ok(free)
}

impl RunDir {
    /// Checks that the folder is in place and its lock is held: otherwise another process may write a run there.
    pub(super) fn check_place(&self) -> Result<(), Error> {
        let folder = sanitize::path(self.folder());
        let holds = self.lock.holds().map_err(Error::cannot("look at", self.folder()))?;
        let what = match (self.held.is_in_place(), holds) {
            (true, true) => return Ok(()),
            (true, false) => "the file lock was deleted or replaced, so another process may write this run",
            (false, true) => "it was moved while the run was written; resume it where it is now",
            (false, false) => "it was deleted while the run was written",
        };
        Err(format!("{folder}: {what}; nothing more was written").into())
    }

    pub(super) fn check_run(&self) -> Result<(), Error> {
        let path = self.held.path_of(RUN);
        let read = files::if_there(self.held.read(RUN, Kind::Document)).map_err(Error::cannot("read", &path))?;
        let Some(now) = read else {
            self.put(RUN, &self.run)?;
            self.note("run.toml was deleted; it was put back");
            return Ok(());
        };
        if now == self.run {
            return Ok(());
        }
        let path = sanitize::path(&path);
        match provenance::change_of_files(&self.run, &now, self.run_inputs.free) {
            Ok(None) => Ok(()),
            Ok(Some(change)) => {
                Err(format!("{path} was changed while the run was written: {change}; restore it").into())
            }
            Err(()) => Err(format!("{path} was changed while the run was written, and is no run's any more").into()),
        }
    }

    pub(super) fn check_rows(&self) -> Result<(), Error> {
        for file in std::iter::once(&self.rows).chain(&self.individuals) {
            if !file.is_own(&self.held).map_err(Error::cannot("look at", file.path()))? {
                let path = sanitize::path(file.path());
                bail!("{path} was changed, replaced or deleted while the run was written; restore it");
            }
        }
        Ok(())
    }
}
