//! A run's complete state in a file, and the previous one.
//!
//! The file starts with a line of text, so that a user can read it and a program can reject it before it uses the rest:
//!
//! ```text
//! mancalab checkpoint 5 KIND FORMAT GENERATION STAGE PROVENANCE STATE SUM HEAD
//! ```
//!
//! After the line come the [`Provenance`] and the state, with these lengths; `SUM` is the checksum of both, and `HEAD`
//! that of the line before it: any change is detected. Versions 3 and 4 have the same form, but more checksums of rows
//! in the provenance; they are still read.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::SystemTime;

use mancalab_base::Error;
use rustix::fs::OFlags;

use super::dir_handle::DirHandle;
use super::provenance::Provenance;
use crate::codec::{Decoder, Encoder, checksum, joined};
use crate::files::{self, Kind, read_opened};
use crate::sanitize;

pub(crate) const FILE: &str = "checkpoint";
pub(crate) const OLD: &str = "checkpoint.old";

/// The version of the header line, and the oldest readable one.
const CONTAINER: u32 = 5;
const OLDEST: u32 = 3;

/// The stages of a finished and of an unfinished run.
const STAGES: [&str; 2] = ["finished", "running"];

/// Maximum length of a header line in bytes.
const LONGEST_HEADER: usize = 256;

/// The content of a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkpoint {
    /// The generation at whose end it was written.
    pub generation: u64,
    /// The run is finished, maybe before the last generation of its settings.
    pub finished: bool,
    pub provenance: Provenance,
    pub state: Vec<u8>,
}

/// The content of a checkpoint's header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Peek {
    pub generation: u64,
    pub finished: bool,
    /// When it was written.
    pub time: SystemTime,
}

/// The kind and format of a readable checkpoint.
#[derive(Clone, Copy, Debug)]
pub struct CheckpointFormat {
    pub kind: &'static str,
    /// The newest readable format of the state.
    pub format: u32,
}

/// Why a checkpoint is rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// A sentence without the file's name.
    pub reason: Error,
    /// The file is valid, but of a newer version of mancalab.
    pub is_newer: bool,
}

impl<E: Into<Error>> From<E> for Rejection {
    fn from(reason: E) -> Rejection {
        Rejection { reason: reason.into(), is_newer: false }
    }
}

/// Writes a checkpoint; the previous one is kept as [`OLD`] if it `is_whole`. One of them is valid at any moment.
///
/// # Errors
/// The system's error; both are then unchanged.
pub(crate) fn write(held: &DirHandle, expected: CheckpointFormat, new: &Checkpoint, is_whole: bool) -> io::Result<()> {
    let provenance = new.provenance.encode();
    let state = &new.state;
    let header = Header {
        container: CONTAINER,
        kind: expected.kind.to_owned(),
        format: expected.format,
        generation: new.generation,
        stage: STAGES[usize::from(!new.finished)],
        provenance: provenance.len() as u64,
        state: state.len() as u64,
        sum: joined(&[&provenance, state]),
    };
    header.check_size(Kind::Checkpoint).map_err(|refused| io::Error::other(refused.reason.to_string()))?;
    // Nothing is changed before the new one is on disk.
    let newest = held.prepare(FILE, &[header.line().as_bytes(), &provenance, state])?;
    if is_whole {
        keep_old(held)?;
    }
    newest.settle()
}

/// Returns the name of the kept checkpoint of a generation.
pub(crate) fn kept_name(generation: u64) -> String {
    format!("{FILE}.{generation}")
}

/// Returns the generation of a kept checkpoint with this name.
pub(crate) fn kept_generation(name: &str) -> Option<u64> {
    let number = name.strip_prefix(FILE)?.strip_prefix('.')?.parse().ok()?;
    (kept_name(number) == name).then_some(number)
}

/// Gives the newest checkpoint a further name, under which it stays.
///
/// # Errors
/// The system's error.
pub(crate) fn keep(held: &DirHandle, name: &str) -> io::Result<()> {
    let newest = held.find(FILE)?;
    if newest.is_some() && newest == held.find(name)? {
        return Ok(());
    }
    held.remove(name)?;
    // Not every file system has hard links.
    held.link(FILE, name).or_else(|_| held.write_atomic(name, &[&held.read(FILE, Kind::Checkpoint)?]))
}

/// Makes the newest checkpoint the old one.
fn keep_old(held: &DirHandle) -> io::Result<()> {
    let newest = held.find(FILE)?;
    // A killed process may have come this far; a file is not renamed to another name of its own.
    if newest.is_none() || newest == held.find(OLD)? {
        return Ok(());
    }
    let temporary = format!("{OLD}.{}.tmp", std::process::id());
    held.remove(&temporary)?;
    match held.link(FILE, &temporary) {
        Ok(()) => held.rename(&temporary, OLD),
        // Not every file system has hard links. Without them only the old one exists for a moment.
        Err(_) => held.rename(FILE, OLD),
    }
}

