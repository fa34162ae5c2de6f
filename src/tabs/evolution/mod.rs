//! The Evolution tab: genetic programming breeds players of Kalah.
//!
//! [`Breeding`] is what the tab brings to [`Runs`]: presets, settings, and the panels in `panels`.

mod charts;
mod details;
mod open;
mod panels;
mod population;
mod program;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::runs::{Kind, Runs, Status, about, own, run_commands};
use crate::app::command::Command;
use crate::app::effect::Context;
use crate::document::Listed as _;
use crate::evolve::gp::{History, Merits, Standing};
use crate::evolve::problems::{AnyRun, AnySettings, CUSTOM, Sight};
use crate::evolve::shown::{AnyProgram, AnyView};
use crate::game::Position;
use crate::job::Watching;
use crate::ui::Look;

pub use panels::Panels;
use population::number;

/// The tab.
pub type Evolution = Runs<Breeding>;

/// See [`Kind`].
pub struct Breeding;

/// All there is to see.
pub struct Picture {
    settings: Arc<AnySettings>,
    history: History,
    of: u64,
    /// All but what the rows tell; of a run that another process writes as of its newest checkpoint.
    view: Option<Arc<dyn AnyView>>,
    /// `best.txt` of a run that is watched.
    best_text: Option<String>,
    /// The program in it.
    watched_best: Option<Arc<dyn AnyProgram>>,
}

impl Picture {
    fn newest(&self) -> u64 {
        self.history.last().map_or(0, |row| row.generation)
    }

    fn standing(&self) -> Option<&Standing> {
        self.view.as_deref().map(AnyView::standing)
    }

    /// The best so far, and the generation it was found in.
    fn best(&self) -> Option<(u64, &Merits)> {
        self.view.as_deref().and_then(AnyView::best)
    }

    /// The rank that is shown where this one is selected, which there may not be in the newest generation; `None` before there is one.
    fn shown(&self, rank: usize) -> Option<usize> {
        let (_, len) = self.view.as_deref()?.population()?;
        Some(if rank < len { rank } else { 0 })
    }

    /// The program of a rank, counted from 0, in the newest generation; before there is one, the best so far.
    fn selected(&self, rank: usize) -> Option<&Merits> {
        match self.shown(rank) {
            Some(rank) => self.view.as_deref()?.ranked(rank),
            None => self.best().map(|(_, best)| best),
        }
    }

    /// The same to be looked at; of a run of which only the best is known, that.
    fn program(&self, rank: usize) -> Option<Arc<dyn AnyProgram>> {
        let view = self.view.as_deref();
        let selected =
            view.and_then(|view| self.shown(rank).map_or_else(|| view.best_program(), |rank| view.program(rank)));
        selected.or_else(|| self.watched_best.clone())
    }

    /// What the selected program is called.
    fn title(&self, rank: usize) -> String {
        let Some(selected) = self.selected(rank) else { return "Best program".to_owned() };
        match self.best() {
            Some((_, best)) if best.hash == selected.hash => "Best program".to_owned(),
            _ => format!("Program of rank {}", rank + 1),
        }
    }
}

impl Kind for Breeding {
    type Run = AnyRun;
    type Picture = Picture;
    type Panels = Panels;

    const SCOPE: &'static str = "evolution";
    const TITLE: &'static str = "Evolution";
    const UNIT: &'static str = "generation";
    const ABOUT: &'static str = "Genetic programming breeds programs that play Kalah, trees of IF<, +, - and a look into a pit, and \
                                 functions that value boards of Othello: from random ones to ones that beat their opponents.";

