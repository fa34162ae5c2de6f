//! Variants of a preset: runs that differ in one setting only and evaluate equally many games, over several seeds, and the strength of
//! their results. The source names two such questions: does a hypothesis of many stages pay off, and what do automatically defined
//! functions gain, which its program offers.

use mancalab_base::{Error, bail};
use serde_json::json;

use super::USUAL_GAMES;
use super::evolve::{Ended, breed, play};
use crate::arena::Score;
use crate::evolve::othello::Settings;
use crate::fit::{self, Welch};
use crate::learning::Measure;
use crate::player::StagedSettings;
use crate::ranges::{Span, ranges};
use crate::settings::KeyedSettings as _;
use crate::target::part;
use crate::{Hear, Line, Options, ProgressEvent, Table, csv};

/// The default number of seeds.
const USUAL_SEEDS: u32 = 20;

const PRESET: &str = "othello-gp-50";

/// A setting with the values to compare.
pub(super) struct Study {
    /// The name of its files.
    pub name: &'static str,
    pub key: &'static str,
    /// Labels and values.
    values: &'static [(&'static str, &'static str)],
    /// How many of the first values all later ones are compared with.
    bases: usize,
}

pub(super) const STAGES: Study = Study {
    name: "stages",
    key: "stages",
    values: &[
        ("1", "100"),
        ("2", "50,50"),
        ("3", "33,34,33"),
        ("5", "20,20,20,20,20"),
        ("10", "10,10,10,10,10,10,10,10,10,10"),
        ("25,75", "25,75"),
        ("75,25", "75,25"),
    ],
    bases: 2,
};

pub(super) const ADF: Study =
    Study { name: "adf", key: "adf", values: &[("0", "0"), ("1", "1"), ("2", "2")], bases: 1 };

/// The source varied the population without printing one.
pub(super) const POPULATION: Study = Study {
    name: "population",
    key: "population",
    values: &[("500", "500"), ("100", "100"), ("250", "250"), ("1000", "1000")],
    bases: 1,
};

/// A run's result.
struct RunResult {
    /// The index of its value.
    value: usize,
    seed: u64,
    player: StagedSettings,
    ended: Ended,
    score: Score,
}

impl Study {
    /// Breeds with every value and seed, and plays games with the results. The output folder, if there is one, holds the runs, and existing
    /// ones are resumed.
    ///
    /// # Errors
    /// An option is invalid, or a file cannot be read or written.
    pub fn reproduce(&self, options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
        let mut plan = Vec::new();
        for seed in options.all_seeds(USUAL_SEEDS) {
            for value in 0..self.values.len() {
                plan.push((seed, value, self.settings(value, seed, options)?));
            }
        }
        let count = plan.len();
        let games = options.games.unwrap_or(USUAL_GAMES);
        let Some((.., usual)) = plan.first().cloned() else { bail!("there are no seeds") };
        let mut all = Vec::new();
        for (at, (seed, value, settings)) in plan.into_iter().enumerate() {
            let label = self.label(value);
            let item = format!("{label}, seed {seed}: ");
            let mut progress = part(hear, at, count, &item);
            let name = format!("othello-gp-{}-{}-seed{seed}", self.name, self.values[value].0.replace(',', "-"));
            let (player, ended) = breed(settings, &name, options, &mut progress)?;
            let score = play(&player, &[options.seed, seed, value as u64], games, &options.pool, &mut progress);
            drop(progress);
            hear(ProgressEvent::News(&format!("{label}, seed {seed}: {:.1} % won", 100.0 * score.won())));
            all.push(RunResult { value, seed, player, ended, score });
        }
        let table = Table {
            lines: self.lines(&all),
            chart: self.matrix(&all),
            reading: self.reading(&usual, games),
            notes: self.comparisons(&all),
            ..Table::default()
        };
        let csv = csv::lines(&all.iter().map(|bred| self.line(bred)).collect::<Vec<_>>());
        let svg = self.chart(&all);
        Ok(table.with_files(self.name, csv, svg))
    }

    fn settings(&self, value: usize, seed: u64, options: &Options) -> Result<Settings, Error> {
        let fixed = ["seed", "termination", self.key];
        if let Some((key, _)) = options.set.iter().find(|(key, _)| fixed.contains(&key.as_str())) {
            bail!("'{key}' is set by the target; all other settings of a run are accepted");
        }
        let mut settings = Settings::preset(PRESET)?;
        // A run that ends early evaluates fewer games.
        settings.set("termination", "0")?;
        settings.set("seed", &seed.to_string())?;
        settings.set(self.key, self.values[value].1)?;
        if let Some(generations) = options.generations {
            settings.set("generations", &generations.to_string())?;
        }
        options.change(&mut settings, &[])?;
        Ok(settings)
    }

