//! A table's games beside its printed counts.

use serde_json::json;

use super::USUAL_GAMES;
use super::play::Simulator;
use super::reading::{GAMES, Hypothesis, Reading, SUM};
use crate::arena::{Score, wilson};
use crate::ranges::{self, Row, Span};
use crate::{Hear, Line, Options, ProgressEvent, Table};

/// Below this probability, chance does not explain a printed count.
const UNLIKELY: f64 = 0.05;

/// The readings of the source's evaluator, where they matter.
const EVALUATOR: [(&str, &str); 2] = [
    (
        "arguments",
        "the evaluator in the source takes two values for an operator: a third argument is never read \
         (arguments=sum adds it)",
    ),
    ("braces", "as fixed by its author; before, a subtree after a closing brace counted as zero (braces=zero)"),
];

/// A table's games.
pub(super) struct TableGames {
    /// The table's number.
    number: u32,
    hypotheses: &'static [Hypothesis],
    /// The readings with their names.
    readings: Vec<(String, Reading)>,
    games: u32,
    seed: u64,
    /// White's scores, a row for each hypothesis, a column for each reading.
    scores: Vec<Vec<Score>>,
}

impl TableGames {
    /// Plays all games; `hear` receives the progress.
    pub fn all(
        number: u32,
        hypotheses: &'static [Hypothesis],
        readings: Vec<(String, Reading)>,
        options: &Options,
        hear: Hear<'_>,
    ) -> TableGames {
        let games = options.games.unwrap_or(USUAL_GAMES);
        let all = u64::from(games) * (hypotheses.len() * readings.len()) as u64;
        let mut done = 0;
        let mut scores = Vec::new();
        for (row, hypothesis) in hypotheses.iter().enumerate() {
            // The same seeds for every reading.
            let seed = [options.seed, number.into(), row as u64];
            let mut played = |(_, reading): &(String, Reading)| {
                Simulator::new(hypothesis, *reading).all(&seed, games, &options.pool, &mut |games| {
                    done += u64::from(games);
                    hear(ProgressEvent::Progress {
                        share: done as f64 / all as f64,
                        item: format!("{done}/{all} games"),
                    });
                })
            };
            scores.push(readings.iter().map(&mut played).collect());
        }
        TableGames { number, hypotheses, readings, games, seed: options.seed, scores }
    }

    /// Returns printed beside measured.
    pub fn to_table(&self) -> Table {
        let mut notes: Vec<String> = (0..self.readings.len()).map(|column| self.holding(column)).collect();
        notes.extend(self.hypotheses.first().map(|hypothesis| {
            let (low, high) = wilson(f64::from(hypothesis.wins) / f64::from(GAMES), GAMES);
            let [low, high] = [low, high].map(|share| 100.0 * share);
            let wins = hypothesis.wins;
            format!(
                "{wins} of {GAMES} games have a 95 % interval of {low:.0} to {high:.0} %; 'as far off' allows for that"
            )
        }));
        let lines = self.lines();
        let chart = self.matrix();
        let reading = self.reading();
        Table { lines, chart, reading, notes, ..Table::default() }
    }

    /// Returns the score of each hypothesis under each reading.
    fn cells(&self) -> impl Iterator<Item = (&Hypothesis, usize, Score)> {
        let numbered = |(hypothesis, scores)| std::iter::repeat(hypothesis).zip::<&Vec<Score>>(scores).enumerate();
        self.hypotheses
            .iter()
            .zip(&self.scores)
            .flat_map(numbered)
            .map(|(column, (hypothesis, &score))| (hypothesis, column, score))
    }

