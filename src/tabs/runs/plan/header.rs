//! The status line above a plan's page: its state, its units, and the remaining time.
//!
//! Like that of runs, narrow screens leave out its least important parts.

use std::time::Duration;

use ratatui::text::Line;

use super::super::header::{Word, fitted};
use crate::cluster::index::PlanState;
use crate::cluster::status::PlanStatus;
use crate::kept::units;
use crate::theme::Role;
use crate::ui::{Look, duration, short_time};

/// The width in cells from which the plan's name and the state of running plans are shown.
const WIDE: u16 = 100;

/// Returns the state of a plan, as lists name it.
pub(super) fn word(plan_status: &PlanStatus) -> Word {
    match PlanState::new(&plan_status.counts, plan_status.activity) {
        PlanState::Running => Word::Running,
        PlanState::New => Word::New,
        PlanState::Finished => Word::Finished,
        PlanState::Failed | PlanState::Damaged(_) => Word::Failed,
        PlanState::Crashed => Word::Crashed,
        PlanState::Stopped => Word::Stopped,
    }
}

/// Returns the line in at most `cells`.
pub(super) fn line(
    name: &str,
    plan_status: &PlanStatus,
    error: Option<&str>,
    cells: u16,
    look: &Look,
) -> Line<'static> {
    let word = if error.is_some() { Word::Stopped } else { word(plan_status) };
    let (mark, role) = word.mark(look);
    let state = if word == Word::Running && cells < WIDE { String::new() } else { format!(" {}", word.text()) };
    let mut parts = vec![(0, look.span(role, format!("{mark}{state}")))];
    let mut push = |rank: u8, role: Role, text: String| parts.push((rank, look.span(role, text)));
    if let Some(error) = error {
        push(0, Role::Bad, error.to_owned());
    }
    if cells >= WIDE {
        push(2, Role::Accent, name.to_owned());
    }
    push(0, Role::Text, units(&plan_status.counts));
    if word == Word::Running {
        match plan_status.seconds_left {
            Some(left) => {
                push(1, Role::Text, format!("{} left", duration(Duration::from_secs_f64(left.clamp(0.0, 1e10)))))
            }
            None => push(1, Role::Dim, "? left".to_owned()),
        }
    }
    if let Some(seconds) = plan_status.seconds_a_unit {
        push(3, Role::Dim, format!("{} per unit", short_time(Duration::from_secs_f64(seconds.clamp(0.0, 1e10)))));
    }
    fitted(parts, cells, look)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::stage::look;
    use crate::cluster::layout::Activity;
    use crate::cluster::status::Counts;

    fn text(counts: Counts, left: Option<f64>, cells: u16) -> String {
        let activity = if counts.done > 0 { Activity::Begun } else { Activity::Never };
        text_of(counts, activity, left, cells)
    }

    fn text_of(counts: Counts, activity: Activity, left: Option<f64>, cells: u16) -> String {
        let plan_status =
            PlanStatus { units: Vec::new(), counts, activity, seconds_a_unit: Some(1.25), seconds_left: left };
        let look = look();
        line("night", &plan_status, None, cells, &look).to_string()
    }

    #[test]
    fn every_state_is_reported_and_what_matters_most_stays() {
        let running = Counts { waiting: 164, running: 2, done: 12, failed: 1, killed: 0 };
        assert_eq!(
            text(running, Some(103.0), 118),
            "▸ running  night  179 units: 12 done, 2 running, 1 failed  1:43 left  1.2 s per unit"
        );
        assert_eq!(
            text(running, Some(103.0), 78),
            "▸  179 units: 12 done, 2 running, 1 failed  1:43 left  1.2 s per unit"
        );
        assert_eq!(text(running, None, 40), "▸  179 units: 12 done, 2 running, 1 fai…");
        let counts = |waiting, failed| Counts { waiting, running: 0, done: 1, failed, killed: 0 };
        let killed = Counts { killed: 1, ..counts(1, 0) };
        assert_eq!(text(killed, None, 78), "? crashed  2 units: 1 done, 1 killed  1.2 s per unit");
        assert_eq!(text(Counts { done: 0, ..counts(2, 0) }, None, 78), "+ new  2 units: 0 done  1.2 s per unit");
        assert_eq!(text(counts(1, 0), None, 78), "· stopped  2 units: 1 done  1.2 s per unit");
        let between = text_of(counts(1, 0), Activity::Held, None, 118);
        assert_eq!(between, "▸ running  night  2 units: 1 done  ? left  1.2 s per unit");
        assert_eq!(text(counts(0, 1), None, 78), "✗ failed  2 units: 1 done, 1 failed  1.2 s per unit");
        assert_eq!(text(counts(0, 0), None, 78), "✓ finished  1 unit: 1 done  1.2 s per unit");
    }
}
