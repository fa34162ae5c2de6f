//! `mancalab evolve`: genetic programming without a screen.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::Value;

use super::live::Progress;
use super::out;
use super::run::{Pace, Reporter, clock, event};
use super::start::{Custom, Start, StartArgs};
use crate::config::Config;
use crate::evolve::gp::Scores;
use crate::evolve::gp::row::short;
use crate::evolve::problems::{CUSTOM, Snapshot};
use crate::evolve::vocabulary::VOCABULARY;
use crate::job::RunSettings;
use crate::kinds::KindOf as _;
use crate::paths::Paths;
use crate::sanitize;
use crate::ui::short_count;

// The arguments of `mancalab evolve`.
#[derive(Args, Debug)]
pub struct EvolveArgs {
    #[command(flatten)]
    start: StartArgs<EvolveReporter>,
    /// Also keep every generation's population in the run's folder, as individuals.csv: fitness, size, origin and text of each program
    #[arg(long, value_name = "WHAT", conflicts_with = "resume")]
    keep: Option<Keep>,
}

/// What a run keeps besides its rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Keep {
    Population,
}

impl EvolveArgs {
    pub fn run(&self, paths: &Paths) -> Result<ExitCode> {
        self.start.run(EvolveReporter::default(), paths, self.keep.is_some())
    }
}

/// Reporter of genetic programming runs.
#[derive(Debug)]
pub struct EvolveReporter {
    /// The best fitness reported so far.
    best: f64,
}

impl Default for EvolveReporter {
    fn default() -> EvolveReporter {
        EvolveReporter { best: f64::NEG_INFINITY }
    }
}

impl Start for EvolveReporter {
    const FLAGS: &'static [(&'static str, &'static str)] =
        &[("generations", "Generations after the initial one"), ("population", "Programs per generation")];
    const EXAMPLE: &'static str = "selection=tournament:5";
    const CUSTOM: Option<Custom> = Some((CUSTOM, "the config's section [evolution]", |config, paths| {
        Ok(<Box<dyn RunSettings>>::from(Config::load(paths, config)?.evolution))
    }));
    const LISTS: &'static [(&'static str, &'static [(&'static str, &'static str)])] = VOCABULARY;
}

impl Reporter for EvolveReporter {
    const COMMAND: &'static str = "evolve";
    type View = Snapshot;

    fn begun(&self, settings: &dyn RunSettings) -> Value {
        #[derive(Serialize)]
        struct FirstLine {
            population: Option<u32>,
        }
        out::value(&FirstLine { population: settings.problem().map(|problem| problem.tableau().population) })
    }

    fn rows(&self, view: &Snapshot, from: usize) -> Vec<Value> {
        let history = &view.view.run_status().history;
        (from..history.len()).filter_map(|index| history.get(index)).map(|row| event("generation", &row)).collect()
    }

    fn progress(&self, view: &Snapshot, pace: &Pace) -> Option<String> {
        let snapshot = &view.view;
        let run_status = snapshot.run_status();
        let generation = run_status.generation.unwrap_or(0);
        let mut text = format!("generation {generation} of {}", run_status.last_generation);
        if let Some((found, best)) = snapshot.best() {
            let fitness = short(best.outcome.fitness);
            let scores = run_status.history.measures().to_text(&best.outcome.scores, short);
            text += &format!("  best {fitness} ({scores}; generation {found})");
        }
        text += &format!("  {} evals/s", short_count(run_status.times.evaluations_per_second() as u64));
        if let Some(left) = pace.seconds_left(run_status.history.len() as u64, run_status.last_generation + 1) {
            text += &format!("  {} left", clock(left));
        }
        Some(text)
    }

    fn live(&self, view: &Snapshot, _pace: &Pace) -> Option<Progress> {
        let snapshot = &view.view;
        let run_status = snapshot.run_status();
        let ended = run_status.history.len() as u64;
        let all = run_status.last_generation + 1;
        let begun = run_status.evaluated as f64 / run_status.to_evaluate.max(1) as f64;
        let best = snapshot.best().map(|(found, best)| format!("best {} (gen {found})", short(best.outcome.fitness)));
        Some(Progress {
            share: (ended as f64 + begun) / all as f64,
            count: format!("generation {}/{}", run_status.generation.unwrap_or(0), run_status.last_generation),
            // The share counts the programs of the generation under way.
            left: None,
            speed: format!("{} evals/s", short_count(run_status.times.evaluations_per_second() as u64)),
            more: best.into_iter().collect(),
        })
    }

    fn news(&mut self, view: &Snapshot) -> Option<String> {
        if !self.is_news(view) {
            return None;
        }
        let (summary, _) = view.view.best_told()?;
        let change = view.view.run_status().improvements.last().map(|improvement| &*improvement.change);
        Some(
            change
                .filter(|change| !change.is_empty())
                .map_or_else(|| summary.clone(), |change| format!("{summary}: {change}")),
        )
    }

    /// Whether there is a better program.
    fn is_news(&mut self, view: &Snapshot) -> bool {
        let best = view.view.best().map_or(f64::NEG_INFINITY, |(_, best)| best.outcome.fitness);
        let is_better = best > self.best;
        self.best = best;
        is_better
    }

    fn ended(&self, view: &Snapshot, _: Option<&Path>) -> Value {
        let snapshot = &view.view;
        let best = snapshot.best().map(|(_, best)| best.outcome);
        out::value(&LastLine {
            generation: snapshot.run_status().history.last().map(|row| row.generation),
            fitness: best.map(|best| best.fitness),
            scores: best.map(|best| best.scores),
            best: snapshot.best_told().map(|(summary, _)| summary),
            program: snapshot.best_program().map(|program| program.text()),
        })
    }

    fn end(&self, view: &Snapshot, folder: Option<&Path>) {
        if let Some((summary, simplified)) = view.view.best_told() {
            out::line(&format!("best: {summary}"));
            out::line(&format!("simplified: {}", shortened(&simplified)));
        }
        let best = folder.map(|folder| folder.join("best.txt")).filter(|best| best.is_file());
        if let Some(best) = best {
            let settings = &view.settings;
            let mut player = OsString::from(format!("{}:", settings.player_word()));
            player.push(best);
            let game = settings.game();
            out::line(&format!("play: mancalab --game {game} --north {}", sanitize::shell(player)));
        }
    }
}

/// Fields of the last line of `--json` for this kind of run.
#[derive(Serialize)]
struct LastLine {
    generation: Option<u64>,
    fitness: Option<f64>,
    scores: Option<Scores>,
    best: Option<String>,
    program: Option<String>,
}

/// The first 200 characters of a program.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_owned(),
    }
}
