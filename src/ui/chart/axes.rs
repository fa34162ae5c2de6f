//! Scales of charts: the position of values, and the labels of the axes.
//!
//! The labels of a y axis are whole rows apart, those of an x axis at multiples of a round step, so that equal steps
//! look equal.

use crate::ui::{short_count, width};

/// The scale of a y axis over a number of rows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rows {
    /// The value of the lowest row.
    pub low: f64,
    /// The difference in value from one row to the next.
    pub per_row: f64,
    /// The difference between two labels, or the unit of their last digit.
    step: f64,
    /// Rows between two labels, and below the first of them.
    apart: u16,
    first: u16,
    /// The highest row of the axis.
    pub top: u16,
}

/// The least share of an axis that the values fill.
const LEAST_FILLED: f64 = 1.0 / 1.3;

impl Rows {
    /// Returns a scale of `rows` that contains `low` to `high`, as large as round numbers allow. Its axis does not exceed `limit`.
    pub fn covering(low: f64, high: f64, rows: u16, limit: Option<f64>) -> Rows {
        let rows = rows.max(2);
        let span = (high - low).max(high.abs().max(low.abs()) * 1e-12).max(1e-9);
        let widest = (rows / 2).clamp(6, 12);
        let mut best: Option<(f64, Rows)> = None;
        for apart in 1..=widest.min(rows - 1) {
            let Some(scale) = Rows::with((low, high), rows, apart, limit) else { continue };
            let numbers = (scale.top - scale.first) / apart + 1;
            // Labels on every row, or too few of them, are worse than some lost space.
            let penalty = match (apart, numbers) {
                (1, 5..) => 0.4,
                (_, 0..=2) if rows > 4 => 0.3,
                (_, 3) if rows > 12 => 0.1,
                (2, 7..) => 0.1,
                _ => 0.0,
            };
            let filled = span / (scale.per_row * f64::from(rows - 1));
            if filled >= LEAST_FILLED && numbers > 1 && best.is_none_or(|(other, _)| filled - penalty > other + 1e-9) {
                best = Some((filled - penalty, scale));
            }
        }
        best.map_or_else(|| Rows::between((low, low + span), rows, limit), |(_, scale)| scale)
    }

    /// Returns the finest scale with labels `apart` rows apart and at least one label; `None` if there is none.
    fn with((low, high): (f64, f64), rows: u16, apart: u16, limit: Option<f64>) -> Option<Rows> {
        let steps = f64::from(rows - 1);
        let span = (high - low).max(1e-9);
        let mut step = round_up(span / steps * f64::from(apart), &Y_STEPS);
        while step <= 8.0 * span {
            let per_row = step / f64::from(apart);
            let from = (low / per_row + 1e-9).floor() * per_row;
            let first = ((from / step - 1e-9).ceil() * step - from) / per_row;
            let covers = from + steps * per_row >= high - 1e-9 * per_row && first <= steps;
            // An axis that comes near to the limit ends there, with a label.
            let end = limit.filter(|limit| from + steps * per_row > limit - 0.9 * step);
            let top = end.map_or(rows - 1, |end| ((end - from) / per_row).round() as u16);
            let has_end = end.is_none_or(|end| ((end / step).round() * step - end).abs() < 1e-6 * step && top < rows);
            if covers && has_end {
                return Some(Rows { low: from, per_row, step, apart, first: first.round() as u16, top });
            }
            step = round_up(step * 1.01, &Y_STEPS);
        }
        None
    }

    /// Returns a scale with labels at its ends alone: with few rows, round steps waste much of them.
    fn between((low, high): (f64, f64), rows: u16, limit: Option<f64>) -> Rows {
        let step = 10_f64.powf((high - low).log10().floor() - 1.0);
        let low = (low / step + 1e-9).floor() * step;
        let high = ((high / step - 1e-9).ceil() * step).min(limit.unwrap_or(f64::INFINITY));
        let top = rows - 1;
        Rows { low, per_row: (high - low) / f64::from(top), step, apart: top, first: 0, top }
    }

    /// Returns the row of a value above the lowest, with a fraction.
    pub fn above(&self, value: f64) -> f64 {
        (value - self.low) / self.per_row
    }

    /// Returns the labels with their rows, counted from the lowest; of logarithms the numbers themselves.
    pub fn ticks(&self, is_log: bool) -> impl Iterator<Item = (u16, String)> + use<> {
        let Rows { low, per_row, step, apart, first, top } = *self;
        (first..=top).step_by(usize::from(apart)).map(move |row| {
            let value = low + f64::from(row) * per_row;
            if is_log {
                let value = 10_f64.powf(value);
                // Two digits: steps between powers of ten are not round numbers.
                return (row, number(value, 10_f64.powf(value.log10().floor() - 1.0)));
            }
            // Rounding errors may leave a sum near zero.
            (row, number(if value.abs() < step * 1e-6 { 0.0 } else { value }, step))
        })
    }
}

