//! Figures 6 to 9: both of the source's runs, and the effect of each way to draw the points of crossover.

use std::path::Path;

use mancalab_base::Error;

use super::breeding::RunResult;
use super::trials::{FinishedTrials, Trials};
use super::{STEP, reading};
use crate::budget::{Budget, Status};
use crate::evolve::gp::{GenerationRow, Points};
use crate::evolve::kalah::{KalahRun, Settings};
use crate::plot::{Plot, Series, captioned};
use crate::pool::Pool;
use crate::settings::KeyedSettings as _;
use crate::target::{caption, write};
use crate::typed_run::open;
use crate::{Hear, Line, Options, ProgressEvent, Table};

/// The readings compared by default.
const READINGS: [Points; 5] = [Points::Uniform, Points::Walk, Points::WalkStopping(25), Points::Depth, Points::Inner];

/// The default output folder.
const FOLDER: &str = "mancala-gp-figures";

/// The default number of seeds.
const USUAL_SEEDS: u32 = 20;

/// Runs Figures 6 to 9: both runs, and the comparison of readings. Always writes the files `figure6.csv`, `figure6.svg` and so on,
/// `points.csv`, `points.svg`, and the plotted runs.
///
/// Compares the readings in the options; the first is that of the plotted runs. Without any, the plotted runs use their presets' own,
/// and [`READINGS`] are compared.
pub(super) fn figures6_9(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let mut points = Vec::new();
    for (key, value) in &options.set {
        let mut settings = Settings::default();
        settings.set_text(&format!("{key}={value}"))?;
        points.push(settings.tableau.points);
    }
    let compared = if points.is_empty() { &READINGS[..] } else { &points };
    let out = options.out.clone().unwrap_or_else(|| FOLDER.into());
    let trials =
        Trials::of_the_source(compared, options.seed, options.seeds.unwrap_or(USUAL_SEEDS), options.generations)?;
    // Each plotted run takes as long as a compared one.
    let all = (RUNS.len() + trials.count()) as f64;
    let mut drawn = Vec::new();
    for (before, preset) in RUNS.into_iter().enumerate() {
        let mut settings = Settings::preset(preset)?;
        settings.tableau.seed = options.seed;
        settings.tableau.generations = options.generations.unwrap_or(settings.tableau.generations);
        settings.tableau.points = points.first().copied().unwrap_or(settings.tableau.points);
        hear(ProgressEvent::News(&format!("{preset}, seed {}, points {} …", options.seed, settings.tableau.points)));
        let mut progress =
            |share: f64, item: String| hear(ProgressEvent::Progress { share: (before as f64 + share) / all, item });
        drawn.push(PlottedRun::run(settings, &out, &options.pool, &mut progress)?);
    }
    let mut hear = |event: ProgressEvent<'_>| match event {
        ProgressEvent::News(text) => hear(ProgressEvent::News(text)),
        ProgressEvent::Progress { share, item } => {
            let done = RUNS.len() as f64 + share * trials.count() as f64;
            hear(ProgressEvent::Progress { share: done / all, item });
        }
    };
    let kept = trials.run(&options.pool, &mut hear)?;
    let mut files = figures(&drawn);
    files.extend([("points.csv".to_owned(), kept.csv()), ("points.svg".to_owned(), kept.plot().svg())]);
    let mut caption = caption("mancala-gp/figures6-9", super::SOURCE, options);
    caption.push(runs_in_words(&drawn));
    for (_, text) in files.iter_mut().filter(|(name, _)| name.ends_with(".svg")) {
        *text = captioned(text, &caption);
    }
    let mut table = table_of(&drawn, &kept);
    table.notes.push(write(&out, files)?);
    Ok(table)
}

/// One of the two plotted runs.
struct PlottedRun {
    settings: Settings,
    rows: Vec<GenerationRow>,
    /// The reason why it ended before its last generation.
    stuck: Option<Error>,
}

impl PlottedRun {
    /// Runs it in its folder below `out`, or resumes it there; `progress` receives the share done and the current generation.
    fn run(
        settings: Settings,
        out: &Path,
        pool: &Pool,
        progress: &mut dyn FnMut(f64, String),
    ) -> Result<PlottedRun, Error> {
        let preset = settings.preset.clone();
        let mut job = open::<KalahRun>(settings.clone(), Some(out.join(&preset)), pool)?;
        while job.step(Budget::time(STEP)) == Status::Running {
            let view = job.run().view();
            let at = format!("{preset}, generation {}/{}", view.generation.unwrap_or(0), view.last_generation);
            progress(view.history.len() as f64 / (view.last_generation + 1) as f64, at);
        }
        let stuck = job.error().cloned();
        if let Some(error) = stuck.as_ref().filter(|_| !job.is_halted()) {
            return Err(error.clone());
        }
        let rows = job.run().history().iter().map(GenerationRow::as_written).collect();
        Ok(PlottedRun { settings, rows, stuck })
    }
}

