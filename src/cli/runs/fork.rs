//! `mancalab runs fork`: a new run that begins with the first generations of another one and goes on with other settings.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Args;

use super::{find, name};
use crate::cli::live::{Live, Progress};
use crate::cli::run::threads;
use crate::cli::{out, presets, signals};
use crate::job::fork::Fork;
use crate::job::run_dir;
use crate::kinds;
use crate::paths::Paths;
use crate::pool::Pool;
use crate::sanitize;

#[derive(Args, Debug)]
pub struct ForkArgs {
    /// Run, by folder, name or unique start of the name
    pub run: PathBuf,
    /// Last generation that both have in common; default: that of the newest checkpoint
    #[arg(long = "at", value_name = "GENERATION")]
    pub generation: Option<u64>,
    /// Settings of the fork that differ, seed and generations too; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", required = true)]
    pub changes: Vec<String>,
    /// Folder of the fork; default: a new one beside the others
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Number of threads, 0 for all
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    pub threads: usize,
}

/// Writes a fork, from where it is resumed.
///
/// # Errors
/// There is no such run or generation, the settings do not allow it, or the folder cannot be written.
pub fn run(args: &ForkArgs, paths: &Paths) -> Result<ExitCode> {
    let parent = find(&args.run, paths)?;
    let fork = Fork::new(&parent, args.generation, kinds::forms())?;
    let mut settings = fork.settings().boxed();
    presets::apply(&mut *settings, &args.changes)?;
    let called = name(&parent);
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => {
            let runs = paths.runs().context("no home directory to save runs in; name a folder with --out")?;
            run_dir::free_folder(&runs, &format!("{called}-from{}", fork.generation()))
        }
    };
    signals::catch().context("cannot catch signals")?;
    let mut live = Live::new();
    let is_written = fork.write(&*settings, &folder, &Pool::new(args.threads), |done, of| {
        let share = done as f64 / of.max(1) as f64;
        let count = format!("{called}: generation {done}/{of} computed again");
        live.show(|| Some(Progress { share, count, left: None, speed: String::new(), more: Vec::new() }));
        signals::received() == 0
    });
    live.clear();
    if !is_written? {
        return Ok(ExitCode::from(128 + signals::received() as u8));
    }
    let generation = fork.generation();
    out::line(&format!("forked {} after generation {generation}", sanitize::inline(&called)));
    out::line(&format!("resume with: mancalab runs resume {}", sanitize::shell_path(&folder)));
    Ok(ExitCode::SUCCESS)
}
