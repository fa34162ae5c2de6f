//! `mancalab watch`: opens the tab of a run that another process may be writing, or of a plan that others compute.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};

use super::{WatchArgs, screen};
use crate::arena::Tournament;
use crate::cluster::plan::Plan;
use crate::cluster::shelf;
use crate::document::Refusal;
use crate::evolve::{problems, tasks};
use crate::job::{Run, RunReader};
use crate::paths::Paths;
use crate::plain;
use crate::tabs::Opening;
use crate::tabs::board::{Settings, Setup};
use crate::train::Training;

pub fn run(args: &WatchArgs, paths: &Paths) -> Result<ExitCode> {
    let runs = paths.runs();
    let folder = match &args.run {
        Some(run) => shelf::find(runs.as_deref(), run),
        None => shelf::newest(runs.as_deref()),
    };
    let folder = folder.map_err(|reason| anyhow!(reason))?;
    let kind = kind(&folder).map_err(|reason| anyhow!(reason))?;
    let config = screen::load_config(&args.screen, paths)?;
    let setup = Setup::from_config(&config.board);
    let mut opening = Opening::new(Settings { setup, opened: None, games: paths.games() }, paths);
    let dir = Some(folder.clone());
    let kind = kind.as_str();
    let scope = match kind {
        _ if problems::AnyRun::KINDS.contains(&kind) => {
            opening.evolution = dir;
            "evolution"
        }
        _ if tasks::AnyRun::KINDS.contains(&kind) => {
            opening.weights = dir;
            "weights"
        }
        _ if Tournament::KINDS.contains(&kind) => {
            opening.arena = dir;
            "arena"
        }
        _ if Training::KINDS.contains(&kind) => {
            opening.train = dir;
            "train"
        }
        _ => bail!("{} is of kind '{kind}', which has no tab", plain::path(&folder)),
    };
    screen::open(config, opening, Some(scope), paths)
}

/// The kind of a run, or of a plan's runs.
fn kind(folder: &Path) -> std::result::Result<String, Refusal> {
    if shelf::is_plan(folder) {
        return Ok(Plan::open(folder)?.draft().manifest.kind.clone());
    }
    Ok(RunReader::open(folder)?.manifest().kind.clone())
}
