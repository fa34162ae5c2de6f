//! Presets for training.

use super::opponents::opponents;
use super::settings::{Schedule, Settings, Total};
use crate::game::Variant;
use crate::measuring::PanelSettings;

/// The presets: (name, description).
pub const PRESETS: &[(&str, &str)] = &[
    ("kalah-thesis-a3c", "Kalah thesis: actor-critic, win or loss"),
    ("a3c-mixed", "Kalah against four players, itself and its past"),
    ("a3c-best", "Kalah, best result of 10 minutes on 2 cores"),
    ("a3c-othello", "Othello, same method"),
];

/// Returns the settings of a preset, with seed 1.
pub fn preset(name: &str) -> Option<Settings> {
    let mut settings = match name {
        "kalah-thesis-a3c" => thesis(),
        "a3c-mixed" => mixed(),
        "a3c-best" => best(),
        "a3c-othello" => othello(),
        _ => return None,
    };
    name.clone_into(&mut settings.preset);
    Some(settings)
}

/// The default settings, which a file overrides one by one.
pub(super) fn usual() -> Settings {
    mixed()
}

/// Returns the default variant of a game.
fn usually(name: &str) -> Variant {
    Variant::usual().into_iter().find(|variant| variant.name() == name).expect("a preset names a game")
}

/// The opponents break ties at random: an opponent that always plays the first of equal moves can be learned by heart.
fn mixed() -> Settings {
    Settings {
        preset: String::new(),
        seed: 1,
        generations: 650,
        variant: usually("kalah"),
        encoding: "counts".to_owned(),
        hidden: vec![64, 64],
        workers: 8,
        schedule: Schedule::Fixed,
        rounds: 50,
        steps: 64,
        opponents: opponents("5*random,10*max,30*minimax:4:ties=random,20*heuristic:4:ties=random,20*self,15*past")
            .expect("a preset names opponents"),
        past: 8,
        past_every: 10,
        opening: 2,
        gamma: 1.0,
        lambda: 0.95,
        shaping: 0.02,
        value: 1.0,
        entropy: 0.01,
        total: Total::Mean,
        clip: 1.0,
        rate: 1e-3,
        rate_end: 1e-4,
        decay: 650,
        epsilon: 1e-5,
        panel: PanelSettings::of(
            &[
                "random",
                "max",
                "minimax:4:ties=random",
                "heuristic:4:ties=random",
                "minimax:6:ties=random",
                "minimax:8:ties=random",
            ],
            50,
            20,
        ),
        conduct: Default::default(),
    }
}

/// What the thesis leaves open follows the recipe it names, or a program of its time with the same recipe: one update at the
/// end of each game, the sum of the losses, a learning rate of 1e-4, half of the games against a shallow search.
fn thesis() -> Settings {
    Settings {
        generations: 1600,
        rounds: 100,
        steps: 0,
        workers: 4,
        opponents: opponents("5*random,45*max,50*minimax:3:ties=random").expect("a preset names opponents"),
        gamma: 0.99,
        lambda: 1.0,
        shaping: 0.0,
        value: 1.0,
        entropy: 0.01,
        total: Total::Sum,
        clip: 40.0,
        rate: 1e-4,
        rate_end: 1e-4,
        epsilon: 1e-8,
        panel: PanelSettings::of(&["random", "max", "minimax:4:ties=random", "heuristic:4:ties=random"], 50, 20),
        ..mixed()
    }
}

fn best() -> Settings {
    Settings {
        encoding: "outlook".to_owned(),
        hidden: vec![192, 64],
        generations: 3500,
        decay: 3500,
        entropy: 0.03,
        // With few random moves the network learns its opponents' openings by heart.
        opening: 8,
        opponents: opponents(
            "3*max,20*minimax:4:ties=random,20*minimax:6:ties=random,17*heuristic:4:ties=random,25*self,15*past",
        )
        .expect("a preset names opponents"),
        past_every: 25,
        panel: PanelSettings::of(
            &[
                "random",
                "max",
                "minimax:4:ties=random",
                "heuristic:4:ties=random",
                "minimax:6:ties=random",
                "minimax:8:ties=random",
                "mcts:1000",
            ],
            50,
            250,
        ),
        ..mixed()
    }
}

fn othello() -> Settings {
    Settings {
        variant: usually("othello"),
        encoding: "discs".to_owned(),
        hidden: vec![128, 64],
        opponents: opponents("10*random,10*max,30*minimax:2:eval=discs:ties=random,35*self,15*past")
            .expect("a preset names opponents"),
        opening: 6,
        shaping: 0.0,
        panel: PanelSettings::of(
            &["random", "max", "minimax:2:eval=discs:ties=random", "minimax:4:eval=discs:ties=random"],
            25,
            20,
        ),
        ..mixed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::KeyedSettings as _;

    #[test]
    fn every_preset_can_be_run_and_written() {
        for (name, _) in PRESETS {
            let settings = preset(name).unwrap();
            assert_eq!((settings.check(), settings.preset.as_str()), (Ok(()), *name));
            assert!(settings.opponents.len() >= 3 && settings.panel.players.len() >= 4, "{name}");
            let mut read = preset("kalah-thesis-a3c").unwrap();
            for (key, _, value) in settings.list() {
                read.set(key, &value).unwrap();
            }
            assert_eq!(read.list(), settings.list());
        }
        assert_eq!(preset("chess"), None);
    }
}
