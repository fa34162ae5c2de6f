//! The run: generation after generation, each bred from the one before and evaluated.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::grow::Grammar;
use super::population::{Birth, Individual, LINEAGE, Operator, Population};
use super::problem::{Memo, Outcome, Problem, Settings};
use super::row::{COLUMNS, GenerationRow, History};
use super::select::{Breeder, Draft, grown};
use super::threads::Threads;
use super::tree::Tree;
use super::view::{Best, EvolutionView, Histograms, Improvement, Times};
use crate::document::{Problem as Mistake, Table};
use crate::job::codec::{Decoder, Encoder};
use crate::job::{Budget, Manifest, Progress, Row, Rows, Run, Status};

/// The header of `timings.csv`. What is said of the memo counts from the start of the run, or from its last resumption.
const TIMING_COLUMNS: &str = "generation,breeding_seconds,evaluation_seconds,programs_evaluated_count,\
evaluations_per_second,memo_hits_percent,memo_kept_count,memo_misses_seconds";

/// Programs bred between two looks at the clock.
const PIECE: usize = 64;

/// How many improvements are kept, the newest of them.
const IMPROVEMENTS: usize = 1000;

/// A run of genetic programming on the problem `P`.
pub struct GpRun<P: Problem> {
    settings: Arc<P::Settings>,
    problem: P,
    grammar: Grammar<P::Language>,
    threads: Threads,
    /// The newest generation that is evaluated.
    population: Option<Arc<Population<P::Language>>>,
    next: Option<Next<P>>,
    /// The best so far.
    best: Option<Arc<Best<P::Language>>>,
    improvements: Arc<Vec<Improvement>>,
    history: History,
    histograms: Arc<Histograms>,
    times: Times,
}

/// The generation that is being made.
struct Next<P: Problem> {
    drafts: Vec<Draft<P::Language>>,
    /// What is being evaluated: programs that are new, each once.
    batch: Option<P::Batch>,
    places: Vec<Place>,
    fresh: usize,
    breeding: Duration,
    evaluating: Duration,
}

/// Where the outcome of a draft comes from.
#[derive(Clone, Copy)]
enum Place {
    /// An individual of the generation before, by its number: the same program.
    Before(u32),
    /// So many programs into the batch.
    Batch(u32),
}

impl<P: Problem> GpRun<P> {
    pub fn settings(&self) -> &P::Settings {
        &self.settings
    }

    /// The newest generation that is evaluated.
    pub fn population(&self) -> Option<&Arc<Population<P::Language>>> {
        self.population.as_ref()
    }

    pub fn best_so_far(&self) -> Option<&Best<P::Language>> {
        self.best.as_deref()
    }

    pub fn history(&self) -> &History {
        &self.history
    }

    fn of(&self) -> u64 {
        self.settings.tableau().generations
    }

    fn breed(&mut self, budget: Budget) -> Status {
        let began = Instant::now();
        let tableau = self.settings.tableau();
        let next = self.next.get_or_insert_with(Next::new);
        let before = self.population.as_deref();
        let breeder = before.map(|before| Breeder::new(tableau, &self.grammar, before));
        let total = tableau.population as usize;
        let piece = PIECE * self.threads.count();
        while next.drafts.len() < total {
            let range = next.drafts.len()..total.min(next.drafts.len() + piece);
            next.drafts.extend(self.threads.map(range, |number| match &breeder {
                Some(breeder) => breeder.draft(number),
                None => grown(tableau, &self.grammar, number),
            }));
            if budget.is_spent() && next.drafts.len() < total {
                next.breeding += began.elapsed();
                return Status::Running;
            }
        }
        let programs = next.find_places(before);
        next.fresh = programs.len();
        next.batch = Some(self.problem.begin(programs));
        next.breeding += began.elapsed();
        Status::Done
    }

    fn evaluate(&mut self, budget: Budget) -> Status {
        let Some(next) = &mut self.next else { return Status::Done };
        let Some(batch) = &mut next.batch else { return Status::Done };
        let began = Instant::now();
        let status = self.problem.advance(batch, &self.threads, budget);
        next.evaluating += began.elapsed();
        status
    }

    /// Takes over the generation whose outcomes are all known.
    fn conclude(&mut self) -> Progress {
        let Some(next) = self.next.take() else { return Progress::Working };
        let tableau = self.settings.tableau();
        let before = self.population.as_deref();
        let generation = before.map_or(0, |before| before.generation + 1);
        let outcomes = next.batch.map(P::finish).unwrap_or_default();
        let individuals = next
            .drafts
            .into_iter()
            .zip(&next.places)
            .map(|(draft, place)| {
                let outcome = match *place {
                    Place::Before(number) => before.map(|before| before.individuals[number as usize].outcome),
                    Place::Batch(index) => Some(thrifty(outcomes[index as usize], &draft.program, tableau.parsimony)),
                };
                settled(generation, draft, outcome.unwrap_or(NOTHING), before)
            })
            .collect();
        let population = Population::new(generation, individuals, tableau.prefer_small);
        let row = GenerationRow::of(&population);
        self.times.add(next.breeding, next.evaluating, next.fresh as u64);
        let timings =
            self.times.row(generation, next.breeding, next.evaluating, next.fresh as u64, self.problem.memo());
        self.histograms = Arc::new(Histograms::of(&population));
        self.note_best(&population);
        self.history.push(row);
        self.population = Some(Arc::new(population));
        Progress::Generation(Row { values: row.to_csv(), timings })
    }

