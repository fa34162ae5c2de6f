//! Collections of Othello against plain readers and writers of their own, and the plain board of the rules' oracle.

use std::collections::HashMap;

use mancalab::game::notation::{ggf, wthor};
use mancalab::game::othello::{Othello, PASS, Start};
use mancalab::game::record::Record;
use mancalab::game::{Move, Position, Side, Variant};
use proptest::prelude::*;

use crate::othello_oracle::Oracle;

fn othello() -> Variant {
    "othello".parse().unwrap()
}

/// Plays by these choices on the plain board; returns each move with the position after it.
fn played(start: &Oracle, choices: &[usize]) -> Vec<(Move, Oracle)> {
    let mut now = start.clone();
    let mut line = Vec::new();
    for choice in choices {
        let moves = now.moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[choice % moves.len()];
        now = now.play(mv);
        line.push((mv, now.clone()));
    }
    line
}

/// A record of these moves.
fn record(start: Position, line: &[(Move, Oracle)]) -> Record {
    let mut record = Record::from_position(othello(), start, ["Ann".into(), "Bob".into()], None);
    line.iter().for_each(|(mv, _)| assert!(record.play(*mv)));
    record
}

fn square(mv: Move) -> String {
    let at = mv.index();
    [char::from(b'A' + (at % 8) as u8), char::from(b'1' + (at / 8) as u8)].iter().collect()
}

fn squares(record: &Record) -> [Option<Side>; 64] {
    Othello::try_from(*record.position()).unwrap().squares()
}

/// The tags of a game, and its moves with their colours.
type PlainGame = (HashMap<String, String>, Vec<(char, String)>);

/// Each game of a text without nested brackets.
fn plain_ggf(text: &str) -> Vec<PlainGame> {
    let game = |text: &str| {
        let mut tags = HashMap::new();
        let mut moves = Vec::new();
        for part in text.trim_start_matches(";").split_terminator(']') {
            let (name, value) = part.split_once('[').unwrap();
            match name {
                "B" | "W" => moves.push((name.chars().next().unwrap(), value.split('/').next().unwrap().to_owned())),
                _ => _ = tags.insert(name.to_owned(), value.to_owned()),
            }
        }
        (tags, moves)
    };
    text.lines().map(|line| game(line.strip_prefix("(").unwrap().strip_suffix(";)").unwrap())).collect()
}

