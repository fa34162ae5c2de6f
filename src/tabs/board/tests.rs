//! Playing, walking and setting up, key by key.

mod analysis;
mod collections;
mod draughts;
mod files;
mod load;
mod looking;
mod mouse;
mod new_game;
mod pits;
mod review;
mod squares;
mod tree;
mod turns;

use std::time::Duration;

use crate::app::stage::{Stage, config};
use crate::paths::Paths;

/// The game as the move list of an 80×24 screen shows it, without the heads of its columns.
fn moves(stage: &mut Stage) -> String {
    let screen = stage.screen(80, 24);
    let list = screen.lines().skip(2).filter_map(|line| line.rsplit_once("││").map(|(_, right)| right));
    let words = list.map(|row| row.trim_end_matches('│').split_whitespace().collect::<Vec<_>>().join(" "));
    words.filter(|row| !row.is_empty() && !row.contains("lead")).collect::<Vec<_>>().join(" / ")
}

#[test]
fn a_letter_sows_and_the_computer_answers() {
    let mut stage = Stage::new("human", "minimax:2");
    assert!(stage.keys("C").shows("sows C (4 seeds) and moves again"));
    stage.keys("f");
    assert!(moves(&mut stage).starts_with("1 C F"), "{}", moves(&mut stage));
    assert!(
        stage.shows("North  minimax:2 ───") && moves(&mut stage).split(' ').count() > 4,
        "North answered: {}",
        moves(&mut stage)
    );
    assert!(stage.shows("South  you · to move"));
}

#[test]
fn an_empty_pit_and_the_other_sides_pits_are_refused() {
    let mut stage = Stage::new("human", "human");
    assert!(stage.keys("C C").shows("Pit C is empty"));
    assert!(stage.keys("F a").shows("North a") || stage.shows("North sows a"));
}

#[test]
fn walking_and_another_move_keep_the_old_line() {
    let mut stage = Stage::new("human", "human");
    stage.keys("C F b left left");
    assert!(stage.shows("South sows C"));
    stage.keys("A");
    assert_eq!(moves(&mut stage), "1 C F b +1 / ╰ 1 A", "{}", stage.screen(120, 40));
    stage.keys("[");
    assert!(stage.shows("South sows F"), "{}", stage.screen(120, 40));
    stage.keys("home");
    assert!(stage.shows("Type a letter"));
    stage.keys("end");
    assert!(stage.shows("North sows b"));
}

#[test]
fn undo_goes_back_to_the_persons_own_move() {
    let mut stage = Stage::new("human", "minimax:2");
    stage.keys("C F");
    assert!(stage.shows("to move"));
    stage.keys("u");
    assert!(stage.shows("South sows C (4 seeds) and moves again"), "{}", stage.screen(120, 40));
    stage.keys("u u u");
    assert!(stage.shows("Type a letter"));
}

#[test]
fn two_computers_play_by_themselves_and_can_be_paused() {
    let mut stage = Stage::new("random", "max");
    stage.pass(Duration::from_millis(1100));
    assert!(!moves(&mut stage).contains("No moves yet"));
    stage.keys("space");
    let paused = moves(&mut stage);
    stage.pass(Duration::from_secs(5));
    assert_eq!(moves(&mut stage), paused);
    stage.keys("right");
    assert_ne!(moves(&mut stage), paused, "one move at a time");
    stage.keys("home space");
    stage.pass(Duration::from_secs(1));
    assert!(!stage.shows("Type a letter"));
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let play = || {
        let mut stage = Stage::new("random", "random");
        for _ in 0..30 {
            stage.pass(Duration::from_secs(1));
        }
        moves(&mut stage)
    };
    assert_eq!(play(), play());
}

#[test]
fn sowing_is_shown_seed_by_seed() {
    let mut config = config();
    config.board.animation = 10.0;
    let mut stage = Stage::with_config(config, "human", "human");
    stage.press("A");
    let lifted = stage.screen(80, 24);
    stage.pass(Duration::from_millis(100));
    let first = stage.screen(80, 24);
    assert_ne!(lifted, first);
    assert!(stage.app.deadline().is_some(), "the next seed is due");
    stage.pass(Duration::from_secs(2));
    assert!(stage.shows("North  human · to move"));
    stage.pass(Duration::from_secs(10));
    assert!(stage.app.deadline().is_none(), "no further deadline");
}

