//! Parsers of PDN words: results, squares, headers.

/// Results and their meaning in games scored by one point.
const RESULTS: [([u16; 2], &str); 6] =
    [([1, 0], "1-0"), ([0, 1], "0-1"), ([0, 0], "0-0"), ([2, 0], "1-0"), ([0, 2], "0-1"), ([1, 1], "1/2-1/2")];

/// A result in its normal form; `None` if the text is not a result.
pub(super) fn result(text: &str) -> Option<&'static str> {
    let text = text.trim();
    let is_half = |text: &str| matches!(text.trim(), "1/2" | "½");
    match text.split_once(is_dash) {
        _ if text == "*" => Some("*"),
        Some((one, other)) if is_half(one) && is_half(other) => Some("1/2-1/2"),
        None if is_half(text) => Some("1/2-1/2"),
        _ => of_points(&squares(text)),
    }
}

/// The winner by a result of a collection, in words: `Black won`; `None` if there is no result yet.
#[must_use]
pub fn winner(result: &str) -> Option<&'static str> {
    match self::result(result)? {
        "1-0" => Some("Black won"),
        "0-1" => Some("White won"),
        "1/2-1/2" => Some("a draw"),
        "0-0" => Some("both lost"),
        _ => None,
    }
}

pub(super) fn of_points(numbers: &[u16]) -> Option<&'static str> {
    RESULTS.iter().find(|(points, _)| points[..] == *numbers).map(|(_, text)| *text)
}

/// A result in words at the start of a text, with the length of the words, a full stop included. The points of Black, who
/// moves first, come first.
pub(super) fn in_words(text: &str) -> Option<(usize, &'static str)> {
    let letters = |text: &str| text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    let is = |word: &str, words: [&str; 2]| words.iter().any(|one| word.eq_ignore_ascii_case(one));
    let (word, behind) = text.split_at(letters(text));
    let (length, result) = if is(word, ["draw", "drawn"]) {
        (word.len(), "1/2-1/2")
    } else if is(word, ["white", "black"]) {
        let second = behind.trim_start();
        let verb = &second[..letters(second)];
        let has_won = is(verb, ["wins", "won"]);
        if !has_won && !is(verb, ["resigns", "resigned"]) {
            return None;
        }
        let is_blacks = word.eq_ignore_ascii_case("black") == has_won;
        (text.len() - second.len() + verb.len(), if is_blacks { "1-0" } else { "0-1" })
    } else {
        return None;
    };
    Some((length + usize::from(text[length..].starts_with('.')), result))
}

/// The numbers in a text.
pub(super) fn squares(text: &str) -> Vec<u16> {
    let words = text.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
    words.map(|word| word.parse().unwrap_or(u16::MAX)).collect()
}

/// Whether a word is squares by letter and number, such as `F5`, which annotations may follow.
pub(super) fn are_lettered(word: &str) -> bool {
    let squares = word.trim_end_matches(['!', '?']).as_bytes();
    let is_square = |pair: &[u8]| matches!(pair.to_ascii_lowercase()[..], [b'a'..=b'h', b'1'..=b'8']);
    !squares.is_empty() && squares.chunks(2).all(is_square)
}

pub(super) fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Whether a character separates the squares of a move.
pub(super) fn is_mark(c: char) -> bool {
    is_dash(c) || matches!(c, 'x' | 'X' | ':' | '×')
}

pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// Name, value and length of the header at the start of a text, all on its first line. Text after the header is
/// ignored: a line may have several headers.
pub(super) fn header(text: &str) -> Option<(&str, String, usize)> {
    let is_blank = |c: char| c != '\n' && c.is_whitespace();
    let inner = text.strip_prefix('[')?.trim_start_matches(is_blank);
    let name_end = inner.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let name = &inner[..name_end];
    let quoted = inner[name_end..].trim_start_matches(is_blank).strip_prefix('"')?;
    let mut value = String::new();
    let mut escaped = false;
    for (at, c) in quoted.char_indices() {
        match c {
            '\n' => return None,
            '"' if !escaped => {
                let behind = quoted[at + 1..].trim_start_matches(is_blank).strip_prefix(']')?;
                return (!name.is_empty()).then_some((name, value, text.len() - behind.len()));
            }
            '\\' if !escaped => escaped = true,
            c => {
                // A backslash before any other character is literal.
                if escaped && c != '"' && c != '\\' {
                    value.push('\\');
                }
                value.push(c);
                escaped = false;
            }
        }
    }
    None
}
