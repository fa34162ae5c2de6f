//! The Train tab: a network learns a game by playing it, or an evaluation of Othello or checkers is learned.
//!
//! [`TAB`] describes the tab to [`Runs`](super::runs::Runs). The panels of both (`panels`) are their strength (`strength`) and the measures
//! of training (`measures`); networks have also value and policy in fixed positions (`positions`) and the shares of the
//! opponents, evaluations (`evaluations`) their errors by stage. Players and games are opened on the Board from `strength`.

mod evaluations;
mod measures;
mod panels;
mod positions;
mod strength;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::runs::parts::header::{Status, step};
use super::runs::parts::kind::{PLAIN_FORM, Pages, RunTab, RunViewModel};
use super::runs::{Runs, run_commands, shared};
use crate::app::command::Command;
use crate::job::{self, RunWatcher};
use crate::learners::Snapshot;
use crate::train::{NetworkSnapshot, View};

use panels::Panels;

/// See [`RunTab`].
pub static TAB: RunTab = RunTab {
    command: "train",
    scope: "train",
    title: "Train",
    about: "A network learns a game by playing other players, past snapshots and itself: an actor-critic whose policy \
            chooses the moves and whose value estimates the result of a position. Or an evaluation of Othello (patterns) or checkers \
            (networks) learns from its own games.",
    keys: &[
        ("up down", "Choose an opponent, a measure, a position or a stage"),
        ("left right", "Sort by another column, or move a chart's cursor"),
        ("PgUp PgDn", "Choose a game against the opponent"),
        ("esc", "Leave the cursor, the zoom, the run"),
    ],
    custom: None,
    form: PLAIN_FORM,
    pages: Pages::new::<Panels>(),
};

/// The tab's commands.
pub static COMMANDS: &[Command<Runs>] = run_commands!(
    "train",
    "generation",
    shared::challenge("train.challenge", "Play against the network or the evaluation on the Board")
        .disabled_reason("nothing has been learned yet"),
    shared::details(
        "train.details",
        "Change the side panel: positions or opponents; errors by stage as a list or a chart"
    ),
    shared::focus("train.focus"),
    shared::zoom("train.zoom"),
    shared::shape("train.shape"),
    shared::span("train.span"),
);

impl RunViewModel for Snapshot {
    fn downcast(view: &job::View) -> Option<Snapshot> {
        Snapshot::from_view(view)
    }

    /// The rows are newer than the checkpoint with the network, so progress and speed come from them.
    fn watched(run: &RunWatcher) -> Option<Snapshot> {
        let Some(seen) = run.seen().get::<View>().cloned() else {
            return run.seen().get().cloned().map(Snapshot::Evaluation);
        };
        Some(Snapshot::Network(match run.view().and_then(job::View::get) {
            Some(View { learned, measured_network, probes, .. }) => {
                let learned = learned.clone();
                let measured_network = measured_network.clone();
                View { learned, measured_network, probes: Arc::clone(probes), ..seen }
            }
            None => seen,
        }))
    }

    fn status(&self) -> Status {
        let measured = self.measured().map(|(_, met)| strength::in_short(&**self, met));
        let error = match self {
            Snapshot::Network(_) => None,
            Snapshot::Evaluation(view) => {
                view.past.last().map(|past| format!("error {:.2} {}", past.error, view.settings.subject.unit))
            }
        };
        let rate = Some((self.games_per_second(), "games/s"));
        let within = if self.is_over() { 0.0 } else { self.within() };
        Status {
            step: if self.is_over() { String::new() } else { current_step(self) },
            best: error.or(measured).unwrap_or_default(),
            rate,
            spent: Some(self.spent()),
            ..Status::of_generations(self.newest(), self.last(), within)
        }
    }
}

/// Returns the part of the generation in progress.
fn current_step(snapshot: &Snapshot) -> String {
    match snapshot {
        Snapshot::Network(view) if !view.is_own => String::new(),
        Snapshot::Network(view) if view.round >= view.settings.rounds => "measuring".to_owned(),
        Snapshot::Network(view) => step("round", view.round.into(), view.settings.rounds.into()),
        Snapshot::Evaluation(view) if view.phase.is_empty() => String::new(),
        Snapshot::Evaluation(view) => format!("{} {:>2.0} %", view.phase, 100.0 * view.within),
    }
}

/// Returns the generation of the shown network.
fn shown_generation(view: &View) -> Option<u64> {
    view.learned.as_ref().map(|NetworkSnapshot { generation, .. }| *generation)
}
