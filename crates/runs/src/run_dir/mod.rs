//! The directory of a long run: everything to look at it from elsewhere, and to go on with it after any end.
//!
//! ```text
//! run.toml         what runs: kind, preset, seed and every setting in force
//! generations.csv  one row a generation, the same bytes for the same run.toml on every machine
//! timings.csv      one row a generation: what depends on the machine
//! checkpoint       the whole state at the end of a generation; checkpoint.old is the one before
//! best.txt         the best so far, for people
//! network.safetensors  what a run that trains a network makes for other programs, as of the checkpoint
//! mancalab.log     when it was started, resumed, and what was odd
//! lock             which process writes
//! ```
//!
//! A row is written when its generation ends and a checkpoint now and then; after a crash the rows behind the checkpoint are
//! cut off and computed again, to the same bytes. What cannot be read is never overwritten, and a run that is not taken up again
//! is left as it was found: all is looked at first (`Found`), and changed after.
//!
//! One process writes. It holds on to the folder and to the files it opened (`held`), so that it never writes into another run
//! that was put in their place, and looks at each checkpoint whether they are still where they should be.

pub(super) mod checkpoint;
mod columns;
mod csv;
#[cfg(test)]
mod disturbed;
#[cfg(test)]
mod endings;
mod found;
#[cfg(test)]
mod fuzz;
pub(super) mod held;
mod list;
pub(super) mod lock;
mod manifest;
pub(super) mod promise;
pub mod shelf;
mod sums;
pub(super) mod tail;
#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use rustix::fs::OFlags;

pub(crate) use checkpoint::{Checkpoint, Expected};
pub use columns::Columns;
pub use csv::Rows;
pub(crate) use found::{Examined, Found};
pub use list::{Entry, EntryState, list};
pub use list::{entry, stopped};
pub use manifest::Manifest;
pub use manifest::NOT_REPRODUCIBLE;
pub(crate) use promise::Basis;

use crate::files::Kind;
use crate::plain;
use csv::{Csv, Fate};
use held::{Held, is_left_behind};
use lock::Lock;
use promise::Promise;
use sums::Sums;

pub const RUN: &str = "run.toml";
pub const ROWS: &str = "generations.csv";
pub const TIMINGS: &str = "timings.csv";
pub(super) const BEST: &str = "best.txt";
/// What runs that train a network make for other programs.
pub const NETWORK: &str = "network.safetensors";
const LOG: &str = "mancalab.log";
/// How a line of the log begins, behind time and process, that says why a run cannot go on.
const STOPPED: &str = "stopped: ";

/// Whether it is the name of one of a run's files.
pub fn is_own(name: &str) -> bool {
    REPLACED.contains(&name) || [LOG, lock::FILE].contains(&name)
}

/// What a run is gone on with from, in an order in which they may be copied while it is being written.
pub const SAVED: [&str; 6] = [RUN, checkpoint::FILE, checkpoint::OLD, ROWS, TIMINGS, BEST];

/// The generation of the newest checkpoint in a run's folder; `None` if there is none, or it is damaged.
pub fn checkpoint_generation(folder: &Path) -> Option<u64> {
    let of = |name: &str| checkpoint::peek(&folder.join(name)).ok().flatten();
    of(checkpoint::FILE).or_else(|| of(checkpoint::OLD)).map(|peek| peek.generation)
}

/// The files that are replaced as a whole.
const REPLACED: [&str; 7] = [RUN, ROWS, TIMINGS, BEST, NETWORK, checkpoint::FILE, checkpoint::OLD];

/// What of a kind of run the directory has to know.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    pub expected: Expected,
    /// The header line of `generations.csv`; its first column is the generation.
    pub columns: &'static str,
    /// The same of `timings.csv`.
    pub timing_columns: &'static str,
}

/// A run's directory, open for writing by this process alone.
#[derive(Debug)]
pub struct RunDir {
    held: Held,
    format: Format,
    /// What `run.toml` holds.
    run: Vec<u8>,
    /// What its rows follow from.
    basis: Basis,
    rows: Csv,
    sums: Sums,
    timings: Csv,
    best: String,
    saved: Option<Saved>,
    /// The newest checkpoint is not damaged.
    is_whole: bool,
    lock: Lock,
}

