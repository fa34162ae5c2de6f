//! Header values and line wrapping of game files.

/// Escapes a header value for [`read`](super::read): a backslash before each quote, and before each backslash that
/// would otherwise be read as an escape. Line ends become spaces.
pub(super) fn value(text: &str) -> String {
    let mut value = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\n' => value.push(' '),
            '"' => value.push_str("\\\""),
            '\\' if rest.peek().is_none_or(|&next| next == '"' || next == '\\') => value.push_str("\\\\"),
            c => value.push(c),
        }
    }
    value
}

/// Joins words into lines of at most `width` characters, each with its line end.
pub(super) fn wrap(words: &[String], width: usize) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > width {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += word.len();
    }
    text.push('\n');
    text
}
