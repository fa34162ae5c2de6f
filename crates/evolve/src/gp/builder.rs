//! The generation in progress: bred, evaluated, assembled and ranked in small pieces, so that a step returns in time for any
//! population size. The result does not depend on the division into steps.
//!
//! Sources of the outcomes of a new generation. Programs of the previous generation keep their outcome, equal programs share
//! one, and each remaining program is evaluated once.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mancalab_base::Error;

use super::genome::Genome;
use super::nsga2;
use super::population::{Individual, LINEAGE, Lineage, Population, Selectable};
use super::problem::{Outcome, Problem, Scores};
use super::row::GenerationRow;
use super::run::FirstPrograms;
use super::select::{Breeder, Draft, NodeLimit, SelectionWeights, grown, seeded};
use super::sharing::Niches;
use super::tableau::{Selection, Tableau};
use super::view::Histograms;
use crate::budget::{Budget, Status};
use crate::pool::Pool;
use crate::program::grow::Grammar;
use crate::program::language::Language;

/// Limits of the work between two checks of the clock: programs bred per thread, and about how many nodes they have.
const PIECE: usize = 64;
const NODES: usize = 1 << 16;

/// Programs processed between two checks of the clock in cheap stages.
const MANY: usize = 4096;

/// A generation in progress.
pub(super) struct GenerationBuilder<P: Problem> {
    stage: Stage,
    changes: bool,
    niches: Option<Niches>,
    weights: Option<SelectionWeights>,
    node_limit: NodeLimit,
    places: Places<P::Language>,
    drafts: Vec<Draft<P::Language>>,
    /// The programs being evaluated, and their number.
    batch: Option<P::Batch>,
    fresh: usize,
    outcomes: Vec<Outcome>,
    cases: Vec<Arc<[f64]>>,
    failure: Option<Error>,
    individuals: Vec<Individual<P::Language>>,
    breeding: Duration,
    evaluating: Duration,
}

/// The next stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Index the programs of the previous generation.
    Recall,
    Breed,
    Evaluate,
    /// Give each individual its outcome and lineage.
    Settle,
    /// Rank and summarize.
    Conclude,
    /// Stop: the programs together exceed the node limit.
    Abandon,
}

/// A finished generation.
pub(super) struct Generation<L: Language> {
    pub population: Population<L>,
    pub row: GenerationRow,
    pub histograms: Histograms,
    /// Number of programs evaluated for it.
    pub fresh: u64,
    pub breeding: Duration,
    pub evaluating: Duration,
}

/// An island's part of a generation.
pub(super) struct Part<L: Language> {
    /// By their places on the island, without lineages.
    pub individuals: Vec<Individual<L>>,
    /// Each individual's parents, as numbers in the previous generation.
    pub parents: Vec<[Option<u32>; 2]>,
    /// Number of programs evaluated for it.
    pub fresh: u64,
}

/// The input of a generation.
pub(super) struct Origin<'a, L: Language> {
    pub tableau: &'a Tableau,
    pub grammars: &'a [Grammar<L>],
    /// Given programs of the first generation.
    pub initial: &'a FirstPrograms<L>,
    /// The previous generation; `None` for the first.
    pub before: Option<&'a Population<L>>,
    /// The part of the generation to build; `None` for all of it.
    pub share: Option<Share>,
    pub pool: &'a Pool,
}

/// An island built separately from the others. `before` holds only the islands it needs, and the tableau describes that many
/// islands.
#[derive(Clone, Copy)]
pub(super) struct Share {
    /// Number of the island's first individual in `before`.
    pub here: usize,
    /// Its number in the whole generation, the key of the random draws.
    pub first: usize,
}

impl<L: Language> Origin<'_, L> {
    /// Returns the number of the generation.
    fn generation(&self) -> u64 {
        self.before.map_or(0, |before| before.generation + 1)
    }

    /// Returns the number of programs to build.
    fn total(&self) -> usize {
        match self.share {
            Some(_) => self.tableau.island_size() as usize,
            None => self.tableau.population as usize,
        }
    }

    /// Returns the numbers of the first individual, in `before` and in the whole generation.
    fn first(&self) -> (usize, usize) {
        self.share.map_or((0, 0), |share| (share.here, share.first))
    }
}

