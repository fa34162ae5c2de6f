//! Rows of runs as TensorBoard's event files: records of protocol buffers with checksums (`tensorflow/core/lib/io/record_writer`).

mod hparams;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use mancalab_base::{Error, bail};

use crate::codec::checksum;
use crate::files::GrowingFile;
use crate::job::run_dir::{self, ROWS};
use crate::sanitize;
use crate::tidy::Scalars;

/// An event file that follows the rows of a run.
pub(crate) struct Events {
    rows: GrowingFile,
    scalars: Scalars,
    /// The newest step in earlier event files of the run.
    known: Option<u64>,
    out: File,
    path: PathBuf,
}

impl Events {
    /// Creates a new event file for the run in `folder`, in a folder of the run's name in `into`. It continues earlier ones of the run.
    ///
    /// # Errors
    /// The file cannot be created, or the folder has events of another run.
    pub fn create(into: &Path, folder: &Path) -> Result<Events, Error> {
        let place = into.join(folder.file_name().unwrap_or(folder.as_os_str()));
        fs::create_dir_all(&place).map_err(Error::cannot("create", &place))?;
        let run = identity(folder);
        let known = newest_step(&place, &run)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seconds = now.as_secs();
        let nanoseconds = now.subsec_nanos();
        // TensorBoard reads the files of a folder in the order of their names, so that names go by time first.
        let path = place.join(format!("{START}{seconds}.{nanoseconds:09}.{}.{run}", std::process::id()));
        let out = File::create_new(&path).map_err(Error::cannot("create", &path))?;
        let mut events =
            Events { rows: GrowingFile::new(&folder.join(ROWS)), scalars: Scalars::open(folder)?, known, out, path };
        let mut version = event(0);
        text(3, "brain.Event:2", &mut version);
        events.write(&version)?;
        events.write(&settings(&hparams::of_run(folder)?))?;
        Ok(events)
    }

    /// Writes the rows that are complete since the last call.
    ///
    /// # Errors
    /// The rows cannot be read, or the events not written.
    pub fn follow(&mut self) -> Result<(), Error> {
        let lines = self.rows.lines().map_err(Error::cannot("read", self.rows.path()))?;
        for line in &lines {
            let Some((step, numbers)) = self.scalars.read(line)? else { continue };
            if !numbers.is_empty() && self.known.is_none_or(|known| step > known) {
                self.write(&summary(step, &numbers))?;
            }
        }
        Ok(())
    }

    fn write(&mut self, event: &[u8]) -> Result<(), Error> {
        let length = (event.len() as u64).to_le_bytes();
        let sums = [&length[..], event].map(|part| masked(crc32c::crc32c(part)).to_le_bytes());
        let record = [&length[..], &sums[0], event, &sums[1]].concat();
        self.out.write_all(&record).map_err(Error::cannot("write", &self.path))
    }
}

/// Beginning of the names of event files.
const START: &str = "events.out.tfevents.";

/// Returns a word that is the same whenever the run is resumed: a checksum of when and where it was started.
fn identity(folder: &Path) -> String {
    format!("{:016x}", checksum(run_dir::start_line(folder).as_bytes()))
}

/// Returns the newest step in the run's event files in a folder; `None` if there is none.
///
/// # Errors
/// They cannot be read, or the folder has event files of another run, whose curves would be mixed with these.
fn newest_step(place: &Path, run: &str) -> Result<Option<u64>, Error> {
    let mut newest = None;
    for entry in fs::read_dir(place).map_err(Error::cannot("read", place))?.flatten() {
        let name = entry.file_name();
        let path = entry.path();
        if !name.to_string_lossy().starts_with(START) {
            continue;
        }
        if path.extension() != Some(OsStr::new(run)) {
            bail!("{} has events of another run; delete them, or choose another folder", sanitize::path(place));
        }
        newest = newest.max(newest_step_in(&fs::read(&path).map_err(Error::cannot("read", &path))?));
    }
    Ok(newest)
}

/// Returns the step of the last complete record with a summary in the content of an event file.
fn newest_step_in(mut file: &[u8]) -> Option<u64> {
    let mut newest = None;
    while let Some((length, rest)) = file.split_first_chunk::<8>() {
        let record = usize::try_from(u64::from_le_bytes(*length)).ok()?.checked_add(4).and_then(|end| rest.get(4..end));
        let Some(record) = record else { break };
        newest = newest.max(step_of(record));
        file = rest.get(record.len() + 8..).unwrap_or_default();
    }
    newest
}

/// Returns the step of an event with a summary: the fields are in the order in which [`event`] writes them.
fn step_of(record: &[u8]) -> Option<u64> {
    let (tag, mut rest) = record.get(9..)?.split_first()?;
    let mut step = 0;
    let mut shift = 0;
    while let Some((byte, after)) = rest.split_first().filter(|_| *tag == 2 << 3 && shift < 64) {
        (step, rest) = (step | u64::from(byte & 0x7f) << shift, after);
        if byte & 0x80 == 0 {
            return (rest.first() == Some(&(5 << 3 | 2))).then_some(step);
        }
        shift += 7;
    }
    None
}

/// A row as an event, each number a value.
fn summary(step: u64, numbers: &[(String, f64)]) -> Vec<u8> {
    let mut summary = Vec::new();
    for (name, number) in numbers {
        let mut value = Vec::new();
        text(1, name, &mut value);
        value.push(2 << 3 | 5);
        value.extend((*number as f32).to_le_bytes());
        bytes(1, &value, &mut summary);
    }
    let mut event = event(step);
    bytes(5, &summary, &mut event);
    event
}

