//! Generic Game Format (GGF): games of Othello from game servers, and those of the NBoard protocol.
//!
//! ```text
//! (;GM[Othello]PC[GGS/os]DT[2009.07.01_02:52:45.MDT]PB[edax]PW[Roxane]TI[05:00//02:00]TY[8]RE[-10.00]
//! BO[8 ---------------------------O*------*O--------------------------- *]B[F5/-6.00/26.0]W[F6/8.00]B[PA];)
//! ```
//!
//! A game is a list of tags. [`TAGS`] lists those with a header of their own in a record; other tags become headers
//! such as `GgfKM`, and headers become tags. A move's evaluation and time, in seconds, become `[%eval …]` and
//! `[%emt …]` at the start of its comment, the form of chess files. `C` is a comment on the position.
//!
//! Of a match of several games, such as `2 (;…;)(;…;)`, each is a game of its own. There are no variations. Only
//! 8x8 Othello is read, from any position, by the usual rules.

mod read;

use std::sync::Arc;
use std::time::Duration;

use super::collection::{Broken, Format, GameHeaders, GameText, MOST_GAMES, Texts, add_text, decode};
use super::given;
use super::headers::{AGREED, MAIN_LINE_ONLY, ON_TIME, RESIGNED, TERMINATION, is_remark};
use super::marks::{time_control, without_clock};
use crate::othello::{Othello, PASS};
use crate::record::Record;
use crate::{Game as _, Move, Side, TextError};

/// Generic Game Format.
pub static FORMAT: Format = Format {
    name: "GGF",
    extensions: &["ggf"],
    beside: &[],
    writes: |variant| variant.title() == "Othello",
    loses: |record| record.has_variations().then_some(MAIN_LINE_ONLY),
    recognises: |bytes, _| begins(&decode(bytes)),
    open: |files| {
        let text = decode(&files.concat());
        let starts = scan(&text);
        Ok(Arc::new(Texts::new(text, starts, headers, read::read)))
    },
    add: |files, record| match (files, write(record)) {
        ([file], Some(line)) => add_text(file, &(line + "\n"), ""),
        _ => Ok(()),
    },
};

/// Tags and the headers that they become, in the usual order.
const TAGS: [(&str, &str); 13] = [
    ("EV", "Event"),
    ("PC", "Site"),
    ("DT", "Date"),
    ("RO", "Round"),
    ("PB", "Black"),
    ("PW", "White"),
    ("RB", "BlackRating"),
    ("RW", "WhiteRating"),
    ("TI", "TimeControl"),
    ("TB", "BlackTimeControl"),
    ("TW", "WhiteTimeControl"),
    ("TY", "GameType"),
    ("RE", "Result"),
];

/// Prefix of headers from other tags.
const OTHER: &str = "Ggf";

/// Tags that become other parts of a record.
const OWN: [&str; 5] = ["GM", "BO", "C", "B", "W"];

/// The game type of 8x8 Othello.
const USUAL_TYPE: &str = "8";

/// Marks of a move's evaluation and its time in a comment.
const MARKS: [&str; 2] = ["[%eval ", "[%emt "];

/// Reads a text of one game.
///
/// # Errors
/// Where the text is invalid or a move is illegal, and what was expected there.
pub fn read(text: &str) -> Result<Record, Broken> {
    read::read(GameText::alone(text), 1, crate::Variant::usual()[0].into())
}

/// Whether a text begins with a game, perhaps after the number of games of a match.
fn begins(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start().starts_with("(;")
}

/// Name of a move: capitals, `PA` for a pass.
#[must_use]
pub fn move_name(mv: Move) -> String {
    if mv == PASS { "PA".to_owned() } else { Othello::name(mv).to_uppercase() }
}

/// The legal move with this name, of which an evaluation and a time after slashes are ignored.
#[must_use]
pub fn move_named(pos: &Othello, text: &str) -> Option<Move> {
    let name = text.split('/').next().unwrap_or_default().trim();
    let is_pass = ["pa", "pass"].iter().any(|pass| name.eq_ignore_ascii_case(pass));
    pos.moves().find(|&mv| if mv == PASS { is_pass } else { Othello::name(mv).eq_ignore_ascii_case(name) })
}

