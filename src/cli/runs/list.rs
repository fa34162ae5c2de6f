//! `mancalab runs list` and `show`: the list of runs and plans, and a run in full.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Subcommand as _};
use serde::Serialize;

use super::line::{self, Json, csv, kind, minute, tell_settings};
use super::provenance::provenance_of;
use super::{RunsCommand, find_kept, kinds, name, plans};
use crate::cli::format::{Format, OutputArgs};
use crate::cli::live::clock;
use crate::cli::out;
use crate::cluster::index::is_plan;
use crate::cluster::layout::MERGED;
use crate::grid::Grid;
use crate::job::RunReader;
use crate::job::run_dir::index::{self, runs_in};
use crate::job::run_dir::{self, Entry, Parent};
use crate::kept::{self, RunOrPlan};
use crate::kinds::{KINDS, by_word};
use crate::measuring::Strength;
use crate::paths::Paths;
use crate::settings::nearest;
use crate::ui::short_count;
use crate::{faults, sanitize};

#[derive(Args, Debug, Default)]
pub struct ListArgs {
    /// Only runs and plans with this in their name or preset, or tag:NAME for those with this tag
    pub text: Option<String>,
    /// Only runs and plans of this kind
    #[arg(long, value_parser = PossibleValuesParser::new(KINDS.iter().map(|kind| PossibleValue::new(kind.typed()).alias(kind.command))))]
    pub kind: Option<String>,
    /// Only those in this state, such as running or failed
    ///
    /// States are new, running, paused, stopped, crashed, failed, finished and damaged.
    #[arg(long, value_parser = PossibleValuesParser::new(states()), hide_possible_values = true)]
    pub state: Option<String>,
    /// Also the merged runs of plans
    #[arg(long)]
    pub merged: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args, Debug)]
