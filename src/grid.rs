//! Tables as aligned text, CSV and Markdown.

use crate::reproduce::csv;
use crate::sanitize;

/// A table; the first row holds the column names.
pub struct Grid {
    pub rows: Vec<Vec<String>>,
    /// Indices of the columns of numbers, which are right-aligned.
    pub numbers: Vec<usize>,
}

impl Grid {
    /// Returns aligned columns without trailing blanks.
    pub fn table(&self) -> String {
        let plain = |text: &String| sanitize::inline(text).into_owned();
        let rows: Vec<Vec<String>> = self.rows.iter().map(|row| row.iter().map(plain).collect()).collect();
        let wide = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|text| text.chars().count()).max();
        let cell = |(column, text): (usize, &String)| {
            let wide = wide(column).unwrap_or(0);
            if self.numbers.contains(&column) { format!("{text:>wide$}") } else { format!("{text:<wide$}") }
        };
        let line = |row: &Vec<String>| row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ");
        rows.iter().map(|row| line(row).trim_end().to_owned() + "\n").collect()
    }

    pub fn csv(&self) -> String {
        self.rows.iter().map(csv::row).collect()
    }

    pub fn markdown(&self) -> String {
        let escaped = |text: &String| sanitize::inline(text).replace('|', "\\|");
        let line = |row: &Vec<String>| format!("| {} |\n", row.iter().map(escaped).collect::<Vec<_>>().join(" | "));
        let rule = |column: usize| if self.numbers.contains(&column) { "---:|" } else { "---|" };
        let Some((head, body)) = self.rows.split_first() else { return String::new() };
        let rules: String = (0..head.len()).map(rule).collect();
        format!("{}|{rules}\n{}", line(head), body.iter().map(line).collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_is_a_table_in_three_forms() {
        let rows = [["name", "best"], ["a|b", "7"], ["long, indeed", "120"]];
        let grid = Grid { rows: rows.iter().map(|row| row.map(str::to_owned).to_vec()).collect(), numbers: vec![1] };
        assert_eq!(grid.table(), "name          best\na|b              7\nlong, indeed   120\n");
        assert_eq!(grid.csv(), "name,best\na|b,7\n\"long, indeed\",120\n");
        assert_eq!(grid.markdown(), "| name | best |\n|---|---:|\n| a\\|b | 7 |\n| long, indeed | 120 |\n");
    }
}
