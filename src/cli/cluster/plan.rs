//! `mancalab plan`: cuts runs or a tournament into units.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::{Args, Subcommand};

use super::units;
use crate::arena::{Pairs, Sprt, Tournament};
use crate::cli::arena::{self, ArenaArgs, HowArgs, Players};
use crate::cli::evolve::{self, EvolveArgs};
use crate::cli::format::Format;
use crate::cli::run::{RunArgs, clock};
use crate::cli::train::{self, TrainArgs};
use crate::cli::tune::{self, TuneArgs};
use crate::cli::{help, out};
use crate::cluster::draft::Command;
use crate::cluster::kinds::Planned;
use crate::cluster::making::{Wanted, make};
use crate::cluster::plan::Plan;
use crate::cluster::sweep::{Vary, seeds, seeds_text};
use crate::cluster::work::work;
use crate::document::Refusal;
use crate::evolve::{problems, tasks};
use crate::game::Variant;
use crate::job::run_dir;
use crate::paths::Paths;
use crate::plain;
use crate::player::spec::Ties;
use crate::train::Training;

#[derive(Args, Debug)]
pub struct PlanArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// A tournament, each unit some games of one player against another
    Arena(ArenaPlan),
    /// Runs of genetic programming, each unit a run
    Evolve(RunPlan),
    /// Runs of the genetic algorithm, each unit a run
    Tune(TunePlan),
    /// Trainings of a network, each unit a training
    Train(TrainPlan),
    /// A run of genetic programming on islands, each unit an island between two migrations
    Islands(IslandsPlan),
}

