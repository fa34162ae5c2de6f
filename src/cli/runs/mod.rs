//! `mancalab runs`: lists, shows, compares, summarises, verifies, renames, deletes, extends, forks and exports saved runs. Plans can be
//! listed, shown, summarised, exported, renamed and deleted too.

mod analysis;
mod compare;
mod export;
mod facts;
mod fork;
mod functions;
mod kinds;
mod line;
mod list;
mod notes;
mod plans;
mod program;
mod provenance;
mod report;
pub(super) mod resume;
pub(crate) mod summary;
mod verify;

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::{Args, Subcommand};

use super::{out, watch};
use crate::cluster::index::is_plan;
use crate::cluster::layout::MERGED;
use crate::job::conduct::StopRules;
use crate::job::run_dir::index;
use crate::job::{Extension, RunReader};
use crate::paths::Paths;
use crate::pool::Pool;
use crate::{cluster, groups, sanitize};

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct RunsArgs {
    #[command(flatten)]
    pub list: list::ListArgs,
    #[command(subcommand)]
    pub command: Option<RunsCommand>,
}

#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum RunsCommand {
    /// List runs and plans (the default)
    List(list::ListArgs),
    /// Show the status and settings of a run or plan
    Show(list::ShowArgs),
    /// Watch a run or plan, all of them, or another terminal's game
    Watch(Box<watch::WatchArgs>),
    /// Resume a run
    Resume(resume::ResumeArgs),
    /// Compare runs: settings that differ, and their curves side by side
    Compare(compare::CompareArgs),
    /// Summarise and compare groups: runs that differ only in their seeds
    Summary(summary::SummaryArgs),
    /// Print a program of an evolve run or a file, or analyse it
    ///
    /// As text, a drawing or a function; or what it does in its games.
    Program(program::ProgramArgs),
    /// List the Pareto front of an evolve run, by fitness and size
    Front(facts::FactsArgs),
    /// List the fittest programs of all generations of an evolve run
    Hall(facts::FactsArgs),
    /// List the fittest program of each island of an evolve run
    Islands(facts::IslandsArgs),
    /// Show how often each operator of an evolve run bred a fitter program
    Operators(facts::FactsArgs),
    /// Show the tags of a run or plan, add some, or remove some
    Tag(notes::TagArgs),
    /// Show the note of a run or plan, or write one
    Note(notes::NoteArgs),
    /// Rename a run or plan
    Rename(RenameArgs),
    /// Delete runs or plans; other files in their folders stay
    Delete(DeleteArgs),
    /// Extend a run; the result equals one longer run
    Extend(ExtendArgs),
    /// Fork a run: a new one with its first generations and other settings
    Fork(fork::ForkArgs),
    /// Compute rows of runs again and compare them with the saved ones
    Verify(verify::VerifyArgs),
    /// Report runs as HTML and Markdown
    ///
    /// With results, curves, settings and provenance.
    Report(report::ReportArgs),
    /// Print rows and settings of runs as CSV or JSON
    Export(export::ExportArgs),
}

#[derive(Args, Debug)]
pub struct RenameArgs {
    /// Run or plan, by folder or full name
    pub run: PathBuf,
    /// New name
    pub name: String,
}

#[derive(Args, Debug)]
pub struct DeleteArgs {
    /// Runs or plans, by folder or full name
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Delete without confirmation
    #[arg(long, short)]
    pub yes: bool,
}

#[derive(Args, Debug)]
pub struct ExtendArgs {
    /// Run, by folder, name or unique start of the name
    pub run: PathBuf,
    /// Generations after the initial one; must exceed the current number
    #[arg(long, value_name = "N")]
    pub generations: Option<u64>,
    /// Games per pair of a tournament; must exceed the current number
    #[arg(long, value_name = "N", conflicts_with = "generations", value_parser = clap::value_parser!(u32).range(1..))]
    pub games: Option<u32>,
    /// Rules that may end the run early, in place of those it has: never, or such as plateau:200,hours:8
    #[arg(long, value_name = "RULES")]
    pub stop: Option<StopRules>,
}

