//! Genetic operators: selection, crossover and mutation.
//!
//! Each is a trait with several implementations, so a task can replace one and reuse the others.

use rand::RngExt;

use super::genome::Gene;
use crate::rng::{Rng, gaussian};

/// Parent selection.
pub trait Selection: Send + Sync {
    /// Returns the index of a parent, given the points of all members.
    fn pick(&self, points: &[u64], rng: &mut Rng) -> usize;
}

/// Crossover of two parents of the same length into two children.
pub trait Crossover: Send + Sync {
    fn cross(&self, parents: [&[f64]; 2], rng: &mut Rng) -> Offspring;
}

/// The result of a crossover.
pub struct Offspring {
    pub children: [Vec<f64>; 2],
    /// Index of the first exchanged gene; the number of genes if there is none.
    pub cut: usize,
}

/// Mutation of a gene.
pub trait Mutation: Send + Sync {
    /// Returns the new value. The caller clamps it to the gene's bounds.
    fn mutate(&self, value: f64, gene: &Gene, rng: &mut Rng) -> f64;
}

/// The operators of a run.
pub struct Operators {
    pub selection: Box<dyn Selection>,
    pub crossover: Box<dyn Crossover>,
    pub mutation: Box<dyn Mutation>,
}

/// Roulette-wheel selection: probability proportional to points.
pub struct Roulette;

impl Selection for Roulette {
    fn pick(&self, points: &[u64], rng: &mut Rng) -> usize {
        let total: u64 = points.iter().sum();
        if total == 0 {
            return rng.random_range(0..points.len());
        }
        let mut ball = rng.random_range(0..total);
        for (index, &points) in points.iter().enumerate() {
            if ball < points {
                return index;
            }
            ball -= points;
        }
        points.len() - 1
    }
}

/// Tournament selection: the best of `of` random members; among equals the one drawn first.
pub struct Tournament {
    pub size: u32,
}

impl Selection for Tournament {
    fn pick(&self, points: &[u64], rng: &mut Rng) -> usize {
        let mut best = rng.random_range(0..points.len());
        for _ in 1..self.size {
            let other = rng.random_range(0..points.len());
            if points[other] > points[best] {
                best = other;
            }
        }
        best
    }
}

/// One-point crossover: the children exchange all genes from a random cut between two genes.
pub struct OnePoint;

impl Crossover for OnePoint {
    fn cross(&self, [a, b]: [&[f64]; 2], rng: &mut Rng) -> Offspring {
        let at = if a.len() > 1 { rng.random_range(1..a.len()) } else { 0 };
        Offspring { children: [[&a[..at], &b[at..]].concat(), [&b[..at], &a[at..]].concat()], cut: at }
    }
}

/// Uniform crossover: the children exchange each gene with probability 1/2.
pub struct Uniform;

impl Crossover for Uniform {
    fn cross(&self, [a, b]: [&[f64]; 2], rng: &mut Rng) -> Offspring {
        let mut children = [a.to_vec(), b.to_vec()];
        let mut first = None;
        let [one, other] = &mut children;
        for (at, (x, y)) in one.iter_mut().zip(other).enumerate() {
            if rng.random_bool(0.5) {
                std::mem::swap(x, y);
                first.get_or_insert(at);
            }
        }
        Offspring { children, cut: first.unwrap_or(a.len()) }
    }
}

/// Gaussian mutation: adds a normally distributed number with mean 0.
pub struct Gaussian {
    /// Standard deviation, in the gene's unit.
    pub sigma: f64,
}

impl Mutation for Gaussian {
    fn mutate(&self, value: f64, _: &Gene, rng: &mut Rng) -> f64 {
        value + self.sigma * gaussian(rng)
    }
}

/// Mutation in proportion to the value, for genes of any magnitude: adds or subtracts the value times r², with r uniform in 0
/// to 1, so most changes are small. A value of 0 becomes r².
pub struct Proportional {
    /// Probability of a sign change. At 0 the gene keeps its sign.
    pub flip: f64,
}

