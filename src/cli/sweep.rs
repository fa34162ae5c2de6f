//! `mancalab sweep`: searches settings at random, with successive halving, on plans.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::{Args, Subcommand};
use mancalab_base::Error;

use super::cluster::submit::{self, EngineName, SubmitArgs};
use super::evolve::Evolution;
use super::run::threads;
use super::start::{Started, after_help};
use super::train::Learning;
use super::tune::Tuning;
use super::{help, out, signals};
use crate::arena::Match;
use crate::cluster::create::{Wanted, make};
use crate::cluster::index::is_plan;
use crate::cluster::layout::MERGED;
use crate::cluster::merge::merge;
use crate::cluster::plan::Plan;
use crate::cluster::runs::Runs;
use crate::cluster::sweep::{Vary, seeds};
use crate::cluster::trials::{Domain, Rung, Searched, draw, rungs, vary};
use crate::files::write_atomic;
use crate::grid::Grid;
use crate::groups::{self, Groups};
use crate::job::Run as _;
use crate::job::run_dir::{BEST, Columns, free_folder};
use crate::kinds::{AnyRun, AnySettings, is_less_better};
use crate::paths::Paths;
use crate::player::Spec;
use crate::pool::Pool;
use crate::report::{Block, PAGE, Report, refuse_others};
use crate::sanitize;
use crate::settings::KeyedSettings as _;
use crate::statistics::spearman;
use crate::summary::{middle, number};

#[derive(Args, Debug)]
pub struct SweepArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Settings of genetic programming
    #[command(after_help = after_help::<Evolution>())]
    Evolve(Search<Started<Evolution>>),
    /// Settings of the genetic algorithm
    #[command(after_help = after_help::<Tuning>())]
    Tune(Search<Started<Tuning>>),
    /// Settings of trainings
    #[command(after_help = after_help::<Learning>())]
    Train(Search<Started<Learning>>),
}

/// The arguments of the kind's command, with ranges in `--set`, and those of the search.
#[derive(Args, Debug)]
struct Search<S: Args> {
    #[command(flatten)]
    settings: S,
    #[command(flatten)]
    how: How,
}

#[derive(Args, Debug)]
struct How {
    /// Number of settings drawn at random from the ranges in --set (KEY=LOW..HIGH, KEY=A|B)
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    trials: u32,
    /// Seeds of the runs of each trial, such as 1-3
    #[arg(long, value_name = "SEEDS", default_value = "1-3", value_parser = all_seeds)]
    seeds: Seeds,
    /// Successive halving: one in N trials continues for N times the generations; 0: all run to the end
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=100))]
    keep: u64,
    /// Judge runs of evolve by their best program's points against this player instead of their own results; repeatable
    #[arg(long, value_name = "PLAYER", value_parser = help::player(), hide_possible_values = true)]
    judge: Vec<Spec>,
    /// Games against each of them
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    games: u32,
    /// Seed of the drawn settings and of the games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    draw: u64,
    /// Threads to use, 0 for all; affects only the speed
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    threads: usize,
    /// Folder of the sweep, which the same command continues; default: a new one in the state directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The table of all trials, for other programs.
const TRIALS: &str = "trials.csv";

/// A list as one argument.
type Seeds = Vec<u64>;

fn all_seeds(text: &str) -> Result<Seeds, Error> {
    seeds(text)
}

/// A trial with its result.
struct Judged {
    values: Vec<String>,
    generations: u64,
    /// The median over its runs; NaN without results.
    result: f64,
}

pub fn run(args: &SweepArgs, paths: &Paths) -> Result<ExitCode> {
    match &args.what {
        What::Evolve(Search { settings, how }) => {
            let (searched, settings) = separated(settings, how, paths)?;
            sweep(&searched, &settings, how, paths)
        }
        What::Tune(Search { settings, how }) => {
            let (searched, settings) = separated(settings, how, paths)?;
            sweep(&searched, &settings, how, paths)
        }
        What::Train(Search { settings, how }) => {
            let (searched, settings) = separated(settings, how, paths)?;
            sweep(&searched, &settings, how, paths)
        }
    }
}