    fn lines(&self) -> Vec<Line> {
        let line = |(hypothesis, column, score): (&Hypothesis, usize, Score)| {
            let name = &self.readings[column].0;
            let printed = f64::from(hypothesis.wins);
            let what = if self.readings.len() > 1 {
                format!("{}  {name}", hypothesis.name)
            } else {
                hypothesis.name.to_owned()
            };
            let published = 100.0 * printed / f64::from(GAMES);
            let drawn = 100.0 * f64::from(score.draws) / f64::from(score.games().max(1));
            Line::won(what, Some(published), score).remarked(format!("{drawn:.1} % drawn")).named([
                ("hypothesis", json!(hypothesis.text())),
                ("reading", json!(name)),
                ("printed_wins", json!(hypothesis.wins)),
                ("printed_games", json!(GAMES)),
                ("as_far_off", json!(far_off(hypothesis, score))),
            ])
        };
        self.cells().map(line).collect()
    }

    /// Formats the readings side by side.
    fn matrix(&self) -> Vec<String> {
        let wide = self.hypotheses.iter().map(|hypothesis| hypothesis.name.len()).max().unwrap_or(0);
        let head = |text: fn(&str) -> String| self.readings.iter().map(|(name, _)| text(name)).collect::<String>();
        let mut lines = vec![
            format!("{:wide$}  {:>7}{}", "won of 50", "", head(|name| format!("  {name:>16}"))).trim_end().to_owned(),
            format!("{:wide$}  {:>7}{}", "", "printed", head(|_| format!("  {:>4}  {:>10}", "won", "as far off"))),
        ];
        for (hypothesis, scores) in self.hypotheses.iter().zip(&self.scores) {
            let cell =
                |score: &Score| format!("  {:>4.1}  {:>10}", of_fifty(*score), text(far_off(hypothesis, *score)));
            let cells: String = scores.iter().map(cell).collect();
            lines.push(format!("{:wide$}  {:>7}{cells}", hypothesis.name, hypothesis.wins));
        }
        lines
    }

    /// Returns the reading of the source.
    fn reading(&self) -> Vec<(&'static str, String)> {
        let mut rows = vec![
            (
                "seat",
                "the learner is White and looks one move ahead; Black moves at random, and first unless first=white"
                    .to_owned(),
            ),
            ("games", format!("{} of each hypothesis under each reading; seed {}", self.games, self.seed)),
            (
                "as far off",
                format!(
                    "the probability of |X - {GAMES}p| >= |printed - {GAMES}p|, X being the wins of {GAMES} games with the measured \
                     share p of wins; draws are not wins"
                ),
            ),
        ];
        for (name, reading) in &self.readings {
            let key = Reading::NAMED.iter().find(|(known, _)| known == name).map_or("reading", |(known, _)| *known);
            rows.push((key, reading.to_string()));
        }
        let is_bred = |(function, _): &(&str, u32)| *function == SUM;
        if self.hypotheses.iter().any(|hypothesis| hypothesis.stages.iter().any(is_bred)) {
            rows.extend(EVALUATOR.map(|(key, text)| (key, text.to_owned())));
        }
        rows.extend(Some(self.read_as()).filter(|text| !text.is_empty()).map(|text| ("read as", text)));
        rows
    }

