//! The games, tags and headers of a text.

use super::super::collection::{GameHeaders, GameText, MOST_GAMES};
use super::super::score;
use super::{OTHER, OWN, TAGS};
use crate::TextError;
use crate::notation::is_remark;

/// The bytes at which games start. Inside a value only `(;GM[` starts one, so that an unclosed value does not hide the
/// next game.
pub(super) fn scan(text: &str) -> Vec<usize> {
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
pub(super) struct Tag<'a> {
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
pub(super) struct Tags<'a> {
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
pub(super) fn headers(text: &str) -> GameHeaders {
    let mut tags = Tags::new(GameText::alone(text));
    let mut headers = Vec::new();
    while let Ok(Some(tag)) = tags.next() {
        if tag.is_move() {
            break;
        }
        let (name, value) = tag.header();
        let discs = margin(&value).and_then(|(margin, _)| score::discs(margin)).filter(|_| name == "Result");
        headers.push((name, discs.unwrap_or(value)));
    }
    GameHeaders { headers }
}

/// The margin and the flag of a result such as `+64.00:r`; `None` if it has no whole margin.
pub(super) fn margin(result: &str) -> Option<(i32, &str)> {
    let (number, flag) = result.split_once(':').unwrap_or((result, ""));
    let margin: f64 = number.trim().parse().ok()?;
    (margin.fract() == 0.0 && margin.abs() <= 64.0).then_some((margin as i32, flag.trim()))
}
