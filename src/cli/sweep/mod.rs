//! `mancalab plan sweep`: searches settings at random, with successive halving, on plans.

mod outcome;

use std::ops::ControlFlow::{self, Break, Continue};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::{Args, Subcommand};
use mancalab_base::{Error, counted};

use super::cluster::submit::{self, EngineName, SubmitArgs};
use super::evolve::EvolveReporter;
use super::format::{EventsArgs, Format};
use super::run::threads;
use super::start::{SettingsArgs, Start};
use super::train::TrainReporter;
use super::tune::TuneReporter;
use super::{help, out, signals};
use crate::arena::Match;
use crate::cluster::create::{PlanSpec, make};
use crate::cluster::index::{RUNG, is_plan};
use crate::cluster::layout::MERGED;
use crate::cluster::merge::merge;
use crate::cluster::plan::Plan;
use crate::cluster::runs::Runs;
use crate::cluster::sweep::{Vary, seeds};
use crate::cluster::trials::{Dimension, Rung, draw, rungs, vary};
use crate::groups::{self, Groups};
use crate::job::RunSettings;
use crate::job::run_dir::{BEST, free_folder};
use crate::kinds::{KindOf as _, is_less_better};
use crate::paths::Paths;
use crate::player::Spec;
use crate::player::offers::Opponent;
use crate::pool::Pool;
use crate::report::{PAGE, refuse_others};
use crate::sanitize;
use crate::summary::middle;
use outcome::{Outcome, TRIALS, table};

#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum SweepCommand {
    /// Settings of genetic programming
    Evolve(Search<SettingsArgs<EvolveReporter>>),
    /// Settings of the genetic algorithm
    Tune(Search<SettingsArgs<TuneReporter>>),
    /// Settings of trainings
    Train(Search<SettingsArgs<TrainReporter>>),
}

// The arguments of the kind's command, with ranges in `--set`, and those of the search.
#[derive(Args, Debug)]
pub struct Search<S: Args> {
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
    judge: Vec<Opponent>,
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
    #[command(flatten)]
    output: EventsArgs,
}

/// A list as one argument.
type Seeds = Vec<u64>;

fn all_seeds(text: &str) -> Result<Seeds, Error> {
    seeds(text)
}

/// What is searched, and how.
struct Sweep<'a> {
    searched: Vec<Dimension>,
    /// The other settings of all runs.
    settings: Box<dyn RunSettings>,
    how: &'a How,
    out: PathBuf,
}

pub fn run(command: &SweepCommand, paths: &Paths) -> Result<ExitCode> {
    match command {
        SweepCommand::Evolve(search) => Sweep::new(search, paths)?.run(paths),
        SweepCommand::Tune(search) => Sweep::new(search, paths)?.run(paths),
        SweepCommand::Train(search) => Sweep::new(search, paths)?.run(paths),
    }
}

