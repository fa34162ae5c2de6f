//! The folder of a long run: everything to follow it from elsewhere, and to resume it after any end.
//!
//! ```text
//! run.toml         kind, preset, seed and all settings
//! generations.csv  one row per generation, the same bytes for the same run.toml on every machine
//! timings.csv      one row per generation: what depends on the machine
//! checkpoint       the complete state at the end of a generation; checkpoint.old is the previous one
//! individuals.csv  the individuals of every generation, on request
//! best.txt         the best so far, for users
//! network.safetensors  the network of a training run for other programs, as of the checkpoint
//! mancalab.log     starts, resumptions and notes
//! provenance.toml  the processes that computed it: program, command, machine
//! checkpoint.N     the checkpoint of generation N, kept on request to fork the run from
//! parent/          what the first rows of a fork follow from: settings and files of the run it was forked from
//! files/           copies of the files that the settings name, such as an opponent's program
//! lock             the process that writes
//! ```
//!
//! A row is written when its generation ends and a checkpoint now and then; after a crash, rows newer than the
//! checkpoint are recomputed, byte for byte. Unreadable files are never overwritten, and a run that is not resumed is left
//! unchanged: everything is checked first (`LockedRun`, `CheckedRun`), and changed after.
//!
//! One process writes. It keeps the folder and its files open (`dir_handle`), so that it never writes into another run that
//! replaced them, and checks at each checkpoint that they are in place.
//!
//! Whether the rows of a run are still those that it wrote, for readers that need no state: summaries, comparisons and exports.

pub(super) mod checkpoint;
pub(super) mod csv;
pub(super) mod dir_handle;
mod found;
pub mod index;
mod individuals;
pub mod inputs;
mod list;
pub(super) mod lock;
mod manifest;
mod notes;
pub(super) mod parent;
pub mod processes;
pub(super) mod provenance;
pub mod seeds;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use mancalab_base::Error;
use rustix::fs::OFlags;

use super::files::{self, Kind};
use super::{confined, sanitize};
use checkpoint::Prefix;
use csv::{Csv, Lines};
use dir_handle::{DirHandle, is_left_behind};
use lock::Lock;
use processes::Role;
use provenance::Provenance;

pub use mancalab_base::utc;

pub(crate) use checkpoint::{Checkpoint, CheckpointFormat};
pub use csv::{Columns, Rows};
pub(crate) use found::{CheckedRun, LockedRun, SINCE};
pub(crate) use list::TIMES;
pub use list::{Entry, EntryState, entry, is_run, list, size, stamp, start_line, stopped};
pub use manifest::{Manifest, NOT_REPRODUCIBLE};
pub use notes::{NOTES, Notes};
pub use parent::{PARENT, Parent};
pub use provenance::CONDUCT;
pub(crate) use provenance::RunInputs;

pub const RUN: &str = "run.toml";
pub const ROWS: &str = "generations.csv";
pub const TIMINGS: &str = "timings.csv";
pub const BEST: &str = "best.txt";
/// The individuals of every generation, kept on request.
pub const INDIVIDUALS: &str = "individuals.csv";
/// Output of training runs for other programs.
pub const NETWORK: &str = "network.safetensors";
/// The evaluation that a run has learned, for players.
pub const OTHELLO_PATTERNS: &str = "othello.patterns";
/// The same of checkers.
pub const CHECKERS_NETWORKS: &str = "checkers.networks";
const LOG: &str = "mancalab.log";
/// Prefix of a log line, after time and process, with the reason why a run cannot continue.
const STOPPED: &str = "stopped: ";
/// Prefix of a log line with the rule that ended a run before its last generation.
const ENDED: &str = "ended early: ";

/// Returns whether it is the name of one of a run's files.
pub fn is_own(name: &str) -> bool {
    let is_named = REPLACED.contains(&name) || [LOG, NOTES, lock::FILE, inputs::FILES, parent::PARENT].contains(&name);
    is_named || checkpoint::kept_generation(name).is_some()
}

/// Returns the generation of the newest checkpoint in a run's folder; `None` if there is none, or it is damaged.
pub fn checkpoint_generation(folder: &Path) -> Option<u64> {
    let saved_at = |name: &str| checkpoint::peek(&folder.join(name)).ok().flatten();
    saved_at(checkpoint::FILE).or_else(|| saved_at(checkpoint::OLD)).map(|peek| peek.generation)
}

/// Files that are replaced as a whole.
const REPLACED: [&str; 11] = [
    RUN,
    ROWS,
    TIMINGS,
    INDIVIDUALS,
    BEST,
    NETWORK,
    OTHELLO_PATTERNS,
    CHECKERS_NETWORKS,
    checkpoint::FILE,
    checkpoint::OLD,
    processes::FILE,
];

