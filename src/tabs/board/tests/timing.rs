//! The time of each move: measured, listed, and kept in files; clocks.

use std::time::Duration;

use crate::app::stage::Stage;
use crate::game::notation::{self, Marks};

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// A new game of two people with this clock.
fn on_clock(clock: &str) -> Stage {
    let mut stage = Stage::new("human", "human");
    stage.keys("n tab tab tab tab tab tab ctrl-u").text(clock).press("enter");
    stage
}

/// The seconds of each move of the line, and of the clock after it.
fn times(stage: &Stage) -> Vec<[Option<f64>; 2]> {
    let record = stage.record();
    let times = |node| {
        let Marks { time, clock, .. } = Marks::parse(record.comment(node));
        [time, clock].map(|time| time.map(|time| time.as_secs_f64()))
    };
    record.line().iter().map(|step| times(step.node)).collect()
}

#[test]
fn each_move_keeps_its_time() {
    let mut stage = Stage::new("human", "human");
    stage.pass(seconds(9)).keys("C");
    stage.pass(seconds(3)).keys("F");
    stage.pass(Duration::from_millis(1240)).keys("b");
    // The first move of a person is not measured.
    assert_eq!(times(&stage), [[None; 2], [Some(3.0), None], [Some(1.2), None]]);
    // The time pauses while one steps through the game.
    stage.pass(seconds(2)).keys(",").pass(seconds(50)).keys(".").pass(seconds(4)).keys("a");
    assert_eq!(times(&stage)[3], [Some(6.0), None]);
    // A variation has no times, a move instead of one taken back has its own.
    stage.keys(", ,").keys("A");
    assert_eq!(times(&stage)[2], [None; 2]);
    stage.keys("end u").pass(seconds(7)).keys("c");
    assert_eq!(*times(&stage).last().unwrap(), [Some(7.0), None]);
}

#[test]
fn times_and_clocks_are_in_files_and_come_back() {
    let mut stage = on_clock("5+3");
    stage.keys("A").pass(seconds(10)).keys("c").pass(seconds(5)).keys("a").pass(seconds(2)).keys("C");
    let text = notation::write(stage.record());
    assert!(text.contains("[TimeControl \"300+3\"]"), "{text}");
    let moves: String = text.lines().skip_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let wanted =
        " 1. A 2. c {[%emt 10.0] [%clk 0:04:50]} a {[%emt 5.0] [%clk 0:04:48]} 3. C {[%emt 2.0] [%clk 0:05:01]}";
    assert_eq!(moves, wanted);
    let mut other = Stage::new("human", "human");
    other.paste(&text).keys("end");
    assert_eq!(times(&other), times(&stage));
    assert_eq!((other.south(), other.north()), ("South  human  5:01".into(), "▸ North  human  4:48 · to move".into()));
    // The clock goes on once the game does.
    other.pass(seconds(60)).keys("d");
    assert_eq!(other.record().comment(other.record().at()), "", "it was not measured");
    other.pass(seconds(2));
    assert_eq!(other.south(), "▸ South  human  4:59 · to move");
}

#[test]
fn a_comment_leaves_the_times_alone() {
    let mut stage = Stage::new("human", "human");
    stage.keys("A").pass(seconds(3)).keys("a ;").text("! good").keys("enter");
    assert_eq!(stage.record().comment(stage.record().at()), "! [%emt 3.0] good");
    assert!(stage.keys(";").dialog_has("Comment ! good"), "{:?}", stage.dialog().map(|dialog| dialog.lines()));
}

#[test]
fn the_list_has_times_where_there_is_room_or_on_request() {
    let mut stage = Stage::of_game("othello", "human", "human");
    stage.keys("f 5").pass(seconds(3)).keys("d 6").pass(seconds(100)).keys("c 3");
    let wide = stage.panel_of((120, 40), "Moves").unwrap().lines();
    assert_eq!(wide[..4], ["moves time lead", "1 f5 +3", "2 d6 3.0 0", "3 c3 1:40 +3"]);
    assert_eq!(stage.panel_of((80, 24), "Moves").unwrap().lines()[1], "1 f5 +3 d6 0");
    let narrow = stage.keys("&").panel_of((80, 24), "Moves").unwrap().lines();
    assert_eq!(narrow[..3], ["Black time White time", "1 f5 d6 3.0", "3 c3 1:40"]);
    let mut stage = Stage::new("human", "human");
    stage.keys("C F").pass(seconds(3)).keys("a &");
    assert_eq!(stage.panel_of((80, 24), "Moves").unwrap().lines(), ["moves time", "1 C F 0.0", "2 a 3.0"]);
}

#[test]
fn clocks_are_as_large_as_the_board_allows() {
    let mut stage = on_clock("5+0");
    stage.keys("A").pass(seconds(60));
    let small = stage.screen(80, 24);
    assert!(small.contains("North  human  4:00 · to move") && small.contains("South  human  5:00"), "{small}");
    let large = stage.screen(120, 40);
    assert!(large.contains("│ █ █ ▄ █▀█ █▀█ ") && large.contains("│ ▀▀█ ▄ █ █ █ █          ▸ North │"), "{large}");
    assert!(large.contains("▸ North  human · to move"), "{large}");
}

#[test]
fn clocks_of_a_file_are_those_of_the_position_shown() {
    let text = "[Event \"a\"]\n[GameType \"21\"]\n[TimeControl \"7200\"]\n1. 11-15 {[%clk 1:55:21]} 23-19 {[%clk 1:59:00]} \
                2. 8-11 {[%clk 1:54:02] fast} *\n";
    let mut stage = Stage::of_game("checkers", "human", "human");
    stage.paste(text);
    assert_eq!(stage.south(), "▮ Black  ?  1:54:02");
    stage.keys(",");
    assert_eq!(stage.south(), "▸ ▮ Black  ?  1:55:21 · to move");
    assert_eq!(stage.north(), "▯ White  ?  1:59:00");
    let wide = stage.panel_of((120, 40), "Moves").unwrap().lines();
    for row in ["1 11-15 4:39 0", "23-19 1:00 0", "2 8-11\" 1:19 0"] {
        assert!(wide.iter().any(|line| line == row), "{row}: {wide:?}");
    }
}
