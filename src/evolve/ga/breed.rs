//! From one generation to the next.

use std::sync::Arc;

use rand::RngExt;

use super::genome::{Gene, Genome, Individual, Ranked};
use super::operators::Operators;
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

/// The generation with this number, bred from the one before, best first: the elite as it is, and children of couples.
pub fn next<T: Task>(
    settings: &Settings<T>,
    operators: &Operators,
    ranking: &[Ranked],
    generation: u64,
) -> Vec<Individual> {
    let genes = settings.task.genes();
    let points: Vec<u64> = ranking.iter().map(|ranked| ranked.points).collect();
    let mut population: Vec<Individual> =
        ranking.iter().take(settings.elite).map(|ranked| ranked.individual.clone()).collect();
    for couple in 0.. {
        let mut rng = rng::keyed(&[settings.seed, generation, couple, Purpose::Breed as u64]);
        let parents = [(); 2].map(|()| &ranking[operators.selection.pick(&points, &mut rng)].individual.genome[..]);
        let crosses = rng.random_bool(settings.crossover_rate);
        let children =
            if crosses { operators.crossover.cross(parents, &mut rng) } else { parents.map(<[f64]>::to_vec) };
        for child in children {
            if population.len() >= settings.population {
                return population;
            }
            let id = generation * settings.population as u64 + population.len() as u64;
            let genome = mutated(child, &genes, settings.mutation_rate, operators, &mut rng);
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

/// Orders a judged population, the best first; among equals the one that has been there longer.
pub fn rank(population: Vec<Individual>, points: &[u64]) -> Vec<Ranked> {
    let judged = population.into_iter().zip(points).map(|(individual, &points)| Ranked { individual, points });
    let mut ranking: Vec<Ranked> = judged.collect();
    ranking.sort_by_key(|ranked| (u64::MAX - ranked.points, ranked.individual.id));
    ranking
}