/// The file format of a kind of run.
#[derive(Clone, Debug)]
pub struct Format {
    pub expected: CheckpointFormat,
    /// The header line of `generations.csv`; its first column is the generation.
    pub columns: String,
    /// The header line of `timings.csv`.
    pub timing_columns: &'static str,
    /// The header line of `individuals.csv`; `None` if there is no such file, or none is wanted in a new folder.
    pub individual_columns: Option<&'static str>,
}

/// A run's folder, open for writing by this process alone.
#[derive(Debug)]
pub struct RunDir {
    held: DirHandle,
    format: Format,
    /// The content of `run.toml`.
    run: Vec<u8>,
    /// The inputs of its rows.
    run_inputs: RunInputs,
    rows: Csv,
    written: Prefix,
    timings: Csv,
    individuals: Option<Csv>,
    best: String,
    saved: Option<SavedGeneration>,
    /// The newest checkpoint is valid.
    is_whole: bool,
    lock: Lock,
}

/// The newest checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SavedGeneration {
    pub generation: u64,
    pub time: Instant,
}

/// Returns a new folder in `runs`, named `name` or `name-2`, `name-3` and so on.
pub fn free_folder(runs: &Path, name: &str) -> PathBuf {
    let numbered = (2..).map(|number| runs.join(format!("{name}-{number}")));
    std::iter::once(runs.join(name)).chain(numbered).find(|path| !path.exists()).unwrap_or_else(|| runs.join(name))
}

impl RunDir {
    /// Starts a run in `folder`, which is created if missing and must not hold a run. `run_inputs` may write copies
    /// into it. `started` is the time of its start, if that is not now, as [`utc`] formats it.
    ///
    /// # Errors
    /// It holds a run, is being written by another process, or cannot be written.
    pub(crate) fn create(
        folder: &Path,
        format: Format,
        started: Option<&str>,
        run_inputs: impl FnOnce() -> Result<RunInputs, Error>,
    ) -> Result<RunDir, Error> {
        let fail = |path: PathBuf| {
            move |error| format!("cannot begin a run: {}: {}", sanitize::path(&path), sanitize::reason(&error))
        };
        confined::create_folders(folder).map_err(fail(folder.to_owned()))?;
        let held = DirHandle::open(folder).map_err(fail(folder.to_owned()))?;
        // Checked before anything is created, and again under the lock.
        refuse_to_begin(&held)?;
        let mut lock = Lock::take(&held)?;
        refuse_to_begin(&held)?;
        clear(&held);
        let run_inputs = run_inputs()?;
        let begin = |name, header| Csv::begin(&held, name, header).map_err(fail(folder.join(name)));
        // Before `run.toml`, as the file's existence is the request to keep individuals.
        let individuals = format.individual_columns.map(|header| begin(INDIVIDUALS, header)).transpose()?;
        if individuals.is_none() && held.has(INDIVIDUALS) {
            held.remove(INDIVIDUALS).map_err(fail(folder.join(INDIVIDUALS)))?;
        }
        // `run.toml` comes first of the others: from then on the run can be resumed, whatever else is missing.
        let run = run_inputs.run.clone().into_bytes();
        held.write_atomic(RUN, &[&run]).map_err(fail(folder.join(RUN)))?;
        lock.keep();
        let rows = begin(ROWS, &format.columns)?;
        let timings = begin(TIMINGS, format.timing_columns)?;
        let best = String::new();
        let written = Prefix::default();
        let dir = RunDir {
            held,
            format,
            run,
            run_inputs,
            rows,
            written,
            timings,
            individuals,
            best,
            saved: None,
            is_whole: true,
            lock,
        };
        note(&dir.held, started, "started");
        Ok(dir)
    }

    /// Returns the path it was opened by.
    pub(crate) fn folder(&self) -> &Path {
        self.held.path()
    }

    /// Returns where the run can be resumed: its folder, unless it was moved or replaced, or another process may write
    /// it.
    pub(crate) fn goes_on_at(&self) -> Option<&Path> {
        (self.held.has(RUN) && self.check_place().is_ok()).then(|| self.folder())
    }

    /// Returns the newest checkpoint, if any.
    pub(crate) fn saved(&self) -> Option<SavedGeneration> {
        self.saved
    }

    /// Writes the rows of a complete generation.
    ///
    /// # Errors
    /// The file and the reason, such as a full disk.
    pub(crate) fn append(&mut self, row: &str, timings: &str) -> Result<(), Error> {
        self.rows.append(row).map_err(Error::cannot("write", self.rows.path()))?;
        self.written.add(row.as_bytes());
        self.timings.append(timings).map_err(Error::cannot("write", self.timings.path()))
    }

    /// Returns whether the individuals of every generation are kept.
    pub(crate) fn keeps_individuals(&self) -> bool {
        self.individuals.is_some()
    }

