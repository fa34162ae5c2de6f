//! The result of an attempt at a unit, in one file, and the builds and machines that computed a plan's results.
//!
//! ```text
//! mancalab result 2 VERSION PLAN UNIT SOURCES TARGET COMMIT LENGTH LENGTH SUM SUM HEAD_SUM
//! ```
//!
//! That line is followed by the deterministic output, identical in every attempt, and by the nondeterministic output,
//! such as times; the line has the length and the checksum of each. `PLAN` is the checksum of `plan.toml`, and the three
//! words after the unit name the [build](BuildId) that wrote the result, which format 1 lacks. A result is written under a
//! temporary name and renamed when complete.
//!
//! The builds and machines that computed the results of a plan.
//!
//! A result names the build of the program that wrote it, and its file name the machine. Results do not depend on
//! either, as long as the sources are the same.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use mancalab_base::{Error, bail, counted};

use super::layout::{self, AttemptId};
use super::plan::Plan;
use crate::codec::{Checksum, checksum};
use crate::experiment::result::{Body, Half, PIECE, PartResult};
use crate::files::{self, Kind};
use crate::job::run_dir::processes;
use crate::sanitize;

const WORDS: &str = "mancalab result";
/// The newest format of the first line.
const FORMAT: u32 = 2;
/// Maximum length of the first line, in bytes.
const LONGEST_LINE: usize = 512;
/// The first line.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Head {
    version: String,
    plan: String,
    unit: u32,
    build: BuildId,
    /// In bytes.
    lengths: [u64; 2],
    sums: [u64; 2],
}

impl Head {
    fn line(&self) -> String {
        let Head { version, plan, unit, build: BuildId { sources, target, commit }, lengths, sums } = self;
        let line = format!(
            "{WORDS} {FORMAT} {version} {plan} {unit} {sources} {target} {commit} {} {} {:016x} {:016x}",
            lengths[0], lengths[1], sums[0], sums[1]
        );
        format!("{line} {:016x}\n", checksum(line.as_bytes()))
    }

    fn parse(line: &str) -> Option<Head> {
        let (nondeterministic, sum) = line.rsplit_once(' ')?;
        if u64::from_str_radix(sum, 16).ok()? != checksum(nondeterministic.as_bytes()) {
            return None;
        }
        let mut words = nondeterministic.strip_prefix(WORDS)?.split_ascii_whitespace();
        fn next<T: FromStr>(words: &mut std::str::SplitAsciiWhitespace<'_>) -> Option<T> {
            words.next()?.parse().ok()
        }
        let format: u32 = next(&mut words)?;
        let version = next(&mut words)?;
        let plan = next(&mut words)?;
        let unit = next(&mut words)?;
        let build = match format {
            1 => BuildId::unknown(),
            FORMAT => BuildId { sources: next(&mut words)?, target: next(&mut words)?, commit: next(&mut words)? },
            _ => return None,
        };
        let head = Head {
            version,
            plan,
            unit,
            build,
            lengths: [next(&mut words)?, next(&mut words)?],
            sums: [u64::from_str_radix(words.next()?, 16).ok()?, u64::from_str_radix(words.next()?, 16).ok()?],
        };
        words.next().is_none().then_some(head)
    }
}

/// A complete result that belongs to the plan.
#[derive(Clone, Debug)]
pub struct StoredResult {
    head: Head,
    body: PartResult,
}

