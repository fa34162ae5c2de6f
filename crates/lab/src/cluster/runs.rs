//! The runs of a plan and their parts. The units are the parts of all runs in order, numbered from 0.

use mancalab_base::{Error, bail};
use std::collections::HashSet;
use std::path::Path;

use super::layout::{MAX_UNITS, PLAN};
use super::manifest::PlanManifest;
use super::plan::Plan;
use super::processes;
use super::result::{Results, StoredResult};
use crate::codec::checksum;
use crate::experiment::task::RowReceiver;
use crate::experiment::{JobContext, MergedRun, Outcome, Part, PartResults};
use crate::job::{RunAssembly, RunSettings, View};
use crate::kinds::KindOf as _;
use crate::pool::Pool;
use crate::sanitize;

/// Runs that differ only in their seeds.
struct Variant {
    /// Suffix of the preset in run names.
    label: String,
    /// The varied settings, such as `population=200`.
    text: String,
    settings: Box<dyn RunSettings>,
    parts: Vec<Part>,
    /// The first unit of the first run.
    first: u32,
}

/// The runs of a plan.
pub struct Runs {
    preset: String,
    seeds: Vec<u64>,
    variants: Vec<Variant>,
    units: u32,
}

/// Result of merging one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MergeResult {
    /// Rows: generations or rounds.
    pub rows: u64,
    pub finished: bool,
    /// Units still needed that have no result.
    pub missing: Vec<u32>,
    pub stuck: Option<Error>,
}

/// Maximum number of combinations of varied settings.
const MAX_VARIANTS: usize = 10_000;
/// Maximum length of the varied settings in a run's name, in bytes.
const LONGEST_LABEL: usize = 80;

/// The settings of runs, with the suffix of the preset in their names, and the varied ones as text.
type LabelledSettings = (String, String, Box<dyn RunSettings>);

/// Returns the settings of every combination of varied values, with unique labels for the run names.
fn varied(base: Box<dyn RunSettings>, draft: &PlanManifest) -> Result<Vec<LabelledSettings>, Error> {
    let count = draft.vary.iter().fold(1_usize, |count, vary| count.saturating_mul(vary.values.len()));
    if count > MAX_VARIANTS {
        bail!("--vary makes {count} settings for each seed; at most {MAX_VARIANTS} are possible");
    }
    let mut all = vec![(String::new(), String::new(), base)];
    for vary in &draft.vary {
        let with = |(label, text, settings): &LabelledSettings, value: &String| {
            let mut settings = settings.clone();
            for (key, value) in vary.settings(value) {
                settings.set(key, value).map_err(|error| format!("--vary {key}: {}", error.in_a_line()))?;
            }
            let text = format!("{text} {}={value}", vary.key).trim_start().to_owned();
            Ok((format!("{label}-{}-{}", vary.key, plain_word(value)), text, settings))
        };
        all = all
            .iter()
            .flat_map(|one| vary.values.iter().map(move |value| with(one, value)))
            .collect::<Result<_, Error>>()?;
    }
    let mut seen = HashSet::new();
    for (number, (label, ..)) in all.iter_mut().enumerate() {
        while label.len() > LONGEST_LABEL {
            label.pop();
        }
        while !seen.insert(label.clone()) {
            *label = format!("{label}-{}", number + 1);
        }
    }
    Ok(all)
}

/// Returns a value restricted to characters for folder names.
fn plain_word(value: &str) -> String {
    value.chars().map(|c| if c.is_ascii_alphanumeric() || ".:=_".contains(c) { c } else { '-' }).collect()
}

impl Runs {
    /// Returns the runs of a saved plan, after checking its files.
    ///
    /// # Errors
    /// The plan is of another kind, its settings are invalid (with positions), or the players' data was changed.
    pub fn read_checked(plan: &Plan) -> Result<Runs, Error> {
        // Must come first: settings are read from these files.
        plan.check_files()?;
        let runs = plan.with_copies(|| Runs::read(plan))?;
        let odd = |what: String| {
            Err(format!("{}: {what}; create the plan again", sanitize::path(&plan.folder().join(PLAN))).into())
        };
        if runs.contents() != plan.draft().contents {
            return odd(
                "the players' data was changed since the plan was created, perhaps in another build of this version"
                    .to_owned(),
            );
        }
        if runs.units != plan.units() {
            return odd(format!("`units` is {}, but its settings make {}", plan.units(), runs.units));
        }
        Ok(runs)
    }

