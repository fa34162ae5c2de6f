//! Playing, walking and setting up, key by key.

mod analysis;
mod casual;
mod coach;
mod collections;
mod draughts;
mod explorer;
mod files;
mod load;
mod looking;
mod mouse;
mod new_game;
mod pits;
mod puzzles;
mod queries;
mod review;
mod squares;
mod timing;
mod tree;
mod turns;

use std::time::Duration;

use crate::app::stage::{Stage, config, config_of, config_with_keys};

#[test]
fn a_letter_sows_and_the_computer_answers() {
    let mut stage = Stage::new("human", "minimax:2");
    assert_eq!(stage.keys("C").story(), ["South sows C (4 seeds) and moves again"]);
    stage.keys("f");
    assert!(stage.moves().starts_with("1 C F"));
    assert!(stage.record().len() > 3, "North answered: {}", stage.moves());
    assert_eq!(stage.north(), "North  Easy");
    assert_eq!(stage.south(), "▸ South  you · to move");
}

#[test]
fn an_empty_pit_and_the_other_sides_pits_are_refused() {
    let mut stage = Stage::new("human", "human");
    assert_eq!(stage.keys("C C").notice(), "Pit C is empty");
    assert_eq!(stage.keys("F a").story(), ["North sows a (5 seeds)"]);
}

/// Other tests ask for these texts where they come from; here they are on the screen.
#[test]
fn the_notice_the_story_and_the_players_are_drawn() {
    let mut stage = Stage::new("human", "minimax:2");
    let screen = stage.keys("C C").screen(80, 24);
    for text in
        ["Pit C is empty", "South sows C (4 seeds) and moves again", "─ ▸ South  you · to move ┴", "╭ North  Easy ─"]
    {
        assert!(screen.contains(text), "{text}:\n{screen}");
    }
}

#[test]
fn walking_and_another_move_keep_the_old_line() {
    let mut stage = Stage::new("human", "human");
    stage.keys("C F b , left");
    assert_eq!(stage.story(), ["South sows C (4 seeds) and moves again"]);
    stage.keys("A");
    assert_eq!(stage.moves(), "1 C F b +1 / ╰ 1 A");
    stage.keys("[");
    assert_eq!(stage.story(), ["South: C again · F"]);
    stage.keys("home");
    assert_eq!(stage.story(), ["Type a letter to sow that pit"]);
    stage.keys("end");
    assert_eq!(stage.story(), ["North sows b (5 seeds) and moves again"]);
}

#[test]
fn undo_goes_back_to_the_persons_own_move() {
    let mut stage = Stage::new("human", "minimax:2");
    stage.keys("C F");
    assert_eq!(stage.south(), "▸ South  you · to move");
    stage.keys("u");
    assert_eq!(stage.story(), ["South sows C (4 seeds) and moves again"]);
    stage.keys("u u u");
    assert_eq!(stage.story(), ["Type a letter to sow that pit"]);
}

