//! What searches say of a position: the panel of all moves, and hints.

use std::time::Duration;

use crate::app::stage::{Stage, config};

#[test]
fn the_analysis_follows_the_position_and_ends() {
    let mut stage = Stage::new("human", "human");
    assert!(stage.keys("i").shows("Analysis for South  depth 6"));
    assert!(stage.keys("A").shows("Analysis for North  depth 6"));
    assert!(!stage.keys("i").shows("Analysis for"));
}

#[test]
fn the_analysis_of_kalah_ends_with_exact_margins() {
    let mut config = config();
    config.search.solve = true;
    config.board.game = "kalah:4x3".parse().unwrap();
    let mut stage = Stage::with_config(config, "human", "human");
    // The value of the start is +6; a search of six plies does not see the end.
    let panel = panel(stage.keys("i"));
    assert!(panel.contains("Analysis for South  to the end") && panel.contains("+6"), "{panel}");
}

/// The panel's rows on an 80×24 screen, frames included.
fn panel(stage: &mut Stage) -> String {
    let screen = stage.screen(80, 24);
    let panel = screen.lines().skip_while(|line| !line.contains("best play"));
    panel.take_while(|line| line.starts_with(['╭', '│', '╰'])).map(|line| line.to_owned() + "\n").collect()
}

#[test]
fn the_other_search_can_be_asked_and_continues_being_asked() {
    let mut stage = Stage::new("human", "human");
    assert!(!panel(stage.keys("i")).contains("visits"));
    let by_games = panel(stage.keys("o"));
    for shown in ["Monte Carlo", "visits", "mean", "explore", "value", "Analysis for South  2000 games · done"] {
        assert!(by_games.contains(shown), "{shown}:\n{by_games}");
    }
    assert!(panel(stage.keys("A")).contains("Analysis for North  2000 games · done"));
    // Walking back asks the same question again, and gets the same answer.
    assert_eq!(panel(stage.keys("left")), by_games);
    assert!(panel(stage.keys("o")).contains("depth 6"));
}

#[test]
fn the_config_shows_which_search_is_asked_first_and_how_long() {
    let mut config = config();
    config.board.analysis = true;
    config.search.analysis = crate::player::analysing::Engine::MonteCarlo;
    config.search.analysis_iterations = 300;
    let mut stage = Stage::with_config(config, "human", "human");
    stage.wait();
    assert!(panel(&mut stage).contains("  300 games · done"), "{}", stage.screen(80, 24));
}

#[test]
fn the_panel_shows_what_a_player_that_plays_games_out_is_thinking() {
    let mut stage = Stage::new("mcts:ms=3600000", "human");
    stage.press("i");
    for _ in 0..2000 {
        stage.news();
        if panel(&mut stage).contains("games") {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let first = panel(&mut stage);
    assert!(first.contains("South thinks: mcts:ms=3600000") && first.contains("visits"), "{first}");
    assert_eq!(stage.jobs(), 1, "the player alone is at work");
    // The search continues, and so does the panel.
    for _ in 0..2000 {
        stage.news();
        if panel(&mut stage) != first {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_ne!(panel(&mut stage), first);
    // Without the panel, the line below the board shows its search.
    stage.press("i");
    assert!(stage.shows("/s · mean 0."), "{}", stage.screen(120, 40));
    stage.press("m");
    assert!(!stage.shows("No moves yet"), "{}", stage.screen(120, 40));
}

#[test]
fn a_hint_comes_from_the_search_that_is_asked() {
    let mut stage = Stage::new("human", "human");
    let pointed = |stage: &mut Stage| {
        let screen = stage.screen(80, 24);
        "ABCDEF".chars().find(|pit| screen.lines().skip(12).any(|line| line.contains(&format!("▸{pit}"))))
    };
    assert!(stage.keys("o").shows("Analysis and hints now use Monte Carlo"));
    let hint = pointed(stage.keys("h"));
    assert!(hint.is_some(), "{}", stage.screen(80, 24));
    let best = panel(stage.keys("i")).lines().nth(1).and_then(|row| row.chars().nth(2));
    assert_eq!(hint, best);
}

#[test]
fn a_hint_points_at_a_pit_until_the_next_move() {
    let mut stage = Stage::new("human", "human");
    let points = |stage: &mut Stage| {
        stage.screen(80, 24).lines().skip(12).any(|line| "ABCDEF".chars().any(|pit| line.contains(&format!("▸{pit}"))))
    };
    stage.keys("h");
    assert!(points(&mut stage), "{}", stage.screen(80, 24));
    stage.keys("C");
    assert!(!points(&mut stage));
    stage.keys("u h h");
    assert!(!points(&mut stage));
}

/// Where there is room for one move beside the network's value, it is the likeliest; where there is for all, none is left out.
#[test]
fn a_small_screen_has_the_move_that_a_network_finds_likeliest() {
    let mut stage = Stage::new("human", "a3c");
    stage.keys("w");
    let screen = stage.screen(80, 24);
    let likeliest =
        screen.lines().skip_while(|line| !line.contains("policy   logit   value")).nth(1).unwrap_or_default();
    let named: String = likeliest.chars().skip(1).take(3).collect();
    let small = stage.screen(40, 12);
    assert!(small.lines().any(|line| line.starts_with(&named) && line.contains(" % ")), "{named}:\n{small}");
    assert!(!small.contains("more moves"), "{small}");
}

/// The eleventh of the terms has a name that 80 columns do not cut.
#[test]
fn the_networks_value_is_named_among_the_terms() {
    let mut stage = Stage::new("human", "heuristic:4:net=best");
    stage.keys("w");
    assert!(stage.screen(80, 24).contains("H11 network value "), "{}", stage.screen(80, 24));
}
