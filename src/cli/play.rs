//! `mancalab`, `mancalab play`: opens the board.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::CommandFactory as _;

use super::{Cli, PlayArgs, help, screen};
use crate::config::Config;
use crate::paths::Paths;
use crate::player::check_plays;
use crate::player::levels::Opponent;
use crate::tabs::Opening;
use crate::tabs::board::{Held, Opened, Settings, Setup};

pub fn run(args: &PlayArgs, paths: &Paths) -> Result<ExitCode> {
    let config = screen::load_config(&args.screen, paths)?;
    let board = settings(args, &config, paths)?;
    screen::open(config, Opening::new(board, paths), None, paths)
}

fn settings(args: &PlayArgs, config: &Config, paths: &Paths) -> Result<Settings> {
    let usual = Setup::from_config(&config.board);
    let [south, north] = usual.players;
    let variant = args.game.unwrap_or(usual.variant);
    let [first, second] = [&args.south, &args.north].map(|spec| spec.clone().map(Opponent::Player));
    let level = args.level.map(Opponent::Level);
    let setup = Setup {
        variant: args.start.map_or(Ok(variant), |start| start.of(variant))?,
        players: [first.unwrap_or(south), second.or(level).unwrap_or(north)],
        seed: args.seed.or(usual.seed),
    };
    for (spec, seat) in setup.specs().iter().zip(["south", "north"]) {
        check_plays(spec, &setup.variant).map_err(|error| anyhow!("{seat}: {error}"))?;
    }
    let games = paths.games();
    let Some(file) = &args.file else {
        return Ok(Settings { setup, opened: None, welcomes: is_first(args, config), games });
    };
    let mut held = Held::open(file, setup.variant).map_err(|reason| match meant(file) {
        Some(meant) => anyhow!("{reason}; {meant}"),
        None => reason.into(),
    })?;
    match &mut held {
        Held::Game(opened) => take_seats(args, opened)?,
        Held::Games(_, Some(picked)) => take_seats(args, &mut picked.opened)?,
        Held::Games(_, None) => {}
    }
    Ok(Settings { setup, opened: Some(held), welcomes: false, games })
}

/// Whether nothing was ever set or chosen.
fn is_first(args: &PlayArgs, config: &Config) -> bool {
    let PlayArgs { game, start, south, north, level, .. } = args;
    config.preferences.is_first
        && game.is_none()
        && start.is_none()
        && south.is_none()
        && north.is_none()
        && level.is_none()
}

/// Replaces the file's players by those of the command line.
fn take_seats(args: &PlayArgs, opened: &mut Opened) -> Result<()> {
    for (seat, flag) in [&args.south, &args.north].into_iter().enumerate() {
        if let Some(spec) = flag {
            check_plays(spec, &opened.record.variant)?;
            opened.record.players[seat] = spec.to_string();
            opened.players[seat] = Some(spec.clone());
        }
    }
    Ok(())
}

/// A suggestion for a bare word that is not a file: the nearest subcommand.
fn meant(file: &Path) -> Option<String> {
    let word = file.to_str().filter(|word| !word.contains(['/', '.']) && !file.exists())?;
    help::misspelled(word, &Cli::command())
}
