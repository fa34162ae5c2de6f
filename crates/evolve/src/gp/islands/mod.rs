//! The computation of a run island by island: by different processes, on different machines, in any order that the migrations
//! allow.
//!
//! Random draws depend on an individual's number, and islands interact by migrants only. Between two migrations each island can
//! therefore be bred alone: an [`Epoch`] is the generations of one island from one migration to the next, and starts from the
//! newest generation of the island itself and of the one that sends it migrants. Its result is a byte string ([`written`]) that
//! does not depend on the machine. Merged (`joined`), the results of all islands give the same rows, best program and
//! checkpoints as a run on one machine. Lineages contain ranks in the whole generation, so the merge adds them.

mod epoch;
mod joined;
mod written;

use mancalab_base::{Error, bail};
use std::ops::Range;

pub use epoch::{Epoch, EpochProgress};

use super::problem::{Problem, Settings as _};
use super::tableau::Tableau;

/// The division of a run into epochs. Islands, epochs and generations count from 0.
#[derive(Clone, Copy, Debug)]
struct Plan {
    islands: u32,
    /// Programs per island.
    size: usize,
    /// Generations per epoch; `None` without migration.
    every: Option<u64>,
    /// The last generation of the run.
    last: u64,
}

impl Plan {
    fn new(tableau: &Tableau) -> Plan {
        let Tableau { islands, migration_every, generations, .. } = *tableau;
        let every = (islands > 1 && migration_every > 0).then_some(u64::from(migration_every));
        Plan { islands, size: tableau.island_size() as usize, every, last: generations }
    }

    fn epochs(&self) -> u64 {
        self.epoch_of(self.last).saturating_add(1)
    }

    /// Returns the epoch of a generation.
    fn epoch_of(&self, generation: u64) -> u64 {
        self.every.map_or(0, |every| generation / every)
    }

    /// Returns the generations of an existing epoch.
    fn generations(&self, epoch: u64) -> Range<u64> {
        let end = self.last.saturating_add(1);
        match self.every {
            Some(every) => epoch * every..end.min(epoch.saturating_add(1).saturating_mul(every)),
            None => 0..end,
        }
    }

    /// Returns the island that sends migrants to this one.
    fn neighbour(&self, island: u32) -> u32 {
        (island + self.islands - 1) % self.islands
    }
}

/// Returns the number of epochs of each island, at least 1.
pub fn epochs(tableau: &Tableau) -> u64 {
    Plan::new(tableau).epochs()
}

/// Checks that a run with these settings can be computed island by island.
///
/// # Errors
/// Returns an error that names the setting which prevents it.
pub fn check<P: Problem>(settings: &P::Settings) -> Result<(), Error> {
    checked::<P>(settings).map(drop)
}

/// Returns the problem of a run that can be computed island by island.
fn checked<P: Problem>(settings: &P::Settings) -> Result<P, Error> {
    let tableau = settings.tableau();
    tableau.check()?;
    if tableau.islands < 2 {
        bail!("islands must be at least 2 to divide a run (got {})", tableau.islands);
    }
    if !tableau.conduct.stop.is_never() {
        bail!(
            "stop must be never when islands are computed separately, which end in no order (got {})",
            tableau.conduct.stop
        );
    }
    if P::measurement(settings)?.is_some() {
        bail!("panel must be [] when islands are computed separately, each of which has a best of its own");
    }
    let problem = P::new(settings)?;
    if problem.champions_wanted() > 0 {
        return Err("opponents must not contain champions, the fittest of all islands, when islands are computed \
                    separately"
            .into());
    }
    Ok(problem)
}
