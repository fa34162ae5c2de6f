//! Answers against plain counts of the games, damaged files, and games that change.

use std::collections::HashMap;
use std::fs;

use proptest::prelude::*;
use tempfile::TempDir;

use super::super::game::Board;
use super::super::game::notation::{self, AGREED, Format};
use super::*;

fn variant(game: &str) -> Variant {
    game.parse().unwrap()
}

/// A game by these choices. Those of more than sixty moves end in a draw by agreement.
fn played(game: &str, choices: &[usize]) -> Record {
    let mut record = Record::new(variant(game), ["Ann".into(), "Bob".into()], None);
    for choice in choices.iter().cycle().take(120) {
        let moves = record.position().moves();
        if moves.is_empty() || !record.play(moves[choice % moves.len()]) {
            break;
        }
    }
    if record.ending().is_none() {
        record.set_header(AGREED, Some("1/2-1/2".to_owned()));
    }
    record
}

/// The board as text, its squares in the order of a symmetry, and a square there.
fn seen(position: &Position, mv: Move, symmetry: usize) -> (String, u16) {
    let Board::Squares(board) = position.board() else { return (position.to_text(), mv.0) };
    if position.variant().name() != "othello" {
        return (position.to_text().split(':').take(3).collect::<Vec<_>>().join(":"), mv.0);
    }
    let at = |rank: usize, file: usize| match symmetry {
        0 => (rank, file),
        1 => (7 - rank, file),
        2 => (rank, 7 - file),
        3 => (7 - rank, 7 - file),
        4 => (file, rank),
        5 => (7 - file, rank),
        6 => (file, 7 - rank),
        _ => (7 - file, 7 - rank),
    };
    let letter = |(rank, file): (usize, usize)| match board.get((8 * rank + file) as u8) {
        None => '.',
        Some(piece) => {
            if piece.side == Side::South {
                'x'
            } else {
                'o'
            }
        }
    };
    let places: Vec<(usize, usize)> = (0..64).map(|square| at(square / 8, square % 8)).collect();
    let text: String = places.iter().map(|place| letter(*place)).collect();
    let mv = places.iter().position(|(rank, file)| 8 * rank + file == mv.index()).map_or(mv.0, |at| at as u16);
    (format!("{text} {}", position.side()), mv)
}

/// The same text and move for all symmetric ones.
fn plain_key(position: &Position, mv: Move) -> (String, u16) {
    (0..8).map(|symmetry| seen(position, mv, symmetry)).min().unwrap()
}

/// Counts by position and move.
type Plain = HashMap<(String, u16), [u64; 4]>;

fn count(plain: &mut Plain, record: &Record) {
    let outcome = match record.ending_at(record.main_end()).map(|ending| ending.outcome) {
        Some(Outcome::Won) => 0,
        Some(Outcome::Lost) => 2,
        Some(Outcome::Drawn) | None => 1,
    };
    let mut node = 0;
    for step in record.main_line().iter().take(30) {
        plain.entry(plain_key(record.position_at(node), step.mv)).or_default()[outcome] += 1;
        node = step.node;
    }
}

struct Place {
    folder: TempDir,
    sources: Sources,
}

impl Place {
    /// A database of these games, and a folder of saved ones.
    fn new(name: &str, games: &[Record], saved: &[Record]) -> Place {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        let format = Format::of_path(&file).unwrap();
        let mut contents = vec![Vec::new(); format.beside.len() + 1];
        games.iter().for_each(|record| format.add(&mut contents, record).unwrap());
        fs::write(&file, contents.last().unwrap()).unwrap();
        let own = folder.path().join("games");
        fs::create_dir(&own).unwrap();
        for (number, record) in saved.iter().enumerate() {
            fs::write(own.join(format!("{number}.game")), notation::write(record)).unwrap();
        }
        let sources = Sources { databases: vec![file], games: Some(own), indexes: Some(folder.path().join("indexes")) };
        Place { folder, sources }
    }

    fn database(&self) -> &Path {
        &self.sources.databases[0]
    }

