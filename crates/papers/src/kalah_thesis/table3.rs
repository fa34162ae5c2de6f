//! Table 3: twenty runs of the genetic algorithm, and their final weights.

use mancalab_base::Error;
use std::ops::Range;
use std::path::Path;

use super::chart::{self, Row, Span};
use super::claims::judged;
use super::joint::{self, Between};
use super::readings::{HEURISTICS, Readings};
use crate::arena::Score;
use crate::evolve::ga::{GenerationRow, Genome};
use crate::evolve::kalah::weights::{WeightsRun, WeightsSettings, preset};
use crate::game::Variant;
use crate::game::kalah::Rules;
use crate::player::heuristic::terms::{COUNT, TERMS};
use crate::player::heuristic::weights::{TABLE3, TABLE3_FITNESS};
use crate::pool::Pool;
use crate::settings::string_enum;
use crate::typed_run::to_its_end;
use crate::{Hear, Line, Options, ProgressEvent, Table};

/// The default number of runs.
pub(super) const RUNS: u32 = 20;

/// The default number of generations.
const GENERATIONS: u64 = 250;

/// Runs Table 3: `options.runs` runs of `options.generations` generations, with the seeds from `options.seed` on. The output folder,
/// if there is one, holds the runs, and existing ones are resumed.
///
/// # Errors
/// An option is invalid, or a file cannot be read or written.
pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let played = Table3::play(options, hear)?;
    Ok(played.to_table().with_files("table3", played.csv(), played.chart()))
}

/// The setting of this target: which row of a run is its result.
const RESULT: &str = "result";

/// The row of a run that Table 3 prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// The last generation's.
    Last,
    /// That of the highest fitness of any generation.
    Highest,
}

impl Outcome {
    /// Returns the outcome in the options, or the default, the highest.
    ///
    /// # Errors
    /// There is no such outcome.
    pub fn asked(options: &Options) -> Result<Outcome, Error> {
        let wrong = |error| Error::from(format!("{RESULT}: {error}"));
        options.value(RESULT).map_or(Ok(Outcome::Highest), |value| value.parse().map_err(wrong))
    }

    /// Returns this row of a run; of equals the first. `None` for a run without a generation.
    fn row(self, past: &[GenerationRow]) -> Option<&GenerationRow> {
        match self {
            Outcome::Last => past.last(),
            Outcome::Highest => past.iter().reduce(|best, row| if row.best > best.best { row } else { best }),
        }
    }
}
string_enum!(Outcome { "last" => Last, "highest" => Highest });

/// Returns the settings of the run with this seed.
pub(super) fn settings(options: &Options, seed: u64) -> Result<WeightsSettings, Error> {
    let mut settings = preset("kalah-thesis").ok_or("the preset kalah-thesis is missing")?;
    (settings.seed, settings.generations) = (seed, options.generations.unwrap_or(GENERATIONS));
    // The weights that come with the program are bred with the preset's own reading.
    settings.task.reading = HEURISTICS;
    options.change(&mut settings, &[RESULT])?;
    settings.check()?;
    Ok(settings)
}

/// Returns the settings of the run with these readings.
///
/// # Errors
/// The preset is missing.
pub(super) fn of_readings(options: &Options, read: &Readings) -> Result<WeightsSettings, Error> {
    let mut settings = settings(&Options { set: Vec::new(), ..options.clone() }, options.seed)?;
    let task = &mut settings.task;
    (task.game, task.depth, task.opening) = (Variant::Kalah(read.rules()), read.ahead.of_all(), read.opening);
    (task.ties, task.reading) = (read.ties, read.heuristic);
    Ok(settings)
}

/// Creates a run or resumes it, and returns its result.
pub(super) fn run(
    settings: WeightsSettings,
    outcome: Outcome,
    out: Option<&Path>,
    pool: &Pool,
    progress: &mut dyn FnMut(&WeightsRun),
) -> Result<RunResult, Error> {
    let folder = out.map(|out| out.join(format!("seed{}", settings.seed)));
    let job = to_its_end::<WeightsRun>(settings, folder, pool, progress)?;
    RunResult::new(job.run(), outcome).ok_or_else(|| "the run has no generation".into())
}

/// The result of a run.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct RunResult {
    pub seed: u64,
    /// The best individual's of the result's generation.
    pub weights: Genome,
    /// In percent of the points available in that generation.
    pub fitness: f64,
    /// The fitness of the last generation.
    pub last: f64,
    /// The highest fitness of any generation, measured against other opponents.
    pub highest: f64,
    /// A row for each generation.
    pub past: Vec<GenerationRow>,
}

/// The results of all runs.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Table3 {
    /// The settings of the first run; the others have the next seeds.
    pub settings: WeightsSettings,
    pub outcome: Outcome,
    pub runs: Vec<RunResult>,
}