#[cfg(test)]
mod tests;

/// The bytes at which games start. Inside a value only `(;GM[` starts one, so that an unclosed value does not hide the
/// next game.
fn scan(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut starts = Vec::new();
    let mut is_value = false;
    for at in 0..bytes.len() {
        match bytes[at] {
            b'(' if bytes[at..].starts_with(if is_value { b"(;GM[" } else { b"(;" }) => {
                starts.push(at);
                is_value = false;
                // One more than the limit shows that there are too many.
                if starts.len() > MOST_GAMES {
                    break;
                }
            }
            b'[' => is_value = true,
            b']' => is_value = false,
            _ => {}
        }
    }
    starts
}

/// A tag with its value, whose first byte is at `at`.
#[derive(Clone, Copy)]
struct Tag<'a> {
    pub name: &'a str,
    pub value: &'a str,
    pub offset: usize,
}

impl Tag<'_> {
    pub fn is_move(&self) -> bool {
        matches!(self.name, "B" | "W")
    }

    /// The header that the tag becomes.
    pub fn header(&self) -> (String, String) {
        let known = TAGS.iter().find(|(tag, _)| *tag == self.name).map(|(_, header)| (*header).to_owned());
        let other = || if is_remark(self.name) { self.name.to_owned() } else { format!("{OTHER}{}", self.name) };
        (known.unwrap_or_else(other), self.value.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// Iterates over the tags of a game's text.
struct Tags<'a> {
    place: GameText<'a>,
    offset: usize,
}

impl<'a> Tags<'a> {
    pub fn new(place: GameText<'a>) -> Tags<'a> {
        Tags { place, offset: 0 }
    }

    /// The next tag; `None` at the end of the game.
    ///
    /// # Errors
    /// There is neither.
    pub fn next(&mut self) -> Result<Option<Tag<'a>>, TextError> {
        let text = self.place.text;
        let begins = text[self.offset..].trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ';'));
        let start = text.len() - begins.len();
        if begins.starts_with(')') {
            return Ok(None);
        }
        let parts = begins.split_once('[').and_then(|(name, rest)| Some((name.trim(), rest.split_once(']')?.0)));
        let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let Some((name, value)) = parts.filter(|(name, _)| is_name(name)) else {
            return Err(self.place.error(start, begins, "a tag such as B[F5], or ;) after the last"));
        };
        let known = OWN.into_iter().chain(TAGS.map(|(tag, _)| tag)).find(|tag| tag.eq_ignore_ascii_case(name));
        let name = known.unwrap_or(name);
        let at = start + begins.find('[').unwrap_or(0) + 1;
        self.offset = at + value.len() + 1;
        Ok(Some(Tag { name, value, offset: at }))
    }
}

/// Reads the headers of a game, which come before its moves.
fn headers(text: &str) -> GameHeaders {
    let mut tags = Tags::new(GameText::alone(text));
    let mut headers = Vec::new();
    while let Ok(Some(tag)) = tags.next() {
        if tag.is_move() {
            break;
        }
        let (name, value) = tag.header();
        let discs = margin(&value).and_then(|(margin, _)| given::discs(margin)).filter(|_| name == "Result");
        headers.push((name, discs.unwrap_or(value)));
    }
    GameHeaders { headers }
}

/// The margin and the flag of a result such as `+64.00:r`; `None` if it has no whole margin.
fn margin(result: &str) -> Option<(i32, &str)> {
    let (number, flag) = result.split_once(':').unwrap_or((result, ""));
    let margin: f64 = number.trim().parse().ok()?;
    (margin.fract() == 0.0 && margin.abs() <= 64.0).then_some((margin as i32, flag.trim()))
}

/// Letters of Black, White and an empty square.
const LETTERS: [char; 3] = ['*', 'O', '-'];

