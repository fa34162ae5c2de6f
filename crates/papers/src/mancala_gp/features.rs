//! The features of the source's two runs, and their measurement in ours.

use super::breeding::RunResult;
use crate::evolve::gp::{GenerationRow, Points};
use crate::plot::Series;

/// The presets of the two runs.
pub(super) const RUNS: [&str; 2] = ["mancala-gp-1", "mancala-gp-2"];

/// Returns the sum of both scores of a generation's best program, in stones.
pub(super) fn sum(row: &GenerationRow) -> f64 {
    row.best_scores.iter().sum()
}

/// A published feature of a run: (name, published for the first run and the second, unit, measurement).
type Feature = (&'static str, [Option<f64>; 2], &'static str, fn(&[GenerationRow]) -> f64);

pub(super) const FEATURES: [Feature; 3] = [
    ("best sum", [Some(52.0), Some(66.0)], "stones", |rows| rows.last().map_or(0.0, sum)),
    ("last improvement", [Some(14.0), None], "generation", last_improvement),
    ("largest mean size", [None, Some(100.0)], "nodes", |rows| {
        rows.iter().map(|row| row.mean_nodes).fold(0.0, f64::max)
    }),
];

/// Returns the first generation with the run's best fitness.
fn last_improvement(rows: &[GenerationRow]) -> f64 {
    let best = rows.last().map_or(0.0, |row| row.best);
    rows.iter().position(|row| row.best >= best).unwrap_or(0) as f64
}

/// Half of the stones.
const HALF: f64 = 24.0;

/// A way to defeat the search: its name, and whether a program with these scores, moving first and second, does so.
type Defeat = (&'static str, fn(&[f64]) -> bool);

/// What the source says of both runs' last programs.
pub(super) const DEFEATS: [Defeat; 3] = [
    ("defeats the search moving first", |scores| scores.first().is_some_and(|score| *score > HALF)),
    ("defeats the search moving second", |scores| scores.get(1).is_some_and(|score| *score > HALF)),
    ("defeats the search both ways", |scores| scores.iter().all(|score| *score > HALF)),
];

/// Returns the number of runs whose last best program defeats the search.
pub(super) fn defeating(kind: &[RunResult], defeats: fn(&[f64]) -> bool) -> usize {
    kind.iter().filter_map(|run| run.rows.last()).filter(|row| defeats(&row.best_scores)).count()
}

/// Returns the identifying columns of a line; `nth` is the run, counted from 0.
pub(super) fn names(points: Points, nth: usize, feature: &str, seeds: u32) -> Vec<(&'static str, serde_json::Value)> {
    vec![
        ("points", points.to_string().into()),
        ("run", (nth + 1).into()),
        ("feature", feature.into()),
        ("seeds", seeds.into()),
    ]
}

/// Returns minimum, median and maximum; 0 for no values.
pub(super) fn spread(mut values: Vec<f64>) -> [f64; 3] {
    crate::sort::sort_floats(&mut values);
    let at = |index: usize| values.get(index).copied().unwrap_or(0.0);
    let last = values.len().saturating_sub(1);
    [at(0), (at(last / 2) + at(last.div_ceil(2))) / 2.0, at(last)]
}

/// Returns the median over runs of one kind in each generation, with the quartiles as its interval. A run that ended early counts until
/// then.
pub(super) fn medians(name: String, kind: &[RunResult], of: impl Fn(&GenerationRow) -> f64) -> Series {
    let generations = kind.iter().map(|run| run.rows.len()).max().unwrap_or(0);
    let quartiles = |at: usize| {
        let mut values: Vec<f64> = kind.iter().filter_map(|run| run.rows.get(at)).map(&of).collect();
        crate::sort::sort_floats(&mut values);
        let last = values.len().saturating_sub(1);
        let median = (values[last / 2] + values[last.div_ceil(2)]) / 2.0;
        (median, (values[last / 4], values[last - last / 4]))
    };
    let (values, intervals) = (0..generations).map(quartiles).unzip();
    Series { intervals, ..Series::new(name, values) }
}

/// Returns the spread of a feature over runs of one kind.
pub(super) fn measured(kind: &[RunResult], measure: fn(&[GenerationRow]) -> f64) -> [f64; 3] {
    spread(kind.iter().map(|run| measure(&run.rows)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_an_even_number_lies_between_two() {
        assert_eq!(spread(vec![3.0, 1.0, 2.0]), [1.0, 2.0, 3.0]);
        assert_eq!(spread(vec![4.0, 1.0, 2.0, 8.0]), [1.0, 3.0, 8.0]);
        assert_eq!(spread(Vec::new()), [0.0; 3]);
    }
}
