//! Collections: listed, found in, opened, stepped through, and added to.

use mancalab_base::Error;
use std::path::Path;

use rand::Rng as _;

use crate::app::stage::{Stage, config};
use crate::game::Variant;
use crate::game::notation::{pdn, wthor};
use crate::game::record::Record;
use crate::paths::Paths;
use crate::rng;
use crate::tabs::board::{FileContents, Settings, Setup};
use crate::tabs::{self, Opening};

const GAMES: &str = "[Event \"Match\"]\n[Date \"1992.08.17\"]\n[White \"Lafferty\"]\n[Black \"Tinsley\"]\n[Result \"1/2-1/2\"]\n\n\
                     1. 11-15 23-19 {so} 1/2-1/2\n\n\
                     [Event \"Match\"]\n[White \"Chinook\"]\n[Black \"Lafferty\"]\n\n1. 9-13 22-18 2. 9-14 1-0\n\n\
                     [Event \"Club\"]\n[White \"Bryant\"]\n[Black \"Chinook\"]\n\n1. 12-16 24-20 2. 8-12 28-24 0-1\n";

/// The program as it opens with a file.
fn opened(path: &Path) -> Result<Stage, Error> {
    let setup = Setup::from_config(&config().board);
    let held = FileContents::open(path, setup.variant)?;
    let board = Settings { opened: Some(held), ..Settings::new(setup, None) };
    let mut stage = Stage::with_tabs(config(), tabs::all(Opening::new(board, &Paths::default())));
    stage.wait();
    Ok(stage)
}

fn file(text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    named("games.pdn", text)
}

fn named(name: &str, text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

#[test]
fn a_file_of_games_is_listed_and_one_is_opened() {
    let (_folder, path) = file(GAMES);
    let mut stage = opened(&path).unwrap();
    for part in [
        "games.pdn: 3 games, 1 invalid",
        "1  Tinsley v Lafferty",
        "1992.08.17",
        "a draw",
        "2  ✗ Lafferty v Chinook, Black's move 2: found '9-14'",
        "3  Chinook v Bryant",
    ] {
        assert!(stage.shows(part), "no '{part}' on\n{}", stage.screen(120, 40));
    }
    insta::assert_snapshot!(stage.screens() + &stage.screen(200, 30));
    stage.text("/bryant").keys("enter");
    assert!(stage.shows("Loaded games.pdn, game 3 of 3"), "{}", stage.screen(120, 40));
    assert!(stage.shows("Black  Chinook") && stage.shows("game 3 of 3"), "{}", stage.screen(120, 40));
    stage.keys("right");
    assert!(stage.shows("Black → 12-16"), "{}", stage.screen(120, 40));
    stage.keys("end");
    assert!(stage.shows("Result as given: White won"), "{}", stage.screen(120, 40));
    // One that is not whole is shown as far as it goes.
    stage.keys("pgup");
    assert!(stage.shows("games.pdn, game 2, Black's move 2"), "{}", stage.screen(120, 40));
    stage.keys("end");
    assert!(stage.shows("White → 22-18"), "{}", stage.screen(120, 40));
    stage.keys("pgup right right");
    assert!(stage.shows("White → 23-19") && stage.shows("23-19\""), "{}", stage.screen(120, 40));
    stage.keys("pgup");
    assert!(stage.shows("There are no more games"), "{}", stage.screen(120, 40));
    stage.keys("g");
    assert!(stage.shows("▸   1  Tinsley"), "{}", stage.screen(120, 40));
}

#[test]
fn a_game_is_opened_by_its_number() {
    let (folder, path) = file(GAMES);
    let numbered = |number: &str| folder.path().join(format!("games.pdn#{number}"));
    assert!(opened(&numbered("3")).unwrap().shows("Black  Chinook"));
    assert!(opened(&numbered("2")).unwrap().shows("game 2, Black's move 2"));
    assert_eq!(opened(&numbered("4")).err().unwrap(), "games.pdn: game 4 does not exist (games 1 to 3)".into());
    let one = |number: &str| FileContents::open(&numbered(number), Variant::usual()[0]).unwrap().one();
    assert!(one("2").unwrap_err().to_string().contains("found '9-14'") && one("3").is_ok());
    let several = FileContents::open(&path, Variant::usual()[0]).unwrap().one().unwrap_err();
    assert_eq!(several, "games.pdn has 3 games; choose one from games.pdn#1 to games.pdn#3".into());
    std::fs::write(&path, "% nothing\n").unwrap();
    assert_eq!(opened(&path).err().unwrap(), "games.pdn: it contains no games".into());
}

#[test]
fn what_is_too_large_or_none_is_refused() {
    let (folder, path) = file(GAMES);
    std::fs::File::options().write(true).open(&path).unwrap().set_len(300 << 20).unwrap();
    let output = opened(&path).err().unwrap();
    assert!(output.to_string().ends_with("it is larger than 65536 KiB, the limit for such a file"), "{output}");
    let nowhere = folder.path().join("nowhere.pdn#1");
    assert!(
        opened(&nowhere)
            .err()
            .unwrap()
            .to_string()
            .ends_with("nowhere.pdn could not be read: no such file or directory")
    );
}

#[test]
fn a_collection_that_is_pasted_is_listed() {
    let mut stage = Stage::new("human", "human");
    stage.paste(GAMES);
    assert!(stage.shows("The pasted text: 3 games"), "{}", stage.screen(120, 40));
    stage.keys("enter");
    assert!(stage.shows("Black  Tinsley"), "{}", stage.screen(120, 40));
}

#[test]
fn games_are_saved_into_collections_and_collections_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config();
    config.board.game = "checkers".parse().unwrap();
    let mut stage = Stage::in_folder(config, "human", "human", Some(folder.path().to_owned()));
    stage.text("11-15").keys("s ctrl-u").text("all.pdn").keys("enter");
    assert!(stage.shows("as game 1"), "{}", stage.screen(120, 40));
    stage.text("23-19").keys("s ctrl-u").text("all.pdn").keys("enter");
    assert!(stage.shows("Enter again adds the game to it"), "{}", stage.screen(120, 40));
    stage.keys("enter");
    assert!(stage.shows("as game 2"), "{}", stage.screen(120, 40));
    stage.keys("l");
    assert!(stage.shows("all") && stage.shows("2 games"), "{}", stage.screen(120, 40));
    stage.keys("enter");
    assert!(stage.shows("all.pdn: 2 games"), "{}", stage.screen(120, 40));
    let mut kalah = Stage::in_folder(crate::app::stage::config(), "human", "human", Some(folder.path().to_owned()));
    kalah.keys("A s ctrl-u").text("more.pdn").keys("enter");
    assert!(kalah.shows("games of Kalah have no PDN; end the name in .game"), "{}", kalah.screen(120, 40));
}

