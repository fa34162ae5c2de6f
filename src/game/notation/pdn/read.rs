//! A game of a collection as a record: its headers, then its moves, which must be legal.

use super::scan::Listed;
use super::tokens::{self, Placed, Token, Tokens};
use super::write::{self, STRENGTHS};
use super::{AGREED, Broken, RULES};
use crate::game::notation::result_text;
use crate::game::record::{NodeId, Record};
use crate::game::referee::Why;
use crate::game::{Move, Place, Position, Side, TextError, Variant};

/// Headers that become something else of a record than a header; what else has these names in a file gets another.
const OURS: [&str; 4] = ["Game", "Start", "South", "North"];
const TAKEN: [&str; 8] = ["White", "Black", "Result", "GameType", "SetUp", "FEN", "Seed", RULES];

/// Reads the text of a game that was found.
pub(super) fn read(text: &str, listed: &Listed, game: usize, usual: Variant) -> Result<Record, Broken> {
    let place = Located { text, begins: listed.begins };
    let record = begin(listed, usual).map_err(|(header, expected)| {
        let (at, found) = place.of_header(header);
        Broken { game, at: None, error: place.error(at, found, expected), begun: None }
    })?;
    let mut reader = Reader { place, record, open: Vec::new(), pending: None, begins: false, said: Vec::new() };
    match reader.read() {
        Ok(result) => Ok(reader.ended(listed, result)),
        Err(error) => {
            let at = Some((number(&reader.record), side(&reader.record)));
            Err(Broken { game, at, error, begun: Some(Box::new(reader.record)) })
        }
    }
}

/// What the headers make of a game before its first move.
///
/// # Errors
/// The header that makes no sense, and what was expected there.
fn begin(listed: &Listed, usual: Variant) -> Result<Record, (&'static str, String)> {
    let variant = variant(listed, usual)?;
    let start = match listed.header("FEN") {
        "" => variant.start(),
        text => variant.position_from_text(text).map_err(|error| ("FEN", error.expected))?,
    };
    let players = variant.seats().map(|seat| listed.told(seat).unwrap_or("?").to_owned());
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

/// Which game the headers say it is.
fn variant(listed: &Listed, usual: Variant) -> Result<Variant, (&'static str, String)> {
    let rules = listed.header(RULES).parse::<Variant>().ok().filter(|variant| variant.game_type().is_some());
    if let Some(variant) = rules {
        return Ok(variant);
    }
    // Moves alone are those of the game on the board, by its rules; a file that says nothing of rules means the usual ones.
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

/// The types of games that are known here.
fn types() -> String {
    let known = Variant::usual().into_iter().filter_map(|variant| Some((variant.game_type()?, variant.title())));
    let known: Vec<String> = known.map(|(number, title)| format!("{number} ({title})")).collect();
    format!("a type of game that is known here: {}", known.join(", "))
}

/// A game's text in its file.
#[derive(Clone, Copy)]
struct Located<'a> {
    text: &'a str,
    /// Line and column of the file.
    begins: (usize, usize),
}

impl Located<'_> {
    fn error(&self, at: usize, found: &str, expected: impl Into<String>) -> TextError {
        let before = &self.text[..at];
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.rsplit('\n').next().unwrap_or_default().chars().count();
        TextError::new(line, column, found, expected).within(self.begins.0, self.begins.1)
    }

    /// Where a header stands, and what it says.
    fn of_header(&self, name: &str) -> (usize, &str) {
        let mut tokens = Tokens::new(self.text);
        while let Ok(Some(Placed { at, token })) = tokens.next() {
            if matches!(token, Token::Header(of, _) if of == name) {
                return (at, self.text[at..].lines().next().unwrap_or_default().trim_end());
            }
        }
        (0, "")
    }
}

/// The number of the move that comes next: one of the first side and one of the other have the same.
pub(super) fn number(record: &Record) -> u32 {
    let first = u32::from(record.start().side() == Side::North);
    1 + (record.ply() + first) / 2
}

fn side(record: &Record) -> &'static str {
    record.variant.seats()[record.position().side().index()]
}

struct Reader<'a> {
    place: Located<'a>,
    record: Record,
    /// Where to go on after each open parenthesis, and where that stands.
    open: Vec<(NodeId, usize)>,
    /// The squares of a jump that goes on with the next word, as in `11x18 18x25`.
    pending: Option<(usize, Vec<u16>)>,
    /// A variation has begun and its first move is still to come: what is said there is said of that move.
    begins: bool,
    /// What was said and belongs to nothing yet.
    said: Vec<String>,
}