impl<L: Language> Generation<L> {
    /// `times`: breeding and evaluation time.
    pub fn new(population: Population<L>, fresh: u64, times: [Duration; 2]) -> Generation<L> {
        let row = GenerationRow::from_population(&population);
        let histograms = Histograms::count(&population);
        let [breeding, evaluating] = times;
        Generation { population, row, histograms, fresh, breeding, evaluating }
    }
}

impl<P: Problem> GenerationBuilder<P> {
    /// `changes`: whether the outcome of a program differs between generations.
    pub fn new(tableau: &Tableau, changes: bool) -> GenerationBuilder<P> {
        GenerationBuilder {
            stage: Stage::Recall,
            changes,
            niches: None,
            weights: None,
            node_limit: NodeLimit::new(tableau.max_nodes),
            places: Places::new(),
            drafts: Vec::new(),
            batch: None,
            fresh: 0,
            outcomes: Vec::new(),
            cases: Vec::new(),
            failure: None,
            individuals: Vec::new(),
            breeding: Duration::ZERO,
            evaluating: Duration::ZERO,
        }
    }

    /// Returns the number of programs bred so far.
    pub fn bred(&self) -> usize {
        self.drafts.len()
    }

    /// Returns how many of the new programs are evaluated, and how many there are (0 until all are bred).
    pub fn evaluated(&self) -> (usize, usize) {
        (self.batch.as_ref().map_or(self.outcomes.len(), P::evaluated), self.fresh)
    }

    /// Returns whether the programs together exceed the node limit, so that there is no result.
    pub fn is_too_large(&self) -> bool {
        self.stage == Stage::Abandon
    }

    /// Returns why its programs cannot be evaluated, once.
    pub fn take_failure(&mut self) -> Option<Error> {
        self.failure.take()
    }

    /// Works until the budget is spent, the programs cannot be [evaluated](GenerationBuilder::take_failure), the generation is ready
    /// to [conclude](GenerationBuilder::conclude), or it is [too large](GenerationBuilder::is_too_large). Except for the threads, `origin` must be the same in every call.
    pub fn advance(&mut self, origin: &Origin<'_, P::Language>, problem: &mut P, budget: Budget) -> Status {
        while !matches!(self.stage, Stage::Conclude | Stage::Abandon) {
            let began = Instant::now();
            let next = match self.stage {
                Stage::Recall => self.prepare_selection(origin, budget),
                Stage::Breed => self.breed(origin, problem, budget),
                Stage::Evaluate => self.evaluate(origin, problem, budget),
                Stage::Settle | Stage::Conclude | Stage::Abandon => self.settle(origin, budget),
            };
            match self.stage {
                Stage::Recall | Stage::Breed => self.breeding += began.elapsed(),
                Stage::Evaluate => self.evaluating += began.elapsed(),
                Stage::Settle | Stage::Conclude | Stage::Abandon => {}
            }
            self.stage = next;
            if self.failure.is_some() || (budget.is_spent() && next != Stage::Abandon) {
                return Status::Running;
            }
        }
        Status::Done
    }

    /// Returns the generation, after the last step.
    pub fn conclude(self, origin: &Origin<'_, P::Language>) -> Generation<P::Language> {
        let individuals = match (origin.tableau.selection, origin.before) {
            (Selection::Nsga2(size), Some(before)) => nsga2::survivors(&before.individuals, self.individuals, size),
            _ => self.individuals,
        };
        let population = Population::new(origin.generation(), individuals, origin.tableau.prefer_small);
        Generation::new(population, self.fresh as u64, [self.breeding, self.evaluating])
    }

    /// Returns an island's part of the generation, after the last step.
    pub fn part(self) -> Part<P::Language> {
        let parents = self.drafts.iter().map(|draft| draft.parents).collect();
        Part { individuals: self.individuals, parents, fresh: self.fresh as u64 }
    }

    // Each of these methods returns the next stage, which may be the same one.

    fn prepare_selection(&mut self, origin: &Origin<'_, P::Language>, budget: Budget) -> Stage {
        let Some(before) = origin.before else { return Stage::Breed };
        let sharing = origin.tableau.sharing;
        if sharing > 0.0 && self.weights.is_none() {
            let cases = before.individuals.iter().map(|one| &one.cases);
            let size = origin.tableau.island_size() as usize;
            let niches = self.niches.get_or_insert_with(|| Niches::new(cases, size, sharing));
            if niches.advance(origin.pool, budget) == Status::Running {
                return Stage::Recall;
            }
        }
        self.weights.get_or_insert_with(|| {
            let niches = self.niches.take().map(|niches| niches.counts()).unwrap_or_default();
            SelectionWeights::new(origin.tableau, before, &niches)
        });
        while !self.changes && !self.places.index_previous(before, MANY) {
            if budget.is_spent() {
                return Stage::Recall;
            }
        }
        Stage::Breed
    }

