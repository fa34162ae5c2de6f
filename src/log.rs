//! The log: what went on, for whoever looks for the cause of something afterwards.
//!
//! The screen belongs to the program's picture, so nothing is ever logged there; it goes to a file in the state directory.
//! Lines are few and written at once by whoever has something to say: no thread, nothing to flush when the process ends
//! by force, and nothing to wake up for.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracing::level_filters::LevelFilter;

use crate::paths::Paths;
use crate::settings::words_of;
use crate::{files, sanitize};

/// A log that is larger at the start of the program, in bytes, becomes the old one.
const LARGE: u64 = 1 << 20;

const FILE: &str = "mancalab.log";
const OLD: &str = "mancalab.log.old";

/// How much is logged.
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
    /// The words that people write, the same in config and in flags.
    pub const WORDS: &'static [(&'static str, Level)] = &[
        ("off", Level::Off),
        ("error", Level::Error),
        ("warn", Level::Warn),
        ("info", Level::Info),
        ("debug", Level::Debug),
        ("trace", Level::Trace),
    ];

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

words_of!(Level);

/// A log that is being written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogHandle {
    pub path: PathBuf,
}

/// Starts the log in the state directory. It is the whole process's, whoever's sessions run in it: panics and signals belong to no
/// session, and a line names its thread. `None` if it is off or cannot be written: a program that works is worth more than
/// its log. To be called once; a second call changes nothing and gives `None`.
pub fn init(level: Level, paths: &Paths) -> Option<LogHandle> {
    if level == Level::Off {
        return None;
    }
    let (file, path) = open(paths.state()?).ok()?;
    let file = Arc::new(file);
    tracing_subscriber::fmt()
        .with_writer(move || Lines(Arc::clone(&file)))
        .with_max_level(level.filter())
        .with_ansi(false)
        .with_target(false)
        .with_thread_names(true)
        .try_init()
        .ok()?;
    tracing::info!(version = env!("CARGO_PKG_VERSION"), pid = std::process::id(), "started");
    Some(LogHandle { path })
}

/// Writes lines without what is hidden in them: they tell of names and texts from outside, and are read in a terminal.
struct Lines(Arc<File>);

impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        // A line is one write to the end of the file, so that several programs can share it.
        (&*self.0).write_all(sanitize::multiline(&String::from_utf8_lossy(line)).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Opens the log for appending, and puts a large one aside first, so that there are never more than two of them. Several
/// programs may write to the same one: each line is one write to the end of the file.
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

    #[test]
    fn nothing_hidden_reaches_the_log() {
        let dir = tempfile::tempdir().unwrap();
        let (file, path) = open(dir.path()).unwrap();
        Lines(Arc::new(file)).write_all("a\x1b[31m\u{202e}b\n".as_bytes()).unwrap();
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
    fn a_pipe_in_the_place_of_the_log_is_an_error_and_waited_for_by_nobody() {
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
