//! `mancalab unit`: computes one unit of a plan. What engines call, on whatever machine.

use std::cell::Cell;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::open;
use crate::cli::live::{Live, Progress};
use crate::cli::run::{clock, threads};
use crate::cli::{out, signals};
use crate::cluster::unit::{Ended, compute};
use crate::paths::Paths;
use crate::pool::Pool;

/// The exit code of a unit whose needs have no results yet: not an error, only too early.
pub const MISSING: u8 = 75;

/// Where engines say which of their tasks a process is: HyperQueue, Slurm, PBS Pro, Torque, Kubernetes.
const INDICES: [&str; 5] =
    ["HQ_TASK_ID", "SLURM_ARRAY_TASK_ID", "PBS_ARRAY_INDEX", "PBS_ARRAYID", "JOB_COMPLETION_INDEX"];

#[derive(Args, Debug)]
#[command(after_help = after_help())]
pub struct UnitArgs {
    /// The plan's folder, or its name among the runs
    pub plan: PathBuf,
    /// Which unit, counted from 0; default: what the engine sets in the environment
    #[arg(long, value_name = "N")]
    pub index: Option<u32>,
    /// Added to the number that the engine says: of arrays that cannot begin so far up
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "index")]
    pub first: u32,
    /// How many seconds to wait for units that must be computed before: a folder on the network may show their results late
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=86_400))]
    pub wait: u32,
    /// Threads to use, 0 for all; affects only the speed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads())]
    pub threads: usize,
}

fn after_help() -> String {
    format!(
        "Without --index it is the first of these that is set: {}.\n\nIt ends with 0 once the result is there, with {MISSING} if \
         another unit must be computed before, with 2 if something is wrong, and with 128 and the signal's number if it was told to stop: it \
         has saved then, and goes on from there when it is called again.",
        INDICES.join(", ")
    )
}

pub fn run(args: &UnitArgs, paths: &Paths) -> Result<ExitCode> {
    let (plan, work) = open(&args.plan, paths)?;
    let unit = index(args)?;
    if unit >= work.units() {
        bail!("there is no unit {unit}; {} has units 0 to {}", plan.name(), work.units() - 1);
    }
    signals::catch().context("signals cannot be caught")?;
    let pool = Pool::new(args.threads);
    let mut live = if io::stderr().is_terminal() { Live::new() } else { Live::hidden() };
    let began = std::time::Instant::now();
    let before = Cell::new(None);
    let mut told = |share: f64| {
        let first = before.get().unwrap_or_else(|| {
            before.set(Some(share));
            share
        });
        live.show(|| {
            let left = (share > first).then(|| began.elapsed().as_secs_f64() * (1.0 - share) / (share - first));
            Some(Progress {
                share,
                at: format!("unit {unit}"),
                left,
                speed: String::new(),
                more: vec![work.told(unit)],
            })
        });
    };
    let ended =
        compute(&plan, &work, unit, Duration::from_secs(args.wait.into()), &pool, &|| signals::told() != 0, &mut told);
    live.clear();
    Ok(match ended? {
        Ended::Done(seconds) => {
            out::line(&format!("unit {unit} ({}) done in {}", work.told(unit), clock(seconds.ceil())));
            ExitCode::SUCCESS
        }
        Ended::Already => {
            out::line(&format!("unit {unit} ({}) was done already", work.told(unit)));
            ExitCode::SUCCESS
        }
        Ended::Missing(units) => {
            let told: Vec<String> = units.iter().map(|unit| format!("{unit} ({})", work.told(*unit))).collect();
            out::tell(&format!(
                "mancalab: unit {unit} needs the results of units that have none yet: {}",
                told.join(", ")
            ));
            ExitCode::from(MISSING)
        }
        Ended::Stopped => {
            out::line(&format!("unit {unit} stopped; it goes on from here when it is called again"));
            ExitCode::from(128 + signals::told() as u8)
        }
    })
}

/// Which unit is meant.
fn index(args: &UnitArgs) -> Result<u32> {
    if let Some(index) = args.index {
        return Ok(index);
    }
    let found = INDICES.iter().find_map(|name| Some((name, std::env::var(name).ok()?)));
    let (name, text) =
        found.with_context(|| format!("which unit? Say --index N; none of {} is set", INDICES.join(", ")))?;
    let number = text
        .parse::<u32>()
        .ok()
        .with_context(|| format!("{name} is '{text}'; a whole number from 0 on is expected"))?;
    let first = args.first;
    number
        .checked_add(first)
        .with_context(|| format!("{name} is {number}, and --first {first} makes that larger than any unit's number"))
}
