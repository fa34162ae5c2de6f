//! Breeding of the next generation.

use std::cmp::Reverse;
use std::sync::Arc;

use rand::RngExt;

use super::bracket::Bracket;
use super::genome::{self, Gene, Genome, Individual, Member};
use super::operators::{Offspring, Operators};
use super::task::{Settings, Task};
use crate::rng;

/// Purposes of random draws in breeding. The numbers are part of every recorded run.
#[repr(u64)]
enum Purpose {
    Start = 0,
    Breed = 1,
}

/// Returns generation 0, which begins with the `given` genomes.
pub fn first<T: Task>(settings: &Settings<T>, given: &[Genome]) -> Vec<Individual> {
    let genes = settings.task.genes();
    let individual = |id: u64| {
        let mut rng = rng::keyed(&[settings.seed, 0, id, Purpose::Start as u64]);
        let drawn = || {
            let mut values: Vec<f64> = genes.iter().map(|gene| gene.draw(&mut rng)).collect();
            genome::tie(&genes, &mut values);
            values.into()
        };
        let genome = given.get(id as usize).cloned().unwrap_or_else(drawn);
        Individual { id, born: 0, genome }
    };
    (0..settings.population as u64).map(individual).collect()
}

/// Two parents and their children.
pub struct Couple {
    /// Ranks in the previous generation.
    pub parents: [usize; 2],
    /// Index of the first exchanged gene; `None` without crossover.
    pub cut: Option<usize>,
    /// The children before mutation.
    pub children: [Vec<f64>; 2],
    pub mutated: [Genome; 2],
}

impl Couple {
    /// Returns couple number `couple` of generation `generation`. `ranking` is the previous generation, best first.
    pub fn draw<T: Task>(
        settings: &Settings<T>,
        operators: &Operators,
        ranking: &[Member],
        generation: u64,
        couple: u64,
    ) -> Couple {
        let genes = settings.task.genes();
        let points: Vec<u64> = ranking.iter().map(|ranked| ranked.points).collect();
        let mut rng = rng::keyed(&[settings.seed, generation, couple, Purpose::Breed as u64]);
        let parents = [(); 2].map(|()| operators.selection.pick(&points, &mut rng));
        let genomes = parents.map(|parent| &ranking[parent].individual.genome[..]);
        let crossed =
            rng.random_bool(settings.crossover_rate).then(|| operators.crossover.cross(genomes, &genes, &mut rng));
        let (children, at) = match crossed {
            Some(Offspring { children, cut: at }) => (children, Some(at)),
            None => (genomes.map(<[f64]>::to_vec), None),
        };
        let mutated =
            [0, 1].map(|child| mutated(children[child].clone(), &genes, settings.mutation_rate, operators, &mut rng));
        Couple { parents, cut: at, children, mutated }
    }
}

/// Returns generation `generation`: the unchanged elite and the children of couples. `ranking` is the previous generation, best
/// first.
pub fn next<T: Task>(
    settings: &Settings<T>,
    operators: &Operators,
    ranking: &[Member],
    generation: u64,
) -> Vec<Individual> {
    let mut population: Vec<Individual> =
        ranking.iter().take(settings.elite).map(|ranked| ranked.individual.clone()).collect();
    for couple in 0.. {
        for genome in Couple::draw(settings, operators, ranking, generation, couple).mutated {
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
            *value = gene.admit(operators.mutation.mutate(*value, rng));
        }
    }
    genome::tie(genes, &mut child);
    Arc::from(child)
}

/// Ranks an evaluated population, best first; see [`order`].
pub fn rank(population: Vec<Individual>, points: &[u64], bracket: Option<&Bracket>) -> Vec<Member> {
    let judged = population.into_iter().zip(points).map(|(individual, &points)| Member { individual, points });
    let mut ranking: Vec<Member> = judged.collect();
    ranking.sort_by_key(order(bracket));
    ranking
}

/// Returns the sort key of an evaluated population: points, then rounds survived in the bracket (if any), then age.
pub fn order(bracket: Option<&Bracket>) -> impl Fn(&Member) -> (Reverse<u64>, Reverse<usize>, u64) {
    let survived = bracket.map(Bracket::survived).unwrap_or_default();
    move |Member { individual, points }| {
        let rounds = survived.get(&individual.id).copied().unwrap_or(0);
        (Reverse(*points), Reverse(rounds), individual.id)
    }
}