fn long() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(0_usize..20, 130)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn ggf_is_read_by_a_plain_reader(games in proptest::collection::vec((long(), 0_usize..50, 0_usize..70), 1..5)) {
        let mut files = vec![Vec::new()];
        let mut expected = Vec::new();
        for (choices, skipped, length) in &games {
            let line = played(&Oracle::start(Start::Standard), choices);
            let skipped = (*skipped).min(line.len() - 1);
            let line = &line[..(skipped + 1 + length).min(line.len())];
            let start = Oracle::new(&line[skipped].1.squares(), line[skipped].1.side);
            let from = Othello::from_squares(&start.squares(), start.side).unwrap();
            ggf::FORMAT.add(&mut files, &record(from.into(), &line[skipped + 1..])).unwrap();
            expected.push((start, line[skipped + 1..].to_vec(), line.last().unwrap().1.clone()));
        }
        let read = plain_ggf(std::str::from_utf8(&files[0]).unwrap());
        prop_assert_eq!(read.len(), expected.len());
        for ((tags, moves), (start, line, end)) in read.iter().zip(&expected) {
            prop_assert_eq!(&tags["BO"], &format!("8 {} {}", start.squares().map(letter).iter().collect::<String>(), letter(Some(start.side))));
            prop_assert_eq!((&*tags["GM"], &*tags["PB"], &*tags["PW"]), ("Othello", "Ann", "Bob"));
            let result = if end.over() { format!("{:+}.00", end.margin()) } else { "?".to_owned() };
            prop_assert_eq!(&tags["RE"], &result);
            let mut side = start.side;
            let mut named = Vec::new();
            for (mv, _) in line {
                named.push((if side == Side::South { 'B' } else { 'W' }, if *mv == PASS { "PA".to_owned() } else { square(*mv) }));
                side = side.other();
            }
            prop_assert_eq!(moves, &named);
        }
    }

    /// In lower case, with evaluations and times, and without passes.
    #[test]
    fn ggf_of_a_plain_writer_is_read(choices in long(), spaced in any::<bool>()) {
        let start = Oracle::start(Start::Parallel);
        let line = played(&start, &choices);
        let board: Vec<String> = start.squares().chunks(8).map(|row| row.iter().map(|&disc| letter(disc)).collect()).collect();
        let mut text = format!("(;GM[Othello]BO[8 {} *]", board.join(if spaced { " " } else { "" }));
        for (ply, (mv, _)) in line.iter().enumerate().filter(|(_, (mv, _))| *mv != PASS) {
            let end = ["", "/-1.5", "//0.2", "/3/4.5"][ply % 4];
            text += &format!("{}[{}{end}]\n", ["B", "W"][ply % 2], square(*mv).to_lowercase());
        }
        let read = ggf::read(&(text + ";)")).unwrap();
        prop_assert_eq!(read.variant.to_string(), "othello:8x8:parallel");
        prop_assert_eq!(squares(&read), line.last().unwrap().1.squares());
        let moves: Vec<Move> = read.line().iter().map(|step| step.mv).collect();
        prop_assert_eq!(moves, line.iter().map(|(mv, _)| *mv).collect::<Vec<_>>());
    }

    #[test]
    fn wthor_is_read_by_a_plain_reader(games in proptest::collection::vec(long(), 1..5)) {
        let mut files = vec![Vec::new(); 3];
        let lines: Vec<_> = games.iter().map(|choices| played(&Oracle::start(Start::Standard), choices)).collect();
        lines.iter().for_each(|line| wthor::FORMAT.add(&mut files, &record(othello().start(), line)).unwrap());
        let bytes = &files[2];
        let number = |at: usize| usize::from(bytes[at]) + 256 * usize::from(bytes[at + 1]);
        prop_assert_eq!((number(4), bytes.len()), (lines.len(), 16 + 68 * lines.len()));
        let name = |file: usize, width: usize, number: usize| {
            let name = &files[file][16 + width * number..16 + width * (number + 1)];
            String::from_utf8(name.split(|&byte| byte == 0).next().unwrap().to_vec()).unwrap()
        };
        for (game, line) in lines.iter().enumerate() {
            let at = 16 + 68 * game;
            prop_assert_eq!([name(0, 20, number(at + 2)), name(0, 20, number(at + 4))], ["Ann", "Bob"]);
            prop_assert_eq!(name(1, 26, number(at)), "?");
            let mut now = Oracle::start(Start::Standard);
            for &byte in bytes[at + 8..at + 68].iter().take_while(|&&byte| byte != 0) {
                if now.moves() == [PASS] {
                    now = now.play(PASS);
                }
                let mv = Move(u16::from(8 * (byte / 10 - 1) + byte % 10 - 1));
                prop_assert!(now.moves().contains(&mv));
                now = now.play(mv);
            }
            prop_assert_eq!(now.squares(), line.last().unwrap().1.squares());
            prop_assert_eq!(2 * i32::from(bytes[at + 6]) - 64, now.margin());
        }
    }

    #[test]
    fn wthor_of_a_plain_writer_is_read(games in proptest::collection::vec(long(), 1..5)) {
        let lines: Vec<_> = games.iter().map(|choices| played(&Oracle::start(Start::Standard), choices)).collect();
        let mut bytes = vec![20, 16, 9, 4, lines.len() as u8, 0, 0, 0, 0, 0, 0xe0, 7, 0, 0, 24, 0];
        for line in &lines {
            let mut game = vec![1, 0, 2, 0, 0, 0, ((64 + line.last().unwrap().1.margin()) / 2) as u8, 40];
            let moves = line.iter().filter(|(mv, _)| *mv != PASS).map(|(mv, _)| mv.index() as u8);
            game.extend(moves.map(|square| 10 * (square / 8) + square % 8 + 11));
            game.resize(68, 0);
            bytes.extend(game);
        }
        let header = [20, 16, 9, 4, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0];
        let names = |width: usize, names: [&str; 3]| {
            let mut file = header.to_vec();
            for (number, name) in names.iter().enumerate() {
                file.extend(name.bytes());
                file.resize(16 + width * (number + 1), 0);
            }
            file
        };
        let games = wthor::FORMAT.open(vec![names(20, ["Caspard Bruno", "x", "Piau Stephane"]), names(26, ["a", "Paris", "b"]), bytes]).unwrap();
        prop_assert_eq!((games.len(), games.note()), (lines.len(), None));
        for (game, line) in lines.iter().enumerate() {
            let read = games.read(game, othello()).unwrap();
            prop_assert_eq!(&read.players, &["Piau Stephane".to_owned(), "Caspard Bruno".to_owned()]);
            let headers = [("Event", "Paris"), ("Date", "2016.??.??"), ("TheoreticalScore", "40-24 at 24 empty")];
            prop_assert_eq!(&read.headers, &headers.map(|(name, value)| (name.to_owned(), value.to_owned())));
            let moves: Vec<Move> = read.line().iter().map(|step| step.mv).collect();
            prop_assert_eq!(moves, line.iter().map(|(mv, _)| *mv).collect::<Vec<_>>());
            prop_assert_eq!(squares(&read), line.last().unwrap().1.squares());
        }
    }
}

fn letter(disc: Option<Side>) -> char {
    match disc {
        Some(Side::South) => '*',
        Some(Side::North) => 'O',
        None => '-',
    }
}