/// What every plan takes.
#[derive(Args, Debug)]
struct Many {
    /// The seeds of the runs, such as 1-60 or 1,4,7-9
    #[arg(long, value_name = "SEEDS", default_value = "1", value_parser = one_seeds)]
    seeds: Seeds,
    /// A setting with values each of which gets runs of its own, such as population=100,200; may be given several times
    #[arg(long, value_name = "KEY=VALUES", value_parser = Vary::parse)]
    vary: Vec<Vary>,
    /// The plan's folder; without it a new one among the runs in the state directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// A list that is one argument.
type Seeds = Vec<u64>;

fn one_seeds(text: &str) -> Result<Seeds, Refusal> {
    seeds(text)
}

#[derive(Args, Debug)]
#[command(after_help = arena::after_help())]
struct ArenaPlan {
    /// The settings to start from, such as round-robin
    preset: Option<String>,
    /// Who meets, with commas between them, such as random,max,minimax:4
    #[arg(long, value_name = "PLAYERS", value_parser = arena::players)]
    players: Option<Players>,
    /// How many games each plays moving first against each, 100 unless told otherwise
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: Option<u32>,
    /// Who meets whom: all, or the players' numbers, such as 1-2,2-1:500, the one that moves first in front
    #[arg(long, value_name = "PAIRS")]
    pairs: Option<Pairs>,
    /// The game and its rules, kalah:6x4:standard unless told otherwise
    #[arg(long, value_name = "GAME", value_parser = help::games(), hide_possible_values = true)]
    game: Option<Variant>,
    /// How many moves at the beginning of a game are random, 2 unless told otherwise
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    opening: Option<u32>,
    /// Which of equally good moves minimax, heuristic and samuel players take, first or random, whatever their texts say
    #[arg(long, value_name = "WHICH")]
    ties: Option<Ties>,
    /// Stop two players' games once this test has decided between two advantages in Elo, such as 0,50
    #[arg(long, value_name = "LOWER,UPPER", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Any other setting, such as opening=4; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// How many games make a unit; without it what takes about a minute
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    block: Option<u32>,
    #[command(flatten)]
    many: Many,
}

#[derive(Args, Debug)]
struct RunFlags {
    /// How many generations are bred after the first
    #[arg(long, value_name = "N")]
    generations: Option<u64>,
    /// How many individuals a generation has
    #[arg(long, value_name = "N")]
    population: Option<u32>,
    /// Any other setting, such as selection=tournament:5; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    many: Many,
}

#[derive(Args, Debug)]
#[command(after_help = evolve::after_help())]
struct RunPlan {
    /// The settings to start from, such as mancala-gp-2
    preset: Option<String>,
    #[command(flatten)]
    flags: RunFlags,
}

#[derive(Args, Debug)]
#[command(after_help = evolve::after_help())]
struct IslandsPlan {
    /// The settings to start from, such as mancala-gp-2
    preset: Option<String>,
    /// How many islands the population is shared out among
    #[arg(long, value_name = "N")]
    islands: Option<u32>,
    /// After how many generations the fittest of each island move to the next: as many make a unit
    #[arg(long, value_name = "N")]
    migration_every: Option<u32>,
    /// How many of the fittest move
    #[arg(long, value_name = "N")]
    migrants: Option<u32>,
    #[command(flatten)]
    flags: RunFlags,
}

#[derive(Args, Debug)]
#[command(after_help = tune::after_help())]
struct TunePlan {
    /// The settings to start from, such as kalah-thesis
    preset: Option<String>,
    #[command(flatten)]
    flags: RunFlags,
}

#[derive(Args, Debug)]
#[command(after_help = train::after_help())]
struct TrainPlan {
    /// The settings to start from, such as a3c-mixed
    preset: Option<String>,
    /// How many generations follow the first
    #[arg(long, value_name = "N")]
    generations: Option<u64>,
    /// Any other setting, such as hidden=128-128; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    many: Many,
}

pub fn run(args: &PlanArgs, paths: &Paths) -> Result<ExitCode> {
    let set = match &args.what {
        What::Arena(args) => &args.set,
        What::Evolve(args) => &args.flags.set,
        What::Islands(args) => &args.flags.set,
        What::Tune(args) => &args.flags.set,
        What::Train(args) => &args.set,
    };
    no_seed(set)?;
    match &args.what {
        What::Arena(args) => {
            let settings = arena::settings(&args.as_run(), paths)?;
            plan::<Tournament>(Command::Arena, settings, &args.many, args.block, paths)
        }
        What::Evolve(args) => evolving(Command::Evolve, args.preset.clone(), &args.flags, Vec::new(), paths),
        What::Islands(args) => {
            let own =
                [("islands", args.islands), ("migration_every", args.migration_every), ("migrants", args.migrants)];
            let own = own.into_iter().filter_map(|(key, value)| Some(format!("{key}={}", value?))).collect();
            evolving(Command::Islands, args.preset.clone(), &args.flags, own, paths)
        }
        What::Tune(TunePlan { preset, flags }) => {
            let RunFlags { generations, population, set, many } = flags;
            let (seed, preset, set) = (many.seeds.first().copied(), preset.clone(), set.clone());
            let (generations, population) = (*generations, *population);
            let settings = tune::settings(
                &TuneArgs { preset, seed, generations, population, set, run: RunArgs::default() },
                paths,
            )?;
            plan::<tasks::AnyRun>(Command::Tune, settings, many, None, paths)
        }
        What::Train(TrainPlan { preset, generations, set, many }) => {
            let (seed, preset, set) = (many.seeds.first().copied(), preset.clone(), set.clone());
            let settings = train::settings(
                &TrainArgs { preset, seed, generations: *generations, set, run: RunArgs::default() },
                paths,
            )?;
            plan::<Training>(Command::Train, settings, many, None, paths)
        }
    }
}

fn evolving(
    command: Command,
    preset: Option<String>,
    flags: &RunFlags,
    own: Vec<String>,
    paths: &Paths,
) -> Result<ExitCode> {
    let RunFlags { generations, population, set, many } = flags;
    let set = set.iter().cloned().chain(own).collect();
    let (seed, generations, population) = (many.seeds.first().copied(), *generations, *population);
    let args = EvolveArgs { preset, seed, generations, population, set, ..EvolveArgs::default() };
    plan::<problems::AnyRun>(command, evolve::settings(&args, paths)?, many, None, paths)
}

impl ArenaPlan {
    /// The same tournament as a run of one machine would be asked for.
    fn as_run(&self) -> ArenaArgs {
        let ArenaPlan { preset, players, games, pairs, game, opening, ties, sprt, set, many, .. } = self;
        let seed = many.seeds.first().copied();
        let how = HowArgs { seed, game: *game, opening: *opening, ties: *ties, sprt: *sprt, save: None };
        ArenaArgs {
            preset: preset.clone(),
            players: players.clone(),
            games: *games,
            pairs: pairs.clone(),
            set: set.clone(),
            format: Format::Table,
            how,
            run: RunArgs::default(),
        }
    }
}

/// # Errors
/// `--set` names a seed.
fn no_seed(set: &[String]) -> Result<()> {
    let seed = set.iter().find(|text| text.split('=').next().is_some_and(|key| key.trim() == "seed"));
    seed.map_or(Ok(()), |text| bail!("--set {text}: seeds are said by --seeds"))
}

fn plan<R: Planned>(
    command: Command,
    settings: R::Settings,
    many: &Many,
    block: Option<u32>,
    paths: &Paths,
) -> Result<ExitCode> {
    let folder = match &many.out {
        Some(folder) => folder.clone(),
        None => {
            let runs = paths.runs().context("there is no home directory to keep plans in; name a folder with --out")?;
            let preset = R::manifest(&settings).preset;
            run_dir::free_folder(&runs, &format!("plan-{preset}-seeds{}", seeds_text(&many.seeds)))
        }
    };
    if io::stderr().is_terminal() {
        out::tell("trying out how long it takes …");
    }
    let wanted = Wanted::<R> { command, settings, seeds: many.seeds.clone(), vary: many.vary.clone(), block };
    let plan = make(wanted, &folder).map_err(|refusal| anyhow!(refusal))?;
    tell(&plan)?;
    Ok(ExitCode::SUCCESS)
}

/// What was planned, how long it takes, and what to do with it.
fn tell(plan: &Plan) -> Result<()> {
    let work = work(plan).map_err(|refusal| anyhow!(refusal))?;
    let (count, runs, seconds) = (u64::from(plan.units()), work.runs(), plan.draft().seconds);
    let runs = if runs == 1 { "one run".to_owned() } else { format!("{runs} runs") };
    out::line(&format!("{} · {} of {runs}", plain::path(plan.folder()), units(count)));
    out::line(&took(seconds, count));
    let named = plain::shell_path(plan.folder());
    out::line(&format!("compute it here: mancalab submit {named} --engine local"));
    out::line(&format!("or one unit:     mancalab unit {named} --index 0"));
    Ok(())
}

/// How long it takes, as a sample told.
fn took(seconds: f64, units: u64) -> String {
    let all = clock((seconds * units as f64).ceil());
    match seconds {
        ..1.0 => format!("less than a second a unit, {all} in all, on one processor like this one"),
        _ => format!("about {} a unit, {all} in all, on one processor like this one", clock(seconds.ceil())),
    }
}
