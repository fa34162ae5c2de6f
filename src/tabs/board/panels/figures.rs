//! Texts of a search's figures: margins, values, speeds and variations.

use std::time::Duration;

use crate::game::{Move, Position, Side};
use crate::player::PositionValue;
use crate::player::review::{GivenAway, Loss};
use crate::search::{self, MoveStatistics, MoveValue};
use crate::tabs::board::session::Session;
use crate::ui::{Look, clip, short_count, width};

/// A value in seeds, discs or men, with a decimal where it has one and is small: `+6`, `+0.5`.
pub fn value_text(value: f64, look: &Look) -> String {
    let tenths = (10.0 * value).round();
    if tenths.abs() >= 100.0 || tenths % 10.0 == 0.0 {
        return look.signed(value.round() as i32);
    }
    look.with_minus(&format!("{value:+.1}"))
}

/// A move's value for the side to move; or the result where only winning counts: `+6`, `wins`.
pub fn line_text(line: &search::Line, position: &Position, look: &Look) -> String {
    match position.decided() {
        Some(won) if line.margin >= won => "wins".to_owned(),
        Some(won) if line.margin <= -won => "loses".to_owned(),
        _ => value_text(line.value(position.unit()), look),
    }
}

/// Returns whether a margin is an amount and not just a won or lost game.
pub fn is_measured(margin: i32, position: &Position) -> bool {
    position.decided().is_none_or(|won| margin.abs() < won)
}

/// `0.612`
pub fn points(units: u32) -> String {
    format!("{:.3}", f64::from(units) / f64::from(MoveStatistics::UNIT))
}

/// The value of a move: a margin, or the player's own evaluation, such as `+1.3` or `wins in 7`.
pub fn worth_text(line: &search::Line, position: &Position, look: &Look) -> String {
    match line.weighed {
        None | Some(MoveValue::Outcome(_)) => line_text(line, position, look),
        Some(MoveValue::Value(thousandths)) => value_text(thousandths as f64 / 1000.0, look),
        Some(MoveValue::Wins(plies)) => format!("wins in {plies}"),
        Some(MoveValue::Loses(plies)) => format!("loses in {plies}"),
    }
}

/// Width of the longest speed with its separator.
const SPEED: u16 = 11;

/// ` · 31.0M/s`, or nothing where it may not fit.
pub fn speed_within(room: u16, count: u64, busy: Duration, look: &Look) -> String {
    if room < SPEED { String::new() } else { format!(" {} {}", look.glyphs.dot, speed_text(count, busy)) }
}

/// `31.0M/s`
pub fn speed_text(count: u64, busy: Duration) -> String {
    format!("{}/s", short_count((count as f64 / busy.as_secs_f64().max(1e-6)) as u64))
}

/// The same with a dot behind the first `found` moves.
pub fn continued_text(position: &Position, moves: &[Move], found: usize, room: u16, look: &Look) -> String {
    if found >= moves.len() {
        return variation_text(position, moves, room);
    }
    let (first, rest) = moves.split_at(found);
    let text = variation_text(position, first, room);
    let after = first.iter().fold(*position, |position, mv| position.play(*mv));
    let dot = format!(" {} ", look.glyphs.dot);
    let rest = variation_text(&after, rest, room.saturating_sub(width(&text) + width(&dot)));
    if rest.is_empty() { text } else { text + &dot + &rest }
}

/// The moves of a variation, as many as fit, and their number.
fn fitting_moves(position: &Position, moves: &[Move], room: u16) -> (String, usize) {
    let mut text = String::new();
    let mut position = *position;
    for (count, &mv) in moves.iter().enumerate() {
        let name = position.move_text(mv);
        if width(&text) + width(&name) + 1 > room {
            return (text, count);
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text += &name;
        if !position.is_legal(mv) {
            break;
        }
        position = position.play(mv);
    }
    (text, moves.len())
}

/// The moves of a variation, as many as fit.
pub fn variation_text(position: &Position, moves: &[Move], room: u16) -> String {
    fitting_moves(position, moves, room).0
}

/// The moves of a variation with a mark behind those that fit, if these are not all.
pub fn marked_variation(position: &Position, moves: &[Move], room: u16, look: &Look) -> String {
    let (text, count) = fitting_moves(position, moves, room);
    if count == moves.len() {
        return text;
    }
    let mark = look.glyphs.ellipsis;
    let (text, _) = fitting_moves(position, moves, room.saturating_sub(width(mark) + 1));
    match text.is_empty() {
        true if room == 0 => text,
        true => clip(mark, room, look),
        false => format!("{text} {mark}"),
    }
}

/// The value or the result of a move from the shown [point of view](Session::point_of_view), as in the list of moves.
pub fn shown_value(session: &Session, valued: &PositionValue, line: &search::Line, look: &Look) -> String {
    let south = valued.south_of(line);
    let value = if session.point_of_view() == Side::South { south } else { 0.0 - south };
    match valued.is_decisive(line.margin) {
        true => if value > 0.0 { "wins" } else { "loses" }.to_owned(),
        false => value_text(value, look),
    }
}

/// `30 % lost`, `the win lost`.
pub fn lost_text(loss: &Loss) -> String {
    match loss.result {
        None => format!("{:.0} % lost", loss.chance),
        Some(GivenAway::Win) => "the win lost".to_owned(),
        Some(GivenAway::NotLost) => "the game lost".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::stage::look;
    use crate::game::Variant;

    #[test]
    fn a_continuation_stands_behind_a_dot() {
        let start = "kalah".parse::<Variant>().unwrap().start();
        let mut moves = Vec::new();
        let mut position = start;
        for name in ["A", "b", "C"] {
            moves.push(position.move_from_text(name).unwrap());
            position = position.play(moves[moves.len() - 1]);
        }
        let text = |found, room| continued_text(&start, &moves, found, room, &look());
        assert_eq!(text(1, 20), "A · b C");
        assert_eq!(text(3, 20), "A b C");
        assert_eq!((text(2, 6).as_str(), text(2, 2).as_str()), ("A b", "A"));
        assert_eq!(text(usize::MAX, 20), text(3, 20));
        // A line that does not fit says so.
        let marked = [0, 1, 4, 6].map(|room| marked_variation(&start, &moves, room, &look()));
        assert_eq!(marked, ["", "…", "A …", "A b C"]);
    }
}