/// Returns a column of the printed table: a weight counted from 0, or after the last weight the fitness in percent.
pub fn published(column: usize) -> Span {
    match column {
        COUNT => Span::from_values(&TABLE3_FITNESS),
        _ => Span::from_values(&TABLE3.map(|weights| weights.reals()[column])),
    }
}

/// Returns the standard deviation of a printed column, 1 for a constant one.
fn spread(column: usize) -> f64 {
    let printed = |row: usize| if column == COUNT { TABLE3_FITNESS[row] } else { TABLE3[row].reals()[column] };
    let count = TABLE3.len() as f64;
    let mean = (0..TABLE3.len()).map(printed).sum::<f64>() / count;
    let variance = (0..TABLE3.len()).map(|row| (printed(row) - mean).powi(2)).sum::<f64>() / count;
    if variance > 0.0 { variance.sqrt() } else { 1.0 }
}

impl Table3 {
    /// Runs the genetic algorithm with each seed; see [`reproduce`].
    ///
    /// # Errors
    /// See [`reproduce`].
    pub fn play(options: &Options, hear: Hear<'_>) -> Result<Table3, Error> {
        let mut runs = Vec::new();
        let count = options.runs.unwrap_or(RUNS);
        let outcome = Outcome::asked(options)?;
        for seed in (options.seed..).take(count as usize) {
            let before = runs.len();
            let mut progress = |run: &WeightsRun| {
                let ended = run.past().len() as u64;
                let last = run.settings().generations;
                let share = (before as f64 + ended as f64 / (last + 1) as f64) / f64::from(count);
                let at = format!("run {}/{count}, generation {}/{last}", before + 1, ended.saturating_sub(1));
                hear(ProgressEvent::Progress { share, item: at });
            };
            let run = run(settings(options, seed)?, outcome, options.out.as_deref(), &options.pool, &mut progress)?;
            hear(ProgressEvent::News(&format!("seed {seed}: {}", run.line())));
            runs.push(run);
        }
        Ok(Table3 { settings: settings(options, options.seed)?, outcome, runs })
    }

    /// Returns a measured column; see [`published`].
    pub fn measured(&self, column: usize) -> Span {
        let value = |run: &RunResult| if column == COUNT { run.fitness } else { run.weights[column] };
        Span::from_values(&self.runs.iter().map(value).collect::<Vec<f64>>())
    }

    /// Returns the distances between the printed rows and ours: over all columns, each in standard deviations of the printed one (W4, a
    /// constant there, unscaled), over the weights, and over the fitness.
    pub fn distances(&self) -> [(&'static str, &'static str, Between); 3] {
        let of = |columns: Range<usize>, unit: &dyn Fn(usize) -> f64| {
            let scaled = |weights: &[f64], fitness: f64| -> Vec<f64> {
                let row = weights.iter().copied().chain([fitness]);
                row.enumerate().filter(|(at, _)| columns.contains(at)).map(|(at, number)| number / unit(at)).collect()
            };
            let printed: Vec<Vec<f64>> =
                TABLE3.iter().zip(TABLE3_FITNESS).map(|(weights, fitness)| scaled(&weights.reals(), fitness)).collect();
            let measured: Vec<Vec<f64>> = self.runs.iter().map(|run| scaled(&run.weights, run.fitness)).collect();
            Between::measure(&printed, &measured)
        };
        [
            ("rows distance", "", of(0..COUNT + 1, &spread)),
            ("weights distance", "", of(0..COUNT, &|_| 1.0)),
            ("fitness distance", "%", of(COUNT..COUNT + 1, &|_| 1.0)),
        ]
    }

    /// Returns the rows distance.
    pub fn distance(&self) -> f64 {
        self.distances()[0].2.distance
    }

    /// Returns means and ranges, published beside measured, the distances, and each run in the notes.
    pub fn to_table(&self) -> Table {
        let mut lines = Vec::new();
        for column in 0..=COUNT {
            let (name, unit) =
                if column == COUNT { ("fitness".to_owned(), "%") } else { (format!("W{}", column + 1), "") };
            let printed = published(column);
            let measured = self.measured(column);
            lines.push(Line::new(format!("{name} mean"), Some(printed.mean), measured.mean, unit));
            lines.push(Line::new(format!("{name} lowest"), Some(printed.low), measured.low, unit));
            lines.push(Line::new(format!("{name} highest"), Some(printed.high), measured.high, unit));
        }
        for (what, unit, between) in self.distances() {
            lines.push(Line::new(what, None, between.distance, unit).remarked(between.to_text()));
        }
        lines.extend(self.patterns());
        let mut notes = vec![format!("{} runs of {} generations:", self.runs.len(), self.settings.generations)];
        notes.extend(self.runs.iter().map(|run| format!("  seed {:<4} {}", run.seed, run.line())));
        Table { lines, reading: self.reading(), notes, ..Table::default() }
    }