    fn index(&self) -> PathBuf {
        self.sources.index_of(self.database()).unwrap()
    }

    fn open(&self) -> Arc<Openings> {
        self.open_with(None)
    }

    fn open_with(&self, known: Option<&Openings>) -> Arc<Openings> {
        let mut job = OpeningsJob::new(self.sources.clone(), variant("othello"), known);
        assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
        job.view().ready.unwrap()
    }
}

/// Compares the answers in every position of a game with plain counts.
fn check(openings: &Openings, plain: &Plain, record: &Record) {
    let nodes: Vec<usize> = std::iter::once(0).chain(record.main_line().iter().map(|step| step.node)).collect();
    for node in nodes.into_iter().take(32) {
        let position = *record.position_at(node);
        let answer = openings.answer(&Query { position, line: None, next: None }).unwrap();
        let mut expected = HashMap::new();
        for mv in position.moves() {
            let key = plain_key(&position, mv);
            expected.extend(plain.get(&key).map(|counts| (key, *counts)));
        }
        let found: HashMap<_, _> = answer.rows.iter().map(|row| (plain_key(&position, row.mv), row.counts.0)).collect();
        assert_eq!(found, expected, "{}", position.to_text());
        assert_eq!(found.len(), answer.rows.len());
        assert!(answer.rows.is_sorted_by_key(|row| std::cmp::Reverse(row.counts.games())));
    }
}

