use proptest::prelude::*;

use super::*;
use crate::notation::{AGREED, Games, ON_TIME, RESIGNED, TERMINATION};
use crate::{Side, Variant};

const GAME: &str = "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]BO[8 \
                    ---------------------------O*------*O--------------------------- *]B[F5//0.5]W[F6]B[D3/1.2/3];)";

/// A match of two games on a game server, from a position.
const MATCH: &str = "2 (;GM[Othello]PC[GGS/os]DT[2009.07.01_02:52:45.MDT]PB[edax]PW[Roxane]RB[2691.38]RW[2693.68]\
    TI[05:00//02:00]TY[s8r18]RE[-10.000]BO[8 --**O--- --**---- --*OO--- ****OO-- ---O*--- --O-*--- -------- -------- *]\
    B[f1/-6.00/26.00]W[C5/8.00/25.36]B[d6/-8.00/9.00];)(;GM[Othello]PC[GGS/os]PB[Roxane]PW[edax]RE[+64.00:t]\
    BO[8 --**O--- --**---- --*OO--- ****OO-- ---O*--- --O-*--- -------- -------- *]B[F1/-8.00/26.32]W[C5];)\n";

fn othello() -> Variant {
    "othello".parse().unwrap()
}

fn open(text: &str) -> Games {
    FORMAT.open(vec![text.into()]).unwrap()
}

fn error(text: &str) -> String {
    open(text).read(0, othello()).unwrap_err().to_string()
}

#[test]
fn the_protocols_example_is_read_and_written() {
    let record = read(GAME).unwrap();
    assert_eq!((record.start(), record.variant), (&othello().start(), othello()));
    assert_eq!(record.players, ["./mEdax", "chris"]);
    let moves: Vec<String> = record.main_line().iter().map(|step| move_name(step.mv)).collect();
    assert_eq!(moves, ["F5", "F6", "D3"]);
    let comments: Vec<&str> = record.main_line().iter().map(|step| record.comment(step.node)).collect();
    assert_eq!(comments, ["[%emt 0.5]", "", "[%eval 1.2] [%emt 3]"]);
    let header = |name| record.header(name);
    assert_eq!((header("Site"), header("TimeControl"), header("GameType")), (Some("NBoard"), Some("15:00"), None));
    let written = write(&record).unwrap();
    let order = GAME.replace("RE[?]TI[15:00]TY[8]", "TI[15:00]TY[8]RE[?]");
    assert_eq!(written, order);
}

#[test]
fn games_of_a_match_are_games_of_their_own() {
    let games = open(&MATCH.repeat(2));
    assert_eq!(games.len(), 4);
    let header = |index: usize, name: &str| games.headers(index).header(name).to_owned();
    assert_eq!([header(0, "Black"), header(3, "Black")], ["edax", "Roxane"]);
    assert_eq!(
        [header(0, "Result"), header(1, "Result"), header(0, "Date")],
        ["27-37", "64-0", "2009.07.01_02:52:45.MDT"]
    );
    let record = games.read(2, othello()).unwrap();
    assert_eq!((record.ply(), record.start().side()), (3, Side::South));
    assert_eq!((record.header(AGREED), record.header("GameType")), (Some("27-37"), Some("s8r18")));
    let record = games.read(3, othello()).unwrap();
    let lost = [RESIGNED, TERMINATION, AGREED].map(|name| record.header(name));
    assert_eq!(lost, [Some("White"), Some(ON_TIME), None]);
    assert!(write(&record).unwrap().contains("RE[+64.00:t]"));
}

