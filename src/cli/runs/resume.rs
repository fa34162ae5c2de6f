//! `mancalab runs resume`: resumes a run of any kind.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::{find, kinds};
use crate::cli::arena;
use crate::cli::format::{EventsArgs, Format};
use crate::cli::run::{self, Reporter, RunArgs, threads};
use crate::job::RunReader;
use crate::kinds::Kind;
use crate::paths::Paths;

#[derive(Args, Debug)]
pub struct ResumeArgs {
    /// Run, by folder, name or unique start of the name
    pub run: PathBuf,
    /// Threads to use, 0 for all; affects only the speed
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    pub threads: usize,
    #[command(flatten)]
    pub output: EventsArgs,
    /// Also write the rows as TensorBoard's event files, in a folder of the run's name in this one
    #[arg(long, value_name = "DIR")]
    pub tensorboard: Option<PathBuf>,
}

/// Resumes a run of a kind in a folder, by the command of the kind.
pub type Resume = fn(&Kind, &ResumeArgs, PathBuf, &Paths) -> Result<ExitCode>;

/// Resumes the run by `resume`.
///
/// # Errors
/// There is no such run, or it cannot be resumed.
pub fn run(args: &ResumeArgs, resume: Resume, paths: &Paths) -> Result<ExitCode> {
    let folder = find(&args.run, paths)?;
    let kind = kinds::find(&RunReader::open(&folder)?)?;
    resume(kind, args, folder, paths)
}

impl ResumeArgs {
    /// Resumes a run whose rows this reporter prints.
    pub fn run_with<T: Reporter>(&self, folder: PathBuf, reporter: T, paths: &Paths) -> Result<ExitCode> {
        run::resume(&self.run(folder), self.output.format(), reporter, paths)
    }

    /// Resumes a tournament: its tables have its results, as those of a match, not its rounds.
    pub fn run_tournament(&self, folder: PathBuf, paths: &Paths) -> Result<ExitCode> {
        let format = self.output.format();
        let rows = if format == Format::Json { Format::Json } else { Format::Text };
        run::resume(&self.run(folder), rows, arena::reporter(format), paths)
    }

    fn run(&self, folder: PathBuf) -> RunArgs {
        let ResumeArgs { threads, tensorboard, .. } = self;
        RunArgs { threads: *threads, resume: Some(folder), tensorboard: tensorboard.clone(), out: None }
    }
}
