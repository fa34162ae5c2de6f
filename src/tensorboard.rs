//! Rows of runs as TensorBoard's event files: records of protocol buffers with checksums (`tensorflow/core/lib/io/record_writer`).

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use mancalab_base::Error;

use crate::job::run_dir::ROWS;

/// An event file that follows the rows of a run.
pub(crate) struct Events {
    rows: PathBuf,
    /// Bytes of complete rows read so far.
    read: u64,
    names: Vec<String>,
    out: File,
    path: PathBuf,
}

impl Events {
    /// Creates a new event file for the run in `folder`, in a folder of the run's name in `into`.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn create(into: &Path, folder: &Path) -> Result<Events, Error> {
        let name = folder.file_name().unwrap_or(folder.as_os_str());
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let place = into.join(name);
        let path = place.join(format!("events.out.tfevents.{seconds}.{}", std::process::id()));
        fs::create_dir_all(&place).map_err(Error::cannot("create", &place))?;
        let out = File::create_new(&path).map_err(Error::cannot("create", &path))?;
        let mut events = Events { rows: folder.join(ROWS), read: 0, names: Vec::new(), out, path };
        let mut version = event(0);
        text(3, "brain.Event:2", &mut version);
        events.write(&version)?;
        Ok(events)
    }

    /// Writes the rows that are complete since the last call.
    ///
    /// # Errors
    /// The rows cannot be read, or the events not written.
    pub fn follow(&mut self) -> Result<(), Error> {
        let fail = Error::cannot("read", &self.rows);
        let mut new = String::new();
        let mut file = File::open(&self.rows).map_err(&fail)?;
        file.seek(SeekFrom::Start(self.read)).and_then(|_| file.read_to_string(&mut new)).map_err(&fail)?;
        let Some((whole, _)) = new.rsplit_once('\n') else { return Ok(()) };
        self.read += whole.len() as u64 + 1;
        for line in whole.lines() {
            if self.names.is_empty() {
                self.names = line.split(',').map(str::to_owned).collect();
            } else {
                let row = self.row(line);
                self.write(&row)?;
            }
        }
        Ok(())
    }

    /// A row as an event: the first column is the step, each further number a value.
    fn row(&self, line: &str) -> Vec<u8> {
        let mut fields = line.split(',');
        let step = fields.next().and_then(|step| step.parse().ok()).unwrap_or(0);
        let mut summary = Vec::new();
        for (name, number) in self.names.iter().skip(1).zip(fields) {
            let Ok(number) = number.parse::<f32>() else { continue };
            let mut value = Vec::new();
            text(1, name, &mut value);
            value.push(2 << 3 | 5);
            value.extend(number.to_le_bytes());
            bytes(1, &value, &mut summary);
        }
        let mut event = event(step);
        bytes(5, &summary, &mut event);
        event
    }

    fn write(&mut self, event: &[u8]) -> Result<(), Error> {
        let length = (event.len() as u64).to_le_bytes();
        let sums = [&length[..], event].map(|part| masked(crc32c::crc32c(part)).to_le_bytes());
        let record = [&length[..], &sums[0], event, &sums[1]].concat();
        self.out.write_all(&record).map_err(Error::cannot("write", &self.path))
    }
}

/// The checksum as it is stored.
fn masked(sum: u32) -> u32 {
    sum.rotate_right(15).wrapping_add(0xa282_ead8)
}

/// The beginning of an event: time and step.
fn event(step: u64) -> Vec<u8> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
    let mut event = vec![1 << 3 | 1];
    event.extend(now.to_le_bytes());
    event.push(2 << 3);
    varint(step, &mut event);
    event
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

    #[test]
    fn rows_become_records_with_their_checksums() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        fs::create_dir(&run).unwrap();
        fs::write(run.join(ROWS), "generation,best,name\n0,1.5,x\n300,2").unwrap();
        let mut events = Events::create(&folder.path().join("events"), &run).unwrap();
        events.follow().unwrap();
        fs::write(run.join(ROWS), "generation,best,name\n0,1.5,x\n300,2.5,y\n").unwrap();
        events.follow().unwrap();
        let file = fs::read(&events.path).unwrap();
        let (mut at, mut records) = (0, Vec::new());
        while at < file.len() {
            let length = u64::from_le_bytes(file[at..at + 8].try_into().unwrap()) as usize;
            let record = &file[at + 12..at + 12 + length];
            let sum = u32::from_le_bytes(file[at + 12 + length..at + 16 + length].try_into().unwrap());
            assert_eq!(sum, masked(crc32c::crc32c(record)));
            records.push(record.to_vec());
            at += 16 + length;
        }
        assert_eq!(records.len(), 3);
        let holds = |record: &[u8], part: &[u8]| record.windows(part.len()).any(|window| window == part);
        assert!(holds(&records[0], b"brain.Event:2") && holds(&records[1], b"best"));
        assert!(holds(&records[1], &1.5_f32.to_le_bytes()) && !holds(&records[1], b"name"));
        assert!(holds(&records[2], &[16, 0xac, 2]) && holds(&records[2], &2.5_f32.to_le_bytes()), "step 300");
        // The check value of the checksum: of the digits 1 to 9.
        assert_eq!(crc32c::crc32c(b"123456789"), 0xe306_9283);
    }
}