/// The settings of a run as an event. It has no step, so that it is not the run's [newest](newest_step_in).
fn settings(value: &[u8]) -> Vec<u8> {
    let mut summary = Vec::new();
    bytes(1, value, &mut summary);
    let mut event = begun();
    bytes(5, &summary, &mut event);
    event
}

/// The checksum as it is stored.
fn masked(sum: u32) -> u32 {
    sum.rotate_right(15).wrapping_add(0xa282_ead8)
}

/// The beginning of an event: time and step.
fn event(step: u64) -> Vec<u8> {
    let mut event = begun();
    event.push(2 << 3);
    varint(step, &mut event);
    event
}

/// The beginning of an event: its time.
fn begun() -> Vec<u8> {
    let mut event = Vec::new();
    double(1, seconds_of(SystemTime::now()), &mut event);
    event
}

fn seconds_of(time: SystemTime) -> f64 {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

fn double(field: u8, number: f64, out: &mut Vec<u8>) {
    out.push(field << 3 | 1);
    out.extend(number.to_le_bytes());
}

fn text(field: u8, text: &str, out: &mut Vec<u8>) {
    bytes(field, text.as_bytes(), out);
}

/// A field of bytes: its tag, length and content.
fn bytes(field: u8, content: &[u8], out: &mut Vec<u8>) {
    out.push(field << 3 | 2);
    varint(content.len() as u64, out);
    out.extend(content);
}

fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Settings;
    use crate::budget::{Budget, Job as _};
    use crate::game::registry::Variant;
    use crate::job::RunJob;
    use crate::kinds;
    use crate::pool::Pool;

    /// Returns the records of the run's event files, after checking their checksums.
    fn records(place: &Path) -> Vec<Vec<u8>> {
        let mut files: Vec<PathBuf> = fs::read_dir(place).unwrap().map(|entry| entry.unwrap().path()).collect();
        crate::sort::sort(&mut files);
        let mut records = Vec::new();
        for file in files.iter().map(|path| fs::read(path).unwrap()) {
            let mut at = 0;
            while at < file.len() {
                let length = u64::from_le_bytes(file[at..at + 8].try_into().unwrap()) as usize;
                let record = &file[at + 12..at + 12 + length];
                let sum = u32::from_le_bytes(file[at + 12 + length..at + 16 + length].try_into().unwrap());
                assert_eq!(sum, masked(crc32c::crc32c(record)));
                records.push(record.to_vec());
                at += 16 + length;
            }
        }
        records
    }

    fn holds(record: &[u8], part: &[u8]) -> bool {
        record.windows(part.len()).any(|window| window == part)
    }

    fn tournament(rounds: u32) -> Settings {
        let players = ["random", "max"].map(|player| player.parse().unwrap()).to_vec();
        Settings::round_robin(Variant::Kalah(Default::default()), players, rounds, 7)
    }

    fn steps(place: &Path) -> Vec<u64> {
        records(place).iter().filter_map(|record| step_of(record)).collect()
    }

    #[test]
    fn each_step_is_written_once_however_often_the_run_is_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        let into = folder.path().join("events");
        let place = into.join("run");
        let begin = || RunJob::create(&run, tournament(3), &Pool::alone()).unwrap();
        let mut job = begin();
        job.step(Budget::UNLIMITED);
        drop(job);
        let follow = || Events::create(&into, &run).and_then(|mut events| events.follow());
        follow().unwrap();
        let written = records(&place);
        assert!(holds(&written[0], b"brain.Event:2") && holds(&written[1], b"session_start_info"));
        assert_eq!(written.len(), 5, "a version, the settings, and an event a round");
        assert!(holds(&written[2], b"points_percent/1 random") && holds(&written[4], b"points_percent/2 max"));
        assert_eq!(steps(&place), [0, 1, 2]);
        let (mut job, _) = kinds::extend(&run, 4, &Pool::alone()).unwrap();
        job.step(Budget::UNLIMITED);
        drop(job);
        follow().unwrap();
        assert_eq!(steps(&place), [0, 1, 2, 3, 4]);
        fs::remove_dir_all(&run).unwrap();
        drop(begin());
        fs::write(run.join("mancalab.log"), "2026-01-01 00:00:00Z process 1: started\n").unwrap();
        let refused = follow().unwrap_err().to_string();
        assert!(refused.ends_with("events/run has events of another run; delete them, or choose another folder"));
    }

    #[test]
    fn the_newest_step_is_that_of_the_last_whole_summary() {
        let steps = [0, 300, 1 << 40];
        let events: Vec<Vec<u8>> = steps.iter().map(|step| summary(*step, &[("best".to_owned(), 2.5)])).collect();
        assert_eq!(events.iter().map(|event| step_of(event)).collect::<Vec<_>>(), steps.map(Some));
        assert!(holds(&events[1], &[16, 0xac, 2]) && holds(&events[1], &2.5_f32.to_le_bytes()), "step 300");
        assert_eq!((step_of(&event(7)), step_of(&[]), step_of(&[16; 40])), (None, None, None));
        let record = |event: &Vec<u8>| [&(event.len() as u64).to_le_bytes()[..], &[0; 4], event, &[0; 4]].concat();
        let whole = [record(&events[0]), record(&events[1])].concat();
        assert_eq!(newest_step_in(&whole), Some(300));
        assert_eq!(newest_step_in(&[&whole, &record(&events[2])[..20]].concat()), Some(300));
        assert_eq!((newest_step_in(&[]), newest_step_in(&[0xff; 100])), (None, None));
        // The check value of the checksum: of the digits 1 to 9.
        assert_eq!(crc32c::crc32c(b"123456789"), 0xe306_9283);
    }
}
