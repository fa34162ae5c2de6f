//! `mancalab reproduce`: a source's table or figure, published beside measured.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;

use super::print;
use crate::document::nearest;
use crate::evolve::kalah::Settings;
use crate::reproduce::{TARGETS, Table, kalah_thesis, mancala_gp};

#[derive(Args, Debug)]
pub struct ReproduceArgs {
    /// What to reproduce, such as mancala-gp/figure5
    #[arg(required_unless_present = "list")]
    pub target: Option<String>,
    /// Say what can be reproduced
    #[arg(long)]
    pub list: bool,
    /// One JSON object instead of a table
    #[arg(long)]
    pub json: bool,
    /// Decides all random choices
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// figure5: show the games, move by move
    #[arg(long)]
    pub moves: bool,
    /// figure10: how many random programs
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub programs: u32,
    /// Another reading than the one in force, such as capture=standard, value_at=south, choice=six or opponents=minimax:7
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// How many processors to use, 0 for all; changes nothing but the speed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    /// kalah-thesis: games in a match
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: Option<u32>,
    /// table3: how many runs
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub runs: u32,
    /// table3: generations of each run
    #[arg(long, value_name = "N", default_value_t = 250)]
    pub generations: u64,
    /// The folder for CSV files, plots and runs. figures6-9 takes one that does not hold them already, mancala-gp-figures
    /// unless told otherwise; table3 goes on with the runs that are there
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// What can be read otherwise.
const READINGS: [&str; 4] = ["capture", "value_at", "choice", "opponents"];

pub fn run(args: &ReproduceArgs) -> Result<ExitCode> {
    let Some(target) = args.target.as_deref().filter(|_| !args.list) else { return list(args.json) };
    if target.starts_with("kalah-thesis/") && TARGETS.iter().any(|(name, _)| *name == target) {
        let mut table = thesis(target, args)?;
        return show(&mut table, &[], args.json);
    }
    let mut settings = Settings::default();
    for text in &args.set {
        let key = text.split('=').next().unwrap_or_default().trim();
        if !READINGS.contains(&key) {
            bail!("'{key}' is no reading; known: {}", READINGS.join(", "));
        }
        settings.set_text(text).map_err(|error| anyhow!("{error}"))?;
    }
    let table = match target {
        "mancala-gp/figure5" => mancala_gp::figure5(&settings),
        "mancala-gp/figure10" => mancala_gp::figure10(&settings, args.seed, args.programs, args.threads),
        "mancala-gp/figures6-9" => {
            if !args.set.is_empty() {
                bail!(
                    "figures6-9 runs the presets as they are; for other settings: mancalab evolve mancala-gp-2 --set …"
                );
            }
            let out = args.out.clone().unwrap_or_else(|| "mancala-gp-figures".into());
            mancala_gp::figures6_9(args.seed, args.threads, &out, |text| eprintln!("{text}"))
        }
        _ => return Err(unknown(target)),
    };
    let mut table = table.map_err(|error| anyhow!("{error}"))?;
    let games = if args.moves && target == "mancala-gp/figure5" {
        mancala_gp::figure5_games(&settings).map_err(|error| anyhow!("{error}"))?
    } else {
        Vec::new()
    };
    show(&mut table, &games, args.json)
}

fn thesis(target: &str, args: &ReproduceArgs) -> Result<Table> {
    // Fails only if threads were at work already, and then there are as many as usual.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build_global();
    let options = kalah_thesis::Options {
        seed: args.seed,
        games: args.games,
        runs: args.runs,
        generations: args.generations,
        set: args.set.clone(),
        out: args.out.clone(),
    };
    kalah_thesis::reproduce(target, &options, &mut |text| eprintln!("{text}")).map_err(|error| anyhow!("{error}"))
}

fn show(table: &mut Table, games: &[String], json: bool) -> Result<ExitCode> {
    if json {
        let mut object = table.to_json();
        if !games.is_empty() {
            object["games"] = serde_json::json!(games);
        }
        return print(format!("{}\n", serde_json::to_string_pretty(&object).context("the table as JSON")?).as_bytes());
    }
    let mut text = table.to_text();
    games.iter().for_each(|game| text += &format!("\n{game}"));
    print(text.as_bytes())
}

fn list(json: bool) -> Result<ExitCode> {
    if json {
        let targets: Vec<_> =
            TARGETS.iter().map(|(name, about)| serde_json::json!({"target": name, "about": about})).collect();
        return print(format!("{}\n", serde_json::json!(targets)).as_bytes());
    }
    let lines: String = TARGETS.iter().map(|(name, about)| format!("{name:<24}{about}\n")).collect();
    print(lines.as_bytes())
}

fn unknown(target: &str) -> anyhow::Error {
    let names = TARGETS.iter().map(|(name, _)| *name);
    let hint = nearest(target, names.clone()).map(|near| format!(" (did you mean '{near}'?)")).unwrap_or_default();
    anyhow!("nothing is called '{target}'{hint}; known: {}", names.collect::<Vec<_>>().join(", "))
}
