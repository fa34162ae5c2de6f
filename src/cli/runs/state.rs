//! How runs and plans stand, in a word.

use clap::ValueEnum;

use crate::cluster::shelf::PlanState;
use crate::job::run_dir::EntryState;

/// How a run or a plan stands, as flags name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum StateName {
    Running,
    Paused,
    Stopped,
    /// Units of a plan have failed
    Failed,
    Finished,
    Damaged,
}

impl StateName {
    pub fn of(state: &EntryState) -> StateName {
        match state {
            EntryState::Running(_) => StateName::Running,
            EntryState::Paused => StateName::Paused,
            EntryState::Stopped(_) => StateName::Stopped,
            EntryState::Finished => StateName::Finished,
            EntryState::Damaged(_) => StateName::Damaged,
        }
    }

    pub fn of_plan(state: &PlanState) -> StateName {
        match state {
            PlanState::Running => StateName::Running,
            PlanState::Paused => StateName::Paused,
            PlanState::Failed => StateName::Failed,
            PlanState::Finished => StateName::Finished,
            PlanState::Damaged(_) => StateName::Damaged,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            StateName::Running => "running",
            StateName::Paused => "paused",
            StateName::Stopped => "stopped",
            StateName::Failed => "failed",
            StateName::Finished => "finished",
            StateName::Damaged => "damaged",
        }
    }
}