#[test]
fn results_come_back_unless_they_follow_from_the_moves() {
    for (result, agreed, resigned, written) in [
        ("-10.000", Some("27-37"), None, "-10.00:s"),
        ("+0.00:s", Some("32-32"), None, "+0.00:s"),
        ("+12.00:r", Some("38-26"), Some("White"), "+12.00:r"),
        ("-64:r", None, Some("Black"), "-64.00:r"),
        ("-64:t", None, Some("Black"), "-64.00:t"),
        ("+3.50", Some("+3.50"), None, "+3.50"),
        ("draw", Some("draw"), None, "draw"),
        ("?", None, None, "?"),
        ("", None, None, "?"),
    ] {
        let record = read(&GAME.replace("RE[?]", &format!("RE[{result}]"))).unwrap();
        assert_eq!((record.header(AGREED), record.header(RESIGNED)), (agreed, resigned), "{result}");
        let text = write(&record).unwrap();
        assert!(text.contains(&format!("RE[{written}]")), "{text}");
        assert_eq!(read(&text).unwrap().headers, record.headers);
    }
    // A game that ends with 13 : 0 is won by 64 discs, which some files do not count.
    let wiped_out = "F5D6C5F4E7F6G5E6E3";
    let moves: String =
        (0..9).map(|ply| format!("{}[{}]", ["B", "W"][ply % 2], &wiped_out[2 * ply..2 * ply + 2])).collect();
    for result in ["+64.00", "+13", "+64:s"] {
        let record =
            read(&GAME.replace("RE[?]", &format!("RE[{result}]")).replace("B[F5//0.5]W[F6]B[D3/1.2/3]", &moves))
                .unwrap();
        assert_eq!((record.ply(), record.header(AGREED)), (9, None), "{result}");
        assert!(write(&record).unwrap().contains("RE[+64.00]"));
    }
}

#[test]
fn a_pass_may_be_written_or_left_out() {
    let board = format!("BO[8 *O------{}*-O{} O]", "-".repeat(16), "-".repeat(37));
    for moves in ["W[PA]B[C1]", "W[pass//0.1]B[C1]", "B[C1]"] {
        let record = read(&format!("(;GM[Othello]{board}{moves};)")).unwrap();
        let names: Vec<String> = record.main_line().iter().map(|step| move_name(step.mv)).collect();
        assert_eq!(names, ["PA", "C1"]);
    }
}

#[test]
fn unknown_tags_and_comments_come_back() {
    let text = GAME
        .replace("TY[8]", "TY[8k]KM[-3.5]KB[f5/1/2]EV[Cup]Annotator[me]")
        .replace("W[F6]", "C[parallel?]W[F6]C[or\n  diagonal]C[!]");
    let record = read(&text).unwrap();
    assert_eq!(
        (record.header("GgfKM"), record.header("Event"), record.header("Annotator")),
        (Some("-3.5"), Some("Cup"), Some("me"))
    );
    assert!(crate::notation::unknown_headers(&record).is_empty());
    let line = record.main_line();
    assert_eq!([0, 1].map(|ply| record.comment(line[ply].node)), ["[%emt 0.5] parallel?", "or diagonal !"]);
    let mut again = read(&write(&record).unwrap()).unwrap();
    assert_eq!(write(&again), write(&record));
    again.headers.sort();
    let mut headers = record.headers.clone();
    headers.sort();
    assert_eq!(again.headers, headers);
}

#[test]
fn errors_name_the_game_the_place_and_what_was_expected() {
    let cases = [
        (
            GAME.replace("W[F6]", "W[A1]"),
            "game 1, White's move 1, line 1, column 174: found 'A1'; expected a move of White: f4, d6, f6",
        ),
        (
            GAME.replace("W[F6]", "B[F6]"),
            "game 1, White's move 1, line 1, column 174: found 'B[F6]'; expected a move of White",
        ),
        (
            GAME.replace("GM[Othello]", "GM[Amazons]"),
            "game 1, line 1, column 6: found 'Amazons'; expected a game of Othello, GM[Othello]",
        ),
        (GAME.replace("TY[8]", "TY[8a]"), "expected a game type without 'a'"),
        (GAME.replace("BO[8 -", "BO[10 -"), "expected 8, 64 squares, each *, O or -, and a side"),
        ("(;GM[Othello]B[F5];)".to_owned(), "the text ends here; expected the start position, BO[8 … *]"),
        (
            GAME.replace(";)", ""),
            "game 1, White's move 2, line 1, column 188: the text ends here; expected a tag such as B[F5], or ;) after the last",
        ),
        (GAME.replace("W[F6]", "W[F6"), "found 'F6B[D3/1.2/3'; expected a move of White"),
        ("(;GM[Othello]é".to_owned(), "found 'é'; expected a tag"),
        ("(;BO[8".to_owned(), "found 'BO[8'; expected a tag"),
    ];
    for (text, message) in cases {
        assert!(error(&text).contains(message), "{}\n{message}", error(&text));
    }
}

