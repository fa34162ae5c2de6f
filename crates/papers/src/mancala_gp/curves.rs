//! Figures 6 to 9: both of the source's runs again, and what each way to draw the points of crossover makes of them.

use std::path::{Path, PathBuf};

use super::features::{FEATURES, RUNS, names, sum};
use super::trials::{Kept, Trials};
use super::{SOURCE, STEP, reading};
use crate::crew::Crew;
use crate::document::Refusal;
use crate::evolve::gp::{GenerationRow, Points};
use crate::evolve::kalah::{KalahJob, Settings};
use crate::files::write_atomic;
use crate::job::Run as _;
use crate::plain;
use crate::plot::{Plot, Series};
use crate::step::{Budget, Job as _, Status};
use crate::{Heard, Line, Table};

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Curves {
    /// Of the runs that are drawn, and of the first that are compared.
    pub seed: u64,
    /// How many runs of each kind are compared, with the seeds from `seed` on.
    pub seeds: u32,
    /// The readings that are compared; the first is that of the runs that are drawn. None: the presets' own are drawn, and
    /// [`READINGS`] are compared.
    pub points: Vec<Points>,
    /// Where files and the runs that are drawn are kept.
    pub out: PathBuf,
}

/// The readings that are compared where none is asked for.
pub const READINGS: [Points; 5] =
    [Points::Uniform, Points::Walk, Points::WalkStopping(25), Points::Depth, Points::Inner];

/// Figures 6 to 9: both runs, and the comparison of readings. Writes `figure6.csv`, `figure6.svg` and so on, `points.csv`,
/// `points.svg`, and the runs that are drawn, into `out`.
///
/// # Errors
/// A file cannot be written: which, and why.
pub fn figures6_9(options: &Curves, crew: &Crew, hear: &mut dyn FnMut(Heard<'_>)) -> Result<Table, Refusal> {
    let compared = if options.points.is_empty() { &READINGS[..] } else { &options.points };
    let trials = Trials::of_the_source(compared, options.seed, options.seeds)?;
    // Each of the runs that are drawn takes as long as one that is compared.
    let all = (RUNS.len() + trials.count()) as f64;
    let mut drawn = Vec::new();
    for (before, preset) in RUNS.into_iter().enumerate() {
        let mut settings = Settings::preset(preset)?;
        settings.tableau.seed = options.seed;
        settings.tableau.points = options.points.first().copied().unwrap_or(settings.tableau.points);
        hear(Heard::News(&format!("{preset}, seed {}, points {} …", options.seed, settings.tableau.points)));
        let mut tell = |share: f64, at: String| hear(Heard::Progress { share: (before as f64 + share) / all, at });
        drawn.push(Drawn::run(settings, &options.out, crew, &mut tell)?);
    }
    let mut hear = |heard: Heard<'_>| match heard {
        Heard::News(text) => hear(Heard::News(text)),
        Heard::Progress { share, at } => {
            let done = RUNS.len() as f64 + share * trials.count() as f64;
            hear(Heard::Progress { share: done / all, at });
        }
    };
    let kept = trials.run(crew, &mut hear)?;
    let mut files = write_figures(&drawn, &options.out)?;
    files.extend(write(&options.out, "points", &kept.csv(), &kept.plot())?);
    let mut table = table_of(&drawn, &kept);
    let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    table.notes.push(format!("Written: {}", files.join(", ")));
    Ok(table)
}

/// One of the two runs, as it is drawn.
struct Drawn {
    settings: Settings,
    rows: Vec<GenerationRow>,
    /// Why it ended before its last generation.
    stuck: Option<String>,
}

