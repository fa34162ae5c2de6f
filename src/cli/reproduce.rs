//! `mancalab reproduce`: a source's table or figure with published and measured values.

mod all;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use serde::Serialize;

use super::format::{Format, OutputArgs};
use super::live::{Progress, ProgressLine};
use super::run::threads;
use super::{format, help, out, print};
use crate::pool::Pool;
use crate::reproduce::{Options, ProgressEvent, Target, csv};

/// The word for all targets.
const ALL: &str = "all";

/// Parses a number of hours.
fn hours(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|hours| (0.0..=10_000.0).contains(hours)).ok_or_else(|| "must be 0 to 10000".to_owned())
}

/// A share of all targets: one of several machines.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// From 0.
    pub machine: usize,
    pub machines: usize,
}

/// Parses a share such as `2/3`.
fn share(text: &str) -> Result<Share, String> {
    let parse = || {
        let (machine, machines) = text.split_once('/')?;
        let machine = machine.parse::<usize>().ok()?;
        let machines = machines.parse().ok()?;
        let is_valid = (1..=machines).contains(&machine) && machines <= 1000;
        is_valid.then(|| Share { machine: machine - 1, machines })
    };
    parse().ok_or_else(|| "must be a number of all, such as 2/3 on the second of three machines".to_owned())
}

/// Returns the names of the sources.
pub(super) fn sources() -> Vec<&'static str> {
    let mut sources: Vec<&str> = Target::all().filter_map(|target| Some(target.name.split_once('/')?.0)).collect();
    sources.dedup();
    sources
}

/// Returns the words that name targets, with what they mean.
pub(super) fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    let all = (ALL, "all tables and figures, within a budget of time");
    [all].into_iter().chain(Target::all().map(|target| (target.name, target.about)))
}

/// Returns the keys of readings that `--set` changes, each once; the settings of runs are not among them.
pub(super) fn readings() -> BTreeSet<&'static str> {
    Target::all().flat_map(|target| target.readings).copied().collect()
}

