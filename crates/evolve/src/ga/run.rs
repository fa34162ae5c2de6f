//! The run of the genetic algorithm: evaluate, rank, breed; and the settings on a task, from which it is started and restored.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mancalab_base::{Error, bail};

use super::bracket::Bracket;
use super::breed;
use super::genome::{Gene, Genome, Individual, Member};
use super::operators::Operators;
use super::play::{Contest, ContestProgress};
use super::task::{Settings, Snapshot, Task};
use super::view::{GaView, GenerationRow, seconds};
use crate::budget::{Budget, Status};
use crate::chunks::Chunks;
use crate::codec::{Decoder, Encoder};
use crate::job::conduct::Conduct;
use crate::job::measured::Measurement;
use crate::job::{Form, Manifest, Progress, Row, Rows, Run, RunSettings, View, Watched};
use crate::pool::Pool;
use crate::row::Row as _;
use crate::settings::{Diagnostic, KeyedSettings as _, Table};

/// Version of the checkpoint format. Increase it with every change to the contents.
pub const FORMAT: u32 = 1;

/// The header of `timings.csv`.
pub const TIMING_COLUMNS: &str = "generation,seconds,games_count,games_per_second";

/// A run that tunes `T`.
pub struct Ga<T: Task> {
    settings: Arc<Settings<T>>,
    operators: Operators,
    contest: Box<dyn Contest>,
    /// The generation being evaluated; the last one after the end.
    generation: u64,
    /// Its genomes; empty once the last generation is evaluated.
    pub(super) population: Vec<Individual>,
    /// Whether the contest has started on them.
    begun: bool,
    /// The newest evaluated generation, best first; empty before the first.
    ranking: Arc<Vec<Member>>,
    /// Its pairings, unless everyone plays everyone.
    bracket: Option<Arc<Bracket>>,
    /// One row per evaluated generation.
    past: Chunks<GenerationRow>,
    pace: Pace,
}

/// Timing statistics. Results do not depend on them.
#[derive(Default)]
struct Pace {
    /// Time spent on the current generation.
    spent: Duration,
    /// Time spent on the generations before it.
    total: Duration,
    /// Games per second in the previous generation.
    before: f64,
}

impl<T: Task> Ga<T> {
    /// Starts a run.
    ///
    /// # Errors
    /// The settings cannot be used: a sentence.
    pub fn start(settings: Settings<T>) -> Result<Ga<T>, Error> {
        settings.check()?;
        let contest = settings.task.contest(settings.seed)?;
        let population = breed::first(&settings, &settings.first_genomes()?);
        let operators = settings.task.operators();
        Ok(Ga {
            settings: Arc::new(settings),
            operators,
            contest,
            generation: 0,
            population,
            begun: false,
            ranking: Arc::default(),
            bracket: None,
            past: Chunks::default(),
            pace: Pace::default(),
        })
    }

    /// Restores a run from the output of [`save`](Run::save); `rows` are those up to then.
    ///
    /// # Errors
    /// The state is invalid or does not match the rows: a sentence.
    pub fn restore(settings: Settings<T>, state: &[u8], rows: Rows<'_>) -> Result<Ga<T>, Error> {
        let mut ga = Ga::start(settings)?;
        let (ranking, bracket) = read_state(state)?;
        let genes = ga.settings.task.genes();
        if ranking.len() != ga.population.len() || ranking.iter().any(|r| r.individual.genome.len() != genes.len()) {
            bail!("the checkpoint does not hold {} genomes of {} genes", ga.population.len(), genes.len());
        }
        let genes_in_rows = T::labels().len();
        let (past, newest) = rows.all(|row, before| GenerationRow::with_genes(genes_in_rows).read(row, before))?;
        ga.generation = past.len() as u64 - 1;
        let points: Vec<u64> = ranking.iter().map(|ranked| ranked.points).collect();
        check_members(&ranking, &genes, ga.generation, ga.contest.possible(&points))?;
        if ga.contest.bracket().is_some() != bracket.is_some() {
            bail!("the checkpoint's bracket does not fit the contest");
        }
        bracket.as_ref().map_or(Ok(()), |bracket| bracket.check(ga.generation, &ranking))?;
        if !ranking.is_sorted_by_key(breed::order(bracket.as_ref())) {
            bail!("the genomes of the checkpoint are not in order");
        }
        (ga.ranking, ga.bracket) = (Arc::new(ranking), bracket.map(Arc::new));
        // Whatever else it contains, the state must reproduce the newest row.
        if ga.summary().to_row() != newest {
            bail!("the checkpoint does not match generation {} in generations.csv", ga.generation);
        }
        ga.past = past.into_iter().collect();
        ga.population.clear();
        ga.turn();
        Ok(ga)
    }

