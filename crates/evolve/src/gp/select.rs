//! Breeding of the next generation from an evaluated one.
//!
//! The limit on the size of a generation, checked during breeding, so that an oversized generation never fills the memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rand::RngExt;

use super::genome::Genome;
use super::lexicase::Cases;
use super::nsga2;
use super::points::Points;
use super::population::{Operator, Population};
use super::tableau::{Selection, Tableau};
use crate::program::grow::Grammar;
use crate::program::language::Language;
use crate::program::tree::{Tree, arity};
use crate::rng::{Rng, keyed};

/// Purposes of random draws. The numbers are part of every recorded run.
#[derive(Clone, Copy)]
#[repr(u64)]
enum Purpose {
    Grow = 0,
    Breed = 1,
}

/// A program that is not evaluated yet.
#[derive(Clone, Debug)]
pub struct Draft<L: Language> {
    pub program: Arc<Genome<L>>,
    pub hash: u64,
    pub depth: u32,
    pub operator: Operator,
    /// Numbers in the available part of the previous generation.
    pub parents: [Option<u32>; 2],
}

impl<L: Language> Draft<L> {
    /// Returns the number of nodes.
    fn size(&self) -> usize {
        self.program.size()
    }
}

/// Returns program `number` of the first generation, which depends only on the seed, the grammars and the depth. `None` if it
/// does not fit the node limit.
pub(super) fn grown<L: Language>(
    tableau: &Tableau,
    grammars: &[Grammar<L>],
    number: usize,
    node_limit: &NodeLimit,
) -> Option<Draft<L>> {
    node_limit.let_in(Draft::size, || {
        let mut rng = keyed(&[tableau.seed, 0, number as u64, Purpose::Grow as u64]);
        let depth = tableau.initial_depth as usize;
        let trees = grammars
            .iter()
            .map(|grammar| tableau.generator.tree(grammar, (number, depth), node_limit.most(), &mut rng));
        let trees = trees.collect::<Option<_>>()?;
        let program = Genome::new(trees).unwrap_or_else(|| unreachable!("a problem has a grammar"));
        let hash = program.hash();
        let depth = program.depth() as u32;
        Some(Draft { program: Arc::new(program), hash, depth, operator: Operator::Grown, parents: [None; 2] })
    })
}

/// Returns a program of the first generation from a file; `None` if it does not fit the node limit.
pub(super) fn seeded<L: Language>(program: &Arc<Genome<L>>, node_limit: &NodeLimit) -> Option<Draft<L>> {
    node_limit.let_in(Draft::size, || {
        let hash = program.hash();
        let depth = program.depth() as u32;
        Some(Draft { program: Arc::clone(program), hash, depth, operator: Operator::Seeded, parents: [None; 2] })
    })
}

/// Sample size for the mean program size.
const SAMPLE: usize = 1000;

/// Selection weights of a generation, computed once for all its children.
pub(super) struct SelectionWeights {
    /// Cumulative fitness within each island, for each individual; shared under `sharing`.
    wheel: Vec<f64>,
    /// The shared fitness of each individual; empty without `sharing`.
    shared: Vec<f64>,
    /// Numbers of each island's individuals, fittest first, island by island.
    ranked: Vec<u32>,
    /// The place of each individual in the order of `nsga2`; empty under other selections.
    places: Vec<u32>,
    /// The results in single cases under `lexicase`.
    cases: Option<Cases>,
    /// Approximate mean number of nodes per program; at least 1.
    pub nodes: usize,
}

impl SelectionWeights {
    /// `niches`: the niche count of each individual under `sharing`; otherwise empty.
    pub fn new<L: Language>(tableau: &Tableau, before: &Population<L>, niches: &[f64]) -> SelectionWeights {
        let size = tableau.island_size() as usize;
        let fitness = |number: usize| before.individuals[number].outcome.fitness;
        let shared: Vec<f64> = niches.iter().enumerate().map(|(number, count)| fitness(number) / count).collect();
        let mut wheel = Vec::with_capacity(before.len());
        let mut sum = 0.0;
        wheel.extend((0..before.len()).map(|number| {
            let own = shared.get(number).copied().unwrap_or_else(|| fitness(number));
            sum = if number.is_multiple_of(size) { own } else { sum + own };
            sum
        }));
        let mut ranked = before.ranking.clone();
        // A stable sort keeps the order within each island.
        ranked.sort_by_key(|&number| number as usize / size);
        // A sample suffices: reading a million programs would take as long as a step.
        let some = before.individuals.iter().step_by(before.len() / SAMPLE + 1);
        let (count, nodes) = some.fold((0, 0), |(count, nodes), one| (count + 1, nodes + one.nodes as usize));
        let mut places = Vec::new();
        if let Selection::Nsga2(size) = tableau.selection {
            places = vec![0; before.len()];
            let order = nsga2::order(before.individuals.iter(), size);
            (0..).zip(order).for_each(|(place, number)| places[number as usize] = place);
        }
        let by_cases = tableau.selection == Selection::Lexicase;
        let cases = by_cases.then(|| Cases::new(before.individuals.iter().map(|one| &one.cases), size));
        SelectionWeights { wheel, shared, ranked, places, cases, nodes: (nodes / count.max(1)).max(1) }
    }
}

