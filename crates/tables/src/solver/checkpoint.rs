//! The state of a solver in a file: the bounds, the line, and the transposition table.
//!
//! A header, then pieces of the table, each with its length and its checksum. Empty entries take no space.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use super::Solver;
use crate::game::{Game as _, Move};
use mancalab_base::codec::{Decoder, Encoder, checksum};
use mancalab_base::{Error, bail, files, sanitize};

const MAGIC: &str = "mancalab solver 1";

/// Buckets of the table in a piece, and the maximal length of a piece in bytes.
const BUCKETS: usize = 1 << 10;
const LONGEST: u64 = (BUCKETS * (1 + 8 * 8)) as u64;

impl Solver {
    /// Writes the state, from which [`resume`](Solver::resume) continues. A previous file is replaced once the new one is
    /// complete.
    ///
    /// # Errors
    /// The system's error.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let mut temporary = path.as_os_str().to_owned();
        temporary.push(format!(".{}.tmp", std::process::id()));
        let temporary = PathBuf::from(temporary);
        path.parent().map_or(Ok(()), fs::create_dir_all).map_err(Error::cannot("write", path))?;
        let written = self.write(&temporary).and_then(|()| fs::rename(&temporary, path));
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        written.map_err(Error::cannot("write", path))
    }

    fn write(&self, path: &Path) -> io::Result<()> {
        let mut file = BufWriter::with_capacity(1 << 18, File::create(path)?);
        write_piece(&mut file, &self.header())?;
        for buckets in self.window.table().entries().chunks(BUCKETS) {
            write_piece(&mut file, &packed(buckets))?;
        }
        file.flush()?;
        // A rename may reach the disk before the bytes do.
        file.get_ref().sync_all()
    }

    /// Restores the state written by [`save`](Solver::save) for the same position. The table is restored if it may have the same
    /// size. Without a file nothing changes. Returns whether there was one. Files that an interrupted [`save`](Solver::save) left go.
    ///
    /// # Errors
    /// The file is damaged, for another position, or cannot be read.
    pub fn resume(&mut self, path: &Path) -> Result<bool, Error> {
        // Gigabytes, of a process that was killed while it wrote.
        files::remove_left(path);
        if !path.exists() {
            return Ok(false);
        }
        let file = files::open_with(OpenOptions::new().read(true), path).map_err(Error::cannot("read", path))?;
        self.read(&mut BufReader::with_capacity(1 << 18, file)).map_err(|error| {
            Error::from(format!("cannot resume from {}: {}; delete it to begin anew", sanitize::path(path), error))
        })?;
        Ok(true)
    }

    /// What the solution is of.
    fn subject(&self, out: &mut Encoder) {
        out.text(MAGIC);
        out.text(&self.root.rules().to_string());
        self.root.key().iter().for_each(|&row| out.u64(row));
        out.i64(self.root.margin(self.root.side()).into());
        out.u8(self.root.side() as u8);
    }

    fn header(&self) -> Vec<u8> {
        let mut out = Encoder::new();
        self.subject(&mut out);
        out.u8(self.lower);
        out.u8(self.upper);
        out.u64(self.solution().nodes);
        for moves in [&self.line, &self.refuted] {
            out.bytes(&moves.iter().map(|mv| mv.0 as u8).collect::<Vec<u8>>());
        }
        out.u64(self.window.table().entries().len() as u64);
        out.finish()
    }

    fn read(&mut self, from: &mut impl Read) -> Result<(), Error> {
        let header = read_piece(from)?;
        let mut subject = Encoder::new();
        self.subject(&mut subject);
        let Some(rest) = header.strip_prefix(&subject.finish()[..]) else {
            bail!("it is not the state of this solution");
        };
        let mut state = Decoder::new(rest);
        let lower = state.u8()?;
        let upper = state.u8()?;
        let nodes = state.u64()?;
        let [line, refuted] = [state.bytes()?, state.bytes()?];
        let buckets = state.u64()?;
        state.end()?;
        if !(self.lower..=self.upper).contains(&lower) || !(lower..=self.upper).contains(&upper) {
            bail!("its bounds are impossible");
        }
        let mut end = self.root;
        let moves = |bytes: &[u8]| bytes.iter().map(|&mv| Move(mv.into())).collect::<Vec<Move>>();
        for mv in moves(line) {
            if !end.moves().any(|legal| legal == mv) {
                bail!("its line has an illegal move");
            }
            end = end.play(mv);
        }
        if self.window.table().resize(buckets) {
            self.window.filled = self.read_table(from)?;
        }
        (self.lower, self.upper, self.window.nodes) = (lower, upper, nodes);
        (self.line, self.refuted, self.end) = (moves(line), moves(refuted), end);
        Ok(())
    }

    /// Returns the number of entries.
    fn read_table(&self, from: &mut impl Read) -> Result<u64, Error> {
        let mut filled = 0;
        for buckets in self.window.table().entries().chunks(BUCKETS) {
            let piece = read_piece(from)?;
            let (counts, words) = piece.split_at_checked(buckets.len()).ok_or("a piece is too short")?;
            let mut words = words.as_chunks::<8>().0.iter();
            for (bucket, &count) in buckets.iter().zip(counts) {
                for (entry, word) in bucket.iter().zip(words.by_ref().take(count.into())) {
                    entry.store(u64::from_le_bytes(*word), Relaxed);
                    filled += 1;
                }
            }
        }
        Ok(filled)
    }
}

/// The number of entries in each bucket, then the entries.
fn packed(buckets: &[[AtomicU64; 8]]) -> Vec<u8> {
    let mut counts = Vec::with_capacity(LONGEST as usize);
    let mut words = Vec::new();
    for bucket in buckets {
        let before = words.len();
        let filled = bucket.iter().map(|entry| entry.load(Relaxed)).filter(|&entry| entry != 0);
        words.extend(filled.flat_map(u64::to_le_bytes));
        counts.push(((words.len() - before) / 8) as u8);
    }
    counts.extend(words);
    counts
}

fn write_piece(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    to.write_all(&(bytes.len() as u64).to_le_bytes())?;
    to.write_all(bytes)?;
    to.write_all(&checksum(bytes).to_le_bytes())
}

fn read_piece(from: &mut impl Read) -> Result<Vec<u8>, Error> {
    let odd = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => Error::from("it is cut short"),
        _ => Error::from(sanitize::reason(&error)),
    };
    let mut word = [0; 8];
    from.read_exact(&mut word).map_err(odd)?;
    let length = u64::from_le_bytes(word);
    if length > LONGEST {
        bail!("a piece of it is too long");
    }
    let mut bytes = vec![0; length as usize];
    from.read_exact(&mut bytes).map_err(odd)?;
    from.read_exact(&mut word).map_err(odd)?;
    if checksum(&bytes) != u64::from_le_bytes(word) {
        bail!("a checksum is wrong");
    }
    Ok(bytes)
}
