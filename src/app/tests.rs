//! What a person sees and does, without a terminal: every screen and overlay in three sizes, and the ways between them.

mod board;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::command::{Command, Commanded, Registry, Whose};
use super::effect::Context;
use super::overlay::{Answer, Outcome, Overlay};
use super::stage::{Stage, config, look};
use crate::app::tab::Tab;
use crate::config::Config;
use crate::paths::Paths;
use crate::tabs::board::{Settings, Setup};
use crate::tabs::{self, Opening};
use crate::term::Chord;
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

fn othello(south: &str, north: &str) -> Stage {
    let mut config = config();
    config.board.game = "othello".parse().unwrap();
    Stage::with_config(config, south, north)
}

/// Othello in all sizes, and in those between.
fn othello_screens(stage: &mut Stage) -> String {
    let more = [(60, 20), (100, 30), (200, 60)];
    let more = more.map(|(width, height)| format!("\n{width}x{height}\n{}", stage.screen(width, height)));
    stage.screens() + &more.concat()
}

#[test]
fn othello_at_the_start() {
    let mut stage = othello("human", "minimax:2");
    insta::assert_snapshot!(othello_screens(&mut stage));
}

#[test]
fn othello_with_the_cursor_and_an_analysis() {
    let mut stage = othello("human", "human");
    stage.keys("d 3 c 5 right t i");
    insta::assert_snapshot!(othello_screens(&mut stage));
}

#[test]
fn othello_in_ascii_without_colour() {
    let mut stage = othello("human", "human");
    let theme = Theme::load("dark", ColorDepth::None, &Paths::default()).unwrap();
    stage.set_look(Look { theme, glyphs: Glyphs::ascii() });
    stage.keys("d 3 c 5 right");
    insta::assert_snapshot!(othello_screens(&mut stage) + &stage.styles());
}

#[test]
fn othello_being_set_up_and_told() {
    let mut stage = othello("human", "human");
    let edit = stage.keys("p c w right space down").screens();
    let pass = stage.keys("up enter").screens();
    let help = stage.keys("?").screens();
    insta::assert_snapshot!(edit + "\n" + &pass + "\n" + &help);
}

#[test]
fn othello_is_drawn_in_any_size_and_in_ascii() {
    let mut stage = othello("human", "human");
    let sizes =
        [(1, 1), (20, 5), (40, 11), (40, 12), (59, 15), (60, 16), (80, 20), (80, 23), (61, 90), (480, 12), (480, 154)];
    for keys in ["d 3", "right", "i t", "o", "w", "v", "p", "esc n"] {
        stage.keys(keys);
        for glyphs in [Glyphs::unicode(), Glyphs::ascii()] {
            let ascii = glyphs == Glyphs::ascii();
            stage.set_look(Look { glyphs, ..look() });
            for (width, height) in sizes {
                let screen = stage.screen(width, height);
                assert!(!ascii || screen.is_ascii(), "after {keys} at {width}x{height}:\n{screen}");
            }
        }
    }
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
    let config = Config { keys: Config::check_file(&path, &Paths::default()).unwrap().keys, ..config() };
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
    assert!(stage.shows("nothing is called that"));
}

