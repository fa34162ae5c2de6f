//! Judges the trials of a rung: by their runs' own results, or by games of their best programs.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::How;
use crate::arena::Match;
use crate::cli::signals;
use crate::cluster::trials::Rung;
use crate::groups::{self, Groups};
use crate::job::{RunSettings, run_dir::BEST};
use crate::kinds::{KindOf as _, is_less_better};
use crate::player::Spec;
use crate::pool::Pool;
use crate::summary::middle;

/// A trial with its result.
pub struct TrialResult {
    pub values: Vec<String>,
    pub generations: u64,
    /// The median over its runs; NaN without results.
    pub result: f64,
}

/// Judges the trials by the medians of their runs, the best first, those without a result last; `None` after a signal. `runs` are
/// the folders of all runs, those of each trial together.
///
/// # Errors
/// A run cannot be read, or its program cannot play.
pub fn judged(
    trials: &[Vec<String>],
    runs: &[PathBuf],
    settings: &dyn RunSettings,
    rung: Rung,
    how: &How,
) -> Result<Option<Vec<TrialResult>>> {
    let column = if how.judge.is_empty() { Groups::read(runs, None)?.column } else { String::new() };
    let mut judged = Vec::new();
    for (values, runs) in trials.iter().zip(runs.chunks(how.seeds.len().max(1))) {
        let mut results = Vec::new();
        for run in runs {
            if signals::received() != 0 {
                return Ok(None);
            }
            results.push(match how.judge.is_empty() {
                true => groups::curve(run, &column)?.last().copied().unwrap_or(f64::NAN),
                false => points(run, settings, how)?,
            });
        }
        results.retain(|result| !result.is_nan());
        let result = middle(&results).unwrap_or(f64::NAN);
        judged.push(TrialResult { values: values.clone(), generations: rung.generations, result });
    }
    let sign = if is_less_better(&column) { -1.0 } else { 1.0 };
    let rank = |one: &TrialResult| if one.result.is_nan() { f64::NEG_INFINITY } else { sign * one.result };
    crate::sort::sort_by(&mut judged, |one, other| rank(other).total_cmp(&rank(one)));
    Ok(Some(judged))
}

/// The points of a run's best program against the judges, in percent.
fn points(run: &Path, settings: &dyn RunSettings, how: &How) -> Result<f64> {
    let problem = settings.problem().context("--judge is for sweeps of evolve")?;
    let player: Spec = format!("{}:{}", problem.player_word(), run.join(BEST).display()).parse()?;
    let pool = Pool::new(how.threads);
    let mut sum = 0.0;
    for judge in &how.judge {
        let players = [player.clone(), judge.player(&problem.game())];
        let game = Match { variant: problem.game(), players, games: how.games, opening: 2, seed: how.draw };
        let tally = game.play(&pool, &mut |_| ()).context("a judge must be a computer player")?;
        sum += 100.0 * tally.first.plus(tally.second).share();
    }
    Ok(sum / how.judge.len() as f64)
}