impl Mutation for Proportional {
    fn mutate(&self, value: f64, _: &Gene, rng: &mut Rng) -> f64 {
        let drawn: f64 = rng.random();
        let square = drawn * drawn;
        let grows = rng.random_bool(0.5);
        let changed = match value {
            0.0 => square,
            _ if grows => value + value * square,
            _ => value - value * square,
        };
        if rng.random_bool(self.flip) { -changed } else { changed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ga::Grain;
    use crate::rng::keyed;

    fn gene() -> Gene {
        let grain = Grain::Digits(6);
        Gene { name: "A".into(), low: -1e12, high: 1e12, start: 1.0, spread: 0.0, grain, fixed: false, tie: None }
    }

    /// The mean of r² is 1/3, half of the changes increase the value, and the median of r² is 1/4.
    #[test]
    fn a_squared_mutation_is_in_proportion_to_the_value() {
        let mut rng = keyed(&[7]);
        for value in [1.0, -250.0, 1e-6] {
            let shares: Vec<f64> =
                (0..20_000).map(|_| Proportional { flip: 0.0 }.mutate(value, &gene(), &mut rng) / value).collect();
            assert!(shares.iter().all(|share| (0.0..2.0).contains(share)));
            let changes: Vec<f64> = shares.iter().map(|share| (share - 1.0).abs()).collect();
            let share_of = |is: &dyn Fn(f64) -> bool, of: &[f64]| {
                of.iter().filter(|value| is(**value)).count() as f64 / of.len() as f64
            };
            assert!((changes.iter().sum::<f64>() / 20_000.0 - 1.0 / 3.0).abs() < 0.01);
            assert!((share_of(&|change| change < 0.25, &changes) - 0.5).abs() < 0.02);
            assert!((share_of(&|share| share > 1.0, &shares) - 0.5).abs() < 0.02);
        }
    }

    #[test]
    fn a_value_of_nothing_becomes_something_and_signs_turn_where_they_may() {
        let mut rng = keyed(&[8]);
        let mut mutate = |flip: f64, value: f64| Proportional { flip }.mutate(value, &gene(), &mut rng);
        assert!((0..1000).all(|_| (0.0..1.0).contains(&mutate(0.0, 0.0))));
        let turned = (0..10_000).filter(|_| mutate(0.1, 3.0) < 0.0).count();
        assert!((900..1100).contains(&turned), "{turned}");
        assert!(mutate(1.0, 0.0) < 0.0);
    }

    #[test]
    fn roulette_follows_the_points() {
        let mut rng = keyed(&[1]);
        let mut counts = [0; 4];
        for _ in 0..10_000 {
            counts[Roulette.pick(&[10, 0, 30, 60], &mut rng)] += 1;
        }
        assert_eq!(counts[1], 0);
        for (count, share) in counts.iter().zip([0.1, 0.0, 0.3, 0.6]) {
            assert!((f64::from(*count) / 10_000.0 - share).abs() < 0.02, "{counts:?}");
        }
        let mut seen = [false; 3];
        (0..100).for_each(|_| seen[Roulette.pick(&[0, 0, 0], &mut rng)] = true);
        assert_eq!(seen, [true; 3]);
    }

    /// Drawing two of four, the best wins 7 of 16 draws, the others 5, 3 and 1.
    #[test]
    fn a_tournament_prefers_the_best() {
        let mut rng = keyed(&[3]);
        let mut counts = [0; 4];
        for _ in 0..16_000 {
            counts[Tournament { size: 2 }.pick(&[5, 0, 30, 60], &mut rng)] += 1;
        }
        for (count, wanted) in counts.iter().zip([3000_i32, 1000, 5000, 7000]) {
            assert!((count - wanted).abs() < 300, "{counts:?}");
        }
    }

    #[test]
    fn uniform_children_complement_each_other() {
        let mut rng = keyed(&[4]);
        let a = [0.0; 1000];
        let b = [1.0; 1000];
        let Offspring { children: [one, other], cut: at } = Uniform.cross([&a, &b], &mut rng);
        assert!(one.iter().zip(&other).all(|(x, y)| x + y == 1.0));
        assert_eq!(one.iter().position(|&gene| gene == 1.0), Some(at));
        let exchanged = one.iter().sum::<f64>();
        assert!((450.0..550.0).contains(&exchanged), "{exchanged}");
    }

    #[test]
    fn one_point_children_complement_each_other() {
        let mut rng = keyed(&[2]);
        let a = [0.0; 10];
        let b = [1.0; 10];
        let mut cuts = [false; 11];
        for _ in 0..500 {
            let Offspring { children: [one, other], cut: at } = OnePoint.cross([&a, &b], &mut rng);
            assert_eq!(one.iter().position(|&gene| gene == 1.0), Some(at));
            assert!(one.iter().zip(&other).all(|(x, y)| x + y == 1.0));
            assert!(one.is_sorted());
            cuts[one.iter().filter(|&&x| x == 0.0).count()] = true;
        }
        // Every cut between two genes, never an empty or complete exchange.
        assert_eq!(cuts, std::array::from_fn(|at| (1..10).contains(&at)));
        assert_eq!(OnePoint.cross([&[3.0], &[4.0]], &mut rng).children, [[4.0], [3.0]]);
    }
}
