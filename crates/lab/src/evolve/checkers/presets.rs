//! Settings to start from.

use super::{CheckersSettings, CheckersWeights, Kind, Selecting};
use crate::player::samuel::COUNT;

/// Every preset's name, and what it is.
pub const PRESETS: &[(&str, &str)] = &[
    (
        "checkers-ga",
        "the weights of Samuel's terms for checkers, as the source has it: 16 genomes, knocked out in pairs",
    ),
    ("checkers-ga-robin", "the same, of our own make: everyone plays everyone from random openings, and the best stay"),
];

/// The settings of a preset; the seed is 1.
pub fn preset(name: &str) -> Option<CheckersSettings> {
    match PRESETS.iter().position(|(known, _)| *known == name)? {
        0 => Some(source()),
        _ => Some(robin()),
    }
}

/// As the source has it.
pub fn source() -> CheckersSettings {
    CheckersSettings {
        preset: PRESETS[0].0.to_owned(),
        seed: 1,
        generations: 30,
        population: 16,
        elite: 0,
        mutation_rate: 0.05,
        crossover_rate: 1.0,
        task: CheckersWeights {
            depth: 4,
            quiet: false,
            limit: 40,
            opening: 0,
            contest: Kind::Knockout,
            games: 1,
            selection: Selecting::Points,
            flip: 0.0,
            terms: [true; COUNT],
        },
    }
}

/// A knock-out says little of who is better: half of the members lose their only game, and one game says next to nothing. Here every
/// two members play twice from a random opening, each beginning once; the best are kept, and far more genes change. In games of 40 moves
/// a side that stop in the middle of captures nobody wins: here captures are played out, and games may last 100 moves a side.
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
            selection: Selecting::Best(3),
            flip: 0.1,
            ..source.task
        },
        ..source
    }
}
