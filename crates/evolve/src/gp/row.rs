//! A generation in numbers: a row of `generations.csv`.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::population::{Operator, Population};
use super::scores::{Measures, Scores};
use crate::program::language::Language;

/// A generation's statistics. Fitness in the problem's points; sizes in nodes; depths in nodes from the root to the farthest.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct GenerationRow {
    pub generation: u64,
    pub best: f64,
    pub upper_quartile: f64,
    pub median: f64,
    pub lower_quartile: f64,
    pub worst: f64,
    pub mean: f64,
    /// Of the fittest program.
    pub best_scores: Scores,
    pub best_nodes: u32,
    pub best_depth: u32,
    pub mean_nodes: f64,
    pub max_nodes: u32,
    pub mean_depth: f64,
    pub max_depth: u32,
    pub unique_programs: u32,
    pub unique_behaviours: u32,
    /// How the fittest program was made, when, and from parents of which ranks (0: none).
    #[serde(serialize_with = "as_text")]
    pub operator: Operator,
    pub born: u64,
    pub parents: [u32; 2],
}

fn as_text<S: Serializer>(operator: &Operator, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(operator)
}

impl GenerationRow {
    pub fn of<L: Language>(population: &Population<L>) -> GenerationRow {
        let fitness = |rank: usize| population.ranked(rank).map_or(0.0, |individual| individual.outcome.fitness);
        let sums = Sums::of(population);
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

    /// The row without its line end; what [`parse`](GenerationRow::parse) reads.
    pub fn to_csv(&self) -> String {
        let scores: String = self.best_scores.iter().map(|&score| short(score) + ",").collect();
        let [one, other] = self.parents;
        format!(
            "{},{},{},{},{},{},{},{scores}{},{},{},{},{},{},{},{},{},{},{},{}",
            self.generation,
            short(self.best),
            short(self.upper_quartile),
            short(self.median),
            short(self.lower_quartile),
            short(self.worst),
            short(self.mean),
            self.best_nodes,
            self.best_depth,
            short(self.mean_nodes),
            self.max_nodes,
            short(self.mean_depth),
            self.max_depth,
            self.unique_programs,
            self.unique_behaviours,
            self.operator,
            self.born,
            one,
            other
        )
    }

    /// A row of `generations.csv` with so many scores; `None` if it is none. Means come back as rounded there.
    pub fn parse(row: &str, scores: usize) -> Option<GenerationRow> {
        fn next<'a, T: std::str::FromStr>(cells: &mut impl Iterator<Item = &'a str>) -> Option<T> {
            cells.next()?.parse().ok()
        }
        let cells = &mut row.split(',');
        let row = GenerationRow {
            generation: next(cells)?,
            best: next(cells)?,
            upper_quartile: next(cells)?,
            median: next(cells)?,
            lower_quartile: next(cells)?,
            worst: next(cells)?,
            mean: next(cells)?,
            best_scores: Scores::of(&(0..scores).map(|_| next(cells)).collect::<Option<Vec<f64>>>()?),
            best_nodes: next(cells)?,
            best_depth: next(cells)?,
            mean_nodes: next(cells)?,
            max_nodes: next(cells)?,
            mean_depth: next(cells)?,
            max_depth: next(cells)?,
            unique_programs: next(cells)?,
            unique_behaviours: next(cells)?,
            operator: next(cells)?,
            born: next(cells)?,
            parents: [next(cells)?, next(cells)?],
        };
        cells.next().is_none().then_some(row)
    }
}

/// What is added up over a generation, in the order of its numbers, in one go: it may be large.
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
    fn of<L: Language>(population: &Population<L>) -> Sums {
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

/// How many different ones there are.
fn distinct(mut all: Vec<u64>) -> u32 {
    all.sort_unstable();
    all.dedup();
    all.len() as u32
}

/// The fitness a quarter, half or three quarters down the ranking, between two ranks where none is there exactly.
fn quantile(last: usize, quarter: usize, fitness: &dyn Fn(usize) -> f64) -> f64 {
    let (rank, part) = (last * quarter / 4, (last * quarter % 4) as f64 / 4.0);
    fitness(rank) + part * (fitness((rank + 1).min(last)) - fitness(rank))
}

/// Whole numbers plainly, others with four decimals: how fitness and scores are written everywhere.
pub fn short(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.4}") }
}

/// All rows of a run, in pieces that are shared once they are full: a copy costs little however long the run is.
#[derive(Clone, Debug)]
pub struct History {
    measures: &'static Measures,
    full: Arc<Vec<Arc<[GenerationRow]>>>,
    rest: Vec<GenerationRow>,
}

/// Rows in a full piece.
const PIECE: usize = 64;

impl History {
    /// No rows yet, of a run that measures this.
    pub fn new(measures: &'static Measures) -> History {
        History { measures, full: Arc::default(), rest: Vec::new() }
    }

    /// What is measured of the best of each generation.
    pub fn measures(&self) -> &'static Measures {
        self.measures
    }

    pub fn push(&mut self, row: GenerationRow) {
        self.rest.push(row);
        if self.rest.len() == PIECE {
            let piece = Arc::from(std::mem::take(&mut self.rest));
            Arc::make_mut(&mut self.full).push(piece);
        }
    }

    pub fn len(&self) -> usize {
        self.full.len() * PIECE + self.rest.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row of a generation.
    pub fn get(&self, generation: usize) -> Option<&GenerationRow> {
        match self.full.get(generation / PIECE) {
            Some(piece) => piece.get(generation % PIECE),
            None => self.rest.get(generation.checked_sub(self.full.len() * PIECE)?),
        }
    }

    pub fn last(&self) -> Option<&GenerationRow> {
        self.len().checked_sub(1).and_then(|last| self.get(last))
    }

    pub fn iter(&self) -> impl Iterator<Item = &GenerationRow> {
        self.full.iter().flat_map(|piece| piece.iter()).chain(&self.rest)
    }

    /// At most `most` rows, evenly spread, the last one among them: what a chart can show.
    pub fn spread(&self, most: usize) -> Vec<GenerationRow> {
        let step = self.len().div_ceil(most.max(1)).max(1);
        let last = self.len().saturating_sub(1);
        (0..self.len()).rev().step_by(step).map(|back| last - back).filter_map(|at| self.get(at)).copied().collect()
    }

    /// The rows from one generation to another, at most about `most` of them: those whose numbers are multiples of one step, so that
    /// they stay the same while the run goes on, and the newest.
    pub fn between(&self, from: u64, to: u64, most: usize) -> Vec<GenerationRow> {
        let last = self.len().saturating_sub(1).min(usize::try_from(to).unwrap_or(usize::MAX));
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let step = (last.saturating_sub(from) + 1).div_ceil(most.max(1)).next_power_of_two();
        let steps = (from.div_ceil(step).saturating_mul(step)..=last).step_by(step);
        let newest = (from <= last && last % step != 0).then_some(last);
        steps.chain(newest).filter_map(|at| self.get(at)).copied().collect()
    }

    /// Adds the next row of `generations.csv`.
    ///
    /// # Errors
    /// It is none, or of another generation: a sentence.
    pub fn read(&mut self, row: &str) -> Result<(), String> {
        let scores = self.measures.all.len();
        let parsed = GenerationRow::parse(row, scores).filter(|parsed| parsed.generation == self.len() as u64);
        let odd = || {
            let start: String = row.chars().take(20).collect();
            format!("'{start}…' is not the row of generation {}", self.len())
        };
        self.push(parsed.ok_or_else(odd)?);
        Ok(())
    }
}
