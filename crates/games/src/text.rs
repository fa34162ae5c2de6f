//! Errors in text from a person: position, what was found and what is accepted.

use std::fmt;

use crate::sanitize;

/// A parse error. Lines and columns count from 1, columns in characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    pub line: usize,
    pub column: usize,
    /// The text found there, verbatim; empty at the end of the text.
    pub found: String,
    /// What is accepted there: a noun phrase.
    pub expected: String,
}

impl TextError {
    pub fn new(line: usize, column: usize, found: impl Into<String>, expected: impl Into<String>) -> TextError {
        TextError { line, column, found: found.into(), expected: expected.into() }
    }

    /// Whether the error is at the very start of the text.
    #[must_use]
    pub fn is_at_start(&self) -> bool {
        (self.line, self.column) == (1, 1)
    }

    /// Adds an accepted alternative to the error.
    #[must_use]
    pub fn or(mut self, other: &str) -> TextError {
        self.expected += &format!(", or {other}");
        self
    }

    /// Shifts the error of a text that begins at `line` and `column` of a larger one.
    #[must_use]
    pub fn within(mut self, line: usize, column: usize) -> TextError {
        if self.line == 1 {
            self.column += column - 1;
        }
        self.line += line - 1;
        self
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: ", self.line, self.column)?;
        match self.found.as_str() {
            "" => write!(f, "the text ends here; expected {}", sanitize::inline(&self.expected)),
            // The text found may be anything, and as long as the file.
            found => {
                let (begun, is_cut) = begun(found);
                let more = if is_cut { "…" } else { "" };
                write!(f, "found '{}{more}'; expected {}", sanitize::inline(begun), sanitize::inline(&self.expected))
            }
        }
    }
}

/// The start of a text, as messages show it, and whether it is cut off.
fn begun(text: &str) -> (&str, bool) {
    const MOST: usize = 60;
    text.char_indices().nth(MOST).map_or((text, false), |(end, _)| (&text[..end], true))
}

impl std::error::Error for TextError {}

impl From<TextError> for mancalab_base::Error {
    fn from(error: TextError) -> mancalab_base::Error {
        error.to_string().into()
    }
}
