//! Boards of pits of several sizes on 80 columns.

use crate::app::stage::{Stage, config_with_keys};

fn between_people(game: &str) -> Stage {
    Stage::of_game(game, "human", "human")
}

#[test]
fn large_boards_fit_80_columns() {
    for (game, last) in [("oware", 'F'), ("vai-lung-thlan", 'F'), ("ohvalhu", 'H'), ("kalah:12x12", 'L')] {
        let mut stage = between_people(game);
        let screen = stage.screen(80, 24);
        for letter in 'A'..=last {
            let named = |letter: char| screen.lines().any(|line| line.contains(&format!(" {letter} ")));
            assert!(named(letter) && named(letter.to_ascii_lowercase()), "{letter} of {game}:\n{screen}");
        }
        stage.keys(&last.to_string());
        assert!(stage.shows(&format!("South sows {last}")), "{game}:\n{}", stage.screen(80, 24));
    }
}

#[test]
fn a_tutorial_has_its_comments_beside_an_analysis_too() {
    for game in ["kalah", "oware"] {
        let mut stage = between_people(game);
        stage.keys("i N .");
        let record = stage.record();
        let first: String = record.comment(record.at()).chars().take(12).collect();
        assert!(first.len() == 12 && stage.shows(&first), "{game}, {first}:\n{}", stage.screen(80, 24));
        assert!(stage.screen(80, 24).contains(&first), "{game}, {first}:\n{}", stage.screen(80, 24));
    }
}

#[test]
fn the_comments_of_a_tutorial_are_whole_above_an_analysis() {
    for game in ["kalah", "oware", "awari", "vai-lung-thlan", "ohvalhu", "erherhe"] {
        let mut stage = between_people(game);
        stage.keys("i N");
        while !stage.record().is_at_end() {
            stage.keys(".");
            let record = stage.record();
            let comment = record.comment(record.at()).to_owned();
            let end = comment.rsplit(' ').next().unwrap();
            let screen = stage.screen(80, 24);
            assert!(screen.contains(&format!("{end}\"")), "{game}, {comment}:\n{screen}");
            assert!(screen.contains("Analysis for") || screen.contains("The game is over"), "{game}:\n{screen}");
        }
    }
}

/// A capital letter that the config gives to a command sows while the user is to move.
#[test]
fn capital_letters_sow_whatever_the_config_says() {
    let mut stage = Stage::with_config(config_with_keys("board.copy = 'A'"), "human", "human");
    stage.keys("A");
    assert!(stage.shows("South sows A"), "{}", stage.screen(80, 24));
}

/// Counts of three digits keep clear of their neighbours.
#[test]
fn more_than_99_seeds_are_shown() {
    let rows = [vec!["100"; 1], vec!["0"; 11], vec!["120"; 1], vec!["0"; 10], vec!["1"]].concat().join(",");
    let mut stage = between_people("kalah:12x12");
    stage.paste(&format!("<12,33,34,{rows}> S"));
    stage.keys("enter");
    let screen = stage.screen(80, 24);
    for count in ["100", "120", "33", "34"] {
        assert!(screen.contains(&format!("│{count} ")) || screen.contains(&format!(" {count} ")), "{count}:\n{screen}");
    }
}

#[test]
fn every_game_is_in_the_dialog_and_more_pits_are_a_choice() {
    let mut stage = Stage::new("human", "human");
    stage.keys("n");
    for title in ["Kalah", "Othello", "Checkers", "Oware", "Awari", "Vai Lung Thlan", "Ohvalhu", "Érhérhé"] {
        let screen = stage.screen(80, 24);
        assert!(screen.contains(title) && screen.contains("Enter start"), "{title}:\n{screen}");
        stage.keys("right");
    }
    stage.keys("down").text("12").keys("enter");
    assert_eq!(stage.subject(), "Kalah 12×4");
}

/// Every move of a tutorial is legal and has its comment, which 80 columns show to its end; nothing is left to save.
#[test]
fn tutorials_explain_every_move() {
    for game in ["kalah", "oware", "awari", "vai-lung-thlan", "ohvalhu", "erherhe", "othello", "checkers"] {
        let text = std::fs::read_to_string(format!("src/tabs/board/practice/tutorials/{game}.game")).unwrap();
        let comments: Vec<&str> = text.split('{').skip(1).map(|rest| rest.split('}').next().unwrap()).collect();
        let mut stage = between_people(game);
        stage.keys("N");
        assert_eq!(stage.story(), ["Tutorial: . next, n new game"], "{game}");
        assert_eq!(stage.panel("Moves").unwrap().title, "Moves", "{game}");
        for comment in &comments {
            stage.keys(".");
            let start = &comment[..20];
            let end = comment.rsplit(' ').next().unwrap();
            let screen = stage.screen(80, 24);
            let story = screen.split_once(start).unwrap_or_else(|| panic!("{comment}:\n{screen}")).1;
            assert!(story.contains(end), "{comment}:\n{screen}");
        }
        stage.keys(".");
        assert_eq!(stage.notice(), "No more moves", "{game}: more moves than comments");
        assert_eq!(stage.story()[0], "End of the tutorial: n new game");
    }
}

#[test]
fn a_narrow_board_says_in_short_what_a_move_captured() {
    let mut stage = between_people("kalah");
    stage.keys("C E b c B F a f E C d F D e A b F c d e f C D a B b F a , .");
    assert!(stage.screen(80, 24).contains("North sows a (1 seed), captures 8"), "{}", stage.screen(80, 24));
    assert!(stage.screen(60, 20).contains(" North: a takes 8 "), "{}", stage.screen(60, 20));
}
