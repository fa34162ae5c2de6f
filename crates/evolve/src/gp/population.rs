//! Programs with what they achieved and where they came from.

use mancalab_base::{Error, bail};
use std::ops::Deref;
use std::sync::Arc;

use super::genome::Genome;
use super::problem::Outcome;
use super::scores::Scores;
use crate::codec::{Decoder, Encoder};
use crate::program::language::Language;
use crate::settings::words_of;

/// How a program came into its generation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Operator {
    /// Grown at random, in the first generation.
    #[default]
    Grown,
    /// One of the fittest, kept as it was.
    Elite,
    /// Selected, and neither crossed nor mutated.
    Copy,
    Crossover,
    Mutation,
    /// Crossed, then mutated.
    Both,
    /// One of another island's fittest.
    Migrant,
}

impl Operator {
    /// For people, such as "crossover in 71".
    pub fn in_generation(self, generation: u64) -> String {
        format!("{self} in {generation}")
    }
}

impl Operator {
    /// The words in tables and files.
    pub const WORDS: &'static [(&'static str, Operator)] = &[
        ("grown", Operator::Grown),
        ("elite", Operator::Elite),
        ("copy", Operator::Copy),
        ("crossover", Operator::Crossover),
        ("mutation", Operator::Mutation),
        ("crossover+mutation", Operator::Both),
        ("migrant", Operator::Migrant),
    ];

    /// Whether the program is the very one of the generation before.
    pub fn keeps(self) -> bool {
        matches!(self, Operator::Elite | Operator::Copy | Operator::Migrant)
    }
}

words_of!(Operator);

/// The making of a program: the last step in which it changed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lineage {
    pub generation: u64,
    pub operator: Operator,
    /// The parents' ranks in the generation before, from 1; 0 where there was none.
    pub parents: [u32; 2],
    /// Its fitness.
    pub fitness: f64,
    pub nodes: u32,
}

/// How many births a lineage reaches back.
pub const LINEAGE: usize = 16;

/// What all individuals of a run have alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// How many trees.
    pub trees: usize,
    /// How many scores.
    pub scores: usize,
}

/// One program of a generation.
#[derive(Clone, PartialEq, Debug)]
pub struct Individual<L: Language> {
    pub program: Arc<Genome<L>>,
    pub merits: Selectable,
}

/// All that is known of a program, whatever language it is written in.
#[derive(Clone, PartialEq, Debug)]
pub struct Selectable {
    /// [`Genome::hash`].
    pub hash: u64,
    /// [`Genome::size`].
    pub nodes: u32,
    /// [`Genome::depth`].
    pub depth: u32,
    pub outcome: Outcome,
    /// How it came into this generation.
    pub operator: Operator,
    /// Its making and that of its first parents before it, the newest first; at least one, at most [`LINEAGE`]. Only an island that is
    /// computed apart knows none: births tell ranks in the whole generation.
    pub lineage: Arc<[Lineage]>,
}

impl Selectable {
    /// The last step in which the program changed.
    pub fn birth(&self) -> &Lineage {
        &self.lineage[0]
    }
}

impl<L: Language> Deref for Individual<L> {
    type Target = Selectable;

    fn deref(&self) -> &Selectable {
        &self.merits
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

    /// All but its lineage.
    pub(super) fn encode_bare(&self, out: &mut Encoder) {
        self.program.encode(out);
        out.f64(self.outcome.fitness);
        self.outcome.scores.iter().for_each(|&score| out.f64(score));
        out.u64(self.outcome.behaviour);
        out.u8(self.operator as u8);
    }

    pub(super) fn decode(from: &mut Decoder<'_>, shape: Shape) -> Result<Individual<L>, Error> {
        let mut individual = Individual::decode_bare(from, shape)?;
        let births = from.count()?;
        if births > LINEAGE {
            bail!("a program has {births} births, and no more than {LINEAGE} are kept");
        }
        let lineage = (0..births).map(|_| Lineage::decode(from)).collect::<Result<Arc<[Lineage]>, Error>>()?;
        if lineage.is_empty() {
            bail!("a program has no birth");
        }
        individual.merits.lineage = lineage;
        Ok(individual)
    }

    /// Reads what [`encode_bare`](Individual::encode_bare) wrote: it has no lineage.
    pub(super) fn decode_bare(from: &mut Decoder<'_>, shape: Shape) -> Result<Individual<L>, Error> {
        let program = Genome::decode(from, shape.trees)?;
        let fitness = from.f64()?;
        let scores = Scores::decode(from, shape.scores)?;
        // Selection counts on it.
        if !fitness.is_finite() || fitness < 0.0 || !scores.iter().all(|score| score.is_finite()) {
            bail!("a program has a fitness that none can have");
        }
        let outcome = Outcome { fitness, scores, behaviour: from.u64()? };
        let operator = operator(from)?;
        let (hash, nodes, depth) = (program.hash(), program.size() as u32, program.depth() as u32);
        let merits = Selectable { hash, nodes, depth, outcome, operator, lineage: Arc::default() };
        Ok(Individual { program: Arc::new(program), merits })
    }
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
        let operator = operator(from)?;
        let parents = [from.small_u32()?, from.small_u32()?];
        Ok(Lineage { generation, operator, parents, fitness: from.f64()?, nodes: from.small_u32()? })
    }
}

fn operator(from: &mut Decoder<'_>) -> Result<Operator, Error> {
    let number = from.u8()?;
    let known = Operator::WORDS.iter().find(|(_, operator)| *operator as u8 == number);
    known.map(|(_, operator)| *operator).ok_or_else(|| format!("{number} is no operator").into())
}

/// Whole numbers in the opposite order of the numbers they are made of, which is that of [`f64::total_cmp`].
fn descending(number: f64) -> u64 {
    let bits = number.to_bits();
    if number.is_sign_negative() { bits } else { !(bits | 1 << 63) }
}

/// A generation that has been evaluated.
#[derive(Clone, PartialEq, Debug)]
pub struct Population<L: Language> {
    pub generation: u64,
    /// By number: island after island, the elite of each at its front.
    pub individuals: Vec<Individual<L>>,
    /// Numbers of individuals, the fittest first.
    pub ranking: Vec<u32>,
    /// The rank of each individual, from 0.
    pub ranks: Vec<u32>,
}

impl<L: Language> Population<L> {
    /// Ranks the individuals: by fitness, then (if wanted) by size, then by number.
    pub fn new(generation: u64, individuals: Vec<Individual<L>>, prefer_small: bool) -> Population<L> {
        // By what is compared itself: to look it up for each comparison would take several times as long.
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

    /// Of all programs together.
    pub fn nodes(&self) -> u64 {
        self.individuals.iter().map(|one| u64::from(one.nodes)).sum()
    }

    /// The individual of a rank, 0 being the fittest.
    pub fn ranked(&self, rank: usize) -> Option<&Individual<L>> {
        self.ranking.get(rank).map(|&number| &self.individuals[number as usize])
    }

    /// So many of the fittest programs, the fittest first, each once.
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

    /// The fittest.
    pub fn best(&self) -> &Individual<L> {
        &self.individuals[self.ranking[0] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fitness_is_compared_as_numbers_are() {
        let all = [f64::NEG_INFINITY, -2.5, -1e-300, -0.0, 0.0, 1e-300, 1.0, 52.0, 1e300, f64::INFINITY, f64::NAN];
        for a in all {
            for b in all {
                assert_eq!(descending(a).cmp(&descending(b)), b.total_cmp(&a), "{a} and {b}");
            }
        }
    }
}
