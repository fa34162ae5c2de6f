//! Finds the games in a file and their headers, without parsing the moves.

use std::collections::HashSet;

use super::tokens::{Placed, Token, Tokens};

/// Where a game of a file starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Start {
    /// Byte in the file, of less than 4 GiB.
    pub at: u32,
    /// Line in the file, from 1.
    line: u32,
}

impl Start {
    /// Line and column, from 1.
    pub(super) fn place(self, text: &str) -> (usize, usize) {
        let before = &text[..self.at as usize];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        (self.line as usize, 1 + before[start..].chars().count())
    }
}

/// The headers of a game of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameHeaders {
    /// Headers as in the file: name and value.
    pub headers: Vec<(String, String)>,
}

impl GameHeaders {
    /// Reads the headers of a game's text, up to its moves.
    pub(super) fn of(text: &str) -> GameHeaders {
        let (mut tokens, mut headers) = (Tokens::new(text), Vec::new());
        while let Ok(Some(Placed { token, .. })) = tokens.next() {
            match token {
                Token::Header(name, value) => headers.push((name.to_owned(), value)),
                Token::Comment(_) => {}
                _ => break,
            }
        }
        GameHeaders { headers }
    }

    /// A header's value, verbatim.
    pub(super) fn verbatim(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(of, _)| of == name).map(|(_, value)| value.as_str())
    }

    /// A header's value; empty if it is missing or unknown (`?…` or `-`).
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        let value = self.verbatim(name).unwrap_or_default().trim();
        if value.starts_with('?') || value == "-" { "" } else { value }
    }
}

/// A game whose end has not been reached.
#[derive(Default)]
struct Open {
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
pub(super) fn scan(text: &str) -> Vec<Start> {
    let (mut tokens, mut games, mut open) = (Tokens::new(text), Vec::new(), Open::default());
    loop {
        let (at, token) = match tokens.next() {
            Ok(None) => break,
            Ok(Some(placed)) => (placed.at, placed.token),
            Err(senseless) => (senseless.at, Token::Other("{")),
        };
        if open.is_left(&token) {
            games.extend(std::mem::take(&mut open).close());
        }
        open.take(at, token);
    }
    games.extend(open.close());
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
            Token::Header(name, _) => _ = self.names.insert(name.to_owned()),
            Token::Comment(_) => {}
            Token::Open => (self.depth, self.has_moves) = (self.depth + 1, true),
            Token::Close => (self.depth, self.has_moves) = (self.depth.saturating_sub(1), true),
            Token::Result(_) => (self.has_ended, self.has_moves) = (self.depth == 0, true),
            _ => self.has_moves = true,
        }
    }

    /// The game, if any: comments alone are not a game.
    fn close(self) -> Option<Start> {
        let is_game = self.has_moves || !self.names.is_empty();
        let begin = self.begin.filter(|_| is_game)?;
        Some(Start { at: u32::try_from(begin).ok()?, line: 1 })
    }
}

/// Sets the line of each game.
fn number_lines(text: &str, games: &mut [Start]) {
    let (mut line, mut at) = (1, 0);
    for game in games {
        line += text.as_bytes()[at..game.at as usize].iter().filter(|&&byte| byte == b'\n').count() as u32;
        at = game.at as usize;
        game.line = line;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Collection;
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let collection = Collection::new(text);
        (0..collection.len()).map(|index| collection.game(index).trim().to_owned()).collect()
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
        let text = " [White \"x\"]\n[Date \"????.??.??\"]\n\n1. 11-15 *\n\n  [White \"y\"]";
        assert_eq!(scan(text).iter().map(|start| start.place(text)).collect::<Vec<_>>(), [(1, 2), (6, 3)]);
        let [one, two] = [0, 1].map(|index| Collection::new(text).listed(index));
        assert_eq!((one.header("White"), one.header("Date"), two.header("White")), ("x", "", "y"));
    }
}
