//! The distance between two sets of rows of numbers: a single measure of whether our runs end like the printed ones, over means,
//! ranges and everything else.

use rand::seq::SliceRandom as _;

use crate::rng;

/// The definition of [`Between`], for readers of the table.
pub(super) const DEFINITION: &str = "the energy distance between the printed rows and ours: twice the mean distance of a printed row and one of \
     ours, minus the mean distances within each set; 0 for equal sets; rows distance has each column in standard deviations of the \
     printed one. Chance: the share of random deals of all rows with at least this distance";

/// The number of random deals.
const DEALS: u32 = 2000;

/// The distance between two sets of rows, each row a point.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Between {
    /// The energy distance (Székely and Rizzo) with the Euclidean distance of rows, in the unit of the numbers; 0 if a set is empty.
    pub distance: f64,
    /// The share of random deals of all rows in which the two sets are at least as far apart, 0 to 1.
    pub chance: f64,
}

impl Between {
    pub fn measure(one: &[Vec<f64>], other: &[Vec<f64>]) -> Between {
        let all: Vec<&[f64]> = one.iter().chain(other).map(Vec::as_slice).collect();
        let apart: Vec<Vec<f64>> = all.iter().map(|a| all.iter().map(|b| euclidean(a, b)).collect()).collect();
        let mut order: Vec<usize> = (0..all.len()).collect();
        let distance = energy(&apart, &order, one.len());
        // Sums in another order may differ in their last bits.
        let far = distance - 1e-9 * distance.abs();
        let mut rng = rng::keyed(&[all.len() as u64, one.len() as u64]);
        let mut as_far = 0;
        for _ in 0..DEALS {
            order.shuffle(&mut rng);
            as_far += u32::from(energy(&apart, &order, one.len()) >= far);
        }
        Between { distance, chance: f64::from(as_far) / f64::from(DEALS) }
    }

    /// Formats the probability by chance.
    pub fn to_text(self) -> String {
        match self.chance {
            rare if rare * f64::from(DEALS) < 1.0 => format!("not by chance: none of {DEALS} deals"),
            part => format!("by chance in {:.1} % of deals", 100.0 * part),
        }
    }
}

fn euclidean(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// Returns the energy distance between the first `cut` rows in this order and the rest, given all pairwise distances `apart`.
fn energy(apart: &[Vec<f64>], order: &[usize], cut: usize) -> f64 {
    let (one, other) = order.split_at(cut);
    let mean = |left: &[usize], right: &[usize]| {
        let sum: f64 = left.iter().map(|&a| right.iter().map(|&b| apart[a][b]).sum::<f64>()).sum();
        sum / (left.len() * right.len()).max(1) as f64
    };
    2.0 * mean(one, other) - mean(one, one) - mean(other, other)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(numbers: &[f64]) -> Vec<Vec<f64>> {
        numbers.iter().map(|&number| vec![number]).collect()
    }

    #[test]
    fn of_a_few_rows_it_is_what_a_pencil_gives() {
        // Between: (3 + 5 + 1 + 3) / 4 = 3; within: (0 + 2 + 2 + 0) / 4 = 1 each.
        let between = Between::measure(&rows(&[0.0, 2.0]), &rows(&[3.0, 5.0]));
        assert!((between.distance - 4.0).abs() < 1e-12, "{between:?}");
        let plane = Between::measure(&[vec![0.0, 0.0]], &[vec![3.0, 4.0]]);
        assert!((plane.distance - 10.0).abs() < 1e-12, "{plane:?}");
    }

    #[test]
    fn chance_shows_sets_of_one_kind_from_sets_of_two() {
        let alike = Between::measure(&rows(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), &rows(&[1.5, 2.5, 3.5, 4.5, 5.5, 0.5]));
        let unlike = Between::measure(&rows(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), &rows(&[7.0, 8.0, 9.0, 9.5, 9.7, 9.9]));
        assert!(alike.chance > 0.5, "{alike:?}");
        assert!(unlike.chance < 0.02 && unlike.distance > alike.distance, "{unlike:?}");
        assert_eq!(Between { distance: 1.0, chance: 0.0 }.to_text(), "not by chance: none of 2000 deals");
        assert_eq!(Between { distance: 1.0, chance: 0.031 }.to_text(), "by chance in 3.1 % of deals");
    }

    proptest! {
        #[test]
        fn it_is_no_less_than_nothing_and_nothing_of_equal_sets(
            one in prop::collection::vec(prop::collection::vec(0.0..1.0, 3), 1..6),
            other in prop::collection::vec(prop::collection::vec(0.0..1.0, 3), 1..6),
        ) {
            let there = Between::measure(&one, &other).distance;
            let back = Between::measure(&other, &one).distance;
            prop_assert!(there >= -1e-9 && (there - back).abs() < 1e-9);
            prop_assert!(Between::measure(&one, &one).distance.abs() < 1e-9);
        }
    }
}
