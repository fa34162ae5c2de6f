//! Reads text as a record, by a scanner with positions, headers, then legal moves; and writes it.

use super::headers::{ReadFailure, is_remark, result_text};
use super::marks::is_strength;
use super::pdn;
use super::words::{value, wrap};
use crate::record::{NodeId, Record};
use crate::{Move, Notation as _, Position, Side, TextError, Variant};

/// Reads a record and goes to the end of its main line. Comments are kept.
///
/// # Errors
/// The line and column, the text found there and what was expected.
pub fn read(text: &str) -> Result<Record, TextError> {
    read_begun(text).map_err(|stopped| stopped.error)
}

/// The same, with the part before the error.
///
/// # Errors
/// Those of [`read`].
pub(super) fn read_begun(text: &str) -> Result<Record, ReadFailure> {
    let mut scanner = Scanner::new(text);
    let headers = read_headers(&mut scanner)?;
    let record = headers.to_record(&scanner)?;
    let record = read_moves(&mut scanner, record)?;
    match headers.check_result(&record) {
        Ok(()) => Ok(record),
        Err(error) => Err(ReadFailure { error, begun: Some(Box::new(record)) }),
    }
}

/// Reads moves without headers after the start of a record. Commas are skipped, and moves may be adjacent.
///
/// # Errors
/// The line and column, the text found there and what was expected.
pub(super) fn read_moves_alone(text: &str, record: Record) -> Result<Record, ReadFailure> {
    let mut scanner = Scanner { alone: true, ..Scanner::new(text) };
    read_moves(&mut scanner, record)
}

/// Characters with their positions. Columns count characters from 1.
struct Scanner<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    line: usize,
    column: usize,
    /// The moves have no headers; commas or nothing may separate them.
    alone: bool,
    /// Comments not yet attached to a position.
    comments: Vec<String>,
}

/// A word with its position.
#[derive(Clone, Debug)]
struct Word {
    text: String,
    line: usize,
    column: usize,
}

impl Word {
    fn error(&self, expected: impl Into<String>) -> TextError {
        TextError::new(self.line, self.column, self.text.clone(), expected)
    }
}

impl<'a> Scanner<'a> {
    fn new(text: &'a str) -> Scanner<'a> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Scanner { rest: text.chars().peekable(), line: 1, column: 1, alone: false, comments: Vec::new() }
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(c)
    }

    fn here(&mut self, expected: impl Into<String>) -> TextError {
        let found = self.rest.peek().map(|&c| if c == '\n' { "end of line".into() } else { c.to_string() });
        TextError::new(self.line, self.column, found.unwrap_or_default(), expected)
    }

