//! Output of commands without a screen: all writes to standard output and standard error go through this module.
//!
//! A full disk, a closed pipe or a lost terminal must not cost work: nothing here fails or panics. Failed writes to
//! standard error are ignored. Standard output is for results: the first failed write is stored, later writes are
//! skipped, and [`ended`] reports the error at the end of the command, except for a closed pipe (as by `head`). All
//! text is [sanitized](crate::sanitize).

use std::io::{self, Write};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::signals;
use crate::sanitize;

static OUT: Stream = Stream { number: 1, own: OnceLock::new(), stuck: AtomicBool::new(false) };
static ERR: Stream = Stream { number: 2, own: OnceLock::new(), stuck: AtomicBool::new(false) };

/// Standard output or standard error.
struct Stream {
    number: i32,
    /// A separate non-blocking file description of a pipe or terminal; `None` for files, which never block, and where
    /// opening one fails.
    own: OnceLock<Option<OwnedFd>>,
    /// Whether writing is abandoned: the reader does not read, and the command must end.
    stuck: AtomicBool,
}

/// Maximum wait for a slow reader after a signal, and the interval of checks for one.
const PATIENCE: Duration = Duration::from_millis(300);
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

impl Stream {
    /// Writes all bytes. Waits for a slow reader, but after a signal no longer than [`PATIENCE`]: saving is more
    /// important than output.
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        if self.stuck.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let Some(own) = self.own.get_or_init(|| self.open()) else { return self.write_blocking(bytes) };
        let mut rest = bytes;
        let mut until = None;
        while !rest.is_empty() {
            match rustix::io::write(own, rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => rest = &rest[written..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    let is_reported = signals::received() != 0;
                    if is_reported && Instant::now() > *until.get_or_insert_with(|| Instant::now() + PATIENCE) {
                        self.stuck.store(true, Ordering::Relaxed);
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                    let _ = poll(&mut [PollFd::from_borrowed_fd(own.as_fd(), PollFlags::OUT)], Some(&LOOK));
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn write_blocking(&self, bytes: &[u8]) -> io::Result<()> {
        match self.number {
            1 => io::stdout().lock().write_all(bytes).and_then(|()| io::stdout().flush()),
            _ => io::stderr().lock().write_all(bytes),
        }
    }

    /// Opens a separate description of a pipe or terminal; `None` for a file, whose new description would have its own
    /// offset.
    fn open(&self) -> Option<OwnedFd> {
        let out = io::stdout();
        let err = io::stderr();
        let fd = if self.number == 1 { out.as_fd() } else { err.as_fd() };
        let is_pipe = rustix::fs::fstat(fd).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Fifo);
        if !is_pipe && !rustix::termios::isatty(fd) {
            return None;
        }
        let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        rustix::fs::open(format!("/proc/self/fd/{}", self.number), flags, Mode::empty()).ok()
    }
}

/// The error of the first failed write to standard output.
static GIVEN_UP: Mutex<Option<io::Error>> = Mutex::new(None);

/// Writes to standard output. Returns whether it still accepts output; if not, work that only produces output can end.
pub fn result(text: &str) -> bool {
    script(sanitize::multiline(text).as_bytes())
}

/// Writes a line to standard output.
pub fn line(text: &str) -> bool {
    result(&format!("{text}\n"))
}

/// Version of the JSON output, which `docs/schema.json` describes. It rises when a field is removed or renamed, or
/// changes its type or meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// Writes an object as one line of JSON to standard output. `schema` is its definition in `docs/schema.json`.
pub fn json(schema: &str, object: &impl Serialize) -> bool {
    result(&in_a_line(schema, object))
}

/// Returns an object as one line of JSON, for [`result`].
pub fn in_a_line(schema: &str, object: &impl Serialize) -> String {
    format!("{}\n", sanitize::json(&document(schema, object).to_string()))
}

/// Returns an object, or a list of objects, as JSON with the field `schema` in each.
pub fn document(schema: &str, object: &impl Serialize) -> Value {
    let mut tree = value(object);
    let objects = match &mut tree {
        Value::Array(objects) => objects.as_mut_slice(),
        one => std::slice::from_mut(one),
    };
    for fields in objects.iter_mut().filter_map(Value::as_object_mut) {
        fields.insert("schema".to_owned(), format!("{schema}/{SCHEMA_VERSION}").into());
    }
    tree
}

/// Returns an object as a JSON tree, whose keys are sorted, so that the text does not depend on the order of
/// declaration.
///
/// # Panics
/// It has keys that are no strings, or a path that is not written by [`path`].
pub fn value(object: &impl Serialize) -> Value {
    rounded(serde_json::to_value(object).expect("keys are strings, and paths are written by `path`"))
}

/// Writes a path whose bytes need not be text, as JSON does not allow: what is not UTF-8 is replaced.
///
/// # Errors
/// Those of the serializer.
pub fn path<P: AsRef<Path> + ?Sized, S: Serializer>(path: &P, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.as_ref().to_string_lossy())
}

/// Rounds the numbers of a JSON tree to 12 significant digits: 0.9999999999999999 is an artefact of binary fractions.
fn rounded(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let exact = number.as_f64().and_then(|number| format!("{number:.11e}").parse().ok());
            exact.and_then(serde_json::Number::from_f64).map_or(Value::Null, Value::Number)
        }
        Value::Array(values) => values.into_iter().map(rounded).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, rounded(value))).collect(),
        other => other,
    }
}

