//! The puzzles that come with the program, each compared with the values of the solvers and of endgame tables.

use serde_json::Value;

use crate::own_files::Home;

/// The lists of `mancalab` as JSON.
fn json(home: &Home, args: &[&str]) -> Value {
    serde_json::from_str(&home.text(args)).unwrap()
}

/// Every puzzle has exactly one best move, which alone keeps the win or the draw.
#[test]
fn every_shipped_puzzle_has_one_best_move() {
    let home = Home::new();
    for (game, size) in [("checkers", "--pieces=4"), ("oware", "--seeds=8"), ("awari", "--seeds=8")] {
        home.text(&["tables", "build", game, size]);
    }
    for game in ["kalah", "othello", "checkers", "oware", "awari"] {
        let puzzles = json(&home, &["puzzles", "--shipped", "--game", game, "--list", "--answers", "--json"]);
        let puzzles = puzzles["puzzles"].as_array().unwrap();
        assert_eq!(puzzles.len(), 24, "{game}");
        for puzzle in puzzles {
            let position = puzzle["position"].as_str().unwrap();
            let values = json(&home, &["analyse", "--game", game, "--position", position, "--exact", "--json"]);
            assert_eq!(values["solved"], true, "{values}");
            let moves = values["moves"].as_array().unwrap();
            let value = |mv: &Value| match mv["outcome"].as_str() {
                Some("win") => 1,
                Some(_) => -1,
                None => mv["margin"].as_i64().unwrap().signum(),
            };
            assert_eq!(moves[0]["move"], puzzle["best"], "{values}");
            assert!(moves[1..].iter().all(|mv| value(mv) < value(&moves[0])), "{values}");
            assert!(moves.iter().any(|mv| mv["move"] == puzzle["played"]), "{puzzle}");
        }
    }
}
