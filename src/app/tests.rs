//! Tests of the user interface without a terminal: every screen and overlay in three sizes, and the navigation between them.

mod board;
mod checkers;
mod cursor;
mod guest;
mod keys;
mod othello;
mod palette;
mod pictures;
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
    let pages = stage.keys("C F i o h").pages();
    insta::assert_snapshot!(pages + "\n60x20\n" + &stage.body(60, 20));
}

#[test]
fn a_player_that_plays_games_out_at_work() {
    let mut stage = Stage::new("mcts:3000", "random");
    let pages = stage.keys("i").pages();
    insta::assert_snapshot!(pages + "\n60x20\n" + &stage.body(60, 20));
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
    let mut stage = Stage::new("human", "human");
    insta::assert_snapshot!(stage.keys("p 1 2 right 0 up s").pages());
    assert_eq!(stage.footer(), "0-9 seeds + - more, less s side c clear Enter play Esc leave : commands ? help q quit");
}

#[test]
fn help_palette_and_the_question_before_quitting() {
    let mut stage = Stage::new("human", "human");
    let help = stage.keys("?").dialogs();
    let palette = stage.keys("esc :").text("mov").dialogs();
    insta::assert_snapshot!(help + "\n" + &palette);
}

#[test]
fn the_dialogs_of_the_board() {
    let mut stage = Stage::new("human", "minimax:8");
    let new_game = stage.keys("n down right").dialogs();
    let save = stage.keys("esc C s").text("x").dialogs();
    let load = stage.keys("esc l").dialogs();
    insta::assert_snapshot!(new_game + "\n" + &save + "\n" + &load);
}

#[test]
fn styles_of_the_dark_theme() {
    insta::assert_snapshot!(Stage::new("human", "minimax:4").keys("i C F").styles());
}

#[test]
fn styles_without_colour() {
    let mut stage = Stage::new("human", "minimax:4");
    let theme = Theme::load("dark", ColorDepth::None, &Paths::default()).unwrap();
    stage.set_look(Look::new(theme, Glyphs::ascii()));
    insta::assert_snapshot!(stage.keys("i C F").styles());
    insta::assert_snapshot!("styles_without_colour_by_monte_carlo", stage.keys("o").styles_of(15..23));
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
    for (key, tab) in [
        ("2", "Evolution"),
        ("tab", "Weights"),
        ("tab", "Arena"),
        ("tab", "Train"),
        ("tab", "Monitor"),
        ("tab", "Board"),
        ("shift-tab", "Monitor"),
        ("shift-tab", "Train"),
    ] {
        assert_eq!(stage.keys(key).tab(), tab, "{key}");
    }
    assert_eq!(stage.click("1 Board").tab(), "Board");
    assert_eq!(stage.keys("9").tab(), "Board", "there is no ninth tab");
}

