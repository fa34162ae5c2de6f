//! Genetic programming as runs of the command `evolve`, and their division into units: an island's generations between two
//! migrations, or whole runs without islands.

use mancalab_base::{Error, bail};
use std::sync::Arc;

use crate::budget::{Budget, Status};
use crate::cluster::manifest::{ISLANDS, PlanManifest};
use crate::cluster::part::Part;
use crate::cluster::result::{Body, Half};
use crate::cluster::task::{JobContext, MergedRun, Outcome, PartResults, Piece, RowReceiver, drive, saved_by_others};
use crate::evolve::gp::GpRun;
use crate::evolve::gp::islands::{self, Epoch, EpochProgress};
use crate::evolve::gp::problem::Settings as _;
use crate::evolve::inspect::Inspect;
use crate::evolve::problems::{self, AnyProblem, Snapshot};
use crate::job::{Progress, Run as _};
use crate::kinds::{AnyView, Experiment};
use crate::pool::Pool;
use crate::sanitize;

impl<P: Inspect> Experiment for GpRun<P> {
    const COMMAND: &'static str = "evolve";
    const CURVE: Option<&'static str> = Some("best_fitness_points");
    const PRESETS: &'static [(&'static str, &'static str)] = P::PRESETS;

    fn preset(name: &str) -> Option<P::Settings> {
        P::preset(name)
    }

    fn title(settings: &P::Settings) -> String {
        P::game(settings).title().to_owned()
    }

    fn check(settings: &P::Settings) -> Result<(), Error> {
        settings.check()
    }

    fn problem(settings: &P::Settings) -> Option<Arc<dyn AnyProblem>> {
        Some(problems::any::<P>(settings))
    }

    fn seen(_: &P::Settings, view: Self::View) -> AnyView {
        AnyView::new(Snapshot::new(view))
    }

    fn check_plan(settings: &P::Settings, command: &str) -> Result<(), Error> {
        if command == ISLANDS { Ok(islands::check::<P>(settings)?) } else { Ok(()) }
    }

    fn count(settings: &P::Settings, draft: &PlanManifest) -> u64 {
        match draft.command {
            ISLANDS => islands::epochs(settings.tableau()).saturating_mul(settings.tableau().islands.into()),
            _ => 1,
        }
    }

    fn parts(settings: &P::Settings, draft: &PlanManifest) -> Vec<Part> {
        if draft.command != ISLANDS {
            return vec![Part::Whole];
        }
        let (islands, epochs) = (settings.tableau().islands, islands::epochs(settings.tableau()) as u32);
        (0..epochs).flat_map(|epoch| (0..islands).map(move |island| Part::Epoch { epoch, island, islands })).collect()
    }

    fn compute(settings: &P::Settings, part: &Part, work: &mut JobContext<'_>) -> Result<Outcome, Error> {
        let Part::Epoch { epoch, island, .. } = *part else { bail!("a run is planned in epochs") };
        // Inputs are in island order; with two islands, each is the other's neighbour.
        let (own, neighbour) = match work.inputs {
            [before, own] if island > 0 => (Some(&own[..]), Some(&before[..])),
            [own, last] => (Some(&own[..]), Some(&last[..])),
            _ => (None, None),
        };
        let begin = || Epoch::<P>::begin(settings, island, epoch.into(), own, neighbour);
        let resume =
            |body: Body| Epoch::<P>::resume(settings, island, epoch.into(), own, neighbour, &body.deterministic).ok();
        let mut epoch = saved_by_others(work).into_iter().find_map(resume).map_or_else(begin, Ok)?;
        drive(work, &mut epoch)
    }

    fn fold(
        settings: &P::Settings,
        parts: &[Part],
        given: &mut PartResults<'_>,
        taken: RowReceiver<'_>,
    ) -> Result<MergedRun<Self>, Error> {
        let Some(Part::Epoch { islands, .. }) = parts.first() else {
            bail!("a run is planned in epochs");
        };
        let islands = *islands as usize;
        let mut run = GpRun::<P>::start(settings.clone())?;
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
        Ok(MergedRun { run: run.generation().is_some().then_some(run), finished, missing, stuck })
    }
}

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
