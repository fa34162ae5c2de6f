//! How well shallow searches predict deep ones, measured on positions of the program's own games.

use super::games::{Play, Searcher, opening};
use super::learnable::Learnable;
use crate::budget::Budget;
use crate::game::GameState;
use crate::rng;
use crate::search::selective::{Aim, Selective, Table};
use mancalab_evaluations::Errors;

/// Deepest search that is measured, in plies.
const DEEPEST: usize = 8;

/// Progress of a game that is measured together.
const SPAN: u32 = 8;

/// The pairs of a deep and a shallow depth: of the same parity, as values of odd and even depths differ.
fn pairs() -> impl Iterator<Item = (usize, usize)> {
    (3..=DEEPEST)
        .flat_map(|deep| (1..deep).filter(move |shallow| (deep - shallow) % 2 == 0).map(move |shallow| (deep, shallow)))
}

/// Values of full searches of all depths up to [`DEEPEST`].
fn values<G: Learnable>(evaluator: &G::Evaluator, state: &GameState<G>) -> [i32; DEEPEST + 1] {
    let mut values = [0; DEEPEST + 1];
    for (depth, value) in values.iter_mut().enumerate().skip(1) {
        let aim = Aim { depth: depth as u32, all: false };
        let mut search = Selective::new(state.clone(), evaluator.clone(), aim, Table::default());
        search.step(Budget::UNLIMITED);
        *value = search.value().unwrap_or_default();
    }
    values
}

/// A position's progress and the values of all depths; `None` if the game has no position to compare.
pub type DepthValues = Option<(u32, [i32; DEEPEST + 1])>;

/// Compares the searches of one position of the game with this key. `evaluator` must search in full.
pub fn compare<G: Learnable>(evaluator: &G::Evaluator, key: &[u64]) -> DepthValues {
    let mut random = rng::keyed(key);
    let (count, searched) = G::before_comparison(&mut random);
    let mut state = opening::<G>(&mut random, count);
    let mut searcher = Searcher::<G>::new(evaluator.clone());
    let play = Play { depth: 2, exact: 0, opening: [0, 0], lambda: 1.0 };
    for _ in 0..searched {
        let Some((mv, _)) = (!state.is_over()).then(|| searcher.choose(&state, &play)).flatten() else { break };
        state.play(mv);
    }
    if state.is_over() || !state.pos().is_comparable() {
        return None;
    }
    let values = values(evaluator, &state);
    values.iter().all(|value| value.abs() < G::COMPARED).then(|| (state.pos().progress(), values))
}

/// Fits the logarithm of the standard deviation by least squares, each group by its number of positions. Too few positions
/// give errors so large that no search is left out.
pub fn fitted(compared: &[DepthValues]) -> Errors {
    let measured: Vec<_> = compared.iter().flatten().collect();
    let mut sums = [[0.0_f64; 5]; 4];
    for (deep, shallow) in pairs() {
        for span in 0..60 / SPAN {
            let group: Vec<f64> = measured
                .iter()
                .filter(|(progress, _)| progress / SPAN == span)
                .map(|(_, values)| f64::from(values[deep] - values[shallow]))
                .collect();
            if group.len() < 8 {
                continue;
            }
            let variance = group.iter().map(|error| error * error).sum::<f64>() / group.len() as f64;
            let row =
                [1.0, deep as f64, shallow as f64, f64::from(span * SPAN + SPAN / 2), variance.max(1.0).ln() / 2.0];
            for (at, sums) in sums.iter_mut().enumerate() {
                for (sum, value) in sums.iter_mut().zip(row) {
                    *sum += group.len() as f64 * row[at] * value;
                }
            }
        }
    }
    // The sum of the groups' sizes.
    if sums[0][0] == 0.0 {
        return Errors::default();
    }
    Errors(solved(sums).map(|value| value as f32))
}

/// Solves four linear equations by Gaussian elimination; a coefficient that they leave open is 0.
fn solved(mut rows: [[f64; 5]; 4]) -> [f64; 4] {
    for at in 0..4 {
        let most = (at..4).max_by(|&a, &b| rows[a][at].abs().total_cmp(&rows[b][at].abs())).unwrap_or(at);
        rows.swap(at, most);
        if rows[at][at].abs() < 1e-9 {
            continue;
        }
        let pivot = rows[at];
        for (_, row) in rows.iter_mut().enumerate().filter(|(other, _)| *other != at) {
            let factor = row[at] / pivot[at];
            row.iter_mut().zip(pivot).for_each(|(value, pivot)| *value -= factor * pivot);
        }
    }
    std::array::from_fn(|at| if rows[at][at].abs() < 1e-9 { 0.0 } else { rows[at][4] / rows[at][at] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt as _;

    /// Deep values are exact here, and a shallow one errs by a standard deviation that falls with its depth and grows with the discs
    /// placed.
    #[test]
    fn the_deviation_of_synthetic_values_is_recovered() {
        let deviation = |depth: usize, put: u32| (9.0 - 1.2 * depth as f64 + 0.02 * f64::from(put)).exp();
        let mut random = rng::keyed(&[41]);
        // A sum of twelve uniform numbers is nearly normal, with a standard deviation of 1.
        let mut normal = || (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
        let mut compared: Vec<DepthValues> = Vec::new();
        for number in 0..7000 {
            let put = number % 7 * SPAN + SPAN / 2;
            let mut values = [0; DEEPEST + 1];
            for (depth, value) in values.iter_mut().enumerate().skip(1) {
                *value = (1000.0 + deviation(depth, put) * normal()).round() as i32;
            }
            compared.extend([Some((put, values)), None]);
        }
        let errors = fitted(&compared);
        for (deep, shallow) in pairs() {
            for put in [12, 28, 44] {
                let expected = deviation(shallow, put).hypot(deviation(deep, put));
                let found = f64::from(errors.deviation(deep as u32, shallow as u32, put));
                assert!((found / expected).ln().abs() < 0.1, "{deep} by {shallow} at {put}: {found}, not {expected}");
            }
        }
        assert_eq!(fitted(&compared[..20]), Errors::default());
    }
}
