//! `mancalab tune`: runs of the genetic algorithm without a screen.

use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::Args;
use serde::Serialize;
use serde_json::Value;

use super::live::Progress;
use super::out;
use super::presets;
use super::run::{self, Pace, RunArgs, Teller, clock, event, listed};
use crate::evolve::ga::Past;
use crate::evolve::tasks::{AnyRun, AnySettings};
use crate::game::Variant;
use crate::job::RunJob;
use crate::paths::Paths;
use crate::plain;
use crate::ui::short_count;

#[derive(Args, Debug)]
#[command(after_help = after_help())]
pub struct TuneArgs {
    /// The settings to start from, such as kalah-thesis
    pub preset: Option<String>,
    /// Decides all random choices in the run; without it the first from 1 on that no kept run of the preset has
    #[arg(long, value_name = "NUMBER", conflicts_with = "resume")]
    pub seed: Option<u64>,
    /// How many generations are bred after the first; of a run that is gone on with, more than it has
    #[arg(long, value_name = "N")]
    pub generations: Option<u64>,
    /// How many genomes a generation has
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    pub population: Option<u32>,
    /// Any other setting, such as depth=6; may be given several times
    #[arg(long, value_name = "KEY=VALUE", conflicts_with = "resume")]
    pub set: Vec<String>,
    #[command(flatten)]
    pub run: RunArgs,
}

pub(super) fn after_help() -> String {
    let all: Vec<_> =
        AnySettings::of_all().into_iter().map(|settings| (settings.game().title().to_owned(), settings)).collect();
    presets::after_help_of_all(&AnySettings::presets(), &all)
}

pub fn run(args: &TuneArgs, paths: &Paths) -> Result<ExitCode> {
    let tuning = Tuning { has_told: false, told: 0, record: 0.0 };
    run::run::<AnyRun, _>(&args.run, tuning, paths, args.generations, || settings(args, paths))
}

/// The preset's settings with what the flags change.
pub(super) fn settings(args: &TuneArgs, paths: &Paths) -> Result<AnySettings> {
    let name = args.preset.as_deref().ok_or_else(|| presets::missing_preset("tune", &AnySettings::presets(), ""))?;
    let mut settings = AnySettings::preset(name).map_err(|reason| anyhow!(reason))?;
    let seed = run::next_seed::<AnyRun>(name, paths);
    let flags = [
        ("seed", Some(args.seed.unwrap_or(seed).to_string())),
        ("generations", args.generations.map(|count| count.to_string())),
        ("population", args.population.map(|count| count.to_string())),
    ];
    presets::apply(&mut settings, &flags, &args.set)?;
    settings.check().map_err(|reason| anyhow!(reason))?;
    Ok(settings)
}

/// What there is to tell of genomes.
struct Tuning {
    has_told: bool,
    /// Generations that were looked through, and the highest fitness among them.
    told: usize,
    record: f64,
}

impl Teller<AnyRun> for Tuning {
    const COMMAND: &'static str = "tune";

    fn settings<'a>(&self, run: &'a AnyRun) -> &'a AnySettings {
        run.settings()
    }

    fn begun(&self, run: &AnyRun) -> Value {
        listed(run.settings())
    }

    fn rows(&self, run: &AnyRun, from: usize) -> Vec<Value> {
        run.past().iter().skip(from).map(|row| event("generation", row)).collect()
    }

    fn progress(&self, run: &AnyRun, _pace: &Pace) -> Option<String> {
        let view = run.sight();
        let best = view.best()?;
        let left = view.seconds_left().filter(|_| !view.finished).map_or(0.0, f64::ceil);
        Some(format!(
            "generation {} of {}  best {:.1} %  {}  {} games/s  {} left",
            best.generation,
            view.generations,
            best.best,
            weights(run.settings(), &best.best_genome),
            short_count(view.games_per_second as u64),
            clock(left),
        ))
    }

    fn live(&self, run: &AnyRun, _pace: &Pace) -> Option<Progress> {
        let view = run.sight();
        let all = view.standing.of_games * (view.generations + 1);
        let best = view.best().map(|best| format!("best {:.1} % (born in {})", best.best, best.best_born));
        Some(Progress {
            share: 1.0 - view.games_left as f64 / all.max(1) as f64,
            at: format!("generation {}/{}", view.generation, view.generations),
            left: view.seconds_left(),
            speed: format!("{} games/s", short_count(view.games_per_second as u64)),
            more: best.into_iter().collect(),
        })
    }

    /// No generation had a better best.
    fn news(&mut self, run: &AnyRun) -> Option<String> {
        let ended = &run.past()[self.told..];
        let record = ended.iter().max_by(|a, b| a.best.total_cmp(&b.best)).filter(|row| row.best > self.record);
        self.told = run.past().len();
        self.record = record.map_or(self.record, |row| row.best);
        let text = |row: &Past| {
            let Past { generation, best, best_born, .. } = row;
            format!("generation {generation}: best {best:.1} % of the points, born in {best_born}")
        };
        record.map(text)
    }

    /// The first generation has ended.
    fn is_news(&mut self, run: &AnyRun) -> bool {
        let is_first = !self.has_told && !run.past().is_empty();
        self.has_told |= is_first;
        is_first
    }

    fn ended(&self, run: &AnyRun) -> Value {
        let view = run.sight();
        let player = view.best().map(|best| run.settings().player(&best.best_genome));
        out::value(&Ended { best: view.best().map(|best| event("generation", best)), player })
    }

    fn end(&self, job: &RunJob<AnyRun>) {
        let view = job.run().sight();
        if let Some(best) = view.best() {
            out::line(&format!("generation {}: best {:.1} %, born in {}", best.generation, best.best, best.best_born));
            let settings = job.run().settings();
            let (game, usual) = (settings.game().name(), Variant::usual()[0].name());
            let game = if game == usual { String::new() } else { format!("--game {game} ") };
            let player = plain::shell(settings.player(&best.best_genome));
            out::line(&format!("play: mancalab {game}--north {player}"));
        }
    }
}

/// Weights that a line has room for.
const MOST: usize = 11;

/// The best's weights in their order; where there are too many for a line, those that are largest, with their names.
fn weights(settings: &AnySettings, genome: &[f64]) -> String {
    if genome.len() <= MOST {
        let weights: Vec<String> = genome.iter().map(|weight| format!("{weight:.2}")).collect();
        return format!("W {}", weights.join(" "));
    }
    let genes = settings.genes();
    let mut named: Vec<(&str, f64)> = genes.iter().map(|gene| gene.name.as_str()).zip(genome.iter().copied()).collect();
    named.sort_by(|(_, a), (_, b)| b.abs().total_cmp(&a.abs()));
    let largest: Vec<String> =
        named.iter().take(MOST / 2).map(|(name, weight)| format!("{name} {weight:.3}")).collect();
    largest.join(" ")
}

/// What the last line of `--json` tells beside how the run went.
#[derive(Serialize)]
struct Ended {
    best: Option<Value>,
    player: Option<String>,
}
