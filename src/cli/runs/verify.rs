//! `mancalab runs verify`: computes rows of a run again and compares them with the saved ones.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Args;
use serde::Serialize;

use super::{find_runs, name};
use crate::cli::format::{Format, OutputArgs};
use crate::cli::live::{Live, Progress};
use crate::cli::run::threads;
use crate::cli::{out, signals};
use crate::job::run_dir::{self, EntryState};
use crate::job::verify::{Comparison, verify};
use crate::kinds;
use crate::paths::Paths;
use crate::pool::Pool;
use crate::sanitize;

#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// Runs and merged plans, by folder, name or unique start of the name
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Maximum number of rows to compute again, from the first; default: all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub rows: Option<u64>,
    /// Number of threads, 0 for all
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    pub threads: usize,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The result for programs.
#[derive(Serialize)]
struct Json {
    run: String,
    /// Rows in the folder, and those computed again.
    rows: u64,
    compared: u64,
    equal: bool,
    /// Whether it was stopped by a signal.
    stopped: bool,
    difference: Option<JsonDifference>,
}

#[derive(Serialize)]
struct JsonDifference {
    row: u64,
    column: String,
    saved: String,
    computed: String,
}

/// Verifies runs; the exit code is 1 if a row differs or a run is damaged.
///
/// # Errors
/// A run cannot be read, is not reproducible, or cannot be computed.
pub fn run(args: &VerifyArgs, paths: &Paths) -> Result<ExitCode> {
    let folders = find_runs(&args.runs, paths)?;
    signals::catch().context("cannot catch signals")?;
    let pool = Pool::new(args.threads);
    let mut differs = false;
    let mut rows = Vec::new();
    for folder in folders {
        let name = name(&folder);
        let mut live = if args.output.is_json() { Live::hidden() } else { Live::new() };
        let verified = verify(&folder, kinds::forms(), args.rows.unwrap_or(u64::MAX), &pool, |done, of| {
            let share = done as f64 / of.max(1) as f64;
            let at = format!("{name}: row {done}/{of}");
            live.show(|| Some(Progress { share, count: at, left: None, speed: String::new(), more: Vec::new() }));
            signals::received() == 0
        });
        live.clear();
        let verified = verified.with_context(|| format!("cannot verify {}", sanitize::path(&folder)))?;
        differs |= verified.difference.is_some();
        // Rows may be right and yet too few for the checkpoint.
        if let EntryState::Damaged(why) = run_dir::entry(folder).state {
            out::report(&format!("mancalab: {name} is damaged: {why}"));
            differs = true;
        }
        match args.output.format() {
            Format::Text => out::line(&text(&name, &verified)),
            Format::Json => out::json("runs-verify", &json(name, verified)),
            Format::Csv | Format::Md => {
                rows.push(json(name, verified));
                true
            }
        };
        if signals::received() != 0 {
            break;
        }
    }
    if !rows.is_empty() {
        args.output.print_all("runs-verify", &rows, String::new);
    }
    Ok(if signals::received() == 0 { ExitCode::from(u8::from(differs)) } else { signals::exit_code() })
}

fn text(name: &str, verified: &Comparison) -> String {
    let Comparison { compared, rows, is_stopped, difference } = verified;
    let name = sanitize::inline(name);
    match difference {
        Some(other) => format!(
            "{name}: row {} differs: {} is {} here, but was saved as {}",
            other.row, other.column, other.computed, other.saved
        ),
        None if *is_stopped => format!("{name}: stopped; {compared} of {rows} rows are equal so far"),
        None => format!("{name}: {compared} of {rows} rows computed again, all equal"),
    }
}

fn json(run: String, verified: Comparison) -> Json {
    let Comparison { compared, rows, is_stopped, difference } = verified;
    let equal = difference.is_none();
    let difference = difference.map(|one| JsonDifference {
        row: one.row,
        column: one.column,
        saved: one.saved,
        computed: one.computed,
    });
    Json { run, rows, compared, equal, stopped: is_stopped, difference }
}
