//! The Train tab: a network learns a game by playing it.
//!
//! [`TAB`] describes the tab to [`Runs`](super::runs::Runs); the panels in `panels` are the network's strength (`strength`), the
//! measures of training (`measures`), value and policy in fixed positions (`positions`), and the shares of the opponents
//! (`opponents`). `open` opens its games on the Board.

mod measures;
mod open;
mod opponents;
mod panels;
mod positions;
mod strength;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::runs::{
    PLAIN_FORM, RunPanels as _, RunTab, RunViewModel, Status, panels, run_commands, shared, view_model, watched,
};
use crate::job::Watching;
use crate::kinds::{AnyRun, AnyView};
use crate::train::{Learned, View};

pub use panels::Panels;

/// See [`RunTab`].
pub static TAB: RunTab = RunTab {
    command: "train",
    scope: "train",
    title: "Train",
    about: "A network learns a game by playing other players, past snapshots and itself: an actor-critic whose policy \
                                 chooses the moves and whose value estimates the result of a position.",
    keys: &[
        ("up down", "Choose an opponent, a measure or a position"),
        ("left right", "Sort by another column, or move a chart's cursor"),
        ("PgUp PgDn", "Choose a game against the opponent"),
        ("esc", "Leave the cursor, the zoom, the run"),
    ],
    commands: run_commands!(
        "train",
        "generation",
        shared::challenge("train.challenge", "Play against the network on the Board", |tab, cx| {
            tab.with_own::<Panels>(|_, view, at| open::challenge(view, at, cx));
        })
        .enabled_if(|tab| tab.shows_own::<Panels>(Panels::can_open)),
        shared::details("train.details", "Change the side panel: positions or the opponents' shares", |tab, _| tab
            .with_own::<Panels>(
            |panels, _, _| panels.turn_beside()
        ),),
        shared::focus("train.focus", |tab, _| tab.with_own::<Panels>(|panels, _, _| panels.next_pane())),
        shared::zoom("train.zoom", |tab, _| tab.with_own::<Panels>(|panels, _, _| panels.panes.zoom())),
        shared::span("train.span", |tab, _| {
            tab.with_own::<Panels>(|panels, view, _| panels.lens.span = panels.lens.span.next(newest(view)));
        }),
    ),
    custom: None,
    form: PLAIN_FORM,
    panels: panels::<Panels>,
    view_model: view_model::<Panels>,
    watched: watched::<Panels>,
};

impl RunViewModel for View {
    fn of(view: &AnyView) -> Option<View> {
        view.get().cloned()
    }

    /// The rows are newer than the checkpoint with the network, so progress and speed come from them.
    fn watched(run: &Watching<AnyRun>) -> Option<View> {
        let seen = run.seen().get::<View>()?.clone();
        Some(match run.view().and_then(AnyView::get) {
            Some(View { learned, measured_network, probes, .. }) => {
                let (learned, measured_network) = (learned.clone(), measured_network.clone());
                View { learned, measured_network, probes: Arc::clone(probes), ..seen }
            }
            None => seen,
        })
    }

    fn status(&self) -> Status {
        let measured = self.measured().map(|(_, met)| strength::in_short(self, met));
        let rate = Some((self.games_per_second, "games/s"));
        let generation = self.past.last().map(|past| past.generation);
        let within = if self.finished { 0.0 } else { f64::from(self.round) / f64::from(self.settings.rounds) };
        Status {
            best: measured.unwrap_or_default(),
            rate,
            spent: Some(self.spent),
            ..Status::of_generations(generation, self.settings.generations, within)
        }
    }
}

/// Returns the newest completed generation.
fn newest(view: &View) -> u64 {
    view.past.last().map_or(0, |past| past.generation)
}

/// Returns the generation of the shown network.
fn shown_generation(view: &View) -> Option<u64> {
    view.learned.as_ref().map(|Learned { generation, .. }| *generation)
}