#[test]
fn a_long_thought_can_be_cut_short() {
    let mut stage = Stage::new("minimax:40", "human");
    for _ in 0..1000 {
        stage.news();
        if stage.shows("nodes") {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    stage.press("m");
    assert!(!stage.shows("No moves yet"), "{}", stage.screen(120, 40));
}

#[test]
fn a_position_is_set_up_and_played_from() {
    let mut stage = Stage::new("human", "human");
    stage.keys("p c 1 right right 3 s enter");
    assert!(stage.shows("Game over"), "North has nothing to play: {}", stage.screen(120, 40));
    stage.keys("p 1 up 2 enter");
    assert!(!stage.shows("Setting up"));
    stage.keys("p 9 9 9 esc");
    assert!(!stage.shows("Setting up"));
}

#[test]
fn an_impossible_position_is_refused_with_the_reason() {
    let mut stage = Stage::new("human", "human");
    stage.keys("p 1 9 2 right 1 9 2 enter");
    assert!(stage.shows("at most 192 seeds"), "{}", stage.screen(120, 40));
    assert!(stage.shows("Setting up"));
}

#[test]
fn a_new_game_is_what_the_dialog_says() {
    let mut stage = Stage::new("human", "human");
    stage.keys("n down").text("3").keys("down").text("2").keys("down").text("e").keys("down");
    stage.text("random").keys("enter");
    assert!(stage.shows("Kalah 3×2 · empty"), "{}", stage.screen(120, 40));
    assert!(stage.shows("South  random"));
}

#[test]
fn the_dialog_refuses_what_it_cannot_take() {
    let mut stage = Stage::new("human", "human");
    stage.keys("n tab tab tab tab ctrl-u").text("minimax:99").keys("enter");
    assert!(stage.shows("minimax depth must be 1 to 60"), "{}", stage.screen(120, 40));
    stage.keys("ctrl-u").text("max").keys("tab tab tab").text("x").keys("enter");
    assert!(stage.shows("The seed must be a whole number"), "{}", stage.screen(120, 40));
}

#[test]
fn games_are_saved_loaded_and_never_overwritten_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    let mut stage = Stage::in_folder(config(), "human", "human", Some(games.clone()));
    assert!(stage.keys("s").shows("No move to save yet"));
    stage.keys("C F b s enter");
    let path = games.join("game-1.game");
    let saved = std::fs::read_to_string(&path).unwrap();
    assert!(saved.contains("1. C F 2. b"), "{saved}");
    stage.keys("n enter A s");
    assert!(stage.shows("game-2.game"), "a free name is offered");
    stage.keys("ctrl-u").text(&path.display().to_string()).keys("enter");
    assert!(stage.shows("Enter again replaces it"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), saved);
    stage.keys("esc l enter");
    assert!(stage.shows("North sows b"), "{}", stage.screen(120, 40));
    assert!(moves(&mut stage).starts_with("1 C F"));
}

#[test]
fn a_damaged_game_is_refused_by_name_and_nothing_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.game");
    std::fs::write(&path, "[Game \"kalah\"]\n[Position \"<6,4\"]\n").unwrap();
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().into()));
    let before = stage.keys("A").screen(80, 24).lines().take(22).map(str::to_owned).collect::<Vec<_>>();
    stage.keys("l");
    assert!(stage.shows("cannot be read"));
    stage.keys("enter");
    assert!(stage.shows("bad.game: line 2, column 16: the text ends here"), "{}", stage.screen(120, 40));
    // Any key takes the error down, also one that does nothing else.
    stage.keys("f12");
    assert_eq!(stage.screen(80, 24).lines().take(22).map(str::to_owned).collect::<Vec<_>>(), before);
}

#[test]
fn pasted_games_and_positions_are_taken() {
    let mut stage = Stage::new("human", "human");
    stage.paste("[Game \"kalah:3x3\"]\n1. A B");
    assert!(stage.shows("Kalah 3×3"), "{}", stage.screen(120, 40));
    stage.paste("<3,1,2,3,0,1,0,2,0> N");
    assert!(stage.shows("North  human · to move"));
    stage.paste("<3,1,2> N");
    assert!(stage.shows("The pasted text: line 1"), "{}", stage.screen(120, 40));
}