    fn breed(&mut self, origin: &Origin<'_, P::Language>, problem: &mut P, budget: Budget) -> Stage {
        let Origin { tableau, grammars, initial, before, pool, .. } = *origin;
        let (here, first) = origin.first();
        let node_limit = &self.node_limit;
        let breeder = before.zip(self.weights.as_ref()).map(|(before, weights)| Breeder {
            tableau,
            grammars,
            before,
            weights,
            node_limit,
        });
        let nodes = self.weights.as_ref().map_or(1, |weights| weights.nodes);
        let piece = pool.count() * (NODES / nodes).clamp(1, PIECE);
        while self.drafts.len() < origin.total() {
            let range = self.drafts.len()..origin.total().min(self.drafts.len() + piece);
            let drafts = pool.map(range, |number| match &breeder {
                Some(breeder) => breeder.draft(here + number, first + number),
                None => match given(initial, first + number) {
                    Some(program) => seeded(program, node_limit),
                    None => grown(tableau, grammars, first + number, node_limit),
                },
            });
            let Some(drafts) = drafts.into_iter().collect::<Option<Vec<_>>>() else { return Stage::Abandon };
            drafts.iter().for_each(|draft| self.places.find(draft, before));
            self.drafts.extend(drafts);
            if budget.is_spent() && self.drafts.len() < origin.total() {
                return Stage::Breed;
            }
        }
        let programs = self.places.take_programs();
        self.fresh = programs.len();
        if let Some(before) = before {
            problem.meet(before.fittest(problem.champions_wanted()));
        }
        self.batch = Some(problem.begin(programs, origin.generation()));
        Stage::Evaluate
    }

    fn evaluate(&mut self, origin: &Origin<'_, P::Language>, problem: &mut P, budget: Budget) -> Stage {
        if let Some(batch) = &mut self.batch
            && problem.advance(batch, origin.pool, budget) == Status::Running
        {
            self.failure = problem.failure();
            return Stage::Evaluate;
        }
        if let Some(mut batch) = self.batch.take() {
            if origin.tableau.needs_cases() {
                self.cases = P::cases(&mut batch);
            }
            self.outcomes = P::finish(batch);
        }
        self.individuals.reserve_exact(origin.total());
        Stage::Settle
    }

    fn settle(&mut self, origin: &Origin<'_, P::Language>, budget: Budget) -> Stage {
        let generation = origin.generation();
        let before = origin.before;
        while self.individuals.len() < origin.total() {
            let from = self.individuals.len();
            let range = from..origin.total().min(from + MANY);
            let individuals = origin.pool.map(range, |number| {
                let draft = &self.drafts[number];
                let (outcome, cases) = match self.places.place(number) {
                    Place::Before(number) => before.map_or_else(nothing, |before| {
                        let same = &before.individuals[number as usize];
                        (same.outcome, Arc::clone(&same.cases))
                    }),
                    Place::Batch(index) => {
                        let outcome = self.outcomes[index as usize];
                        let cases = self.cases.get(index as usize).cloned().unwrap_or_default();
                        (thrifty(outcome, &draft.program, origin.tableau.parsimony), cases)
                    }
                };
                let lineage = match origin.share {
                    Some(_) => Arc::default(),
                    None => lineage(draft.birth(generation, outcome), draft.parents, before),
                };
                let Draft { program, hash, depth, operator, .. } = draft;
                let nodes = program.size() as u32;
                let selectable =
                    Selectable { hash: *hash, nodes, depth: *depth, outcome, operator: *operator, lineage };
                Individual { program: Arc::clone(program), cases, selectable }
            });
            self.individuals.extend(individuals);
            if budget.is_spent() && self.individuals.len() < origin.total() {
                return Stage::Settle;
            }
        }
        Stage::Conclude
    }
}

/// Returns the given program of this number.
fn given<L: Language>(initial: &FirstPrograms<L>, number: usize) -> Option<&Arc<Genome<L>>> {
    initial.binary_search_by_key(&number, |(number, _)| *number).ok().map(|index| &initial[index].1)
}

