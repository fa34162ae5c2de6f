//! Reads games and positions in any format, with or without headers.

use super::headers::{DefaultGame, ReadFailure};
use super::read::{read_begun, read_moves_alone};
use super::{given, pdn};
use crate::othello::{Othello, is_server_board};
use crate::record::Record;
use crate::{Bare, Position, TextError, Variant};

/// Reads a game file, a position, perhaps with moves after it, or a transcript. Text without headers is read as
/// the assumed game if possible, by its rules, with their sizes changed if necessary. Players without names become
/// `human`.
///
/// # Errors
/// Where the text is invalid, and what was expected there, with the part before that.
pub fn read_any(text: &str, assumed: impl Into<DefaultGame>) -> Result<Record, ReadFailure> {
    let usual = assumed.into().variant;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_headed = text.trim_start().starts_with('[') && !is_server_board(text.trim_start());
    if is_headed || text.trim().is_empty() {
        return read_begun(text);
    }
    let others = Variant::usual().into_iter().filter(|other| other.title() != usual.title());
    let recognised = [usual].into_iter().chain(others).filter_map(|variant| Some((variant, variant.recognise(text)?)));
    let mut first = None;
    for (variant, bare) in recognised {
        match read_as(text, variant, bare) {
            Ok(record) if variant.name() == usual.name() || bare == Bare::Position || !record.is_empty() => {
                return Ok(record);
            }
            // A result and words without a move may be of any game.
            Ok(_) => {}
            // Other formats are tried; the game that reads furthest is the one that is meant.
            Err(stopped) => {
                first = Some(match first {
                    Some(before) => furthest(before, stopped),
                    None => stopped,
                });
            }
        }
    }
    let stopped = match first {
        Some(stopped) => stopped,
        None => match moves(text, Record::new(usual, nobody(), None)) {
            Ok(record) => return Ok(record),
            Err(ReadFailure { error, begun }) if error.is_at_start() => ReadFailure { error: or_headers(error), begun },
            Err(stopped) => stopped,
        },
    };
    // Text without a legal move may be anything.
    Err(ReadFailure { begun: stopped.begun.filter(|begun| !begun.is_empty()), ..stopped })
}

fn read_as(text: &str, variant: Variant, bare: Bare) -> Result<Record, ReadFailure> {
    match bare {
        Bare::Position => match position(text.trim_end(), variant) {
            Ok(start) => Ok(record_of(start, text)),
            Err(error) => position_and_moves(text, variant).unwrap_or(Err(error.into())),
        },
        // A transcript with numbers and variations is an ordinary list of moves.
        Bare::Transcript => transcript(text, variant)
            .or_else(|stopped| moves(text, Record::new(variant, nobody(), None)).map_err(|_| stopped)),
        Bare::Moves => moves(text, Record::new(variant, nobody(), None)),
    }
}

/// A record without moves.
fn record_of((variant, start): (Variant, Position), text: &str) -> Record {
    let mut record = Record::from_position(variant, start, nobody(), None);
    record.notes = variant.corrections(text);
    if matches!(variant, Variant::Othello(_)) {
        record.set_comment(0, &Othello::values_after(text));
    }
    record
}

/// A position with moves after it; `None` if the text does not begin with a position.
fn position_and_moves(text: &str, variant: Variant) -> Option<Result<Record, ReadFailure>> {
    let length = variant.position_length(text);
    let before = &text[..length];
    let behind = &text[length..];
    let start = position(before, variant).ok().filter(|_| !behind.trim().is_empty())?;
    let record = record_of(start, before);
    // Blank, so that errors name places of the whole text.
    let blank: String = before.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
    let behind = blank + behind;
    let transcript = with_transcript(&behind, record.clone());
    Some(transcript.or_else(|stopped| moves(&behind, record).map_err(|other| furthest(stopped, other))))
}

/// The error behind more moves, or else further behind in the text.
fn furthest(one: ReadFailure, other: ReadFailure) -> ReadFailure {
    let place = |stopped: &ReadFailure| {
        let plies = stopped.begun.as_ref().map_or(0, |begun| begun.ply());
        (plies, stopped.error.line, stopped.error.column)
    };
    if place(&other) > place(&one) { other } else { one }
}

