use proptest::prelude::*;

use super::super::{AGREED, Broken};
use super::{games, *};
use crate::{Move, notation};

fn checkers() -> Variant {
    "checkers".parse().unwrap()
}

fn only(text: &str) -> Result<Record, Broken> {
    let collection = games(text.to_owned());
    assert_eq!(collection.len(), 1, "{text}");
    collection.read(0, checkers())
}

fn error(text: &str) -> String {
    only(text).unwrap_err().to_string()
}

/// The moves and comments of a record, without headers.
fn body(record: &Record) -> String {
    write(record).unwrap().split("\n\n").nth(1).unwrap().trim_end().to_owned()
}

#[test]
fn moves_are_read_in_the_forms_that_files_have() {
    let same = "1. 11-15 22-18 2. 15x22 25x18 3. 8-11 *";
    for text in [
        "1. 11-15 22-18 2. 15x22 25x18 3. 8-11",
        "1.11-15 22-18 2.15x22 25x18 3.8-11 *",
        "11-15 22-18 15-22 25-18 8-11",
        "1... 11-15 1. ... 22-18 2 15:22 25X18 3. 08-11",
        "1. 1115 2218 2. 1522 2518 3. 811",
        "1. 11 - 15 22 - 18\r\n2. 15 x22 25 x 18 3. 8-\n11",
        "% a file\n1. 11-15 22-18 2. 15x22 25x18 3. 8-11",
    ] {
        assert_eq!(only(text).map(|record| body(&record)).as_deref(), Ok(same), "{text}");
    }
}

/// White has jumped to 14 over 18; Black can jump over two men.
const DOUBLE: &str = "[FEN \"B:W25,18:B15,1\"]\n[SetUp \"1\"]\n";

#[test]
fn jumps_are_read_whole_shortened_and_one_by_one() {
    let long = only(&format!("{DOUBLE}1. 15x22x29 1-0")).unwrap();
    for text in ["15x29", "15x22 22x29", "15-22-29", "15x22 {on} 22x29 "] {
        let record = only(&format!("{DOUBLE}1. {text} 1-0")).unwrap();
        assert_eq!(record.position(), long.position(), "{text}");
    }
    let message = error(&format!("{DOUBLE}1. 15x22 1-5"));
    assert_eq!(message, "game 1, Black's move 1, line 3, column 4: found '15x22'; expected a move of Black: 15x29");
    assert!(error(&format!("{DOUBLE}1. 15x22")).contains("found '15x22'"));
}

#[test]
fn what_is_printed_of_moves_is_kept() {
    let text = "{at first} 1. 11-15! {good} (1. 9-13(?) {why not} 22-18 ( 22-17 $7 ) ) 23-19* $14 2. 8-11 ; a line\n";
    let record = only(text).unwrap();
    assert_eq!(
        body(&record),
        "{at first} 1. 11-15! {good} (1. 9-13? {why not} 1... 22-18 (1... 22-17 $7)) 1...\n23-19 $7 $14 2. 8-11 {a line} *"
    );
    assert_eq!(body(&only(&body(&record)).unwrap()), body(&record));
    let clock = only("1. 11-15 {[%clk 1:55:21]} 23-19").unwrap();
    assert_eq!(clock.comment(1), "[%clk 1:55:21]");
}

