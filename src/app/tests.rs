//! What a person sees and does, without a terminal: every screen and overlay in three sizes, and the ways between them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::command::Command;
use super::effect::Context;
use super::overlay::Answer;
use super::stage::{Stage, config, look};
use crate::app::tab::Tab;
use crate::config::Config;
use crate::theme::{ColorDepth, Glyphs, Role, Theme};
use crate::ui::{Look, put};

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
    let theme = Theme::load("dark", ColorDepth::None, &[]).unwrap();
    stage.set_look(Look { theme, glyphs: Glyphs::ascii() });
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
fn too_small_a_screen_says_what_is_needed() {
    let mut stage = Stage::new("human", "human");
    assert!(stage.screen(20, 5).contains("mancalab needs 40×12"));
    stage.keys("q");
    assert_eq!(stage.app.quit(), Some(0));
}

#[test]
fn keys_can_be_changed_and_the_footer_and_help_follow() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.toml");
    std::fs::write(&path, "[keys]\nboard.new = 'ctrl-n'\nboard.hint = []\n'app.help' = ['H', '?']\n").unwrap();
    let config = Config { keys: Config::check_file(&path).unwrap().keys, ..config() };
    let mut stage = Stage::with_config(config, "human", "human");
    assert!(stage.shows("^N new") && !stage.shows("hint"), "{}", stage.screen(120, 40));
    stage.keys("ctrl-n");
    assert!(stage.shows("New game"));
    stage.keys("esc H");
    assert!(stage.shows("^N"));
    stage.keys("esc n");
    assert!(!stage.shows("New game"));
}

#[test]
fn tabs_by_digit_tab_and_mouse() {
    let mut stage = Stage::new("human", "human");
    assert!(stage.keys("2").shows("Genetic programming"));
    assert!(stage.keys("tab").shows("ten weights"));
    assert!(stage.keys("tab").shows("Players meet"));
    assert!(stage.keys("tab").shows("sow"));
    assert!(stage.keys("shift-tab").shows("Players meet"));
    assert!(stage.click("1 Board").shows("sow"));
    assert!(stage.keys("9").shows("sow"), "there is no ninth tab");
}

#[test]
fn the_palette_runs_what_was_found() {
    let mut stage = Stage::new("human", "human");
    assert!(stage.keys(":").text("new game").keys("enter").shows("Pits a side"));
    stage.keys("esc :").text("nothing of the kind");
    assert!(stage.shows("no command has that in its name"));
}

/// A tab whose one command opens something that takes its time.
struct Slow {
    opened: Arc<AtomicBool>,
    keys: String,
}

impl Tab for Slow {
    fn scope(&self) -> &'static str {
        "slow"
    }

    fn title(&self) -> &'static str {
        "Slow"
    }

    fn subtitle(&self, _: &Look) -> String {
        String::new()
    }

    fn commands(&self) -> &'static [Command] {
        const COMMANDS: &[Command] = &[Command::new("slow.open", "Open it", &["o"])];
        COMMANDS
    }

    fn run(&mut self, _: &str, cx: &mut Context) {
        let opened = Arc::clone(&self.opened);
        cx.wait_for(move || {
            while !opened.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(1));
            }
            "opened "
        });
    }

    fn key(&mut self, key: KeyEvent, _: &mut Context) -> bool {
        self.keys.extend(key.code.as_char());
        true
    }

    fn answer(&mut self, answer: Answer, _: &mut Context) {
        self.keys += *answer.downcast::<&str>().unwrap();
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        put(look.span(Role::Text, format!("<{}>", self.keys)), area, buf);
    }
}

#[test]
fn a_file_that_does_not_come_keeps_no_key_waiting_but_those_that_need_it() {
    let opened = Arc::new(AtomicBool::new(false));
    let slow = Slow { opened: Arc::clone(&opened), keys: String::new() };
    let mut stage = Stage::with_tabs(config(), vec![Box::new(slow)]);
    stage.type_ahead("x o y z");
    assert!(stage.shows("<x>"), "{}", stage.screen(80, 24));
    stage.type_ahead("?");
    assert!(stage.shows("Open it"), "the help opens meanwhile");
    stage.type_ahead("esc");
    opened.store(true, Ordering::SeqCst);
    stage.until("<xopened yz>");
    // Esc gives up what was typed, and the answer comes all the same.
    opened.store(false, Ordering::SeqCst);
    stage.type_ahead("o a b esc c");
    assert!(stage.shows("<xopened yzc>"), "{}", stage.screen(80, 24));
    opened.store(true, Ordering::SeqCst);
    stage.until("<xopened yzcopened >");
}

fn small_game(south: &str, north: &str) -> Stage {
    let mut config = config();
    config.board.game = "kalah:3x2".parse().unwrap();
    Stage::with_config(config, south, north)
}

/// Writes the README's picture of the board: `cargo test --lib picture -- --ignored`.
#[test]
#[ignore = "writes docs/board.svg"]
fn picture() {
    let mut config = config();
    config.search.analysis_depth = 12;
    let mut stage = Stage::with_config(config, "human", "minimax:8");
    stage.keys("C F");
    stage.keys("D");
    stage.keys("i");
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/board.svg");
    crate::files::write_atomic(&path, super::stage::svg(&stage.buffer(100, 30)).as_bytes()).unwrap();
}
