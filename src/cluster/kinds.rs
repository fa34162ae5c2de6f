//! The kinds of runs that can be planned, and the runs of a plan with their parts.
//!
//! The parts of all runs, one run after the other, are the units, numbered from 0.

use std::path::{Path, PathBuf};

use super::part::Part;
use super::plan::{Command, Draft, Plan};
use super::result::Results;
use super::sample::{Sample, sample_run};
use super::task::{Folded, Given, Outcome, Taken, Task};
use super::whole;
use crate::arena::Tournament;
use crate::codec::checksum;
use crate::crew::Crew;
use crate::document::{Listed, Problem, Refusal, Table};
use crate::evolve::{problems, tasks};
use crate::job::{Assembled, Manifest, Run};
use crate::train::Training;

/// A kind of run whose work can be cut into parts.
pub(crate) trait Planned: Run<Settings: Listed + Send + Sync> {
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
        // Not by their names: the copies in a plan have others.
        let texts: Vec<String> = Self::files(settings).into_iter().map(|(_, sum)| format!("{sum:016x}")).collect();
        checksum(texts.join("\n").as_bytes())
    }

    /// Whether a value is a file's name alone, and no player's.
    fn names_file(_key: &str, _value: &str) -> bool {
        false
    }

    /// Tries out for a moment what a run takes, and how it is cut; `block` is how many games make a unit, if that was said.
    ///
    /// # Errors
    /// It cannot be begun: why.
    fn sample(settings: &Self::Settings, _block: Option<u32>, crew: &Crew) -> Result<Sample, Refusal> {
        sample_run::<Self>(settings, crew)
    }

    /// The parts of a run, in the order in which they are numbered.
    fn parts(_settings: &Self::Settings, _draft: &Draft) -> Vec<Part> {
        vec![Part::Whole]
    }

    /// Computes a part.
    ///
    /// # Errors
    /// It cannot be computed: why.
    fn compute(task: &mut Task<'_, Self>) -> Result<Outcome, String> {
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

impl Planned for tasks::AnyRun {
    fn names_file(key: &str, value: &str) -> bool {
        key == "net" && value != "best"
    }
}

impl Planned for Training {}

/// Runs that differ in their seeds alone.
struct Variant<S> {
    /// What is behind the preset in their names.
    label: String,
    settings: S,
    parts: Vec<Part>,
    /// The first unit of the first of them.
    first: u32,
}

/// The runs of a plan.
pub(crate) struct Runs<R: Planned> {
    preset: String,
    seeds: Vec<u64>,
    variants: Vec<Variant<R::Settings>>,
    units: u32,
}

impl<R: Planned> Runs<R> {
    /// # Errors
    /// The plan is of another kind, or its settings are not accepted: all that is wrong, with the places.
    pub fn of(plan: &Plan) -> Result<Runs<R>, Refusal> {
        let read = |manifest: &Manifest, table: &Table<'_>, problems: &mut Vec<Problem>| {
            R::KINDS.contains(&manifest.kind.as_str()).then(|| R::read_settings(manifest, table, problems))
        };
        let base = plan
            .settings(read)?
            .ok_or_else(|| format!("{} is a plan of '{}'", plan.folder().display(), plan.command().word()))?;
        if R::contents(&base) != plan.draft().contents {
            return Err(format!(
                "{}: what its players are read from is not what it was when the plan was made; use the program that made it, or make \
                 the plan anew",
                plan.folder().display()
            )
            .into());
        }
        let runs = Runs::new(base, plan.draft())?;
        if runs.units != plan.units() {
            let (said, there) = (plan.units(), runs.units);
            return Err(format!(
                "{}: `units` is {said}, but its settings make {there}; make the plan anew",
                plan.folder().display()
            )
            .into());
        }
        Ok(runs)
    }

    /// The runs that a draft describes, which need not count its units yet.
    ///
    /// # Errors
    /// A setting that varies does not accept a value, or there would be too many units.
    pub fn new(base: R::Settings, draft: &Draft) -> Result<Runs<R>, Refusal> {
        let mut all = vec![(String::new(), base)];
        for vary in &draft.vary {
            let mut more = Vec::new();
            for (label, settings) in &all {
                for value in &vary.values {
                    let mut settings = settings.clone();
                    settings.set(&vary.key, value)?;
                    let plain: String = value
                        .chars()
                        .map(|c| if c.is_ascii_alphanumeric() || ".:=".contains(c) { c } else { '-' })
                        .collect();
                    more.push((format!("{label}-{}-{}", vary.key, plain.trim_matches('-')), settings));
                }
            }
            all = more;
        }
        let mut runs =
            Runs { preset: draft.manifest.preset.clone(), seeds: draft.seeds.clone(), variants: Vec::new(), units: 0 };
        let mut units = 0_u64;
        for (label, settings) in all {
            let parts = R::parts(&settings, draft);
            let first = units as u32;
            units += parts.len() as u64 * draft.seeds.len() as u64;
            if units > super::place::MAX_UNITS {
                return Err(format!(
                    "there would be more than {} units; larger blocks make fewer",
                    super::place::MAX_UNITS
                )
                .into());
            }
            runs.variants.push(Variant { label, settings, parts, first });
        }
        runs.units = units as u32;
        Ok(runs)
    }

    fn variant(&self, run: usize) -> (&Variant<R::Settings>, usize) {
        let count = self.seeds.len().max(1);
        (&self.variants[run / count], run % count)
    }

    /// The settings of a run.
    ///
    /// # Errors
    /// Its seed is not accepted.
    pub fn settings(&self, run: usize) -> Result<R::Settings, Refusal> {
        let (variant, seed) = self.variant(run);
        let mut settings = variant.settings.clone();
        settings.set("seed", &self.seeds[seed].to_string())?;
        Ok(settings)
    }

    /// The parts of a run.
    pub fn run_parts(&self, run: usize) -> &[Part] {
        &self.variant(run).0.parts
    }

    /// A run as far as its results are there.
    ///
    /// # Errors
    /// A result does not go with the others: why, with the names of unit and file.
    pub fn fold(&self, run: usize, results: &Results<'_>, taken: Taken<'_>) -> Result<Folded<R>, String> {
        let settings = self.settings(run).map_err(|refusal| refusal.in_a_line())?;
        let first = self.first(run);
        let mut given = Given {
            has: &|part| results.has(first + part as u32),
            open: &mut |part| results.of_unit(first + part as u32),
        };
        R::fold(&settings, self.run_parts(run), &mut given, taken)
    }
}