/// The final position, the header and the result after the moves are compared wherever the game is shown.
#[test]
fn results_that_differ_are_said_in_lists_and_on_the_board() {
    let apart = "[Event \"a\"]\n[Result \"1-0\"]\n1. 11-15 22-18 0-1\n\n";
    let won = "[Event \"b\"]\n[Result \"1-0\"]\n[FEN \"B:W15:B11\"]\n1. 11x18 1-0\n";
    let (_folder, path) = file(&[apart, won].concat());
    let mut stage = opened(&path).unwrap();
    assert!(stage.shows("disputed") && stage.shows("Black won"), "{}", stage.screen(120, 40));
    stage.keys("enter");
    assert!(stage.shows("the results differ: given Black won"), "{}", stage.screen(200, 40));
    stage.keys("end");
    assert!(stage.shows("The results differ: given Black won, after the moves"), "{}", stage.screen(120, 40));
    stage.keys("pgdn end");
    assert!(stage.shows("Black wins 1 : 0") && !stage.shows("as given"), "{}", stage.screen(120, 40));
}

/// Marks of moves are apart from the comments.
#[test]
fn marks_are_shown_with_their_moves() {
    let (_folder, path) =
        file("[Event \"a\"]\n1. 11-15!? {[%clk 1:55:21]} 23-19 $2 {hasty} 2. 8-11 {[%clk 1:54:02] fast} *\n");
    let mut stage = opened(&path).unwrap();
    stage.keys("right");
    assert!(stage.shows("Black → 11-15!?") && stage.shows("clock 1:55:21"), "{}", stage.screen(120, 40));
    assert!(!stage.shows("[%") && !stage.shows("\"clock"), "{}", stage.screen(120, 40));
    stage.keys("right");
    assert!(stage.shows("White → 23-19?") && stage.shows("\"hasty\""), "{}", stage.screen(120, 40));
    stage.keys("right");
    assert!(stage.shows("clock 1:54:02 \"fast\""), "{}", stage.screen(120, 40));
}

