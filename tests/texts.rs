//! Every parser of user-written text, fed with damaged input: none panics, time and memory stay proportional to the
//! input, and accepted input prints back to itself.

use std::fmt::Display;
use std::fs;
use std::str::FromStr;
use std::time::Duration;

use mancalab::arena::{Pairs, Sprt};
use mancalab::config::{Config, DEFAULT_TEXT};
use mancalab::game::Variant;
use mancalab::game::notation::{self, ggf};
use mancalab::paths::Paths;
use mancalab::player::Spec;
use mancalab::player::heuristic::Weights;
use mancalab::player::heuristic::weights::DEFAULT_TEXT as WEIGHTS;
use mancalab::program::Tree;
use mancalab::program::kalah::{PRINTED, Program};
use mancalab::sanitize;
use mancalab::tabs::board::OpenedGame;
use mancalab::term::Chord;
use mancalab::theme::{ColorDepth, Theme};
use proptest::prelude::*;
use proptest::sample::{Index, select};

const GAME: &str = "[Game \"kalah:6x4:standard\"]\n[South \"human\"]\n[North \"program:a\\\"b\"]\n[Seed \"7\"]\n[Date \"2026\"]\n\
                    [Start \"<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S\"]\n[Result \"*\"]\n\n1. C F 2. a (2. b e 3. A) (2. c) 3. D ; so\n{ on }";

const OTHELLO: &str = "[Game \"othello:8x8:standard\"]\n[Black \"human\"]\n[White \"mcts:ms=9\"]\n[Seed \"3\"]\n[Result \"*\"]\n\n\
                       1. f5 2. d6 (2. f4 3. e3) (2. f6) 3. c3 { pass? } 4. d3 5. c4";

const GAMES: &[&str] = &[
    GAME,
    "[Game \"kalah:3x3\"]\n1. A 2. b 3. (3. A) *",
    "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> N",
    OTHELLO,
    "f5d6c3d3c4f4f6f3e6e7",
    "1. F5 d6 2. C3\nd3",
    "---------------------------OX------XO--------------------------- X",
];

const POSITIONS: &[&str] = &[
    "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S",
    "< 6, 1, 2, 4,4,4,4,4,0,4,4,4,4,4,4 >\nn",
    "<6,20,20,0,0,0,0,0,0,1,2,0,0,0,5>",
];

const SQUARES: &[&str] = &[
    "---------------------------OX------XO--------------------------- X",
    "........\n........\n..www...\n...wb...\n...bb...\n........\n........\n........ b\n",
    "XO------________X-O_____*0bBwW_._________________________________o",
];

const PROGRAMS: &[&str] = &[
    "# a comment\n(if (1) < (value at [(2)]) do (-3) else do ((4) + ((5) - (6))))\n",
    "(if< 1 (@ 2) -3 (+ 4 (- 5 6)))",
    "; one\n7\n",
    PRINTED[0].1,
];

const PLAYERS: &[&str] = &[
    "minimax:4:ms=9:ties=random",
    "heuristic:4@0.1,0.2,0.3,1,0,0.5,0,0,0,0.9:judged=path:near=printed",
    "heuristic:2@table3-19:ties=random",
    "mcts:500:eps=0.25:rollout=random:reuse=yes",
    "mcts:ms=40",
    "program:random:77",
    "program:no/such: file",
    "program:figure5-1",
    "staged:( white ),75,( / ( + white_corners 10 ) black_edges ),25:depth=3:overlap=20",
    "staged:( adf2 white -2.5 ) where adf2 = ( * arg1 arg2 ),100:near=x:edges=whole",
];

const VARIANTS: &[&str] = &[
    "kalah:6x4:standard",
    "kalah:3x3:empty",
    "kalah",
    "othello",
    "othello:8x8:parallel",
    "checkers",
    "checkers:limit=40",
];
const PAIRS: &[&str] = &["1-2 2-1:500", "all", "1-1,2-2,1-3:7"];
const SPRTS: &[&str] = &["0,50", "-10.5,10", "0,1e2"];
const CHORDS: &[&str] = &["ctrl-l", "u", "alt-f4", "shift-tab", "space", "?"];

