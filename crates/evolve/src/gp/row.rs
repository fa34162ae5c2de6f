//! Statistics of a generation: a row of `generations.csv`.

use mancalab_base::Error;
use std::ops::Deref;

use serde::{Serialize, Serializer};

use super::population::{Operator, Population};
use super::problem::{Measures, Scores};
use crate::chunks::Chunks;
use crate::program::language::Language;
use crate::row::{Cells, Row};

/// The statistics of a generation. Fitness in the problem's points; sizes in nodes; depths in nodes from the root to the
/// farthest leaf.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct GenerationRow {
    pub generation: u64,
    pub best: f64,
    pub upper_quartile: f64,
    pub median: f64,
    pub lower_quartile: f64,
    pub worst: f64,
    pub mean: f64,
    /// Scores of the fittest program.
    pub best_scores: Scores,
    pub best_nodes: u32,
    pub best_depth: u32,
    pub mean_nodes: f64,
    pub max_nodes: u32,
    pub mean_depth: f64,
    pub max_depth: u32,
    pub unique_programs: u32,
    pub unique_behaviours: u32,
    /// Operator, birth and parents' ranks (0: none) of the fittest program.
    #[serde(serialize_with = "as_text")]
    pub operator: Operator,
    pub born: u64,
    pub parents: [u32; 2],
}

fn as_text<S: Serializer>(operator: &Operator, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(operator)
}

impl GenerationRow {
    pub fn from_population<L: Language>(population: &Population<L>) -> GenerationRow {
        let fitness = |rank: usize| population.ranked(rank).map_or(0.0, |individual| individual.outcome.fitness);
        let sums = Sums::add_up(population);
        let mean = |sum: f64| sum / population.len() as f64;
        let best = population.best();
        let birth = best.birth();
        let last = population.len() - 1;
        GenerationRow {
            generation: population.generation,
            best: fitness(0),
            upper_quartile: quantile(last, 1, &fitness),
            median: quantile(last, 2, &fitness),
            lower_quartile: quantile(last, 3, &fitness),
            worst: fitness(last),
            mean: mean(sums.fitness),
            best_scores: best.outcome.scores,
            best_nodes: best.nodes,
            best_depth: best.depth,
            mean_nodes: mean(sums.nodes),
            max_nodes: sums.max_nodes,
            mean_depth: mean(sums.depth),
            max_depth: sums.max_depth,
            unique_programs: distinct(sums.hashes),
            unique_behaviours: distinct(sums.behaviours),
            operator: birth.operator,
            born: birth.generation,
            parents: birth.parents,
        }
    }

    /// Returns the row as it is in files, rounded, which is what a resumed run knows of it.
    ///
    /// # Panics
    /// If a written row cannot be read.
    #[must_use]
    pub fn as_written(&self) -> GenerationRow {
        let generation = self.generation as usize;
        GenerationRow::with_scores(self.best_scores.len()).read(&self.to_row(), generation).expect("a row can be read")
    }

    /// Returns an empty row with this number of scores, to be read into.
    fn with_scores(scores: usize) -> GenerationRow {
        GenerationRow { best_scores: Scores::new(&vec![0.0; scores]), ..GenerationRow::default() }
    }
}

impl Row for GenerationRow {
    fn columns(&mut self, cells: &mut Cells<'_>) -> Option<()> {
        let real = |cells: &mut Cells<'_>, value: &mut f64| cells.cell(value, |value| short(*value));
        cells.plain(&mut self.generation)?;
        real(cells, &mut self.best)?;
        real(cells, &mut self.upper_quartile)?;
        real(cells, &mut self.median)?;
        real(cells, &mut self.lower_quartile)?;
        real(cells, &mut self.worst)?;
        real(cells, &mut self.mean)?;
        self.best_scores.iter_mut().try_for_each(|score| real(cells, score))?;
        cells.plain(&mut self.best_nodes)?;
        cells.plain(&mut self.best_depth)?;
        real(cells, &mut self.mean_nodes)?;
        cells.plain(&mut self.max_nodes)?;
        real(cells, &mut self.mean_depth)?;
        cells.plain(&mut self.max_depth)?;
        cells.plain(&mut self.unique_programs)?;
        cells.plain(&mut self.unique_behaviours)?;
        cells.plain(&mut self.operator)?;
        cells.plain(&mut self.born)?;
        self.parents.iter_mut().try_for_each(|parent| cells.plain(parent))
    }
}

/// Sums over a generation, computed in one pass in the order of its numbers, as it may be large.
#[derive(Default)]
struct Sums {
    fitness: f64,
    nodes: f64,
    depth: f64,
    max_nodes: u32,
    max_depth: u32,
    hashes: Vec<u64>,
    behaviours: Vec<u64>,
}

impl Sums {
    fn add_up<L: Language>(population: &Population<L>) -> Sums {
        let with_room = || Vec::with_capacity(population.len());
        let mut sums = Sums { hashes: with_room(), behaviours: with_room(), ..Sums::default() };
        for one in &population.individuals {
            let nodes = one.nodes;
            sums.fitness += one.outcome.fitness;
            sums.nodes += f64::from(nodes);
            sums.depth += f64::from(one.depth);
            sums.max_nodes = sums.max_nodes.max(nodes);
            sums.max_depth = sums.max_depth.max(one.depth);
            sums.hashes.push(one.hash);
            sums.behaviours.push(one.outcome.behaviour);
        }
        sums
    }
}

/// Returns the number of distinct values.
fn distinct(mut all: Vec<u64>) -> u32 {
    all.sort_unstable();
    all.dedup();
    all.len() as u32
}

/// Returns the fitness a quarter, half or three quarters down the ranking, interpolated between two ranks.
fn quantile(last: usize, quarter: usize, fitness: &dyn Fn(usize) -> f64) -> f64 {
    let rank = last * quarter / 4;
    let part = (last * quarter % 4) as f64 / 4.0;
    fitness(rank) + part * (fitness((rank + 1).min(last)) - fitness(rank))
}

/// Formats fitness and scores: integers plainly, other numbers with four decimals.
pub fn short(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.4}") }
}

/// All rows of a run.
#[derive(Clone, Debug)]
pub struct History {
    measures: &'static Measures,
    rows: Chunks<GenerationRow>,
}

impl Deref for History {
    type Target = Chunks<GenerationRow>;

    fn deref(&self) -> &Chunks<GenerationRow> {
        &self.rows
    }
}

impl History {
    /// Creates an empty history of a run with these measures.
    pub fn new(measures: &'static Measures) -> History {
        History { measures, rows: Chunks::default() }
    }

    /// Returns the measures of the best of each generation.
    pub fn measures(&self) -> &'static Measures {
        self.measures
    }

    pub fn push(&mut self, row: GenerationRow) {
        self.rows.push(row);
    }

    /// Returns at most `most` evenly spaced rows for a chart, including the last.
    pub fn spread(&self, most: usize) -> Vec<GenerationRow> {
        let step = self.len().div_ceil(most.max(1)).max(1);
        let last = self.len().saturating_sub(1);
        (0..self.len()).rev().step_by(step).map(|back| last - back).filter_map(|at| self.get(at)).copied().collect()
    }

    /// Reads the next row of `generations.csv`.
    ///
    /// # Errors
    /// Returns an error if it is invalid or belongs to another generation.
    pub fn read(&mut self, row: &str) -> Result<(), Error> {
        self.push(GenerationRow::with_scores(self.measures.all.len()).read(row, self.len())?);
        Ok(())
    }
}