/// The newest checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Saved {
    pub generation: u64,
    pub at: Instant,
}

/// A folder in `runs` that does not exist yet, called `name` or `name-2`, `name-3` and so on.
pub fn free_folder(runs: &Path, name: &str) -> PathBuf {
    let numbered = (2..).map(|number| runs.join(format!("{name}-{number}")));
    std::iter::once(runs.join(name)).chain(numbered).find(|path| !path.exists()).unwrap_or_else(|| runs.join(name))
}

impl RunDir {
    /// Begins a run in `folder`, which is made if it is missing and must not hold a run.
    ///
    /// # Errors
    /// It holds one, is being written by another process, or cannot be written.
    pub(crate) fn create(folder: &Path, basis: Basis, format: Format) -> Result<RunDir, String> {
        let fail = |path: &Path, error: io::Error| {
            format!("cannot begin a run: {}: {why}", path.display(), why = plain::reason(&error))
        };
        fs::create_dir_all(folder).map_err(|error| fail(folder, error))?;
        let held = Held::open(folder).map_err(|error| fail(folder, error))?;
        // Looked at before anything is made, and once more when nobody else can be making it.
        refuse_to_begin(&held)?;
        let mut lock = Lock::take(&held)?;
        refuse_to_begin(&held)?;
        clear(&held);
        // First of all what the run is: from then on it can be resumed, whatever else is still missing.
        let run = basis.run.clone().into_bytes();
        held.write_atomic(RUN, &[&run]).map_err(|error| fail(&held.path_of(RUN), error))?;
        lock.keep();
        let begin = |name, header| Csv::begin(&held, name, header).map_err(|error| fail(&held.path_of(name), error));
        let rows = begin(ROWS, format.columns)?;
        let timings = begin(TIMINGS, format.timing_columns)?;
        let (best, sums) = (String::new(), Sums::default());
        let dir = RunDir { held, format, run, basis, rows, sums, timings, best, saved: None, is_whole: true, lock };
        dir.note("started");
        Ok(dir)
    }

    /// The path it was opened by.
    pub(crate) fn folder(&self) -> &Path {
        self.held.path()
    }

    /// Where the run can be gone on with: the folder it is written in, by the path that it has now. `None` if that is no run's any
    /// more, or somebody else may write it.
    pub(crate) fn goes_on_at(&self) -> Option<PathBuf> {
        let path = self.held.now_at().filter(|_| self.held.has(RUN))?;
        self.lock.holds().is_ok_and(|holds| holds).then_some(path)
    }

    /// The newest checkpoint, if there is one.
    pub(crate) fn saved(&self) -> Option<Saved> {
        self.saved
    }

    /// Writes the rows of a generation that has ended.
    ///
    /// # Errors
    /// Names the file and the reason, such as a full disk.
    pub(crate) fn append(&mut self, row: &str, timings: &str) -> Result<(), String> {
        self.rows.append(row).map_err(|error| cannot_write(self.rows.path(), error))?;
        self.sums.add(row.as_bytes());
        self.timings.append(timings).map_err(|error| cannot_write(self.timings.path(), error))
    }