/// The rows of the palette that stand below what was typed.
fn rows_of_palette(stage: &mut Stage) -> Vec<String> {
    let screen = stage.screen(120, 40);
    let rows =
        screen.lines().skip_while(|line| !line.contains("╭ Find ")).skip(3).take_while(|line| !line.contains("╰──"));
    let inside = |line: &str| {
        let inner: String = line.chars().skip(24).take(72).collect();
        inner.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    rows.map(inside).filter(|row| !row.is_empty()).collect()
}

#[test]
fn the_palette_finds_tabs_presets_players_and_themes_by_their_names() {
    let mut stage = Stage::new("human", "human");
    let first = |stage: &mut Stage, typed: &str| {
        stage.keys("esc :").text(typed);
        rows_of_palette(stage).into_iter().next().unwrap_or_default()
    };
    assert_eq!(first(&mut stage, "th"), "Choose a theme T");
    assert_eq!(first(&mut stage, "aren"), "Go to Arena 4 M-4");
    assert!(first(&mut stage, "mancala-gp-2").ends_with("preset"));
    assert!(first(&mut stage, "minimax:4").ends_with("player"));
    assert_eq!(first(&mut stage, "okabe"), "okabe-ito theme");
    stage.keys("enter");
    assert!(stage.shows("Theme: okabe-ito"), "{}", stage.screen(120, 40));
    stage.keys(":").text("random player").keys("enter");
    assert!(stage.shows("North  random"), "{}", stage.screen(120, 40));
    stage.keys(":").text("mancala-gp-2").keys("enter");
    assert!(stage.shows("Enter starts"), "the settings of a preset can be looked at first: {}", stage.screen(120, 40));
}

#[test]
fn the_palette_loads_saved_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("brilliant.game");
    std::fs::write(path, "[Game \"kalah:6x4:standard\"]\n\n1. C F 2. a\n").unwrap();
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().to_owned()));
    stage.keys("3 :").text("brill").keys("enter");
    assert!(stage.shows("Loaded brilliant.game"), "{}", stage.screen(120, 40));
}

#[test]
fn what_does_not_apply_is_dim_in_the_palette_and_says_why() {
    let mut stage = Stage::new("human", "human");
    stage.keys(":").text("take your last");
    assert_eq!(rows_of_palette(&mut stage), ["Take your last move back this is the start of the game"]);
    stage.keys("esc :").text("copy");
    let line =
        |screen: &str| screen.lines().position(|line| line.contains("no move has been made yet")).unwrap() as u16;
    let (screen, buffer) = (stage.screen(120, 40), stage.buffer(120, 40));
    let at = screen.lines().nth(line(&screen).into()).unwrap().chars().position(|c| c == 'C').unwrap() as u16;
    assert_eq!(Some(buffer[(at, line(&screen))].fg), look().style(Role::Dim).fg, "{screen}");
    stage.keys("esc 2 :").text("pause");
    let rows = rows_of_palette(&mut stage);
    assert!(rows.iter().any(|row| row.contains("this command is for a run")), "{rows:?}");
    assert!(!stage.keys("esc :").text("go to tab").shows("Go to tab"), "tabs that there are not are not listed");
}

#[test]
fn themes_are_shown_while_they_are_chosen() {
    let mut stage = Stage::new("human", "human");
    let south = |stage: &mut Stage| stage.app.shown_look().unwrap_or_else(|| stage.app.look.clone()).style(Role::South);
    let dark = south(&mut stage);
    stage.keys("T");
    assert!(stage.shows("theme = \"dark\""), "{}", stage.screen(120, 40));
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
fn a_background_that_is_told_late_chooses_the_theme_unless_a_person_has() {
    let mut stage = Stage::new("human", "human");
    let light = crate::term::Event::Background(crate::theme::Shade::Light);
    stage.app.event(light.clone(), std::time::Instant::now());
    stage.press("f9");
    assert_eq!(stage.app.look.theme.name(), "light");
    stage.keys("T enter T T enter");
    let chosen = stage.app.look.theme.name().to_owned();
    stage.app.event(light, std::time::Instant::now());
    stage.press("f9");
    assert_eq!((stage.app.look.theme.name(), chosen.as_str()), ("sixteen", "sixteen"));
}

/// Whoever chose `sixteen` sees the terminal's own colours and no others, on any page.
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
    stage.paste("C F x");
    assert!(stage.shows("column 5: found 'x'"), "{}", stage.screen(80, 24));
    assert_eq!(footer(&mut stage), before);
    insta::assert_snapshot!(stage.screens());
    stage.pass(Duration::from_secs(60));
    assert!(stage.shows("column 5: found 'x'"), "an error does not go by itself");
    assert!(stage.app.deadline().is_none(), "and wakes nobody");
    assert!(!stage.keys("?").shows("column 5"));
    assert!(stage.shows("Everywhere"), "the key has done its work");
}

