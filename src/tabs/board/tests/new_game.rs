//! The new-game dialog and its list of players.

use std::time::Duration;

use crate::app::stage::{Stage, config};
use crate::player::offers::{Level, MY_LEVEL};
use crate::player::offers::{about, offers};

#[test]
fn players_are_listed_with_what_they_do_and_how_strong_they_are() {
    let mut stage = Stage::new("human", "minimax:8");
    stage.keys("n");
    assert!(stage.dialog_has("Players for North Elo time description"));
    stage.keys("tab tab tab tab");
    assert!(stage.dialog_has("Players for South Elo time description"));
    let row = stage.dialog_row("minimax:8 +171 ");
    assert!(row.ends_with(" searches 8 plies"), "{row}");
    // Of what was typed only continuations of the typed text remain; Tab takes the first, and then the next.
    stage.text("mc");
    let row = stage.dialog_row("mcts:4000 ");
    assert!(row.ends_with(" simulates 4000 games"), "{row}");
    assert_eq!(stage.dialog_row("minimax:8 "), "");
    stage.keys("tab tab right enter");
    assert_eq!(stage.south(), "▸ South  mcts:1000 · to move");
    assert_eq!(stage.north(), "North  a3c");
}

/// On 80 columns every player of Kalah is listed with its whole name, and all of what it does.
#[test]
fn no_player_of_the_list_is_cut() {
    let variant = config().board.game;
    for player in offers(&variant).into_iter().filter(|player| player.parse::<Level>().is_err() && player != MY_LEVEL) {
        let mut stage = Stage::new("human", &player);
        stage.keys("n");
        let screen = stage.screen(80, 24);
        let line = screen.lines().find(|line| line.contains("│ ▸ ")).unwrap_or_default();
        let about = about(&player, &variant).unwrap();
        assert!(line.contains(&format!("▸ {player} ")) && line.contains(&about), "{player}, {about}:\n{screen}");
    }
}

#[test]
fn a_click_on_a_player_chooses_it() {
    let mut stage = Stage::new("human", "random");
    stage.keys("n tab tab tab tab tab");
    stage.click("minimax:2 ").click("South       ").keys("ctrl-u").text("max").keys("enter");
    assert_eq!(stage.south(), "▸ South  max · to move");
    assert_eq!(stage.north(), "North  minimax:2");
}

#[test]
fn rules_are_remembered_when_the_game_is_changed_and_changed_back() {
    let mut stage = Stage::new("human", "human");
    stage.keys("n down").text("3").keys("down").text("2").keys("up up right");
    assert!(stage.dialog_has("Game Othello ←→"));
    assert!(stage.dialog_has("Black human"));
    stage.keys("left enter");
    assert_eq!(stage.subject(), "Kalah 3×2");
}

#[test]
fn the_dialog_and_its_errors_fit_every_size() {
    for (width, height) in [(80, 24), (60, 16), (40, 12)] {
        let mut stage = Stage::new("human", "human");
        stage.screen(width, height);
        stage.keys("n tab tab tab tab ctrl-u").text("minimx:4").keys("enter");
        let screen = stage.screen(width, height);
        // However it is broken into lines.
        let text: String = screen.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
        assert!(text.contains("did you mean 'minimax'?"), "{screen}");
        assert!(text.contains("minimx:4") && text.contains("Enter start"), "{screen}");
    }
}

#[test]
fn a_side_without_time_loses() {
    const TO_CLOCK: &str = "n tab tab tab tab tab tab ctrl-u";
    let mut stage = Stage::new("human", "human");
    stage.keys(TO_CLOCK).text("1+2").press("enter");
    assert_eq!(stage.south(), "▸ South  human  1:00 · to move");
    assert_eq!(stage.north(), "North  human  1:00");
    stage.pass(Duration::from_secs(99)).press("C");
    stage.pass(Duration::from_secs(5)).press("A");
    // No time before the first move; two seconds more for the turn.
    assert_eq!(stage.south(), "South  human  0:57");
    stage.pass(Duration::from_secs(10));
    assert_eq!(stage.north(), "▸ North  human  0:50 · to move");
    stage.pass(Duration::from_secs(51));
    assert_eq!(stage.story()[3], "North lost on time");
    let mut stage = Stage::new("human", "max");
    stage.keys(TO_CLOCK).text("tea").keys("enter");
    assert!(stage.dialog_has("a clock must be minutes and seconds a turn, as in 5+3, at most 600+600"));
}

