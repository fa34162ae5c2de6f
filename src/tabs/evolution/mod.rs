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
use crate::evolve::gp::{Best, EvolutionView, History, Individual};
use crate::evolve::kalah::settings::{CUSTOM, PRESETS};
use crate::evolve::kalah::{KalahProblem, KalahRun, Settings};
use crate::game::Position;
use crate::job::Watching;
use crate::program::kalah::{KalahLanguage, Program};
use crate::ui::Look;

pub use panels::Panels;
use population::number;

/// The tab.
pub type Evolution = Runs<Breeding>;

/// See [`Kind`].
pub struct Breeding;

/// All there is to see.
pub struct Picture {
    settings: Arc<Settings>,
    history: History,
    of: u64,
    best: Option<Arc<Best<KalahLanguage>>>,
    /// Only of a run that runs here.
    view: Option<EvolutionView<KalahProblem>>,
    /// `best.txt` of a run that is watched.
    best_text: Option<String>,
    /// The program in it.
    watched_best: Option<Arc<Program>>,
}

impl Picture {
    fn newest(&self) -> u64 {
        self.history.last().map_or(0, |row| row.generation)
    }

    /// The program of a rank, counted from 0, in the newest generation; before there is one, the best so far.
    fn selected(&self, rank: usize) -> Option<&Individual<KalahLanguage>> {
        let population = self.view.as_ref().and_then(|view| view.population.as_deref());
        let ranked = population.and_then(|population| population.ranked(rank).or_else(|| population.ranked(0)));
        ranked.or(self.best.as_deref().map(|best| &best.individual))
    }

    /// What the selected program is called.
    fn title(&self, rank: usize) -> String {
        let Some(selected) = self.selected(rank) else { return "Best program".to_owned() };
        match &self.best {
            Some(best) if best.individual.hash == selected.hash => "Best program".to_owned(),
            _ => format!("Program of rank {}", rank + 1),
        }
    }
}

impl Kind for Breeding {
    type Run = KalahRun;
    type Picture = Picture;
    type Panels = Panels;

    const SCOPE: &'static str = "evolution";
    const TITLE: &'static str = "Evolution";
    const UNIT: &'static str = "generation";
    const ABOUT: &'static str = "Genetic programming breeds programs that play Kalah: trees of IF<, +, - and a look into a pit, \
                                 from random ones to ones that beat their opponent moving first and moving second.";

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
        PRESETS.iter().copied().chain([(CUSTOM, "the settings of the config's section [evolution]")]).collect()
    }

    fn preset(name: &str, cx: &Context) -> Result<Settings, String> {
        if name == CUSTOM { Ok(cx.config.evolution.clone()) } else { Settings::preset(name) }
    }

    fn describe(settings: &Settings) -> Vec<(&'static str, String)> {
        let tableau = &settings.tableau;
        let head = [("seed", tableau.seed.to_string()), ("generations", tableau.generations.to_string())];
        head.into_iter().chain(settings.list().into_iter().map(|(key, _, value)| (key, value))).collect()
    }

    fn fields(settings: &Settings) -> Vec<(String, String)> {
        Breeding::describe(settings).into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }

    fn about(settings: &Settings, key: &str) -> String {
        about(settings, key)
    }

    fn set(settings: &mut Settings, key: &str, value: &str) -> Result<(), String> {
        settings.set(key, value).map_err(|refusal| refusal.in_a_line())
    }

    fn offers(key: &str) -> Vec<String> {
        let some = if key == "selection" { vec!["roulette", "tournament:4"] } else { Settings::words(key) };
        some.into_iter().map(str::to_owned).collect()
    }

    fn check(settings: &Settings) -> Result<(), String> {
        settings.tableau.check()
    }

    fn picture(view: EvolutionView<KalahProblem>) -> Picture {
        Picture {
            settings: Arc::clone(&view.settings),
            history: view.history.clone(),
            of: view.of,
            best: view.best.clone(),
            best_text: None,
            watched_best: None,
            view: Some(view),
        }
    }

    fn watched(run: &Watching<KalahRun>) -> Picture {
        Picture {
            settings: Arc::new(run.settings().clone()),
            history: run.seen().history.clone(),
            of: run.manifest().generations,
            best: run.view().and_then(|view| view.best.clone()),
            view: run.view().cloned(),
            best_text: run.best().map(str::to_owned),
            watched_best: run.best().and_then(panels::program_in).map(Arc::new),
        }
    }

    fn status(picture: &Picture) -> Status {
        let last = picture.history.last();
        let best = match &picture.best {
            Some(best) => format!("best {} in {}", number(best.individual.outcome.fitness), best.found),
            None => last.map_or(String::new(), |last| {
                let found = picture.history.iter().find(|row| row.best >= last.best).map_or(0, |row| row.generation);
                format!("best {} in {found}", number(last.best))
            }),
        };
        let (rate, within) = match &picture.view {
            Some(view) if view.to_evaluate > 0 => (Some(view), view.evaluated as f64 / view.to_evaluate as f64),
            view => (view.as_ref(), 0.0),
        };
        let rate = rate.map(|view| (view.times.evaluations_per_second(), "evals/s"));
        let spent = picture.view.as_ref().map(|view| view.times.breeding + view.times.evaluating);
        Status { best, rate, spent, ..Status::of_generations(last.map(|row| row.generation), picture.of, within) }
    }

    fn open(panels: &mut Panels, picture: &Picture, at: &Path, cx: &mut Context) {
        open::on_the_board(panels, picture, at, false, cx);
    }

    fn can_open(_: &Panels, picture: &Picture) -> bool {
        picture.best.is_some() || picture.best_text.is_some()
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
