//! Reads a game as a record.

use super::super::collection::{Broken, GameText, moves_of};
use super::{MARKS, OWN, Tag, Tags, USUAL_TYPE, margin, move_named};
use crate::notation::given;
use crate::notation::headers::{AGREED, DefaultGame};
use crate::othello::{Othello, PASS, Rules, Start};
use crate::record::Record;
use crate::{Position, Side, TextError, Variant};

/// More tags that become other parts of a record.
const TAKEN: [&str; 4] = ["PB", "PW", "RE", "Seed"];

/// Reads a game of a collection.
pub(super) fn read(place: GameText, game: usize, _: DefaultGame) -> Result<Record, Broken> {
    let mut tags = Vec::new();
    let mut reader = Tags::new(place);
    let end = loop {
        match reader.next() {
            Ok(Some(tag)) => tags.push(tag),
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    let mut record = begin(place, &tags).map_err(|error| match &end {
        // The tag that is missing may be behind the error.
        Err(earlier) if error.found.is_empty() => Broken::before_moves(game, earlier.clone()),
        _ => Broken::before_moves(game, error),
    })?;
    let played = tags.iter().try_for_each(|tag| play(place, &mut record, tag)).and(end);
    give_result(&mut record, &tags);
    match played {
        Ok(()) => Ok(record),
        Err(error) => Err(Broken::in_move(game, record, error)),
    }
}

/// The record before its first move.
fn begin(place: GameText, tags: &[Tag]) -> Result<Record, TextError> {
    let error = |tag: &Tag, expected: &str| place.error(tag.offset, tag.value, expected);
    let of = |name: &str| tags.iter().find(|tag| tag.name == name);
    if let Some(tag) = of("GM").filter(|tag| !tag.value.eq_ignore_ascii_case("Othello")) {
        return Err(error(tag, "a game of Othello, GM[Othello]"));
    }
    if let Some(tag) = of("TY").filter(|tag| tag.value.contains('a')) {
        return Err(error(tag, "a game type without 'a' (anti-Othello, by other rules)"));
    }
    let board = of("BO").ok_or_else(|| place.error(place.text.len(), "", "the start position, BO[8 … *]"))?;
    if let Some(second) = tags.iter().filter(|tag| tag.name == "BO").nth(1) {
        return Err(error(second, "only one start position, BO[8 … *]"));
    }
    let start = board.value.trim().strip_prefix('8').and_then(|squares| Othello::read(squares).ok());
    let start = start.ok_or_else(|| error(board, "8, 64 squares, each *, O or -, and a side"))?;
    let parallel = Rules { start: Start::Parallel };
    let rules = if start == parallel.position() { parallel } else { Rules::default() };
    let name = |tag: &str| of(tag).map_or("?", |tag| tag.value).to_owned();
    let players = ["PB", "PW"].map(name);
    let seed = of("Seed").and_then(|tag| tag.value.parse().ok());
    let mut record = Record::from_position(Variant::Othello(rules), Position::Othello(start), players, seed);
    let is_header = |tag: &&Tag| {
        !OWN.contains(&tag.name) && !TAKEN.contains(&tag.name) && (tag.name, tag.value) != ("TY", USUAL_TYPE)
    };
    record.headers.extend(tags.iter().filter(is_header).map(Tag::header));
    Ok(record)
}

/// Plays the move of a tag, after a pass that it leaves out; or adds a comment.
fn play(place: GameText, record: &mut Record, tag: &Tag) -> Result<(), TextError> {
    if tag.name == "C" {
        comment(record, tag.value);
    }
    if !tag.is_move() {
        return Ok(());
    }
    let position = |record: &Record| Othello::try_from(*record.position()).ok();
    let is_turn = (tag.name == "B") == (record.position().side() == Side::South);
    if !is_turn && record.position().moves() == [PASS] {
        record.play(PASS);
    }
    let is_turn = (tag.name == "B") == (record.position().side() == Side::South);
    let mv = position(record).filter(|_| is_turn).and_then(|pos| move_named(&pos, tag.value));
    if !mv.is_some_and(|mv| record.play(mv)) {
        let expected = moves_of(record.variant, record.position());
        let found = format!("{}[{}]", tag.name, tag.value);
        return Err(place.error(tag.offset, if is_turn { tag.value } else { &found }, expected));
    }
    let marks = tag.value.split('/').skip(1).zip(MARKS).filter(|(text, _)| !text.trim().is_empty());
    let marks: Vec<String> = marks.map(|(text, mark)| format!("{mark}{}]", text.trim())).collect();
    comment(record, &marks.join(" "));
    Ok(())
}

/// Appends to the comment on the position.
fn comment(record: &mut Record, text: &str) {
    let at = record.at();
    let text = format!("{} {text}", record.comment(at));
    record.set_comment(at, &text);
}

/// Records the result that the file gives, if it does not follow from the moves.
fn give_result(record: &mut Record, tags: &[Tag]) {
    let Some(result) = tags.iter().find(|tag| tag.name == "RE").map(|tag| tag.value.trim()) else { return };
    match margin(result) {
        Some((margin, flag @ ("r" | "t"))) if margin != 0 => given::give_up(record, margin, flag == "t"),
        Some((margin, _)) => given::give_margin(record, margin, result),
        _ if result.is_empty() || result.starts_with('?') => {}
        _ => record.set_header(AGREED, Some(result.to_owned())),
    }
}
