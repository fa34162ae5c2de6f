//! The run of genetic programming: each generation is bred from the previous one and evaluated.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use mancalab_base::{Error, bail};

use super::archive::Archive;
use super::builder::{Generation, GenerationBuilder, Origin};
use super::genome::Genome;
use super::population::{Individual, Lineage, Population, Shape};
use super::problem::{Memo, Problem, Settings};
use super::row::{GenerationRow, History};
use super::tableau::Selection;
use super::view::{Best, EvolutionView, FromRows, Histograms, Improvement, RunStatus, Times};
use crate::budget::{Budget, Status};
use crate::codec::{Decoder, Encoder};
use crate::job::{Progress, Row, Rows, Run, View};
use crate::pool::Pool;
use crate::program::grow::Grammar;
use crate::program::language::Language;
use crate::row::Row as _;

/// The header of `timings.csv`. The memo columns count from the start of the run or its last resumption.
pub(crate) const TIMING_COLUMNS: &str = "generation,breeding_seconds,evaluation_seconds,programs_evaluated_count,\
evaluations_per_second,memo_hits_percent,memo_kept_count,memo_misses_seconds";

/// Settings that do not affect any row: the maximum size of a generation.
pub(crate) const NON_SEMANTIC: &[&str] = &["max_nodes", "memory"];

/// Programs of an unused generation dropped between two checks of the clock.
const MANY: usize = 4096;

/// Maximum number of stored improvements, the newest ones.
const IMPROVEMENTS: usize = 1000;

/// Given programs of generation 0 by their numbers, in order.
pub(super) type FirstPrograms<L> = Vec<(usize, Arc<Genome<L>>)>;

/// Returns the given programs of generation 0: one for each island in turn, from its first place on.
///
/// # Errors
/// A file holds no program.
pub(super) fn first_programs<P: Problem>(settings: &P::Settings) -> Result<FirstPrograms<P::Language>, Error> {
    let tableau = settings.tableau();
    let programs = tableau.initial.read(|text| P::read(settings, text).map(Arc::new))?;
    let islands = tableau.islands as usize;
    let size = tableau.island_size() as usize;
    let number = |index: usize| index % islands * size + index / islands;
    let mut first: FirstPrograms<P::Language> = programs
        .into_iter()
        .take(size * islands)
        .enumerate()
        .map(|(index, program)| (number(index), program))
        .collect();
    first.sort_unstable_by_key(|(number, _)| *number);
    Ok(first)
}

/// A run of genetic programming on the problem `P`.
pub struct GpRun<P: Problem> {
    settings: Arc<P::Settings>,
    problem: P,
    /// One grammar per tree.
    grammars: Vec<Grammar<P::Language>>,
    initial: FirstPrograms<P::Language>,
    /// Number of threads; 1 before the first step.
    threads: usize,
    /// The newest evaluated generation.
    population: Option<Arc<Population<P::Language>>>,
    /// Earlier generations that a view may still use.
    leaving: Vec<Arc<Population<P::Language>>>,
    next: Option<GenerationBuilder<P>>,
    /// The best program so far.
    best: Option<Arc<Best<P::Language>>>,
    improvements: Arc<Vec<Improvement>>,
    archive: Arc<Archive<P::Language>>,
    history: History,
    histograms: Arc<Histograms>,
    times: Times,
    /// Hit rate of the memo table, from 0 to 1, before the run was resumed.
    memo_before: f64,
}

impl<P: Problem> GpRun<P> {
    /// Starts a run.
    ///
    /// # Errors
    /// The settings cannot be used: a sentence.
    pub fn start(settings: impl Into<Arc<P::Settings>>) -> Result<GpRun<P>, Error> {
        let settings = settings.into();
        settings.check()?;
        let problem = P::new(&settings)?;
        if settings.needs_cases() && !P::Settings::HAS_CASES {
            bail!("selection by lexicase and sharing need results against single opponents");
        }
        if problem.changes() && matches!(settings.tableau().selection, Selection::Nsga2(_)) {
            bail!("selection by nsga2 compares programs of two generations, so that both must play the same games");
        }
        Ok(GpRun {
            problem,
            grammars: P::grammars(&settings)?,
            initial: first_programs::<P>(&settings)?,
            history: History::new(settings.measures()),
            settings,
            threads: 1,
            population: None,
            leaving: Vec::new(),
            next: None,
            best: None,
            improvements: Arc::default(),
            archive: Arc::new(Archive::default()),
            histograms: Arc::default(),
            times: Times::default(),
            memo_before: 0.0,
        })
    }

