//! Runs the rows of two versions in turn and prints the ratio of their processor times: see `run`.

use std::hint::black_box;
use std::time::Duration;

mod old {
    use {
        old_base as base, old_games as games, old_lab as lab, old_players as players, old_runs as runs,
        old_search as search,
    };
    include!("rows.rs");
}

mod new {
    use {
        new_base as base, new_games as games, new_lab as lab, new_players as players, new_runs as runs,
        new_search as search,
    };
    include!("rows.rs");
}

const ROWS: &[&str] = &[
    "othello random games",
    "kalah random games",
    "checkers random games",
    "oware random games",
    "othello mcts random",
    "kalah mcts random",
    "checkers mcts random",
    "othello mcts greedy",
    "kalah mcts greedy",
    "checkers mcts greedy",
    "othello tournament",
    "kalah tournament",
    "checkers tournament",
    "kalah tournament max",
    "kalah perft",
    "othello perft",
    "checkers perft",
    "tape",
    "mancala-gp-1",
    "mancala-gp-2",
];

/// Least time of one measurement.
const LEAST: Duration = Duration::from_millis(60);

fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Returns the seconds of one call, and its result.
fn timed(times: u32, row: &str, run: fn(&str) -> u64) -> (f64, u64) {
    let began = processor_time();
    let mut result = 0;
    for _ in 0..times {
        result = black_box(run(black_box(row)));
    }
    ((processor_time() - began).as_secs_f64() / f64::from(times), result)
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn compare(row: &str, pairs: usize) {
    let once = timed(1, row, old::run).0;
    let times = (LEAST.as_secs_f64() / once).ceil().max(1.0) as u32;
    let (mut old, mut new, mut ratios, mut same) = (Vec::new(), Vec::new(), Vec::new(), true);
    for pair in 0..pairs {
        let second = (pair % 2 == 1).then(|| timed(times, row, new::run));
        let before = timed(times, row, old::run);
        let after = second.unwrap_or_else(|| timed(times, row, new::run));
        same &= before.1 == after.1;
        old.push(before.0);
        new.push(after.0);
        ratios.push(after.0 / before.0);
    }
    let (before, after, ratio) = (median(&mut old) * 1e3, median(&mut new) * 1e3, median(&mut ratios));
    let (least, most) = (ratios[0], ratios[ratios.len() - 1]);
    let results = if same { "same results" } else { "DIFFERENT RESULTS" };
    println!("{row:22} {before:9.3} ms {after:9.3} ms  ratio {ratio:.3} ({least:.3} to {most:.3})  {results}");
}

fn main() {
    let pairs = std::env::var("RUNS").ok().and_then(|runs| runs.parse().ok()).filter(|&runs| runs > 0).unwrap_or(9);
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let rows: Vec<&str> = if asked.is_empty() { ROWS.to_vec() } else { asked.iter().map(String::as_str).collect() };
    if let Some(unknown) = rows.iter().find(|row| !ROWS.contains(row)) {
        eprintln!("no row is named '{unknown}'; the rows are {}", ROWS.join(", "));
        std::process::exit(2);
    }
    rows.into_iter().for_each(|row| compare(row, pairs));
}
