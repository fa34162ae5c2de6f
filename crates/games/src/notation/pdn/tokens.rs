//! Tokenizer of PDN: headers, moves, comments and results, each with its position.
//!
//! Reads the reading grammar of PDN 3.0 and common extensions: blanks around the marks between squares, squares without
//! a mark (`1115`), `%` and `;` to the end of a line, move numbers with any number of dots or none or as `1)`, `½`,
//! results in words, and words in parentheses.

use super::words::{are_lettered, header, in_words, is_blank, is_dash, is_mark, of_points, squares};

/// A token. Texts are slices of the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`, with the value unescaped.
    Header(&'a str, String),
    /// A move number, or the dots of an omitted one.
    Number,
    /// Squares with marks between them: `11-15`, `22x15x8`, `22 x 15`.
    Move(&'a str),
    /// Digits without a mark between them or a dot after them: a move number, or a move such as `1115`.
    Digits(&'a str),
    /// `!`, `??` and the like; `*` directly after a move marks it as forced.
    Strength(&'a str),
    /// `$7`.
    Nag(u16),
    Comment(&'a str),
    Open,
    Close,
    /// A result in its normal form for this game: `1-0`, `0-1`, `1/2-1/2`, `0-0` or `*`.
    Result(&'static str),
    /// A result in words, and its normal form: `White wins`, `Drawn`.
    Ended(&'a str, &'static str),
    Other(&'a str),
}

/// A token and its byte offset.
pub(super) struct TokenAt<'a> {
    pub offset: usize,
    pub token: Token<'a>,
}

/// Byte offset of a syntax error, and what was expected there.
#[derive(Debug)]
pub(super) struct Senseless {
    pub offset: usize,
    pub expected: &'static str,
}

/// Iterates over the tokens.
pub(super) struct Tokens<'a> {
    text: &'a str,
    offset: usize,
    /// End of the last token if it was a move or annotation: a `*` there is an annotation, too.
    behind_move: Option<usize>,
    /// Number of open parentheses.
    depth: usize,
    /// Cached offset of the next `}`, or the end, so that a file with many unclosed comments takes linear time.
    close: usize,
}

/// After a blank line this begins a game, even inside an unclosed comment.
const FIRST_HEADER: &str = "\n[Event \"";

impl<'a> Tokens<'a> {
    pub fn new(text: &'a str) -> Tokens<'a> {
        Tokens { text, offset: 0, behind_move: None, depth: 0, close: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    /// Takes characters while they match.
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.take_bytes(length)
    }

    fn take_bytes(&mut self, length: usize) -> &'a str {
        let taken = &self.rest()[..length];
        self.offset += length;
        taken
    }

    /// The next token; `None` at the end.
    ///
    /// # Errors
    /// A comment is not closed. The next token then belongs to the next game.
    pub fn next(&mut self) -> Result<Option<TokenAt<'a>>, Senseless> {
        loop {
            self.take(is_blank);
            let at = self.offset;
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
                ')' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.single(Token::Close)
                }
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
                self.behind_move = Some(self.offset);
            }
            return Ok(Some(TokenAt { offset: at, token }));
        }
    }

    /// Iterates over the next tokens without consuming them.
    pub fn ahead(&self) -> Tokens<'a> {
        Tokens { offset: self.offset, depth: self.depth, ..Tokens::new(self.text) }
    }

    /// The next token other than a comment, without consuming it; `None` if there is none.
    pub fn behind(&self) -> Option<Token<'a>> {
        let mut ahead = self.ahead();
        loop {
            match ahead.next().ok()??.token {
                Token::Comment(_) => {}
                token => return Some(token),
            }
        }
    }

    fn single(&mut self, token: Token<'a>) -> Token<'a> {
        self.offset += 1;
        token
    }

    /// A comment in braces, which do not nest.
    fn comment(&mut self, at: usize) -> Result<Token<'a>, Senseless> {
        let rest = self.rest();
        if self.close <= at {
            self.close = at + rest.find('}').unwrap_or(rest.len());
        }
        let close = Some(self.close - at).filter(|&close| close < rest.len());
        let inside = &rest[..close.unwrap_or(rest.len())];
        let is_behind_a_blank_line = |end: usize| inside[..end].trim_end_matches(['\r', ' ', '\t']).ends_with('\n');
        let next_game = inside.match_indices(FIRST_HEADER).map(|(end, _)| end).find(|&end| is_behind_a_blank_line(end));
        match (next_game, close) {
            (None, Some(close)) => {
                self.offset += close + 1;
                Ok(Token::Comment(&rest[1..close]))
            }
            (next, _) => {
                self.offset += next.map_or(rest.len(), |line_end| line_end + 1);
                Err(Senseless { offset: at, expected: "a comment that ends with '}'" })
            }
        }
    }

    /// `[Name "value"]`; an invalid header is a word up to the end of the line.
    fn header(&mut self) -> Token<'a> {
        match header(self.rest()) {
            Some((name, value, length)) => {
                (self.offset, self.depth) = (self.offset + length, 0);
                Token::Header(name, value)
            }
            None => {
                let line = self.rest().lines().next().unwrap_or_default();
                Token::Other(self.take_bytes(line.len()))
            }
        }
    }

    /// A variation, or an annotation or words in parentheses.
    fn parenthesis(&mut self) -> Token<'a> {
        let inner = &self.rest()[1..];
        let length = inner.find(|c| c != '!' && c != '?').unwrap_or(inner.len());
        if length > 0 && inner[length..].starts_with(')') {
            self.offset += length + 2;
            return Token::Strength(&inner[..length]);
        }
        if let Some(words) = words_alone(inner) {
            self.offset += words.len() + 2;
            return Token::Comment(words);
        }
        self.depth += 1;
        self.single(Token::Open)
    }

    fn nag(&mut self) -> Token<'a> {
        let begin = self.offset;
        self.offset += 1;
        match self.take(|c| c.is_ascii_digit()).parse() {
            Ok(number) => Token::Nag(number),
            Err(_) => Token::Other(&self.text[begin..self.offset]),
        }
    }

    /// A draw that begins with `half`, mostly followed by a dash and the other half.
    fn half(&mut self, half: &str) -> Token<'a> {
        self.offset += half.len();
        let mut other = Tokens { offset: self.offset, ..Tokens::new(self.text) };
        other.take(is_blank);
        if other.take(is_dash).is_empty() {
            return Token::Result("1/2-1/2");
        }
        other.take(is_blank);
        if let Some(same) = ["1/2", "½"].into_iter().find(|same| other.rest().starts_with(same)) {
            self.offset = other.offset + same.len();
        }
        Token::Result("1/2-1/2")
    }

    /// Text that begins with a digit: a move number, a move or a result.
    fn numbers(&mut self) -> Token<'a> {
        if self.rest().starts_with("1/2") {
            return self.half("1/2");
        }
        let begin = self.offset;
        let digits = self.take(|c| c.is_ascii_digit());
        if self.ends_number() {
            return Token::Number;
        }
        while let Some(next) = self.next_square() {
            self.offset = next;
        }
        let text = &self.text[begin..self.offset];
        match of_points(&squares(text)) {
            Some(result) => Token::Result(result),
            None if text.len() > digits.len() => Token::Move(text),
            None => Token::Digits(text),
        }
    }

    /// Consumes the dots after a move number, or the parenthesis of `1)` outside of variations.
    fn ends_number(&mut self) -> bool {
        let dots = self.rest().trim_start_matches(is_blank);
        if dots.starts_with(['.', '…']) {
            self.offset = self.text.len() - dots.trim_start_matches(['.', '…']).len();
            return true;
        }
        let is_closed = self.depth == 0 && self.rest().starts_with(')');
        self.offset += usize::from(is_closed);
        is_closed
    }

    /// End of the next square, if a mark and a square follow.
    fn next_square(&self) -> Option<usize> {
        let mut ahead = Tokens { offset: self.offset, ..Tokens::new(self.text) };
        ahead.take(is_blank);
        let mark = ahead.rest().chars().next().filter(|&c| is_mark(c))?;
        ahead.offset += mark.len_utf8();
        ahead.take(is_blank);
        (!ahead.take(|c| c.is_ascii_digit()).is_empty()).then_some(ahead.offset)
    }

    fn other(&mut self) -> Token<'a> {
        let rest = self.rest();
        if let Some((length, result)) = in_words(rest) {
            return Token::Ended(self.take_bytes(length), result);
        }
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let ends = |c: char| is_blank(c) || "{}();[]$".contains(c);
        let length = rest[first..].find(ends).map_or(rest.len(), |end| first + end);
        Token::Other(self.take_bytes(length))
    }
}

/// The text up to the closing parenthesis, if it is words without a preceding move, or a lone number, which is a
/// reference.
fn words_alone(inner: &str) -> Option<&str> {
    let end = inner.find(['(', ')', '{', '}', '[']).filter(|&end| inner[end..].starts_with(')'))?;
    if (1..3).contains(&end) && inner[..end].bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(&inner[..end]);
    }
    let mut tokens = Tokens::new(&inner[..end]);
    loop {
        match tokens.next().ok()??.token {
            Token::Move(_) => return None,
            Token::Other(word) if are_lettered(word) => return None,
            Token::Other(_) | Token::Ended(..) => return Some(&inner[..end]),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
