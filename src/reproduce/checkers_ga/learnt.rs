//! What was measured of runs, and what it says: does it learn, how fast, when does it settle, and what did our settings gain.

use serde_json::Value;

use super::{SOURCE, reading as reading_of};
use crate::arena::Score;
use crate::evolve::checkers::{CheckersSettings, Games};
use crate::evolve::ga::Genome;
use crate::player::samuel::COUNT;
use crate::player::samuel::weights::{ONES, PIECES};
use crate::reproduce::plot::{Plot, Series};
use crate::reproduce::{Line, Table, csv};

/// Whom the best of a generation plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opponent {
    /// All weights are 1, as in the first generation.
    Ones,
    /// Pieces alone.
    Pieces,
    /// The last best of the first preset, with the same seed.
    First,
}

impl Opponent {
    /// Those that need no other run.
    pub const ALONE: [Opponent; 2] = [Opponent::Ones, Opponent::Pieces];

    /// The weights of one of these.
    pub fn genome(self) -> [f64; COUNT] {
        if self == Opponent::Pieces { PIECES.0 } else { ONES.0 }
    }

    fn name(self, first: &str) -> &str {
        match self {
            Opponent::Ones => "ones",
            Opponent::Pieces => "pieces",
            Opponent::First => first,
        }
    }
}

/// Games of the best of a generation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Measured {
    pub generation: u64,
    pub opponent: Opponent,
    pub score: Score,
}

/// A run, and what was measured of it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Trial {
    pub preset: String,
    pub seed: u64,
    /// The best of the last generation.
    pub last: Option<Genome>,
    pub rows: Vec<Measured>,
}

impl Trial {
    fn of(&self, opponent: Opponent) -> impl Iterator<Item = &Measured> {
        self.rows.iter().filter(move |row| row.opponent == opponent)
    }

    /// The first generation measured from which on no share against ones is told apart from the last one's: their intervals overlap.
    /// `None` where that is the last one alone, so that nothing shows that the run has settled.
    pub fn settled(&self) -> Option<u64> {
        let rows: Vec<&Measured> = self.of(Opponent::Ones).collect();
        let (low, high) = rows.last()?.score.interval();
        let is_apart = |row: &&&Measured| {
            let (from, to) = row.score.interval();
            to < low || from > high
        };
        let apart = rows.iter().rposition(|row| is_apart(&row)).map_or(0, |last| last + 1);
        rows[..rows.len() - 1].get(apart).map(|row| row.generation)
    }

    /// The run in a line.
    pub fn line(&self) -> String {
        let shares = |opponent: Opponent| {
            let shares: Vec<String> =
                self.of(opponent).map(|row| format!("{:.1}", 100.0 * row.score.share())).collect();
            shares.join(" ")
        };
        let settled = self.settled().map_or("not settled".to_owned(), |generation| format!("settled by {generation}"));
        let mut line = format!(
            "{}, seed {}: % against ones {}; against pieces {}; {settled}",
            self.preset,
            self.seed,
            shares(Opponent::Ones),
            shares(Opponent::Pieces)
        );
        if let Some(direct) = self.of(Opponent::First).next() {
            line += &format!("; {:.1} against the first preset's last", 100.0 * direct.score.share());
        }
        line
    }
}

/// All that was measured.
pub(super) struct Learnt {
    pub trials: Vec<Trial>,
    pub presets: Vec<&'static str>,
    pub games: u32,
    /// How the games are played that all were measured by.
    pub rules: Games,
}

/// Quantiles of Student's distribution for 95 %, by degrees of freedom from 1 on; beyond, those of the normal one do.
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// Over runs: the mean of their shares in percent, and where it lies with 95 % confidence. Of one run the interval is that of its games.
fn over_runs(scores: &[Score]) -> (f64, (f64, f64)) {
    let shares: Vec<f64> = scores.iter().map(|score| 100.0 * score.share()).collect();
    let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
    if let [only] = scores {
        let (low, high) = only.interval();
        return (mean, (100.0 * low, 100.0 * high));
    }
    let freedom = shares.len().saturating_sub(1).max(1);
    let variance = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / freedom as f64;
    let quantile = STUDENT.get(freedom - 1).copied().unwrap_or(1.96);
    let reach = quantile * (variance / shares.len().max(1) as f64).sqrt();
    (mean, ((mean - reach).max(0.0), (mean + reach).min(100.0)))
}

impl Learnt {
    /// The scores of all runs of a preset, by generation.
    fn by_generation(&self, preset: &str, opponent: Opponent) -> Vec<(u64, Vec<Score>)> {
        let mut all: Vec<(u64, Vec<Score>)> = Vec::new();
        for row in self.trials.iter().filter(|trial| trial.preset == preset).flat_map(|trial| trial.of(opponent)) {
            match all.iter_mut().find(|(generation, _)| *generation == row.generation) {
                Some((_, scores)) => scores.push(row.score),
                None => all.push((row.generation, vec![row.score])),
            }
        }
        all
    }

