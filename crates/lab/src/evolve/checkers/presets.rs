//! Presets for checkers.

use super::{CheckersSettings, CheckersWeights, Kind, Mutating, Start};
use crate::evolve::ga::operators::Selection;
use crate::evolve::terms::Terms;

/// The presets: (name, description).
pub const PRESETS: &[(&str, &str)] = &[
    ("checkers-ga", "weights of Samuel's terms for checkers, as in the source: 16 genomes, knock-out"),
    ("checkers-ga-robin", "the same with our settings: round robin, random openings, an elite"),
];

/// Returns the settings of a preset, with seed 1.
pub fn preset(name: &str) -> Option<CheckersSettings> {
    match PRESETS.iter().position(|(known, _)| *known == name)? {
        0 => Some(source()),
        _ => Some(robin()),
    }
}

/// The settings of the source.
pub fn source() -> CheckersSettings {
    CheckersSettings {
        preset: PRESETS[0].0.to_owned(),
        seed: 1,
        generations: 30,
        population: 16,
        elite: 0,
        mutation_rate: 0.05,
        crossover_rate: 1.0,
        initial: Default::default(),
        conduct: Default::default(),
        task: CheckersWeights {
            depth: 4,
            quiet: false,
            limit: 40,
            opening: 0,
            contest: Kind::Knockout,
            games: 1,
            selection: Selection::Points,
            flip: 0.0,
            start: Start::Ones,
            mutation: Mutating::Proportional,
            terms: Terms::all_but(&[]),
            panel: Default::default(),
        },
    }
}

/// A knock-out gives little information on strength: half of the members lose their only game, and one game means almost
/// nothing. Here every two members play twice from a random opening, with each moving first once; the best are kept, and far
/// more genes mutate. Games of 40 moves a side that stop in the middle of captures have no winner, so here captures are
/// searched beyond the depth, and games may last 100 moves a side.
fn robin() -> CheckersSettings {
    let source = source();
    CheckersSettings {
        preset: PRESETS[1].0.to_owned(),
        population: 12,
        elite: 2,
        mutation_rate: 0.4,
        task: CheckersWeights {
            quiet: true,
            limit: 100,
            opening: 2,
            contest: Kind::RoundRobin,
            games: 2,
            selection: Selection::Best(3),
            flip: 0.1,
            ..source.task
        },
        ..source
    }
}
