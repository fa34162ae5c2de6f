//! Runs whose rows are not what their settings give: earlier builds computed them wrongly, or somebody edited them.

use std::path::Path;

use crate::evolve::gp::Problem as _;
use crate::evolve::othello::OthelloProblem;
use crate::job::RunReader;
use crate::job::run_dir::{has_edited_rows, processes};
use crate::sanitize;

/// Commits whose builds took constants of functions for one that differ in their sign or in a bit of their exponent.
const COMMITS: &[&str] = &[
    "5a4f1ec53691",
    "08ac2a007318",
    "bf19b16eb191",
    "b677a7c48d1b",
    "722c9680f515",
    "0e80a0ce71fb",
    "d2517fe207f8",
    "87d841db1953",
    "5f10de907034",
    "e781d609218e",
    "710f860008ec",
    "8e6331e5a30c",
    "52e74a6bf732",
    "48de6948e7d5",
    "1ff30ff5d2e2",
    "d9e3bc619a23",
    "0564cb388f27",
    "77d057a32dd2",
    "a52ddda9710c",
    "d8bcea1d54d6",
    "0eec79b2c3fa",
    "9ae557365c56",
    "be3901483bac",
    "b40c304a91c5",
    "0ec52c3be43f",
    "ebfbeee44c04",
    "6ca768b730d7",
    "abcff6555d99",
    "ee766ab8a7f7",
    "abd23594fa24",
];

/// The checksums of their sources, which builds for debugging have too.
const SOURCES: &[&str] = &[
    "1d66d299d7a1d503",
    "c3f4d753fba8f203",
    "0a23baf15574e3cb",
    "90dd07989f3d3a24",
    "bdc50285533effcb",
    "f5b27084419b2404",
    "1d1f2a8db9dc2f35",
    "b42ebcfedd286ddc",
    "da3be49e913415f6",
    "24c72520db4da65b",
    "92b6324faffcd864",
    "951d25fc91321ced",
    "28036f88c8fa2db1",
    "fb4a34c2c7fd46b0",
    "085be9be64175946",
    "7fe2bb020d449dab",
    "7e8509f59ec64c2e",
];

/// When the first of these commits was made. Runs of before are right.
const SINCE: &str = "2026-11-26 08:12:54Z";

/// The version of results from which functions with constants are evaluated correctly.
const MARKED: u32 = 2;

/// The version of results from which computations with max or min are not taken for others.
const TELLS_MAX_AND_MIN: u32 = 3;

const WHAT: &str = "evaluated functions with constants such as 10 and -10 wrongly";

/// Returns a warning if the rows of the run in a folder are not those that it wrote, or builds that evaluated functions wrongly computed
/// them, or may have: resumed, it does not become the run that its settings give.
pub fn warning(folder: &Path) -> Option<String> {
    let name = sanitize::path(Path::new(folder.file_name().unwrap_or(folder.as_os_str())));
    if has_edited_rows(folder) {
        return Some(format!("{name} has rows that it did not write; `mancalab runs verify` shows which"));
    }
    let reader = RunReader::open(folder).ok()?;
    let computed = processes::read(folder).ok()?;
    let is_of_othello = reader.manifest().kind == OthelloProblem::KIND;
    let of_constants = is_of_othello.then(|| warning_of_constants(&name, &computed)).flatten();
    of_constants.or_else(|| warning_of_max_and_min(&name, &reader, &computed))
}

fn warning_of_constants(name: &str, computed: &[toml::Table]) -> Option<String> {
    let faulty = computed.iter().find_map(build);
    if let Some(build) = faulty {
        return Some(format!(
            "{name} was computed by a build ({build}) that {WHAT}: its rows differ from those of a new run. Resuming keeps \
             them; for the right ones, start a new run with the same settings"
        ));
    }
    computed.iter().any(is_unknown).then(|| {
        format!(
            "{name} was computed by a build that is not known here: builds of 26 November 2026 {WHAT}, and its rows may differ \
             from those of a new run"
        )
    })
}