    /// Returns the runs that a plan describes, without checking `units` and `contents`.
    ///
    /// # Errors
    /// The plan is of another kind, its settings or varied values are invalid, or there are too many units.
    pub fn read(plan: &Plan) -> Result<Runs, Error> {
        let base = plan.settings()?;
        let draft = plan.draft();
        let mut runs =
            Runs { preset: draft.manifest.preset.clone(), seeds: draft.seeds.clone(), variants: Vec::new(), units: 0 };
        let all = varied(base, draft)?;
        let units: u64 = all.iter().fold(0, |sum, (.., settings)| {
            sum.saturating_add(settings.experiment().count(draft.division()).saturating_mul(draft.seeds.len() as u64))
        });
        if units > MAX_UNITS {
            let fewer = if draft.command == "arena" {
                "larger blocks (--block) make fewer"
            } else {
                "plan fewer runs, or divide them less"
            };
            bail!("{units} units are too many (at most {MAX_UNITS}); {fewer}");
        }
        for (label, text, settings) in all {
            let text = if text.is_empty() { draft.manifest.preset.clone() } else { text };
            let parts = settings.experiment().parts(draft.division());
            let first = runs.units;
            runs.units += parts.len() as u32 * draft.seeds.len() as u32;
            runs.variants.push(Variant { label, text, settings, parts, first });
        }
        Ok(runs)
    }

    /// Returns a checksum of everything the settings of all runs are read from.
    pub fn contents(&self) -> u64 {
        let sums: Vec<u8> =
            self.variants.iter().flat_map(|variant| variant.settings.experiment().contents().to_le_bytes()).collect();
        checksum(&sums)
    }

    /// Returns the settings of each variant.
    pub fn variants(&self) -> impl Iterator<Item = &dyn RunSettings> {
        self.variants.iter().map(|variant| &*variant.settings)
    }

    /// Returns the variant of a run and the index of its seed.
    fn variant(&self, run: usize) -> (&Variant, usize) {
        let count = self.seeds.len().max(1);
        (&self.variants[run / count], run % count)
    }

    /// Returns the first unit of a run.
    pub fn first(&self, run: usize) -> u32 {
        let (variant, seed) = self.variant(run);
        variant.first + seed as u32 * variant.parts.len() as u32
    }

    /// Returns the settings of a run.
    ///
    /// # Errors
    /// The seed is invalid.
    fn settings(&self, run: usize) -> Result<Box<dyn RunSettings>, Error> {
        let (variant, seed) = self.variant(run);
        let mut settings = variant.settings.clone();
        settings.set("seed", &self.seeds[seed].to_string())?;
        Ok(settings)
    }

    /// Returns the parts of a run.
    fn run_parts(&self, run: usize) -> &[Part] {
        &self.variant(run).0.parts
    }

    /// Merges the available results of a run.
    ///
    /// # Errors
    /// A result does not match the others. The message names the unit and the file.
    fn fold(&self, run: usize, results: &Results<'_>, taken: RowReceiver<'_>) -> Result<MergedRun, Error> {
        let settings = self.settings(run).map_err(|error| error.in_a_line())?;
        let first = self.first(run);
        let mut given = PartResults {
            has: &|part| results.has(first + part as u32),
            open: &mut |part| {
                let found = results.of_unit(first + part as u32)?;
                Ok(found.map(StoredResult::into_body))
            },
        };
        settings.experiment().fold(self.run_parts(run), &mut given, taken)
    }

    pub fn units(&self) -> u32 {
        self.units
    }

    /// Returns the seeds of each variant.
    pub fn seeds(&self) -> &[u64] {
        &self.seeds
    }

    /// Returns the varied settings of each variant, such as `population=200`; the preset of a single one.
    pub fn settings_texts(&self) -> Vec<String> {
        self.variants.iter().map(|variant| variant.text.clone()).collect()
    }

