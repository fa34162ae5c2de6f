//! Collections: listed, found in, opened, stepped through, and added to.

use mancalab_base::Error;
use std::path::Path;

use rand::Rng as _;

use crate::app::stage::{Stage, config, config_of};
use crate::game::Variant;
use crate::game::notation::{pdn, wthor};
use crate::game::record::Record;
use crate::paths::Paths;
use crate::rng;
use crate::tabs::board::library::game_file::FileContents;
use crate::tabs::board::setup::{Settings, Setup};
use crate::tabs::{self, TabSettings};

const GAMES: &str = "[Event \"Match\"]\n[Date \"1992.08.17\"]\n[White \"Lafferty\"]\n[Black \"Tinsley\"]\n[Result \"1/2-1/2\"]\n\n\
                     1. 11-15 23-19 {so} 1/2-1/2\n\n\
                     [Event \"Match\"]\n[White \"Chinook\"]\n[Black \"Lafferty\"]\n\n1. 9-13 22-18 2. 9-14 1-0\n\n\
                     [Event \"Club\"]\n[White \"Bryant\"]\n[Black \"Chinook\"]\n\n1. 12-16 24-20 2. 8-12 28-24 0-1\n";

/// The program as it opens with a file.
fn opened(path: &Path) -> Result<Stage, Error> {
    let setup = Setup::from_config(&config().board);
    let held = FileContents::open(path, setup.variant)?;
    let board = Settings { opened: Some(held), ..Settings::new(setup, None) };
    let mut stage = Stage::with_tabs(config(), tabs::all(TabSettings::new(board, &Paths::default())));
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
    insta::assert_snapshot!(stage.dialogs() + "\n200x30\n" + &stage.dialog_on(200, 30));
    stage.text("/bryant").keys("enter");
    assert_eq!(stage.south(), "▸ ▮ Black  Chinook · to move");
    let broken = "games.pdn, game 2, Black's move 2, line 13, column 18: found '9-14'; expected a move of Black: 5-9, 6-9, \
                  10-14, 10-15, 11-15, 11-16, 12-16, 13-17; 9 is empty";
    let entries = [
        ("", "Loaded games.pdn, game 3 of 3"),
        ("right", "Black → 12-16"),
        ("end", "White → 28-24 / Result as given: White won"),
        // One that is not whole is shown as far as it goes.
        ("pgup", broken),
        ("end", "White → 22-18"),
        ("pgup right right", "White → 23-19 / \"so\" / Result as given: a draw"),
        ("pgup", "There are no more games; games.pdn has 3"),
    ];
    stage.replies("steps through the file", &entries);
    assert!(stage.keys("g").selected().starts_with("▸ 1 Tinsley v Lafferty"), "{}", stage.selected());
}

#[test]
fn a_game_is_opened_by_its_number() {
    let (folder, path) = file(GAMES);
    let numbered = |number: &str| folder.path().join(format!("games.pdn#{number}"));
    assert_eq!(opened(&numbered("3")).unwrap().south(), "▸ ▮ Black  Chinook · to move");
    assert!(opened(&numbered("2")).unwrap().notice().starts_with("games.pdn, game 2, Black's move 2"));
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
    assert!(opened(&nowhere).err().unwrap().to_string().ends_with("nowhere.pdn: no such file or directory"));
}

#[test]
fn a_collection_that_is_pasted_is_listed() {
    let mut stage = Stage::new("human", "human");
    stage.paste(GAMES);
    assert_eq!(stage.dialog_title(), "The pasted text: 3 games, 1 invalid");
    stage.keys("enter");
    assert_eq!(stage.south(), "▸ ▮ Black  Tinsley · to move");
}

#[test]
fn games_are_saved_into_collections_and_collections_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage::in_folder(config_of("checkers"), "human", "human", Some(folder.path().to_owned()));
    stage.text("11-15").save_as("all.pdn");
    assert!(stage.notice().ends_with("/all.pdn as game 1"), "{}", stage.notice());
    stage.text("23-19").keys("s ctrl-u").text("all.pdn").keys("enter");
    assert!(stage.dialog_has("That file exists; Enter again adds the game to it"));
    stage.keys("enter");
    assert!(stage.notice().ends_with("/all.pdn as game 2"), "{}", stage.notice());
    stage.keys("l");
    assert!(stage.selected().starts_with("all.pdn 2 games"), "{}", stage.selected());
    stage.keys("enter");
    assert_eq!(stage.dialog_title(), "all.pdn: 2 games");
    let mut kalah = Stage::in_folder(crate::app::stage::config(), "human", "human", Some(folder.path().to_owned()));
    kalah.keys("A").save_as("more.pdn");
    assert!(kalah.dialog_has("games of Kalah have no PDN; end the name in .game"));
}

/// The final position, the header and the result after the moves are compared wherever the game is shown.
#[test]
fn results_that_differ_are_said_in_lists_and_on_the_board() {
    let apart = "[Event \"a\"]\n[Result \"1-0\"]\n1. 11-15 22-18 0-1\n\n";
    let won = "[Event \"b\"]\n[Result \"1-0\"]\n[FEN \"B:W15:B11\"]\n1. 11x18 1-0\n";
    let (_folder, path) = file(&[apart, won].concat());
    let mut stage = opened(&path).unwrap();
    assert!(stage.dialog_has("1 ? v ? disputed 2"));
    assert!(stage.dialog_has("2 ? v ? Black won 1"));
    stage.keys("enter");
    assert_eq!(
        stage.notice(),
        "Loaded games.pdn, game 1 of 2; the results differ: given Black won, after the moves White won"
    );
    stage.keys("end");
    assert_eq!(stage.story()[1], "The results differ: given Black won, after the moves White won");
    stage.keys("pgdn end");
    let over = "Game over · Black wins 1 : 0 · White has no piece left";
    assert_eq!(stage.story(), ["Black → 11x18, captures 1", over], "a result that agrees is not given again");
}