    fn label(&self, value: usize) -> String {
        format!("{}={}", self.key, self.values[value].1)
    }

    /// Returns the results of a value, one per seed.
    fn runs<'a>(&self, all: &'a [RunResult], value: usize) -> impl Iterator<Item = &'a RunResult> {
        all.iter().filter(move |bred| bred.value == value)
    }

    /// Returns the percentage of games won with a value, one per seed.
    fn won(&self, all: &[RunResult], value: usize) -> Vec<f64> {
        self.runs(all, value).map(|bred| 100.0 * bred.score.won()).collect()
    }

    /// Returns a line for each value, over the seeds.
    fn lines(&self, all: &[RunResult]) -> Vec<Line> {
        let line = |value: usize| {
            let mean = |size: fn(&RunResult) -> f64| {
                Span::from_values(&self.runs(all, value).map(size).collect::<Vec<_>>()).mean
            };
            let best = mean(RunResult::nodes);
            let bred = mean(|bred| bred.ended.mean_nodes);
            let scores: Vec<Score> = self.runs(all, value).map(|bred| bred.score).collect();
            let names = vec![
                (self.key, json!(self.values[value].1)),
                ("runs", json!(scores.len())),
                ("mean_nodes", json!(bred)),
                ("best_nodes", json!(best)),
            ];
            Measure::Won
                .line(self.label(value), None, &scores, names)
                .remarked(format!("{bred:.0} nodes a program, {best:.0} of the best"))
        };
        (0..self.values.len()).map(line).collect()
    }

    /// Returns the line of a run.
    fn line(&self, bred: &RunResult) -> Line {
        Line::won(format!("{}, seed {}", self.label(bred.value), bred.seed), None, bred.score).named([
            (self.key, json!(self.values[bred.value].1)),
            ("seed", json!(bred.seed)),
            ("best_discs", json!(bred.ended.discs)),
            ("best_generation", json!(bred.ended.generation)),
            ("mean_nodes", json!(bred.ended.mean_nodes)),
            ("best_nodes", json!(bred.nodes())),
            ("hypothesis", json!(bred.player.file_text())),
        ])
    }

    /// Formats the games won by seed and value, in percent.
    fn matrix(&self, all: &[RunResult]) -> Vec<String> {
        let heads: String = self.values.iter().map(|(label, _)| format!("  {label:>6}")).collect();
        let mut lines = vec![format!("{:16}{heads}", format!("{}, % won", self.key))];
        lines.extend(all.chunks(self.values.len()).map(|row| {
            let cells: String = row.iter().map(|bred| format!("  {:>6.1}", 100.0 * bred.score.won())).collect();
            format!("{:16}{cells}", format!("seed {}", row[0].seed))
        }));
        lines
    }

    /// Compares the values in sentences.
    fn comparisons(&self, all: &[RunResult]) -> Vec<String> {
        let pairs: Vec<(usize, usize)> =
            (0..self.bases).flat_map(|base| (base + 1..self.values.len()).map(move |value| (base, value))).collect();
        let compared = |&(base, value): &(usize, usize)| {
            let Welch { difference, interval: (low, high), chance } =
                Welch::test(&self.won(all, value), &self.won(all, base))?;
            Some(format!(
                "{} less {}: {difference:+.1} points ({low:+.1} to {high:+.1}), {}",
                self.label(value),
                self.label(base),
                fit::probability(chance)
            ))
        };
        let mut notes: Vec<String> = pairs.iter().filter_map(compared).collect();
        if !notes.is_empty() {
            let limit = 0.05 / notes.len() as f64;
            notes.push(format!(
                "Differences of means over the seeds by Welch's test; for {} comparisons together chance is unlikely below p {limit:.4}.",
                notes.len()
            ));
        }
        notes
    }

    fn reading(&self, settings: &Settings, games: u32) -> Vec<(&'static str, String)> {
        let programs = settings.tableau.population;
        let generations = settings.tableau.generations + 1;
        let all = programs as u64 * generations * u64::from(settings.games);
        vec![
            ("preset", format!("{PRESET} with termination=0, so that no run ends early")),
            (
                "budget",
                match self.key {
                    "population" => format!("{generations} generations: a run's games grow with its population"),
                    _ => format!(
                        "{all} games in each run: {programs} programs, {generations} generations, {} games a program",
                        settings.games
                    ),
                },
            ),
            ("games", format!("{games} of the best program of each run, as White against the random player")),
            ("interval", "over the runs, one per seed".to_owned()),
        ]
    }

    /// Draws means and ranges over the seeds as SVG.
    fn chart(&self, all: &[RunResult]) -> String {
        let row = |value: usize| (self.label(value), None, Span::from_values(&self.won(all, value)));
        let title = format!("Othello by genetic programming, {}: means and ranges", self.key);
        ranges(&title, "% won", 100.0, &(0..self.values.len()).map(row).collect::<Vec<_>>())
    }
}

