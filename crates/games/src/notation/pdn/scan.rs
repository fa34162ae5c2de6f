//! Finds the games in a file and their headers, without parsing the moves.

use std::collections::HashSet;
use std::ops::Range;

use super::tokens::{Token, Tokens};

/// An unread game of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listed {
    /// Headers as in the file: name and value.
    pub headers: Vec<(String, String)>,
    /// Byte range in the file.
    pub(super) span: Range<usize>,
    /// Line and column of its start, from 1.
    pub(super) begins: (usize, usize),
}

impl Listed {
    /// A header's value, verbatim.
    pub(super) fn told(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(of, _)| of == name).map(|(_, value)| value.as_str())
    }

    /// A header's value; empty if it is missing or unknown (`?…` or `-`).
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        let value = self.told(name).unwrap_or_default().trim();
        if value.starts_with('?') || value == "-" { "" } else { value }
    }
}

/// A game whose end has not been reached.
#[derive(Default)]
struct Open {
    headers: Vec<(String, String)>,
    /// Names of the headers.
    names: HashSet<String>,
    begin: Option<usize>,
    has_moves: bool,
    /// Whether its result has been read.
    has_ended: bool,
    /// Number of open parentheses.
    depth: usize,
}

/// The games of a text. A game begins with its headers, or after the previous game's result.
pub(super) fn scan(text: &str) -> Vec<Listed> {
    let (mut tokens, mut games, mut open) = (Tokens::new(text), Vec::new(), Open::default());
    loop {
        let (at, token) = match tokens.next() {
            Ok(None) => break,
            Ok(Some(placed)) => (placed.at, placed.token),
            Err(senseless) => (senseless.at, Token::Other("{")),
        };
        if open.is_left(&token) {
            games.extend(std::mem::take(&mut open).close(at));
        }
        open.take(at, token);
    }
    games.extend(open.close(text.len()));
    number_lines(text, &mut games);
    games
}

impl Open {
    /// Whether the word belongs to the next game.
    fn is_left(&self, token: &Token) -> bool {
        match token {
            Token::Header(name, _) => self.has_moves || self.names.contains(*name),
            Token::Number | Token::Move(_) | Token::Digits(_) => self.has_ended,
            // A result in words may follow.
            _ => false,
        }
    }

    fn take(&mut self, at: usize, token: Token) {
        self.begin.get_or_insert(at);
        match token {
            Token::Header(name, value) => {
                self.names.insert(name.to_owned());
                self.headers.push((name.to_owned(), value));
            }
            Token::Comment(_) => {}
            Token::Open => (self.depth, self.has_moves) = (self.depth + 1, true),
            Token::Close => (self.depth, self.has_moves) = (self.depth.saturating_sub(1), true),
            Token::Result(_) => (self.has_ended, self.has_moves) = (self.depth == 0, true),
            _ => self.has_moves = true,
        }
    }

    /// The game, if any: comments alone are not a game.
    fn close(self, end: usize) -> Option<Listed> {
        let is_game = self.has_moves || !self.headers.is_empty();
        let begin = self.begin.filter(|_| is_game)?;
        Some(Listed { headers: self.headers, span: begin..end, begins: (1, 1) })
    }
}

/// Sets the line and column of each game.
fn number_lines(text: &str, games: &mut [Listed]) {
    let (mut line, mut column, mut at) = (1, 1, 0);
    for game in games {
        let before = &text[at..game.span.start];
        line += before.matches('\n').count();
        column = before.rfind('\n').map_or(column, |_| 1)
            + before.rsplit('\n').next().map_or(0, |last| last.chars().count());
        at = game.span.start;
        game.begins = (line, column);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        scan(text).into_iter().map(|game| text[game.span].trim().to_owned()).collect()
    }

    #[test]
    fn games_are_parted_by_headers_and_results() {
        let cases = [
            ("[Event \"a\"]\n1. 11-15 1-0\n\n[Event \"b\"]\n1. 9-13 *", 2),
            ("[Event \"a\"]\n1. 11-15\n[Event \"b\"]\n1. 9-13", 2),
            ("[Event \"a\"][White \"x\"]\n[Event \"b\"]", 2),
            ("1. 11-15 23-19 * 1. 9-13 0-1 {after all}", 2),
            ("1. 11-15 (1. 9-13 1-0) 23-19 1-0", 1),
            ("11-15* 23-19 1-0 *", 1),
            ("[Event \"a\"]\n1. 11-15 1-0 White resigned\n[Event \"b\"]", 2),
            ("{nothing} ; at all\n% here 1-0\n", 0),
            ("[Event \"a\"]\n1. 11-15 { open\n\n[Event \"b\"]\n1. 9-13 } x\n[Event \"c\"]", 3),
            ("[Event \"a\"]\n1. what is this\n[Event \"b\"]\n1. 9-13", 2),
        ];
        for (text, count) in cases {
            assert_eq!(found(text).len(), count, "{text}: {:?}", found(text));
        }
        let games = found("{ before } [Event \"a\"]\n1. 11-15 1-0 {after}\n[Event \"b\"]");
        assert_eq!(games, ["{ before } [Event \"a\"]\n1. 11-15 1-0 {after}", "[Event \"b\"]"]);
    }

    #[test]
    fn what_headers_say_and_where_games_begin_is_known() {
        let games = scan("\u{feff}[White \"x\"]\n[Date \"????.??.??\"]\n\n1. 11-15 *\n\n  [White \"y\"]");
        assert_eq!(games.iter().map(|game| game.begins).collect::<Vec<_>>(), [(1, 2), (6, 3)]);
        assert_eq!((games[0].header("White"), games[0].header("Date"), games[1].header("White")), ("x", "", "y"));
    }
}