    pub fn to_table(&self, settings: &[CheckersSettings]) -> Table {
        let mut lines = Vec::new();
        for preset in &self.presets {
            for opponent in [Opponent::Ones, Opponent::Pieces, Opponent::First] {
                let name = opponent.name(self.presets[0]);
                for (generation, scores) in self.by_generation(preset, opponent) {
                    let (mean, (low, high)) = over_runs(&scores);
                    let what = format!("{preset}, generation {generation}, against {name}");
                    let mut line = Line::new(what, None, mean, "%").within(low, high);
                    line.names = vec![
                        ("preset", Value::from(*preset)),
                        ("generation", generation.into()),
                        ("opponent", name.into()),
                        ("runs", scores.len().into()),
                    ];
                    line.score = Some(scores.into_iter().fold(Score::default(), Score::plus));
                    lines.push(line);
                }
            }
        }
        let mut reading: Vec<(&'static str, String)> = Vec::new();
        for settings in settings {
            reading.extend(reading_of(settings));
        }
        reading.push(("games", format!("{} each, from random 2-ply openings, every one by both sides", self.games)));
        let (limit, quiet) = (self.rules.rules.limit(), self.rules.plays_out);
        let limit =
            limit.map_or("the game's own rules".to_owned(), |moves| format!("drawn after {moves} moves a side"));
        let quiet = if quiet { "captures played out" } else { "no captures played out" };
        reading.push(("measured by", format!("{limit}, {quiet}, all presets alike")));
        let of = if self.trials.iter().any(|trial| trial.seed != self.trials[0].seed) {
            "runs"
        } else {
            "the games of one run"
        };
        reading.push(("share", format!("won games and half of the drawn ones; the interval is over {of}")));
        reading.push((
            "settled",
            "the first generation measured from which on no interval against ones lies apart from the last generation's"
                .to_owned(),
        ));
        let mut notes: Vec<String> = self.presets.iter().map(|preset| self.settled(preset)).collect();
        notes.push("The source's author says that it settles by generation 13 or 14.".to_owned());
        notes.extend(self.trials.iter().map(Trial::line));
        Table { target: "checkers-ga/learning", source: SOURCE, lines, reading, notes, ..Table::default() }
    }

    /// When the runs of a preset settled, and what they gained.
    fn settled(&self, preset: &str) -> String {
        let runs: Vec<&Trial> = self.trials.iter().filter(|trial| trial.preset == preset).collect();
        let mut settled: Vec<u64> = runs.iter().filter_map(|trial| trial.settled()).collect();
        settled.sort_unstable();
        let not = runs.len() - settled.len();
        let mut all: Vec<String> = settled.iter().map(|generation| format!("by generation {generation}")).collect();
        all.extend((not > 0).then(|| format!("{not} not by the last")));
        let ends = |opponent: Opponent| {
            let by_generation = self.by_generation(preset, opponent);
            by_generation.last().map_or(0.0, |(_, scores)| over_runs(scores).0)
        };
        format!(
            "{preset}: {} runs, settled {}; in the end {:.1} % against ones, {:.1} % against pieces",
            runs.len(),
            all.join(", "),
            ends(Opponent::Ones),
            ends(Opponent::Pieces)
        )
    }

    /// A row for each run, generation and opponent, under a header.
    pub fn csv(&self) -> String {
        let head = ["preset", "seed", "generation", "opponent", "games", "wins", "draws", "losses"];
        let mut text = csv::row(head.into_iter().chain(["share_percent", "low_percent", "high_percent"]));
        for trial in &self.trials {
            for Measured { generation, opponent, score } in &trial.rows {
                let (low, high) = score.interval();
                let shares = [score.share(), low, high].map(|share| format!("{:.2}", 100.0 * share));
                let counts = [score.games(), score.wins, score.draws, score.losses].map(|count| count.to_string());
                let what = [
                    trial.preset.clone(),
                    trial.seed.to_string(),
                    generation.to_string(),
                    opponent.name(self.presets[0]).to_owned(),
                ];
                text += &csv::row(what.into_iter().chain(counts).chain(shares));
            }
        }
        text
    }

    /// The shares over the generations, a line for each preset and opponent.
    pub fn chart(&self) -> String {
        let mut series = Vec::new();
        let mut ticks: Vec<String> = Vec::new();
        for preset in &self.presets {
            for opponent in Opponent::ALONE {
                let points = self.by_generation(preset, opponent);
                ticks = points.iter().map(|(generation, _)| generation.to_string()).collect();
                let (values, intervals) = points.iter().map(|(_, scores)| over_runs(scores)).unzip();
                let name = format!("{preset} against {}", opponent.name(""));
                series.push(Series { intervals, ..Series::new(name, values) });
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
    use crate::crew::Crew;
    use crate::reproduce::Heard;
    use crate::reproduce::checkers_ga::{Options, reproduce};

    fn trial(wins: &[u32]) -> Trial {
        let row = |(nth, wins): (usize, &u32)| {
            let score = Score { wins: *wins, draws: 0, losses: 1000 - wins };
            Measured { generation: 5 * nth as u64, opponent: Opponent::Ones, score }
        };
        Trial { preset: "p".into(), seed: 1, last: None, rows: wins.iter().enumerate().map(row).collect() }
    }

    #[test]
    fn a_run_has_settled_when_nothing_changes_that_can_be_told() {
        assert_eq!(trial(&[500, 600, 700, 710, 690]).settled(), Some(10));
        assert_eq!(trial(&[500, 500, 500]).settled(), Some(0));
        assert_eq!(trial(&[500, 700, 500, 700]).settled(), None, "only the last is like itself");
        assert_eq!(trial(&[]).settled(), None);
    }

    #[test]
    fn the_interval_over_runs_is_students() {
        let scores = [400, 500, 600].map(|wins| Score { wins, draws: 0, losses: 1000 - wins });
        let (mean, (low, high)) = over_runs(&scores);
        // A standard deviation of 10, over the root of 3, times 4.303.
        assert!((mean - 50.0).abs() < 1e-9 && (high - mean - 24.84).abs() < 0.01 && (mean - low - 24.84).abs() < 0.01);
        let (mean, interval) = over_runs(&scores[..1]);
        let wilson = scores[0].interval();
        assert_eq!((mean, interval), (40.0, (100.0 * wilson.0, 100.0 * wilson.1)));
    }

    fn options(set: &[&str]) -> Options {
        let set = ["depth=1", "population=4", "limit=20"].iter().chain(set).map(|text| (*text).to_owned()).collect();
        let (seeds, games, generations) = (Some(2), Some(6), Some(6));
        Options { seed: 2, seeds, games, generations, set, out: None, crew: Crew::alone() }
    }

    #[test]
    fn both_presets_are_measured_and_compared() {
        let folder = tempfile::tempdir().unwrap();
        let mut news = Vec::new();
        let asked = Options { out: Some(folder.path().to_owned()), ..options(&[]) };
        let table = reproduce("checkers-ga/learning", &asked, &mut |heard| {
            if let Heard::News(text) = heard {
                news.push(text.to_owned());
            }
        })
        .unwrap();
        // Generations 0, 5 and 6 against two, and the last bests against one another.
        assert_eq!((table.lines.len(), news.len()), (2 * 3 * 2 + 1, 4));
        assert!(table.lines.iter().all(|line| line.score.unwrap().games() == 12));
        // The first generation is ones itself: every opening is won as often as lost.
        assert_eq!(table.lines[0].measured, Some(50.0));
        let text = table.to_text();
        assert!(text.contains("checkers-ga-robin, generation 6, against checkers-ga "), "{text}");
        assert!(text.contains("checkers-ga: 2 runs, settled "), "{text}");
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        let rows = csv::parse(&read("learning.csv"));
        assert_eq!(rows.len(), 1 + 4 * 6 + 2);
        assert_eq!(rows[0][..4], ["preset", "seed", "generation", "opponent"]);
        assert!(read("learning.svg").contains("checkers-ga-robin against pieces"));
        assert!(folder.path().join("checkers-ga-seed3/generations.csv").exists());
        // Whoever works on it, and in memory too.
        let other = Options { crew: Crew::new(3), ..options(&[]) };
        assert_eq!(reproduce("checkers-ga/learning", &other, &mut |_| ()).unwrap().lines, table.lines);
    }

    /// As the first preset's runs play, or by the game's own rules: other games, and other shares.
    #[test]
    fn all_are_measured_by_the_games_that_are_asked_for() {
        let measured = |set: &[&str]| reproduce("checkers-ga/learning", &options(set), &mut |_| ()).unwrap();
        let (own, training) = (measured(&["measured=own"]), measured(&["measured=training"]));
        let told = |table: &Table| table.reading.iter().find(|(what, _)| *what == "measured by").unwrap().1.clone();
        assert_eq!(told(&own), "the game's own rules, captures played out, all presets alike");
        assert_eq!(told(&training), "drawn after 20 moves a side, no captures played out, all presets alike");
        assert_eq!(own.lines, measured(&[]).lines);
        assert_ne!(own.lines, training.lines);
    }

    #[test]
    fn other_presets_are_asked_for_by_name() {
        let asked = options(&["preset=checkers-ga-robin", "games=2"]);
        let table = reproduce("checkers-ga/learning", &asked, &mut |_| ()).unwrap();
        assert_eq!(table.lines.len(), 6);
        assert!(table.lines.iter().all(|line| line.what.starts_with("checkers-ga-robin, ")));
        let error = reproduce("checkers-ga/learning", &options(&["speed=1"]), &mut |_| ()).unwrap_err().to_string();
        assert!(error.contains("there is no setting 'speed'"), "{error}");
        let error =
            reproduce("checkers-ga/learning", &options(&["measured=all"]), &mut |_| ()).unwrap_err().to_string();
        assert!(
            error.contains("'all' says by which games nothing is measured") && error.contains("own, training"),
            "{error}"
        );
    }
}
