//! A saved game in a row of a list.

use std::time::SystemTime;

use super::saved::{SavedGame, age};
use crate::sanitize;
use crate::ui::{Look, clip, head as beginning, width};

/// Widths of a row's columns from the right: time, length, result.
const AGE: usize = 11;
const MOVES: usize = 6;
const RESULT: usize = 11;
/// Maximum width of the file's name.
const NAME: usize = 17;

/// Minimum widths: first the date is dropped, then the length.
fn room(wide: usize) -> (bool, bool) {
    (wide >= 60, wide >= 44)
}

/// The heads of the columns.
pub(in crate::tabs::board) fn head(wide: usize) -> String {
    let (has_age, has_moves) = room(wide);
    let right = [(has_age, "saved", AGE), (has_moves, "moves", MOVES), (true, "result", RESULT)];
    join(
        "file",
        "players",
        right.into_iter().filter(|(is, ..)| *is).map(|(_, text, cells)| (text, cells)).collect(),
        wide,
    )
}

/// A name, the text after it, and right-aligned cells, each with its width.
fn join(name: &str, middle: &str, right: Vec<(&str, usize)>, wide: usize) -> String {
    let ends: String = right.into_iter().rev().map(|(text, cells)| format!("{text:>cells$}")).collect();
    let name_wide = NAME.min(wide / 4);
    let middle_wide = wide.saturating_sub(name_wide + 2 + ends.chars().count());
    format!("{}  {}{ends}", padded(name, name_wide), padded(middle, middle_wide))
}

/// A text of exactly this width.
fn padded(text: &str, cells: usize) -> String {
    let text = beginning(text, cells as u16);
    format!("{text}{}", " ".repeat(cells.saturating_sub(usize::from(width(text)))))
}

/// A row: file, players, result, length and time; or the error.
pub(in crate::tabs::board) fn columns(game: &SavedGame, now: SystemTime, wide: u16, look: &Look) -> String {
    let wide = usize::from(wide);
    let name = sanitize::inline(&game.name).trim_end_matches(".game").to_owned();
    let (has_age, has_moves) = room(wide);
    let age = age(game.changed, now);
    let text = match game.about() {
        None => join(&name, "", vec![(if has_age { &age } else { "" }, if has_age { AGE } else { 0 })], wide),
        Some(Err(reason)) => format!("{}  cannot be read: {reason}", padded(&name, NAME.min(wide / 4))),
        Some(Ok(about)) => {
            let players = about.players();
            let is_one = about.games == 1;
            let (moves, result) = if is_one { (about.moves.to_string(), about.result()) } else { (String::new(), "") };
            let right = [(has_age, age.as_str(), AGE), (has_moves, &moves, MOVES), (true, result, RESULT)];
            let right = right.into_iter().filter(|(is, ..)| *is).map(|(_, text, cells)| (text, cells)).collect();
            join(&name, &sanitize::inline(&players), right, wide)
        }
    };
    clip(&text, wide as u16, look)
}
