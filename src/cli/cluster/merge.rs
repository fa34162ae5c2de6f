//! `mancalab plan merge`: merges the results of a plan into runs.

use std::borrow::Cow;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Args;
use mancalab_base::counted;
use serde::Serialize;

use super::open;
use crate::cli::format::OutputArgs;
use crate::cli::live::{Live, Progress};
use crate::cli::runs::summary;
use crate::cli::{out, signals};
use crate::cluster::layout;
use crate::cluster::merge::{MergeOutcome, merge};
use crate::cluster::result::Origins;
use crate::paths::Paths;
use crate::pool::Pool;
use crate::sanitize;

#[derive(Args, Debug)]
pub struct MergeArgs {
    /// Plan, by folder, name or unique start of the name
    pub plan: PathBuf,
    /// Merge the results so far, and list the missing units
    #[arg(long)]
    pub partial: bool,
    /// Folder for the merged runs, each in its own folder; default: `merged` in the plan's folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// A run for programs.
#[derive(Serialize)]
struct Json<'a> {
    name: &'a str,
    folder: Option<Cow<'a, str>>,
    rows: u64,
    finished: bool,
    missing: &'a [u32],
}

pub fn run(args: &MergeArgs, paths: &Paths) -> Result<ExitCode> {
    let (plan, work) = open(&args.plan, paths)?;
    signals::catch().context("cannot catch signals")?;
    let folder = args.out.clone().unwrap_or_else(|| plan.folder().join(layout::MERGED));
    let mut live = if args.output.is_json() { Live::hidden() } else { Live::new() };
    let all = work.runs();
    let mut text = |run: usize| {
        live.show(|| {
            let share = run as f64 / all as f64;
            Some(Progress {
                share,
                count: format!("run {}/{all}", run + 1),
                left: None,
                speed: String::new(),
                more: Vec::new(),
            })
        });
        signals::received() == 0
    };
    let puts = merge(&plan, &work, &folder, args.partial, &Pool::alone(), &mut text);
    live.clear();
    let (puts, errors) = puts?;
    for error in &errors {
        out::report(&format!("error: {error}"));
    }
    if args.output.is_text() {
        puts.iter().for_each(|put| report(put, puts.len()));
    } else {
        args.output.print_all("merge", &puts.iter().map(Json::from).collect::<Vec<_>>(), String::new);
    }
    if let Some(warning) = Origins::read(&plan).warning() {
        out::report(&format!("mancalab: {warning}"));
    }
    if args.output.is_text() {
        conclude(&puts, all);
        summary::of_folder(&folder);
    }
    let is_whole = puts.len() == all && puts.iter().all(|put| put.merged.finished);
    Ok(match (signals::received(), is_whole || args.partial) {
        (0, _) if !errors.is_empty() => ExitCode::from(2),
        (0, true) => ExitCode::SUCCESS,
        (0, false) => ExitCode::from(1),
        (number, _) => ExitCode::from(128 + number as u8),
    })
}

/// Maximum number of runs that are all listed; of more runs, only the unfinished ones are listed.
const FEW: usize = 1;

impl<'a> From<&'a MergeOutcome> for Json<'a> {
    fn from(MergeOutcome { name, folder, merged }: &'a MergeOutcome) -> Json<'a> {
        let rows = merged.rows;
        let finished = merged.finished;
        let missing = &merged.missing;
        let folder = folder.as_ref().map(|folder| folder.to_string_lossy());
        Json { name, folder, rows, finished, missing }
    }
}

fn report(put: &MergeOutcome, runs: usize) {
    let MergeOutcome { name, folder, merged } = put;
    if let Some(reason) = &merged.stuck {
        out::report(&format!("mancalab: {name} cannot continue: {reason}"));
    }
    if runs > FEW && merged.finished {
        return;
    }
    let missing = merged.missing.len() as u64;
    let state = match (merged.finished, missing) {
        (true, _) => "complete".to_owned(),
        (false, 0) => "stopped".to_owned(),
        (false, 1) => "1 unit missing".to_owned(),
        (false, _) => format!("{} missing", counted(missing, "unit")),
    };
    let name = sanitize::inline(name);
    out::line(&match folder {
        Some(folder) => format!("{name}: {}, {state}: {}", counted(merged.rows, "row"), sanitize::path(folder)),
        None => format!("{name}: no row yet, {state}"),
    });
}

fn conclude(puts: &[MergeOutcome], all: usize) {
    let whole = puts.iter().filter(|put| put.merged.finished).count();
    let missing: Vec<u32> = puts.iter().flat_map(|put| put.merged.missing.iter().copied()).collect();
    if all > 1 {
        out::line(&format!("{whole} of {all} runs complete"));
    }
    if !missing.is_empty() {
        let first: Vec<String> = missing.iter().take(10).map(u32::to_string).collect();
        let more = if missing.len() > first.len() { " …" } else { "" };
        out::line(&format!("{} missing: {}{more}", counted(missing.len(), "unit"), first.join(", ")));
    }
    if let Some(folder) = puts.iter().find_map(|put| put.folder.as_ref()) {
        out::line(&format!("show: mancalab runs watch {}", sanitize::shell_path(folder)));
        if puts.iter().any(|put| !put.merged.finished && put.folder.as_ref() == Some(folder)) {
            out::line(&format!("or resume here: mancalab runs resume {}", sanitize::shell_path(folder)));
        }
    }
}