const THEME: &str = "name = \"mine\"\ninherits = 'dark'\n[palette]\nred = \"#ff0000\"\nblue = 4\n[roles]\n\
                     text = { fg = 'red', bold = true }\nselection = 'bright-blue'\n";

/// Text fragments that a typo, a damaged disk or an attacker may insert.
const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "\"",
    "'",
    "\\",
    "\n",
    "\r\n",
    " ",
    ",",
    ":",
    "@",
    "=",
    "-",
    "+",
    ".",
    ";",
    "#",
    "*",
    "/",
    "0",
    "1",
    "18446744073709551616",
    "-1",
    "1e-300",
    "1e308",
    "nan",
    "inf",
    "0.0000001",
    "\0",
    "\u{1b}[31m",
    "\u{202e}",
    "\u{feff}",
    "é",
    "漢",
    "e\u{301}",
    "ms=",
    "ties=",
    "ſ",
    "İ",
    "A",
    "a",
    "[x]\n",
    "k = 1\n",
    "(1)",
];

/// One edit of a text: position, length of the cut, inserted piece, and how often it is inserted.
type Change = (Index, usize, &'static str, usize);

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let often = prop_oneof![8 => 0..3_usize, 1 => 50..200_usize];
    proptest::collection::vec(
        (any::<Index>(), prop_oneof![4 => 0..3_usize, 1 => 0..60_usize], select(PIECES), often),
        0..8,
    )
}

fn damaged(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    (select(texts), changes()).prop_map(|(text, changes)| {
        let mut text: Vec<char> = text.chars().collect();
        for (at, cut, piece, often) in changes {
            let at = at.index(text.len() + 1);
            let end = (at + cut).min(text.len());
            text.splice(at..end, piece.repeat(often).chars().collect::<Vec<_>>());
        }
        text.into_iter().collect()
    })
}

/// Checks that a message consists of lines of printable text.
fn assert_plain(message: &str) {
    assert!(!message.contains(|c| !matches!(c, '\n' | '\t') && sanitize::is_hidden(c)), "{message:?}");
}