/// Reads moves after the start of a record.
fn moves(text: &str, record: Record) -> Result<Record, ReadFailure> {
    if record.variant.game_type().is_some() { pdn::read_alone(text, record) } else { read_moves_alone(text, record) }
}

/// For text in no known format: it may be a game file without headers.
fn or_headers(error: TextError) -> TextError {
    error.or("a header [Game \"…\"] first, such as [Game \"kalah:6x4:standard\"]")
}

pub(super) fn nobody() -> [String; 2] {
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

/// Reads a transcript from the start of `variant`, or of the nearest variant that accepts all of it.
pub(super) fn transcript(text: &str, variant: Variant) -> Result<Record, ReadFailure> {
    let read = |variant: Variant| with_transcript(text, Record::new(variant, nobody(), None));
    read(variant).or_else(|stopped| nearest(variant).find_map(|other| read(other).ok()).ok_or(stopped))
}

/// Plays a transcript after the start of a record.
fn with_transcript(text: &str, mut record: Record) -> Result<Record, ReadFailure> {
    let transcript = record.position().read_transcript(text);
    transcript.moves.into_iter().for_each(|mv| _ = record.play(mv));
    match transcript.error {
        Some(error) => Err(ReadFailure { error, begun: Some(Box::new(record)) }),
        None => {
            given::give(&mut record, &Vec::from_iter(transcript.result));
            Ok(record)
        }
    }
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
    fn a_position_may_have_moves_after_it() {
        let kalah: Variant = "kalah".parse().unwrap();
        let othello: Variant = "othello".parse().unwrap();
        let board = "-XXOXXO-XXOXXOXXXOXXOXXOOXXOXXOXXXOXXOXX-OXXOXX----------------- X";
        for text in [format!("{board}\nH1A6"), format!("% a problem\n{board} # Black\n\n1. h1 2. a6")] {
            let record = read_any(&text, kalah).unwrap();
            assert_eq!(
                (record.variant, record.start().to_text(), record.ply()),
                (othello, board.to_owned(), 2),
                "{text}"
            );
        }
        let stopped = read_any(&format!("{board}\nH1B1"), kalah).unwrap_err();
        assert!(stopped.to_string().starts_with("line 2, column 3: found 'B1'"), "{stopped}");
        assert_eq!(stopped.begun.unwrap().ply(), 1);
        let checkers = read_any("B:W18:B14,1\n1. 14x23 *", kalah).unwrap();
        assert_eq!((checkers.variant.title(), checkers.ply()), ("Checkers", 1));
        let pits = read_any("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S\nC F a", kalah).unwrap();
        assert_eq!((pits.variant, pits.ply()), (kalah, 3));
    }

    #[test]
    fn boards_of_game_servers_and_values_are_read() {
        let kalah: Variant = "kalah".parse().unwrap();
        let othello: Variant = "othello".parse().unwrap();
        let board = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";
        for text in [format!("[{board}]\n"), board.to_owned(), format!("BO[{board}]")] {
            assert_eq!(*read_any(&text, kalah).unwrap().start(), othello.start(), "{text}");
            assert_eq!(othello.position_from_text(&text), Ok(othello.start()));
        }
        let line = othello.start().to_text() + "; F5:+2; D3:-1;";
        let record = read_any(&line, kalah).unwrap();
        assert_eq!((*record.start(), record.comment(0)), (othello.start(), "F5 +2, D3 -1"));
    }

    #[test]
    fn the_part_before_an_error_is_kept() {
        let kalah: Variant = "kalah".parse().unwrap();
        let begun =
            |text: &str| read_any(text, kalah).unwrap_err().begun.map(|record| (record.ply(), record.is_at_end()));
        for (text, plies) in [
            ("C F a C", 3),
            ("[Game \"kalah\"]\n1. C F 2. a (2. b e) 3. x", 3),
            ("[Game \"kalah\"]\nx", 0),
            ("f5d6c3a1", 3),
            ("1. 11-15 22-18 2. 15-19", 2),
        ] {
            assert_eq!(begun(text), Some((plies, true)), "{text}");
        }
        for text in ["hello", "[Game \"chess\"]\ne4", "---X", "x5"] {
            assert_eq!(begun(text), None, "{text}");
        }
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
        let kalah: Variant = "kalah".parse().unwrap();
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