#[derive(Args, Debug)]
pub struct ReproduceArgs {
    /// Table or figure to reproduce, such as mancala-gp/figure5; or all
    pub target: Option<String>,
    /// all: processor time, in hours; default: full sizes
    ///
    /// Sizes are chosen to fit.
    #[arg(long, value_name = "N", value_parser = hours)]
    pub hours: Option<f64>,
    /// all: only this source, such as kalah-thesis
    #[arg(long, value_name = "NAME")]
    pub source: Option<String>,
    /// all: this machine's share of the targets, such as 2/3
    ///
    /// The second of three machines that write into one folder computes 2/3. Without it, the same command then computes what is missing
    /// and writes the index.
    #[arg(long, value_name = "I/N", value_parser = share)]
    pub share: Option<Share>,
    /// List the tables and figures
    #[arg(long)]
    pub list: bool,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Random seed; default: 1
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub seed: Option<u64>,
    /// mancala-gp/figure5: show the games, move by move
    #[arg(long)]
    pub moves: bool,
    /// figure10, opponents: random programs; default: 1000
    ///
    /// Of mancala-gp.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub programs: Option<u32>,
    /// Change a reading of the source, such as eps=0.1
    ///
    /// --list names the keys of each target, such as capture=standard or reading=as-printed.
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Threads to use, 0 for all; affects only the speed
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    pub threads: usize,
    /// Games per cell, point, match, hypothesis or limit
    ///
    /// Per cell, point or match (kalah-thesis; default of a3c: 200, of variants: 100), per hypothesis (othello-gp; default: 10,000)
    /// or per opponent or limit (checkers-ga; default of learning: 1,000, of pruning: 400, of claims: 200).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: Option<u32>,
    /// table3 and operators: number of runs; default: 20
    ///
    /// Of kalah-thesis.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub runs: Option<u32>,
    /// Number of seeds, counted from --seed
    ///
    /// Defaults: kalah-thesis/a3c (3), network-ga (3), without-h8 (5), readings (8);
    /// othello-gp/evolve (5), stages, adf, population and epochs (20); checkers-ga/learning (5), claims (10);
    /// mancala-gp/figures6-9 (20), without-if (20), opponents (10).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub seeds: Option<u32>,
    /// Generations per run
    ///
    /// Defaults: 250 (kalah-thesis/table3, operators, readings), 60 (variants), the preset's (a3c, othello-gp,
    /// mancala-gp), 30 (checkers-ga) or 10 (its walkthrough).
    #[arg(long, value_name = "N")]
    pub generations: Option<u64>,
    /// Folder for CSV files, plots and runs
    ///
    /// Targets with runs resume those in it. Defaults: mancala-gp-figures (figures6-9), reproduced (all).
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

pub fn run(args: &ReproduceArgs) -> Result<ExitCode> {
    if args.list {
        return list(&args.output);
    }
    let name = args.target.as_deref().ok_or_else(missing)?;
    if name == ALL {
        return all::run(args);
    }
    let of_all =
        [("--hours", args.hours.is_some()), ("--source", args.source.is_some()), ("--share", args.share.is_some())];
    if let Some((flag, _)) = of_all.iter().find(|(_, is_given)| *is_given) {
        bail!("{flag} is for reproduce all, not for {name}");
    }
    let target = Target::named(name)?;
    target.check_flags(&args.given())?;
    let options = Options {
        seed: args.seed.unwrap_or(1),
        seeds: args.seeds,
        games: args.games,
        runs: args.runs,
        generations: args.generations,
        programs: args.programs,
        moves: args.moves,
        set: target.settings(&args.set)?,
        out: args.out.clone(),
        pool: Pool::new(args.threads),
    };
    let mut reporter = ProgressLine::begin();
    let table = target.reproduce(&options, &mut |heard| report(&mut reporter, heard));
    reporter.clear();
    let table = table?;
    Ok(print(&match args.output.format() {
        Format::Text => table.to_text(),
        Format::Json => out::in_a_line("reproduce", &table.output()),
        Format::Csv => csv::lines(&table.lines),
        Format::Md => {
            let lines = out::value(&table.output())["lines"].take();
            format::table(lines.as_array().map_or(&[][..], Vec::as_slice)).markdown()
        }
    }))
}

impl ReproduceArgs {
    /// Given flags that only some targets accept.
    fn given(&self) -> Vec<&'static str> {
        let flags = [
            ("--seed", self.seed.is_some()),
            ("--games", self.games.is_some()),
            ("--runs", self.runs.is_some()),
            ("--seeds", self.seeds.is_some()),
            ("--generations", self.generations.is_some()),
            ("--programs", self.programs.is_some()),
            ("--moves", self.moves),
            ("--set", !self.set.is_empty()),
            ("--out", self.out.is_some()),
        ];
        flags.into_iter().filter_map(|(flag, is_given)| is_given.then_some(flag)).collect()
    }
}

fn report(reporter: &mut ProgressLine, heard: ProgressEvent<'_>) {
    match heard {
        ProgressEvent::News(text) => reporter.news(text),
        ProgressEvent::Progress { share, item } => {
            reporter.progress(|| Progress { share, count: item, left: None, speed: String::new(), more: Vec::new() });
        }
    }
}

/// A target of `--list`, for programs.
#[derive(Serialize)]
struct JsonTarget {
    target: &'static str,
    about: &'static str,
    flags: &'static [&'static str],
    set: &'static [&'static str],
    seconds: u32,
}

fn list(output: &OutputArgs) -> Result<ExitCode> {
    let row = |target: &'static Target| JsonTarget {
        target: target.name,
        about: target.about,
        flags: target.takes,
        set: target.readings,
        seconds: target.work.seconds,
    };
    let rows: Vec<JsonTarget> = Target::all().map(row).collect();
    if output.is_json() {
        // A list, as of earlier versions.
        out::json("reproduce-list", &rows);
        return Ok(ExitCode::SUCCESS);
    }
    output.print_all("reproduce-list", &rows, || {
        let target = |target: &Target| {
            let seconds = target.work.seconds;
            let flags = target.flags();
            let name = target.name;
            let about = target.about;
            format!("{name:<24}{about}\n{:<24}{flags}\n{:<24}{seconds} s of processor time\n", "", "")
        };
        let lines: String = Target::all().map(target).collect();
        format!("{lines}\nAll targets accept --json and --threads. Processor times are those of full sizes.\n")
    });
    Ok(ExitCode::SUCCESS)
}

fn missing() -> anyhow::Error {
    let targets: Vec<(&str, &str)> = Target::all().map(|target| (target.name, target.about)).collect();
    let example = targets[0].0;
    let list = help::section("Targets", &targets);
    anyhow!("reproduce needs a target, as in: mancalab reproduce {example}\n\n{}", list.trim_end())
}
