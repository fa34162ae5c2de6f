//! Layout of a plan's folder and naming of its files.
//!
//! ```text
//! plan.toml                    the computation and its units
//! files/1-best.txt             copies of the players' files
//! results/000/000012.lab2-4711-f3…   result of a finished attempt at unit 12
//! marks/000/000012.lab2-4711-f3….run a running attempt at unit 12; later .done or .failed
//! attempts/000/000012.lab2-4711-f3…/ saved state of such an attempt
//! merged/NAME/                 the merged runs
//! jobs/, logs/                 files submitted to an engine, and the units' output
//! ```
//!
//! Every attempt has its own files, named after host, process and a random salt, so that two attempts at one unit never
//! write the same file, on one machine or on several. Nothing waits for a lock; complete files are renamed into place. Each
//! folder holds the files of at most 1000 units, so that computing one unit does not read all names.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rand::TryRng as _;
use rustix::fs::{FlockOperation, flock};

use crate::codec::checksum;
use crate::confined;
use crate::files::{self, Kind};
use crate::settings::string_enum;

pub(crate) const PLAN: &str = "plan.toml";
pub(crate) use crate::job::run_dir::inputs::FILES;
pub(crate) const RESULTS: &str = "results";
pub(crate) const MARKS: &str = "marks";
pub(crate) const ATTEMPTS: &str = "attempts";
pub const MERGED: &str = "merged";
pub const LOGS: &str = "logs";
pub(crate) const JOBS: &str = "jobs";

/// Units per folder.
const SHELF: u32 = 1000;

/// Maximum number of units in a plan.
pub(crate) const MAX_UNITS: u64 = 1_000_000;

/// One attempt at a unit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AttemptId {
    pub unit: u32,
    pub host: String,
    pub process: u32,
    /// Distinguishes it from other processes with the same number.
    pub salt: String,
}

impl AttemptId {
    /// Returns a new attempt of this process.
    pub fn own(unit: u32) -> AttemptId {
        let mut bytes = [0; 4];
        // Without random bytes the process number alone distinguishes attempts.
        let _ = rand::rngs::SysRng.try_fill_bytes(&mut bytes);
        let salt = boot() + &bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        AttemptId { unit, host: host(), process: std::process::id(), salt }
    }

    /// Returns the name, such as `000012.lab2-4711-f3d29c01aa2b`.
    pub fn name(&self) -> String {
        format!("{:06}.{}-{}-{}", self.unit, self.host, self.process, self.salt)
    }

    /// Parses a [`name`](AttemptId::name).
    pub fn parse(name: &str) -> Option<AttemptId> {
        let (unit, rest) = name.split_once('.')?;
        let mut parts = rest.rsplitn(3, '-');
        let salt = parts.next()?;
        let process = parts.next()?.parse().ok()?;
        let host = parts.next()?;
        let is_plain = !salt.is_empty() && salt.chars().all(|c| c.is_ascii_hexdigit());
        let unit = (unit.len() >= 6).then(|| unit.parse().ok()).flatten()?;
        let id = is_plain.then(|| AttemptId { unit, host: host.to_owned(), process, salt: salt.to_owned() })?;
        (id.name() == name).then_some(id)
    }

    /// Returns whether its process is alive, for attempts of this machine since its boot; `None` for others.
    pub fn is_alive_here(&self) -> Option<bool> {
        let pid = i32::try_from(self.process).ok().and_then(rustix::process::Pid::from_raw)?;
        let is_there = || !matches!(rustix::process::test_kill_process(pid), Err(rustix::io::Errno::SRCH));
        (self.host == host() && self.salt.starts_with(&boot())).then(is_there)
    }
}

/// Four hexadecimal digits that identify this boot of the machine: after a reboot host and process numbers can repeat.
fn boot() -> String {
    let id = files::read_text(Path::new("/proc/sys/kernel/random/boot_id"), Kind::Document).unwrap_or_default();
    format!("{:04x}", checksum(id.as_bytes()) & 0xffff)
}

/// Returns the host name, restricted to ASCII letters, digits and `_`.
fn host() -> String {
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(40).collect();
    if plain.is_empty() { "host".to_owned() } else { plain }
}

/// State of an attempt: the extension of its mark's name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mark {
    Run,
    Done,
    Failed,
}

