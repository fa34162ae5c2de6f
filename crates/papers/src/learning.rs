//! Strength during learning: runs of several presets and seeds, measured at the same points, and their results over the runs as
//! lines of a table, CSV and curves.

use mancalab_base::Error;
use serde_json::Value;

use super::plot::Series;
use super::{Line, Options, csv};
use crate::arena::Score;

/// The result of games at a point of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Measurement<O> {
    /// The point in the run, in generations or games.
    pub point: u64,
    /// The opponent.
    pub opponent: O,
    pub score: Score,
}

/// A run with its measurements.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Trial<O, R> {
    pub preset: &'static str,
    pub seed: u64,
    pub rows: Vec<Measurement<O>>,
    /// What else is known of the run.
    pub run: R,
}

impl<O: PartialEq, R> Trial<O, R> {
    /// Returns the percentages against an opponent, point by point.
    pub fn percents(&self, counted: Measure, opponent: &O) -> String {
        let rows = self.rows.iter().filter(|row| row.opponent == *opponent);
        rows.map(|row| format!("{:.1}", counted.percent(row.score))).collect::<Vec<_>>().join(" ")
    }
}

/// The measure of a score, in percent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Measure {
    /// Points: a draw is half of one.
    Points,
    /// Games won.
    Won,
}

/// Quantiles of Student's t distribution for 95 %, by degrees of freedom from 1; beyond these the normal distribution's is used.
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// Returns the mean of a sample and half the width of its 95 % confidence interval; 0 for a single value.
pub(super) fn students(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1);
    let mean = values.iter().sum::<f64>() / count as f64;
    let freedom = (count - 1).max(1);
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / freedom as f64;
    let quantile = STUDENT.get(freedom - 1).copied().unwrap_or(1.96);
    (mean, quantile * (variance / count as f64).sqrt())
}

impl Measure {
    /// Returns the percentage of one run's games.
    pub fn percent(self, score: Score) -> f64 {
        100.0 * if self == Measure::Points { score.share() } else { score.won() }
    }

    /// Returns its 95 % confidence interval, given the number of games.
    pub fn interval(self, score: Score) -> (f64, f64) {
        let (low, high) = if self == Measure::Points { score.interval() } else { score.won_interval() };
        (100.0 * low, 100.0 * high)
    }

    /// Returns the mean over runs with its 95 % confidence interval. For a single run the interval is that of its games. Runs with equal
    /// results by chance are no more precise than their games: for games won, the interval also contains that of all games together.
    pub fn over_runs(self, scores: &[Score]) -> (f64, (f64, f64)) {
        let shares: Vec<f64> = scores.iter().map(|score| self.percent(*score)).collect();
        let (mean, reach) = students(&shares);
        if let [only] = scores {
            return (mean, self.interval(*only));
        }
        let low = (mean - reach).max(0.0);
        let high = (mean + reach).min(100.0);
        let (least, most) = match self {
            Measure::Points => (low, high),
            Measure::Won => self.interval(scores.iter().copied().fold(Score::default(), Score::plus)),
        };
        (mean, (low.min(least), high.max(most)))
    }

