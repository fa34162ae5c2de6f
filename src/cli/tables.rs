//! `mancalab tables`: builds, lists, verifies and removes endgame tables of Kalah, Oware, Awari and checkers.

mod verify;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use clap::{Args, Subcommand};
use mancalab_base::Error;
use serde::Serialize;

use super::format::OutputArgs;
use super::live::{Progress, ProgressLine};
use super::run::threads;
use super::{out, signals};
use crate::budget::{Budget, Status};
use crate::game::Variant;
use crate::paths::Paths;
use crate::pool::Pool;
use crate::tables::endgame::{self, EXTENSION, Size, TableRules};
use crate::tables::{EndgameTable, TableBuilder};
use crate::ui::short_count;

#[derive(Subcommand, Debug)]
pub enum TablesCommand {
    /// Compute the result of every position with few seeds or pieces; resumes an interrupted build
    Build(BuildArgs),
    /// List the tables
    List(ListArgs),
    /// Check tables against their checksums, and a sample of boards by search
    Verify(VerifyArgs),
    /// Remove a table
    Remove(RemoveArgs),
}

#[derive(Args, Debug)]
pub struct BuildArgs {
    /// kalah:PITSxSEEDS[:standard|empty] (a table serves any SEEDS), oware[:slam=none|all|illegal], awari or checkers
    #[arg(value_name = "GAME", default_value = "kalah:6x4:standard")]
    pub rules: TableRules,
    /// Maximum number of seeds in the pits; default: as many as fit in 256 MB, of oware and awari 12
    #[arg(long, value_name = "N")]
    pub seeds: Option<u8>,
    /// Maximum number of pieces on the board, of checkers, 2 to 6 (5 takes minutes, 6 hours and 3 GB); default: 4
    #[arg(long, value_name = "N", conflicts_with = "seeds")]
    pub pieces: Option<u8>,
    /// Threads to use, 0 for all; affects only the speed
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    pub threads: usize,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args, Debug)]
pub struct ListArgs {
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// Table, by name; default: all
    pub name: Option<String>,
    /// Random boards to solve by search
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub sample: u32,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args, Debug)]
pub struct RemoveArgs {
    /// Table, by name
    pub name: String,
}

/// Maximum duration of a step between checks for signals.
const STEP: Duration = Duration::from_millis(50);

/// Maximum size of a table by default, in bytes, and maximum number of seeds of tables of bounds.
const USUAL: u64 = 256 << 20;
const USUAL_SEEDS: u8 = 12;

/// Number of pieces of a table of checkers by default.
const USUAL_PIECES: u8 = 4;

/// Memory from which a build reports how much it takes, in bytes.
const LARGE: u64 = 1 << 30;

pub fn run(command: &TablesCommand, paths: &Paths) -> Result<ExitCode> {
    let folder = paths.tables().context("no home directory for tables: set HOME or XDG_DATA_HOME")?;
    match command {
        TablesCommand::Build(args) => build(args, &folder),
        TablesCommand::List(args) => list(args, &folder),
        TablesCommand::Verify(args) => verify(args, &folder),
        TablesCommand::Remove(args) => remove(args, &folder),
    }
}

/// A line of the list.
#[derive(Serialize)]
struct Row {
    name: String,
    path: String,
    /// Maximal number of seeds in the pits, or of pieces, and the number of positions; `None` if the table is not usable.
    seeds: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pieces: Option<u8>,
    boards: Option<u64>,
    bytes: u64,
    /// Why the table is not usable.
    problem: Option<String>,
}

impl Row {
    fn read(path: &Path) -> Row {
        let name = name_of(path).unwrap_or_default();
        let bytes = fs::metadata(path).map_or(0, |meta| meta.len());
        let path_text = path.display().to_string();
        let row = Row { name, path: path_text, seeds: None, pieces: None, boards: None, bytes, problem: None };
        if path.extension().is_some_and(|ending| ending == "part") {
            return Row { problem: Some("incomplete: build it again to resume".into()), ..row };
        }
        match endgame::open(path) {
            Ok(table) => row.with(&table),
            Err(error) => Row { problem: Some(error.to_string()), ..row },
        }
    }