    /// Returns the view of a run of another process, which includes the ranking, the possible points and the bracket.
    pub(super) fn view_from_checkpoint(settings: &Settings<T>, state: &[u8], seen: &GaView) -> Option<GaView> {
        let (ranking, bracket) = read_state(state).ok()?;
        let genes = settings.task.genes().len();
        if ranking.len() != settings.population || ranking.iter().any(|r| r.individual.genome.len() != genes) {
            return None;
        }
        let points: Vec<u64> = ranking.iter().map(|ranked| ranked.points).collect();
        let possible = settings.task.contest(settings.seed).ok()?.possible(&points);
        Some(GaView { ranking: Arc::new(ranking), possible, bracket: bracket.map(Arc::new), ..seen.clone() })
    }

    /// Returns a view, cheap to create and clone.
    pub fn view(&self) -> GaView {
        let progress = if self.population.is_empty() { ContestProgress::default() } else { self.contest.progress() };
        let progress = if self.begun { progress } else { ContestProgress { pairings: 0, games: 0, ..progress } };
        let games_per_second = self.pace.games_per_second(progress);
        let left = progress.of_games.saturating_sub(progress.games);
        let generations = self.settings.generations - self.generation.min(self.settings.generations);
        let points: Vec<u64> = self.ranking.iter().map(|ranked| ranked.points).collect();
        GaView {
            genes: T::labels().len(),
            generation: self.generation,
            generations: self.settings.generations,
            finished: self.population.is_empty(),
            progress,
            games_per_second,
            spent: self.pace.total + self.pace.spent,
            games_left: if self.population.is_empty() { 0 } else { left + progress.of_games * generations },
            past: self.past.clone(),
            ranking: self.ranking.clone(),
            possible: if points.is_empty() { 0 } else { self.contest.possible(&points) },
            bracket: self.bracket.clone(),
        }
    }

    pub fn settings(&self) -> &Settings<T> {
        &self.settings
    }

    /// Returns the newest evaluated generation, best first.
    pub fn ranking(&self) -> &[Member] {
        &self.ranking
    }

    /// Returns one row per evaluated generation.
    pub fn past(&self) -> &Chunks<GenerationRow> {
        &self.past
    }

    /// Returns the pairings of that generation, unless everyone plays everyone.
    pub fn bracket(&self) -> Option<&Bracket> {
        self.bracket.as_deref()
    }

    /// Ranks and records the evaluated generation.
    fn conclude(&mut self) -> Row {
        let games = self.contest.progress().games;
        self.bracket = self.contest.bracket().map(|bracket| Arc::new(bracket.clone()));
        let population = std::mem::take(&mut self.population);
        self.ranking = Arc::new(breed::rank(population, self.contest.points(), self.bracket()));
        let past = self.summary();
        let row = Row { values: past.to_row(), timings: self.pace.conclude(self.generation, games) };
        self.past.push(past);
        self.turn();
        row
    }

    fn summary(&self) -> GenerationRow {
        let points: Vec<u64> = self.ranking.iter().map(|ranked| ranked.points).collect();
        let sum = points.iter().sum();
        let count = points.len() as u64;
        let possible = self.contest.possible(&points);
        let best = &self.ranking[0].individual;
        GenerationRow {
            generation: self.generation,
            best: percent(points[0], possible),
            mean: percent(sum, possible * count),
            worst: percent(points[points.len() - 1], possible),
            best_id: best.id,
            best_born: best.born,
            best_genome: self.settings.task.shown(&best.genome),
        }
    }