/// Returns the text of a setting as JSON: numbers, truth values and lists of texts where it is one, else a string.
pub fn setting(text: &str) -> Value {
    let parsed = toml::from_str::<toml::Table>(&format!("value = {text}")).ok();
    match parsed.and_then(|mut table| table.remove("value")) {
        Some(toml::Value::Datetime(_) | toml::Value::Table(_)) | None => text.into(),
        Some(parsed) => value(&parsed),
    }
}

/// Writes the program's own output for other programs, unsanitized.
pub fn script(bytes: &[u8]) -> bool {
    // A panic here leaves the state unchanged.
    let mut given_up = GIVEN_UP.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if given_up.is_none() {
        *given_up = OUT.write(bytes).err();
    }
    given_up.is_none()
}

/// Stores the error of a direct write to standard output.
pub fn gave_up(error: io::Error) {
    GIVEN_UP.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get_or_insert(error);
}

/// Writes a line to standard error.
pub fn report(text: &str) {
    let _ = ERR.write(format!("{}\n", sanitize::multiline(text)).as_bytes());
}

/// Replaces the live line on standard error; an empty text clears it. For terminals; see [`live`](super::live).
///
/// The cursor stays at the start of the line, so that it is still before all of it if a narrower terminal wraps it.
pub fn redraw(text: &str) {
    let _ = ERR.write(format!("\r{}\x1b[J\r", sanitize::inline(text)).as_bytes());
}

/// The width of the terminal at standard error, in columns; `None` if it is not a terminal or reports no width.
pub fn columns() -> Option<u16> {
    columns_of(io::stderr().as_fd())
}

/// The width of the terminal at standard output.
pub fn columns_of_result() -> Option<u16> {
    columns_of(io::stdout().as_fd())
}

fn columns_of(fd: BorrowedFd<'_>) -> Option<u16> {
    let size = rustix::termios::tcgetwinsize(fd).ok()?;
    Some(size.ws_col).filter(|columns| *columns > 0)
}

/// The exit status of a command that ends with `code`. Reports a failed write to standard output, which turns success
/// into failure.
pub fn ended(code: ExitCode) -> ExitCode {
    let given_up = GIVEN_UP.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
    match given_up {
        Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            report(&format!(
                "error: cannot write to standard output: {}; the output is incomplete",
                sanitize::reason(&error)
            ));
            if code == ExitCode::SUCCESS { ExitCode::from(2) } else { code }
        }
        _ => code,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::Command;

    use super::*;
    use crate::cli::command_tree;

    /// Whether a command itself has a flag for JSON.
    fn prints_json(command: &Command) -> bool {
        command.get_arguments().any(|argument| {
            let values = argument.get_possible_values();
            argument.get_id() == "json" || values.iter().any(|value| value.get_name() == "json")
        })
    }

    fn collect(command: &Command, path: &str, found: &mut BTreeSet<String>) {
        for sub in command.get_subcommands() {
            let path = if path.is_empty() { sub.get_name().to_owned() } else { format!("{path} {}", sub.get_name()) };
            if prints_json(sub) {
                found.insert(path.clone());
            }
            collect(sub, &path, found);
        }
    }

    #[test]
    fn the_schema_lists_every_command_that_prints_json() {
        let mut found = BTreeSet::new();
        collect(&command_tree(), "", &mut found);
        let schema: Value = serde_json::from_str(include_str!("../../docs/schema.json")).unwrap();
        let definitions = schema["$defs"].as_object().unwrap();
        let commands = definitions.values().flat_map(|definition| definition["x-commands"].as_array().unwrap());
        let listed: BTreeSet<String> = commands.map(|command| command.as_str().unwrap().to_owned()).collect();
        assert_eq!(listed, found, "add the command to docs/schema.json, and a case to tests/json");
        for (name, definition) in definitions {
            let alternatives = definition["oneOf"].as_array();
            for one in alternatives.map_or(std::slice::from_ref(definition), Vec::as_slice) {
                assert_eq!(one["properties"]["schema"]["const"], format!("{name}/{SCHEMA_VERSION}"));
            }
        }
    }

    #[test]
    fn objects_and_items_of_lists_name_their_schema() {
        assert_eq!(in_a_line("x", &serde_json::json!({"a": 1})), "{\"a\":1,\"schema\":\"x/1\"}\n");
        assert_eq!(in_a_line("x", &serde_json::json!([{}, 2])), "[{\"schema\":\"x/1\"},2]\n");
    }
}
