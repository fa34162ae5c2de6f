//! CSV rows: one list of columns serves both printing and parsing.

use crate::Error;
use std::str::{FromStr, Split};

/// Output or input of a row's columns.
pub enum Cells<'a> {
    Print(String),
    Read(Split<'a, char>),
}

impl Cells<'_> {
    /// Prints or parses the next column; `text` formats it. `None` if it cannot be parsed.
    pub fn cell<T: FromStr>(&mut self, value: &mut T, text: impl FnOnce(&T) -> String) -> Option<()> {
        match self {
            Cells::Print(row) => {
                let comma = if row.is_empty() { "" } else { "," };
                *row += &format!("{comma}{}", text(value));
            }
            Cells::Read(cells) => *value = cells.next()?.parse().ok()?,
        }
        Some(())
    }

    /// Prints or parses the next column, formatted by `to_string`.
    pub fn plain<T: FromStr + ToString>(&mut self, value: &mut T) -> Option<()> {
        self.cell(value, T::to_string)
    }

    /// Prints or parses the next column, a finite number; printing rounds it to `decimals`.
    pub fn rounded(&mut self, value: &mut f64, decimals: usize) -> Option<()> {
        let text = |value: &f64| format!("{value:.decimals$}");
        if matches!(self, Cells::Print(_)) {
            *value = text(value).parse().ok()?;
        }
        self.cell(value, text)?;
        value.is_finite().then_some(())
    }
}

/// Statistics of a generation, as a row of `generations.csv`. The first column is the generation's number.
pub trait Row: Clone {
    /// Passes all columns in order. `None` if a column is invalid.
    fn columns(&mut self, cells: &mut Cells<'_>) -> Option<()>;

    /// Returns the row without its line end, and rounds the numbers to their printed values. `None` if a number is
    /// not finite.
    fn print(&mut self) -> Option<String> {
        let mut cells = Cells::Print(String::new());
        self.columns(&mut cells)?;
        if let Cells::Print(row) = cells { Some(row) } else { None }
    }

    /// Returns the row without its line end.
    fn to_row(&self) -> String {
        self.clone().print().unwrap_or_default()
    }

    /// Parses the row of `generation`. `self` determines the number of columns where it varies.
    ///
    /// # Errors
    /// The row is invalid, or that of another generation.
    fn read(mut self, row: &str, generation: usize) -> Result<Self, Error> {
        let mut cells = Cells::Read(row.split(','));
        let is_read = self.columns(&mut cells).is_some();
        let has_ended = if let Cells::Read(rest) = &mut cells { rest.next().is_none() } else { false };
        let is_next = row.split(',').next().and_then(|number| number.parse().ok()) == Some(generation);
        if is_read && has_ended && is_next { Ok(self) } else { Err(odd_row(row, generation).into()) }
    }
}

/// Error message for a row that is not the one of `generation`.
pub fn odd_row(row: &str, generation: usize) -> String {
    format!("'{}…' is not the row of generation {generation}", row.chars().take(20).collect::<String>())
}