    fn with(self, table: &EndgameTable) -> Row {
        let most = Some(table.most());
        let boards = Some(table.boards());
        match table.rules() {
            TableRules::Checkers => Row { pieces: most, boards, ..self },
            _ => Row { seeds: most, boards, ..self },
        }
    }

    fn text(&self) -> String {
        let Row { name, seeds, pieces, boards, bytes, problem, .. } = self;
        let size = format!("{name:<20}  {:>7.1} MB", *bytes as f64 / f64::from(1 << 20));
        let boards = short_count(boards.unwrap_or(0));
        match (seeds, pieces, problem) {
            (Some(seeds), ..) => format!("{size}  up to {seeds} seeds, {boards} boards"),
            (_, Some(pieces), _) => format!("{size}  up to {pieces} pieces, {boards} positions"),
            (.., problem) => format!("{size}  {}", problem.as_deref().unwrap_or_default()),
        }
    }
}

fn build(args: &BuildArgs, folder: &Path) -> Result<ExitCode> {
    let most = args.most()?;
    let size = Size::compute(args.rules, most)?;
    let path = args.rules.path(folder);
    if let Ok(table) = endgame::open(&path)
        && table.most() >= most
    {
        out::report(&format!("{} has boards of up to {} {} already", args.rules, table.most(), args.rules.unit()));
        if !args.output.is_text() {
            print_built(args, &path, 0.0);
        }
        return Ok(ExitCode::SUCCESS);
    }
    if size.memory >= LARGE {
        let gigabytes = size.memory as f64 / f64::from(1 << 30);
        out::report(&format!("{} boards: the build takes {gigabytes:.1} GB of memory", short_count(size.boards)));
    }
    signals::catch().context("cannot catch signals")?;
    let began = Instant::now();
    let reporter = &mut ProgressLine::with_signals_caught();
    let mut builder = TableBuilder::new(folder, args.rules, most, Pool::new(args.threads))?;
    let first = builder.progress();
    let computing = Instant::now();
    let mut status = Status::Running;
    while status == Status::Running && signals::received() == 0 {
        status = builder.step(Budget::time(STEP))?;
        reporter.progress(|| progress(&builder, args.rules, first, computing));
    }
    reporter.clear();
    if status == Status::Running {
        out::report(&match builder.written().checked_sub(1) {
            Some(last) => format!("stopped after the {}; the same command resumes", builder.label(last)),
            None => "stopped; the same command begins again".to_owned(),
        });
        return Ok(signals::exit_code());
    }
    print_built(args, &path, began.elapsed().as_secs_f64());
    Ok(ExitCode::SUCCESS)
}

/// Prints a table that is there, with the seconds that its build took.
fn print_built(args: &BuildArgs, path: &Path, seconds: f64) {
    let row = Row::read(path);
    let mut object = out::value(&row);
    object["seconds"] = seconds.into();
    args.output.print("tables-build", &object, || format!("{}, {seconds:.1} s\n", row.text()));
}

impl BuildArgs {
    /// The maximal number of seeds, or of pieces.
    fn most(&self) -> Result<u8> {
        let is_checkers = self.rules == TableRules::Checkers;
        match (self.seeds, self.pieces) {
            (Some(_), _) if is_checkers => bail!("tables of checkers take --pieces (got --seeds)"),
            (_, Some(_)) if !is_checkers => bail!("tables of {} take --seeds (got --pieces)", self.rules),
            (seeds, pieces) => Ok(seeds.or(pieces).unwrap_or_else(|| usual(self.rules))),
        }
    }
}

fn usual(rules: TableRules) -> u8 {
    let most = match rules {
        TableRules::Kalah(_) => u8::MAX,
        TableRules::Oware(_) | TableRules::Awari(_) => USUAL_SEEDS,
        TableRules::Checkers => USUAL_PIECES,
    };
    let fits = |most: &u8| Size::compute(rules, *most).is_ok_and(|size| size.bytes <= USUAL);
    (1..=most).rev().find(fits).unwrap_or(1)
}

