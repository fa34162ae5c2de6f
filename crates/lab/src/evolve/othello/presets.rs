//! Presets for Othello.
//!
//! The source defines the functions, the games and the termination of its runs, but not population, generations and selection;
//! those here are from J. R. Koza's first book for similar problems.

use super::fitness::Fitness;
use super::settings::{Seat, Settings};
use super::stages::{Shares, Training};
use crate::evolve::gp::generator::Generator;
use crate::evolve::gp::tableau::MAX_NODES;
use crate::evolve::gp::{Points, Selection, Tableau};
use crate::evolve::opponent::{Opponent, OpponentKind};
use crate::player::Spec;
use crate::settings::nearest;
use mancalab_base::Error;

/// The presets: (name, description).
pub const PRESETS: &[(&str, &str)] = &[
    ("othello-gp-50", "Othello, until the random player keeps at most 50 discs in 5 games"),
    ("othello-gp-25", "the same, at most 25 discs"),
    ("othello-gp-50-staged", "one function per half, bred together, until 50 discs"),
    ("othello-gp-25-staged", "the same until 25 discs"),
    ("othello-gp-strong", "one function per half, against players that search"),
];

impl Settings {
    /// Returns the settings of a preset, with seed 1.
    ///
    /// # Errors
    /// Returns an error with the known names if the name is not one of [`PRESETS`].
    pub fn preset(name: &str) -> Result<Settings, Error> {
        let staged = |termination| Settings { shares: halves(), ..paper(name, termination) };
        match name {
            "othello-gp-50" => Ok(paper(name, 50.0)),
            "othello-gp-25" => Ok(paper(name, 25.0)),
            "othello-gp-50-staged" => Ok(staged(50.0)),
            "othello-gp-25-staged" => Ok(staged(25.0)),
            "othello-gp-strong" => Ok(strong(name)),
            _ => {
                let names: Vec<&str> = PRESETS.iter().map(|(name, _)| *name).collect();
                let near = nearest(name, names.iter().copied());
                let hint = near.map(|near| format!(" (did you mean '{near}'?)")).unwrap_or_default();
                Err(format!("no preset is named '{name}'{hint}; known: {}", names.join(", ")).into())
            }
        }
    }
}

impl Default for Settings {
    /// A single function against the random player.
    fn default() -> Settings {
        paper("othello-gp-50", 50.0)
    }
}

fn halves() -> Shares {
    "50,50".parse().expect("two shares")
}

fn paper(name: &str, termination: f64) -> Settings {
    Settings {
        preset: name.to_owned(),
        tableau: Tableau {
            seed: 1,
            population: 500,
            generations: 50,
            crossover: 90.0,
            points: Points::Inner,
            mutation: 0.0,
            selection: Selection::Roulette,
            elitism: 1,
            generator: Generator::Ramped,
            initial_depth: 6,
            mutation_depth: 4,
            max_depth: 17,
            max_nodes: MAX_NODES,
            parsimony: 0.0,
            prefer_small: false,
            sharing: 0.0,
            functions: ["add", "sub", "mul", "div"].map(str::to_owned).to_vec(),
            islands: 1,
            migration_every: 0,
            migrants: 0,
            initial: Default::default(),
            conduct: Default::default(),
        },
        shares: Shares::default(),
        training: Training::Together,
        overlap: 0,
        adf: 0,
        games: 5,
        opponents: vec![Opponent { weight: 1.0, kind: OpponentKind::Player(Spec::Random) }],
        seat: Seat::White,
        opening: 0,
        fitness: Fitness::Adjusted,
        anew: true,
        command: Default::default(),
        panel: Default::default(),
        termination,
    }
}

/// Found by trial. New games in every generation prevent functions from memorizing a few games, which deterministic opponents
/// encourage. A game against `mcts:200` takes as long as a hundred against `minimax:2:eval=discs`; champions teach what works against it.
fn strong(name: &str) -> Settings {
    let paper = paper(name, 0.0);
    let opponents = ["random", "2*minimax:2:eval=discs", "0.5*minimax:4:eval=discs", "3*champions:4"];
    Settings {
        tableau: Tableau {
            population: 300,
            generations: 100,
            crossover: 75.0,
            mutation: 25.0,
            selection: Selection::Tournament(5),
            elitism: 4,
            max_depth: 12,
            prefer_small: true,
            ..paper.tableau
        },
        shares: halves(),
        games: 100,
        opponents: opponents.iter().filter_map(|text| text.parse().ok()).collect(),
        seat: Seat::Both,
        opening: 6,
        fitness: Fitness::Strength,
        ..paper
    }
}
