//! `mancalab match`: two players, played in memory.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::arena::{HowArgs, Playing, SaveArgs, seed};
use super::run::{drive, threads};
use super::{arena_text, help, out};
use crate::arena::{Pairs, Score, Settings, Tournament, Verdict, View, unsigned_nought};
use crate::game::Variant;
use crate::job::RunJob;
use crate::kinds::AnySettings;
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
    /// How many games they play
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    /// Who moves first: the two in turns, always the first player named, or always the second
    #[arg(long, value_name = "WHO", default_value = "alternate")]
    pub first: First,
    /// One JSON object, in a line
    #[arg(long)]
    pub json: bool,
    /// Threads to use, 0 for all; affects only the speed
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    pub threads: usize,
    /// Decides all random choices; without it one is drawn and printed
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
    let mut settings = Settings { pairs, ..Settings::round_robin(Variant::usual()[0], players, games, seed) };
    args.how.apply(&mut settings);
    args.save.check(&settings.variant)?;
    if args.seed.is_none() {
        out::tell(&format!("seed {seed}"));
    }
    // A quick question leaves nothing on the disk.
    let settings = AnySettings::of::<Tournament>(settings);
    let job = RunJob::in_memory(settings, &Pool::new(args.threads))?;
    let format = |view: &View| if args.json { out::in_a_line(&told(view)) } else { lines(view) };
    drive(job, Playing { format, save: args.save.save.as_deref() }, false)
}

/// The first player's score in the games it began and in those it did not.
fn scores(view: &View) -> [Score; 2] {
    let of = |first, second| view.cell(first, second).map(|cell| cell.score).unwrap_or_default();
    [of(0, 1), of(1, 0).turned()]
}

/// The first player's mean final margin.
fn margin(view: &View) -> f64 {
    let margins: i64 =
        view.cells.iter().map(|cell| if cell.cell.first == 0 { cell.margins } else { -cell.margins }).sum();
    margins as f64 / view.done.max(1) as f64
}

fn verdict(view: &View) -> Option<&'static str> {
    view.cells.iter().find_map(|cell| cell.verdict).map(|verdict| match verdict {
        Verdict::Lower => "no more than the lower advantage",
        Verdict::Upper => "at least the upper advantage",
    })
}

fn lines(view: &View) -> String {
    let [first, second] = scores(view);
    let all = first.plus(second);
    let line = |what: &str, score: Score| {
        let Score { wins, draws, losses } = score;
        if score.games() == 0 {
            return String::new();
        }
        let (low, high) = score.interval();
        let percent = [score.share(), low, high].map(|share| format!("{:.1}", 100.0 * share));
        format!(
            "{what:<14} {wins:>6} won {draws:>6} drawn {losses:>6} lost   {:>5} % of points, 95 %: {} to {}\n",
            percent[0], percent[1], percent[2]
        )
    };
    let [one, other] = [0, 1].map(|player| sanitize::inline(&view.players[player]));
    let mut text = format!("{one} against {other}, {} games\n\n", view.done);
    text += &line("all games", all);
    text += &line("moving first", first);
    text += &line("moving second", second);
    text += &format!("\nmean margin {:+.2}", unsigned_nought(margin(view), 2));
    for (index, player) in view.players.iter().enumerate() {
        let time = view.time_a_move(index).map(arena_text::time).unwrap_or_else(|| "-".to_owned());
        text += &format!("   {}: {time} a move", sanitize::inline(player));
    }
    text.push('\n');
    if let Some(verdict) = verdict(view) {
        text += &format!("stopped early: {verdict}\n");
    }
    text
}

/// A match for programs.
#[derive(Serialize)]
struct Told<'a> {
    players: &'a [String],
    game: String,
    games: u64,
    all: Share,
    /// The games that the first player named began, and those it did not.
    first: Share,
    second: Share,
    mean_margin: f64,
    stopped: Option<&'static str>,
    seconds_a_move: [Option<f64>; 2],
}

/// Games, the share of points in them, and where it lies.
#[derive(Serialize)]
struct Share {
    #[serde(flatten)]
    score: Score,
    points: f64,
    low: f64,
    high: f64,
}

impl From<Score> for Share {
    fn from(score: Score) -> Share {
        let (low, high) = score.interval();
        Share { score, points: score.share(), low, high }
    }
}

fn told(view: &View) -> Told<'_> {
    let [first, second] = scores(view);
    Told {
        players: &view.players,
        game: view.settings.variant.to_string(),
        games: view.done,
        all: first.plus(second).into(),
        first: first.into(),
        second: second.into(),
        mean_margin: margin(view),
        stopped: verdict(view),
        seconds_a_move: [0, 1].map(|player| view.time_a_move(player).map(|time| time.as_secs_f64())),
    }
}