/// Separates the searched settings from the others.
fn separated<S: super::start::Start>(
    started: &Started<S>,
    how: &How,
    paths: &Paths,
) -> Result<(Vec<Searched>, AnySettings)> {
    let mut searched = Vec::new();
    let mut others = Vec::new();
    for text in &started.set {
        match Searched::parse(text)? {
            Some(one) => searched.push(one),
            None => others.push(text.clone()),
        }
    }
    if searched.is_empty() {
        bail!("name at least one setting to search, such as --set mutation=0.1..10");
    }
    for (at, one) in searched.iter().enumerate() {
        if ["seed", "generations"].contains(&one.key.as_str()) {
            bail!("{} cannot be searched: --seeds names the seeds, and --keep changes the generations", one.key);
        }
        if searched[..at].iter().any(|other| other.key == one.key) {
            bail!("--set {} has two ranges; give one", one.key);
        }
    }
    let settings = started.with_set(others).read(how.seeds.first().copied(), paths)?;
    if !how.judge.is_empty() && settings.problem().is_none() {
        bail!("--judge is for sweeps of evolve; others are compared by their own results");
    }
    Ok((searched, settings))
}

fn sweep(searched: &[Searched], settings: &AnySettings, how: &How, paths: &Paths) -> Result<ExitCode> {
    let out = match &how.out {
        Some(out) => out.clone(),
        None => {
            let runs = paths.runs().context("no home directory to save a sweep in; name a folder with --out")?;
            free_folder(&runs, &format!("sweep-{}", settings.manifest().preset))
        }
    };
    refuse_others(&out, [PAGE, TRIALS])?;
    signals::catch().context("cannot catch signals")?;
    let mut trials = draw(searched, how.trials as usize, how.draw);
    let plan = rungs(trials.len(), settings.manifest().generations, how.keep as usize);
    let mut all: Vec<Judged> = Vec::new();
    for (number, rung) in plan.iter().enumerate() {
        trials.truncate(rung.trials);
        out::line(&format!(
            "rung {} of {}: {} trials of {} runs, {} generations",
            number + 1,
            plan.len(),
            trials.len(),
            how.seeds.len(),
            rung.generations
        ));
        let folder = out.join(format!("rung-{}", number + 1));
        let stopped = || out::line(&format!("the same command with --out {} continues it", sanitize::shell_path(&out)));
        let runs = match computed(searched, &trials, settings, *rung, how, &folder, paths)? {
            Rows::Merged(runs) => runs,
            Rows::Stopped(code) => {
                stopped();
                return Ok(code);
            }
        };
        let Some(mut judged) = judged(&trials, &runs, settings, *rung, how)? else {
            stopped();
            return Ok(ExitCode::from(128 + signals::received() as u8));
        };
        if judged.iter().all(|one| one.result.is_nan()) {
            bail!("no trial of {} has a result", sanitize::path(&folder));
        }
        // The order in which they go on: those without a result last, equal ones as before.
        let rank = |one: &Judged| {
            if one.result.is_nan() { f64::NEG_INFINITY } else { sign(settings, how, &runs) * one.result }
        };
        judged.sort_by(|one, other| rank(other).total_cmp(&rank(one)));
        trials = judged.iter().map(|one| one.values.clone()).collect();
        out::result(&table(searched, judged.iter().take(10)).table());
        all.extend(judged);
    }
    write(searched, settings, how, &all, &out)?;
    Ok(ExitCode::SUCCESS)
}

/// The runs of a rung.
enum Rows {
    /// Their folders, those of each trial together in the order of the trials.
    Merged(Vec<PathBuf>),
    Stopped(ExitCode),
}

