//! `mancalab watch`: opens the tab of a run or plan, which other processes may be computing.

use mancalab_base::Error;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result};

use super::{WatchArgs, screen};
use crate::cluster::index;
use crate::cluster::plan::Plan;
use crate::job::RunReader;
use crate::paths::Paths;
use crate::sanitize;
use crate::tabs::board::{Settings, Setup};
use crate::tabs::{self, Opening};

pub fn run(args: &WatchArgs, paths: &Paths) -> Result<ExitCode> {
    let runs = paths.runs();
    let folder = match &args.run {
        Some(run) => index::find(runs.as_deref(), run),
        None => index::newest(runs.as_deref()),
    };
    let folder = folder?;
    let kind = kind(&folder)?;
    let config = screen::load_config(&args.screen, paths)?;
    let setup = Setup::from_config(&config.board);
    let mut opening = Opening::new(Settings::new(setup, paths.games()), paths);
    let no_tab = || format!("{}: no tab for runs of kind '{kind}'", sanitize::path(&folder));
    let scope = tabs::of_kind(&kind).with_context(no_tab)?;
    opening.run = Some((scope, folder));
    screen::open(config, opening, Some(scope), paths)
}

/// The kind of a run, or of a plan's runs.
fn kind(folder: &Path) -> std::result::Result<String, Error> {
    if index::is_plan(folder) {
        return Ok(Plan::open(folder)?.draft().manifest.kind.clone());
    }
    Ok(RunReader::open(folder)?.manifest().kind.clone())
}
