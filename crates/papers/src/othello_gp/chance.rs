//! The probability of a count's deviation by chance.

/// Returns the probability of a count at least as far off as `count` in `trials` trials with success probability `share`: that
/// |X − trials × share| ≥ |count − trials × share|, X being the number of successes. From 0 to 1.
pub(super) fn as_far_off(count: u32, trials: u32, share: f64) -> f64 {
    let expected = f64::from(trials) * share;
    // Equal distances may differ in their last bits.
    let least = (f64::from(count) - expected).abs() * (1.0 - 1e-12) - 1e-12;
    let is_as_far = |k: &u32| (f64::from(*k) - expected).abs() >= least;
    let sum: f64 = (0..=trials).filter(is_as_far).map(|k| probability(k, trials, share)).sum();
    sum.min(1.0)
}

/// Returns the binomial probability of `k` successes.
fn probability(k: u32, trials: u32, share: f64) -> f64 {
    let ways: f64 = (1..=k).map(|i| f64::from(trials - k + i) / f64::from(i)).product();
    ways * power(share, k) * power(1.0 - share, trials - k)
}

fn power(base: f64, exponent: u32) -> f64 {
    base.powi(exponent as i32)
}

/// Formats a probability: three decimals, or a power of ten below 0.001.
pub(super) fn text(probability: f64) -> String {
    match probability {
        0.0 => "0".to_owned(),
        small if small < 0.001 => format!("{small:.0e}"),
        _ => format!("{probability:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from exact fractions.
    #[test]
    fn tails_are_binomial() {
        for (count, trials, share, expected) in TAILS {
            let found = as_far_off(*count, *trials, *share);
            assert!((found - expected).abs() <= 1e-9 * expected, "{count} of {trials} at {share}: {found}");
        }
        let whole: f64 = (0..=50).map(|k| probability(k, 50, 0.37)).sum();
        assert!((whole - 1.0).abs() < 1e-12);
    }

    #[test]
    fn small_chances_are_reported_by_their_power() {
        assert_eq!(
            [1.0, 0.0503, 0.001, 0.000_99, 3.2e-17, 0.0].map(text),
            ["1.000", "0.050", "0.001", "1e-3", "3e-17", "0"]
        );
    }

    /// Count, trials, share, and the expected probability.
    const TAILS: &[(u32, u32, f64, f64)] = &[
        (5, 10, 0.5, 1.0),
        (0, 10, 0.5, 0.001953125),
        (5, 10, 0.2, 0.0327934976),
        (0, 10, 0.2, 0.228248064),
        (30, 50, 0.5, 0.20263875106454066),
        (44, 50, 0.6, 7.203738582047145e-05),
        (1, 50, 0.625, 4.241921749445013e-20),
        (49, 50, 0.7, 3.6801475443688795e-05),
        (1, 50, 0.0, 0.0),
        (0, 50, 0.0, 1.0),
        (50, 50, 1.0, 1.0),
        (49, 50, 1.0, 0.0),
        (45, 50, 0.9, 1.0),
    ];
}