    /// Restores a run from the output of [`save`](Run::save); `rows` are those up to then.
    ///
    /// # Errors
    /// The state is invalid or does not match the rows: a sentence.
    pub fn restore(settings: impl Into<Arc<P::Settings>>, state: &[u8], rows: Rows<'_>) -> Result<GpRun<P>, Error> {
        let mut run = GpRun::<P>::start(settings)?;
        let shape = run.shape();
        let CheckpointState { population, best, improvements, times, archive } =
            CheckpointState::read::<P>(&run.settings, shape, state)?;
        let generation = population.generation;
        if generation.checked_add(1) != Some(rows.count()) {
            bail!("the checkpoint is of generation {generation}, but there are {} rows", rows.count());
        }
        run.archive = Arc::new(archive);
        (run.best, run.improvements, run.times) = (Some(Arc::new(best)), Arc::new(improvements), times);
        let mut newest = String::new();
        rows.each(|row| {
            row.clone_into(&mut newest);
            run.history.read(row)
        })?;
        // Whatever else it contains, the state must reproduce the newest row.
        if GenerationRow::from_population(&population).to_row() != newest {
            bail!("the checkpoint does not match generation {generation} in generations.csv");
        }
        run.histograms = Arc::new(Histograms::count(&population));
        run.population = Some(Arc::new(population));
        Ok(run)
    }

    /// Returns the view of a run of another process, which includes all but the generation in progress.
    pub(super) fn view_from_checkpoint(
        settings: &Arc<P::Settings>,
        state: &[u8],
        seen: &FromRows,
    ) -> Option<EvolutionView<P>> {
        let shape = Shape::new::<P>(settings, P::grammars(settings).ok()?.len());
        let CheckpointState { population, best, improvements, times, archive } =
            CheckpointState::read::<P>(settings, shape, state).ok()?;
        let run_status = RunStatus {
            generation: Some(population.generation),
            last_generation: settings.tableau().generations,
            bred: 0,
            evaluated: 0,
            to_evaluate: 0,
            histograms: Arc::new(Histograms::count(&population)),
            history: seen.history.clone(),
            improvements: Arc::new(improvements),
            times,
            memo_hits: seen.memo_hits,
            threads: 0,
        };
        Some(EvolutionView {
            settings: Arc::clone(settings),
            run_status,
            best: Some(Arc::new(best)),
            population: Some(Arc::new(population)),
            archive: Arc::new(archive),
        })
    }

    /// Returns a view, cheap to create and clone.
    pub fn view(&self) -> EvolutionView<P> {
        let next = self.next.as_ref();
        let (evaluated, to_evaluate) = next.map(GenerationBuilder::evaluated).unwrap_or_default();
        let run_status = RunStatus {
            generation: self.generation(),
            last_generation: self.last_generation(),
            bred: next.map_or(0, GenerationBuilder::bred),
            evaluated,
            to_evaluate,
            history: self.history.clone(),
            improvements: Arc::clone(&self.improvements),
            histograms: Arc::clone(&self.histograms),
            times: self.times,
            memo_hits: match self.problem.memo() {
                memo if memo.asked == 0 => self.memo_before,
                memo => memo.hit_rate(),
            },
            threads: self.threads,
        };
        EvolutionView {
            settings: Arc::clone(&self.settings),
            run_status,
            best: self.best.clone(),
            population: self.population.clone(),
            archive: Arc::clone(&self.archive),
        }
    }

    pub fn settings(&self) -> &P::Settings {
        &self.settings
    }

    /// Returns the newest evaluated generation.
    pub fn population(&self) -> Option<&Arc<Population<P::Language>>> {
        self.population.as_ref()
    }

    pub fn best_so_far(&self) -> Option<&Best<P::Language>> {
        self.best.as_deref()
    }

    pub fn history(&self) -> &History {
        &self.history
    }

    pub(super) fn shape(&self) -> Shape {
        Shape::new::<P>(&self.settings, self.grammars.len())
    }

    fn last_generation(&self) -> u64 {
        self.settings.tableau().generations
    }

    /// Adds a finished generation.
    pub(super) fn conclude(&mut self, made: Generation<P::Language>) -> Progress {
        let Generation { population, row, histograms, fresh, breeding, evaluating } = made;
        self.next = None;
        self.times.add(breeding, evaluating, fresh);
        let timings = self.times.row(population.generation, breeding, evaluating, fresh, self.problem.memo());
        self.note_best(&population);
        let tableau = self.settings.tableau();
        let is_relative = self.problem.is_relative();
        Arc::make_mut(&mut self.archive).add(&population, &histograms.operators, tableau, is_relative);
        self.histograms = Arc::new(histograms);
        self.history.push(row);
        self.leaving.extend(self.population.replace(Arc::new(population)));
        Progress::Generation(Row { values: row.to_row(), timings })
    }

