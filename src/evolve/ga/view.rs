//! What there is to see of a run: made in no time, because what grows is shared.

use std::sync::Arc;

use super::contest::Standing;
use super::genome::{Genome, Ranked};
use super::run::Ga;
use super::task::{Settings, Task};
use crate::job::RunReader;

/// A run as of now.
#[derive(Clone, PartialEq, Debug)]
pub struct GaView<T: Task> {
    /// Preset, seed and all other settings.
    pub settings: Settings<T>,
    /// The generation that is being judged, from 0 to `settings.generations`.
    pub generation: u64,
    /// The last generation has been judged.
    pub finished: bool,
    /// How far the judging has come.
    pub standing: Standing,
    /// Games a second lately; 0 before the first.
    pub games_per_second: f64,
    /// Games until the run is finished.
    pub games_left: u64,
    /// A row for each generation that has been judged, from 0 on.
    pub past: Arc<Vec<Past>>,
    /// The newest generation that has been judged, the best first; empty before the first has been.
    pub ranking: Arc<Vec<Ranked>>,
    /// The points that stand for a fitness of 100 %; 0 before there are any.
    pub possible: u64,
}

/// A generation that has been judged. Fitness is in percent of the points there were to win in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Past {
    pub generation: u64,
    pub best: f64,
    pub mean: f64,
    pub worst: f64,
    pub best_id: u64,
    /// The generation in which the best was first.
    pub best_born: u64,
    pub best_genome: Genome,
}

impl<T: Task> GaView<T> {
    /// What can be seen of a run that another process writes, from its files: all but the newest generation's ranking, and how
    /// far the judging of the next has come.
    ///
    /// # Errors
    /// It is of another kind, or its files do not hold what they should: a sentence.
    pub fn watched(reader: &RunReader) -> Result<GaView<T>, String> {
        let settings = reader.settings::<Ga<T>>()?;
        let genes = settings.task.genes().len();
        let past = |(number, row): (usize, &String)| {
            let odd = || {
                format!("{}: line {} of generations.csv is not as it should be", reader.folder().display(), number + 2)
            };
            Past::from_row(row, genes).ok_or_else(odd)
        };
        let past: Vec<Past> = reader.rows().iter().enumerate().map(past).collect::<Result<_, String>>()?;
        // The timings' last two columns: games, and games a second.
        let timing = |column: usize| reader.timings().last()?.rsplit(',').nth(column)?.parse::<f64>().ok();
        let judged = past.len() as u64;
        let finished = judged > settings.generations;
        let games = timing(1).unwrap_or(0.0) as u64;
        Ok(GaView {
            generation: judged.min(settings.generations),
            finished,
            standing: Standing { of_games: games, ..Standing::default() },
            games_per_second: timing(0).unwrap_or(0.0),
            games_left: games * (settings.generations + 1).saturating_sub(judged),
            past: Arc::new(past),
            ranking: Arc::default(),
            possible: 0,
            settings,
        })
    }

    /// A member's fitness, in percent.
    pub fn fitness(&self, ranked: &Ranked) -> f64 {
        if self.possible == 0 { 0.0 } else { 100.0 * ranked.points as f64 / self.possible as f64 }
    }

    /// The best of the newest generation that has been judged.
    pub fn best(&self) -> Option<&Past> {
        self.past.last()
    }

    /// Seconds until the run is finished, as fast as it goes now; `None` as long as that is not known.
    pub fn seconds_left(&self) -> Option<f64> {
        (self.games_per_second > 0.0).then(|| self.games_left as f64 / self.games_per_second)
    }

    /// The text that names the player a genome makes, for the board.
    pub fn player(&self, genome: &Genome) -> String {
        self.settings.task.player(genome)
    }

    /// A genome as a file to keep, with where it comes from.
    pub fn file_text(&self, ranked: &Ranked) -> String {
        let origin = [
            ("preset", self.settings.preset.clone()),
            ("seed", self.settings.seed.to_string()),
            ("genome", format!("{}, born in generation {}", ranked.individual.id, ranked.individual.born)),
            ("fitness", format!("{:.1} % of the points in its generation", self.fitness(ranked))),
        ];
        self.settings.task.file_text(&ranked.individual.genome, &origin)
    }
}

impl Past {
    /// A row of `generations.csv`: [`ROW`](super::task::ROW) and the genes of the best.
    pub fn to_row(&self) -> String {
        let Past { generation, best, mean, worst, best_id, best_born, best_genome } = self;
        let genes: String = best_genome.iter().map(|gene| format!(",{gene}")).collect();
        format!("{generation},{best:.3},{mean:.3},{worst:.3},{best_id},{best_born}{genes}")
    }

    /// Reads such a row with so many genes.
    pub fn from_row(row: &str, genes: usize) -> Option<Past> {
        let mut fields = row.split(',');
        let whole = |text: Option<&str>| text?.parse::<u64>().ok();
        let real = |text: Option<&str>| text?.parse::<f64>().ok().filter(|number| number.is_finite());
        let generation = whole(fields.next())?;
        let (best, mean, worst) = (real(fields.next())?, real(fields.next())?, real(fields.next())?);
        let (best_id, best_born) = (whole(fields.next())?, whole(fields.next())?);
        let best_genome: Genome = fields.map(|field| real(Some(field))).collect::<Option<_>>()?;
        let past = Past { generation, best, mean, worst, best_id, best_born, best_genome };
        (past.best_genome.len() == genes).then_some(past)
    }
}
