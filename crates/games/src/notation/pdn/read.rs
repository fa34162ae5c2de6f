//! Reads a game of a collection as a record: headers, then legal moves.

use super::super::collection::{Broken, GameText, OVER, moves_of, number, seat};
use super::super::given;
use super::super::headers::{DefaultGame, ReadFailure};
use super::super::marks::STRENGTHS;
use super::moves::{MainLine, MoveMatch, PlayedOn, find, join, why_not};
use super::start::begin;
use super::tokens::{Token, TokenAt, Tokens};
use super::{moves, words};
use crate::record::{NodeId, Record};
use crate::referee::Outcome;
use crate::{Move, Position, Side, TextError, Variant};

/// Number and side of an invalid move.
type At = (u32, &'static str);

/// Reads a game of a collection.
pub(super) fn read(place: GameText, game: usize, assumed: DefaultGame) -> Result<Record, Broken> {
    let listed = super::headers(place.text);
    let record = begin(place, &listed, assumed).map_err(|error| Broken::before_moves(game, error))?;
    // By the file: the header first, then what follows the moves.
    let header = Some(listed.header("Result")).filter(|text| !matches!(*text, "" | "*"));
    let header = header.map(|text| words::result(text).map_or_else(|| text.to_owned(), str::to_owned));
    let results: Vec<String> = header.into_iter().collect();
    read_moves(place, record, &results).map_err(|(stopped, at)| Broken {
        game,
        invalid_move: Some(at),
        error: stopped.error.into(),
        begun: stopped.begun,
    })
}

/// Reads and plays the moves of a game, whose headers give these results.
pub(super) fn read_moves(place: GameText, record: Record, results: &[String]) -> Result<Record, (ReadFailure, At)> {
    let mut reader = Reader::new(place, record);
    let played = reader.read();
    let at = (reader.number(), seat(reader.record.variant, reader.position()));
    match played {
        Ok(()) => Ok(reader.ended(results)),
        Err(error) => {
            reader.say_played_on();
            Err((ReadFailure { error, begun: Some(Box::new(reader.record)) }, at))
        }
    }
}

/// An open parenthesis.
struct Parenthesis {
    /// Its position.
    offset: usize,
    /// The position to return to when it closes.
    end: NodeId,
    /// The same for moves after a draw.
    left: Option<MainLine>,
}

struct Reader<'a> {
    place: GameText<'a>,
    record: Record,
    open: Vec<Parenthesis>,
    played_on: PlayedOn,
    /// First squares of a jump that continues with the next word, as in `11x18 18x25`.
    pending: Option<(usize, Vec<u16>)>,
    /// A variation has begun without a move yet: comments here belong to its first move.
    begins: bool,
    /// A number precedes the next move.
    numbered: bool,
    /// Comments not yet attached to a position.
    printed: Vec<String>,
    /// The results after the moves, in their normal form, except `*`.
    results: Vec<String>,
    /// Whether the game has ended, even with `*`.
    has_ended: bool,
    /// The result in words and its position, if no numeric result came before: no move may follow.
    in_words: Option<(usize, &'a str)>,
}

impl<'a> Reader<'a> {
    fn new(place: GameText<'a>, record: Record) -> Reader<'a> {
        Reader {
            place,
            record,
            open: Vec::new(),
            played_on: PlayedOn::default(),
            pending: None,
            begins: false,
            numbered: false,
            printed: Vec::new(),
            results: Vec::new(),
            has_ended: false,
            in_words: None,
        }
    }

    /// Reads and plays the moves.
    fn read(&mut self) -> Result<(), TextError> {
        let mut tokens = Tokens::new(self.place.text);
        loop {
            let next =
                tokens.next().map_err(|senseless| self.place.error(senseless.offset, "{", senseless.expected))?;
            let Some(TokenAt { offset: at, token }) = next else { break };
            self.word(at, token, &tokens)?;
        }
        self.say_here();
        if let Some((at, squares)) = &self.pending {
            return Err(self.place.error(*at, &join(squares), self.expected()));
        }
        match self.open.pop() {
            Some(Parenthesis { offset: at, .. }) => Err(self.place.error(at, "(", "a variation that ends with ')'")),
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
            Token::Result(text) if self.open.is_empty() => self.end(text),
            Token::Result(text) => self.tell(text),
            Token::Ended(text, result) => {
                if self.open.is_empty() {
                    self.in_words = self.in_words.or(Some((at, text)).filter(|_| !self.has_ended));
                    self.end(result);
                }
                self.tell(text);
            }
            // The discs of both sides.
            Token::Move(text) if self.is_lettered() && self.open.is_empty() => self.end(&text.replace(' ', "")),
            Token::Move(text) => self.squares(at, text, words::squares(text), rest)?,
            Token::Digits(text) => self.digits(at, text, rest)?,
            // Further words about the result.
            Token::Other(text) if self.has_ended => self.tell(text),
            Token::Other(text) if self.is_lettered() => self.letters(at, text)?,
            // Words before it that lack their braces.
            Token::Other(text) if is_words(text) && matches!(rest.behind(), Some(Token::Result(_))) => self.tell(text),
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

    /// Whether moves are squares by letter and number.
    fn is_lettered(&self) -> bool {
        matches!(self.record.variant, Variant::Othello(_))
    }

    /// Takes a result after the moves.
    fn end(&mut self, result: &str) {
        self.has_ended = true;
        if result != "*" {
            self.results.push(result.to_owned());
        }
    }

    /// The complete record, at the end of its main line, with the results of its headers and after its moves.
    fn ended(mut self, results: &[String]) -> Record {
        let results = [results, &self.results].concat();
        let played_on = self.played_on.position().filter(|position| position.is_over()).copied();
        self.say_played_on();
        self.record.to_start();
        while let Some(child) = self.record.main(self.record.at()) {
            self.record.go_to(child);
        }
        if !self.is_of_older_version(&results) {
            given::give(&mut self.record, &results);
        }
        // The record ends at an unclaimed draw before this position.
        if let (Some(position), Some(given)) = (played_on, results.first()) {
            let by_position = given::points(if position.margin(Side::South) > 0 { Side::South } else { Side::North });
            if given != by_position {
                let sources = [("given", Some(given.clone())), ("by the final position", Some(by_position.to_owned()))];
                let note = given::differ(&self.record, sources);
                self.record.notes.push(note);
            }
        }
        self.record
    }

    /// Whether an earlier version of this program wrote the game, with White's points first: its games have a seed.
    fn is_of_older_version(&mut self, results: &[String]) -> bool {
        let ending = self.record.ending_at(self.record.main_end()).filter(|ending| ending.outcome != Outcome::Drawn);
        let Some(ending) = ending.filter(|_| self.record.seed.is_some() && !self.is_lettered()) else { return false };
        let winner = if ending.outcome == Outcome::Won { Side::South } else { Side::North };
        let is_turned = !results.is_empty() && results.iter().all(|result| result == given::points(winner.other()));
        if is_turned {
            let [own, other] = [winner, winner.other()].map(given::points);
            self.record.notes.push(format!("an earlier version of this program wrote {other} for {own}"));
        }
        is_turned
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
        let end = self.record.at();
        let left = self.played_on.open();
        if left.is_none() && !self.record.back() {
            return refused();
        }
        self.open.push(Parenthesis { offset: at, end, left });
        (self.begins, self.numbered) = (true, false);
        Ok(())
    }

    fn end_variation(&mut self, at: usize) -> Result<(), TextError> {
        self.say_here();
        let Some(Parenthesis { end, left, .. }) = self.open.pop().filter(|_| self.pending.is_none()) else {
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
    fn digits(&mut self, at: usize, text: &str, rest: &Tokens) -> Result<(), TextError> {
        let behind = rest.behind();
        let is_due = text.parse() == Ok(self.number());
        // Short numbers may count from elsewhere.
        let is_before_a_move = text.len() < 3 && matches!(behind, Some(Token::Move(_)));
        if !self.numbered && (is_due || is_before_a_move) {
            self.numbered = true;
            return Ok(());
        }
        let position = *self.position();
        let parted = (1..text.len()).filter_map(|cut| Some([text[..cut].parse().ok()?, text[cut..].parse().ok()?]));
        let fits = |squares: &[u16; 2]| matches!(find(&position, squares), MoveMatch::Move(_) | MoveMatch::Begun);
        let mut fitting = parted.filter(fits);
        if let (Some(squares), None) = (fitting.next(), fitting.next()) {
            return self.squares(at, text, squares.to_vec(), rest);
        }
        // A blank does not separate squares.
        if let Some(Token::Digits(other)) = behind
            && let MoveMatch::Move(mv) = find(&position, &[words::squares(text), words::squares(other)].concat())
        {
            let expected = format!("{}, with a mark between the squares", position.move_text(mv));
            return Err(self.place.error(at, &format!("{text} {other}"), expected));
        }
        Err(self.place.error(at, text, self.expected()))
    }

    /// Plays the move over these squares, or waits for the rest of the jump.
    fn squares(&mut self, at: usize, text: &str, squares: Vec<u16>, rest: &Tokens) -> Result<(), TextError> {
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
            MoveMatch::Move(mv) => {
                self.play(&position, mv);
                Ok(())
            }
            MoveMatch::Begun => {
                self.pending = Some((at, squares));
                Ok(())
            }
            MoveMatch::Several(moves) => {
                let (mv, fits) = moves::choose(&position, &moves, rest);
                let names: Vec<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
                let why = if fits == 1 { "the next moves need it" } else { "the next moves fit several" };
                let error = self.place.error(at, text, "");
                self.record.notes.push(format!(
                    "line {}, column {}: {text} is ambiguous ({}); read as {}, since {why}",
                    error.line,
                    error.column,
                    names.join(", "),
                    position.move_text(mv)
                ));
                self.play(&position, mv);
                Ok(())
            }
            MoveMatch::None => Err(self.place.error(at, text, why_not(self.record.variant, &position, &squares))),
        }
    }

    /// Plays a legal move. The record rejects moves after a draw by rule, but the players may have continued.
    fn play(&mut self, position: &Position, mv: Move) {
        if self.played_on.has_begun() || !self.record.play(mv) {
            self.played_on.play(position, mv);
        }
        (self.begins, self.numbered) = (false, false);
    }

    /// Plays the moves of a word of squares by letter and number, which annotations may follow.
    fn letters(&mut self, at: usize, text: &str) -> Result<(), TextError> {
        self.say_here();
        let length = text.trim_end_matches(['!', '?']).len();
        let transcript = self.position().read_transcript(&text[..length]);
        let position = *self.position();
        transcript.moves.iter().fold(position, |position, &mv| {
            self.play(&position, mv);
            position.play(mv)
        });
        if let Some(error) = transcript.error {
            let column = error.column - 1;
            return Err(self.place.error(at + column, &error.found, error.expected));
        }
        if length < text.len() {
            self.tell(&text[length..]);
        }
        Ok(())
    }

    /// The legal moves, as an expected text.
    fn expected(&self) -> String {
        moves_of(self.record.variant, self.position())
    }
}

/// Whether a text has no digits, so that it is no misspelt move.
fn is_words(text: &str) -> bool {
    !text.contains(|c: char| c.is_ascii_digit()) && text.contains(char::is_alphabetic)
}

/// A numeric annotation glyph in its usual form, if it has one.
fn strength(number: u16) -> String {
    let known = STRENGTHS.iter().find(|(_, nag)| *nag == number);
    known.map_or_else(|| format!("${number}"), |(text, _)| (*text).to_owned())
}
