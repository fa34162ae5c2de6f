//! What there is to see of a run: made in no time, because what grows is shared.

use mancalab_base::Error;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use super::bracket::Bracket;
use super::contest::Standing;
use super::genome::{Genome, Ranked};
use super::task::{Settings, Task};
use crate::job::Watched;
use crate::row::{Cells, Row};

/// A run as of now, whatever it tunes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GaView {
    /// How many numbers a genome has.
    pub genes: usize,
    /// The generation that is being judged, from 0 to `generations`.
    pub generation: u64,
    /// Generations after the first, number 0.
    pub generations: u64,
    /// The last generation has been judged.
    pub finished: bool,
    /// How far the judging has come.
    pub standing: Standing,
    /// Games a second lately; 0 before the first.
    pub games_per_second: f64,
    /// Time spent on the run, pauses left out.
    pub spent: Duration,
    /// Games until the run is finished.
    pub games_left: u64,
    /// A row for each generation that has been judged, from 0 on.
    pub past: Arc<Vec<GenerationRow>>,
    /// The newest generation that has been judged, the best first; empty before the first has been.
    pub ranking: Arc<Vec<Ranked>>,
    /// The points that stand for a fitness of 100 %; 0 before there are any.
    pub possible: u64,
    /// Who met whom in it, where not everyone met everyone.
    pub bracket: Option<Arc<Bracket>>,
}

/// A generation that has been judged. Fitness is in percent of the points there were to win in it.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct GenerationRow {
    pub generation: u64,
    pub best: f64,
    pub mean: f64,
    pub worst: f64,
    pub best_id: u64,
    /// The generation in which the best was first.
    pub best_born: u64,
    #[serde(rename = "weights")]
    pub best_genome: Genome,
}

/// What can be seen of a run that another process writes: all but the newest generation's ranking, and how far the judging of the
/// next has come.
impl<T: Task> Watched<Settings<T>> for GaView {
    fn begin(settings: Settings<T>) -> GaView {
        GaView::of(settings.task.genes().len(), settings.generations)
    }

    fn row(&mut self, row: &str) -> Result<(), Error> {
        self.read_row(row)
    }

    fn timing(&mut self, row: &str) {
        self.read_timing(row);
    }
}

/// What a generation took, as its row of timings says.
pub(super) fn seconds(timings: &str) -> Duration {
    let seconds = timings.split(',').nth(1).and_then(|text| text.parse::<f64>().ok());
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or_default()
}

impl GaView {
    /// A run of which nothing has been seen.
    pub fn of(genes: usize, generations: u64) -> GaView {
        GaView { genes, generations, ..GaView::default() }
    }

    /// Takes in the next row of `generations.csv`.
    ///
    /// # Errors
    /// It is no such row: a sentence.
    pub fn read_row(&mut self, row: &str) -> Result<(), Error> {
        let past = GenerationRow::with_genes(self.genes).read(row, self.past.len())?;
        Arc::make_mut(&mut self.past).push(past);
        self.turn();
        Ok(())
    }

    /// Takes in the next row of `timings.csv`, of which the last two columns are games, and games a second.
    pub fn read_timing(&mut self, row: &str) {
        let mut columns = row.rsplit(',').map(|text| text.parse::<f64>().ok());
        let mut number = || columns.next().flatten().unwrap_or(0.0);
        (self.games_per_second, self.standing.of_games) = (number(), number() as u64);
        self.spent += seconds(row);
        self.turn();
    }

    /// Turns to the generation after the last that was judged.
    fn turn(&mut self) {
        let (judged, generations) = (self.past.len() as u64, self.generations);
        self.generation = judged.min(generations);
        self.finished = judged > generations;
        self.games_left = self.standing.of_games.saturating_mul((generations + 1).saturating_sub(judged));
    }

    /// A member's fitness, in percent.
    pub fn fitness(&self, ranked: &Ranked) -> f64 {
        if self.possible == 0 { 0.0 } else { 100.0 * ranked.points as f64 / self.possible as f64 }
    }

    /// The best of the newest generation that has been judged.
    pub fn best(&self) -> Option<&GenerationRow> {
        self.past.last()
    }

    /// Seconds until the run is finished, as fast as it goes now; `None` as long as that is not known.
    pub fn seconds_left(&self) -> Option<f64> {
        (self.games_per_second > 0.0).then(|| self.games_left as f64 / self.games_per_second)
    }
}

impl GenerationRow {
    /// The row of a generation with so many genes, to be read.
    pub fn with_genes(genes: usize) -> GenerationRow {
        GenerationRow { best_genome: vec![0.0; genes].into(), ..GenerationRow::default() }
    }
}

/// [`ROW`](super::task::ROW) and the genes of the best.
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