#[test]
fn the_game_in_progress_is_kept_when_the_program_ends() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().into()));
    stage.keys("C F");
    stage.app.leave(|_| ());
    let kept = std::fs::read_to_string(folder.path().join("last.game")).unwrap();
    assert!(kept.contains("1. C F"), "{kept}");
}

#[test]
fn clicks_sow_and_walk() {
    let mut stage = Stage::new("human", "human");
    stage.click("  4  │  4  │  4  │  4  │  4  │  4  │         │││").keys("home");
    stage.keys("C F");
    stage.click(" C F");
    assert!(stage.shows("South sows "), "{}", stage.screen(120, 40));
}

#[test]
fn digits_sow_when_the_config_shows_so() {
    let mut config = config();
    config.board.digits = crate::config::Digits::Pits;
    let mut stage = Stage::with_config(config, "human", "human");
    assert!(stage.keys("3").shows("South sows C"));
    assert!(stage.keys("alt-2").shows("Genetic programming"));
}

#[test]
fn flipping_turns_the_board() {
    let mut stage = Stage::new("human", "human");
    let south_below = stage.screen(80, 24);
    assert!(south_below.find(" A ").unwrap() > south_below.find(" a ").unwrap());
    let north_below = stage.keys("v").screen(80, 24);
    assert!(north_below.find(" A ").unwrap() < north_below.find(" a ").unwrap());
}

#[test]
fn another_game_takes_nothing_over_from_the_one_before() {
    let mut stage = Stage::new("human", "human");
    stage.keys("i n down").text("2").keys("enter");
    assert!(stage.shows("Kalah 2×4"), "{}", stage.screen(120, 40));
    assert!(!stage.screen(120, 40).contains(" F  "), "moves of the previous game: {}", stage.screen(120, 40));
    stage.paste("<6,10,5,0,2,1,4,3,0,1,0,2,3,4,1> N");
    assert!(stage.shows("Kalah 6×4"), "the sizes follow the position: {}", stage.screen(120, 40));
    assert!(stage.shows("Analysis for North"));
    assert!(!stage.screen(120, 40).contains("\n│ b "), "b is empty: {}", stage.screen(120, 40));
}

#[test]
fn a_player_of_the_game_before_no_longer_moves() {
    let mut stage = Stage::new("minimax:30", "human");
    stage.press("n").press("down").text("5").press("enter");
    stage.until("Kalah 5×4");
    stage.press("n").press("tab").press("tab").press("tab").press("tab").text("human").press("enter");
    stage.wait();
    assert!(stage.shows("No moves yet"), "{}", stage.screen(120, 40));
    let now = std::time::Instant::now();
    assert!(stage.app.deadline().is_none_or(|at| at > now), "{:?} before {now:?}", stage.app.deadline());
}

#[test]
fn the_same_move_after_taking_it_back_is_answered_again() {
    let mut stage = Stage::new("human", "minimax:2");
    stage.keys("A");
    let answered = moves(&mut stage);
    stage.keys("u A");
    assert_eq!(moves(&mut stage), answered);
    assert!(stage.shows("South  you · to move"), "{}", stage.screen(120, 40));
}

#[test]
fn a_game_that_is_replaced_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().into()));
    stage.keys("C F n enter A n enter");
    let kept = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    assert!(kept("last.game").contains("1. A"), "{}", kept("last.game"));
    assert!(kept("last-2.game").contains("1. C F"));
    stage.keys("C p enter");
    assert!(stage.shows("Nothing changed") && moves(&mut stage).starts_with("1 C"));
}

#[test]
fn what_cannot_be_kept_is_reported() {
    let games = std::path::PathBuf::from("/proc/nowhere/games");
    let mut stage = Stage::in_folder(config(), "human", "human", Some(games));
    stage.keys("C");
    let output = stage.app.leave(|_| ());
    assert!(output.len() == 1 && output[0].contains("cannot save"), "{output:?}");
}

#[test]
fn speeds_stop_at_their_ends() {
    let mut stage = Stage::new("human", "human");
    stage.keys("+ + + + + + + + + +");
    assert!(stage.shows("96 seeds a second"), "{}", stage.screen(120, 40));
    stage.keys("- - - - - - - - - - - - -");
    assert!(stage.shows("Sowing: off") && stage.shows("1 in 8 s"), "{}", stage.screen(120, 40));
}

