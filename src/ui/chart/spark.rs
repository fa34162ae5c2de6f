//! A history as one line of text.

use crate::ui::{Look, width};

/// Returns `values` as a line of at most `cells` bars between their least and greatest value.
pub fn sparkline(values: &[f64], cells: u16, look: &Look) -> String {
    let cells = usize::from(cells);
    if values.is_empty() || cells == 0 {
        return String::new();
    }
    // Each cell is the mean of its part of the history.
    let count = values.len().min(cells);
    let stretch = |cell: usize| {
        &values[cell * values.len() / count..((cell + 1) * values.len() / count).max(cell * values.len() / count + 1)]
    };
    let means: Vec<f64> =
        (0..count).map(|cell| stretch(cell).iter().sum::<f64>() / stretch(cell).len() as f64).collect();
    let low = means.iter().copied().fold(f64::INFINITY, f64::min);
    let high = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // The highest level fills its cell and would touch the line above.
    let level = |value: f64| if high > low { ((value - low) / (high - low) * 6.0).round() as usize } else { 3 };
    means.into_iter().map(|value| look.glyphs.spark[level(value).min(6)]).collect()
}

/// Returns a [`sparkline`] of at most `cells` between its least and greatest value as `number` formats them, such as `4 ▁▂▃▅▆▇ 37`; without
/// room for them, only the line.
pub fn scaled_sparkline(values: &[f64], number: fn(f64) -> String, cells: u16, look: &Look) -> String {
    let ends = values.iter().copied().fold(None, |ends: Option<(f64, f64)>, value| {
        Some(ends.map_or((value, value), |(low, high)| (low.min(value), high.max(value))))
    });
    let Some((low, high)) = ends.map(|(low, high)| (look.with_minus(&number(low)), look.with_minus(&number(high))))
    else {
        return String::new();
    };
    match cells.checked_sub(width(&low) + width(&high) + 2).filter(|rest| *rest >= LEAST) {
        Some(rest) => format!("{low} {} {high}", sparkline(values, rest, look)),
        None => sparkline(values, cells, look),
    }
}

/// The fewest bars that are worth their scale.
const LEAST: u16 = 5;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::stage::look;

    #[test]
    fn a_sparkline_has_its_scale_where_there_is_room() {
        let text = |cells| scaled_sparkline(&[4.0, 20.0, 37.0], |value| format!("{value}"), cells, &look());
        assert_eq!([text(20), text(10), text(9)], ["4 ▁▄▇ 37", "4 ▁▄▇ 37", "▁▄▇"]);
        assert_eq!(scaled_sparkline(&[], |value| value.to_string(), 9, &look()), "");
    }

    #[test]
    fn a_sparkline_shows_the_whole_history() {
        let look = look();
        assert_eq!(sparkline(&[0.0, 1.0, 2.0, 3.0], 8, &look), "▁▃▅▇");
        assert_eq!(sparkline(&[1.0; 5], 3, &look), "▄▄▄");
        let long: Vec<f64> = (0..1000).map(f64::from).collect();
        assert_eq!(sparkline(&long, 8, &look).chars().count(), 8);
        assert_eq!(sparkline(&[], 8, &look), "");
    }
}
