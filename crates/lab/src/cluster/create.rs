//! Creates plans: copies the input files, samples the computing time and divides the work into units.

use mancalab_base::{Error, bail};
use std::fs;
use std::path::Path;

use super::layout::{FILES, PLAN};
use super::manifest::PlanManifest;
use super::plan::Plan;
use super::runs::Runs;
use super::sweep::Vary;
use crate::files;
use crate::job::RunSettings;
use crate::job::run_dir::inputs;
use crate::kinds::KindOf as _;
use crate::pool::Pool;
use crate::sanitize;

/// Specification of a plan.
pub struct PlanSpec {
    /// See [`PlanManifest::command`].
    pub command: &'static str,
    /// Settings of the first run, before any variation; its seed is the first of `seeds`.
    pub settings: Box<dyn RunSettings>,
    pub seeds: Vec<u64>,
    pub vary: Vec<Vary>,
    /// Games of a tournament cell per unit; default: about a minute's worth.
    pub block: Option<u32>,
}

/// Creates a plan in a folder, which is created if missing and must be empty.
///
/// # Errors
/// The settings cannot be planned, or the folder is not empty or not writable. Files created until then are deleted.
pub fn make(wanted: PlanSpec, folder: &Path) -> Result<Plan, Error> {
    let is_new = free(folder)?;
    let made = made(wanted, folder);
    if made.is_err() {
        let _ = fs::remove_file(folder.join(PLAN));
        let _ = fs::remove_dir_all(folder.join(FILES));
        if is_new {
            let _ = fs::remove_dir(folder);
        }
    }
    made
}

/// Creates the folder or checks that it is empty; returns whether it is new.
fn free(folder: &Path) -> Result<bool, Error> {
    let fail = |error: std::io::Error| {
        format!("cannot create a plan in {}: {}", sanitize::path(folder), sanitize::reason(&error))
    };
    match fs::read_dir(folder).map(Iterator::count) {
        Ok(count) if count > 0 => {
            let what = if folder.join(PLAN).exists() { "already holds a plan" } else { "is not empty" };
            Err(format!("{} {what}; name a new folder", sanitize::path(folder)).into())
        }
        Ok(_) => Ok(false),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            fs::create_dir_all(folder).map_err(fail)?;
            Ok(true)
        }
        Err(error) => Err(fail(error).into()),
    }
}

fn made(wanted: PlanSpec, folder: &Path) -> Result<Plan, Error> {
    let PlanSpec { command, mut settings, seeds, vary, block } = wanted;
    if let Some((_, twice)) =
        vary.iter().enumerate().find(|(at, one)| vary[..*at].iter().any(|other| other.key == one.key))
    {
        bail!("--vary: {} is given twice; list all of its values at once", twice.key);
    }
    if let Some(first) = seeds.first() {
        settings.set("seed", &first.to_string())?;
    }
    check(&*settings, command)?;
    let sample = settings.experiment().sample(block, &Pool::alone())?;
    let mut draft = PlanManifest {
        command,
        manifest: settings.manifest(),
        settings: settings.to_text(),
        seeds,
        vary,
        blocks: sample.blocks,
        units: 0,
        seconds: 0.0,
        contents: 0,
    };
    let unwritten = Plan::unwritten(&draft)?;
    let (runs, names) = files::noting(|| Runs::read(&unwritten));
    let runs = runs?;
    runs.variants().try_for_each(|settings| check(settings, command))?;
    draft.units = runs.units();
    draft.seconds = sample.seconds * runs.runs() as f64 / f64::from(draft.units.max(1));
    draft.contents = runs.contents();
    draft.manifest.files = inputs::copy(&names, folder)?;
    let plan = Plan::create(folder, &draft)?;
    // Every unit starts with this check.
    Runs::read_checked(&plan)?;
    Ok(plan)
}

/// Checks that runs with these settings can be planned.
fn check(settings: &dyn RunSettings, command: &str) -> Result<(), Error> {
    // First the checks of its own kind, which name the setting that is at fault.
    settings.experiment().check_plan(command)?;
    if !settings.manifest().reproducible {
        bail!("these settings are not reproducible, so attempts at a unit would differ; plan reproducible runs");
    }
    Ok(())
}