fn games(game: &'static str) -> impl Strategy<Value = Vec<Record>> {
    // Few choices, so that games share positions.
    prop::collection::vec(prop::collection::vec(0_usize..3, 1..40), 1..12)
        .prop_map(move |games| games.iter().map(|choices| played(game, choices)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn answers_are_plain_counts(
        (name, all) in prop_oneof![
            games("othello").prop_map(|games| ("all.wtb", games)),
            games("othello").prop_map(|games| ("all.ggf", games)),
            games("checkers").prop_map(|games| ("all.pdn", games)),
        ],
        saved in 0_usize..4,
    ) {
        // WTHOR holds finished games only.
        let all: Vec<Record> = all.into_iter().filter(|game| name != "all.wtb" || game.header(AGREED).is_none()).collect();
        prop_assume!(!all.is_empty());
        let saved = saved.min(all.len());
        let place = Place::new(name, &all, &all[..saved]);
        let openings = place.open();
        assert_eq!((openings.games(), &openings.problems), ((all.len() as u64, saved as u64), &vec![]));
        let mut plain = Plain::new();
        all.iter().chain(&all[..saved]).for_each(|record| count(&mut plain, record));
        all.iter().for_each(|record| check(&openings, &plain, record));
    }

    #[test]
    fn damage_is_found_and_the_index_built_again(at in 0.0..1.0, bits in 1_u8..=255, cut in any::<bool>()) {
        let games: Vec<Record> = (0..10).map(|number| played("checkers", &[number, number / 2, 1])).collect();
        let place = Place::new("all.pdn", &games, &[]);
        let mut plain = Plain::new();
        games.iter().for_each(|record| count(&mut plain, record));
        place.open();
        let mut bytes = fs::read(place.index()).unwrap();
        let at = (at * bytes.len() as f64) as usize;
        match cut {
            true => bytes.truncate(at),
            false => bytes[at] ^= bits,
        }
        fs::write(place.index(), bytes).unwrap();
        let openings = place.open();
        // What the table does not show is found when the block is read, which removes the file.
        let query = |node: usize| Query { position: *games[0].position_at(node), line: None, next: None };
        let all = games.iter().flat_map(|game| {
            game.main_line().into_iter().map(|step| Query { position: *game.position_at(step.node), line: None, next: None })
        });
        let is_damaged = all.chain([query(0)]).any(|query| openings.answer(&query).is_err());
        assert_eq!(is_damaged, !place.index().exists());
        let openings = place.open();
        games.iter().for_each(|record| check(&openings, &plain, record));
    }
}

#[test]
fn an_index_is_of_one_state_of_its_file_and_an_unfinished_one_leaves_nothing() {
    let games: Vec<Record> = (0..9).map(|number| played("checkers", &[number, 2])).collect();
    let place = Place::new("all.pdn", &games, &[]);
    let mut job = OpeningsJob::new(place.sources.clone(), variant("checkers"), None);
    assert_eq!(job.step(Budget::time(std::time::Duration::ZERO)), Status::Running);
    assert_eq!(job.step(Budget::time(std::time::Duration::ZERO)), Status::Running);
    assert_eq!(job.view().progress, Some(("all.pdn".to_owned(), 1, 9)));
    drop(job);
    assert_eq!(fs::read_dir(place.folder.path().join("indexes")).unwrap().count(), 0);
    assert_eq!(place.open().games(), (9, 0));
    let before = fs::metadata(place.index()).unwrap().modified().unwrap();
    assert_eq!(place.open().games(), (9, 0));
    assert_eq!(fs::metadata(place.index()).unwrap().modified().unwrap(), before);
    let mut text = fs::read(place.database()).unwrap();
    Format::of_path(place.database()).unwrap().add(std::slice::from_mut(&mut text), &games[0]).unwrap();
    fs::write(place.database(), text).unwrap();
    assert_eq!(place.open().games(), (10, 0));
}

#[test]
fn errors_of_databases_name_the_file_the_place_and_what_is_accepted() {
    let place = Place::new("all.pdn", &[played("checkers", &[1, 2]), played("checkers", &[2])], &[]);
    let text = fs::read_to_string(place.database()).unwrap();
    let first = text.find("1. ").unwrap() + 3;
    let broken = [&text[..first], "1-32 ", &text[first..]].concat();
    fs::write(place.database(), broken).unwrap();
    let problem = place.open().problems.join("\n");
    assert!(problem.starts_with("all.pdn, game 1, Black's move 1, line "), "{problem}");
    assert!(problem.contains("11-15"), "{problem}");
    // The valid games count.
    assert_eq!(
        place
            .open()
            .answer(&Query::new(&Record::new(variant("checkers"), Default::default(), None)))
            .unwrap()
            .all
            .games(),
        1
    );
    for (name, content, expected) in [
        ("no.wtb", &b"short"[..], "no.wtb: byte 5: the file ends here; a WTHOR header has 16 bytes"),
        (
            "no.txt",
            b"hello",
            "no.txt: not a collection of games; expected WTHOR (.wtb), PDN, PGN of Othello, GGF or transcripts",
        ),
        ("none.pdn", b"", "none.pdn: it contains no games"),
    ] {
        let file = place.folder.path().join(name);
        fs::write(&file, content).unwrap();
        let sources =
            Sources { databases: vec![file, place.folder.path().join("missing.pdn")], ..place.sources.clone() };
        let mut job = OpeningsJob::new(sources, variant("othello"), None);
        job.step(Budget::UNLIMITED);
        let problems = job.view().ready.unwrap().problems.clone();
        assert!(problems[0].ends_with(expected), "{problems:?}");
        assert!(problems[1].contains("cannot read ") && problems[1].contains("missing.pdn: "), "{problems:?}");
    }
}

#[test]
fn a_saved_collection_is_read_game_by_game() {
    let games: Vec<Record> = (0..9).map(|number| played("checkers", &[number, 2])).collect();
    let place = Place::new("all.pdn", &games, &[]);
    let folder = place.folder.path().join("mine");
    fs::create_dir(&folder).unwrap();
    fs::copy(place.database(), folder.join("all.pdn")).unwrap();
    let sources = Sources { databases: Vec::new(), games: Some(folder), ..place.sources.clone() };
    let mut job = OpeningsJob::new(sources, variant("checkers"), None);
    let mut steps = 1;
    while job.step(Budget::time(std::time::Duration::ZERO)) == Status::Running {
        steps += 1;
    }
    assert!(steps > 9, "{steps}");
    assert_eq!(job.view().ready.unwrap().games(), (0, 9));
}

#[test]
fn saved_games_are_read_once_and_again_when_they_change() {
    let games: Vec<Record> = (0..3).map(|number| played("kalah", &[number, 1, 4])).collect();
    let place = Place::new("all.pdn", &[played("checkers", &[1])], &games);
    let own = place.sources.games.clone().unwrap();
    let start = Query::new(&Record::new(variant("kalah"), Default::default(), None));
    let all = |openings: &Openings| openings.answer(&start).unwrap().all.games();
    let openings = place.open();
    assert_eq!(all(&openings), 3);
    fs::write(own.join("4.game"), notation::write(&games[0])).unwrap();
    fs::write(own.join("0.game"), notation::write(&played("oware", &[1]))).unwrap();
    fs::remove_file(own.join("1.game")).unwrap();
    fs::write(own.join("5.game"), "tea").unwrap();
    fs::write(own.join("6.game"), "[Game \"kalah\"]\n1. A").unwrap();
    let openings = place.open_with(Some(&openings));
    assert_eq!((all(&openings), openings.games()), (3, (1, 4)));
    assert_eq!(openings.answer(&start).unwrap().all.0[3], 1);
}

#[test]
fn a_game_that_was_saved_twice_counts_once() {
    let place = Place::new("all.pdn", &[played("checkers", &[1])], &[]);
    let own = place.sources.games.clone().unwrap();
    let write = |name: &str, seed: u64, moves: &str| {
        let text = format!("[Game \"kalah\"]\n[Seed \"{seed}\"]\n[South \"human\"]\n[North \"max\"]\n{moves}\n");
        assert!(notation::read(&text).is_ok(), "{text}");
        fs::write(own.join(name), text).unwrap();
    };
    write("a.game", 7, "1. C F");
    write("b.game", 7, "[Agreed \"30-18\"]\n1. C F 2. a");
    write("last.game", 7, "1. C F 2. a");
    write("c.game", 7, "1. C A");
    write("d.game", 8, "1. C F");
    let start = Query::new(&Record::new(variant("kalah"), Default::default(), None));
    let openings = place.open();
    let counts = |openings: &Openings| openings.answer(&start).unwrap().all.0;
    assert_eq!((openings.games(), counts(&openings)), ((1, 3), [1, 0, 0, 2]));
    fs::remove_file(own.join("b.game")).unwrap();
    let openings = place.open_with(Some(&openings));
    assert_eq!((openings.games(), counts(&openings)), ((1, 3), [0, 0, 0, 3]));
}

#[test]
fn the_four_first_moves_of_othello_are_one_and_the_games_own_is_named() {
    let record = |moves: &str| {
        let mut record = Record::new(variant("othello"), Default::default(), None);
        let play = |mv: &str| assert!(record.play(record.position().move_from_text(mv).unwrap()));
        moves.split(' ').for_each(play);
        record
    };
    let mut openings = Openings::default();
    let folder = tempfile::tempdir().unwrap();
    for (number, moves) in ["f5 d6 c3", "d3 c3 c4", "e6 f4 c3 c4"].into_iter().enumerate() {
        let path = folder.path().join(format!("{number}.game"));
        fs::write(&path, notation::write(&record(moves))).unwrap();
        assert!(openings.saved.read(path, variant("othello")).is_none());
    }
    let mut shown = record("e6");
    shown.to_start();
    let answer = openings.answer(&Query::new(&shown)).unwrap();
    assert_eq!(answer.rows.len(), 1);
    assert_eq!((shown.position().move_text(answer.rows[0].mv), answer.all.games()), ("e6".to_owned(), 3));
    shown.to_end();
    let answer = openings.answer(&Query::new(&shown)).unwrap();
    let names: Vec<(String, u64, Option<&str>)> = answer
        .rows
        .iter()
        .map(|row| (shown.position().move_text(row.mv), row.counts.games(), row.name.as_deref()))
        .collect();
    assert_eq!(names, [("f4".to_owned(), 2, Some("Perpendicular")), ("f6".to_owned(), 1, Some("Diagonal"))]);
}

/// Writes a WTHOR file of 137,000 random games, as many as the federation's database has, to measure its index by
/// `time mancalab openings FILE`: `MANCALAB_WTHOR=FILE cargo test --lib large_database -- --ignored`.
#[test]
#[ignore = "writes a file for measuring"]
fn a_large_database_is_written() {
    use rand::RngExt as _;
    const GAMES: u32 = 137_000;
    let file = std::env::var_os("MANCALAB_WTHOR").expect("the file's name in MANCALAB_WTHOR");
    let mut bytes = vec![20, 24, 11, 28];
    bytes.extend(GAMES.to_le_bytes());
    bytes.extend([0, 0, 0xe8, 0x07, 8, 0, 22, 0]);
    let mut rng = crate::rng::keyed(&[1]);
    for _ in 0..GAMES {
        let mut position = variant("othello").start();
        let mut squares = Vec::new();
        loop {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.random_range(0..moves.len())];
            if mv.0 < 64 {
                squares.push(10 * (mv.0 as u8 / 8 + 1) + mv.0 as u8 % 8 + 1);
            }
            position = position.play(mv);
        }
        let [black, white] = position.board().counts();
        // Empty squares count for the winner.
        let score = if black > white {
            64 - white
        } else if black < white {
            black
        } else {
            32
        };
        bytes.extend([0, 0, 0, 0, 0, 0, score as u8, score as u8]);
        squares.resize(60, 0);
        bytes.extend(squares);
    }
    fs::write(file, bytes).unwrap();
}

fn after(game: &str, moves: &str) -> (Position, Key) {
    let mut position = game.parse::<Variant>().unwrap().start();
    for mv in moves.split_whitespace() {
        position = position.play(position.move_from_text(mv).unwrap());
    }
    (position, Key::new(&position))
}

#[test]
fn symmetric_positions_of_othello_and_their_moves_are_one() {
    let (start, key) = after("othello", "");
    let moves: Vec<u16> = start.moves().into_iter().map(|mv| key.mv(mv)).collect();
    assert_eq!(moves.iter().filter(|mv| **mv == moves[0]).count(), 4);
    let lines = ["f5 d6 c3", "d3 c5 f6", "c4 e3 f6", "e6 f4 c3"].map(|moves| after("othello", moves));
    assert!(lines.iter().all(|(_, key)| key.hash == lines[0].1.hash));
    let all: Vec<u16> = lines
        .iter()
        .zip(["d3", "f5", "e6", "c4"])
        .map(|((position, key), mv)| key.mv(position.move_from_text(mv).unwrap()))
        .collect();
    assert!(all.iter().all(|mv| *mv == all[0]), "{all:?}");
    // Another order of the same moves, and another position.
    assert_eq!(after("othello", "f5 d6 c3 d3 c4").1.hash, after("othello", "f5 d6 c4 d3 c3").1.hash);
    assert_ne!(after("othello", "f5 d6").1.hash, after("othello", "f5 f4").1.hash);
}

#[test]
fn the_side_to_move_and_the_rules_count_and_counters_do_not() {
    assert_ne!(after("kalah", "").1.hash, after("kalah:6x4:empty", "").1.hash);
    let (start, key) = after("kalah", "");
    let other = start.variant().from_board(&start.board(), start.side().other()).unwrap();
    assert_ne!(Key::new(&other).hash, key.hash);
    let (_, key) = after("checkers", "11-15 22-18");
    assert_eq!(after("checkers:limit=40", "11-15 22-18").1, key);
    let kings = "B:WK32:BK1".to_owned();
    let position = "checkers".parse::<Variant>().unwrap().position_from_text(&kings).unwrap();
    let back = ["1-6", "32-28", "6-1", "28-32"]
        .iter()
        .fold(position, |position, mv| position.play(position.move_from_text(mv).unwrap()));
    assert_eq!(Key::new(&back), Key::new(&position));
}
