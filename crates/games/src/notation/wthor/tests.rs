use proptest::prelude::*;

use super::*;
use crate::notation::{AGREED, Broken, Games, RESIGNED};
use crate::record::Record;

fn othello() -> Variant {
    "othello".parse().unwrap()
}

/// A finished game by these choices, with a name for each side.
fn played(choices: &[usize], names: [&str; 2]) -> Record {
    let mut record = Record::new(othello(), names.map(str::to_owned), None);
    let mut next = choices.iter().cycle();
    while record.ending().is_none() {
        let moves = record.position().moves();
        record.play(moves[next.next().unwrap() % moves.len()]);
    }
    record
}

/// The files of these games.
fn files(records: &[Record]) -> Vec<Vec<u8>> {
    let mut files = vec![Vec::new(); 3];
    records.iter().for_each(|record| FORMAT.add(&mut files, record).unwrap());
    files
}

/// Five games.
fn five() -> Vec<Vec<u8>> {
    files(&[0, 1, 2, 3, 4].map(|seed| played(&[seed, 3, 1], ["Ann", "Bob"])))
}

fn open(files: Vec<Vec<u8>>) -> Games {
    FORMAT.open(files).unwrap()
}

fn read(files: &[Vec<u8>], index: usize) -> Result<Record, Broken> {
    open(files.to_vec()).read(index, othello())
}

fn refusal(record: &Record) -> String {
    FORMAT.add(&mut five(), record).unwrap_err().to_string()
}

#[test]
fn names_are_shared_and_files_have_the_documented_layout() {
    let mut record = played(&[1], ["Ann", "Bob"]);
    record.headers = vec![("Event".into(), "Cup".into()), ("Date".into(), "1998.05.01".into())];
    let mut other = record.clone();
    other.players = ["Bob".into(), "André 🦀 with a long name".into()];
    let files = files(&[record, other]);
    let [players, tournaments, games] = &files[..] else { unreachable!() };
    assert_eq!((players.len(), tournaments.len(), games.len()), (16 + 3 * 20, 16 + 26, 16 + 2 * 68));
    assert_eq!((&players[4..12], &tournaments[4..12]), (&[0, 0, 0, 0, 3, 0, 0, 0][..], &[0, 0, 0, 0, 1, 0, 0, 0][..]));
    assert_eq!(&players[56..76], b"Andr\xe9 ? with a long\0");
    assert_eq!(
        (&games[4..10], u16::from_le_bytes([games[10], games[11]]), games[12]),
        (&[2, 0, 0, 0, 0, 0][..], 1998, 8)
    );
    assert_eq!((&games[16..22], &games[84..90]), (&[0, 0, 0, 0, 1, 0][..], &[0, 0, 1, 0, 2, 0][..]));
    let games = open(files.clone());
    assert_eq!((games.len(), games.note()), (2, None));
    let headers = games.headers(1);
    let header = |name| headers.header(name);
    assert_eq!(
        [header("Black"), header("White"), header("Event"), header("Date")],
        ["Bob", "André ? with a long", "Cup", "1998.??.??"]
    );
}

#[test]
fn without_files_of_names_there_are_numbers() {
    let mut files = five();
    files[0].truncate(30);
    files[1].clear();
    let games = open(files);
    assert_eq!(games.note(), Some("damaged WTHOR.JOU, no WTHOR.TRN: numbers for names"));
    let record = games.read(4, othello()).unwrap();
    assert_eq!(
        (record.players.clone(), record.header("Event")),
        (["player 0".into(), "player 1".into()], Some("tournament 0"))
    );
}

#[test]
fn scores_come_back_unless_they_follow_from_the_moves() {
    let mut resigned = Record::new(othello(), ["Ann".into(), "Bob".into()], None);
    resigned.play(resigned.position().moves()[0]);
    assert!(refusal(&resigned).starts_with("games in .wtb have a result, which this one lacks"));
    resigned.set_header(RESIGNED, Some("Black".into()));
    let mut agreed = resigned.clone();
    agreed.set_header(AGREED, Some("40-24".into()));
    agreed.set_header(THEORETICAL, Some("33-31 at 22 empty".into()));
    let files = files(&[resigned, agreed, played(&[1], ["Ann", "Bob"])]);
    let given: Vec<_> = (0..3).map(|index| read(&files, index).unwrap().header(AGREED).map(str::to_owned)).collect();
    assert_eq!(given, [Some("0-64".into()), Some("40-24".into()), None]);
    assert_eq!(read(&files, 1).unwrap().header(THEORETICAL), Some("33-31 at 22 empty"));
}

#[test]
fn what_the_format_lacks_is_refused() {
    let mut record = played(&[1], ["Ann", "Bob"]);
    record.set_header("Date", Some("1998.01.01".into()));
    assert!(refusal(&record).ends_with("and this one is of 1998"));
    let names = ["minimax:6:ties=first:a", "minimax:6:ties=first:b"];
    assert!(refusal(&played(&[1], names)).ends_with("are the same in their first 19 letters"));
    let position = record.position_at(record.main_line()[3].node);
    let from_position = Record::from_position(othello(), *position, Default::default(), None);
    assert!(refusal(&from_position).starts_with("games in .wtb begin with the usual position"));
    let parallel = Record::new("othello:parallel".parse().unwrap(), Default::default(), None);
    assert_eq!(refusal(&parallel), "games of othello:8x8:parallel have no WTHOR");
}

