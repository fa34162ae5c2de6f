//! Tables as aligned text, CSV and Markdown.

use std::borrow::Cow;

use crate::reproduce::csv;
use crate::sanitize;

/// A table; the first row holds the column names.
#[derive(Default)]
pub struct Grid {
    pub rows: Vec<Vec<String>>,
    /// Indices of the columns of numbers, which are right-aligned.
    pub numbers: Vec<usize>,
    /// Indices of the columns of text that other programs read, such as positions: CSV leaves it as it is, Markdown marks it as code.
    pub codes: Vec<usize>,
}

impl Grid {
    /// Creates a table from its column names, the indices of the columns of numbers, and its rows.
    pub fn new<R: Into<Vec<String>>>(head: &[&str], numbers: &[usize], rows: impl IntoIterator<Item = R>) -> Grid {
        let head = head.iter().map(|name| (*name).to_owned()).collect();
        Grid {
            rows: std::iter::once(head).chain(rows.into_iter().map(Into::into)).collect(),
            numbers: numbers.to_vec(),
            ..Grid::default()
        }
    }

    /// Creates a table of labels and texts without column names.
    pub fn pairs<'a>(rows: impl IntoIterator<Item = (&'a str, String)>) -> Grid {
        let rows = rows.into_iter().map(|(label, text)| vec![label.to_owned(), text]);
        Grid { rows: rows.collect(), ..Grid::default() }
    }

    /// Returns the table with these columns of [codes](Grid::codes).
    #[must_use]
    pub fn with_codes(self, codes: &[usize]) -> Grid {
        Grid { codes: codes.to_vec(), ..self }
    }

    /// Returns the table without as many of the `spare` columns, the first first, as its text needs to fit `width` cells.
    #[must_use]
    pub fn within(mut self, width: usize, spare: &[&str]) -> Grid {
        for name in spare {
            if self.table().lines().all(|line| line.chars().count() <= width) {
                break;
            }
            let Some(column) = self.rows.first().and_then(|head| head.iter().position(|known| known == name)) else {
                continue;
            };
            self.rows.iter_mut().for_each(|row| drop(row.remove(column)));
            for columns in [&mut self.numbers, &mut self.codes] {
                columns.retain(|other| *other != column);
                columns.iter_mut().for_each(|other| *other -= usize::from(*other > column));
            }
        }
        self
    }

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
        let cell = |(column, text)| {
            let text: &String = text;
            // A quoted cell may have several lines.
            match sanitize::multiline(text) {
                plain if self.numbers.contains(&column) || self.codes.contains(&column) => plain,
                text => no_formula(text),
            }
        };
        self.rows.iter().map(|row| csv::row(row.iter().enumerate().map(cell))).collect()
    }

    pub fn markdown(&self) -> String {
        let cell = |(column, text): (usize, &String)| match self.codes.contains(&column) {
            true => code(text),
            false => text.split('\n').map(markdown).collect::<Vec<_>>().join("<br>"),
        };
        let head_cells = |row: &Vec<String>| row.iter().map(|text| markdown(text)).collect::<Vec<_>>();
        let cells = |row: &Vec<String>| row.iter().enumerate().map(cell).collect::<Vec<_>>();
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let rule = |column: usize| if self.numbers.contains(&column) { "---:|" } else { "---|" };
        let Some((head, body)) = self.rows.split_first() else { return String::new() };
        let rules: String = (0..head.len()).map(rule).collect();
        format!("{}|{rules}\n{}", line(head_cells(head)), body.iter().map(|row| line(cells(row))).collect::<String>())
    }
}

/// Puts an apostrophe before a text that a spreadsheet would take for a formula.
fn no_formula(cell: Cow<'_, str>) -> Cow<'_, str> {
    match cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err() && cell != "-" {
        true => Cow::Owned(format!("'{cell}")),
        false => cell,
    }
}

/// Marks a line as code for Markdown, in a cell of a table.
fn code(line: &str) -> String {
    format!("`{}`", sanitize::inline(line).replace('|', "\\|").replace('`', "'"))
}

/// Escapes a line for Markdown, so that it shows exactly its characters: no markup, HTML or links.
pub(crate) fn markdown(line: &str) -> String {
    let line = sanitize::inline(line);
    let mut escaped = String::with_capacity(line.len());
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut before = None;
    for (at, c) in line.char_indices() {
        let rest = &line[at + c.len_utf8()..];
        let is_markup = match c {
            '\\' | '`' | '*' | '<' | '>' | '[' | ']' | '|' | '~' | '&' => true,
            // Within a word it is one.
            '_' => !(is_word(before) && is_word(rest.chars().next())),
            // Addresses become links by themselves.
            ':' => rest.starts_with("//"),
            '@' => true,
            '.' => line[..at].to_ascii_lowercase().ends_with("www"),
            _ => false,
        };
        if is_markup {
            escaped.push('\\');
        }
        escaped.push(c);
        before = Some(c);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_markup_or_a_formula() {
        let odd = "<img src=x> [a](https://b.c) www.d.e *f* _g_ h_i `j` &lt; k@l.m";
        assert_eq!(
            markdown(odd),
            "\\<img src=x\\> \\[a\\](https\\://b.c) www\\.d.e \\*f\\* \\_g\\_ h_i \\`j\\` \\&lt; k\\@l.m"
        );
        let cells = ["=1+1", "+x", "@y", "-z", "-3.5", "+2", "-", "=a,b"].map(str::to_owned).to_vec();
        let grid = Grid { rows: vec![cells], ..Grid::default() };
        assert_eq!(grid.csv(), "'=1+1,'+x,'@y,'-z,-3.5,+2,-,\"'=a,b\"\n");
        let position = Grid::new(&["position"], &[], [["--OX|*_".to_owned()]]).with_codes(&[0]);
        assert_eq!((position.csv(), position.table()), ("position\n--OX|*_\n".into(), "position\n--OX|*_\n".into()));
        assert_eq!(position.markdown(), "| position |\n|---|\n| `--OX\\|*_` |\n");
    }

    #[test]
    fn a_grid_is_a_table_in_three_forms() {
        let rows = [["name", "best"], ["a|b", "7"], ["long, indeed", "120"]];
        let grid = Grid {
            rows: rows.iter().map(|row| row.map(str::to_owned).to_vec()).collect(),
            numbers: vec![1],
            ..Grid::default()
        };
        assert_eq!(grid.table(), "name          best\na|b              7\nlong, indeed   120\n");
        assert_eq!(grid.csv(), "name,best\na|b,7\n\"long, indeed\",120\n");
        assert_eq!(grid.markdown(), "| name | best |\n|---|---:|\n| a\\|b | 7 |\n| long, indeed | 120 |\n");
        let note = Grid::new(&["note"], &[], [["one\ntwo".to_owned()]]);
        assert_eq!(
            (note.csv(), note.markdown()),
            ("note\n\"one\ntwo\"\n".into(), "| note |\n|---|\n| one<br>two |\n".into())
        );
    }
}