#[test]
fn headers_become_players_results_and_the_rest() {
    let text = "[Event \"Match\"]\n[White \"Lafferty, D.\"]\n[Black \"Tinsley, M.\"]\n[Result \"1/2-1/2\"]\n[WhiteElo \"2400\"]\n\
                [Date \"1992.??.??\"]\n[GameType \"21,B,8,8,N1,0\"]\n\n1. 11-15 23-19 1/2-1/2\n";
    let record = only(text).unwrap();
    assert_eq!(record.players, ["Tinsley, M.", "Lafferty, D."]);
    assert_eq!(record.headers.last(), Some(&(AGREED.to_owned(), "1/2-1/2".to_owned())));
    let written = write(&record).unwrap();
    assert!(written.starts_with(
        "[Event \"Match\"]\n[Site \"?\"]\n[Date \"1992.??.??\"]\n[Round \"?\"]\n[White \"Lafferty, D.\"]\n"
    ));
    assert!(
        written.contains("[GameType \"21\"]\n[WhiteElo \"2400\"]\n") && written.ends_with("1. 11-15 23-19 1/2-1/2\n")
    );
    assert_eq!(write(&only(&written).unwrap()).unwrap(), written);
    // The same as a game file.
    let file = notation::write(&record);
    assert_eq!(write(&notation::read(&file).unwrap()).unwrap(), written, "{file}");
    // A game file can hold headers of any name.
    let record =
        only("[Event \"x\"]\n[White_Elo \"2400\"]\n[South \"noon\"]\n[Game \"first\"]\n[Seed \"x\"]\n1. 11-15")
            .unwrap();
    let again = notation::read(&notation::write(&record)).unwrap();
    assert_eq!((&again.headers, again.headers.len()), (&record.headers, 4));
    // Results as in other draughts games, and after the moves only.
    for (printed, result) in [("2-0", "1-0"), ("1-1", "1/2-1/2"), ("won by White", "won by White")] {
        let record = only(&format!("[Result \"{printed}\"]\n1. 11-15")).unwrap();
        assert_eq!(record.headers.last().unwrap().1, result);
    }
    assert_eq!(only("1. 11-15 0-1").unwrap().headers, [(AGREED.to_owned(), "0-1".to_owned())]);
    assert!(only("[Result \"*\"]\n1. 11-15 *").unwrap().headers.is_empty());
}

#[test]
fn a_position_rules_and_a_seed_come_back() {
    let variant: Variant = "checkers:limit=40".parse().unwrap();
    let start = variant.position_from_text("W:W21,K30:B5,K9").unwrap();
    let mut record = Record::from_position(variant, start, ["samuel:6".into(), "a \"b\"".into()], Some(7));
    record.play(start.moves()[0]);
    let text = write(&record).unwrap();
    assert!(text.contains("[SetUp \"1\"]\n[FEN \"") && text.contains("\n\n1... "), "{text}");
    assert_eq!(only(&text), Ok(record));
}

#[test]
fn games_that_break_the_rules_are_named_and_the_others_read() {
    let text = "[Event \"a\"]\n1. 11-15 23-19 1-0\n\n[Event \"b\"]\n1. 11-15 23-19 2. 8-12 1-0\n\n[Event \"c\"]\n1. 9-13 {open\n\n\
                [Event \"d\"]\n[GameType \"20\"]\n1. 32-28\n\n[Event \"e\"]\n[FEN \"B:W40:B1\"]\n\n[Event \"f\"]\n1. 9-14 *\n";
    let collection = games(text.to_owned());
    let bodies: Vec<String> = (0..collection.len())
        .map(|index| {
            collection.read(index, checkers()).map_or_else(|broken| broken.to_string(), |record| body(&record))
        })
        .collect();
    let expected = [
        "1. 11-15 23-19 1-0",
        "game 2, Black's move 2, line 5, column 19: found '8-12'; expected a move from 8: 8-11",
        "game 3, White's move 1, line 8, column 9: found '{'; expected a comment that ends with '}'",
        "game 4, line 11, column 1: found '[GameType \"20\"]'; expected a supported game type: 21 (Checkers)",
        "game 5, line 15, column 10: found '40'; expected a square from 1 to 32",
        "1. 9-14 *",
    ];
    assert_eq!(bodies, expected);
    // The valid part of an invalid game is available.
    let begun = collection.read(1, checkers()).unwrap_err().begun.unwrap();
    assert_eq!(begun.ply(), 2);
}

