//! Rows of comma-separated values: one list of a row's columns says how it is printed and how it is read.

use crate::Error;
use std::str::{FromStr, Split};

/// Where the columns of a row go, or come from.
pub enum Cells<'a> {
    Print(String),
    Read(Split<'a, char>),
}

impl Cells<'_> {
    /// The next column, printed as `text` has it. `None` if what is read is no such value.
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

    /// The next column, printed as it is.
    pub fn plain<T: FromStr + ToString>(&mut self, value: &mut T) -> Option<()> {
        self.cell(value, T::to_string)
    }

    /// The next column, a finite number. To be printed it is rounded to so many decimals.
    pub fn rounded(&mut self, value: &mut f64, decimals: usize) -> Option<()> {
        let text = |value: &f64| format!("{value:.decimals$}");
        if matches!(self, Cells::Print(_)) {
            *value = text(value).parse().ok()?;
        }
        self.cell(value, text)?;
        value.is_finite().then_some(())
    }
}

/// What became of a generation, as a row of `generations.csv`. The first column is the generation's number.
pub trait Row: Clone {
    /// Hands over all columns in their order. `None` if one of them does not have its value.
    fn columns(&mut self, cells: &mut Cells<'_>) -> Option<()>;

    /// The row without its line end; rounded numbers become those that are printed. `None` if a number is none.
    fn print(&mut self) -> Option<String> {
        let mut cells = Cells::Print(String::new());
        self.columns(&mut cells)?;
        if let Cells::Print(row) = cells { Some(row) } else { None }
    }

    /// The row without its line end.
    fn to_row(&self) -> String {
        self.clone().print().unwrap_or_default()
    }

    /// The row of this generation; `self` says how many columns there are where that differs.
    ///
    /// # Errors
    /// It is none, or of another generation: a sentence.
    fn read(mut self, row: &str, generation: usize) -> Result<Self, Error> {
        let mut cells = Cells::Read(row.split(','));
        let is_read = self.columns(&mut cells).is_some();
        let has_ended = if let Cells::Read(rest) = &mut cells { rest.next().is_none() } else { false };
        let is_next = row.split(',').next().and_then(|number| number.parse().ok()) == Some(generation);
        if is_read && has_ended && is_next { Ok(self) } else { Err(odd_row(row, generation).into()) }
    }
}

/// That this is not the row of a generation, in a sentence.
pub fn odd_row(row: &str, generation: usize) -> String {
    format!("'{}…' is not the row of generation {generation}", row.chars().take(20).collect::<String>())
}
