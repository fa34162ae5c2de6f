//! `mancalab runs program`: a program of an evolve run, or one in a file, as text or as a drawing.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::analysis;
use super::drawing;
use super::evolved::GpRunFiles;
use super::functions::{self, Target};
use crate::budget::Budget;
use crate::cli::format::OutputArgs;
use crate::cli::live::{Live, Progress};
use crate::cli::run::threads;
use crate::cli::{out, signals};
use crate::evolve::inspect::AnyProgram;
use crate::files::{self, Kind};
use crate::kinds::{KindOf as _, by_command};
use crate::paths::Paths;
use crate::pool::Pool;
use crate::sanitize;

#[derive(Args, Debug)]
pub struct ProgramArgs {
    /// Run, by folder, name or unique start of the name; or a file with a program
    pub run: PathBuf,
    /// Rank in the newest saved generation, 1 for the fittest; default: the best program so far
    #[arg(long, value_name = "N")]
    pub rank: Option<usize>,
    /// Place in the hall of fame, 1 for the first
    #[arg(long, value_name = "N", conflicts_with = "rank")]
    pub hall: Option<usize>,
    /// Show what it does in its games: what it reads, what each node is worth, and a shorter program that plays the same
    #[arg(long, conflicts_with = "written")]
    pub analyse: bool,
    /// Number of threads of the analysis, 0 for all
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads(), requires = "analyse")]
    pub threads: usize,
    /// Write it as program, the text that players read; dot, for Graphviz; latex, a document that draws the tree with the package forest;
    /// python, c or rust, a function of the board
    #[arg(long = "as", value_name = "LANGUAGE", default_value = "program")]
    pub written: Form,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Form {
    Program,
    Dot,
    Latex,
    Python,
    C,
    Rust,
}

/// The program for programs.
#[derive(Serialize)]
struct ProgramText {
    /// The value of `--as`.
    language: String,
    text: String,
}

/// Prints the program.
///
/// # Errors
/// There is no such run, file or rank, or the file contains no program.
pub fn run(args: &ProgramArgs, paths: &Paths) -> Result<ExitCode> {
    if args.analyse {
        return analyse(args, paths);
    }
    let program = match (args.run.is_file(), args.rank, args.hall) {
        (true, None, None) => in_file(&args.run)?,
        (true, ..) => bail!("--rank and --hall are for runs, but {} is a file", sanitize::path(&args.run)),
        (false, ..) => of_run(&GpRunFiles::open(&args.run, paths)?, args)?,
    };
    let source = |target| functions::source(&program.valued(None), target, program.places());
    let text = match args.written {
        Form::Python => source(Target::Python),
        Form::C => source(Target::C),
        Form::Rust => source(Target::Rust),
        Form::Program => format!("{}\n", program.text().trim_end()),
        Form::Dot => drawing::dot(&program.valued(None)),
        Form::Latex => drawing::latex(&program.valued(None)),
    };
    let language = args.written.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
    args.output.print("runs-program-text", &ProgramText { language, text: text.clone() }, || text);
    Ok(ExitCode::SUCCESS)
}

/// Returns the program of a run that the arguments name.
fn of_run(run: &GpRunFiles, args: &ProgramArgs) -> Result<Arc<dyn AnyProgram>> {
    match (args.rank, args.hall) {
        (Some(rank), _) => run.ranked(rank),
        (_, Some(place)) => run.in_hall(place),
        (None, None) => run.best(),
    }
}

/// How often progress is shown and signals are noticed.
const STEP: Duration = Duration::from_millis(50);

/// Prints what a program does in the games against the opponents of its run.
fn analyse(args: &ProgramArgs, paths: &Paths) -> Result<ExitCode> {
    if args.run.is_file() {
        bail!("--analyse plays against the opponents of a run, but {} is a file", sanitize::path(&args.run));
    }
    let run = GpRunFiles::open(&args.run, paths)?;
    let program = of_run(&run, args)?;
    signals::catch().context("cannot catch signals")?;
    let mut live = Live::new();
    let pool = Pool::new(args.threads);
    let mut analyser = program.analyser()?;
    let analysis = loop {
        if let Some(analysis) = analyser.step(&pool, Budget::time(STEP))? {
            break analysis;
        }
        if signals::received() != 0 {
            live.clear();
            return Ok(ExitCode::from(128 + signals::received() as u8));
        }
        let share = analyser.share();
        let count = "playing changed programs".to_owned();
        live.show(|| Some(Progress { share, count, left: None, speed: String::new(), more: Vec::new() }));
    };
    live.clear();
    let survivors = run.survivors(&program.subterms()).unwrap_or_default();
    let nodes = program.valued(None);
    if args.output.is_text() {
        out::result(&(analysis::text(&nodes, &analysis, &run.opponents()) + &analysis::survivors_text(&survivors)));
    } else {
        args.output.print("runs-program", &analysis::json(&nodes, &analysis, survivors), String::new);
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the program in a file, of whichever problem.
fn in_file(path: &Path) -> Result<Arc<dyn AnyProgram>> {
    let text = files::read_text(path, Kind::Program)
        .map_err(|error| anyhow::anyhow!("cannot read {}: {}", sanitize::path(path), sanitize::reason(&error)))?;
    let evolve = by_command("evolve");
    let mut problems = evolve.iter().flat_map(|kind| kind.samples()).filter_map(|(_, settings)| settings.problem());
    let program = problems.find_map(|problem| problem.foreign_program(&text));
    program.with_context(|| format!("{} contains no program of a game of pits or of Othello", sanitize::path(path)))
}
