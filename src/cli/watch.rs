//! `mancalab watch`: opens the tab of a run or plan, which other processes may be computing, or the Monitor; or prints what the
//! Monitor shows.

use mancalab_base::Error;
use std::collections::HashMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use super::{WatchArgs, out, screen, signals};
use crate::cluster::index;
use crate::cluster::plan::Plan;
use crate::job::RunReader;
use crate::monitor::{self, EVERY, Reader};
use crate::paths::Paths;
use crate::sanitize;
use crate::tabs::board::{Settings, Setup};
use crate::tabs::{self, Opening};

pub fn run(args: &WatchArgs, paths: &Paths) -> Result<ExitCode> {
    let runs = paths.runs();
    if args.json {
        return feed(&runs.context("no home directory for saved runs")?, args.once);
    }
    if args.all {
        let config = screen::load_config(&args.screen, paths)?;
        let setup = Setup::from_config(&config.board);
        return screen::open(config, Opening::new(Settings::new(setup, paths.games()), paths), Some("monitor"), paths);
    }
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

/// The time between checks for signals.
const LOOK: Duration = Duration::from_millis(100);

/// Prints a line for every run and plan, and for each that changes, until a signal or a closed output.
fn feed(runs: &Path, once: bool) -> Result<ExitCode> {
    signals::catch().context("cannot catch signals")?;
    let (mut before, mut reader) = (HashMap::new(), Reader::new(runs.to_owned()));
    loop {
        let seen = reader.read(Instant::now());
        let is_read = monitor::changes(&seen, &mut before).iter().all(|line| out::json("watch", line));
        if once || !is_read {
            return Ok(ExitCode::SUCCESS);
        }
        let until = Instant::now() + EVERY;
        while Instant::now() < until {
            if signals::received() != 0 {
                return Ok(ExitCode::from(128 + signals::received() as u8));
            }
            std::thread::sleep(LOOK);
        }
    }
}