#[test]
fn two_computers_play_by_themselves_and_can_be_paused() {
    let mut stage = Stage::new("random", "max");
    stage.pass(Duration::from_millis(1100));
    assert_ne!(stage.moves(), "No moves yet");
    stage.keys("space");
    let paused = stage.moves();
    stage.pass(Duration::from_secs(5));
    assert_eq!(stage.moves(), paused);
    stage.keys("right");
    assert_ne!(stage.moves(), paused, "one move at a time");
    assert_eq!(stage.keys("home").record().ply(), 0);
    stage.keys("space").pass(Duration::from_secs(1));
    assert_ne!(stage.record().ply(), 0, "it goes on from where one is");
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let play = || {
        let mut stage = Stage::new("random", "random");
        for _ in 0..30 {
            stage.pass(Duration::from_secs(1));
        }
        stage.moves()
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
    assert_eq!(stage.north(), "▸ North  human · to move");
    stage.pass(Duration::from_secs(10)).screen(80, 24);
    assert!(stage.app.deadline().is_none(), "no further deadline");
}

#[test]
fn a_long_thought_can_be_cut_short() {
    let mut stage = Stage::new("minimax:40", "human");
    stage.until("nodes");
    stage.press("m");
    assert_ne!(stage.moves(), "No moves yet");
}

#[test]
fn a_position_is_set_up_and_played_from() {
    let mut stage = Stage::new("human", "human");
    stage.keys("p c 1 right right 3 s enter");
    assert_eq!(stage.story()[1], "Game over · South wins 4 : 0", "North has nothing to play");
    let before = stage.keys("p 1 up 2 enter").record().position().to_text();
    assert_eq!(stage.keys("p 9 9 9 esc").record().position().to_text(), before);
    assert_eq!(stage.story(), ["Type a letter to sow that pit"]);
}

#[test]
fn an_impossible_position_is_refused_with_the_reason() {
    let mut stage = Stage::new("human", "human");
    stage.keys("p 1 9 2 right 1 9 2 enter");
    assert_eq!(stage.notice(), "the board must have at most 192 seeds (got 424)");
    assert_eq!(stage.story(), ["Setting up: arrows choose, digits fill, Enter plays"]);
}

#[test]
fn a_new_game_is_what_the_dialog_says() {
    let mut stage = Stage::new("human", "human");
    stage.keys("n down").text("3").keys("down").text("2").keys("down").text("e").keys("down");
    stage.text("random").keys("enter");
    assert_eq!(stage.subject(), "Kalah 3×2 · empty");
    assert_eq!(stage.south(), "South  random");
}

#[test]
fn the_dialog_refuses_what_it_cannot_take() {
    let mut stage = Stage::new("human", "human");
    stage.keys("n tab tab tab tab ctrl-u").text("minimax:99").keys("enter");
    assert!(stage.dialog_has("minimax depth must be 1 to 60, as in minimax:8 (got 99)"));
    stage.keys("ctrl-u").text("max").keys("tab tab tab").text("x").keys("enter");
    assert!(stage.dialog_has("The seed must be a whole number or 'any' (got 'x')"));
}

#[test]
fn games_are_saved_loaded_and_never_overwritten_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    let mut stage = Stage::in_folder(config(), "human", "human", Some(games.clone()));
    assert_eq!(stage.keys("s").notice(), "No move to save yet");
    stage.keys("C F b s enter");
    let path = games.join("game-1.game");
    let saved = std::fs::read_to_string(&path).unwrap();
    assert!(saved.contains("1. C F {[%emt 0.0]} 2. b {[%emt 0.0]}"), "{saved}");
    stage.keys("n enter A s");
    assert!(stage.selected().ends_with("game-2.game"), "a free name is offered: {}", stage.selected());
    stage.keys("ctrl-u").text(&path.display().to_string()).keys("enter");
    assert!(stage.dialog_has("That file exists; Enter again replaces it"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), saved);
    stage.keys("esc l enter");
    assert_eq!(stage.story(), ["North sows b (5 seeds) and moves again"]);
    assert!(stage.moves().starts_with("1 C F"));
}

#[test]
fn a_damaged_game_is_refused_by_name_and_nothing_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.game");
    std::fs::write(&path, "[Game \"kalah\"]\n[Position \"<6,4\"]\n").unwrap();
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().into()));
    let before = stage.keys("A").body(80, 24);
    stage.keys("l");
    assert!(
        stage.dialog_has("bad cannot be read: line 2, column 16: the text ends h… expected a comma and 13 more of 14")
    );
    stage.keys("enter");
    let reason = "bad.game: line 2, column 16: the text ends here; expected a comma and 13 more of 14 counts";
    assert!(stage.notice().ends_with(reason), "{}", stage.notice());
    // Any key takes the error down, also one that does nothing else.
    stage.keys("f12");
    assert_eq!(stage.body(80, 24), before);
}

