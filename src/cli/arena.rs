//! Tournaments of `mancalab match`, without a screen. Only the result goes to standard output; progress goes to standard
//! error.

use mancalab_base::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use clap::builder::RangedU64ValueParser;
use clap::{ArgGroup, Args};
use serde::Serialize;
use serde_json::Value;

use super::format::Format;
use super::live::Progress;
use super::match_::MatchArgs;
use super::run::{self, Pace, Reporter, SavedRun, clock, event};
use super::{arena_text, help, mistakes, out, presets};
use crate::arena::{Deal, Opening, Pairs, Settings, Sprt, View};
use crate::budget::Status;
use crate::files::{Kind, rewrite, sync_folder, write_whole};
use crate::game::{Variant, notation};
use crate::job::RunSettings;
use crate::paths::Paths;
use crate::player::Spec;
use crate::player::offers::Opponent;
use crate::player::spec::Ties;
use crate::presets::unknown;
use crate::reproduce::{tournament, tournaments};
use crate::sanitize;
use crate::tabs::board::collection_files;

// The arguments for the settings of a tournament, as a run or a plan.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("decided")
    .args(["players", "pairs", "set", "game", "opening", "ties", "sprt", "losses", "start"])
    .multiple(true), after_long_help = presets::after_help("arena"))]
pub struct ArenaSettings {
    /// Players, such as hard easy; or a preset of a tournament
    ///
    /// Two players play a match, more a tournament; a preset is such as round-robin.
    #[arg(id = "preset", value_name = "PLAYER|PRESET")]
    pub who: Vec<String>,
    /// Players instead of the preset's: random,max,minimax:4
    #[arg(long, value_name = "PLAYERS", value_parser = players)]
    pub players: Option<Players>,
    /// Games in all, or of each pair; default: 100
    ///
    /// In all for two players; in plans and with --out, --pairs or more players, for each pair and order of play.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: Option<u32>,
    /// Pairings: all, or such as 1-2,2-1:500
    ///
    /// Pairings by numbers of players, the first mover first, with games after a colon.
    #[arg(long, value_name = "PAIRS")]
    pub pairs: Option<Pairs>,
    /// Set any setting, such as opening=4; repeatable
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    #[command(flatten)]
    pub how: HowArgs,
}

/// A list as one argument, because texts of heuristic players contain commas.
pub(super) type Players = Vec<Opponent>;

/// Reads a player, which an error names.
fn player(text: &str) -> Result<Opponent, Error> {
    if text.starts_with("--") {
        return Err(mistakes::behind_dashes(text).into());
    }
    help::fixed(text).map_err(|error| {
        let why = error.to_string();
        if why.contains(text) { error } else { format!("{text}: {}", error.in_a_line()).into() }
    })
}

pub(super) fn players(text: &str) -> Result<Players, Error> {
    Spec::parts(text).iter().map(|text| player(text)).collect()
}

/// Parser of `--seed`.
pub(super) fn seed() -> RangedU64ValueParser {
    clap::value_parser!(u64).range(..=i64::MAX as u64)
}

// Arguments of both matches and tournaments.
#[derive(Args, Debug)]
pub struct HowArgs {
    /// Game and rules; default: kalah:6x4:standard
    #[arg(long, value_name = "GAME", value_parser = super::help::games(), hide_possible_values = true)]
    pub game: Option<Variant>,
    /// Start of Kalah: one of the known fair openings
    #[arg(long, value_name = "fair:SEED", value_parser = super::fair::FairStart::read)]
    pub start: Option<super::fair::FairStart>,
    /// Random moves at the start, or ballots; default: 2
    ///
    /// 0 to 100 moves. Ballots are the three-move ballots of checkers.
    #[arg(long, value_name = "N|ballots")]
    pub opening: Option<Opening>,
    /// Openings drawn: distinct (the default) or random
    ///
    /// With distinct openings every position comes once before any repeats; random ones are drawn for each round.
    #[arg(long, value_name = "WHICH")]
    pub deal: Option<Deal>,
    /// Equal moves: play first, last, random or window
    ///
    /// It overrides the texts of max, minimax, heuristic and samuel players.
    #[arg(long, value_name = "WHICH")]
    pub ties: Option<Ties>,
    /// Count what moves lose under perfect play (Kalah)
    #[arg(long)]
    pub losses: bool,
    /// Stop once a test (SPRT) decides between two Elo values
    ///
    /// The games of a pair stop once a sequential probability ratio test decides between these two Elo advantages.
    #[arg(long, value_name = "LOWER,UPPER", allow_hyphen_values = true)]
    pub sprt: Option<Sprt>,
}

