//! `mancalab dev perft`: leaves, time and speed for each depth.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use mancalab_base::Error;
use serde::Serialize;

use super::format::OutputArgs;
use super::live::{Progress, ProgressLine};
use super::{help, out};
use crate::game::perft::{CountProgress, perft_heard};
use crate::game::{Variant, with_position};
use crate::ui::short_count;

#[derive(Args, Debug)]
pub struct PerftArgs {
    /// Game and rules
    #[arg(long, value_name = "GAME", default_value = "kalah:6x4:standard", value_parser = help::games(), hide_possible_values = true)]
    pub game: Variant,
    /// Maximum length of a sequence, in moves: 1 to 30
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = depth)]
    pub depth: u32,
    /// Position to start from; default: the game's start
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub position: Option<String>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The number of sequences of a length.
#[derive(Serialize)]
struct PerftCount {
    game: String,
    depth: u32,
    leaves: u64,
    seconds: f64,
}

fn depth(text: &str) -> Result<u32, Error> {
    let depth = text.parse().ok().filter(|depth| (1..=30).contains(depth));
    depth.ok_or_else(|| "expected a whole number from 1 to 30".to_owned().into())
}

pub fn run(args: &PerftArgs) -> Result<ExitCode> {
    let start = super::position(args.game, args.position.as_deref())?;
    let mut line = format!(
        "{}  {}\n{:>5}  {:>22}  {:>10}  {:>8}\n",
        args.game,
        start.to_text(),
        "depth",
        "leaves",
        "seconds",
        "leaves/s"
    );
    let is_text = args.output.is_text();
    let mut all = Vec::new();
    let mut reporter = ProgressLine::begin();
    for depth in 1..=args.depth {
        // Stop if the reader is gone: the next depth may take hours.
        if is_text && !reporter.above(|| out::result(&line)) {
            return Ok(ExitCode::SUCCESS);
        }
        reporter.begin_anew();
        let began = Instant::now();
        let mut hear = |counted: CountProgress| reporter.progress(|| progress(depth, counted, began));
        let leaves = with_position!(&start, pos => perft_heard(pos, depth, &mut hear));
        let seconds = began.elapsed().as_secs_f64();
        let speed = speed(leaves, seconds);
        line = format!("{depth:>5}  {leaves:>22}  {seconds:>10.6}  {speed:>8}\n");
        all.push(PerftCount { game: args.game.to_string(), depth, leaves, seconds });
    }
    reporter.clear();
    args.output.print_all("perft", &all, || line);
    Ok(ExitCode::SUCCESS)
}

fn speed(leaves: u64, seconds: f64) -> String {
    if seconds > 0.0 { short_count((leaves as f64 / seconds) as u64) } else { "-".to_owned() }
}

fn progress(depth: u32, counted: CountProgress, began: Instant) -> Progress {
    let CountProgress { leaves, root, roots, share } = counted;
    Progress {
        share,
        count: format!("depth {depth}, move {root}/{roots}"),
        left: None,
        speed: format!("{} leaves/s", speed(leaves, began.elapsed().as_secs_f64())),
        more: vec![format!("{} leaves", short_count(leaves))],
    }
}