/// Computes the runs of a rung here and merges them.
fn computed(
    searched: &[Searched],
    trials: &[Vec<String>],
    settings: &AnySettings,
    rung: Rung,
    how: &How,
    folder: &Path,
    paths: &Paths,
) -> Result<Rows> {
    let vary = vary(searched, trials)?;
    let mut settings = settings.clone();
    settings.set("generations", &rung.generations.to_string())?;
    if is_plan(folder) {
        check_same(&Plan::open(folder)?, &vary, how, &settings)?;
    } else {
        let command = settings.kind().command;
        let wanted = Wanted { command, settings, seeds: how.seeds.clone(), vary: vec![vary], block: None };
        make(wanted, folder)?;
    }
    let submit = SubmitArgs {
        plan: folder.to_owned(),
        engine: EngineName::Local,
        jobs: how.threads,
        threads: 1,
        dry_run: false,
        more: Vec::new(),
    };
    let code = submit::run(&submit, paths)?;
    if code != ExitCode::SUCCESS {
        return Ok(Rows::Stopped(code));
    }
    let plan = Plan::open(folder)?;
    let goes_on = &mut |_| signals::received() == 0;
    let (puts, _) = merge(&plan, &Runs::of(&plan)?, &folder.join(MERGED), false, &Pool::alone(), goes_on)?;
    if signals::received() != 0 {
        return Ok(Rows::Stopped(ExitCode::from(128 + signals::received() as u8)));
    }
    let missing = || format!("{} has runs without rows", sanitize::path(folder));
    let folders = puts.into_iter().map(|put| put.folder.with_context(missing)).collect::<Result<_>>()?;
    Ok(Rows::Merged(folders))
}

/// # Errors
/// The folder holds a plan of another sweep.
fn check_same(plan: &Plan, vary: &Vary, how: &How, settings: &AnySettings) -> Result<()> {
    let draft = plan.draft();
    let own = plan.settings(AnyRun::read_settings)?;
    let is_same =
        own.settings_text() == settings.settings_text() && own.manifest().preset == settings.manifest().preset;
    let is_same = is_same && draft.manifest.generations == settings.manifest().generations;
    if !is_same || draft.vary != [vary.clone()] || draft.seeds != how.seeds {
        bail!("{} belongs to another sweep; name another folder with --out", sanitize::path(plan.folder()));
    }
    Ok(())
}

/// Judges the trials by the medians of their runs; `None` after a signal.
fn judged(
    trials: &[Vec<String>],
    runs: &[PathBuf],
    settings: &AnySettings,
    rung: Rung,
    how: &How,
) -> Result<Option<Vec<Judged>>> {
    let column = if how.judge.is_empty() { Groups::of(runs, None)?.column } else { String::new() };
    let mut judged = Vec::new();
    for (values, runs) in trials.iter().zip(runs.chunks(how.seeds.len().max(1))) {
        let mut results = Vec::new();
        for run in runs {
            if signals::received() != 0 {
                return Ok(None);
            }
            results.push(match how.judge.is_empty() {
                true => groups::curve(run, &column)?.last().copied().unwrap_or(f64::NAN),
                false => points(run, settings, how)?,
            });
        }
        results.retain(|result| !result.is_nan());
        let result = middle(&results).unwrap_or(f64::NAN);
        judged.push(Judged { values: values.clone(), generations: rung.generations, result });
    }
    Ok(Some(judged))
}

/// -1 if the least result is the best, else 1.
fn sign(settings: &AnySettings, how: &How, runs: &[PathBuf]) -> f64 {
    let names = runs.first().and_then(|run| Columns::open(run).ok()).map(|columns| columns.names).unwrap_or_default();
    let column = settings.kind().curve(&names).unwrap_or_default();
    if how.judge.is_empty() && is_less_better(column) { -1.0 } else { 1.0 }
}