#[test]
fn errors_say_which_square_is_wrong() {
    let because = |text: &str| error(text).split("expected ").nth(1).unwrap().to_owned();
    assert_eq!(because("1. 11-15 23-33"), "a square from 1 to 32 (got 33)");
    assert!(because("1. 14-17").ends_with("; 14 is empty"));
    assert!(because("1. 22-18").ends_with("; the piece on 22 is not Black's"));
    assert!(because("1. 4-8").ends_with("; the piece on 4 cannot move"));
    assert_eq!(because("1. 11-14"), "a move from 11: 11-15, 11-16");
    assert!(because("1. c3-d4").starts_with("a move of Black: 9-13"));
    assert!(error("1. 11-15 22-18 2. 8-11").contains("expected a move of Black: 15x22"));
    assert!(because("(1. 9-13)").starts_with("a move before the variation"));
    assert!(because("1. 11-15 (1. 9-13").starts_with("a variation that ends with ')'"));
    assert!(because("1. 11-15 )").starts_with("a move of White"));
}

/// Two kings that move back and forth until the position has occurred three times.
fn drawn(and_then: &str) -> String {
    format!("[FEN \"W:WK30:BK1\"]\n{}\n{and_then}", "30-26 1-6 26-30 6-1 ".repeat(2))
}

#[test]
fn a_game_continues_where_no_one_claimed_the_draw() {
    let played = "30-25 1-5 (1-6! 25-21 {or so} (25-22 6-10)) (1-6) 25-21 $14 ( 25-22) 1-0";
    let record = only(&drawn(played)).unwrap();
    assert_eq!((record.ply(), result_of(&record)), (8, "1/2-1/2".to_owned()));
    let comment = "played on: 30-25 1-5 (1-6! 25-21 or so (25-22 6-10)) (1-6) 25-21 $14 (25-22)";
    assert_eq!(record.comment(record.at()), comment);
    assert_eq!(record.headers, [(AGREED.to_owned(), "1-0".to_owned())]);
    assert_eq!(body(&only(&write(&record).unwrap()).unwrap()), body(&record));
    // A variation of the last move before the draw belongs to the record.
    let record = only(&drawn("(6-2 30-25) 30-25 {so}")).unwrap();
    assert_eq!((record.comment(record.at()), record.len()), ("played on: 30-25 so", 11));
    // Each variation has its own comment.
    let limited = "[Rules \"checkers:limit=1\"]\n1. 11-15 22-18 (1... 23-19 {a} 2. 8-11 {b} (2. 9-14) 22-17) 2. 15x22";
    let output = body(&only(limited).unwrap()).replace('\n', " ");
    let expected = "1. 11-15 22-18 {played on: 15x22} (1... 23-19 {a played on: 8-11 b (9-14) 22-17}) 1/2-1/2";
    assert_eq!(output, expected);
}

fn result_of(record: &Record) -> String {
    notation::result_text(record)
}

#[test]
fn what_is_played_on_behind_a_draw_must_be_legal() {
    let error = |and_then: &str| error(&drawn(and_then));
    assert_eq!(
        error("99-100"),
        "game 1, White's move 5, line 3, column 1: found '99-100'; expected a square from 1 to 32 (got 99)"
    );
    assert!(error("30-25 1-5 30-26").contains("White's move 6") && error("30-25 1-5 30-26").ends_with("; 30 is empty"));
    assert!(error("30-25 1-5 (1-9) 25-21").ends_with("found '1-9'; expected a move from 1: 1-5, 1-6"));
    assert!(error("30-25 ((30-26)) 1-5").ends_with("expected a move before the variation"));
    assert!(error("30-25 (30-26").ends_with("expected a variation that ends with ')'"));
    assert!(error("30-25 )").contains("found ')'; expected a move of Black: 1-5, 1-6"));
    assert!(error("30-25 nonsense").contains("found 'nonsense'; expected a move of Black"));
    let over = error("30-26 1-6 26-23 6-10 23-19 10-15 19x10 5-1");
    assert!(over.ends_with("found '5-1'; expected no more moves: the game is over"), "{over}");
    let begun = only(&drawn("30-25 1-5 99-100")).unwrap_err().begun.unwrap();
    assert_eq!(begun.comment(begun.at()), "played on: 30-25 1-5");
}