/// Runs the command; `resume` resumes a run by the command of its kind.
pub fn run(args: &RunsArgs, resume: resume::Resume, paths: &Paths) -> Result<ExitCode> {
    match args.command.as_ref() {
        None => list::list_or_correct(&args.list, paths),
        Some(RunsCommand::List(args)) => list::list(args, paths),
        Some(RunsCommand::Show(args)) => list::show(args, paths),
        Some(RunsCommand::Watch(args)) => watch::run(args, paths),
        Some(RunsCommand::Resume(args)) => resume::run(args, resume, paths),
        Some(RunsCommand::Compare(args)) => compare::run(args, paths),
        Some(RunsCommand::Summary(args)) => summary::run(args, paths),
        Some(RunsCommand::Program(args)) => program::run(args, paths),
        Some(RunsCommand::Front(args)) => facts::front(args, paths),
        Some(RunsCommand::Hall(args)) => facts::hall(args, paths),
        Some(RunsCommand::Islands(args)) => facts::islands(args, paths),
        Some(RunsCommand::Operators(args)) => facts::operators(args, paths),
        Some(RunsCommand::Tag(args)) => notes::tag(args, paths),
        Some(RunsCommand::Note(args)) => notes::note(args, paths),
        Some(RunsCommand::Rename(args)) => rename(args, paths),
        Some(RunsCommand::Delete(args)) => delete(args, paths),
        Some(RunsCommand::Extend(args)) => extend(args, paths),
        Some(RunsCommand::Fork(args)) => fork::run(args, paths),
        Some(RunsCommand::Verify(args)) => verify::run(args, paths),
        Some(RunsCommand::Report(args)) => report::run(args, paths),
        Some(RunsCommand::Export(args)) => export::run(args, paths),
    }
}

/// The folder of a run or plan by folder, name or unique start of the name.
fn find_kept(named: &Path, paths: &Paths) -> Result<PathBuf> {
    Ok(cluster::index::find(paths.runs().as_deref(), named)?)
}

/// The folder of a run or plan by folder or full name only, for changes that cannot be undone.
fn find_whole(named: &Path, paths: &Paths) -> Result<PathBuf> {
    Ok(cluster::index::find_whole(paths.runs().as_deref(), named)?)
}

/// The folder of a run by folder, name or unique start of the name; an error for a plan.
fn find(run: &Path, paths: &Paths) -> Result<PathBuf> {
    let folder = find_kept(run, paths)?;
    plans::must_be_run(&folder)?;
    Ok(folder)
}

/// The folders of runs; a plan stands for its merged runs.
fn find_runs(named: &[PathBuf], paths: &Paths) -> Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for text in named {
        let folder = find_kept(text, paths)?;
        if is_plan(&folder) {
            folders.extend(groups::named(None, &folder)?)
        } else {
            folders.push(folder)
        };
    }
    Ok(folders)
}

/// The name of the folder of a run or plan.
fn name(folder: &Path) -> String {
    match cluster::index::name(folder) {
        none if none.is_empty() => folder.display().to_string(),
        name => name,
    }
}

/// The name beside those of other runs: a merged run's begins with its plan's, since two plans may have runs of the same name.
fn name_among_others(folder: &Path) -> String {
    let merged = folder.parent().filter(|parent| parent.file_name().is_some_and(|name| name == MERGED));
    match merged.and_then(Path::parent).filter(|plan| is_plan(plan)) {
        Some(plan) => format!("{}/{}", name(plan), name(folder)),
        None => name(folder),
    }
}

fn rename(args: &RenameArgs, paths: &Paths) -> Result<ExitCode> {
    let folder = find_whole(&args.run, paths)?;
    let rename = if is_plan(&folder) { cluster::index::rename } else { index::rename };
    let renamed = rename(&folder, &args.name)?;
    out::line(&format!("renamed {} to {}", sanitize::inline(&name(&folder)), sanitize::inline(&name(&renamed))));
    Ok(ExitCode::SUCCESS)
}

