//! Collections: files of many games in formats of other programs.
//!
//! A reader uses [`Collection`]: the headers of each game, and each game as a record. A game is parsed when it is read, so
//! that listing thousands is instant, and an invalid one is [`Broken`] without affecting the others. A [`Format`] says how files are
//! recognised, opened and written; [`FORMATS`](super::FORMATS) lists them. [`Texts`] has what formats of text share.

use std::fmt;
use std::sync::Arc;

use mancalab_base::files::{Kind, utf_16};
use mancalab_base::{Error, bail};

use super::headers::DefaultGame;
use crate::record::Record;
use crate::{Position, Side, TextError, Variant};

/// Maximum number of games in a collection.
pub const MOST_GAMES: usize = 1 << 20;

/// The games of a file. Indices count from 0.
pub trait Collection: fmt::Debug + Send + Sync {
    /// The number of games.
    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads the headers of a game by their names in PDN; none if there is no such game.
    fn headers(&self, index: usize) -> GameHeaders;

    /// Reads a game and goes to the end of its main line.
    ///
    /// # Errors
    /// Where the game is invalid or breaks the rules, with the part before that.
    fn read_as(&self, index: usize, assumed: DefaultGame) -> Result<Record, Broken>;

    /// The same, while a game of `usual` is on the board.
    ///
    /// # Errors
    /// Those of [`read_as`](Collection::read_as).
    fn read(&self, index: usize, usual: Variant) -> Result<Record, Broken> {
        self.read_as(index, usual.into())
    }

    /// What the whole collection lacks, such as names; `None` if nothing.
    fn note(&self) -> Option<&str> {
        None
    }
}

/// An open collection, shared by its readers.
pub type Games = Arc<dyn Collection>;

/// A format of collections.
///
/// Contents are passed as a list: the files [`beside`](Format::beside) it, empty where they are missing, then the file itself.
pub struct Format {
    /// Name in messages.
    pub name: &'static str,
    /// File extensions in lower case, the usual one first.
    pub extensions: &'static [&'static str],
    /// Names of other files in the same folder that hold a part of the games.
    pub beside: &'static [&'static str],
    /// Whether games of a variant have this format.
    pub(super) writes: fn(&Variant) -> bool,
    /// What of a record it cannot hold; `None` if nothing.
    pub(super) loses: fn(&Record) -> Option<&'static str>,
    pub(super) recognises: fn(&[u8], Variant) -> bool,
    pub(super) open: fn(Vec<Vec<u8>>) -> Result<Games, Error>,
    pub(super) add: fn(&mut [Vec<u8>], &Record) -> Result<(), Error>,
}

impl Format {
    /// Opens a collection; possibly of no games.
    ///
    /// # Errors
    /// The content is of another format or version, or has too many games.
    pub fn open(&self, files: Vec<Vec<u8>>) -> Result<Games, Error> {
        let games = (self.open)(files)?;
        if games.len() > MOST_GAMES {
            bail!("it has more than {MOST_GAMES} games, the limit of a collection");
        }
        Ok(games)
    }

    /// Checks that games of a variant can be written.
    ///
    /// # Errors
    /// They have no such format.
    pub fn check(&self, variant: &Variant) -> Result<(), Error> {
        if (self.writes)(variant) {
            return Ok(());
        }
        let rules = if Variant::usual().contains(variant) { variant.title().to_owned() } else { variant.to_string() };
        bail!("games of {rules} have no {}", self.name)
    }

    /// The parts of a record that the format cannot hold, as a noun; `None` if it holds all.
    #[must_use]
    pub fn loses(&self, record: &Record) -> Option<&'static str> {
        (self.loses)(record)
    }

    /// Adds a game to the contents, which are empty for a new collection.
    ///
    /// # Errors
    /// The format cannot hold the game or is full; the contents are then undefined.
    pub fn add(&self, files: &mut [Vec<u8>], record: &Record) -> Result<(), Error> {
        self.check(&record.variant)?;
        (self.add)(files, record)?;
        let most = Kind::Collection.most();
        if files.iter().any(|file| file.len() as u64 > most) {
            bail!("it would exceed {} KiB, the limit of a collection", most >> 10);
        }
        Ok(())
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Error in a game of a collection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The game's number in its file, from 1.
    pub game: usize,
    /// Number and side of the invalid move; `None` for errors before the first move.
    pub invalid_move: Option<(u32, &'static str)>,
    /// The place in the file, what was found there, and what was expected.
    pub error: Error,
    /// The valid part of the game, at its end; `None` if there is none.
    pub begun: Option<Box<Record>>,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, ", self.game)?;
        if let Some((number, side)) = self.invalid_move {
            write!(f, "{side}'s move {number}, ")?;
        }
        self.error.fmt(f)
    }
}

impl std::error::Error for Broken {}

impl Broken {
    /// An error before the first move.
    pub(super) fn before_moves(game: usize, error: impl Into<Error>) -> Broken {
        Broken { game, invalid_move: None, error: error.into(), begun: None }
    }

    /// An error in the next move of a record.
    pub(super) fn in_move(game: usize, record: Record, error: impl Into<Error>) -> Broken {
        let at = Some((number(&record, 0), seat(record.variant, record.position())));
        Broken { game, invalid_move: at, error: error.into(), begun: Some(Box::new(record)) }
    }
}

/// The headers of a game of a collection.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameHeaders {
    /// Name and value, in the file's order.
    pub headers: Vec<(String, String)>,
}

