//! `mancalab evolve`: breeding without a screen.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use serde::Serialize;
use serde_json::Value;

use super::live::Progress;
use super::out;
use super::run::{self, Pace, RunArgs, Teller, clock, event};
use crate::config::Config;
use crate::evolve::gp::row::short;
use crate::evolve::gp::{Best, Problem as _, Scores};
use crate::evolve::kalah::settings::{CUSTOM, PRESETS};
use crate::evolve::kalah::{KalahJob, KalahProblem, KalahRun, Settings};
use crate::job::Run as _;
use crate::paths::Paths;
use crate::plain;
use crate::ui::short_count;

#[derive(Args, Debug, Default)]
#[command(after_help = after_help())]
pub struct EvolveArgs {
    /// mancala-gp-1, mancala-gp-2, mancala-gp-broad, or custom: the config's section evolution
    pub preset: Option<String>,
    /// Decides all random choices in the run; without it the first from 1 on that no kept run of the preset has
    #[arg(long, value_name = "NUMBER", conflicts_with = "resume")]
    pub seed: Option<u64>,
    /// How many generations are bred after the first; of a run that is gone on with, more than it has
    #[arg(long, value_name = "N")]
    pub generations: Option<u64>,
    /// How many programs a generation has
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    pub population: Option<u32>,
    /// Any other setting, such as selection=tournament:5; may be given several times
    #[arg(long, value_name = "KEY=VALUE", conflicts_with = "resume")]
    pub set: Vec<String>,
    /// A config file to read after the usual ones
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Presets by name and what they are, the person's own last.
fn presets() -> Vec<(&'static str, &'static str)> {
    PRESETS.iter().copied().chain([(CUSTOM, "the config's section [evolution]")]).collect()
}

fn after_help() -> String {
    run::after_help(&presets(), Settings::preset(PRESETS[0].0).ok().as_ref())
}

pub fn run(args: &EvolveArgs, paths: &Paths) -> Result<ExitCode> {
    run::run::<KalahRun, _>(&args.run, Evolution { best: f64::NEG_INFINITY }, paths, args.generations, || {
        settings(args, paths)
    })
}

/// The settings that the arguments name.
///
/// # Errors
/// A sentence with the value and what would be accepted.
pub fn settings(args: &EvolveArgs, paths: &Paths) -> Result<Settings> {
    let name = args.preset.as_deref().ok_or_else(|| run::missing_preset("evolve", &presets(), ""))?;
    let mut settings = if name == CUSTOM {
        Config::load(paths, args.config.as_deref()).map_err(|error| anyhow!(error))?.evolution
    } else {
        Settings::preset(name).map_err(|error| anyhow!(error))?
    };
    for text in &args.set {
        settings.set_text(text).map_err(|error| anyhow!(error))?;
    }
    let tableau = &mut settings.tableau;
    tableau.seed = args.seed.unwrap_or_else(|| run::next_seed::<KalahRun>(name, paths));
    tableau.generations = args.generations.unwrap_or(tableau.generations);
    tableau.population = args.population.unwrap_or(tableau.population);
    if !(2..=1_000_000).contains(&tableau.population) {
        bail!("a population of {} is not possible; 2 to 1000000 are", tableau.population);
    }
    tableau.check().map_err(|error| anyhow!(error))?;
    Ok(settings)
}

/// What there is to tell of a population.
struct Evolution {
    /// The best fitness that was told.
    best: f64,
}

impl Teller<KalahRun> for Evolution {
    const COMMAND: &'static str = "evolve";

    fn settings<'a>(&self, run: &'a KalahRun) -> &'a Settings {
        run.settings()
    }

    fn begun(&self, run: &KalahRun) -> Value {
        #[derive(Serialize)]
        struct Begun {
            population: u32,
        }
        out::value(&Begun { population: run.settings().tableau.population })
    }

    fn rows(&self, run: &KalahRun, from: usize) -> Vec<Value> {
        let history = run.history();
        (from..history.len()).filter_map(|index| history.get(index)).map(|row| event("generation", &row)).collect()
    }

    fn progress(&self, run: &KalahRun, pace: &Pace) -> Option<String> {
        let view = run.view();
        let generation = view.generation.unwrap_or(0);
        let mut text = format!("generation {generation} of {}", view.of);
        if let Some(best) = &view.best {
            let fitness = short(best.individual.outcome.fitness);
            let scores = view.history.measures().told(&best.individual.outcome.scores, short);
            text += &format!("  best {fitness} ({scores}; found in {})", best.found);
        }
        text += &format!("  {} evals/s", short_count(view.times.evaluations_per_second() as u64));
        if let Some(left) = pace.seconds_left(view.history.len() as u64, view.of + 1) {
            text += &format!("  {} left", clock(left));
        }
        Some(text)
    }

    fn live(&self, run: &KalahRun, pace: &Pace) -> Option<Progress> {
        let view = run.view();
        let (ended, all) = (view.history.len() as u64, view.of + 1);
        let begun = view.evaluated as f64 / view.to_evaluate.max(1) as f64;
        let best = view
            .best
            .as_ref()
            .map(|best| format!("best {} (found in {})", short(best.individual.outcome.fitness), best.found));
        Some(Progress {
            share: (ended as f64 + begun) / all as f64,
            at: format!("generation {}/{}", view.generation.unwrap_or(0), view.of),
            left: pace.seconds_left(ended, all),
            speed: format!("{} evals/s", short_count(view.times.evaluations_per_second() as u64)),
            more: best.into_iter().collect(),
        })
    }

    fn news(&mut self, run: &KalahRun) -> Option<String> {
        self.is_news(run).then(|| run.best_so_far().map(|best| best.summary(run.history().measures()))).flatten()
    }

    /// A better program has been found.
    fn is_news(&mut self, run: &KalahRun) -> bool {
        let best = run.best_so_far().map_or(f64::NEG_INFINITY, |best| best.individual.outcome.fitness);
        let is_better = best > self.best;
        self.best = best;
        is_better
    }

    fn ended(&self, run: &KalahRun) -> Value {
        let best = run.best_so_far();
        let measures = run.history().measures();
        let text = |best: &Best<_>| KalahProblem::text(run.settings(), &best.individual.program);
        let (text, summary) = best.map(|best| (text(best), best.summary(measures))).unzip();
        out::value(&Ended {
            generation: run.generation(),
            fitness: best.map(|best| best.individual.outcome.fitness),
            scores: best.map(|best| best.individual.outcome.scores),
            best: summary,
            program: text,
        })
    }

    fn end(&self, job: &KalahJob) {
        if let Some(best) = job.run().best_so_far() {
            out::line(&format!("best: {}", best.summary(job.run().history().measures())));
            out::line(&format!("      {}", shortened(&best.simplified.0)));
        }
        let best = job.folder().map(|folder| folder.join("best.txt")).filter(|best| best.is_file());
        if let Some(best) = best {
            let mut player = OsString::from("program:");
            player.push(best);
            out::line(&format!("play: mancalab --north {}", plain::shell(player)));
        }
    }
}

/// What the last line of `--json` tells beside how the run went.
#[derive(Serialize)]
struct Ended {
    generation: Option<u64>,
    fitness: Option<f64>,
    scores: Option<Scores>,
    best: Option<String>,
    program: Option<String>,
}

/// At most 200 characters of a program.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_owned(),
    }
}