    /// Returns the patterns that the text finds in the printed rows, as they are in ours.
    fn patterns(&self) -> Vec<Line> {
        let place = |weight: usize, of: fn(Span) -> f64| {
            let own = of(self.measured(weight));
            1 + (0..COUNT).filter(|&other| of(self.measured(other)) > own).count()
        };
        let rows = |is_so: &dyn Fn(&[f64]) -> bool| {
            let wins = self.runs.iter().filter(|run| is_so(&run.weights)).count() as u32;
            let score = Score { wins, draws: 0, losses: self.runs.len() as u32 - wins };
            let (low, high) = score.won_interval();
            (100.0 * score.won(), 100.0 * low, 100.0 * high)
        };
        let second = place(6, |span| span.mean);
        let widest = place(7, |span| span.high - span.low);
        let (over, low, high) = rows(&|weights| [0, 1, 8, 9].iter().any(|&weight| weights[weight] > 0.4));
        let never = Line::new("rows with H1, H2, H9 or H10 over 0.4", Some(0.0), over, "% of rows").within(low, high);
        let never = judged(never, over == 0.0, "in no row");
        let (over, low, high) = rows(&|weights| weights[2] > 0.5);
        // In seven of the twenty printed rows.
        let often = Line::new("rows with H3 over 0.5", Some(35.0), over, "% of rows").within(low, high);
        vec![
            judged(
                Line::new("place of H7 by its mean", Some(2.0), second as f64, "of 10"),
                second == 2,
                "one mean is higher",
            ),
            never,
            judged(often, (low..=high).contains(&35.0), "the interval contains the printed share, 7 of 20 rows"),
            judged(
                Line::new("place of H8 by its range", Some(1.0), widest as f64, "of 10"),
                widest == 1,
                "no range, of the highest weight less the lowest, is greater",
            ),
        ]
    }

    /// Returns the readings of the runs.
    pub fn reading(&self) -> Vec<(&'static str, String)> {
        let task = &self.settings.task;
        let rules = if let Variant::Kalah(rules) = task.game { rules } else { Rules::default() };
        let mut reading = Readings {
            heuristic: task.reading,
            opening: task.opening,
            ties: task.ties,
            end: rules.end(),
            ..Readings::default()
        }
        .lines();
        reading.push(("population", format!("{}, elite {}", self.settings.population, self.settings.elite)));
        reading.push((
            "start",
            format!("{}: about 0.8 for W6 and W7, 0.2 for W3, 1 for W4, else 0.5; or all 0.5", task.start),
        ));
        reading.push((
            "breeding",
            format!(
                "roulette, {} crossover, sigma {} at a rate of {}",
                task.crossover, task.sigma, self.settings.mutation_rate
            ),
        ));
        let text = match self.outcome {
            Outcome::Last => "result=last: the best of the last generation, and its fitness there",
            Outcome::Highest => "result=highest: the best of all generations, and its fitness in its own",
        };
        reading.push((RESULT, text.to_owned()));
        reading.push(("distance", joint::DEFINITION.to_owned()));
        reading
    }

    fn chart(&self) -> String {
        let row = |column: usize| -> Row {
            let label = format!("W{} {}", column + 1, TERMS[column].title);
            (label, Some(published(column)), self.measured(column))
        };
        let rows: Vec<Row> = (0..COUNT).map(row).collect();
        chart::ranges("Kalah thesis, Table 3: weights, mean and range over the runs", "weight", 1.0, &rows)
    }

    const CSV: &'static str = "whose,run,W1,W2,W3,W4,W5,W6,W7,W8,W9,W10,fitness_percent";

    /// Formats a CSV row for each run, the published ones first, under a header.
    pub fn csv(&self) -> String {
        let row = |whose: &str, run: u64, weights: &[f64], fitness: f64| {
            let weights: String = weights.iter().map(|weight| format!(",{weight}")).collect();
            format!("{whose},{run}{weights},{fitness:.1}\n")
        };
        let published = (1..).zip(TABLE3.iter().zip(TABLE3_FITNESS));
        let published = published.map(|(run, (weights, fitness))| row("published", run, &weights.reals(), fitness));
        let measured = self.runs.iter().map(|run| row("measured", run.seed, &run.weights, run.fitness));
        format!("{}\n{}", Table3::CSV, published.chain(measured).collect::<String>())
    }
}

impl RunResult {
    /// Formats the run in one line.
    fn line(&self) -> String {
        let weights: Vec<String> = self.weights.iter().map(|weight| format!("{weight:.3}")).collect();
        format!(
            "{}  {:.1} %  (last {:.1} %, highest {:.1} %)",
            weights.join(" "),
            self.fitness,
            self.last,
            self.highest
        )
    }

