//! Genetic operators: selection, crossover and mutation.

use mancalab_base::Error;
use rand::RngExt;
use std::fmt;
use std::str::FromStr;

use super::genome::Gene;
use crate::rng::{Rng, gaussian};
use crate::settings::{string_enum, whole};

/// The operators of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Operators {
    pub selection: Selection,
    pub crossover: Crossover,
    pub mutation: Mutation,
}

/// Parent selection.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Selection {
    /// Roulette wheel: probability proportional to points.
    #[default]
    Points,
    /// Tournament: the best of this number of random members; among equals the one drawn first.
    Best(u32),
}

impl Selection {
    /// Returns the index of a parent, given the points of all members.
    pub fn pick(self, points: &[u64], rng: &mut Rng) -> usize {
        match self {
            Selection::Points => roulette(points, rng),
            Selection::Best(of) => tournament(of, points, rng),
        }
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selection::Points => f.pad("points"),
            Selection::Best(of) => f.pad(&format!("tournament:{of}")),
        }
    }
}

impl FromStr for Selection {
    type Err = Error;

    fn from_str(text: &str) -> Result<Selection, Error> {
        match text.split_once(':') {
            None if text == "points" => Ok(Selection::Points),
            Some(("tournament", of)) => {
                let of = whole(of, 1, 100).map_err(|_| Error::expected("tournament:K with K from 1 to 100"))?;
                Ok(Selection::Best(of as u32))
            }
            _ => Err(Error::expected("points or tournament:K")),
        }
    }
}

fn roulette(points: &[u64], rng: &mut Rng) -> usize {
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

fn tournament(size: u32, points: &[u64], rng: &mut Rng) -> usize {
    let mut best = rng.random_range(0..points.len());
    for _ in 1..size {
        let other = rng.random_range(0..points.len());
        if points[other] > points[best] {
            best = other;
        }
    }
    best
}

/// Crossover of two parents of the same length into two children, whose values the genes [admit](Gene::admit) if the parents' are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Crossover {
    /// The children exchange all genes from a random cut between two genes.
    OnePoint,
    /// The children exchange each gene with probability 1/2.
    Uniform,
    /// Of real numbers (Wright 1991): the mean of the parents, and a point as far beyond each parent as the mean is from it, on the line
    /// through both. Wright evaluates the three and keeps the best two; here two are drawn, since fitness is known only within a
    /// generation.
    Linear,
    /// Of real numbers (BLX-0.5, Eshelman and Schaffer 1993): each gene is uniform in the range of the parents' values, extended by half
    /// of its length on either side.
    Blend,
}

/// The result of a crossover.
pub struct Offspring {
    pub children: [Vec<f64>; 2],
    /// Index of the first exchanged gene; the number of genes if there is none.
    pub cut: usize,
}

impl Crossover {
    pub fn cross(self, parents: [&[f64]; 2], genes: &[Gene], rng: &mut Rng) -> Offspring {
        match self {
            Crossover::OnePoint => one_point(parents, rng),
            Crossover::Uniform => uniform(parents, rng),
            Crossover::Linear => Offspring { children: linear(parents, genes, rng), cut: 0 },
            Crossover::Blend => Offspring { children: blend(parents, genes, rng), cut: 0 },
        }
    }
}
string_enum!(Crossover { "one-point" => OnePoint, "uniform" => Uniform, "linear" => Linear, "blend" => Blend });

fn one_point([a, b]: [&[f64]; 2], rng: &mut Rng) -> Offspring {
    let at = if a.len() > 1 { rng.random_range(1..a.len()) } else { 0 };
    Offspring { children: [[&a[..at], &b[at..]].concat(), [&b[..at], &a[at..]].concat()], cut: at }
}

fn uniform([a, b]: [&[f64]; 2], rng: &mut Rng) -> Offspring {
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

fn linear(parents: [&[f64]; 2], genes: &[Gene], rng: &mut Rng) -> [Vec<f64>; 2] {
    let left_out = rng.random_range(0..3);
    let shares = [0.5, 1.5, -0.5];
    let mut kept = (0..3).filter(|point| *point != left_out).map(|point| shares[point]);
    [(); 2].map(|()| {
        let share = kept.next().expect("two of three points are kept");
        mixed(parents, genes, |one, other| share * one + (1.0 - share) * other)
    })
}

fn blend(parents: [&[f64]; 2], genes: &[Gene], rng: &mut Rng) -> [Vec<f64>; 2] {
    [(); 2].map(|()| {
        mixed(parents, genes, |one, other| {
            let share = 2.0 * rng.random::<f64>() - 0.5;
            share * one + (1.0 - share) * other
        })
    })
}

/// Returns a child with each gene computed from the parents' values; fixed genes are those of the first parent.
fn mixed([a, b]: [&[f64]; 2], genes: &[Gene], mut mix: impl FnMut(f64, f64) -> f64) -> Vec<f64> {
    let gene = |((&one, &other), gene): ((&f64, &f64), &Gene)| {
        let value = mix(one, other);
        if gene.fixed { one } else { gene.admit(value) }
    };
    a.iter().zip(b).zip(genes).map(gene).collect()
}

/// Mutation of a gene.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Mutation {
    /// Adds a normally distributed number with mean 0 and this standard deviation, in the gene's unit.
    Gaussian(f64),
    /// In proportion to the value, for genes of any magnitude: adds or subtracts the value times r², with r uniform in 0 to 1, so most
    /// changes are small. A value of 0 becomes r².
    Proportional {
        /// Probability of a sign change. At 0 the gene keeps its sign.
        flip: f64,
    },
    /// Any value from minus this one to this one, whatever the old one.
    Uniform(f64),
}