    /// Lists the functions that are read differently from their printed form.
    fn read_as(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        for (hypothesis, (_, reading)) in
            self.hypotheses.iter().flat_map(|one| self.readings.iter().map(move |of| (one, of)))
        {
            let simulator = Simulator::new(hypothesis, *reading);
            for ((printed, _), formula) in hypothesis.stages.iter().zip(simulator.formulas()) {
                let line = format!("{printed} as {formula}");
                if formula.to_string() != *printed && !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        lines.join("; ")
    }

    /// Counts the printed values that chance explains, in a sentence.
    fn holding(&self, column: usize) -> String {
        let is_likely =
            |(hypothesis, scores): &(&Hypothesis, &Vec<Score>)| far_off(hypothesis, scores[column]) >= UNLIKELY;
        let likely = self.hypotheses.iter().zip(&self.scores).filter(is_likely).count();
        format!(
            "{}: chance explains {likely} of the {} printed counts ('as far off' is {UNLIKELY} or more)",
            self.readings[column].0,
            self.hypotheses.len()
        )
    }

    /// Draws the table as SVG.
    pub fn chart(&self) -> String {
        let row = |(hypothesis, column, score): (&Hypothesis, usize, Score)| -> Row {
            let printed = Span::of_games(f64::from(hypothesis.wins) / f64::from(GAMES), GAMES);
            let label = format!("{}  {}", hypothesis.name, self.readings[column].0);
            (label, Some(printed), Span::of_games(score.won(), score.games()))
        };
        let title = format!("Othello by genetic programming, Table {}, with 95 % intervals", self.number);
        ranges::ranges(&title, "% won", 100.0, &self.cells().map(row).collect::<Vec<_>>())
    }
}

/// Scales games won to the number of printed games.
fn of_fifty(score: Score) -> f64 {
    f64::from(GAMES) * score.won()
}

fn far_off(hypothesis: &Hypothesis, score: Score) -> f64 {
    as_far_off(hypothesis.wins, GAMES, score.won())
}

/// Returns the probability of a count at least as far off as `count` in `trials` trials with success probability `share`: that
/// |X − trials × share| ≥ |count − trials × share|, X being the number of successes. From 0 to 1.
pub(super) fn as_far_off(count: u32, trials: u32, share: f64) -> f64 {
    let expected = f64::from(trials) * share;
    // Equal distances may differ in their last bits.
    let least = (f64::from(count) - expected).abs() * (1.0 - 1e-12) - 1e-12;
    let is_as_far = |k: &u32| (f64::from(*k) - expected).abs() >= least;
    let sum: f64 = (0..=trials).filter(is_as_far).map(|k| probability(k, trials, share)).sum();
    sum.min(1.0)
}

/// Returns the binomial probability of `k` successes.
fn probability(k: u32, trials: u32, share: f64) -> f64 {
    let ways: f64 = (1..=k).map(|i| f64::from(trials - k + i) / f64::from(i)).product();
    ways * power(share, k) * power(1.0 - share, trials - k)
}

fn power(base: f64, exponent: u32) -> f64 {
    base.powi(exponent as i32)
}

/// Formats a probability: three decimals, or a power of ten below 0.001.
pub(super) fn text(probability: f64) -> String {
    match probability {
        0.0 => "0".to_owned(),
        small if small < 0.001 => format!("{small:.0e}"),
        _ => format!("{probability:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from exact fractions.
    #[test]
    fn tails_are_binomial() {
        for (count, trials, share, expected) in TAILS {
            let found = as_far_off(*count, *trials, *share);
            assert!((found - expected).abs() <= 1e-9 * expected, "{count} of {trials} at {share}: {found}");
        }
        let whole: f64 = (0..=50).map(|k| probability(k, 50, 0.37)).sum();
        assert!((whole - 1.0).abs() < 1e-12);
    }

    #[test]
    fn small_chances_are_reported_by_their_power() {
        assert_eq!(
            [1.0, 0.0503, 0.001, 0.000_99, 3.2e-17, 0.0].map(text),
            ["1.000", "0.050", "0.001", "1e-3", "3e-17", "0"]
        );
    }

    /// Count, trials, share, and the expected probability.
    const TAILS: &[(u32, u32, f64, f64)] = &[
        (5, 10, 0.5, 1.0),
        (0, 10, 0.5, 0.001953125),
        (5, 10, 0.2, 0.0327934976),
        (0, 10, 0.2, 0.228248064),
        (30, 50, 0.5, 0.20263875106454066),
        (44, 50, 0.6, 7.203738582047145e-05),
        (1, 50, 0.625, 4.241921749445013e-20),
        (49, 50, 0.7, 3.6801475443688795e-05),
        (1, 50, 0.0, 0.0),
        (0, 50, 0.0, 1.0),
        (50, 50, 1.0, 1.0),
        (49, 50, 1.0, 0.0),
        (45, 50, 0.9, 1.0),
    ];
}
