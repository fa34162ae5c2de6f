//! A gradual hand-over between the functions of the staged hypotheses: around the boundary of two stages either may play, the later one
//! ever more often. The source proposes it and did not try it.

use mancalab_base::Error;
use serde_json::{Value, json};

use super::USUAL_GAMES;
use super::play::Simulator;
use super::reading::{GAMES, Hypothesis, Reading, TABLE1, TABLE2};
use crate::arena::Score;
use crate::learning::Measure;
use crate::plot::Plot;
use crate::{Hear, Line, Options, ProgressEvent, Table, fit};

/// Widths of the overlap in percent of the game; the first is the abrupt hand-over of the source.
const OVERLAPS: [u32; 6] = [0, 20, 40, 60, 80, 100];

/// The probability of a difference by chance below which it counts, over all comparisons of a reading.
const UNLIKELY: f64 = 0.05;

/// A hypothesis under a reading, with White's score at each overlap.
struct OverlapScores {
    hypothesis: &'static Hypothesis,
    reading: String,
    scores: Vec<Score>,
}

/// Plays all games; `hear` receives the progress.
///
/// # Errors
/// A reading is unknown.
pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let readings = Reading::asked(&options.set)?;
    let games = options.games.unwrap_or(USUAL_GAMES);
    let staged: Vec<_> = staged().collect();
    let count = (staged.len() * readings.len() * OVERLAPS.len()) as f64 * f64::from(games);
    let mut done = 0;
    let mut all = Vec::new();
    for (name, reading) in &readings {
        for &(key, hypothesis) in &staged {
            let mut play = |overlap: u32| {
                // The games without an overlap are those of the tables; the others are samples of their own.
                let own = (overlap > 0).then_some(u64::from(overlap));
                let seed: Vec<u64> = [options.seed].into_iter().chain(key).chain(own).collect();
                let simulator = Simulator::overlapping(hypothesis, *reading, overlap);
                simulator.all(&seed, games, &options.pool, &mut |games| {
                    done += games;
                    let at = format!("{}, overlap {overlap}", hypothesis.name);
                    hear(ProgressEvent::Progress { share: f64::from(done) / count, item: at });
                })
            };
            let scores = OVERLAPS.iter().map(|overlap| play(*overlap)).collect();
            all.push(OverlapScores { hypothesis, reading: name.clone(), scores });
        }
    }
    let mut notes: Vec<String> = readings.iter().map(|(name, _)| verdict(name, &all)).collect();
    notes.extend(all.iter().map(OverlapScores::best));
    let table = Table {
        lines: all.iter().flat_map(OverlapScores::lines).collect(),
        chart: all.chunks(staged.len()).flat_map(matrix).collect(),
        reading: reading(games, options.seed, &readings),
        notes,
        ..Table::default()
    };
    Ok(table.with_chart("overlap", chart(&all)))
}

/// Returns the hypotheses of both tables with two functions, each with the number of its table and row.
fn staged() -> impl Iterator<Item = ([u64; 2], &'static Hypothesis)> {
    let numbered = |(number, table): (u64, &'static [Hypothesis])| {
        table.iter().enumerate().map(move |(row, hypothesis)| ([number, row as u64], hypothesis))
    };
    [(1, TABLE1), (2, TABLE2)].into_iter().flat_map(numbered).filter(|(_, hypothesis)| hypothesis.stages.len() > 1)
}

impl OverlapScores {
    fn abrupt(&self) -> Score {
        self.scores[0]
    }

    /// Returns each overlap but none, with its score.
    fn gradual(&self) -> impl Iterator<Item = (u32, Score)> {
        OVERLAPS.into_iter().zip(self.scores.iter().copied()).skip(1)
    }

    fn lines(&self) -> Vec<Line> {
        let line = |(overlap, &score): (u32, &Score)| {
            let name = self.hypothesis.name;
            let published = (overlap == 0).then(|| 100.0 * f64::from(self.hypothesis.wins) / f64::from(GAMES));
            let chance = (overlap > 0).then(|| fit::chance(fit::apart(score, self.abrupt())));
            let line = Line::won(format!("{name}  {}  overlap {overlap}", self.reading), published, score).named([
                ("hypothesis", json!(self.hypothesis.text())),
                ("reading", json!(self.reading)),
                ("overlap", json!(overlap)),
                ("p_abrupt", chance.map_or(Value::Null, Value::from)),
            ]);
            match chance {
                Some(chance) => line.remarked(format!("against overlap 0: {}", fit::probability(chance))),
                None => line,
            }
        };
        OVERLAPS.into_iter().zip(&self.scores).map(line).collect()
    }

    /// Compares the overlap that wins most with the abrupt hand-over.
    fn best(&self) -> String {
        let best = self.gradual().max_by(|(_, one), (_, other)| one.won().total_cmp(&other.won()));
        let (overlap, score) = best.unwrap_or((0, self.abrupt()));
        let won = 100.0 * score.won();
        let gain = gain(score, self.abrupt());
        format!("{}, {}: wins most at overlap {overlap}, {won:.1} %; {gain}", self.hypothesis.name, self.reading)
    }
}

/// Formats the gain over the abrupt hand-over with its 95 % interval and its probability by chance.
fn gain(score: Score, abrupt: Score) -> String {
    let variance = |score: Score| score.won() * (1.0 - score.won()) / f64::from(score.games().max(1));
    let gain = score.won() - abrupt.won();
    let error = (variance(score) + variance(abrupt)).sqrt();
    let [gain, low, high] = [gain, gain - 1.96 * error, gain + 1.96 * error].map(|share| 100.0 * share);
    let chance = fit::probability(fit::chance(fit::apart(score, abrupt)));
    format!("{gain:+.1} points ({low:+.1} to {high:+.1}, {chance}) over overlap 0")
}

