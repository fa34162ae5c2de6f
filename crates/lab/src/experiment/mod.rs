//! The interface between the kinds of runs and plans: how a run is divided into parts, and merged from their results.
//!
//! Neither depends on the other.

pub(crate) mod result;
pub(crate) mod task;
pub(crate) mod whole;

use mancalab_base::Error;

pub use result::{Body, Half, PartResult, Pieces};
pub use task::{JobContext, MergedRun, Outcome, Part, PartResults, Sample};

use crate::codec::checksum;
use crate::job::RunSettings;
use crate::pool::Pool;
use task::RowReceiver;

/// The command that plans an `evolve` run in islands.
pub const ISLANDS: &str = "islands";

/// How a plan divides its runs.
#[derive(Clone, Copy, Debug)]
pub struct Division<'a> {
    /// The planned command: one that drives runs, or [`ISLANDS`].
    pub command: &'a str,
    /// Games per unit, for each cell of a tournament.
    pub blocks: &'a [u32],
}

/// Settings of runs that can be planned. By default a run is one part.
pub trait Experiment: RunSettings {
    /// Checks whether a run can be divided into parts by this plan command.
    ///
    /// # Errors
    /// It cannot; the error names the setting.
    fn check_plan(&self, _command: &str) -> Result<(), Error> {
        Ok(())
    }

    /// Returns a checksum of external data named by the settings, embedded files included, which may differ between
    /// builds of one version.
    fn contents(&self) -> u64 {
        let texts: Vec<String> = self.files().into_iter().map(|(_, sum)| format!("{sum:016x}")).collect();
        checksum(texts.join("\n").as_bytes())
    }

    /// Measures a short sample of a run's cost, and its division into units; `block` is the number of games per
    /// unit, if given.
    ///
    /// # Errors
    /// The run cannot start.
    fn sample(&self, _block: Option<u32>, pool: &Pool) -> Result<Sample, Error> {
        task::sample_run(self.boxed(), pool)
    }

    /// Returns the number of [`parts`](Experiment::parts) without creating them.
    fn count(&self, _division: Division<'_>) -> u64 {
        1
    }

    /// Returns the parts of a run, in the order of their numbers.
    fn parts(&self, _division: Division<'_>) -> Vec<Part> {
        vec![Part::Whole]
    }

    /// Computes a part of a run.
    ///
    /// # Errors
    /// The computation fails.
    fn compute(&self, part: &Part, work: &mut JobContext<'_>) -> Result<Outcome, Error> {
        debug_assert!(matches!(part, Part::Whole));
        whole::compute(self.boxed(), work)
    }

    /// Merges the available parts into a run and passes on its rows.
    ///
    /// # Errors
    /// A part does not match the others; the error contains its file name.
    fn fold(&self, _parts: &[Part], given: &mut PartResults<'_>, taken: RowReceiver<'_>) -> Result<MergedRun, Error> {
        whole::fold(&*self.boxed(), given, taken)
    }
}