// Where matches and tournaments save their games.
#[derive(Args, Debug)]
pub struct SaveArgs {
    /// Save every game to this folder, or all games to a new collection FILE.pdn (checkers), FILE.ggf or FILE.wtb (Othello)
    #[arg(long, value_name = "DIR|FILE")]
    pub save: Option<PathBuf>,
}

impl SaveArgs {
    /// Checks before the first game that games of this variant can be saved to `--save`.
    ///
    /// # Errors
    /// The file exists, or there are no collections of this game.
    pub(super) fn check(&self, variant: &Variant) -> Result<()> {
        let Some(file) = self.save.as_deref() else { return Ok(()) };
        let Some(format) = notation::Format::of_path(file) else {
            if file.exists() && !file.is_dir() {
                let file = sanitize::path(file);
                bail!("--save: {file} is a file; name a folder, or a new collection (.pdn, .ggf, .wtb)");
            }
            return Ok(());
        };
        format.check(variant).map_err(|error| anyhow!("--save: {error}; name a folder"))?;
        if file.exists() {
            bail!("--save: {} already exists; name a new file", sanitize::path(file));
        }
        Ok(())
    }
}

impl HowArgs {
    /// # Errors
    /// No fair openings of the game are known.
    pub(super) fn apply(&self, settings: &mut Settings) -> Result<(), Error> {
        settings.variant = self.game.unwrap_or(settings.variant);
        if let Some(start) = self.start {
            settings.variant = start.apply(settings.variant)?;
        }
        settings.deal = self.deal.unwrap_or(settings.deal);
        settings.opening = self.opening.unwrap_or(settings.opening);
        settings.stop = self.sprt.or(settings.stop);
        settings.losses |= self.losses;
        if let Some(ties) = self.ties {
            settings.set_ties(ties);
        }
        Ok(())
    }
}

/// Results of a round, for the first mover of each cell; `None` for cells without a game.
#[derive(Serialize)]
struct Round {
    round: usize,
    margins: Vec<Option<i32>>,
    points: Vec<Option<f64>>,
}

/// Plays the tournament, which is kept as a run.
pub(super) fn run(args: &MatchArgs, paths: &Paths) -> Result<ExitCode> {
    let format = |view: &View| match args.output.format() {
        Format::Text => arena_text::table(view),
        Format::Csv => arena_text::csv(view),
        Format::Json => out::in_a_line("arena", &arena_text::tournament(view)),
        Format::Md => arena_text::markdown(view),
    };
    let playing = TournamentReporter { format, save: args.save.save.as_deref() };
    let until = args.settings.games.map(|games| u64::from(games) - 1);
    // Without --rounds progress is text, and `format` makes the table in the end.
    let events = if args.rounds { Format::Json } else { Format::Text };
    run::run(&args.run, events, playing, paths, until, false, || {
        let settings = args.settings.read(args.seed, paths)?;
        args.save.check(&settings.variant)?;
        Ok(<Box<dyn RunSettings>>::from(settings))
    })
}

/// The reporter of a tournament that is resumed, whose result is a table of this format.
pub(super) fn reporter(format: Format) -> TournamentReporter<'static, fn(&View) -> String> {
    let format = match format {
        Format::Text | Format::Json => arena_text::table,
        Format::Csv => arena_text::csv,
        Format::Md => arena_text::markdown,
    };
    TournamentReporter { format, save: None }
}

