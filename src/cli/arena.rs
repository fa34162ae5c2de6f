//! `mancalab arena`: a tournament without a screen. The result alone goes to standard output; how it goes, to standard error.

use mancalab_base::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use clap::builder::RangedU64ValueParser;
use clap::{ArgGroup, Args};
use serde::Serialize;
use serde_json::Value;

use super::format::Format;
use super::live::Progress;
use super::presets;
use super::run::{self, Kept, Pace, Reporter, RunArgs, clock, event};
use super::{arena_text, out};
use crate::arena::{Deal, Pairs, Settings, Sprt, Tournament, View};
use crate::budget::Status;
use crate::files::{Kind, sync_folder, write_atomic, write_whole};
use crate::game::notation::pdn;
use crate::game::{Variant, notation};
use crate::kinds::AnySettings;
use crate::paths::Paths;
use crate::player::Spec;
use crate::player::spec::Ties;
use crate::presets::unknown;
use crate::reproduce::{tournament, tournaments};
use crate::sanitize;
use crate::tabs::board::is_collection;

/// What a tournament starts from, of a run or of a plan.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("decided")
    .args(["players", "pairs", "set", "game", "opening", "ties", "sprt"])
    .multiple(true))]
pub struct ArenaSettings {
    /// Preset to start from, such as round-robin
    pub preset: Option<String>,
    /// Players, separated by commas, such as random,max,minimax:4
    #[arg(long, value_name = "PLAYERS", value_parser = players)]
    pub players: Option<Players>,
    /// Games each player plays moving first against each other, default: 100; when resuming, must exceed the current
    /// number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: Option<u32>,
    /// Pairings: all, or numbers of players with the first mover in front, such as 1-2,2-1:500
    #[arg(long, value_name = "PAIRS")]
    pub pairs: Option<Pairs>,
    /// Any setting, such as opening=4; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    #[command(flatten)]
    pub how: HowArgs,
}

