//! Statistics of samples such as the results of runs: where they lie, and whether two of them differ.

use rand::RngExt as _;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF as _, Normal};

use crate::rng::keyed;

/// Samples drawn for an interval.
const RESAMPLES: usize = 10_000;
/// The key of the generator of intervals.
const PURPOSE: u64 = 0x626f_6f74;

/// A statistic of a sample, with its 95 % confidence interval: the percentile bootstrap of 10,000 resamples.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// A summary of a sample.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Summary {
    pub count: usize,
    pub median: Estimate,
    pub mean: Estimate,
    /// The mean without the lowest and the highest quarter.
    pub interquartile_mean: Estimate,
    pub least: f64,
    pub greatest: f64,
}

/// The statistics in the order of [`Summary`]; the values must be sorted.
const STATISTICS: [fn(&[f64]) -> f64; 3] = [median, mean, interquartile_mean];

impl Summary {
    /// Summarises the values that are numbers; `None` if there are none. The same values give the same summary in any order.
    pub fn from_values(values: &[f64]) -> Option<Summary> {
        let values = sorted(values.iter().copied().filter(|value| !value.is_nan()));
        let least = *values.first()?;
        let greatest = *values.last()?;
        let [median, mean, interquartile_mean] = estimates(&values);
        Some(Summary { count: values.len(), median, mean, interquartile_mean, least, greatest })
    }
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    crate::sort::sort_floats(&mut values);
    values
}

fn estimates(values: &[f64]) -> [Estimate; 3] {
    let mut rng = keyed(&[PURPOSE, values.len() as u64]);
    let mut drawn = [const { Vec::new() }; 3];
    for _ in 0..RESAMPLES {
        // Indices are sorted instead of values: comparing them is cheaper.
        let mut indices: Vec<usize> = (0..values.len()).map(|_| rng.random_range(0..values.len())).collect();
        indices.sort_unstable();
        let sample: Vec<f64> = indices.into_iter().map(|index| values[index]).collect();
        drawn.iter_mut().zip(STATISTICS).for_each(|(drawn, statistic)| drawn.push(statistic(&sample)));
    }
    let mut drawn = drawn.into_iter();
    STATISTICS.map(|statistic| {
        let drawn = sorted(drawn.next().unwrap_or_default().into_iter());
        Estimate { value: statistic(values), low: quantile(&drawn, 0.025), high: quantile(&drawn, 0.975) }
    })
}

/// Returns the median of the first sample less that of the second, which must not be empty, with its interval: both samples are drawn anew
/// in each resample.
pub fn difference_of_medians(first: &[f64], second: &[f64]) -> Estimate {
    let samples = [first, second].map(|values| sorted(values.iter().copied()));
    let mut rng = keyed(&[PURPOSE, first.len() as u64, second.len() as u64]);
    let mut drawn_median = |values: &Vec<f64>| {
        let mut indices: Vec<usize> = (0..values.len()).map(|_| rng.random_range(0..values.len())).collect();
        indices.sort_unstable();
        median(&indices.into_iter().map(|index| values[index]).collect::<Vec<f64>>())
    };
    let drawn = sorted((0..RESAMPLES).map(|_| drawn_median(&samples[0]) - drawn_median(&samples[1])));
    let value = median(&samples[0]) - median(&samples[1]);
    Estimate { value, low: quantile(&drawn, 0.025), high: quantile(&drawn, 0.975) }
}

/// Returns a quantile of sorted values, interpolated linearly between the two nearest; 0 of none.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let place = share * last as f64;
    let below = sorted[place.floor() as usize];
    let above = sorted[place.ceil() as usize];
    below + (above - below) * place.fract()
}

fn median(sorted: &[f64]) -> f64 {
    quantile(sorted, 0.5)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn interquartile_mean(sorted: &[f64]) -> f64 {
    let cut = sorted.len() / 4;
    mean(&sorted[cut..sorted.len() - cut])
}

/// The Mann-Whitney test of two samples.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MannWhitney {
    /// How likely a value of the first sample is greater than one of the second, equal ones counted as half (the effect size
    /// A of Vargha and Delaney).
    pub greater: f64,
    /// How likely chance alone makes a difference at least as large.
    pub chance: f64,
}

