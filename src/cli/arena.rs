//! `mancalab arena`: a tournament without a screen. The result alone goes to standard output; how it goes, to standard error.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use clap::{ArgGroup, Args};
use serde::Serialize;
use serde_json::Value;

use super::format::Format;
use super::live::Progress;
use super::presets;
use super::run::{self, Kept, Pace, RunArgs, Teller, clock, event, listed};
use super::{arena_text, out};
use crate::arena::{Pairs, Settings, Sprt, Tournament, View};
use crate::document::Refusal;
use crate::files::{Kind, sync_folder, write_atomic, write_whole};
use crate::game::notation::pdn;
use crate::game::{Variant, notation};
use crate::job::{Run as _, RunJob};
use crate::paths::Paths;
use crate::plain;
use crate::player::Spec;
use crate::player::spec::Ties;
use crate::reproduce::{tournament, tournaments};
use crate::step::Status;
use crate::tabs::board::is_collection;

#[derive(Args, Debug)]
#[command(after_help = after_help())]
#[command(group = ArgGroup::new("decided")
    .args(["players", "pairs", "set", "seed", "game", "opening", "ties", "sprt"])
    .multiple(true)
    .conflicts_with("resume"))]
pub struct ArenaArgs {
    /// The settings to start from, such as round-robin
    pub preset: Option<String>,
    /// Who meets, with commas between them, such as random,max,minimax:4
    #[arg(long, value_name = "PLAYERS", value_parser = players)]
    pub players: Option<Players>,
    /// How many games each plays moving first against each, 100 unless told otherwise; of a tournament that is gone on with, more
    /// than it has
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: Option<u32>,
    /// Who meets whom: all, or the players' numbers, such as 1-2,2-1:500, the one that moves first in front
    #[arg(long, value_name = "PAIRS")]
    pub pairs: Option<Pairs>,
    /// Any other setting, such as opening=4; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "table", conflicts_with = "json")]
    pub format: Format,
    #[command(flatten)]
    pub how: HowArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

/// A list that is one argument, as heuristic players have commas of their own.
pub(super) type Players = Vec<Spec>;

pub(super) fn players(text: &str) -> Result<Players, Refusal> {
    Spec::list(text)
}

pub(super) fn after_help() -> String {
    let presets = tournaments();
    presets::after_help(&presets, tournament(presets[0].0).as_ref())
}

/// What matches and tournaments have in common.
#[derive(Args, Debug)]
pub struct HowArgs {
    /// Decides all random choices; without it a match draws one, and a tournament takes the first from 1 on that no kept run like
    /// it has; the one taken is printed
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub seed: Option<u64>,
    /// The game and its rules, kalah:6x4:standard unless told otherwise
    #[arg(long, value_name = "GAME", value_parser = super::help::games(), hide_possible_values = true)]
    pub game: Option<Variant>,
    /// How many moves at the beginning of a game are random, 2 unless told otherwise
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub opening: Option<u32>,
    /// Which of equally good moves minimax, heuristic and samuel players take, first or random, whatever their texts say
    #[arg(long, value_name = "WHICH")]
    pub ties: Option<Ties>,
    /// Stop two players' games once this test has decided between two advantages in Elo, such as 0,50
    #[arg(long, value_name = "LOWER,UPPER", allow_hyphen_values = true)]
    pub sprt: Option<Sprt>,
    /// Save every game into this folder, or all of them as a collection into a new file with the ending .pdn
    #[arg(long, value_name = "DIR|FILE.pdn")]
    pub save: Option<PathBuf>,
}

impl HowArgs {
    /// Whether games of this variant can be saved as is asked for: told before they are played.
    ///
    /// # Errors
    /// A file that is there, or a game of which there are no collections.
    pub(super) fn check_save(&self, variant: &Variant) -> Result<()> {
        let Some(file) = self.save.as_deref().filter(|path| is_collection(path)) else { return Ok(()) };
        if variant.game_type().is_none() {
            bail!("--save: games of {} are not written as collections; name a folder", variant.title());
        }
        if file.exists() {
            bail!("--save: {} exists; name a file that does not", plain::path(file));
        }
        Ok(())
    }

