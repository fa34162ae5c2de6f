//! Saved runs and plans, as listed by the tabs and the command line.

use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::cluster::index::{self, PlanEntry, PlanState};
use crate::cluster::status::Counts;
use crate::job::run_dir::{Entry, EntryState, Manifest, Notes, list};
use crate::kinds::{Kind, by_word};
use crate::sanitize;
use mancalab_base::counted;

/// A saved run or plan.
#[derive(Clone, PartialEq, Debug)]
pub enum RunOrPlan {
    Run(Entry),
    Plan(PlanEntry),
}

/// Returns all runs and plans directly in a folder, the most recently active first. Reads files.
pub fn all(folder: &Path) -> Vec<RunOrPlan> {
    let runs = list(folder).into_iter();
    let plans = index::list(folder).into_iter();
    let mut kept: Vec<RunOrPlan> = runs.map(RunOrPlan::Run).chain(plans.map(RunOrPlan::Plan)).collect();
    crate::sort::sort_by(&mut kept, by_change);
    kept
}

/// Orders runs and plans by their last change, the newest first.
pub fn by_change(one: &RunOrPlan, other: &RunOrPlan) -> std::cmp::Ordering {
    other.changed().cmp(&one.changed()).then_with(|| one.name().cmp(other.name()))
}

impl RunOrPlan {
    /// Returns the kind of the run or of the plan's runs, as in `run.toml`; `None` if it is unknown.
    pub fn kind(&self) -> Option<&str> {
        match self {
            RunOrPlan::Run(run) => run.manifest.as_ref().map(|manifest| manifest.kind.as_str()),
            RunOrPlan::Plan(plan) => plan.what.as_ref().map(|what| what.kind.as_str()),
        }
    }

    pub fn run(&self) -> Option<&Entry> {
        match self {
            RunOrPlan::Run(run) => Some(run),
            RunOrPlan::Plan(_) => None,
        }
    }

    /// Returns what a person says about it.
    pub fn notes(&self) -> &Notes {
        match self {
            RunOrPlan::Run(run) => &run.notes,
            RunOrPlan::Plan(plan) => &plan.notes,
        }
    }

    pub fn tags(&self) -> &[String] {
        &self.notes().tags
    }

    /// Returns whether it is what a word asks for: `tag:NAME`, or a part of its name, preset, state or kind in small letters.
    pub fn fits(&self, word: &str) -> bool {
        if let Some(tag) = word.strip_prefix("tag:") {
            return self.tags().iter().any(|known| known.to_lowercase() == tag);
        }
        let kind = if self.is_plan() { "plan" } else { "" };
        format!("{} {} {} {kind}", self.name(), self.preset(), self.word()).to_lowercase().contains(word)
    }

    pub fn is_plan(&self) -> bool {
        matches!(self, RunOrPlan::Plan(_))
    }

    pub fn name(&self) -> &str {
        match self {
            RunOrPlan::Run(run) => &run.name,
            RunOrPlan::Plan(plan) => &plan.name,
        }
    }

    pub fn folder(&self) -> &Path {
        match self {
            RunOrPlan::Run(run) => &run.folder,
            RunOrPlan::Plan(plan) => &plan.folder,
        }
    }

    pub fn preset(&self) -> &str {
        match self {
            RunOrPlan::Run(run) => run.manifest.as_ref().map_or("", |manifest| &manifest.preset),
            RunOrPlan::Plan(plan) => plan.what.as_ref().map_or("", |what| &what.preset),
        }
    }

    /// Returns the preset, with a mark for a run that is not reproducible.
    pub fn preset_marked(&self) -> String {
        match self {
            RunOrPlan::Run(run) => run.manifest.as_ref().map(Manifest::preset_marked).unwrap_or_default(),
            RunOrPlan::Plan(_) => self.preset().to_owned(),
        }
    }

    /// Returns the generations of a run, see [`generations`], or the units of a plan, such as `12/150`; `None` if they are unknown.
    pub fn progress(&self) -> Option<String> {
        match self {
            RunOrPlan::Run(run) => generations(run),
            RunOrPlan::Plan(plan) => plan.what.as_ref().map(|_| format!("{}/{}", plan.counts.done, plan.counts.all())),
        }
    }

