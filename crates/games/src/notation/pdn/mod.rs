//! Portable Draughts Notation (PDN): files of many draughts games.
//!
//! ```text
//! [Event "Club championship"]
//! [Black "Tinsley, Marion"]
//! [White "Lafferty, Don"]
//! [Result "1/2-1/2"]
//! [GameType "21"]
//!
//! 1. 11-15 23-19 2. 8-11 22-17 {so, the usual} 3. 11-16! (3. 9-13 17-14) 24-20 1/2-1/2
//! ```
//!
//! Reads the reading grammar of PDN 3.0 and common extensions (`tokens`). `scan` finds where each game starts; its headers
//! and moves are parsed only when it is read (`read`). [`write()`] writes the standard form.
//!
//! Each game declares its own type ([`Notation::GAME_TYPE`](super::super::Notation::GAME_TYPE)); places are numbered
//! squares. Squares by letter and number (`c3-d4`), which the standard has for other games, are not supported: the
//! corner a1 depends on the side from which the board is seen, and files disagree on it. Games of Othello in PGN, whose
//! moves are single squares (`F5`), have the same headers, comments and variations, and are read here, too.
//!
//! The points of the player who moves first come first: in English checkers (type 21) and in Othello `1-0` means that Black
//! won. A result that does not follow from the moves, such as a resignation or an agreed draw, is kept as the header
//! [`AGREED`], one after the moves that contradicts the header as [`AT_END`](super::AT_END). Moves after an
//! unclaimed draw are kept as text (`moves`). Annotations `!`, `?`, `*` and `$7` are kept at the start of the moves'
//! comments. An ambiguous capture takes the route that the next moves need (`moves`).

mod moves;
mod read;
mod start;
mod tokens;
pub(super) mod words;

use std::sync::Arc;

use super::collection::{Collection as _, Format, GameHeaders, GameText, MOST_GAMES, Texts, add_text, decode};
use super::given::{points, resigned_side};
use super::headers::{AGREED, ReadFailure, result_text};
use super::marks::{STRENGTHS, is_strength};
use super::words::{value, wrap};
use crate::record::{NodeId, Record};
use crate::{Bare, Side, Variant};
use tokens::{Token, TokenAt, Tokens};

pub use words::winner;

/// File header with the rules, if they are not the default ones.
const RULES: &str = "Rules";

/// Portable Draughts Notation.
pub static FORMAT: Format = Format {
    name: "PDN",
    extensions: &["pdn"],
    beside: &[],
    writes: |variant| variant.game_type().is_some(),
    loses: |_| None,
    recognises,
    open: |files| Ok(Arc::new(games(decode(&files.concat())))),
    add: |files, record| match (files, write(record)) {
        ([file], Some(text)) => add_text(file, &text, "\n"),
        _ => Ok(()),
    },
};

/// The same format for games of Othello, which are only read.
pub static PGN: Format = Format {
    name: "PGN",
    extensions: &["pgn"],
    beside: &[],
    writes: |_| false,
    loses: |_| None,
    recognises,
    open: |files| Ok(Arc::new(games(decode(&files.concat())))),
    add: |_, _| Ok(()),
};

/// Finds the games in a text; possibly none.
fn games(text: String) -> Texts {
    let starts = scan(&text);
    Texts::new(text, starts, headers, read::read)
}

/// Whether a text has PDN headers or the moves of several games.
fn recognises(bytes: &[u8], usual: Variant) -> bool {
    let text = &*decode(bytes);
    let is_moves = |variant: Variant| variant.game_type().is_some() && variant.recognise(text) == Some(Bare::Moves);
    is_headed(text) || ([usual].into_iter().chain(Variant::usual()).any(is_moves) && games(text.to_owned()).len() > 1)
}

/// Whether a text begins with PDN headers. Game files of this program have a `Game` header instead.
fn is_headed(text: &str) -> bool {
    const KNOWN: [&str; 10] =
        ["Event", "Site", "Date", "Round", "White", "Black", "Result", "GameType", "SetUp", "FEN"];
    let mut tokens = Tokens::new(text);
    let mut is_known = false;
    while let Ok(Some(TokenAt { token, .. })) = tokens.next() {
        match token {
            Token::Header(name, _) if name.eq_ignore_ascii_case("Game") => return false,
            Token::Header(name, _) => is_known |= KNOWN.iter().any(|known| known.eq_ignore_ascii_case(name)),
            Token::Comment(_) => {}
            _ => break,
        }
    }
    is_known
}

/// Reads the moves of one game without headers, after the start of a record.
///
/// # Errors
/// Where the text is invalid, and what was expected there.
pub(super) fn read_alone(text: &str, record: Record) -> Result<Record, ReadFailure> {
    read::read_moves(GameText::alone(text), record, &[]).map_err(|(stopped, _)| stopped)
}

#[cfg(test)]
mod standard_tests;
#[cfg(test)]
mod tests;