    fn note_best(&mut self, population: &Population<P::Language>) {
        let found = population.best();
        if self.best.as_ref().is_some_and(|best| best.individual.outcome.fitness >= found.outcome.fitness) {
            return;
        }
        let improvements = Arc::make_mut(&mut self.improvements);
        if improvements.len() == IMPROVEMENTS {
            improvements.remove(0);
        }
        improvements.push(Improvement { birth: *found.birth(), scores: found.outcome.scores, depth: found.depth });
        self.best = Some(Arc::new(Best::new(population.generation, found.clone())));
    }
}

const NOTHING: Outcome = Outcome { fitness: 0.0, scores: [0.0; 2], behaviour: 0 };

fn thrifty<L: super::Language>(outcome: Outcome, program: &Tree<L>, parsimony: f64) -> Outcome {
    Outcome { fitness: (outcome.fitness - parsimony * program.size() as f64).max(0.0), ..outcome }
}

/// A draft with its outcome and its lineage.
fn settled<L: super::Language>(
    generation: u64,
    draft: Draft<L>,
    outcome: Outcome,
    before: Option<&Population<L>>,
) -> Individual<L> {
    let parent = |nth: usize| draft.parents[nth].map(|number| number as usize).zip(before);
    let first = parent(0).map(|(number, before)| &before.individuals[number]);
    let lineage = match first {
        Some(first) if draft.operator.keeps() => Arc::clone(&first.lineage),
        _ => {
            let rank = |nth| parent(nth).map_or(0, |(number, before)| before.ranks[number] + 1);
            let birth = Birth {
                generation,
                operator: draft.operator,
                parents: [rank(0), rank(1)],
                fitness: outcome.fitness,
                nodes: draft.program.size() as u32,
            };
            let older = first.map_or(&[][..], |first| &first.lineage[..first.lineage.len().min(LINEAGE - 1)]);
            std::iter::once(birth).chain(older.iter().copied()).collect()
        }
    };
    let Draft { program, hash, depth, operator, .. } = draft;
    Individual { program, hash, depth, outcome, operator, lineage }
}

impl<P: Problem> Next<P> {
    fn new() -> Next<P> {
        Next {
            drafts: Vec::new(),
            batch: None,
            places: Vec::new(),
            fresh: 0,
            breeding: Duration::ZERO,
            evaluating: Duration::ZERO,
        }
    }

    /// Finds for each draft where its outcome comes from; gives the programs that have to be evaluated.
    fn find_places(&mut self, before: Option<&Population<P::Language>>) -> Vec<Arc<Tree<P::Language>>> {
        let mut known: HashMap<u64, u32> = HashMap::new();
        if let Some(before) = before {
            known.extend(before.individuals.iter().zip(0..).map(|(one, number)| (one.hash, number)));
        }
        let mut fresh: HashMap<u64, u32> = HashMap::new();
        let mut programs: Vec<Arc<Tree<P::Language>>> = Vec::new();
        for draft in &self.drafts {
            let same = |other: &Arc<Tree<P::Language>>| Arc::ptr_eq(other, &draft.program) || *other == draft.program;
            let old = known.get(&draft.hash).copied();
            let old = old.filter(|&number| before.is_some_and(|b| same(&b.individuals[number as usize].program)));
            let new = || fresh.get(&draft.hash).copied().filter(|&index| same(&programs[index as usize]));
            let place = old.map(Place::Before).or_else(|| new().map(Place::Batch)).unwrap_or_else(|| {
                let index = programs.len() as u32;
                fresh.insert(draft.hash, index);
                programs.push(Arc::clone(&draft.program));
                Place::Batch(index)
            });
            self.places.push(place);
        }
        programs
    }
}

impl<P: Problem> Run for GpRun<P> {
    const KIND: &'static str = P::KIND;
    const FORMAT: u32 = 1;
    const COLUMNS: &'static str = COLUMNS;
    const TIMING_COLUMNS: &'static str = TIMING_COLUMNS;
    type Settings = P::Settings;
    type View = EvolutionView<P>;
    type Watched = History;

    fn manifest(settings: &P::Settings) -> Manifest {
        let tableau = settings.tableau();
        Manifest::new(P::KIND, settings.preset(), tableau.seed, tableau.generations)
    }

    fn settings_text(settings: &P::Settings) -> String {
        settings.text()
    }

    fn read_settings(manifest: &Manifest, table: &Table<'_>, problems: &mut Vec<Mistake>) -> P::Settings {
        P::Settings::read(&manifest.preset, manifest.seed, manifest.generations, table, problems)
    }

