//! A history as one line of text.

use crate::ui::Look;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::stage::look;

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