#[test]
fn a_game_that_ended_is_not_played_on_the_clock() {
    let mut stage = Stage::new("human", "human");
    stage.keys("n tab tab tab tab tab tab ctrl-u").text("1+0").press("enter");
    stage.press("C").press("A");
    // Stepping back stops the clock, and at the end it goes on.
    stage.pass(Duration::from_secs(10)).press(",");
    stage.pass(Duration::from_secs(10)).press(".");
    stage.pass(Duration::from_secs(10));
    assert_eq!(stage.north(), "▸ North  human  0:40 · to move");
    stage.pass(Duration::from_secs(41));
    assert_eq!(stage.story()[3], "North lost on time");
    stage.press("esc").press("a");
    stage.pass(Duration::from_secs(99));
    assert_eq!(stage.story()[0], "North sows a (4 seeds)");
    assert!(!stage.story().iter().any(|line| line.contains("lost on time")), "{:?}", stage.story());
}

/// A stage whose games have seeds of their own, as without `--seed`, against a level.
fn unseeded(level: &str) -> Stage {
    let mut stage = Stage::new("human", "human");
    stage.keys("n up up ctrl-u").text("any").keys("up up ctrl-u").text(level).keys("enter");
    stage
}

#[test]
fn the_short_form_asks_for_game_level_and_part_and_shows_the_board() {
    let mut stage = unseeded("easy");
    stage.keys("n");
    for row in ["Game Kalah ←→", "Level easy", "You first", "Clock none", "More no"] {
        assert!(!stage.dialog_row(row).is_empty(), "{row}:\n{}", stage.screen(80, 24));
    }
    assert!(!stage.dialog_row("again, one in an empty pit of yours").is_empty());
    stage.keys("right");
    assert!(stage.screen(80, 24).contains("a b c d e f g h"), "the board of Othello");
    stage.keys("down right down right enter");
    assert_eq!(stage.subject(), "Othello 8×8");
    assert!(stage.screen(80, 24).contains("Black  Medium"), "the person is White");
    stage.keys("n down down right enter");
    assert!(!stage.screen(80, 24).contains("Medium"), "both sides");
}

#[test]
fn the_long_form_takes_players_over_and_the_short_one_keeps_a_level() {
    let mut stage = unseeded("easy");
    stage.keys("n down right up up right");
    assert!(stage.dialog_has("Pits a side 6") && stage.dialog_has("North medium") && stage.dialog_has("Seed any"));
    // From the last field to the second.
    stage.keys("down down").text("3").keys("up up left");
    assert!(!stage.dialog_row("Level medium").is_empty() && stage.dialog_row("Pits a side").is_empty());
    stage.keys("enter");
    assert_eq!(stage.subject(), "Kalah 6×4", "the short form has the usual rules");
    assert_eq!(stage.north(), "North  Medium");
}

#[test]
fn my_level_falls_after_two_rated_losses() {
    let mut stage = unseeded("my-level");
    for (north, notice) in
        [("Easy", ""), ("Easy", "Two losses in a row: your level falls to Beginner"), ("Beginner", "")]
    {
        assert_eq!(stage.north(), format!("North  {north}"));
        stage.keys("C").keys("R y");
        assert_eq!(stage.notice(), notice);
        stage.keys("M");
    }
    stage.keys("n");
    assert!(!stage.dialog_row("my-level, now beginner:").is_empty(), "{}", stage.screen(80, 24));
}