#[test]
fn digits_alone_are_the_number_that_is_due_or_a_legal_move() {
    let same = "1. 11-15 23-19 2. 8-11 22-17 3. 4-8 *";
    for text in [
        "1 11-15 23-19 2 8-11 22-17 3 4-8",
        "1 1115 2319 2 811 2217 3 48",
        "1. 1115 2319 2. 811 2217 3. 48",
        "1115 2319 811 2217 48",
        "31 11-15 23-19 32 8-11 22-17 33 4-8",
        "1 11-15 1 23-19 2 8-11 2 22-17 3 4-8 3",
        "1) 11-15 23-19 2) 8-11 22-17 3) 4-8 (7) 3)",
    ] {
        let record = only(text).unwrap_or_else(|broken| panic!("{text}: {broken}"));
        assert_eq!(body(&record).replace(" {7}", ""), same, "{text}");
    }
    assert!(only("31 {from elsewhere} 11-15").is_ok());
    let wrong = error("1. 11-15 23-19 2. 8-11 22-17 3. 929");
    assert!(wrong.contains("Black's move 3, line 1, column 33: found '929'; expected a move of Black: "), "{wrong}");
    assert!(error("100 11-15").contains("found '100'; expected a move of Black"));
    assert!(error("1. 11-15 23-19 7").contains("found '7'; expected a move of Black"));
    let blank =
        "game 1, Black's move 1, line 1, column 1: found '11 15'; expected 11-15, with a mark between the squares";
    assert_eq!(error("11 15 23 18"), blank);
    assert!(error("1. 11-15 23 19").ends_with("found '23 19'; expected 23-19, with a mark between the squares"));
    assert!(error("23 18 11 15").contains("found '23'; expected a move of Black"));
}

/// More than a hundred moves, numbered without dots.
#[test]
fn numbers_of_three_digits_are_passed_over_where_they_are_due() {
    let steps = ["30-26", "1-6", "26-30", "6-1"].into_iter().cycle();
    let numbered =
        |(ply, step): (usize, &str)| if ply % 2 == 1 { format!("{} {step} ", ply / 2 + 2) } else { format!("{step} ") };
    let text = format!("[FEN \"W:WK30:BK1\"]\n{}", steps.take(220).enumerate().map(numbered).collect::<String>());
    let record = only(&text).unwrap();
    assert_eq!(record.comment(record.at()).split_whitespace().count(), 2 + 212);
    let wrong = error(&text.replace("105 ", "205 "));
    assert!(wrong.contains("Black's move 105") && wrong.contains("found '205'"), "{wrong}");
}

#[test]
fn how_a_game_ended_may_be_printed_in_words() {
    for (words, result) in [
        ("Drawn", "1/2-1/2"),
        ("Draw.", "1/2-1/2"),
        ("White wins", "0-1"),
        ("black wins", "1-0"),
        ("White resigned after long thought", "1-0"),
    ] {
        let text = format!("[Event \"a\"]\n1. 11-15 23-19 {words}\n\n[Event \"b\"]\n1. 9-13 *");
        let collection = games(text.clone());
        assert_eq!(collection.len(), 2);
        let record = collection.read(0, checkers()).unwrap();
        assert_eq!(body(&record), format!("1. 11-15 23-19 {{{words}}} {result}"));
        assert!(record.headers.contains(&(AGREED.to_owned(), result.to_owned())), "{:?}", record.headers);
        assert!(collection.read(1, checkers()).is_ok());
    }
    // A numeric result takes precedence over words.
    assert_eq!(body(&only("1. 11-15 1-0 Black resigned").unwrap()), "1. 11-15 {Black resigned} 1-0");
    assert_eq!(body(&only("1. 11-15 Drawn 1/2-1/2").unwrap()), "1. 11-15 {Drawn} 1/2-1/2");
    assert_eq!(body(&only("1. 11-15 (1. 9-13 Drawn) 23-19").unwrap()), "1. 11-15 (1. 9-13 {Drawn}) 1... 23-19 *");
    let early = error("1. 11-15 Drawn 23-19");
    assert!(early.contains("column 10: found 'Drawn'; expected a move of White"), "{early}");
}

