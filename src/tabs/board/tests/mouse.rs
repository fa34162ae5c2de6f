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
    assert!(stage.shows("▸D") && stage.shows("No moves yet"), "{}", stage.screen(120, 40));
    // Too late for a double click: it is a click again.
    stage.pass(Duration::from_secs(1));
    stage.screen(80, 24);
    stage.click_at(3, row);
    assert!(stage.shows("No moves yet"), "{}", stage.screen(120, 40));
    stage.screen(80, 24);
    stage.click_at(3, row);
    assert!(stage.shows("South sows D (4 seeds)"), "{}", stage.screen(120, 40));
}

#[test]
fn the_title_of_a_panel_switches_it() {
    let mut stage = Stage::new("human", "human");
    stage.keys("i");
    let row = row_of(&mut stage, "╭ Alpha-beta");
    stage.click_at(30, row);
    assert!(!stage.screen(80, 24).contains("Alpha-beta"), "{}", stage.screen(80, 24));
    // On a large screen the panel is there, to be switched on.
    let screen = stage.screen(120, 40);
    let row = screen.lines().position(|line| line.starts_with("╭ Analysis")).unwrap();
    stage.click_at(5, row as u16);
    assert!(stage.shows("╭ Alpha-beta"), "{}", stage.screen(120, 40));
}