    /// Writes the individuals of a complete generation, a row each, before its row.
    ///
    /// # Errors
    /// The file and the reason, such as a full disk.
    pub(crate) fn append_individuals(&mut self, rows: &str) -> Result<(), Error> {
        match &mut self.individuals {
            Some(individuals) => individuals.append(rows).map_err(Error::cannot("write", individuals.path())),
            None => Ok(()),
        }
    }

    /// Writes a checkpoint of the last row's generation, finished or not, and the best for users if it changed.
    ///
    /// # Errors
    /// The file and the reason, such as a full disk, or an external change to the run's files. The previous checkpoint
    /// still exists.
    pub(crate) fn save(&mut self, generation: u64, finished: bool, state: Vec<u8>, best: &str) -> Result<(), Error> {
        self.check_place()?;
        self.check_run()?;
        self.check_rows()?;
        // The rows must be as durable as the checkpoint that counts on them.
        if let Some(individuals) = &mut self.individuals {
            individuals.sync().map_err(Error::cannot("write", individuals.path()))?;
        }
        self.rows.sync().map_err(Error::cannot("write", self.rows.path()))?;
        let provenance = Provenance { run_inputs: self.run_inputs.clone(), rows: self.written, before: None };
        self.write_checkpoint(&Checkpoint { generation, finished, provenance, state })?;
        if best != self.best {
            self.put(BEST, best.as_bytes())?;
            best.clone_into(&mut self.best);
        }
        self.saved = Some(SavedGeneration { generation, time: Instant::now() });
        Ok(())
    }

    /// Keeps the newest checkpoint besides those that follow.
    ///
    /// # Errors
    /// The file and the reason, such as a full disk.
    pub(crate) fn keep_checkpoint(&mut self) -> Result<(), Error> {
        let Some(saved) = self.saved else { return Ok(()) };
        let name = checkpoint::kept_name(saved.generation);
        checkpoint::keep(&self.held, &name).map_err(Error::cannot("write", &self.held.path_of(&name)))
    }

    fn write_checkpoint(&mut self, new: &Checkpoint) -> Result<(), Error> {
        let path = self.held.path_of(checkpoint::FILE);
        let written = checkpoint::write(&self.held, self.format.expected, new, self.is_whole);
        written.map_err(Error::cannot("write", &path))?;
        self.is_whole = true;
        Ok(())
    }

    /// Logs why the run stopped unintentionally, which [`Entry`] shows until it is resumed.
    pub(crate) fn note_stop(&self, reason: &str) {
        self.note(&format!("{STOPPED}{reason}"));
    }

    /// Logs the rule that ended the run early, and where, such as `generation 5`.
    pub(crate) fn note_end(&self, rule: &str, place: &str) {
        self.note(&format!("{ENDED}{rule} in {place}"));
    }

    /// Replaces one of the run's files, such as its output for other programs, after writing the checkpoint.
    ///
    /// # Errors
    /// The file and the reason, such as a full disk.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.held.write_atomic(name, &[bytes]).map_err(Error::cannot("write", &self.held.path_of(name)))
    }

    /// Extends the run to `run_inputs`, with the same rows so far. `checkpoint` is the newest. Both checkpoints are
    /// written before `run.toml` and contain the previous settings as well: whenever the process ends, the run is
    /// unchanged or extended.
    ///
    /// # Errors
    /// The file and the reason, such as a full disk; the run is unchanged.
    pub(crate) fn extend(&mut self, run_inputs: RunInputs, checkpoint: Option<&Checkpoint>) -> Result<(), Error> {
        if let Some(checkpoint) = checkpoint {
            let provenance = Provenance {
                run_inputs: run_inputs.clone(),
                rows: self.written,
                before: Some(self.run_inputs.run.clone()),
            };
            let new = Checkpoint { finished: false, provenance, ..checkpoint.clone() };
            // Twice, so that the old one contains it as well.
            self.write_checkpoint(&new)?;
            self.write_checkpoint(&new)?;
        }
        let run = self.rewritten(&run_inputs).into_bytes();
        self.put(RUN, &run)?;
        (self.run, self.run_inputs) = (run, run_inputs);
        Ok(())
    }

    /// The user's `run.toml` with the settings of `run_inputs`; the canonical one if that is impossible.
    fn rewritten(&self, run_inputs: &RunInputs) -> String {
        let own = std::str::from_utf8(&self.run).unwrap_or_default();
        let own = provenance::rewritten(own, &self.run_inputs.run, &run_inputs.run);
        let is_so = provenance::change_of_files(run_inputs.run.as_bytes(), own.as_bytes(), &[]) == Ok(None);
        if is_so { own } else { run_inputs.run.clone() }
    }

    /// Adds this process to those that computed the run.
    ///
    /// # Errors
    /// The file and the reason.
    pub(crate) fn add_process(&self, role: Role, threads: usize) -> Result<(), Error> {
        processes::add(&self.held, role, threads, &self.run_inputs.files)
    }

    /// Begins the list of processes with those that computed the rows elsewhere.
    ///
    /// # Errors
    /// The file and the reason.
    pub(crate) fn begin_processes(&self, computed: &[toml::Table]) -> Result<(), Error> {
        processes::begin(&self.held, computed)
    }

    /// Writes a line to the run's log. Errors are ignored.
    pub(crate) fn note(&self, text: &str) {
        note(&self.held, None, text);
    }

    /// Marks the run as paused or running for other processes.
    pub(crate) fn mark_paused(&mut self, is_paused: bool) {
        // Only the display of other processes depends on it.
        let _ = self.lock.mark(is_paused);
    }
}

