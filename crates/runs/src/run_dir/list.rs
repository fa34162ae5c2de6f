//! The list of runs in a folder.

use mancalab_base::Error;
use std::fs;
use std::io::{BufRead as _, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::csv::LONGEST_ROW;
use super::lock::Holder;
use super::{BEST, ENDED, LOG, Manifest, NOTES, Notes, ROWS, RUN, STOPPED, TIMINGS, checkpoint, lock};
use crate::files;

/// Bytes read of `best.txt` for its first line.
const BEST_START: u64 = 4096;
/// Bytes read of `timings.csv`: enough for millions of generations.
const LONGEST_TIMINGS: u64 = 1 << 28;

/// A run in a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The name of its folder.
    pub name: String,
    pub folder: PathBuf,
    pub state: EntryState,
    /// `None` if `run.toml` cannot be read.
    pub manifest: Option<Manifest>,
    /// The newest generation with a row.
    pub generation: Option<u64>,
    /// The first line of `best.txt`: a summary of the best up to `saved_generation`; empty before the first checkpoint.
    pub best: String,
    /// The generation of the newest checkpoint, which a run that was killed leaves behind its rows.
    pub saved_generation: Option<u64>,
    /// When it was started.
    pub started: Option<SystemTime>,
    /// When it was last active.
    pub changed: Option<SystemTime>,
    /// The time its generations took by `timings.csv`, without pauses.
    pub took: Duration,
    /// Size of its files in bytes.
    pub size: u64,
    /// What a person says about it; nothing if the file has errors.
    pub notes: Notes,
}

impl Entry {
    /// Returns the rule that ended it before its last generation, and where, such as `plateau:200 in generation 812`. Reads its log.
    pub fn ended_early(&self) -> Option<String> {
        let last = self.manifest.as_ref()?.generations;
        let is_early = self.state == EntryState::Finished && self.generation.is_some_and(|newest| newest < last);
        is_early.then(|| last_event(&self.folder, ENDED))?
    }

    /// Returns the process that wrote it when this entry was read, if that is certainly another than this one.
    pub fn other_writer(&self) -> Option<&str> {
        match &self.state {
            EntryState::Running(writer) | EntryState::Paused(writer) => Some(&**writer),
            _ => None,
        }
        .filter(|writer| !lock::may_be_ours(writer))
    }

