//! Fitness sharing (D. Goldberg and J. Richardson, 1987): programs that play alike share the fitness of their niche.
//!
//! The fitness of a program is divided by its niche count: the sum of `1 - distance / radius` over the programs of its island within
//! the radius, itself included. The distance of two programs is the mean difference of their results in single cases, such as
//! opponents. Selection by shared fitness keeps several ways to play in the population.

use std::ops::Range;
use std::sync::Arc;

use super::lexicase::{Alike, Cases};
use crate::budget::{Budget, Status};
use crate::pool::Pool;

/// About how many results a thread compares between two checks of the clock.
const COMPARED: usize = 1 << 18;

/// The niche counts of a generation, computed in pieces.
pub(super) struct Niches {
    radius: f64,
    /// The distinct results of each island, island by island, by their mean.
    points: Vec<Point>,
    /// Those of the points so far.
    counts: Vec<f64>,
}

/// Programs with the same results.
struct Point {
    mean: f64,
    alike: Alike,
    /// The points of its island.
    island: Range<usize>,
}

impl Niches {
    /// Takes the results of programs, of which all have as many; `size` is that of an island.
    pub fn new<'a>(results: impl Iterator<Item = &'a Arc<[f64]>>, size: usize, radius: f64) -> Niches {
        let mut points: Vec<Point> = Vec::new();
        for island in Cases::new(results, size).islands {
            let range = points.len()..points.len() + island.len();
            points.extend(island.into_iter().map(|alike| Point {
                mean: alike.cases.iter().sum::<f64>() / alike.cases.len().max(1) as f64,
                alike,
                island: range.clone(),
            }));
            crate::sort::sort_by(&mut points[range], |a, b| {
                a.mean.total_cmp(&b.mean).then(a.alike.members[0].cmp(&b.alike.members[0]))
            });
        }
        Niches { radius, counts: Vec::with_capacity(points.len()), points }
    }

    /// Computes until the budget is spent or all counts are known.
    pub fn advance(&mut self, pool: &Pool, budget: Budget) -> Status {
        let each = self.points.len() * self.points.first().map_or(1, |point| point.alike.cases.len() + 1);
        let piece = pool.count() * (COMPARED / each.max(1)).max(1);
        while self.counts.len() < self.points.len() {
            let from = self.counts.len();
            let counts = pool.map(from..self.points.len().min(from + piece), |at| self.count(at));
            self.counts.extend(counts);
            if budget.is_spent() && self.counts.len() < self.points.len() {
                return Status::Running;
            }
        }
        Status::Done
    }

    /// Returns the niche count of each program, after the last step.
    pub fn counts(&self) -> Vec<f64> {
        let mut counts = vec![1.0; self.points.iter().map(|point| point.alike.members.len()).sum()];
        for (point, count) in self.points.iter().zip(&self.counts) {
            point.alike.members.iter().for_each(|&member| counts[member as usize] = *count);
        }
        counts
    }

    fn count(&self, at: usize) -> f64 {
        let Point { mean, alike, island } = &self.points[at];
        let island = &self.points[island.clone()];
        // Means differ by no more than results do.
        let first = island.partition_point(|other| other.mean <= mean - self.radius);
        let near = island[first..].iter().take_while(|other| other.mean < mean + self.radius);
        let shares = near.map(|other| {
            let share = 1.0 - distance(&alike.cases, &other.alike.cases, self.radius) / self.radius;
            share.max(0.0) * other.alike.members.len() as f64
        });
        // A tiny radius rounds away beside a large mean; a program is alike to itself in any case.
        shares.sum::<f64>().max(alike.members.len() as f64)
    }
}

/// Cases compared between two checks of the radius.
const CHUNK: usize = 4;

/// Returns the mean difference of results, or a lesser number that is above the radius.
fn distance(one: &[f64], other: &[f64], radius: f64) -> f64 {
    let count = one.len().max(1) as f64;
    // Rounding must not decide.
    let far = radius * count * (1.0 + 1e-9);
    let mut sum = 0.0;
    for (one, other) in one.chunks(CHUNK).zip(other.chunks(CHUNK)) {
        one.iter().zip(other).for_each(|(one, other)| sum += (one - other).abs());
        if sum > far {
            break;
        }
    }
    sum / count
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, pair by pair.
    fn plain(results: &[Vec<f64>], size: usize, radius: f64) -> Vec<f64> {
        let count = |(number, own): (usize, &Vec<f64>)| {
            let mut count = 0.0;
            for other in &results[number / size * size..(number / size + 1) * size] {
                let mut far = 0.0;
                for case in 0..own.len() {
                    far += (own[case] - other[case]).abs() / own.len() as f64;
                }
                if far < radius {
                    count += 1.0 - far / radius;
                }
            }
            count
        };
        results.iter().enumerate().map(count).collect()
    }

    proptest! {
        #[test]
        fn niche_counts_are_what_their_definition_says(
            islands in prop::collection::vec(
                prop::collection::vec(prop::collection::vec((0..60_u8).prop_map(|half| f64::from(half) / 2.0), 9), 7),
                1..4,
            ),
            radius in 0.1..40.0_f64,
            threads in 1..4_usize,
            steps: bool,
        ) {
            // Some play alike.
            let results: Vec<Vec<f64>> = islands.into_iter().flat_map(|mut island| {
                let again = island[..3].to_vec();
                island.extend(again);
                island
            }).collect();
            let all: Vec<Arc<[f64]>> = results.iter().map(|one| one[..].into()).collect();
            let mut niches = Niches::new(all.iter(), 10, radius);
            let budget = if steps { Budget::time(std::time::Duration::ZERO) } else { Budget::UNLIMITED };
            while niches.advance(&Pool::new(threads), budget) == Status::Running {}
            for (found, expected) in niches.counts().into_iter().zip(plain(&results, 10, radius)) {
                prop_assert!((found - expected).abs() < 1e-9, "{found} {expected}");
            }
        }
    }

    #[test]
    fn a_radius_too_small_to_add_still_counts_those_that_are_alike() {
        let all: Vec<Arc<[f64]>> = [1e9, 1e9, 2e9].iter().map(|&one| Arc::from(&[one][..])).collect();
        let mut niches = Niches::new(all.iter(), 3, 1e-9);
        assert_eq!(niches.advance(&Pool::alone(), Budget::UNLIMITED), Status::Done);
        assert_eq!(niches.counts(), [2.0, 2.0, 1.0]);
    }
}
