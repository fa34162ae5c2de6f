//! Both of the source's runs over many seeds, for each way to draw the points of crossover: which of them gives programs of the
//! published sizes. Runs whose programs grow without limit are part of the result: they end early and are reported.

use super::breeding::{RunResult, breed};
use super::curves::{DEFEATS, FEATURES, RUNS, defeating, measured, medians, names};
use crate::evolve::gp::Points;
use crate::evolve::kalah::Settings;
use crate::plot::{Plot, Series};
use crate::pool::Pool;
use crate::{Line, ProgressEvent, Verdict, csv, number};
use mancalab_base::Error;

/// The node limit of a compared run's generation, ten thousand nodes per program: a hundred times the published size.
const MOST_NODES: u64 = 512 * 10_000;

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

/// The finished runs in order: by reading, then run, then seed.
pub(super) struct FinishedTrials {
    pub trials: Trials,
    bred: Vec<RunResult>,
}

impl Trials {
    /// The source's two runs with these readings and seeds.
    ///
    /// # Errors
    /// The presets do not exist.
    pub fn of_the_source(points: &[Points], seed: u64, seeds: u32, generations: Option<u64>) -> Result<Trials, Error> {
        let base = |name| {
            let mut settings = Settings::preset(name)?;
            settings.tableau.generations = generations.unwrap_or(settings.tableau.generations);
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
        let kind = number / self.seeds as usize;
        let seed = (number % self.seeds as usize) as u64;
        Trial { points: self.points[kind / RUNS.len()], nth: kind % RUNS.len(), seed: self.seed.saturating_add(seed) }
    }

    fn settings(&self, number: usize) -> Settings {
        let trial = self.trial(number);
        let mut settings = self.base[trial.nth].clone();
        (settings.tableau.seed, settings.tableau.points) = (trial.seed, trial.points);
        settings
    }

    /// Makes all runs; sends a line for each kind of run.
    pub fn run(&self, pool: &Pool, hear: &mut dyn FnMut(ProgressEvent<'_>)) -> Result<FinishedTrials, Error> {
        let plan: Vec<Settings> = (0..self.count()).map(|number| self.settings(number)).collect();
        let mut reported = 0;
        let runs = self.seeds as usize;
        let bred = breed(&plan, pool, &mut |bred, newest| {
            // Report kinds in order, whichever finishes first.
            while let Some(kind) = bred
                .get(reported..reported + runs)
                .and_then(|kind| kind.iter().cloned().collect::<Option<Vec<RunResult>>>())
            {
                hear(ProgressEvent::News(&news(self.trial(reported), &kind)));
                reported += runs;
            }
            let done = bred.iter().flatten().count();
            let at = self.trial(newest);
            let at = format!("{}, {} run, seed {}, {done}/{} runs", at.points, word(at.nth), at.seed, self.count());
            hear(ProgressEvent::Progress { share: done as f64 / self.count() as f64, item: at });
        })?;
        Ok(FinishedTrials { trials: self.clone(), bred })
    }
}

fn word(nth: usize) -> &'static str {
    ["first", "second"][nth]
}

/// Returns the number of runs of one kind that grew too large.
fn stuck(kind: &[RunResult]) -> usize {
    kind.iter().filter(|run| run.is_halted).count()
}

fn news(trial: Trial, kind: &[RunResult]) -> String {
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

impl FinishedTrials {
    /// Returns the runs of each kind, in order.
    fn kinds(&self) -> impl Iterator<Item = (Trial, &[RunResult])> {
        let runs = self.trials.seeds as usize;
        self.bred.chunks(runs).enumerate().map(move |(nth, kind)| (self.trials.trial(nth * runs), kind))
    }

    /// Returns a line for each kind of run and way to defeat the search: the number of its runs whose last best program does.
    pub fn defeats(&self) -> Vec<Line> {
        let seeds = self.trials.seeds;
        let mut lines = Vec::new();
        for (Trial { points, nth, .. }, kind) in self.kinds() {
            for (what, defeats) in DEFEATS {
                let count = defeating(kind, defeats);
                // "Both runs of the project resulted in programs that could defeat the eight-level depth-first search."
                let verdict = match count as u32 {
                    0 => Verdict::No,
                    all if all == seeds => Verdict::Yes,
                    _ => Verdict::Open,
                };
                let line = Line::new(format!("{points}: {} run, {what}", word(nth)), None, count as f64, "runs");
                let line = line.judged(verdict, format_args!("yes if all {seeds} runs do, no if none does"));
                lines.push(line.named(names(points, nth, what, seeds)));
            }
        }
        lines
    }

    /// Returns a line for each kind of run and feature: the median, with the range as a remark.
    pub fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for (Trial { points, nth, .. }, kind) in self.kinds() {
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
        let any = self.bred.iter().any(|run| run.is_halted);
        let [most, _] = self.trials.base.each_ref().map(|base| base.tableau.max_nodes);
        any.then(|| {
            format!("A run that grew without end was stopped before a generation reached {most} nodes; its numbers are those until then.")
        })
    }

    /// Formats a CSV row for each run.
    pub fn csv(&self) -> String {
        let header = ["points", "run", "seed", "generations", "grew_without_end"].into_iter();
        let features = FEATURES.map(|(feature, _, unit, _)| format!("{}_{unit}", feature.replace(' ', "_")));
        let row = |(number, run): (usize, &RunResult)| {
            let Trial { points, nth, seed } = self.trials.trial(number);
            let last = run.rows.last().map_or(0, |row| row.generation);
            let about = [points.to_string(), (nth + 1).to_string(), seed.to_string(), last.to_string()];
            let measured = FEATURES.map(|(.., measure)| measure(&run.rows).to_string());
            csv::row(about.into_iter().chain([run.is_halted.to_string()]).chain(measured))
        };
        csv::row(header.map(str::to_owned).chain(features)) + &self.bred.iter().enumerate().map(row).collect::<String>()
    }

    /// Plots Figure 7's second curve for each reading: the median of the mean sizes in each generation.
    pub fn plot(&self) -> Plot {
        let second = self.kinds().filter(|(trial, _)| trial.nth == 1);
        let series = second.map(|(trial, kind)| {
            let medians = medians(trial.points.to_string(), kind, |row| row.mean_nodes);
            // As many bands as readings would hide each other.
            Series { intervals: Vec::new(), ..medians }
        });
        let title = format!(
            "mancala-gp, Figure 7: mean size in the second run by points=, median of {} seeds",
            self.trials.seeds
        );
        Plot::new(&title, "generation", "nodes", series.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::KeyedSettings as _;

    #[test]
    fn every_reading_runs_both_runs_with_every_seed() {
        let trials = Trials::of_the_source(&[Points::Walk, Points::Depth], 5, 3, None).unwrap();
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
        let mut trials = Trials::of_the_source(&[Points::Uniform, Points::WalkStopping(50)], 3, 2, None).unwrap();
        for base in &mut trials.base {
            let texts = ["population=64", "generations=25", "mutation=5", "opponents=minimax:2", "max_nodes=20000"];
            texts.iter().for_each(|text| base.set_text(text).unwrap());
        }
        trials
    }

    #[test]
    fn what_is_compared_follows_from_seeds_alone_and_survives_runs_that_grow_without_end() {
        let mut news = Vec::new();
        let mut shares = Vec::new();
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
        let defeats = kept.defeats();
        assert_eq!((defeats.len(), &*defeats[2].what), (4 * 3, "uniform: first run, defeats the search both ways"));
        for three in defeats.chunks(3) {
            let [first, second, both] = [0, 1, 2].map(|nth| three[nth].measured.unwrap());
            assert!(both <= first.min(second) && first + second - both <= 2.0, "{three:?}");
        }
        assert_eq!(lines.len(), 4 * FEATURES.len());
        assert_eq!((lines[3].published, &*lines[3].what), (Some(66.0), "uniform: second run, best sum"));
        let plot = kept.plot();
        assert_eq!(plot.series.iter().map(|series| &*series.name).collect::<Vec<_>>(), ["uniform", "walk:50"]);
        let other = small().run(&Pool::new(3), &mut |_| ()).unwrap();
        assert_eq!(other.csv(), kept.csv());
        assert_eq!(other.lines(), lines);
    }
}
