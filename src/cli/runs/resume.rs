//! `mancalab runs resume`: resumes a run of any kind.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::{find, kinds};
use crate::cli::arena;
use crate::cli::evolve::Evolution;
use crate::cli::format::{EventsArgs, Format};
use crate::cli::run::{self, Reporter, RunArgs, threads};
use crate::cli::train::Learning;
use crate::cli::tune::Tuning;
use crate::job::RunReader;
use crate::kinds::TOURNAMENTS;
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

/// Resumes the run by the command of its kind.
///
/// # Errors
/// There is no such run, or it cannot be resumed.
pub fn run(args: &ResumeArgs, paths: &Paths) -> Result<ExitCode> {
    let folder = find(&args.run, paths)?;
    let kind = kinds::find(&RunReader::open(&folder)?)?;
    match kind.command {
        "evolve" => resume(args, folder, Evolution::default(), paths),
        "tune" => resume(args, folder, Tuning::default(), paths),
        "train" => resume(args, folder, Learning::default(), paths),
        TOURNAMENTS => {
            // A table of a tournament has its results, as that of a match, not its rounds.
            let format = args.output.format();
            let rows = if format == Format::Json { Format::Json } else { Format::Text };
            run::resume(&args.run(folder), rows, arena::reporter(format), paths)
        }
        other => unreachable!("no reporter for runs of {other}"),
    }
}

impl ResumeArgs {
    fn run(&self, folder: PathBuf) -> RunArgs {
        let ResumeArgs { threads, tensorboard, .. } = self;
        RunArgs { threads: *threads, resume: Some(folder), tensorboard: tensorboard.clone(), out: None }
    }
}

fn resume<T: Reporter>(args: &ResumeArgs, folder: PathBuf, reporter: T, paths: &Paths) -> Result<ExitCode> {
    run::resume(&args.run(folder), args.output.format(), reporter, paths)
}