#[test]
fn pasted_games_and_positions_are_taken() {
    let mut stage = Stage::new("human", "human");
    stage.paste("[Game \"kalah:3x3\"]\n1. A B");
    assert_eq!(stage.subject(), "Kalah 3×3");
    stage.paste("<3,1,2,3,0,1,0,2,0> N");
    assert_eq!(stage.north(), "▸ North  human · to move");
    stage.paste("<3,1,2> N");
    assert_eq!(stage.notice(), "The pasted text: line 1, column 7: found '>'; expected a comma and 6 more of 8 counts");
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
    stage.click("  4  │  4  │  4  │  4  │  4  │  4  │         ││").keys("home");
    stage.keys("C F");
    stage.click(" C F");
    assert_eq!(stage.story(), ["South: C again · F"]);
}

#[test]
fn digits_sow_when_the_config_shows_so() {
    let mut config = config();
    config.board.digits = crate::config::Digits::Pits;
    let mut stage = Stage::with_config(config, "human", "human");
    assert_eq!(stage.keys("3").story(), ["South sows C (4 seeds) and moves again"]);
    assert_eq!(stage.keys("alt-2").tab(), "Evolution");
}

/// Returns whether South's pits are in the upper row.
fn is_south_above(stage: &mut Stage) -> bool {
    let screen = stage.screen(80, 24);
    screen.find(" A ").unwrap() < screen.find(" a ").unwrap()
}

#[test]
fn flipping_turns_the_board() {
    let mut stage = Stage::new("human", "human");
    assert!(!is_south_above(&mut stage));
    assert!(is_south_above(stage.keys("v")));
}

#[test]
fn another_game_takes_nothing_over_from_the_one_before() {
    let mut stage = Stage::new("human", "human");
    stage.keys("i n down").text("2").keys("enter");
    assert_eq!(stage.subject(), "Kalah 2×4");
    assert_eq!(stage.analysed(), ["A", "B"]);
    stage.paste("<6,10,5,0,2,1,4,3,0,1,0,2,3,4,1> N");
    assert_eq!(stage.subject(), "Kalah 6×4", "the sizes follow the position");
    let mut moves = stage.analysed();
    moves.sort();
    assert_eq!(moves, ["a", "c", "d", "e", "f"], "b is empty");
}

#[test]
fn a_player_of_the_game_before_no_longer_moves() {
    let mut stage = Stage::new("minimax:30", "human");
    stage.press("n").press("down").text("5").press("enter");
    stage.until("Kalah 5×4");
    stage.press("n").press("tab").press("tab").press("tab").press("tab").text("human").press("enter");
    stage.wait();
    assert_eq!(stage.moves(), "No moves yet");
    let now = std::time::Instant::now();
    assert!(stage.app.deadline().is_none_or(|at| at > now), "{:?} before {now:?}", stage.app.deadline());
}

#[test]
fn the_same_move_after_taking_it_back_is_answered_again() {
    let mut stage = Stage::new("human", "minimax:2");
    stage.keys("A");
    let answered = stage.moves();
    stage.keys("u A");
    assert_eq!(stage.moves(), answered);
    assert_eq!(stage.south(), "▸ South  you · to move");
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
    assert_eq!(stage.notice(), "Nothing changed");
    assert!(stage.moves().starts_with("1 C"));
}

#[test]
fn what_cannot_be_kept_is_reported() {
    let games = std::path::PathBuf::from("/proc/nowhere/games");
    let mut stage = Stage::in_folder(config(), "human", "human", Some(games));
    stage.keys("C");
    let complaints = stage.app.leave(|_| ());
    assert!(complaints.len() == 1 && complaints[0].contains("cannot save"), "{complaints:?}");
}

#[test]
fn speeds_stop_at_their_ends() {
    let mut stage = Stage::new("human", "human");
    stage.keys("+ + + + + + + + + +");
    assert_eq!(stage.notice(), "Sowing: 96 seeds a second, autoplay: 50/s");
    stage.keys("- - - - - - - - - - - - -");
    assert_eq!(stage.notice(), "Sowing: off, autoplay: 1 in 8 s");
}

#[test]
fn other_moves_can_be_tried_for_a_computer_player_that_does_not_think() {
    let mut stage = Stage::new("human", "minimax:2");
    stage.keys("A , B");
    assert!(stage.moves().contains("╰ 2 b"), "{}", stage.moves());
    assert_eq!(stage.story(), ["North: c again · b"]);
}

