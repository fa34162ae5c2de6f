//! Both of the source's runs over many seeds, for each way to draw the points of crossover: which of them gives programs of the
//! published sizes.
//!
//! Several runs are made in parallel, each by a single worker, so the result does not depend on the number of workers. Runs whose
//! programs grow without limit are part of the result: they end early and are reported.

use super::STEP;
use super::features::{FEATURES, RUNS, names};
use crate::budget::{Budget, Job as _, Status};
use crate::evolve::gp::{GenerationRow, Points};
use crate::evolve::kalah::{KalahJob, Settings};
use crate::plot::{Plot, Series};
use crate::pool::Pool;
use crate::{Line, ProgressEvent, csv, number};
use mancalab_base::Error;

/// The node limit of a compared run's generation, ten thousand nodes per program: a hundred times the published size.
const MOST_NODES: u64 = 512 * 10_000;

/// The maximum number of parallel runs, which limits the memory of runs that grow without limit.
const AT_ONCE: usize = 8;

/// The runs to compare.
#[derive(Clone, Debug)]
pub(super) struct Trials {
    /// The settings of the first run and the second, except for points and seed.
    pub base: [Settings; 2],
    pub points: Vec<Points>,
    pub seed: u64,
    /// The number of seeds, from `seed` on.
    pub seeds: u32,
}

/// One of the runs.
#[derive(Clone, Copy, Debug)]
struct Trial {
    points: Points,
    /// Which of the source's runs, counted from 0.
    nth: usize,
    seed: u64,
}

/// A run in progress.
struct WorkerState {
    number: usize,
    job: KalahJob,
    status: Status,
}

/// A finished run.
#[derive(Clone, Debug)]
struct Ended {
    trial: Trial,
    rows: Vec<GenerationRow>,
    /// Whether it stopped because its programs grew too large.
    is_halted: bool,
}

/// The finished runs in order: by reading, then run, then seed.
pub(super) struct Kept {
    pub trials: Trials,
    ended: Vec<Ended>,
}

impl Trials {
    /// The source's two runs with these readings and seeds.
    ///
    /// # Errors
    /// The presets do not exist.
    pub fn of_the_source(points: &[Points], seed: u64, seeds: u32) -> Result<Trials, Error> {
        let base = |name| {
            let mut settings = Settings::preset(name)?;
            settings.tableau.max_nodes = MOST_NODES;
            Ok::<Settings, Error>(settings)
        };
        Ok(Trials { base: [base(RUNS[0])?, base(RUNS[1])?], points: points.to_vec(), seed, seeds })
    }

    /// Returns the number of runs.
    pub fn count(&self) -> usize {
        self.points.len() * RUNS.len() * self.seeds as usize
    }

    fn trial(&self, number: usize) -> Trial {
        let (kind, seed) = (number / self.seeds as usize, (number % self.seeds as usize) as u64);
        Trial { points: self.points[kind / RUNS.len()], nth: kind % RUNS.len(), seed: self.seed.saturating_add(seed) }
    }

    fn begin(&self, trial: Trial) -> Result<KalahJob, Error> {
        let mut settings = self.base[trial.nth].clone();
        (settings.tableau.seed, settings.tableau.points) = (trial.seed, trial.points);
        KalahJob::in_memory(settings, &Pool::alone())
    }

    /// Makes all runs; sends a line for each kind of run.
    pub fn run(&self, pool: &Pool, hear: &mut dyn FnMut(ProgressEvent<'_>)) -> Result<Kept, Error> {
        let mut ended: Vec<Option<Ended>> = vec![None; self.count()];
        let mut workers: Vec<WorkerState> = Vec::new();
        let (mut begun, mut reported) = (0, 0);
        while reported < self.count() {
            while begun < self.count() && workers.len() < pool.count().min(AT_ONCE) {
                workers.push(WorkerState {
                    number: begun,
                    job: self.begin(self.trial(begun))?,
                    status: Status::Running,
                });
                begun += 1;
            }
            pool.each(&mut workers, |worker| worker.status = worker.job.step(Budget::time(STEP)));
            for worker in workers.extract_if(.., |worker| worker.status == Status::Done) {
                ended[worker.number] = Some(Ended::of(self.trial(worker.number), &worker.job));
            }
            // Report kinds in order, whichever finishes first.
            let runs = self.seeds as usize;
            while let Some(kind) = ended.get(reported..reported + runs).filter(|kind| kind.iter().all(Option::is_some))
            {
                let kind: Vec<Ended> = kind.iter().flatten().cloned().collect();
                hear(ProgressEvent::News(&news(&kind)));
                reported += runs;
            }
            let done = ended.iter().flatten().count();
            let at = self.trial((begun - 1).min(self.count() - 1));
            let at = format!("{}, {} run, seed {}, {done}/{} runs", at.points, word(at.nth), at.seed, self.count());
            hear(ProgressEvent::Progress { share: done as f64 / self.count() as f64, at });
        }
        Ok(Kept { trials: self.clone(), ended: ended.into_iter().flatten().collect() })
    }
}

impl Ended {
    fn of(trial: Trial, job: &KalahJob) -> Ended {
        Ended { trial, rows: job.run().history().iter().copied().collect(), is_halted: job.is_halted() }
    }
}

fn word(nth: usize) -> &'static str {
    ["first", "second"][nth]
}

