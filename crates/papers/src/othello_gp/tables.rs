//! A table's games beside its printed counts.

use serde_json::json;

use super::play::Simulator;
use super::printed::{GAMES, Hypothesis, SUM};
use super::reading::Reading;
use super::{USUAL_GAMES, chance};
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
                        at: format!("{done}/{all} games"),
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
        let of = |(hypothesis, scores)| std::iter::repeat(hypothesis).zip::<&Vec<Score>>(scores).enumerate();
        self.hypotheses
            .iter()
            .zip(&self.scores)
            .flat_map(of)
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
            let cell = |score: &Score| {
                format!("  {:>4.1}  {:>10}", of_fifty(*score), chance::text(far_off(hypothesis, *score)))
            };
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
    chance::as_far_off(hypothesis.wins, GAMES, score.won())
}