#[test]
fn words_in_parentheses_are_a_comment() {
    let record = only("1. 11-15 (see game 3) 23-19 2. 8-11 (White wins) (2. 9-14) *").unwrap();
    let comments = ["", "see game 3", "", "White wins"].map(str::to_owned);
    assert_eq!((0..4).map(|node| record.comment(node).to_owned()).collect::<Vec<_>>(), comments);
    assert!(error("1. 11-15 23-19 (1... 23-18 is better) 2. 8-11").contains("found 'is'"));
}

#[test]
fn positions_may_have_counts_behind_them() {
    let record = only("[FEN \"B:W18,25:B14,1:H0:F1\"]\n1. 14x23 *").map(|record| record.start().to_text());
    assert_eq!(record.as_deref(), Ok("B:W18,25:B1,14"));
}

#[test]
fn texts_without_headers_are_read_alike() {
    let numbered = notation::read_any("1) 11-15 23-19 2) 8-11 Drawn", checkers()).unwrap();
    assert_eq!(body(&numbered), "1. 11-15 23-19 2. 8-11 {Drawn} 1/2-1/2");
    let record = notation::read_any("1. 11-15! 22-18 {so} 2. 15x22 25x18 (2... 26x17) 1-0", checkers()).unwrap();
    assert_eq!(body(&record), "1. 11-15! 22-18 {so} 2. 15x22 25x18 (2... 26x17) 1-0");
    assert_eq!(record.players, ["human", "human"]);
}

#[test]
fn older_files_are_in_latin_1() {
    let collection = games(decode(b"[White \"Andr\xe9\"]\n1. 11-15 *"));
    assert_eq!(collection.headers(0).header("White"), "André");
}

#[test]
fn a_large_file_is_listed_at_once() {
    let game = "[Event \"a\"]\n[White \"b\"]\n[Black \"c\"]\n[Result \"*\"]\n\n1. 11-15 23-19 {so} 2. 8-11 22-17 *\n\n";
    let collection = games(game.repeat(5000));
    assert_eq!(collection.len(), 5000);
    assert_eq!(body(&collection.read(4999, checkers()).unwrap()), "1. 11-15 23-19 {so} 2. 8-11 22-17 *");
}

