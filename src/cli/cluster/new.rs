//! `mancalab plan new`: splits runs or a tournament into units.

use mancalab_base::{Error, counted};
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::{Args, Subcommand};
use serde::Serialize;

use crate::cli::arena::ArenaSettings;
use crate::cli::evolve::EvolveReporter;
use crate::cli::format::OutputArgs;
use crate::cli::out;
use crate::cli::run::clock;
use crate::cli::start::SettingsArgs;
use crate::cli::train::TrainReporter;
use crate::cli::tune::TuneReporter;
use crate::cluster::create::{PlanSpec, make};
use crate::cluster::plan::Plan;
use crate::cluster::runs::Runs;
use crate::cluster::sweep::{Vary, seeds, seeds_text};
use crate::experiment::ISLANDS;
use crate::job::RunSettings;
use crate::job::run_dir;
use crate::paths::Paths;
use crate::sanitize;

#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum NewPlan {
    /// A tournament; each unit is some games of one player against another
    Match(MatchPlan),
    /// Runs of genetic programming; each unit is a run
    Evolve(PlanOf<SettingsArgs<EvolveReporter>>),
    /// Runs of the genetic algorithm; each unit is a run
    Tune(PlanOf<SettingsArgs<TuneReporter>>),
    /// Trainings of networks; each unit is a training
    Train(PlanOf<SettingsArgs<TrainReporter>>),
    /// A run of genetic programming on islands; each unit is an island between two migrations
    Islands(IslandsPlan),
}

// The arguments of the kind's command, and those of plans.
#[derive(Args, Debug)]
pub struct PlanOf<S: Args> {
    #[command(flatten)]
    settings: S,
    #[command(flatten)]
    many: Many,
}