impl StoredResult {
    /// Opens a result and verifies all of it if `whole`, else its first line and its length.
    ///
    /// # Errors
    /// The result is damaged, or of another plan, unit or version. The message names the unit and the file.
    pub fn open(plan: &Plan, id: &AttemptId, whole: bool) -> Result<StoredResult, Error> {
        let path = layout::result(plan.folder(), id);
        let odd = |what: &str| format!("unit {}: {} {what}", id.unit, sanitize::path(&path));
        let fail = |error: io::Error| odd(&format!("cannot be read: {}", sanitize::reason(&error)));
        let mut file = files::open(&path).map_err(fail)?;
        let mut bytes = Vec::new();
        (&mut file).take(LONGEST_LINE as u64).read_to_end(&mut bytes).map_err(fail)?;
        let damaged = || odd("is damaged; delete it and compute the unit again");
        let end = bytes.iter().position(|byte| *byte == b'\n').ok_or_else(damaged)?;
        let head = std::str::from_utf8(&bytes[..end]).ok().and_then(Head::parse).ok_or_else(damaged)?;
        if head.version != plan.version() {
            let own = plan.version();
            let other = &head.version;
            return Err(odd(&format!(
                "was computed by mancalab {other}, and the plan is from {own}; delete it and compute the unit again"
            ))
            .into());
        }
        if head.plan != plan.sum() {
            return Err(odd(&format!("belongs to another plan ({}; this one is {})", head.plan, plan.sum())).into());
        }
        if head.unit != id.unit {
            return Err(odd(&format!("is the result of unit {} under another name", head.unit)).into());
        }
        let body = PartResult { path: path.clone(), start: end as u64 + 1, lengths: head.lengths };
        let found = StoredResult { head, body };
        let length = file.metadata().map_err(fail)?.len();
        let [deterministic, nondeterministic] = found.head.lengths;
        if found.body.start.checked_add(deterministic).and_then(|sum| sum.checked_add(nondeterministic)) != Some(length)
        {
            return Err(damaged().into());
        }
        if length > Kind::Checkpoint.most() {
            let [size, most] = [length, Kind::Checkpoint.most()].map(|bytes| bytes >> 20);
            return Err(odd(&format!("takes {size} MiB, and at most {most} MiB are read")).into());
        }
        if whole {
            for half in [Half::Deterministic, Half::Nondeterministic] {
                if found.sum(half).map_err(fail)? != found.head.sums[half as usize] {
                    return Err(damaged().into());
                }
            }
        }
        Ok(found)
    }

    /// Returns whether another attempt has the same deterministic output.
    pub fn is_same(&self, other: &StoredResult) -> bool {
        (self.head.lengths[0], self.head.sums[0]) == (other.head.lengths[0], other.head.sums[0])
    }

    pub fn path(&self) -> &Path {
        self.body.path()
    }

    pub fn body(&self) -> &PartResult {
        &self.body
    }

    pub(super) fn into_body(self) -> PartResult {
        self.body
    }

    /// Returns the build that wrote it.
    pub fn build(&self) -> &BuildId {
        &self.head.build
    }

    fn sum(&self, half: Half) -> io::Result<u64> {
        let mut sum = Checksum::new(self.body.length(half));
        let mut pieces = self.body.pieces(half);
        let mut piece = Vec::with_capacity(PIECE);
        while pieces.next(&mut piece)? {
            sum.add(&piece);
            piece.clear();
        }
        Ok(sum.finish())
    }
}

/// Writes a result atomically.
///
/// # Errors
/// The file cannot be written, for example because the disk is full.
pub(crate) fn write(plan: &Plan, id: &AttemptId, body: &Body, build: &BuildId) -> Result<(), Error> {
    let path = layout::result(plan.folder(), id);
    let head = Head {
        version: plan.version().to_owned(),
        plan: plan.sum().to_owned(),
        unit: id.unit,
        build: build.clone(),
        lengths: [body.deterministic.len() as u64, body.nondeterministic.len() as u64],
        sums: [checksum(&body.deterministic), checksum(&body.nondeterministic)],
    };
    let bytes = [head.line().as_bytes(), &body.deterministic, &body.nondeterministic].concat();
    files::write_atomic(&path, &bytes).map_err(Error::cannot("write", &path))
}

/// Returns the result of a unit from those of its attempts, if there is one. Verifies all of them.
///
/// # Errors
/// A result is damaged or of another plan, or two differ. The message names the unit and the files.
pub(crate) fn of_unit(plan: &Plan, ids: &[AttemptId]) -> Result<Option<StoredResult>, Error> {
    let mut first: Option<StoredResult> = None;
    for id in ids {
        let found = StoredResult::open(plan, id, true)?;
        match &first {
            None => first = Some(found),
            Some(first) if first.is_same(&found) => {}
            Some(first) => {
                bail!(
                    "unit {}: {} and {} differ; delete both and compute the unit again",
                    id.unit,
                    sanitize::path(first.path()),
                    sanitize::path(found.path())
                );
            }
        }
    }
    Ok(first)
}