    /// Returns its state, in a word.
    pub fn word(&self) -> &'static str {
        match self {
            RunOrPlan::Run(run) => word_of(&run.state),
            RunOrPlan::Plan(plan) => plan_word(&plan.state),
        }
    }

    /// Returns the newest generation with a row, or the number of finished units.
    pub fn newest(&self) -> Option<u64> {
        match self {
            RunOrPlan::Run(run) => run.generation,
            RunOrPlan::Plan(plan) => plan.what.as_ref().map(|_| plan.counts.done.into()),
        }
    }

    /// Returns the best result so far, or a plan's state after `plan, `.
    pub fn best(&self) -> String {
        match self {
            RunOrPlan::Run(run) => run.best_in_short().to_owned(),
            RunOrPlan::Plan(plan) => format!("plan, {}", plan_word(&plan.state)),
        }
    }

    pub fn started(&self) -> Option<SystemTime> {
        match self {
            RunOrPlan::Run(run) => run.started,
            RunOrPlan::Plan(plan) => plan.started,
        }
    }

    pub fn changed(&self) -> Option<SystemTime> {
        match self {
            RunOrPlan::Run(run) => run.changed,
            RunOrPlan::Plan(plan) => plan.changed,
        }
    }

    /// Returns the computing time; `None` for plans, where it is unknown.
    pub fn took(&self) -> Option<Duration> {
        self.run().map(|run| run.took)
    }

    /// Returns the size of its files, in bytes.
    pub fn size(&self) -> u64 {
        match self {
            RunOrPlan::Run(run) => run.size,
            RunOrPlan::Plan(plan) => plan.size,
        }
    }
}

/// Returns the computed and the planned generations of a run, as its kind counts them, such as `12/150`; `None` if they are unknown.
pub fn generations(run: &Entry) -> Option<String> {
    let manifest = run.manifest.as_ref()?;
    let first = by_word(&manifest.kind).map_or(0, |kind| kind.first);
    let at = run.generation.map_or("-".to_owned(), |at| (at + first).to_string());
    Some(format!("{at}/{}", manifest.generations + first))
}

/// Returns the best of a run, with [`checkpoint_behind`]; empty before the first checkpoint.
pub fn best(run: &Entry) -> String {
    format!("{}{}", run.best, checkpoint_behind(run))
}

/// Returns words such as ` (checkpoint at 80)` if rows are newer than the checkpoint that names the best, as those of a run that was killed;
/// else nothing.
pub fn checkpoint_behind(run: &Entry) -> String {
    let first = run.manifest.as_ref().and_then(|manifest| by_word(&manifest.kind)).map_or(0, |kind| kind.first);
    match run.saved_generation {
        Some(saved) if run.generation > Some(saved) && !run.best.is_empty() => {
            format!(" (checkpoint at {})", saved + first)
        }
        _ => String::new(),
    }
}

/// Returns the state of a run, with its process or the reason.
pub fn state_text(run: &Entry) -> String {
    let word = word_of(&run.state);
    match &run.state {
        EntryState::Running(why) | EntryState::Paused(why) | EntryState::Failed(why) | EntryState::Damaged(why) => {
            format!("{word}: {why}")
        }
        EntryState::Finished => match run.ended_early() {
            Some(rule) => format!("{word} by {rule}"),
            None if has_reached_goal(run) => format!("{word}: its goal is reached"),
            None => word.to_owned(),
        },
        EntryState::Stopped | EntryState::Crashed => word.to_owned(),
    }
}

/// Whether a finished run of genetic programming ended before its last generation because a program reached the goal of its problem.
fn has_reached_goal(run: &Entry) -> bool {
    let Some(manifest) = &run.manifest else { return false };
    let is_bred = by_word(&manifest.kind).is_some_and(|kind| kind.command == "evolve");
    is_bred && run.generation.is_some_and(|newest| newest < manifest.generations)
}

/// Returns the run that a run was forked from, and after which generation.
pub fn forked_from(run: &Entry) -> Option<String> {
    let parent = run.manifest.as_ref()?.parent.as_ref()?;
    Some(format!("{} after generation {}", sanitize::inline(&parent.run), parent.generation))
}

/// Returns the state of a run, in a word.
pub fn word_of(state: &EntryState) -> &'static str {
    match state {
        EntryState::Running(_) => "running",
        EntryState::Paused(_) => "paused",
        EntryState::Stopped => "stopped",
        EntryState::Crashed => "crashed",
        EntryState::Failed(_) => "failed",
        EntryState::Finished => "finished",
        EntryState::Damaged(_) => "damaged",
    }
}

