//! A checkers program that learns: the genetic algorithm over Samuel's terms, step by step and measured.
//!
//! The source describes the algorithm and prints no table. `walkthrough` shows its steps with the numbers of a run, `minimax` those of
//! a search; `learning` measures whether it learns, how fast, and when it settles, and `pruning` whether forward pruning helps.

mod claims;
mod learning;
mod learnt;
mod minimax;
mod pruning;
mod walkthrough;

use super::work::{Part, Work};
use super::{Options, Target};
use crate::evolve::checkers::{CheckersSettings, CheckersWeights};
use crate::evolve::ga::Task as _;
use crate::settings::KeyedSettings as _;
use mancalab_base::Error;

pub(super) const SOURCE: &str =
    "A checkers program that learns by a genetic algorithm, with the terms of A. L. Samuel (1959)";

/// `--set preset=NAME` selects the presets to run, `measured=own|training` the rules of the measured games; other keys are settings of
/// the runs.
pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "checkers-ga/walkthrough",
        about: "one tournament, one crossover and one mutation of a run, step by step",
        takes: &["--generations", "--seed", "--set"],
        readings: &[],
        work: Work::new(1, &[(Part::Generations, 10, 2)]),
        run: walkthrough::reproduce,
    },
    Target {
        name: "checkers-ga/minimax",
        about: "minimax with alpha-beta: the tree of a position with every window, value and cut",
        takes: &["--seed", "--set"],
        readings: &["weights"],
        work: Work::fixed(1),
        run: minimax::reproduce,
    },
    Target {
        name: "checkers-ga/learning",
        about: "the strength of the best of every fifth generation, with the source's settings and ours",
        takes: &["--games", "--generations", "--seed", "--seeds", "--out", "--set"],
        readings: &[],
        work: Work::new(1500, &[(Part::Seeds, 5, 1), (Part::Generations, 30, 2), (Part::Games, 1000, 2)]),
        run: learning::reproduce,
    },
    Target {
        name: "checkers-ga/claims",
        about: "the source's start and mutation against others, each judged by a rule",
        takes: &["--games", "--generations", "--seed", "--seeds", "--out", "--set"],
        readings: &[],
        work: Work::new(180, &[(Part::Seeds, 10, 2), (Part::Generations, 30, 2), (Part::Games, 200, 2)]),
        run: claims::reproduce,
    },
    Target {
        name: "checkers-ga/pruning",
        about: "forward pruning: games with and without it at equal depth, equal nodes and in equal time",
        takes: &["--games", "--seed", "--set"],
        readings: &["depth", "nodes", "ms", "weights"],
        work: Work {
            seconds: 300,
            parts: &[(Part::Games, 400, 4)],
            beside: &[],
            set: &[("depth", "6"), ("nodes", "5000")],
        },
        run: pruning::reproduce,
    },
];

/// Returns a preset's settings with the options applied.
fn settings(options: &Options, preset: &str, seed: u64, generations: u64) -> Result<CheckersSettings, Error> {
    let mut settings = CheckersWeights::preset(preset).ok_or_else(|| format!("the preset {preset} is missing"))?;
    (settings.seed, settings.generations) = (seed, generations);
    options.change(&mut settings, &["preset", "measured"])?;
    settings.check()?;
    Ok(settings)
}

/// Returns a run's settings as a reading.
fn reading(settings: &CheckersSettings) -> Vec<(&'static str, String)> {
    let mut reading = vec![("preset", settings.preset.clone())];
    reading.extend(settings.list().into_iter().map(|(key, _, value)| (key, value)));
    reading
}
