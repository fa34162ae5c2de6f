//! `mancalab match`: a match of two players, in memory.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::arena::{HowArgs, Playing, SaveArgs, seed};
use super::run::{drive, threads};
use super::{arena_text, help, out, tables};
use crate::arena::{CellView, Deal, Pairs, Score, Settings, Verdict, View, unsigned_nought};
use crate::game::Variant;
use crate::job::{RunJob, RunSettings};
use crate::player::Spec;
use crate::pool::Pool;
use crate::rng;
use crate::sanitize;

#[derive(Args, Debug)]
pub struct MatchArgs {
    /// A player, such as minimax:4
    #[arg(value_parser = help::player(), hide_possible_values = true)]
    pub a: Spec,
    /// Its opponent
    #[arg(value_parser = help::player(), hide_possible_values = true)]
    pub b: Spec,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    /// First mover: each in turn (alternate), always the first player (a), or always the second (b)
    #[arg(long, value_name = "WHO", default_value = "alternate")]
    pub first: First,
    /// Print one JSON object on one line
    #[arg(long)]
    pub json: bool,
    /// Threads to use, 0 for all; affects only the speed
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    pub threads: usize,
    /// Random seed; default: a random one, which is printed
    #[arg(long, value_name = "NUMBER", value_parser = seed())]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub how: HowArgs,
    #[command(flatten)]
    pub save: SaveArgs,
}

/// Who moves first in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum First {
    Alternate,
    A,
    B,
}

pub fn run(args: &MatchArgs) -> Result<ExitCode> {
    let games = args.games;
    let pairs = match args.first {
        First::Alternate => Pairs::alternating(games),
        First::A => Pairs::only([(0, 1)]),
        First::B => Pairs::only([(1, 0)]),
    };
    let players = vec![args.a.clone(), args.b.clone()];
    let seed = args.seed.unwrap_or_else(rng::fresh_seed);
    let settings = Settings::round_robin(Variant::usual()[0], players, games, seed);
    let mut settings = Settings { pairs, deal: Deal::Distinct, ..settings };
    args.how.apply(&mut settings)?;
    args.save.check(&settings.variant)?;
    tables::warn_of_damage(&settings.variant);
    if args.seed.is_none() {
        out::report(&format!("seed {seed}"));
    }
    // A match writes no run folder.
    let settings = <Box<dyn RunSettings>>::from(settings);
    let job = RunJob::in_memory(settings, &Pool::new(args.threads))?;
    let format = |view: &View| if args.json { out::in_a_line("match", &report(view)) } else { lines(view) };
    drive(job, Playing { format, save: args.save.save.as_deref() }, false, None)
}

/// The first player's scores moving first and moving second.
fn scores(view: &View, score: impl Fn(&CellView) -> Score) -> [Score; 2] {
    let of = |first, second| view.cell(first, second).map(&score).unwrap_or_default();
    [of(0, 1), of(1, 0).turned()]
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
    let of = |games, sample: Score| Line { games, points: sample.share(), interval: sample.interval() };
    [Line { games: first.plus(second), points, interval }, of(first, samples[0]), of(second, samples[1])]
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
    let mut text = format!("{one} against {other}, {} games\n\n", view.done);
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
