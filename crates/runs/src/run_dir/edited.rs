//! Whether the rows of a run are still those that it wrote, for readers that need no state: summaries, comparisons and exports.

use std::path::Path;

use super::csv::Lines;
use super::prefix::Prefix;
use super::{ROWS, checkpoint};
use crate::files;

/// Returns whether a row up to the newest readable checkpoint is another than the run wrote, by the checksum that the checkpoint has of
/// them. A run without checkpoint, and one whose rows end before it, whose state is [damaged](super::EntryState::Damaged), has none.
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
