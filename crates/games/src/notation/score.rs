//! Scores of Othello games in files of other programs: Black's discs less White's, where empty squares count for the winner.

use super::{AGREED, ON_TIME, RESIGNED, TERMINATION};
use crate::Side;
use crate::record::Record;

/// Number of squares.
const SQUARES: i32 = 64;

/// The discs of both sides, such as `40-24`; `None` if they cannot be counted so.
pub(super) fn discs(margin: i32) -> Option<String> {
    let is_score = margin.abs() <= SQUARES && margin % 2 == 0;
    is_score.then(|| format!("{}-{}", (SQUARES + margin) / 2, (SQUARES - margin) / 2))
}

/// The margin by the discs of both sides.
pub(super) fn margin(discs: &str) -> Option<i32> {
    let (black, white) = discs.split_once('-')?;
    let (black, white): (i32, i32) = (black.parse().ok()?, white.parse().ok()?);
    (black >= 0 && white >= 0 && black + white == SQUARES).then_some(black - white)
}

/// The margin of a game: the agreed one, that of a resignation, or that of the moves; `None` without a result.
pub(super) fn margin_of_game(record: &Record) -> Option<i32> {
    let resigned = |side| if side == Side::South { -SQUARES } else { SQUARES };
    let played = || record.ending_at(record.main_end()).map(|ending| ending.margin);
    match record.header(AGREED) {
        Some(text) => margin(text),
        None => resigned_side(record).map(resigned).or_else(played),
    }
}

/// The side that has resigned or lost on time.
pub(super) fn resigned_side(record: &Record) -> Option<Side> {
    let seat = record.header(RESIGNED)?;
    Side::BOTH.into_iter().find(|side| record.variant.seats()[side.index()] == seat)
}

/// Records the margin that a file gives as `text`, unless it follows from the moves. Some files do not count empty squares.
pub(super) fn give(record: &mut Record, margin: i32, text: &str) {
    let end = record.main_end();
    let [black, white] = record.position_at(end).board().counts().map(i32::from);
    let follows = record.ending_at(end).is_some_and(|ending| margin == ending.margin || margin == black - white);
    if !follows {
        record.set_header(AGREED, discs(margin).or_else(|| Some(text.to_owned())));
    }
}

/// Records that the side behind by the margin has resigned or lost on time.
pub(super) fn give_up(record: &mut Record, margin: i32, on_time: bool) {
    let loser = if margin > 0 { Side::North } else { Side::South };
    record.set_header(RESIGNED, Some(record.variant.seats()[loser.index()].to_owned()));
    if on_time {
        record.set_header(TERMINATION, Some(ON_TIME.to_owned()));
    }
    if margin.abs() != SQUARES {
        record.set_header(AGREED, discs(margin));
    }
}
