//! The kinds of runs that can be planned.

use super::draft::{Command, Draft};
use super::part::Part;
use super::sample::{Sample, sample_run};
use super::task::{Folded, Given, Outcome, Taken, Task};
use super::whole;
use crate::codec::checksum;
use crate::crew::Crew;
use crate::document::{Listed, Refusal};
use crate::evolve::tasks;
use crate::job::Run;
use crate::train::Training;

/// A kind of run whose work can be cut into parts.
pub trait Planned: Run<Settings: Listed + Send + Sync> {
    /// Whether a run can be cut so.
    ///
    /// # Errors
    /// It cannot: which setting stands in the way.
    fn check_plan(_settings: &Self::Settings, _command: Command) -> Result<(), Refusal> {
        Ok(())
    }

    /// A checksum of what the settings name and is read from elsewhere, files that come with the program among them: two builds of one
    /// version may differ in these.
    fn contents(settings: &Self::Settings) -> u64 {
        let texts: Vec<String> = Self::files(settings).into_iter().map(|(_, sum)| format!("{sum:016x}")).collect();
        checksum(texts.join("\n").as_bytes())
    }

    /// Tries out for a moment what a run takes, and how it is cut; `block` is how many games make a unit, if that was said.
    ///
    /// # Errors
    /// It cannot be begun: why.
    fn sample(settings: &Self::Settings, _block: Option<u32>, crew: &Crew) -> Result<Sample, Refusal> {
        sample_run::<Self>(settings, crew)
    }

    /// How many [`parts`](Planned::parts) there are, without making them.
    fn count(_settings: &Self::Settings, _draft: &Draft) -> u64 {
        1
    }

    /// The parts of a run, in the order in which they are numbered.
    fn parts(_settings: &Self::Settings, _draft: &Draft) -> Vec<Part> {
        vec![Part::Whole]
    }

    /// Computes a part.
    ///
    /// # Errors
    /// It cannot be computed: why.
    fn compute(task: &mut Task<'_, '_, Self>) -> Result<Outcome, String> {
        whole::compute(task)
    }

    /// Puts a run together from its parts as far as they are there, and gives its rows away.
    ///
    /// # Errors
    /// A part does not go with the others: why, with the name of its file.
    fn fold(
        settings: &Self::Settings,
        _parts: &[Part],
        given: &mut Given<'_>,
        taken: Taken<'_>,
    ) -> Result<Folded<Self>, String> {
        whole::fold(settings, given, taken)
    }
}

impl Planned for tasks::AnyRun {}

impl Planned for Training {}