/// Checks that parsing and printing round-trips, twice.
fn comes_back<T: FromStr<Err: Display> + Display + PartialEq + std::fmt::Debug>(text: &str) {
    if let Ok(value) = text.parse::<T>() {
        let written = value.to_string();
        let again = written.parse::<T>().unwrap_or_else(|error| panic!("{text:?} -> {written:?}: {error}"));
        assert_eq!(again, value, "{text:?} -> {written:?}");
        assert_eq!(again.to_string(), written);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn games(text in damaged(GAMES)) {
        match notation::read(&text) {
            Err(error) => assert_plain(&error.to_string()),
            Ok(record) => {
                let written = notation::write(&record);
                let again = notation::read(&written).unwrap();
                prop_assert_eq!(&again.players, &record.players);
                prop_assert_eq!(&again.headers, &record.headers);
                prop_assert_eq!((again.len(), again.seed, again.result()), (record.len(), record.seed, record.result()));
                prop_assert_eq!(notation::write(&again), written);
            }
        }
        for usual in [VARIANTS[1], "othello"] {
            match OpenedGame::read(&text, usual.parse().unwrap()) {
                Err(error) => assert_plain(&error.to_string()),
                Ok(opened) => {
                    let written = notation::write(&opened.record);
                    prop_assert_eq!(notation::write(&notation::read(&written).unwrap()), written);
                }
            }
        }
    }

    /// A parsed transcript prints as one that parses to the same.
    #[test]
    fn transcripts(text in damaged(&["f5d6c3d3c4f4f6f3e6e7", "1. F5 d6 2. C3 -- \n d3", "c4c3d3c5b2"])) {
        if let Ok(record) = notation::read_any(&text, "othello".parse::<Variant>().unwrap())
            && let Some(moves) = notation::transcript(&record)
            && !moves.is_empty()
        {
            let again = notation::read_any(&moves, "othello".parse::<Variant>().unwrap()).unwrap();
            prop_assert_eq!(notation::transcript(&again), Some(moves));
        }
    }

    #[test]
    fn positions_on_squares(text in damaged(SQUARES)) {
        let variant: Variant = "othello".parse().unwrap();
        match variant.position_from_text(&text) {
            Err(error) => assert_plain(&error.to_string()),
            Ok(position) => prop_assert_eq!(variant.position_from_text(&position.to_text()), Ok(position)),
        }
    }

    #[test]
    fn positions(text in damaged(POSITIONS)) {
        let variant: Variant = VARIANTS[0].parse().unwrap();
        match variant.position_from_text(&text) {
            Err(error) => assert_plain(&error.to_string()),
            Ok(position) => {
                let again = variant.position_from_text(&position.to_text()).unwrap();
                prop_assert_eq!(again, position);
            }
        }
    }

    #[test]
    fn programs(text in damaged(PROGRAMS)) {
        match Program::parse(&text) {
            Err(error) => assert_plain(&error.to_string()),
            Ok(program) => for written in [program.to_notation(), program.to_sexpr()] {
                prop_assert_eq!(&Tree::parse(&written).unwrap(), &program, "{}", written);
            },
        }
    }

    #[test]
    fn weights(text in damaged(&[WEIGHTS, "[weights]\nw1 = -3\n"])) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w.toml");
        fs::write(&path, &text).unwrap();
        match Weights::read(&path) {
            Err(report) => assert_plain(&report.to_string()),
            Ok(weights) => {
                weights.write(&path, &[("from", text)]).unwrap();
                prop_assert_eq!(Weights::read(&path).unwrap(), weights);
            }
        }
    }

    #[test]
    fn themes(text in damaged(&[THEME])) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.toml");
        fs::write(&path, &text).unwrap();
        if let Err(report) = Theme::load(path.to_str().unwrap(), ColorDepth::True, &Paths::default()) {
            assert_plain(&report.to_string());
        }
    }

    #[test]
    fn configs(text in damaged(&[DEFAULT_TEXT, "[keys]\nboard.undo = ['u', 'ctrl-z']\n[board]\nautoplay = 2\n"])) {
        if let Err(report) = Config::check_text("x.toml", &text) {
            assert_plain(&report.to_string());
        }
    }

    #[test]
    fn players(text in damaged(PLAYERS)) {
        comes_back::<Spec>(&text);
        // Without opening files the same is known of a text, except for the file's contents.
        if Spec::file_in(&text).is_err() {
            prop_assert!(text.parse::<Spec>().is_err());
        }
    }

    #[test]
    fn lists_of_players(text in damaged(&["max, minimax:4,heuristic:4@0.1,0.2,0.3,1,0,0.5,0,0,0,0.9:ties=random,mcts:10"])) {
        if let Ok(players) = Spec::list(&text) {
            let written: Vec<String> = players.iter().map(Spec::to_string).collect();
            prop_assert_eq!(Spec::list(&written.join(",")).unwrap(), players);
        }
    }

    #[test]
    fn small_texts(
        variant in damaged(VARIANTS), pairs in damaged(PAIRS), sprt in damaged(SPRTS), chord in damaged(CHORDS),
    ) {
        comes_back::<Variant>(&variant);
        comes_back::<Pairs>(&pairs);
        comes_back::<Sprt>(&sprt);
        comes_back::<Chord>(&chord);
    }
}

/// Processor time of this thread: a busy machine does not lengthen it.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// A parser and its name.
type Reader<'a> = (&'a str, &'a dyn Fn(&str));

