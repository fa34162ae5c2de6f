//! Tests of the user interface without a terminal: every screen and overlay in three sizes, and the navigation between them.

mod board;
mod checkers;
mod cursor;
mod guest;
mod keys;
mod othello;
mod palette;
mod runs;
mod sizes;
mod waiting;

use std::time::Duration;

use ratatui::buffer::Buffer;

use super::TerminalRequest;
use super::stage::{Stage, config, look};
use crate::paths::Paths;
use crate::theme::{ColorDepth, Glyphs, Role, Theme};
use crate::ui::Look;

#[test]
fn the_start() {
    insta::assert_snapshot!(Stage::new("human", "minimax:8").screens());
}

#[test]
fn in_the_middle_of_a_game() {
    insta::assert_snapshot!(Stage::new("human", "minimax:4").keys("C F").screens());
}

#[test]
fn with_the_analysis_and_a_hint() {
    insta::assert_snapshot!(Stage::new("human", "minimax:4").keys("C F i h").screens());
}

#[test]
fn with_the_analysis_by_monte_carlo_and_a_hint() {
    let mut stage = Stage::new("human", "minimax:4");
    let screens = stage.keys("C F i o h").screens();
    insta::assert_snapshot!(screens + "\n60x20\n" + &stage.screen(60, 20));
}

#[test]
fn a_player_that_plays_games_out_at_work() {
    let mut stage = Stage::new("mcts:3000", "random");
    let screens = stage.keys("i").screens();
    insta::assert_snapshot!(screens + "\n60x20\n" + &stage.screen(60, 20));
}

#[test]
fn a_game_that_is_over() {
    let mut stage = small_game("random", "max");
    for _ in 0..60 {
        stage.pass(Duration::from_secs(1));
    }
    insta::assert_snapshot!(stage.screens());
}

#[test]
fn setting_up_a_position() {
    insta::assert_snapshot!(Stage::new("human", "human").keys("p 1 2 right 0 up s").screens());
}

#[test]
fn help_palette_and_the_question_before_quitting() {
    let mut stage = Stage::new("human", "human");
    let help = stage.keys("?").screens();
    let palette = stage.keys("esc :").text("mov").screens();
    insta::assert_snapshot!(help + "\n" + &palette);
}

#[test]
fn the_dialogs_of_the_board() {
    let mut stage = Stage::new("human", "minimax:8");
    let new_game = stage.keys("n down right").screens();
    let save = stage.keys("esc C s").text("x").screens();
    let load = stage.keys("esc l").screens();
    insta::assert_snapshot!(new_game + "\n" + &save + "\n" + &load);
}

#[test]
fn styles_of_the_dark_theme() {
    insta::assert_snapshot!(Stage::new("human", "minimax:4").keys("C F i").styles());
}

#[test]
fn styles_without_colour() {
    let mut stage = Stage::new("human", "minimax:4");
    let theme = Theme::load("dark", ColorDepth::None, &Paths::default()).unwrap();
    stage.set_look(Look::new(theme, Glyphs::ascii()));
    insta::assert_snapshot!(stage.keys("C F i").styles());
    insta::assert_snapshot!("styles_without_colour_by_monte_carlo", stage.keys("o").styles());
}

#[test]
fn ascii_is_ascii_on_every_screen() {
    let mut stage = Stage::new("human", "minimax:4");
    stage.set_look(Look { glyphs: Glyphs::ascii(), ..look() });
    for keys in ["C F i h", "o", "?", "esc :", "esc n", "esc l", "esc s", "esc p", "esc 2", "3"] {
        stage.keys(keys);
        for (width, height) in [(80, 24), (120, 40), (200, 60), (40, 12), (20, 5)] {
            let screen = stage.screen(width, height);
            let odd: String = screen.chars().filter(|c| !c.is_ascii()).collect();
            assert!(odd.is_empty(), "after {keys} at {width}x{height}: {odd}\n{screen}");
        }
    }
}

#[test]
fn any_size_can_be_drawn() {
    let mut stage = Stage::new("human", "minimax:2");
    for keys in ["i", "o", "?", "esc :", "esc n", "esc l", "esc p", "esc 2"] {
        stage.keys(keys);
        for (width, height) in
            [(1, 1), (2, 1), (20, 5), (39, 12), (40, 11), (40, 12), (59, 15), (60, 16), (61, 90), (480, 12), (480, 154)]
        {
            stage.screen(width, height);
        }
    }
}

#[test]
fn too_small_a_screen_shows_what_is_needed() {
    let mut stage = Stage::new("human", "human");
    assert!(stage.screen(20, 5).contains("mancalab needs 40×12"));
    stage.keys("q");
    assert_eq!(stage.app.quit(), Some(0));
}

