//! What a run keeps of all its generations: the hall of fame, the success of its operators, and the best of each island.
//!
//! The size is bounded for any number of generations: curves of islands are thinned as they grow.

use mancalab_base::{Error, bail};

use super::population::{Individual, Operator, OperatorSuccess, Population, Shape};
use super::tableau::Tableau;
use crate::codec::{Decoder, Encoder};
use crate::program::language::Language;

/// Maximum number of programs in the hall of fame.
pub const HALL: usize = 10;

/// Number of ranks of each generation that may enter the hall of fame.
const RANKS: usize = 1000;

/// Maximum number of values of all islands' curves.
const VALUES: usize = 16_384;

/// What a run keeps of its generations.
#[derive(Clone, PartialEq, Debug)]
pub struct Archive<L: Language> {
    /// The first generation included; not 0 for a run that an older version of the program began.
    pub since: u64,
    /// The fittest programs, no two of which behave the same, fittest first. Where fitness is comparable only within a generation: the
    /// newest distinct champions, newest first.
    pub hall: Vec<Member<L>>,
    /// The success of the operators that occurred.
    pub operators: Vec<OperatorSuccess>,
    pub islands: IslandCurves,
}

/// A program of the hall of fame.
#[derive(Clone, PartialEq, Debug)]
pub struct Member<L: Language> {
    /// The generation it entered the hall of fame in.
    pub found: u64,
    pub individual: Individual<L>,
}

/// The best fitness of each island over the generations; empty with a single island.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct IslandCurves {
    /// Generations between two points.
    step: u64,
    /// Generation, and the best fitness of each island.
    pub points: Vec<(u64, Vec<f64>)>,
}

/// Not derived, because a language need not have a default.
impl<L: Language> Default for Archive<L> {
    fn default() -> Archive<L> {
        Archive { since: 0, hall: Vec::new(), operators: Vec::new(), islands: IslandCurves::default() }
    }
}

impl<L: Language> Archive<L> {
    /// Adds an evaluated generation with the success of its operators. `is_relative`: fitness is comparable only within a
    /// generation.
    pub(super) fn add(
        &mut self,
        population: &Population<L>,
        operators: &[OperatorSuccess],
        tableau: &Tableau,
        is_relative: bool,
    ) {
        if self.operators.is_empty() {
            self.since = population.generation;
        }
        if is_relative {
            self.add_champion(population);
        } else {
            self.add_fittest(population);
        }
        OperatorSuccess::add(&mut self.operators, operators);
        self.islands.add(population, tableau);
    }

    fn add_champion(&mut self, population: &Population<L>) {
        let individual = population.best().clone();
        let known = self.hall.iter().position(|member| member.individual.hash == individual.hash);
        let found = known.map_or(population.generation, |at| self.hall.remove(at).found);
        self.hall.insert(0, Member { found, individual });
        self.hall.truncate(HALL);
    }

    fn add_fittest(&mut self, population: &Population<L>) {
        for individual in (0..RANKS).map_while(|rank| population.ranked(rank)) {
            let fitness = individual.outcome.fitness;
            if self.hall.len() == HALL
                && self.hall.last().is_some_and(|last| last.individual.outcome.fitness >= fitness)
            {
                return;
            }
            // The games may have changed since, so that the same program may behave in another way.
            let is_same = |member: &Member<L>| {
                let known = &member.individual;
                known.hash == individual.hash || known.outcome.behaviour == individual.outcome.behaviour
            };
            if self.hall.iter().any(|member| is_same(member) && member.individual.outcome.fitness >= fitness) {
                continue;
            }
            self.hall.retain(|member| !is_same(member));
            let at = self.hall.partition_point(|member| member.individual.outcome.fitness >= fitness);
            self.hall.insert(at, Member { found: population.generation, individual: individual.clone() });
            self.hall.truncate(HALL);
        }
    }

    pub fn encode(&self, out: &mut Encoder) {
        out.small(self.since);
        out.small(self.hall.len() as u64);
        for member in &self.hall {
            out.small(member.found);
            member.individual.encode(out);
        }
        out.small(self.operators.len() as u64);
        self.operators.iter().for_each(|success| success.encode(out));
        self.islands.encode(out);
    }

    pub(super) fn decode(from: &mut Decoder<'_>, shape: Shape, islands: u32) -> Result<Archive<L>, Error> {
        let since = from.small()?;
        let members = from.count()?;
        let member =
            |from: &mut Decoder<'_>| Ok(Member { found: from.small()?, individual: Individual::decode(from, shape)? });
        let hall: Vec<Member<L>> = (0..members).map(|_| member(from)).collect::<Result<_, Error>>()?;
        let operators = from.count()?;
        if hall.len() > HALL || operators > Operator::WORDS.len() {
            bail!("the archive of the run holds {} programs and {operators} operators, which are too many", hall.len());
        }
        let operators = (0..operators).map(|_| OperatorSuccess::decode(from)).collect::<Result<_, Error>>()?;
        Ok(Archive { since, hall, operators, islands: IslandCurves::decode(from, islands as usize)? })
    }
}

impl IslandCurves {
    fn add<L: Language>(&mut self, population: &Population<L>, tableau: &Tableau) {
        if tableau.islands < 2 {
            return;
        }
        self.step = self.step.max(1);
        if !population.generation.is_multiple_of(self.step) {
            return;
        }
        let best = fittest_of_islands(population, tableau);
        let fitness = |rank: &usize| population.ranked(*rank).map_or(0.0, |one| one.outcome.fitness);
        self.points.push((population.generation, best.iter().map(fitness).collect()));
        while self.points.len() > (VALUES / best.len()).max(16) {
            self.step *= 2;
            let step = self.step;
            self.points.retain(|(generation, _)| generation.is_multiple_of(step));
        }
    }

    fn encode(&self, out: &mut Encoder) {
        out.small(self.step);
        out.small(self.points.len() as u64);
        for (generation, values) in &self.points {
            out.small(*generation);
            values.iter().for_each(|&value| out.f64(value));
        }
    }

    fn decode(from: &mut Decoder<'_>, islands: usize) -> Result<IslandCurves, Error> {
        let step = from.small()?;
        let count = from.count()?;
        let point = |from: &mut Decoder<'_>| {
            Ok((from.small()?, (0..islands).map(|_| from.f64()).collect::<Result<Vec<f64>, Error>>()?))
        };
        Ok(IslandCurves { step, points: (0..count).map(|_| point(from)).collect::<Result<_, Error>>()? })
    }
}

/// Returns the rank of the fittest individual of each island.
pub fn fittest_of_islands<L: Language>(population: &Population<L>, tableau: &Tableau) -> Vec<usize> {
    let size = tableau.island_size() as usize;
    let mut ranks = vec![None; tableau.islands as usize];
    let mut missing = ranks.len();
    for (rank, &number) in population.ranking.iter().enumerate() {
        let Some(fittest) = ranks.get_mut(number as usize / size) else { continue };
        missing -= usize::from(fittest.is_none());
        fittest.get_or_insert(rank);
        if missing == 0 {
            break;
        }
    }
    ranks.into_iter().flatten().collect()
}
