//! Tournaments to start from.

use super::settings::Settings;
use crate::game::Variant;
use crate::player::Spec;

/// The presets: (name, what is played).
pub const PRESETS: &[(&str, &str)] =
    &[("round-robin", "random, max, minimax, the heuristic player and tree search, 100 games each in both orders")];

/// The settings of a preset; `None` if its name is none of [`PRESETS`].
pub fn preset(name: &str) -> Option<Settings> {
    let players = match name {
        "round-robin" => "random, max, minimax:4:ties=random, heuristic:4:ties=random, mcts:1000",
        _ => return None,
    };
    let settings = Settings::round_robin(Variant::usual()[0], Spec::list(players).ok()?, 100, 1);
    Some(Settings { preset: name.to_owned(), ..settings })
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