fn table_of(drawn: &[PlottedRun], kept: &FinishedTrials) -> Table {
    let mut lines = Vec::new();
    for (nth, run) in drawn.iter().enumerate() {
        let tableau = &run.settings.tableau;
        for (feature, published, unit, measure) in &FEATURES {
            let what = format!("{} run, {feature}", ["first", "second"][nth]);
            let mut line = Line::new(what, published[nth], measure(&run.rows), unit);
            line.names = names(tableau.points, nth, feature, 1);
            lines.push(line);
        }
    }
    lines.extend(kept.lines());
    lines.extend(kept.defeats());
    let [first, second] = [0, 1].map(|nth| drawn.get(nth).map_or(Points::Uniform, |run| run.settings.tableau.points));
    let seed = drawn.first().map_or(0, |run| run.settings.tableau.seed);
    let mut notes = vec![
        "Published about the second run: it improved until past generation 100; its mean size never got much higher than 100.".to_owned(),
        format!(
            "The first six lines are those of the plotted runs, with seed {seed}, points {first} and {second}; the next are medians \
             over {} runs, with minimum and maximum, the last the number of runs whose last best program has more than 24 stones.",
            kept.trials.seeds
        ),
    ];
    let stuck = |run: &PlottedRun| run.stuck.as_ref().map(|why| format!("{}: {why}.", run.settings.preset));
    notes.extend(drawn.iter().filter_map(stuck));
    notes.extend(kept.note());
    let mut reading = drawn.last().map(|run| reading(&run.settings)).unwrap_or_default();
    reading.push((
        "second fitness",
        "100 × (first + second) − nodes, at least 1 (fitness=sum-times-rest is the other)".to_owned(),
    ));
    reading.push((
        "crossover",
        "one child: the first parent with the subtree at one point replaced by that at a point of the second"
            .to_owned(),
    ));
    reading
        .push(("points", format!("{first} in the first run, {second} in the second (--set points= compares others)")));
    reading.push(("mutation", "a random node keeps its function and gets new random arguments".to_owned()));
    Table { lines, reading, notes, ..Table::default() }
}

/// Returns the names and contents of the figures' files.
fn figures(drawn: &[PlottedRun]) -> Vec<(String, String)> {
    let series = |name: &str, run: usize, value: fn(&GenerationRow) -> f64| {
        Series::new(name, drawn[run].rows.iter().map(value).collect())
    };
    let fitness = |run| {
        vec![
            series("best", run, |row| row.best),
            series("mean", run, |row| row.mean),
            series("worst", run, |row| row.worst),
        ]
    };
    let both = |of| vec![series("first run", 0, of), series("second run", 1, of)];
    let figures = [
        (6, "best program's scores, moving first and second together", "stones", both(sum)),
        (7, "mean size of programs", "nodes", both(|row| row.mean_nodes)),
        (8, "fitness in the first run", "points", fitness(0)),
        (9, "fitness in the second run", "points", fitness(1)),
    ];
    let files = |(number, title, unit, series): (u32, &str, &str, Vec<Series>)| {
        let csv = csv(unit, &series);
        let title = format!("mancala-gp, Figure {number}: {title}");
        let svg = Plot::new(&title, "generation", unit, series).svg();
        [(format!("figure{number}.csv"), csv), (format!("figure{number}.svg"), svg)]
    };
    figures.into_iter().flat_map(files).collect()
}

/// Returns the runs and their readings in a sentence, for the captions.
fn runs_in_words(drawn: &[PlottedRun]) -> String {
    let run = |run: &PlottedRun| {
        let tableau = &run.settings.tableau;
        format!("{} with seed {} and points={}", run.settings.preset, tableau.seed, tableau.points)
    };
    let runs: Vec<String> = drawn.iter().map(run).collect();
    format!("First and second run: {}.", runs.join("; "))
}

fn csv(unit: &str, series: &[Series]) -> String {
    let names: Vec<String> = series.iter().map(|series| format!("{}_{unit}", series.name.replace(' ', "_"))).collect();
    let mut text = format!("generation,{}\n", names.join(","));
    for generation in 0..series.iter().map(|series| series.values.len()).max().unwrap_or(0) {
        let values: Vec<String> =
            series.iter().map(|series| series.values.get(generation).map_or(String::new(), f64::to_string)).collect();
        text += &format!("{generation},{}\n", values.join(","));
    }
    text
}

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
pub(super) fn medians(name: String, kind: &[RunResult], value: impl Fn(&GenerationRow) -> f64) -> Series {
    let generations = kind.iter().map(|run| run.rows.len()).max().unwrap_or(0);
    let quartiles = |at: usize| {
        let mut values: Vec<f64> = kind.iter().filter_map(|run| run.rows.get(at)).map(&value).collect();
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
    use crate::Options;
    use crate::target::reproduce;

    /// A resumed run knows its rows from their file, where they are rounded.
    #[test]
    fn runs_that_are_taken_up_again_give_the_same_lines() {
        let folder = tempfile::tempdir().unwrap();
        let out = Some(folder.path().to_owned());
        let options = Options { seeds: Some(1), generations: Some(1), out, ..Options::default() };
        let lines =
            || reproduce("mancala-gp/figures6-9", &["points=walk"], options.clone(), &mut |_| ()).unwrap().lines;
        assert_eq!(lines(), lines());
    }

    #[test]
    fn the_middle_of_an_even_number_lies_between_two() {
        assert_eq!(spread(vec![3.0, 1.0, 2.0]), [1.0, 2.0, 3.0]);
        assert_eq!(spread(vec![4.0, 1.0, 2.0, 8.0]), [1.0, 3.0, 8.0]);
        assert_eq!(spread(Vec::new()), [0.0; 3]);
    }
}