#[test]
fn moves_can_be_pasted_on_any_tab() {
    let mut stage = Stage::new("human", "human");
    stage.keys("3").paste("C F a");
    assert!(stage.shows("Loaded the pasted text"), "{}", stage.screen(120, 40));
    assert!(stage.shows("sow") && stage.shows("South to move") || stage.shows("· to move"));
    // What is no game is told where one is.
    stage.keys("3").paste("an apple");
    assert!(stage.shows("found 'an'") && stage.shows("ten weights"), "{}", stage.screen(120, 40));
}

#[test]
fn the_first_letter_that_does_nothing_is_told_and_no_other() {
    let mut stage = Stage::new("human", "human");
    assert!(stage.keys("k").shows("k does nothing here"), "{}", stage.screen(120, 40));
    assert!(!stage.keys("k").shows("does nothing here"));
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
    assert!(stage.click("? help").shows("Everywhere"));
    stage.keys("esc");
    assert!(stage.click("new").shows("New game"));
    stage.keys("esc C").click("undo");
    assert!(stage.shows("→ on"), "{}", stage.screen(80, 24));
}

/// A tab whose one command opens something that takes its time.
struct Slow {
    opened: Arc<AtomicBool>,
    keys: String,
}

impl Commanded for Slow {
    const COMMANDS: &'static [Command<Slow>] = &[Command::new("slow.open", "Open it", &["o"], Slow::start)];
}

impl Slow {
    fn start(&mut self, cx: &mut Context) {
        let opened = Arc::clone(&self.opened);
        cx.wait_for(move || {
            while !opened.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(1));
            }
            "opened "
        });
    }
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

/// Opens a dialog whose answer is what was typed, after an errand of the tab's has brought another tab to the front.
struct Asking {
    scope: &'static str,
    answers: String,
}

impl Commanded for Asking {
    const COMMANDS: &'static [Command<Asking>] = &[Command::new("asking.ask", "Ask", &["a"], Asking::ask)];
}

impl Asking {
    fn ask(&mut self, cx: &mut Context) {
        cx.open(Question);
        cx.tell("told", "come to the front ");
    }
}

impl Tab for Asking {
    fn scope(&self) -> &'static str {
        self.scope
    }

    fn title(&self) -> &'static str {
        self.scope
    }

    fn subtitle(&self, _: &Look) -> String {
        String::new()
    }

    fn answer(&mut self, answer: Answer, _: &mut Context) {
        self.answers += *answer.downcast::<&str>().unwrap();
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        put(look.span(Role::Text, format!("{}: <{}>", self.scope, self.answers)), area, buf);
    }
}

struct Question;

impl Overlay for Question {
    fn key(&mut self, _: KeyEvent) -> Outcome {
        Outcome::Answer(Box::new("an answer"))
    }

    fn draw(&mut self, _: Rect, _: &mut Buffer, _: &Look) -> Option<(u16, u16)> {
        None
    }
}

#[test]
fn an_answer_reaches_the_tab_that_opened_the_dialog_whatever_is_in_front() {
    let tab = |scope| Box::new(Asking { scope, answers: String::new() }) as Box<dyn Tab>;
    let mut stage = Stage::with_tabs(config(), vec![tab("asking"), tab("told")]);
    stage.keys("a");
    assert!(stage.shows("told: <come to the front >"), "{}", stage.screen(80, 24));
    stage.keys("y");
    assert!(stage.shows("told: <come to the front >"), "the answer is not for it: {}", stage.screen(80, 24));
    assert!(stage.keys("1").shows("asking: <an answer>"), "{}", stage.screen(80, 24));
}

