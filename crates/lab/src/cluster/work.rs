//! The runs of a plan, whatever their kind: all that the commands need to know of them.

use std::path::Path;

use super::draft::Command;
use super::kinds::Planned;
use super::plan::Plan;
use super::result::Results;
use super::runs::Runs;
use super::task::{Folded, Outcome, Task, Working};
use crate::arena::Tournament;
use crate::crew::Crew;
use crate::document::Refusal;
use crate::evolve::{problems, tasks};
use crate::job::Assembled;
use crate::train::Training;

/// How a run was put together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merged {
    /// Rows, each a generation or a round.
    pub rows: u64,
    pub finished: bool,
    /// Units without a result that it needs still.
    pub missing: Vec<u32>,
    pub stuck: Option<String>,
}

/// The runs of a plan, whatever their kind.
pub trait Work: Send + Sync {
    fn units(&self) -> u32;

    /// How many runs there are.
    fn runs(&self) -> usize;

    /// The name of a run's folder.
    fn name(&self, run: usize) -> String;

    /// The first unit of a run.
    fn first(&self, run: usize) -> u32;

    /// How many units a run has.
    fn count(&self, run: usize) -> u32;

    /// The run of a unit.
    fn run_of(&self, unit: u32) -> usize;

    /// What a unit computes, for people.
    fn told(&self, unit: u32) -> String;

    /// The units that must have been computed before.
    fn needs(&self, unit: u32) -> Vec<u32>;

    /// # Errors
    /// It cannot be computed or saved: why.
    fn compute(&self, unit: u32, work: Working<'_>) -> Result<Outcome, String>;

    /// Puts a run together in a folder that must not hold one, as far as results are there; makes none if there is nothing.
    ///
    /// # Errors
    /// A result does not go with the others, or the folder cannot be written.
    fn merge(&self, run: usize, results: &Results<'_>, folder: &Path, crew: &Crew) -> Result<Merged, String>;
}

impl<R: Planned> Work for Runs<R> {
    fn units(&self) -> u32 {
        self.units
    }

    fn runs(&self) -> usize {
        self.variants.len() * self.seeds.len()
    }

    fn name(&self, run: usize) -> String {
        let (variant, seed) = self.variant(run);
        format!("{}{}-seed{}", self.preset, variant.label, self.seeds[seed])
    }

    fn first(&self, run: usize) -> u32 {
        self.first_unit(run)
    }

    fn count(&self, run: usize) -> u32 {
        self.run_parts(run).len() as u32
    }

    fn run_of(&self, unit: u32) -> usize {
        let at = self.variants.partition_point(|variant| variant.first <= unit).saturating_sub(1);
        let variant = &self.variants[at];
        at * self.seeds.len() + ((unit - variant.first) as usize / variant.parts.len().max(1))
    }

    fn told(&self, unit: u32) -> String {
        let run = self.run_of(unit);
        let part = self.run_parts(run)[(unit - self.first(run)) as usize].to_string();
        match (part.is_empty(), self.runs() == 1) {
            (true, _) => self.name(run),
            (false, true) => part,
            (false, false) => format!("{}, {part}", self.name(run)),
        }
    }

    fn needs(&self, unit: u32) -> Vec<u32> {
        let run = self.run_of(unit);
        let first = self.first(run);
        let part = &self.run_parts(run)[(unit - first) as usize];
        part.needs().into_iter().map(|part| first + part as u32).collect()
    }

    fn compute(&self, unit: u32, work: Working<'_>) -> Result<Outcome, String> {
        let run = self.run_of(unit);
        let settings = self.settings(run).map_err(|refusal| refusal.in_a_line())?;
        let part = &self.run_parts(run)[(unit - self.first(run)) as usize];
        R::compute(&mut Task { settings: &settings, part, work })
    }

    fn merge(&self, run: usize, results: &Results<'_>, folder: &Path, crew: &Crew) -> Result<Merged, String> {
        let settings = self.settings(run).map_err(|refusal| refusal.in_a_line())?;
        let (mut assembled, mut rows) = (None, 0);
        let folded = self.fold(run, results, &mut |row| {
            if assembled.is_none() {
                assembled = Some(Assembled::create::<R>(folder, &settings)?);
            }
            rows += 1;
            assembled.as_mut().map_or(Ok(()), |assembled| assembled.row(row))
        })?;
        let Folded { run: folded, finished, missing, stuck } = folded;
        if let (Some(assembled), Some(run)) = (assembled, folded) {
            stuck.iter().for_each(|reason| assembled.note_stop(reason));
            assembled.finish(&run, finished, crew)?;
        }
        let first = self.first(run);
        let missing = missing.into_iter().map(|part| first + part as u32).collect();
        Ok(Merged { rows, finished, missing, stuck })
    }
}

/// The runs of a plan.
///
/// # Errors
/// See [`Runs::of`].
pub fn work(plan: &Plan) -> Result<Box<dyn Work>, Refusal> {
    Ok(match plan.command() {
        Command::Arena => Box::new(Runs::<Tournament>::of(plan)?),
        Command::Evolve | Command::Islands => Box::new(Runs::<problems::AnyRun>::of(plan)?),
        Command::Tune => Box::new(Runs::<tasks::AnyRun>::of(plan)?),
        Command::Train => Box::new(Runs::<Training>::of(plan)?),
    })
}