fn nothing() -> (Outcome, Arc<[f64]>) {
    (Outcome { fitness: 0.0, scores: Scores::default(), behaviour: 0 }, Arc::default())
}

fn thrifty<L: Language>(outcome: Outcome, program: &Genome<L>, parsimony: f64) -> Outcome {
    Outcome { fitness: (outcome.fitness - parsimony * program.size() as f64).max(0.0), ..outcome }
}

impl<L: Language> Draft<L> {
    /// Returns its birth, without the parents' ranks.
    fn birth(&self, generation: u64, outcome: Outcome) -> Lineage {
        let operator = self.operator;
        let nodes = self.program.size() as u32;
        Lineage { generation, operator, parents: [0; 2], fitness: outcome.fitness, nodes }
    }
}

/// Returns the lineage of an individual. `birth` has no parents' ranks yet; this function looks them up by the parents' numbers
/// in the whole previous generation.
pub(super) fn lineage<L: Language>(
    birth: Lineage,
    parents: [Option<u32>; 2],
    before: Option<&Population<L>>,
) -> Arc<[Lineage]> {
    let parent = |nth: usize| parents[nth].map(|number| number as usize).zip(before);
    let first = parent(0).map(|(number, before)| &before.individuals[number]);
    match first {
        Some(first) if birth.operator.keeps() => Arc::clone(&first.lineage),
        _ => {
            let rank = |nth| parent(nth).map_or(0, |(number, before)| before.ranks[number] + 1);
            let birth = Lineage { parents: [rank(0), rank(1)], ..birth };
            let older = first.map_or(&[][..], |first| &first.lineage[..first.lineage.len().min(LINEAGE - 1)]);
            std::iter::once(birth).chain(older.iter().copied()).collect()
        }
    }
}

/// The source of a draft's outcome.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// The individual with this number in the previous generation, which has the same program.
    Before(u32),
    /// The program with this index in the batch.
    Batch(u32),
}

/// The places of all drafts, in order.
pub(super) struct Places<L: Language> {
    /// Numbers in the previous generation by program hash, and how many of its programs are indexed.
    known: HashMap<u64, u32>,
    recalled: usize,
    /// Indices in `programs` by hash.
    fresh: HashMap<u64, u32>,
    /// The programs to evaluate.
    programs: Vec<Arc<Genome<L>>>,
    /// The place of each draft, by number.
    found: Vec<Place>,
}

impl<L: Language> Places<L> {
    pub fn new() -> Places<L> {
        Places { known: HashMap::new(), recalled: 0, fresh: HashMap::new(), programs: Vec::new(), found: Vec::new() }
    }

    /// Indexes `count` more programs of the previous generation; returns whether all are indexed. All must be before the first
    /// draft.
    pub fn index_previous(&mut self, before: &Population<L>, count: usize) -> bool {
        let all = &before.individuals[..];
        // Reserved at once: rehashing later would exceed the time of a step.
        self.known.reserve(all.len().saturating_sub(self.known.len()));
        let piece = self.recalled..all.len().min(self.recalled + count);
        self.recalled = piece.end;
        self.known.extend(piece.map(|number| (all[number].hash, number as u32)));
        self.recalled == all.len()
    }

    /// Finds the place of the next draft.
    pub fn find(&mut self, draft: &Draft<L>, before: Option<&Population<L>>) {
        let same = |other: &Arc<Genome<L>>| Arc::ptr_eq(other, &draft.program) || *other == draft.program;
        let old = self.known.get(&draft.hash).copied();
        let old = old.filter(|&number| before.is_some_and(|b| same(&b.individuals[number as usize].program)));
        let new = || self.fresh.get(&draft.hash).copied().filter(|&index| same(&self.programs[index as usize]));
        let place = old.map(Place::Before).or_else(|| new().map(Place::Batch)).unwrap_or_else(|| {
            let index = self.programs.len() as u32;
            self.fresh.insert(draft.hash, index);
            self.programs.push(Arc::clone(&draft.program));
            Place::Batch(index)
        });
        self.found.push(place);
    }

    /// Returns the place of a draft, by number.
    pub fn place(&self, number: usize) -> Place {
        self.found[number]
    }

    /// Takes the programs to evaluate and drops the indices.
    pub fn take_programs(&mut self) -> Vec<Arc<Genome<L>>> {
        (self.known, self.fresh) = (HashMap::new(), HashMap::new());
        std::mem::take(&mut self.programs)
    }
}