impl GameHeaders {
    /// A header's value, verbatim, whatever the case of its name.
    pub(super) fn verbatim(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// A header's value; empty if it is missing or unknown (`?…` or `-`).
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        let value = self.verbatim(name).unwrap_or_default().trim();
        if value.starts_with('?') || value == "-" { "" } else { value }
    }
}

/// Reads a game's text, which begins at a line and a column of its file.
pub(super) type ReadText = fn(GameText, usize, DefaultGame) -> Result<Record, Broken>;

/// A collection in a format of text.
#[derive(Debug)]
pub(super) struct Texts {
    text: Box<str>,
    starts: Vec<Start>,
    headers: fn(&str) -> GameHeaders,
    read: ReadText,
}

/// Where a game of a text starts.
#[derive(Clone, Copy, Debug)]
struct Start {
    /// Byte in the text, which has less than 4 GiB.
    offset: u32,
    /// Line in the text, from 1.
    line: u32,
}

impl Texts {
    /// The games that start at these bytes.
    pub fn new(text: String, starts: Vec<usize>, headers: fn(&str) -> GameHeaders, read: ReadText) -> Texts {
        let mut line = 1;
        let mut before = 0;
        let start = |at: usize| {
            line += text.as_bytes()[before..at].iter().filter(|&&byte| byte == b'\n').count() as u32;
            before = at;
            Start { offset: at as u32, line }
        };
        let starts = starts.into_iter().map(start).collect();
        Texts { text: text.into(), starts, headers, read }
    }

    /// The text of a game; empty if there is no such game.
    pub fn game(&self, index: usize) -> &str {
        let start = |index: usize| self.starts.get(index).map_or(self.text.len(), |start| start.offset as usize);
        &self.text[start(index)..start(index + 1)]
    }

    /// Line and column of a game's start, from 1.
    pub fn place(&self, index: usize) -> (usize, usize) {
        let Some(start) = self.starts.get(index) else { return (1, 1) };
        let before = &self.text[..start.offset as usize];
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        (start.line as usize, 1 + before[line..].chars().count())
    }
}

impl Collection for Texts {
    fn len(&self) -> usize {
        self.starts.len()
    }

    fn headers(&self, index: usize) -> GameHeaders {
        (self.headers)(self.game(index))
    }

    fn read_as(&self, index: usize, assumed: DefaultGame) -> Result<Record, Broken> {
        let place = GameText { text: self.game(index), begins: self.place(index) };
        (self.read)(place, index + 1, assumed)
    }
}

/// A game's text and its position in the file.
#[derive(Clone, Copy)]
pub(super) struct GameText<'a> {
    pub text: &'a str,
    /// Its start: line and column in the file.
    pub begins: (usize, usize),
}

impl<'a> GameText<'a> {
    /// A text that is a file of its own.
    pub fn alone(text: &'a str) -> GameText<'a> {
        GameText { text, begins: (1, 1) }
    }

    /// An error at a byte of the text.
    pub fn error(&self, at: usize, found: &str, expected: impl Into<String>) -> TextError {
        let before = &self.text[..at];
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.rsplit('\n').next().unwrap_or_default().chars().count();
        TextError::new(line, column, found, expected).within(self.begins.0, self.begins.1)
    }
}

/// A text in UTF-16 or UTF-8, or otherwise Latin 1, as older programs write it.
pub(super) fn decode(bytes: &[u8]) -> String {
    let utf_8 = || std::str::from_utf8(bytes).map_or_else(|_| latin_1(bytes), str::to_owned);
    let text = utf_16(bytes).unwrap_or_else(utf_8);
    match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

/// A text in Latin 1.
pub(super) fn latin_1(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// Appends a game's text in the encoding that the file has, after a line end and `between`.
///
/// # Errors
/// The file is in UTF-16, or in Latin 1, which lacks a letter.
pub(super) fn add_text(file: &mut Vec<u8>, game: &str, between: &str) -> Result<(), Error> {
    if utf_16(file).is_some() {
        bail!("its encoding is UTF-16; games are added to UTF-8 and Latin 1");
    }
    let is_latin_1 = !game.is_ascii() && std::str::from_utf8(file).is_err();
    let latin_1 = || game.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
    let encoded = if is_latin_1 { latin_1() } else { Some(game.as_bytes().to_vec()) };
    if !file.is_empty() {
        let end = if file.ends_with(b"\n") { "" } else { "\n" };
        file.extend([end, between].concat().bytes());
    }
    file.extend(encoded.ok_or("its encoding Latin 1 lacks a letter of the game")?);
    Ok(())
}

/// Expected text after the last move.
pub(super) const OVER: &str = "no more moves: the game is over";

/// Name of the side to move.
pub(super) fn seat(variant: Variant, position: &Position) -> &'static str {
    variant.seats()[position.side().index()]
}

/// Number of the move `later` plies after the record's position: a move of the first side and the reply share it.
pub(super) fn number(record: &Record, later: u32) -> u32 {
    let first = u32::from(record.start().side() == Side::North);
    1 + (record.ply() + later + first) / 2
}

/// The legal moves, as an expected text.
pub(super) fn moves_of(variant: Variant, position: &Position) -> String {
    let moves: Vec<String> = position.moves().into_iter().map(|mv| position.move_text(mv)).collect();
    if moves.is_empty() {
        return OVER.to_owned();
    }
    format!("a move of {}: {}", seat(variant, position), moves.join(", "))
}
