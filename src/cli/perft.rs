//! `mancalab perft`: leaves, time and speed for each depth.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;

use super::{PerftArgs, out};
use crate::game::perft::perft;
use crate::game::with_position;
use crate::ui::short_count;

pub fn run(args: &PerftArgs) -> Result<ExitCode> {
    let start = match &args.position {
        None => args.game.start(),
        Some(text) => args.game.position_from_text(text).map_err(|error| anyhow::anyhow!("--position: {error}"))?,
    };
    let mut line = format!(
        "{}  {}\n{:>5}  {:>22}  {:>10}  {:>8}\n",
        args.game,
        start.to_text(),
        "depth",
        "leaves",
        "seconds",
        "leaves/s"
    );
    for depth in 1..=args.depth {
        // The next depth may take hours that nobody waits for.
        if !out::result(&line) {
            return Ok(ExitCode::SUCCESS);
        }
        let began = Instant::now();
        let leaves = with_position!(&start, pos => perft(pos, depth));
        let seconds = began.elapsed().as_secs_f64();
        let speed = if seconds > 0.0 { short_count((leaves as f64 / seconds) as u64) } else { "-".to_owned() };
        line = format!("{depth:>5}  {leaves:>22}  {seconds:>10.6}  {speed:>8}\n");
    }
    out::result(&line);
    Ok(ExitCode::SUCCESS)
}