/// A quarter of a megabyte of each kind of bad input is parsed or rejected in a second of a debug build, far below the time
/// of a quadratic parser.
#[test]
fn much_of_anything_is_answered() {
    const SIZE: usize = 1 << 18;
    let game = |text: &str| _ = notation::read(text).map(|record| notation::write(&record));
    let readers: &[Reader<'_>] = &[
        ("game", &|text| game(text)),
        ("moves", &|text| game(&format!("[Game \"kalah\"]\n{text}"))),
        ("header", &|text| game(&format!("[Game \"kalah\"]\n[South \"{text}\"]"))),
        ("position", &|text| _ = OpenedGame::read(&format!("<{text}"), VARIANTS[0].parse().unwrap())),
        ("program", &|text| _ = Program::parse(text).map(|program| program.to_notation())),
        ("config", &|text| _ = Config::check_text("x.toml", text).map_err(|report| report.to_string())),
        ("keys", &|text| {
            _ = Config::check_text("x.toml", &format!("[keys]\n{text}")).map_err(|report| report.to_string())
        }),
        ("list", &|text| _ = Spec::list(text)),
        ("functions", &|text| _ = format!("staged:{text}").parse::<Spec>()),
        ("definition", &|text| _ = format!("staged:( adf1 white ) where adf1 = {text}").parse::<Spec>()),
        ("weights", &|text| _ = format!("heuristic:4@0,{text}").parse::<Spec>()),
        ("pairs", &|text| _ = text.parse::<Pairs>()),
        ("sprt", &|text| _ = text.parse::<Sprt>()),
        ("chord", &|text| _ = text.parse::<Chord>()),
        ("variant", &|text| _ = text.parse::<Variant>()),
        ("ggf", &|text| {
            drop(ggf::FORMAT.open(vec![text.into()]).map(|games| games.read(0, VARIANTS[0].parse().unwrap())))
        }),
    ];
    let pieces = [
        "(",
        "((1) + ",
        ")",
        "[",
        "{",
        "\"",
        "\n",
        "x",
        "0,",
        "1-2,",
        "a = 1\n",
        "a",
        " ",
        "C ",
        "(A)",
        "= ",
        "é",
        "( + ",
        "( white ),",
        "\u{301}",
    ];
    for (name, read) in readers {
        for piece in pieces {
            let text = piece.repeat(SIZE / piece.len());
            let began = processor_time();
            read(&text);
            let spent = processor_time() - began;
            assert!(spent < Duration::from_secs(5), "{name}, {piece:?}: {spent:?}");
        }
    }
}

/// One mistake per line: each is found, and reporting takes linear time.
#[test]
fn ten_thousand_mistakes_are_reported_at_once() {
    let lines = |line: &dyn Fn(usize) -> String| -> String { (0..10_000).map(line).collect() };
    let cases = [
        ("[ui]\n".to_owned() + &lines(&|index| format!("k{index} = 1\n")), "and 9,980 more"),
        (lines(&|index| format!("wrong line {index}\n")), "and 9,980 more"),
        (lines(&|index| format!("k{index} = 'x'\n")), "and 9,980 more"),
        (lines(&|index| format!("[s{index}]\n")), "and 9,980 more"),
        ("[keys]\n".to_owned() + &lines(&|index| format!("k{index} = 3\n")), "and 9,980 more"),
        (format!("ui = {{ {} }}", lines(&|index| format!("k{index} = 1, "))), "and 9,980 more"),
        ("[ui]\n".to_owned() + &lines(&|index| format!("{}{index} = 1\n", "k".repeat(100))), "and 9,980 more"),
    ];
    for (text, end) in cases {
        let began = processor_time();
        let output = Config::check_text("x.toml", &text).unwrap_err().to_string();
        assert!(output.ends_with(end), "{}", &output[output.len() - 200..]);
        assert!(output.len() < 40_000, "{}", output.len());
        let took = processor_time() - began;
        assert!(took < Duration::from_secs(10), "{took:?}");
    }
}

/// A result with words is not a game of checkers where Othello is assumed.
#[test]
fn a_text_without_moves_is_no_game_of_another_format() {
    let othello: Variant = "othello".parse().unwrap();
    for text in ["1-1. F5 d6 2. C3 -- \n d3", "1-0 well played"] {
        assert!(notation::read_any(text, othello).is_err(), "{text}");
    }
    assert!(notation::read_any("1-1. 11-15 24-20", othello).is_ok_and(|record| record.line().len() == 2));
}