/// Headers whose meaning other tags have.
const TAKEN: [&str; 3] = [AGREED, RESIGNED, "Result"];

/// The main line as a game of a collection, without a line end; `None` if it is not of Othello.
#[must_use]
pub fn write(record: &Record) -> Option<String> {
    let start = Othello::try_from(*record.start()).ok()?;
    let mut text = "(;GM[Othello]".to_owned();
    let mut add = |name: &str, value: &str| text += &format!("{name}[{}]", inside(value));
    for (tag, header) in TAGS {
        match tag {
            "PB" => add(tag, &record.players[0]),
            "PW" => add(tag, &record.players[1]),
            "TY" => add(tag, record.header(header).unwrap_or(USUAL_TYPE)),
            "RE" => add(tag, &result(record)),
            "TI" => record.header(header).iter().for_each(|value| add(tag, &control(value))),
            _ => record.header(header).iter().for_each(|value| add(tag, value)),
        }
    }
    for (name, value) in &record.headers {
        let tag = name.strip_prefix(OTHER).unwrap_or(name);
        let is_known = OWN.contains(&tag) || TAGS.iter().any(|(known, header)| tag == *known || name == header);
        if !is_known && !TAKEN.contains(&&**name) && (&**name, &**value) != (TERMINATION, ON_TIME) {
            add(tag, value);
        }
    }
    record.seed.iter().for_each(|seed| add("Seed", &seed.to_string()));
    let letter = |square: u8| start.disc(square).map_or(LETTERS[2], |side| LETTERS[side.index()]);
    let board: String = (0..64).map(letter).collect();
    add("BO", &format!("8 {board} {}", LETTERS[start.side().index()]));
    let remark = record.comment(0);
    if !remark.is_empty() {
        add("C", remark);
    }
    for step in record.main_line() {
        let [eval, time, remark] = parts(record.comment(step.node));
        let end = [eval, time].join("/");
        let end = end.trim_end_matches('/');
        let slash = if end.is_empty() { "" } else { "/" };
        add(if step.mover == Side::South { "B" } else { "W" }, &format!("{}{slash}{end}", move_name(step.mv)));
        if !remark.is_empty() {
            add("C", &remark);
        }
    }
    Some(text + ";)")
}

/// A value without brackets, which would end it.
fn inside(value: &str) -> String {
    value.replace('[', "(").replace(']', ")").replace(['\n', '\r'], " ")
}

/// A time control such as `300+3` in the form of the format, `05:00/00:03`; others as they are.
fn control(text: &str) -> String {
    let clock = |time: Duration| format!("{:02}:{:02}", time.as_secs() / 60, time.as_secs() % 60);
    match time_control(text).filter(|_| !text.contains(':')) {
        Some((base, Duration::ZERO)) => clock(base),
        Some((base, increment)) => format!("{}/{}", clock(base), clock(increment)),
        None => text.to_owned(),
    }
}

/// Evaluation, time and the rest of a comment, without the clock, which has no place in the format.
fn parts(comment: &str) -> [String; 3] {
    let comment = without_clock(comment);
    let mut rest = comment.trim_start();
    let mut taken = MARKS.map(|mark| match rest.strip_prefix(mark).and_then(|inner| inner.split_once(']')) {
        Some((value, behind)) if !value.contains('/') => {
            rest = behind.trim_start();
            value.trim().to_owned()
        }
        _ => String::new(),
    });
    let [eval, time] = taken.each_mut().map(std::mem::take);
    [eval, time, rest.to_owned()]
}

/// The result for Black: the margin, with `r` for a resignation, `t` for a loss on time, `s` for an agreed score.
fn result(record: &Record) -> String {
    let given = record.header(AGREED);
    let flag = match given::resigned_side(record) {
        Some(_) if record.header(TERMINATION) == Some(ON_TIME) => ":t",
        Some(_) => ":r",
        None if given.is_some() => ":s",
        None => "",
    };
    match given::margin_of_game(record) {
        Some(margin) => format!("{margin:+}.00{flag}"),
        None => given.unwrap_or("?").to_owned(),
    }
}