/// The results of a plan, listed once.
pub struct Results<'a> {
    plan: &'a Plan,
    ids: BTreeMap<u32, Vec<AttemptId>>,
    /// Units whose results were opened.
    seen: RefCell<HashSet<u32>>,
}

impl<'a> Results<'a> {
    pub fn new(plan: &'a Plan) -> Results<'a> {
        Results { plan, ids: layout::results(plan.folder()), seen: RefCell::default() }
    }

    /// # Errors
    /// See [`of_unit`].
    pub fn of_unit(&self, unit: u32) -> Result<Option<StoredResult>, Error> {
        self.seen.borrow_mut().insert(unit);
        self.ids.get(&unit).map_or(Ok(None), |ids| of_unit(self.plan, ids))
    }

    /// Returns a result of a unit outside the plan, if there is one.
    pub fn strange(&self) -> Option<PathBuf> {
        let (_, ids) = self.ids.range(self.plan.units()..).next()?;
        ids.first().map(|id| layout::result(self.plan.folder(), id))
    }

    /// Verifies those results of these units that were not opened: results that no run needs must be valid too.
    ///
    /// # Errors
    /// See [`of_unit`].
    pub fn check_others(&self, units: Range<u32>) -> Result<(), Error> {
        let mut others = self.ids.range(units).filter(|(unit, _)| !self.seen.borrow().contains(unit));
        others.try_for_each(|(_, ids)| of_unit(self.plan, ids).map(drop))
    }

    /// Returns the attempt whose result is used, for each of these units that has one.
    pub(super) fn attempts(&self, units: Range<u32>) -> impl Iterator<Item = (&'a Plan, &AttemptId)> {
        self.ids.range(units).filter_map(|(_, ids)| Some((self.plan, ids.first()?)))
    }

    pub fn has(&self, unit: u32) -> bool {
        self.ids.contains_key(&unit)
    }
}

/// A build of the program: three words of a result's first line. Builds are the same if `sources` and `target` are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildId {
    /// The checksum of the sources.
    pub sources: String,
    /// The platform, such as `x86_64-unknown-linux-gnu`.
    pub target: String,
    /// The commit of the sources; [`UNKNOWN`] in debug builds and without git.
    pub commit: String,
}

/// A word that the build does not know.
const UNKNOWN: &str = "-";

impl BuildId {
    /// Returns the build of this program.
    pub fn own() -> BuildId {
        let build = processes::build();
        let [sources, target, commit] = [build.sources, build.target, build.commit]
            .map(|word| if word.is_empty() { UNKNOWN.to_owned() } else { word.to_owned() });
        BuildId { sources, target, commit }
    }

    /// Returns the build without a name, of results that contain none.
    pub(crate) fn unknown() -> BuildId {
        let [sources, target, commit] = [(); 3].map(|()| UNKNOWN.to_owned());
        BuildId { sources, target, commit }
    }

    /// Returns the build's description: `commit 6c2c7029, x86_64-unknown-linux-gnu, sources 0f3a…`.
    pub fn text(&self) -> String {
        let BuildId { sources, target, commit } = self;
        if sources == UNKNOWN {
            return "an unknown build".to_owned();
        }
        let commit = if commit == UNKNOWN { String::new() } else { format!("commit {commit}, ") };
        sanitize::inline(&format!("{commit}{target}, sources {sources}")).into_owned()
    }
}

/// The units that a build computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildUnits {
    pub build: BuildId,
    /// Units by machines.
    pub machines: BTreeMap<String, BTreeSet<u32>>,
}

/// The builds that computed the results of a plan, in the order of their sources and targets.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Origins {
    pub builds: Vec<BuildUnits>,
}