    /// Skips white space and collects comments.
    fn skip(&mut self) -> Result<(), TextError> {
        while let Some(&c) = self.rest.peek() {
            match c {
                ';' => {
                    self.next();
                    let comment = self.take_while(|c| c != '\n');
                    self.comments.push(comment.text);
                }
                '{' => {
                    let open = TextError::new(self.line, self.column, "{", "a comment that ends with '}'");
                    self.next();
                    let comment = self.take_while(|c| c != '}');
                    self.next().ok_or(open)?;
                    self.comments.push(comment.text);
                }
                c if c.is_whitespace() || (self.alone && c == ',') => {
                    self.next();
                }
                _ => break,
            }
        }
        Ok(())
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> Word {
        let mut word = Word { text: String::new(), line: self.line, column: self.column };
        while let Some(&c) = self.rest.peek().filter(|&&c| wanted(c)) {
            word.text.push(c);
            self.next();
        }
        word
    }

    /// Reads a header value up to its closing quote or the line end; `\"` and `\\` are a quote and a backslash.
    fn take_value(&mut self) -> Word {
        let mut value = Word { text: String::new(), line: self.line, column: self.column };
        while let Some(c) = self.rest.next_if(|&c| c != '"' && c != '\n') {
            self.column += 1;
            let escaped = if c == '\\' { self.rest.next_if(|&c| c == '"' || c == '\\') } else { None };
            self.column += usize::from(escaped.is_some());
            value.text.push(escaped.unwrap_or(c));
        }
        value
    }

    fn expect(&mut self, wanted: char, expected: &str) -> Result<(), TextError> {
        if self.rest.peek() != Some(&wanted) {
            return Err(self.here(expected));
        }
        self.next();
        Ok(())
    }
}

#[derive(Default)]
struct Headers {
    game: Option<Word>,
    /// Player names by seat, under any name of the seat.
    players: [Option<Word>; 2],
    seed: Option<Word>,
    start: Option<Word>,
    result: Option<Word>,
    /// `[SetUp "1"]`: a start position is required.
    setup: Option<Word>,
    others: Vec<(String, String)>,
}

fn read_headers(scanner: &mut Scanner) -> Result<Headers, TextError> {
    let mut headers = Headers::default();
    loop {
        scanner.skip()?;
        if scanner.rest.peek() != Some(&'[') {
            return Ok(headers);
        }
        scanner.next();
        let name = scanner.take_while(|c| c.is_alphanumeric() || c == '_');
        scanner.skip()?;
        scanner.expect('"', "a value in quotes, as in [Game \"kalah:6x4:standard\"]")?;
        let value = scanner.take_value();
        scanner.expect('"', "a closing quote")?;
        scanner.skip()?;
        scanner.expect(']', "']' to end the header")?;
        let place = match name.text.to_ascii_lowercase().as_str() {
            "game" => &mut headers.game,
            "seed" => &mut headers.seed,
            "start" | "position" | "fen" => &mut headers.start,
            "result" => &mut headers.result,
            "setup" if value.text.trim() == "1" => &mut headers.setup,
            _ => match seat(&name.text) {
                Some(side) => &mut headers.players[side.index()],
                None => {
                    headers.others.push((name.text, value.text));
                    continue;
                }
            },
        };
        if place.is_some() {
            return Err(name.error("each header only once"));
        }
        *place = Some(value);
    }
}

/// Returns the names of headers in a record that are unknown: a misspelt one changes the game when it is ignored.
pub fn unknown_headers(record: &Record) -> Vec<&str> {
    let names = record.headers.iter().map(|(name, _)| name.as_str());
    names.filter(|name| !is_remark(name) && !["Pdn", "Ggf"].iter().any(|format| name.starts_with(format))).collect()
}

/// The seat with this name in any game.
fn seat(name: &str) -> Option<Side> {
    let names = Variant::usual().into_iter().map(|variant| variant.seats()).chain([["South", "North"]]);
    names
        .into_iter()
        .find_map(|seats| Side::BOTH.into_iter().find(|side| seats[side.index()].eq_ignore_ascii_case(name)))
}

impl Headers {
    fn to_record(&self, scanner: &Scanner) -> Result<Record, TextError> {
        let Some(game) = &self.game else {
            let expected = "a header [Game \"…\"] first, such as [Game \"kalah:6x4:standard\"]";
            let found = scanner.rest.clone().peek().map(char::to_string).unwrap_or_default();
            return Err(TextError::new(scanner.line, scanner.column, found, expected));
        };
        let variant: Variant = game.text.parse().map_err(|reason| game.error(format!("a game; {reason}")))?;
        let start = match &self.start {
            None => match &self.setup {
                Some(word) => return Err(word.error("a header [Start \"…\"] with the position that SetUp announces")),
                None => variant.start(),
            },
            Some(word) => variant.position_from_text(&word.text).map_err(|e| e.within(word.line, word.column))?,
        };
        let seed = match &self.seed {
            None => None,
            Some(word) => Some(word.text.parse().map_err(|_| word.error("a whole number from 0 to 2^64 - 1"))?),
        };
        let players = self.players.clone().map(|name| name.map_or("?".to_owned(), |word| word.text));
        let mut record = Record::from_position(variant, start, players, seed);
        record.headers.clone_from(&self.others);
        record.notes = self.start.iter().flat_map(|word| variant.corrections(&word.text)).collect();
        Ok(record)
    }

