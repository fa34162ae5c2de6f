//! The files of a table.

use std::path::Path;

use crate::document::Refusal;
use crate::files::write_atomic;
use crate::plain;

/// Writes a CSV file and a plot called `name` into `out`, if there is one; gives the note that says so.
///
/// # Errors
/// A file cannot be written: which, and why.
pub(super) fn write_files(out: Option<&Path>, name: &str, csv: &str, svg: &str) -> Result<Option<String>, Refusal> {
    let Some(out) = out else { return Ok(None) };
    let paths = [out.join(format!("{name}.csv")), out.join(format!("{name}.svg"))];
    for (path, text) in paths.iter().zip([csv, svg]) {
        write_atomic(path, text.as_bytes())
            .map_err(|error| format!("cannot write {}: {why}", path.display(), why = plain::reason(&error)))?;
    }
    Ok(Some(format!("Written: {}, {}", paths[0].display(), paths[1].display())))
}