/// Returns minimum, median and maximum; 0 for no values.
fn spread(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let at = |index: usize| values.get(index).copied().unwrap_or(0.0);
    let last = values.len().saturating_sub(1);
    [at(0), (at(last / 2) + at(last.div_ceil(2))) / 2.0, at(last)]
}

/// Returns the spread of a feature over runs of one kind.
fn measured(kind: &[Ended], measure: fn(&[GenerationRow]) -> f64) -> [f64; 3] {
    spread(kind.iter().map(|run| measure(&run.rows)).collect())
}

/// Returns the number of runs of one kind that grew too large.
fn stuck(kind: &[Ended]) -> usize {
    kind.iter().filter(|run| run.is_halted).count()
}

fn news(kind: &[Ended]) -> String {
    let Some(Ended { trial, .. }) = kind.first() else { return String::new() };
    let parts = FEATURES.map(|(feature, .., measure)| {
        let [least, median, most] = measured(kind, measure);
        format!("{feature} {} ({least:.0} to {most:.0})", number(median))
    });
    let stuck = match stuck(kind) {
        0 => String::new(),
        count => format!(", {count} of {} grew without end", kind.len()),
    };
    format!("{}, {} run: {}{stuck}", trial.points, word(trial.nth), parts.join(", "))
}

impl Kept {
    /// Returns the runs of each kind, in order.
    fn kinds(&self) -> impl Iterator<Item = &[Ended]> {
        self.ended.chunks(self.trials.seeds as usize)
    }