#[test]
fn a_game_with_an_impossible_move_opens_up_to_it() {
    for text in [
        "[Game \"checkers\"]\n1. 11-15 22-18 2. 15-11",
        "1. 11-15 22-18 2. 15-11",
        "[Event \"a\"]\n1. 11-15 22-18 2. 15-11",
    ] {
        let mut stage = Stage::new("human", "human");
        stage.paste(text);
        assert!(stage.shows("found '15-11'"), "{text}\n{}", stage.screen(120, 40));
        stage.keys("end");
        assert!(stage.shows("White → 22-18"), "{text}\n{}", stage.screen(120, 40));
        let (_folder, path) = named("a", text);
        let mut stage = opened(&path).unwrap();
        stage.keys("end");
        assert!(stage.shows("White → 22-18"), "{text}\n{}", stage.screen(120, 40));
    }
    let mut stage = Stage::new("human", "human");
    stage.paste("f5d6c3a1");
    assert!(stage.shows("found 'a1'"), "{}", stage.screen(120, 40));
    stage.keys("end");
    assert!(stage.shows("Black → c3"), "{}", stage.screen(120, 40));
}

/// A game of Othello in GGF with these moves.
fn ggf(players: [&str; 2], moves: &str) -> String {
    let [black, white] = players;
    let board = "---------------------------O*------*O---------------------------";
    format!(
        "(;GM[Othello]PC[GGS/os]DT[2009.07.01_02:52:45.MDT]PB[{black}]PW[{white}]RE[+10.00:r]TY[8]BO[8 {board} *]{moves};)"
    )
}

#[test]
fn games_of_othello_in_ggf_are_listed_opened_and_stepped_through() {
    let games = [
        "1".to_owned() + &ggf(["edax", "Roxane"], "B[F5/-1.5/2.1]W[D6//0.3]B[C3]"),
        "2 ".to_owned() + &ggf(["Saio", "fangr"], "B[F5]") + &ggf(["fangr", "Saio"], "B[F5]W[A1]"),
        ggf(["Zebra", "Logistello"], "B[D3]W[C3]"),
        ggf(["Zebra", "Hannibal"], ""),
    ];
    for name in ["games.GGF", "games"] {
        let (_folder, path) = named(name, &games.join("\n"));
        let mut stage = opened(&path).unwrap();
        for part in [
            &format!("{name}: 5 games, 1 invalid"),
            "1  edax v Roxane",
            "2009.07.01",
            "37-27",
            "3  ✗ fangr v Saio, White's move 1: found 'A1'",
        ] {
            assert!(stage.shows(part), "no '{part}' on\n{}", stage.screen(120, 40));
        }
        stage.text("edax").keys("enter right");
        assert!(stage.shows("evaluation -1.5, 2.1 s") && stage.shows("Black  edax"), "{}", stage.screen(120, 40));
        assert!(!stage.shows("[%e"), "{}", stage.screen(120, 40));
        stage.keys("end");
        assert!(stage.shows("White resigned"), "{}", stage.screen(120, 40));
        stage.keys("pgdn pgdn");
        assert!(stage.shows("game 3, White's move 1, line 2"), "{}", stage.screen(120, 40));
        stage.keys("pgdn right right");
        assert!(stage.shows("White → c3"), "{}", stage.screen(120, 40));
    }
    let mut stage = Stage::new("human", "human");
    stage.paste(&games[0]);
    assert!(stage.shows("Loaded the pasted text"), "{}", stage.screen(120, 40));
    stage.paste(&games[1]);
    assert!(stage.shows("The pasted text: 2 games"), "{}", stage.screen(120, 40));
}

#[test]
fn games_of_othello_are_saved_in_the_formats_of_other_programs() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config();
    config.board.game = "othello".parse().unwrap();
    let mut stage = Stage::in_folder(config, "human", "human", Some(folder.path().to_owned()));
    stage.text("d3").keys("s ctrl-u").text("all.ggf").keys("enter");
    assert!(stage.shows("as game 1"), "{}", stage.screen(120, 40));
    stage.text("c3").keys("s ctrl-u").text("all.ggf").keys("enter enter");
    assert!(stage.shows("as game 2"), "{}", stage.screen(120, 40));
    stage.keys(",").text("c5").keys("s ctrl-u").text("all.ggf").keys("enter enter");
    assert!(stage.shows("as game 3, without variations"), "{}", stage.screen(120, 40));
    stage.keys("s ctrl-u").text("all.wtb").keys("enter");
    assert!(stage.shows("have a result, which this one lacks"), "{}", stage.screen(120, 40));
    stage.keys("s ctrl-u").text("all.pdn").keys("enter");
    assert!(stage.shows("games of Othello have no PDN"), "{}", stage.screen(120, 40));
    let mut names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["all.ggf"]);
    stage.keys("l");
    assert!(stage.shows("all.ggf") && stage.shows("3 games"), "{}", stage.screen(120, 40));
}