/// # Errors
/// The folder holds a run.
fn refuse_to_begin(held: &DirHandle) -> Result<(), Error> {
    let holds = |name: &&&str| held.has(name) && (**name != INDIVIDUALS || !individuals::is_unbegun(held));
    match [RUN, ROWS, INDIVIDUALS, checkpoint::FILE, checkpoint::OLD].iter().find(holds) {
        None => Ok(()),
        Some(name) => {
            let folder = sanitize::path(held.path());
            let typed = sanitize::shell_path(held.path());
            Err(format!(
                "{folder} already holds a run ({name}); resume it with: mancalab runs resume {typed}, or choose another folder"
            )
            .into())
        }
    }
}

/// Removes temporary files of killed processes. Requires the lock: no other process can be writing them.
fn clear(held: &DirHandle) {
    let names = held.names().unwrap_or_default();
    for name in names.iter().filter(|name| is_left_behind(name, &REPLACED)) {
        // Files that cannot be removed do no harm.
        let _ = held.remove(name);
    }
}

/// Adds a line to the log, with a time other than now if one is given.
fn note(held: &DirHandle, time: Option<&str>, text: &str) {
    let time = time.map_or_else(|| utc(SystemTime::now()), str::to_owned);
    let line = format!("{time} process {}: {text}\n", std::process::id());
    let file = held.open_file(LOG, OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE);
    let _ = file.and_then(|file| dir_handle::write(&file, line.as_bytes()));
}

/// Returns whether a row up to the newest readable checkpoint is another than the run wrote, by the checksum that the checkpoint has of
/// them. A run without checkpoint, and one whose rows end before it, whose state is [damaged](EntryState::Damaged), has none.
pub fn has_edited_rows(folder: &Path) -> bool {
    // The checkpoint first: rows that a process appends meanwhile are behind those that it counts on.
    let checkpoints = [checkpoint::FILE, checkpoint::OLD];
    let newest = checkpoints.iter().find_map(|name| checkpoint::provenance(&folder.join(name)));
    let Some(written) = newest.map(|provenance| provenance.rows) else { return false };
    first_rows(&folder.join(ROWS), written.rows).is_some_and(|found| found.rows == written.rows && found != written)
}

/// Returns the checksum of the first `count` rows of a file; `None` if it cannot be read.
fn first_rows(path: &Path, count: u64) -> Option<Prefix> {
    let file = files::open(path).ok()?;
    let mut lines = Lines::behind(&file, path, 0, 0).ok()?;
    let mut found = Prefix::default();
    lines.next().ok()??;
    while found.rows < count {
        let Some(row) = lines.next().ok()? else { break };
        found.add(row.as_bytes());
    }
    Some(found)
}

/// The files that a run is resumed from, in an order for copying while it is written: the checkpoint before the rows,
/// since rows after the checkpoint are cut off.
const SAVED: [&str; 7] = [RUN, checkpoint::FILE, checkpoint::OLD, ROWS, TIMINGS, BEST, processes::FILE];

/// Copies everything that the run in `from` is resumed from into the new folder `to`.
///
/// # Errors
/// The system's error.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    confined::create_folders(to)?;
    let (manifest, ()) = Manifest::read(from, |_, _, _| ()).map_err(io::Error::other)?;
    let inputs = manifest.files.keys().map(|name| Path::new(inputs::FILES).join(name));
    if !manifest.files.is_empty() {
        confined::create_folders(&to.join(inputs::FILES))?;
    }
    for name in SAVED.map(PathBuf::from).into_iter().chain(inputs) {
        let Some(file) = files::if_there(files::open(&from.join(&name)))? else { continue };
        let mut copy = File::options();
        let mut copy = files::open_with(copy.write(true).create(true).truncate(true), &to.join(&name))?;
        io::copy(&mut file.take(Kind::Checkpoint.most()), &mut copy)?;
    }
    Ok(())
}