/// Headers of every game, with their values for unknown data.
const FIRST: [(&str, &str); 4] = [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?")];

/// Whether a header has its value for unknown data.
fn is_unknown(name: &str, value: &str) -> bool {
    FIRST.iter().any(|(first, unknown)| first.eq_ignore_ascii_case(name) && *unknown == value)
}

/// The record as a game of a collection, as collections have it; `None` if its game has no PDN
/// form. Ends with a line end; a blank line separates it from the next game.
#[must_use]
pub fn write(record: &Record) -> Option<String> {
    let game_type = record.variant.game_type()?;
    let result = result(record);
    let mut text = header_lines(record, game_type, &result);
    let mut words = Vec::new();
    let mut writer = Writer { record, words: &mut words };
    writer.comment(0);
    writer.line(0, true);
    // Other programs separate games by the result; `*` replaces results that are not in the standard.
    let known = ["1-0", "0-1", "1/2-1/2", "0-0"];
    words.push(if known.contains(&result.as_str()) { result } else { "*".to_owned() });
    text += &wrap(&words, 80);
    Some(text)
}

/// The agreed result, that of a resignation, or that of the moves.
fn result(record: &Record) -> String {
    let resigned = || resigned_side(record).map(|side| points(side.other()).to_owned());
    record.header(AGREED).map(str::to_owned).or_else(resigned).unwrap_or_else(|| result_text(record))
}

fn header_lines(record: &Record, game_type: u16, result: &str) -> String {
    let known = |wanted: &str| {
        record.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value.as_str())
    };
    let mut text = String::new();
    let mut add = |name: &str, content: &str| text += &format!("[{name} \"{}\"]\n", value(content));
    for (name, unknown) in FIRST {
        add(name, known(name).unwrap_or(unknown));
    }
    for side in [Side::North, Side::South] {
        add(record.variant.seats()[side.index()], &record.players[side.index()]);
    }
    add("Result", result);
    add("GameType", &game_type.to_string());
    if !Variant::usual().contains(&record.variant) {
        add(RULES, &record.variant.to_string());
    }
    if *record.start() != record.variant.start() {
        add("SetUp", "1");
        add("FEN", &record.start().to_text());
    }
    if let Some(seed) = record.seed {
        add("Seed", &seed.to_string());
    }
    let is_other = |name: &str| {
        !name.eq_ignore_ascii_case(AGREED) && FIRST.iter().all(|(first, _)| !first.eq_ignore_ascii_case(name))
    };
    for (name, value) in record.headers.iter().filter(|(name, _)| is_other(name)) {
        add(name, value);
    }
    text.push('\n');
    text
}

/// Converts a tree to words: a loop over the main line, recursion only into variations.
struct Writer<'a> {
    record: &'a Record,
    words: &'a mut Vec<String>,
}

impl Writer<'_> {
    /// Writes the moves after `node`. A number precedes the first side's moves, and any move after a comment or
    /// variation.
    fn line(&mut self, mut node: NodeId, mut number_due: bool) {
        loop {
            let mut tried = self.record.tried(node);
            let Some((child, _)) = tried.next() else { return };
            let mut between = self.made(node, child, number_due);
            for (other, _) in tried {
                self.variation(node, other);
                between = true;
            }
            (node, number_due) = (child, between);
        }
    }

    /// Writes a move, its number if due, and its comment; returns whether there is a comment.
    fn made(&mut self, node: NodeId, child: NodeId, number_due: bool) -> bool {
        let position = self.record.position_at(node);
        let first = self.record.start().side();
        let number = 1 + (self.record.ply_at(node) + u32::from(first == Side::North)) / 2;
        match position.side() {
            Side::South => self.words.push(format!("{number}.")),
            Side::North if number_due => self.words.push(format!("{number}...")),
            Side::North => {}
        }
        if let Some((_, mv)) = self.record.came(child) {
            self.words.push(position.move_text(mv));
        }
        let before = self.words.len();
        self.comment(child);
        self.words.len() > before
    }

    fn variation(&mut self, node: NodeId, child: NodeId) {
        let begin = self.words.len();
        let number_due = self.made(node, child, true);
        self.line(child, number_due);
        self.words[begin].insert(0, '(');
        if let Some(last) = self.words.last_mut() {
            last.push(')');
        }
    }

    /// The comment on a position: annotations of the move in the standard's form, the rest in braces.
    fn comment(&mut self, node: NodeId) {
        let mut words: Vec<&str> = self.record.comment(node).split_whitespace().collect();
        if node != 0 {
            let strong = words.iter().take_while(|word| is_strength(word)).count();
            for (index, word) in words.drain(..strong).enumerate() {
                match STRENGTHS.iter().find(|(text, _)| *text == word) {
                    // Directly after the move; a star there would be a result to some programs.
                    Some((text, _)) if index == 0 && *text != "*" => self.words.last_mut().map_or((), |mv| *mv += text),
                    Some((_, nag)) => self.words.push(format!("${nag}")),
                    None => self.words.push(word.to_owned()),
                }
            }
        }
        let first = self.words.len();
        self.words.extend(words.into_iter().map(str::to_owned));
        if let [first, ..] = &mut self.words[first..] {
            first.insert(0, '{');
        }
        if let [.., last] = &mut self.words[first..] {
            last.push('}');
        }
    }
}

/// Reads the headers of a game's text, up to its moves.
fn headers(text: &str) -> GameHeaders {
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
fn scan(text: &str) -> Vec<usize> {
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
