//! `individuals.csv`: the individuals of every generation, kept on request. The file's existence is the request: a
//! resumed run continues it, and one without it keeps none.
//!
//! A generation has several rows, whose first column is its number. Fields may be quoted and contain line breaks.

use mancalab_base::{Error, bail};
use std::fs::File;
use std::path::Path;

use rustix::fs::OFlags;

use super::INDIVIDUALS;
use super::csv::Lines;
use super::dir_handle::DirHandle;
use crate::files::{self, Kind};
use crate::sanitize;

/// Opens the file, if it exists, and returns the length of its first `keep` generations.
///
/// # Errors
/// It cannot be read, has another header, or lacks one of these generations.
pub(super) fn open(held: &DirHandle, header: &str, keep: u64) -> Result<Option<(File, u64)>, Error> {
    let path = held.path_of(INDIVIDUALS);
    let opened = files::if_there(held.open_file(INDIVIDUALS, OFlags::RDWR | OFlags::APPEND));
    let Some(file) = opened.map_err(Error::cannot("read", &path))? else { return Ok(None) };
    // Without a checkpoint the file is begun again, whatever it holds.
    let length = if keep == 0 { 0 } else { end(&file, &path, header, keep)? };
    Ok(Some((file, length)))
}

/// The first columns of every header.
const BEGINNING: &str = "generation,rank,";

/// Returns whether the file has no rows: its run ended before it began.
pub(super) fn is_unbegun(held: &DirHandle) -> bool {
    let text = held.read(INDIVIDUALS, Kind::Document).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let is_header = |text: &str| text.starts_with(BEGINNING) || BEGINNING.starts_with(text);
    text.is_some_and(|text| is_header(&text) && text.lines().count() <= 1)
}

/// Returns the end of the last row of generation `keep - 1`, in bytes.
fn end(file: &File, path: &Path, header: &str, keep: u64) -> Result<u64, Error> {
    let mut lines = Lines::behind(file, path, 0, 0)?;
    lines.header(header)?;
    let mut end = lines.read;
    let mut next = 0;
    let mut is_quoted = false;
    while let Some(line) = lines.next()? {
        let is_first = !is_quoted;
        is_quoted ^= line.bytes().filter(|byte| *byte == b'"').count() % 2 == 1;
        if is_first {
            let generation = line.split(',').next().and_then(|text| text.parse::<u64>().ok());
            match generation {
                Some(generation) if generation >= keep && next == keep => break,
                Some(generation) if generation == next => next += 1,
                Some(generation) if generation + 1 == next => {}
                _ => bail!(
                    "{}: line {} is not an individual of generation {next}; restore the file, or delete it to keep no individuals",
                    sanitize::path(path),
                    lines.number
                ),
            }
        }
        if !is_quoted {
            end = lines.read;
        }
    }
    if next < keep {
        bail!(
            "{} ends before generation {next}, but the checkpoint is of generation {}; restore the file, or delete it to keep no \
             individuals",
            sanitize::path(path),
            keep - 1
        );
    }
    Ok(end)
}
