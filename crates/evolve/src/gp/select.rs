//! Breeding the next generation from one that has been evaluated.

use std::sync::Arc;

use super::breed::{crossover, mutate};
use super::genome::Genome;
use super::node_limit::NodeLimit;
use super::points::Points;
use super::population::{Operator, Population};
use super::tableau::{Selection, Tableau};
use crate::program::grow::Grammar;
use crate::program::language::Language;
use crate::rng::{Rng, keyed};
use rand::RngExt;

/// What a random choice is for. The numbers are part of every recorded run.
#[derive(Clone, Copy)]
#[repr(u64)]
enum Purpose {
    Grow = 0,
    Breed = 1,
}

/// A program that is not evaluated yet.
#[derive(Clone, Debug)]
pub struct PlanManifest<L: Language> {
    pub program: Arc<Genome<L>>,
    pub hash: u64,
    pub depth: u32,
    pub operator: Operator,
    /// Numbers in the generation before, as it is at hand.
    pub parents: [Option<u32>; 2],
}

impl<L: Language> PlanManifest<L> {
    /// In nodes.
    fn size(&self) -> usize {
        self.program.size()
    }
}

/// Program `number` of the first generation. Depends on nothing but the seed, the grammars and the depth. `None` if there is no
/// room for it.
pub(super) fn grown<L: Language>(
    tableau: &Tableau,
    grammars: &[Grammar<L>],
    number: usize,
    room: &NodeLimit,
) -> Option<PlanManifest<L>> {
    room.let_in(PlanManifest::size, || {
        let mut rng = keyed(&[tableau.seed, 0, number as u64, Purpose::Grow as u64]);
        let depth = tableau.initial_depth as usize;
        let trees =
            grammars.iter().map(|grammar| tableau.generator.tree(grammar, (number, depth), room.most(), &mut rng));
        let trees = trees.collect::<Option<_>>()?;
        let program = Genome::new(trees).unwrap_or_else(|| unreachable!("a problem has a grammar"));
        let (hash, depth) = (program.hash(), program.depth() as u32);
        Some(PlanManifest { program: Arc::new(program), hash, depth, operator: Operator::Grown, parents: [None; 2] })
    })
}

/// Programs that are looked at to know how large they are.
const SAMPLE: usize = 1000;

/// Who of a generation is selected how often: made once, for all of its children.
pub(super) struct SelectionWeights {
    /// For each individual the fitness of all of its island up to and with it.
    wheel: Vec<f64>,
    /// Numbers of each island's individuals, the fittest first, island after island.
    ranked: Vec<u32>,
    /// Of a program on the average, more or less; at least 1.
    pub nodes: usize,
}

impl SelectionWeights {
    pub fn new<L: Language>(tableau: &Tableau, before: &Population<L>) -> SelectionWeights {
        let size = tableau.island_size() as usize;
        let mut wheel = Vec::with_capacity(before.len());
        for island in before.individuals.chunks(size) {
            let mut sum = 0.0;
            wheel.extend(island.iter().map(|one| {
                sum += one.outcome.fitness;
                sum
            }));
        }
        let mut ranked = before.ranking.clone();
        // Stable: the order within each island stays.
        ranked.sort_by_key(|&number| number as usize / size);
        // Some of them tell enough: to look at a million programs takes as long as a step.
        let some = before.individuals.iter().step_by(before.len() / SAMPLE + 1);
        let (count, nodes) = some.fold((0, 0), |(count, nodes), one| (count + 1, nodes + one.nodes as usize));
        SelectionWeights { wheel, ranked, nodes: (nodes / count.max(1)).max(1) }
    }
}

/// All that breeding one generation needs to know of the one before.
pub(super) struct Breeder<'a, L: Language> {
    pub tableau: &'a Tableau,
    pub grammars: &'a [Grammar<L>],
    pub before: &'a Population<L>,
    pub odds: &'a SelectionWeights,
    pub room: &'a NodeLimit,
}