impl<'a> Sweep<'a> {
    /// # Errors
    /// Nothing is searched, or a setting is invalid, or the folder holds files of others.
    fn new<S: Start>(Search { settings, how }: &'a Search<SettingsArgs<S>>, paths: &Paths) -> Result<Sweep<'a>> {
        let (searched, others) = separated(&settings.set)?;
        let settings = settings.with_set(others).read(how.seeds.first().copied(), paths)?;
        if !how.judge.is_empty() && settings.problem().is_none() {
            bail!("--judge is for sweeps of evolve; others are compared by their own results");
        }
        check_values(&searched, how, &*settings)?;
        let named = || {
            let runs = paths.runs().context("no home directory to save a sweep in; name a folder with --out")?;
            Ok::<_, anyhow::Error>(free_folder(&runs, &format!("sweep-{}", settings.manifest().preset)))
        };
        let out = how.out.clone().map_or_else(named, Ok)?;
        refuse_others(&out, [PAGE, TRIALS])?;
        Ok(Sweep { searched, settings, how, out })
    }

    fn run(&self, paths: &Paths) -> Result<ExitCode> {
        signals::catch().context("cannot catch signals")?;
        let mut trials = draw(&self.searched, self.how.trials as usize, self.how.draw);
        let rungs = rungs(trials.len(), self.settings.manifest().generations, self.how.keep as usize);
        let mut all: Vec<TrialResult> = Vec::new();
        for (number, rung) in (1..).zip(&rungs) {
            trials.truncate(rung.trials);
            self.say(&format!(
                "rung {number} of {}: {} of {}, {}",
                rungs.len(),
                counted(trials.len(), "trial"),
                counted(self.how.seeds.len(), "run"),
                counted(rung.generations, "generation")
            ));
            let judged = match self.rung(&trials, *rung, &self.out.join(format!("{RUNG}{number}")), paths)? {
                Continue(judged) => judged,
                Break(code) => {
                    let out = sanitize::shell_path(&self.out);
                    self.say(&format!("the same command with --out {out} continues it"));
                    return Ok(code);
                }
            };
            trials = judged.iter().map(|one| one.values.clone()).collect();
            match self.how.output.format() {
                Format::Text => _ = out::result(&table(&self.searched, judged.iter().take(10)).table()),
                Format::Json => outcome::print_trials(&self.searched, number, &judged),
                Format::Csv | Format::Md => {}
            }
            all.extend(judged);
        }
        let outcome = Outcome { searched: &self.searched, how: self.how, all: &all, out: &self.out };
        outcome.write(&*self.settings)?;
        outcome.print();
        Ok(ExitCode::SUCCESS)
    }

    /// Prints a message, which is part of the result in text alone.
    fn say(&self, text: &str) {
        if self.how.output.format() == Format::Text {
            out::line(text);
        } else {
            out::report(text);
        }
    }

    /// Computes, merges and judges the trials of a rung in a folder; returns the best first, or the exit code if it was stopped.
    fn rung(
        &self,
        trials: &[Vec<String>],
        rung: Rung,
        folder: &Path,
        paths: &Paths,
    ) -> Result<ControlFlow<ExitCode, Vec<TrialResult>>> {
        let runs = match self.computed(trials, rung, folder, paths)? {
            Continue(runs) => runs,
            Break(code) => return Ok(Break(code)),
        };
        match judged(trials, &runs, &*self.settings, rung, self.how)? {
            None => Ok(Break(ExitCode::from(128 + signals::received() as u8))),
            Some(judged) if judged.iter().all(|one| one.result.is_nan()) => {
                bail!("no trial of {} has a result", sanitize::path(folder))
            }
            Some(judged) => Ok(Continue(judged)),
        }
    }

    /// Computes the runs of a rung here and merges them. Returns their folders, those of each trial together in the order of the
    /// trials.
    fn computed(
        &self,
        trials: &[Vec<String>],
        rung: Rung,
        folder: &Path,
        paths: &Paths,
    ) -> Result<ControlFlow<ExitCode, Vec<PathBuf>>> {
        let vary = vary(&self.searched, trials)?;
        let mut settings = self.settings.clone();
        settings.set("generations", &rung.generations.to_string())?;
        let how = self.how;
        if is_plan(folder) {
            check_same(&Plan::open(folder)?, &vary, how, &*settings)?;
        } else {
            let command = settings.kind().command;
            let wanted = PlanSpec { command, settings, seeds: how.seeds.clone(), vary: vec![vary], block: None };
            make(wanted, folder)?;
        }
        let submit = SubmitArgs {
            plan: folder.to_owned(),
            engine: EngineName::Local,
            jobs: how.threads,
            threads: 1,
            part: None,
            dry_run: false,
            more: Vec::new(),
            is_part_of_sweep: true,
        };
        let code = submit::run(&submit, paths)?;
        if code != ExitCode::SUCCESS {
            return Ok(Break(code));
        }
        let plan = Plan::open(folder)?;
        let goes_on = &mut |_| signals::received() == 0;
        let (puts, _) =
            merge(&plan, &Runs::read_checked(&plan)?, &folder.join(MERGED), false, &Pool::alone(), goes_on)?;
        if signals::received() != 0 {
            return Ok(Break(ExitCode::from(128 + signals::received() as u8)));
        }
        let missing = || format!("{} has runs without rows", sanitize::path(folder));
        let folders = puts.into_iter().map(|put| put.folder.with_context(missing)).collect::<Result<_>>()?;
        Ok(Continue(folders))
    }
}

/// Separates the settings that are searched from the others.
fn separated(set: &[String]) -> Result<(Vec<Dimension>, Vec<String>)> {
    let (mut searched, mut others): (Vec<Dimension>, _) = (Vec::new(), Vec::new());
    for text in set {
        match Dimension::parse(text)? {
            Some(one) if ["seed", "generations"].contains(&one.key.as_str()) => {
                bail!("{} cannot be searched: --seeds names the seeds, and --keep changes the generations", one.key)
            }
            Some(one) if searched.iter().any(|other| other.key == one.key) => {
                bail!("--set {} has two ranges; give one", one.key)
            }
            Some(one) => searched.push(one),
            None => others.push(text.clone()),
        }
    }
    if searched.is_empty() {
        bail!("name at least one setting to search, such as --set mutation=0.1..10");
    }
    Ok((searched, others))
}

/// # Errors
/// A setting is unknown, or the value of a trial is invalid.
fn check_values(searched: &[Dimension], how: &How, settings: &dyn RunSettings) -> Result<()> {
    for trial in draw(searched, how.trials as usize, how.draw) {
        let mut settings = settings.boxed();
        for (one, value) in searched.iter().zip(&trial) {
            let set = settings.set(&one.key, value);
            set.map_err(|error| anyhow!("--set {}: {}", one.key, error.in_a_line()))?;
        }
    }
    Ok(())
}

/// # Errors
/// The folder holds a plan of another sweep.
fn check_same(plan: &Plan, vary: &Vary, how: &How, settings: &dyn RunSettings) -> Result<()> {
    let draft = plan.draft();
    let own = plan.settings()?;
    let is_same = own.to_text() == settings.to_text() && own.manifest().preset == settings.manifest().preset;
    let is_same = is_same && draft.manifest.generations == settings.manifest().generations;
    if !is_same || draft.vary != [vary.clone()] || draft.seeds != how.seeds {
        bail!("{} belongs to another sweep; name another folder with --out", sanitize::path(plan.folder()));
    }
    Ok(())
}

/// A trial with its result.
pub struct TrialResult {
    pub values: Vec<String>,
    pub generations: u64,
    /// The median over its runs; NaN without results.
    pub result: f64,
}

/// Judges the trials by the medians of their runs, the best first, those without a result last; `None` after a signal. `runs` are
/// the folders of all runs, those of each trial together.
///
/// # Errors
/// A run cannot be read, or its program cannot play.
fn judged(
    trials: &[Vec<String>],
    runs: &[PathBuf],
    settings: &dyn RunSettings,
    rung: Rung,
    how: &How,
) -> Result<Option<Vec<TrialResult>>> {
    let column = if how.judge.is_empty() { Groups::read(runs, None)?.column } else { String::new() };
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
        judged.push(TrialResult { values: values.clone(), generations: rung.generations, result });
    }
    let sign = if is_less_better(&column) { -1.0 } else { 1.0 };
    let rank = |one: &TrialResult| if one.result.is_nan() { f64::NEG_INFINITY } else { sign * one.result };
    crate::sort::sort_by(&mut judged, |one, other| rank(other).total_cmp(&rank(one)));
    Ok(Some(judged))
}

/// The points of a run's best program against the judges, in percent.
fn points(run: &Path, settings: &dyn RunSettings, how: &How) -> Result<f64> {
    let problem = settings.problem().context("--judge is for sweeps of evolve")?;
    let player: Spec = format!("{}:{}", problem.player_word(), run.join(BEST).display()).parse()?;
    let pool = Pool::new(how.threads);
    let mut sum = 0.0;
    for judge in &how.judge {
        let players = [player.clone(), judge.player(&problem.game())];
        let game = Match { variant: problem.game(), players, games: how.games, opening: 2, seed: how.draw };
        let tally = game.play(&pool, &mut |_| ()).context("a judge must be a computer player")?;
        sum += 100.0 * tally.first.plus(tally.second).share();
    }
    Ok(sum / how.judge.len() as f64)
}