/// The input for breeding a generation from the previous one.
pub(super) struct Breeder<'a, L: Language> {
    pub tableau: &'a Tableau,
    pub grammars: &'a [Grammar<L>],
    pub before: &'a Population<L>,
    pub weights: &'a SelectionWeights,
    pub node_limit: &'a NodeLimit,
}

impl<L: Language> Breeder<'_, L> {
    /// Returns individual `number` of the next generation, with the random draws of number `drawn`; `None` if it does not fit
    /// the node limit.
    pub fn draft(&self, number: usize, drawn: usize) -> Option<Draft<L>> {
        self.node_limit.let_in(Draft::size, || self.drafted(number, drawn))
    }

    fn drafted(&self, number: usize, drawn: usize) -> Option<Draft<L>> {
        let Tableau { islands, elitism, migration_every, migrants, .. } = *self.tableau;
        let size = self.tableau.island_size() as usize;
        let island = number / size;
        let place = number % size;
        // All survivors of `nsga2` are an elite.
        if place < elitism as usize && self.weights.places.is_empty() {
            return Some(self.kept(self.weights.ranked[island * size + place], Operator::Elite));
        }
        let generation = self.before.generation + 1;
        let migrates = islands > 1 && migration_every != 0 && generation.is_multiple_of(migration_every.into());
        let resident = size - migrants as usize;
        if migrates && place >= resident {
            let from = (island + islands as usize - 1) % islands as usize;
            return Some(self.kept(self.weights.ranked[from * size + place - resident], Operator::Migrant));
        }
        let mut rng = keyed(&[self.tableau.seed, generation, drawn as u64, Purpose::Breed as u64]);
        self.bred(island * size..(island + 1) * size, &mut rng)
    }

    fn kept(&self, number: u32, operator: Operator) -> Draft<L> {
        let parent = &self.before.individuals[number as usize];
        Draft {
            program: Arc::clone(&parent.program),
            hash: parent.hash,
            depth: parent.depth,
            operator,
            parents: [Some(number), None],
        }
    }

    fn bred(&self, island: std::ops::Range<usize>, rng: &mut Rng) -> Option<Draft<L>> {
        let most = self.node_limit.most();
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
        let hash = child.hash();
        let depth = child.depth() as u32;
        if self.tableau.max_depth != 0 && depth > self.tableau.max_depth {
            return Some(self.kept(number as u32, Operator::Copy));
        }
        let operator = match (partner, mutated) {
            (Some(_), true) => Operator::Both,
            (Some(_), false) => Operator::Crossover,
            (None, _) => Operator::Mutation,
        };
        Some(Draft { program: Arc::new(child), hash, depth, operator, parents: [Some(number as u32), partner] })
    }

    fn select(&self, island: &std::ops::Range<usize>, rng: &mut Rng) -> usize {
        match self.tableau.selection {
            Selection::Roulette => self.spin(island, rng),
            Selection::Nsga2(_) => {
                let drawn = [(); 2].map(|()| rng.random_range(island.clone()));
                drawn.into_iter().min_by_key(|&number| self.weights.places[number]).unwrap_or(island.start)
            }
            Selection::Lexicase => self.weights.cases.as_ref().map_or(island.start, |cases| cases.select(island, rng)),
            Selection::Tournament(size) => {
                let drawn = (0..size).map(|_| rng.random_range(island.clone()));
                // The better rank wins; ranks already respect `prefer_small`.
                let rank = |number: usize| self.before.ranks[number];
                let shared = &self.weights.shared;
                let drawn = match shared.is_empty() {
                    true => drawn.min_by_key(|&number| rank(number)),
                    false => drawn.min_by(|&a, &b| shared[b].total_cmp(&shared[a]).then(rank(a).cmp(&rank(b)))),
                };
                drawn.unwrap_or(island.start)
            }
        }
    }

    fn spin(&self, island: &std::ops::Range<usize>, rng: &mut Rng) -> usize {
        let wheel = &self.weights.wheel[island.clone()];
        let all = wheel.last().copied().unwrap_or(0.0);
        if all <= 0.0 {
            return rng.random_range(island.clone());
        }
        let at = rng.random::<f64>() * all;
        island.start + wheel.partition_point(|&upto| upto <= at).min(wheel.len() - 1)
    }
}