impl RunResult {
    fn nodes(&self) -> f64 {
        self.player.stages.iter().map(|stage| stage.function.size()).sum::<usize>() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Pool;

    fn options(seeds: u32) -> Options {
        Options { seed: 3, seeds: Some(seeds), games: Some(30), generations: Some(2), ..Options::default() }
    }

    fn reproduce(target: &str, set: &[&str], options: Options) -> Result<Table, Error> {
        crate::target::reproduce(target, &[&["population=16"], set].concat(), options, &mut |_| ())
    }

    #[test]
    fn every_value_is_bred_with_every_seed() {
        let folder = tempfile::tempdir().unwrap();
        let kept = || Options { out: Some(folder.path().to_owned()), ..options(2) };
        for (target, values, comparisons) in [("stages", 7, 6 + 5), ("adf", 3, 2)] {
            let name = format!("othello-gp/{target}");
            let table = reproduce(&name, &[], kept()).unwrap();
            assert_eq!((table.lines.len(), table.chart.len()), (values, 1 + 2));
            assert!(table.lines.iter().all(|line| line.score.unwrap().games() == 60));
            assert!(table.notes.iter().filter(|note| note.contains(" less ")).count() <= comparisons);
            let text = std::fs::read_to_string(folder.path().join(format!("othello-gp-{target}.csv"))).unwrap();
            let rows = csv::parse(&text);
            assert_eq!(rows.len(), 1 + 2 * values);
            let last = rows[0].iter().position(|head| head == "hypothesis").unwrap();
            for row in &rows[1..] {
                let stages = row[1].split(',').count();
                let functions = if target == "stages" { stages } else { 1 };
                assert_eq!(StagedSettings::in_text(&row[last]).unwrap().stages.len(), functions, "{row:?}");
                assert!(target == "adf" || !row[last].contains("adf"));
            }
            // Neither the pool nor the folder affects the result; a folder's runs are resumed.
            let alone = Options { pool: Pool::alone(), ..options(2) };
            assert_eq!(reproduce(&name, &[], alone).unwrap().lines, table.lines);
            assert_eq!(reproduce(&name, &[], kept()).unwrap(), table);
        }
        assert!(folder.path().join("othello-gp-stages-25-75-seed4/generations.csv").exists());
        assert!(folder.path().join("othello-gp-adf-2-seed3/generations.csv").exists());
    }

    #[test]
    fn populations_are_compared() {
        let options = Options { generations: Some(0), games: Some(10), ..options(1) };
        let table = crate::target::reproduce("othello-gp/population", &[], options, &mut |_| ()).unwrap();
        let names: Vec<&str> = table.lines.iter().map(|line| line.what.as_str()).collect();
        assert_eq!(names, ["population=500", "population=100", "population=250", "population=1000"]);
        assert!(table.reading.iter().any(|(_, text)| text == "1 generations: a run's games grow with its population"));
    }

    #[test]
    fn settings_that_the_target_decides_are_refused() {
        for (target, set, part) in [
            ("othello-gp/stages", "stages=100", "'stages' is set by the target"),
            ("othello-gp/adf", "termination=3", "'termination' is set by the target"),
            ("othello-gp/adf", "speed=1", "speed"),
        ] {
            let error = reproduce(target, &[set], options(1)).unwrap_err().to_string();
            assert!(error.contains(part), "{set}: {error}");
        }
        assert!(reproduce("othello-gp/adf", &["stages=50,50", "overlap=40"], options(1)).is_ok());
    }
}
