//! Results by the standard, start positions, ambiguous captures, and games of Othello.

use crate::notation::{self, AGREED, AT_END, Broken, Collection as _, DefaultGame, RESIGNED};
use crate::record::Record;
use crate::{Outcome, Side, Variant};

use super::{games, winner, write};

fn variant(text: &str) -> Variant {
    text.parse().unwrap()
}

fn read(text: &str) -> Result<Record, Broken> {
    let collection = games(text.to_owned());
    assert_eq!(collection.len(), 1, "{text}");
    collection.read(0, variant("checkers"))
}

fn error(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

/// Black, who moves first, takes White's last piece.
const BLACK_WINS: &str = "[FEN \"B:W15:B11\"]\n1. 11x18";
const WHITE_WINS: &str = "[FEN \"W:W18:B15\"]\n1. 18x11";

#[test]
fn the_points_of_the_first_player_come_first() {
    assert_eq!(
        ["1-0", "0-1", "2-0", "1/2-1/2"].map(winner),
        ["Black won", "White won", "Black won", "a draw"].map(Some)
    );
    for (text, outcome, result) in [(BLACK_WINS, Outcome::Won, "1-0"), (WHITE_WINS, Outcome::Lost, "0-1")] {
        let record = read(&format!("[Result \"{result}\"]\n{text} {result}")).unwrap();
        assert_eq!(record.result().unwrap().outcome(Side::South), outcome);
        assert_eq!((notation::result_text(&record), &record.headers[..]), (result.to_owned(), &[][..]));
        assert!(notation::remarks(&record).is_empty());
        assert!(write(&record).unwrap().ends_with(&format!(" {result}\n")));
    }
}

#[test]
fn results_that_differ_are_kept_and_named() {
    let contradiction = |text: &str| notation::contradiction(&read(text).unwrap()).unwrap_or_default();
    let apart = "[Result \"1-0\"]\n1. 11-15 22-18 0-1";
    assert_eq!(contradiction(apart), "the results differ: given Black won, after the moves White won");
    let refuted = format!("[Result \"0-1\"]\n{BLACK_WINS}");
    assert_eq!(contradiction(&refuted), "the results differ: given White won, by the final position Black won");
    assert_eq!(contradiction("1. 11-15 1-0 Black resigned"), contradiction(apart));
    for agreed in ["1. 11-15 1-0 White resigned", "[Result \"1-0\"]\n1. 11-15 *", "[Result \"*\"]\n1. 11-15 1-0"] {
        assert_eq!(contradiction(agreed), "", "{agreed}");
    }
    // Both come back.
    let record = read(apart).unwrap();
    assert_eq!((record.header(AGREED), record.header(AT_END)), (Some("1-0"), Some("0-1")));
    let again = read(&write(&record).unwrap()).unwrap();
    assert_eq!((again.header(AGREED), again.header(AT_END)), (Some("1-0"), Some("0-1")));
}

#[test]
fn a_resignation_is_a_result() {
    let mut record = read("1. 11-15").unwrap();
    record.set_header(RESIGNED, Some("Black".to_owned()));
    let text = write(&record).unwrap();
    assert!(text.contains("[Result \"0-1\"]") && text.ends_with(" 0-1\n"), "{text}");
    assert_eq!(read(&text).unwrap().headers, record.headers);
}

/// Earlier versions wrote White's points first.
#[test]
fn finished_games_of_earlier_versions_are_recognised() {
    let older = format!("[Result \"0-1\"]\n[Seed \"7\"]\n{BLACK_WINS} 0-1");
    let record = read(&older).unwrap();
    assert_eq!((record.headers.len(), notation::contradiction(&record)), (0, None));
    assert_eq!(record.notes, ["an earlier version of this program wrote 0-1 for 1-0"]);
    let file = "[Game \"checkers\"]\n[Start \"B:W15:B11\"]\n[Result \"0-1\"]\n\n1. 11x18\n";
    assert!(notation::write(&notation::read(file).unwrap()).contains("[Result \"1-0\"]"));
}

#[test]
fn the_result_behind_an_unclaimed_draw_is_compared_with_the_final_position() {
    let shuffle = "30-26 1-6 26-30 6-1 ".repeat(2);
    let text = format!("[FEN \"W:WK30:BK1\"]\n[Result \"1-0\"]\n{shuffle} 30-26 1-6 26-23 6-10 23-19 10-15 19x10");
    let expected = "the results differ: given Black won, by the final position White won";
    assert_eq!(notation::remarks(&read(&text).unwrap()), [expected]);
    assert!(notation::remarks(&read(&text.replace("1-0", "0-1")).unwrap()).is_empty());
}

#[test]
fn a_start_position_is_never_left_out() {
    for name in ["FEN", "fen", "Position", "START", "Setup"] {
        let text = format!("[Event \"a\"]\n[{name} \"B:W30,21:B1,6\"]\n1. 6-9");
        assert_eq!(read(&text).unwrap().start().to_text(), "B:W21,30:B1,6", "{name}");
        let wrong = error(&format!("[Event \"a\"]\n  [{name} \"B:W30,21:B1,66\"]\n1. 6-9"));
        let column = 18 + name.len();
        assert_eq!(wrong, format!("game 1, line 2, column {column}: found '66'; expected a square from 1 to 32"));
    }
    let missing = error("[Event \"a\"]\n[Setup \"1\"]\n1. 11-15");
    assert!(
        missing.starts_with("game 1, line 2, column 1: found '[Setup \"1\"]'; expected a header [FEN"),
        "{missing}"
    );
    assert!(error("[FEN \"?\"]\n1. 11-15").starts_with("game 1, line 1, column 7: found '?'"));
    let second = error("[Event \"a\"]\n[FEN \"B:W30:B1\"]\n[Start \"B:W31:B1\"]\n1. 1-5");
    assert!(second.contains("line 3, column 1") && second.ends_with("expected no second start position"), "{second}");
    for none in ["[FEN \"\"]", "[FEN \"-\"]", "[SetUp \"0\"]"] {
        assert_eq!(*read(&format!("{none}\n1. 11-15")).unwrap().start(), variant("checkers").start());
    }
    let headers = "[black \"Ann\"]\n[WHITE \"Bob\"]\n[result \"1-0\"]\n[gametype \"21\"]\n1. 11-15";
    let record = read(headers).unwrap();
    assert_eq!((record.players.clone(), record.header(AGREED)), (["Ann".into(), "Bob".into()], Some("1-0")));
}

#[test]
fn a_man_on_its_last_row_is_a_king_with_a_note() {
    let record = read("[FEN \"B:W2,30:B6,K9\"]\n1. 9-13 *").unwrap();
    assert_eq!(record.start().to_text(), "B:WK2,30:B6,K9");
    assert_eq!(notation::remarks(&record), ["the man of White on 2, its last row, is a king"]);
}

#[test]
fn an_ambiguous_capture_takes_the_route_that_the_next_moves_need() {
    const FEN: &str = "[FEN \"B:W14,15,22,23,30:B10,1\"]\n";
    for (next, route, plies) in [("15-10 2. 1-5", "10x17x26", 3), ("{so} 30x23 2. 1-5 14-10", "10x19x26", 4)] {
        let record = read(&format!("{FEN}1. 10x26 (1. 10x19x26) {next} *")).unwrap();
        assert_eq!(record.main_line().len(), plies, "{next}");
        let note = format!(
            "line 2, column 4: 10x26 is ambiguous (10x17x26, 10x19x26); read as {route}, since the next moves need it"
        );
        assert_eq!(record.notes, [note]);
    }
    // The route that allows most of the moves, if none allows all.
    let broken = read(&format!("{FEN}1. 10x26 30x23 2. 1-5 15-10 *")).unwrap_err();
    assert!(broken.to_string().contains("White's move 2") && broken.to_string().contains("found '15-10'"), "{broken}");
    assert!(broken.begun.unwrap().notes[0].contains("read as 10x19x26"));
    let open = read(&format!("{FEN}1. 10x26 *")).unwrap();
    assert!(open.notes[0].ends_with("since the next moves fit several"), "{:?}", open.notes);
}

#[test]
fn words_before_the_result_may_lack_their_braces() {
    let record = read("1. 11-15 23-19Whiteoverstepped.\n1-0").unwrap();
    assert_eq!((record.comment(record.at()), record.header(AGREED)), ("Whiteoverstepped.", Some("1-0")));
    assert!(error("1. 11-15 23-l9 1-0").contains("found '23'"));
}

/// As Edax writes it, with the date twice.
const EDAX: &str = "[Event \"?\"]\n[Site \"edax\"]\n[Date \"2026.??.??\"]\n[Date \"2026.0.0\"]\n[Round \"?\"]\n[Black \"Ann\"]\n\
                    [White \"Bob\"]\n[Result \"1-0\"]\n\n 1. f5 d6 2. c3 d3! 3. c4 f4 (b3) {so}\n{Ann wins 34-30} 1-0\n\n\n";

#[test]
fn games_of_othello_are_read_whatever_is_on_the_board() {
    for usual in ["checkers", "kalah", "othello"] {
        let collection = games(EDAX.repeat(2));
        assert_eq!(collection.len(), 2);
        let record = collection.read(1, variant(usual)).unwrap();
        assert_eq!((record.variant, record.ply(), record.len()), (variant("othello"), 6, 8));
        assert_eq!((record.players.clone(), record.header(AGREED)), (["Ann".into(), "Bob".into()], Some("1-0")));
        assert_eq!(notation::result_in_words(&record.variant, "1-0"), "Black won");
    }
    let record = read("[Result \"34-30\"]\n1. F5 D6\n2. C3 D3\n34-30").unwrap();
    assert_eq!((record.ply(), record.header(AGREED), record.header(AT_END)), (4, Some("34-30"), None));
    let apart = read("[Result \"34-30\"]\n1. F5 D6 30-34").unwrap();
    assert_eq!(apart.header(AT_END), Some("30-34"));
    let wrong = error("[Event \"a\"]\n1. F5 D6\n2. A1");
    assert_eq!(
        wrong,
        "game 1, Black's move 2, line 3, column 4: found 'A1'; expected a move of Black: c3, c4, c5, c6, c7"
    );
    // From a position, in the form of Edax and of other programs, with a pass left out.
    for fen in ["8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1", "---------------------------OX------XO--------------------------- X"]
    {
        let record = read(&format!("[FEN \"{fen}\"]\n1. f5")).unwrap();
        assert_eq!((*record.start(), record.ply()), (variant("othello").start(), 1), "{fen}");
    }
    let board = format!("XO------{}X-O{} O", "-".repeat(16), "-".repeat(37));
    assert_eq!(read(&format!("[FEN \"{board}\"]\n1. c1")).unwrap().ply(), 2);
}

#[test]
fn a_named_game_is_the_one_that_is_read() {
    let read = |text: &str, game: &str| {
        let assumed = DefaultGame::named(Some(variant(game)), variant("kalah"));
        let record = games(text.to_owned()).read_as(0, assumed).unwrap();
        assumed.check(&record).map(|()| record.variant.to_string()).map_err(|error| error.to_string())
    };
    let headed = "[Event \"a\"]\n1. 11-15";
    assert_eq!(read(headed, "checkers:limit=40"), Ok("checkers:limit=40".to_owned()));
    assert_eq!(read("[Event \"a\"]", "othello"), Ok("othello:8x8:standard".to_owned()));
    assert!(read(headed, "othello").unwrap_err().starts_with("a game of checkers"));
    assert!(read(EDAX, "checkers").unwrap_err().starts_with("a game of othello"));
}