impl ArenaSettings {
    /// Returns the preset that is named instead of players.
    fn preset(&self) -> Option<&str> {
        if let [name] = &self.who[..] { Some(name) } else { None }
    }

    /// Returns the settings of the preset, or the default ones, with the changes by the flags.
    ///
    /// # Errors
    /// An invalid argument: the accepted values.
    pub fn read(&self, seed: Option<u64>, paths: &Paths) -> Result<Settings> {
        let mut settings = match self.preset() {
            Some(name) => tournament(name).ok_or_else(|| no_preset(name))?,
            None if self.players.is_none() && self.who.is_empty() => {
                return Err(presets::missing_preset("match", &tournaments(), " or players"));
            }
            None => Settings { deal: Deal::Distinct, ..Settings::round_robin(Variant::usual()[0], Vec::new(), 100, 1) },
        };
        let next =
            || run::next_seed(run::kind::<TournamentReporter<'_, fn(&View) -> String>>(), &settings.preset, paths);
        settings.seed = seed.unwrap_or_else(next);
        self.apply(&mut settings)?;
        // --seed overrides --set.
        settings.seed = seed.unwrap_or(settings.seed);
        settings.check()?;
        Ok(settings)
    }

    /// Changes settings by the players and the flags.
    ///
    /// # Errors
    /// An invalid argument: the accepted values.
    pub(super) fn apply(&self, settings: &mut Settings) -> Result<()> {
        let players = self.players()?;
        // Players of levels depend on the game, which settings may name too.
        let mut other = settings.clone();
        presets::apply(&mut other, &self.set)?;
        self.how.apply(&mut other)?;
        if let Some(players) = players {
            settings.players = players.iter().map(|player| player.player(&other.variant)).collect();
        }
        if let Some(pairs) = &self.pairs {
            settings.pairs.clone_from(pairs);
        }
        settings.games = self.games.unwrap_or(settings.games);
        presets::apply(settings, &self.set)?;
        self.how.apply(settings)?;
        Ok(())
    }

    /// The players that are named, one after another or as a list.
    fn players(&self) -> Result<Option<Players>> {
        let are_named = self.preset().is_none() && !self.who.is_empty();
        match &self.players {
            Some(_) if are_named => {
                bail!("--players is for presets; name the players one after another, or only by --players")
            }
            Some(players) => {
                if let ([one], None) = (&players[..], &self.pairs) {
                    bail!("--players must name two or more players, as in --players {one},minimax:4");
                }
                Ok(Some(players.clone()))
            }
            None if are_named => {
                self.who.iter().map(|text| player(text).map_err(Into::into)).collect::<Result<_>>().map(Some)
            }
            None => Ok(None),
        }
    }
}

/// The error of a single word that is no preset.
fn no_preset(name: &str) -> anyhow::Error {
    match name.parse::<Opponent>() {
        Ok(_) => {
            anyhow!("a match needs two players or more, such as {} minimax:4", sanitize::shell(name))
        }
        Err(_) => anyhow!(unknown(name, &tournaments())),
    }
}

/// Reporter of a tournament or match.
pub(super) struct TournamentReporter<'a, F> {
    /// Formats the result for standard output.
    pub format: F,
    /// Folder or collection for all games.
    pub save: Option<&'a Path>,
}

impl<F: Fn(&View) -> String> Reporter for TournamentReporter<'_, F> {
    const COMMAND: &'static str = "arena";
    type View = View;

    fn say(&self, text: &str) {
        out::report(text);
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
            count: format!("{}/{} games", view.done, view.total),
            left: view.seconds_left(),
            speed: format!("{:.1} games/s", view.games_per_second()),
            more: Vec::new(),
        })
    }

    fn ended(&self, view: &View, _: Option<&Path>) -> Value {
        out::value(&arena_text::tournament(view))
    }

    fn end(&self, view: &View, _: Option<&Path>) {
        // A table of no games would show ratings and shares of nothing.
        if view.done > 0 || view.finished {
            out::result(&(self.format)(view));
        }
        if !view.finished {
            self.say(&format!("stopped after {} of {} games", view.done, view.total));
        }
    }

    fn keep(&self, view: &View, stop: &dyn Fn() -> bool) -> Result<SavedRun> {
        let Some(folder) = self.save else { return Ok(SavedRun::all()) };
        let mut saved = 0;
        if let Some(format) = notation::Format::of_path(folder) {
            let status = collect(view, format, folder, &mut saved, stop)?;
            return Ok(SavedRun { status, message: Some(saved_text(saved, view.done, folder, status)) });
        }
        let status = save(view, folder, &mut saved, stop)?;
        // One sync for all games: a sync per game takes minutes, and the same seed repeats lost games.
        sync_folder(folder);
        Ok(SavedRun { status, message: Some(saved_text(saved, view.done, folder, status)) })
    }
}

