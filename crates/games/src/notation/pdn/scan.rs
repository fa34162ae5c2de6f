//! Where in a file each game begins and what its headers say, without looking at what its moves mean.

use std::collections::HashSet;
use std::ops::Range;

use super::tokens::{Token, Tokens};

/// A game in a file, not read yet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listed {
    /// As they stand in the file: name and value.
    pub headers: Vec<(String, String)>,
    /// Its bytes in the file.
    pub(super) span: Range<usize>,
    /// The line that it begins in, from 1, and in which column.
    pub(super) begins: (usize, usize),
}

impl Listed {
    /// A header's value as it stands there.
    pub(super) fn told(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(of, _)| of == name).map(|(_, value)| value.as_str())
    }

    /// A header's value; nothing where it is missing or says that nobody knows.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        let value = self.told(name).unwrap_or_default().trim();
        if value.starts_with('?') || value == "-" { "" } else { value }
    }
}

/// A game whose end has not been seen yet.
#[derive(Default)]
struct Open {
    headers: Vec<(String, String)>,
    /// Their names.
    names: HashSet<String>,
    begin: Option<usize>,
    has_moves: bool,
    /// Its result has been passed.
    has_ended: bool,
    /// Parentheses that are open.
    depth: usize,
}

/// The games of a text. One begins with its headers, or behind the result of the one before.
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
    /// Whether the word is of the next game.
    fn is_left(&self, token: &Token) -> bool {
        match token {
            Token::Header(name, _) => self.has_moves || self.names.contains(*name),
            Token::Number | Token::Move(_) | Token::Digits(_) => self.has_ended,
            // Some say in words how the game ended.
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

    /// The game, if there is one: comments alone are none.
    fn close(self, end: usize) -> Option<Listed> {
        let is_game = self.has_moves || !self.headers.is_empty();
        let begin = self.begin.filter(|_| is_game)?;
        Some(Listed { headers: self.headers, span: begin..end, begins: (1, 1) })
    }
}

/// Says where each game begins, for people.
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
