//! `mancalab reproduce`: a source's table or figure, published beside measured.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::Args;
use serde::Serialize;

use super::live::{Progress, Telling};
use super::run::threads;
use super::{help, out, print};
use crate::crew::Crew;
use crate::document::Listed as _;
use crate::document::nearest;
use crate::evolve::kalah::Settings;
use crate::reproduce::mancala_gp::{self, Curves};
use crate::reproduce::{Flag, Heard, TARGETS, Table, Target, checkers_ga, kalah_thesis, othello_gp};

#[derive(Args, Debug)]
pub struct ReproduceArgs {
    /// What to reproduce, such as mancala-gp/figure5
    pub target: Option<String>,
    /// Say what can be reproduced
    #[arg(long)]
    pub list: bool,
    /// One JSON object instead of a table
    #[arg(long)]
    pub json: bool,
    /// Decides all random choices; 1 unless given
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub seed: Option<u64>,
    /// mancala-gp/figure5: show the games, move by move
    #[arg(long)]
    pub moves: bool,
    /// mancala-gp/figure10: how many random programs, 1000 unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub programs: Option<u32>,
    /// Another reading than the one in force, such as capture=standard, eps=0.1 or reading=as-printed; --list says which
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// How many processors to use, 0 for all; changes nothing but the speed
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    pub threads: usize,
    /// kalah-thesis: games in a cell, at a point or in a match, of a3c 200 unless given; othello-gp: of each hypothesis, 10,000 unless given;
    /// checkers-ga: against each opponent, 1,000 unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: Option<u32>,
    /// kalah-thesis/table3: how many runs, 20 unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub runs: Option<u32>,
    /// kalah-thesis/a3c, othello-gp/evolve, checkers-ga/learning, mancala-gp/figures6-9: runs of so many seeds, from --seed
    /// on; 3, 5, 5 and 20 unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub seeds: Option<u32>,
    /// kalah-thesis/table3: generations of each run, 250 unless given; kalah-thesis/a3c: those of the preset; checkers-ga: 30, or
    /// 10 of the walk through
    #[arg(long, value_name = "N")]
    pub generations: Option<u64>,
    /// The folder for CSV files, plots and runs. figures6-9 takes one that does not hold them already, mancala-gp-figures
    /// unless told otherwise; table3, a3c, evolve and learning go on with the runs that are there
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

pub fn run(args: &ReproduceArgs) -> Result<ExitCode> {
    if args.list {
        return list(args.json);
    }
    let name = args.target.as_deref().ok_or_else(missing)?;
    let target = Target::named(name).ok_or_else(|| unknown(name))?;
    target.check_flags(&args.given()).map_err(|error| anyhow!(error))?;
    let mut telling = Telling::begin();
    let mut hear = |heard: Heard<'_>| tell(&mut telling, heard);
    if name.starts_with("kalah-thesis/") {
        let table = thesis(name, args, &mut hear);
        telling.clear();
        return show(&table?, &[], args.json);
    }
    if name.starts_with("othello-gp/") {
        let table = othello(name, args, &mut hear);
        telling.clear();
        return show(&table?, &[], args.json);
    }
    if name.starts_with("checkers-ga/") {
        let table = checkers(name, args, &mut hear);
        telling.clear();
        return show(&table?, &[], args.json);
    }
    let mut settings = Settings::default();
    // The one setting that may be given several times: each reading is compared with the others.
    let mut points = Vec::new();
    for text in &args.set {
        let (key, _) = target.reading(text).map_err(|error| anyhow!(error))?;
        settings.set_text(text).map_err(|error| anyhow!(error))?;
        points.extend((key == "points").then_some(settings.tableau.points));
    }
    let (seed, programs) = (args.seed.unwrap_or(1), args.programs.unwrap_or(1000));
    let table = match name {
        "mancala-gp/figure5" => mancala_gp::figure5(&settings),
        "mancala-gp/figure10" => mancala_gp::figure10(&settings, seed, programs, &Crew::new(args.threads), &mut hear),
        "mancala-gp/figures6-9" => {
            let curves = Curves {
                seed,
                seeds: args.seeds.unwrap_or(20),
                points,
                out: args.out.clone().unwrap_or_else(|| "mancala-gp-figures".into()),
            };
            mancala_gp::figures6_9(&curves, &Crew::new(args.threads), &mut hear)
        }
        _ => return Err(unknown(name)),
    };
    telling.clear();
    let table = table.map_err(|error| anyhow!(error))?;
    let games = match args.moves {
        true => mancala_gp::figure5_games(&settings).map_err(|error| anyhow!(error))?,
        false => Vec::new(),
    };
    show(&table, &games, args.json)
}

impl ReproduceArgs {
    /// The flags on the command line that not every target takes.
    fn given(&self) -> Vec<Flag> {
        let is_given = |flag: &Flag| match flag {
            Flag::Seed => self.seed.is_some(),
            Flag::Games => self.games.is_some(),
            Flag::Runs => self.runs.is_some(),
            Flag::Seeds => self.seeds.is_some(),
            Flag::Generations => self.generations.is_some(),
            Flag::Programs => self.programs.is_some(),
            Flag::Moves => self.moves,
            Flag::Set => !self.set.is_empty(),
            Flag::Out => self.out.is_some(),
        };
        Flag::ALL.into_iter().filter(is_given).collect()
    }
}

fn tell(telling: &mut Telling, heard: Heard<'_>) {
    match heard {
        Heard::News(text) => telling.news(text),
        Heard::Progress { share, at } => {
            telling.progress(|| Progress { share, at, left: None, speed: String::new(), more: Vec::new() });
        }
    }
}

fn thesis(target: &str, args: &ReproduceArgs, hear: &mut dyn FnMut(Heard<'_>)) -> Result<Table> {
    let usual = kalah_thesis::Options::default();
    let options = kalah_thesis::Options {
        seed: args.seed.unwrap_or(usual.seed),
        games: args.games,
        runs: args.runs.unwrap_or(usual.runs),
        seeds: args.seeds,
        generations: args.generations,
        set: args.set.clone(),
        out: args.out.clone(),
        crew: Crew::new(args.threads),
    };
    kalah_thesis::reproduce(target, &options, hear).map_err(|error| anyhow!(error))
}

fn othello(target: &str, args: &ReproduceArgs, hear: &mut dyn FnMut(Heard<'_>)) -> Result<Table> {
    let options = othello_gp::Options {
        seed: args.seed.unwrap_or(1),
        seeds: args.seeds,
        games: args.games,
        set: args.set.clone(),
        out: args.out.clone(),
        crew: Crew::new(args.threads),
    };
    othello_gp::reproduce(target, &options, hear).map_err(|error| anyhow!(error))
}

fn checkers(target: &str, args: &ReproduceArgs, hear: &mut dyn FnMut(Heard<'_>)) -> Result<Table> {
    let options = checkers_ga::Options {
        seed: args.seed.unwrap_or(1),
        seeds: args.seeds,
        games: args.games,
        generations: args.generations,
        set: args.set.clone(),
        out: args.out.clone(),
        crew: Crew::new(args.threads),
    };
    checkers_ga::reproduce(target, &options, hear).map_err(|error| anyhow!(error))
}

fn show(table: &Table, games: &[String], json: bool) -> Result<ExitCode> {
    if json {
        return Ok(print(&out::pretty(&table.told(games))));
    }
    let mut text = table.to_text();
    games.iter().for_each(|game| text += &format!("\n{game}"));
    Ok(print(&text))
}

fn list(json: bool) -> Result<ExitCode> {
    if json {
        #[derive(Serialize)]
        struct Told {
            target: &'static str,
            about: &'static str,
            flags: Vec<&'static str>,
            set: &'static [&'static str],
        }
        let told = |target: &Target| Told {
            target: target.name,
            about: target.about,
            flags: target.takes.iter().map(|flag| flag.text()).collect(),
            set: target.readings,
        };
        out::json(&TARGETS.iter().map(told).collect::<Vec<_>>());
        return Ok(ExitCode::SUCCESS);
    }
    let target = |target: &Target| format!("{:<24}{}\n{:<24}{}\n", target.name, target.about, "", target.flags());
    let lines: String = TARGETS.iter().map(target).collect();
    Ok(print(&format!("{lines}\nAll of them take --json and --threads.\n")))
}

fn missing() -> anyhow::Error {
    let targets: Vec<(&str, &str)> = TARGETS.iter().map(|target| (target.name, target.about)).collect();
    let (example, list) = (TARGETS[0].name, help::section("Targets", &targets));
    anyhow!("reproduce needs a target, as in: mancalab reproduce {example}\n\n{}", list.trim_end())
}

fn unknown(target: &str) -> anyhow::Error {
    let names = TARGETS.iter().map(|target| target.name);
    let hint = nearest(target, names.clone()).map(|near| format!(" (did you mean '{near}'?)")).unwrap_or_default();
    anyhow!("nothing is called '{target}'{hint}; known: {}", names.collect::<Vec<_>>().join(", "))
}
