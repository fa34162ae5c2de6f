//! Which processes computed a run: program, command and machine of each, in `provenance.toml`. No row depends on them.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::OnceLock;
use std::time::SystemTime;

use mancalab_base::Error;

use super::dir_handle::DirHandle;
use super::utc;
use crate::codec::Checksum;
use crate::files::{self, Kind};
use crate::sanitize;
use crate::settings::quoted;

pub const FILE: &str = "provenance.toml";

/// The version of results: it increases whenever the program computes other rows from the same settings. Processes list it since 2;
/// since 3 computations with max or min are not taken for others.
pub const RESULTS: u32 = 3;

/// The largest program that is summed up.
const LARGEST: u64 = 64 << 20;

const HEAD: &str = "# The processes that computed this run, the newest last. No row depends on them.\n";

/// How the program was built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Build {
    /// The commit of the sources, with `+` if they were changed; empty if unknown.
    pub commit: &'static str,
    /// A checksum of the sources, which tells builds of changed sources apart as well.
    pub sources: &'static str,
    /// The platform, such as `x86_64-unknown-linux-gnu`.
    pub target: &'static str,
    /// `debug` or `release`.
    pub profile: &'static str,
    /// The version of the compiler.
    pub rustc: &'static str,
}

static BUILD: OnceLock<Build> = OnceLock::new();

/// Sets how this program was built, once at its start.
pub fn set_build(build: Build) {
    let _ = BUILD.set(build);
}

/// Returns how this program was built; all empty in tests of crates.
pub fn build() -> Build {
    let unknown = Build { commit: "", sources: "", target: "", profile: "", rustc: "" };
    BUILD.get().copied().unwrap_or(unknown)
}

/// Returns what is known of this program and machine: keys and values, in the order of the file.
pub fn own() -> &'static [(&'static str, String)] {
    static OWN: OnceLock<Vec<(&str, String)>> = OnceLock::new();
    OWN.get_or_init(|| {
        let Build { commit, sources, target, profile, rustc } = build();
        let system = rustix::system::uname();
        let text = |part: &std::ffi::CStr| part.to_string_lossy().into_owned();
        vec![
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("results", RESULTS.to_string()),
            ("commit", commit.to_owned()),
            ("sources", sources.to_owned()),
            ("target", target.to_owned()),
            ("profile", profile.to_owned()),
            ("rustc", rustc.to_owned()),
            ("binary", binary().map_or(String::new(), |sum| format!("{sum:016x}"))),
            ("command", std::env::args_os().map(sanitize::shell).collect::<Vec<_>>().join(" ")),
            ("host", text(system.nodename())),
            ("system", format!("{} {}", text(system.sysname()), text(system.release()))),
            ("processor", processor()),
            ("cores", std::thread::available_parallelism().map_or(0, usize::from).to_string()),
        ]
    })
}

/// The checksum of the program's file; `None` of a debug build's, which would take long.
fn binary() -> Option<u64> {
    let mut file = File::open(std::env::current_exe().ok()?).ok()?;
    let length = file.metadata().ok()?.len();
    if length > LARGEST {
        return None;
    }
    let mut sum = Checksum::new(length);
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece).ok()? {
            0 => return Some(sum.finish()),
            read => sum.add(&piece[..read]),
        }
    }
}

/// The name of the processor, or its architecture.
fn processor() -> String {
    let mut info = String::new();
    let file = File::open("/proc/cpuinfo").ok();
    let _ = file.map(|file| file.take(1 << 14).read_to_string(&mut info));
    let named = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    named.map_or(std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}

/// What a process did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Computed,
    /// It put together rows that others computed.
    Merged,
}

impl Role {
    fn word(self) -> &'static str {
        match self {
            Role::Computed => "computed",
            Role::Merged => "merged",
        }
    }
}

/// The lines of this process, without the time.
fn lines(role: Role, threads: usize, inputs: &[(String, u64)]) -> String {
    let files = inputs.iter().map(|(name, sum)| format!("{name} {sum:016x}")).collect::<Vec<_>>().join(", ");
    let more = [("role", role.word().to_owned()), ("threads", threads.to_string()), ("files", files)];
    own().iter().chain(&more).map(|(key, value)| format!("{key} = {}\n", quoted(value))).collect()
}

/// An entry of the file.
fn entry(lines: &str) -> String {
    format!("\n[[process]]\nstarted = \"{}\"\n{lines}", utc(SystemTime::now()))
}

/// Returns the entry of this process, which computed something elsewhere than in a run's folder, for [`parse`].
pub fn own_entry(threads: usize) -> String {
    entry(&lines(Role::Computed, threads, &[]))
}

/// Begins the file with the processes that computed the rows elsewhere, with all their fields.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn begin(held: &DirHandle, computed: &[toml::Table]) -> Result<(), Error> {
    let field = |(key, value): (&String, &toml::Value)| format!("{key} = {value}\n");
    let process = |table: &toml::Table| format!("\n[[process]]\n{}", table.iter().map(field).collect::<String>());
    let mut text = HEAD.to_owned();
    for one in computed.iter().map(process) {
        if (text.len() + one.len()) as u64 > Kind::Document.most() / 2 {
            break;
        }
        text += &one;
    }
    held.write_atomic(FILE, &[text.as_bytes()]).map_err(Error::cannot("write", &held.path_of(FILE)))
}

/// Adds this process with its number of threads, unless the newest one is the same but for the time. A file that cannot be read is
/// left as it is: the run does not depend on it.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn add(held: &DirHandle, role: Role, threads: usize, inputs: &[(String, u64)]) -> Result<(), Error> {
    let path = held.path_of(FILE);
    let before = match files::if_there(held.read(FILE, Kind::Document)) {
        Ok(before) => before.unwrap_or_else(|| HEAD.as_bytes().to_vec()),
        Err(error) => {
            tracing::warn!("cannot read {}: {error}", path.display());
            return Ok(());
        }
    };
    let text = lines(role, threads, inputs);
    let is_known = before.ends_with(text.as_bytes());
    let entry = entry(&text);
    let most = Kind::Document.most();
    if is_known || (before.len() + entry.len()) as u64 > most {
        return Ok(());
    }
    held.write_atomic(FILE, &[&before, entry.as_bytes()]).map_err(Error::cannot("write", &path))
}

/// Returns the processes that computed the run in a folder, the newest last; none if the file is missing.
///
/// # Errors
/// The file cannot be read or is not TOML.
pub fn read(folder: &Path) -> Result<Vec<toml::Table>, Error> {
    let path = folder.join(FILE);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = files::read_text(&path, Kind::Document).map_err(Error::cannot("read", &path))?;
    parse(&text).map_err(|reason| format!("{} is not valid: {reason}", path.display()).into())
}

/// Returns the processes in a text of entries.
///
/// # Errors
/// It is not TOML.
pub fn parse(text: &str) -> Result<Vec<toml::Table>, Error> {
    let table: toml::Table = toml::from_str(text).map_err(|error| error.message().to_owned())?;
    let all = table.get("process").and_then(toml::Value::as_array);
    Ok(all.into_iter().flatten().filter_map(|one| one.as_table().cloned()).collect())
}
