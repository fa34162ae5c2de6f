//! What searches say of a position: the panel of all moves, and hints.

use crate::app::stage::queries::Panel;
use crate::app::stage::{Stage, config, config_of};

/// The threat is the opponent's best move; it goes with the position.
#[test]
fn a_threat_is_what_the_opponent_would_play() {
    let mut stage = Stage::new("human", "human");
    stage.keys("@");
    assert!(stage.story().iter().any(|line| line.starts_with("Threat: North's ")), "{:?}", stage.story());
    stage.keys("@");
    assert!(!stage.story().join(" ").contains("Threat"), "{:?}", stage.story());
    stage.keys("@ C");
    assert!(!stage.story().join(" ").contains("Threat"), "{:?}", stage.story());
    assert_eq!(stage.jobs(), 0);
    // South gives four seeds away by its only move, now or after a pass.
    stage.paste("<6,0,0,0,0,0,0,0,5,1,0,0,0,0,0> S").keys("@");
    stage.until("No threat: after a pass North's best is a (+4");
}

#[test]
fn the_analysis_follows_the_position_and_ends() {
    let mut stage = Stage::new("human", "human");
    for (key, side) in [("i", "South"), ("A", "North")] {
        let foot = stage.keys(key).panel("Alpha-beta").unwrap().foot;
        assert!(foot.starts_with(&format!("Analysis for {side} depth 6 · ")) && foot.contains(" · done"), "{foot}");
    }
    assert_eq!(stage.keys("i").panel("Alpha-beta"), None);
}

#[test]
fn the_analysis_of_kalah_ends_with_exact_margins() {
    let mut config = config_of("kalah:4x3");
    config.search.solve = true;
    let mut stage = Stage::with_config(config, "human", "human");
    // The value of the start is +6; a search of six plies does not see the end.
    let panel = stage.keys("i").panel_of((80, 24), "Alpha-beta").unwrap();
    assert!(panel.foot.starts_with("Analysis for South to the end"), "{panel:?}");
    assert!(panel.lines()[1].contains(" +6 "), "{panel:?}");
}

/// The panel of the other search on an 80×24 screen.
fn by_games(stage: &mut Stage) -> Panel {
    stage.panel_of((80, 24), "Monte Carlo").expect("a search that plays games")
}

#[test]
fn the_other_search_can_be_asked_and_continues_being_asked() {
    let mut stage = Stage::new("human", "human");
    let depth = "Analysis for South depth 6";
    assert!(stage.keys("i").panel("Alpha-beta").unwrap().foot.starts_with(depth));
    let first = by_games(stage.keys("o"));
    for column in ["visits", "mean", "explore", "value"] {
        assert!(first.rows[0].contains(column), "{column}: {first:?}");
    }
    assert!(first.foot.starts_with("Analysis for South 2000 games · done"), "{first:?}");
    assert!(by_games(stage.keys("A")).foot.starts_with("Analysis for North 2000 games · done"));
    // Walking back asks the same question again, and gets the same answer.
    assert_eq!(by_games(stage.keys(",")), first);
    assert!(stage.keys("o").panel("Alpha-beta").unwrap().foot.starts_with(depth));
}

#[test]
fn the_config_shows_which_search_is_asked_first_and_how_long() {
    let mut config = config();
    config.board.analysis = true;
    config.search.analysis = crate::player::analysis::Engine::MonteCarlo;
    config.search.analysis_iterations = 300;
    let mut stage = Stage::with_config(config, "human", "human");
    stage.wait();
    assert!(by_games(&mut stage).foot.contains(" 300 games · done"), "{}", stage.screen(80, 24));
}

#[test]
fn the_panel_shows_what_a_player_that_plays_games_out_is_thinking() {
    let mut stage = Stage::new("mcts:ms=3600000", "human");
    stage.press("i").until("visits");
    let first = by_games(&mut stage);
    assert!(first.foot.starts_with("South thinks: mcts:ms=3600000") && first.rows[0].contains("visits"), "{first:?}");
    assert_eq!(stage.jobs(), 1, "the player alone is at work");
    // The search continues, and so does the panel.
    stage.wait_until("another panel", |stage| by_games(stage) != first);
    // Without the panel, the line below the board shows its search.
    stage.press("i").until("/s · mean 0.");
    stage.press("m");
    assert_ne!(stage.moves(), "No moves yet");
}

#[test]
fn a_hint_comes_from_the_search_that_is_asked_and_stays_until_the_next_move() {
    let mut stage = Stage::new("human", "human");
    let hint = |stage: &mut Stage| {
        let screen = stage.body(80, 24);
        "ABCDEF".chars().find(|pit| screen.lines().skip(11).any(|line| line.contains(&format!("▸{pit}"))))
    };
    let is_best_of = |stage: &mut Stage, search: &str| {
        let pit = hint(stage).expect("a hint").to_string();
        assert_eq!(stage.keys("i").panel(search).unwrap().lines()[1].split(' ').next(), Some(&*pit));
        stage.keys("i");
    };
    is_best_of(stage.keys("h"), "Alpha-beta");
    assert_eq!(stage.keys("o").notice(), "Analysis and hints now use Monte Carlo");
    is_best_of(&mut stage, "Monte Carlo");
    assert_eq!(hint(stage.keys("C")), None);
    assert!(hint(stage.keys("u h")).is_some());
    assert_eq!(hint(stage.keys("h")), None, "the key switches it");
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
    assert!(stage.screen(80, 24).contains("H11 network value "));
}
