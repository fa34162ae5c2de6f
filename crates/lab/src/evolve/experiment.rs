//! Genetic programming as runs of the command `evolve`, and their division into units: an island's generations between two
//! migrations, or whole runs without islands.

use mancalab_base::{Error, bail};
use std::sync::Arc;

use crate::budget::{Budget, Status};
use crate::evolve::ga::{Settings, Task};
use crate::evolve::gp::islands::{self, Epoch, EpochProgress};
use crate::evolve::gp::problem::Settings as _;
use crate::evolve::gp::{GpRun, GpSettings};
use crate::evolve::inspect::Inspect;
use crate::experiment::task::{Piece, RowReceiver, drive, saved_by_others};
use crate::experiment::{
    Body, Division, Experiment, Half, ISLANDS, JobContext, MergedRun, Outcome, Part, PartResults, whole,
};
use crate::job::{Progress, Run, RunSettings as _};
use crate::pool::Pool;
use crate::sanitize;

impl<P: Inspect> Experiment for GpSettings<P> {
    fn check_plan(&self, command: &str) -> Result<(), Error> {
        if command == ISLANDS { Ok(islands::check::<P>(&self.0)?) } else { Ok(()) }
    }

    fn count(&self, division: Division<'_>) -> u64 {
        match division.command {
            ISLANDS => islands::epochs(self.0.tableau()).saturating_mul(self.0.tableau().islands.into()),
            _ => 1,
        }
    }

    fn parts(&self, division: Division<'_>) -> Vec<Part> {
        if division.command != ISLANDS {
            return vec![Part::Whole];
        }
        let (islands, epochs) = (self.0.tableau().islands, islands::epochs(self.0.tableau()) as u32);
        (0..epochs).flat_map(|epoch| (0..islands).map(move |island| Part::Epoch { epoch, island, islands })).collect()
    }

    fn compute(&self, part: &Part, work: &mut JobContext<'_>) -> Result<Outcome, Error> {
        let (epoch, island) = match *part {
            Part::Epoch { epoch, island, .. } => (epoch, island),
            Part::Whole => return whole::compute(self.boxed(), work),
            Part::Block { .. } => bail!("a run is planned in epochs"),
        };
        // Inputs are in island order; with two islands, each is the other's neighbour.
        let (own, neighbour) = match work.inputs {
            [before, own] if island > 0 => (Some(&own[..]), Some(&before[..])),
            [own, last] => (Some(&own[..]), Some(&last[..])),
            _ => (None, None),
        };
        let begin = || Epoch::<P>::begin(&self.0, island, epoch.into(), own, neighbour);
        let resume =
            |body: Body| Epoch::<P>::resume(&self.0, island, epoch.into(), own, neighbour, &body.deterministic).ok();
        let mut epoch = saved_by_others(work).into_iter().find_map(resume).map_or_else(begin, Ok)?;
        drive(work, &mut epoch)
    }

    fn fold(&self, parts: &[Part], given: &mut PartResults<'_>, taken: RowReceiver<'_>) -> Result<MergedRun, Error> {
        let Some(Part::Epoch { islands, .. }) = parts.first() else {
            return whole::fold(self, given, taken);
        };
        let islands = *islands as usize;
        let mut run = GpRun::<P>::start(Arc::clone(&self.0))?;
        let mut next = 0;
        let mut stuck = None;
        'epochs: while next < parts.len() && !run.is_over() {
            let mut results = Vec::with_capacity(islands);
            let mut files = Vec::new();
            for part in next..next + islands {
                let Some(found) = (given.open)(part)? else { break 'epochs };
                results.push(found.read(Half::Deterministic)?);
                files.push(sanitize::path(found.path()));
            }
            let results: Vec<&[u8]> = results.iter().map(Vec::as_slice).collect();
            let progress = run
                .take_epoch(&results, &mut |row| taken(&row))
                .map_err(|reason| format!("{}: {reason}", files.join(", ")))?;
            if let Progress::Halted(reason) = progress {
                stuck = Some(reason);
                break;
            }
            next += islands;
        }
        let finished = run.is_over();
        let is_missing = |part: &usize| !finished && stuck.is_none() && !(given.has)(*part);
        let missing = (next..parts.len()).filter(is_missing).collect();
        Ok(MergedRun {
            run: run.generation().is_some().then(|| Box::new(run) as Box<dyn Run>),
            finished,
            missing,
            stuck,
        })
    }
}

impl<T: Task> Experiment for Settings<T> {}

impl<P: Inspect> Piece for Epoch<P> {
    fn advance(&mut self, pool: &Pool, budget: Budget) -> Result<Status, Error> {
        Ok(match Epoch::advance(self, pool, budget) {
            EpochProgress::Done => Status::Done,
            // The run stops here; merging reports the reason.
            EpochProgress::Halted(_) => Status::Done,
            _ => Status::Running,
        })
    }

    fn body(&self) -> Body {
        Body { deterministic: self.save(), nondeterministic: Vec::new() }
    }

    fn share(&self) -> f64 {
        let (ended, all) = self.generations();
        ended as f64 / all.max(1) as f64
    }
}