    /// Returns a line for each kind of run and feature: the median, with the range as a remark.
    pub fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for kind in self.kinds() {
            let Trial { points, nth, .. } = kind[0].trial;
            for (feature, published, unit, measure) in &FEATURES {
                let [least, median, most] = measured(kind, *measure);
                let stuck = match stuck(kind) {
                    0 => String::new(),
                    count => format!("; {count} of {} grew without end", kind.len()),
                };
                let what = format!("{points}: {} run, {feature}", word(nth));
                let line = Line::new(what, published[nth], median, unit);
                let mut line = line.remarked(format!("{least:.0} to {most:.0}{stuck}"));
                line.names = names(points, nth, feature, self.trials.seeds);
                lines.push(line);
            }
        }
        lines
    }

    /// Explains runs that grew without limit, if there are any.
    pub fn note(&self) -> Option<String> {
        let any = self.ended.iter().any(|run| run.is_halted);
        let [most, _] = self.trials.base.each_ref().map(|base| base.tableau.max_nodes);
        any.then(|| {
            format!("A run that grew without end was stopped before a generation reached {most} nodes; its numbers are those until then.")
        })
    }

    /// Formats a CSV row for each run.
    pub fn csv(&self) -> String {
        let header = ["points", "run", "seed", "generations", "grew_without_end"].into_iter();
        let features = FEATURES.map(|(feature, _, unit, _)| format!("{}_{unit}", feature.replace(' ', "_")));
        let row = |run: &Ended| {
            let Trial { points, nth, seed } = run.trial;
            let last = run.rows.last().map_or(0, |row| row.generation);
            let about = [points.to_string(), (nth + 1).to_string(), seed.to_string(), last.to_string()];
            let measured = FEATURES.map(|(.., measure)| measure(&run.rows).to_string());
            csv::row(about.into_iter().chain([run.is_halted.to_string()]).chain(measured))
        };
        csv::row(header.map(str::to_owned).chain(features)) + &self.ended.iter().map(row).collect::<String>()
    }

    /// Plots Figure 7's second curve for each reading: the median of the mean sizes in each generation.
    pub fn plot(&self) -> Plot {
        let second = self.kinds().filter(|kind| kind[0].trial.nth == 1);
        let series = second.map(|kind| {
            let generations = kind.iter().map(|run| run.rows.len()).max().unwrap_or(0);
            let median = |at: usize| {
                spread(kind.iter().filter_map(|run| run.rows.get(at)).map(|row| row.mean_nodes).collect())[1]
            };
            Series::new(kind[0].trial.points.to_string(), (0..generations).map(median).collect())
        });
        let title = format!("Mean size in the second run by points of crossover, median of {} runs", self.trials.seeds);
        Plot::new(&title, "generation", "nodes", series.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::KeyedSettings as _;

    #[test]
    fn the_middle_of_an_even_number_lies_between_two() {
        assert_eq!(spread(vec![3.0, 1.0, 2.0]), [1.0, 2.0, 3.0]);
        assert_eq!(spread(vec![4.0, 1.0, 2.0, 8.0]), [1.0, 3.0, 8.0]);
        assert_eq!(spread(Vec::new()), [0.0; 3]);
    }

    #[test]
    fn every_reading_runs_both_runs_with_every_seed() {
        let trials = Trials::of_the_source(&[Points::Walk, Points::Depth], 5, 3).unwrap();
        let all: Vec<(String, usize, u64)> = (0..trials.count())
            .map(|number| trials.trial(number))
            .map(|Trial { points, nth, seed }| (points.to_string(), nth, seed))
            .collect();
        assert_eq!(all.len(), 12);
        assert_eq!(all[0], ("walk".to_owned(), 0, 5));
        assert_eq!(all[5], ("walk".to_owned(), 1, 7));
        assert_eq!(all[11], ("depth".to_owned(), 1, 7));
    }

    /// Small runs, some of which grow without limit.
    fn small() -> Trials {
        let mut trials = Trials::of_the_source(&[Points::Uniform, Points::WalkStopping(50)], 3, 2).unwrap();
        for base in &mut trials.base {
            let texts = ["population=64", "generations=25", "mutation=5", "opponents=minimax:2", "max_nodes=20000"];
            texts.iter().for_each(|text| base.set_text(text).unwrap());
        }
        trials
    }

    #[test]
    fn what_is_compared_follows_from_seeds_alone_and_survives_runs_that_grow_without_end() {
        let (mut news, mut shares) = (Vec::new(), Vec::new());
        let kept = small().run(&Pool::alone(), &mut |event| match event {
            ProgressEvent::News(text) => news.push(text.to_owned()),
            ProgressEvent::Progress { share, .. } => shares.push(share),
        });
        let kept = kept.unwrap();
        let starts = ["uniform, first run: ", "uniform, second run: ", "walk:50, first run: ", "walk:50, second run: "];
        assert_eq!(news.len(), starts.len());
        assert!(news.iter().zip(starts).all(|(news, start)| news.starts_with(start)), "{news:?}");
        assert!(shares.is_sorted() && shares.last() == Some(&1.0));
        let rows = csv::parse(&kept.csv());
        assert_eq!(rows.len(), 1 + 8);
        assert_eq!(
            rows[0].join(","),
            "points,run,seed,generations,grew_without_end,best_sum_stones,last_improvement_generation,largest_mean_size_nodes"
        );
        let grew: Vec<&Vec<String>> = rows.iter().filter(|row| row[4] == "true").collect();
        assert!(grew.iter().any(|row| row[..2] == ["walk:50", "1"]), "{rows:?}");
        assert!(grew.iter().all(|row| row[3] != "25"), "{grew:?}");
        assert!(news[2].ends_with(" of 2 grew without end"), "{}", news[2]);
        assert!(kept.note().unwrap().contains("20000 nodes"));
        let lines = kept.lines();
        assert_eq!(lines.len(), 4 * FEATURES.len());
        assert_eq!((lines[3].published, &*lines[3].what), (Some(66.0), "uniform: second run, best sum"));
        let plot = kept.plot();
        assert_eq!(plot.series.iter().map(|series| &*series.name).collect::<Vec<_>>(), ["uniform", "walk:50"]);
        let other = small().run(&Pool::new(3), &mut |_| ()).unwrap();
        assert_eq!(other.csv(), kept.csv());
        assert_eq!(other.lines(), lines);
    }
}
