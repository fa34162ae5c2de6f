//! Individuals and populations: programs with their fitness and origin.
//!
//! The success of the genetic operators: how many of a generation's programs each bred, and how many are fitter than their parent.
//!
//! It is derived from the lineages of a population, so that the columns of `generations.csv` stay the same.

use std::cmp::Ordering;
use std::ops::Deref;
use std::sync::Arc;

use mancalab_base::{Error, bail};

use super::genome::Genome;
use super::problem::{Outcome, Problem, Scores, Settings as _};
use crate::codec::{Decoder, Encoder};
use crate::program::language::Language;
use crate::settings::string_enum;

/// The genetic operator that produced a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Operator {
    /// Grown at random in the first generation.
    #[default]
    Grown,
    /// Copied as one of the fittest.
    Elite,
    /// Selected without crossover or mutation.
    Copy,
    Crossover,
    Mutation,
    /// Crossover, then mutation.
    Both,
    /// Copied from the fittest of another island.
    Migrant,
    /// Read from a file in the first generation.
    Seeded,
}

impl Operator {
    /// Returns a text such as "crossover in 71".
    pub fn in_generation(self, generation: u64) -> String {
        format!("{self} in {generation}")
    }

    /// Returns whether the program is an unchanged copy from the previous generation.
    pub fn keeps(self) -> bool {
        matches!(self, Operator::Elite | Operator::Copy | Operator::Migrant)
    }

    pub(super) fn decode(from: &mut Decoder<'_>) -> Result<Operator, Error> {
        let number = from.u8()?;
        let known = Operator::WORDS.iter().find(|(_, operator)| *operator as u8 == number);
        known.map(|(_, operator)| *operator).ok_or_else(|| format!("unknown operator {number}").into())
    }
}

string_enum!(Operator {
    "grown" => Grown,
    "elite" => Elite,
    "copy" => Copy,
    "crossover" => Crossover,
    "mutation" => Mutation,
    "crossover+mutation" => Both,
    "migrant" => Migrant,
    "seeded" => Seeded,
});

/// The origin of a program: the last step that changed it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lineage {
    pub generation: u64,
    pub operator: Operator,
    /// The parents' ranks in the previous generation, from 1; 0 where there is no parent.
    pub parents: [u32; 2],
    /// Fitness at birth.
    pub fitness: f64,
    pub nodes: u32,
}

/// Maximum number of births in a lineage.
pub const LINEAGE: usize = 16;

/// Properties that all individuals of a run share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Number of trees.
    pub trees: usize,
    /// Number of scores.
    pub scores: usize,
    /// Whether the results of single cases are kept.
    pub has_cases: bool,
}

impl Shape {
    /// Returns the shape of individuals of this number of trees.
    pub fn new<P: Problem>(settings: &P::Settings, trees: usize) -> Shape {
        Shape { trees, scores: settings.measures().all.len(), has_cases: settings.needs_cases() }
    }
}

/// A program of a generation.
#[derive(Clone, PartialEq, Debug)]
pub struct Individual<L: Language> {
    pub program: Arc<Genome<L>>,
    /// The results in single cases, where selection needs them: the more the better.
    pub cases: Arc<[f64]>,
    pub selectable: Selectable,
}

/// The properties of a program, independent of its language.
#[derive(Clone, PartialEq, Debug)]
pub struct Selectable {
    /// [`Genome::hash`].
    pub hash: u64,
    /// [`Genome::size`].
    pub nodes: u32,
    /// [`Genome::depth`].
    pub depth: u32,
    pub outcome: Outcome,
    /// The operator that brought it into this generation.
    pub operator: Operator,
    /// Its birth and those of its first parents, newest first; 1 to [`LINEAGE`] entries. Empty on an island computed
    /// separately, as births contain ranks in the whole generation.
    pub lineage: Arc<[Lineage]>,
}

impl Selectable {
    /// Returns the last step that changed the program.
    pub fn birth(&self) -> &Lineage {
        &self.lineage[0]
    }
}

