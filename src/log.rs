//! The log file.
//!
//! The terminal belongs to the screen, so log lines go to a file in the state directory. The calling thread writes each
//! line at once: no extra thread, no wake-ups, and nothing to flush when the process is killed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tracing::level_filters::LevelFilter;

use crate::paths::Paths;
use crate::settings::string_enum;
use crate::{files, sanitize};

/// A log larger than this, in bytes, becomes the old one.
pub(crate) const LARGE: u64 = 1 << 20;

pub(crate) const FILE: &str = "mancalab.log";
const OLD: &str = "mancalab.log.old";

/// The log level.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Level {
    Off,
    Error,
    Warn,
    #[default]
    Info,
    Debug,
    Trace,
}

impl Level {
    fn filter(self) -> LevelFilter {
        match self {
            Level::Off => LevelFilter::OFF,
            Level::Error => LevelFilter::ERROR,
            Level::Warn => LevelFilter::WARN,
            Level::Info => LevelFilter::INFO,
            Level::Debug => LevelFilter::DEBUG,
            Level::Trace => LevelFilter::TRACE,
        }
    }
}

string_enum!(Level { "off" => Off, "error" => Error, "warn" => Warn, "info" => Info, "debug" => Debug, "trace" => Trace });

/// An open log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogHandle {
    pub path: PathBuf,
}

/// Starts the log in the state directory. All sessions of the process share it, because panics and signals belong to
/// none; lines name their thread. Returns `None` if it is off or cannot be written: the program works without it. Call
/// it once; a second call has no effect and returns `None`.
pub fn init(level: Level, paths: &Paths) -> Option<LogHandle> {
    if level == Level::Off {
        return None;
    }
    let dir = paths.state()?;
    let (file, path) = open(dir).ok()?;
    let lines = Lines { dir: dir.into(), file: Arc::new(Mutex::new(file)) };
    tracing_subscriber::fmt()
        .with_writer(move || lines.clone())
        .with_max_level(level.filter())
        .with_ansi(false)
        .with_target(false)
        .with_thread_names(true)
        // A full disk must not write into the terminal.
        .log_internal_errors(false)
        .try_init()
        .ok()?;
    tracing::info!(version = env!("CARGO_PKG_VERSION"), pid = std::process::id(), "started");
    Some(LogHandle { path })
}

/// Writes sanitized lines, because they contain external names and texts and are read in a terminal.
#[derive(Clone)]
struct Lines {
    dir: Arc<Path>,
    file: Arc<Mutex<File>>,
}

impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if file.metadata()?.len() > LARGE {
            // Another program may have put it aside already.
            *file = open(&self.dir)?.0;
        }
        // A line is one write to the end of the file, so that several programs can share it.
        file.write_all(sanitize::multiline(&String::from_utf8_lossy(line)).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Opens the log for appending, after renaming a large one, so that there are at most two. Several programs can share
/// it: each line is one write to the end of the file.
fn open(dir: &Path) -> io::Result<(File, PathBuf)> {
    fs::create_dir_all(dir)?;
    let path = dir.join(FILE);
    if fs::metadata(&path).is_ok_and(|meta| meta.len() > LARGE) {
        fs::rename(&path, dir.join(OLD))?;
    }
    let file = files::open_with(OpenOptions::new().create(true).append(true), &path)?;
    Ok((file, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(dir: &Path) -> (Lines, PathBuf) {
        let (file, path) = open(dir).unwrap();
        (Lines { dir: dir.into(), file: Arc::new(Mutex::new(file)) }, path)
    }

    #[test]
    fn two_programs_that_write_without_end_keep_two_files() {
        let dir = tempfile::tempdir().unwrap();
        let ((mut one, path), (mut other, _)) = (lines(dir.path()), lines(dir.path()));
        let line = "x".repeat(1 << 15) + "\n";
        for _ in 0..80 {
            one.write_all(line.as_bytes()).unwrap();
            other.write_all(line.as_bytes()).unwrap();
        }
        let names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        for file in [path, dir.path().join(OLD)] {
            let length = fs::metadata(&file).unwrap().len();
            assert!(length <= LARGE + 2 * line.len() as u64, "{}: {length}", file.display());
        }
    }

    #[test]
    fn nothing_hidden_reaches_the_log() {
        let dir = tempfile::tempdir().unwrap();
        let (mut lines, path) = lines(dir.path());
        lines.write_all("a\x1b[31m\u{202e}b\n".as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(path).unwrap(), "a\u{fffd}[31m\u{fffd}b\n");
    }

    #[test]
    fn a_large_log_is_put_aside() {
        let dir = tempfile::tempdir().unwrap();
        let nested = dir.path().join("state/mancalab");
        let (file, path) = open(&nested).unwrap();
        file.set_len(LARGE + 1).unwrap();
        drop(file);
        let (file, again) = open(&nested).unwrap();
        assert_eq!(again, path);
        assert_eq!(file.metadata().unwrap().len(), 0);
        assert_eq!(fs::metadata(nested.join(OLD)).unwrap().len(), LARGE + 1);
    }

    #[test]
    fn a_pipe_in_the_place_of_the_log_is_an_error_and_waited_for_by_no_one() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join(FILE);
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0).unwrap();
        assert!(open(dir.path()).is_err());
    }

    #[test]
    fn a_directory_that_cannot_be_made_is_an_error_and_no_panic() {
        assert!(open(Path::new("/dev/null/x")).is_err());
    }
}