#[test]
fn wrong_headers_are_refused_by_name() {
    let error = |at: usize, value: u8| {
        let mut files = five();
        files[2][at] = value;
        FORMAT.open(files).unwrap_err().to_string()
    };
    assert_eq!(error(12, 10), "byte 12: its games are on a board of 10x10; only 8x8 is supported");
    assert_eq!(error(13, 1), "byte 13: its type is 1 (1 is solitaire positions); only 0, games, is supported");
    let short = FORMAT.open(vec![vec![], vec![], vec![20; 9]]).unwrap_err();
    assert_eq!(short.to_string(), "byte 9: the file ends here; a WTHOR header has 16 bytes");
}

#[test]
fn a_broken_game_does_not_affect_the_others() {
    let third = 16 + 2 * 68;
    for (at, value, message) in [
        (third + 8, 11, "game 3, Black's move 1, byte 160: found 11 (a1); expected a move of Black: d3, c4, f5, e6"),
        (third + 8, 99, "game 3, Black's move 1, byte 160: found 99; expected a move of Black"),
        (third + 9, 0, "game 3, White's move 1, byte 162: found "),
        (third + 6, 65, "game 3, byte 158: found 65; expected Black's score, 0 to 64"),
    ] {
        let mut files = five();
        files[2][at] = value;
        let results: Vec<_> = (0..5).map(|index| read(&files, index)).collect();
        assert_eq!(results.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, true, false, true, true]);
        let broken = results[2].as_ref().unwrap_err();
        assert!(broken.to_string().starts_with(message), "{broken}");
        assert!(broken.begun.is_some());
    }
}

#[test]
fn a_file_of_another_length_has_a_last_game_that_reports_it() {
    for (length, whole) in [(16 + 5 * 68 - 1, 4), (16 + 2 * 68, 2), (16 + 5 * 68 + 3, 5)] {
        let mut files = five();
        files[2].resize(length, 0);
        let games = open(files.clone());
        assert_eq!(games.len(), whole + 1);
        assert!((0..whole).all(|index| games.read(index, othello()).is_ok()));
        let error = games.read(whole, othello()).unwrap_err().to_string();
        let at = 16 + 68 * whole;
        assert_eq!(
            error,
            format!("game {}, byte {at}: the file has {length} bytes; expected 356, for 5 games", whole + 1)
        );
        assert!(games.headers(whole).headers.is_empty());
        let refused = FORMAT.add(&mut files, &played(&[1], ["Ann", "Bob"])).unwrap_err();
        assert!(refused.to_string().starts_with("it is damaged"));
    }
    let mut files = five();
    files[2][4..8].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(open(files).len(), 6);
}

#[test]
fn content_is_recognised() {
    let games = five().pop().unwrap();
    let name = |bytes: &[u8]| Format::of_content(bytes, othello()).map(|format| format.name);
    assert_eq!(name(&games), Some("WTHOR"));
    assert_eq!([name(&games[1..]), name(&games[..100]), name(b"")], [None; 3]);
}

#[test]
fn a_large_file_opens_at_once() {
    let game = five()[2][16..84].to_vec();
    let mut games = five().pop().unwrap()[..16].to_vec();
    games[4..8].copy_from_slice(&100_000_u32.to_le_bytes());
    games.extend(game.repeat(100_000));
    let began = std::time::Instant::now();
    let games = open(vec![vec![], vec![], games]);
    assert_eq!((games.len(), games.headers(99_999).header("Black").to_owned()), (100_000, "player 0".to_owned()));
    assert!(games.read(99_999, othello()).is_ok());
    assert!(began.elapsed() < std::time::Duration::from_secs(1), "{:?}", began.elapsed());
}

proptest! {
    #[test]
    fn any_finished_game_comes_back(choices in proptest::collection::vec(0_usize..20, 1..60), names in ["[A-Za-zé]{1,19}", "[a-z]{1,19}x?"]) {
        let mut record = played(&choices, [&names[0], names[1].get(..19).unwrap_or(&names[1])]);
        record.headers = vec![("Event".into(), "Cup".into()), ("Date".into(), "2001.??.??".into())];
        if record.players[0] == record.players[1] {
            return Ok(());
        }
        let mut files = vec![Vec::new(); 3];
        FORMAT.add(&mut files, &record).unwrap();
        let mut again = read(&files, 0).unwrap();
        prop_assert!(again.header(THEORETICAL).is_some());
        again.set_header(THEORETICAL, None);
        prop_assert_eq!(again.line(), record.line());
        prop_assert_eq!((&again.players, &again.headers), (&record.players, &record.headers));
    }

    #[test]
    fn no_bytes_make_the_reader_panic(changes in proptest::collection::vec((0_usize..356, any::<u8>()), 0..40), length in 0_usize..400) {
        let mut files = five();
        changes.iter().for_each(|&(at, value)| files[2][at] = value);
        files[2].resize(length, 1);
        files[0].truncate(length);
        if let Ok(games) = FORMAT.open(files) {
            for index in 0..games.len() {
                _ = (games.headers(index), games.read(index, othello()));
            }
        }
    }
}
