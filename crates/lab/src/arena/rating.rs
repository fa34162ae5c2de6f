//! Elo ratings from a table of results: the Bradley-Terry model with a first-move advantage.
//!
//! The probability that i, moving first, beats j is 1 / (1 + 10^(−(r_i − r_j + h) / 400)); a draw is half a win. The
//! ratings have maximum likelihood, found by Newton's method with backtracking; the intervals come from the
//! curvature at the maximum. A prior of one drawn game of every player against the average keeps ratings finite.
//! Ratings sum to zero.

use serde::Serialize;
use std::fmt;

use super::Score;

/// A player's rating, in Elo.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Rating {
    pub elo: f64,
    /// Half the width of the 95 % confidence interval.
    pub plus_minus: f64,
}

/// `+120 ± 35`
impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.0} ± {:.0}", unsigned_nought(self.elo, 0), self.plus_minus)
    }
}

/// Returns the value, or 0 if it rounds to zero with this number of decimals, to avoid `-0`.
pub fn unsigned_nought(value: f64, decimals: i32) -> f64 {
    if value.abs() <= 0.5 * 10f64.powi(-decimals) { 0.0 } else { value }
}

/// Elo per unit of the logistic scale.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;
const Z: f64 = 1.959_963_984_540_054;
/// Maximum iterations of Newton's method. It takes one or two dozen even if one side won every game.
const ROUNDS: usize = 500;
/// Maximum number of halvings of a step.
const HALVINGS: i32 = 60;

/// Returns the ratings of `players` players and the first-move advantage, from results (first, second, the first's
/// score).
pub fn ratings(players: usize, results: &[(usize, usize, Score)]) -> (Vec<Rating>, Rating) {
    let (values, inverse) = likeliest(players, results);
    // Ratings are relative to the mean, which only the prior determines.
    let count = players.max(1) as f64;
    let mean = values[..players].iter().sum::<f64>() / count;
    let in_row = |row: &Vec<f64>| row[..players].iter().sum::<f64>() / count;
    let in_all = inverse[..players].iter().map(in_row).sum::<f64>() / count;
    let rating =
        |value: f64, variance: f64| Rating { elo: SCALE * value, plus_minus: SCALE * Z * variance.max(0.0).sqrt() };
    let of =
        |index: usize| rating(values[index] - mean, inverse[index][index] - 2.0 * in_row(&inverse[index]) + in_all);
    ((0..players).map(of).collect(), rating(values[players], inverse[players][players]))
}

/// Returns the maximum-likelihood strengths on the logistic scale, followed by the first-move advantage, and the
/// inverse of the negative Hessian.
fn likeliest(players: usize, results: &[(usize, usize, Score)]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut values = vec![0.0; players + 1];
    let mut likelihood = log_likelihood(&values, players, results);
    let mut inverse = Vec::new();
    for _ in 0..ROUNDS {
        let (slope, curve) = derivatives(&values, players, results);
        inverse = inverted(curve);
        let step: Vec<f64> = inverse.iter().map(|row| row.iter().zip(&slope).map(|(a, b)| a * b).sum()).collect();
        // Far from the solution a full step may overshoot: it is halved until the likelihood rises. At the solution
        // the steps differ only by rounding errors.
        let slack = 1e-12 * likelihood.abs();
        let taken = (0..HALVINGS).find_map(|halvings| {
            let damp = 0.5f64.powi(halvings);
            let next: Vec<f64> = values.iter().zip(&step).map(|(value, step)| value + damp * step).collect();
            let reached = log_likelihood(&next, players, results);
            (reached >= likelihood - slack).then_some((next, reached))
        });
        let Some(taken) = taken else { break };
        (values, likelihood) = taken;
        if step.iter().all(|step| step.abs() < 1e-10) {
            break;
        }
    }
    (values, inverse)
}

/// Calls `game` for every result with (terms, games, share): the signed terms sum to the advantage of the side with
/// that share of points. The prior comes last.
fn each(players: usize, results: &[(usize, usize, Score)], mut game: impl FnMut(&[(usize, f64)], f64, f64)) {
    for &(first, second, score) in results {
        let games = f64::from(score.games());
        if first == second {
            game(&[(players, 1.0)], games, score.share());
        } else {
            game(&[(first, 1.0), (second, -1.0), (players, 1.0)], games, score.share());
        }
    }
    (0..=players).for_each(|index| game(&[(index, 1.0)], 1.0, 0.5));
}

fn ahead(values: &[f64], terms: &[(usize, f64)]) -> f64 {
    terms.iter().map(|&(index, sign)| sign * values[index]).sum()
}