fn text<'a>(process: &'a toml::Table, key: &str) -> &'a str {
    process.get(key).and_then(toml::Value::as_str).unwrap_or_default()
}

/// Returns the faulty build that a process is of.
fn build(process: &toml::Table) -> Option<String> {
    // Whether changed sources of a faulty commit mended it is not known, but most changes do not.
    let commit = text(process, "commit");
    let sources = text(process, "sources");
    match () {
        () if has_mark(process) => None,
        () if COMMITS.contains(&commit.trim_end_matches('+')) => Some(format!("commit {commit}")),
        () if SOURCES.contains(&sources) => Some(format!("sources {sources}")),
        () => None,
    }
}

/// Whether a process may be of a faulty build: it is neither older nor marked as newer.
fn is_unknown(process: &toml::Table) -> bool {
    !has_mark(process) && text(process, "started") >= SINCE
}

fn has_mark(process: &toml::Table) -> bool {
    results(process) >= MARKED
}

/// The version of results that a process lists; 0 if it lists none.
fn results(process: &toml::Table) -> u32 {
    text(process, "results").parse().unwrap_or(0)
}

/// Returns a warning if a run's functions have max or min, and a build computed it that may have taken one computation for another.
fn warning_of_max_and_min(name: &str, reader: &RunReader, computed: &[toml::Table]) -> Option<String> {
    let functions = reader.listed().ok()?.into_iter().find_map(|(key, value)| (key == "functions").then_some(value))?;
    let has_them = ["\"max\"", "\"min\""].iter().any(|word| functions.contains(word));
    let is_old = computed.iter().any(|process| results(process) < TELLS_MAX_AND_MIN);
    (has_them && is_old).then(|| {
        format!(
            "{name} was computed by a build that may have taken a computation with max or min for another: its rows may differ from \
             those of a new run"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::inspect::Inspect as _;
    use crate::job::{RunJob, RunSettings};
    use crate::pool::Pool;

    #[test]
    fn runs_of_faulty_builds_are_named_and_those_of_unknown_ones() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("bred");
        let settings = OthelloProblem::preset("othello-gp-50").unwrap();
        drop(RunJob::create(&run, settings, &Pool::alone()).unwrap());
        assert_eq!(warning(&run), None, "its own build");
        let warned = |process: &str| {
            std::fs::write(run.join(processes::FILE), format!("[[process]]\n{process}")).unwrap();
            warning(&run).unwrap_or_default()
        };
        let started = "started = \"2026-11-27 01:02:03Z\"\n";
        let faulty = warned(&format!("{started}commit = \"5a4f1ec53691+\"\n"));
        assert!(faulty.starts_with("bred was computed by a build (commit 5a4f1ec53691+) that evaluated "), "{faulty}");
        assert!(warned("commit = \"\"\nsources = \"7e8509f59ec64c2e\"\n").contains("(sources 7e8509f59ec64c2e)"));
        assert!(warned(started).starts_with("bred was computed by a build that is not known here"));
        assert_eq!(warned("started = \"2026-11-25 01:02:03Z\"\ncommit = \"0123456789ab\"\n"), "");
        assert_eq!(warned(&format!("{started}results = \"2\"\n")), "");
        let both = format!("{started}results = \"2\"\n[[process]]\ncommit = \"abd23594fa24\"\n");
        assert!(warned(&both).contains("(commit abd23594fa24)"));
    }

    #[test]
    fn runs_with_max_or_min_of_older_builds_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let warned = |functions: &str, results: &str| {
            let run = folder.path().join(format!("{functions}-{results}"));
            let mut settings: Box<dyn RunSettings> = OthelloProblem::preset("othello-gp-50").unwrap().into();
            settings.set("functions", functions).unwrap();
            drop(RunJob::create(&run, settings, &Pool::alone()).unwrap());
            std::fs::write(run.join(processes::FILE), format!("[[process]]\nresults = \"{results}\"\n")).unwrap();
            warning(&run)
        };
        assert!(warned("add,sub,max", "2").unwrap().contains("max or min for another"));
        assert_eq!((warned("add,sub,max", "3"), warned("add,sub", "2")), (None, None));
    }
}