/// Deletes runs and plans after confirmation. Finds all of them before deleting any.
fn delete(args: &DeleteArgs, paths: &Paths) -> Result<ExitCode> {
    let mut folders = args.runs.iter().map(|run| find_whole(run, paths)).collect::<Result<Vec<_>>>()?;
    crate::sort::sort(&mut folders);
    folders.dedup();
    for folder in &folders {
        if is_plan(folder) {
            cluster::index::at_rest(folder)?;
            continue;
        }
        let reader = RunReader::open(folder);
        if let Some(writer) = reader.as_ref().ok().and_then(RunReader::writer) {
            bail!("{} is being written by {writer}; stop it first", sanitize::path(folder));
        }
    }
    if !args.yes && !is_meant(&folders)? {
        out::line("nothing deleted");
        return Ok(ExitCode::from(1));
    }
    for folder in &folders {
        let delete = if is_plan(folder) { cluster::index::delete } else { index::delete };
        let left = delete(folder)?;
        let name = sanitize::inline(&name(folder)).into_owned();
        let stay = match left.is_empty() {
            true => String::new(),
            false => {
                format!("; other files stay in {}: {}", sanitize::path(folder), sanitize::inline(&left.join(", ")))
            }
        };
        out::line(&format!("deleted {name}{stay}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Asks for confirmation at the terminal.
///
/// # Errors
/// Standard input is not a terminal.
fn is_meant(folders: &[PathBuf]) -> Result<bool> {
    let names: Vec<String> = folders.iter().map(|folder| sanitize::inline(&name(folder)).into_owned()).collect();
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        bail!("not a terminal: add --yes to delete {}", names.join(", "));
    }
    let mut ask = std::io::stderr();
    let question = format!("delete {}? [y/N] ", names.join(", "));
    ask.write_all(question.as_bytes()).and_then(|()| ask.flush()).context("cannot ask for confirmation")?;
    let mut answer = String::new();
    stdin.read_line(&mut answer).context("cannot read the answer")?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

fn extend(args: &ExtendArgs, paths: &Paths) -> Result<ExitCode> {
    let folder = find(&args.run, paths)?;
    let reader = RunReader::open(&folder)?;
    let kind = kinds::find(&reader)?;
    if args.generations.is_none() && args.games.is_none() && args.stop.is_none() {
        bail!("name how far it is to go: --{} N, or --stop RULES", kind.count);
    }
    let before = reader.manifest().generations + kind.first;
    let what = kind.count;
    let current = reader.manifest().generations;
    drop(reader);
    let is_other = if what == "games" { args.generations.is_some() } else { args.games.is_some() };
    if is_other {
        bail!("{} is extended by {what}: use --{what} N", sanitize::path(&folder));
    }
    let generations = match (args.generations, args.games.map(u64::from)) {
        (Some(count), _) | (_, Some(count)) if count <= before => {
            bail!("{} already has {before} {what}; name a larger number", sanitize::path(&folder))
        }
        (Some(generations), _) => generations,
        (None, Some(games)) => games - kind.first,
        (None, None) => current,
    };
    let (_, notes) = crate::kinds::extend(&folder, Extension { generations, stop: args.stop }, &Pool::alone())?;
    for note in notes {
        out::report(&format!("mancalab: {note}"));
    }
    let name = name(&folder);
    let name = sanitize::inline(&name);
    if generations > current {
        out::line(&format!("extended {name} from {before} to {} {what}", generations + kind.first));
    }
    if let Some(stop) = args.stop {
        out::line(&format!("{name} has stop = {stop} now"));
    }
    out::line(&format!("resume with: mancalab runs resume {}", sanitize::shell_path(&folder)));
    Ok(ExitCode::SUCCESS)
}