    fn check_result(&self, record: &Record) -> Result<(), TextError> {
        let result = result_text(record);
        // Earlier versions wrote White's points first in checkers.
        let has_points = record.variant.game_type().is_some();
        let is_turned = |text: &str| has_points && matches!((text, &*result), ("1-0", "0-1") | ("0-1", "1-0"));
        match &self.result {
            Some(word) if word.text != result && word.text != "*" && !is_turned(&word.text) => {
                Err(word.error(format!("'{result}', the result of the moves")))
            }
            _ => Ok(()),
        }
    }
}

/// Plays the moves of a text and goes to the end of the main line.
fn read_moves(scanner: &mut Scanner, mut record: Record) -> Result<Record, ReadFailure> {
    let played = play_moves(scanner, &mut record);
    record.to_start();
    while let Some(child) = record.main(record.at()) {
        record.go_to(child);
    }
    match played {
        Ok(()) => Ok(record),
        Err(error) => Err(ReadFailure { error, begun: Some(Box::new(record)) }),
    }
}

fn play_moves(scanner: &mut Scanner, record: &mut Record) -> Result<(), TextError> {
    // End of the line and position of each open parenthesis.
    let mut open: Vec<(NodeId, Word)> = Vec::new();
    // A variation has begun without a move yet: comments here belong to its first move.
    let mut begins = false;
    loop {
        scanner.skip()?;
        if !begins && !scanner.comments.is_empty() {
            add_comments(&mut scanner.comments, record);
        }
        let Some(&c) = scanner.rest.peek() else { break };
        match c {
            '(' => {
                let word = Word { text: "(".into(), line: scanner.line, column: scanner.column };
                scanner.next();
                let end = record.at();
                if !record.back() {
                    return Err(word.error("a move before the variation"));
                }
                open.push((end, word));
                begins = true;
            }
            ')' => {
                let Some((end, _)) = open.pop() else { return Err(scanner.here("a move")) };
                scanner.next();
                begins = false;
                record.go_to(end);
            }
            _ => {
                let marks = if scanner.alone { "(){};[]," } else { "(){};[]" };
                let word = scanner.take_while(|c| !c.is_whitespace() && !marks.contains(c));
                if word.text.is_empty() {
                    return Err(scanner.here("a move"));
                }
                let played = if scanner.alone { read_words(&word, record)? } else { read_word(&word, record)? };
                begins &= !played;
            }
        }
    }
    match open.pop() {
        Some((_, word)) => Err(word.error("a variation that ends with ')'")),
        None => Ok(()),
    }
}

/// Appends the collected comments to the comment on the current position.
fn add_comments(comments: &mut Vec<String>, record: &mut Record) {
    let at = record.at();
    let text = record.comment(at).to_owned();
    let all = std::iter::once(text).chain(comments.drain(..)).collect::<Vec<_>>().join(" ");
    // Lines may break anywhere in the values.
    let all = all.split_whitespace().collect::<Vec<_>>().join(" ");
    let (review, comment) = split_values(&all);
    if let Some(review) = review {
        record.set_review(at, review);
    }
    record.set_comment(at, &comment);
}

/// The values in a comment, if there are some, and the rest of it.
fn split_values(comment: &str) -> (Option<String>, String) {
    let values = |(before, rest): (&str, &str)| {
        let (values, after) = rest.split_once(']')?;
        Some((Some(values.to_owned()), format!("{before}{after}")))
    };
    comment.split_once(VALUES).and_then(values).unwrap_or_else(|| (None, comment.to_owned()))
}

/// Reads a turn number, a move, or both as in `3.C`; results are skipped. Returns whether a move was played.
fn read_word(word: &Word, record: &mut Record) -> Result<bool, TextError> {
    let position = *record.position();
    if position.is_result(&word.text) {
        return Ok(false);
    }
    if is_strength(&word.text) {
        add_comments(&mut vec![word.text.clone()], record);
        return Ok(false);
    }
    let marks = word.text.trim_end_matches(['!', '?']).len();
    if marks < word.text.len() {
        let (text, marks) = word.text.split_at(marks);
        let played = read_word(&Word { text: text.to_owned(), ..*word }, record)?;
        add_comments(&mut vec![marks.to_owned()], record);
        return Ok(played);
    }
    let digits = word.text.chars().take_while(char::is_ascii_digit).count();
    let dots = word.text[digits..].chars().take_while(|&c| c == '.').count();
    let name = if digits > 0 && dots > 0 { &word.text[digits + dots..] } else { &word.text };
    if name.is_empty() {
        return Ok(false);
    }
    let word = Word { text: name.to_owned(), line: word.line, column: word.column + word.text.len() - name.len() };
    let legal: Vec<String> = position.moves().into_iter().map(|mv| position.move_text(mv)).collect();
    // Case-sensitive: case identifies the side, and the wrong one means that a move is missing.
    match position.named(name) {
        Some(mv) if record.play(mv) => Ok(true),
        // A history-dependent rule has ended the game.
        Some(_) => Err(word.error("no more moves: the game is over")),
        None if legal.is_empty() => Err(word.error("no more moves: the game is over")),
        // A forced pass may be left out.
        None if is_pass(&position) && position.play(position.moves()[0]).named(name).is_some() => {
            record.play(position.moves()[0]);
            read_word(&word, record)
        }
        None => {
            let side = record.variant.seats()[position.side().index()];
            Err(word.error(format!("a move of {side}: {}", legal.join(", "))))
        }
    }
}

/// Whether the only move is a pass.
fn is_pass(position: &Position) -> bool {
    matches!(position.moves()[..], [mv] if position.places(mv).is_empty())
}

/// Reads adjacent moves, such as `CFa`, or a word as [`read_word`] does.
fn read_words(word: &Word, record: &mut Record) -> Result<bool, TextError> {
    let mut rest = word.clone();
    let mut made = false;
    loop {
        let position = *record.position();
        let moves = position.moves().into_iter().map(|mv| position.move_text(mv));
        let ends_here =
            |text: &String| !rest.text[text.len()..].starts_with(|c: char| c.is_ascii_digit() || "-x:".contains(c));
        let begun = moves.filter(|text| {
            rest.text.starts_with(text.as_str()) && (ends_here(text) || !text.ends_with(|c: char| c.is_ascii_digit()))
        });
        let first = begun.max_by_key(String::len);
        let Some(first) = first.filter(|first| first.len() < rest.text.len()) else {
            return Ok(made | read_word(&rest, record)?);
        };
        let behind = rest.text.split_off(first.len());
        let line = rest.line;
        let column = rest.column + first.chars().count();
        made |= read_word(&rest, record)?;
        rest = Word { text: behind, line, column };
    }
}

/// Beginning of the values of a position in its comment, which `]` ends.
const VALUES: &str = "[%values ";

/// The record as text, its main line first. [`read`](self) returns the same record, at the end of its main line.
pub fn write(record: &Record) -> String {
    let mut text = format!("[Game \"{}\"]\n", record.variant);
    for (seat, player) in record.variant.seats().iter().zip(&record.players) {
        text += &format!("[{seat} \"{}\"]\n", value(player));
    }
    if let Some(seed) = record.seed {
        text += &format!("[Seed \"{seed}\"]\n");
    }
    if *record.start() != record.variant.start() {
        text += &format!("[Start \"{}\"]\n", record.start().to_text());
    }
    for (name, text_of) in &record.headers {
        text += &format!("[{name} \"{}\"]\n", value(text_of));
    }
    text += &format!("[Result \"{}\"]\n\n", result_text(record));
    let mut words = Vec::new();
    let mut writer = Writer { record, words: &mut words };
    writer.comment(0);
    writer.line(0, 1, true);
    text + &wrap(&words, 80)
}

/// The game in a format of other programs: PDN, or the line's moves such as `f5d6c3`. `None` if the game has no such
/// format, or if that format has moves only and the record starts from another position.
pub fn transcript(record: &Record) -> Option<String> {
    if let Some(text) = pdn::write(record) {
        return Some(text);
    }
    let moves: Vec<Move> = record.line().iter().map(|step| step.mv).collect();
    let usual = *record.start() == record.variant.start();
    with_position!(record.start(), start => start.to_transcript(&moves)).filter(|_| usual)
}

/// Converts a tree to words: a loop over the main line, recursion only into variations.
struct Writer<'a> {
    record: &'a Record,
    words: &'a mut Vec<String>,
}