    /// Returns the message for a generation that exceeds `max_nodes`: the cause and the remedy.
    pub(super) fn too_large(&self) -> String {
        let most = self.settings.tableau().max_nodes;
        let advice = "raise max_nodes in its run.toml to resume, or breed programs that stay smaller (parsimony, max_depth, points)";
        let Some(before) = &self.population else {
            return format!("generation 0 would have more than the {most} nodes that max_nodes allows; {advice}");
        };
        let generation = before.generation;
        let nodes = before.nodes();
        format!(
            "generation {} would have more than the {most} nodes that max_nodes allows, after {nodes} in generation {generation}, \
             which is saved; {advice}",
            generation + 1
        )
    }

    /// Drops unused generations in pieces: dropping a large one at once would take as long as several steps.
    pub(super) fn let_go(&mut self, budget: Budget) {
        while let Some(at) = self.leaving.iter().position(|leaving| Arc::strong_count(leaving) == 1) {
            let Some(leaving) = Arc::get_mut(&mut self.leaving[at]) else { return };
            let left = leaving.individuals.len().saturating_sub(MANY);
            leaving.individuals.truncate(left);
            if left == 0 {
                self.leaving.swap_remove(at);
            }
            if budget.is_spent() {
                return;
            }
        }
    }

    fn note_best(&mut self, population: &Population<P::Language>) {
        let found = population.best();
        let stands = |best: &Arc<Best<P::Language>>| best.individual.outcome.fitness >= found.outcome.fitness;
        if !self.problem.is_relative() && self.best.as_ref().is_some_and(stands) {
            return;
        }
        // The same program may be the best again in other games.
        if self.best.as_ref().is_none_or(|best| best.individual.hash != found.hash) {
            let improvements = Arc::make_mut(&mut self.improvements);
            if improvements.len() == IMPROVEMENTS {
                improvements.remove(0);
            }
            let birth = Lineage { generation: population.generation, fitness: found.outcome.fitness, ..*found.birth() };
            let parent =
                birth.parents[0].checked_sub(1).and_then(|rank| self.population.as_ref()?.ranked(rank as usize));
            let change =
                parent.map(|parent| Improvement::change_of(&found.program, &parent.program)).unwrap_or_default();
            improvements.push(Improvement { birth, scores: found.outcome.scores, depth: found.depth, change });
        }
        self.best = Some(Arc::new(Best::new::<P>(&self.settings, population.generation, found.clone())));
    }
}

impl<P: Problem> Run for GpRun<P> {
    fn advance(&mut self, pool: &Pool, budget: Budget) -> Progress {
        self.threads = pool.count();
        if self.is_over() {
            return Progress::Done;
        }
        self.let_go(budget);
        let origin = Origin {
            tableau: self.settings.tableau(),
            grammars: &self.grammars,
            initial: &self.initial,
            before: self.population.as_deref(),
            share: None,
            pool,
        };
        let changes = self.problem.changes();
        let next = self.next.get_or_insert_with(|| GenerationBuilder::new(origin.tableau, changes));
        if next.advance(&origin, &mut self.problem, budget) == Status::Running {
            return next.take_failure().map_or(Progress::Working, Progress::Halted);
        }
        match self.next.take() {
            Some(next) if next.is_too_large() => Progress::Halted(self.too_large().into()),
            Some(next) => {
                let made = next.conclude(&origin);
                self.conclude(made)
            }
            None => Progress::Working,
        }
    }

    fn generation(&self) -> Option<u64> {
        self.population.as_ref().map(|population| population.generation)
    }

    fn individuals(&self) -> String {
        self.population.as_ref().map(|population| rows::<P>(&self.settings, population)).unwrap_or_default()
    }

    fn is_over(&self) -> bool {
        let is_last =
            self.population.as_ref().is_some_and(|population| population.generation >= self.last_generation());
        let best = self.best.as_ref();
        is_last || best.is_some_and(|best| self.settings.is_reached(&best.individual.outcome.scores))
    }

    fn save(&self, pool: &Pool) -> Vec<u8> {
        let mut out = Encoder::new();
        let (Some(population), Some(best)) = (&self.population, &self.best) else { return Vec::new() };
        out.small(population.generation);
        out.small(population.len() as u64);
        let pieces: Vec<&[Individual<P::Language>]> = population.individuals.chunks(MANY / 16).collect();
        let pieces = pool.map(0..pieces.len(), |piece| {
            let mut out = Encoder::new();
            pieces[piece].iter().for_each(|one| one.encode(&mut out));
            out.finish()
        });
        pieces.iter().for_each(|piece| out.raw(piece));
        out.small(best.found);
        best.individual.encode(&mut out);
        out.small(self.improvements.len() as u64);
        self.improvements.iter().for_each(|improvement| improvement.encode(&mut out));
        self.times.encode(&mut out);
        self.archive.encode(&mut out);
        Improvement::encode_changes(&self.improvements, &mut out);
        out.finish()
    }

