//! The panel of the selected unit: what it computes, its state, and the next steps for the plan.

use super::super::details::Pair;
use super::PlanPage;
use crate::cluster::status::UnitState;
use crate::sanitize;
use crate::summary::number;
use crate::theme::Role;

/// Maximum number of prerequisite units that are listed.
const NAMED: usize = 4;

impl PlanPage {
    pub(super) fn rows_of_unit(&self) -> Vec<Pair> {
        let unit = self.unit();
        let Some(plan_status) = self.plan_status.units.get(unit as usize) else { return Vec::new() };
        let (state, role) = match &plan_status.state {
            UnitState::Running { host, process, percent } => {
                let done = percent.map(|percent| format!(", {percent} % done")).unwrap_or_default();
                (format!("running on {host}, process {process}{done}"), Role::Good)
            }
            UnitState::Done => ("done".to_owned(), Role::Good),
            UnitState::Failed(reason) if reason.is_empty() => ("failed".to_owned(), Role::Bad),
            UnitState::Failed(reason) => (format!("failed: {reason}"), Role::Bad),
            UnitState::Killed => ("killed; the next attempt resumes from its checkpoint".to_owned(), Role::Warning),
            UnitState::Waiting => (self.why_waiting(unit, plan_status.attempts), Role::Text),
        };
        let mut rows =
            vec![("computes".to_owned(), self.work.describe(unit), Role::Text), ("state".to_owned(), state, role)];
        if let (Some(table), Some((value, _))) =
            (&self.results, self.results.as_ref().and_then(|table| table.result(unit as usize)))
        {
            rows.push((table.column.replace('_', " "), number(value), Role::Accent));
        }
        if plan_status.attempts > 0 {
            rows.push(("attempts".to_owned(), plan_status.attempts.to_string(), Role::Text));
        }
        let hint = self.hint().map(|hint| ("plan".to_owned(), hint, Role::Dim));
        rows.extend(hint);
        rows
    }

    fn why_waiting(&self, unit: u32, attempts: u32) -> String {
        let is_done = |unit: &u32| self.plan_status.units[*unit as usize].state == UnitState::Done;
        let needs: Vec<u32> = self.work.needs(unit).into_iter().filter(|need| !is_done(need)).collect();
        if needs.is_empty() {
            return match attempts {
                0 => "waiting".to_owned(),
                _ => "interrupted; the next attempt resumes from its checkpoint".to_owned(),
            };
        }
        let named: Vec<String> = needs.iter().take(NAMED).map(u32::to_string).collect();
        let more = needs.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let noun = if needs.len() == 1 { "unit" } else { "units" };
        format!("waiting for {noun} {}{more}", named.join(", "))
    }

    /// Returns the next step when no unit is running.
    fn hint(&self) -> Option<String> {
        let counts = &self.plan_status.counts;
        let named = match self.is_kept {
            true => sanitize::shell(self.name()),
            false => sanitize::shell_path(&self.folder),
        };
        match counts.running {
            _ if self.error.is_some() => None,
            1.. => None,
            0 if self.is_done() && self.last_read.is_merged => {
                Some("all are done and merged; S shows the summary".to_owned())
            }
            0 if self.is_done() => {
                Some(format!("all are done. p merges them, or: mancalab plan merge {named}; S then shows the summary"))
            }
            0 if counts.failed > 0 => Some(format!("p retries, or: mancalab plan submit {named} --engine local")),
            0 => Some(format!("p starts it, or: mancalab plan submit {named} --engine local")),
        }
    }
}