/// Returns the state of a plan, in a word.
pub fn plan_word(state: &PlanState) -> &'static str {
    match state {
        PlanState::Running => "running",
        PlanState::New => "new",
        PlanState::Stopped => "stopped",
        PlanState::Failed => "failed",
        PlanState::Crashed => "crashed",
        PlanState::Finished => "finished",
        PlanState::Damaged(_) => "damaged",
    }
}

/// Formats counts: `179 units: 12 done, 2 running, 1 failed`.
pub fn units(counts: &Counts) -> String {
    let parts = [(counts.running, "running"), (counts.failed, "failed"), (counts.killed, "killed")];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!(", {count} {word}"));
    format!("{}: {} done", counted(counts.all(), "unit"), counts.done) + &parts.collect::<String>()
}

/// Returns how far runs of a kind have come: a label with the value of each run. `took` formats the computing time.
pub fn status_rows(runs: &[&Entry], kind: &Kind, took: impl Fn(Duration) -> String) -> Vec<(String, Vec<String>)> {
    let newest = |run: &Entry| run.generation.map_or("-".to_owned(), |newest| (newest + kind.first).to_string());
    let best = |run: &Entry| run.best_in_short().to_owned() + &checkpoint_behind(run);
    let row =
        |label: &str, value: &dyn Fn(&Entry) -> String| (label.to_owned(), runs.iter().map(|run| value(run)).collect());
    vec![
        row(&format!("newest {}", kind.unit), &newest),
        row("best", &best),
        row("state", &|run| word_of(&run.state).to_owned()),
        row("took", &|run| took(run.took)),
    ]
}

/// Returns the keys whose values differ between runs, with the values; `missing` replaces absent values.
pub fn differing<'a>(settings: &[&'a [(String, String)]], missing: &str) -> Vec<(String, Vec<String>)> {
    let mut keys: Vec<&'a String> = Vec::new();
    for (key, _) in settings.iter().copied().flatten() {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let value = |own: &[(String, String)], key: &String| {
        own.iter().find(|(known, _)| known == key).map_or(missing.to_owned(), |(_, value)| value.clone())
    };
    let row = |key: &String| (key.clone(), settings.iter().map(|own| value(own, key)).collect::<Vec<_>>());
    keys.into_iter().map(row).filter(|(_, values)| values.iter().any(|value| *value != values[0])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::{KINDS, TOURNAMENTS};

    #[test]
    fn only_what_differs_is_reported() {
        let pairs = |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        let settings: [Vec<_>; 2] = [pairs(&[("a", "1"), ("b", "2")]), pairs(&[("a", "1"), ("b", "3"), ("c", "4")])];
        let rows = differing(&[&settings[0], &settings[1]], "");
        assert_eq!(rows, [("b".into(), vec!["2".into(), "3".into()]), ("c".into(), vec!["".into(), "4".into()])]);
    }

    #[test]
    fn rounds_of_tournaments_count_from_one() {
        let folder = tempfile::tempdir().unwrap();
        let run = Entry { generation: Some(0), ..crate::job::run_dir::entry(folder.path().to_owned()) };
        let newest = |command: &str| {
            let kind = KINDS.iter().find(|kind| kind.command == command).unwrap();
            status_rows(&[&run], kind, |took| format!("{took:?}")).swap_remove(0)
        };
        assert_eq!(newest(TOURNAMENTS), ("newest round".into(), vec!["1".into()]));
        assert_eq!(newest("evolve"), ("newest generation".into(), vec!["0".into()]));
    }

    #[test]
    fn the_best_says_that_rows_are_newer() {
        let folder = tempfile::tempdir().unwrap();
        let run = crate::job::run_dir::entry(folder.path().to_owned());
        let text = |first_line: &str, generation, saved_generation| {
            best(&Entry { best: first_line.to_owned(), generation, saved_generation, ..run.clone() })
        };
        assert_eq!(text("fitness 47", Some(95), Some(80)), "fitness 47 (checkpoint at 80)");
        assert_eq!(text("fitness 47", Some(80), Some(80)), "fitness 47");
        assert_eq!(text("fitness 47", Some(3), None), "fitness 47");
        assert_eq!(text("", Some(3), Some(2)), "");
    }
}
