//! Lexicase selection (L. Spector, 2012): parents by single cases, such as opponents, instead of their sum.
//!
//! For each parent the cases are shuffled; of all programs those that are best in the first case stay, of these those that are best in
//! the second, and so on. What stays in the end is drawn from. So programs that are best somewhere become parents, however bad they are
//! elsewhere.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use rand::RngExt as _;

use crate::rng::Rng;

/// The programs of an island with the same results in all cases.
pub(super) struct Alike {
    pub cases: Arc<[f64]>,
    pub members: Vec<u32>,
}

/// The distinct programs of each island, island by island.
pub(super) struct Cases {
    pub islands: Vec<Vec<Alike>>,
}

impl Cases {
    /// Groups the programs by their results, which are more the better and of which all have as many; `size` is that of an island.
    pub fn new<'a>(results: impl Iterator<Item = &'a Arc<[f64]>>, size: usize) -> Cases {
        let mut islands: Vec<Vec<Alike>> = Vec::new();
        let mut known: HashMap<Vec<u64>, usize> = HashMap::new();
        for (number, cases) in (0..).zip(results) {
            if (number as usize).is_multiple_of(size) {
                islands.push(Vec::new());
                known.clear();
            }
            let Some(island) = islands.last_mut() else { continue };
            let key = cases.iter().map(|value| value.to_bits()).collect();
            let place = *known.entry(key).or_insert(island.len());
            if place == island.len() {
                island.push(Alike { cases: Arc::clone(cases), members: Vec::new() });
            }
            island[place].members.push(number);
        }
        Cases { islands }
    }

    /// Draws a parent from an island with these numbers.
    pub fn select(&self, island: &Range<usize>, rng: &mut Rng) -> usize {
        let Some(alike) = self.islands.get(island.start / island.len().max(1)) else { return island.start };
        let mut left: Vec<&Alike> = alike.iter().collect();
        let mut cases: Vec<usize> = (0..left.first().map_or(0, |one| one.cases.len())).collect();
        while left.len() > 1 && !cases.is_empty() {
            let case = cases.swap_remove(rng.random_range(0..cases.len()));
            let best = left.iter().map(|one| one.cases[case]).fold(f64::NEG_INFINITY, f64::max);
            left.retain(|one| one.cases[case] >= best);
        }
        let count: usize = left.iter().map(|one| one.members.len()).sum();
        let mut drawn = rng.random_range(0..count.max(1));
        for one in left {
            match one.members.get(drawn) {
                Some(&member) => return member as usize,
                None => drawn -= one.members.len(),
            }
        }
        island.start
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::rng::keyed;

    /// The definition: what stays after every order of the cases.
    fn winners(results: &[Vec<f64>], left: &[usize], cases: &[usize], found: &mut BTreeSet<usize>) {
        if cases.is_empty() {
            found.extend(left);
        }
        for (at, &case) in cases.iter().enumerate() {
            let best = left.iter().map(|&one| results[one][case]).fold(f64::NEG_INFINITY, f64::max);
            let stay: Vec<usize> = left.iter().copied().filter(|&one| results[one][case] == best).collect();
            let rest = [&cases[..at], &cases[at + 1..]].concat();
            winners(results, &stay, &rest, found);
        }
    }

    proptest! {
        #[test]
        fn those_that_stay_in_some_order_become_parents_and_no_others(
            results in prop::collection::vec(prop::collection::vec((0..4_u8).prop_map(f64::from), 3), 1..9),
            islands in 1..3_usize,
        ) {
            let size = results.len();
            let all: Vec<Arc<[f64]>> = results.iter().cycle().take(size * islands).map(|one| one[..].into()).collect();
            let cases = Cases::new(all.iter(), size);
            let mut expected = BTreeSet::new();
            winners(&results, &(0..size).collect::<Vec<_>>(), &[0, 1, 2], &mut expected);
            for island in 0..islands {
                let range = island * size..(island + 1) * size;
                let found: BTreeSet<usize> =
                    (0..400).map(|draw| cases.select(&range, &mut keyed(&[draw])) - range.start).collect();
                prop_assert_eq!(&found, &expected);
            }
        }
    }

    #[test]
    fn programs_that_are_alike_share_their_chance() {
        let results = [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]].map(|cases| Arc::from(&cases[..]));
        let cases = Cases::new(results.iter(), 4);
        let drawn: Vec<usize> = (0..3000).map(|draw| cases.select(&(0..4), &mut keyed(&[draw]))).collect();
        let count = |number: usize| drawn.iter().filter(|one| **one == number).count();
        assert!((1350..1650).contains(&count(0)), "{}", count(0));
        assert!((1..4).all(|number| (400..600).contains(&count(number))));
    }
}
