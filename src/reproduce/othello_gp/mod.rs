//! L. Liao, *Genetic Programming Applied to Board Game Othello*: its tables, played again.
//!
//! The source prints hypotheses and how many of 50 games each won; it does not print the program that played them. `reading` says in
//! how many ways it can be read, `formula` and `play` are its evaluator and its games over again under any of them, `chance` says how
//! far a printed count is from what is measured.

mod chance;
mod formula;
mod play;
mod printed;
mod reading;

use std::path::PathBuf;

use serde_json::json;

use super::ranges::{self, Row, Span};
use super::written::write_files;
use super::{Heard, Line, TARGETS, Table, Target, csv};
use crate::arena::{Score, wilson};
use crate::crew::Crew;
use crate::document::Refusal;
use play::Simulator;
use printed::{GAMES, Hypothesis, SUM, TABLE1, TABLE2};
use reading::Reading;

const SOURCE: &str = "Genetic Programming Applied to Board Game Othello";

/// Games of each hypothesis, unless another number is asked for.
const USUAL_GAMES: u32 = 10_000;

/// Games between two looks at how far it is.
const PIECE: u32 = 1000;

/// A chance below this is a printed count that chance does not explain.
const UNLIKELY: f64 = 0.05;

/// How the source's evaluator is read, where it matters.
const EVALUATOR: [(&str, &str); 2] = [
    (
        "arguments",
        "the evaluator that the source describes takes two values for an operator: a third argument is never read \
         (arguments=sum adds it)",
    ),
    (
        "braces",
        "as its author mended it; as he found it a subtree behind a closing brace counted as zero (braces=zero)",
    ),
];

/// What can be asked for besides the target.
#[derive(Clone, Debug)]
pub struct Options {
    /// All chance follows from it.
    pub seed: u64,
    /// Games of each hypothesis; 10,000 without it.
    pub games: Option<u32>,
    /// Readings, as KEY=VALUE.
    pub set: Vec<String>,
    /// Where a CSV file and a chart go.
    pub out: Option<PathBuf>,
    /// Who plays.
    pub crew: Crew,
}