string_enum!(Mark { "run" => Run, "done" => Done, "failed" => Failed });

/// Returns the subfolder of `folder` that holds the unit's files.
fn shelf(plan: &Path, folder: &str, unit: u32) -> PathBuf {
    plan.join(folder).join(shelf_name(unit))
}

fn shelf_name(unit: u32) -> String {
    format!("{:03}", unit / SHELF)
}

pub(crate) fn result(plan: &Path, id: &AttemptId) -> PathBuf {
    shelf(plan, RESULTS, id.unit).join(id.name())
}

pub fn mark(plan: &Path, id: &AttemptId, mark: Mark) -> PathBuf {
    shelf(plan, MARKS, id.unit).join(format!("{}.{mark}", id.name()))
}

pub(crate) fn attempt(plan: &Path, id: &AttemptId) -> PathBuf {
    shelf(plan, ATTEMPTS, id.unit).join(id.name())
}

/// Returns the attempts named in a folder, with the extensions of their names; skips other names.
fn named(folder: &Path) -> impl Iterator<Item = (AttemptId, Option<String>)> + use<> {
    let names = confined::names(folder).unwrap_or_default().into_iter();
    names.filter_map(|name| {
        let name = name.into_string().ok()?;
        let (own, end) = match name.match_indices('.').nth(1) {
            Some((at, _)) => (&name[..at], Some(name[at + 1..].to_owned())),
            None => (name.as_str(), None),
        };
        Some((AttemptId::parse(own)?, end))
    })
}

/// Like [`named`], for all units.
fn all_named(plan: &Path, folder: &str) -> impl Iterator<Item = (AttemptId, Option<String>)> {
    let folder = plan.join(folder);
    let shelves = confined::names(&folder).unwrap_or_default().into_iter();
    shelves.flat_map(move |own| {
        // Skips files in the wrong subfolder: lookups do not find them.
        named(&folder.join(&own)).filter(move |(id, _)| own.to_str() == Some(&shelf_name(id.unit)))
    })
}

/// Returns the attempts with a result, by unit and then by name. Reads each folder once.
pub(crate) fn results(plan: &Path) -> BTreeMap<u32, Vec<AttemptId>> {
    let mut found: BTreeMap<u32, Vec<AttemptId>> = BTreeMap::new();
    for (id, _) in all_named(plan, RESULTS).filter(|(_, end)| end.is_none()) {
        found.entry(id.unit).or_default().push(id);
    }
    found.values_mut().for_each(|ids| ids.sort());
    found
}

/// Returns the attempts at a unit with a result, by name.
pub(crate) fn results_of(plan: &Path, unit: u32) -> Vec<AttemptId> {
    let mut ids = of_unit(plan, RESULTS, unit);
    crate::sort::sort(&mut ids);
    ids
}

/// Returns the attempts at all units with their states.
pub fn marks(plan: &Path) -> Vec<(AttemptId, Mark)> {
    all_named(plan, MARKS).filter_map(|(id, end)| Some((id, end?.parse().ok()?))).collect()
}

/// Returns the attempts at a unit with their states.
pub(super) fn marks_of(plan: &Path, unit: u32) -> Vec<(AttemptId, Mark)> {
    let named = named(&shelf(plan, MARKS, unit)).filter(|(id, _)| id.unit == unit);
    named.filter_map(|(id, end)| Some((id, end?.parse().ok()?))).collect()
}

/// What was done with a plan, whatever its units' states are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activity {
    /// No unit was ever attempted.
    Never,
    /// Some unit was attempted.
    Begun,
    /// A process of this machine computes it, also between two of its units.
    Held,
}

/// Returns what was done with the plan.
pub(super) fn activity(plan: &Path) -> Activity {
    let has_attempts = || confined::names(&plan.join(ATTEMPTS)).is_ok_and(|names| !names.is_empty());
    match () {
        () if is_held(plan) => Activity::Held,
        () if has_attempts() || !marks(plan).is_empty() => Activity::Begun,
        () => Activity::Never,
    }
}

