//! Looking at a game changes nothing: players wait for a move or a request.

use std::path::Path;
use std::time::Duration;

use crate::app::stage::{Stage, config};
use crate::player::offers::Opponent;
use crate::tabs::board::library::game_file::{FileContents, OpenedGame};
use crate::tabs::board::setup::{Settings, Setup};
use crate::tabs::{self, TabSettings};

/// A game of a human against a computer player, who is to move.
const GAME: &str = "[Game \"kalah\"]\n[South \"human\"]\n[North \"minimax:2\"]\n\n1. C F 2. b (2. a) e 3. D\n";

/// The program opened with this game.
fn opened(text: &str) -> Stage {
    let config = config();
    let variant = config.board.game;
    let players = ["human", "human"].map(|name| name.parse().unwrap());
    let setup = Setup { seed: Some(1), ..Setup::new(variant, players.map(Opponent::Player)) };
    let opened = Some(FileContents::Game(OpenedGame::read(text, variant).unwrap()));
    let settings = Settings { opened, ..Settings::new(setup, None) };
    Stage::with_tabs(config, tabs::all(TabSettings::new(settings, &crate::paths::Paths::default())))
}

fn saved(folder: &Path, text: &str) -> Stage {
    std::fs::write(folder.join("one.game"), text).unwrap();
    Stage::in_folder(config(), "human", "human", Some(folder.into()))
}

/// Waits for all that could happen by itself.
fn wait(stage: &mut Stage) {
    stage.wait();
    stage.pass(Duration::from_secs(20));
    assert_eq!(stage.jobs(), 0);
}

#[test]
fn a_game_that_is_opened_loaded_or_pasted_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let mut loaded = saved(folder.path(), GAME);
    loaded.keys("l enter");
    let mut pasted = Stage::new("human", "human");
    pasted.paste(GAME);
    for mut stage in [opened(GAME), loaded, pasted] {
        // Any key takes the notice down.
        let before = stage.keys("f12").moves();
        wait(&mut stage);
        assert_eq!(stage.north(), "▸ North  Easy · paused (space: continue)");
        stage.keys("right right home end ] [ down up");
        wait(&mut stage);
        assert_eq!(stage.moves(), before);
        assert_eq!(stage.north(), "▸ North  Easy · paused (space: continue)");
    }
}

#[test]
fn two_players_of_a_file_wait_as_well() {
    let mut stage = opened(
        "[Game \"kalah\"]\n[South \"random\"]\n[North \"max\"]\n[Start \"<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S\"]\n",
    );
    wait(&mut stage);
    assert_eq!(stage.moves(), "No moves yet");
    assert_eq!(stage.south(), "▸ South  random · paused (space: continue)");
    stage.keys("space");
    stage.pass(Duration::from_secs(2));
    assert_ne!(stage.moves(), "No moves yet");
}

#[test]
fn a_player_whose_text_is_long_goes_by_its_seat() {
    let player = "heuristic:1@0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,0.95";
    let mut stage = opened(&format!("[Game \"kalah\"]\n[South \"{player}\"]\n[North \"{player}\"]\nC F\n"));
    wait(&mut stage);
    stage.keys("home right right right");
    assert_eq!(stage.notice(), "North is paused (space: continue, m: one move)");
}

#[test]
fn forward_at_the_end_shows_what_would_let_the_player_move() {
    let mut stage = opened(GAME);
    let before = stage.moves();
    stage.keys("home right right right right right right");
    assert_eq!(stage.notice(), "Easy is paused (space: continue, m: one move)");
    assert_eq!(stage.moves(), before);
    stage.keys("m");
    assert_ne!(stage.moves(), before);
    wait(&mut stage);
    assert_eq!(stage.south(), "▸ South  you · to move");
}

#[test]
fn space_lets_a_paused_player_answer_once_and_pauses_one_that_thinks() {
    let mut stage = opened(GAME);
    stage.keys("space");
    assert_eq!(stage.south(), "▸ South  you · to move");
    let answered = stage.moves();
    wait(&mut stage);
    assert_eq!(stage.moves(), answered, "the game does not play on by itself");

    let mut stage = Stage::new("human", "minimax:40");
    stage.press("A");
    assert_eq!(stage.jobs(), 1);
    stage.press("space");
    assert_eq!(stage.jobs(), 0);
    assert_eq!(stage.north(), "▸ North  minimax:40 · paused (space: continue)");
}

#[test]
fn a_persons_move_in_a_game_that_is_looked_at_is_answered() {
    let mut stage = opened(GAME);
    stage.keys("home C F");
    wait(&mut stage);
    assert_eq!(stage.south(), "▸ South  you · to move");
}

#[test]
fn a_replay_by_itself_ends_at_the_end() {
    let mut stage = opened(GAME);
    let before = stage.moves();
    stage.keys("home space");
    for _ in 0..12 {
        stage.pass(Duration::from_secs(1));
    }
    wait(&mut stage);
    assert_eq!(stage.moves(), before);
    assert_eq!(stage.north(), "▸ North  Easy · paused (space: continue)");
}

#[test]
fn walking_through_variations_changes_nothing_that_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = saved(folder.path(), GAME);
    stage.keys("l enter home right right right ] s enter");
    let text = std::fs::read_to_string(folder.path().join("one.game")).unwrap();
    assert!(text.ends_with("1. C F 2. b (2. a) 2. e 3. D\n"), "{text}");
}

#[test]
fn a_move_taken_back_is_replaced_in_the_main_line() {
    let mut stage = Stage::new("human", "human");
    stage.keys("C F b u a");
    assert_eq!(stage.moves(), "1 C F a +2 / ╰ 2 b");
    stage.keys(", b");
    assert_eq!(stage.moves(), "1 C F a +2 / ╰ 2 b", "walking back replaces nothing");
}

#[test]
fn an_answer_leaves_the_footer_as_it_is() {
    let mut stage = Stage::new("human", "minimax:40");
    stage.press("A").press("B");
    assert!(stage.footer().starts_with("A-F sow , back u undo"), "{}", stage.footer());
    assert!(!stage.footer().contains("pause") && !stage.footer().contains("on "), "{}", stage.footer());
}

#[test]
fn panels_with_nothing_to_say_are_drawn_only_beside_others() {
    let mut stage = Stage::new("human", "human");
    let screen = stage.screen(120, 40);
    assert_eq!(screen.matches('╰').count(), 3, "the board, its pits and the moves:\n{screen}");
    stage.keys("i");
    let (large, small) = ((120, 40), (80, 24));
    assert!(stage.panel_of(large, "Alpha-beta").is_some());
    let chart = stage.panel_of(large, "Chance of winning").unwrap();
    assert!(chart.rows[0].trim().starts_with("the course of the game"), "{chart:?}");
    assert!(stage.panel_of(small, "Alpha-beta").is_some() && stage.panel_of(small, "Chance of winning").is_none());
}

#[test]
fn the_cursor_lightens_its_square() {
    let mut stage = Stage::of_game("othello", "human", "human");
    let felt = stage.cell(6, 6).bg;
    stage.keys("right");
    let buffer: Vec<_> = (2..28).flat_map(|row| (3..52).map(move |column| (row, column))).collect();
    let lighter = crate::theme::lighter(felt).unwrap();
    assert!(buffer.into_iter().any(|(row, column)| stage.cell(row, column).bg == lighter));
}
