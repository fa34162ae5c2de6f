//! The runs in a folder, for a list to choose from.

use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::csv::LONGEST_ROW;
use super::{BEST, Manifest, ROWS, checkpoint, lock};
use crate::files;

/// Of `best.txt` so much is read, in bytes, for its first line.
const BEST_START: u64 = 4096;

/// One run of a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The name of its directory.
    pub name: String,
    pub folder: PathBuf,
    pub state: EntryState,
    /// `None` if `run.toml` cannot be read.
    pub manifest: Option<Manifest>,
    /// The newest generation with a row.
    pub generation: Option<u64>,
    /// The first line of `best.txt`: the best so far, in a line; empty before the first checkpoint.
    pub best: String,
    /// When it last came forward.
    pub changed: Option<SystemTime>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EntryState {
    /// Another process writes it: which.
    Running(String),
    /// It can be resumed.
    Paused,
    Finished,
    /// Why it cannot be read.
    Damaged(String),
}

/// All runs directly in `folder`, the one that came forward last at the front. A folder that is not there has none.
pub fn list(folder: &Path) -> Vec<Entry> {
    let folders = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut entries: Vec<Entry> = folders.filter(|path| path.join(super::RUN).exists()).map(entry).collect();
    entries.sort_by(|a, b| b.changed.cmp(&a.changed).then_with(|| a.name.cmp(&b.name)));
    entries
}

fn entry(folder: PathBuf) -> Entry {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let manifest = Manifest::read(&folder, |_, _, _| ()).map(|(manifest, ())| manifest);
    let generation = last_generation(&folder.join(ROWS));
    let saved = saved(&folder);
    let state = match (&manifest, lock::holder(&folder), &saved) {
        (Err(reason), ..) => EntryState::Damaged(reason.in_a_line()),
        (_, Some(holder), _) => EntryState::Running(holder),
        (.., Err(reason)) => EntryState::Damaged(reason.clone()),
        (.., Ok(Some(saved))) if generation.is_none_or(|newest| newest < saved.generation) => {
            let rows = folder.join(ROWS);
            EntryState::Damaged(format!("{} ends before the row of generation {}", rows.display(), saved.generation))
        }
        (Ok(manifest), _, Ok(Some(saved))) if saved.finished || saved.generation >= manifest.generations => {
            EntryState::Finished
        }
        _ => EntryState::Paused,
    };
    let saved = saved.ok().flatten();
    let best = first_line(&folder.join(BEST)).trim_start_matches(['#', ';', ' ']).to_owned();
    let modified = |path: PathBuf| fs::metadata(path).and_then(|meta| meta.modified()).ok();
    let changed = saved.map(|saved| saved.time).max(modified(folder.join(ROWS)));
    Entry { name, state, manifest: manifest.ok(), generation, best, changed, folder }
}

/// What the newest checkpoint tells whose first line is whole; `None` if there is no checkpoint.
fn saved(folder: &Path) -> Result<Option<checkpoint::Peek>, String> {
    let newest = folder.join(checkpoint::FILE);
    match (checkpoint::peek(&newest), checkpoint::peek(&folder.join(checkpoint::OLD))) {
        (Ok(None), Ok(old)) => Ok(old),
        (Ok(newest), _) => Ok(newest),
        // It can be gone on with from there.
        (Err(_), Ok(Some(old))) => Ok(Some(old)),
        (Err(reason), _) => Err(format!("{} {reason}", newest.display())),
    }
}

fn first_line(path: &Path) -> String {
    let mut bytes = Vec::new();
    let read = files::open(path).and_then(|file| file.take(BEST_START).read_to_end(&mut bytes));
    let text = read.map(|_| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or_default().to_owned()
}

/// The first column of the last whole row, read from the end of the file.
fn last_generation(path: &Path) -> Option<u64> {
    let mut file = files::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    // Rows have any length: twice as much is read until one is whole.
    let mut enough = 4096;
    loop {
        file.seek(SeekFrom::Start(length.saturating_sub(enough))).ok()?;
        let mut bytes = Vec::new();
        (&file).take(enough).read_to_end(&mut bytes).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let (whole, _) = text.rsplit_once('\n')?;
        match whole.rsplit_once('\n') {
            Some((_, last)) => return last.split(',').next()?.parse().ok(),
            None if enough >= length || enough > LONGEST_ROW => return None,
            None => enough *= 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
