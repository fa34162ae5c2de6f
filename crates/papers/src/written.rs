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
    write(out, &[(format!("{name}.csv"), csv.to_owned()), (format!("{name}.svg"), svg.to_owned())])
}

/// Writes files into `out`, if there is one: their names and what they hold; gives the note that says so.
///
/// # Errors
/// A file cannot be written: which, and why.
pub(super) fn write(out: Option<&Path>, files: &[(String, String)]) -> Result<Option<String>, Refusal> {
    let Some(out) = out else { return Ok(None) };
    let mut written = Vec::new();
    for (name, text) in files {
        let path = out.join(name);
        write_atomic(&path, text.as_bytes())
            .map_err(|error| format!("cannot write {}: {why}", path.display(), why = plain::reason(&error)))?;
        written.push(path.display().to_string());
    }
    Ok(Some(format!("Written: {}", written.join(", "))))
}
