//! Tournaments to start from.

use super::Settings;
use crate::game::Variant;

/// Every preset's name, and what it is.
pub const PRESETS: &[(&str, &str)] =
    &[("round-robin", "players of every kind, everybody against everybody in both orders; choose others with e")];

const PLAYERS: [&str; 5] = ["random", "max", "minimax:4:ties=random", "heuristic:4:ties=random", "mcts:1000"];

/// The settings of a preset; the seed is 1.
pub fn preset(name: &str) -> Option<Settings> {
    if name != PRESETS[0].0 {
        return None;
    }
    let players = PLAYERS.iter().filter_map(|text| text.parse().ok()).collect();
    Some(Settings { preset: name.to_owned(), ..Settings::round_robin(Variant::usual()[0], players, 100, 1) })
}