    fn files(settings: &P::Settings) -> Vec<(String, u64)> {
        settings.files()
    }

    fn start(settings: P::Settings) -> Result<GpRun<P>, String> {
        settings.tableau().check()?;
        Ok(GpRun {
            problem: P::new(&settings)?,
            grammar: Grammar::with_functions(&settings.tableau().functions)?,
            settings: Arc::new(settings),
            threads: Threads::new(0),
            population: None,
            next: None,
            best: None,
            improvements: Arc::default(),
            history: History::default(),
            histograms: Arc::default(),
            times: Times::default(),
        })
    }

    fn set_threads(&mut self, threads: usize) {
        self.threads = Threads::new(threads);
    }

    fn advance(&mut self, budget: Budget) -> Progress {
        if self.population.as_ref().is_some_and(|population| population.generation >= self.of()) {
            return Progress::Done;
        }
        if self.next.as_ref().is_none_or(|next| next.batch.is_none()) && self.breed(budget) == Status::Running {
            return Progress::Working;
        }
        match self.evaluate(budget) {
            Status::Running => Progress::Working,
            Status::Done => self.conclude(),
        }
    }

    fn generation(&self) -> Option<u64> {
        self.population.as_ref().map(|population| population.generation)
    }

    fn save(&self) -> Vec<u8> {
        let mut out = Encoder::new();
        let (Some(population), Some(best)) = (&self.population, &self.best) else { return Vec::new() };
        out.small(population.generation);
        out.small(population.len() as u64);
        population.individuals.iter().for_each(|one| one.encode(&mut out));
        out.small(best.found);
        best.individual.encode(&mut out);
        out.small(self.improvements.len() as u64);
        self.improvements.iter().for_each(|improvement| improvement.encode(&mut out));
        self.times.encode(&mut out);
        out.finish()
    }

    fn restore(settings: P::Settings, state: &[u8], rows: Rows<'_>) -> Result<GpRun<P>, String> {
        let mut run = GpRun::<P>::start(settings)?;
        let mut decoder = Decoder::new(state);
        let from = &mut decoder;
        let generation = from.small()?;
        if generation.checked_add(1) != Some(rows.count()) {
            return Err(format!("its state is of generation {generation}, and there are {} rows", rows.count()));
        }
        let count = from.count()?;
        let wanted = run.settings.tableau().population;
        if count != wanted as usize {
            return Err(format!("it holds {count} programs, and run.toml says {wanted}"));
        }
        let individuals = (0..count).map(|_| Individual::decode(from)).collect::<Result<Vec<_>, String>>()?;
        let population = Population::new(generation, individuals, run.settings.tableau().prefer_small);
        let found = from.small()?;
        run.best = Some(Arc::new(Best::new(found, Individual::decode(from)?)));
        let improvements = from.count()?;
        if improvements > IMPROVEMENTS {
            return Err(format!("it holds {improvements} improvements, and no more than {IMPROVEMENTS} are kept"));
        }
        let improvements = (0..improvements).map(|_| Improvement::decode(from)).collect::<Result<Vec<_>, String>>()?;
        run.improvements = Arc::new(improvements);
        run.times = Times::decode(from)?;
        decoder.end()?;
        let mut newest = String::new();
        rows.each(|row| {
            row.clone_into(&mut newest);
            run.history.read(row)
        })?;
        // Whatever else it holds, the state gives the row that was written.
        if GenerationRow::of(&population).to_csv() != newest {
            return Err(format!("its state is not that of generation {generation} in generations.csv"));
        }
        run.histograms = Arc::new(Histograms::of(&population));
        run.population = Some(Arc::new(population));
        Ok(run)
    }

    fn best(&self) -> String {
        self.best.as_ref().map(|best| best.to_text()).unwrap_or_default()
    }

    fn view(&self) -> EvolutionView<P> {
        let next = self.next.as_ref();
        let batch = next.and_then(|next| next.batch.as_ref());
        EvolutionView {
            settings: Arc::clone(&self.settings),
            generation: self.generation(),
            of: self.of(),
            bred: next.map_or(0, |next| next.drafts.len()),
            evaluated: batch.map_or(0, P::evaluated),
            to_evaluate: batch.and(next).map_or(0, |next| next.fresh),
            best: self.best.clone(),
            population: self.population.clone(),
            history: self.history.clone(),
            improvements: Arc::clone(&self.improvements),
            histograms: Arc::clone(&self.histograms),
            times: self.times,
            memo: self.problem.memo(),
            threads: self.threads.count(),
        }
    }
}

impl Operator {
    /// For people, such as "crossover in 71".
    pub fn in_generation(self, generation: u64) -> String {
        format!("{self} in {generation}")
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

impl Memo {
    /// From 0 to 1.
    pub fn hit_rate(&self) -> f64 {
        if self.asked == 0 { 0.0 } else { 1.0 - self.missed as f64 / self.asked as f64 }
    }
}
