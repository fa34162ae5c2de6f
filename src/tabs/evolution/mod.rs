//! The Evolution tab: genetic programming breeds players of Kalah.
//!
//! [`Breeding`] is what the tab brings to [`Runs`]: presets, settings, and the panels in `panels`.

mod open;
mod panels;
mod population;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::runs::{Kind, Runs, Status, about, own, run_commands};
use crate::app::command::Command;
use crate::app::effect::Context;
use crate::document::Listed as _;
use crate::evolve::gp::{Best, EvolutionView, History};
use crate::evolve::kalah::settings::{CUSTOM, PRESETS};
use crate::evolve::kalah::{KalahProblem, KalahRun, Settings};
use crate::job::Watching;
use crate::program::kalah::KalahLanguage;
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
}

impl Kind for Breeding {
    type Run = KalahRun;
    type Picture = Picture;
    type Panels = Panels;

    const SCOPE: &'static str = "evolution";
    const TITLE: &'static str = "Evolution";
    const UNIT: &'static str = "generation";
    const ABOUT: &'static str = "Genetic programming breeds programs that play Kalah: trees of IF<, +, - and a look at a bowl, \
                                 from random ones to ones that beat their opponent moving first and moving second.";

    const CURVE: Option<&'static str> = Some("best_fitness_points");
    const KEYS: &'static [(&'static str, &'static str)] =
        &[("up down", "Choose a program"), ("left right", "Sort by the column beside")];

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
        }
    }

    fn status(picture: &Picture) -> Status {
        let last = picture.history.last();
        let best = match &picture.best {
            Some(best) => format!("best {} (found in {})", number(best.individual.outcome.fitness), best.found),
            None => last.map_or(String::new(), |last| {
                let found = picture.history.iter().find(|row| row.best >= last.best).map_or(0, |row| row.generation);
                format!("best {} (found in {found})", number(last.best))
            }),
        };
        let (rate, within) = match &picture.view {
            Some(view) if view.to_evaluate > 0 => (Some(view), view.evaluated as f64 / view.to_evaluate as f64),
            view => (view.as_ref(), 0.0),
        };
        let rate = rate.map(|view| (view.times.evaluations_per_second(), "evals/s"));
        Status { best, rate, ..Status::of_generations(last.map(|row| row.generation), picture.of, within) }
    }

    fn open(panels: &mut Panels, picture: &Picture, at: &Path, cx: &mut Context) {
        open::on_the_board(panels, picture, at, false, cx);
    }

    fn can_open(_: &Panels, picture: &Picture) -> bool {
        picture.best.is_some() || picture.best_text.is_some()
    }

    fn key(panels: &mut Panels, key: KeyEvent, _: &Picture) -> bool {
        match key.code {
            KeyCode::Left => panels.population.turn(-1),
            KeyCode::Right => panels.population.turn(1),
            code => return panels.population.key(code),
        }
        true
    }

    fn turn(panels: &mut Panels, by: isize) {
        panels.population.turn(by);
    }

    fn reverse(panels: &mut Panels) {
        panels.population.reverse();
    }

    fn click(panels: &mut Panels, at: (u16, u16)) -> bool {
        panels.population.click(at)
    }

    fn draw(panels: &mut Panels, picture: &Picture, area: Rect, buf: &mut Buffer, look: &Look) {
        panels.draw(picture, area, buf, look);
    }
}

/// Where a program of a run is kept for the Board to read.
fn program_file(run: &Path, generation: u64, rank: usize) -> PathBuf {
    run.join("programs").join(format!("generation-{generation}-rank-{}.txt", rank + 1))
}