impl Reader<'_> {
    /// Plays the moves; gives the result that stands behind them.
    fn read(&mut self) -> Result<Option<&'static str>, TextError> {
        let (mut tokens, mut result) = (Tokens::new(self.place.text), None);
        loop {
            let next = tokens.next().map_err(|senseless| self.place.error(senseless.at, "{", senseless.expected))?;
            let Some(Placed { at, token }) = next else { break };
            match token {
                Token::Header(..) | Token::Number => {}
                Token::Comment(text) => self.said.push(text.to_owned()),
                Token::Strength(text) => self.said.push(text.to_owned()),
                Token::Nag(number) => self.said.push(strength(number)),
                Token::Open => self.begin_variation(at)?,
                Token::Close => self.end_variation(at)?,
                Token::Result(text) if self.open.is_empty() => result = Some(text),
                Token::Result(text) => self.said.push(text.to_owned()),
                Token::Move(text) => self.squares(at, text, tokens::squares(text))?,
                Token::Digits(text) => self.digits(at, text)?,
                // In words how it ended.
                Token::Other(text) if result.is_some() => self.said.push(text.to_owned()),
                Token::Other(text) => return Err(self.place.error(at, text, self.expected())),
            }
            if !self.begins && self.pending.is_none() {
                self.say();
            }
        }
        if let Some((at, squares)) = &self.pending {
            return Err(self.place.error(*at, &join(squares), self.expected()));
        }
        match self.open.pop() {
            Some((_, at)) => Err(self.place.error(at, "(", "a variation that ends with ')'")),
            None => Ok(result),
        }
    }

    /// The whole record, to stand at the end of its main line, with the result that the file gives if the moves do not.
    fn ended(mut self, listed: &Listed, at_the_end: Option<&'static str>) -> Record {
        self.record.to_start();
        while let Some(child) = self.record.main(self.record.at()) {
            self.record.go_to(child);
        }
        let told = match listed.header("Result") {
            "" | "*" => at_the_end.filter(|text| *text != "*").map(str::to_owned),
            text => Some(tokens::result(text).map_or_else(|| text.to_owned(), str::to_owned)),
        };
        if let Some(told) = told.filter(|told| *told != result_text(&self.record)) {
            self.record.headers.retain(|(name, _)| name != AGREED);
            self.record.headers.push((AGREED.to_owned(), told));
        }
        self.record
    }

    /// Adds what was said to the comment on the current position.
    fn say(&mut self) {
        if !self.said.is_empty() {
            let at = self.record.at();
            let text = self.record.comment(at).to_owned();
            let all = std::iter::once(text).chain(self.said.drain(..)).collect::<Vec<_>>().join(" ");
            self.record.set_comment(at, &all);
        }
    }

    fn begin_variation(&mut self, at: usize) -> Result<(), TextError> {
        let end = self.record.at();
        if self.pending.is_some() || !self.record.back() {
            return Err(self.place.error(at, "(", "a move before its variation"));
        }
        self.open.push((end, at));
        self.begins = true;
        Ok(())
    }

    fn end_variation(&mut self, at: usize) -> Result<(), TextError> {
        let Some((end, _)) = self.open.pop().filter(|_| self.pending.is_none()) else {
            return Err(self.place.error(at, ")", self.expected()));
        };
        self.begins = false;
        self.record.go_to(end);
        Ok(())
    }

    /// Digits without a mark between them: wherever they can be parted into two squares of a legal move.
    fn digits(&mut self, at: usize, text: &str) -> Result<(), TextError> {
        let parted = (1..text.len()).filter_map(|cut| Some([text[..cut].parse().ok()?, text[cut..].parse().ok()?]));
        let position = *self.record.position();
        let fits = |squares: &[u16; 2]| matches!(find(&position, squares), Found::Move(_) | Found::Begun);
        let mut fitting = parted.filter(fits);
        match (fitting.next(), fitting.next()) {
            (Some(squares), None) => self.squares(at, text, squares.to_vec()),
            // As many digits as a move's number may have.
            (None, _) if text.len() == 3 => Ok(()),
            _ => Err(self.place.error(at, text, self.expected())),
        }
    }

    /// Plays the move over these squares, or waits for the rest of it.
    fn squares(&mut self, at: usize, text: &str, squares: Vec<u16>) -> Result<(), TextError> {
        let (at, squares) = match self.pending.take() {
            Some((begun, before)) if before.last() == squares.first() => (begun, [&before[..], &squares[1..]].concat()),
            Some((begun, before)) => return Err(self.place.error(begun, &join(&before), self.expected())),
            None => (at, squares),
        };
        if let Some(ending) = self.record.ending() {
            return match ending.why {
                Why::NoMoves => Err(self.place.error(at, text, "nothing more: the game is over")),
                // People may go on where nobody claims the draw.
                Why::Rule(_) | Why::Plies(_) => {
                    self.said.push(text.to_owned());
                    Ok(())
                }
            };
        }
        match find(self.record.position(), &squares) {
            Found::Move(mv) => {
                self.record.play(mv);
                self.begins = false;
                Ok(())
            }
            Found::Begun => {
                self.pending = Some((at, squares));
                Ok(())
            }
            Found::Several(names) => {
                let expected = format!("squares that name one move: {}", names.join(", "));
                Err(self.place.error(at, text, expected))
            }
            Found::None => Err(self.place.error(at, text, why_not(&self.record, &squares))),
        }
    }

    /// What can be played.
    fn expected(&self) -> String {
        moves_of(&self.record)
    }
}