#[derive(Args, Debug)]
#[command(after_help = presets::after_help("arena"))]
pub struct ArenaArgs {
    #[command(flatten)]
    pub settings: ArenaSettings,
    /// Seed of all random choices; default: the lowest seed not yet used with such a run, which is printed
    #[arg(long, value_name = "NUMBER", conflicts_with = "resume", value_parser = seed())]
    pub seed: Option<u64>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", conflicts_with = "json")]
    pub format: Format,
    #[command(flatten)]
    pub save: SaveArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

/// A list that is one argument, as heuristic players have commas of their own.
pub(super) type Players = Vec<Spec>;

pub(super) fn players(text: &str) -> Result<Players, Error> {
    Spec::list(text)
}

/// What `--seed` takes.
pub(super) fn seed() -> RangedU64ValueParser {
    clap::value_parser!(u64).range(..=i64::MAX as u64)
}

/// What matches and tournaments have in common.
#[derive(Args, Debug)]
pub struct HowArgs {
    /// The game and its rules, kalah:6x4:standard by default
    #[arg(long, value_name = "GAME", value_parser = super::help::games(), hide_possible_values = true)]
    pub game: Option<Variant>,
    /// Random moves at the start of each game, 2 by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub opening: Option<u32>,
    /// Openings: every position once before any is repeated, or each round independently; distinct by default
    #[arg(long, value_name = "WHICH")]
    pub deal: Option<Deal>,
    /// Which of equally good moves minimax, heuristic and samuel players take, first or random, whatever their texts say
    #[arg(long, value_name = "WHICH")]
    pub ties: Option<Ties>,
    /// Stop two players' games once this test has decided between two advantages in Elo, such as 0,50
    #[arg(long, value_name = "LOWER,UPPER", allow_hyphen_values = true)]
    pub sprt: Option<Sprt>,
}

/// Where the games of matches and tournaments are kept.
#[derive(Args, Debug)]
pub struct SaveArgs {
    /// Save every game into this folder, or all of them as a collection into a new file with the ending .pdn
    #[arg(long, value_name = "DIR|FILE.pdn")]
    pub save: Option<PathBuf>,
}

impl SaveArgs {
    /// Whether games of this variant can be saved as is asked for: told before they are played.
    ///
    /// # Errors
    /// A file that is there, or a game of which there are no collections.
    pub(super) fn check(&self, variant: &Variant) -> Result<()> {
        let Some(file) = self.save.as_deref().filter(|path| is_collection(path)) else { return Ok(()) };
        if variant.game_type().is_none() {
            bail!("--save: games of {} are not written as collections; name a folder", variant.title());
        }
        if file.exists() {
            bail!("--save: {} exists; name a file that does not", sanitize::path(file));
        }
        Ok(())
    }
}

impl HowArgs {
    pub(super) fn apply(&self, settings: &mut Settings) {
        settings.variant = self.game.unwrap_or(settings.variant);
        settings.opening = self.opening.unwrap_or(settings.opening);
        settings.deal = self.deal.unwrap_or(settings.deal);
        settings.stop = self.sprt.or(settings.stop);
        if let Some(ties) = self.ties {
            settings.set_ties(ties);
        }
    }
}

/// How the games of a round ended for whoever moved first; none where a cell had no game.
#[derive(Serialize)]
struct Round {
    round: usize,
    margins: Vec<Option<i32>>,
    points: Vec<Option<f64>>,
}

pub fn run(args: &ArenaArgs, paths: &Paths) -> Result<ExitCode> {
    let format = |view: &View| match args.format {
        Format::Table => arena_text::table(view),
        Format::Csv => arena_text::csv(view),
        Format::Json => out::pretty(&arena_text::standing(view)),
        Format::Md => arena_text::markdown(view),
    };
    let playing = Playing { format, save: args.save.save.as_deref() };
    run::run(&args.run, playing, paths, args.settings.games.map(|games| u64::from(games) - 1), || {
        let settings = args.settings.read(args.seed, paths)?;
        args.save.check(&settings.variant)?;
        Ok(AnySettings::of::<Tournament>(settings))
    })
}

impl ArenaSettings {
    /// The preset's settings, or the usual ones, with what the flags change.
    ///
    /// # Errors
    /// What would be accepted.
    pub fn read(&self, seed: Option<u64>, paths: &Paths) -> Result<Settings> {
        let mut settings = match &self.preset {
            Some(name) => tournament(name).ok_or_else(|| anyhow!(unknown(name, &tournaments())))?,
            None if self.players.is_none() => {
                return Err(presets::missing_preset("arena", &tournaments(), " or --players"));
            }
            None => Settings { deal: Deal::Distinct, ..Settings::round_robin(Variant::usual()[0], Vec::new(), 100, 1) },
        };
        let next = || run::next_seed(run::kind::<Playing<'_, fn(&View) -> String>>(), &settings.preset, paths);
        settings.seed = seed.unwrap_or_else(next);
        if let Some(players) = &self.players {
            if let ([one], None) = (&players[..], &self.pairs) {
                bail!(
                    "{one} has nobody to play against; name a second player behind a comma, as in --players {one},minimax:4"
                );
            }
            settings.players.clone_from(players);
        }
        if let Some(pairs) = &self.pairs {
            settings.pairs.clone_from(pairs);
        }
        settings.games = self.games.unwrap_or(settings.games);
        presets::apply(&mut settings, &self.set)?;
        self.how.apply(&mut settings);
        // Whatever --set says of it.
        settings.seed = seed.unwrap_or(settings.seed);
        settings.check()?;
        Ok(settings)
    }
}

/// What there is to tell of a tournament, or of a match.
pub(super) struct Playing<'a, F> {
    /// The result for standard output.
    pub format: F,
    /// Where every game is saved: a folder, or a collection.
    pub save: Option<&'a Path>,
}

impl<F: Fn(&View) -> String> Reporter for Playing<'_, F> {
    const COMMAND: &'static str = "arena";
    type View = View;

    fn say(&self, text: &str) {
        out::tell(text);
    }

    fn rows(&self, view: &View, from: usize) -> Vec<Value> {
        let row = |round| {
            let ends = view.games.ends(round)?;
            let margins = ends.iter().map(|end| end.map(|end| end.margin)).collect();
            let points = ends.iter().map(|end| end.map(|end| f64::from(end.outcome.halves()) / 2.0)).collect();
            Some(event("round", &Round { round, margins, points }))
        };
        (from..view.round as usize).filter_map(row).collect()
    }

    fn progress(&self, view: &View, _pace: &Pace) -> Option<String> {
        let left = view.seconds_left().map_or(String::new(), |left| format!("  {} left", clock(left.ceil())));
        Some(format!("{} of {} games  {:.1} games/s{left}", view.done, view.total, view.games_per_second()))
    }

