//! The presets: the source's two runs, and others with our settings.

use mancalab_base::Error;

use super::fitness::Fitness;
use super::settings::Settings;
use crate::evolve::fitness_command::CommandSettings;
use crate::evolve::gp::generator::Generator;
use crate::evolve::gp::tableau::MAX_NODES;
use crate::evolve::gp::{Points, Selection, Tableau};
use crate::evolve::opponent::{Opponent, OpponentKind};
use crate::game::Variant;
use crate::game::kalah::{Capture, Rules};
use crate::panel::Panel;
use crate::player::Spec;
use crate::program::kalah::Reading;

/// The presets: (name, description).
pub const PRESETS: &[(&str, &str)] = &[
    ("mancala-gp-1", "Ahlschwede's first run: sum of both scores"),
    ("mancala-gp-2", "Ahlschwede's second run: 100 times the sum, less the nodes"),
    ("mancala-gp-broad", "several opponents, including random programs: strong in general"),
    ("mancala-gp-66", "our settings: the second run's fitness, 32 islands, tournament selection"),
    ("oware-gp", "Oware: programs that beat minimax:3"),
];

impl Settings {
    /// Returns the settings of a preset, with seed 1.
    ///
    /// # Errors
    /// Returns an error if the name is not one of [`PRESETS`].
    pub fn preset(name: &str) -> Result<Settings, Error> {
        let paper = |fitness| Settings {
            preset: name.to_owned(),
            tableau: Tableau {
                seed: 1,
                population: 512,
                generations: 150,
                crossover: 90.0,
                points: Points::Uniform,
                mutation: 0.5,
                selection: Selection::Roulette,
                elitism: 1,
                generator: Generator::Even,
                initial_depth: 16,
                mutation_depth: 20,
                max_depth: 0,
                max_nodes: MAX_NODES,
                parsimony: 0.0,
                prefer_small: false,
                sharing: 0.0,
                functions: ["if", "add", "sub", "value_at"].map(str::to_owned).to_vec(),
                islands: 1,
                migration_every: 0,
                migrants: 0,
                initial: Default::default(),
                conduct: Default::default(),
            },
            fitness,
            game: Variant::Kalah(Rules::default()),
            opponents: vec![Opponent {
                weight: 1.0,
                kind: OpponentKind::Player(Spec::Minimax(crate::player::spec::Minimax::to_depth(8))),
            }],
            capture: Capture::Empty,
            reading: Reading::default(),
            command: CommandSettings::default(),
            panel: Panel::default(),
            memory: 256,
        };
        match name {
            "mancala-gp-1" => Ok(paper(Fitness::Sum)),
            "mancala-gp-2" => {
                let mut settings = paper(Fitness::SumLessNodes);
                // Uniform points never keep programs as small as the source reports. In the first run walk points let them grow
                // without limit, which cannot have happened in the source (docs/mancala-gp.md).
                settings.tableau.points = Points::Walk;
                Ok(settings)
            }
            "mancala-gp-66" => {
                let mut settings = paper(Fitness::SumLessNodes);
                // Found by trial (docs/mancala-gp.md): tournaments gain some stones over the roulette; of all further changes
                // only many small islands gained as much again.
                settings.tableau.points = Points::Walk;
                settings.tableau.selection = Selection::Tournament(4);
                settings.tableau.mutation = 10.0;
                settings.tableau.population = 4096;
                settings.tableau.islands = 32;
                settings.tableau.migration_every = 5;
                settings.tableau.migrants = 2;
                Ok(settings)
            }
            "mancala-gp-broad" => {
                let mut settings = paper(Fitness::Sum);
                let opponents = ["minimax:8", "minimax:4", "max", "2*programs:16"];
                settings.opponents = opponents.iter().filter_map(|text| text.parse().ok()).collect();
                // Found by trial: without a penalty on size tournaments fill the islands with bloat, with a high one with
                // programs of a few nodes; without IF programs are far weaker against several opponents.
                settings.tableau.selection = Selection::Tournament(4);
                settings.tableau.mutation = 10.0;
                settings.tableau.max_depth = 20;
                settings.tableau.parsimony = 0.002;
                settings.tableau.islands = 4;
                settings.tableau.migration_every = 10;
                settings.tableau.migrants = 2;
                Ok(settings)
            }
            "oware-gp" => {
                let mut settings = Settings { preset: name.to_owned(), ..Settings::preset("mancala-gp-broad")? };
                settings.game = "oware".parse()?;
                // Found by trial (docs/evolution.md): programs bred against several players play these and others no better.
                settings.opponents = vec!["minimax:3".parse()?];
                Ok(settings)
            }
            _ => {
                let names: Vec<&str> = PRESETS.iter().map(|(name, _)| *name).collect();
                Err(format!("no preset for games of pits is named '{name}'; known: {}", names.join(", ")).into())
            }
        }
    }
}