/// Every comment with its move, the main line first.
fn output(record: &Record) -> Vec<(String, Option<Move>)> {
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

/// Mostly legal moves after the draw, and other text between them.
const PLAYED_ON: [&str; 14] = [
    "30-25",
    "1-5",
    "25-30",
    "5-1",
    "30-26",
    "1-6",
    "(30-26 1-6 26-30)",
    "(30-25)",
    "(1-5 30-25)",
    "(",
    ")",
    "!",
    "{a (b}",
    "6.",
];

proptest! {
    #[test]
    fn any_game_comes_back(
        names in ("\\PC{0,9}", "\\PC{0,9}"),
        choices in proptest::collection::vec((0_u8..12, 0_usize..9, "(\\PC|[{}();!?$\\[\\]\"\\n 17.*-]){0,12}"), 0..160),
    ) {
        let mut record = Record::new(checkers(), [names.0, names.1], Some(1));
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
        let text = write(&record).unwrap();
        let collection = games(format!("{text}\n{text}"));
        prop_assert_eq!(collection.len(), 2);
        let again = collection.read(1, checkers()).map_err(|broken| TestCaseError::fail(format!("{broken}\n{text}")))?;
        prop_assert_eq!(output(&again), output(&record));
        prop_assert_eq!(write(&again).unwrap(), text);
    }

    #[test]
    fn what_is_played_on_comes_back(words in proptest::collection::vec(prop::sample::select(PLAYED_ON.to_vec()), 0..8)) {
        let text = drawn(&words.join(" "));
        let Ok(record) = games(text.clone()).read(0, checkers()) else { return Ok(()) };
        let again = only(&write(&record).unwrap()).map_err(|broken| TestCaseError::fail(format!("{broken}\n{text}")))?;
        prop_assert_eq!(output(&again), output(&record));
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "(\\PC|[\\[\\](){};%\"\\n<> x0-9.*!?$/½-]|\\[Event \"a\"\\]\n| 11-15 | 23 19 |Drawn|White wins|\\(see ){0,60}") {
        let collection = games(text.clone());
        for index in 0..collection.len() {
            let _ = collection.read(index, checkers());
        }
    }
}

/// Texts of 250 KB, which took half a minute or more before reading was linear.
#[test]
fn long_texts_take_time_in_proportion() {
    let begun = std::time::Instant::now();
    let many = |text: &str| text.repeat((256 << 10) / text.len());
    let move_and = |text: &str| format!("1. 11-15 {}", many(text));
    let texts = [
        move_and("{a}"),
        move_and("; a\n"),
        move_and("$9 "),
        move_and("! "),
        move_and("(see it)"),
        move_and("(9-13)"),
        many("1-0 11-15 "),
        many("[A \"b\"][B \"c\"] 1-0 "),
        (0..20_000).map(|number| format!("[H{number} \"x\"]")).collect(),
        many("[Event \"a\"]\n1. 11-15 {\n\n"),
    ];
    for text in texts {
        let collection = games(text.clone());
        assert!(!collection.is_empty(), "{}", &text[..40]);
        for index in 0..collection.len().min(10) {
            // Some of these are not games; only the time matters.
            let _ = collection.read(index, checkers());
        }
    }
    assert!(begun.elapsed() < std::time::Duration::from_secs(60), "{:?}", begun.elapsed());
}

fn found(text: &str) -> Vec<String> {
    let collection = games(text.to_owned());
    (0..collection.len()).map(|index| collection.game(index).trim().to_owned()).collect()
}

#[test]
fn games_are_parted_by_headers_and_results() {
    let cases = [
        ("[Event \"a\"]\n1. 11-15 1-0\n\n[Event \"b\"]\n1. 9-13 *", 2),
        ("[Event \"a\"]\n1. 11-15\n[Event \"b\"]\n1. 9-13", 2),
        ("[Event \"a\"][White \"x\"]\n[Event \"b\"]", 2),
        ("1. 11-15 23-19 * 1. 9-13 0-1 {after all}", 2),
        ("1. 11-15 (1. 9-13 1-0) 23-19 1-0", 1),
        ("11-15* 23-19 1-0 *", 1),
        ("[Event \"a\"]\n1. 11-15 1-0 White resigned\n[Event \"b\"]", 2),
        ("{nothing} ; at all\n% here 1-0\n", 0),
        ("[Event \"a\"]\n1. 11-15 { open\n\n[Event \"b\"]\n1. 9-13 } x\n[Event \"c\"]", 3),
        ("[Event \"a\"]\n1. what is this\n[Event \"b\"]\n1. 9-13", 2),
    ];
    for (text, count) in cases {
        assert_eq!(found(text).len(), count, "{text}: {:?}", found(text));
    }
    let games = found("{ before } [Event \"a\"]\n1. 11-15 1-0 {after}\n[Event \"b\"]");
    assert_eq!(games, ["{ before } [Event \"a\"]\n1. 11-15 1-0 {after}", "[Event \"b\"]"]);
}

#[test]
fn what_headers_say_and_where_games_begin_is_known() {
    let text = " [White \"x\"]\n[Date \"????.??.??\"]\n\n1. 11-15 *\n\n  [White \"y\"]";
    let found = games(text.to_owned());
    assert_eq!([0, 1].map(|index| found.place(index)), [(1, 2), (6, 3)]);
    let [one, two] = [0, 1].map(|index| found.headers(index));
    assert_eq!((one.header("White"), one.header("Date"), two.header("White")), ("x", "", "y"));
}
