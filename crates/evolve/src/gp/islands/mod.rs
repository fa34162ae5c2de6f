//! A run with several islands, computed island by island: by other processes, on other machines, in any order that the exchange of
//! migrants allows.
//!
//! Chance is drawn by an individual's number, and islands know of each other by migrants only. So between two migrations each island
//! can be bred alone: an [`Epoch`] is the generations of one island from one migration to the next, and begins from the newest
//! generation of the island itself and of the one whose migrants it takes in. What it comes to are bytes ([`written`]) in which nothing
//! depends on the machine that computed them. Put together (`joined`), the bytes of all islands give the rows, the best and the
//! checkpoints of a run that one machine computed: lineages, which tell ranks in the whole generation, are made there.

mod epoch;
mod joined;
mod written;

use mancalab_base::{Error, bail};
use std::ops::Range;

pub use epoch::{Epoch, EpochProgress};

use super::problem::{Problem, Settings as _};
use super::tableau::Tableau;

/// How a run is cut into epochs. Islands, epochs and generations are numbered from 0.
#[derive(Clone, Copy, Debug)]
struct Plan {
    islands: u32,
    /// Programs an island.
    size: usize,
    /// Generations an epoch; `None` if islands never exchange anything.
    every: Option<u64>,
    /// The last generation of the run.
    last: u64,
}

impl Plan {
    fn of(tableau: &Tableau) -> Plan {
        let Tableau { islands, migration_every, generations, .. } = *tableau;
        let every = (islands > 1 && migration_every > 0).then_some(u64::from(migration_every));
        Plan { islands, size: tableau.island_size() as usize, every, last: generations }
    }

    fn epochs(&self) -> u64 {
        self.epoch_of(self.last).saturating_add(1)
    }

    /// The epoch that a generation belongs to.
    fn epoch_of(&self, generation: u64) -> u64 {
        self.every.map_or(0, |every| generation / every)
    }

    /// The generations of an epoch that there is.
    fn generations(&self, epoch: u64) -> Range<u64> {
        let end = self.last.saturating_add(1);
        match self.every {
            Some(every) => epoch * every..end.min(epoch.saturating_add(1).saturating_mul(every)),
            None => 0..end,
        }
    }

    /// The island whose migrants this one takes in.
    fn neighbour(&self, island: u32) -> u32 {
        (island + self.islands - 1) % self.islands
    }
}

/// How many epochs each island of a run has, at least one.
pub fn epochs(tableau: &Tableau) -> u64 {
    Plan::of(tableau).epochs()
}

/// Whether a run with these settings can be computed island by island.
///
/// # Errors
/// It cannot, or not at all: a sentence that names the setting which stands in the way.
pub fn check<P: Problem>(settings: &P::Settings) -> Result<(), Error> {
    checked::<P>(settings).map(drop)
}

/// The problem of a run that can be computed so.
fn checked<P: Problem>(settings: &P::Settings) -> Result<P, Error> {
    let tableau = settings.tableau();
    tableau.check()?;
    if tableau.islands < 2 {
        bail!(
            "islands is {}, and a run is computed in parts only island by island; 2 and more are accepted",
            tableau.islands
        );
    }
    let problem = P::new(settings)?;
    if problem.champions_wanted() > 0 {
        return Err("opponents names champions, the fittest of the generation before on all islands, so that no island can be computed \
                    without the others; opponents without champions are accepted"
            .into());
    }
    Ok(problem)
}