/// Marks of moves are apart from the comments.
#[test]
fn marks_are_shown_with_their_moves() {
    let (_folder, path) =
        file("[Event \"a\"]\n1. 11-15!? {[%clk 1:55:21]} 23-19 $2 {hasty} 2. 8-11 {[%clk 1:54:02] fast} *\n");
    let mut stage = opened(&path).unwrap();
    let entries =
        [("right", "Black → 11-15!?"), ("right", "White → 23-19? / \"hasty\""), ("right", "Black → 8-11 / \"fast\"")];
    stage.replies("marks", &entries);
    assert_eq!(stage.south(), "▮ Black  ?  1:54:02");
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
        assert!(stage.notice().contains("found '15-11'"), "{text}: {}", stage.notice());
        stage.keys("end");
        assert_eq!(stage.story()[0], "White → 22-18", "{text}");
        let (_folder, path) = named("a", text);
        let mut stage = opened(&path).unwrap();
        stage.keys("end");
        assert_eq!(stage.story()[0], "White → 22-18", "{text}");
    }
    let mut stage = Stage::new("human", "human");
    stage.paste("f5d6c3a1");
    assert_eq!(
        stage.notice(),
        "The pasted text: line 1, column 7: found 'a1'; expected a move of White: d3, f3, f4, g5"
    );
    stage.keys("end");
    assert_eq!(stage.story(), ["Black → c3: flips 1"]);
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
        let listed = stage.dialog().unwrap();
        assert_eq!(listed.title, format!("{name}: 5 games, 1 invalid"));
        let lines = listed.lines();
        assert!(lines.iter().any(|row| row.contains("1 edax v Roxane 2009.07.01 37-27")), "{lines:?}");
        let broken = "3 ✗ fangr v Saio, White's move 1: found 'A1'";
        assert!(lines.iter().any(|row| row.contains(broken)), "{lines:?}");
        stage.text("edax").keys("enter right");
        assert_eq!(stage.south(), "▮ Black  edax");
        assert_eq!(stage.story(), ["Black → f5: flips 1", "evaluation -1.5"]);
        assert_eq!(stage.panel("Moves").unwrap().lines()[1], "1 f5 2.1 +3");
        stage.keys("end");
        assert_eq!(stage.story()[1], "White resigned");
        stage.keys("pgdn pgdn");
        assert!(stage.notice().contains("game 3, White's move 1, line 2"), "{}", stage.notice());
        stage.keys("pgdn right right");
        assert_eq!(stage.story()[0], "White → c3: flips 1");
    }
    let mut stage = Stage::new("human", "human");
    stage.paste(&games[0]);
    assert_eq!(stage.notice(), "Loaded the pasted text");
    stage.paste(&games[1]);
    assert_eq!(stage.dialog_title(), "The pasted text: 2 games, 1 invalid");
}

#[test]
fn games_of_othello_are_saved_in_the_formats_of_other_programs() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage::in_folder(config_of("othello"), "human", "human", Some(folder.path().to_owned()));
    stage.text("d3").save_as("all.ggf");
    assert!(stage.notice().ends_with("as game 1"), "{}", stage.notice());
    stage.text("c3").save_as("all.ggf");
    assert!(stage.notice().ends_with("as game 2"), "{}", stage.notice());
    stage.keys(",").text("c5").save_as("all.ggf");
    assert!(stage.notice().ends_with("as game 3, without variations"), "{}", stage.notice());
    stage.save_as("all.wtb");
    assert!(stage.dialog().unwrap().words().contains("have a result, which this one lacks"));
    stage.save_as("all.pdn");
    assert!(stage.dialog_has("games of Othello have no PDN; end the name in .game"));
    let names =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    // The variation is in no other file.
    let names: Vec<_> = names.filter(|name| !name.ends_with(".draft")).collect();
    assert_eq!(names, ["all.ggf"]);
    stage.keys("esc l");
    assert!(stage.selected().starts_with("all.ggf 3 games"), "{}", stage.selected());
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
    assert!(stage.story().last().unwrap().starts_with("Game over · "), "{:?}", stage.story());
    assert!(!stage.story().iter().any(|line| line.contains("as given")), "{:?}", stage.story());
    stage.save_as(path.to_str().unwrap());
    assert!(stage.notice().ends_with("as game 6"), "{}", stage.notice());
    stage.save_as(&folder.path().join("other.WTB").display().to_string());
    assert!(stage.notice().ends_with("as game 1"), "{}", stage.notice());
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
    assert_eq!(stage.dialog_title(), "games.pdn: 200 games");
    stage.keys("enter");
    for (number, (ply, end)) in (1..).zip(plies) {
        assert!(stage.notice().starts_with(&format!("Loaded games.pdn, game {number} of 200")), "{}", stage.notice());
        for _ in 0..ply {
            stage.type_ahead("right");
        }
        assert!(stage.story().iter().any(|line| line.starts_with("Game over")), "{number}: {:?}", stage.story());
        assert_eq!(stage.keys("Y").copied(), Some(end));
        stage.keys("pgdn");
    }
}