/// Reproduces the target with this name; `hear` is told how it goes.
///
/// # Errors
/// There is no such target, an option makes no sense, or a file cannot be written: a sentence.
pub fn reproduce(target: &str, options: &Options, hear: &mut dyn FnMut(Heard<'_>)) -> Result<Table, Refusal> {
    let Some(known) = Target::named(target) else { return Err(unknown(target).into()) };
    let set = options.set.iter().map(|text| known.reading(text)).collect::<Result<Vec<_>, _>>()?;
    let readings = Reading::asked(&set)?;
    let (number, hypotheses) = match target {
        "othello-gp/table1" => (1, TABLE1),
        "othello-gp/table2" => (2, TABLE2),
        _ => return Err(unknown(target).into()),
    };
    let played = Played::all(number, hypotheses, readings, options, hear);
    let mut table = played.to_table(known.name);
    let name = format!("table{number}");
    table.notes.extend(write_files(options.out.as_deref(), &name, &csv::lines(&table.lines), &played.chart())?);
    Ok(table)
}

fn unknown(target: &str) -> String {
    let known = TARGETS.iter().filter_map(|target| target.name.strip_prefix("othello-gp/"));
    format!("nothing is called '{target}'; known of othello-gp: {}", known.collect::<Vec<_>>().join(", "))
}

/// A table's games.
struct Played {
    /// Of the table.
    number: u32,
    hypotheses: &'static [Hypothesis],
    /// With their names.
    readings: Vec<(String, Reading)>,
    games: u32,
    seed: u64,
    /// White's, a row a hypothesis, a column a reading.
    scores: Vec<Vec<Score>>,
}

impl Played {
    fn all(
        number: u32,
        hypotheses: &'static [Hypothesis],
        readings: Vec<(String, Reading)>,
        options: &Options,
        hear: &mut dyn FnMut(Heard<'_>),
    ) -> Played {
        let games = options.games.unwrap_or(USUAL_GAMES);
        let all = u64::from(games) * (hypotheses.len() * readings.len()) as u64;
        let mut done = 0;
        let mut scores = Vec::new();
        for (row, hypothesis) in hypotheses.iter().enumerate() {
            let mut played = Vec::new();
            for (_, reading) in &readings {
                let simulator = Simulator::new(hypothesis, *reading);
                // Every reading plays with the same luck.
                let seed = [options.seed, number.into(), row as u64];
                let mut score = Score::default();
                for from in (0..games).step_by(PIECE as usize) {
                    let to = games.min(from + PIECE);
                    score = score.plus(simulator.score(&seed, from, to, &options.crew));
                    done += u64::from(to - from);
                    hear(Heard::Progress { share: done as f64 / all as f64, at: format!("{done}/{all} games") });
                }
                played.push(score);
            }
            scores.push(played);
        }
        Played { number, hypotheses, readings, games, seed: options.seed, scores }
    }

    fn to_table(&self, target: &'static str) -> Table {
        let mut notes: Vec<String> = (0..self.readings.len()).map(|column| self.holding(column)).collect();
        notes.extend(self.hypotheses.first().map(|hypothesis| {
            let (low, high) = wilson(f64::from(hypothesis.wins) / f64::from(GAMES), GAMES);
            let [low, high] = [low, high].map(|share| 100.0 * share);
            let wins = hypothesis.wins;
            format!("{wins} of {GAMES} games alone would be {low:.0} to {high:.0} % with 95 % confidence: 'as far off' allows for that")
        }));
        Table { target, source: SOURCE, lines: self.lines(), chart: self.matrix(), reading: self.told(), notes }
    }

    /// Each hypothesis under each reading.
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
            let (name, printed) = (&self.readings[column].0, f64::from(hypothesis.wins));
            let what = if self.readings.len() > 1 {
                format!("{}  {name}", hypothesis.name)
            } else {
                hypothesis.name.to_owned()
            };
            let (low, high) = score.won_interval();
            let published = 100.0 * printed / f64::from(GAMES);
            let drawn = 100.0 * f64::from(score.draws) / f64::from(score.games().max(1));
            let line = Line::new(what, Some(published), 100.0 * score.won(), "% won").within(100.0 * low, 100.0 * high);
            let names = vec![
                ("hypothesis", json!(hypothesis.text())),
                ("reading", json!(name)),
                ("printed_wins", json!(hypothesis.wins)),
                ("printed_games", json!(GAMES)),
                ("as_far_off", json!(far_off(hypothesis, score))),
            ];
            Line { names, score: Some(score), ..line.remarked(format!("{drawn:.1} % drawn")) }
        };
        self.cells().map(line).collect()
    }

    /// The readings beside each other.
    fn matrix(&self) -> Vec<String> {
        let wide = self.hypotheses.iter().map(|hypothesis| hypothesis.name.len()).max().unwrap_or(0);
        let head = |text: fn(&str) -> String| self.readings.iter().map(|(name, _)| text(name)).collect::<String>();
        let cut = |name: &str| format!("  {:>18}", name.chars().take(18).collect::<String>());
        let mut lines = vec![
            format!("{:wide$}  {:>7}{}", "won of 50", "", head(cut)).trim_end().to_owned(),
            format!("{:wide$}  {:>7}{}", "", "printed", head(|_| format!("  {:>7}  {:>9}", "won", "as far off"))),
        ];
        for (hypothesis, scores) in self.hypotheses.iter().zip(&self.scores) {
            let cell = |score: &Score| {
                format!("  {:>7.1}  {:>10}", of_fifty(*score), chance::text(far_off(hypothesis, *score)))
            };
            let cells: String = scores.iter().map(cell).collect();
            lines.push(format!("{:wide$}  {:>7}{cells}", hypothesis.name, hypothesis.wins));
        }
        lines
    }

    /// How the source was read.
    fn told(&self) -> Vec<(&'static str, String)> {
        let mut told = vec![
            ("seat", "the learner is White and looks one move ahead; its opponent moves at random".to_owned()),
            ("games", format!("{} of each hypothesis under each reading; seed {}", self.games, self.seed)),
            (
                "as far off",
                format!(
                    "how likely |X - {GAMES}p| is at least |printed - {GAMES}p|, X being the wins of {GAMES} games with the measured \
                     share p of wins; drawn games are not won"
                ),
            ),
        ];
        for (name, reading) in &self.readings {
            let key = Reading::NAMED.iter().find(|(known, _)| known == name).map_or("reading", |(known, _)| *known);
            told.push((key, reading.to_string()));
        }
        let is_bred = |(function, _): &(&str, u32)| *function == SUM;
        if self.hypotheses.iter().any(|hypothesis| hypothesis.stages.iter().any(is_bred)) {
            told.extend(EVALUATOR.map(|(key, text)| (key, text.to_owned())));
        }
        told.extend(Some(self.read_as()).filter(|text| !text.is_empty()).map(|text| ("read as", text)));
        told
    }

    /// The functions that are not read as they are printed.
    fn read_as(&self) -> String {
        let mut told: Vec<String> = Vec::new();
        for (hypothesis, (_, reading)) in
            self.hypotheses.iter().flat_map(|one| self.readings.iter().map(move |of| (one, of)))
        {
            let simulator = Simulator::new(hypothesis, *reading);
            for ((printed, _), formula) in hypothesis.stages.iter().zip(simulator.formulas()) {
                let line = format!("{printed} as {formula}");
                if formula.to_string() != *printed && !told.contains(&line) {
                    told.push(line);
                }
            }
        }
        told.join("; ")
    }

    /// How many printed counts chance explains, in a sentence.
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

    fn chart(&self) -> String {
        let row = |(hypothesis, column, score): (&Hypothesis, usize, Score)| -> Row {
            let span = |share: f64, games: u32| {
                let (low, high) = wilson(share, games);
                Span { mean: 100.0 * share, low: 100.0 * low, high: 100.0 * high }
            };
            let printed = span(f64::from(hypothesis.wins) / f64::from(GAMES), GAMES);
            let label = format!("{}  {}", hypothesis.name, self.readings[column].0);
            (label, Some(printed), span(score.won(), score.games()))
        };
        let title = format!("Othello by genetic programming, Table {}, with 95 % intervals", self.number);
        ranges::ranges(&title, "% won", 100.0, &self.cells().map(row).collect::<Vec<_>>())
    }
}