impl MannWhitney {
    /// Tests two samples, which must not be empty: exactly if one has at most [`EXACT`](Self::EXACT) values and none are
    /// equal, otherwise by the normal approximation.
    pub fn test(first: &[f64], second: &[f64]) -> MannWhitney {
        let pairs = first.iter().flat_map(|a| second.iter().map(move |b| a.total_cmp(b)));
        let above: f64 = pairs.map(|order| 0.5 + 0.5 * f64::from(order as i8)).sum();
        let product = (first.len() * second.len()) as f64;
        let all = sorted(first.iter().chain(second).copied());
        let is_exact = first.len().min(second.len()) <= Self::EXACT && all.windows(2).all(|two| two[0] != two[1]);
        let chance = if is_exact {
            exact(first.len(), second.len(), above)
        } else {
            approximate(first.len(), second.len(), above, &all)
        };
        MannWhitney { greater: above / product, chance }
    }

    /// The largest smaller sample that is tested exactly.
    pub const EXACT: usize = 8;
}

/// Returns how likely chance makes at least as great a difference, from the distribution of the pairs `above` without ties.
fn exact(first: usize, second: usize, above: f64) -> f64 {
    let counts = orders(first.min(second), first.max(second));
    let all: f64 = counts.iter().sum();
    let least = above.max((first * second) as f64 - above) as usize;
    (2.0 * counts[least..].iter().sum::<f64>() / all).min(1.0)
}

/// Returns the number of orders of two samples by the number of pairs with the first above the second.
fn orders(few: usize, many: usize) -> Vec<f64> {
    // The coefficients of the Gaussian binomial, the product of (1 - q^(many + i)) / (1 - q^i) for i from 1 to `few`.
    let mut counts = vec![0.0; few * many + 1];
    counts[0] = 1.0;
    for item in 1..=few {
        (many + item..counts.len()).rev().for_each(|at| counts[at] -= counts[at - many - item]);
        (item..counts.len()).for_each(|at| counts[at] += counts[at - item]);
    }
    counts
}

fn approximate(first: usize, second: usize, above: f64, all: &[f64]) -> f64 {
    let count = (first + second) as f64;
    let product = (first * second) as f64;
    let ties: f64 = all.chunk_by(|a, b| a == b).map(|equal| (equal.len() as f64).powi(3) - equal.len() as f64).sum();
    let variance = product / 12.0 * (count + 1.0 - ties / (count * (count - 1.0)));
    // Half a pair less, since the sum of pairs is discrete and the normal distribution is not.
    let away = ((above - product / 2.0).abs() - 0.5).max(0.0);
    if variance > 0.0 { 2.0 * Normal::standard().sf(away / variance.sqrt()) } else { 1.0 }
}

/// Returns the probabilities of several tests after Holm's correction for their number, in the same order.
pub fn holm(chances: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    crate::sort::sort_by(&mut order, |a, b| chances[*a].total_cmp(&chances[*b]));
    let mut corrected = vec![0.0; chances.len()];
    let mut most = 0.0_f64;
    for (rank, index) in order.into_iter().enumerate() {
        most = most.max((chances[index] * (chances.len() - rank) as f64).min(1.0));
        corrected[index] = most;
    }
    corrected
}

/// Returns Spearman's rank correlation of two samples of pairs; 0 if one of them does not vary.
pub fn spearman(first: &[f64], second: &[f64]) -> f64 {
    let first = ranks(first);
    let second = ranks(second);
    let a = mean(&first);
    let b = mean(&second);
    let sum = |products: &dyn Fn(f64, f64) -> f64| -> f64 {
        first.iter().zip(&second).map(|(one, other)| products(one - a, other - b)).sum()
    };
    let spread = (sum(&|one, _| one * one) * sum(&|_, other| other * other)).sqrt();
    if spread > 0.0 { sum(&|one, other| one * other) / spread } else { 0.0 }
}