impl<L: Language> Deref for Individual<L> {
    type Target = Selectable;

    fn deref(&self) -> &Selectable {
        &self.selectable
    }
}

impl<L: Language> Individual<L> {
    pub(super) fn encode(&self, out: &mut Encoder) {
        self.encode_bare(out);
        out.small(self.lineage.len() as u64);
        for birth in self.lineage.iter() {
            birth.encode(out);
        }
    }

    /// Encodes all but the lineage.
    pub(super) fn encode_bare(&self, out: &mut Encoder) {
        self.program.encode(out);
        out.f64(self.outcome.fitness);
        self.outcome.scores.iter().for_each(|&score| out.f64(score));
        out.u64(self.outcome.behaviour);
        out.u8(self.operator as u8);
        // Where they are kept there is at least one.
        if !self.cases.is_empty() {
            out.small(self.cases.len() as u64);
            self.cases.iter().for_each(|&value| out.f64(value));
        }
    }

    pub(super) fn decode(from: &mut Decoder<'_>, shape: Shape) -> Result<Individual<L>, Error> {
        let mut individual = Individual::decode_bare(from, shape)?;
        let births = from.count()?;
        if births > LINEAGE {
            bail!("a lineage has at most {LINEAGE} births (got {births})");
        }
        let lineage = (0..births).map(|_| Lineage::decode(from)).collect::<Result<Arc<[Lineage]>, Error>>()?;
        if lineage.is_empty() {
            bail!("a lineage is empty");
        }
        individual.selectable.lineage = lineage;
        Ok(individual)
    }

    /// Decodes the result of [`encode_bare`](Individual::encode_bare), without a lineage.
    pub(super) fn decode_bare(from: &mut Decoder<'_>, shape: Shape) -> Result<Individual<L>, Error> {
        let program = Genome::decode(from, shape.trees)?;
        let fitness = from.f64()?;
        let scores = Scores::decode(from, shape.scores)?;
        // Selection requires this.
        if !fitness.is_finite() || fitness < 0.0 || !scores.iter().all(|score| score.is_finite()) {
            bail!("a program has an invalid fitness");
        }
        let outcome = Outcome { fitness, scores, behaviour: from.u64()? };
        let operator = Operator::decode(from)?;
        let cases = if shape.has_cases { decoded_cases(from)? } else { Arc::default() };
        let hash = program.hash();
        let nodes = program.size() as u32;
        let depth = program.depth() as u32;
        let selectable = Selectable { hash, nodes, depth, outcome, operator, lineage: Arc::default() };
        Ok(Individual { program: Arc::new(program), cases, selectable })
    }
}

/// Decodes results in single cases.
fn decoded_cases(from: &mut Decoder<'_>) -> Result<Arc<[f64]>, Error> {
    let cases = (0..from.count()?).map(|_| from.f64()).collect::<Result<Arc<[f64]>, Error>>()?;
    if !cases.iter().all(|value| value.is_finite()) {
        bail!("a program has an invalid result");
    }
    Ok(cases)
}

impl Lineage {
    pub(super) fn encode(&self, out: &mut Encoder) {
        out.small(self.generation);
        out.u8(self.operator as u8);
        self.parents.iter().for_each(|&parent| out.small(parent.into()));
        out.f64(self.fitness);
        out.small(self.nodes.into());
    }

    pub(super) fn decode(from: &mut Decoder<'_>) -> Result<Lineage, Error> {
        let generation = from.small()?;
        let operator = Operator::decode(from)?;
        let parents = [from.small_u32()?, from.small_u32()?];
        Ok(Lineage { generation, operator, parents, fitness: from.f64()?, nodes: from.small_u32()? })
    }
}

/// Maps floats to integers in the reverse of the order of [`f64::total_cmp`].
fn descending(number: f64) -> u64 {
    let bits = number.to_bits();
    if number.is_sign_negative() { bits } else { !(bits | 1 << 63) }
}