impl Drawn {
    /// Runs it in its folder below `out`, or goes on with it there; `tell` hears which part is done, and what is counted.
    fn run(settings: Settings, out: &Path, crew: &Crew, tell: &mut dyn FnMut(f64, String)) -> Result<Drawn, Refusal> {
        let preset = settings.preset.clone();
        let mut job = begin_or_resume(&out.join(&preset), settings.clone(), crew)?;
        while job.step(Budget::time(STEP)) == Status::Running {
            let view = job.run().view();
            let at = format!("{preset}, generation {}/{}", view.generation.unwrap_or(0), view.of);
            tell(view.history.len() as f64 / (view.of + 1) as f64, at);
        }
        let stuck = job.error().map(str::to_owned);
        if let Some(error) = stuck.as_ref().filter(|_| !job.is_stuck()) {
            return Err(error.clone().into());
        }
        Ok(Drawn { settings, rows: job.run().history().iter().copied().collect(), stuck })
    }
}

fn table_of(drawn: &[Drawn], kept: &Kept) -> Table {
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
    let [first, second] = [0, 1].map(|nth| drawn.get(nth).map_or(Points::Uniform, |run| run.settings.tableau.points));
    let seed = drawn.first().map_or(0, |run| run.settings.tableau.seed);
    let mut notes = vec![
        "Published of the second run: it improved until past generation 100; its mean size never got much higher than 100.".to_owned(),
        format!(
            "The first six lines are of the runs that are drawn, with seed {seed}, points {first} and {second}; the others are medians \
             over {} runs, and beside them the least and the most.",
            kept.trials.seeds
        ),
    ];
    let stuck = |run: &Drawn| run.stuck.as_ref().map(|why| format!("{}: {why}.", run.settings.preset));
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
    reading.push(("mutation", "any node keeps its function, its arguments are grown anew".to_owned()));
    Table { target: "mancala-gp/figures6-9", source: SOURCE, lines, reading, notes, ..Table::default() }
}

fn write_figures(drawn: &[Drawn], out: &Path) -> Result<Vec<PathBuf>, Refusal> {
    let series = |name: &str, run: usize, of: fn(&GenerationRow) -> f64| {
        Series::new(name, drawn[run].rows.iter().map(of).collect())
    };
    let fitness = |run| {
        vec![
            series("best", run, |row| row.best),
            series("mean", run, |row| row.mean),
            series("worst", run, |row| row.worst),
        ]
    };
    let size: fn(&GenerationRow) -> f64 = |row| row.mean_nodes;
    let figures = [
        (
            "figure6",
            "Best program's scores, moving first and second together",
            "stones",
            vec![series("first run", 0, sum), series("second run", 1, sum)],
        ),
        (
            "figure7",
            "Mean size of programs",
            "nodes",
            vec![series("first run", 0, size), series("second run", 1, size)],
        ),
        ("figure8", "Fitness in the first run", "points", fitness(0)),
        ("figure9", "Fitness in the second run", "points", fitness(1)),
    ];
    let mut files = Vec::new();
    for (name, title, unit, series) in figures {
        let csv = csv(unit, &series);
        files.extend(write(out, name, &csv, &Plot::new(title, "generation", unit, series))?);
    }
    Ok(files)
}

/// Writes a figure as rows and as a picture; gives both paths.
fn write(out: &Path, name: &str, csv: &str, plot: &Plot) -> Result<[PathBuf; 2], Refusal> {
    let paths = ["csv", "svg"].map(|ending| out.join(format!("{name}.{ending}")));
    for (path, text) in paths.iter().zip([csv, &plot.svg()]) {
        write_atomic(path, text.as_bytes())
            .map_err(|error| format!("cannot write {}: {why}", path.display(), why = plain::reason(&error)))?;
    }
    Ok(paths)
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

/// A run in `folder`, or the one that was interrupted there.
fn begin_or_resume(folder: &Path, settings: Settings, crew: &Crew) -> Result<KalahJob, Refusal> {
    if folder.join("run.toml").exists() {
        let (job, _) = KalahJob::resume(folder, crew)?;
        if *job.run().settings() == settings {
            return Ok(job);
        }
        return Err(format!("{} holds a run with other settings; name another folder", folder.display()).into());
    }
    KalahJob::create(folder, settings, crew)
}