#[test]
fn other_moves_can_be_tried_for_a_computer_player_that_does_not_think() {
    let mut stage = Stage::new("human", "minimax:2");
    stage.keys("A left B");
    assert!(stage.shows("South sows A") || moves(&mut stage).contains("╰ 2 b"), "{}", stage.screen(120, 40));
    assert!(stage.shows("North sows b"), "{}", stage.screen(120, 40));
}

#[test]
fn pasted_line_ends_may_be_those_of_the_enter_key() {
    let mut stage = Stage::new("human", "human");
    stage.paste("[Game \"kalah\"] ; played online\r\r1. C F 2. b\r");
    assert!(moves(&mut stage).starts_with("1 C F"), "{}", stage.screen(120, 40));
    stage.paste("[Game \"kalah\"]\r1. C C\r");
    assert!(stage.shows("line 2, column 6"), "{}", stage.screen(120, 40));
}

#[test]
fn a_key_given_to_a_command_is_no_pit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.toml");
    std::fs::write(&path, "[keys]\nboard.undo = 'a'\n").unwrap();
    let config = crate::config::Config {
        keys: crate::config::Config::check_file(&path, &Paths::default()).unwrap().keys,
        ..config()
    };
    let mut stage = Stage::with_config(config, "human", "human");
    stage.keys("B a");
    assert!(stage.shows("Type a letter"), "{}", stage.screen(120, 40));
}

#[test]
fn a_lost_game_ends_with_a_card_and_a_rematch_with_sides_swapped() {
    let mut config = config();
    config.board.game = "kalah:2x1".parse().unwrap();
    (config.review.depth, config.review.solve) = (crate::config::PerGame::all(3), 0);
    let mut stage = Stage::with_config(config, "human", "human");
    while !stage.shows("Game over") {
        stage.keys("m");
    }
    let screen = stage.screen(80, 24);
    assert!(screen.contains("Game over") && screen.contains("accuracy") && screen.contains("swap sides"), "{screen}");
    stage.keys("x");
    assert!(stage.shows("No moves yet") && !stage.shows("swap sides"), "{}", stage.screen(80, 24));
}

#[test]
fn a_game_is_resigned_after_a_question_and_can_be_played_on() {
    let mut stage = Stage::new("human", "minimax:2");
    assert!(stage.keys("R").shows("You have no game in progress"));
    stage.keys("A R");
    assert!(stage.shows("Resign?") && stage.shows("You play South"), "{}", stage.screen(80, 24));
    stage.keys("y");
    assert!(stage.shows("You resigned"), "{}", stage.screen(80, 24));
    stage.keys("esc");
    assert!(stage.shows("South resigned"), "{}", stage.screen(80, 24));
    stage.keys("B");
    assert!(!stage.shows("South resigned"), "{}", stage.screen(80, 24));
}

#[test]
fn other_players_take_over_a_game_and_the_person_sits_below() {
    let mut stage = Stage::new("human", "minimax:2");
    stage.keys("A O");
    assert!(stage.shows("Play on with"), "{}", stage.screen(80, 24));
    stage.text("human").keys("shift-tab").text("easy").keys("enter");
    assert!(stage.shows("South  minimax:2") && stage.shows("North  you"), "{}", stage.screen(80, 24));
    let screen = stage.screen(80, 24);
    assert!(screen.find(" A ").unwrap() < screen.find(" a ").unwrap(), "North sits below:\n{screen}");
}

#[test]
fn the_first_start_offers_a_game_and_a_level() {
    let mut stage = Stage::new("human", "human");
    let welcome = crate::tabs::board::welcome::Welcome::new(&super::Setup::from_config(&config().board));
    stage.app.open_layer(Some(0), Box::new(welcome), std::time::Instant::now());
    assert!(stage.shows("Welcome to mancalab") && stage.shows("easy: minimax:2"), "{}", stage.screen(80, 24));
    stage.keys("right down right enter");
    assert!(stage.shows("Othello") && stage.shows("White  mcts:1000"), "{}", stage.screen(80, 24));
}