pub struct ShowArgs {
    /// Run or plan, by folder, name or unique start of the name; default: the most recently active run
    pub run: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The values of `--state`.
fn states() -> impl Iterator<Item = PossibleValue> {
    let states =
        ["new", "running", "paused", "stopped", "crashed", "failed", "finished", "damaged"].map(PossibleValue::new);
    states.into_iter().map(|state| match state.get_name() {
        "new" => state.help("A plan without a started unit"),
        "paused" => state.help("Its process is running but waits"),
        "stopped" => state.help("It can be resumed"),
        "crashed" => state.help("Its process was killed; it can be resumed"),
        "failed" => state.help("It ended early, or units of the plan failed"),
        _ => state,
    })
}

/// Whether `command` drives a run, or the runs of a plan.
fn is_of(one: &RunOrPlan, command: &str) -> bool {
    one.kind().and_then(by_word).is_some_and(|kind| [kind.command, kind.typed()].contains(&command))
}

/// Does the same as [`list`] for `mancalab runs TEXT`, where the text may be meant as a command.
///
/// # Errors
/// There is no home directory, or nothing matches a text that is nearly a command.
pub fn list_or_correct(args: &ListArgs, paths: &Paths) -> Result<ExitCode> {
    let runs = paths.runs().context("no home directory for saved runs: set HOME or XDG_STATE_HOME")?;
    let is_text_alone = args.output.is_text() && args.kind.is_none() && args.state.is_none();
    match args.text.as_deref().filter(|_| is_text_alone).and_then(|text| Some((text, nearest_command(text)?))) {
        Some((text, near)) if chosen(args, &runs).is_empty() => {
            bail!("no run or plan in {} fits '{text}'; did you mean 'mancalab runs {near}'?", sanitize::path(&runs))
        }
        _ => list(args, paths),
    }
}

/// Returns the runs and plans that match the arguments, the most recently active first.
fn chosen(args: &ListArgs, runs: &Path) -> Vec<RunOrPlan> {
    let fits = |one: &RunOrPlan| {
        args.text.as_ref().is_none_or(|text| match text.strip_prefix("tag:") {
            Some(tag) => one.tags().iter().any(|known| known == tag),
            None => one.name().contains(text) || one.preset().contains(text),
        }) && args.kind.as_ref().is_none_or(|command| is_of(one, command))
            && args.state.as_ref().is_none_or(|state| one.word() == state)
    };
    kept::all(runs).into_iter().flat_map(|one| with_merged(one, args.merged)).filter(fits).collect()
}

/// Prints the runs and plans that match the arguments, the most recently active first.
///
/// # Errors
/// There is no home directory.
pub fn list(args: &ListArgs, paths: &Paths) -> Result<ExitCode> {
    let runs = paths.runs().context("no home directory for saved runs: set HOME or XDG_STATE_HOME")?;
    index::check_readable(&runs)?;
    let all = chosen(args, &runs);
    let lines = || all.iter().map(Json::from).collect::<Vec<_>>();
    match args.output.format() {
        Format::Json => lines().iter().all(|line| out::json("runs-list", line)),
        Format::Csv => out::result(&csv(&lines())),
        Format::Md => out::result(&grid(&all).markdown()),
        Format::Text if all.is_empty() => out::line(&nothing(args, &runs)),
        Format::Text => {
            let width = out::columns_of_result().map_or(usize::MAX, usize::from);
            out::result(&grid(&all).within(width, &SPARE).table())
        }
    };
    Ok(ExitCode::SUCCESS)
}

/// The columns that a narrow terminal leaves out, the first first.
const SPARE: [&str; 5] = ["size", "took", "kind", "started (UTC)", "note"];

/// Returns the command of `runs` that a word nearly is.
fn nearest_command(word: &str) -> Option<String> {
    let commands = RunsCommand::augment_subcommands(clap::Command::new("runs"));
    nearest(word, commands.get_subcommands().map(clap::Command::get_name)).map(str::to_owned)
}

/// The line instead of an empty list.
fn nothing(args: &ListArgs, runs: &Path) -> String {
    let folder = sanitize::path(runs);
    let asks_for_all = args.text.is_none() && args.kind.is_none() && args.state.is_none();
    if asks_for_all {
        return format!("no runs in {folder} yet; mancalab evolve, tune and train start one");
    }
    format!("no matching runs in {folder}")
}

/// A saved run or plan, with a plan's merged runs after it if asked; they are called `PLAN/RUN`.
fn with_merged(one: RunOrPlan, is_asked: bool) -> Vec<RunOrPlan> {
    let folders = if one.is_plan() && is_asked { runs_in(&one.folder().join(MERGED)) } else { Vec::new() };
    let named = |folder: PathBuf| {
        let run = run_dir::entry(folder);
        RunOrPlan::Run(Entry { name: format!("{}/{}", one.name(), run.name), ..run })
    };
    let merged: Vec<RunOrPlan> = folders.into_iter().map(named).collect();
    std::iter::once(one).chain(merged).collect()
}

/// A run in full, for programs.
#[derive(Serialize)]
struct Inspect {
    #[serde(flatten)]
    entry: Json,
    /// The rule that ended it before its last generation, and where.
    ended_early: Option<String>,
    parent: Option<JsonParent>,
    version: String,
    settings: serde_json::Map<String, serde_json::Value>,
    /// The preset's values where they differ.
    preset_settings: serde_json::Map<String, serde_json::Value>,
    /// The processes that computed it, the newest last.
    provenance: Vec<toml::Table>,
}

/// The run that a run was forked from, and the last generation in common.
#[derive(Serialize)]
struct JsonParent {
    run: String,
    generation: u64,
}

/// Prints a run or plan: its status, and its settings beside those of its preset.
///
/// # Errors
/// There is no such run or plan, or it cannot be read.
pub fn show(args: &ShowArgs, paths: &Paths) -> Result<ExitCode> {
    let folder = match &args.run {
        Some(run) => find_kept(run, paths)?,
        None => run_dir::index::newest(paths.runs().as_deref())?,
    };
    if is_plan(&folder) {
        plans::show(&folder, &args.output)?;
        return Ok(ExitCode::SUCCESS);
    }
    let reader = RunReader::open(&folder)?;
    let settings = kinds::settings(&reader)?;
    let entry = run_dir::entry(folder.clone());
    if !args.output.is_text() {
        let manifest = reader.manifest();
        let parent = |parent: &Parent| JsonParent { run: parent.run.clone(), generation: parent.generation };
        let shown = Inspect {
            entry: Json::from(&entry),
            ended_early: entry.ended_early(),
            parent: manifest.parent.as_ref().map(parent),
            version: manifest.version.clone(),
            settings: kinds::values(&settings),
            preset_settings: kinds::preset_values(&settings),
            provenance: provenance_of(&folder),
        };
        args.output.print("runs-show", &shown, String::new);
        return Ok(ExitCode::SUCCESS);
    }
    if let Err(error) = run_dir::Notes::read(&folder) {
        out::report(&format!("mancalab: {error}"));
    }
    out::result(&stands(&entry, &reader).table());
    if let Some(warning) = faults::warning(&folder) {
        out::line(&format!("\n{warning}"));
    }
    tell_settings(&settings);
    if let Some(process) = provenance_of(&folder).pop() {
        out::line("\ncomputed by (all processes: provenance.toml)");
        let row =
            |(key, value): (&String, &toml::Value)| vec![format!("  {key}"), value.as_str().unwrap_or("").to_owned()];
        let rows = process.iter().map(row).filter(|row| !row[1].is_empty()).collect();
        out::result(&Grid { rows, ..Grid::default() }.table());
    }
    Ok(ExitCode::SUCCESS)
}

fn stands(entry: &Entry, reader: &RunReader) -> Grid {
    let manifest = reader.manifest();
    let units = kinds::find(reader).map_or("generations", |kind| kind.units);
    let rows = [
        ("name", name(&entry.folder)),
        ("kind", kind(entry)),
        ("preset", manifest.preset_marked()),
        ("seed", manifest.seed.to_string()),
        ("state", kept::state_text(entry)),
        (units, kept::generations(entry).unwrap_or("-".to_owned())),
        ("best", kept::best(entry)),
        ("started", format!("{} UTC", minute(entry.started))),
        ("last row", format!("{} UTC", minute(entry.changed))),
        ("took", clock(entry.took.as_secs_f64())),
        ("size", short_count(entry.size)),
        ("folder", sanitize::path(Path::new(&entry.folder))),
    ];
    // Of a run without rows there is nothing to tell.
    let strength = Strength::read(&entry.folder).ok().and_then(|strength| strength.in_a_line());
    let notes =
        [("panel", strength.unwrap_or_default()), ("forked from", kept::forked_from(entry).unwrap_or_default())];
    let known = notes.into_iter().filter(|(_, text)| !text.is_empty());
    Grid::pairs(rows.into_iter().chain(known).chain(plans::notes_rows(&entry.notes)))
}

impl From<&RunOrPlan> for Json {
    fn from(kept: &RunOrPlan) -> Json {
        match kept {
            RunOrPlan::Run(entry) => Json::from(entry),
            RunOrPlan::Plan(entry) => Json::from(entry),
        }
    }
}

/// A table with one row per entry. The column of generations has the units of plans, done and total.
pub fn grid(kept: &[RunOrPlan]) -> Grid {
    let mut head = vec!["name", "kind", "preset", "generations", "best", "state", "started (UTC)", "took", "size"];
    let mut rows: Vec<Vec<String>> = kept.iter().map(row).collect();
    let mut add = |title, cells: Vec<String>| {
        if cells.iter().any(|cell| !cell.is_empty()) {
            head.push(title);
            rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
        }
    };
    add("tags", kept.iter().map(|one| one.notes().tags.join(" ")).collect());
    add("note", kept.iter().map(|one| start_of_note(&one.notes().note)).collect());
    Grid::new(&head, &[3, 7, 8], rows)
}

/// Returns the first line of a note that is not blank, or as much of it as a column has place for.
fn start_of_note(note: &str) -> String {
    const LONGEST: usize = 40;
    let line = note.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => line[..end].trim_end().to_owned() + "…",
        None => line.to_owned(),
    }
}

fn row(kept: &RunOrPlan) -> Vec<String> {
    let (kind, best) = match kept {
        RunOrPlan::Run(entry) => (line::kind(entry), entry.best_in_short()),
        RunOrPlan::Plan(entry) => (plans::kind(entry), ""),
    };
    let dash = || "-".to_owned();
    vec![
        kept.name().to_owned(),
        kind,
        kept.preset_marked(),
        kept.progress().unwrap_or_else(dash),
        best.to_owned(),
        kept.word().to_owned(),
        line::minute(kept.started()),
        kept.took().map_or_else(dash, |took| clock(took.as_secs_f64())),
        short_count(kept.size()),
    ]
}
