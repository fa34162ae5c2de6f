//! Reads games and positions in any format, with or without headers.

use super::pdn;
use super::read;
use super::read::read_moves_alone;
use crate::record::Record;
use crate::{Bare, Position, TextError, Variant};

/// Reads a game file, a position or a transcript. Text without headers is read as
/// `usual`'s game if possible, by its rules, with their sizes changed if necessary. Players without names become
/// `human`.
///
/// # Errors
/// Where the text is invalid, and what was expected there.
pub fn read_any(text: &str, usual: Variant) -> Result<Record, TextError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_start().starts_with('[') {
        return read(text);
    }
    if text.trim().is_empty() {
        return read(text);
    }
    let others = Variant::usual().into_iter().filter(|other| other.title() != usual.title());
    let recognised = [usual].into_iter().chain(others).filter_map(|variant| Some((variant, variant.recognise(text)?)));
    let mut first = None;
    for (variant, bare) in recognised {
        match read_as(text, variant, bare) {
            Ok(record) => return Ok(record),
            // Other formats are tried, but the first error is the most relevant.
            Err(error) => _ = first.get_or_insert(error),
        }
    }
    let moves = || moves(text, usual).map_err(|error| if error.is_at_start() { or_headers(error) } else { error });
    first.map_or_else(moves, Err)
}

fn read_as(text: &str, variant: Variant, bare: Bare) -> Result<Record, TextError> {
    match bare {
        Bare::Position => {
            let (variant, start) = position(text.trim(), variant)?;
            Ok(Record::from_position(variant, start, nobody(), None))
        }
        // A transcript with numbers and variations is an ordinary list of moves.
        Bare::Transcript => transcript(text, variant).or_else(|error| moves(text, variant).map_err(|_| error)),
        Bare::Moves => moves(text, variant),
    }
}

fn moves(text: &str, variant: Variant) -> Result<Record, TextError> {
    if variant.game_type().is_some() {
        let mut record = pdn::read_alone(text, variant)?;
        record.players = nobody();
        return Ok(record);
    }
    read_moves_alone(text, variant, nobody())
}

/// For text in no known format: it may be a game file without headers.
fn or_headers(error: TextError) -> TextError {
    error.or("a header [Game \"…\"] first, such as [Game \"kalah:6x4:standard\"]")
}

fn nobody() -> [String; 2] {
    ["human".to_owned(), "human".to_owned()]
}

/// The position, and `variant` or the nearest variant that accepts it.
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

/// The variants that differ in one rule.
fn nearest(variant: Variant) -> impl Iterator<Item = Variant> {
    let choices = variant.choices().into_iter().enumerate();
    choices.flat_map(move |(index, choice)| (0..choice.values.len()).map(move |value| variant.choose(index, value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation;

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
        // The first move is legal only from the other start.
        let record = read_any("c3", othello).unwrap();
        assert_eq!(record.variant.to_string(), "othello:8x8:parallel");
    }

    #[test]
    fn moves_are_read_alone_by_the_rules_of_the_game_on_the_board() {
        let [kalah, othello] = ["kalah", "othello"].map(|text| text.parse::<Variant>().unwrap());
        let written = |text: &str, usual| {
            let record = read_any(text, usual).unwrap_or_else(|error| panic!("{text}: {error}"));
            let text = notation::write(&record);
            (record.variant, text.split("\n\n").nth(1).unwrap().trim_end().to_owned())
        };
        for text in ["C F a", "1. C F 2. a", "1.C F 2...a", "CFa", "C, F,\na", " C F a *\n"] {
            assert_eq!(written(text, kalah), (kalah, "1. C F 2. a".into()), "{text:?}");
            assert_eq!(written(text, othello), (kalah, "1. C F 2. a".into()), "{text:?}");
        }
        assert_eq!(written("C { so, the usual } F a", kalah).1, "1. C {so, the usual} F 2. a");
        assert_eq!(written("1. C F 2. a (2. b) 3. A", kalah).1, "1. C F 2. a (2. b) 3. A");
        assert_eq!(written("B a", othello).0, kalah, "no board of squares, though it begins like one");
        assert_eq!(written("1. f5 2. d6 (2. f4) 3. c3", kalah), (othello, "1. f5 2. d6 (2. f4) 3. c3".into()));
        // The rules of the game on the board take precedence over the default.
        let small = "kalah:3x2".parse().unwrap();
        assert_eq!(written("B A a", small), (small, "1. B A 2. a".into()));
    }

    #[test]
    fn errors_are_those_of_the_game_that_the_text_looks_like() {
        let kalah = "kalah".parse().unwrap();
        let error = |text: &str| read_any(text, kalah).unwrap_err().to_string();
        assert_eq!(error("f5 a1"), "line 1, column 4: found 'a1'; expected a move of White: f4, d6, f6");
        assert!(error("---X").ends_with("expected 60 more of 64 squares, each X, O or -"));
        assert!(error("<6,0").starts_with("line 1, column 5: the text ends here"));
        assert_eq!(
            error("hello, world"),
            "line 1, column 1: found 'hello'; expected a move of South: A, B, C, D, E, F, or a header [Game \"…\"] first, \
             such as [Game \"kalah:6x4:standard\"]"
        );
        assert!(error(" ").ends_with("expected a header [Game \"…\"] first, such as [Game \"kalah:6x4:standard\"]"));
        assert_eq!(error("1. C F 2. C"), "line 1, column 11: found 'C'; expected a move of North: a, b, c, d, e, f");
    }
}
