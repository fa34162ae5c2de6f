//! The processes that computed a plan's units, for the provenance of merged runs.
//!
//! The mark of a finished attempt lists them after its first line, as in a run's `provenance.toml`.

use std::collections::BTreeMap;
use std::path::Path;

use super::layout::{self, AttemptId, Mark};
use super::plan::Plan;
use super::sweep::ranges_of;
use crate::files::{self, Kind};
use crate::job::run_dir::processes;

/// Fields that differ between the units of one build on one machine, besides the time of the start.
const OF_UNIT: [&str; 2] = ["command", "threads"];

/// The time of a process' start, whose text sorts as the time does.
const STARTED: &str = "started";

/// Maximum number of ranges of units in a field.
const MOST_RANGES: usize = 1000;

/// Returns the entries of the processes that computed an attempt: those of its run, or this one.
pub(super) fn of_attempt(folder: &Path, threads: usize) -> String {
    let run = files::read_text(&folder.join(processes::FILE), Kind::Document).ok();
    run.unwrap_or_else(|| processes::own_entry(threads))
}

/// Returns the builds and machines that computed these attempts, each with its units in the field `units` and the start of its first.
pub(super) fn of_units<'a>(attempts: impl Iterator<Item = (&'a Plan, &'a AttemptId)>) -> Vec<toml::Table> {
    let mut groups: BTreeMap<String, (toml::Table, Vec<String>, Vec<u32>)> = BTreeMap::new();
    for (plan, id) in attempts {
        for mut process in of_mark(plan, id) {
            OF_UNIT.iter().for_each(|key| _ = process.remove(*key));
            let started = process.remove(STARTED);
            let (_, starts, units) = groups.entry(process.to_string()).or_insert((process, Vec::new(), Vec::new()));
            starts.extend(started.and_then(|time| time.as_str().map(str::to_owned)));
            // A resumed run may list the same build twice.
            if units.last() != Some(&id.unit) {
                units.push(id.unit);
            }
        }
    }
    let with_units = |(mut process, starts, units): (toml::Table, Vec<String>, Vec<u32>)| {
        process.extend(starts.into_iter().min().map(|first| (STARTED.to_owned(), first.into())));
        process.insert("units".to_owned(), ranges(&units).into());
        process
    };
    groups.into_values().map(with_units).collect()
}

/// Returns the processes in the mark of a finished attempt; its host alone if there are none, as after a full disk.
fn of_mark(plan: &Plan, id: &AttemptId) -> Vec<toml::Table> {
    let text = files::read_text(&layout::mark(plan.folder(), id, Mark::Done), Kind::Document).unwrap_or_default();
    let entries = text.split_once('\n').map_or("", |(_, entries)| entries);
    let listed = processes::parse(entries).unwrap_or_default();
    let host = || {
        toml::Table::from_iter([("host".to_owned(), id.host.clone().into()), ("role".to_owned(), "computed".into())])
    };
    if listed.is_empty() { vec![host()] } else { listed }
}

/// Returns ascending numbers as a text such as `0-3, 7`.
fn ranges(numbers: &[u32]) -> String {
    let mut ranges = ranges_of(numbers);
    let text = ranges.by_ref().take(MOST_RANGES).collect::<Vec<_>>().join(", ");
    if ranges.next().is_some() { text + " and more" } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(plan: &Plan, id: &AttemptId, text: &str) {
        files::write_whole(&layout::mark(plan.folder(), id, Mark::Done), text.as_bytes()).unwrap();
    }

    #[test]
    fn units_are_grouped_by_build_and_machine() {
        let folder = tempfile::tempdir().unwrap();
        let plan = Plan::tried(folder.path());
        let ids: Vec<AttemptId> =
            (0..5).map(|unit| AttemptId { host: "lab".to_owned(), ..AttemptId::own(unit) }).collect();
        let entry = |host: &str, unit: usize| {
            format!(
                "1.5\n\n[[process]]\nstarted = \"{unit}\"\ncommand = \"mancalab plan unit {unit}\"\nhost = \"{host}\"\n"
            )
        };
        [(0, "one"), (1, "one"), (2, "other"), (4, "one")]
            .iter()
            .for_each(|&(unit, host)| done(&plan, &ids[unit], &entry(host, unit)));
        // An attempt of a full disk leaves an empty mark.
        done(&plan, &ids[3], "");
        let found = of_units(ids.iter().map(|id| (&plan, id)));
        let of = |host: &str| {
            found.iter().find(|one| one["host"].as_str() == Some(host)).unwrap()["units"].as_str().unwrap()
        };
        assert_eq!((of("one"), of("other"), of("lab"), found.len()), ("0-1, 4", "2", "3", 3));
        assert!(found.iter().all(|one| !one.contains_key("command")));
        let starts = |host: &str| found.iter().find(|one| one["host"].as_str() == Some(host)).unwrap().get(STARTED);
        assert_eq!((starts("one"), starts("lab")), (Some(&"0".into()), None));
    }

    #[test]
    fn a_process_lists_itself_and_a_run_lists_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let own = processes::parse(&of_attempt(folder.path(), 3)).unwrap();
        assert_eq!((own.len(), own[0]["threads"].as_str(), own[0]["role"].as_str()), (1, Some("3"), Some("computed")));
        std::fs::write(folder.path().join(processes::FILE), "[[process]]\nhost = \"a\"\n[[process]]\nhost = \"b\"\n")
            .unwrap();
        assert_eq!(processes::parse(&of_attempt(folder.path(), 3)).unwrap().len(), 2);
    }

    #[test]
    fn numbers_are_joined_to_ranges() {
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2, 5, 7-8");
        let odd: Vec<u32> = (0..4000).map(|number| 2 * number).collect();
        assert!(ranges(&odd).ends_with("1998 and more"));
    }
}
