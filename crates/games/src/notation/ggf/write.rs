//! Writes a record's main line as a line of tags.

use std::time::Duration;

use super::super::marks::without_clock;
use super::super::{AGREED, ON_TIME, RESIGNED, TERMINATION, score, time_control};
use super::{MARKS, OTHER, OWN, TAGS, USUAL_TYPE, move_name};
use crate::othello::Othello;
use crate::record::Record;
use crate::{Game as _, Side};

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
    let flag = match score::resigned_side(record) {
        Some(_) if record.header(TERMINATION) == Some(ON_TIME) => ":t",
        Some(_) => ":r",
        None if given.is_some() => ":s",
        None => "",
    };
    match score::margin_of_game(record) {
        Some(margin) => format!("{margin:+}.00{flag}"),
        None => given.unwrap_or("?").to_owned(),
    }
}