/// An evaluated generation.
#[derive(Clone, PartialEq, Debug)]
pub struct Population<L: Language> {
    pub generation: u64,
    /// By number: island by island, each with its elite first.
    pub individuals: Vec<Individual<L>>,
    /// Numbers of individuals, fittest first.
    pub ranking: Vec<u32>,
    /// The rank of each individual, from 0.
    pub ranks: Vec<u32>,
}

impl<L: Language> Population<L> {
    /// Ranks the individuals by fitness, then by size if `prefer_small`, then by number.
    pub fn new(generation: u64, individuals: Vec<Individual<L>>, prefer_small: bool) -> Population<L> {
        // Sorts copied keys: looking them up in each comparison would take several times as long.
        let key = |(individual, number): (&Individual<L>, u32)| {
            let size = if prefer_small { individual.nodes } else { 0 };
            (descending(individual.outcome.fitness), size, number)
        };
        let mut keys: Vec<(u64, u32, u32)> = individuals.iter().zip(0..).map(key).collect();
        keys.sort_unstable();
        let ranking: Vec<u32> = keys.into_iter().map(|(.., number)| number).collect();
        let mut ranks = vec![0; ranking.len()];
        for (rank, &number) in ranking.iter().enumerate() {
            ranks[number as usize] = rank as u32;
        }
        Population { generation, individuals, ranking, ranks }
    }

    pub fn len(&self) -> usize {
        self.individuals.len()
    }

    pub fn is_empty(&self) -> bool {
        self.individuals.is_empty()
    }

    /// Returns the number of nodes of all programs.
    pub fn nodes(&self) -> u64 {
        self.individuals.iter().map(|one| u64::from(one.nodes)).sum()
    }

    /// Returns the individual of a rank, 0 for the fittest.
    pub fn ranked(&self, rank: usize) -> Option<&Individual<L>> {
        self.ranking.get(rank).map(|&number| &self.individuals[number as usize])
    }

    /// Returns the `count` fittest distinct programs, fittest first.
    pub(super) fn fittest(&self, count: usize) -> Vec<Arc<Genome<L>>> {
        let mut seen = Vec::with_capacity(count);
        let ranked = self.ranking.iter().map(|&number| &self.individuals[number as usize]);
        let distinct = ranked.filter(|one| {
            let is_new = !seen.contains(&one.hash);
            seen.extend(is_new.then_some(one.hash));
            is_new
        });
        distinct.take(count).map(|one| Arc::clone(&one.program)).collect()
    }

    /// Returns the fittest individual.
    pub fn best(&self) -> &Individual<L> {
        &self.individuals[self.ranking[0] as usize]
    }
}

/// The programs that an operator brought into a generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OperatorSuccess {
    pub operator: Operator,
    /// Number of programs.
    pub bred: u64,
    /// Number of programs with a higher fitness than their first parent had when it was bred, and with the same fitness. Both are 0
    /// for operators that change nothing, and for programs without parents.
    pub better: u64,
    pub equal: u64,
}

impl OperatorSuccess {
    /// Returns the success of every operator that occurs in the generation.
    pub fn tally<L: Language>(population: &Population<L>) -> Vec<OperatorSuccess> {
        let mut all = Operator::WORDS
            .iter()
            .map(|(_, operator)| OperatorSuccess { operator: *operator, ..OperatorSuccess::default() })
            .collect::<Vec<_>>();
        for one in &population.individuals {
            if let Some(success) = all.iter_mut().find(|success| success.operator == one.operator) {
                success.count(one);
            }
        }
        all.retain(|success| success.bred > 0);
        all
    }

    /// Adds the programs of a generation to those of earlier ones.
    pub(super) fn add(all: &mut Vec<OperatorSuccess>, newest: &[OperatorSuccess]) {
        for one in newest {
            match all.iter_mut().find(|success| success.operator == one.operator) {
                Some(success) => {
                    success.bred += one.bred;
                    success.better += one.better;
                    success.equal += one.equal;
                }
                None => all.push(*one),
            }
        }
        crate::sort::sort_by_key(all, |success| success.operator as u8);
    }

