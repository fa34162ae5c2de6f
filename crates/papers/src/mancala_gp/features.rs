//! What the source tells of its two runs, and how the same is measured of ours.

use crate::evolve::gp::{GenerationRow, Points};

/// The presets of the two runs.
pub(super) const RUNS: [&str; 2] = ["mancala-gp-1", "mancala-gp-2"];

/// Both scores of a generation's best program together, in stones.
pub(super) fn sum(row: &GenerationRow) -> f64 {
    row.best_scores.iter().sum()
}

/// What the source tells of a run, or shows of it: (what, published of the first run, of the second, unit, how it is measured).
type Feature = (&'static str, [Option<f64>; 2], &'static str, fn(&[GenerationRow]) -> f64);

pub(super) const FEATURES: [Feature; 3] = [
    ("best sum", [Some(52.0), Some(66.0)], "stones", |rows| rows.last().map_or(0.0, sum)),
    ("last improvement", [Some(14.0), None], "generation", last_improvement),
    ("largest mean size", [None, Some(100.0)], "nodes", |rows| {
        rows.iter().map(|row| row.mean_nodes).fold(0.0, f64::max)
    }),
];

/// The generation that reached the run's best fitness first.
fn last_improvement(rows: &[GenerationRow]) -> f64 {
    let best = rows.last().map_or(0.0, |row| row.best);
    rows.iter().position(|row| row.best >= best).unwrap_or(0) as f64
}

/// What a line is about, for programs; `nth` run, counted from 0.
pub(super) fn names(points: Points, nth: usize, feature: &str, seeds: u32) -> Vec<(&'static str, serde_json::Value)> {
    vec![
        ("points", points.to_string().into()),
        ("run", (nth + 1).into()),
        ("feature", feature.into()),
        ("seeds", seeds.into()),
    ]
}