/// Returns the rank of each value from 1 on; equal values share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let below = |value: f64| values.iter().filter(|other| **other < value).count() as f64;
    let equal = |value: f64| values.iter().filter(|other| **other == value).count() as f64;
    values.iter().map(|&value| below(value) + (equal(value) + 1.0) / 2.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(own: f64, other: f64) {
        assert!((own - other).abs() < 1e-9, "{own} {other}");
    }

    #[test]
    fn summaries_equal_scipys() {
        // statistics.median, numpy.mean and scipy.stats.trim_mean(values, 0.25).
        let values = [47.0, 12.5, 33.0, 8.0, 90.0, 41.0, 33.0, 2.0, 55.5, 61.0];
        let summary = Summary::from_values(&values).unwrap();
        close(summary.median.value, 37.0);
        close(summary.mean.value, 38.3);
        close(summary.interquartile_mean.value, 37.0);
        assert_eq!((summary.least, summary.greatest, summary.count), (2.0, 90.0, 10));
        // scipy.stats.bootstrap with the percentile method: 23.0 to 54.65.
        assert!((summary.mean.low - 23.0).abs() < 0.7 && (summary.mean.high - 54.65).abs() < 0.7, "{summary:?}");
        let mut other = values;
        other.reverse();
        assert_eq!(Summary::from_values(&other), Some(summary));
        assert_eq!(Summary::from_values(&[f64::NAN]), None);
        let one = Summary::from_values(&[3.0, f64::NAN]).unwrap();
        assert_eq!((one.count, one.median), (1, Estimate { value: 3.0, low: 3.0, high: 3.0 }));
    }

    #[test]
    fn the_difference_of_medians_has_its_exact_interval() {
        // Oracle: all 27 times 256 equally likely pairs of resamples, of three and of four values.
        let (first, second) = ([4.0, 9.0, 11.0], [1.0, 2.0, 6.0, 7.0]);
        let resamples = |values: &[f64]| -> Vec<f64> {
            let n = values.len();
            let of = |mut number: usize| {
                let digit = |_| {
                    let digit = number % n;
                    number /= n;
                    values[digit]
                };
                let sample = sorted((0..n).map(digit));
                (sample[(n - 1) / 2] + sample[n / 2]) / 2.0
            };
            (0..n.pow(n as u32)).map(of).collect()
        };
        let (ones, others) = (resamples(&first), resamples(&second));
        let all = sorted(ones.iter().flat_map(|one| others.iter().map(move |other| one - other)));
        let Estimate { value, low, high } = difference_of_medians(&first, &second);
        assert_eq!((value, low, high), (5.0, quantile(&all, 0.025), quantile(&all, 0.975)));
        assert_eq!(difference_of_medians(&[3.0], &[1.0]), Estimate { value: 2.0, low: 2.0, high: 2.0 });
        let opposite = difference_of_medians(&second, &first);
        assert_eq!(opposite.value, -5.0);
    }

    #[test]
    fn tests_of_two_samples_equal_scipys() {
        // scipy.stats.mannwhitneyu(first, second), two-sided.
        let test = MannWhitney::test(&[1.0, 2.0, 3.0, 8.0, 12.0], &[4.0, 5.0, 6.0, 7.0, 9.0, 10.0]);
        close(test.chance, 0.428_571_428_571_428_55);
        close(test.greater, 1.0 / 3.0);
        let test = MannWhitney::test(&[1.0, 2.0, 2.0, 8.0, 12.0], &[2.0, 5.0, 6.0, 7.0, 9.0, 10.0]);
        close(test.chance, 0.518_992_468_209_841_1);
        let (first, second): (Vec<f64>, Vec<f64>) =
            ((0..12).map(|n| f64::from(n * n)).collect(), (0..15).map(|n| f64::from(8 * n) + 0.5).collect());
        close(MannWhitney::test(&first, &second).chance, 0.317_166_520_523_123_44);
        assert_eq!(MannWhitney::test(&[5.0, 5.0], &[5.0]), MannWhitney { greater: 0.5, chance: 1.0 });
    }

    #[test]
    fn rank_correlations_equal_scipys() {
        // scipy.stats.spearmanr.
        close(spearman(&[1.0, 2.0, 3.0, 4.0, 5.0], &[5.0, 6.0, 7.0, 8.0, 7.0]), 0.820_782_681_668_123_3);
        assert_eq!(spearman(&[1.0, 1.0], &[1.0, 2.0]), 0.0);
    }

    #[test]
    fn orders_are_counted_as_by_hand() {
        assert_eq!(orders(1, 3), [1.0, 1.0, 1.0, 1.0]);
        assert_eq!(orders(2, 2), [1.0, 1.0, 2.0, 1.0, 1.0]);
        close(orders(8, 9).iter().sum(), 24_310.0);
    }

    #[test]
    fn holm_corrects_for_the_number_of_tests() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (own, other) in corrected.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            close(*own, other);
        }
        assert_eq!(holm(&[]), [0.0; 0]);
    }
}