#[test]
fn a_database_is_listed_with_names_or_numbers_and_added_to() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = vec![Vec::new(); 3];
    for seed in 0..5 {
        let mut rng = rng::keyed(&[seed]);
        let mut record = Record::new("othello".parse().unwrap(), ["Ann".into(), "Bob".into()], None);
        while record.ending().is_none() {
            let moves = record.position().moves();
            record.play(moves[rng.next_u32() as usize % moves.len()]);
        }
        record.headers = vec![("Event".into(), "Cup".into()), ("Date".into(), "1998".into())];
        wthor::FORMAT.add(&mut files, &record).unwrap();
    }
    // The third game begins with a1.
    files[2][16 + 2 * 68 + 8] = 11;
    let path = folder.path().join("wth_1998.wtb");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("wth_1998.wtb", &files[2]);
    let mut stage = opened(&path).unwrap();
    for part in [
        "wth_1998.wtb: 5 games, 1 invalid; no WTHOR.JOU, no WTHOR.TRN: numbers for names",
        "player 0 v player 1",
        "tournament 0",
    ] {
        assert!(stage.screen(170, 40).contains(part), "no '{part}' on\n{}", stage.screen(170, 40));
    }
    write("wthor.jou", &files[0]);
    write("Wthor.Trn", &files[1]);
    let mut stage = opened(&path).unwrap();
    for part in ["5 games, 1 invalid ", "Ann v Bob", "Cup", "1998", "3  ✗ Ann v Bob, Black's move 1: found 11 (a1)"] {
        assert!(stage.screen(170, 40).contains(part), "no '{part}' on\n{}", stage.screen(170, 40));
    }
    stage.keys("end enter end");
    assert!(stage.shows("Game over") && !stage.shows("as given"), "{}", stage.screen(120, 40));
    stage.keys("s ctrl-u").text(path.to_str().unwrap()).keys("enter enter");
    assert!(stage.shows("as game 6"), "{}", stage.screen(120, 40));
    stage.keys("s ctrl-u").text(&folder.path().join("other.WTB").display().to_string()).keys("enter");
    assert!(stage.shows("as game 1"), "{}", stage.screen(120, 40));
    let jou = std::fs::read(folder.path().join("wthor.jou")).unwrap();
    assert_eq!((&jou, std::fs::read_dir(folder.path()).unwrap().count()), (&files[0], 4), "no new names");
    let refused = opened(&{
        write("ten.wtb", &{
            let mut bytes = files[2].clone();
            bytes[12] = 10;
            bytes
        });
        folder.path().join("ten.wtb")
    });
    let refused = refused.err().unwrap().to_string();
    assert_eq!(refused, "ten.wtb: byte 12: its games are on a board of 10x10; only 8x8 is supported");
}

/// Two hundred games made by play, each stepped through to its end on the board.
#[test]
fn a_collection_of_two_hundred_games_is_stepped_through() {
    let variant: Variant = "checkers".parse().unwrap();
    let mut text = String::new();
    let mut plies = Vec::new();
    for game in 0..200 {
        let mut record = Record::new(variant, ["random".into(), "random".into()], Some(game));
        let mut rng = rng::keyed(&[game]);
        while record.ending().is_none() {
            let moves = record.position().moves();
            record.play(moves[rng.next_u32() as usize % moves.len()]);
        }
        plies.push((record.ply(), record.position().to_text()));
        text += &pdn::write(&record).unwrap();
        text.push('\n');
    }
    let (_folder, path) = file(&text);
    let mut stage = opened(&path).unwrap();
    assert!(stage.shows("games.pdn: 200 games") && !stage.shows("invalid"), "{}", stage.screen(120, 40));
    stage.keys("enter");
    for (number, (ply, end)) in (1..).zip(plies) {
        assert!(stage.screen(80, 24).contains(&format!("game {number} of 200")), "{}", stage.screen(80, 24));
        for _ in 0..ply {
            stage.type_ahead("right");
        }
        assert!(stage.screen(80, 24).contains("Game over"), "{number}\n{}", stage.screen(80, 24));
        stage.keys("Y");
        assert_eq!(copied(&mut stage), end);
        stage.keys("pgdn");
    }
}

/// What was copied last.
fn copied(stage: &mut Stage) -> String {
    let requests = stage.app.take_requests();
    let copied = requests.into_iter().rev().find_map(|wish| match wish {
        crate::app::TerminalRequest::Copy(text) => Some(text),
        _ => None,
    });
    copied.expect("something was copied")
}
