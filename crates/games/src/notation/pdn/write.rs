//! Writes a record as a game of a collection, in PDN 3.0.

use super::super::given::points;
use super::super::marks::{STRENGTHS, is_strength};
use super::super::score::resigned_side;
use super::super::words::{value, wrap};
use super::super::{AGREED, result_text};
use super::RULES;
use crate::record::{NodeId, Record};
use crate::{Side, Variant};

/// Headers of every game, with their values for unknown data.
const FIRST: [(&str, &str); 4] = [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?")];

/// Whether a header has its value for unknown data.
pub(super) fn is_unknown(name: &str, value: &str) -> bool {
    FIRST.iter().any(|(first, unknown)| first.eq_ignore_ascii_case(name) && *unknown == value)
}

/// The record as a game of a collection, as collections have it; `None` if its game has no PDN
/// form. Ends with a line end; a blank line separates it from the next game.
#[must_use]
pub fn write(record: &Record) -> Option<String> {
    let game_type = record.variant.game_type()?;
    let result = result(record);
    let mut text = headers(record, game_type, &result);
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

fn headers(record: &Record, game_type: u16, result: &str) -> String {
    let known = |wanted: &str| {
        record.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value.as_str())
    };
    let mut text = String::new();
    let mut add = |name: &str, of: &str| text += &format!("[{name} \"{}\"]\n", value(of));
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
