//! Table 3: twenty runs of the genetic algorithm, and the weights each ended with.

use super::{READING, line};
use crate::evolve::ga::weights::{WeightsRun, WeightsSettings, preset};
use crate::evolve::ga::{Genome, Past};
use crate::job::{Budget, Progress, Run};
use crate::player::heuristic::terms::COUNT;
use crate::player::heuristic::weights::{TABLE3, TABLE3_FITNESS};

/// How Table 3 is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// 20 in the thesis.
    pub runs: u32,
    /// 250 in the thesis.
    pub generations: u64,
    /// The seed of the first run; the others have those after it.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { runs: 20, generations: 250, seed: 1 }
    }
}

/// One run's end.
#[derive(Clone, PartialEq, Debug)]
pub struct Ended {
    pub seed: u64,
    /// Of the best of the last generation.
    pub weights: Genome,
    /// In percent of the points there were to win in that generation.
    pub fitness: f64,
    /// The highest of any generation, which is of other opponents.
    pub highest: f64,
    /// A row for each generation.
    pub past: Vec<Past>,
}

/// The runs that were made.
#[derive(Clone, PartialEq, Debug)]
pub struct Table3 {
    pub settings: Settings,
    pub runs: Vec<Ended>,
}

/// One column: a weight or the fitness, over the runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Column {
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}

impl Column {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Column {
        let count = values.clone().count().max(1) as f64;
        Column {
            mean: values.clone().sum::<f64>() / count,
            low: values.clone().fold(f64::INFINITY, f64::min),
            high: values.fold(f64::NEG_INFINITY, f64::max),
        }
    }

    /// A column of the thesis' table: a weight counted from 0, or behind the last the fitness.
    pub fn published(index: usize) -> Column {
        match index {
            COUNT => Column::of(TABLE3_FITNESS.into_iter()),
            _ => Column::of(TABLE3.iter().map(|weights| weights.reals()[index])),
        }
    }
}

impl Table3 {
    /// The settings of a run of the table.
    pub fn run_settings(settings: Settings, index: u32) -> WeightsSettings {
        let preset = preset("kalah-thesis").expect("a preset of this name is shipped");
        WeightsSettings { seed: settings.seed + u64::from(index), generations: settings.generations, ..preset }
    }

    /// Makes the runs; `done` is told of every generation that has ended, with the run's number from 0.
    ///
    /// # Errors
    /// The settings cannot be run with.
    pub fn play(settings: Settings, done: impl Fn(u32, &Past)) -> Result<Table3, String> {
        let mut runs = Vec::new();
        for index in 0..settings.runs {
            let mut run = WeightsRun::start(Table3::run_settings(settings, index))?;
            while run.advance(Budget::UNLIMITED) != Progress::Done {
                run.past().last().inspect(|past| done(index, past));
            }
            runs.extend(Ended::of(&run));
        }
        Ok(Table3 { settings, runs })
    }

    /// A column of the table that was measured; see [`Column::published`].
    pub fn column(&self, index: usize) -> Column {
        Column::of(self.runs.iter().map(|run| if index == COUNT { run.fitness } else { run.weights[index] }))
    }

    pub fn to_text(&self) -> String {
        let Settings { runs, generations, seed } = self.settings;
        let mut text = format!(
            "Kalah thesis, Table 3: {runs} runs of {generations} generations, seeds {seed} to {}\n{READING};\nroulette, \
             one-point crossover, elite 1, sigma 0.1, start around W6 W7 0.8, W3 0.2, W4 1, the rest 0.5\n\n",
            seed + u64::from(runs).saturating_sub(1)
        );
        let widths: Vec<usize> = std::iter::once(16).chain([5; COUNT]).chain([7, 7]).collect();
        let weights = (1..=COUNT).map(|number| format!("W{number}"));
        let head: Vec<String> =
            ["seed".to_owned()].into_iter().chain(weights).chain(["fitness".into(), "highest".into()]).collect();
        line(&mut text, &widths, &head);
        for run in &self.runs {
            let mut cells = vec![run.seed.to_string()];
            cells.extend(run.weights.iter().map(|weight| format!("{weight:.3}")));
            cells.extend([format!("{:.1} %", run.fitness), format!("{:.1} %", run.highest)]);
            line(&mut text, &widths, &cells);
        }
        text.push('\n');
        let columns = |column: &dyn Fn(usize) -> Column| (0..=COUNT).map(column).collect::<Vec<Column>>();
        for (whose, columns) in [("published", columns(&Column::published)), ("measured", columns(&|i| self.column(i)))]
        {
            for (what, value) in
                [("mean", (|c: &Column| c.mean) as fn(&Column) -> f64), ("lowest", |c| c.low), ("highest", |c| c.high)]
            {
                let mut cells = vec![format!("{whose} {what}")];
                cells.extend(columns[..COUNT].iter().map(|column| format!("{:.3}", value(column))));
                cells.push(format!("{:.1} %", value(&columns[COUNT])));
                line(&mut text, &widths, &cells);
            }
        }
        text
    }

    /// The header of [`csv`](Table3::csv).
    pub const CSV: &'static str = "whose,run,W1,W2,W3,W4,W5,W6,W7,W8,W9,W10,fitness_percent";

    /// A row for each run, the published ones first.
    pub fn csv(&self) -> Vec<String> {
        let row = |whose: &str, run: u64, weights: &[f64], fitness: f64| {
            let weights: String = weights.iter().map(|weight| format!(",{weight}")).collect();
            format!("{whose},{run}{weights},{fitness:.1}")
        };
        let published = (1..).zip(TABLE3.iter().zip(TABLE3_FITNESS));
        let published = published.map(|(run, (weights, fitness))| row("published", run, &weights.reals(), fitness));
        published.chain(self.runs.iter().map(|run| row("measured", run.seed, &run.weights, run.fitness))).collect()
    }
}

impl Ended {
    /// `None` of a run that has not begun.
    fn of(run: &WeightsRun) -> Option<Ended> {
        let past = run.past();
        let last = past.last()?;
        let highest = past.iter().map(|past| past.best).fold(0.0, f64::max);
        let (seed, weights) = (run.settings().seed, last.best_genome.clone());
        Some(Ended { seed, weights, fitness: last.best, highest, past: past.to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_columns_are_those_of_the_table() {
        let (w4, w7, fitness) = (Column::published(3), Column::published(6), Column::published(COUNT));
        assert_eq!((w4.mean, w4.low, w4.high), (1.0, 1.0, 1.0));
        assert_eq!((w7.low, w7.high), (0.715, 1.0));
        assert_eq!((fitness.low, fitness.high), (57.3, 68.7));
    }

    #[test]
    fn runs_are_those_of_their_seeds() {
        let one = Table3::play(Settings { runs: 1, generations: 0, seed: 2 }, |_, _| ()).unwrap();
        let two = Table3::play(Settings { runs: 2, generations: 0, seed: 1 }, |_, _| ()).unwrap();
        assert_eq!(one.runs[0], two.runs[1]);
        assert_eq!(two.csv().len(), 22);
        assert_eq!(two.runs[0].weights[3], 1.0);
        let text = two.to_text();
        assert!(text.contains("published mean") && text.contains("measured highest"), "{text}");
    }
}
