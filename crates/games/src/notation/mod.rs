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
mod lines;
pub(crate) mod marks;
pub mod pdn;
mod read;
mod words;
pub mod wthor;

use std::fmt;
use std::path::Path;
use std::time::Duration;

use mancalab_base::{Error, bail};

use super::record::{NodeId, Record};
use super::{Notation as _, Side, TextError, Variant};
use marks::time;
use read::is_remark;

pub use bare::read_any;
pub use collection::{Broken, Collection, Format, GameHeaders, Games};
pub use given::{AT_END, contradiction, given_outcome, given_result, result_in_words};
pub use marks::{Marks, split_times, timed, with_times};
pub use read::{read, transcript, unknown_headers, write};

/// Record header with the result that a file gives, if it differs from the result of the moves.
pub const AGREED: &str = "Agreed";

/// Record header with the seat that has resigned.
pub const RESIGNED: &str = "Resigned";

/// Record header with the reason for the end of a game, and its value if [`RESIGNED`] has lost on time.
pub const TERMINATION: &str = "Termination";
pub const ON_TIME: &str = "time forfeit";

/// Record header with what makes a game casual, such as `hints, take-back`; a rated game has none.
pub const CASUAL: &str = "Casual";

/// The game of texts that do not name one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DefaultGame {
    pub variant: Variant,
    /// Whether the user named the variant, which is otherwise that of the game on the board. Its rules then hold for
    /// files without rules, too, and a text of another game is an error.
    pub is_given: bool,
}

impl From<Variant> for DefaultGame {
    /// The variant of the game on the board.
    fn from(variant: Variant) -> DefaultGame {
        DefaultGame { variant, is_given: false }
    }
}

impl DefaultGame {
    /// The variant that the user named, or otherwise that of the game on the board.
    #[must_use]
    pub fn named(named: Option<Variant>, usual: Variant) -> DefaultGame {
        DefaultGame { variant: named.unwrap_or(usual), is_given: named.is_some() }
    }

    /// Checks that a record is of the game that the user named.
    ///
    /// # Errors
    /// It is of another one.
    pub fn check(&self, record: &Record) -> Result<(), Error> {
        let own = record.start().variant();
        let wanted = self.variant.start().variant();
        if self.is_given && own != wanted {
            bail!("a game of {own}, not of {wanted} as --game says");
        }
        Ok(())
    }
}

/// Why and where a text could not be read further.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadFailure {
    pub error: TextError,
    /// The game up to there, at its end; `None` if not even its start is known.
    pub begun: Option<Box<Record>>,
}

impl From<TextError> for ReadFailure {
    fn from(error: TextError) -> ReadFailure {
        ReadFailure { error, begun: None }
    }
}

impl fmt::Display for ReadFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for ReadFailure {}

/// What a user should know of a record that was read, in sentences without a full stop.
pub fn remarks(record: &Record) -> Vec<String> {
    let unknown = unknown_headers(record).into_iter().map(|name| format!("[{name}]")).collect::<Vec<_>>().join(", ");
    let unknown = (!unknown.is_empty()).then(|| format!("ignored the unknown header {unknown}"));
    record.notes.iter().cloned().chain(contradiction(record)).chain(unknown).collect()
}

/// What formats without variations lose of a record.
const MAIN_LINE_ONLY: &str = "variations";

/// Result text of the record's main line, `*` for an unfinished game.
pub fn result_text(record: &Record) -> String {
    let end = record.main_end();
    let position = record.position_at(end);
    record.ending_at(end).map_or("*".to_owned(), |ending| with_position!(position, pos => pos.result_text(&ending)))
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

/// Record header with the time control: the seconds of each side and of each turn, as in `300+3`.
pub const TIME_CONTROL: &str = "TimeControl";

/// The time that the move to a position took: as its comment has it, or else by the clock of its side, before and after.
#[must_use]
pub fn time_of_move(record: &Record, node: NodeId) -> Option<Duration> {
    let Marks { time, clock, .. } = Marks::parse(record.comment(node));
    time.or_else(|| {
        let clock = clock?;
        let (parent, _) = record.came(node)?;
        let side = record.position_at(parent).side();
        let control = record.header(TIME_CONTROL).and_then(time_control);
        let before = time_left(record, parent, side).or(control.map(|(base, _)| base))?;
        let has_turned = record.position_at(node).side() != side;
        let increment = control.filter(|_| has_turned).map_or(Duration::ZERO, |(_, increment)| increment);
        (before + increment).checked_sub(clock)
    })
}

/// The time that a side has left at a position: that of its last move up to there that has one.
#[must_use]
pub fn time_left(record: &Record, node: NodeId, side: Side) -> Option<Duration> {
    std::iter::successors(Some(node), |&node| record.parent(node)).find_map(|node| {
        let (parent, _) = record.came(node)?;
        let is_it = record.position_at(parent).side() == side && record.comment(node).contains("[%");
        Marks::parse(record.comment(node)).clock.filter(|_| is_it)
    })
}

/// Base and increment of a time control, `300+3` or as in GGF `05:00/00:03/02:00`.
#[must_use]
pub fn time_control(text: &str) -> Option<(Duration, Duration)> {
    let is_clock = text.split('/').next().is_some_and(|base| base.contains(':'));
    let mut parts = text.split(if is_clock { '/' } else { '+' });
    let base = time(parts.next()?)?;
    match parts.next().map(str::trim) {
        None | Some("") => Some((base, Duration::ZERO)),
        Some(increment) => Some((base, time(increment)?)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Variant;
    use super::{ggf, pdn, timed, *};

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

    #[test]
    fn time_controls_are_read() {
        let seconds = |text: &str| time_control(text).map(|(base, more)| (base.as_secs(), more.as_secs()));
        for (text, control) in [
            ("300+3", Some((300, 3))),
            ("300", Some((300, 0))),
            ("05:00//02:00", Some((300, 0))),
            ("05:00/00:03", Some((300, 3))),
            ("40/7200", None),
            ("?", None),
            ("-", None),
        ] {
            assert_eq!(seconds(text), control, "{text}");
        }
    }

    #[test]
    fn a_move_took_what_its_mark_or_its_clock_gives() {
        let text = "[Game \"kalah\"]\n[TimeControl \"300+3\"]\n\nC {[%clk 0:04:58]} F {[%clk 0:04:55] [%emt 6.1]} b {[%emt 0.5]} \
                    d {[%clk 0:04:50]} A {fine} f {[%clk 0:04:51]}";
        let record = super::read(text).unwrap();
        let line = record.line();
        let took = line.iter().map(|step| time_of_move(&record, step.node).map(|time| time.as_millis()));
        assert_eq!(took.collect::<Vec<_>>(), [Some(2000), Some(6100), Some(500), Some(13_000), None, Some(2000)]);
        let left = |ply: usize, side| time_left(&record, line[ply].node, side).map(|time| time.as_secs());
        assert_eq!([left(1, Side::North), left(1, Side::South), left(4, Side::South)], [None, Some(295), Some(295)]);
        assert_eq!(left(5, Side::North), Some(291));
    }
}
