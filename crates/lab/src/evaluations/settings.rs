//! The settings of learning evaluations.

use super::games::Play;
use super::learnable::{Learnable, Subject};
use crate::game::Variant;
use crate::game::checkers::Checkers;
use crate::game::othello::Othello;
use crate::job::conduct::Conduct;
use crate::measuring::{MeasuredSettings, PanelSettings};
use crate::player::check_plays;
use crate::settings::{Entry, SettingsTable, entry};
use mancalab_base::{Error, bail};

/// All settings that determine the weights and their measurements.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The game.
    pub subject: &'static Subject,
    /// The preset they started from.
    pub preset: String,
    pub seed: u64,
    /// Generations after the initial one, number 0.
    pub generations: u64,
    /// Games of a generation.
    pub games: u32,
    /// Plies of the players' searches.
    pub depth: u32,
    /// Number of empty squares from which games are solved; in checkers number of pieces whose value an endgame table gives.
    pub exact: u32,
    /// Fewest and most random moves at the start of a game.
    pub opening: u32,
    pub opening_most: u32,
    /// The λ of TD(λ): the weight of the next position's value in a position's.
    pub lambda: f64,
    /// Samples that support each weight's former value, besides those of earlier generations. This and the next have no effect in checkers.
    pub ridge: f64,
    /// Weight of the earlier generations' samples, from one generation to the next, late in the run.
    pub memory: f64,
    /// Iterations of conjugate gradients in a fit, in checkers passes over its samples.
    pub iterations: u32,
    /// One of this number of games is not learned from, but measures the error.
    pub held_out: u32,
    /// Positions whose shallow and deep searches are compared.
    pub compared: u32,
    pub panel: PanelSettings,
    /// Plies of the search that meets the panel.
    pub panel_depth: u32,
    pub conduct: Conduct,
}

/// The default settings for Othello.
pub(super) fn othello() -> Settings {
    Settings {
        subject: Othello::SUBJECT,
        preset: Othello::SUBJECT.preset.0.to_owned(),
        seed: 1,
        generations: 15,
        games: 20_000,
        depth: 4,
        exact: 12,
        opening: 4,
        opening_most: 28,
        lambda: 0.8,
        ridge: 5.0,
        memory: 0.95,
        iterations: 25,
        held_out: 20,
        compared: 240,
        panel: PanelSettings::of(&["minimax:6:eval=discs", "minimax:8:eval=discs", "mcts:1000"], 20, 4),
        panel_depth: 4,
        conduct: Conduct::default(),
    }
}

/// The default settings for checkers.
pub(super) fn checkers() -> Settings {
    Settings {
        subject: Checkers::SUBJECT,
        preset: Checkers::SUBJECT.preset.0.to_owned(),
        generations: 10,
        games: 80_000,
        exact: 5,
        opening: 2,
        opening_most: 14,
        iterations: 8,
        compared: 2000,
        panel: PanelSettings::of(&["samuel:4@best", "samuel:6@best", "mcts:1000"], 20, 4),
        ..othello()
    }
}

impl Settings {
    /// How the games are played.
    pub(super) fn play(&self) -> Play {
        Play {
            depth: self.depth,
            exact: self.exact,
            opening: [self.opening, self.opening_most],
            lambda: self.lambda as f32,
        }
    }

    /// The weight of earlier generations' samples in a generation: it grows to the setting, since the first games are poor.
    pub fn memory_in(&self, generation: u64) -> f64 {
        self.memory * generation as f64 / (generation + 1) as f64
    }

    /// Checks settings that depend on each other.
    ///
    /// # Errors
    /// Settings that contradict each other.
    pub fn check(&self) -> Result<(), Error> {
        if self.opening > self.opening_most {
            bail!("opening must be at most opening_most, {} (got {})", self.opening_most, self.opening);
        }
        if self.held_out > self.games {
            bail!("held_out must be at most games, {} (got {})", self.games, self.held_out);
        }
        let game: Variant = self.subject.game.parse()?;
        self.panel.players.iter().try_for_each(|player| check_plays(player, &game))
    }
}

impl MeasuredSettings for Settings {
    fn panel(&self) -> &PanelSettings {
        &self.panel
    }

    fn panel_mut(&mut self) -> &mut PanelSettings {
        &mut self.panel
    }

    fn last(&self) -> u64 {
        self.generations
    }
}

impl SettingsTable for Settings {
    fn entries() -> Vec<Entry<Settings>> {
        let mut entries = vec![
            entry!(seed: whole(0, i64::MAX as u64), "decides all random choices").common(),
            entry!(generations: whole(0, 10_000), "generations after the initial one").common(),
            entry!(games: whole(1, 1_000_000), "games of a generation, 1 to 1000000"),
            entry!(depth: whole(1, 12), "plies that the players search, 1 to 12"),
            entry!(exact: whole(0, 20), "empty squares from which games are solved; in checkers pieces of the table used, 0 to 20"),
            entry!(opening: whole(0, 50), "fewest random moves at the start of a game, 0 to 50"),
            entry!(opening_most: whole(0, 50), "most random moves at the start of a game, 0 to 50"),
            entry!(lambda: real(0.0, 1.0), "lambda of TD(lambda): 1 learns game results, 0 search values"),
            entry!(ridge: real(0.001, 1e6), "samples that support a weight's former value, 0.001 to 1000000; no effect in checkers"),
            entry!(memory: real(0.0, 1.0), "weight of earlier generations' samples late in the run, 0 to 1; no effect in checkers"),
            entry!(iterations: whole(1, 1000), "iterations of conjugate gradients in a fit, in checkers passes over its samples, 1 to 1000"),
            entry!(held_out: whole(2, 1000), "one of this many games measures the error only, 2 to 1000"),
            entry!(compared: whole(1, 100_000), "positions that measure shallow searches, 1 to 100000"),
        ];
        entries.extend(PanelSettings::entries_of(|s: &Settings| &s.panel, |s| &mut s.panel));
        entries.push(entry!(panel_depth: whole(1, 20), "plies that the search against the panel looks ahead, 1 to 20"));
        entries.extend(Conduct::entries_of(|s: &Settings| &s.conduct, |s| &mut s.conduct));
        entries
    }
}