    /// Returns the line of a table for several runs.
    pub fn line(
        self,
        what: String,
        published: Option<f64>,
        scores: &[Score],
        names: Vec<(&'static str, Value)>,
    ) -> Line {
        let (mean, (low, high)) = self.over_runs(scores);
        let unit = if self == Measure::Points { "%" } else { "% won" };
        let score = Some(scores.iter().copied().fold(Score::default(), Score::plus));
        Line { names, score, ..Line::new(what, published, mean, unit).within(low, high) }
    }

    /// Returns a curve with its intervals.
    pub fn series(self, name: String, points: &[(u64, Vec<Score>)]) -> Series {
        let (values, intervals) = points.iter().map(|(_, scores)| self.over_runs(scores)).unzip();
        Series { intervals, ..Series::new(name, values) }
    }
}

/// Collects the scores of all runs of a preset against an opponent, point by point.
pub(super) fn by_point<O: PartialEq, R>(trials: &[Trial<O, R>], preset: &str, opponent: &O) -> Vec<(u64, Vec<Score>)> {
    let mut all: Vec<(u64, Vec<Score>)> = Vec::new();
    let rows = trials.iter().filter(|trial| trial.preset == preset).flat_map(|trial| &trial.rows);
    for row in rows.filter(|row| row.opponent == *opponent) {
        match all.iter_mut().find(|(at, _)| *at == row.point) {
            Some((_, scores)) => scores.push(row.score),
            None => all.push((row.point, vec![row.score])),
        }
    }
    all
}

/// Formats a CSV row for each measurement of each run, with its preset and seed, under a header; `columns` are the point's column and
/// those that `name` returns for an opponent.
pub(super) fn rows<O, R>(
    columns: &[&str],
    counted: Measure,
    trials: &[Trial<O, R>],
    name: impl Fn(&O) -> Vec<String>,
) -> String {
    let share = if counted == Measure::Points { "share_percent" } else { "won_percent" };
    let counts = ["games", "wins", "draws", "losses", share, "low_percent", "high_percent"];
    let mut text = csv::row(["preset", "seed"].iter().chain(columns).chain(&counts));
    for Trial { preset, seed, rows, .. } in trials {
        for Measurement { point: at, opponent, score } in rows {
            let (low, high) = counted.interval(*score);
            let shares = [counted.percent(*score), low, high].map(|share| format!("{share:.2}"));
            let counts = [score.games(), score.wins, score.draws, score.losses].map(|count| count.to_string());
            let what = [(*preset).to_owned(), seed.to_string(), at.to_string()];
            text += &csv::row(what.into_iter().chain(name(opponent)).chain(counts).chain(shares));
        }
    }
    text
}

/// Returns the presets selected by `preset=NAME` among the settings, or else the usual ones.
///
/// # Errors
/// A name is not a known preset.
pub(super) fn presets(
    options: &Options,
    known: &[(&'static str, &'static str)],
    usual: &[&'static str],
) -> Result<Vec<&'static str>, Error> {
    let asked = options.set.iter().filter(|(key, _)| key == "preset").map(|(_, name)| name.as_str());
    let known = || known.iter().map(|(name, _)| *name);
    let preset = |name: &str| {
        let found = known().find(|known| *known == name);
        found.ok_or_else(|| Error::unknown(format!("no preset is named '{name}'"), known()))
    };
    // A repeated preset runs once: equal runs would make intervals too narrow.
    let mut named = Vec::new();
    for name in asked {
        let name = preset(name)?;
        if !named.contains(&name) {
            named.push(name);
        }
    }
    Ok(if named.is_empty() { usual.to_vec() } else { named })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_over_runs_is_students() {
        let scores = [400, 500, 600].map(|wins| Score { wins, draws: 0, losses: 1000 - wins });
        let (mean, (low, high)) = Measure::Points.over_runs(&scores);
        // A standard deviation of 10, divided by the root of 3, times 4.303.
        assert!((mean - 50.0).abs() < 1e-9 && (high - mean - 24.84).abs() < 0.01 && (mean - low - 24.84).abs() < 0.01);
        let (mean, interval) = Measure::Points.over_runs(&scores[..1]);
        let wilson = scores[0].interval();
        assert_eq!((mean, interval), (40.0, (100.0 * wilson.0, 100.0 * wilson.1)));
        let alike = [scores[0], scores[0]];
        assert_eq!(Measure::Points.over_runs(&alike).1, (40.0, 40.0));
        assert_eq!(Measure::Won.over_runs(&alike).1, Measure::Won.interval(scores[0].plus(scores[0])));
        assert_eq!(Measure::Won.over_runs(&scores).1, Measure::Points.over_runs(&scores).1);
        let drawn = [Score { wins: 1, draws: 2, losses: 1 }];
        assert_eq!((Measure::Points.over_runs(&drawn).0, Measure::Won.over_runs(&drawn).0), (50.0, 25.0));
    }

    #[test]
    fn runs_are_put_together_point_by_point() {
        let row =
            |at, opponent, wins| Measurement { point: at, opponent, score: Score { wins, draws: 0, losses: 9 - wins } };
        let trial = |seed, rows: [Measurement<char>; 3]| Trial { preset: "p", seed, rows: rows.into(), run: () };
        let trials = [
            trial(0, [row(5, 'a', 1), row(5, 'b', 2), row(10, 'a', 3)]),
            trial(1, [row(5, 'a', 4), row(5, 'b', 5), row(10, 'a', 6)]),
        ];
        let wins = |opponent: char| -> Vec<(u64, Vec<u32>)> {
            let points = by_point(&trials, "p", &opponent);
            points.iter().map(|(at, scores)| (*at, scores.iter().map(|score| score.wins).collect())).collect()
        };
        assert_eq!(wins('a'), [(5, vec![1, 4]), (10, vec![3, 6])]);
        assert_eq!(wins('b'), [(5, vec![2, 5])]);
        assert!(by_point(&trials, "q", &'a').is_empty());
        assert_eq!(trials[1].percents(Measure::Won, &'a'), "44.4 66.7");
        let text = rows(&["generation", "opponent"], Measure::Won, &trials, |opponent| vec![opponent.to_string()]);
        let rows = csv::parse(&text);
        assert_eq!(rows[0][..5], ["preset", "seed", "generation", "opponent", "games"]);
        assert_eq!((rows.len(), &rows[4][..6]), (7, &["p", "1", "5", "a", "9", "4"].map(str::to_owned)[..]));
    }
}
