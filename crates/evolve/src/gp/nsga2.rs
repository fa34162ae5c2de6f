//! Selection by two objectives, fitness and size, as in NSGA-II (K. Deb and others, 2002).
//!
//! Programs are ordered by fronts: the first holds those that no other one dominates, the next those that only these dominate, and so
//! on; within a front those with more room around them come first. Parents win a tournament of two by this order, and of the previous
//! generation and its children together the first half goes on. Of equal programs one counts; the others come last.

use std::collections::HashSet;

use super::population::{Individual, Operator};
use super::tableau::Size;
use crate::program::language::Language;

/// Fitness, of which more is better, and a size, of which less is.
type Point = (f64, u32);

/// Returns the indices of individuals in the order in which they are preferred.
pub(super) fn order<'a, L: Language>(individuals: impl Iterator<Item = &'a Individual<L>>, size: Size) -> Vec<u32> {
    let mut seen = HashSet::new();
    let mut distinct = Vec::new();
    let mut points = Vec::new();
    let mut repeated = Vec::new();
    for (number, one) in (0..).zip(individuals) {
        if seen.insert(one.hash) {
            distinct.push(number);
            points.push((one.outcome.fitness, if size == Size::Nodes { one.nodes } else { one.depth }));
        } else {
            repeated.push(number);
        }
    }
    let fronts = fronts(&points);
    let crowding = crowding(&points, &fronts);
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| fronts[a].cmp(&fronts[b]).then(crowding[b].total_cmp(&crowding[a])));
    order.into_iter().map(|at| distinct[at]).chain(repeated).collect()
}

/// Returns as many of two generations as the younger one has, the preferred ones first.
pub(super) fn survivors<L: Language>(
    before: &[Individual<L>],
    children: Vec<Individual<L>>,
    size: Size,
) -> Vec<Individual<L>> {
    let count = children.len();
    // A child that equals a parent is the repeated one.
    let order = order(before.iter().chain(&children), size);
    let survivor = |number: u32| match before.get(number as usize) {
        Some(parent) => {
            let mut parent = parent.clone();
            parent.selectable.operator = Operator::Elite;
            parent
        }
        None => children[number as usize - before.len()].clone(),
    };
    order.into_iter().take(count).map(survivor).collect()
}

/// Returns the number of each point's front, from 0.
fn fronts(points: &[Point]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    crate::sort::sort_by(&mut order, |&a, &b| points[b].0.total_cmp(&points[a].0).then(points[a].1.cmp(&points[b].1)));
    let mut fronts = vec![0; points.len()];
    // The newest point of each front: the smallest so far, as fitness only falls. Later fronts have larger ones.
    let mut newest: Vec<Point> = Vec::new();
    for at in order {
        let point = points[at];
        let front = newest.partition_point(|last| last.1 <= point.1 && *last != point);
        match newest.get_mut(front) {
            Some(last) => *last = point,
            None => newest.push(point),
        }
        fronts[at] = front as u32;
    }
    fronts
}

/// Returns the room around each point in its front: the distance of its neighbours in each objective, as a share of the front's extent;
/// infinite at the ends.
fn crowding(points: &[Point], fronts: &[u32]) -> Vec<f64> {
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); fronts.iter().max().map_or(0, |last| *last as usize + 1)];
    fronts.iter().enumerate().for_each(|(at, &front)| members[front as usize].push(at));
    let mut crowding = vec![0.0; points.len()];
    for mut front in members {
        // On a front both objectives order the points alike.
        crate::sort::sort_by(&mut front, |&a, &b| {
            points[b].0.total_cmp(&points[a].0).then(points[a].1.cmp(&points[b].1)).then(a.cmp(&b))
        });
        let (Some(&first), Some(&last)) = (front.first(), front.last()) else { continue };
        let extent = [points[first].0 - points[last].0, f64::from(points[first].1) - f64::from(points[last].1)];
        for (place, &at) in front.iter().enumerate() {
            let neighbours = place.checked_sub(1).and_then(|before| Some([front[before], *front.get(place + 1)?]));
            crowding[at] = neighbours.map_or(f64::INFINITY, |[before, after]| {
                let gaps =
                    [points[before].0 - points[after].0, f64::from(points[before].1) - f64::from(points[after].1)];
                gaps.iter().zip(extent).map(|(gap, extent)| if extent > 0.0 { gap / extent } else { 0.0 }).sum()
            });
        }
    }
    crowding
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn dominates(a: Point, b: Point) -> bool {
        a.0 >= b.0 && a.1 <= b.1 && a != b
    }

    proptest! {
        /// The definition: a front is what nothing dominates once the earlier fronts are taken away.
        #[test]
        fn fronts_are_what_their_definition_says(points in prop::collection::vec((0..12_u32, 1..12_u32), 0..60)) {
            let points: Vec<Point> = points.into_iter().map(|(fitness, size)| (f64::from(fitness), size)).collect();
            let found = fronts(&points);
            let mut left: Vec<usize> = (0..points.len()).collect();
            for front in 0.. {
                if left.is_empty() {
                    break;
                }
                let is_on = |&at: &usize| !left.iter().any(|&other| dominates(points[other], points[at]));
                let (on, behind): (Vec<usize>, Vec<usize>) = left.iter().partition(|at| is_on(at));
                prop_assert!(on.iter().all(|&at| found[at] == front), "{points:?} {found:?}");
                left = behind;
            }
        }
    }

    #[test]
    fn points_with_room_around_them_come_first() {
        let points = [(10.0, 20), (9.0, 12), (8.0, 11), (0.0, 1), (9.0, 30)];
        assert_eq!(fronts(&points), [0, 0, 0, 0, 1]);
        let room = crowding(&points, &[0, 0, 0, 0, 1]);
        assert_eq!([room[0], room[3], room[4]], [f64::INFINITY; 3]);
        assert_eq!(room[1], 2.0 / 10.0 + 9.0 / 19.0);
        assert_eq!(room[2], 9.0 / 10.0 + 11.0 / 19.0);
    }
}
