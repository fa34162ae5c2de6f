//! `mancalab match`: a match of two players, in memory. More players play a tournament, in `arena`.

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use mancalab_base::counted;
use serde::Serialize;

use super::arena::{self, ArenaSettings, SaveArgs, TournamentReporter, seed};
use super::format::{Format, OutputArgs};
use super::run::{RunArgs, drive};
use super::{arena_text, out, tables};
use crate::arena::{CellView, Deal, Pairs, Score, Settings, Verdict, View, unsigned_nought};
use crate::game::Variant;
use crate::job::{RunJob, RunSettings};
use crate::paths::Paths;
use crate::pool::Pool;
use crate::rng;
use crate::sanitize;

#[derive(Args, Debug)]
pub struct MatchArgs {
    #[command(flatten)]
    pub settings: ArenaSettings,
    /// First mover of two: alternate (the default), a or b
    #[arg(long, value_name = "WHO", hide_possible_values = true, conflicts_with_all = ["pairs", "resume"])]
    pub first: Option<First>,
    /// Random seed, printed; default: a random one
    ///
    /// The default of a tournament is the lowest not yet used with this preset.
    #[arg(long, value_name = "NUMBER", conflicts_with = "resume", value_parser = seed())]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub output: OutputArgs,
    /// With --json: print one object per round too
    ///
    /// Each is printed as soon as the round of the tournament is played.
    #[arg(long)]
    pub rounds: bool,
    #[command(flatten)]
    pub save: SaveArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Who moves first in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum First {
    Alternate,
    A,
    B,
}

impl MatchArgs {
    /// Whether the games are a match in memory: of two players, and nothing asks for a run.
    fn is_pair(&self) -> bool {
        let RunArgs { out, resume, tensorboard, .. } = &self.run;
        let ArenaSettings { who, pairs, .. } = &self.settings;
        who.len() == 2 && pairs.is_none() && out.is_none() && resume.is_none() && tensorboard.is_none()
    }
}

pub fn run(args: &MatchArgs, paths: &Paths) -> Result<ExitCode> {
    if args.rounds && !args.output.is_json() {
        bail!("--rounds prints JSON: add --json");
    }
    if args.is_pair() {
        return pair(args);
    }
    if args.first.is_some() {
        bail!("--first is for a match of two players; name the pairings of a tournament by --pairs, such as 1-2");
    }
    arena::run(args, paths)
}

/// Plays a match of two players; it writes no run.
fn pair(args: &MatchArgs) -> Result<ExitCode> {
    if args.rounds {
        bail!("--rounds is for tournaments: name more players, or add --out, with which each player also plays itself");
    }
    let settings = Settings::round_robin(Variant::usual()[0], Vec::new(), 100, rng::fresh_seed());
    let mut settings = Settings { deal: Deal::Distinct, ..settings };
    args.settings.apply(&mut settings)?;
    settings.pairs = match args.first {
        None | Some(First::Alternate) => Pairs::alternating(settings.games),
        Some(First::A) => Pairs::only([(0, 1)]),
        Some(First::B) => Pairs::only([(1, 0)]),
    };
    // As in a tournament, --seed overrides --set.
    settings.seed = args.seed.unwrap_or(settings.seed);
    let seed = settings.seed;
    args.save.check(&settings.variant)?;
    tables::warn_of_damage(&settings.variant);
    let settings = <Box<dyn RunSettings>>::from(settings);
    let job = RunJob::in_memory(settings, &Pool::new(args.run.threads))?;
    if args.seed.is_none() {
        out::report(&format!("seed {seed}"));
    }
    let format = |view: &View| match args.output.format() {
        Format::Text => lines(view),
        Format::Csv => arena_text::csv(view),
        Format::Json => out::in_a_line("match", &report(view)),
        Format::Md => arena_text::markdown(view),
    };
    drive(job, TournamentReporter { format, save: args.save.save.as_deref() }, Format::Text, None)
}

/// The first player's scores moving first and moving second.
fn scores(view: &View, score: impl Fn(&CellView) -> Score) -> [Score; 2] {
    let score_of = |first, second| view.cell(first, second).map(&score).unwrap_or_default();
    [score_of(0, 1), score_of(1, 0).turned()]
}

/// The first player's mean final margin; `None` where the game has no margins.
fn margin(view: &View) -> Option<f64> {
    let margins: i64 =
        view.cells.iter().map(|cell| if cell.cell.first == 0 { cell.margins } else { -cell.margins }).sum();
    view.has_margins().then(|| margins as f64 / view.done.max(1) as f64)
}

/// The outcome of the sequential test.
fn verdict(view: &View) -> Option<String> {
    let verdict = view.cells.iter().find_map(|cell| cell.verdict)?;
    let stop = view.settings.stop?;
    let (hypothesis, limit) = match verdict {
        Verdict::Lower => ("H0", format!("at most {} Elo", stop.lower)),
        Verdict::Upper => ("H1", format!("at least {} Elo", stop.upper)),
    };
    let ratio = view.llr().unwrap_or_default();
    Some(format!("SPRT: {hypothesis} accepted ({limit}) after {} games, LLR {ratio:+.2}", view.done))
}

/// A line of the result: its games, and the share of points in its sample with the 95 % interval.
struct Line {
    games: Score,
    points: f64,
    interval: (f64, f64),
}

/// All games, those with the first player moving first, and those with it moving second.
fn results(view: &View) -> [Line; 3] {
    let [first, second] = scores(view, |cell| cell.score);
    let samples = scores(view, |cell| cell.sample);
    let (points, interval) = view.points();
    let line = |games, sample: Score| Line { games, points: sample.share(), interval: sample.interval() };
    [Line { games: first.plus(second), points, interval }, line(first, samples[0]), line(second, samples[1])]
}

impl Line {
    fn text(&self, what: &str) -> String {
        let Score { wins, draws, losses } = self.games;
        if self.games.games() == 0 {
            return String::new();
        }
        let (low, high) = self.interval;
        let [points, low, high] = [self.points, low, high].map(|share| format!("{:.1}", 100.0 * share));
        format!(
            "{what:<14} {wins:>6} won {draws:>6} drawn {losses:>6} lost   {points:>5} % of points, 95 %: {low} to {high}\n"
        )
    }
}

fn lines(view: &View) -> String {
    let [one, other] = [0, 1].map(|player| sanitize::inline(&view.players[player]));
    let mut text = format!("{one} against {other}, {}\n\n", counted(view.done, "game"));
    let names = ["all games", "moving first", "moving second"];
    names.iter().zip(results(view)).for_each(|(name, line)| text += &line.text(name));
    let mut means: Vec<String> =
        margin(view).map(|margin| format!("mean margin {:+.2}", unsigned_nought(margin, 2))).into_iter().collect();
    for (index, player) in view.players.iter().enumerate() {
        let time = view.time_a_move(index).map(arena_text::time).unwrap_or_else(|| "-".to_owned());
        means.push(format!("{}: {time} a move", sanitize::inline(player)));
    }
    text += &format!("\n{}\n", means.join("   "));
    for (index, player) in view.players.iter().enumerate() {
        if let Some(lost) = view.lost_a_game(index) {
            text += &format!("{} gave away {lost:.1} a game under perfect play\n", sanitize::inline(player));
        }
    }
    for note in [arena_text::repeated(view), verdict(view)].into_iter().flatten() {
        text += &format!("{note}\n");
    }
    text
}

/// A match for programs.
#[derive(Serialize)]
struct Report<'a> {
    version: &'static str,
    players: &'a [String],
    game: String,
    seed: u64,
    /// Moves at the start of each game, and how openings are dealt.
    opening: u32,
    deal: String,
    games: u64,
    /// Distinct games, which the shares count: players without random choices repeat games.
    distinct_games: u64,
    all: Share,
    /// Games with the first player moving first, and moving second.
    first: Share,
    second: Share,
    /// `null` where the game has no margins.
    mean_margin: Option<f64>,
    /// What the moves of each player lost per game under perfect play; `null` if it was not counted.
    lost_a_game: [Option<f64>; 2],
    stopped: Option<String>,
    seconds_a_move: [Option<f64>; 2],
}

/// Games, the share of points in their sample, and its 95 % interval.
#[derive(Serialize)]
struct Share {
    #[serde(flatten)]
    score: Score,
    points: f64,
    low: f64,
    high: f64,
}

fn report(view: &View) -> Report<'_> {
    let share = |Line { games, points, interval: (low, high) }| Share { score: games, points, low, high };
    let [all, first, second] = results(view).map(share);
    let settings = &view.settings;
    Report {
        version: env!("CARGO_PKG_VERSION"),
        players: &view.players,
        game: settings.variant.to_string(),
        seed: settings.seed,
        opening: settings.opening.moves(),
        deal: settings.deal.to_string(),
        games: view.done,
        lost_a_game: [0, 1].map(|player| view.lost_a_game(player)),
        distinct_games: view.distinct().unwrap_or(view.done),
        all,
        first,
        second,
        mean_margin: margin(view),
        stopped: verdict(view),
        seconds_a_move: [0, 1].map(|player| view.time_a_move(player).map(|time| time.as_secs_f64())),
    }
}
