//! `mancalab dev chances`: the curve from values to chances of winning, fitted to games of equal players.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use clap::Args;
use serde::Serialize;

use super::format::OutputArgs;
use super::live::{Progress, ProgressLine};
use super::run::threads;
use super::{help, out, signals};
use crate::budget::{Budget, Job as _, Status};
use crate::chances::{ChanceFit, Part, Settings};
use crate::config::Config;
use crate::game::Variant;
use crate::paths::Paths;
use crate::player::offers::{Level, Opponent};
use crate::player::review::{Effort, Terms};
use crate::pool::Pool;

#[derive(Args, Debug)]
pub struct ChancesArgs {
    /// Game and rules
    #[arg(long, value_name = "GAME", default_value = "kalah", value_parser = help::games(), hide_possible_values = true)]
    pub game: Variant,
    /// The player of both sides; default: the game's level medium
    #[arg(long, value_name = "PLAYER", value_parser = help::player(), hide_possible_values = true)]
    pub player: Option<Opponent>,
    /// Games to play, 1 to 100000
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub games: u32,
    /// Random moves at the start of a game: half of this number to all of it by turns, at most 100
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub opening: u32,
    /// Seed of all games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Plies to search from each position [default: that of reviews]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: Option<u32>,
    /// Threads to use, 0 for all; affects only the speed
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    pub threads: usize,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Maximum duration of a step between checks for signals.
const STEP: Duration = Duration::from_millis(50);

/// The curve, for programs.
#[derive(Serialize)]
struct Json {
    game: String,
    player: String,
    games: usize,
    depth: u32,
    /// After equal parts of a game, the last at its end.
    scales: Vec<f64>,
    parts: Vec<JsonPart>,
}

/// A part of the games, the first at the start.
#[derive(Serialize)]
struct JsonPart {
    positions: usize,
    predicted: Option<f64>,
    observed: Option<f64>,
}

pub fn run(args: &ChancesArgs, paths: &Paths) -> Result<ExitCode> {
    signals::catch().context("cannot catch signals")?;
    let config = Config::load(paths, None)?;
    let terms = config.review.terms(&args.game, config.search.table_mb);
    // Where a position is solved no curve is needed: it is fitted to estimates.
    let terms = Terms { depth: args.depth.unwrap_or(terms.depth), solve: 0, effort: Effort::Usual, ..terms };
    let ChancesArgs { game: variant, games, opening, seed, .. } = *args;
    let player = args.player.clone().unwrap_or(Opponent::Level(Level::Medium)).player(&variant);
    let settings = Settings { variant, player: player.clone(), terms, games, opening, seed };
    let mut job = ChanceFit::new(settings, &Pool::new(args.threads))?;
    let reporter = &mut ProgressLine::with_signals_caught();
    let began = Instant::now();
    let mut status = Status::Running;
    while status == Status::Running && signals::received() == 0 {
        status = job.step(Budget::time(STEP));
        reporter.progress(|| progress(job.done(), args.games, began));
    }
    reporter.clear();
    let fit = job.fit();
    if args.output.is_text() {
        out::report(&format!("{variant}, {} games of {player}, depth {}", job.done(), terms.depth));
    }
    let part = |Part { positions, predicted, observed }: &Part| JsonPart {
        positions: *positions,
        predicted: *predicted,
        observed: *observed,
    };
    let json = Json {
        game: variant.to_string(),
        player: player.to_string(),
        games: job.done(),
        depth: terms.depth,
        scales: fit.scales.into(),
        parts: fit.parts.iter().map(part).collect(),
    };
    args.output.print("chances", &json, || text(&json));
    Ok(if status == Status::Done { ExitCode::SUCCESS } else { signals::exit_code() })
}

fn text(json: &Json) -> String {
    let scales: Vec<String> = json.scales.iter().map(|scale| format!("{scale:.2}")).collect();
    let mut text = format!("scales after each part of the game: {}\n", scales.join(", "));
    text += "part  positions  predicted %  observed %\n";
    for (index, JsonPart { positions, predicted, observed }) in json.parts.iter().enumerate() {
        let percent = |share: &Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.1}", 100.0 * share));
        let [predicted, observed] = [predicted, observed].map(percent);
        text += &format!("{index:>4}  {positions:>9}  {predicted:>11}  {observed:>10}\n");
    }
    text
}

fn progress(done: usize, count: u32, began: Instant) -> Progress {
    let seconds = began.elapsed().as_secs_f64();
    Progress {
        share: done as f64 / f64::from(count),
        count: format!("game {done}/{count}"),
        left: (done > 0).then(|| seconds / done as f64 * (f64::from(count) - done as f64)),
        speed: String::new(),
        more: Vec::new(),
    }
}
