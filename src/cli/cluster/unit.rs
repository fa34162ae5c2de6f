//! `mancalab plan unit`: computes one unit of a plan. Engines call it, on any machine.

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
use crate::cluster::unit::{AttemptOutcome, compute};
use crate::paths::Paths;
use crate::pool::Pool;

/// Exit code of a unit whose required units have no results yet: not an error; call it again later.
pub const MISSING: u8 = 75;

/// Environment variables with the index of a task: HyperQueue, Slurm, PBS Pro, Torque, Kubernetes.
pub(in crate::cli) const INDICES: [&str; 5] =
    ["HQ_TASK_ID", "SLURM_ARRAY_TASK_ID", "PBS_ARRAY_INDEX", "PBS_ARRAYID", "JOB_COMPLETION_INDEX"];

#[derive(Args, Debug)]
#[command(after_help = after_help())]
pub struct UnitArgs {
    /// Plan, by folder, name or unique start of the name
    pub plan: PathBuf,
    /// Number of the unit, from 0; default: the engine's environment variable
    #[arg(long, value_name = "N")]
    pub index: Option<u32>,
    /// Number to add to the engine's, for arrays with limited indices
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "index")]
    pub first: u32,
    /// Seconds to wait for results of required units, which a network folder may show late
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=86_400))]
    pub wait: u32,
    /// Threads to use, 0 for all; affects only the speed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads())]
    pub threads: usize,
}

fn after_help() -> String {
    format!(
        "Without --index, the unit is the value of the first of these variables that is set: {}.\n\nExit status: 0 if the unit is done, {MISSING} if it needs \
         another unit first, 2 on an error, and 128 plus the signal's number after a signal: the unit is saved, and the next call \
         resumes it.",
        INDICES.join(", ")
    )
}

pub fn run(args: &UnitArgs, paths: &Paths) -> Result<ExitCode> {
    let (plan, work) = open(&args.plan, paths)?;
    let unit = index(args)?;
    if unit >= work.units() {
        bail!("unit of {} must be 0 to {} (got {unit})", plan.name(), work.units() - 1);
    }
    signals::catch().context("cannot catch signals")?;
    let pool = Pool::new(args.threads);
    let mut live = if io::stderr().is_terminal() { Live::new() } else { Live::hidden() };
    let began = std::time::Instant::now();
    let before = Cell::new(None);
    let mut show_progress = |share: f64| {
        let first = before.get().unwrap_or_else(|| {
            before.set(Some(share));
            share
        });
        live.show(|| {
            let left = (share > first).then(|| began.elapsed().as_secs_f64() * (1.0 - share) / (share - first));
            Some(Progress {
                share,
                count: format!("unit {unit}"),
                left,
                speed: String::new(),
                more: vec![work.describe(unit)],
            })
        });
    };
    let ended = compute(
        &plan,
        &work,
        unit,
        Duration::from_secs(args.wait.into()),
        &pool,
        &|| signals::received() != 0,
        &mut show_progress,
    );
    live.clear();
    Ok(match ended? {
        AttemptOutcome::Done(seconds) => {
            out::line(&format!("unit {unit} ({}) done in {}", work.describe(unit), clock(seconds)));
            ExitCode::SUCCESS
        }
        AttemptOutcome::Already => {
            out::line(&format!("unit {unit} ({}) was already done", work.describe(unit)));
            ExitCode::SUCCESS
        }
        AttemptOutcome::Missing(units) => {
            let missing: Vec<String> = units.iter().map(|unit| format!("{unit} ({})", work.describe(*unit))).collect();
            out::report(&format!(
                "mancalab: unit {unit} first needs the results of these units: {}",
                missing.join(", ")
            ));
            ExitCode::from(MISSING)
        }
        AttemptOutcome::Stopped => {
            out::line(&format!("unit {unit} stopped and saved; the next call resumes it"));
            signals::exit_code()
        }
    })
}

/// The number of the unit, by `--index` or the environment.
fn index(args: &UnitArgs) -> Result<u32> {
    if let Some(index) = args.index {
        return Ok(index);
    }
    let found = INDICES.iter().find_map(|name| Some((name, std::env::var(name).ok()?)));
    let (name, text) =
        found.with_context(|| format!("no unit given: use --index N, or set one of {}", INDICES.join(", ")))?;
    let number =
        text.parse::<u32>().ok().with_context(|| format!("{name} must be a whole number, 0 or more (got '{text}')"))?;
    let first = args.first;
    number.checked_add(first).with_context(|| format!("{name} plus --first is too large ({number} plus {first})"))
}
