//! The measurements of runs and their evaluation: does a run learn, how fast, when does it settle, and what do our settings gain.

use serde_json::Value;

use super::reading as reading_of;
use crate::Table;
use crate::evolve::checkers::{CheckersSettings, Games};
use crate::evolve::ga::Genome;
use crate::learning::{self, Measure, by_point};
use crate::player::samuel::COUNT;
use crate::player::samuel::weights::{ONES, PIECES};
use crate::plot::Plot;

/// The opponent of a generation's best.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opponent {
    /// All weights 1, as in the first generation.
    Ones,
    /// The piece term alone.
    Pieces,
    /// The best of the first preset's last generation, with the same seed.
    First,
}

impl Opponent {
    /// The opponents that need no other run.
    pub const ALONE: [Opponent; 2] = [Opponent::Ones, Opponent::Pieces];

    /// Returns the weights of one of these.
    pub fn genome(self) -> [f64; COUNT] {
        if self == Opponent::Pieces { PIECES.0 } else { ONES.0 }
    }

    pub fn name(self, first: &str) -> &str {
        match self {
            Opponent::Ones => "ones",
            Opponent::Pieces => "pieces",
            Opponent::First => first,
        }
    }
}

/// Games of a generation's best.
pub(super) type Measurement = learning::Measurement<Opponent>;

/// A run with its measurements, and the best of its last generation.
pub(super) type Trial = learning::Trial<Opponent, Option<Genome>>;

impl Trial {
    /// Returns the first measured generation from which on no share against ones differs from the last one's: their intervals overlap.
    /// `None` if that is the last one alone, so that nothing shows that the run has settled, or generation 0, so that it has not learned.
    pub fn settled(&self) -> Option<u64> {
        let rows: Vec<&Measurement> = self.rows.iter().filter(|row| row.opponent == Opponent::Ones).collect();
        let (low, high) = rows.last()?.score.interval();
        let is_apart = |row: &&&Measurement| {
            let (from, to) = row.score.interval();
            to < low || from > high
        };
        let apart = rows.iter().rposition(|row| is_apart(&row)).map_or(0, |last| last + 1);
        rows[..rows.len() - 1].get(apart).map(|row| row.point).filter(|at| *at > 0)
    }

    /// Formats the run in one line.
    pub fn line(&self) -> String {
        let shares = |opponent| self.percents(COUNTED, &opponent);
        let settled = self.settled().map_or("not settled".to_owned(), |generation| format!("settled by {generation}"));
        let mut line = format!(
            "{}, seed {}: % against ones {}; against pieces {}; {settled}",
            self.preset,
            self.seed,
            shares(Opponent::Ones),
            shares(Opponent::Pieces)
        );
        if self.rows.iter().any(|row| row.opponent == Opponent::First) {
            line += &format!("; {} against the first preset's last", shares(Opponent::First));
        }
        line
    }
}

/// All measurements.
pub(super) struct Measurements {
    pub trials: Vec<Trial>,
    pub presets: Vec<&'static str>,
    pub games: u32,
    /// The rules of the measured games.
    pub rules: Games,
}

/// The measure of the games.
const COUNTED: Measure = Measure::Points;

