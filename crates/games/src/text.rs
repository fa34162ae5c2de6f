//! Errors in text that a person wrote or pasted: where it went wrong, what stood there, what would be accepted.

use std::fmt;

use crate::sanitize;

/// Line and column count from 1; columns count characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    pub line: usize,
    pub column: usize,
    /// What stands there, as written; empty at the end of the text.
    pub found: String,
    /// What would be accepted there: a noun phrase.
    pub expected: String,
}

impl TextError {
    pub fn new(line: usize, column: usize, found: impl Into<String>, expected: impl Into<String>) -> TextError {
        TextError { line, column, found: found.into(), expected: expected.into() }
    }

    /// Whether nothing of the text has made sense.
    #[must_use]
    pub fn is_at_start(&self) -> bool {
        (self.line, self.column) == (1, 1)
    }

    /// The same error where this would be accepted as well.
    #[must_use]
    pub fn or(mut self, other: &str) -> TextError {
        self.expected += &format!(", or {other}");
        self
    }

    /// The same error for a text that begins at `line` and `column` of a larger one.
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
            // What was found may be anything, and as long as the file.
            found => {
                let (begun, is_cut) = begun(found);
                let more = if is_cut { "…" } else { "" };
                write!(f, "found '{}{more}'; expected {}", sanitize::inline(begun), sanitize::inline(&self.expected))
            }
        }
    }
}

/// As much of a text as a message repeats, and whether there is more of it.
fn begun(text: &str) -> (&str, bool) {
    const MOST: usize = 60;
    text.char_indices().nth(MOST).map_or((text, false), |(end, _)| (&text[..end], true))
}

impl std::error::Error for TextError {}
