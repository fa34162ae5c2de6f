//! Tournament presets.

use super::openings::Deal;
use super::settings::Settings;
use crate::player::Spec;

/// The presets: (name, description).
pub const PRESETS: &[(&str, &str)] = &[
    ("round-robin", "random, max, minimax, the heuristic player and tree search, 100 games each in both orders"),
    ("othello", "random, max, minimax of 2 and 4 plies and tree search at Othello, 20 games each in both orders"),
    ("checkers", "random, max, minimax of 2, 4 and 6 plies and tree search at checkers, 20 games each in both orders"),
];

/// Returns the settings of a preset; `None` if the name is not in [`PRESETS`].
pub fn preset(name: &str) -> Option<Settings> {
    let (game, players, games) = match name {
        "round-robin" => ("kalah", "random, max, minimax:4:ties=random, heuristic:4:ties=random, mcts:1000", 100),
        "othello" => ("othello", "random, max, minimax:2:ties=random, minimax:4:ties=random, mcts:400", 20),
        "checkers" => (
            "checkers",
            "random, max, minimax:2:ties=random, minimax:4:ties=random, minimax:6:ties=random, mcts:400",
            20,
        ),
        _ => return None,
    };
    let settings = Settings::round_robin(game.parse().ok()?, Spec::list(players).ok()?, games, 1);
    Some(Settings { preset: name.to_owned(), deal: Deal::Distinct, ..settings })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_can_be_played() {
        for (name, _) in PRESETS {
            let settings = preset(name).unwrap();
            assert_eq!((settings.check(), settings.preset.as_str()), (Ok(()), *name));
        }
        assert_eq!(preset("round-robin").unwrap().cells().len(), 25);
        assert_eq!(preset("ladder"), None);
    }
}
