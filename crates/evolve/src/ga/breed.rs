//! From one generation to the next.

use std::cmp::Reverse;
use std::sync::Arc;

use rand::RngExt;

use super::bracket::Bracket;
use super::genome::{Gene, Genome, Individual, Ranked};
use super::operators::{Crossed, Operators};
use super::task::{Settings, Task};
use crate::rng;

/// What a random choice in breeding is for. The numbers are part of every recorded run.
#[repr(u64)]
enum Purpose {
    Start = 0,
    Breed = 1,
}

/// Generation 0.
pub fn first<T: Task>(settings: &Settings<T>) -> Vec<Individual> {
    let genes = settings.task.genes();
    let individual = |id: u64| {
        let mut rng = rng::keyed(&[settings.seed, 0, id, Purpose::Start as u64]);
        Individual { id, born: 0, genome: genes.iter().map(|gene| gene.draw(&mut rng)).collect() }
    };
    (0..settings.population as u64).map(individual).collect()
}

/// What two parents pass on: the genes, and how they came about.
pub struct Couple {
    /// By their places in the ranking.
    pub parents: [usize; 2],
    /// The first of the genes that were exchanged; `None` if none were.
    pub at: Option<usize>,
    /// The children before genes mutate.
    pub children: [Vec<f64>; 2],
    pub mutated: [Genome; 2],
}

impl Couple {
    /// The couple with this number among those of which the generation with this number is bred, from the one before, best first.
    pub fn of<T: Task>(
        settings: &Settings<T>,
        operators: &Operators,
        ranking: &[Ranked],
        generation: u64,
        couple: u64,
    ) -> Couple {
        let genes = settings.task.genes();
        let points: Vec<u64> = ranking.iter().map(|ranked| ranked.points).collect();
        let mut rng = rng::keyed(&[settings.seed, generation, couple, Purpose::Breed as u64]);
        let parents = [(); 2].map(|()| operators.selection.pick(&points, &mut rng));
        let genomes = parents.map(|parent| &ranking[parent].individual.genome[..]);
        let crossed = rng.random_bool(settings.crossover_rate).then(|| operators.crossover.cross(genomes, &mut rng));
        let (children, at) = match crossed {
            Some(Crossed { children, at }) => (children, Some(at)),
            None => (genomes.map(<[f64]>::to_vec), None),
        };
        let mutated =
            [0, 1].map(|child| mutated(children[child].clone(), &genes, settings.mutation_rate, operators, &mut rng));
        Couple { parents, at, children, mutated }
    }
}

/// The generation with this number, bred from the one before, best first: the elite as it is, and children of couples.
pub fn next<T: Task>(
    settings: &Settings<T>,
    operators: &Operators,
    ranking: &[Ranked],
    generation: u64,
) -> Vec<Individual> {
    let mut population: Vec<Individual> =
        ranking.iter().take(settings.elite).map(|ranked| ranked.individual.clone()).collect();
    for couple in 0.. {
        for genome in Couple::of(settings, operators, ranking, generation, couple).mutated {
            if population.len() >= settings.population {
                return population;
            }
            let id = generation * settings.population as u64 + population.len() as u64;
            population.push(Individual { id, born: generation, genome });
        }
    }
    population
}

fn mutated(mut child: Vec<f64>, genes: &[Gene], rate: f64, operators: &Operators, rng: &mut rng::Rng) -> Genome {
    for (value, gene) in child.iter_mut().zip(genes) {
        if !gene.fixed && rng.random_bool(rate) {
            *value = gene.admit(operators.mutation.mutate(*value, gene, rng));
        }
    }
    Arc::from(child)
}

/// Orders a judged population, the best first: see [`order`].
pub fn rank(population: Vec<Individual>, points: &[u64], bracket: Option<&Bracket>) -> Vec<Ranked> {
    let judged = population.into_iter().zip(points).map(|(individual, &points)| Ranked { individual, points });
    let mut ranking: Vec<Ranked> = judged.collect();
    ranking.sort_by_key(order(bracket));
    ranking
}

/// What a judged population is ordered by: points; among members with as many, how far each went in the bracket, where there is one;
/// then how long each has been there.
pub fn order(bracket: Option<&Bracket>) -> impl Fn(&Ranked) -> (Reverse<u64>, Reverse<usize>, u64) {
    let survived = bracket.map(Bracket::survived).unwrap_or_default();
    move |Ranked { individual, points }| {
        let rounds = survived.get(&individual.id).copied().unwrap_or(0);
        (Reverse(*points), Reverse(rounds), individual.id)
    }
}
