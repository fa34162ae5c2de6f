//! Merging of the islands' results into a run.

use mancalab_base::{Error, bail};
use std::sync::Arc;
use std::time::Duration;

use super::{EpochParts, Label, Plan, run_of};
use crate::budget::Budget;
use crate::gp::builder::{Generation, Part, lineage};
use crate::gp::population::{Individual, Lineage, Population, Selectable};
use crate::gp::problem::{Problem, Settings as _};
use crate::gp::run::GpRun;
use crate::job::{Progress, Row, Run as _};
use crate::program::language::Language;

impl<P: Problem> GpRun<P> {
    /// Adds the next epoch from the results of all islands, in order, and passes the row of each generation to `row`, as
    /// [`advance`](crate::job::Run::advance) would return it, but with times of 0 as none were measured. A run restored in the
    /// middle of an epoch continues there. Returns [`Progress::Working`] if another epoch follows and [`Progress::Halted`]
    /// if the next generation is too large; after raising the limit, first resume the epochs that ended early.
    ///
    /// # Errors
    /// Returns an error if `results` are not the complete results of this epoch, and errors of `row`. Generations whose rows
    /// were passed on remain part of the run.
    pub fn take_epoch<'a>(
        &mut self,
        results: &[&'a [u8]],
        row: &mut dyn FnMut(Row) -> Result<(), Error>,
    ) -> Result<Progress, Error> {
        let plan = Plan::new(self.settings().tableau());
        let mut next = self.generation().map_or(0, |generation| generation.saturating_add(1));
        if self.is_over() {
            return Ok(Progress::Done);
        }
        let epoch = plan.epoch_of(next);
        if results.len() != plan.islands as usize {
            let count = results.len();
            let islands = plan.islands;
            bail!("epoch {epoch} requires the results of {islands} islands (got {count})");
        }
        let run = run_of::<P>(self.settings());
        let read = |(bytes, island): (&&'a [u8], u32)| EpochParts::read(bytes, Label { run, island, epoch }, &plan);
        let written = results.iter().zip(0..).map(read).collect::<Result<Vec<_>, Error>>()?;
        let generations = plan.generations(epoch);
        while next < generations.end {
            let place = (next - generations.start) as usize;
            let parts = written.iter().map(|written| written.part(place, &plan, self.shape()));
            let parts = parts.collect::<Result<Option<Vec<Part<P::Language>>>, Error>>();
            let Some(parts) = parts? else { return self.ends_before(next, &written, place) };
            match self.take_generation(next, parts)? {
                Progress::Generation(values) => row(values)?,
                progress => return Ok(progress),
            }
            if self.is_over() {
                return Ok(Progress::Done);
            }
            next += 1;
        }
        Ok(Progress::Working)
    }

    /// Handles a generation that some island lacks: an error unless it was too large for one of them.
    fn ends_before(&self, generation: u64, written: &[EpochParts<'_>], place: usize) -> Result<Progress, Error> {
        let lacks = |written: &&EpochParts<'_>| written.generations.len() <= place;
        if written.iter().filter(lacks).any(|written| written.too_large) {
            return Ok(Progress::Halted(self.too_large().into()));
        }
        let label = written.iter().find(lacks).map(|written| written.label.to_string()).unwrap_or_default();
        Err(format!("{label} is incomplete: it ends before generation {generation}").into())
    }

    /// Adds the next generation from the islands' parts, in order.
    fn take_generation(&mut self, generation: u64, parts: Vec<Part<P::Language>>) -> Result<Progress, Error> {
        let all = || parts.iter().flat_map(|part| &part.individuals);
        if all().map(|one| u64::from(one.nodes)).sum::<u64>() > self.settings().tableau().max_nodes {
            return Ok(Progress::Halted(self.too_large().into()));
        }
        let fresh = parts.iter().map(|part| part.fresh).fold(0, u64::saturating_add);
        let before = self.population().map(Arc::as_ref);
        let bred = parts.into_iter().flat_map(|part| part.individuals.into_iter().zip(part.parents));
        let joined = bred.map(|(individual, parents)| known(generation, individual, parents, before));
        let joined = joined.collect::<Option<Vec<_>>>().ok_or_else(|| {
            format!(
                "generation {generation} contains unchanged programs that the previous one lacks: it was bred from another"
            )
        })?;
        let population = Population::new(generation, joined, self.settings().tableau().prefer_small);
        let progress = self.conclude(Generation::new(population, fresh, [Duration::ZERO; 2]));
        self.let_go(Budget::UNLIMITED);
        Ok(progress)
    }
}

/// Returns the individual with its lineage, sharing the program of the parent it copies. `None` if the parent's program
/// differs.
fn known<L: Language>(
    generation: u64,
    mut individual: Individual<L>,
    parents: [Option<u32>; 2],
    before: Option<&Population<L>>,
) -> Option<Individual<L>> {
    let Selectable { operator, nodes, outcome, .. } = individual.selectable;
    if operator.keeps() {
        let parent = before?.individuals.get(parents[0]? as usize)?;
        if parent.program != individual.program {
            return None;
        }
        individual.program = Arc::clone(&parent.program);
    }
    let birth = Lineage { generation, operator, parents: [0; 2], fitness: outcome.fitness, nodes };
    individual.selectable.lineage = lineage(birth, parents, before);
    Some(individual)
}