#[test]
fn pasted_line_ends_may_be_those_of_the_enter_key() {
    let mut stage = Stage::new("human", "human");
    stage.paste("[Game \"kalah\"] ; played online\r\r1. C F 2. b\r");
    assert!(stage.moves().starts_with("1 C F"));
    stage.paste("[Game \"kalah\"]\r1. C C\r");
    assert_eq!(stage.notice(), "The pasted text: line 2, column 6: found 'C'; expected a move of South: A, B, D, E, F");
}

#[test]
fn a_key_given_to_a_command_is_no_pit() {
    let config = config_with_keys("board.undo = 'a'");
    let mut stage = Stage::with_config(config, "human", "human");
    stage.keys("B a");
    assert_eq!(stage.story(), ["Type a letter to sow that pit"]);
}

#[test]
fn a_lost_game_ends_with_a_card_and_a_rematch_with_sides_swapped() {
    let mut config = config_of("kalah:2x1");
    (config.review.depth, config.review.solve) = (crate::config::PerGame::all(3), 0);
    let mut stage = Stage::with_config(config, "human", "human");
    while stage.record().ending().is_none() {
        stage.keys("m");
    }
    let card = stage.panel_of((80, 24), "Game over").unwrap();
    assert!(card.title.starts_with("Game over · ") && card.words().contains("S swap sides"), "{card:?}");
    assert!(card.words().contains(" chance of winning"), "{card:?}");
    // It lies below the board, of which nothing is covered.
    let screen = stage.screen(80, 24);
    let place = |text: &str| screen.lines().position(|line| line.contains(text)).unwrap();
    assert!(place("Game over · ") > place("   A     B"), "{screen}");
    stage.keys("S");
    assert_eq!(stage.moves(), "No moves yet");
    assert_eq!(stage.panel("Game over"), None);
}

#[test]
fn a_game_is_resigned_after_a_question_and_can_be_played_on() {
    let mut stage = Stage::new("human", "minimax:2");
    assert_eq!(stage.keys("R").notice(), "You have no game in progress");
    stage.keys("A R");
    assert_eq!(stage.dialog_title(), "Resign?");
    assert!(stage.dialog_has("You play South."));
    stage.keys("y");
    let card = stage.panel("Game over · You resigned").unwrap();
    assert_eq!(card.lines()[0], "against Easy · rated");
    // A letter does not continue the game, and the card stays.
    let ply = stage.record().ply();
    stage.keys("B");
    assert!(stage.record().ply() == ply && stage.panel("Game over").is_some());
    stage.keys("esc");
    assert_eq!((stage.story()[2].as_str(), stage.south().as_str()), ("South resigned", "South  you"));
    stage.keys("B");
    assert_eq!(stage.story().len(), 1, "{:?}", stage.story());
}

#[test]
fn other_players_take_over_a_game_and_the_person_sits_below() {
    let mut stage = Stage::new("human", "minimax:2");
    stage.keys("A O");
    assert_eq!(stage.dialog_title(), "Play on with");
    stage.text("human").keys("shift-tab").text("easy").keys("enter");
    assert_eq!(stage.south(), "South  Easy");
    assert_eq!(stage.north(), "▸ North  you · to move");
    assert!(is_south_above(&mut stage), "North sits below:\n{}", stage.screen(80, 24));
}

#[test]
fn the_first_start_offers_a_game_and_a_level() {
    let mut stage = Stage::new("human", "human");
    let setup = super::Setup::from_config(&config().board);
    let welcome = super::setup::new_game::NewGame::welcome(&setup, &Default::default(), &Default::default());
    stage.app.open_layer(Some(0), Box::new(welcome), std::time::Instant::now());
    assert_eq!(stage.dialog_title(), "Welcome to mancalab");
    assert!(!stage.dialog_row("easy: 2 plies, varied").is_empty() && !stage.dialog_row("Elo −212").is_empty());
    stage.keys("right down right enter");
    assert_eq!(stage.subject(), "Othello 8×8");
    assert_eq!(stage.north(), "▯ White  Medium");
}