// Arguments of every plan.
#[derive(Args, Debug)]
struct Many {
    /// Seeds of the runs, such as 1-60 or 1,4,7-9
    #[arg(long, value_name = "SEEDS", default_value = "1", value_parser = one_seeds)]
    seeds: Seeds,
    /// Run each of these values of a setting, such as population=100,200; repeatable
    #[arg(long, value_name = "KEY=VALUES", value_parser = Vary::parse)]
    vary: Vec<Vary>,
    /// Folder of the plan; default: a new one in the state directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

/// A list as one argument.
type Seeds = Vec<u64>;

fn one_seeds(text: &str) -> Result<Seeds, Error> {
    seeds(text)
}

#[derive(Args, Debug)]
pub struct MatchPlan {
    #[command(flatten)]
    plan: PlanOf<ArenaSettings>,
    /// Games per unit; default: about a minute's games
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    block: Option<u32>,
}

#[derive(Args, Debug)]
pub struct IslandsPlan {
    /// Number of islands, which share the population
    #[arg(long, value_name = "N")]
    islands: Option<u32>,
    /// Generations between migrations of the fittest to the next island, and per unit
    #[arg(long, value_name = "N")]
    migration_every: Option<u32>,
    /// Number of migrants per island and migration
    #[arg(long, value_name = "N")]
    migrants: Option<u32>,
    #[command(flatten)]
    plan: PlanOf<SettingsArgs<EvolveReporter>>,
}

pub fn run(new: &NewPlan, paths: &Paths) -> Result<ExitCode> {
    no_seed(match new {
        NewPlan::Match(args) => &args.plan.settings.set,
        NewPlan::Evolve(args) => &args.settings.set,
        NewPlan::Islands(args) => &args.plan.settings.set,
        NewPlan::Tune(args) => &args.settings.set,
        NewPlan::Train(args) => &args.settings.set,
    })?;
    match new {
        NewPlan::Match(MatchPlan { plan: PlanOf { settings, many }, block }) => {
            let settings = <Box<dyn RunSettings>>::from(settings.read(many.seed(), paths)?);
            plan("arena", settings, many, *block, paths)
        }
        NewPlan::Evolve(PlanOf { settings, many }) => {
            plan("evolve", settings.read(many.seed(), paths)?, many, None, paths)
        }
        NewPlan::Islands(IslandsPlan { islands, migration_every, migrants, plan: PlanOf { settings, many } }) => {
            let own = [("islands", islands), ("migration_every", migration_every), ("migrants", migrants)];
            let own = own.iter().filter_map(|(key, value)| Some(format!("{key}={}", value.as_ref()?)));
            let settings = settings.with(own);
            plan(ISLANDS, settings.read(many.seed(), paths)?, many, None, paths)
        }
        NewPlan::Tune(PlanOf { settings, many }) => plan("tune", settings.read(many.seed(), paths)?, many, None, paths),
        NewPlan::Train(PlanOf { settings, many }) => {
            plan("train", settings.read(many.seed(), paths)?, many, None, paths)
        }
    }
}

impl Many {
    /// The seed of the first run.
    fn seed(&self) -> Option<u64> {
        self.seeds.first().copied()
    }
}

/// Rejects seeds in `--set`.
///
/// # Errors
/// `--set` names a seed.
fn no_seed(set: &[String]) -> Result<()> {
    let seed = set.iter().find(|text| text.split('=').next().is_some_and(|key| key.trim() == "seed"));
    seed.map_or(Ok(()), |text| bail!("--set {text}: use --seeds for seeds"))
}

fn plan(
    command: &'static str,
    settings: Box<dyn RunSettings>,
    many: &Many,
    block: Option<u32>,
    paths: &Paths,
) -> Result<ExitCode> {
    let folder = match &many.out {
        Some(folder) => folder.clone(),
        None => {
            let runs = paths.runs().context("no home directory to save plans in; name a folder with --out")?;
            let preset = settings.manifest().preset;
            run_dir::free_folder(&runs, &format!("plan-{preset}-seeds{}", seeds_text(&many.seeds)))
        }
    };
    if io::stderr().is_terminal() {
        out::report("estimating the time …");
    }
    let wanted = PlanSpec { command, settings, seeds: many.seeds.clone(), vary: many.vary.clone(), block };
    let plan = make(wanted, &folder)?;
    report(&plan, &many.output)?;
    Ok(ExitCode::SUCCESS)
}

/// A new plan.
#[derive(Serialize)]
struct PlanSummary {
    folder: String,
    units: u32,
    runs: u64,
    /// Estimated seconds of a unit on one core.
    seconds_a_unit: f64,
}

impl PlanSummary {
    /// The plan, the estimated time and the next commands.
    fn text(&self, folder: &Path) -> String {
        let count = u64::from(self.units);
        let runs = counted(self.runs, "run");
        let named = sanitize::shell_path(folder);
        let lines = [
            format!("{} · {} of {runs}", sanitize::path(folder), counted(count, "unit")),
            took(self.seconds_a_unit, count),
            format!("compute here: mancalab plan submit {named} --engine local"),
            format!("or one unit:  mancalab plan unit {named} --index 0"),
        ];
        lines.map(|line| line + "\n").concat()
    }
}

fn report(plan: &Plan, output: &OutputArgs) -> Result<()> {
    let work = Runs::read_checked(plan)?;
    let folder = plan.folder().display().to_string();
    let seconds_a_unit = plan.draft().seconds;
    let planned = PlanSummary { folder, units: plan.units(), runs: work.runs() as u64, seconds_a_unit };
    output.print("plan-new", &planned, || planned.text(plan.folder()));
    Ok(())
}

/// The time estimated from a sample.
fn took(seconds: f64, units: u64) -> String {
    let all = clock((seconds * units as f64).ceil());
    match seconds {
        ..1.0 => format!("about {all} on one core like this one (under 1 s per unit)"),
        _ => format!("about {all} on one core like this one (about {} per unit)", clock(seconds.ceil())),
    }
}
