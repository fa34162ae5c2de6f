//! The directory of a long run: everything to look at it from elsewhere, and to go on with it after any end.
//!
//! ```text
//! run.toml         what runs: kind, preset, seed and every setting in force
//! generations.csv  one row a generation, the same bytes for the same run.toml on every machine
//! timings.csv      one row a generation: what depends on the machine
//! checkpoint       the whole state at the end of a generation; checkpoint.old is the one before
//! best.txt         the best so far, for people
//! mancalab.log     when it was started, resumed, and what was odd
//! lock             which process writes
//! ```
//!
//! A row is written when its generation ends and a checkpoint now and then; after a crash the rows behind the checkpoint are
//! cut off and computed again, to the same bytes. What cannot be read is never overwritten.

mod checkpoint;
mod csv;
mod list;
mod lock;
mod manifest;
mod reader;
#[cfg(test)]
mod tests;

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

pub use checkpoint::{Checkpoint, Expected};
pub use list::{Entry, EntryState, list};
pub use manifest::Manifest;
pub use reader::RunReader;
pub(in crate::job) use reader::settings;

use crate::files::write_atomic;
use crate::paths;
use crate::plain;
use csv::Csv;
use lock::Lock;

const RUN: &str = "run.toml";
const ROWS: &str = "generations.csv";
const TIMINGS: &str = "timings.csv";
const BEST: &str = "best.txt";
const LOG: &str = "mancalab.log";

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
    folder: PathBuf,
    format: Format,
    rows: Csv,
    timings: Csv,
    best: String,
    saved: Option<Saved>,
    _lock: Lock,
}

/// The newest checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Saved {
    pub generation: u64,
    pub at: Instant,
}

/// A directory taken up again.
#[derive(Debug)]
pub struct Resumed {
    pub dir: RunDir,
    /// `None`: the run ended before its first checkpoint, and begins again.
    pub checkpoint: Option<Checkpoint>,
    /// The rows up to the checkpoint.
    pub rows: Vec<String>,
    /// What was odd, a sentence each.
    pub notes: Vec<String>,
}

/// `$XDG_STATE_HOME/mancalab/runs`, where runs are unless told otherwise. `None` if there is no home directory.
pub fn runs_folder() -> Option<PathBuf> {
    paths::state_dir().map(|folder| folder.join("runs"))
}

/// A folder in [`runs_folder`] that does not exist yet, called `name` or `name-2`, `name-3` and so on.
pub fn free_folder(runs: &Path, name: &str) -> PathBuf {
    let numbered = (2..).map(|number| runs.join(format!("{name}-{number}")));
    std::iter::once(runs.join(name)).chain(numbered).find(|path| !path.exists()).unwrap_or_else(|| runs.join(name))
}

impl RunDir {
    /// Begins a run in `folder`, which is made if it is missing and must not hold a run.
    ///
    /// # Errors
    /// It holds one, is being written by another process, or cannot be written.
    pub fn create(folder: &Path, manifest: &Manifest, settings: &str, format: Format) -> Result<RunDir, String> {
        let fail = |error: io::Error| format!("cannot begin a run in {}: {error}", folder.display());
        fs::create_dir_all(folder).map_err(fail)?;
        let taken = |name: &&str| folder.join(name).exists();
        let refuse = |name: &str| {
            let (named, typed) = (plain::path(folder), plain::shell_path(folder));
            format!("{named} holds a run already ({name}); go on with it by --resume {typed}, or choose another folder")
        };
        // Looked at before anything is made, and once more when nobody else can be making it.
        let all = [RUN, ROWS, checkpoint::FILE, checkpoint::OLD];
        all.iter().find(|name| taken(name)).map_or(Ok(()), |name| Err(refuse(name)))?;
        let lock = Lock::take(folder)?;
        all.iter().find(|name| taken(name)).map_or(Ok(()), |name| Err(refuse(name)))?;
        // First of all what the run is: from then on it can be resumed, whatever else is still missing.
        write_atomic(&folder.join(RUN), manifest.to_text(settings).as_bytes()).map_err(fail)?;
        let rows = Csv::create(folder.join(ROWS), format.columns).map_err(fail)?;
        let _ = fs::remove_file(folder.join(TIMINGS));
        let timings = Csv::create(folder.join(TIMINGS), format.timing_columns).map_err(fail)?;
        let dir =
            RunDir { folder: folder.to_owned(), format, rows, timings, best: String::new(), saved: None, _lock: lock };
        dir.note("started");
        Ok(dir)
    }

    /// Takes a run up again, from its newest whole checkpoint.
    ///
    /// # Errors
    /// It is being written by another process; a file is damaged, missing or of a newer version: which, and what to do. Then
    /// nothing was changed.
    pub fn resume(folder: &Path, format: Format) -> Result<Resumed, String> {
        let lock = Lock::take(folder)?;
        let mut notes = Vec::new();
        let (mut csv, rows) = reopen_rows(folder, format)?;
        let checkpoint = usable(folder, format.expected, rows.len() as u64, &mut notes)?;
        let kept = checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.generation as usize + 1);
        let timings = reopen_timings(folder, format, kept, &mut notes)?;
        let mut rows = rows;
        if rows.len() > kept && kept > 0 {
            notes.push(format!(
                "generations {kept} to {} came after the checkpoint and are computed again",
                rows.len() - 1
            ));
        }
        rows.truncate(kept);
        csv.truncate(format.columns, &rows).map_err(|error| format!("{}: {error}", csv.path().display()))?;
        let best = fs::read_to_string(folder.join(BEST)).unwrap_or_default();
        let saved = checkpoint.as_ref().map(|c| Saved { generation: c.generation, at: Instant::now() });
        let dir = RunDir { folder: folder.to_owned(), format, rows: csv, timings, best, saved, _lock: lock };
        match &checkpoint {
            Some(checkpoint) => dir.note(&format!("resumed from the end of generation {}", checkpoint.generation)),
            None => dir.note("begun again: there was no checkpoint"),
        }
        notes.iter().for_each(|note| dir.note(note));
        Ok(Resumed { dir, checkpoint, rows, notes })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The newest checkpoint, if there is one.
    pub fn saved(&self) -> Option<Saved> {
        self.saved
    }

