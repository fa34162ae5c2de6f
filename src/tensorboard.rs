//! Rows of runs as TensorBoard's event files: records of protocol buffers with checksums (`tensorflow/core/lib/io/record_writer`).
//!
//! The settings of a run for TensorBoard's page HPARAMS: a summary with the plugin's data, a `SessionStartInfo`
//! (`tensorboard/plugins/hparams/plugin_data.proto`), in the metadata of a tensor that is empty.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use mancalab_base::{Error, bail};

use super::codec::checksum;
use super::files::GrowingFile;
use super::job::RunReader;
use super::job::run_dir::{self, ROWS};
use super::sanitize;
use super::tidy::Scalars;

/// An event file that follows the rows of a run.
pub(crate) struct Events {
    rows: GrowingFile,
    scalars: Scalars,
    /// The newest step in earlier event files of the run.
    newest_step: Option<u64>,
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
        let newest = newest_step(&place, &run)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seconds = now.as_secs();
        let nanoseconds = now.subsec_nanos();
        // TensorBoard reads the files of a folder in the order of their names, so that names go by time first.
        let path = place.join(format!("{START}{seconds}.{nanoseconds:09}.{}.{run}", std::process::id()));
        let out = File::create_new(&path).map_err(Error::cannot("create", &path))?;
        let mut events = Events {
            rows: GrowingFile::new(&folder.join(ROWS)),
            scalars: Scalars::open(folder)?,
            newest_step: newest,
            out,
            path,
        };
        let mut version = event(0);
        text(3, "brain.Event:2", &mut version);
        events.write(&version)?;
        events.write(&settings(&of_run(folder)?))?;
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
            if !numbers.is_empty() && self.newest_step.is_none_or(|newest| step > newest) {
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

/// The tag of the summary, and the name of the plugin.
const TAG: &str = "_hparams_/session_start_info";
const PLUGIN: &str = "hparams";

/// A `TensorProto` of no numbers: its type, and a shape of one dimension of size 0.
const NO_NUMBERS: [u8; 6] = [8, 1, 18, 2, 18, 0];

/// Returns the value of a summary with the settings of the run in a folder.
///
/// # Errors
/// The run cannot be read.
fn of_run(folder: &Path) -> Result<Vec<u8>, Error> {
    let mut session = Vec::new();
    for (key, value) in listed(folder)? {
        let mut entry = Vec::new();
        text(1, &key, &mut entry);
        bytes(2, &encoded(&value), &mut entry);
        bytes(1, &entry, &mut session);
    }
    if let Some(started) = run_dir::entry(folder.to_owned()).started {
        double(5, seconds_of(started), &mut session);
    }
    let wrapped = |field: u8, content: &[u8]| {
        let mut message = Vec::new();
        bytes(field, content, &mut message);
        message
    };
    let mut plugin = wrapped(1, PLUGIN.as_bytes());
    bytes(2, &wrapped(3, &session), &mut plugin);
    let mut value = wrapped(1, TAG.as_bytes());
    bytes(9, &wrapped(1, &plugin), &mut value);
    bytes(8, &NO_NUMBERS, &mut value);
    Ok(value)
}

/// Returns all settings of a run, each once.
fn listed(folder: &Path) -> Result<Vec<(String, String)>, Error> {
    let reader = RunReader::open(folder)?;
    let manifest = reader.manifest();
    let own = [
        ("preset", toml::Value::from(&*manifest.preset).to_string()),
        ("seed", manifest.seed.to_string()),
        ("generations", manifest.generations.to_string()),
    ];
    let own = own.map(|(key, value)| (key.to_owned(), value));
    let is_new = |(key, _): &(String, String)| own.iter().all(|(known, _)| known != key);
    let rest = reader.listed()?.into_iter().filter(is_new).collect::<Vec<_>>();
    Ok(own.into_iter().chain(rest).collect())
}

/// Returns the text of a setting as a `google.protobuf.Value`: numbers, truth values and strings; lists as their text.
fn encoded(setting: &str) -> Vec<u8> {
    let value =
        toml::from_str::<toml::Table>(&format!("value = {setting}")).ok().and_then(|table| table.get("value").cloned());
    let mut out = Vec::new();
    match value {
        Some(toml::Value::Integer(number)) => double(2, number as f64, &mut out),
        Some(toml::Value::Float(number)) => double(2, number, &mut out),
        Some(toml::Value::Boolean(value)) => out.extend([4 << 3, u8::from(value)]),
        Some(toml::Value::String(string)) => text(3, &string, &mut out),
        _ => text(3, setting, &mut out),
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::arena::Settings;
    use super::super::budget::{Budget, Job as _};
    use super::super::game::registry::Variant;
    use super::super::job::RunJob;
    use super::super::kinds::{self, KINDS};
    use super::super::pool::Pool;
    use super::*;

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

    /// The fields of a message: number, and bytes, of a number those in which it is stored.
    fn fields(mut message: &[u8]) -> Vec<(u64, Vec<u8>)> {
        let mut fields = Vec::new();
        let varint = |message: &mut &[u8]| {
            let length = message.iter().position(|byte| byte & 0x80 == 0).unwrap() + 1;
            let (number, rest) = message.split_at(length);
            *message = rest;
            number.iter().rev().fold(0, |sum, byte| sum << 7 | u64::from(byte & 0x7f))
        };
        while !message.is_empty() {
            let tag = varint(&mut message);
            let content = match tag & 7 {
                0 => varint(&mut message).to_le_bytes().to_vec(),
                1 => message.split_off(..8).unwrap().to_vec(),
                2 => {
                    let length = varint(&mut message) as usize;
                    message.split_off(..length).unwrap().to_vec()
                }
                other => panic!("type {other}"),
            };
            fields.push((tag >> 3, content));
        }
        fields
    }

    fn field(message: &[u8], number: u64) -> Vec<u8> {
        let mut found = fields(message).into_iter().filter(|(field, _)| *field == number);
        let (_, content) = found.next().unwrap_or_else(|| panic!("no field {number} in {message:?}"));
        assert!(found.next().is_none());
        content
    }

    /// A `google.protobuf.Value` as TOML.
    fn decoded(value: &[u8]) -> toml::Value {
        let [(kind, content)] = &fields(value)[..] else { panic!("{value:?}") };
        match kind {
            2 => f64::from_le_bytes(content[..].try_into().unwrap()).into(),
            3 => String::from_utf8(content.clone()).unwrap().into(),
            4 => (content[0] == 1).into(),
            other => panic!("kind {other}"),
        }
    }

    #[test]
    fn settings_of_every_kind_are_read_as_the_plugin_reads_them() {
        let home = tempfile::tempdir().unwrap();
        let mut count = 0;
        for (number, (preset, settings)) in KINDS.iter().flat_map(|kind| kind.samples()).enumerate() {
            let folder = home.path().join(number.to_string());
            // Checkers needs an endgame table.
            if RunJob::create(&folder, settings, &Pool::alone()).is_err() {
                continue;
            }
            count += 1;
            let value = of_run(&folder).unwrap();
            assert_eq!(field(&value, 1), TAG.as_bytes());
            let plugin = field(&field(&value, 9), 1);
            assert_eq!(field(&plugin, 1), b"hparams");
            let session = field(&field(&plugin, 2), 3);
            let entries = fields(&session).into_iter().filter(|(field, _)| *field == 1);
            let entry =
                |(_, entry): (u64, Vec<u8>)| (String::from_utf8(field(&entry, 1)).unwrap(), decoded(&field(&entry, 2)));
            let shown: Vec<(String, toml::Value)> = entries.map(entry).collect();
            let file: toml::Table = toml::from_str(&std::fs::read_to_string(folder.join("run.toml")).unwrap()).unwrap();
            let own = file.iter().filter(|(key, _)| ["preset", "seed", "generations"].contains(&key.as_str()));
            let all: Vec<_> = own.chain(file["settings"].as_table().unwrap()).collect();
            assert_eq!(shown.len(), all.len(), "{preset}: {shown:?}");
            for (key, expected) in all {
                let found = shown.iter().filter(|(known, _)| known == key).map(|(_, value)| value);
                let expected = match expected {
                    toml::Value::Integer(number) => (*number as f64).into(),
                    toml::Value::Array(items) if items.is_empty() => "[]".into(),
                    toml::Value::Array(_) => continue,
                    other => other.clone(),
                };
                assert_eq!(found.collect::<Vec<_>>(), [&expected], "{preset}: {key}");
            }
        }
        assert!(count >= 5, "{count}");
    }
}
