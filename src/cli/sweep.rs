//! `mancalab sweep`: searches settings at random, with successive halving, on plans.

use std::collections::BTreeMap;
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
use crate::groups::{self, Group, Groups};
use crate::job::run_dir::{BEST, free_folder};
use crate::kinds::AnySettings;
use crate::paths::Paths;
use crate::player::Spec;
use crate::pool::Pool;
use crate::report::{Block, Report};
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
    /// Successive halving: one in N trials goes on with N times the generations; 0: all run to the end
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=100))]
    keep: u64,
    /// Judge runs of evolve by their best program's points against these players, which no run has met; repeatable
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
        let (merged, code) = computed(searched, &trials, settings, *rung, how, &folder, paths)?;
        if signals::received() != 0 || !merged {
            out::line("the same command with this --out continues it");
            return Ok(code);
        }
        let mut judged = judged(searched, &trials, settings, *rung, how, &folder)?;
        // The order in which they go on; equal ones keep theirs.
        judged.sort_by(|one, other| other.result.total_cmp(&one.result));
        judged.retain(|one| !one.result.is_nan());
        trials = judged.iter().map(|one| one.values.clone()).collect();
        out::result(&table(searched, judged.iter().take(10)).table());
        all.extend(judged);
    }
    write(searched, settings, how, &all, &out)?;
    Ok(ExitCode::SUCCESS)
}

/// Computes the runs of a rung here and merges them. Returns whether all are merged.
fn computed(
    searched: &[Searched],
    trials: &[Vec<String>],
    settings: &AnySettings,
    rung: Rung,
    how: &How,
    folder: &Path,
    paths: &Paths,
) -> Result<(bool, ExitCode)> {
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
        return Ok((false, code));
    }
    let plan = Plan::open(folder)?;
    merge(&plan, &Runs::of(&plan)?, &folder.join(MERGED), false, &Pool::alone(), &mut |_| signals::received() == 0)?;
    Ok((signals::received() == 0, code))
}

/// # Errors
/// The folder holds a plan of another sweep.
fn check_same(plan: &Plan, vary: &Vary, how: &How, settings: &AnySettings) -> Result<()> {
    let draft = plan.draft();
    let is_same = draft.vary == [vary.clone()] && draft.seeds == how.seeds;
    if !is_same || draft.manifest.generations != settings.manifest().generations {
        bail!("{} belongs to another sweep; name another folder with --out", sanitize::path(plan.folder()));
    }
    Ok(())
}

/// Judges the trials by the medians of their runs.
fn judged(
    searched: &[Searched],
    trials: &[Vec<String>],
    settings: &AnySettings,
    rung: Rung,
    how: &How,
    folder: &Path,
) -> Result<Vec<Judged>> {
    let groups = Groups::of(&groups::runs_in(&folder.join(MERGED)), None)?;
    let result = |group: &Group| -> Result<f64> {
        let results = match how.judge.is_empty() {
            true => group.results(),
            false => points(group, settings, how)?,
        };
        Ok(middle(&results).unwrap_or(f64::NAN))
    };
    let mut judged = Vec::new();
    for values in trials {
        let is_trial = |group: &&Group| {
            let differing: BTreeMap<_, _> = group.differing.iter().map(|(key, value)| (key, value)).collect();
            let is_same =
                |(one, value): (&Searched, &String)| differing.get(&one.key).is_none_or(|other| is_same(other, value));
            searched.iter().zip(values).all(is_same)
        };
        let group = groups.groups.iter().find(is_trial);
        let result = group.map_or(Ok(f64::NAN), result)?;
        judged.push(Judged { values: values.clone(), generations: rung.generations, result });
    }
    Ok(judged)
}

/// Compares settings as numbers, which have several spellings, or as texts.
fn is_same(one: &str, other: &str) -> bool {
    one == other || one.parse::<f64>().is_ok_and(|one| other.parse() == Ok(one))
}

/// The points of each run's best program against the judges, in percent.
fn points(group: &Group, settings: &AnySettings, how: &How) -> Result<Vec<f64>> {
    let problem = settings.problem().context("--judge is for sweeps of evolve")?;
    let pool = Pool::new(how.threads);
    let mut all = Vec::new();
    for run in &group.runs {
        let player: Spec = format!("{}:{}", problem.player_word(), run.entry.folder.join(BEST).display()).parse()?;
        let mut sum = 0.0;
        for judge in &how.judge {
            let players = [player.clone(), judge.clone()];
            let (games, seed) = (how.games, how.draw);
            let played = Match { variant: problem.game(), players, games, opening: 2, seed }.play(&pool, &mut |_| ());
            let tally = played.context("a judge must be a computer player")?;
            sum += 100.0 * tally.first.plus(tally.second).share();
        }
        all.push(sum / how.judge.len() as f64);
    }
    Ok(all)
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
    let files = [("trials.csv", table(searched, all.iter()).csv()), ("report.html", Report { title, blocks }.html())];
    for (name, text) in files {
        let path = out.join(name);
        write_atomic(&path, text.as_bytes()).map_err(Error::cannot("write", &path))?;
    }
    out::line(&format!("wrote {} and trials.csv", sanitize::path(&out.join("report.html"))));
    Ok(())
}