    const CURVE: Option<&'static str> = Some("best_fitness_points");
    const KEYS: &'static [(&'static str, &'static str)] = &[
        ("up down", "Choose a program, or a line of it"),
        ("left right", "Sort by the column beside; move a chart's cursor; fold and unfold a program"),
        ("esc", "Leave the cursor, the zoom, the run"),
    ];

    const COMMANDS: &'static [Command<Evolution>] = run_commands!(
        "evolution",
        "generation",
        own::<Breeding>("evolution.challenge", "Play against the selected program on the Board", &["c"], |tab, cx| {
            tab.with_picture(|panels, picture, at| open::on_the_board(panels, picture, at, true, cx));
        })
        .footer("challenge")
        .when(|tab| tab.shows(Breeding::can_open)),
        own::<Breeding>("evolution.details", "Show something else beside the population", &["d"], |tab, _| {
            tab.with_picture(|panels, _, _| panels.next_details());
        })
        .footer("details"),
        own::<Breeding>("evolution.focus", "Go to the next panel", &["f"], |tab, _| {
            tab.with_picture(|panels, _, _| panels.next_pane());
        })
        .footer("panel"),
        own::<Breeding>("evolution.zoom", "Give the panel the whole page, or all panels again", &["z"], |tab, _| {
            tab.with_picture(|panels, _, _| panels.panes.zoom());
        })
        .footer("zoom"),
        own::<Breeding>(
            "evolution.span",
            "Show the run so far, its newest part, or up to its end",
            &["a"],
            |tab, _| {
                tab.with_picture(|panels, picture, _| panels.lens.span = panels.lens.span.next(picture.newest()));
            }
        )
        .footer("span"),
    );

    fn presets() -> Vec<(&'static str, &'static str)> {
        AnySettings::presets()
            .into_iter()
            .chain([(CUSTOM, "the settings of the config's section [evolution]")])
            .collect()
    }

    fn preset(name: &str, cx: &Context) -> Result<AnySettings, String> {
        if name == CUSTOM { Ok(AnySettings::Kalah(cx.config.evolution.clone())) } else { AnySettings::preset(name) }
    }

    fn describe(settings: &AnySettings) -> Vec<(&'static str, String)> {
        let tableau = settings.tableau();
        let head = [("seed", tableau.seed.to_string()), ("generations", tableau.generations.to_string())];
        head.into_iter().chain(settings.list().into_iter().map(|(key, _, value)| (key, value))).collect()
    }

    fn fields(settings: &AnySettings) -> Vec<(String, String)> {
        Breeding::describe(settings).into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }

    fn about(settings: &AnySettings, key: &str) -> String {
        about(settings, key)
    }

    fn set(settings: &mut AnySettings, key: &str, value: &str) -> Result<(), String> {
        settings.set(key, value).map_err(|refusal| refusal.in_a_line())
    }

    fn offers(settings: &AnySettings, key: &str) -> Vec<String> {
        settings.words(key).into_iter().map(str::to_owned).collect()
    }

    fn check(settings: &AnySettings) -> Result<(), String> {
        settings.tableau().check()
    }

    fn picture(Sight { settings, view }: Sight) -> Picture {
        let Standing { history, of, .. } = view.standing().clone();
        Picture { settings, history, of, best_text: None, watched_best: None, view: Some(view) }
    }

    fn watched(run: &Watching<AnyRun>) -> Picture {
        Picture {
            settings: Arc::new(run.settings().clone()),
            history: run.seen().history.clone(),
            of: run.manifest().generations,
            view: run.view().map(|sight| Arc::clone(&sight.view)),
            best_text: run.best().map(str::to_owned),
            watched_best: run.best().and_then(|text| run.settings().program_in(text)),
        }
    }

    fn status(picture: &Picture) -> Status {
        let last = picture.history.last();
        let best = match picture.best() {
            Some((found, best)) => format!("best {} in {found}", number(best.outcome.fitness)),
            None => last.map_or(String::new(), |last| {
                let found = picture.history.iter().find(|row| row.best >= last.best).map_or(0, |row| row.generation);
                format!("best {} in {found}", number(last.best))
            }),
        };
        let standing = picture.standing();
        let within = standing.filter(|standing| standing.to_evaluate > 0);
        let within = within.map_or(0.0, |standing| standing.evaluated as f64 / standing.to_evaluate as f64);
        let rate = standing.map(|standing| (standing.times.evaluations_per_second(), "evals/s"));
        let spent = standing.map(|standing| standing.times.breeding + standing.times.evaluating);
        Status { best, rate, spent, ..Status::of_generations(last.map(|row| row.generation), picture.of, within) }
    }

    fn open(panels: &mut Panels, picture: &Picture, at: &Path, cx: &mut Context) {
        open::on_the_board(panels, picture, at, false, cx);
    }

    fn can_open(_: &Panels, picture: &Picture) -> bool {
        picture.best().is_some() || picture.best_text.is_some()
    }

    fn key(panels: &mut Panels, key: KeyEvent, picture: &Picture) -> bool {
        panels.key(key.code, picture)
    }

    fn turn(panels: &mut Panels, by: isize) {
        panels.population.turn(by);
    }

    fn reverse(panels: &mut Panels) {
        panels.population.reverse();
    }

    fn click(panels: &mut Panels, at: (u16, u16), picture: &Picture) -> bool {
        panels.click(at, picture)
    }

    fn wheel(panels: &mut Panels, at: (u16, u16), down: bool, picture: &Picture) {
        panels.wheel(at, down, picture);
    }

    fn anew(panels: Panels) -> Panels {
        panels.anew()
    }

    fn see(panels: &mut Panels, board: Position) {
        panels.see(board);
    }

    fn draw(panels: &mut Panels, picture: &Picture, area: Rect, buf: &mut Buffer, look: &Look) {
        panels.draw(picture, area, buf, look);
    }
}

/// Where a program of a run is kept for the Board to read.
fn program_file(run: &Path, generation: u64, rank: usize) -> PathBuf {
    run.join("programs").join(format!("generation-{generation}-rank-{}.txt", rank + 1))
}