    pub(super) fn apply(&self, settings: &mut Settings) {
        settings.seed = self.seed.unwrap_or(settings.seed);
        settings.variant = self.game.unwrap_or(settings.variant);
        settings.opening = self.opening.unwrap_or(settings.opening);
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
    let playing = Playing { format, save: args.how.save.as_deref() };
    run::run::<Tournament, _>(&args.run, playing, paths, args.games.map(|games| u64::from(games) - 1), || {
        settings(args, paths)
    })
}

/// The preset's settings, or the usual ones, with what the flags change.
pub(super) fn settings(args: &ArenaArgs, paths: &Paths) -> Result<Settings> {
    let mut settings = match &args.preset {
        Some(name) => tournament(name).ok_or_else(|| presets::unknown_preset(name, &tournaments()))?,
        None if args.players.is_none() => {
            return Err(presets::missing_preset("arena", &tournaments(), " or --players"));
        }
        None => Settings::round_robin(Variant::usual()[0], Vec::new(), 100, 1),
    };
    settings.seed = run::next_seed::<Tournament>(&settings.preset, paths);
    if let Some(players) = &args.players {
        if let ([one], None) = (&players[..], &args.pairs) {
            bail!(
                "{one} has nobody to play against; name a second player behind a comma, as in --players {one},minimax:4"
            );
        }
        settings.players.clone_from(players);
    }
    if let Some(pairs) = &args.pairs {
        settings.pairs.clone_from(pairs);
    }
    settings.games = args.games.unwrap_or(settings.games);
    presets::apply(&mut settings, &[], &args.set)?;
    args.how.apply(&mut settings);
    settings.check().map_err(|reason| anyhow!(reason))?;
    args.how.check_save(&settings.variant)?;
    Ok(settings)
}

/// What there is to tell of a tournament, or of a match.
pub(super) struct Playing<'a, F> {
    /// The result for standard output.
    pub format: F,
    /// Where every game is saved: a folder, or a collection.
    pub save: Option<&'a Path>,
}

impl<F: Fn(&View) -> String> Teller<Tournament> for Playing<'_, F> {
    const COMMAND: &'static str = "arena";

    fn settings<'a>(&self, run: &'a Tournament) -> &'a Settings {
        run.settings()
    }

    fn say(&self, text: &str) {
        out::tell(text);
    }

    fn begun(&self, run: &Tournament) -> Value {
        listed(run.settings())
    }

    fn rows(&self, run: &Tournament, from: usize) -> Vec<Value> {
        let ended = run.generation().map_or(0, |last| last as usize + 1);
        let games = (from < ended).then(|| run.view().games);
        let row = |round| {
            let ends = games.as_ref()?.ends(round)?;
            let margins = ends.iter().map(|end| end.map(|end| end.margin)).collect();
            let points = ends.iter().map(|end| end.map(|end| f64::from(end.outcome.halves()) / 2.0)).collect();
            Some(event("round", &Round { round, margins, points }))
        };
        (from..ended).filter_map(row).collect()
    }

    fn progress(&self, run: &Tournament, _pace: &Pace) -> Option<String> {
        let view = run.view();
        let left = view.seconds_left().map_or(String::new(), |left| format!("  {} left", clock(left.ceil())));
        Some(format!("{} of {} games  {:.1} games/s{left}", view.done, view.total, view.games_per_second()))
    }

    fn live(&self, run: &Tournament, _pace: &Pace) -> Option<Progress> {
        let view = run.view();
        Some(Progress {
            share: view.done as f64 / view.total.max(1) as f64,
            at: format!("{}/{} games", view.done, view.total),
            left: view.seconds_left(),
            speed: format!("{:.1} games/s", view.games_per_second()),
            more: Vec::new(),
        })
    }

    fn ended(&self, run: &Tournament) -> Value {
        out::value(&arena_text::standing(&run.view()))
    }

    fn end(&self, job: &RunJob<Tournament>) {
        let view = job.run().view();
        out::result(&(self.format)(&view));
        if !view.finished {
            self.say(&format!("stopped after {} of {} games", view.done, view.total));
        }
    }

    fn keep(&self, run: &Tournament, stop: &dyn Fn() -> bool) -> Result<Kept> {
        let Some(folder) = self.save else { return Ok(Kept::all()) };
        let (view, mut saved) = (run.view(), 0);
        if is_collection(folder) {
            let status = collect(&view, folder, &mut saved, stop)?;
            return Ok(Kept { status, told: Some(saved_text(saved, view.done, folder, status)) });
        }
        let status = save(&view, folder, &mut saved, stop)?;
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
        bail!("{} exists; nothing was written", plain::path(file));
    }
    write_atomic(file, text.as_bytes()).with_context(|| format!("cannot write {}", plain::path(file)))?;
    Ok(status)
}

/// How many games of those played are in the folder now, and why not all.
fn saved_text(saved: u64, played: u64, folder: &Path, status: Status) -> String {
    let folder = plain::path(folder);
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
