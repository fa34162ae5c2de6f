//! The Evolution tab: genetic programming of players of games of pits and of evaluation functions for Othello.
//!
//! [`TAB`] describes the tab to [`Runs`](super::runs::Runs); the panels are in `panels`.

mod analysis;
mod details;
mod panels;
mod program;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::runs::parts::header::Status;
use super::runs::parts::kind::{PLAIN_FORM, Pages, RunTab, RunViewModel};
use super::runs::{Runs, run_commands, shared};
use crate::app::command::Command;
use crate::evolve::gp::view::FromRows;
use crate::evolve::gp::{History, RunStatus, Selectable};
use crate::evolve::inspect::{AnyProgram, AnyView as ProgramsView};
use crate::evolve::problems::{AnyProblem, CUSTOM, Snapshot};
use crate::job::{RunSettings, RunWatcher, View};
use crate::kinds::KindOf as _;
use crate::measuring::Strength;

use panels::{Panels, number};

/// The displayed data of a run.
pub struct ViewModel {
    settings: Arc<dyn AnyProblem>,
    history: History,
    last_generation: u64,
    strength: Strength,
    /// Everything except the rows; for a watched run, as of its newest checkpoint.
    view: Option<Arc<dyn ProgramsView>>,
    /// The text of `best.txt`, for watched runs.
    best_text: Option<String>,
    /// The program in that file.
    watched_best: Option<Arc<dyn AnyProgram>>,
}

impl ViewModel {
    /// Whether the run's best meet a panel.
    fn has_panel(&self) -> bool {
        !self.strength.players.is_empty()
    }

    fn newest(&self) -> u64 {
        self.history.last().map_or(0, |row| row.generation)
    }

    fn run_status(&self) -> Option<&RunStatus> {
        self.view.as_deref().map(ProgramsView::run_status)
    }

    /// Returns the best individual so far, and the generation that found it.
    fn best(&self) -> Option<(u64, &Selectable)> {
        self.view.as_deref().and_then(ProgramsView::best)
    }

    /// Returns the displayed rank for a selected one, which may not exist in the newest generation; `None` before the first
    /// generation.
    fn shown(&self, rank: usize) -> Option<usize> {
        let (_, len) = self.view.as_deref()?.population()?;
        Some(if rank < len { rank } else { 0 })
    }

    /// Returns the program of a rank, counted from 0, in the newest generation; before the first generation, the best so far.
    fn selected(&self, rank: usize) -> Option<&Selectable> {
        match self.shown(rank) {
            Some(rank) => self.view.as_deref()?.ranked(rank),
            None => self.best().map(|(_, best)| best),
        }
    }

    /// Like [`selected`](ViewModel::selected), as a program; for runs of which only the best is known, the best.
    fn program(&self, rank: usize) -> Option<Arc<dyn AnyProgram>> {
        let view = self.view.as_deref();
        let selected =
            view.and_then(|view| self.shown(rank).map_or_else(|| view.best_program(), |rank| view.program(rank)));
        selected.or_else(|| self.watched_best.clone())
    }

    /// Returns the title of the selected program.
    fn title(&self, rank: usize) -> String {
        let Some(selected) = self.selected(rank) else { return "Best program".to_owned() };
        match self.best() {
            Some((_, best)) if best.hash == selected.hash => "Best program".to_owned(),
            _ => format!("Program of rank {}", rank + 1),
        }
    }
}

/// See [`RunTab`].
pub static TAB: RunTab = RunTab {
    command: "evolve",
    scope: "evolution",
    title: "Evolution",
    about: "Genetic programming breeds programs that play games of pits, trees of IF<, +, - and VALUE_AT, and \
                                 functions that evaluate Othello positions, starting from random programs.",
    keys: &[
        ("up down", "Choose a program, or a line of it"),
        ("left right", "Sort by another column; move a chart's cursor; fold or unfold a program"),
        ("esc", "Leave the cursor, the zoom, the run"),
    ],
    custom: Some((CUSTOM, "the settings of section [evolution] in the config", |cx| {
        <Box<dyn RunSettings>>::from(cx.config.evolution.clone())
    })),
    form: PLAIN_FORM,
    pages: Pages::new::<Panels>(),
};

/// The tab's commands.
pub static COMMANDS: &[Command<Runs>] = run_commands!(
    "evolution",
    "generation",
    shared::challenge("evolution.challenge", "Play against the selected program on the Board"),
    shared::analyse("evolution.analyse", "Analyse the selected program: what it reads, and what each part is worth"),
    shared::details("evolution.details", "Change the panel beside the population"),
    shared::focus("evolution.focus"),
    shared::zoom("evolution.zoom"),
    shared::shape("evolution.shape"),
    shared::span("evolution.span"),
);

impl RunViewModel for ViewModel {
    fn downcast(view: &View) -> Option<ViewModel> {
        let strength = Strength::new(view.measured());
        let Snapshot { settings, view } = view.get::<Snapshot>()?.clone();
        let RunStatus { history, last_generation: of, .. } = view.run_status().clone();
        Some(ViewModel {
            settings,
            history,
            last_generation: of,
            strength,
            best_text: None,
            watched_best: None,
            view: Some(view),
        })
    }

    fn watched(run: &RunWatcher) -> Option<ViewModel> {
        let settings = run.settings().problem()?;
        Some(ViewModel {
            history: run.seen().get::<FromRows>()?.history.clone(),
            last_generation: run.reader().manifest().generations,
            strength: Strength::new(&run.seen().measured()),
            view: run.view().and_then(View::get::<Snapshot>).map(|snapshot| Arc::clone(&snapshot.view)),
            best_text: run.best().map(str::to_owned),
            watched_best: run.best().and_then(|text| settings.program_in(text)),
            settings,
        })
    }

    fn status(&self) -> Status {
        let last = self.history.last();
        let best = match self.best() {
            Some((found, best)) => format!("best {} in {found}", number(best.outcome.fitness)),
            None => last.map_or(String::new(), |last| {
                let found = self.history.iter().find(|row| row.best >= last.best).map_or(0, |row| row.generation);
                format!("best {} in {found}", number(last.best))
            }),
        };
        let run_status = self.run_status();
        let within = run_status.filter(|run_status| run_status.to_evaluate > 0);
        let within = within.map_or(0.0, |run_status| run_status.evaluated as f64 / run_status.to_evaluate as f64);
        let rate = run_status.map(|run_status| (run_status.times.evaluations_per_second(), "evals/s"));
        let spent = run_status.map(|run_status| run_status.times.breeding + run_status.times.evaluating);
        Status {
            best,
            rate,
            spent,
            ..Status::of_generations(last.map(|row| row.generation), self.last_generation, within)
        }
    }
}

/// Returns the file of a program of a run, for the Board.
fn program_file(run: &Path, generation: u64, rank: usize) -> PathBuf {
    run.join("programs").join(format!("generation-{generation}-rank-{}.txt", rank + 1))
}
