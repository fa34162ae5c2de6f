//! `mancalab evolve`: breeding without a screen.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::{ArgGroup, Args};
use serde::Serialize;
use serde_json::Value;

use super::live::Progress;
use super::out;
use super::presets::{self, Chosen};
use super::run::{self, Pace, RunArgs, Teller, clock, event};
use crate::config::Config;
use crate::evolve::gp::Scores;
use crate::evolve::gp::row::short;
use crate::evolve::kalah::KalahRun;
use crate::evolve::problems::{CUSTOM, Sight};
use crate::game::Variant;
use crate::kinds::AnySettings;
use crate::paths::Paths;
use crate::plain;
use crate::presets::unknown;
use crate::ui::short_count;

/// What a run starts from, of one or of those of a plan.
#[derive(Args, Clone, Debug)]
#[command(group = ArgGroup::new("decided").args(["population", "set"]).multiple(true))]
pub struct EvolveSettings {
    /// The settings to start from, such as mancala-gp-2
    pub preset: Option<String>,
    /// How many generations are bred after the first; of a run that is gone on with, more than it has
    #[arg(long, value_name = "N")]
    pub generations: Option<u64>,
    /// How many programs a generation has
    #[arg(long, value_name = "N")]
    pub population: Option<u32>,
    /// Any other setting, such as selection=tournament:5; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(Args, Debug)]
#[command(after_help = after_help())]
pub struct EvolveArgs {
    #[command(flatten)]
    pub settings: EvolveSettings,
    /// Decides all random choices in the run; without it the first from 1 on that no kept run of the preset has
    #[arg(long, value_name = "NUMBER", conflicts_with = "resume")]
    pub seed: Option<u64>,
    /// A config file to read after the usual ones
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Presets by name and what they are, the person's own last.
fn presets() -> Vec<(&'static str, &'static str)> {
    run::kind::<Evolution>().presets().into_iter().chain([(CUSTOM, "the config's section [evolution]")]).collect()
}

pub(super) fn after_help() -> String {
    presets::after_help_of_all(&presets(), &run::kind::<Evolution>().samples())
}

pub fn run(args: &EvolveArgs, paths: &Paths) -> Result<ExitCode> {
    let evolution = Evolution { best: f64::NEG_INFINITY };
    let settings = || args.settings.read(args.seed, args.config.as_deref(), paths);
    run::run(&args.run, evolution, paths, args.settings.generations, settings)
}

impl EvolveSettings {
    /// The settings that the arguments name.
    ///
    /// # Errors
    /// A sentence with the value and what would be accepted.
    pub fn read(&self, seed: Option<u64>, config: Option<&Path>, paths: &Paths) -> Result<AnySettings> {
        let name = self.preset.as_deref().ok_or_else(|| presets::missing_preset("evolve", &presets(), ""))?;
        let settings = if name == CUSTOM {
            let evolution = Config::load(paths, config)?.evolution;
            AnySettings::of::<KalahRun>(evolution)
        } else {
            run::kind::<Evolution>().preset(name).ok_or_else(|| anyhow!(unknown(name, &presets())))?
        };
        let flags = [
            ("generations", self.generations.map(|count| count.to_string())),
            ("population", self.population.map(|count| count.to_string())),
        ];
        let chosen = Chosen { preset: &self.preset, seed, flags: &flags, set: &self.set };
        presets::changed(settings, name, &chosen, paths)
    }
}

/// What there is to tell of a population.
struct Evolution {
    /// The best fitness that was told.
    best: f64,
}

impl Teller for Evolution {
    const COMMAND: &'static str = "evolve";
    type View = Sight;

    fn begun(&self, settings: &AnySettings) -> Value {
        #[derive(Serialize)]
        struct Begun {
            population: Option<u32>,
        }
        out::value(&Begun { population: settings.problem().map(|problem| problem.tableau().population) })
    }

    fn rows(&self, view: &Sight, from: usize) -> Vec<Value> {
        let history = &view.view.standing().history;
        (from..history.len()).filter_map(|index| history.get(index)).map(|row| event("generation", &row)).collect()
    }

    fn progress(&self, view: &Sight, pace: &Pace) -> Option<String> {
        let sight = &view.view;
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

    fn live(&self, view: &Sight, pace: &Pace) -> Option<Progress> {
        let sight = &view.view;
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

    fn news(&mut self, view: &Sight) -> Option<String> {
        self.is_news(view).then(|| view.view.best_told().map(|(summary, _)| summary)).flatten()
    }

    /// A better program has been found.
    fn is_news(&mut self, view: &Sight) -> bool {
        let best = view.view.best().map_or(f64::NEG_INFINITY, |(_, best)| best.outcome.fitness);
        let is_better = best > self.best;
        self.best = best;
        is_better
    }

    fn ended(&self, view: &Sight) -> Value {
        let sight = &view.view;
        let best = sight.best().map(|(_, best)| best.outcome);
        out::value(&Ended {
            generation: sight.standing().history.last().map(|row| row.generation),
            fitness: best.map(|best| best.fitness),
            scores: best.map(|best| best.scores),
            best: sight.best_told().map(|(summary, _)| summary),
            program: sight.best_program().map(|program| program.text()),
        })
    }

    fn end(&self, view: &Sight, folder: Option<&Path>) {
        if let Some((summary, simplified)) = view.view.best_told() {
            out::line(&format!("best: {summary}"));
            out::line(&format!("      {}", shortened(&simplified)));
        }
        let best = folder.map(|folder| folder.join("best.txt")).filter(|best| best.is_file());
        if let Some(best) = best {
            let settings = &view.settings;
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
