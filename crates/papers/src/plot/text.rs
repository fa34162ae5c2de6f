//! A plot in characters: a column for each named point, a mark for each series, dots between its marks.

use super::{Plot, Series};

/// Rows between the bottom and the top.
const ROWS: usize = 20;
/// Characters from one point to the next.
const WIDE: usize = 9;
/// Rows from one number on the y axis to the next.
const STEP: usize = 4;

impl Plot {
    /// Draws the plot as lines of text, 70 characters wide with seven points. The series' marks at a point are side by side, so that
    /// none hides another.
    pub fn text(&self) -> Vec<String> {
        let points = self.series.iter().map(|series| series.values.len()).max().unwrap_or(0);
        let most = self.series.iter().flat_map(|series| &series.values).copied().fold(1e-9, f64::max);
        let top = self.top.unwrap_or(most);
        let mut grid = vec![vec![' '; points * WIDE]; ROWS + 1];
        for (number, series) in self.series.iter().enumerate() {
            draw(&mut grid, self.left(number), series, top);
        }
        let mut legend: Vec<String> =
            self.series.iter().map(|series| format!("{}  {}", series.mark, series.name)).collect();
        if let Some((point, value)) = self.published.filter(|(point, _)| *point < points) {
            // Left of all marks.
            let left = self.left(0).saturating_sub(1);
            draw(&mut grid[..], point * WIDE + left, &Series { mark: 'P', ..Series::new("", vec![value]) }, top);
            legend.push("P  published".to_owned());
        }
        let mut lines = vec![self.title.clone(), self.y.clone()];
        lines.extend(grid.iter().enumerate().map(|(row, cells)| {
            let above = ROWS - row;
            let (label, axis) = match above % STEP {
                0 => (format!("{:.0}", top * above as f64 / ROWS as f64), '+'),
                _ => (String::new(), '|'),
            };
            format!("{label:>5} {axis}{}", cells.iter().collect::<String>()).trim_end().to_owned()
        }));
        lines.push(format!("      +{}", "-".repeat(points * WIDE)));
        let names: String = self.ticks.iter().take(points).map(|name| format!("{name:^WIDE$}")).collect();
        lines.push(format!("       {}", names.trim_end()));
        lines.push(format!("       {:^wide$}", self.x, wide = points * WIDE).trim_end().to_owned());
        lines.push(format!("       {}", legend.join("     ")));
        lines
    }

    /// Returns the column offset of this series' marks; together the marks are centred.
    fn left(&self, number: usize) -> usize {
        (number + (WIDE.saturating_sub(self.series.len())) / 2).min(WIDE - 1)
    }
}

fn draw(grid: &mut [Vec<char>], left: usize, series: &Series, top: f64) {
    let row = |value: f64| ROWS - ((value / top).clamp(0.0, 1.0) * ROWS as f64).round() as usize;
    for (point, pair) in series.values.windows(2).enumerate() {
        for step in 1..WIDE {
            let value = pair[0] + (pair[1] - pair[0]) * step as f64 / WIDE as f64;
            let cell = &mut grid[row(value)][point * WIDE + left + step];
            if *cell == ' ' {
                *cell = '.';
            }
        }
    }
    for (point, &value) in series.values.iter().enumerate() {
        grid[row(value)][point * WIDE + left] = series.mark;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_where_their_values_are() {
        let series = |mark, values: [f64; 2]| Series { mark, ..Series::new(format!("depth {mark}"), values.to_vec()) };
        let series = vec![series('1', [100.0, 0.0]), series('2', [50.0, 50.0])];
        let ticks = ["250", "16,000"].map(str::to_owned).to_vec();
        let plot = Plot { ticks, top: Some(100.0), ..Plot::new("Figure", "iterations", "% won", series) };
        let lines = plot.text();
        assert_eq!(lines[..2], ["Figure", "% won"]);
        assert_eq!(lines[2], "  100 +   1");
        assert_eq!(&lines[12][..12], "      |    2");
        assert!(lines[22].starts_with("    0 +") && lines[22].ends_with('1'), "{}", lines[22]);
        assert!(lines[24].contains("250") && lines[24].contains("16,000"));
        assert!(lines[26].ends_with("1  depth 1     2  depth 2"), "{}", lines[26]);
        assert!(lines.iter().all(|line| line.chars().count() <= 80));
        let published = Plot { published: Some((1, 75.0)), ..plot }.text();
        assert!(published[7].ends_with(" P") && published[26].ends_with("P  published"), "{published:#?}");
        // A plot without series is valid.
        assert!(Plot::new("", "", "", Vec::new()).text().len() > ROWS);
    }
}
