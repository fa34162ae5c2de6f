//! Units that are an island's generations between two migrations, or whole runs where no islands are asked for.

use super::draft::{Draft, ISLANDS};
use super::part::Part;
use super::result::{Body, Half};
use super::task::{Folded, Given, Outcome, Piece, Taken, Working, drive, saved_by_others};
use crate::crew::Crew;
use crate::document::{Listed as _, Refusal};
pub use crate::evolve::gp::islands::EpochProgress;
use crate::evolve::problems::{AnyEpoch, AnyRun, AnySettings};
use crate::job::{Progress, Run as _};
use crate::kinds::Experiment;
use crate::plain;
use crate::step::{Budget, Status};

impl Experiment for AnyRun {
    const COMMAND: &'static str = "evolve";
    const CURVE: Option<&'static str> = Some("best_fitness_points");

    fn presets() -> Vec<(&'static str, &'static str)> {
        AnySettings::presets()
    }

    fn preset(name: &str) -> Result<AnySettings, String> {
        AnySettings::preset(name)
    }

    fn samples() -> Vec<(String, AnySettings)> {
        AnySettings::of_all().into_iter().map(|settings| (settings.game().title().to_owned(), settings)).collect()
    }

    fn offers(settings: &AnySettings, key: &str) -> Vec<String> {
        settings.words(key).into_iter().map(str::to_owned).collect()
    }

    fn check(settings: &AnySettings) -> Result<(), String> {
        settings.tableau().check()
    }

    fn check_plan(settings: &AnySettings, command: &str) -> Result<(), Refusal> {
        if command == ISLANDS { Ok(settings.check_islands()?) } else { Ok(()) }
    }

    fn count(settings: &AnySettings, draft: &Draft) -> u64 {
        match draft.command {
            ISLANDS => settings.epochs().saturating_mul(settings.islands().into()),
            _ => 1,
        }
    }

    fn parts(settings: &AnySettings, draft: &Draft) -> Vec<Part> {
        if draft.command != ISLANDS {
            return vec![Part::Whole];
        }
        let (islands, epochs) = (settings.islands(), settings.epochs() as u32);
        (0..epochs).flat_map(|epoch| (0..islands).map(move |island| Part::Epoch { epoch, island, islands })).collect()
    }

    fn compute(settings: &AnySettings, part: &Part, work: &mut Working<'_>) -> Result<Outcome, String> {
        let Part::Epoch { epoch, island, .. } = *part else { return Err("a run is planned in epochs".to_owned()) };
        // The inputs stand in the order of their islands; of two islands, each is the other's neighbour.
        let (own, neighbour) = match work.inputs {
            [before, own] if island > 0 => (Some(&own[..]), Some(&before[..])),
            [own, last] => (Some(&own[..]), Some(&last[..])),
            _ => (None, None),
        };
        let begin = || AnyEpoch::begin(settings, island, epoch.into(), own, neighbour);
        let resume = |body: Body| AnyEpoch::resume(settings, island, epoch.into(), own, neighbour, &body.promised).ok();
        let mut epoch = saved_by_others(work).into_iter().find_map(resume).map_or_else(begin, Ok)?;
        drive(work, &mut epoch)
    }

    fn fold(
        settings: &AnySettings,
        parts: &[Part],
        given: &mut Given<'_>,
        taken: Taken<'_>,
    ) -> Result<Folded<AnyRun>, String> {
        let Some(Part::Epoch { islands, .. }) = parts.first() else {
            return Err("a run is planned in epochs".to_owned());
        };
        let islands = *islands as usize;
        let mut run = AnyRun::start(settings.clone())?;
        let (mut next, mut stuck) = (0, None);
        'epochs: while next < parts.len() && !run.is_over() {
            let (mut results, mut files) = (Vec::with_capacity(islands), Vec::new());
            for part in next..next + islands {
                let Some(found) = (given.open)(part)? else { break 'epochs };
                results.push(found.read(Half::Promised)?);
                files.push(plain::path(found.path()));
            }
            let results: Vec<&[u8]> = results.iter().map(Vec::as_slice).collect();
            let progress = run
                .take_epoch(&results, &mut |row| taken(&row))
                .map_err(|reason| format!("{}: {reason}", files.join(", ")))?;
            if let Progress::Stuck(reason) = progress {
                stuck = Some(reason);
                break;
            }
            next += islands;
        }
        let finished = run.is_over();
        let is_missing = |part: &usize| !finished && stuck.is_none() && !(given.has)(*part);
        let missing = (next..parts.len()).filter(is_missing).collect();
        Ok(Folded { run: run.generation().is_some().then_some(run), finished, missing, stuck })
    }
}

impl Piece for AnyEpoch {
    fn advance(&mut self, crew: &Crew, budget: Budget) -> Result<Status, String> {
        Ok(match AnyEpoch::advance(self, crew, budget) {
            EpochProgress::Done => Status::Done,
            // The run stops there, and says so when it is put together.
            EpochProgress::Stuck(_) => Status::Done,
            _ => Status::Running,
        })
    }

    fn body(&self) -> Body {
        Body { promised: self.save(), told: Vec::new() }
    }

    fn share(&self) -> f64 {
        let (ended, all) = self.generations();
        ended as f64 / all.max(1) as f64
    }
}
