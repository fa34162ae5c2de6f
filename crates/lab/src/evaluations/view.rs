//! What is shown of a run that learns an evaluation.

use super::row::EvaluationRow;
use super::settings::Settings;
use crate::job::Watched;
use crate::measuring::{Learner, MeasuredSettings as _, PanelResult, learner};
use crate::player::Spec;
use mancalab_base::Error;
use std::sync::Arc;
use std::time::Duration;

/// A snapshot of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    pub settings: Arc<Settings>,
    /// The current generation, from 0 to `settings.generations`.
    pub generation: u64,
    /// Whether the last generation is complete.
    pub finished: bool,
    /// Completed share of the generation, 0 to 1; unknown for a run of another process.
    pub within: f64,
    /// What it is doing: `playing`, `fitting`, `comparing` or `measuring`; empty at the end, and for a run of another process.
    pub phase: &'static str,
    /// Speed in the newest completed generation; 0 before the first.
    pub games_per_second: f64,
    /// Time spent on the run, without pauses.
    pub spent: Duration,
    /// One row per completed generation, from 0.
    pub past: Arc<Vec<EvaluationRow>>,
}

impl View {
    /// Returns the view of a run of another process before its first row.
    pub(super) fn empty(settings: Settings) -> View {
        View {
            settings: Arc::new(settings),
            generation: 0,
            finished: false,
            within: 0.0,
            phase: "",
            games_per_second: 0.0,
            spent: Duration::ZERO,
            past: Arc::default(),
        }
    }
}

/// The view of a run of another process: all but the progress within the current generation.
impl Watched for View {
    fn row(&mut self, row: &str) -> Result<(), Error> {
        let row = EvaluationRow::next(row, self.past.len(), &self.settings)?;
        Arc::make_mut(&mut self.past).push(row);
        let ended = self.past.len() as u64;
        self.generation = ended.min(self.settings.generations);
        self.finished = ended > self.settings.generations;
        Ok(())
    }

    fn timing(&mut self, row: &str) {
        let [seconds, games] = timings(row);
        self.spent += Duration::try_from_secs_f64(seconds).unwrap_or_default();
        self.games_per_second = games;
    }
}

/// Returns seconds and games per second of a row of `timings.csv`; 0 where missing.
pub(super) fn timings(row: &str) -> [f64; 2] {
    let mut fields = row.split(',').skip(1);
    [(); 2].map(|()| fields.next().and_then(|field| field.parse().ok()).unwrap_or(0.0))
}

impl Learner for View {
    learner!();

    fn within(&self) -> f64 {
        self.within
    }

    fn is_seen(&self, _: &Spec) -> Option<bool> {
        None
    }
}