#[test]
fn themes_are_shown_while_they_are_chosen() {
    let mut stage = Stage::new("human", "human");
    let south = |stage: &mut Stage| {
        stage.app.shown_look().unwrap_or_else(|| stage.app.appearance.look.clone()).style(Role::South)
    };
    let dark = south(&mut stage);
    stage.keys("T");
    assert!(stage.dialog_has("Enter saves it as the default; a theme in"));
    assert_eq!(south(&mut stage), dark);
    stage.keys("down");
    let light = Theme::load("light", ColorDepth::True, &Paths::default()).unwrap();
    assert_eq!(south(&mut stage), light.style(Role::South));
    let buffer = stage.buffer(80, 24);
    let shown = |role| buffer.content().iter().any(|cell| Some(cell.fg) == light.style(role).fg);
    assert!(shown(Role::South) && shown(Role::TabActive), "the whole screen is drawn in it");
    assert_eq!(south(stage.keys("esc")), dark, "Esc leaves all as it was");
    assert_eq!(south(stage.keys("T T enter")), light.style(Role::South));
    assert_eq!(stage.notice(), "Theme: light");
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
    const HINT: &str = "Colours hard to read? T changes the theme";
    let guessed = || {
        let mut stage = Stage::new("human", "human");
        stage.app.guess_theme(std::time::Instant::now());
        stage
    };
    let second = Duration::from_secs(2);
    let mut stage = guessed();
    assert_eq!(stage.notice(), "");
    stage.pass(second);
    assert_eq!(stage.notice(), HINT);
    stage.keys("v").pass(second);
    assert_eq!(stage.notice(), "");
    // It waits for the end of a dialog, and for nothing if the terminal has reported its background meanwhile.
    let mut stage = guessed();
    stage.keys("n").pass(second);
    assert_eq!(stage.notice(), "");
    stage.keys("esc").pass(second);
    assert_eq!(stage.notice(), HINT);
    let mut stage = guessed();
    let light = crate::term::Event::Report(crate::term::Report::Background(crate::theme::Shade::Light));
    stage.app.event(light, std::time::Instant::now());
    stage.pass(second);
    assert_eq!(stage.notice(), "");
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
    assert_eq!(stage.notice(), "");
    stage.app.take_line_speed(true, now);
    assert_eq!(stage.notice(), "Slow line: animation off (+ turns it on)");
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
    let before = stage.footer();
    stage.paste("<6,4");
    let error = "The pasted text: line 1, column 5: the text ends here; expected a comma and 13 more of 14 counts";
    assert_eq!(stage.notice(), error);
    assert_eq!(stage.footer(), before);
    insta::assert_snapshot!(stage.screens());
    stage.pass(Duration::from_secs(60));
    assert_eq!(stage.notice(), error, "an error does not go by itself");
    assert!(stage.app.deadline().is_none(), "and wakes nobody");
    assert_eq!(stage.keys("?").notice(), "");
    assert!(stage.dialog_has("Kalah: the rules"), "the key has done its work");
}

#[test]
fn moves_can_be_pasted_on_any_tab() {
    let mut stage = Stage::new("human", "human");
    stage.keys("3").paste("C F a");
    assert_eq!(stage.notice(), "Loaded the pasted text");
    assert_eq!((stage.tab(), stage.record().ply()), ("Board", 3));
    // Text that is not a game is reported on the current tab.
    stage.keys("3").paste("an apple");
    assert!(stage.notice().starts_with("The pasted text: line 1, column 1: found 'an'"), "{}", stage.notice());
    assert_eq!(stage.tab(), "Weights");
}

#[test]
fn the_question_before_quitting_is_answered_by_clicks() {
    let mut stage = Stage::new("human", "human");
    let ask = |stage: &mut Stage| {
        let question =
            super::overlay::confirm::ConfirmQuit::new(vec!["long is running; it is saved.".to_owned()], true, false);
        stage.app.open_layer(None, Box::new(question), std::time::Instant::now());
    };
    ask(&mut stage);
    assert_eq!(stage.click("stay").dialog(), None);
    assert_eq!(stage.app.quit(), None);
    ask(&mut stage);
    stage.click("save and quit");
    assert_eq!(stage.app.quit(), Some(0));
    let mut stage = Stage::new("human", "human");
    ask(&mut stage);
    stage.click("go on in the background");
    assert_eq!(stage.app.quit(), Some(0));
}

#[test]
fn a_click_on_a_word_of_the_footer_does_what_its_key_does() {
    let mut stage = Stage::new("human", "human");
    assert!(stage.click("? help").dialog_has("Board: now"));
    stage.keys("esc");
    assert_eq!(stage.click("new").dialog_title(), "New game");
    stage.keys("esc C").click("undo");
    assert_eq!(stage.record().ply(), 0);
}

fn small_game(south: &str, north: &str) -> Stage {
    Stage::of_game("kalah:3x2", south, north)
}

/// A window that shrinks and grows back loses content, though its size is the same.
#[test]
fn every_change_of_size_has_everything_drawn_again() {
    let mut stage = Stage::new("human", "human");
    stage.screen(80, 24);
    stage.app.event(crate::term::Event::Resize(80, 24), std::time::Instant::now());
    assert_eq!(stage.app.take_requests(), [super::TerminalRequest::Redraw]);
}
