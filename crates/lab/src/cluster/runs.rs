//! The runs of a plan with their parts. The parts of all runs, one run after the other, are the units, numbered from 0.

use std::collections::HashSet;

use super::draft::{Command, Draft};
use super::kinds::Planned;
use super::part::Part;
use super::place::{MAX_UNITS, PLAN};
use super::plan::Plan;
use super::result::Results;
use super::task::{Folded, Given, Taken};
use crate::codec::checksum;
use crate::document::{Listed, Problem, Refusal, Table};
use crate::job::Manifest;
use crate::plain;

/// Runs that differ in their seeds alone.
pub(super) struct Variant<S> {
    /// What is behind the preset in their names.
    pub label: String,
    pub settings: S,
    pub parts: Vec<Part>,
    /// The first unit of the first of them.
    pub first: u32,
}

/// The runs of a plan.
pub struct Runs<R: Planned> {
    pub(super) preset: String,
    pub(super) seeds: Vec<u64>,
    pub(super) variants: Vec<Variant<R::Settings>>,
    pub(super) units: u32,
}

/// The most settings that vary.
const MAX_VARIANTS: usize = 10_000;
/// Of what varies no more is in a run's name, in bytes.
const LONGEST_LABEL: usize = 80;

/// Settings with every value of what varies, and what tells them apart in the names of runs: no two labels are the same.
fn varied<S: Listed + Clone>(base: S, draft: &Draft) -> Result<Vec<(String, S)>, Refusal> {
    let count = draft.vary.iter().fold(1_usize, |count, vary| count.saturating_mul(vary.values.len()));
    if count > MAX_VARIANTS {
        return Err(format!("--vary makes {count} settings of each seed, and a plan has {MAX_VARIANTS} at most").into());
    }
    let mut all = vec![(String::new(), base)];
    for vary in &draft.vary {
        let with = |(label, settings): &(String, S), value: &String| {
            let mut settings = settings.clone();
            settings
                .set(&vary.key, value)
                .map_err(|refusal| format!("--vary {}: {}", vary.text(), refusal.in_a_line()))?;
            Ok((format!("{label}-{}-{}", vary.key, plain_word(value)), settings))
        };
        all = all
            .iter()
            .flat_map(|one| vary.values.iter().map(move |value| with(one, value)))
            .collect::<Result<_, String>>()?;
    }
    let mut seen = HashSet::new();
    for (number, (label, _)) in all.iter_mut().enumerate() {
        while label.len() > LONGEST_LABEL {
            label.pop();
        }
        while !seen.insert(label.clone()) {
            *label = format!("{label}-{}", number + 1);
        }
    }
    Ok(all)
}

/// A value as a part of a folder's name.
fn plain_word(value: &str) -> String {
    value.chars().map(|c| if c.is_ascii_alphanumeric() || ".:=_".contains(c) { c } else { '-' }).collect()
}

impl<R: Planned> Runs<R> {
    /// The runs of a plan that lies in its folder.
    ///
    /// # Errors
    /// The plan is of another kind, its settings are not accepted, with the places, or what they are read from is not what it was.
    pub fn of(plan: &Plan) -> Result<Runs<R>, Refusal> {
        // First, as settings are read from these files.
        plan.check_files()?;
        let runs = plan.with_copies(|| Runs::<R>::read(plan))?;
        let odd = |what: String| {
            Err(format!("{}: {what}; make the plan anew", plain::path(&plan.folder().join(PLAN))).into())
        };
        if runs.contents() != plan.draft().contents {
            return odd("what its players are read from is not what it was when the plan was made, maybe in another build of this version".to_owned());
        }
        if runs.units != plan.units() {
            return odd(format!("`units` is {}, but its settings make {}", plan.units(), runs.units));
        }
        Ok(runs)
    }

    /// The runs that a plan describes, whatever it says of units and contents.
    ///
    /// # Errors
    /// The plan is of another kind, its settings or a value of what varies are not accepted, or there would be too many units.
    pub fn read(plan: &Plan) -> Result<Runs<R>, Refusal> {
        let read = |manifest: &Manifest, table: &Table<'_>, problems: &mut Vec<Problem>| {
            R::KINDS.contains(&manifest.kind.as_str()).then(|| R::read_settings(manifest, table, problems))
        };
        let wrong = || {
            format!(
                "{}: a plan of '{}' has no runs of the kind '{}'",
                plain::path(plan.folder()),
                plan.command().word(),
                plan.draft().manifest.kind
            )
        };
        let base = plan.settings(read)?.ok_or_else(wrong)?;
        let draft = plan.draft();
        let mut runs =
            Runs { preset: draft.manifest.preset.clone(), seeds: draft.seeds.clone(), variants: Vec::new(), units: 0 };
        let all = varied(base, draft)?;
        let units: u64 = all.iter().fold(0, |sum, (_, settings)| {
            sum.saturating_add(R::count(settings, draft).saturating_mul(draft.seeds.len() as u64))
        });
        if units > MAX_UNITS {
            let fewer = if draft.command == Command::Arena {
                "larger blocks (--block) make fewer"
            } else {
                "plan fewer runs, or cut them less"
            };
            return Err(format!("there would be {units} units, and a plan has {MAX_UNITS} at most; {fewer}").into());
        }
        for (label, settings) in all {
            let parts = R::parts(&settings, draft);
            let first = runs.units;
            runs.units += parts.len() as u32 * draft.seeds.len() as u32;
            runs.variants.push(Variant { label, settings, parts, first });
        }
        Ok(runs)
    }

    /// A checksum of all that the settings of all runs are read from.
    pub fn contents(&self) -> u64 {
        let sums: Vec<u8> =
            self.variants.iter().flat_map(|variant| R::contents(&variant.settings).to_le_bytes()).collect();
        checksum(&sums)
    }

    /// The settings of runs that differ in their seeds alone.
    pub fn variants(&self) -> impl Iterator<Item = &R::Settings> {
        self.variants.iter().map(|variant| &variant.settings)
    }

    /// The variant of a run, and the place of its seed.
    pub(super) fn variant(&self, run: usize) -> (&Variant<R::Settings>, usize) {
        let count = self.seeds.len().max(1);
        (&self.variants[run / count], run % count)
    }

    /// The first unit of a run.
    pub fn first_unit(&self, run: usize) -> u32 {
        let (variant, seed) = self.variant(run);
        variant.first + seed as u32 * variant.parts.len() as u32
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
        let first = self.first_unit(run);
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
