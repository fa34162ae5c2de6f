//! `mancalab`, `mancalab play`: opens the board.

use std::fs::File;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use mancalab_base::Error;

use super::fair::FairStart;
use super::{PlayArgs, guest, lines, mistakes, screen};
use crate::config::{Board, Config};
use crate::game::Variant;
use crate::game::checkers::ballots::ballots;
use crate::game::notation::DefaultGame;
use crate::paths::Paths;
use crate::player::offers::{Level, Opponent};
use crate::player::{Spec, check_plays};
use crate::results::{self, MyLevels};
use crate::sanitize;
use crate::tabs::TabSettings;
use crate::tabs::board::{FileContents, OpenedGame, Settings, Setup, find_saved_game, nearest_saved_game};

/// How a game begins instead of at the usual start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    Fair(FairStart),
    /// A ballot of checkers, from 1.
    Ballot(usize),
}

impl Start {
    pub fn read(text: &str) -> Result<Start, Error> {
        let Some(number) = text.strip_prefix("ballot:") else { return FairStart::read(text).map(Start::Fair) };
        let known = |number: &usize| (1..=ballots().len()).contains(number);
        let number = number.parse().ok().filter(known);
        let most = ballots().len();
        number.map(Start::Ballot).ok_or_else(|| format!("must be ballot:1 to ballot:{most} (got '{text}')").into())
    }

    /// The game with this start.
    fn apply(self, variant: Variant) -> Result<Variant> {
        match self {
            Start::Fair(start) => Ok(start.apply(variant)?),
            Start::Ballot(_) if variant.name() != "checkers" => {
                Err(anyhow!("--start: only checkers has ballots (the game is {variant})"))
            }
            Start::Ballot(_) => Ok(variant),
        }
    }

    fn ballot(self) -> Option<usize> {
        if let Start::Ballot(number) = self { Some(number) } else { None }
    }
}

pub fn run(args: &PlayArgs, paths: &Paths) -> Result<ExitCode> {
    if args.guest {
        return guest::run(args, paths);
    }
    let mut config = screen::load_config(&args.screen, paths)?;
    for file in &args.database {
        let opened = File::open(file).map_err(Error::cannot("open", file))?;
        if !opened.metadata().is_ok_and(|meta| meta.is_file()) {
            bail!("--database {}: not a file; expected games as WTHOR (.wtb), PDN or GGF", sanitize::path(file));
        }
    }
    if !args.database.is_empty() {
        config.board.databases.clone_from(&args.database);
    }
    let board = settings(args, &config, paths)?;
    if lines::are_chosen(args.lines) {
        return lines::play(config, board, paths);
    }
    screen::open(config, TabSettings::new(board, paths), None, paths)
}

pub(super) fn settings(args: &PlayArgs, config: &Config, paths: &Paths) -> Result<Settings> {
    let variant = args.game.unwrap_or(config.board.game);
    let mut setup = Setup {
        variant: args.start.map_or(Ok(variant), |start| start.apply(variant))?,
        ballot: args.start.and_then(Start::ballot),
        clock: args.clock,
        players: players(args, config, &variant),
        seed: args.seed,
    };
    if let Some(file) = results::file(paths).filter(|_| follows_results(&setup)) {
        MyLevels::after(&results::read(&file).unwrap_or_default().0).apply(&setup.variant, &mut setup.players);
    }
    for (spec, seat) in setup.specs().iter().zip(["south", "north"]) {
        let plays = spec.check_rights(paths.rights()).and_then(|()| check_plays(spec, &setup.variant));
        plays.map_err(|error| anyhow!("{seat}: {error}"))?;
    }
    let start = args.position.as_deref().map(|text| super::position(setup.variant, Some(text))).transpose()?;
    let games = paths.games();
    let Some(file) = &args.file else {
        return Ok(Settings {
            start,
            welcomes: is_first(args, config, games.as_deref()),
            ..Settings::new(setup, games)
        });
    };
    let saved = find_saved_game(file, games.as_deref());
    let mut held = FileContents::open(&saved, DefaultGame::named(args.game, setup.variant)).map_err(|reason| {
        match meant(file, games.as_deref()).filter(|_| saved == *file) {
            Some(meant) => anyhow!(meant),
            None => reason.into(),
        }
    })?;
    match &mut held {
        FileContents::Game(opened) => take_seats(args, opened)?,
        FileContents::Begun(picked) | FileContents::Games(_, Some(picked)) => take_seats(args, &mut picked.opened)?,
        FileContents::Games(_, None) => {}
    }
    Ok(Settings { opened: Some(held), ..Settings::new(setup, games) })
}

/// The players of a new game: those of the flags, then those of the config. Remembered ones play only without flags for players, and
/// only games that they know; otherwise a person plays against the default level.
fn players(args: &PlayArgs, config: &Config, variant: &Variant) -> [Opponent; 2] {
    let PlayArgs { south, north, level, .. } = args;
    let Board { south: first, north: second, .. } = &config.board;
    let is_free = south.is_none() && north.is_none() && level.is_none();
    let usual = [Opponent::Player(Spec::Human), Opponent::Level(Level::default())];
    let recalls = is_free && [first, second].iter().all(|player| check_plays(&player.player(variant), variant).is_ok());
    let of = |key: &'static str, player: &Opponent, usual: Opponent| {
        if recalls || config.is_set("board", key) { player.clone() } else { usual }
    };
    let [human, easy] = usual;
    let [first, second] = [of("south", first, human), of("north", second, easy)];
    let [south, north] = [south.clone(), north.clone()];
    match level.clone() {
        // The level sits opposite the person.
        Some(level) if south.is_none() && second == Opponent::Player(Spec::Human) => [level, second],
        Some(level) => [south.unwrap_or(Opponent::Player(Spec::Human)), level],
        None => [south.unwrap_or(first), north.unwrap_or(second)],
    }
}

fn follows_results(setup: &Setup) -> bool {
    setup.players.iter().any(|player| matches!(player, Opponent::MyLevel(_)))
}

/// Whether nothing was ever set, chosen or played.
fn is_first(args: &PlayArgs, config: &Config, games: Option<&Path>) -> bool {
    let PlayArgs { game, position, start, south, north, level, clock, .. } = args;
    config.preferences.is_first
        && !games.is_some_and(Path::exists)
        && clock.is_none()
        && game.is_none()
        && position.is_none()
        && start.is_none()
        && south.is_none()
        && north.is_none()
        && level.is_none()
}

/// Replaces the file's players by those of the command line.
fn take_seats(args: &PlayArgs, opened: &mut OpenedGame) -> Result<()> {
    for (seat, flag) in [&args.south, &args.north].into_iter().enumerate() {
        if let Some(player) = flag {
            let spec = player.player(&opened.record.variant);
            check_plays(&spec, &opened.record.variant)?;
            opened.record.players[seat] = spec.to_string();
            opened.players[seat] = Some(spec);
        }
    }
    Ok(())
}

/// The error of a bare word that is not a file, and so may be meant as a command or a saved game.
fn meant(file: &Path, games: Option<&Path>) -> Option<String> {
    let word = file.to_str().filter(|word| !word.contains('/') && !file.exists())?;
    match nearest_saved_game(file, games) {
        Some(near) => Some(format!("'{word}' is no file and no saved game; did you mean '{near}'?")),
        None => (!word.contains('.')).then(|| mistakes::no_command(word)),
    }
}
