//! A run's whole state in one file, and the one before.
//!
//! The file begins with a line of text that says what it is, `mancalab checkpoint CONTAINER KIND FORMAT GENERATION STAGE LENGTH
//! CHECKSUM`, so that a person can look at it and a program refuses it before it believes a byte of the rest.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::time::SystemTime;

use crate::files::write_atomic;
use crate::job::codec::checksum;

pub const FILE: &str = "checkpoint";
pub const OLD: &str = "checkpoint.old";

/// The version of the header line itself. The first had no stage.
const CONTAINER: u32 = 2;

/// The stage of a run that has ended, and of one that has not.
const STAGES: [&str; 2] = ["finished", "running"];

/// No header line is longer, in bytes.
const LONGEST_HEADER: usize = 200;

/// What is in a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkpoint {
    /// The generation it was taken at the end of.
    pub generation: u64,
    /// The run has ended, maybe before the last generation of its settings.
    pub finished: bool,
    pub state: Vec<u8>,
}

/// What a checkpoint's header alone tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Peek {
    pub generation: u64,
    pub finished: bool,
    /// When it was written.
    pub time: SystemTime,
}

/// What a checkpoint must be of to be understood.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    pub kind: &'static str,
    /// The newest format of the state that is understood.
    pub format: u32,
}

/// Writes a checkpoint; the one before is kept as [`OLD`], and at any moment one of them is whole.
///
/// # Errors
/// The system's.
pub fn write(folder: &Path, expected: Expected, checkpoint: &Checkpoint) -> io::Result<()> {
    let Checkpoint { generation, finished, state } = checkpoint;
    let stage = STAGES[usize::from(!finished)];
    let header = format!(
        "mancalab checkpoint {CONTAINER} {} {} {generation} {stage} {} {:016x}\n",
        expected.kind,
        expected.format,
        state.len(),
        checksum(state)
    );
    let (newest, old) = (folder.join(FILE), folder.join(OLD));
    if newest.exists() {
        let _ = fs::remove_file(&old);
        // Not every file system has links.
        fs::hard_link(&newest, &old).or_else(|_| fs::copy(&newest, &old).map(|_| ()))?;
    }
    let mut bytes = header.into_bytes();
    bytes.extend_from_slice(state);
    write_atomic(&newest, &bytes)
}

/// Reads one checkpoint file; `None` if there is none.
///
/// # Errors
/// A sentence without the file's name: it is no checkpoint, damaged, of another kind, or of a newer version.
pub fn read(path: &Path, expected: Expected) -> Result<Option<Checkpoint>, String> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("cannot be read: {error}")),
    };
    let end = bytes.iter().take(LONGEST_HEADER).position(|&byte| byte == b'\n').ok_or("is no checkpoint")?;
    let header = Header::parse(&bytes[..end]).ok_or("is no checkpoint")?;
    header.check(expected)?;
    let state = &bytes[end + 1..];
    if state.len() as u64 != header.length {
        return Err(format!("is damaged: it holds {} bytes of {}", state.len(), header.length));
    }
    if checksum(state) != header.checksum {
        return Err("is damaged: its checksum is wrong".to_owned());
    }
    Ok(Some(Checkpoint { generation: header.generation, finished: header.finished, state: state.to_vec() }))
}

/// What the header of the newest checkpoint tells.
pub fn peek(folder: &Path) -> Option<Peek> {
    let mut file = fs::File::open(folder.join(FILE)).ok()?;
    let mut bytes = [0; LONGEST_HEADER];
    let count = file.read(&mut bytes).ok()?;
    let end = bytes[..count].iter().position(|&byte| byte == b'\n')?;
    let time = file.metadata().and_then(|meta| meta.modified()).ok()?;
    let Header { generation, finished, .. } = Header::parse(&bytes[..end])?;
    Some(Peek { generation, finished, time })
}

struct Header {
    container: u32,
    kind: String,
    format: u32,
    generation: u64,
    finished: bool,
    length: u64,
    checksum: u64,
}

impl Header {
    fn parse(line: &[u8]) -> Option<Header> {
        let words: Vec<&str> = std::str::from_utf8(line).ok()?.split(' ').collect();
        let ["mancalab", "checkpoint", container, rest @ ..] = &words[..] else { return None };
        let container = container.parse().ok()?;
        if container > CONTAINER {
            // Whatever else it says may mean something new.
            let (kind, format, generation, finished) = (String::new(), 0, 0, false);
            return Some(Header { container, kind, format, generation, finished, length: 0, checksum: 0 });
        }
        let (stage, [kind, format, generation, length, checksum]) = match (container, rest) {
            (1, &[kind, format, generation, length, checksum]) => {
                (STAGES[1], [kind, format, generation, length, checksum])
            }
            (_, &[kind, format, generation, stage, length, checksum]) if STAGES.contains(&stage) => {
                (stage, [kind, format, generation, length, checksum])
            }
            _ => return None,
        };
        Some(Header {
            container,
            kind: (*kind).to_owned(),
            format: format.parse().ok()?,
            generation: generation.parse().ok()?,
            finished: stage == STAGES[0],
            length: length.parse().ok()?,
            checksum: u64::from_str_radix(checksum, 16).ok()?,
        })
    }

    fn check(&self, expected: Expected) -> Result<(), String> {
        if self.container > CONTAINER || (self.kind == expected.kind && self.format > expected.format) {
            return Err("was written by a newer version of mancalab; use that version to go on".to_owned());
        }
        if self.kind != expected.kind {
            return Err(format!("is of a run of kind '{}', not '{}'", self.kind, expected.kind));
        }
        if self.format < expected.format {
            return Err("was written by an older version of mancalab, whose state this one does not read".to_owned());
        }
        Ok(())
    }
}
