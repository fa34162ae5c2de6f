//! The words of PDN: headers, moves, comments and results, each with its place.
//!
//! The reading grammar of PDN 3.0, and what files have beyond it: blanks around the marks between squares, squares without a mark
//! (`1115`), `%` and `;` to the end of a line, a move's number with any number of dots or none, `½`.

/// What a word is. Texts are slices of what is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`, the value as it is meant.
    Header(&'a str, String),
    /// A number of a move, or the dots of one that is left out.
    Number,
    /// Squares with marks between them: `11-15`, `22x15x8`, `22 x 15`.
    Move(&'a str),
    /// Digits without a mark between them that are too many for a move's number: `1115`.
    Digits(&'a str),
    /// `!`, `??` and the like; `*` right behind a move, which is forced.
    Strength(&'a str),
    /// `$7`.
    Nag(u16),
    Comment(&'a str),
    Open,
    Close,
    /// How a game ended, as the standard has it for this game: `1-0`, `0-1`, `1/2-1/2`, `0-0` or `*`.
    Result(&'static str),
    Other(&'a str),
}

/// A word and where it begins, in bytes.
pub(super) struct Placed<'a> {
    pub at: usize,
    pub token: Token<'a>,
}

/// Where the text makes no sense, in bytes, and what was expected there.
#[derive(Debug)]
pub(super) struct Senseless {
    pub at: usize,
    pub expected: &'static str,
}

/// Gives the words one after the other.
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    /// Where the last word ended, if it was a move or its strength: a `*` there is a strength, too.
    behind_move: Option<usize>,
}

/// Behind a blank line this begins a game, even in a comment that was left open.
const FIRST_HEADER: &str = "\n[Event \"";

/// A result and what it means in games that are won by one point.
const RESULTS: [([u16; 2], &str); 6] =
    [([1, 0], "1-0"), ([0, 1], "0-1"), ([0, 0], "0-0"), ([2, 0], "1-0"), ([0, 2], "0-1"), ([1, 1], "1/2-1/2")];

/// How a game ended, as it is noted here; `None` for what is no result.
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

fn of_points(numbers: &[u16]) -> Option<&'static str> {
    RESULTS.iter().find(|(points, _)| points[..] == *numbers).map(|(_, text)| *text)
}

/// The numbers in a text.
pub(super) fn squares(text: &str) -> Vec<u16> {
    let words = text.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
    words.map(|word| word.parse().unwrap_or(u16::MAX)).collect()
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Stands between the squares of a move.
fn is_mark(c: char) -> bool {
    is_dash(c) || matches!(c, 'x' | 'X' | ':' | '×')
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

impl<'a> Tokens<'a> {
    pub fn new(text: &'a str) -> Tokens<'a> {
        Tokens { text, at: 0, behind_move: None }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Takes as many characters as are wanted.
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.take_bytes(length)
    }

    fn take_bytes(&mut self, length: usize) -> &'a str {
        let taken = &self.rest()[..length];
        self.at += length;
        taken
    }

    /// The next word; `None` at the end.
    ///
    /// # Errors
    /// A comment is not closed. What comes next is then the next game's.
    pub fn next(&mut self) -> Result<Option<Placed<'a>>, Senseless> {
        loop {
            self.take(is_blank);
            let at = self.at;
            let Some(first) = self.rest().chars().next() else { return Ok(None) };
            let behind_move = self.behind_move.take() == Some(at);
            let token = match first {
                '%' => {
                    self.take(|c| c != '\n');
                    continue;
                }
                ';' => Token::Comment(&self.take(|c| c != '\n')[1..]),
                '{' => self.comment(at)?,
                '[' => self.header(),
                '(' => self.parenthesis(),
                ')' => self.single(Token::Close),
                '$' => self.nag(),
                '!' | '?' => Token::Strength(self.take(|c| c == '!' || c == '?')),
                '*' if behind_move => Token::Strength(self.take_bytes(1)),
                '*' => self.single(Token::Result("*")),
                '.' | '…' => {
                    self.take(|c| c == '.' || c == '…');
                    Token::Number
                }
                '½' => self.half("½"),
                '0'..='9' => self.numbers(),
                _ => self.other(),
            };
            if matches!(token, Token::Move(_) | Token::Digits(_) | Token::Strength(_)) {
                self.behind_move = Some(self.at);
            }
            return Ok(Some(Placed { at, token }));
        }
    }

    fn single(&mut self, token: Token<'a>) -> Token<'a> {
        self.at += 1;
        token
    }

    /// In braces, which do not nest.
    fn comment(&mut self, at: usize) -> Result<Token<'a>, Senseless> {
        let rest = self.rest();
        let close = rest.find('}');
        let inside = &rest[..close.unwrap_or(rest.len())];
        let is_behind_a_blank_line = |end: usize| inside[..end].trim_end_matches(['\r', ' ', '\t']).ends_with('\n');
        let next_game = inside.match_indices(FIRST_HEADER).map(|(end, _)| end).find(|&end| is_behind_a_blank_line(end));
        match (next_game, close) {
            (None, Some(close)) => {
                self.at += close + 1;
                Ok(Token::Comment(&rest[1..close]))
            }
            (next, _) => {
                self.at += next.map_or(rest.len(), |line_end| line_end + 1);
                Err(Senseless { at, expected: "a comment that ends with '}'" })
            }
        }
    }

    /// `[Name "value"]`; what begins so and is none is a word up to the end of the line.
    fn header(&mut self) -> Token<'a> {
        let line = self.rest().lines().next().unwrap_or_default();
        match header(line) {
            Some((name, value, length)) => {
                self.at += length;
                Token::Header(name, value)
            }
            None => Token::Other(self.take_bytes(line.len())),
        }
    }

    /// A variation, or a move's strength in parentheses.
    fn parenthesis(&mut self) -> Token<'a> {
        let inner = &self.rest()[1..];
        let length = inner.find(|c| c != '!' && c != '?').unwrap_or(inner.len());
        if length == 0 || !inner[length..].starts_with(')') {
            return self.single(Token::Open);
        }
        self.at += length + 2;
        Token::Strength(&inner[..length])
    }

    fn nag(&mut self) -> Token<'a> {
        let begin = self.at;
        self.at += 1;
        match self.take(|c| c.is_ascii_digit()).parse() {
            Ok(number) => Token::Nag(number),
            Err(_) => Token::Other(&self.text[begin..self.at]),
        }
    }

    /// Half a point, which has `half` at its beginning here; and mostly as much of the other side's behind a dash.
    fn half(&mut self, half: &str) -> Token<'a> {
        self.at += half.len();
        let mut other = Tokens { at: self.at, ..Tokens::new(self.text) };
        other.take(is_blank);
        if other.take(is_dash).is_empty() {
            return Token::Result("1/2-1/2");
        }
        other.take(is_blank);
        if let Some(same) = ["1/2", "½"].into_iter().find(|same| other.rest().starts_with(same)) {
            self.at = other.at + same.len();
        }
        Token::Result("1/2-1/2")
    }

    /// What begins with a digit: a move's number, a move, a result.
    fn numbers(&mut self) -> Token<'a> {
        if self.rest().starts_with("1/2") {
            return self.half("1/2");
        }
        let begin = self.at;
        let digits = self.take(|c| c.is_ascii_digit());
        if !self.take(|c| c == '.' || c == '…').is_empty() {
            return Token::Number;
        }
        while let Some(next) = self.next_square() {
            self.at = next;
        }
        let text = &self.text[begin..self.at];
        match of_points(&squares(text)) {
            Some(result) => Token::Result(result),
            None if text.len() > digits.len() => Token::Move(text),
            None if digits.len() >= 3 => Token::Digits(text),
            None => Token::Number,
        }
    }

    /// Where the square ends that follows behind a mark, if one does.
    fn next_square(&self) -> Option<usize> {
        let mut ahead = Tokens { at: self.at, ..Tokens::new(self.text) };
        ahead.take(is_blank);
        let mark = ahead.rest().chars().next().filter(|&c| is_mark(c))?;
        ahead.at += mark.len_utf8();
        ahead.take(is_blank);
        (!ahead.take(|c| c.is_ascii_digit()).is_empty()).then_some(ahead.at)
    }

    fn other(&mut self) -> Token<'a> {
        let rest = self.rest();
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let ends = |c: char| is_blank(c) || "{}();[]$".contains(c);
        let length = rest[first..].find(ends).map_or(rest.len(), |end| first + end);
        Token::Other(self.take_bytes(length))
    }
}