/// Draws the index of a tree uniformly; a single tree needs no draw.
fn place<L: Language>(genome: &Genome<L>, rng: &mut Rng) -> usize {
    match genome.trees().len() {
        0 | 1 => 0,
        many => rng.random_range(0..many),
    }
}

/// Returns the first genome with one tree crossed with the second's tree of the same index; `None` above `most` nodes.
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

/// Returns the genome with one tree mutated; `None` above `most` nodes.
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

/// Returns the first program with one of its subtrees replaced by one of the second's. `points` defines how the roots of both
/// subtrees are drawn. Returns `None`, without building the child, if it would have more than `most` nodes.
pub fn crossover<L: Language>(
    first: &Tree<L>,
    second: &Tree<L>,
    points: Points,
    most: usize,
    rng: &mut Rng,
) -> Option<Tree<L>> {
    let start = points.draw(first, rng);
    let from = points.draw(second, rng);
    spliced(first, start, (second, from), most)
}

/// Returns the program with newly grown arguments of one node. The node is drawn uniformly, whatever the crossover points are;
/// a node without arguments stays unchanged. The new subtree, including that node, is at most `depth` deep. Returns `None`,
/// without building the child, if it would have more than `most` nodes.
pub fn mutate<L: Language>(
    tree: &Tree<L>,
    grammar: &Grammar<L>,
    depth: usize,
    most: usize,
    rng: &mut Rng,
) -> Option<Tree<L>> {
    let at = rng.random_range(0..tree.size());
    let node = tree.nodes()[at];
    if arity::<L>(&node) == 0 {
        return Some(tree.clone());
    }
    let mut grown = vec![node];
    grammar.arguments(&mut grown, depth, most, rng).then(|| spliced(tree, at, (&Tree::from_nodes(grown), 0), most))?
}

/// Returns [`Tree::spliced`]; `None` above `most` nodes.
fn spliced<L: Language>(
    tree: &Tree<L>,
    start: usize,
    (other, from): (&Tree<L>, usize),
    most: usize,
) -> Option<Tree<L>> {
    let size = tree.size() - (tree.end(start) - start) + (other.end(from) - from);
    (size <= most).then(|| tree.spliced(start, other, from))
}

/// The node limit of a generation in progress. Whether all programs fit depends on their sizes alone, not on the order of
/// requests.
pub(super) struct NodeLimit {
    most: u64,
    taken: AtomicU64,
}

impl NodeLimit {
    pub fn new(most: u64) -> NodeLimit {
        NodeLimit { most, taken: AtomicU64::new(0) }
    }

    /// Returns the maximum number of nodes of a single program.
    pub fn most(&self) -> usize {
        usize::try_from(self.most).unwrap_or(usize::MAX)
    }

    /// Returns the result of `make`, whose number of nodes is given by `size`, if it fits. After the first refusal, or if
    /// `make` returns `None` because its result would be too large, nothing fits any more.
    pub fn let_in<T>(&self, size: impl Fn(&T) -> usize, make: impl FnOnce() -> Option<T>) -> Option<T> {
        if self.taken.load(Ordering::Relaxed) > self.most {
            return None;
        }
        let made = make();
        // A result that exceeds the limit on its own uses up the rest.
        let nodes = made.as_ref().map_or(self.most + 1, |made| size(made) as u64);
        let before = self.taken.fetch_add(nodes, Ordering::Relaxed);
        made.filter(|_| before + nodes <= self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how many of these sizes are accepted.
    fn let_in(most: u64, sizes: &[Option<usize>]) -> usize {
        let limit = NodeLimit::new(most);
        sizes.iter().filter(|size| limit.let_in(|size| *size, || **size).is_some()).count()
    }

    #[test]
    fn all_are_let_in_that_there_is_room_for_and_nothing_after_them() {
        assert_eq!(let_in(10, &[Some(4), Some(6)]), 2);
        assert_eq!(let_in(9, &[Some(4), Some(6), Some(1)]), 1);
        assert_eq!(let_in(9, &[Some(1), None, Some(1)]), 1, "one was too large to be made");
        assert_eq!(let_in(9, &[Some(10)]), 0);
    }
}