impl Mutation {
    /// Returns the new value. The caller clamps it to the gene's bounds.
    pub fn mutate(self, value: f64, rng: &mut Rng) -> f64 {
        match self {
            Mutation::Gaussian(sigma) => value + sigma * gaussian(rng),
            Mutation::Proportional { flip } => proportional(value, flip, rng),
            Mutation::Uniform(most) => rng.random_range(-most..=most),
        }
    }
}

fn proportional(value: f64, flip: f64, rng: &mut Rng) -> f64 {
    let drawn: f64 = rng.random();
    let square = drawn * drawn;
    let grows = rng.random_bool(0.5);
    let changed = match value {
        0.0 => square,
        _ if grows => value + value * square,
        _ => value - value * square,
    };
    if rng.random_bool(flip) { -changed } else { changed }
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
                (0..20_000).map(|_| Mutation::Proportional { flip: 0.0 }.mutate(value, &mut rng) / value).collect();
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
        let mut mutate = |flip: f64, value: f64| Mutation::Proportional { flip }.mutate(value, &mut rng);
        assert!((0..1000).all(|_| (0.0..1.0).contains(&mutate(0.0, 0.0))));
        let turned = (0..10_000).filter(|_| mutate(0.1, 3.0) < 0.0).count();
        assert!((900..1100).contains(&turned), "{turned}");
        assert!(mutate(1.0, 0.0) < 0.0);
    }

    fn wide(fixed: bool) -> Gene {
        Gene { low: -1e6, high: 1e6, fixed, ..gene() }
    }

    /// Wright's three points; each is left out in a third of the draws.
    #[test]
    fn a_linear_crossover_keeps_two_of_three_points_on_the_line() {
        let mut rng = keyed(&[11]);
        let (a, b) = ([2.0, -1.0, 7.0], [4.0, 3.0, 5.0]);
        let genes = [wide(false), wide(false), wide(true)];
        let points = [[3.0, 1.0, 7.0], [1.0, -3.0, 7.0], [5.0, 5.0, 7.0]];
        let mut left_out = [0; 3];
        for _ in 0..3000 {
            let Offspring { children: [one, other], .. } = Crossover::Linear.cross([&a, &b], &genes, &mut rng);
            let place = |child: &Vec<f64>| points.iter().position(|point| point[..] == child[..]).unwrap();
            let (one, other) = (place(&one), place(&other));
            assert!(one < other, "two different points");
            left_out[3 - one - other] += 1;
        }
        assert!(left_out.iter().all(|count| (900..1100).contains(count)), "{left_out:?}");
    }

    /// The range is twice as long as that of the parents, and its mean is theirs.
    #[test]
    fn a_blend_crossover_is_uniform_around_the_parents() {
        let mut rng = keyed(&[12]);
        let draws: Vec<f64> = (0..10_000)
            .flat_map(|_| Crossover::Blend.cross([&[10.0], &[14.0]], &[wide(false)], &mut rng).children)
            .map(|child| child[0])
            .collect();
        assert!(draws.iter().all(|value| (8.0..=16.0).contains(value)));
        for (from, to) in [(8.0, 10.0), (10.0, 12.0), (12.0, 14.0), (14.0, 16.0)] {
            let share = draws.iter().filter(|value| (from..to).contains(*value)).count() as f64 / draws.len() as f64;
            assert!((share - 0.25).abs() < 0.02, "{from}: {share}");
        }
        let bounded = Gene { low: 9.0, high: 12.0, ..wide(false) };
        let children = Crossover::Blend.cross([&[9.0], &[12.0]], &[bounded], &mut rng).children;
        assert!(children.iter().all(|child| (9.0..=12.0).contains(&child[0])));
    }

    #[test]
    fn roulette_follows_the_points() {
        let mut rng = keyed(&[1]);
        let mut counts = [0; 4];
        for _ in 0..10_000 {
            counts[Selection::Points.pick(&[10, 0, 30, 60], &mut rng)] += 1;
        }
        assert_eq!(counts[1], 0);
        for (count, share) in counts.iter().zip([0.1, 0.0, 0.3, 0.6]) {
            assert!((f64::from(*count) / 10_000.0 - share).abs() < 0.02, "{counts:?}");
        }
        let mut seen = [false; 3];
        (0..100).for_each(|_| seen[Selection::Points.pick(&[0, 0, 0], &mut rng)] = true);
        assert_eq!(seen, [true; 3]);
    }

    /// Drawing two of four, the best wins 7 of 16 draws, the others 5, 3 and 1.
    #[test]
    fn a_tournament_prefers_the_best() {
        let mut rng = keyed(&[3]);
        let mut counts = [0; 4];
        for _ in 0..16_000 {
            counts[Selection::Best(2).pick(&[5, 0, 30, 60], &mut rng)] += 1;
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
        let Offspring { children: [one, other], cut: at } = Crossover::Uniform.cross([&a, &b], &[], &mut rng);
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
            let Offspring { children: [one, other], cut: at } = Crossover::OnePoint.cross([&a, &b], &[], &mut rng);
            assert_eq!(one.iter().position(|&gene| gene == 1.0), Some(at));
            assert!(one.iter().zip(&other).all(|(x, y)| x + y == 1.0));
            assert!(one.is_sorted());
            cuts[one.iter().filter(|&&x| x == 0.0).count()] = true;
        }
        // Every cut between two genes, never an empty or complete exchange.
        assert_eq!(cuts, std::array::from_fn(|at| (1..10).contains(&at)));
        assert_eq!(Crossover::OnePoint.cross([&[3.0], &[4.0]], &[], &mut rng).children, [[4.0], [3.0]]);
    }
}
