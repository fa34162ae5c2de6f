//! Reads a game of a collection as a record: headers, then legal moves.

use super::super::collection::{Broken, GameHeaders, Located, OVER, moves_of, number, seat};
use super::super::{AGREED, result_text};
use super::RULES;
use super::moves::{Found, find, join, why_not};
use super::played_on::{Left, PlayedOn};
use super::scan;
use super::tokens::{Placed, Token, Tokens};
use super::words;
use super::write::{self, STRENGTHS};
use crate::record::{NodeId, Record};
use crate::{Position, TextError, Variant};

/// Header names with another meaning in game files: headers of a PDN file with these names get the prefix `Pdn`.
const OURS: [&str; 4] = ["Game", "Start", "South", "North"];
/// Headers that become other parts of a record.
const TAKEN: [&str; 8] = ["White", "Black", "Result", "GameType", "SetUp", "FEN", "Seed", RULES];

/// Why and where a game could not be read further.
pub(super) struct Stopped {
    pub error: TextError,
    /// Number and side of the invalid move.
    at: Option<(u32, &'static str)>,
    /// The record before it.
    begun: Option<Box<Record>>,
}

/// Reads a game of a collection.
pub(super) fn read(place: Located, game: usize, usual: Variant) -> Result<Record, Broken> {
    read_game(place, usual).map_err(|Stopped { error, at, begun }| Broken { game, at, error: error.into(), begun })
}

/// Reads a game.
pub(super) fn read_game(place: Located, usual: Variant) -> Result<Record, Stopped> {
    let listed = scan::headers(place.text);
    let record = begin(&listed, usual).map_err(|(header, expected)| {
        let (at, found) = header_at(place.text, header);
        Stopped { error: place.error(at, found, expected), at: None, begun: None }
    })?;
    let mut reader = Reader::new(place, record);
    match reader.read() {
        Ok(()) => {
            reader.say_played_on();
            Ok(reader.ended(&listed))
        }
        Err(error) => {
            let at = Some((reader.number(), seat(reader.record.variant, reader.position())));
            reader.say_played_on();
            Err(Stopped { error, at, begun: Some(Box::new(reader.record)) })
        }
    }
}

/// The record before its first move, from the headers.
///
/// # Errors
/// The invalid header, and what was expected there.
fn begin(listed: &GameHeaders, usual: Variant) -> Result<Record, (&'static str, String)> {
    let variant = variant(listed, usual)?;
    let start = match listed.header("FEN") {
        "" => variant.start(),
        text => variant.position_from_text(text).map_err(|error| ("FEN", error.expected))?,
    };
    let players = variant.seats().map(|seat| listed.verbatim(seat).unwrap_or("?").to_owned());
    let seed = listed.header("Seed").parse().ok();
    let mut record = Record::from_position(variant, start, players, seed);
    for (name, value) in &listed.headers {
        if OURS.contains(&name.as_str()) {
            record.headers.push((format!("Pdn{name}"), value.clone()));
        } else if !TAKEN.contains(&name.as_str()) && !write::is_unknown(name, value) {
            record.headers.push((name.clone(), value.clone()));
        }
    }
    Ok(record)
}

/// The variant, from the headers.
fn variant(listed: &GameHeaders, usual: Variant) -> Result<Variant, (&'static str, String)> {
    let rules = listed.header(RULES).parse::<Variant>().ok().filter(|variant| variant.game_type().is_some());
    if let Some(variant) = rules {
        return Ok(variant);
    }
    // Moves without headers use the rules of the game on the board; a file without rules uses the default ones.
    let usual = Some(usual).filter(|_| listed.headers.is_empty());
    let known = || usual.into_iter().chain(Variant::usual());
    let text = listed.header("GameType");
    let number = text.split(',').next().unwrap_or_default().trim();
    let wanted = match number {
        "" => None,
        number => Some(number.parse::<u16>().map_err(|_| ("GameType", types()))?),
    };
    let fits = |variant: &Variant| variant.game_type().is_some_and(|of| wanted.is_none_or(|wanted| wanted == of));
    known().find(fits).ok_or_else(|| ("GameType", types()))
}

/// The supported game types, as an expected text.
fn types() -> String {
    let known = Variant::usual().into_iter().filter_map(|variant| Some((variant.game_type()?, variant.title())));
    let known: Vec<String> = known.map(|(number, title)| format!("{number} ({title})")).collect();
    format!("a supported game type: {}", known.join(", "))
}

/// Position and text of a header.
fn header_at<'a>(text: &'a str, name: &str) -> (usize, &'a str) {
    let mut tokens = Tokens::new(text);
    while let Ok(Some(Placed { at, token })) = tokens.next() {
        if matches!(token, Token::Header(of, _) if of == name) {
            return (at, text[at..].lines().next().unwrap_or_default().trim_end());
        }
    }
    (0, "")
}

