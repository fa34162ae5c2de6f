//! The builds and machines that computed the results of a plan.
//!
//! A result names the build of the program that wrote it, and its file name the machine. Results do not depend on
//! either, as long as the sources are the same.

use std::collections::{BTreeMap, BTreeSet};

use super::layout;
use super::plan::Plan;
use super::result::StoredResult;
use crate::job::run_dir::processes;
use crate::sanitize;
use mancalab_base::counted;

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
    use super::super::result::write;
    use super::*;
    use crate::experiment::Body;

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