impl Writer<'_> {
    /// Writes the moves after `node`, the next of which belongs to `turn`, with its number if `number_due`.
    fn line(&mut self, mut node: NodeId, mut turn: u32, mut number_due: bool) {
        loop {
            let mut tried = self.record.tried(node);
            let Some((child, mv)) = tried.next() else { return };
            let position = self.record.position_at(node);
            self.word(position, mv, turn, &mut number_due);
            self.comment(child);
            for (other, mv) in tried {
                self.variation(node, other, mv, turn);
                number_due = true;
            }
            let next = self.record.position_at(child);
            if next.side() != position.side() {
                turn += 1;
                number_due = true;
            }
            node = child;
        }
    }

    fn word(&mut self, position: &Position, mv: Move, turn: u32, number_due: &mut bool) {
        if std::mem::take(number_due) {
            self.words.push(format!("{turn}."));
        }
        self.words.push(position.move_text(mv));
    }

    /// The values of a position and the comment on it, in braces.
    fn comment(&mut self, node: NodeId) {
        let first = self.words.len();
        let review = self.record.review(node);
        if !review.is_empty() {
            self.words.extend(format!("{VALUES}{review}]").split_whitespace().map(str::to_owned));
        }
        self.words.extend(self.record.comment(node).split_whitespace().map(str::to_owned));
        if let [first, ..] = &mut self.words[first..] {
            first.insert(0, '{');
        }
        if let [.., last] = &mut self.words[first..] {
            last.push('}');
        }
    }

    fn variation(&mut self, node: NodeId, child: NodeId, mv: Move, turn: u32) {
        let first = self.words.len();
        let position = self.record.position_at(node);
        self.word(position, mv, turn, &mut true);
        self.comment(child);
        let same_side = self.record.position_at(child).side() == position.side();
        self.line(child, turn + u32::from(!same_side), !same_side);
        self.words[first].insert(0, '(');
        if let Some(last) = self.words.last_mut() {
            last.push(')');
        }
    }
}