/// Returns the labels of an x axis from `from` to `to`: all multiples of a round integer step, wide enough that the
/// labels do not touch in `columns` columns.
pub fn columns(from: f64, to: f64, columns: u16) -> Vec<(f64, String)> {
    let span = (to - from).max(1.0);
    let mut step = 1.0_f64.max(round_up(span / f64::from(columns.max(1)), &X_STEPS));
    loop {
        let first = (from / step - 1e-9).ceil() as i64;
        let last = (to / step + 1e-9).floor() as i64;
        let apart = f64::from(columns) * step / span;
        // At most one label per column, however short the step.
        let labels: Vec<(f64, String)> = (first..=last)
            .take(usize::from(columns) + 2)
            .map(|n| (n as f64 * step, number(n as f64 * step, step)))
            .collect();
        let widest = labels.iter().map(|(_, label)| width(label)).max().unwrap_or(0);
        if labels.len() <= 1 || apart >= f64::from(widest.max(3)) * 1.5 + 2.0 {
            return labels;
        }
        step = round_up(step * 1.01, &X_STEPS);
    }
}

/// The differences between labels, up to a power of ten. Rows are few: more choices waste fewer of them.
const X_STEPS: [f64; 4] = [1.0, 2.0, 5.0, 10.0];
const Y_STEPS: [f64; 6] = [1.0, 2.0, 2.5, 4.0, 5.0, 10.0];

/// Returns the least of these steps, times a power of ten, that is at least `value`.
fn round_up(value: f64, steps: &[f64]) -> f64 {
    let magnitude = 10_f64.powf(value.max(1e-300).log10().floor());
    steps.iter().map(|step| step * magnitude).find(|step| *step >= value * (1.0 - 1e-9)).unwrap_or(value)
}

/// Formats a label for labels `step` apart, with as many decimals as distinguish them.
fn number(value: f64, step: f64) -> String {
    let is_whole = |value: f64| (value - value.round()).abs() < 1e-6 * value.abs();
    let places = |step: f64| (0..6).find(|&places| is_whole(step * 10_f64.powi(places))).unwrap_or(6) as usize;
    let (unit, letter) = match value.abs() {
        size if size >= 1e6 => (1e6, "M"),
        size if size >= 1e4 => (1e3, "k"),
        _ => (1.0, ""),
    };
    if value.abs() >= 1e15 {
        return short_count(value.abs() as u64);
    }
    let text = format!("{:.*}", places(step / unit), value / unit);
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{letter}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_axis_is_little_longer_than_its_values(
            low in -1e4..1e4_f64,
            span in prop_oneof![0.01..1.0_f64, 1.0..100.0, 100.0..1e5],
            rows in 2..60_u16,
            is_limited in any::<bool>(),
        ) {
            let high = low + span;
            let limit = is_limited.then_some(100.0).filter(|limit| high <= *limit);
            let scale = Rows::covering(low, high, rows, limit);
            let steps = f64::from(rows - 1);
            prop_assert!(scale.above(low) >= -1e-6 && scale.above(high) <= f64::from(scale.top) + 1e-6, "{scale:?}");
            prop_assert!(scale.per_row * steps <= 1.3 * span + 1e-6, "{scale:?}");
            let end = scale.low + scale.per_row * f64::from(scale.top);
            prop_assert!(limit.is_none_or(|limit| end <= limit + 1e-6), "{scale:?}");
        }
    }

    #[test]
    fn numbers_on_a_y_axis_are_round_and_whole_rows_apart() {
        for (low, high) in [(0.0, 6520.0), (3217.5, 7654.0), (-3.0, 9.0), (41.0, 41.0), (0.12, 0.87), (0.0, 100.0)] {
            for rows in 3..40 {
                let scale = Rows::covering(low, high, rows, None);
                assert!(scale.above(low) >= -1e-6, "{low} {high} {rows}: {scale:?}");
                assert!(scale.above(high) <= f64::from(rows - 1) + 1e-6, "{low} {high} {rows}: {scale:?}");
                let at: Vec<u16> = scale.ticks(false).map(|(row, _)| row).collect();
                assert!(at.windows(2).all(|pair| pair[1] - pair[0] == scale.apart) && !at.is_empty());
            }
        }
        let texts = |low, high, rows| {
            Rows::covering(low, high, rows, None).ticks(false).map(|(_, text)| text).collect::<Vec<_>>()
        };
        assert_eq!(texts(0.0, 100.0, 11), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(texts(0.0, 1.0, 6), ["0", "0.4", "0.8"]);
    }

    #[test]
    fn numbers_on_an_x_axis_are_all_the_multiples_of_a_step_and_do_not_touch() {
        for (from, to) in [(0.0, 1.0), (0.0, 4.0), (0.0, 150.0), (1000.0, 1150.0), (0.0, 100_000.0), (99_900.0, 1e5)] {
            for cells in [10, 20, 44, 70, 190] {
                let ticks = columns(from, to, cells);
                let values: Vec<f64> = ticks.iter().map(|(value, _)| *value).collect();
                let steps: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
                assert!(!values.is_empty() && steps.iter().all(|step| (step - steps[0]).abs() < 1e-6), "{values:?}");
                let room = |step: f64| f64::from(cells) * step / (to - from);
                let wide = ticks.iter().map(|(_, text)| f64::from(width(text))).fold(0.0, f64::max);
                assert!(steps.iter().all(|&step| room(step) > wide + 1.0), "{ticks:?} in {cells}");
            }
        }
        let texts: Vec<String> = columns(0.0, 100_000.0, 70).into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["0", "20k", "40k", "60k", "80k", "100k"]);
    }
}
