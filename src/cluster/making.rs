//! Making a plan: copying what it needs, seeing how long its work takes, and cutting it into units.

use std::fs;
use std::path::Path;

use super::copies::Copies;
use super::kinds::{Planned, Runs, Work as _};
use super::place::PLAN;
use super::plan::{Command, Draft, Plan};
use super::sweep::Vary;
use crate::crew::Crew;
use crate::document::{Listed as _, Refusal};
use crate::plain;

/// What is to be planned.
pub(crate) struct Wanted<R: Planned> {
    pub command: Command,
    /// Of the first run before anything is varied; the seed is the first of `seeds`.
    pub settings: R::Settings,
    pub seeds: Vec<u64>,
    pub vary: Vec<Vary>,
    /// How many games of a tournament's cell make a unit; what takes about a minute if that is not said.
    pub block: Option<u32>,
}

/// Makes a plan in a folder, which is made if it is missing and must be empty.
///
/// # Errors
/// It cannot be planned so, or the folder is not empty or cannot be written: why. What was made of it then is deleted.
pub(crate) fn make<R: Planned>(wanted: Wanted<R>, folder: &Path) -> Result<Plan, Refusal> {
    let is_new = free(folder)?;
    let made = made(wanted, folder);
    if made.is_err() {
        let _ = fs::remove_dir_all(folder.join(super::place::FILES));
        if is_new {
            let _ = fs::remove_dir(folder);
        }
    }
    made
}

/// Makes the folder, or sees that it is empty; gives whether it is new.
fn free(folder: &Path) -> Result<bool, Refusal> {
    let fail =
        |error: std::io::Error| format!("cannot make a plan in {}: {}", plain::path(folder), plain::reason(&error));
    match fs::read_dir(folder).map(Iterator::count) {
        Ok(count) if count > 0 => {
            let what = if folder.join(PLAN).exists() { "holds a plan already" } else { "is not empty" };
            Err(format!("{} {what}; name a folder that is new", plain::path(folder)).into())
        }
        Ok(_) => Ok(false),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            fs::create_dir_all(folder).map_err(fail)?;
            Ok(true)
        }
        Err(error) => Err(fail(error).into()),
    }
}

fn made<R: Planned>(wanted: Wanted<R>, folder: &Path) -> Result<Plan, Refusal> {
    let Wanted { command, mut settings, seeds, vary, block } = wanted;
    if let Some(first) = seeds.first() {
        settings.set("seed", &first.to_string())?;
    }
    let manifest = R::manifest(&settings);
    if !manifest.reproducible {
        return Err("these settings give something else each time, so no two attempts at a unit would agree; plan a run that is reproducible".into());
    }
    R::check_plan(&settings, command)?;
    let crew = Crew::alone();
    let sample = R::sample(&settings, block, &crew)?;
    let mut draft = Draft {
        command,
        manifest,
        settings: String::new(),
        seeds,
        vary,
        blocks: sample.blocks,
        units: 0,
        seconds: 0.0,
        contents: R::contents(&settings),
        files: Default::default(),
    };
    let runs = Runs::<R>::new(settings.clone(), &draft)?;
    for run in 0..runs.runs() {
        R::check_plan(&runs.settings(run)?, command)?;
    }
    draft.units = runs.units();
    draft.seconds = sample.seconds * runs.runs() as f64 / f64::from(draft.units.max(1));
    let mut copies = Copies::into(folder);
    draft.settings = copies.settings_text(&settings, R::names_file)?;
    for vary in &mut draft.vary {
        for value in &mut vary.values {
            *value = copies.value(value)?;
        }
    }
    draft.files = copies.sums;
    let plan = Plan::create(folder, &draft)?;
    // What every unit will do first.
    Runs::<R>::of(&plan)?;
    Ok(plan)
}
