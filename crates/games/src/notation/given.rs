//! Results and scores as files give them, and where they contradict each other or the moves.

use super::headers::{AGREED, ON_TIME, RESIGNED, TERMINATION, result_text};
use super::pdn::words::winner;
use crate::record::Record;
use crate::referee::{Ending, Outcome, Why};
use crate::{Side, Variant};

/// Record header with the result after the moves of a file, if it differs from the one that the file gives first.
pub const AT_END: &str = "ResultAtEnd";

/// The result that a file gives, the side that has resigned, or the result of the moves; `*` for an unfinished game.
#[must_use]
pub fn given_result(record: &Record) -> String {
    let how = if record.header(TERMINATION) == Some(ON_TIME) { "lost on time" } else { "resigned" };
    let resigned = || Some(format!("{} {how}", record.header(RESIGNED)?));
    record.header(AGREED).map(str::to_owned).or_else(resigned).unwrap_or_else(|| result_text(record))
}

/// South's outcome of the main line by the result that a file gives, by a resignation or by the moves; `None` for an unfinished game.
#[must_use]
pub fn given_outcome(record: &Record) -> Option<Outcome> {
    let resigned = || resigned_side(record).map(|side| if side == Side::South { Outcome::Lost } else { Outcome::Won });
    let played = || Some(record.ending_at(record.main_end())?.outcome(Side::South));
    match record.header(AGREED) {
        Some(text) => outcome(text),
        None => resigned().or_else(played),
    }
}

/// A result of a variant for people: the winner where it is written in points, otherwise the result itself.
#[must_use]
pub fn result_in_words(variant: &Variant, result: &str) -> String {
    let has_points = variant.game_type().is_some() || matches!(variant, Variant::Othello(_));
    match winner(result).filter(|_| has_points) {
        Some(words) => words.to_owned(),
        None if result == "*" => "unfinished".to_owned(),
        None => result.to_owned(),
    }
}

/// How the given results and the final position contradict each other, without a full stop; `None` if they agree.
#[must_use]
pub fn contradiction(record: &Record) -> Option<String> {
    let ending = ending(record);
    let at_end = record.header(AT_END);
    let is_refuted = ending.is_some_and(|ending| match record.header(AGREED) {
        Some(given) => !follows(record, &ending, given),
        None => resigned_side(record).is_some_and(|side| ending.outcome(side) == Outcome::Won),
    });
    if at_end.is_none() && !is_refuted {
        return None;
    }
    let played = ending.map(|_| result_text(record));
    let sources = [
        ("given", Some(given_result(record))),
        ("after the moves", at_end.map(str::to_owned)),
        ("by the final position", played),
    ];
    Some(differ(record, sources))
}

/// A sentence with results and their sources.
pub(super) fn differ<const N: usize>(record: &Record, sources: [(&str, Option<String>); N]) -> String {
    let part = |(source, result): (&str, Option<String>)| {
        Some(format!("{source} {}", result_in_words(&record.variant, &result?)))
    };
    format!("the results differ: {}", sources.into_iter().filter_map(part).collect::<Vec<_>>().join(", "))
}

/// How the main line ended, if no moves are left: a draw by rule may be unclaimed.
fn ending(record: &Record) -> Option<Ending> {
    record.ending_at(record.main_end()).filter(|ending| ending.why == Why::NoMoves)
}

/// Whether a given result is that of the final position.
fn follows(record: &Record, ending: &Ending, given: &str) -> bool {
    // Some files do not count empty squares.
    let [south, north] = record.position_at(record.main_end()).board().counts().map(i32::from);
    match margin(given).filter(|_| record.variant.game_type().is_none()) {
        Some(margin) => margin == ending.margin || margin == south - north,
        None => given == result_text(record) || outcome(given) == Some(ending.outcome),
    }
}