    pub(super) fn encode(&self, out: &mut Encoder) {
        out.u8(self.operator as u8);
        [self.bred, self.better, self.equal].iter().for_each(|&count| out.small(count));
    }

    pub(super) fn decode(from: &mut Decoder<'_>) -> Result<OperatorSuccess, Error> {
        let operator = Operator::decode(from)?;
        Ok(OperatorSuccess { operator, bred: from.small()?, better: from.small()?, equal: from.small()? })
    }

    fn count(&mut self, one: &Selectable) {
        self.bred += 1;
        let [child, parent, ..] = &one.lineage[..] else { return };
        if self.operator.keeps() {
            return;
        }
        match child.fitness.total_cmp(&parent.fitness) {
            Ordering::Greater => self.better += 1,
            Ordering::Equal => self.equal += 1,
            Ordering::Less => {}
        }
    }

    /// Returns the share of better programs, from 0 to 1; `None` for operators that change nothing, and for programs without
    /// parents.
    pub fn rate(&self) -> Option<f64> {
        let has_parents = !self.operator.keeps() && !matches!(self.operator, Operator::Grown | Operator::Seeded);
        (has_parents && self.bred > 0).then(|| self.better as f64 / self.bred as f64)
    }
}

/// Returns the indices of the points that no other dominates, fittest first. Points are fitness and nodes; one point dominates
/// another if it is at least as fit and at most as large, and better in one of them. Of equal points the first is returned.
pub fn front(points: &[(f64, u32)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    crate::sort::sort_by(&mut order, |&a, &b| points[b].0.total_cmp(&points[a].0).then(points[a].1.cmp(&points[b].1)));
    let mut smallest = u32::MAX;
    order.retain(|&at| {
        let is_smaller = points[at].1 < smallest;
        smallest = smallest.min(points[at].1);
        is_smaller
    });
    order
}

#[cfg(test)]
mod tests {
    use rand::RngExt as _;

    use super::*;
    use crate::rng::keyed;

    #[test]
    fn fitness_is_compared_as_numbers_are() {
        let all = [f64::NEG_INFINITY, -2.5, -1e-300, -0.0, 0.0, 1e-300, 1.0, 52.0, 1e300, f64::INFINITY, f64::NAN];
        for a in all {
            for b in all {
                assert_eq!(descending(a).cmp(&descending(b)), b.total_cmp(&a), "{a} and {b}");
            }
        }
    }

    #[test]
    fn of_equal_points_the_first_is_on_the_front() {
        assert_eq!(front(&[(3.0, 9), (3.0, 5), (3.0, 5), (2.0, 5), (2.0, 4), (1.0, 4), (0.0, 1)]), [1, 4, 6]);
        assert!(front(&[]).is_empty());
    }

    /// The definition, for each point alone.
    #[test]
    fn a_front_has_exactly_what_nothing_dominates() {
        for key in 0..50 {
            let mut rng = keyed(&[key]);
            let point = |_| (f64::from(rng.random_range(0..20_u32)), rng.random_range(1..20_u32));
            let points: Vec<(f64, u32)> = (0..60).map(point).collect();
            let dominates = |a: (f64, u32), b: (f64, u32)| a.0 >= b.0 && a.1 <= b.1 && a != b;
            let on_front = |at: usize| {
                let point = points[at];
                !points.iter().any(|&other| dominates(other, point)) && !points[..at].contains(&point)
            };
            let mut found = front(&points);
            assert!(found.windows(2).all(|pair| points[pair[0]].0 > points[pair[1]].0));
            found.sort_unstable();
            assert_eq!(found, (0..points.len()).filter(|&at| on_front(at)).collect::<Vec<_>>());
        }
    }
}