    /// Starts the generation after the newest evaluated one.
    fn turn(&mut self) {
        self.begun = false;
        if self.generation < self.settings.generations {
            self.generation += 1;
            self.population = breed::next(&self.settings, &self.operators, &self.ranking, self.generation);
        }
    }
}

/// Returns a share in percent, rounded to the three decimals of the rows so that a resumed run has the same value; 50 if `of`
/// is 0.
fn percent(points: u64, greatest: u64) -> f64 {
    if greatest == 0 { 50.0 } else { (100_000.0 * points as f64 / greatest as f64).round() / 1000.0 }
}

impl Pace {
    /// Returns the timings row of a generation.
    fn conclude(&mut self, generation: u64, games: u64) -> String {
        let seconds = self.spent.as_secs_f64();
        self.before = if seconds > 0.0 { games as f64 / seconds } else { 0.0 };
        self.total += std::mem::take(&mut self.spent);
        format!("{generation},{seconds:.3},{games},{:.0}", self.before)
    }

    /// Returns games per second of this generation, or of the previous one while less than a quarter of this one is played.
    fn games_per_second(&self, progress: ContestProgress) -> f64 {
        let seconds = self.spent.as_secs_f64();
        let enough = 4 * progress.games >= progress.of_games && progress.games > 0;
        if enough && seconds > 0.0 { progress.games as f64 / seconds } else { self.before }
    }
}

impl<T: Task> Run for Ga<T> {
    fn advance(&mut self, pool: &Pool, budget: Budget) -> Progress {
        if self.is_over() {
            return Progress::Done;
        }
        let began = Instant::now();
        if !self.begun {
            self.contest.begin(self.generation, &self.population);
            self.begun = true;
        }
        let status = self.contest.step(pool, budget);
        self.pace.spent += began.elapsed();
        match status {
            Status::Running => Progress::Working,
            Status::Done => Progress::Generation(self.conclude()),
        }
    }

    fn generation(&self) -> Option<u64> {
        self.past.last().map(|past| past.generation)
    }

    fn is_over(&self) -> bool {
        self.population.is_empty()
    }

    fn save(&self, _pool: &Pool) -> Vec<u8> {
        let mut out = Encoder::new();
        out.small(self.ranking.len() as u64);
        self.ranking.iter().for_each(|ranked| write_member(ranked, &mut out));
        if let Some(bracket) = &self.bracket {
            bracket.write(&mut out);
        }
        out.finish()
    }

    fn restore_timings(&mut self, timings: &str) {
        self.pace.total += seconds(timings);
    }

    fn best(&self) -> String {
        let (Some(best), Some(past)) = (self.ranking.first(), self.past.last()) else { return String::new() };
        let Settings { preset, seed, task, .. } = &*self.settings;
        let origin = [
            ("preset", preset.clone()),
            ("seed", seed.to_string()),
            ("generation", format!("{}, born in {}", past.generation, past.best_born)),
            ("fitness", format!("{:.1} % of the points in its generation", past.best)),
        ];
        let file = task.file_text(&best.individual.genome, &origin);
        format!("# {:.1} % in generation {}, born in {}\n{file}", past.best, past.generation, past.best_born)
    }

    fn product(&self) -> Option<(&'static str, Vec<u8>)> {
        let best = self.ranking.first()?;
        let past = self.past.last()?;
        T::product(&self.settings, &best.individual.genome, past.generation)
    }

    fn view(&self) -> View {
        View::new(Snapshot { settings: Arc::clone(&self.settings) as _, view: Ga::view(self) })
    }
}