impl<R: Planned> Runs<R> {
    /// A run as far as results are there, in memory: what there is to see of it, and whether it is whole. `None` before anything is.
    ///
    /// # Errors
    /// A result does not go with the others: why.
    pub fn view(&self, run: usize, results: &Results<'_>) -> Result<Option<(R::View, bool)>, String> {
        let folded = self.fold(run, results, &mut |_| Ok(()))?;
        Ok(folded.run.map(|run| (run.view(), folded.finished)))
    }
}

/// What a unit's work is given beside its plan.
pub(crate) struct Working<'a> {
    /// The results of the units that this one needs, in their order.
    pub inputs: &'a [Vec<u8>],
    pub folder: &'a Path,
    pub others: &'a [PathBuf],
    pub crew: &'a Crew,
    pub stop: &'a dyn Fn() -> bool,
    pub told: &'a mut dyn FnMut(f64),
}

/// How a run was put together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Merged {
    /// Rows, each a generation or a round.
    pub rows: u64,
    pub finished: bool,
    /// Units without a result that it needs still.
    pub missing: Vec<u32>,
    pub stuck: Option<String>,
}

/// The runs of a plan, whatever their kind.
pub(crate) trait Work: Send + Sync {
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
    fn compute(&self, unit: u32, working: Working<'_>) -> Result<Outcome, String>;

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
        let (variant, seed) = self.variant(run);
        variant.first + seed as u32 * variant.parts.len() as u32
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

    fn compute(&self, unit: u32, working: Working<'_>) -> Result<Outcome, String> {
        let run = self.run_of(unit);
        let settings = self.settings(run).map_err(|refusal| refusal.in_a_line())?;
        let part = &self.run_parts(run)[(unit - self.first(run)) as usize];
        let Working { inputs, folder, others, crew, stop, told } = working;
        R::compute(&mut Task { settings: &settings, part, inputs, folder, others, crew, stop, told })
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
pub(crate) fn work(plan: &Plan) -> Result<Box<dyn Work>, Refusal> {
    // First, as settings are read from these files.
    plan.check_files()?;
    Ok(match plan.command() {
        Command::Arena => Box::new(Runs::<Tournament>::of(plan)?),
        Command::Evolve | Command::Islands => Box::new(Runs::<problems::AnyRun>::of(plan)?),
        Command::Tune => Box::new(Runs::<tasks::AnyRun>::of(plan)?),
        Command::Train => Box::new(Runs::<Training>::of(plan)?),
    })
}
