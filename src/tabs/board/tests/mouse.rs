//! What the mouse does besides the board: the rows of the analysis, the titles of panels.

use std::time::Duration;

use crate::app::stage::Stage;

/// Where a row of an 80×24 screen begins with this text, after the frame.
fn row_of(stage: &mut Stage, text: &str) -> u16 {
    let screen = stage.screen(80, 24);
    screen.lines().position(|line| line.starts_with(text)).unwrap_or_else(|| panic!("{text}:\n{screen}")) as u16
}

#[test]
fn a_click_on_a_move_of_the_analysis_points_at_it_and_a_double_click_makes_it() {
    let mut stage = Stage::new("human", "human");
    stage.keys("i");
    let row = row_of(&mut stage, "│ D ");
    stage.click_at(3, row);
    assert!(stage.body(80, 24).contains("▸D"), "{}", stage.screen(80, 24));
    assert_eq!(stage.moves(), "No moves yet");
    // Too late for a double click: it is a click again.
    stage.pass(Duration::from_secs(1));
    stage.screen(80, 24);
    stage.click_at(3, row);
    assert_eq!(stage.moves(), "No moves yet");
    stage.screen(80, 24);
    stage.click_at(3, row);
    assert_eq!(stage.story(), ["South sows D (4 seeds)"]);
}

#[test]
fn the_title_of_a_panel_switches_it() {
    let mut stage = Stage::new("human", "human");
    stage.keys("i");
    let row = row_of(&mut stage, "├ Alpha-beta");
    stage.click_at(30, row);
    assert_eq!(stage.panel_of((80, 24), "Alpha-beta"), None);
    assert_eq!(stage.panel("Alpha-beta"), None);
}