    /// Writes a checkpoint of the generation whose row was the last, of a run that has ended or not, and the best for people if
    /// it is another one. Gives what was odd, a sentence each.
    ///
    /// # Errors
    /// Names the file and the reason, such as a full disk, or what somebody else did to the run's files. The checkpoint before is
    /// still there, unless the folder was moved: then the new one is where the folder is now.
    pub(crate) fn save(&mut self, generation: u64, finished: bool, state: &[u8], best: &str) -> Result<(), String> {
        let is_in_place = self.held.is_in_place();
        self.check_lock(is_in_place)?;
        self.check_run()?;
        self.check_rows()?;
        self.check_timings()?;
        // The rows must last at least as long as the checkpoint that counts on them.
        self.rows.sync().map_err(|error| cannot_write(self.rows.path(), error))?;
        let promise = Promise { basis: self.basis.clone(), rows: self.sums.clone(), before: None };
        let new = checkpoint::New { generation, finished, promise: &promise, state };
        checkpoint::write(&self.held, self.format.expected, &new, self.is_whole)
            .map_err(|error| cannot_write(&self.held.path_of(checkpoint::FILE), error))?;
        self.is_whole = true;
        if best != self.best {
            self.held
                .write_atomic(BEST, &[best.as_bytes()])
                .map_err(|error| cannot_write(&self.held.path_of(BEST), error))?;
            best.clone_into(&mut self.best);
        }
        self.saved = Some(Saved { generation, at: Instant::now() });
        if is_in_place {
            return Ok(());
        }
        self.note("the folder was moved while it was written: stopped");
        Err(format!(
            "{} was moved while the run was written; all of it is saved where the folder is now: resume it there",
            self.folder().display()
        ))
    }

    /// Notes in the log that the run has come to an end that it did not mean to, and why: what [`Entry`] tells until it is resumed.
    pub(crate) fn note_stop(&self, reason: &str) {
        self.note(&format!("{STOPPED}{reason}"));
    }

    /// Puts what the run makes for other programs beside the checkpoint that was just written.
    ///
    /// # Errors
    /// Names the file and the reason, such as a full disk.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        self.held.write_atomic(name, &[bytes]).map_err(|error| cannot_write(&self.held.path_of(name), error))
    }

    /// Lets the run be one of `basis` from now on, which says that it goes on for longer; the rows so far follow from that, too.
    /// `checkpoint` is the newest there is. Both checkpoints are written before `run.toml`, and know the settings before as well:
    /// whenever the process ends, the run is as it was or extended.
    ///
    /// # Errors
    /// Names the file and the reason, such as a full disk; the run is as it was.
    pub(crate) fn extend(&mut self, basis: Basis, checkpoint: Option<&Checkpoint>) -> Result<(), String> {
        if let Some(Checkpoint { generation, state, .. }) = checkpoint {
            let (rows, before) = (self.sums.clone(), Some(self.basis.run.clone()));
            let promise = Promise { basis: basis.clone(), rows, before };
            let new = checkpoint::New { generation: *generation, finished: false, promise: &promise, state };
            // Twice, so that the old one knows it as well.
            for _ in 0..2 {
                checkpoint::write(&self.held, self.format.expected, &new, self.is_whole)
                    .map_err(|error| cannot_write(&self.held.path_of(checkpoint::FILE), error))?;
                self.is_whole = true;
            }
        }
        let run = self.rewritten(&basis).into_bytes();
        self.held.write_atomic(RUN, &[&run]).map_err(|error| cannot_write(&self.held.path_of(RUN), error))?;
        (self.run, self.basis) = (run, basis);
        Ok(())
    }

    /// `run.toml` as people have it with the settings of `basis`; the plain one where that cannot be done.
    fn rewritten(&self, basis: &Basis) -> String {
        let own = std::str::from_utf8(&self.run).unwrap_or_default();
        let own = promise::rewritten(own, &self.basis.run, &basis.run);
        let is_so = promise::changes_of_files(basis.run.as_bytes(), own.as_bytes()).is_some_and(|left| left.is_empty());
        if is_so { own } else { basis.run.clone() }
    }

    /// A line for the run's log. A log that cannot be written stops nothing.
    pub(crate) fn note(&self, text: &str) {
        note(&self.held, text);
    }

    /// Whoever takes the lock away lets another process write the run.
    fn check_lock(&self, is_in_place: bool) -> Result<(), String> {
        let folder = self.folder().display();
        match self.lock.holds() {
            Ok(true) => Ok(()),
            Ok(false) if is_in_place => Err(format!(
                "{folder}: the file lock was deleted or replaced, so another process may write this run; nothing more was written"
            )),
            Ok(false) => Err(format!(
                "{folder} was deleted while the run was written; nothing was written into what may be in its place"
            )),
            Err(error) => Err(format!("{folder} cannot be looked at: {why}", why = plain::reason(&error))),
        }
    }

    fn check_run(&self) -> Result<(), String> {
        let path = self.held.path_of(RUN);
        match self.held.read(RUN, Kind::Document) {
            Ok(now) if now == self.run => Ok(()),
            Ok(now) => match promise::changes_of_files(&self.run, &now) {
                Some(changes) if changes.iter().all(|change| self.basis.free.contains(&change.key.as_str())) => Ok(()),
                Some(changes) => {
                    let told = promise::told(&changes, "while the run was written");
                    Err(format!("{} {told}; put it back", path.display()))
                }
                None => {
                    Err(format!("{} was changed while the run was written, and is no run's any more", path.display()))
                }
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.held.write_atomic(RUN, &[&self.run]).map_err(|error| cannot_write(&path, error))?;
                self.note("run.toml was deleted; it was put back");
                Ok(())
            }
            Err(error) => {
                Err(format!("{} cannot be read any more: {why}", path.display(), why = plain::reason(&error)))
            }
        }
    }

    fn check_rows(&mut self) -> Result<(), String> {
        let path = self.rows.path().to_owned();
        let what = match self.rows.fate(&self.held).map_err(|error| cannot_write(&path, error))? {
            Fate::Same => return Ok(()),
            Fate::Gone => {
                self.rows.put_back(&self.held).map_err(|error| cannot_write(&path, error))?;
                self.note("generations.csv was deleted; it was put back");
                return Ok(());
            }
            Fate::Replaced => "was replaced by another file",
            Fate::Changed => "was written to or cut off by somebody else",
        };
        Err(format!("{} {what} while the run was written; put back what it was", path.display()))
    }

    /// What the machine did is worth keeping, but not worth stopping for.
    fn check_timings(&mut self) -> Result<(), String> {
        let done = match self.timings.fate(&self.held) {
            Ok(Fate::Same) => return Ok(()),
            Ok(Fate::Gone) => {
                self.note("timings.csv was deleted; it is put back");
                self.timings.put_back(&self.held)
            }
            Ok(Fate::Replaced) => {
                self.note("timings.csv was replaced; new timings are added to it as it is");
                self.timings.turn_to_another(&self.held)
            }
            Ok(Fate::Changed) => self.timings.accept(),
            Err(error) => Err(error),
        };
        done.map_err(|error| cannot_write(self.timings.path(), error))
    }
}

