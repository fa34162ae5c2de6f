//! The Weights tab: a genetic algorithm tunes the weights of a player, for any task.
//!
//! [`TAB`] describes the tab to [`Runs`](super::runs::Runs); the panels are in `panels`.

mod bracket;
mod open;
mod panels;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use super::runs::parts::header::{Status, step};
use super::runs::parts::kind::{PLAIN_FORM, Pages, RunTab, RunViewModel};
use super::runs::{Runs, run_commands, shared};
use crate::app::command::Command;
use crate::evolve::chunks::Chunks;
use crate::evolve::ga::{GaView, GenerationRow, Member};
use crate::evolve::task::{AnyTask, Labels, Snapshot};
use crate::job::measured::Measured;
use crate::job::{RunWatcher, View};
use crate::kinds::KindOf as _;
use crate::measuring::Strength;

use panels::Panels;

/// The displayed data of a run.
pub struct ViewModel {
    settings: Arc<dyn AnyTask>,
    labels: Labels,
    past: Chunks<GenerationRow>,
    last_generation: u64,
    strength: Strength,
    /// Everything except the rows; for a watched run, its ranking as of its newest checkpoint.
    view: Option<GaView>,
    /// The generation of the ranking.
    ranked: u64,
    /// Time spent on the run.
    spent: Duration,
}

impl ViewModel {
    fn new(
        settings: Arc<dyn AnyTask>,
        past: Chunks<GenerationRow>,
        spent: Duration,
        (view, ranked): (Option<GaView>, u64),
        measured: &Measured,
    ) -> ViewModel {
        let labels = settings.labels();
        let of = settings.generations();
        let strength = Strength::new(measured);
        ViewModel { settings, labels, past, last_generation: of, strength, view, ranked, spent }
    }

    /// Returns a member's genome for display.
    fn of_member(&self, ranked: &Member) -> Vec<f64> {
        self.shown(&self.settings.shown(&ranked.individual.genome))
    }

    /// Returns the shown numbers of a genome for display: if only proportions matter, each gene as a share of the largest.
    fn shown(&self, genome: &[f64]) -> Vec<f64> {
        let largest = genome.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        let scale = if self.labels.relative && largest > 0.0 { largest } else { 1.0 };
        genome.iter().map(|value| value / scale).collect()
    }

    /// Returns the display order of the genes: if only proportions matter, by decreasing weight in the best.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.labels.genes.len()).collect();
        if let Some(best) = self.past.last().filter(|_| self.labels.relative) {
            let weight = |gene: usize| best.best_genome.get(gene).map_or(0.0, |value| value.abs());
            crate::sort::sort_by(&mut order, |&a, &b| weight(b).total_cmp(&weight(a)));
        }
        order
    }

    /// Whether the run's best meet a panel.
    fn has_panel(&self) -> bool {
        !self.strength.players.is_empty()
    }

    fn newest(&self) -> u64 {
        self.past.last().map_or(0, |past| past.generation)
    }
}

/// See [`RunTab`].
pub static TAB: RunTab = RunTab {
    command: "tune",
    scope: "weights",
    title: "Weights",
    about: "A genetic algorithm tunes the weights of a player's evaluation. In each generation the members play \
                                 each other or opponents; the fitness of a genome is its share of the points.",
    keys: &[
        ("up down", "Choose a genome, a weight of the heat map, or a pairing of the bracket"),
        ("left right", "Sort by another column, change the round, or move a chart's cursor"),
        ("PgUp PgDn", "Choose a game of the pairing"),
        ("esc", "Leave the cursor, the zoom, the run"),
    ],
    custom: None,
    form: PLAIN_FORM,
    pages: Pages::new::<Panels>(),
};

/// The tab's commands.
pub static COMMANDS: &[Command<Runs>] = run_commands!(
    "weights",
    "generation",
    shared::challenge("weights.challenge", "Play against the selected genome on the Board"),
    shared::details("weights.details", "Change the side panel: fitness, course of the weights, standings, strength"),
    shared::focus("weights.focus"),
    shared::zoom("weights.zoom"),
    shared::shape("weights.shape"),
    shared::span("weights.span"),
);

impl RunViewModel for ViewModel {
    fn downcast(view: &View) -> Option<ViewModel> {
        let measured = view.measured();
        let Snapshot { settings, view } = view.get::<Snapshot>()?.clone();
        let ranked = view.ranked();
        Some(ViewModel::new(settings, view.past.clone(), view.spent, (Some(view), ranked), measured))
    }

    fn watched(run: &RunWatcher) -> Option<ViewModel> {
        let settings = run.settings().task()?;
        let seen: &GaView = run.seen().get()?;
        // The rows are newer than the checkpoint, so progress and speed come from them.
        let newest = |Snapshot { view, .. }: &Snapshot| {
            let ranking = Arc::clone(&view.ranking);
            let possible = view.possible;
            GaView { ranking, possible, bracket: view.bracket.clone(), ..seen.clone() }
        };
        let saved = run.view().and_then(View::get::<Snapshot>);
        let ranked = saved.map_or(0, |saved| saved.view.ranked());
        let view = saved.map(newest);
        Some(ViewModel::new(settings, seen.past.clone(), seen.spent, (view, ranked), &run.seen().measured()))
    }

    fn status(&self) -> Status {
        let last = self.past.last();
        let best = last.map_or(String::new(), |past| format!("best {:.1} % (gen {})", past.best, past.best_born));
        let progress = self.view.as_ref().filter(|view| !view.finished).map(|view| &view.progress);
        let within = progress.map_or(0.0, |progress| match progress.of_games {
            0 => 0.0,
            of => progress.games as f64 / of as f64,
        });
        let pairing = progress.filter(|progress| progress.all_pairings > 0);
        let pairing =
            pairing.map(|progress| step("pairing", progress.pairings, progress.all_pairings)).unwrap_or_default();
        let rate = self.view.as_ref().map(|view| (view.games_per_second, "games/s"));
        let spent = Some(self.spent);
        Status {
            step: pairing,
            best,
            rate,
            spent,
            ..Status::of_generations(last.map(|past| past.generation), self.last_generation, within)
        }
    }
}
