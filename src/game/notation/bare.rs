//! Texts of games and positions whatever they look like: with headers, or standing alone as they are copied from elsewhere.

use super::read;
use crate::game::record::Record;
use crate::game::{Bare, Position, TextError, Variant};

/// Reads a game file, or else a position or a transcript alone, which is of `usual`'s game if it may be, and by its rules, with
/// their sizes changed if need be. Nobody is named as a player where the text names none.
///
/// # Errors
/// Where the text stops making sense, and what was expected there.
pub fn read_any(text: &str, usual: Variant) -> Result<Record, TextError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_start().starts_with('[') {
        return read(text);
    }
    let others = Variant::usual().into_iter().filter(|other| other.title() != usual.title());
    let recognised = [usual].into_iter().chain(others).find_map(|variant| Some((variant, variant.recognise(text)?)));
    match recognised {
        Some((variant, Bare::Position)) => {
            let (variant, start) = position(text.trim(), variant)?;
            Ok(Record::from_position(variant, start, nobody(), None))
        }
        Some((variant, Bare::Transcript)) => transcript(text, variant),
        None => read(text),
    }
}

fn nobody() -> [String; 2] {
    ["human".to_owned(), "human".to_owned()]
}

/// The position, and `variant` or the nearest one that it can be of.
fn position(text: &str, variant: Variant) -> Result<(Variant, Position), TextError> {
    let error = match variant.position_from_text(text) {
        Ok(start) => return Ok((variant, start)),
        Err(error) => error,
    };
    let fitting = nearest(variant).find_map(|other| Some((other, other.position_from_text(text).ok()?)));
    fitting.ok_or(error)
}

fn transcript(text: &str, variant: Variant) -> Result<Record, TextError> {
    let moves = |variant: Variant| Some((variant, variant.start().read_transcript(text).ok()?));
    let (variant, moves) = match variant.start().read_transcript(text) {
        Ok(moves) => (variant, moves),
        Err(error) => nearest(variant).find_map(moves).ok_or(error)?,
    };
    let mut record = Record::new(variant, nobody(), None);
    moves.into_iter().for_each(|mv| _ = record.play(mv));
    Ok(record)
}

/// The variants that differ in one of the rules.
fn nearest(variant: Variant) -> impl Iterator<Item = Variant> {
    let choices = variant.choices().into_iter().enumerate();
    choices.flat_map(move |(index, choice)| (0..choice.values.len()).map(move |value| variant.choose(index, value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation;

    #[test]
    fn positions_and_transcripts_are_read_alone() {
        let [kalah, othello] = ["kalah:3x3", "othello"].map(|text| text.parse::<Variant>().unwrap());
        for usual in [kalah, othello] {
            let record = read_any("\u{feff} <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> N\n", usual).unwrap();
            assert_eq!(record.variant.title(), "Kalah");
            let record = read_any("f5d6 c3\n", usual).unwrap();
            assert_eq!((record.variant, record.ply()), (othello, 3));
            assert_eq!(notation::transcript(&record).unwrap(), "f5d6c3");
            let start = othello.start();
            let record = read_any(&start.to_text(), usual).unwrap();
            assert_eq!((record.start(), record.is_empty()), (&start, true));
        }
        // The first move is legal from the other start alone.
        let record = read_any("c3", othello).unwrap();
        assert_eq!(record.variant.to_string(), "othello:8x8:parallel");
    }

    #[test]
    fn errors_are_those_of_the_game_that_the_text_looks_like() {
        let kalah = "kalah".parse().unwrap();
        let error = |text: &str| read_any(text, kalah).unwrap_err().to_string();
        assert_eq!(error("f5 a1"), "line 1, column 4: found 'a1'; expected a move of White: f4, d6, f6");
        assert!(error("---X").ends_with("expected 60 more of 64 squares, each X, O or -"));
        assert!(error("<6,0").starts_with("line 1, column 5: the text ends here"));
        assert!(
            error("1. C F").ends_with("expected a header [Game \"…\"] first, such as [Game \"kalah:6x4:standard\"]")
        );
    }
}
