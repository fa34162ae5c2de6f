//! `mancalab evolve`: breeding without a screen.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::Args;
use serde::Serialize;
use serde_json::Value;

use super::live::Progress;
use super::out;
use super::presets;
use super::run::{self, Pace, RunArgs, Teller, clock, event};
use crate::config::Config;
use crate::evolve::gp::Scores;
use crate::evolve::gp::row::short;
use crate::evolve::problems::{AnyJob, AnyRun, AnySettings, CUSTOM};
use crate::game::Variant;
use crate::job::Run as _;
use crate::paths::Paths;
use crate::plain;
use crate::ui::short_count;

#[derive(Args, Debug, Default)]
#[command(after_help = after_help())]
pub struct EvolveArgs {
    /// The settings to start from, such as mancala-gp-2
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
    AnySettings::presets().into_iter().chain([(CUSTOM, "the config's section [evolution]")]).collect()
}

pub(super) fn after_help() -> String {
    let all: Vec<_> =
        AnySettings::of_all().into_iter().map(|settings| (settings.game().title().to_owned(), settings)).collect();
    presets::after_help_of_all(&presets(), &all)
}

pub fn run(args: &EvolveArgs, paths: &Paths) -> Result<ExitCode> {
    run::run::<AnyRun, _>(&args.run, Evolution { best: f64::NEG_INFINITY }, paths, args.generations, || {
        settings(args, paths)
    })
}

/// The settings that the arguments name.
///
/// # Errors
/// A sentence with the value and what would be accepted.
pub fn settings(args: &EvolveArgs, paths: &Paths) -> Result<AnySettings> {
    let name = args.preset.as_deref().ok_or_else(|| presets::missing_preset("evolve", &presets(), ""))?;
    let mut settings = if name == CUSTOM {
        AnySettings::Kalah(Config::load(paths, args.config.as_deref()).map_err(|error| anyhow!(error))?.evolution)
    } else {
        AnySettings::preset(name).map_err(|error| anyhow!(error))?
    };
    let seed = args.seed.unwrap_or_else(|| run::next_seed::<AnyRun>(name, paths));
    let flags = [
        ("seed", Some(seed.to_string())),
        ("generations", args.generations.map(|count| count.to_string())),
        ("population", args.population.map(|count| count.to_string())),
    ];
    presets::apply(&mut settings, &flags, &args.set)?;
    settings.tableau().check().map_err(|error| anyhow!(error))?;
    Ok(settings)
}

/// What there is to tell of a population.
struct Evolution {
    /// The best fitness that was told.
    best: f64,
}

impl Teller<AnyRun> for Evolution {
    const COMMAND: &'static str = "evolve";

    fn settings<'a>(&self, run: &'a AnyRun) -> &'a AnySettings {
        run.settings()
    }

    fn begun(&self, run: &AnyRun) -> Value {
        #[derive(Serialize)]
        struct Begun {
            population: u32,
        }
        out::value(&Begun { population: run.settings().tableau().population })
    }

    fn rows(&self, run: &AnyRun, from: usize) -> Vec<Value> {
        let history = run.history();
        (from..history.len()).filter_map(|index| history.get(index)).map(|row| event("generation", &row)).collect()
    }

    fn progress(&self, run: &AnyRun, pace: &Pace) -> Option<String> {
        let sight = run.sight();
        let standing = sight.standing();
        let generation = standing.generation.unwrap_or(0);
        let mut text = format!("generation {generation} of {}", standing.of);
        if let Some((found, best)) = sight.best() {
            let fitness = short(best.outcome.fitness);
            let scores = standing.history.measures().told(&best.outcome.scores, short);
            text += &format!("  best {fitness} ({scores}; found in {found})");
        }
        text += &format!("  {} evals/s", short_count(standing.times.evaluations_per_second() as u64));
        if let Some(left) = pace.seconds_left(standing.history.len() as u64, standing.of + 1) {
            text += &format!("  {} left", clock(left));
        }
        Some(text)
    }

    fn live(&self, run: &AnyRun, pace: &Pace) -> Option<Progress> {
        let sight = run.sight();
        let standing = sight.standing();
        let (ended, all) = (standing.history.len() as u64, standing.of + 1);
        let begun = standing.evaluated as f64 / standing.to_evaluate.max(1) as f64;
        let best = sight.best().map(|(found, best)| format!("best {} (found in {found})", short(best.outcome.fitness)));
        Some(Progress {
            share: (ended as f64 + begun) / all as f64,
            at: format!("generation {}/{}", standing.generation.unwrap_or(0), standing.of),
            left: pace.seconds_left(ended, all),
            speed: format!("{} evals/s", short_count(standing.times.evaluations_per_second() as u64)),
            more: best.into_iter().collect(),
        })
    }

    fn news(&mut self, run: &AnyRun) -> Option<String> {
        self.is_news(run).then(|| run.sight().best_told().map(|(summary, _)| summary)).flatten()
    }

    /// A better program has been found.
    fn is_news(&mut self, run: &AnyRun) -> bool {
        let best = run.best_so_far().map_or(f64::NEG_INFINITY, |best| best.outcome.fitness);
        let is_better = best > self.best;
        self.best = best;
        is_better
    }

    fn ended(&self, run: &AnyRun) -> Value {
        let sight = run.sight();
        let best = sight.best().map(|(_, best)| best.outcome);
        out::value(&Ended {
            generation: run.generation(),
            fitness: best.map(|best| best.fitness),
            scores: best.map(|best| best.scores),
            best: sight.best_told().map(|(summary, _)| summary),
            program: sight.best_program().map(|program| program.text()),
        })
    }

    fn end(&self, job: &AnyJob) {
        if let Some((summary, simplified)) = job.run().sight().best_told() {
            out::line(&format!("best: {summary}"));
            out::line(&format!("      {}", shortened(&simplified)));
        }
        let best = job.folder().map(|folder| folder.join("best.txt")).filter(|best| best.is_file());
        if let Some(best) = best {
            let settings = job.run().settings();
            let mut player = OsString::from(format!("{}:", settings.player_word()));
            player.push(best);
            let (game, usual) = (settings.game().name(), Variant::usual()[0].name());
            let game = if game == usual { String::new() } else { format!("--game {game} ") };
            out::line(&format!("play: mancalab {game}--north {}", plain::shell(player)));
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