#[test]
fn tabs_by_digit_tab_and_mouse() {
    let mut stage = Stage::new("human", "human");
    assert!(stage.keys("2").shows("Genetic programming"));
    assert!(stage.keys("tab").shows("tunes the weights"));
    assert!(stage.keys("tab").shows("Everyone plays"));
    assert!(stage.keys("tab").shows("A network learns"));
    assert!(stage.keys("tab").shows("No runs or plans yet"));
    assert!(stage.keys("tab").shows("sow"));
    assert!(stage.keys("shift-tab shift-tab").shows("A network learns"));
    assert!(stage.click("1 Board").shows("sow"));
    assert!(stage.keys("9").shows("sow"), "there is no ninth tab");
}

#[test]
fn themes_are_shown_while_they_are_chosen() {
    let mut stage = Stage::new("human", "human");
    let south = |stage: &mut Stage| {
        stage.app.shown_look().unwrap_or_else(|| stage.app.appearance.look.clone()).style(Role::South)
    };
    let dark = south(&mut stage);
    stage.keys("T");
    assert!(stage.shows("Saved as the default"), "{}", stage.screen(120, 40));
    assert_eq!(south(&mut stage), dark);
    stage.keys("down");
    let light = Theme::load("light", ColorDepth::True, &Paths::default()).unwrap();
    assert_eq!(south(&mut stage), light.style(Role::South));
    let buffer = stage.buffer(80, 24);
    let shown = |role| buffer.content().iter().any(|cell| Some(cell.fg) == light.style(role).fg);
    assert!(shown(Role::South) && shown(Role::TabActive), "the whole screen is drawn in it");
    assert_eq!(south(stage.keys("esc")), dark, "Esc leaves all as it was");
    assert_eq!(south(stage.keys("T T enter")), light.style(Role::South));
    assert!(stage.shows("Theme: light"));
    let picker = stage.keys("T").screens();
    insta::assert_snapshot!(picker);
}

#[test]
fn a_background_that_is_reported_late_chooses_the_theme_unless_a_person_has() {
    let mut stage = Stage::new("human", "human");
    let light = crate::term::Event::Report(crate::term::Report::Background(crate::theme::Shade::Light));
    stage.app.event(light.clone(), std::time::Instant::now());
    stage.press("f9");
    assert_eq!(stage.app.appearance.look.theme.name(), "light");
    stage.keys("T enter T T enter");
    let chosen = stage.app.appearance.look.theme.name().to_owned();
    stage.app.event(light, std::time::Instant::now());
    stage.press("f9");
    assert_eq!((stage.app.appearance.look.theme.name(), chosen.as_str()), ("sixteen", "sixteen"));
}

#[test]
fn where_the_background_is_unknown_the_key_for_themes_is_named_once() {
    const HINT: &str = "Colours hard to read? T";
    let guessed = || {
        let mut stage = Stage::new("human", "human");
        stage.app.guess_theme(std::time::Instant::now());
        stage
    };
    let second = Duration::from_secs(2);
    let mut stage = guessed();
    assert!(!stage.shows(HINT));
    stage.pass(second);
    assert!(stage.shows(HINT), "{}", stage.screen(120, 40));
    stage.keys("v").pass(second);
    assert!(!stage.shows(HINT));
    // It waits for the end of a dialog, and for nothing if the terminal has reported its background meanwhile.
    let mut stage = guessed();
    stage.keys("n").pass(second);
    assert!(!stage.shows(HINT));
    stage.keys("esc").pass(second);
    assert!(stage.shows(HINT));
    let mut stage = guessed();
    let light = crate::term::Event::Report(crate::term::Report::Background(crate::theme::Shade::Light));
    stage.app.event(light, std::time::Instant::now());
    stage.pass(second);
    assert!(!stage.shows(HINT));
}

#[test]
fn a_slow_line_ends_the_animation_and_spares_bytes() {
    let mut config = config();
    config.board.animation = 12.0;
    let mut stage = Stage::with_config(config, "human", "human");
    let changed = |before: &Buffer, after: &Buffer| before.diff(after).len();
    let closing = |stage: &mut Stage, spares: bool| {
        stage.app.spare_bytes(spares);
        let open = stage.keys("n").buffer(80, 24);
        changed(&open, &stage.keys("esc").buffer(80, 24))
    };
    assert!(2 * closing(&mut stage, true) < closing(&mut stage, false));
    let now = std::time::Instant::now();
    stage.app.take_line_speed(false, now);
    assert!(!stage.shows("Slow line"));
    stage.app.take_line_speed(true, now);
    assert!(stage.shows("Slow line: animation off"), "{}", stage.screen(120, 40));
    stage.keys("C").screen(120, 40);
    let frame = std::time::Duration::from_millis(500);
    assert!(stage.app.deadline().is_none_or(|at| at > std::time::Instant::now() + frame), "nothing moves");
}