/// Games won of as many as are printed.
fn of_fifty(score: Score) -> f64 {
    f64::from(GAMES) * score.won()
}

fn far_off(hypothesis: &Hypothesis, score: Score) -> f64 {
    chance::as_far_off(hypothesis.wins, GAMES, score.won())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(games: u32, set: &[&str]) -> Options {
        let set = set.iter().map(|text| (*text).to_owned()).collect();
        Options { seed: 1, games: Some(games), set, out: None, crew: Crew::default() }
    }

    fn table(target: &str, games: u32, set: &[&str]) -> Table {
        reproduce(target, &options(games, set), &mut |_| ()).unwrap()
    }

    /// Wins of White in a table's lines.
    fn wins(table: &Table) -> Vec<u32> {
        table.lines.iter().map(|line| line.score.unwrap().wins).collect()
    }

    /// Of 50 games, what an independent simulation found under the reading that comes nearest to the printed counts.
    const FOUND: [&[f64]; 2] = [&[38.0, 0.0, 44.0, 42.0], &[42.0, 18.0, 39.0, 40.0, 44.0, 45.0]];

    /// In percent, what it found under the game's own rules.
    const FOUND_OWN: [f64; 4] = [61.5, 62.0, 74.0, 70.0];

    #[test]
    fn both_readings_give_what_an_independent_simulation_gave() {
        const GAMES: u32 = 300;
        let [first, second] = ["othello-gp/table1", "othello-gp/table2"].map(|target| table(target, GAMES, &[]));
        assert_eq!(wins(&first), STORED.0);
        assert_eq!(wins(&second), STORED.1);
        for (table, found) in [&first, &second].into_iter().zip(FOUND) {
            for (line, found) in table.lines.iter().skip(1).step_by(2).zip(found) {
                let (low, high) = line.interval.unwrap();
                // It played some hundreds of games itself: its two figures for ( white ) are 2 apart.
                assert!((low / 2.0 - 2.0..=high / 2.0 + 2.0).contains(found), "{line:?}");
            }
        }
        for (line, found) in first.lines.iter().step_by(2).zip(FOUND_OWN) {
            let (low, high) = line.interval.unwrap();
            assert!((low - 2.0..=high + 2.0).contains(&found), "{line:?}");
        }
    }

    /// Written down so that no change of rules, chance or evaluator passes unseen.
    const STORED: ([u32; 8], [u32; 12]) =
        ([187, 237, 203, 0, 230, 254, 216, 254], [173, 238, 258, 101, 199, 232, 179, 223, 213, 259, 208, 253]);

    #[test]
    fn a_table_tells_printed_counts_beside_what_is_measured() {
        let folder = tempfile::tempdir().unwrap();
        let asked = Options { out: Some(folder.path().to_owned()), ..options(40, &["reading=as-printed"]) };
        let mut heard = Vec::new();
        let table = reproduce("othello-gp/table2", &asked, &mut |told| {
            if let Heard::Progress { share, at } = told {
                heard.push((share, at));
            }
        })
        .unwrap();
        assert_eq!(heard.last().unwrap(), &(1.0, "240/240 games".to_owned()));
        assert_eq!(table.lines.len(), 6);
        for line in &table.lines {
            let score = line.score.unwrap();
            assert_eq!(score.games(), 40);
            assert_eq!(line.measured.unwrap(), 100.0 * score.won(), "a drawn game is not won");
            assert!(line.may_be(line.measured.unwrap()));
        }
        let text = table.to_text();
        for said in [
            "fitness 25, 50|50        50 ",
            "( + white ( + white_corners black_near_corners ) white ) as ( + white ( + white_corners black_near_corners ) )",
            "order=first near=x edges=with zero=1 moves=above0 end=stuck first=black",
            "the learner is White",
            "seed 1",
        ] {
            assert!(text.contains(said), "{said}\n{text}");
        }
        let json = serde_json::to_value(table.told(&[])).unwrap();
        assert_eq!(json["lines"][5]["printed_wins"], 50);
        assert!(json["lines"][0]["as_far_off"].as_f64().unwrap() <= 1.0);
        assert!(json["lines"][5]["hypothesis"].as_str().unwrap().starts_with("( white ),50,( + ( + white_corners"));
        let read = |ending| std::fs::read_to_string(folder.path().join(format!("table2.{ending}"))).unwrap();
        let rows = csv::parse(&read("csv"));
        assert_eq!(rows[0][..6], ["hypothesis", "reading", "printed_wins", "printed_games", "as_far_off", "games"]);
        assert!(rows.len() == 7 && read("svg").contains("fitness 50, tree 2  as-printed"));
    }

    #[test]
    fn what_a_reading_leaves_unread_is_said() {
        let braces = table("othello-gp/table2", 1, &["braces=zero"]);
        let (_, told) = braces.reading.iter().find(|(what, _)| *what == "read as").unwrap();
        assert_eq!(told.split("; ").count(), 3, "{told}");
        assert!(told.contains("as ( / ( - white_near_corners black_corners ) 0 )"));
        assert!(table("othello-gp/table1", 1, &["braces=zero"]).reading.iter().all(|(what, _)| *what != "read as"));
        let all = table("othello-gp/table2", 1, &["arguments=sum"]);
        assert!(
            all.reading
                .iter()
                .any(|(_, told)| told.ends_with("( + ( + white ( + white_corners black_near_corners ) ) white )"))
        );
        // Both bundles have keys of their own, so that a program sees both.
        let json = serde_json::to_value(table("othello-gp/table1", 1, &[]).told(&[])).unwrap();
        assert!(json["reading"]["own"].is_string() && json["reading"]["as-printed"].is_string());
    }

    #[test]
    fn options_that_make_no_sense_are_told() {
        let error =
            |target: &str, set: &str| reproduce(target, &options(1, &[set]), &mut |_| ()).unwrap_err().to_string();
        assert!(
            error("othello-gp/table1", "ties=first").starts_with("'ties' is no reading; known: reading, order, near")
        );
        assert_eq!(error("othello-gp/table1", "near=y"), "'y' is no reading of 'near'; accepted: x, c, both");
        assert_eq!(error("othello-gp/table2", "near"), "--set takes KEY=VALUE; 'near' is not");
        assert_eq!(
            error("othello-gp/table3", ""),
            "nothing is called 'othello-gp/table3'; known of othello-gp: table1, table2"
        );
    }
}