    fn live(&self, view: &View, _pace: &Pace) -> Option<Progress> {
        Some(Progress {
            share: view.done as f64 / view.total.max(1) as f64,
            at: format!("{}/{} games", view.done, view.total),
            left: view.seconds_left(),
            speed: format!("{:.1} games/s", view.games_per_second()),
            more: Vec::new(),
        })
    }

    fn ended(&self, view: &View) -> Value {
        out::value(&arena_text::standing(view))
    }

    fn end(&self, view: &View, _: Option<&Path>) {
        out::result(&(self.format)(view));
        if !view.finished {
            self.say(&format!("stopped after {} of {} games", view.done, view.total));
        }
    }

    fn keep(&self, view: &View, stop: &dyn Fn() -> bool) -> Result<Kept> {
        let Some(folder) = self.save else { return Ok(Kept::all()) };
        let mut saved = 0;
        if is_collection(folder) {
            let status = collect(view, folder, &mut saved, stop)?;
            return Ok(Kept { status, told: Some(saved_text(saved, view.done, folder, status)) });
        }
        let status = save(view, folder, &mut saved, stop)?;
        // Once for all of them: to wait for the disk at every game would take minutes, and the same seed plays them again.
        sync_folder(folder);
        Ok(Kept { status, told: Some(saved_text(saved, view.done, folder, status)) })
    }
}

/// Writes every game that is kept, named by the numbers of its players and its own, unless it is told to stop; counts them.
fn save(view: &View, folder: &Path, saved: &mut u64, stop: &dyn Fn() -> bool) -> Result<Status> {
    for (index, cell) in view.cells.iter().enumerate() {
        for kept in view.games.of(index) {
            if stop() {
                return Ok(Status::Running);
            }
            let name = format!("{}-{}-{:05}.game", cell.cell.first + 1, cell.cell.second + 1, kept.number + 1);
            let path = folder.join(&name);
            let changed = || format!("{name} cannot be played: its row in generations.csv was changed");
            let record = view.record(&kept).with_context(changed)?;
            write_whole(&path, notation::write(&record).as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?;
            *saved += 1;
        }
    }
    Ok(Status::Done)
}

/// Writes all games that are kept into one file, each with the match that it is of and its number; counts them.
fn collect(view: &View, file: &Path, saved: &mut u64, stop: &dyn Fn() -> bool) -> Result<Status> {
    let mut text = String::new();
    let mut status = Status::Done;
    let kept = (0..view.cells.len()).flat_map(|index| view.games.of(index));
    for kept in kept {
        if stop() {
            status = Status::Running;
            break;
        }
        let changed = || format!("game {} cannot be played: its row in generations.csv was changed", *saved + 1);
        let mut record = view.record(&kept).with_context(changed)?;
        let event = format!("{}, seed {}", view.players.join(" v "), view.settings.seed);
        record.headers.extend([("Event".to_owned(), event), ("Round".to_owned(), (*saved + 1).to_string())]);
        let game = pdn::write(&record)
            .with_context(|| format!("games of {} are not written as collections", record.variant.title()))?;
        if (text.len() + game.len() + 1) as u64 > Kind::Collection.most() {
            bail!("more than {saved} games do not fit into a collection; --save into a folder");
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text += &game;
        *saved += 1;
    }
    // What was written by others meanwhile is theirs.
    if file.exists() {
        bail!("{} exists; nothing was written", sanitize::path(file));
    }
    write_atomic(file, text.as_bytes()).with_context(|| format!("cannot write {}", sanitize::path(file)))?;
    Ok(status)
}

/// How many games of those played are in the folder now, and why not all.
fn saved_text(saved: u64, played: u64, folder: &Path, status: Status) -> String {
    let folder = sanitize::path(folder);
    let why = match status {
        Status::Done if saved == played => return format!("saved {saved} games in {folder}"),
        Status::Done => "later ones were counted only",
        Status::Running => "stopped before the others",
    };
    format!("saved {saved} of {played} games in {folder}; {why}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_which_games_are_not_saved() {
        let text = |saved, played, status| saved_text(saved, played, Path::new("games"), status);
        assert_eq!(text(4, 4, Status::Done), "saved 4 games in games");
        assert_eq!(text(3, 4, Status::Running), "saved 3 of 4 games in games; stopped before the others");
        assert_eq!(
            text(200_000, 300_000, Status::Done),
            "saved 200000 of 300000 games in games; later ones were counted only"
        );
    }
}
