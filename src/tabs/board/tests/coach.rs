//! The coach while a person plays.

use crate::app::stage::{Stage, config_of};
use crate::config::PerGame;

/// A small game against a weak player, in which the coach looks four plies ahead.
fn stage(north: &str) -> Stage {
    let mut config = config_of("kalah:4x3");
    (config.review.depth, config.review.solve) = (PerGame::all(4), 0);
    (config.review.mistake, config.review.blunder) = (1, 3);
    Stage::with_config(config, "human", north)
}

/// The coach's line below the board.
fn rating(stage: &Stage) -> String {
    let is_rating = |line: &String| {
        [": best", ": good", ": blunder", ": mistake", ": inaccuracy", ": the only move"]
            .iter()
            .any(|word| line.contains(word))
    };
    stage.story().into_iter().find(is_rating).unwrap_or_default()
}

#[test]
fn each_move_gets_a_word_and_the_better_move_is_not_named() {
    let mut stage = stage("human");
    stage.keys("A");
    assert_eq!(rating(&stage), "");
    stage.keys("u W");
    assert_eq!(stage.notice(), "Coach on: rates each of your moves (W: warn too)");
    let mut words = Vec::new();
    for pit in ["A", "B", "C", "D"] {
        stage.keys(pit);
        words.push(rating(&stage));
        assert!(!stage.story().join(" ").contains("was better"), "{:?}", stage.story());
        stage.keys("u");
    }
    assert!(words.contains(&"✓ B: best".to_owned()), "{words:?}");
    assert!(
        words.iter().any(|word| word.starts_with("?? ") && word.ends_with(" % lost · u takes it back")),
        "{words:?}"
    );
}

/// A blunder is played when it is entered again, and only then.
#[test]
fn a_blunder_waits_for_a_second_entry() {
    let mut stage = stage("human");
    stage.keys("W W");
    assert_eq!(stage.notice(), "Coach with warnings before blunders (W: off)");
    let pits = ["A", "B", "C", "D"];
    let warned = pits.into_iter().find(|pit| {
        let is_warned = stage.keys(pit).notice().contains("is a blunder");
        if !is_warned {
            stage.keys("u");
        }
        is_warned
    });
    let pit = warned.expect("a blunder among the first moves");
    assert_eq!(stage.record().ply(), 0);
    stage.keys(pit);
    assert_eq!(stage.record().ply(), 1);
    assert!(rating(&stage).starts_with("?? "), "{:?}", stage.story());
    stage.keys("W u A");
    assert_eq!(rating(&stage), "", "the coach is off");
}

/// There the analysis shows exact values, too.
#[test]
fn near_the_end_of_a_game_the_coach_is_exact() {
    let mut config = config_of("kalah:6x4");
    (config.review.depth, config.review.solve) = (PerGame::all(1), 18);
    let mut stage = Stage::with_config(config, "human", "human");
    stage.paste("<6,19,20,1,0,2,1,0,1,0,1,0,2,0,1> S").keys("W A");
    stage.wait();
    let board = stage.board();
    let valued = board.panels.review.valued(&board.session, stage.record().at()).expect("a value");
    assert!(valued.solved, "{:?}", stage.story());
}

/// The list of moves keeps them until then.
#[test]
fn what_the_coach_found_stays_until_a_review_replaces_it() {
    let mut stage = stage("human");
    let moves = stage.panel_of((120, 40), "Moves").expect("the list");
    assert_eq!(moves.title, "Moves", "the coach makes the game casual, and there is nothing to save");
    stage.keys("W A B");
    stage.wait();
    let is_known = |stage: &Stage| stage.board().panels.review.valued(&stage.board().session, 0).is_some();
    assert!(is_known(&stage));
    stage.keys("r");
    assert!(is_known(&stage), "{:?}", stage.story());
}

#[test]
fn one_row_shows_the_threat_instead_of_the_coachs_word() {
    let mut stage = stage("human");
    stage.keys("W A @");
    stage.wait();
    let rows: Vec<String> =
        stage.board().story_lines(u16::MAX, 1, stage.look()).iter().map(ToString::to_string).collect();
    assert!(matches!(&rows[..], [row] if row.contains("hreat: ")), "{rows:?}");
}