/// The registry as the program has it.
fn tables() -> (Vec<Box<dyn Tab>>, Registry) {
    let setup = Setup::from_config(&config().board);
    let board = Settings { setup, opened: None, games: None };
    let tabs = tabs::all(Opening::new(board, &Paths::default()));
    let registry = super::registry(&tabs);
    (tabs, registry)
}

#[test]
fn every_command_is_there_once_and_in_its_scope() {
    let (tabs, registry) = tables();
    let mut ids = HashSet::new();
    for (place, label) in &registry {
        assert!(ids.insert(label.id), "{} is there twice", label.id);
        let scope = match place.whose {
            Whose::App => "app",
            Whose::Tab(index) => tabs[index].scope(),
        };
        assert_eq!(label.scope(), scope, "{}", label.id);
        assert!(label.id.len() > scope.len() + 1, "{} has no name", label.id);
    }
    assert!(ids.len() > 60, "{}", ids.len());
}

#[test]
fn the_usual_keys_are_keys_and_no_two_commands_of_a_table_share_one() {
    let mut taken = HashMap::new();
    for (place, label) in tables().1 {
        for key in label.keys {
            let chord: Chord = key.parse().unwrap_or_else(|error| panic!("{}: {error}", label.id));
            let before = taken.insert((place.whose, chord), label.id);
            assert_eq!(before, None, "{key} of {}", label.id);
        }
    }
}

fn with_keys(keys: &str) -> Config {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.toml");
    std::fs::write(&path, format!("[keys]\n{keys}")).unwrap();
    Config { keys: Config::check_file(&path, &Paths::default()).unwrap().keys, ..config() }
}

#[test]
fn digits_are_commands_that_help_and_palette_list_for_the_tabs_there_are() {
    let mut stage = Stage::new("human", "human");
    assert!(stage.keys("alt-2").shows("Genetic programming"));
    let help = stage.keys("? end").screen(120, 60);
    assert!(help.contains("4 M-4") && help.contains("Go to Arena") && !help.contains("M-5"), "{help}");
    let palette = stage.keys("esc :").text("go to").screen(120, 60);
    assert!(palette.contains("Go to Board") && palette.contains("Go to Arena"), "{palette}");
    assert!(!palette.contains("Go to tab"), "{palette}");
    assert!(stage.text(" board").keys("enter").shows("sow"));
}

#[test]
fn digits_can_be_given_to_other_commands_and_tabs_other_keys() {
    let config = with_keys("app.tab-2 = 'f2'\napp.help = '2'\nboard.hint = '3'\n");
    let mut stage = Stage::with_config(config, "human", "human");
    assert!(stage.keys("2").shows("Everywhere"), "the digit shows the keys: {}", stage.screen(120, 40));
    assert!(stage.keys("esc f2").shows("Genetic programming"));
    assert!(stage.keys("3").shows("ten weights"), "only the Board has another use for it");
    assert!(stage.keys("1 3").shows("3 hint"), "{}", stage.screen(120, 40));
}

#[test]
fn digits_that_choose_pits_win_over_those_of_tabs() {
    let mut config = with_keys("app.tab-2 = 'b'\n");
    config.board.digits = crate::config::Digits::Pits;
    let mut stage = Stage::with_config(config, "human", "human");
    assert!(stage.keys("3 9").shows("South → C"), "{}", stage.screen(120, 40));
    assert!(stage.keys("alt-3").shows("ten weights"));
    assert!(stage.keys("1").shows("South → C"), "other tabs have no use for digits");
    assert!(stage.keys("b").shows("Genetic programming"), "a key that was asked for is the app's");
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

/// What a window loses that becomes smaller and larger again cannot be seen from its size.
#[test]
fn every_change_of_size_has_everything_drawn_anew() {
    let mut stage = Stage::new("human", "human");
    stage.screen(80, 24);
    stage.app.event(crate::term::Event::Resize(80, 24), std::time::Instant::now());
    assert_eq!(stage.app.take_wishes(), [super::Wish::Redraw]);
}