    /// `None` for a run without a generation.
    fn new(run: &WeightsRun, outcome: Outcome) -> Option<RunResult> {
        let past: Vec<GenerationRow> = run.past().iter().cloned().collect();
        let [last, highest] = [Outcome::Last, Outcome::Highest].map(|outcome| outcome.row(&past));
        let last = last?;
        let highest = highest?.best;
        let weights = last.best_genome.clone();
        let fitness = last.best;
        let ended = RunResult { seed: run.settings().seed, weights, fitness, last: fitness, highest, past };
        Some(ended.with(outcome))
    }

    /// The same run with this result.
    #[must_use]
    pub fn with(mut self, outcome: Outcome) -> RunResult {
        if let Some(row) = outcome.row(&self.past) {
            (self.weights, self.fitness) = (row.best_genome.clone(), row.best);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::heuristic::weights::Weights;

    #[test]
    fn published_columns_are_those_of_the_table() {
        assert_eq!(published(3), Span::at(1.0));
        assert_eq!((published(6).low, published(6).high), (0.715, 1.0));
        assert_eq!((published(COUNT).low, published(COUNT).high), (57.3, 68.7));
    }

    #[test]
    fn the_printed_rows_are_at_no_distance_from_themselves() {
        let settings = settings(&Options::default(), 1).unwrap();
        let ended = |(weights, fitness): (&Weights, f64)| RunResult {
            seed: 1,
            weights: weights.reals().into(),
            fitness,
            last: fitness,
            highest: fitness,
            past: Vec::new(),
        };
        let mut played =
            Table3 { settings, outcome: Outcome::Last, runs: TABLE3.iter().zip(TABLE3_FITNESS).map(ended).collect() };
        let far = |played: &Table3| played.distances().map(|(_, _, between)| between.distance);
        assert!(far(&played).iter().all(|distance| distance.abs() < 1e-9), "{:?}", far(&played));
        played.runs.iter_mut().for_each(|run| run.fitness += 5.0);
        // The text's patterns are those of the printed rows.
        let patterns = |played: &Table3| played.patterns().into_iter().map(|line| line.measured.unwrap());
        assert_eq!(patterns(&played).collect::<Vec<_>>(), [2.0, 0.0, 35.0, 1.0]);
        let [rows, weights, fitness] = far(&played);
        assert!(rows > 0.1 && weights.abs() < 1e-9 && fitness > 1.0, "{:?}", far(&played));
        assert_eq!(spread(3), 1.0);
        assert!((spread(COUNT) - 2.9).abs() < 0.5, "{}", spread(COUNT));
    }

    #[test]
    fn runs_are_those_of_their_seeds_and_continue_where_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let reproduce = |options, hear: Hear<'_>| {
            crate::target::reproduce("kalah-thesis/table3", &["population=6", "depth=2"], options, hear)
        };
        let options = Options { runs: Some(2), generations: Some(2), ..Options::default() };
        let error = crate::target::reproduce("kalah-thesis/table3", &["result=best"], options.clone(), &mut |_| ());
        assert_eq!(error.unwrap_err(), "result: 'best' is not accepted; expected last or highest".into());
        let mut news = Vec::new();
        let memory = reproduce(options.clone(), &mut |event| {
            if let ProgressEvent::News(line) = event {
                news.push(line.to_owned());
            }
        })
        .unwrap();
        assert_eq!((news.len(), memory.lines.len(), memory.lines[9].published), (2, 36 + 4, Some(1.0)));
        let out = Options { out: Some(folder.path().to_owned()), ..options };
        let first = reproduce(Options { runs: Some(1), ..out.clone() }, &mut |_| ()).unwrap();
        let both = reproduce(out.clone(), &mut |_| ()).unwrap();
        assert_eq!(both.lines, memory.lines);
        assert_ne!(first.lines, memory.lines);
        let set = ["population=6", "depth=2", "result=last"];
        let last = crate::target::reproduce("kalah-thesis/table3", &set, out.clone(), &mut |_| ()).unwrap();
        let fitness = |table: &Table| table.lines.iter().find(|line| line.what == "fitness mean").unwrap().measured;
        assert!(fitness(&last) < fitness(&both), "{:?} {:?}", fitness(&last), fitness(&both));
        let csv = std::fs::read_to_string(folder.path().join("kalah-thesis-table3.csv")).unwrap();
        assert_eq!(csv.lines().count(), 1 + 20 + 2);
        let other = Options { generations: Some(3), ..out };
        assert!(reproduce(other, &mut |_| ()).unwrap_err().to_string().contains("holds a run with other settings"));
    }
}