    fn restore_timings(&mut self, timings: &str) {
        let percent = timings.split(',').nth(5).and_then(|text| text.parse::<f64>().ok());
        self.memo_before = percent.map_or(self.memo_before, |percent| (percent / 100.0).clamp(0.0, 1.0));
    }

    fn best(&self) -> String {
        self.best.as_ref().map(|best| best.to_text::<P>(&self.settings)).unwrap_or_default()
    }

    fn view(&self) -> View {
        P::to_view(GpRun::view(self))
    }
}

/// The contents of a checkpoint.
struct CheckpointState<L: Language> {
    population: Population<L>,
    best: Best<L>,
    improvements: Vec<Improvement>,
    times: Times,
    archive: Archive<L>,
}

impl<L: Language> CheckpointState<L> {
    /// Decodes a checkpoint.
    ///
    /// # Errors
    /// Returns an error if it does not belong to a run with these settings.
    fn read<P: Problem<Language = L>>(
        settings: &P::Settings,
        shape: Shape,
        state: &[u8],
    ) -> Result<CheckpointState<L>, Error> {
        let tableau = settings.tableau();
        let mut decoder = Decoder::new(state);
        let from = &mut decoder;
        let generation = from.small()?;
        let count = from.count()?;
        let wanted = tableau.population;
        if count == 0 || count != wanted as usize {
            bail!("the checkpoint holds {count} programs, but run.toml sets {wanted}");
        }
        let individuals = (0..count).map(|_| Individual::decode(from, shape)).collect::<Result<Vec<_>, Error>>()?;
        let population = Population::new(generation, individuals, tableau.prefer_small);
        let best = Best::new::<P>(settings, from.small()?, Individual::decode(from, shape)?);
        let improvements = from.count()?;
        if improvements > IMPROVEMENTS {
            bail!("the checkpoint must hold at most {IMPROVEMENTS} improvements (got {improvements})");
        }
        let mut improvements =
            (0..improvements).map(|_| Improvement::decode(from, shape.scores)).collect::<Result<Vec<_>, Error>>()?;
        let times = Times::decode(from)?;
        // Older versions of the program saved no archive, and no changes.
        let archive = match from.is_empty() {
            true => Archive::default(),
            false => Archive::decode(from, shape, tableau.islands)?,
        };
        if !from.is_empty() {
            Improvement::decode_changes(&mut improvements, from)?;
        }
        decoder.end()?;
        Ok(CheckpointState { population, best, improvements, times, archive })
    }
}

impl Times {
    fn row(&self, generation: u64, breeding: Duration, evaluating: Duration, fresh: u64, memo: Memo) -> String {
        let seconds = evaluating.as_secs_f64();
        let speed = if seconds > 0.0 { fresh as f64 / seconds } else { 0.0 };
        format!(
            "{generation},{:.6},{seconds:.6},{fresh},{speed:.0},{:.2},{},{:.6}",
            breeding.as_secs_f64(),
            100.0 * memo.hit_rate(),
            memo.kept,
            memo.spent.as_secs_f64()
        )
    }
}

/// Returns the rows of a generation, separated by line breaks. Numbers are exact. The parents are those of the last step that
/// changed the program: ranks in the generation before that birth, empty where there is no parent.
pub(super) fn rows<P: Problem>(settings: &P::Settings, population: &Population<P::Language>) -> String {
    let mut rows = String::new();
    for (rank, one) in population.ranking.iter().map(|&number| &population.individuals[number as usize]).enumerate() {
        let birth = one.birth();
        let outcome = &one.outcome;
        if rank > 0 {
            rows.push('\n');
        }
        let _ = write!(rows, "{},{},{}", population.generation, rank + 1, outcome.fitness);
        outcome.scores.iter().for_each(|score| _ = write!(rows, ",{score}"));
        let _ = write!(rows, ",{},{},{},{},{}", one.nodes, one.depth, one.operator, birth.generation, birth.operator);
        for parent in birth.parents {
            rows.push(',');
            if parent > 0 {
                let _ = write!(rows, "{parent}");
            }
        }
        rows.push(',');
        push_quoted(&mut rows, &P::text(settings, &one.program));
    }
    rows
}

/// Appends a field in quotes, which texts with commas, quotes or line breaks need.
fn push_quoted(rows: &mut String, text: &str) {
    let _ = write!(rows, "\"{}\"", text.replace('"', "\"\""));
}