/// The points of a run's best program against the judges, in percent.
fn points(run: &Path, settings: &AnySettings, how: &How) -> Result<f64> {
    let problem = settings.problem().context("--judge is for sweeps of evolve")?;
    let player: Spec = format!("{}:{}", problem.player_word(), run.join(BEST).display()).parse()?;
    let pool = Pool::new(how.threads);
    let mut sum = 0.0;
    for judge in &how.judge {
        let players = [player.clone(), judge.clone()];
        let game = Match { variant: problem.game(), players, games: how.games, opening: 2, seed: how.draw };
        let tally = game.play(&pool, &mut |_| ()).context("a judge must be a computer player")?;
        sum += 100.0 * tally.first.plus(tally.second).share();
    }
    Ok(sum / how.judge.len() as f64)
}

fn table<'a>(searched: &[Searched], judged: impl Iterator<Item = &'a Judged>) -> Grid {
    let head = searched.iter().map(|one| one.key.clone()).chain(["generations", "result"].map(str::to_owned)).collect();
    let row = |one: &Judged| {
        let end = [one.generations.to_string(), number(one.result)];
        one.values.iter().cloned().chain(end).collect()
    };
    Grid { rows: std::iter::once(head).chain(judged.map(row)).collect(), numbers: (0..searched.len() + 2).collect() }
}

/// Spearman's rank correlation of each searched number with the result, over the trials of the first rung.
fn importance(searched: &[Searched], judged: &[Judged]) -> Grid {
    let first = judged.iter().map(|one| one.generations).min().unwrap_or(0);
    let of_first: Vec<&Judged> = judged.iter().filter(|one| one.generations == first).collect();
    let results: Vec<f64> = of_first.iter().map(|one| one.result).collect();
    let mut rows = vec![["setting", "rank correlation", "share explained"].map(str::to_owned).to_vec()];
    for (at, one) in searched.iter().enumerate().filter(|(_, one)| !matches!(one.domain, Domain::Words(_))) {
        let values: Vec<f64> = of_first.iter().filter_map(|trial| trial.values[at].parse().ok()).collect();
        let rho = spearman(&values, &results);
        rows.push(vec![one.key.clone(), number(rho), format!("{:.0} %", 100.0 * rho * rho)]);
    }
    for (at, one) in searched.iter().enumerate() {
        let Domain::Words(words) = &one.domain else { continue };
        for word in words {
            let of_word = of_first.iter().filter(|trial| trial.values[at] == *word).map(|trial| trial.result);
            let median = middle(&of_word.collect::<Vec<_>>()).unwrap_or(f64::NAN);
            rows.push(vec![format!("{}={word}", one.key), format!("median {}", number(median)), String::new()]);
        }
    }
    Grid { rows, numbers: vec![1, 2] }
}

/// Prints what matters and writes trials.csv and a report.
fn write(searched: &[Searched], settings: &AnySettings, how: &How, all: &[Judged], out: &Path) -> Result<()> {
    let importance = importance(searched, all);
    out::line("");
    out::result(&importance.table());
    let text = |title: &str, text: &str| [Block::Heading(title.to_owned()), Block::Text(text.to_owned())];
    let judge = match how.judge.is_empty() {
        true => "the median of the runs' own results".to_owned(),
        false => format!(
            "the median of the points, in percent, against {}",
            how.judge.iter().map(Spec::to_string).collect::<Vec<_>>().join(", ")
        ),
    };
    let mut blocks: Vec<Block> = Vec::new();
    blocks.extend(text("Trials", &format!("A result is {judge}, over {} seeds.", how.seeds.len())));
    blocks.push(Block::Table(table(searched, all.iter())));
    blocks.extend(text(
        "Importance",
        "Over the trials of the first rung: Spearman's rank correlation of a setting with the result, and its square.",
    ));
    blocks.push(Block::Table(importance));
    let title = format!("Sweep of {} {}", settings.kind().command, settings.manifest().preset);
    let files = [(TRIALS, table(searched, all.iter()).csv()), (PAGE, Report { title, blocks }.html())];
    for (name, text) in files {
        let path = out.join(name);
        write_atomic(&path, text.as_bytes()).map_err(Error::cannot("write", &path))?;
    }
    out::line(&format!("wrote {} and {TRIALS}", sanitize::path(&out.join(PAGE))));
    Ok(())
}
