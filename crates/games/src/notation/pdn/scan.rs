//! Finds the games in a file and their headers, without parsing the moves.

use super::super::collection::{GameHeaders, MOST_GAMES};
use super::tokens::{Token, TokenAt, Tokens};

/// Reads the headers of a game's text, up to its moves.
pub(super) fn headers(text: &str) -> GameHeaders {
    let mut tokens = Tokens::new(text);
    let mut headers = Vec::new();
    while let Ok(Some(TokenAt { token, .. })) = tokens.next() {
        match token {
            Token::Header(name, value) => headers.push((name.to_owned(), value)),
            Token::Comment(_) => {}
            _ => break,
        }
    }
    GameHeaders { headers }
}

/// A game whose end has not been reached.
#[derive(Default)]
struct Open {
    /// Name of its first header.
    first: Option<String>,
    begin: Option<usize>,
    has_moves: bool,
    /// Whether its result has been read.
    has_ended: bool,
    /// Number of open parentheses.
    depth: usize,
}

/// The bytes at which the games of a text start. A game begins with its headers, or after the previous game's result.
pub(super) fn scan(text: &str) -> Vec<usize> {
    let mut tokens = Tokens::new(text);
    let mut games = Vec::new();
    let mut open = Open::default();
    // One more than the limit shows that there are too many.
    while games.len() <= MOST_GAMES {
        let (at, token) = match tokens.next() {
            Ok(None) => break,
            Ok(Some(placed)) => (placed.offset, placed.token),
            Err(senseless) => (senseless.offset, Token::Other("{")),
        };
        if open.is_left(&token) {
            games.extend(std::mem::take(&mut open).close());
        }
        open.take(at, token);
    }
    games.extend(open.close());
    games
}

impl Open {
    /// Whether the word belongs to the next game.
    fn is_left(&self, token: &Token) -> bool {
        match token {
            // Some programs write a header twice.
            Token::Header(name, _) => {
                self.has_moves || self.first.as_ref().is_some_and(|first| first.eq_ignore_ascii_case(name))
            }
            Token::Number | Token::Move(_) | Token::Digits(_) => self.has_ended,
            // A result in words may follow.
            _ => false,
        }
    }

    fn take(&mut self, at: usize, token: Token) {
        self.begin.get_or_insert(at);
        match token {
            Token::Header(name, _) => _ = self.first.get_or_insert_with(|| name.to_owned()),
            Token::Comment(_) => {}
            Token::Open => (self.depth, self.has_moves) = (self.depth + 1, true),
            Token::Close => (self.depth, self.has_moves) = (self.depth.saturating_sub(1), true),
            Token::Result(_) => (self.has_ended, self.has_moves) = (self.depth == 0, true),
            _ => self.has_moves = true,
        }
    }

    /// The game, if any: comments alone are not a game.
    fn close(self) -> Option<usize> {
        let is_game = self.has_moves || self.first.is_some();
        self.begin.filter(|_| is_game)
    }
}

#[cfg(test)]
mod tests {
    use super::super::games;
    use crate::notation::Collection as _;

    fn found(text: &str) -> Vec<String> {
        let collection = games(text.to_owned());
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
        let found = games(text.to_owned());
        assert_eq!([0, 1].map(|index| found.place(index)), [(1, 2), (6, 3)]);
        let [one, two] = [0, 1].map(|index| found.headers(index));
        assert_eq!((one.header("White"), one.header("Date"), two.header("White")), ("x", "", "y"));
    }
}
