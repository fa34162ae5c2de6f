//! How well measured shares fit published ones, which are samples of games too.

use statrs::distribution::{ChiSquared, ContinuousCDF as _, Normal, StudentsT};
use std::fmt;

use super::Line;
use crate::arena::Score;

/// Returns the difference of two samples' shares of games won, measured less published, in standard errors. `games` is the number behind
/// the published share. One win and one loss are added to the common share, so that 100 % has an error too.
pub(crate) fn standard_errors(score: Score, published: f64, games: u32) -> f64 {
    let [own, other] = [score.games(), games].map(|games| f64::from(games.max(1)));
    let common = (f64::from(score.wins) + published * other + 1.0) / (own + other + 2.0);
    let variance = common * (1.0 - common) * (1.0 / own + 1.0 / other);
    (score.won() - published) / variance.sqrt()
}

/// Returns how likely chance alone makes a difference of at least this many standard errors, 0 to 1.
pub(crate) fn chance(standard_errors: f64) -> f64 {
    2.0 * Normal::standard().sf(standard_errors.abs())
}

/// Returns the difference of two samples' shares of games won, `score` less `other`, in standard errors; both are measured.
pub(crate) fn apart(score: Score, other: Score) -> f64 {
    standard_errors(score, other.won(), other.games())
}

/// The difference of the means of two samples: Welch's test, which does not assume equal variances.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Welch {
    pub difference: f64,
    /// The 95 % confidence interval of the difference.
    pub interval: (f64, f64),
    /// How likely chance alone makes a difference at least as large.
    pub chance: f64,
}

impl Welch {
    /// Returns the difference of `own` less `other`; `None` if a sample has fewer than two values or neither varies.
    pub fn test(own: &[f64], other: &[f64]) -> Option<Welch> {
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        // The squared standard error of the mean, and its degrees of freedom.
        let error = |values: &[f64]| {
            let mean = mean(values);
            let freedom = values.len() as f64 - 1.0;
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            (squares / freedom / values.len() as f64, freedom)
        };
        let [(first, own_freedom), (second, other_freedom)] = [error(own), error(other)];
        let both = first + second;
        let freedom = both.powi(2) / (first.powi(2) / own_freedom + second.powi(2) / other_freedom);
        let student = StudentsT::new(0.0, 1.0, freedom).ok()?;
        let difference = mean(own) - mean(other);
        let error = both.sqrt();
        let reach = error * student.inverse_cdf(0.975);
        let chance = 2.0 * student.sf(difference.abs() / error);
        Some(Welch { difference, interval: (difference - reach, difference + reach), chance })
    }
}

/// Formats a probability: two decimals, or a bound for the smallest.
pub(crate) fn probability(value: f64) -> String {
    match value {
        small if small < 0.001 => "p < 0.001".to_owned(),
        small if small < 0.01 => format!("p {small:.3}"),
        value => format!("p {value:.2}"),
    }
}

/// The fit of all lines of a table whose published share has a known number of games.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Fit {
    /// The sum of the squared differences in standard errors.
    pub chi_square: f64,
    pub cells: u32,
}

impl Fit {
    pub fn measure<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Fit {
        lines.into_iter().filter_map(Line::standard_errors).fold(Fit::default(), Fit::plus)
    }

    /// Adds a difference in standard errors.
    pub fn plus(self, standard_errors: f64) -> Fit {
        Fit { chi_square: self.chi_square + standard_errors.powi(2), cells: self.cells + 1 }
    }

    /// The distribution that chance alone gives.
    fn by_chance(self) -> Option<ChiSquared> {
        ChiSquared::new(self.cells.into()).ok()
    }

    /// Returns the value that chance stays below in 95 % of cases; 0 without cells.
    pub fn quantile(self) -> f64 {
        self.by_chance().map_or(0.0, |chance| chance.inverse_cdf(0.95))
    }

    /// Returns how likely chance alone gives at least this sum; 1 without cells.
    pub fn chance(self) -> f64 {
        self.by_chance().map_or(1.0, |chance| chance.sf(self.chi_square))
    }
}

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fit { chi_square, cells } = *self;
        let quantile = self.quantile();
        let chance = probability(self.chance());
        write!(
            f,
            "chi-square {chi_square:.1} over {cells} cells ({quantile:.1} or less in 95 % of cases by chance; {chance})"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 0.005, "{value}, expected {expected}");
    }

    #[test]
    fn differences_are_in_standard_errors_of_both_samples() {
        // Two samples of 1,000 with shares of about 0.5 and 0.55: the error is 2.2 %.
        let score = Score { wins: 550, draws: 0, losses: 450 };
        near(standard_errors(score, 0.5, 1000), 2.239);
        near(chance(2.239), 0.025);
        near(standard_errors(Score { wins: 1, draws: 0, losses: 0 }, 1.0, 1000), 0.0);
        // The smaller the published sample, the less a difference says.
        assert!(standard_errors(score, 0.5, 50) < 0.75);
    }

    /// Expected values from the formulas by hand: means 3 and 6, squared errors 0.5 and 2, 6 degrees of freedom or fewer.
    #[test]
    fn means_are_compared_by_welchs_test() {
        let own = [1.0, 2.0, 3.0, 4.0, 5.0];
        let other = [2.0, 4.0, 6.0, 8.0, 10.0];
        let Welch { difference, interval: (low, high), chance } = Welch::test(&own, &other).unwrap();
        near(difference, -3.0);
        // Student's quantile for 5.88 degrees of freedom is 2.459, times the root of 2.5.
        near(low, -6.888);
        near(high, 0.888);
        near(chance, 0.107);
        assert_eq!(Welch::test(&own, &other[..1]), None);
        assert_eq!(Welch::test(&[1.0, 1.0], &[2.0, 2.0]), None);
    }

    #[test]
    fn tables_of_the_chi_square_distribution_come_out() {
        for (cells, quantile) in [(5, 11.070), (16, 26.296), (32, 46.194)] {
            near(Fit { chi_square: 0.0, cells }.quantile(), quantile);
            near(Fit { chi_square: quantile, cells }.chance(), 0.05);
        }
        let none = Fit::measure([]);
        assert_eq!([none.quantile(), none.chance()], [0.0, 1.0]);
        let text = Fit { chi_square: 39.2, cells: 16 }.to_string();
        assert_eq!(text, "chi-square 39.2 over 16 cells (26.3 or less in 95 % of cases by chance; p 0.001)");
    }

    #[test]
    fn only_lines_with_two_samples_count() {
        let score = Score { wins: 550, draws: 0, losses: 450 };
        let line = Line::won("a v b", Some(50.0), score);
        let fit =
            Fit::measure([&line, &line.clone().over_games(1000), &Line::won("a v c", None, score).over_games(1000)]);
        assert_eq!(fit.cells, 1);
        near(fit.chi_square, 5.01);
    }
}