/// Name, value and length of the header that a line begins with.
fn header(line: &str) -> Option<(&str, String, usize)> {
    let inner = line.strip_prefix('[')?.trim_start();
    let name_end = inner.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let name = &inner[..name_end];
    let quoted = inner[name_end..].trim_start().strip_prefix('"')?;
    let (mut value, mut escaped) = (String::new(), false);
    for (at, c) in quoted.char_indices() {
        match c {
            '"' if !escaped => {
                let behind = quoted[at + 1..].trim_start().strip_prefix(']')?;
                return (!name.is_empty()).then_some((name, value, line.len() - behind.len()));
            }
            '\\' if !escaped => escaped = true,
            c => {
                // A backslash before anything else stands for itself.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut tokens = Tokens::new(text);
        std::iter::from_fn(|| tokens.next().unwrap().map(|placed| placed.token)).collect()
    }

    #[test]
    fn moves_are_read_in_every_form() {
        for (text, numbers) in [
            ("11-15", vec![11, 15]),
            ("11x18", vec![11, 18]),
            ("22:15", vec![22, 15]),
            ("22 x 15 x 8", vec![22, 15, 8]),
            ("11 -\n15", vec![11, 15]),
            ("09-13", vec![9, 13]),
            ("1–5", vec![1, 5]),
        ] {
            assert_eq!(tokens(text), [Token::Move(text)], "{text}");
            assert_eq!(squares(text), numbers);
        }
        assert_eq!(tokens("1115 822"), [Token::Digits("1115"), Token::Digits("822")]);
        let two = [Token::Number, Token::Move("11-15"), Token::Move("23-19")];
        for text in ["1. 11-15 23-19", "1.11-15 23-19", "1... 11-15 23-19", "1 11-15 23-19", "1.… 11-15 23-19"] {
            assert_eq!(tokens(text), two, "{text}");
        }
    }

    #[test]
    fn results_are_told_from_moves_and_stars_from_stars() {
        for (text, result) in [
            ("1-0", "1-0"),
            ("0 - 1", "0-1"),
            ("1/2-1/2", "1/2-1/2"),
            ("1/2", "1/2-1/2"),
            ("½-½", "1/2-1/2"),
            ("1/2 - 1/2", "1/2-1/2"),
            ("2-0", "1-0"),
            ("0-2", "0-1"),
            ("1-1", "1/2-1/2"),
            ("0-0", "0-0"),
            ("*", "*"),
        ] {
            assert_eq!(tokens(text), [Token::Result(result)], "{text}");
            assert_eq!(super::result(text), Some(result), "{text}");
        }
        assert_eq!(tokens("1-10 1-18x25"), [Token::Move("1-10"), Token::Move("1-18x25")]);
        let forced = [Token::Move("11-15"), Token::Strength("*"), Token::Result("*")];
        assert_eq!(tokens("11-15* *"), forced);
        assert_eq!(super::result("won"), None);
    }

    #[test]
    fn what_is_said_of_moves_is_told_from_them() {
        let said = [
            Token::Move("11-15"),
            Token::Strength("!?"),
            Token::Nag(14),
            Token::Comment(" a (move) [%clk 1:55:21]"),
            Token::Open,
            Token::Move("9-13"),
            Token::Strength("??"),
            Token::Close,
            Token::Comment(" to the end"),
            Token::Move("23-19"),
        ];
        let text = "11-15!? $14 { a (move) [%clk 1:55:21]}(9-13(??)); to the end\n% nothing of the game 1-0\n23-19";
        assert_eq!(tokens(text), said);
    }

    #[test]
    fn headers_are_read_with_quotes_in_them() {
        let header = |name, value: &str| Token::Header(name, value.to_owned());
        assert_eq!(tokens("[Event \"a \\\"b\\\" c:\\d\"]"), [header("Event", "a \"b\" c:\\d")]);
        assert_eq!(tokens("[ A_1 \"x\" ] [B \"\"]11-15"), [header("A_1", "x"), header("B", ""), Token::Move("11-15")]);
        assert_eq!(tokens("[Event \"x]\n1."), [Token::Other("[Event \"x]"), Token::Number]);
    }

    #[test]
    fn a_comment_left_open_ends_with_the_game() {
        let mut tokens = Tokens::new("1. { open\n[Event \"mine\"]\r\n\r\n[Event \"next\"] } 2.");
        assert_eq!(tokens.next().unwrap().unwrap().token, Token::Number);
        assert_eq!(tokens.next().err().unwrap().at, 3);
        assert_eq!(tokens.next().unwrap().unwrap().token, Token::Header("Event", "next".into()));
    }
}
