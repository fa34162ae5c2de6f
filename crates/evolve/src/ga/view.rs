//! The view of a run. Cheap to create: everything that grows is shared.

use mancalab_base::Error;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use super::bracket::Bracket;
use super::genome::{Genome, Member};
use super::play::ContestProgress;
use crate::chunks::Chunks;
use crate::job::Watched;
use crate::row::{Cells, Row};

/// A snapshot of a run of any task.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GaView {
    /// Number of [shown](super::Task::shown) numbers of a genome.
    pub genes: usize,
    /// The generation being evaluated, from 0 to `generations`.
    pub generation: u64,
    /// Generations after the initial one, number 0.
    pub generations: u64,
    /// Whether the last generation is evaluated.
    pub finished: bool,
    /// Progress of the evaluation.
    pub progress: ContestProgress,
    /// Recent games per second; 0 before the first.
    pub games_per_second: f64,
    /// Time spent on the run, without pauses.
    pub spent: Duration,
    /// Games until the end of the run.
    pub games_left: u64,
    /// One row per evaluated generation, from 0.
    pub past: Chunks<GenerationRow>,
    /// The newest evaluated generation, best first; empty before the first.
    pub ranking: Arc<Vec<Member>>,
    /// The points that correspond to a fitness of 100 %; 0 before the first evaluation.
    pub possible: u64,
    /// Its pairings, unless everyone plays everyone.
    pub bracket: Option<Arc<Bracket>>,
}

/// An evaluated generation. Fitness is in percent of the points that could be won.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct GenerationRow {
    pub generation: u64,
    pub best: f64,
    pub mean: f64,
    pub worst: f64,
    pub best_id: u64,
    /// The generation in which the best first occurred.
    pub best_born: u64,
    /// As [shown](super::Task::shown).
    #[serde(rename = "weights")]
    pub best_genome: Genome,
}

/// The view of a run that another process computes: all but the newest ranking and the progress of the current evaluation.
impl Watched for GaView {
    fn row(&mut self, row: &str) -> Result<(), Error> {
        let past = GenerationRow::with_genes(self.genes).read(row, self.past.len())?;
        self.past.push(past);
        self.turn();
        Ok(())
    }

    /// The last two columns are games and games per second.
    fn timing(&mut self, row: &str) {
        let mut columns = row.rsplit(',').map(|text| text.parse::<f64>().ok());
        let mut number = || columns.next().flatten().unwrap_or(0.0);
        (self.games_per_second, self.progress.of_games) = (number(), number() as u64);
        self.spent += seconds(row);
        self.turn();
    }
}

/// Returns the duration of a generation from its timings row.
pub(super) fn seconds(timings: &str) -> Duration {
    let seconds = timings.split(',').nth(1).and_then(|text| text.parse::<f64>().ok());
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or_default()
}

impl GaView {
    /// Returns the view of a run without rows.
    pub fn empty(genes: usize, generations: u64) -> GaView {
        GaView { genes, generations, ..GaView::default() }
    }

    /// Moves on to the generation after the newest evaluated one.
    fn turn(&mut self) {
        let judged = self.past.len() as u64;
        let generations = self.generations;
        self.generation = judged.min(generations);
        self.finished = judged > generations;
        self.games_left = self.progress.of_games.saturating_mul((generations + 1).saturating_sub(judged));
    }

    /// Returns a member's fitness in percent.
    pub fn fitness(&self, ranked: &Member) -> f64 {
        if self.possible == 0 { 0.0 } else { 100.0 * ranked.points as f64 / self.possible as f64 }
    }

    /// Returns the generation of the ranking.
    pub fn ranked(&self) -> u64 {
        if self.finished { self.generation } else { self.generation.saturating_sub(1) }
    }

    /// Returns the newest row.
    pub fn best(&self) -> Option<&GenerationRow> {
        self.past.last()
    }

    /// Returns the estimated seconds until the end of the run; `None` before the speed is known.
    pub fn seconds_left(&self) -> Option<f64> {
        (self.games_per_second > 0.0).then(|| self.games_left as f64 / self.games_per_second)
    }
}

impl GenerationRow {
    /// Returns an empty row with this number of genes, to be read into.
    pub fn with_genes(genes: usize) -> GenerationRow {
        GenerationRow { best_genome: vec![0.0; genes].into(), ..GenerationRow::default() }
    }
}

/// The columns [`ROW`](super::task::ROW) and the genes of the best.
impl Row for GenerationRow {
    fn columns(&mut self, cells: &mut Cells<'_>) -> Option<()> {
        cells.plain(&mut self.generation)?;
        cells.rounded(&mut self.best, 3)?;
        cells.rounded(&mut self.mean, 3)?;
        cells.rounded(&mut self.worst, 3)?;
        cells.plain(&mut self.best_id)?;
        cells.plain(&mut self.best_born)?;
        let genes = Arc::make_mut(&mut self.best_genome);
        genes.iter_mut().try_for_each(|gene| cells.plain(gene).filter(|()| gene.is_finite()))
    }
}
