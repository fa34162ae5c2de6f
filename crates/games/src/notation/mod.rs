//! Game files: headers in brackets, then the moves, with variations in parentheses after the move they replace.
//!
//! ```text
//! [Game "kalah:6x4:standard"]
//! [South "human"]
//! [North "minimax:8"]
//! [Seed "7"]
//! [Result "25-23"]
//!
//! 1. C F 2. b (2. a) 3. D
//! ```
//!
//! Seats have the game's own names, `South` and `North` or `Black` and `White`. [`Notation`](super::Notation) is the
//! part of the format that depends on the game. [`read_any`] reads positions and transcripts without headers,
//! [`collection`] files of many games in the formats of other programs.
//!
//! Turn numbers and all headers except `Game` are optional. `{…}` and `;` to the end of a line are comments on the move
//! before them, or on the start of the game or variation. They are kept, and written in braces. `[%values …]` in a comment has the
//! values that a review found for the position (see the player's `reviewing`), `[%emt 3.2]` the seconds that the move took,
//! `[%clk 0:04:57]` what the clock of its side then had left. `Start` (or
//! `Position`, `FEN`) is the start position. `Result` is the result in the game's form (the final counts) or `*` for an unfinished game; it is derived
//! when written and, when read, must agree with the moves. In header values `\"` is a quote and `\\` a backslash.

mod bare;
pub mod collection;
pub mod ggf;
mod given;
mod headers;
mod lines;
pub(crate) mod marks;
pub mod pdn;
mod read;
mod words;
pub mod wthor;

use std::path::Path;

use super::Variant;
use super::record::Record;

pub use bare::read_any;
pub use collection::{Broken, Collection, Format, GameHeaders, Games};
pub use given::{AT_END, contradiction, given_outcome, given_result, result_in_words};
pub use headers::{
    AGREED, CASUAL, DefaultGame, ON_TIME, RESIGNED, ReadFailure, TERMINATION, TIME_CONTROL, result_text,
};
pub use marks::{Marks, split_times, time_control, time_left, time_of_move, timed, with_times};
pub use read::{read, transcript, unknown_headers, write};

/// What a user should know of a record that was read, in sentences without a full stop.
pub fn remarks(record: &Record) -> Vec<String> {
    let unknown = unknown_headers(record).into_iter().map(|name| format!("[{name}]")).collect::<Vec<_>>().join(", ");
    let unknown = (!unknown.is_empty()).then(|| format!("ignored the unknown header {unknown}"));
    record.notes.iter().cloned().chain(contradiction(record)).chain(unknown).collect()
}

/// All formats.
pub static FORMATS: [&Format; 6] =
    [&pdn::FORMAT, &pdn::PGN, &ggf::FORMAT, &wthor::FORMAT, &lines::POSITIONS, &lines::TRANSCRIPTS];