impl Origins {
    /// Reads the first lines of a plan's results. Skips those that cannot be read: merging reports them.
    pub fn read(plan: &Plan) -> Origins {
        let mut by: BTreeMap<(String, String), BuildUnits> = BTreeMap::new();
        for id in layout::results(plan.folder()).into_values().flatten().filter(|id| id.unit < plan.units()) {
            let Ok(found) = StoredResult::open(plan, &id, false) else { continue };
            let build = found.build();
            let new = || BuildUnits { build: build.clone(), machines: BTreeMap::new() };
            let computed = by.entry((build.sources.clone(), build.target.clone())).or_insert_with(new);
            if computed.build.commit == UNKNOWN {
                computed.build.commit.clone_from(&build.commit);
            }
            computed.machines.entry(id.host).or_default().insert(id.unit);
        }
        Origins { builds: by.into_values().collect() }
    }

    /// Returns the machines with the number of their units: `lab1 (12 units), lab2 (1 unit)`.
    pub fn machines(&self) -> String {
        let mut by: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
        for (host, units) in self.builds.iter().flat_map(|computed| &computed.machines) {
            by.entry(host).or_default().extend(units);
        }
        let text = |(host, units): (&str, BTreeSet<u32>)| format!("{host} ({})", counted(units.len(), "unit"));
        by.into_iter().map(text).collect::<Vec<_>>().join(", ")
    }

    /// Returns a line for each build: its units, machines and description.
    pub fn lines(&self) -> Vec<String> {
        let line = |BuildUnits { build, machines }: &BuildUnits| {
            let units: BTreeSet<u32> = machines.values().flatten().copied().collect();
            let units = shortened(&super::engine::ranges(&units.into_iter().collect::<Vec<_>>()));
            let hosts: Vec<&str> = machines.keys().map(String::as_str).collect();
            format!("units {units} on {}: {}", shortened(&hosts.join(", ")), build.text())
        };
        self.builds.iter().map(line).collect()
    }

    /// Returns a warning if several builds computed the plan, one line for each.
    pub fn warning(&self) -> Option<String> {
        let [first, .., last] = &self.builds[..] else { return None };
        let (what, then) = if first.build.sources == last.build.sources {
            (
                "platforms",
                "Results should not depend on the platform: `mancalab runs verify RUN` computes a run again here.",
            )
        } else {
            (
                "sources",
                "The runs may differ from those of one build. To compute units again, delete their files in results/ and submit \
                 the plan.",
            )
        };
        let lines: Vec<String> = self.lines().iter().map(|line| format!("  {line}")).collect();
        Some(format!("the units were computed by builds of different {what}:\n{}\n{then}", lines.join("\n")))
    }
}