impl Measurements {
    pub fn to_table(&self, settings: &[CheckersSettings]) -> Table {
        let mut lines = Vec::new();
        for preset in &self.presets {
            for opponent in [Opponent::Ones, Opponent::Pieces, Opponent::First] {
                let name = opponent.name(self.presets[0]);
                for (generation, scores) in by_point(&self.trials, preset, &opponent) {
                    let what = format!("{preset}, generation {generation}, against {name}");
                    let names = vec![
                        ("preset", Value::from(*preset)),
                        ("generation", generation.into()),
                        ("opponent", name.into()),
                        ("runs", scores.len().into()),
                    ];
                    lines.push(COUNTED.line(what, None, &scores, names));
                }
            }
        }
        let mut reading: Vec<(&'static str, String)> = Vec::new();
        for settings in settings {
            reading.extend(reading_of(settings));
        }
        reading
            .push(("games", format!("{} each, from random 2-ply openings, each played from both sides", self.games)));
        let limit = self.rules.rules.limit();
        let quiet = self.rules.plays_out;
        let limit =
            limit.map_or("the game's own rules".to_owned(), |moves| format!("drawn after {moves} moves a side"));
        let quiet = if quiet { "captures played out" } else { "no captures played out" };
        reading.push(("measured by", format!("{limit}, {quiet}, the same for all presets")));
        let of = if self.trials.iter().any(|trial| trial.seed != self.trials[0].seed) {
            "runs"
        } else {
            "the games of one run"
        };
        reading.push(("share", format!("games won plus half of the draws; the interval is over {of}")));
        reading.push((
            "settled",
            "the first measured generation from which on every interval against ones overlaps the last generation's; not \
             generation 0, whose run has learned nothing"
                .to_owned(),
        ));
        let mut notes: Vec<String> = self.presets.iter().map(|preset| self.settled(preset)).collect();
        notes.push("According to the source's author it settles by generation 13 or 14.".to_owned());
        notes.extend(self.trials.iter().map(Trial::line));
        Table { lines, reading, notes, ..Table::default() }
    }

    /// Formats when the runs of a preset settled, and their final shares.
    fn settled(&self, preset: &str) -> String {
        let runs: Vec<&Trial> = self.trials.iter().filter(|trial| trial.preset == preset).collect();
        let mut settled: Vec<u64> = runs.iter().filter_map(|trial| trial.settled()).collect();
        crate::sort::sort(&mut settled);
        let not = runs.len() - settled.len();
        let mut all: Vec<String> = settled.iter().map(|generation| format!("by generation {generation}")).collect();
        all.extend((not > 0).then(|| format!("{not} not at all")));
        let ends = |opponent: Opponent| {
            let by_generation = by_point(&self.trials, preset, &opponent);
            by_generation.last().map_or(0.0, |(_, scores)| COUNTED.over_runs(scores).0)
        };
        format!(
            "{preset}: {} runs, settled {}; finally {:.1} % against ones, {:.1} % against pieces",
            runs.len(),
            all.join(", "),
            ends(Opponent::Ones),
            ends(Opponent::Pieces)
        )
    }

    /// Formats a CSV row for each run, generation and opponent, under a header.
    pub fn csv(&self) -> String {
        let name = |opponent: &Opponent| vec![opponent.name(self.presets[0]).to_owned()];
        learning::rows(&["generation", "opponent"], COUNTED, &self.trials, name)
    }

    /// Draws the shares over the generations, a curve for each preset and opponent.
    pub fn chart(&self) -> String {
        let mut series = Vec::new();
        let mut ticks: Vec<String> = Vec::new();
        for preset in &self.presets {
            for opponent in Opponent::ALONE {
                let points = by_point(&self.trials, preset, &opponent);
                ticks = points.iter().map(|(generation, _)| generation.to_string()).collect();
                series.push(COUNTED.series(format!("{preset} against {}", opponent.name("")), &points));
            }
        }
        let title = "Learning to play checkers: the best of a generation";
        let plot = Plot::new(title, "generation", "% of the points", series);
        Plot { ticks, top: Some(100.0), ..plot }.svg()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Score;
    use crate::pool::Pool;
    use crate::{Hear, Options, ProgressEvent, csv};
    use mancalab_base::Error;

    fn trial(wins: &[u32]) -> Trial {
        let row = |(nth, wins): (usize, &u32)| {
            let score = Score { wins: *wins, draws: 0, losses: 1000 - wins };
            Measurement { point: 5 * nth as u64, opponent: Opponent::Ones, score }
        };
        Trial { preset: "p", seed: 1, rows: wins.iter().enumerate().map(row).collect(), run: None }
    }

    #[test]
    fn a_run_has_settled_when_nothing_changes_that_can_be_reported() {
        assert_eq!(trial(&[500, 600, 700, 710, 690]).settled(), Some(10));
        assert_eq!(trial(&[500, 500, 500]).settled(), None, "it has not learned");
        assert_eq!(trial(&[500, 700, 500, 700]).settled(), None, "only the last is like itself");
        assert_eq!(trial(&[]).settled(), None);
    }

    fn options() -> Options {
        let seeds = Some(2);
        let games = Some(6);
        let generations = Some(6);
        Options { seed: 2, seeds, games, generations, pool: Pool::alone(), ..Options::default() }
    }

    fn reproduce(set: &[&str], options: Options, hear: Hear<'_>) -> Result<Table, Error> {
        let small = ["depth=1", "population=4", "limit=20"];
        crate::target::reproduce("checkers-ga/learning", &[&small, set].concat(), options, hear)
    }

    #[test]
    fn both_presets_are_measured_and_compared() {
        let folder = tempfile::tempdir().unwrap();
        let mut news = Vec::new();
        let asked = Options { out: Some(folder.path().to_owned()), ..options() };
        let table = reproduce(&[], asked, &mut |event| {
            if let ProgressEvent::News(text) = event {
                news.push(text.to_owned());
            }
        })
        .unwrap();
        // Generations 0, 5 and 6 against two opponents, and the last generations' best against each other.
        assert_eq!((table.lines.len(), news.len()), (2 * 3 * 2 + 1, 4));
        assert!(table.lines.iter().all(|line| line.score.unwrap().games() == 12));
        // The first generation equals ones: every opening is won as often as lost.
        assert_eq!(table.lines[0].measured, Some(50.0));
        let text = table.to_text();
        assert!(text.contains("checkers-ga-robin, generation 6, against checkers-ga "), "{text}");
        assert!(text.contains("checkers-ga: 2 runs, settled "), "{text}");
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        let rows = csv::parse(&read("checkers-ga-learning.csv"));
        assert_eq!(rows.len(), 1 + 4 * 6 + 2);
        assert_eq!(rows[0][1..5], ["preset", "seed", "generation", "opponent"]);
        assert!(read("checkers-ga-learning.svg").contains("checkers-ga-robin against pieces"));
        assert!(folder.path().join("checkers-ga-seed3/generations.csv").exists());
        // The result does not depend on the pool or the folder.
        let other = Options { pool: Pool::new(3), ..options() };
        assert_eq!(reproduce(&[], other, &mut |_| ()).unwrap().lines, table.lines);
    }

    /// Both rules of measurement give different games and shares.
    #[test]
    fn all_are_measured_by_the_games_that_are_asked_for() {
        let measured = |set: &[&str]| reproduce(set, options(), &mut |_| ()).unwrap();
        let own = measured(&["measured=own"]);
        let training = measured(&["measured=training"]);
        let rules = |table: &Table| table.reading.iter().find(|(what, _)| *what == "measured by").unwrap().1.clone();
        assert_eq!(rules(&own), "the game's own rules, captures played out, the same for all presets");
        assert_eq!(rules(&training), "drawn after 20 moves a side, no captures played out, the same for all presets");
        assert_eq!(own.lines, measured(&[]).lines);
        assert_ne!(own.lines, training.lines);
    }

    #[test]
    fn other_presets_are_asked_for_by_name() {
        let table = reproduce(&["preset=checkers-ga-robin", "games=2"], options(), &mut |_| ()).unwrap();
        assert_eq!(table.lines.len(), 6);
        assert!(table.lines.iter().all(|line| line.what.starts_with("checkers-ga-robin, ")));
        let error = reproduce(&["speed=1"], options(), &mut |_| ()).unwrap_err().to_string();
        assert!(error.contains("no setting is named 'speed'"), "{error}");
        let error = reproduce(&["measured=all"], options(), &mut |_| ()).unwrap_err().to_string();
        assert!(error.contains("measured cannot be 'all'") && error.contains("own, training"), "{error}");
    }
}