#[test]
fn a_broken_game_does_not_affect_the_others() {
    let broken = GAME.replace("W[F6]", "W[H8]");
    for third in [broken.as_str(), "(;GM[Othello]PB[never closed\n", "(;GM[Othello]BO[8 -", "(;GM"] {
        let text = [GAME, GAME, third, GAME, GAME].join("\n");
        let games = open(&text);
        let read: Vec<bool> = (0..games.len()).map(|index| games.read(index, othello()).is_ok()).collect();
        assert_eq!(read, [true, true, false, true, true], "{third}");
        assert!(games.read(2, othello()).unwrap_err().to_string().starts_with("game 3, "));
    }
    let begun = open(&broken).read(0, othello()).unwrap_err().begun.unwrap();
    assert_eq!(begun.ply(), 1);
}

#[test]
fn content_is_recognised_and_games_are_added() {
    for (text, is_ggf) in
        [(GAME, true), (MATCH, true), ("\u{feff}\n 2\n(;", true), ("(f5", false), ("2. f5", false), ("", false)]
    {
        let format = Format::of_content(text.as_bytes(), othello());
        assert_eq!(format.is_some_and(|format| format.name == "GGF"), is_ggf, "{text}");
    }
    let record = read(GAME).unwrap();
    let mut files = vec![b"PB[Andr\xe9] without a line end".to_vec()];
    FORMAT.add(&mut files, &record).unwrap();
    FORMAT.add(&mut files, &record).unwrap();
    assert_eq!((FORMAT.open(files.clone()).unwrap().len(), files[0].ends_with(b";)\n")), (2, true));
    let mut foreign = record;
    foreign.players[0] = "Ω".to_owned();
    assert!(FORMAT.add(&mut files, &foreign).unwrap_err().to_string().contains("Latin 1 lacks a letter"));
    let kalah = Record::new("kalah".parse().unwrap(), Default::default(), None);
    assert_eq!(FORMAT.add(&mut files, &kalah).unwrap_err().to_string(), "games of Kalah have no GGF");
}

#[test]
fn too_many_games_are_refused() {
    let text = "(;".repeat(super::super::collection::MOST_GAMES + 5);
    let error = FORMAT.open(vec![text.into()]).unwrap_err();
    assert_eq!(error.to_string(), "it has more than 1048576 games, the limit of a collection");
}

proptest! {
    #[test]
    fn any_main_line_comes_back(
        choices in proptest::collection::vec((0_usize..20, "(\\PC|[{}();/ ]){0,9}", 0_u8..4), 0..70),
        skipped in 0_usize..40,
        names in ["\\PC{0,12}", "[a-zé.]{1,9}"],
        seed in any::<Option<u64>>(),
    ) {
        // From a position in the middle of a game too.
        let mut start = othello().start();
        for (pick, _, _) in choices.iter().take(skipped) {
            let moves = start.moves();
            if !moves.is_empty() {
                start = start.play(moves[pick % moves.len()]);
            }
        }
        let plain = |text: &str| text.replace(['[', ']'], "").split_whitespace().collect::<Vec<_>>().join(" ");
        let mut record = Record::from_position(othello(), start, names.map(|name| plain(&name)), seed);
        record.headers.push(("Event".to_owned(), "Cup".to_owned()));
        for (pick, comment, marks) in choices.iter().skip(skipped) {
            let moves = record.position().moves();
            if moves.is_empty() || !record.play(moves[pick % moves.len()]) {
                break;
            }
            let marks = ["", "[%eval -1.5] ", "[%emt 2.1] ", "[%eval 3] [%emt 0:01] "][usize::from(*marks)];
            record.set_comment(record.at(), &format!("{marks}{}", plain(comment)));
        }
        let text = write(&record).unwrap();
        let again = read(&text).unwrap();
        prop_assert_eq!(again.line().iter().map(|step| step.mv).collect::<Vec<_>>(), record.line().iter().map(|step| step.mv).collect::<Vec<_>>());
        prop_assert_eq!((again.start(), &again.players, &again.headers, again.seed), (record.start(), &record.players, &record.headers, record.seed));
        for step in record.main_line() {
            prop_assert_eq!(again.comment(step.node), record.comment(step.node));
        }
        prop_assert_eq!(write(&again), Some(text));
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "(\\PC|[\\[\\]();A-H1-8*O/.-]|\\(;GM\\[Othello\\]|BO\\[8 |B\\[F5\\]){0,60}") {
        let games = open(&text);
        for index in 0..games.len() {
            _ = (games.headers(index), games.read(index, othello()));
        }
    }
}