/// Marks the plan as being computed by this process, until the returned file is dropped: a lock on `plan.toml`, which the system releases
/// with the process. `None` where another process has it, or the file system has no such locks: then only running units count.
pub(super) fn hold(plan: &Path) -> Option<File> {
    let file = files::open(&plan.join(PLAN)).ok()?;
    // Readers of the plan's activity share the lock for an instant.
    let is_locked = |attempt: u64| {
        std::thread::sleep(Duration::from_millis(attempt.min(1) * 2));
        flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok()
    };
    (0..20).any(is_locked).then_some(file)
}

/// Returns whether a process of this machine [holds](hold) the plan.
fn is_held(plan: &Path) -> bool {
    let Ok(file) = files::open(&plan.join(PLAN)) else { return false };
    flock(&file, FlockOperation::NonBlockingLockShared) == Err(rustix::io::Errno::WOULDBLOCK)
}

/// Returns the attempts at all units that have saved state.
pub(crate) fn attempts(plan: &Path) -> Vec<AttemptId> {
    all_named(plan, ATTEMPTS).filter(|(_, end)| end.is_none()).map(|(id, _)| id).collect()
}

/// Returns the attempts at a unit that have saved state.
pub(crate) fn attempts_at(plan: &Path, unit: u32) -> Vec<AttemptId> {
    of_unit(plan, ATTEMPTS, unit)
}

fn of_unit(plan: &Path, folder: &str, unit: u32) -> Vec<AttemptId> {
    named(&shelf(plan, folder, unit)).filter(|(id, end)| id.unit == unit && end.is_none()).map(|(id, _)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_are_known_by_their_names() {
        let id = AttemptId::own(12);
        assert_eq!(AttemptId::parse(&id.name()), Some(id.clone()));
        assert!(id.name().starts_with("000012."));
        assert_eq!(id.is_alive_here(), Some(true));
        assert_eq!(AttemptId { host: "elsewhere".to_owned(), ..id }.is_alive_here(), None);
        let of = |name: &str| AttemptId::parse(name).map(|id| (id.unit, id.host, id.process));
        assert_eq!(of("000003.lab_2-4711-9c"), Some((3, "lab_2".to_owned(), 4711)));
        for odd in ["", "000012", "12.lab-1-2f", "000012.lab-x-2f", "000012.lab-1-zz", "000012.lab-1-", ".lab-1-2f"] {
            assert_eq!(AttemptId::parse(odd), None, "{odd}");
        }
    }

    #[test]
    fn a_plan_is_held_until_the_file_is_dropped() {
        let plan = tempfile::tempdir().unwrap();
        std::fs::write(plan.path().join(PLAN), "").unwrap();
        assert_eq!(activity(plan.path()), Activity::Never);
        let held = hold(plan.path()).unwrap();
        assert_eq!([activity(plan.path()), activity(plan.path())], [Activity::Held; 2]);
        assert!(hold(plan.path()).is_none());
        drop(held);
        std::fs::create_dir_all(plan.path().join("attempts/000")).unwrap();
        assert_eq!(activity(plan.path()), Activity::Begun);
    }

    #[test]
    fn a_folder_gives_what_is_named_in_it_and_nothing_else() {
        let plan = tempfile::tempdir().unwrap();
        let write = |folder: &str, name: &str| {
            let folder = plan.path().join(folder);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(name), "").unwrap();
        };
        let names =
            ["000002.b-2-aa", "000002.a-1-bb", "000001.a-1-cc", "000001.a-1-cc.99.tmp", ".nfs0001", "notes.txt"];
        names.iter().for_each(|name| write("results/000", name));
        write("results/001", "001234.a-1-ee");
        let found = results(plan.path());
        let hosts = |unit| found[&unit].iter().map(|id| id.host.as_str()).collect::<Vec<_>>();
        assert_eq!((found.len(), hosts(1), hosts(2), hosts(1234)), (3, vec!["a"], vec!["a", "b"], vec!["a"]));
        assert_eq!(results_of(plan.path(), 2), found[&2]);
        let names = ["000002.a-1-bb.done", "000003.a-1-dd.run", "000003.a-1-dd.odd"];
        names.iter().for_each(|name| write("marks/000", name));
        let mut marks = marks(plan.path());
        crate::sort::sort(&mut marks);
        let marks: Vec<(u32, Mark)> = marks.iter().map(|(id, mark)| (id.unit, *mark)).collect();
        assert_eq!(marks, [(2, Mark::Done), (3, Mark::Run)]);
    }
}
