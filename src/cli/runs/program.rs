//! `mancalab runs program`: a program of an evolve run, or one in a file, as text or as a drawing.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};

use super::drawing;
use super::evolved::GpRunFiles;
use crate::cli::out;
use crate::evolve::inspect::AnyProgram;
use crate::files::{self, Kind};
use crate::kinds::{KindOf as _, by_command};
use crate::paths::Paths;
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
    /// Output format: text, which players read; dot, for Graphviz; latex, a document that draws the tree with the package forest
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Form,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Form {
    Text,
    Dot,
    Latex,
}

/// Prints the program.
///
/// # Errors
/// There is no such run, file or rank, or the file contains no program.
pub fn run(args: &ProgramArgs, paths: &Paths) -> Result<ExitCode> {
    let program = match (args.run.is_file(), args.rank, args.hall) {
        (true, None, None) => in_file(&args.run)?,
        (true, ..) => bail!("--rank and --hall are for runs, but {} is a file", sanitize::path(&args.run)),
        (false, Some(rank), _) => GpRunFiles::open(&args.run, paths)?.ranked(rank)?,
        (false, _, Some(place)) => GpRunFiles::open(&args.run, paths)?.in_hall(place)?,
        (false, None, None) => GpRunFiles::open(&args.run, paths)?.best()?,
    };
    out::result(&match args.format {
        Form::Text => format!("{}\n", program.text().trim_end()),
        Form::Dot => drawing::dot(&program.valued(None)),
        Form::Latex => drawing::latex(&program.valued(None)),
    });
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
