//! What happened last to runs and plans: what started, ended, failed or got results.

use std::time::SystemTime;

use super::{Alarm, MonitorRow, Overview};
use crate::kept::RunOrPlan;
use mancalab_base::counted;

/// The newest thing that happened to a run or a plan, or its start.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    pub at: SystemTime,
    pub name: String,
    pub what: String,
    pub is_alarm: bool,
}

impl Overview {
    /// Returns all events, the newest first. They follow from the files: nothing is remembered.
    pub fn events(&self) -> Vec<Event> {
        let mut events: Vec<Event> = self.all.iter().flat_map(|one| [started(one), newest(one)]).flatten().collect();
        crate::sort::sort_by(&mut events, |one, other| other.at.cmp(&one.at));
        events
    }
}

fn started(one: &MonitorRow) -> Option<Event> {
    let what = if one.saved.is_plan() { "created" } else { "started" };
    Some(Event { at: one.saved.started()?, name: one.saved.name().to_owned(), what: what.to_owned(), is_alarm: false })
}

/// Returns the last change; `None` for a run without an alarm that computes its next row.
fn newest(one: &MonitorRow) -> Option<Event> {
    let what = match (&one.alarm, &one.saved) {
        (Some(Alarm::Crashed | Alarm::Damaged(_)) | None, _) if !one.is_running() => one.saved.word().to_owned(),
        (Some(alarm), _) => alarm.text(),
        (None, RunOrPlan::Plan(plan)) if plan.counts.done > 0 => {
            format!("{} of {} done", plan.counts.done, counted(plan.counts.all(), "unit"))
        }
        (None, _) => return None,
    };
    let at = one.saved.changed().filter(|changed| one.saved.started() != Some(*changed))?;
    Some(Event { at, name: one.saved.name().to_owned(), what, is_alarm: one.alarm.is_some() })
}
