//! A checkers program that learns: the genetic algorithm over Samuel's terms, walked through and measured.
//!
//! The source describes the algorithm and prints no table. `walkthrough` prints what it describes with the numbers of a run; `learning`
//! says whether it learns, how fast, and when it settles.

mod learning;
mod learnt;
mod walkthrough;

use std::path::PathBuf;

use super::{Heard, TARGETS, Table};
use crate::crew::Crew;
use crate::document::{Listed as _, Refusal};
use crate::evolve::checkers::{CheckersSettings, CheckersWeights};
use crate::evolve::ga::Task as _;

const SOURCE: &str = "A checkers program that learns by a genetic algorithm, with the terms of A. L. Samuel (1959)";

/// What can be asked for besides the target.
#[derive(Clone, Debug)]
pub struct Options {
    /// All chance follows from it.
    pub seed: u64,
    /// How many seeds are run, from `seed` on; 5 without it.
    pub seeds: Option<u32>,
    /// Games against each opponent; 1,000 without it.
    pub games: Option<u32>,
    /// Generations after the first; each target has its own usual number.
    pub generations: Option<u64>,
    /// Settings of the runs, as KEY=VALUE; `preset=NAME` says which presets, `measured=own|training` by which games they are measured.
    pub set: Vec<String>,
    /// Where runs, CSV and chart go.
    pub out: Option<PathBuf>,
    /// Who plays.
    pub crew: Crew,
}

/// Reproduces the target with this name; `hear` is told how it goes.
///
/// # Errors
/// There is no such target, an option makes no sense, or a file cannot be written: a sentence.
pub fn reproduce(target: &str, options: &Options, hear: &mut dyn FnMut(Heard<'_>)) -> Result<Table, Refusal> {
    match target {
        "checkers-ga/walkthrough" => walkthrough::reproduce(options, hear),
        "checkers-ga/learning" => learning::reproduce(options, hear),
        _ => {
            let known = TARGETS.iter().filter_map(|target| target.name.strip_prefix("checkers-ga/"));
            let known: Vec<&str> = known.collect();
            Err(format!("nothing is called '{target}'; known of checkers-ga: {}", known.join(", ")).into())
        }
    }
}

/// A preset's settings with what was asked for.
fn settings(options: &Options, preset: &str, seed: u64, generations: u64) -> Result<CheckersSettings, Refusal> {
    let mut settings = CheckersWeights::preset(preset).ok_or_else(|| format!("the preset {preset} is missing"))?;
    (settings.seed, settings.generations) = (seed, generations);
    for text in &options.set {
        match text.split_once('=') {
            Some((key, _)) if matches!(key.trim(), "preset" | "measured") => {}
            Some((key, value)) => settings.set(key.trim(), value)?,
            None => return Err(format!("--set takes KEY=VALUE; '{text}' is not").into()),
        }
    }
    settings.check()?;
    Ok(settings)
}

/// How a run was made, for people.
fn reading(settings: &CheckersSettings) -> Vec<(&'static str, String)> {
    let mut reading = vec![("preset", settings.preset.clone())];
    reading.extend(settings.list().into_iter().map(|(key, _, value)| (key, value)));
    reading
}