/// Reads a checkpoint file; `None` if there is none.
///
/// # Errors
/// It is not a checkpoint, damaged, of another kind, or of a newer version.
pub(crate) fn read(
    held: &DirHandle,
    name: &str,
    expected: CheckpointFormat,
    limit: Kind,
) -> Result<Option<Checkpoint>, Rejection> {
    let opened = files::if_there(held.open_file(name, OFlags::RDONLY)).map_err(unreadable)?;
    let Some(mut file) = opened else { return Ok(None) };
    let (header, start) = Header::read_header(&file)?;
    header.check(expected)?;
    header.check_size(limit)?;
    file.rewind().map_err(unreadable)?;
    let mut bytes = read_opened(file, limit).map_err(unreadable)?;
    // The file may have changed since.
    header.check_length(bytes.len().saturating_sub(start) as u64)?;
    // The length was checked.
    let state = start + header.provenance as usize;
    if joined(&[&bytes[start..state], &bytes[state..]]) != header.sum {
        return Err("is damaged: its checksum is wrong".into());
    }
    let provenance = Provenance::decode(&bytes[start..state]).map_err(|reason| format!("is damaged: {reason}"))?;
    bytes.drain(..state);
    let finished = header.stage == STAGES[0];
    Ok(Some(Checkpoint { generation: header.generation, finished, provenance, state: bytes }))
}

/// Reads the header of a checkpoint; `None` if there is no such file.
///
/// # Errors
/// It is damaged, as far as that is visible without reading all of it: a sentence without the file's name.
pub(crate) fn peek(path: &Path) -> Result<Option<Peek>, Error> {
    let opened = files::if_there(files::open(path)).map_err(|error| unreadable(error).reason)?;
    let Some(file) = opened else { return Ok(None) };
    let (header, _) = Header::read_header(&file).map_err(|refused| refused.reason)?;
    let time = file.metadata().and_then(|meta| meta.modified()).map_err(|error| unreadable(error).reason)?;
    Ok(Some(Peek { generation: header.generation, finished: header.stage == STAGES[0], time }))
}

/// Reads the provenance of a checkpoint without its state or checksums; `None` if that is impossible.
pub(crate) fn provenance(path: &Path) -> Option<Provenance> {
    let mut file = files::open(path).ok()?;
    let (header, start) = Header::read_header(&file).ok()?;
    let length = usize::try_from(header.provenance).ok().filter(|&length| length as u64 <= Kind::Document.most())?;
    let mut provenance = vec![0; length];
    file.seek(SeekFrom::Start(start as u64)).and_then(|_| file.read_exact(&mut provenance)).ok()?;
    Provenance::decode(&provenance).ok()
}

struct Header {
    container: u32,
    kind: String,
    format: u32,
    generation: u64,
    stage: &'static str,
    /// In bytes.
    provenance: u64,
    state: u64,
    sum: u64,
}

impl Header {
    /// Checks the size before anything is read or written.
    fn check_size(&self, limit: Kind) -> Result<(), Rejection> {
        // Leaves room for the header.
        let size = self.provenance.saturating_add(self.state).saturating_add(2 * LONGEST_HEADER as u64);
        if size <= limit.most() {
            return Ok(());
        }
        let [size, most] = [size, limit.most()].map(|bytes| bytes >> 20);
        Err(format!("takes {size} MiB, and at most {most} MiB are read").into())
    }

    fn line(&self) -> String {
        let Header { container, kind, format, generation, stage, provenance, state, sum } = self;
        let line = format!(
            "mancalab checkpoint {container} {kind} {format} {generation} {stage} {provenance} {state} {sum:016x}"
        );
        format!("{line} {:016x}\n", checksum(line.as_bytes()))
    }

    /// Returns the header of an open file and its end. Its lengths are checked against the file's before the rest is
    /// read.
    fn read_header(file: &File) -> Result<(Header, usize), Rejection> {
        let length = file.metadata().map_err(unreadable)?.len();
        let mut bytes = Vec::with_capacity(LONGEST_HEADER);
        file.take(LONGEST_HEADER as u64).read_to_end(&mut bytes).map_err(unreadable)?;
        let (header, start) = Header::find(&bytes)?;
        header.check_length(length.saturating_sub(start as u64))?;
        Ok((header, start))
    }

    /// Returns the header at the beginning of a file, and its end.
    fn find(bytes: &[u8]) -> Result<(Header, usize), Rejection> {
        let none = || Rejection::from("is no checkpoint");
        let end = bytes.iter().take(LONGEST_HEADER).position(|&byte| byte == b'\n').ok_or_else(none)?;
        let line = std::str::from_utf8(&bytes[..end]).map_err(|_| none())?;
        let words: Vec<&str> = line.split(' ').collect();
        let ["mancalab", "checkpoint", container, rest @ ..] = &words[..] else { return Err(none()) };
        let container: u32 = container.parse().map_err(|_| none())?;
        if container > CONTAINER {
            // The rest may have another meaning.
            return Err(Rejection::newer());
        }
        let header = Header::parse(container, rest).ok_or_else(none)?;
        // Numbers have several spellings, of which only one is valid.
        if header.line().as_bytes() != &bytes[..=end] {
            return Err("is damaged: the checksum of its first line is wrong".into());
        }
        Ok((header, end + 1))
    }