/// Judges in a sentence whether the gradual hand-over wins more than the abrupt one. Many comparisons need a lower limit each.
fn verdict(reading: &str, all: &[OverlapScores]) -> String {
    let played = all.iter().filter(|played| played.reading == reading);
    let apart: Vec<f64> =
        played.flat_map(|played| played.gradual().map(|(_, score)| fit::apart(score, played.abrupt()))).collect();
    let limit = UNLIKELY / apart.len() as f64;
    let unlikely = || apart.iter().filter(|apart| fit::chance(**apart) < limit);
    let more = unlikely().filter(|apart| **apart > 0.0).count();
    let less = unlikely().count() - more;
    format!(
        "{reading}: in {more} of {} comparisons the gradual hand-over wins more than the abrupt one, in {less} less; in the others \
         chance explains the difference (p is {limit:.4} or more: {UNLIKELY} over the number of comparisons)",
        apart.len()
    )
}

/// Formats the hypotheses of a reading by overlap, in percent of games won.
fn matrix(played: &[OverlapScores]) -> Vec<String> {
    let wide = played.iter().map(|played| played.hypothesis.name.len()).max().unwrap_or(0).max(24);
    let reading = played.first().map_or("", |played| &played.reading);
    let heads: String = OVERLAPS.iter().map(|overlap| format!("  {overlap:>6}")).collect();
    let mut lines = vec![format!("{:wide$}{heads}  gain of the last", format!("{reading}, % won at overlap"))];
    lines.extend(played.iter().map(|played| {
        let cells: String = played.scores.iter().map(|score| format!("  {:>6.1}", 100.0 * score.won())).collect();
        let last = played.gradual().last().map(|(_, score)| gain(score, played.abrupt()));
        format!("{:wide$}{cells}  {}", played.hypothesis.name, last.unwrap_or_default())
    }));
    lines
}

fn reading(games: u32, seed: u64, readings: &[(String, Reading)]) -> Vec<(&'static str, String)> {
    let mut rows = vec![
        ("seat", "the learner is White and looks one move ahead; Black moves at random".to_owned()),
        ("games", format!("{games} of each hypothesis at each overlap under each reading; seed {seed}")),
        (
            "overlap",
            "the share of the game around the boundary in which the probability of the second function rises linearly from 0 to 1; \
             at most twice the shorter stage"
                .to_owned(),
        ),
        ("p", "two-sided, of two samples of games: equal shares of wins".to_owned()),
    ];
    rows.extend(readings.iter().map(|(name, reading)| {
        let key = Reading::NAMED.iter().find(|(known, _)| known == name).map_or("reading", |(known, _)| *known);
        (key, reading.to_string())
    }));
    rows
}

/// Draws the games won by overlap, a curve for each hypothesis and reading.
fn chart(all: &[OverlapScores]) -> String {
    let series = all.iter().map(|played| {
        let points = OVERLAPS.iter().zip(&played.scores).map(|(overlap, score)| (u64::from(*overlap), vec![*score]));
        let name = format!("{}  {}", played.hypothesis.name, played.reading);
        Measure::Won.series(name, &points.collect::<Vec<_>>())
    });
    let plot = Plot::new("Othello: a gradual hand-over", "overlap, % of the game", "% won", series.collect());
    Plot { ticks: OVERLAPS.map(|overlap| overlap.to_string()).to_vec(), top: Some(100.0), ..plot }.svg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::reproduce;

    fn table(target: &str, set: &[&str]) -> Table {
        reproduce(target, set, Options { games: Some(300), ..Options::default() }, &mut |_| ()).unwrap()
    }

    #[test]
    fn without_an_overlap_the_games_are_those_of_the_tables() {
        for (set, readings) in [(&["reading=as-printed"][..], 1), (&[], 2)] {
            let table = table("othello-gp/overlap", set);
            assert_eq!(table.lines.len(), readings * 4 * OVERLAPS.len());
            let abrupt: Vec<Score> = table.lines.iter().step_by(OVERLAPS.len()).filter_map(|line| line.score).collect();
            let [first, second] = ["othello-gp/table1", "othello-gp/table2"].map(|name| self::table(name, set).lines);
            let tables =
                [&first[2 * readings..], &second[2 * readings..3 * readings], &second[5 * readings..]].concat();
            for (row, score) in abrupt.iter().enumerate() {
                let reading = row / 4;
                let hypothesis = row % 4;
                assert_eq!(tables[hypothesis * readings + reading].score, Some(*score), "{row}");
            }
        }
    }

    #[test]
    fn a_difference_is_judged_by_both_samples() {
        let score = |wins| Score { wins, draws: 0, losses: 10_000 - wins };
        let played = |last| OverlapScores {
            hypothesis: &TABLE1[2],
            reading: "own".to_owned(),
            scores: [7000, 7010, 6990, 7005, 7000, last].map(score).to_vec(),
        };
        assert!(verdict("own", &[played(7050)]).starts_with("own: in 0 of 5 comparisons"));
        assert!(verdict("own", &[played(7300)]).starts_with("own: in 1 of 5 comparisons"));
        let less = verdict("own", &[played(6500), played(7300)]);
        assert!(
            less.contains("1 of 10 comparisons") && less.contains("in 1 less") && less.contains("p is 0.0050"),
            "{less}"
        );
        // The error of two samples of 10,000 is the root of 0.21 + 0.1971, in percent.
        let best = played(7300).best();
        assert!(
            best.ends_with("wins most at overlap 100, 73.0 %; +3.0 points (+1.7 to +4.3, p < 0.001) over overlap 0"),
            "{best}"
        );
    }
}