/// The outcome for South of a result in points or counts.
fn outcome(result: &str) -> Option<Outcome> {
    let (south, north) = result.split_once('-')?;
    match (winner(result), south.parse::<i32>(), north.parse::<i32>()) {
        (_, Ok(0), Ok(0)) => None,
        (_, Ok(south), Ok(north)) => Some(Outcome::from_margin(south - north)),
        (winner, ..) => winner.map(|_| Outcome::Drawn),
    }
}

/// Records the results that a file gives, the decisive one first, unless they follow from the moves.
pub(super) fn give(record: &mut Record, results: &[String]) {
    let Some((first, others)) = results.split_first() else { return };
    let is_same = |other: &String| first == other || (outcome(first).is_some() && outcome(first) == outcome(other));
    let other = others.iter().find(|other| !is_same(other)).cloned();
    let ending = record.ending_at(record.main_end());
    let is_known = match resigned_side(record) {
        Some(side) => *first == points(side.other()),
        None => ending.is_some_and(|ending| follows(record, &ending, first)),
    };
    if !is_known {
        record.set_header(AGREED, Some(first.clone()));
    }
    if other.is_some() {
        record.set_header(AT_END, other);
    }
}

/// The result in points of a game that a side has won.
pub(super) fn points(winner: Side) -> &'static str {
    if winner == Side::South { "1-0" } else { "0-1" }
}

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
pub(super) fn give_margin(record: &mut Record, margin: i32, text: &str) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::read;

    #[test]
    fn results_that_differ_are_named_with_their_sources() {
        // Black takes the last piece.
        let game =
            |headers: &str| read(&format!("[Game \"checkers\"]\n[Start \"B:W15:B11\"]\n{headers}\n1. 11x18")).unwrap();
        for (headers, given, contradictory) in [
            ("", "1-0", None),
            ("[Agreed \"1-0\"]", "1-0", None),
            ("[agreed \"0-1\"]", "0-1", Some("given White won, by the final position Black won")),
            ("[Agreed \"1/2-1/2\"]", "1/2-1/2", Some("given a draw, by the final position Black won")),
            ("[Resigned \"White\"]", "White resigned", None),
            ("[Resigned \"Black\"]", "Black resigned", Some("given Black resigned, by the final position Black won")),
            (
                "[ResultAtEnd \"0-1\"]",
                "1-0",
                Some("given Black won, after the moves White won, by the final position Black won"),
            ),
        ] {
            let record = game(headers);
            let contradictory = contradictory.map(|text| format!("the results differ: {text}"));
            assert_eq!((given_result(&record), contradiction(&record)), (given.to_owned(), contradictory), "{headers}");
        }
    }

    #[test]
    fn outcomes_are_those_of_the_first_side() {
        let outcome = |text: &str| given_outcome(&read(text).unwrap());
        let checkers =
            |headers: &str| outcome(&format!("[Game \"checkers\"]\n[Start \"B:W15:B11\"]\n{headers}\n1. 11x18"));
        assert_eq!(checkers(""), Some(Outcome::Won));
        assert_eq!(checkers("[Agreed \"1/2-1/2\"]"), Some(Outcome::Drawn));
        assert_eq!(checkers("[Resigned \"Black\"]"), Some(Outcome::Lost));
        assert_eq!(outcome("[Game \"kalah\"]\n1. C"), None);
        assert_eq!(outcome("[Game \"kalah\"]\n[Agreed \"20-28\"]\n1. C"), Some(Outcome::Lost));
    }

    #[test]
    fn only_games_of_points_have_results_in_points() {
        let words = |variant: &str, result: &str| result_in_words(&variant.parse().unwrap(), result);
        assert_eq!([words("checkers", "1-0"), words("othello", "0-1")], ["Black won", "White won"]);
        assert_eq!([words("kalah:1x1", "1-0"), words("othello", "34-30")], ["1-0", "34-30"]);
        assert_eq!(words("kalah", "*"), "unfinished");
    }
}