    fn parse(container: u32, words: &[&str]) -> Option<Header> {
        let &[kind, format, generation, stage, provenance, state, sum, _] = words else { return None };
        (container >= OLDEST).then_some(())?;
        Some(Header {
            container,
            kind: kind.to_owned(),
            format: format.parse().ok()?,
            generation: generation.parse().ok()?,
            stage: STAGES.into_iter().find(|known| *known == stage)?,
            provenance: provenance.parse().ok()?,
            state: state.parse().ok()?,
            sum: u64::from_str_radix(sum, 16).ok()?,
        })
    }

    fn check(&self, expected: CheckpointFormat) -> Result<(), Rejection> {
        if self.kind != expected.kind {
            return Err(format!("is of a run of kind '{}', not '{}'", self.kind, expected.kind).into());
        }
        if self.format > expected.format {
            return Err(Rejection::newer());
        }
        if self.format < expected.format {
            let reason = "was written by an older version of mancalab, whose state this one does not read";
            return Err(reason.into());
        }
        Ok(())
    }

    fn check_length(&self, length: u64) -> Result<(), Error> {
        let all = self.provenance.checked_add(self.state);
        let count = all.map_or("more".to_owned(), |all| all.to_string());
        if all == Some(length) { Ok(()) } else { Err(format!("is damaged: it holds {length} bytes of {count}").into()) }
    }
}

fn unreadable(error: io::Error) -> Rejection {
    Rejection::from(format!("cannot be read: {}", sanitize::reason(&error)))
}

impl Rejection {
    fn newer() -> Rejection {
        let reason = "was written by a newer version of mancalab; use that version to resume".into();
        Rejection { reason, is_newer: true }
    }
}

/// The base of a polynomial of row checksums, so that sums of adjacent pieces can be combined.
const PLACE: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number of rows, and their checksum.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Prefix {
    pub rows: u64,
    sum: u64,
}

impl Prefix {
    /// Adds the next row, without its line end.
    pub(crate) fn add(&mut self, row: &[u8]) {
        self.sum = self.sum.wrapping_mul(PLACE).wrapping_add(checksum(row));
        self.rows += 1;
    }

    /// Encodes it as the sum of one piece; checkpoints up to container 4 have one for every 1, 2, 4 … rows.
    pub(crate) fn encode(self, out: &mut Encoder) {
        out.small(self.rows);
        out.small(self.rows.max(1));
        if self.rows > 0 {
            out.u64(self.sum);
        }
    }

    /// # Errors
    /// The bytes are not a checksum of rows.
    pub(crate) fn decode(from: &mut Decoder<'_>) -> Result<Prefix, Error> {
        let rows = from.small()?;
        let each = from.small()?;
        let odd = || "the checksum of its rows makes no sense".to_owned();
        let mut prefix = Prefix::default();
        while prefix.rows < rows {
            let piece = u32::try_from(each.min(rows - prefix.rows)).ok().filter(|piece| *piece > 0).ok_or_else(odd)?;
            prefix.sum = prefix.sum.wrapping_mul(PLACE.wrapping_pow(piece)).wrapping_add(from.u64()?);
            prefix.rows += u64::from(piece);
        }
        Ok(prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(rows: u64, changed: Option<u64>) -> Prefix {
        let mut prefix = Prefix::default();
        (0..rows)
            .for_each(|row| prefix.add(format!("{row},{}", if changed == Some(row) { "x" } else { "y" }).as_bytes()));
        prefix
    }

    #[test]
    fn any_row_changes_it() {
        for rows in [1, 7, 2049, 20_000] {
            for changed in [0, rows / 3, rows - 1] {
                assert_ne!(new(rows, Some(changed)), new(rows, None), "{changed} of {rows}");
            }
        }
    }

    #[test]
    fn it_comes_back_from_a_checkpoint_and_from_the_pieces_of_older_ones() {
        for rows in [0, 1, 3000, 5000] {
            let mut out = Encoder::new();
            new(rows, None).encode(&mut out);
            assert_eq!(Prefix::decode(&mut Decoder::new(&out.finish())).unwrap(), new(rows, None));
            for each in [1, 2, 4, 4096] {
                let mut out = Encoder::new();
                out.small(rows);
                out.small(each);
                for first in (0..rows).step_by(each as usize) {
                    let mut piece = Prefix::default();
                    (first..rows.min(first + each)).for_each(|row| piece.add(format!("{row},y").as_bytes()));
                    out.u64(piece.sum);
                }
                assert_eq!(Prefix::decode(&mut Decoder::new(&out.finish())).unwrap(), new(rows, None));
            }
        }
        let refused = |rows: u64, each: u64| {
            let mut out = Encoder::new();
            out.small(rows);
            out.small(each);
            Prefix::decode(&mut Decoder::new(&out.finish())).is_err()
        };
        assert!(refused(1, 0) && refused(u64::MAX, 1) && refused(u64::MAX, u64::MAX) && !refused(0, 1));
    }
}