#[test]
fn a_terminal_with_wide_lines_gets_ascii() {
    let mut stage = Stage::new("human", "human");
    stage.app.event(crate::term::Event::Report(crate::term::Report::Wide), std::time::Instant::now());
    let first = stage.screen(80, 24);
    assert!(first.is_ascii(), "{first}");
    assert_eq!(stage.app.take_requests(), [TerminalRequest::Redraw]);
}

/// The theme `sixteen` uses only the terminal's own colours, on every page.
#[test]
fn under_sixteen_no_other_colours_leave() {
    let mut stage = Stage::new("human", "minimax:4");
    let theme = Theme::load("sixteen", ColorDepth::True, &Paths::default()).unwrap();
    stage.set_look(Look { theme, ..look() });
    for keys in ["C F i h", "o", "w", "?", "esc :", "esc n", "esc l", "esc s", "esc p", "esc 2", "3", "4"] {
        stage.keys(keys);
        for cell in stage.buffer(120, 40).content() {
            for color in [cell.fg, cell.bg] {
                let odd = matches!(color, ratatui::style::Color::Rgb(..) | ratatui::style::Color::Indexed(_));
                assert!(!odd, "after {keys}: {color:?} in {:?}", cell.symbol());
            }
        }
    }
}

#[test]
fn errors_stay_until_a_key_which_does_its_work_and_the_footer_is_never_covered() {
    let mut stage = Stage::new("human", "human");
    let footer = |stage: &mut Stage| stage.screen(80, 24).lines().last().unwrap().to_owned();
    let before = footer(&mut stage);
    stage.paste("<6,4");
    assert!(stage.shows("column 5: the text ends here"), "{}", stage.screen(80, 24));
    assert_eq!(footer(&mut stage), before);
    insta::assert_snapshot!(stage.screens());
    stage.pass(Duration::from_secs(60));
    assert!(stage.shows("column 5: the text ends here"), "an error does not go by itself");
    assert!(stage.app.deadline().is_none(), "and wakes nobody");
    assert!(!stage.keys("?").shows("column 5"));
    assert!(stage.shows("Kalah: the rules"), "the key has done its work");
}

#[test]
fn moves_can_be_pasted_on_any_tab() {
    let mut stage = Stage::new("human", "human");
    stage.keys("3").paste("C F a");
    assert!(stage.shows("Loaded the pasted text"), "{}", stage.screen(120, 40));
    assert!(stage.shows("sow") && stage.shows("South to move") || stage.shows("· to move"));
    // Text that is not a game is reported on the current tab.
    stage.keys("3").paste("an apple");
    assert!(stage.shows("found 'an'") && stage.shows("tunes the weights"), "{}", stage.screen(120, 40));
}

#[test]
fn the_question_before_quitting_is_answered_by_clicks() {
    let mut stage = Stage::new("human", "human");
    let ask = |stage: &mut Stage| {
        let question = super::overlay::confirm::ConfirmQuit::new(vec!["long is running; it is saved.".to_owned()]);
        stage.app.open_layer(None, Box::new(question), std::time::Instant::now());
    };
    ask(&mut stage);
    assert!(!stage.click("stay").shows("long is running") && stage.app.quit().is_none());
    ask(&mut stage);
    stage.click("save and quit");
    assert_eq!(stage.app.quit(), Some(0));
}

#[test]
fn a_click_on_a_word_of_the_footer_does_what_its_key_does() {
    let mut stage = Stage::new("human", "human");
    assert!(stage.click("? help").shows("Board: now"));
    stage.keys("esc");
    assert!(stage.click("new").shows("New game"));
    stage.keys("esc C").click("undo");
    assert!(stage.shows(". on"), "{}", stage.screen(80, 24));
}

fn small_game(south: &str, north: &str) -> Stage {
    let mut config = config();
    config.board.game = "kalah:3x2".parse().unwrap();
    Stage::with_config(config, south, north)
}

/// A window that shrinks and grows back loses content, though its size is the same.
#[test]
fn every_change_of_size_has_everything_drawn_again() {
    let mut stage = Stage::new("human", "human");
    stage.screen(80, 24);
    stage.app.event(crate::term::Event::Resize(80, 24), std::time::Instant::now());
    assert_eq!(stage.app.take_requests(), [super::TerminalRequest::Redraw]);
}
