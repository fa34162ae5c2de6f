//! The rows of runs as one table for other programs: in front of each row the run's name and all of its settings.

use mancalab_base::{Error, bail};
use std::path::Path;

use super::reader::RunReader;
use super::run_dir::{Columns, Manifest};
use crate::sanitize;

/// Gives the lines of a CSV table away, with their ends: a head for the first run, and a row for each of its generations. `head`
/// is the head that was given, `None` before the first run.
///
/// # Errors
/// The run cannot be read, or has other columns than the first.
pub fn csv(folder: &Path, head: &mut Option<String>, mut take: impl FnMut(&str)) -> Result<(), Error> {
    let reader = RunReader::open(folder)?;
    let Manifest { preset, seed, .. } = reader.manifest();
    let columns = Columns::open(folder)?;
    let (keys, values): (Vec<String>, Vec<String>) = reader.listed()?.into_iter().unzip();
    let names =
        ["run", "preset", "seed"].map(str::to_owned).into_iter().chain(keys).chain(columns.names.iter().cloned());
    let own = line(names) + "\n";
    match head {
        None => take(head.insert(own)),
        Some(first) if *first != own => {
            bail!("{} has other columns than the first run; export it by itself", sanitize::path(folder));
        }
        Some(_) => {}
    }
    let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
    let front = line([name, preset.clone(), seed.to_string()].into_iter().chain(values));
    columns.each(|row| take(&format!("{front},{row}\n")))
}

/// Fields with commas between them, in quotes where they have to be.
fn line(fields: impl Iterator<Item = String>) -> String {
    let field = |text: String| {
        let odd = text.contains([',', '"', '\n', '\r']);
        if odd { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
    };
    fields.map(field).collect::<Vec<_>>().join(",")
}