fn log_likelihood(values: &[f64], players: usize, results: &[(usize, usize, Score)]) -> f64 {
    let mut sum = 0.0;
    each(players, results, |terms, games, share| {
        let ahead = ahead(values, terms);
        // ln of 1 / (1 + e^-x) is -softplus(-x); for the opponent x changes sign.
        let softplus = |x: f64| x.max(0.0) + libm::log1p(libm::exp(-x.abs()));
        sum -= games * (share * softplus(-ahead) + (1.0 - share) * softplus(ahead));
    });
    sum
}

/// Gradient of the log-likelihood, and its negative Hessian.
fn derivatives(values: &[f64], players: usize, results: &[(usize, usize, Score)]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let size = players + 1;
    let mut slope = vec![0.0; size];
    let mut curve = vec![vec![0.0; size]; size];
    each(players, results, |terms, games, share| {
        let chance = 1.0 / (1.0 + libm::exp(-ahead(values, terms)));
        for &(a, one) in terms {
            slope[a] += one * games * (share - chance);
            for &(b, other) in terms {
                curve[a][b] += one * other * games * chance * (1.0 - chance);
            }
        }
    });
    (slope, curve)
}

/// Inverts a symmetric positive definite matrix by Gauss-Jordan elimination.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    for (index, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|column| if column == index { 1.0 } else { 0.0 }));
    }
    for pivot in 0..size {
        let scale = matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|cell| *cell /= scale);
        let line = matrix[pivot].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(index, _)| *index != pivot) {
            let factor = row[pivot];
            row.iter_mut().zip(&line).for_each(|(cell, other)| *cell -= factor * other);
        }
    }
    matrix.into_iter().map(|row| row[size..].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_give_back_what_made_the_results() {
        let elo = [200.0, 0.0, -200.0];
        let first = 60.0;
        let mut results = Vec::new();
        for i in 0..3 {
            for j in 0..3 {
                let ahead = if i == j { first } else { elo[i] - elo[j] + first };
                let wins = (100_000.0 * super::super::sprt::expected(ahead)) as u32;
                results.push((i, j, Score { wins, draws: 0, losses: 100_000 - wins }));
            }
        }
        let (found, advantage) = ratings(3, &results);
        for (found, elo) in found.iter().zip(elo) {
            assert!((found.elo - elo).abs() < 1.0 && found.plus_minus < 5.0, "{found:?}");
        }
        assert!((advantage.elo - first).abs() < 1.0);
    }

    /// The player with the lower number wins every game.
    fn in_order(players: usize, games: u32) -> Vec<(usize, usize, Score)> {
        let score = |wins| {
            if wins { Score { wins: games, ..Score::default() } } else { Score { losses: games, ..Score::default() } }
        };
        let pairs = (0..players).flat_map(|i| (0..players).map(move |j| (i, j)));
        pairs.filter(|(i, j)| i != j).map(|(i, j)| (i, j, score(i < j))).collect()
    }

    /// Far apart the likelihood is flat, and the length of a step is a poor guide.
    #[test]
    fn ratings_far_apart_are_found_too() {
        let mut upset = in_order(32, 1000);
        upset[30].2 = Score { wins: 999, draws: 0, losses: 1 };
        for results in [in_order(32, 1000), in_order(32, 1_000_000), in_order(2, 1), upset] {
            let players = results.iter().map(|(first, ..)| first + 1).max().unwrap();
            let (values, _) = likeliest(players, &results);
            let (slope, _) = derivatives(&values, players, &results);
            assert!(slope.iter().all(|slope| slope.abs() < 1e-6), "{slope:?}");
        }
        let (found, _) = ratings(32, &in_order(32, 1000));
        assert!(found.is_sorted_by(|a, b| a.elo > b.elo) && (found[0].elo - 17_251.6).abs() < 0.1, "{found:?}");
    }

    #[test]
    fn nought_has_no_minus() {
        let text = |elo| Rating { elo, plus_minus: 522.4 }.to_string();
        assert_eq!([-0.0, -0.5, 0.4].map(text), ["+0 ± 522"; 3]);
        assert_eq!([-0.6, 1.2].map(text), ["-1 ± 522", "+1 ± 522"]);
        assert_eq!(format!("{:+.2}", unsigned_nought(-0.004, 2)), "+0.00");
        assert_eq!(format!("{:+.2}", unsigned_nought(-0.006, 2)), "-0.01");
    }

    #[test]
    fn a_clean_sweep_and_no_games_at_all_have_ratings() {
        let (found, _) = ratings(2, &[(0, 1, Score { wins: 1000, draws: 0, losses: 0 })]);
        assert!(found[0].elo > 300.0 && found[0].elo.is_finite() && (found[0].elo + found[1].elo).abs() < 1e-6);
        let (none, _) = ratings(2, &[]);
        assert!(none.iter().all(|rating| rating.elo == 0.0 && rating.plus_minus > 300.0));
    }
}