impl<L: Language> Breeder<'_, L> {
    /// Individual `number` of the next generation, whose chance is drawn as that of number `drawn`; `None` if there is no room for it.
    pub fn draft(&self, number: usize, drawn: usize) -> Option<PlanManifest<L>> {
        self.room.let_in(PlanManifest::size, || self.drafted(number, drawn))
    }

    fn drafted(&self, number: usize, drawn: usize) -> Option<PlanManifest<L>> {
        let Tableau { islands, elitism, migration_every, migrants, .. } = *self.tableau;
        let size = self.tableau.island_size() as usize;
        let (island, place) = (number / size, number % size);
        if place < elitism as usize {
            return Some(self.kept(self.odds.ranked[island * size + place], Operator::Elite));
        }
        let generation = self.before.generation + 1;
        let migrates = islands > 1 && migration_every != 0 && generation.is_multiple_of(migration_every.into());
        let resident = size - migrants as usize;
        if migrates && place >= resident {
            let from = (island + islands as usize - 1) % islands as usize;
            return Some(self.kept(self.odds.ranked[from * size + place - resident], Operator::Migrant));
        }
        let mut rng = keyed(&[self.tableau.seed, generation, drawn as u64, Purpose::Breed as u64]);
        self.bred(island * size..(island + 1) * size, &mut rng)
    }

    fn kept(&self, number: u32, operator: Operator) -> PlanManifest<L> {
        let parent = &self.before.individuals[number as usize];
        PlanManifest {
            program: Arc::clone(&parent.program),
            hash: parent.hash,
            depth: parent.depth,
            operator,
            parents: [Some(number), None],
        }
    }

    fn bred(&self, island: std::ops::Range<usize>, rng: &mut Rng) -> Option<PlanManifest<L>> {
        let most = self.room.most();
        let number = self.select(&island, rng);
        let first = &self.before.individuals[number];
        let mut partner = None;
        let mut child = None;
        if rng.random_bool(self.tableau.crossover / 100.0) {
            let second = self.select(&island, rng);
            partner = Some(second as u32);
            let second = &self.before.individuals[second].program;
            child = Some(crossed(&first.program, second, self.tableau.points, most, rng)?);
        }
        let mutated = rng.random_bool(self.tableau.mutation / 100.0);
        if mutated {
            let depth = self.tableau.mutation_depth as usize;
            child = Some(mutated_in(child.as_ref().unwrap_or(&first.program), self.grammars, depth, most, rng)?);
        }
        let Some(child) = child else { return Some(self.kept(number as u32, Operator::Copy)) };
        let (hash, depth) = (child.hash(), child.depth() as u32);
        if self.tableau.max_depth != 0 && depth > self.tableau.max_depth {
            return Some(self.kept(number as u32, Operator::Copy));
        }
        let operator = match (partner, mutated) {
            (Some(_), true) => Operator::Both,
            (Some(_), false) => Operator::Crossover,
            (None, _) => Operator::Mutation,
        };
        Some(PlanManifest { program: Arc::new(child), hash, depth, operator, parents: [Some(number as u32), partner] })
    }

    fn select(&self, island: &std::ops::Range<usize>, rng: &mut Rng) -> usize {
        match self.tableau.selection {
            Selection::Roulette => self.spin(island, rng),
            Selection::Tournament(size) => {
                let drawn = (0..size).map(|_| rng.random_range(island.clone()));
                // The better rank wins; ranks know whether small programs are preferred.
                drawn.min_by_key(|&number| self.before.ranks[number]).unwrap_or(island.start)
            }
        }
    }

    fn spin(&self, island: &std::ops::Range<usize>, rng: &mut Rng) -> usize {
        let wheel = &self.odds.wheel[island.clone()];
        let all = wheel.last().copied().unwrap_or(0.0);
        if all <= 0.0 {
            return rng.random_range(island.clone());
        }
        let at = rng.random::<f64>() * all;
        island.start + wheel.partition_point(|&upto| upto <= at).min(wheel.len() - 1)
    }
}

/// The place of a tree, all alike; of a single one without a draw.
fn place<L: Language>(genome: &Genome<L>, rng: &mut Rng) -> usize {
    match genome.trees().len() {
        0 | 1 => 0,
        many => rng.random_range(0..many),
    }
}

/// The first with one of its trees crossed with the second's of the same place; `None` if that would have more than `most` nodes.
fn crossed<L: Language>(
    first: &Genome<L>,
    second: &Genome<L>,
    points: Points,
    most: usize,
    rng: &mut Rng,
) -> Option<Genome<L>> {
    let at = place(first, rng);
    Some(first.with(at, crossover(&first.trees()[at], &second.trees()[at], points, most, rng)?))
}

/// The genome with one of its trees mutated; `None` if that would have more than `most` nodes.
fn mutated_in<L: Language>(
    genome: &Genome<L>,
    grammars: &[Grammar<L>],
    depth: usize,
    most: usize,
    rng: &mut Rng,
) -> Option<Genome<L>> {
    let at = place(genome, rng);
    Some(genome.with(at, mutate(&genome.trees()[at], &grammars[at], depth, most, rng)?))
}