/// An open parenthesis.
struct Opened {
    /// Its position.
    at: usize,
    /// The position to return to when it closes.
    end: NodeId,
    /// The same for moves after a draw.
    left: Option<Left>,
}

struct Reader<'a> {
    place: Located<'a>,
    record: Record,
    open: Vec<Opened>,
    played_on: PlayedOn,
    /// First squares of a jump that continues with the next word, as in `11x18 18x25`.
    pending: Option<(usize, Vec<u16>)>,
    /// A variation has begun without a move yet: comments here belong to its first move.
    begins: bool,
    /// A number precedes the next move.
    numbered: bool,
    /// Comments not yet attached to a position.
    printed: Vec<String>,
    /// The result after the moves.
    result: Option<&'static str>,
    /// The result in words and its position, if no numeric result came before: no move may follow.
    in_words: Option<(usize, &'a str)>,
}

impl<'a> Reader<'a> {
    fn new(place: Located<'a>, record: Record) -> Reader<'a> {
        Reader {
            place,
            record,
            open: Vec::new(),
            played_on: PlayedOn::default(),
            pending: None,
            begins: false,
            numbered: false,
            printed: Vec::new(),
            result: None,
            in_words: None,
        }
    }

    /// Reads and plays the moves.
    fn read(&mut self) -> Result<(), TextError> {
        let mut tokens = Tokens::new(self.place.text);
        loop {
            let next = tokens.next().map_err(|senseless| self.place.error(senseless.at, "{", senseless.expected))?;
            let Some(Placed { at, token }) = next else { break };
            self.word(at, token, &tokens)?;
        }
        self.say_here();
        if let Some((at, squares)) = &self.pending {
            return Err(self.place.error(*at, &join(squares), self.expected()));
        }
        match self.open.pop() {
            Some(Opened { at, .. }) => Err(self.place.error(at, "(", "a variation that ends with ')'")),
            None => Ok(()),
        }
    }

    /// Processes one word.
    fn word(&mut self, at: usize, token: Token<'a>, rest: &Tokens) -> Result<(), TextError> {
        if let (Token::Move(_) | Token::Digits(_), Some((at, text)), []) = (&token, self.in_words, &self.open[..]) {
            return Err(self.place.error(at, text, self.expected()));
        }
        match token {
            Token::Header(..) => {}
            Token::Number => self.numbered = true,
            Token::Comment(text) | Token::Strength(text) => self.tell(text),
            Token::Nag(number) => self.tell(&strength(number)),
            Token::Open => self.begin_variation(at)?,
            Token::Close => self.end_variation(at)?,
            Token::Result(text) if self.open.is_empty() => self.result = Some(text),
            Token::Result(text) => self.tell(text),
            Token::Ended(text, result) => {
                if self.open.is_empty() && self.result.is_none() {
                    (self.result, self.in_words) = (Some(result), Some((at, text)));
                }
                self.tell(text);
            }
            Token::Move(text) => self.squares(at, text, words::squares(text))?,
            Token::Digits(text) => self.digits(at, text, rest.behind())?,
            // Further words about the result.
            Token::Other(text) if self.result.is_some() => self.tell(text),
            Token::Other(text) => return Err(self.place.error(at, text, self.expected())),
        }
        Ok(())
    }

    /// The position in which the next move is played.
    fn position(&self) -> &Position {
        self.played_on.position().unwrap_or(self.record.position())
    }

    /// Number of the next move: a move of the first side and the reply share it.
    fn number(&self) -> u32 {
        number(&self.record, self.played_on.plies())
    }

    /// The complete record, at the end of its main line, with the file's result if it differs from that of the moves.
    fn ended(mut self, listed: &GameHeaders) -> Record {
        self.record.to_start();
        while let Some(child) = self.record.main(self.record.at()) {
            self.record.go_to(child);
        }
        let output = match listed.header("Result") {
            "" | "*" => self.result.filter(|text| *text != "*").map(str::to_owned),
            text => Some(words::result(text).map_or_else(|| text.to_owned(), str::to_owned)),
        };
        if let Some(output) = output.filter(|output| *output != result_text(&self.record)) {
            self.record.set_header(AGREED, Some(output));
        }
        self.record
    }

    /// Collects a comment.
    fn tell(&mut self, text: &str) {
        if self.played_on.has_begun() {
            self.played_on.tell(text);
        } else {
            self.printed.push(text.to_owned());
        }
    }

    /// Appends collected comments to the current position before it changes, unless they belong to the next move. Once
    /// per position, because each call copies the whole comment.
    fn say_here(&mut self) {
        if !self.begins && self.pending.is_none() {
            self.say();
        }
    }

    /// Appends collected comments to the current position.
    fn say(&mut self) {
        if !self.printed.is_empty() {
            let at = self.record.at();
            let text = self.record.comment(at).to_owned();
            let all = std::iter::once(text).chain(self.printed.drain(..)).collect::<Vec<_>>().join(" ");
            self.record.set_comment(at, &all);
        }
    }

    /// Appends the moves after a draw to the comment on the record's last position.
    fn say_played_on(&mut self) {
        if let Some(text) = self.played_on.end() {
            self.printed.push(text);
            self.say();
        }
    }

    fn begin_variation(&mut self, at: usize) -> Result<(), TextError> {
        self.say_here();
        let refused = || Err(self.place.error(at, "(", "a move before the variation"));
        if self.pending.is_some() || self.begins {
            return refused();
        }
        let (end, left) = (self.record.at(), self.played_on.open());
        if left.is_none() && !self.record.back() {
            return refused();
        }
        self.open.push(Opened { at, end, left });
        (self.begins, self.numbered) = (true, false);
        Ok(())
    }

    fn end_variation(&mut self, at: usize) -> Result<(), TextError> {
        self.say_here();
        let Some(Opened { end, left, .. }) = self.open.pop().filter(|_| self.pending.is_none()) else {
            return Err(self.place.error(at, ")", self.expected()));
        };
        (self.begins, self.numbered) = (false, false);
        match left {
            Some(left) => self.played_on.close(left),
            None => {
                self.say_played_on();
                self.record.go_to(end);
            }
        }
        Ok(())
    }

    /// Reads digits. By the standard these are neither a move, which has a mark between its squares, nor a number,
    /// which has a dot. In files they are both: the expected number, or otherwise a move if they split into the squares
    /// of exactly one legal move.
    fn digits(&mut self, at: usize, text: &str, behind: Option<Token>) -> Result<(), TextError> {
        let is_due = text.parse() == Ok(self.number());
        // Short numbers may count from elsewhere.
        let is_before_a_move = text.len() < 3 && matches!(behind, Some(Token::Move(_)));
        if !self.numbered && (is_due || is_before_a_move) {
            self.numbered = true;
            return Ok(());
        }
        let position = *self.position();
        let parted = (1..text.len()).filter_map(|cut| Some([text[..cut].parse().ok()?, text[cut..].parse().ok()?]));
        let fits = |squares: &[u16; 2]| matches!(find(&position, squares), Found::Move(_) | Found::Begun);
        let mut fitting = parted.filter(fits);
        if let (Some(squares), None) = (fitting.next(), fitting.next()) {
            return self.squares(at, text, squares.to_vec());
        }
        // A blank does not separate squares.
        if let Some(Token::Digits(other)) = behind
            && let Found::Move(mv) = find(&position, &[words::squares(text), words::squares(other)].concat())
        {
            let expected = format!("{}, with a mark between the squares", position.move_text(mv));
            return Err(self.place.error(at, &format!("{text} {other}"), expected));
        }
        Err(self.place.error(at, text, self.expected()))
    }

    /// Plays the move over these squares, or waits for the rest of the jump.
    fn squares(&mut self, at: usize, text: &str, squares: Vec<u16>) -> Result<(), TextError> {
        self.say_here();
        let (at, squares) = match self.pending.take() {
            Some((begun, before)) if before.last() == squares.first() => (begun, [&before[..], &squares[1..]].concat()),
            Some((begun, before)) => return Err(self.place.error(begun, &join(&before), self.expected())),
            None => (at, squares),
        };
        let position = *self.position();
        if position.is_over() {
            return Err(self.place.error(at, text, OVER));
        }
        match find(&position, &squares) {
            Found::Move(mv) => {
                // The record rejects moves after a draw by rule, but the players may have continued.
                if self.played_on.has_begun() || !self.record.play(mv) {
                    self.played_on.play(&position, mv);
                }
                (self.begins, self.numbered) = (false, false);
                Ok(())
            }
            Found::Begun => {
                self.pending = Some((at, squares));
                Ok(())
            }
            Found::Several(names) => {
                let expected = format!("an unambiguous move: {}", names.join(", "));
                Err(self.place.error(at, text, expected))
            }
            Found::None => Err(self.place.error(at, text, why_not(self.record.variant, &position, &squares))),
        }
    }

    /// The legal moves, as an expected text.
    fn expected(&self) -> String {
        moves_of(self.record.variant, self.position())
    }
}

/// A numeric annotation glyph in its usual form, if it has one.
fn strength(number: u16) -> String {
    let known = STRENGTHS.iter().find(|(_, nag)| *nag == number);
    known.map_or_else(|| format!("${number}"), |(text, _)| (*text).to_owned())
}
