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

/// The rows: name, work, and the bench of the same kind of work.
const ROWS: &[(&str, &str, &str)] = &[
    ("othello random games", "3,000 games", "othello games/playouts"),
    ("kalah random games", "6,000 games", "playouts"),
    ("checkers random games", "1,000 games", "checkers games/playouts"),
    ("oware random games", "3,000 games", "oware games/playouts"),
    ("othello mcts random", "1,000 iterations", "mcts random/othello"),
    ("kalah mcts random", "4,000 iterations", "mcts/random"),
    ("checkers mcts random", "1,000 iterations", "mcts random/checkers"),
    ("othello mcts greedy", "1,000 iterations", "othello games/mcts"),
    ("kalah mcts greedy", "4,000 iterations", "mcts/greedy"),
    ("checkers mcts greedy", "1,000 iterations", "checkers games/mcts"),
    ("othello tournament", "1,200 games of `random`", "tournament/othello"),
    ("kalah tournament", "1,200 games of `random`", "tournament/kalah"),
    ("checkers tournament", "400 games of `random`", "tournament/checkers"),
    ("kalah tournament max", "800 games of `random` and `max`", "tournament/random, max"),
    ("kalah perft", "depth 9", "perft/10"),
    ("othello perft", "depth 8", "othello perft"),
    ("checkers perft", "depth 8", "checkers perft"),
    ("tape", "100,000 runs of 80 nodes", "tape/run"),
    ("mancala-gp-1", "three seeds", "run/mancala-gp-1"),
    ("mancala-gp-2", "three seeds", "run/mancala-gp-2"),
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

fn compare((row, work, bench): (&str, &str, &str), pairs: usize) {
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
    let before = median(&mut old) * 1e3;
    let after = median(&mut new) * 1e3;
    let ratio = median(&mut ratios);
    let least = ratios[0];
    let most = ratios[ratios.len() - 1];
    let results = if same { "equal" } else { "DIFFERENT" };
    println!(
        "| {row} | {work} | {before:.2} | {after:.2} | {ratio:.3} ({least:.3} to {most:.3}) | {results} | `{bench}` |"
    );
}

fn main() {
    let pairs = std::env::var("RUNS").ok().and_then(|runs| runs.parse().ok()).filter(|&runs| runs > 0).unwrap_or(9);
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let known = |asked: &str| ROWS.iter().find(|row| row.0 == asked).copied();
    if let Some(unknown) = asked.iter().find(|row| known(row).is_none()) {
        let names: Vec<&str> = ROWS.iter().map(|row| row.0).collect();
        eprintln!("no row is named '{unknown}'; the rows are {}", names.join(", "));
        std::process::exit(2);
    }
    println!("| Row | Work | Before, ms | Now, ms | Ratio, median (least to greatest) | Results | Bench |");
    println!("|---|---|---:|---:|---|---|---|");
    let rows = if asked.is_empty() { ROWS.to_vec() } else { asked.iter().filter_map(|row| known(row)).collect() };
    rows.into_iter().for_each(|row| compare(row, pairs));
}
