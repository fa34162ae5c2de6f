//! The words of PDN: headers, moves, comments and results, each with its place.
//!
//! The reading grammar of PDN 3.0, and what files have beyond it: blanks around the marks between squares, squares without a mark
//! (`1115`), `%` and `;` to the end of a line, a move's number with any number of dots or none or as `1)`, `½`, results in words, words
//! in parentheses.

use super::words::{header, in_words, is_blank, is_dash, is_mark, of_points, squares};

/// What a word is. Texts are slices of what is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`, the value as it is meant.
    Header(&'a str, String),
    /// A number of a move, or the dots of one that is left out.
    Number,
    /// Squares with marks between them: `11-15`, `22x15x8`, `22 x 15`.
    Move(&'a str),
    /// Digits without a mark between them or a dot behind: a move's number, or a move as in `1115`.
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
    /// The same in words, and as the standard has it: `White wins`, `Drawn`.
    Ended(&'a str, &'static str),
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
    /// Parentheses that are open.
    depth: usize,
    /// The `}` that comes next, or the end, if it was looked for: a file with many open comments is not searched again for each.
    close: usize,
}

/// Behind a blank line this begins a game, even in a comment that was left open.
const FIRST_HEADER: &str = "\n[Event \"";

impl<'a> Tokens<'a> {
    pub fn new(text: &'a str) -> Tokens<'a> {
        Tokens { text, at: 0, behind_move: None, depth: 0, close: 0 }
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
                self.behind_move = Some(self.at);
            }
            return Ok(Some(Placed { at, token }));
        }
    }

    /// The next word that is no comment, without taking it; `None` where there is none.
    pub fn behind(&self) -> Option<Token<'a>> {
        let mut ahead = Tokens { at: self.at, depth: self.depth, ..Tokens::new(self.text) };
        loop {
            match ahead.next().ok()??.token {
                Token::Comment(_) => {}
                token => return Some(token),
            }
        }
    }

    fn single(&mut self, token: Token<'a>) -> Token<'a> {
        self.at += 1;
        token
    }

    /// In braces, which do not nest.
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
        match header(self.rest()) {
            Some((name, value, length)) => {
                (self.at, self.depth) = (self.at + length, 0);
                Token::Header(name, value)
            }
            None => {
                let line = self.rest().lines().next().unwrap_or_default();
                Token::Other(self.take_bytes(line.len()))
            }
        }
    }

    /// A variation, or a move's strength or words in parentheses.
    fn parenthesis(&mut self) -> Token<'a> {
        let inner = &self.rest()[1..];
        let length = inner.find(|c| c != '!' && c != '?').unwrap_or(inner.len());
        if length > 0 && inner[length..].starts_with(')') {
            self.at += length + 2;
            return Token::Strength(&inner[..length]);
        }
        if let Some(words) = words_alone(inner) {
            self.at += words.len() + 2;
            return Token::Comment(words);
        }
        self.depth += 1;
        self.single(Token::Open)
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
        if self.ends_number() {
            return Token::Number;
        }
        while let Some(next) = self.next_square() {
            self.at = next;
        }
        let text = &self.text[begin..self.at];
        match of_points(&squares(text)) {
            Some(result) => Token::Result(result),
            None if text.len() > digits.len() => Token::Move(text),
            None => Token::Digits(text),
        }
    }

    /// Takes the dots that end a move's number, or the parenthesis of `1)`, which ends no variation.
    fn ends_number(&mut self) -> bool {
        let dots = self.rest().trim_start_matches(is_blank);
        if dots.starts_with(['.', '…']) {
            self.at = self.text.len() - dots.trim_start_matches(['.', '…']).len();
            return true;
        }
        let is_closed = self.depth == 0 && self.rest().starts_with(')');
        self.at += usize::from(is_closed);
        is_closed
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
        if let Some((length, result)) = in_words(rest) {
            return Token::Ended(self.take_bytes(length), result);
        }
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let ends = |c: char| is_blank(c) || "{}();[]$".contains(c);
        let length = rest[first..].find(ends).map_or(rest.len(), |end| first + end);
        Token::Other(self.take_bytes(length))
    }
}

/// What stands up to the end of a parenthesis, if that is words and no moves come before them, or a number alone, which refers to
/// something.
fn words_alone(inner: &str) -> Option<&str> {
    let end = inner.find(['(', ')', '{', '}', '[']).filter(|&end| inner[end..].starts_with(')'))?;
    if (1..3).contains(&end) && inner[..end].bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(&inner[..end]);
    }
    let mut tokens = Tokens::new(&inner[..end]);
    loop {
        match tokens.next().ok()??.token {
            Token::Move(_) => return None,
            Token::Other(_) | Token::Ended(..) => return Some(&inner[..end]),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