    /// Writes the rows of a generation that has ended.
    ///
    /// # Errors
    /// Names the file and the reason, such as a full disk.
    pub fn append(&mut self, row: &str, timings: &str) -> Result<(), String> {
        let fail = |csv: &Csv, error: io::Error| format!("cannot write {}: {error}", csv.path().display());
        self.rows.append(row).map_err(|error| fail(&self.rows, error))?;
        self.timings.append(timings).map_err(|error| fail(&self.timings, error))
    }

    /// Writes a checkpoint, of a run that has ended or not, and the best for people if it is another one.
    ///
    /// # Errors
    /// Names the file and the reason, such as a full disk. The checkpoint before is still there.
    pub fn save(&mut self, checkpoint: &Checkpoint, best: &str) -> Result<(), String> {
        if !self.folder.join(RUN).exists() {
            return Err(format!("{} is gone: {RUN} is no longer there", self.folder.display()));
        }
        // The rows must last at least as long as the checkpoint that counts on them.
        self.rows.sync().map_err(|error| format!("cannot write {}: {error}", self.rows.path().display()))?;
        checkpoint::write(&self.folder, self.format.expected, checkpoint)
            .map_err(|error| format!("cannot write {}: {error}", self.folder.join(checkpoint::FILE).display()))?;
        if best != self.best {
            let path = self.folder.join(BEST);
            write_atomic(&path, best.as_bytes())
                .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
            best.clone_into(&mut self.best);
        }
        self.saved = Some(Saved { generation: checkpoint.generation, at: Instant::now() });
        Ok(())
    }

    /// A line for the run's log. A log that cannot be written stops nothing.
    pub fn note(&self, text: &str) {
        let line = format!("{} process {}: {text}\n", utc(SystemTime::now()), std::process::id());
        let file = OpenOptions::new().create(true).append(true).open(self.folder.join(LOG));
        let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
    }
}

/// The rows; a run that ended in its first moments has no file of them yet.
fn reopen_rows(folder: &Path, format: Format) -> Result<(Csv, Vec<String>), String> {
    let path = folder.join(ROWS);
    let begun = [checkpoint::FILE, checkpoint::OLD].iter().any(|name| folder.join(name).exists());
    let is_blank = match fs::metadata(&path) {
        Ok(meta) => meta.len() == 0,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if begun || !is_blank {
        return Csv::open(path, format.columns);
    }
    let _ = fs::remove_file(&path);
    let csv = Csv::create(path, format.columns);
    csv.map(|csv| (csv, Vec::new())).map_err(|error| format!("cannot write {}: {error}", folder.join(ROWS).display()))
}

/// The newest checkpoint that is whole and whose rows are all there; notes which were not.
fn usable(folder: &Path, expected: Expected, rows: u64, notes: &mut Vec<String>) -> Result<Option<Checkpoint>, String> {
    let mut problems = Vec::new();
    for name in [checkpoint::FILE, checkpoint::OLD] {
        let path = folder.join(name);
        let problem = match checkpoint::read(&path, expected) {
            Ok(None) => continue,
            Ok(Some(found)) if found.generation >= rows => {
                format!("is of generation {}, but {ROWS} ends before its row", found.generation)
            }
            Ok(Some(found)) => {
                notes.append(&mut problems);
                return Ok(Some(found));
            }
            // The one before is of the same version; going back to it would lose what the newer version did.
            Err(reason) if reason.contains("newer version") => return Err(format!("{} {reason}", path.display())),
            Err(reason) => reason,
        };
        problems.push(format!("{} {problem}", path.display()));
    }
    if problems.is_empty() {
        return Ok(None);
    }
    let advice = "put a good copy in its place, or begin a new run with the settings of run.toml";
    Err(format!("{}; {advice}", problems.join("; ")))
}

/// What the machine did is worth keeping, but not worth refusing to go on for.
fn reopen_timings(folder: &Path, format: Format, kept: usize, notes: &mut Vec<String>) -> Result<Csv, String> {
    let path = folder.join(TIMINGS);
    let fail = |error: io::Error| format!("cannot write {}: {error}", folder.join(TIMINGS).display());
    match Csv::open(path.clone(), format.timing_columns) {
        Ok((mut csv, mut rows)) => {
            rows.truncate(kept);
            csv.truncate(format.timing_columns, &rows).map_err(fail)?;
            Ok(csv)
        }
        Err(reason) => {
            if path.exists() {
                let aside = free_folder(folder, &format!("{TIMINGS}.old"));
                fs::rename(&path, &aside).map_err(fail)?;
                notes.push(format!("{reason}; it is kept as {}, and a new one begun", aside.display()));
            }
            Csv::create(path, format.timing_columns).map_err(fail)
        }
    }
}

/// `2026-11-20 06:23:45Z`
fn utc(time: SystemTime) -> String {
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