    /// Returns the column in which runs of this kind are compared, if they have one.
    pub fn column(&self) -> Option<&'static str> {
        self.variants.first().and_then(|variant| variant.settings.form().curve)
    }

    /// Returns the value of the newest row of a run in that [column](Runs::column); `None` without rows.
    ///
    /// # Errors
    /// A result does not match the others.
    pub fn result(&self, run: usize, results: &Results<'_>) -> Result<Option<f64>, Error> {
        let columns = self.variant(run).0.settings.columns().split(',');
        let Some(at) = self.column().and_then(|own| columns.clone().position(|column| column == own)) else {
            return Ok(None);
        };
        let mut newest = None;
        self.fold(run, results, &mut |row| {
            newest = row.values.split(',').nth(at).and_then(|value| value.trim().parse().ok());
            Ok(())
        })?;
        Ok(newest)
    }

    /// Returns the number of runs.
    pub fn runs(&self) -> usize {
        self.variants.len() * self.seeds.len()
    }

    /// Returns the name of a run's folder.
    pub fn name(&self, run: usize) -> String {
        let (variant, seed) = self.variant(run);
        format!("{}{}-seed{}", self.preset, variant.label, self.seeds[seed])
    }

    /// Returns the number of units of a run.
    pub fn count(&self, run: usize) -> u32 {
        self.run_parts(run).len() as u32
    }

    /// Returns the run of a unit.
    pub fn run_of(&self, unit: u32) -> usize {
        let at = self.variants.partition_point(|variant| variant.first <= unit).saturating_sub(1);
        let variant = &self.variants[at];
        at * self.seeds.len() + ((unit - variant.first) as usize / variant.parts.len().max(1))
    }

    /// Returns a description of a unit.
    pub fn describe(&self, unit: u32) -> String {
        let run = self.run_of(unit);
        let part = self.run_parts(run)[(unit - self.first(run)) as usize].to_string();
        match (part.is_empty(), self.runs() == 1) {
            (true, _) => self.name(run),
            (false, true) => part,
            (false, false) => format!("{}, {part}", self.name(run)),
        }
    }

    /// Returns the units that must be computed first.
    pub fn needs(&self, unit: u32) -> Vec<u32> {
        let run = self.run_of(unit);
        let first = self.first(run);
        let part = &self.run_parts(run)[(unit - first) as usize];
        part.needs().into_iter().map(|part| first + part as u32).collect()
    }

    /// # Errors
    /// The unit cannot be computed or saved.
    pub fn compute(&self, unit: u32, work: &mut JobContext<'_>) -> Result<Outcome, Error> {
        let run = self.run_of(unit);
        let settings = self.settings(run).map_err(|error| error.in_a_line())?;
        let part = &self.run_parts(run)[(unit - self.first(run)) as usize];
        settings.experiment().compute(part, work)
    }

    /// Merges the available results of a run into a new folder; creates none without results.
    ///
    /// # Errors
    /// A result does not match the others, or the folder cannot be written.
    pub fn merge(&self, run: usize, results: &Results<'_>, folder: &Path, pool: &Pool) -> Result<MergeResult, Error> {
        let settings = self.settings(run).map_err(|error| error.in_a_line())?;
        let mut assembled = None;
        let mut rows = 0;
        let folded = self.fold(run, results, &mut |row| {
            if assembled.is_none() {
                let units = self.first(run)..self.first(run) + self.count(run);
                let computed = processes::of_units(results.attempts(units));
                assembled = Some(RunAssembly::create(folder, &*settings, &computed)?);
            }
            rows += 1;
            assembled.as_mut().map_or(Ok(()), |assembled| assembled.row(row))
        })?;
        let MergedRun { run: folded, finished, missing, stuck } = folded;
        if let (Some(assembled), Some(run)) = (assembled, folded) {
            stuck.iter().for_each(|reason| assembled.note_stop(&reason.to_string()));
            assembled.finish(&*run, finished, pool)?;
        }
        let first = self.first(run);
        let missing = missing.into_iter().map(|part| first + part as u32).collect();
        Ok(MergeResult { rows, finished, missing, stuck })
    }

    /// Merges the available results of a run in memory; returns its view and whether it is complete. `None` without
    /// results.
    ///
    /// # Errors
    /// A result does not match the others.
    pub fn view(&self, run: usize, results: &Results<'_>) -> Result<Option<(View, bool)>, Error> {
        let folded = self.fold(run, results, &mut |_| Ok(()))?;
        Ok(folded.run.map(|run| (run.view(), folded.finished)))
    }
}