/// Layers are proportional to their numbers of boards in time too, so the time left follows from the boards left.
fn progress(builder: &TableBuilder, rules: TableRules, first: f64, began: Instant) -> Progress {
    let share = builder.progress();
    let seconds = began.elapsed().as_secs_f64();
    let left = if share > first { seconds * (1.0 - share) / (share - first) } else { f64::INFINITY };
    Progress {
        share,
        count: format!("{rules}: {}", builder.label(builder.written())),
        left: Some(left),
        speed: String::new(),
        more: Vec::new(),
    }
}

fn list(args: &ListArgs, folder: &Path) -> Result<ExitCode> {
    let paths = files(folder)?;
    let rows: Vec<Row> = paths.iter().map(|path| Row::read(path)).collect();
    args.output.print_all("tables-list", &rows, || rows.iter().map(|row| row.text() + "\n").collect());
    if paths.is_empty() && args.output.is_text() {
        out::report("no endgame tables; build one with: mancalab tables build");
    }
    Ok(ExitCode::SUCCESS)
}

/// The files of tables, those of interrupted builds included, by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(Error::cannot("read", folder))?,
    };
    let mut paths: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| name_of(path).is_some()).collect();
    crate::sort::sort(&mut paths);
    Ok(paths)
}

/// Returns the names of the tables.
pub(super) fn names(paths: &Paths) -> Vec<String> {
    let files = paths.tables().and_then(|folder| files(&folder).ok()).unwrap_or_default();
    files.iter().filter_map(|path| name_of(path)).collect()
}

/// The name of the table in a file; `None` if the file's name is not a table's.
fn name_of(path: &Path) -> Option<String> {
    let file = path.file_name()?.to_str()?;
    let file = file.strip_suffix(".part").unwrap_or(file);
    file.strip_suffix(EXTENSION)?.strip_suffix('.').map(str::to_owned)
}

/// The files of the tables with this name; at least one.
fn named(folder: &Path, name: &str) -> Result<Vec<PathBuf>> {
    let all = files(folder)?;
    let found: Vec<PathBuf> = all.iter().filter(|path| name_of(path).as_deref() == Some(name)).cloned().collect();
    if found.is_empty() {
        if all.is_empty() {
            bail!("no table is named '{name}': there are none; build one with: mancalab tables build");
        }
        let mut names: Vec<String> = all.iter().filter_map(|path| name_of(path)).collect();
        names.dedup();
        return Err(Error::unknown(format!("no table is named '{name}'"), names).into());
    }
    Ok(found)
}

/// A table that was checked.
#[derive(Serialize)]
struct Verification {
    name: String,
    /// Number of positions that were also searched; 0 of a damaged table.
    sample: u32,
    /// What is wrong; `None` if nothing is.
    problem: Option<String>,
}

fn verify(args: &VerifyArgs, folder: &Path) -> Result<ExitCode> {
    let mut paths = match &args.name {
        Some(name) => named(folder, name)?,
        None => files(folder)?,
    };
    paths.retain(|path| path.extension().is_some_and(|ending| ending == EXTENSION));
    let mut all = Vec::new();
    for path in paths {
        let name = name_of(&path).unwrap_or_default();
        let (text, problem) = match verify::check(&path, args.sample) {
            Ok(text) => (text, None),
            Err(error) => (format!("{name}: {error:#}"), Some(format!("{error:#}"))),
        };
        if args.output.is_text() {
            out::line(&text);
        }
        let sample = if problem.is_some() { 0 } else { args.sample };
        all.push(Verification { name, sample, problem });
    }
    if !args.output.is_text() {
        args.output.print_all("tables-verify", &all, String::new);
    }
    // Each has its line already.
    endgame::take_damaged();
    Ok(ExitCode::from(u8::from(all.iter().any(|one| one.problem.is_some()))))
}

/// Reports a table of the game that searches would use and cannot.
pub(super) fn warn_of_damage(game: &Variant) {
    let rules = game.to_string().parse::<TableRules>().ok();
    if let Some(Err(error)) = rules.map(endgame::find) {
        out::report(&format!("warning: {error}"));
    }
}

fn remove(args: &RemoveArgs, folder: &Path) -> Result<ExitCode> {
    for path in named(folder, &args.name)? {
        fs::remove_file(&path).map_err(Error::cannot("remove", &path))?;
    }
    Ok(ExitCode::SUCCESS)
}
