//! Sorting that is compiled once.
//!
//! The standard library's sort is some 2,000 instructions for every type and every comparison. These functions sort the numbers of the
//! items and then move the items, for lists that are short or seldom sorted.

use std::cmp::Ordering;

/// Sorts by a comparison. Equal items keep their order.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut order: Vec<usize> = (0..items.len()).collect();
    sort_numbers(&mut order, &|one, other| compare(&items[one], &items[other]));
    for start in 0..items.len() {
        // The cycle of the permutation that begins here.
        let mut at = start;
        while order[at] != start {
            let next = std::mem::replace(&mut order[at], at);
            items.swap(at, next);
            at = next;
        }
        order[at] = at;
    }
}

/// Sorts by the items' own order. Equal items keep their places.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// Sorts by a key. Equal items keep their order.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |one, other| key(one).cmp(&key(other)));
}

/// Sorts numbers by their total order.
pub fn sort_floats(values: &mut [f64]) {
    values.sort_by(f64::total_cmp);
}

fn sort_numbers(order: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    order.sort_by(|&one, &other| compare(one, other));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn items_are_sorted_as_by_the_standard_library(keys in prop::collection::vec(0u8..20, 0..200)) {
            let mut items: Vec<(u8, usize)> = keys.into_iter().zip(0..).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            sort_by_key(&mut items, |item| item.0);
            prop_assert_eq!(&items, &expected);
            expected.sort_by_key(|item| std::cmp::Reverse(item.0));
            sort_by(&mut items, |one, other| other.0.cmp(&one.0));
            prop_assert_eq!(items, expected);
        }
    }
}