impl Format {
    /// The format by a file's extension.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<&'static Format> {
        let ending = path.extension()?;
        FORMATS.into_iter().find(|format| format.extensions.iter().any(|own| ending.eq_ignore_ascii_case(own)))
    }

    /// The format of a content. Moves without headers are of `usual` if possible.
    #[must_use]
    pub fn of_content(bytes: &[u8], usual: Variant) -> Option<&'static Format> {
        FORMATS.into_iter().find(|format| (format.recognises)(bytes, usual))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Variant;
    use super::{ggf, pdn, timed, *};
    use std::time::Duration;

    const GAME: &str = "[Game \"kalah:6x4:standard\"]\n[South \"human\"]\n[North \"minimax:8\"]\n[Seed \"7\"]\n[Result \"*\"]\n\n\
                        1. C F 2. a (2. b e 3. A) (2. c) 3. D\n";

    #[test]
    fn seats_go_by_their_names_in_the_game() {
        let text = "[Game \"othello:8x8:standard\"]\n[Black \"human\"]\n[White \"mcts:400\"]\n[Result \"*\"]\n\n1. f5 2. d6 (2. f4) 3. c3\n";
        let record = read(text).unwrap();
        assert_eq!((record.players.clone(), record.len()), (["human".into(), "mcts:400".into()], 5));
        assert_eq!(write(&record), text);
        let south = text.replace("Black", "South").replace("White", "North");
        assert_eq!(write(&read(&south).unwrap()), text, "South and North are valid in every game");
        let twice = read(&text.replace("White", "South")).unwrap_err().to_string();
        assert_eq!(twice, "line 3, column 2: found 'South'; expected each header only once");
    }

    #[test]
    fn what_is_written_is_read_again() {
        let record = read(GAME).unwrap();
        assert_eq!(record.players, ["human", "minimax:8"]);
        assert_eq!((record.seed, record.ply(), record.len()), (Some(7), 4, 9));
        assert_eq!(write(&record), GAME);
    }

    #[test]
    fn numbers_are_passed_over_and_comments_and_other_headers_kept() {
        let text = "\u{feff}[Game \"kalah\"]\n[Date \"2026\"]\n{ a slow {start } C F ; then North\n2.a 3... D *";
        let record = read(text).unwrap();
        assert_eq!((record.ply(), record.len()), (4, 5));
        let text = write(&record);
        assert!(text.contains("[Date \"2026\"]"), "kept for the program that wrote it");
        assert!(text.ends_with("{a slow {start} 1. C F {then North} 2. a 3. D\n"), "{text}");
        assert_eq!(record.players, ["?", "?"]);
    }

    #[test]
    fn a_position_goes_by_several_names_and_unknown_headers_are_found() {
        for name in ["Start", "Position", "FEN"] {
            let text = format!("[Game \"kalah\"]\n[{name} \"<6,5,3,0,0,0,0,0,1,0,0,0,0,0,1> S\"]\n[SetUp \"1\"]\n");
            let record = read(&text).unwrap();
            assert_eq!(record.start().to_text(), "<6,5,3,0,0,0,0,0,1,0,0,0,0,0,1> S");
            assert!(unknown_headers(&record).is_empty());
        }
        let twice = "[Game \"kalah\"]\n[Start \"<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S\"]\n[FEN \"x\"]";
        assert!(read(twice).unwrap_err().to_string().contains("each header only once"));
        let record = read("[Game \"kalah\"]\n[Postion \"<0>\"]\n[Date \"2026\"]\nC").unwrap();
        assert_eq!(unknown_headers(&record), ["Postion"]);
    }

    /// In Kalah the case is whose move it is.
    #[test]
    fn moves_are_read_in_either_case_where_it_means_nothing() {
        assert_eq!(read("[Game \"othello\"]\n1. F5 2. d6 3. C3").unwrap().len(), 4);
        assert!(read("[Game \"kalah\"]\n1. c").is_err());
    }

    #[test]
    fn comments_stay_with_their_moves() {
        let text =
            "; of the start\n[Game \"kalah\"] {too}\n1. C {one} ; and more\nF 2. a ({why not} 2. b {x} d) {last}";
        let record = read(text).unwrap();
        let comments: Vec<&str> = (0..record.len()).map(|node| record.comment(node)).collect();
        assert_eq!(comments, ["of the start too", "one and more", "", "last", "why not x", ""]);
        let written = write(&record);
        assert!(
            written.ends_with("{of the start too} 1. C {one and more} F 2. a {last} (2. b {why not x} d)\n"),
            "{written}"
        );
        assert_eq!(write(&read(&written).unwrap()), written);
    }

    #[test]
    fn values_of_positions_are_no_part_of_comments() {
        let text = "[Game \"kalah\"]\n{[%values\n12 C=+2,\nF=0] a start} 1. C {so [%values 8 F=1]} F {[%clk 1]}";
        let record = read(text).unwrap();
        let found = |node| (record.review(node), record.comment(node));
        assert_eq!([0, 1, 2].map(found), [("12 C=+2, F=0", "a start"), ("8 F=1", "so"), ("", "[%clk 1]")]);
        assert_eq!(record.reviewed().collect::<Vec<_>>(), [0, 1]);
        let written = write(&record);
        assert!(
            written.ends_with("{[%values 12 C=+2, F=0] a start} 1. C {[%values 8 F=1] so} F {[%clk 1]}\n"),
            "{written}"
        );
        assert_eq!(write(&read(&written).unwrap()), written);
    }

    #[test]
    fn whatever_a_player_is_called_the_game_can_be_read() {
        for name in ["a\"b", "\\", "\\\\", "a\\b", "\\\"", "\"", "]", "\"]\\\\\"", "{", ";", "\u{1b}[31m\r", ""] {
            let mut record = Record::new("kalah".parse().unwrap(), [name.into(), "max".into()], None);
            record.headers.push(("Note".into(), name.into()));
            let again = read(&write(&record)).unwrap();
            assert_eq!((&*again.players[0], &*again.headers[0].1), (name, name), "{}", write(&record));
        }
        let record = Record::new("kalah".parse().unwrap(), ["a\nb".into(), "max".into()], None);
        assert_eq!(read(&write(&record)).unwrap().players[0], "a b");
        // As written before backslashes were escapes.
        assert_eq!(read("[Game \"kalah\"]\n[South \"C:\\x\\y\"]").unwrap().players[0], "C:\\x\\y");
    }

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        let cases = [
            (
                "",
                "line 1, column 1: the text ends here; expected a header [Game \"…\"] first, such as [Game \"kalah:6x4:standard\"]",
            ),
            ("[Game \"kalah\"]\n1. C F C", "line 2, column 8: found 'C'; expected a move of North: a, b, c, d, e, f"),
            ("[Game \"kalah\"]\n1. C c", "line 2, column 6: found 'c'; expected a move of South: A, B, D, E, F"),
            ("[Game \"kalah\"]\n(A)", "line 2, column 1: found '('; expected a move before the variation"),
            ("[Game \"kalah\"]\nC (D", "line 2, column 3: found '('; expected a variation that ends with ')'"),
            ("[Game \"kalah\"]\nC)", "line 2, column 2: found ')'; expected a move"),
            ("[Game \"kalah\"]\nC { D", "line 2, column 3: found '{'; expected a comment that ends with '}'"),
            (
                "[Game \"kalah\"]\n[Seed \"x\"]",
                "line 2, column 8: found 'x'; expected a whole number from 0 to 2^64 - 1",
            ),
            (
                "[Game \"kalah\"]\n[Seed 3]",
                "line 2, column 7: found '3'; expected a value in quotes, as in [Game \"kalah:6x4:standard\"]",
            ),
            (
                "[Game \"kalah\"]\n[South \"a\"]\n[South \"b\"]",
                "line 3, column 2: found 'South'; expected each header only once",
            ),
            (
                "[Game \"kalah\"]\n[Result \"30-18\"]\nC F",
                "line 2, column 10: found '30-18'; expected '*', the result of the moves",
            ),
        ];
        for (text, message) in cases {
            assert_eq!(error(text), message, "{text:?}");
        }
        assert!(
            error("[Game \"chess\"]")
                .starts_with("line 1, column 8: found 'chess'; expected a game; unknown game 'chess'")
        );
        assert!(error("[Game \"kalah\"]\n[Start \"<6,0,0,x>\"]").starts_with("line 2, column "));
    }

    /// Every comment with its move, the main line first.
    fn comments(record: &Record) -> Vec<(String, Option<crate::Move>)> {
        let mut comments = vec![(record.comment(0).to_owned(), None)];
        let mut left = vec![0];
        while let Some(node) = left.pop() {
            for (child, mv) in record.tried(node) {
                comments.push((record.comment(child).to_owned(), Some(mv)));
                left.push(child);
            }
        }
        comments
    }

    proptest! {
        #[test]
        fn any_tree_comes_back(choices in proptest::collection::vec((0_u8..9, 0_usize..8, "(\\PC|[{}();\\[\\]\"\\n 1.*-]){0,12}"), 0..120)) {
            let mut record = Record::new("kalah:3x3".parse().unwrap(), ["random".into(), "max".into()], Some(1));
            for (what, index, comment) in choices {
                match what {
                    0 => { (0..=index).for_each(|_| { record.back(); }); }
                    1 => record.set_comment(record.at(), &comment),
                    2 => _ = record.promote(record.at()),
                    _ => {
                        let moves = record.position().moves();
                        if !moves.is_empty() {
                            record.play(moves[index % moves.len()]);
                        }
                    }
                }
            }
            let text = write(&record);
            let again = read(&text).unwrap();
            prop_assert_eq!(again.len(), record.len());
            prop_assert_eq!(comments(&again), comments(&record));
            prop_assert_eq!(write(&again), text);
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "(\\PC|[\\[\\](){};\"\\n<> A-Fa-f0-9.*-]|\\[Game \"kalah\"\\]){0,60}") {
            let _ = read(&text);
        }
    }

    proptest! {
        #[test]
        fn times_come_back_from_every_format(moves in proptest::collection::vec((0_usize..20, 0_u64..400_000, any::<bool>()), 0..40)) {
            for (game, is_pdn) in [("othello", false), ("checkers", true), ("kalah", false)] {
                let variant: Variant = game.parse().unwrap();
                let mut record = Record::new(variant, ["a".into(), "b".into()], None);
                for &(index, time, has_clock) in &moves {
                    let legal = record.position().moves();
                    if record.ending().is_some() || !record.play(legal[index % legal.len()]) {
                        break;
                    }
                    let clock = Some(Duration::from_secs(time)).filter(|_| has_clock);
                    record.set_comment(record.at(), &timed("", Duration::from_millis(100 * time), clock));
                }
                let text = super::write(&record);
                let again = super::read(&text).unwrap();
                let marks = |record: &Record, node| Marks::parse(record.comment(node));
                for step in record.line() {
                    prop_assert_eq!(marks(&again, step.node), marks(&record, step.node));
                    prop_assert_eq!(time_of_move(&again, step.node), time_of_move(&record, step.node));
                }
                prop_assert_eq!(super::write(&again), text);
                let other = if is_pdn {
                    pdn::write(&record).and_then(|text| pdn::FORMAT.open(vec![text.into_bytes()]).ok()?.read(0, variant).ok())
                } else {
                    ggf::write(&record).and_then(|text| ggf::read(&text).ok())
                };
                for step in other.iter().flat_map(Record::line) {
                    prop_assert_eq!(time_of_move(other.as_ref().unwrap(), step.node), time_of_move(&record, step.node));
                }
            }
        }
    }
}