    /// Returns the best so far in a word or two, such as `47`, `66.1 %` or a player.
    pub fn best_in_short(&self) -> &str {
        // The measured result of a network, whenever it was measured.
        if let Some((before, _)) = self.best.split_once(" % against the panel") {
            let number = before.rfind(' ').map_or(0, |blank| blank + 1);
            return &self.best[number..before.len() + " %".len()];
        }
        // A player's name may contain a colon.
        for behind in [" leads after ", " in generation "] {
            if let Some((best, _)) = self.best.split_once(behind) {
                return best;
            }
        }
        let best = self.best.strip_prefix("fitness ").unwrap_or(&self.best);
        best.split_once(": ").map_or(best, |(best, _)| best)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EntryState {
    /// A process writes it: which.
    Running(String),
    /// A process holds it paused: which.
    Paused(String),
    /// No process writes it; it can be resumed.
    Stopped,
    /// The same, but the process that wrote it was killed.
    Crashed,
    /// It ended early: why, and what to do before resuming it.
    Failed(String),
    Finished,
    /// Why it cannot be read.
    Damaged(String),
}

/// Returns all runs directly in `folder`, the most recently active first; none if it does not exist.
pub fn list(folder: &Path) -> Vec<Entry> {
    let folders = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut entries: Vec<Entry> = folders.filter(|path| is_run(path)).map(entry).collect();
    crate::sort::sort_by(&mut entries, |a, b| b.changed.cmp(&a.changed).then_with(|| a.name.cmp(&b.name)));
    entries
}

/// Returns whether a folder holds a run.
pub fn is_run(folder: &Path) -> bool {
    folder.join(RUN).exists()
}

/// Returns what changes whenever a process takes up the run in a folder or writes it: the times and lengths of the folder and of its
/// files. Opens no file.
pub fn stamp(folder: &Path) -> Vec<Option<(SystemTime, u64)>> {
    let stamp = |path: PathBuf| fs::metadata(path).ok().and_then(|meta| Some((meta.modified().ok()?, meta.len())));
    let names = ["", RUN, ROWS, TIMINGS, checkpoint::FILE, checkpoint::OLD, BEST, LOG, NOTES, lock::FILE];
    names.map(|name| stamp(folder.join(name))).to_vec()
}

/// Returns the run in a folder, as far as its files are readable.
pub fn entry(folder: PathBuf) -> Entry {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let manifest = Manifest::read(&folder, |_, _, _| ()).map(|(manifest, ())| manifest);
    let generation = last_generation(&folder.join(ROWS));
    let saved = saved(&folder);
    let has_ended =
        |manifest: &Manifest, saved: &checkpoint::Peek| saved.finished || saved.generation >= manifest.generations;
    let is_finished = matches!((&manifest, &saved), (Ok(manifest), Ok(Some(saved))) if has_ended(manifest, saved));
    let state = match (&manifest, lock::holder(&folder), &saved) {
        (Err(reason), ..) => EntryState::Damaged(reason.in_a_line()),
        (_, Holder::Process(process, true), _) if !is_finished => EntryState::Paused(process),
        (_, Holder::Process(process, false), _) if !is_finished => EntryState::Running(process),
        (.., Err(reason)) => EntryState::Damaged(reason.to_string()),
        (.., Ok(Some(saved))) if generation.is_none_or(|newest| newest < saved.generation) => {
            let rows = folder.join(ROWS);
            EntryState::Damaged(format!("{} ends before the row of generation {}", rows.display(), saved.generation))
        }
        _ if is_finished => EntryState::Finished,
        (_, Holder::Crashed, _) => EntryState::Crashed,
        _ => stopped(&folder).map_or(EntryState::Stopped, EntryState::Failed),
    };
    let saved = saved.ok().flatten();
    let saved_generation = saved.map(|saved| saved.generation);
    let best = first_line(&folder.join(BEST)).trim_start_matches(['#', ';', ' ']).to_owned();
    let modified = |path: PathBuf| fs::metadata(path).and_then(|meta| meta.modified()).ok();
    let changed = saved.map(|saved| saved.time).max(modified(folder.join(ROWS)));
    let started = begun(&start_line(&folder)).or_else(|| modified(folder.join(RUN)));
    let took = took(&folder.join(TIMINGS));
    let size = size(&folder);
    let notes = Notes::read(&folder).unwrap_or_default();
    let manifest = manifest.ok();
    Entry { name, folder, state, manifest, generation, best, saved_generation, started, changed, took, size, notes }
}

/// Returns why the run in a folder stopped unintentionally, unless it was resumed since: the last line of its log.
pub fn stopped(folder: &Path) -> Option<String> {
    last_event(folder, STOPPED)
}

/// Returns the rest of the last line of a run's log if it begins with `prefix` after the time and the process.
fn last_event(folder: &Path, prefix: &str) -> Option<String> {
    let log = last_line(&folder.join(LOG))?;
    let (_, event) = log.split_once(": ")?;
    event.strip_prefix(prefix).map(str::to_owned)
}

/// Returns the first line of a run's log: the time and the process of its start, by which a run is known however often it is resumed.
pub fn start_line(folder: &Path) -> String {
    first_line(&folder.join(LOG))
}

/// Returns the time of the first line of a run's log.
fn begun(line: &str) -> Option<SystemTime> {
    let (time, _) = line.split_once('Z')?;
    let mut numbers = time.split(['-', ' ', ':']).map(|number| number.parse::<u64>().ok());
    let mut next = || numbers.next().flatten();
    let year = next()?;
    let month = next()?;
    let day = next()?;
    let hour = next()?;
    let minute = next()?;
    let second = next()?;
    // Years that begin in March have the leap day at their end.
    let (year, month) = if month < 3 { (year.checked_sub(1)?, month + 9) } else { (year, month - 3) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
    let days = days.checked_sub(719_469).filter(|_| (1969..10_000).contains(&year) && month < 12 && day < 32)?;
    Some(UNIX_EPOCH + Duration::from_secs(86_400 * days + 3600 * hour + 60 * minute + second))
}

/// The columns of `timings.csv`, of any kind of run, that sum up to a generation's time.
pub(crate) const TIMES: [&str; 3] = ["seconds", "breeding_seconds", "evaluation_seconds"];

fn took(path: &Path) -> Duration {
    let Ok(file) = files::open(path) else { return Duration::ZERO };
    let mut lines = BufReader::with_capacity(1 << 16, file).take(LONGEST_TIMINGS);
    let mut line = String::new();
    let mut next = |line: &mut String| {
        line.clear();
        matches!(lines.read_line(line), Ok(count) if count > 0)
    };
    if !next(&mut line) {
        return Duration::ZERO;
    }
    let columns: Vec<bool> = line.trim_end().split(',').map(|name| TIMES.contains(&name)).collect();
    let last = columns.iter().rposition(|&is_time| is_time).map_or(0, |last| last + 1);
    let mut sum = 0.0;
    while next(&mut line) {
        let times = line.split(',').zip(&columns[..last]).filter(|(_, is_time)| **is_time);
        sum += times.filter_map(|(text, _)| text.trim_end().parse::<f64>().ok()).sum::<f64>();
    }
    Duration::try_from_secs_f64(sum).unwrap_or_default()
}

/// Returns the total size of a folder's files in bytes.
pub fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let size = |entry: fs::DirEntry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => size(&entry.path()),
        Ok(kind) if kind.is_file() => entry.metadata().map_or(0, |meta| meta.len()),
        _ => 0,
    };
    entries.map(size).sum()
}

/// Returns the header of the newest valid checkpoint; `None` if there is no checkpoint.
fn saved(folder: &Path) -> Result<Option<checkpoint::Peek>, Error> {
    let newest = folder.join(checkpoint::FILE);
    match (checkpoint::peek(&newest), checkpoint::peek(&folder.join(checkpoint::OLD))) {
        (Ok(None), Ok(old)) => Ok(old),
        (Ok(newest), _) => Ok(newest),
        // The run can be resumed from there.
        (Err(_), Ok(Some(old))) => Ok(Some(old)),
        (Err(reason), _) => Err(format!("{} {reason}", newest.display()).into()),
    }
}

fn first_line(path: &Path) -> String {
    let mut bytes = Vec::new();
    let read = files::open(path).and_then(|file| file.take(BEST_START).read_to_end(&mut bytes));
    let text = read.map(|_| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or_default().to_owned()
}

/// Returns the first column of the last complete row.
fn last_generation(path: &Path) -> Option<u64> {
    last_line(path)?.split(',').next()?.parse().ok()
}

/// Returns the last complete line of a file except its first, read from the end.
fn last_line(path: &Path) -> Option<String> {
    let mut file = files::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    // Rows have any length: the part read is doubled until a row is complete.
    let mut enough = 4096;
    loop {
        file.seek(SeekFrom::Start(length.saturating_sub(enough))).ok()?;
        let mut bytes = Vec::new();
        (&file).take(enough).read_to_end(&mut bytes).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let (whole, _) = text.rsplit_once('\n')?;
        match whole.rsplit_once('\n') {
            Some((_, last)) => return Some(last.to_owned()),
            None if enough >= length || enough > LONGEST_ROW => return None,
            None => enough *= 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_in_a_log_comes_back() {
        for seconds in [0, 1, 951_782_399, 951_782_400, 951_868_800, 1_795_318_265, 4_102_444_799] {
            let time = UNIX_EPOCH + Duration::from_secs(seconds);
            let line = format!("{} process 1: started", super::super::utc(time));
            assert_eq!(begun(&line), Some(time), "{line}");
        }
        for line in ["", "Z", "2026-11Z", "x-11-20 06:23:45Z", "2026-99-20 06:23:45Z", "0001-01-01 00:00:00Z"] {
            assert_eq!(begun(line), None, "{line}");
        }
    }

    #[test]
    fn what_a_run_took_is_added_up_whatever_its_kind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("timings.csv");
        let took = |text: &str| {
            fs::write(&path, text).unwrap();
            took(&path).as_secs_f64()
        };
        assert_eq!(took("generation,seconds,games_count\n0,1.5,7\n1,2,9\n"), 3.5);
        assert_eq!(took("generation,breeding_seconds,evaluation_seconds,memo_misses_seconds\n0,1,2,9\n"), 3.0);
        assert_eq!((took(""), took("generation\n0\n"), took("x,seconds\n0,-5\n")), (0.0, 0.0, 0.0));
    }

    #[test]
    fn the_best_is_reported_in_a_word_or_two() {
        let short = |best: &str| {
            let entry = Entry {
                name: String::new(),
                folder: PathBuf::new(),
                state: EntryState::Stopped,
                manifest: None,
                generation: None,
                best: best.to_owned(),
                saved_generation: None,
                started: None,
                changed: None,
                took: Duration::ZERO,
                size: 0,
                notes: Notes::default(),
            };
            entry.best_in_short().to_owned()
        };
        assert_eq!(short("fitness 6420: 41 first, 25 second, 80 nodes, depth 19, crossover in 71"), "6420");
        assert_eq!(short("66.1 % in generation 12, born in 9"), "66.1 %");
        assert_eq!(short("minimax:8:ties=random leads after 3 of 5 games"), "minimax:8:ties=random");
        let trained = "generation 120, after 16257 games: 51.0 % against the panel in generation 119";
        assert_eq!((short(trained), short("51.0 % against the panel")), ("51.0 %".to_owned(), "51.0 %".to_owned()));
        assert_eq!(short(""), "");
    }

    #[test]
    fn the_last_row_is_found_however_long_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        let last = |text: String| {
            fs::write(&path, text).unwrap();
            last_generation(&path)
        };
        let row = |number: u32| format!("{number},{}\n", "x".repeat(9000));
        assert_eq!(last("round,games\n".to_owned()), None);
        assert_eq!(last(format!("round,games\n{}", row(0))), Some(0));
        assert_eq!(last(format!("round,games\n{}{}", row(0), row(1))), Some(1));
        assert_eq!(last(format!("round,games\n{}1,unfinished", row(0))), Some(0));
        assert_eq!(last(String::new()), None);
    }
}
