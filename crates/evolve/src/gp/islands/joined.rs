//! The run that islands computed, put together.

use mancalab_base::{Error, bail};
use std::sync::Arc;
use std::time::Duration;

use super::Plan;
use super::written::{Label, Written, run_of};
use crate::budget::Budget;
use crate::gp::builder::{Generation, Part, lineage};
use crate::gp::population::{Individual, Lineage, Population, Selectable};
use crate::gp::problem::{Problem, Settings as _};
use crate::gp::run::GpRun;
use crate::job::{Progress, Row, Run as _};
use crate::program::language::Language;

impl<P: Problem> GpRun<P> {
    /// Takes over what all islands came to in the epoch that is next, in their order, and gives each generation's rows as
    /// [`advance`](crate::job::Run::advance) would have; no time is told in them, as none was measured here. A run that was restored
    /// in the middle of an epoch goes on there. [`Progress::JobContext`] says that there is another epoch, [`Progress::Halted`] that the
    /// next generation is too large as the results tell it: with more room the epochs that ended early have to be resumed first.
    ///
    /// # Errors
    /// They are not the finished results of this epoch, or `row` gave the error: a sentence. Generations whose rows were given are
    /// taken over all the same.
    pub fn take_epoch<'a>(
        &mut self,
        results: &[&'a [u8]],
        row: &mut dyn FnMut(Row) -> Result<(), Error>,
    ) -> Result<Progress, Error> {
        let plan = Plan::of(self.settings().tableau());
        let mut next = self.generation().map_or(0, |generation| generation.saturating_add(1));
        if self.is_over() {
            return Ok(Progress::Done);
        }
        let epoch = plan.epoch_of(next);
        if results.len() != plan.islands as usize {
            let (count, islands) = (results.len(), plan.islands);
            bail!("the results of {count} islands are given for epoch {epoch}, and there are {islands}");
        }
        let run = run_of::<P>(self.settings());
        let read = |(bytes, island): (&&'a [u8], u32)| Written::read(bytes, Label { run, island, epoch }, &plan);
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
        Ok(Progress::JobContext)
    }

    /// That not all islands have this generation, which is an error unless it was too large for one of them.
    fn ends_before(&self, generation: u64, written: &[Written<'_>], place: usize) -> Result<Progress, Error> {
        let lacks = |written: &&Written<'_>| written.generations.len() <= place;
        if written.iter().filter(lacks).any(|written| written.too_large) {
            return Ok(Progress::Halted(self.too_large().into()));
        }
        let label = written.iter().find(lacks).map(|written| written.label.to_string()).unwrap_or_default();
        Err(format!("{label} is not finished: it ends before generation {generation}").into())
    }

    /// The next generation, of which the islands' parts are given in their order.
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
                "generation {generation} keeps programs that the one before does not have: it was bred from another"
            )
        })?;
        let population = Population::new(generation, joined, self.settings().tableau().prefer_small);
        let progress = self.conclude(Generation::of(population, fresh, [Duration::ZERO; 2]));
        self.let_go(Budget::UNLIMITED);
        Ok(progress)
    }
}

/// The individual with its lineage. It shares its program with its parent if it kept it; `None` if the parent's is another.
fn known<L: Language>(
    generation: u64,
    mut individual: Individual<L>,
    parents: [Option<u32>; 2],
    before: Option<&Population<L>>,
) -> Option<Individual<L>> {
    let Selectable { operator, nodes, outcome, .. } = individual.merits;
    if operator.keeps() {
        let parent = before?.individuals.get(parents[0]? as usize)?;
        if parent.program != individual.program {
            return None;
        }
        individual.program = Arc::clone(&parent.program);
    }
    let birth = Lineage { generation, operator, parents: [0; 2], fitness: outcome.fitness, nodes };
    individual.merits.lineage = lineage(birth, parents, before);
    Some(individual)
}