/// Checks the members of a restored generation in which `possible` points could be won.
///
/// # Errors
/// Returns an error if a gene is outside its range, a member has too many points, or was born later.
fn check_members(ranking: &[Member], genes: &[Gene], generation: u64, possible: u64) -> Result<(), Error> {
    let is_admitted = |ranked: &Member| {
        let mut values = ranked.individual.genome.iter().zip(genes);
        values.all(|(value, gene)| gene.admit(*value).to_bits() == value.to_bits())
    };
    if !ranking.iter().all(is_admitted) {
        bail!("a gene of the checkpoint is out of range");
    }
    if ranking.iter().any(|ranked| ranked.points > possible || ranked.individual.born > generation) {
        bail!("a genome of the checkpoint has too many points or a later birth");
    }
    Ok(())
}

/// Encodes a member of the ranking for a checkpoint.
pub(super) fn write_member(Member { individual, points }: &Member, out: &mut Encoder) {
    out.small(individual.id);
    out.small(individual.born);
    out.small(*points);
    out.small(individual.genome.len() as u64);
    individual.genome.iter().for_each(|&gene| out.f64(gene));
}

/// Decodes the ranking and the bracket, if there is one.
fn read_state(state: &[u8]) -> Result<(Vec<Member>, Option<Bracket>), Error> {
    let mut from = Decoder::new(state);
    let ranking = (0..from.count()?)
        .map(|_| {
            let id = from.small()?;
            let born = from.small()?;
            let points = from.small()?;
            let genome: Result<Genome, Error> = (0..from.count()?).map(|_| from.f64()).collect();
            Ok(Member { individual: Individual { id, born, genome: genome? }, points })
        })
        .collect::<Result<Vec<Member>, Error>>()?;
    let bracket = if from.is_empty() { None } else { Some(Bracket::read(&mut from)?) };
    from.end()?;
    Ok((ranking, bracket))
}

impl<T: Task> Settings<T> {
    /// The file format of such runs.
    pub const FORM: Form = Form {
        kind: T::KIND,
        format: FORMAT,
        timing_columns: TIMING_COLUMNS,
        free: &[],
        curve: Some("best_percent"),
        read: read::<T>,
    };
}

fn read<T: Task>(manifest: &Manifest, table: &Table<'_>, problems: &mut Vec<Diagnostic>) -> Box<dyn RunSettings> {
    let mut settings = T::settings();
    settings.preset.clone_from(&manifest.preset);
    settings.seed = manifest.seed;
    settings.generations = manifest.generations;
    settings.read(table, problems);
    settings.into()
}

impl<T: Task> RunSettings for Settings<T> {
    fn boxed(&self) -> Box<dyn RunSettings> {
        self.clone().into()
    }

    fn form(&self) -> Form {
        Settings::<T>::FORM
    }

    fn manifest(&self) -> Manifest {
        Manifest::new(T::KIND, &self.preset, self.seed, self.generations)
    }

    fn columns(&self) -> &'static str {
        T::columns()
    }

    fn files(&self) -> Vec<(String, u64)> {
        [self.task.files(), self.initial.files()].concat()
    }

    fn conduct(&self) -> Conduct {
        self.conduct
    }

    fn check(&self) -> Result<(), Error> {
        Settings::check(self)?;
        T::measurement(self).map(drop)
    }

    fn measurement(&self) -> Result<Option<Box<dyn Measurement>>, Error> {
        T::measurement(self)
    }

    fn start_unmeasured(&self) -> Result<Box<dyn Run>, Error> {
        Ok(Box::new(Ga::start(self.clone())?))
    }

    fn restore_unmeasured(&self, state: &[u8], rows: Rows<'_>) -> Result<Box<dyn Run>, Error> {
        Ok(Box::new(Ga::restore(self.clone(), state, rows)?))
    }

    fn watch_unmeasured(&self) -> Box<dyn Watched> {
        Box::new(GaView::empty(T::labels().len(), self.generations))
    }

    fn view_from_checkpoint(&self, state: &[u8], seen: &dyn Watched) -> Option<View> {
        let view = Ga::view_from_checkpoint(self, state, seen.get()?)?;
        Some(View::new(Snapshot { settings: Arc::new(self.clone()), view }))
    }
}