fn cannot_write(path: &Path, error: io::Error) -> String {
    format!("cannot write {}: {why}", path.display(), why = plain::reason(&error))
}

/// # Errors
/// The folder holds a run.
fn refuse_to_begin(held: &Held) -> Result<(), String> {
    match [RUN, ROWS, checkpoint::FILE, checkpoint::OLD].iter().find(|name| held.has(name)) {
        None => Ok(()),
        Some(name) => {
            let (folder, typed) = (plain::path(held.path()), plain::shell_path(held.path()));
            Err(format!(
                "{folder} holds a run already ({name}); go on with it by --resume {typed}, or choose another folder"
            ))
        }
    }
}

/// Removes what processes that were killed left behind. Only for who has the lock: nobody else can be writing such a file.
fn clear(held: &Held) {
    let names = held.names().unwrap_or_default();
    for name in names.iter().filter(|name| is_left_behind(name, &REPLACED)) {
        // What cannot be removed is in nobody's way.
        let _ = held.remove(name);
    }
}

fn note(held: &Held, text: &str) {
    let line = format!("{} process {}: {text}\n", utc(SystemTime::now()), std::process::id());
    let file = held.open_file(LOG, OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE);
    let _ = file.and_then(|file| held::write(&file, line.as_bytes()));
}

/// `2026-11-20 06:23:45Z`
pub fn utc(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March have the leap day at their end.
    let era_day = days + 719_468;
    let (era, day) = (era_day / 146_097, era_day % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + carry;
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}
