//! What the list has: runs, and among them plans.

use std::path::Path;
use std::time::{Duration, SystemTime};

use super::Kind;
use crate::cluster::shelf::{self, PlanEntry, PlanState};
use crate::cluster::standing::Counts;
use crate::job::Run;
use crate::job::run_dir::{Entry, EntryState, list};

/// A run or a plan that is kept.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kept {
    Run(Entry),
    Plan(PlanEntry),
}

/// The runs of this kind in a folder, the plans of such runs, and those that cannot be told, the one that came forward last at the
/// front. Reads files.
pub(super) fn own<K: Kind>(folder: &Path) -> Vec<Kept> {
    let is_own = |kind: &str| K::Run::KINDS.contains(&kind);
    let runs = list(folder).into_iter();
    let runs = runs.filter(|run| run.manifest.as_ref().is_none_or(|manifest| is_own(&manifest.kind)));
    let plans = shelf::list(folder).into_iter();
    let plans = plans.filter(|plan| plan.what.as_ref().is_none_or(|what| is_own(&what.kind)));
    let mut kept: Vec<Kept> = runs.map(Kept::Run).chain(plans.map(Kept::Plan)).collect();
    kept.sort_by(|a, b| b.changed().cmp(&a.changed()).then_with(|| a.name().cmp(b.name())));
    kept
}

impl Kept {
    pub fn run(&self) -> Option<&Entry> {
        match self {
            Kept::Run(run) => Some(run),
            Kept::Plan(_) => None,
        }
    }

    pub fn is_plan(&self) -> bool {
        matches!(self, Kept::Plan(_))
    }

    pub fn name(&self) -> &str {
        match self {
            Kept::Run(run) => &run.name,
            Kept::Plan(plan) => &plan.name,
        }
    }

    pub fn folder(&self) -> &Path {
        match self {
            Kept::Run(run) => &run.folder,
            Kept::Plan(plan) => &plan.folder,
        }
    }

    pub fn preset(&self) -> &str {
        match self {
            Kept::Run(run) => run.manifest.as_ref().map_or("", |manifest| &manifest.preset),
            Kept::Plan(plan) => plan.what.as_ref().map_or("", |what| &what.preset),
        }
    }

    /// How it stands, in a word.
    pub fn word(&self) -> &'static str {
        match self {
            Kept::Run(run) => word_of(&run.state),
            Kept::Plan(plan) => plan_word(&plan.state),
        }
    }

    /// The newest generation with a row, or how many units are done.
    pub fn at(&self) -> Option<u64> {
        match self {
            Kept::Run(run) => run.generation,
            Kept::Plan(plan) => plan.what.as_ref().map(|_| plan.counts.done.into()),
        }
    }

    /// The best so far, or how the plan stands, which is called one.
    pub fn best(&self) -> String {
        match self {
            Kept::Run(run) => run.best_in_short().to_owned(),
            Kept::Plan(plan) => format!("plan, {}", plan_word(&plan.state)),
        }
    }

    pub fn started(&self) -> Option<SystemTime> {
        match self {
            Kept::Run(run) => run.started,
            Kept::Plan(plan) => plan.started,
        }
    }

    fn changed(&self) -> Option<SystemTime> {
        match self {
            Kept::Run(run) => run.changed,
            Kept::Plan(plan) => plan.changed,
        }
    }

    /// How long it was computed; of plans nobody knows.
    pub fn took(&self) -> Option<Duration> {
        self.run().map(|run| run.took)
    }

    /// Of its files, in bytes.
    pub fn size(&self) -> u64 {
        match self {
            Kept::Run(run) => run.size,
            Kept::Plan(plan) => plan.size,
        }
    }
}

/// How a run stands, in a word.
pub(super) fn word_of(state: &EntryState) -> &'static str {
    match state {
        EntryState::Running(_) => "running",
        EntryState::Paused => "paused",
        EntryState::Stopped(_) => "stopped",
        EntryState::Finished => "finished",
        EntryState::Damaged(_) => "damaged",
    }
}

/// The same of a plan.
pub(super) fn plan_word(state: &PlanState) -> &'static str {
    match state {
        PlanState::Running => "running",
        PlanState::Paused => "paused",
        PlanState::Failed => "failed",
        PlanState::Finished => "finished",
        PlanState::Damaged(_) => "damaged",
    }
}

/// `179 units: 12 done, 2 running, 1 failed`.
pub(super) fn counted(counts: &Counts) -> String {
    let all = counts.all();
    let parts = [(counts.running, "running"), (counts.failed, "failed")];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!(", {count} {word}"));
    let noun = if all == 1 { "unit" } else { "units" };
    format!("{all} {noun}: {} done", counts.done) + &parts.collect::<String>()
}