/// Writes each recorded game to a file named by the numbers of its players and its own, until `stop`; counts them in
/// `saved`.
fn save(view: &View, folder: &Path, saved: &mut u64, stop: &dyn Fn() -> bool) -> Result<Status> {
    for (index, cell) in view.cells.iter().enumerate() {
        for kept in view.games.games(index) {
            if stop() {
                return Ok(Status::Running);
            }
            let name = format!("{}-{}-{:05}.game", cell.cell.first + 1, cell.cell.second + 1, kept.number + 1);
            let path = folder.join(&name);
            let changed = || format!("cannot replay {name}: its row in generations.csv was changed");
            let record = view.record(&kept).with_context(changed)?;
            write_whole(&path, notation::write(&record).as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?;
            *saved += 1;
        }
    }
    Ok(Status::Done)
}

/// Writes all recorded games to a new collection, each with its match and number, until `stop`; counts them in `saved`.
fn collect(
    view: &View,
    format: &notation::Format,
    file: &Path,
    saved: &mut u64,
    stop: &dyn Fn() -> bool,
) -> Result<Status> {
    let name = sanitize::path(file);
    let collected = rewrite(&collection_files(format, file), Kind::Collection, |contents| {
        if contents.last().is_some_and(|content| !content.is_empty()) {
            bail!("{name} exists; nothing was written");
        }
        for kept in (0..view.cells.len()).flat_map(|index| view.games.games(index)) {
            if stop() {
                return Ok(Status::Running);
            }
            let changed = || format!("cannot replay game {}: its row in generations.csv was changed", *saved + 1);
            let mut record = view.record(&kept).with_context(changed)?;
            let event = format!("{}, seed {}", view.players.join(" v "), view.settings.seed);
            record.headers.extend([("Event".to_owned(), event), ("Round".to_owned(), (*saved + 1).to_string())]);
            let refused = |error| anyhow!("cannot add game {} to {name}: {error}; --save to a folder", *saved + 1);
            format.add(contents, &record).map_err(refused)?;
            *saved += 1;
        }
        Ok(Status::Done)
    });
    collected.map_err(|error| match error.downcast_ref::<io::Error>() {
        Some(reason) => anyhow!("cannot write {name}: {}", sanitize::reason(reason)),
        None => error,
    })
}

/// Returns the number of saved games, and the reason if some are missing.
fn saved_text(saved: u64, played: u64, folder: &Path, status: Status) -> String {
    let folder = sanitize::path(folder);
    let why = match status {
        Status::Done if saved == played && saved == 1 => return format!("saved 1 game in {folder}"),
        Status::Done if saved == played => return format!("saved {saved} games in {folder}"),
        Status::Done => "later games have no recorded moves",
        Status::Running => "stopped before the rest",
    };
    format!("saved {saved} of {played} games in {folder}; {why}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_reported_which_games_are_not_saved() {
        let text = |saved, played, status| saved_text(saved, played, Path::new("games"), status);
        assert_eq!(text(4, 4, Status::Done), "saved 4 games in games");
        assert_eq!(text(3, 4, Status::Running), "saved 3 of 4 games in games; stopped before the rest");
        assert_eq!(
            text(200_000, 300_000, Status::Done),
            "saved 200000 of 300000 games in games; later games have no recorded moves"
        );
    }
}