/// What squares come to in a position.
enum Found {
    Move(Move),
    /// Jumps begin like this that go on.
    Begun,
    /// Several jumps are meant by these; their names.
    Several(Vec<String>),
    None,
}

/// The move over these squares: all that it lands on, or as many as it takes to tell it from others, the first and the last among
/// them.
fn find(position: &Position, squares: &[u16]) -> Found {
    let ways: Vec<(Move, Vec<u16>)> = position.moves().into_iter().map(|mv| (mv, way(position, mv))).collect();
    if let Some((mv, _)) = ways.iter().find(|(_, way)| way[..] == *squares) {
        return Found::Move(*mv);
    }
    let is_meant = |way: &[u16]| way.first() == squares.first() && way.last() == squares.last() && holds(way, squares);
    let meant: Vec<Move> =
        ways.iter().filter(|(_, way)| squares.len() > 1 && is_meant(way)).map(|(mv, _)| *mv).collect();
    match meant[..] {
        [mv] => Found::Move(mv),
        [] if squares.len() > 1 && ways.iter().any(|(_, way)| way.starts_with(squares)) => Found::Begun,
        [] => Found::None,
        _ => Found::Several(meant.iter().map(|&mv| join(&way(position, mv))).collect()),
    }
}

/// Whether all of `some` stand in `all`, in this order.
fn holds(all: &[u16], some: &[u16]) -> bool {
    let mut all = all.iter();
    some.iter().all(|one| all.any(|other| other == one))
}

/// The numbers of the squares that a move names.
fn way(position: &Position, mv: Move) -> Vec<u16> {
    let board = position.board();
    let number = |place: Place| board.name(place).parse().unwrap_or(0);
    position.places(mv).into_iter().map(number).collect()
}

fn join(squares: &[u16]) -> String {
    squares.iter().map(u16::to_string).collect::<Vec<_>>().join("x")
}

/// What was expected in the place of a move that is none: the moves of the same piece, if it has any, and else all; and what is wrong.
fn why_not(record: &Record, squares: &[u16]) -> String {
    let position = record.position();
    let board = position.board();
    let crate::game::Board::Squares(pieces) = &board else { return moves_of(record) };
    let place = |number: u16| board.places().into_iter().find(|&place| board.name(place) == number.to_string());
    let names: Vec<String> = pieces.played_on().map(|square| pieces.name(square)).collect();
    if let Some(number) = squares.iter().find(|&&number| place(number).is_none()) {
        return format!("a square from 1 to {}, which {number} is not", names.len());
    }
    let from = squares[0];
    let Some(Place::Square(square)) = place(from) else { return moves_of(record) };
    let mover = position.side();
    let here: Vec<String> = position
        .moves()
        .into_iter()
        .filter(|&mv| way(position, mv).first() == Some(&from))
        .map(|mv| position.move_text(mv))
        .collect();
    let what = match pieces.get(square) {
        None => format!("{from} is empty"),
        Some(piece) if piece.side != mover => format!("{} is to move, not the piece on {from}", side(record)),
        Some(_) if here.is_empty() => format!("the piece on {from} cannot move"),
        Some(_) => return format!("a move from {from}: {}", here.join(", ")),
    };
    format!("{}; {what}", moves_of(record))
}

fn moves_of(record: &Record) -> String {
    let position = record.position();
    let moves: Vec<String> = position.moves().into_iter().map(|mv| position.move_text(mv)).collect();
    if moves.is_empty() {
        return "nothing more: the game is over".to_owned();
    }
    format!("a move of {}: {}", side(record), moves.join(", "))
}

/// A numeric annotation glyph as people write it, where there is such a form.
fn strength(number: u16) -> String {
    let known = STRENGTHS.iter().find(|(_, nag)| *nag == number);
    known.map_or_else(|| format!("${number}"), |(text, _)| (*text).to_owned())
}