/// Returns a list, cut to about a line.
fn shortened(list: &str) -> String {
    const MOST: usize = 60;
    match list.char_indices().nth(MOST) {
        None => list.to_owned(),
        Some((at, _)) => format!("{}…", &list[..at]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::AttemptId;
    use super::{write, *};
    use crate::experiment::Body;

    #[test]
    fn the_first_line_comes_back_and_no_other_is_taken_for_one() {
        let head = Head {
            version: "0.1.0".to_owned(),
            plan: "9c01".to_owned(),
            unit: 7,
            build: BuildId { sources: "5a".to_owned(), target: "x86_64".to_owned(), commit: "6c2c+".to_owned() },
            lengths: [3, 4],
            sums: [5, u64::MAX],
        };
        let line = head.line();
        assert_eq!(Head::parse(line.trim_end()), Some(head.clone()));
        let old = "mancalab result 1 0.1.0 9c01 7 3 4 0000000000000005 ffffffffffffffff";
        let old = format!("{old} {:016x}", checksum(old.as_bytes()));
        assert_eq!(Head::parse(&old), Some(Head { build: BuildId::unknown(), ..head }));
        for at in 0..line.len() - 1 {
            let mut bytes = line.trim_end().as_bytes().to_vec();
            bytes[at] ^= 1;
            let changed = String::from_utf8(bytes).unwrap();
            assert_eq!(Head::parse(&changed), None, "{changed}");
        }
    }

    fn body(deterministic: &str) -> Body {
        Body { deterministic: deterministic.as_bytes().to_vec(), nondeterministic: Vec::new() }
    }

    #[test]
    fn results_that_differ_are_refused_by_name_and_those_that_agree_are_one() {
        let folder = tempfile::tempdir().unwrap();
        let plan = Plan::tried(folder.path());
        let id = |host: &str| AttemptId { host: host.to_owned(), ..AttemptId::own(1) };
        let one = id("a");
        let same = id("b");
        let other = id("c");
        write(&plan, &one, &body("x"), &BuildId::own()).unwrap();
        write(&plan, &same, &body("x"), &BuildId::own()).unwrap();
        let ids = || layout::results_of(plan.folder(), 1);
        assert_eq!(of_unit(&plan, &ids()).unwrap().unwrap().body().read(Half::Deterministic).unwrap(), b"x");
        write(&plan, &other, &body("y"), &BuildId::own()).unwrap();
        let nondeterministic = of_unit(&plan, &ids()).unwrap_err();
        assert!(
            nondeterministic.to_string().contains(&one.name())
                && nondeterministic.to_string().contains(&other.name())
                && nondeterministic.to_string().contains("differ"),
            "{nondeterministic}"
        );
        std::fs::remove_file(layout::result(plan.folder(), &other)).unwrap();
        std::fs::write(layout::result(plan.folder(), &one), "x").unwrap();
        assert!(of_unit(&plan, &ids()).unwrap_err().to_string().contains("is damaged"));
    }

    /// A sparse file is large, and takes no space.
    #[test]
    fn a_result_that_claims_to_be_huge_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let plan = Plan::tried(folder.path());
        let id = AttemptId::own(1);
        write(&plan, &id, &body("x"), &BuildId::own()).unwrap();
        let path = layout::result(plan.folder(), &id);
        let sums = [checksum(b""), checksum(b"")];
        let version = plan.version().to_owned();
        let plan_sum = plan.sum().to_owned();
        let build = BuildId::own();
        let line = Head { version, plan: plan_sum, unit: 1, build, lengths: [60 << 30, 0], sums }.line();
        std::fs::write(&path, &line).unwrap();
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_len(line.len() as u64 + (60 << 30)).unwrap();
        let error = of_unit(&plan, &layout::results_of(plan.folder(), 1)).unwrap_err().to_string();
        assert!(error.contains("takes 61440 MiB, and at most 1024 MiB are read"), "{error}");
    }

    fn build(sources: &str, target: &str, commit: &str) -> BuildId {
        BuildId { sources: sources.to_owned(), target: target.to_owned(), commit: commit.to_owned() }
    }

    fn with(results: &[(u32, &str, BuildId)]) -> Origins {
        let folder = tempfile::tempdir().unwrap();
        let plan = Plan::tried(folder.path());
        for (unit, host, build) in results {
            let id = AttemptId { host: (*host).to_owned(), ..AttemptId::own(*unit) };
            write(&plan, &id, &Body::default(), build).unwrap();
        }
        Origins::read(&plan)
    }

    #[test]
    fn builds_of_the_same_sources_and_platform_are_one_whether_they_know_their_commit_or_not() {
        let origins = with(&[(0, "lab1", build("5a", "gnu", "-")), (1, "lab2", build("5a", "gnu", "6c2c"))]);
        assert_eq!(origins.warning(), None);
        assert_eq!(origins.machines(), "lab1 (1 unit), lab2 (1 unit)");
        assert_eq!(origins.lines(), ["units 0-1 on lab1, lab2: commit 6c2c, gnu, sources 5a"]);
        assert_eq!(with(&[]), Origins::default());
    }

    #[test]
    fn builds_of_other_sources_or_platforms_are_named_with_their_units() {
        let of = |build| with(&[(0, "lab1", self::build("5a", "gnu", "-")), (1, "lab2", build)]).warning().unwrap();
        let sources = of(build("5b", "gnu", "6c2c+"));
        assert!(sources.starts_with("the units were computed by builds of different sources:\n"), "{sources}");
        assert!(sources.contains("\n  units 0 on lab1: gnu, sources 5a\n"), "{sources}");
        assert!(sources.contains("\n  units 1 on lab2: commit 6c2c+, gnu, sources 5b\n"), "{sources}");
        assert!(of(build("5a", "musl", "-")).contains("builds of different platforms:\n"));
        assert!(of(BuildId::unknown()).contains("\n  units 1 on lab2: an unknown build\n"));
    }
}
