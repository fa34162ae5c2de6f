//! Making a plan: copying what it needs, seeing how long its work takes, and cutting it into units.

use mancalab_base::{Error, bail};
use std::fs;
use std::path::Path;

use super::layout::{FILES, PLAN};
use super::manifest::PlanManifest;
use super::plan::Plan;
use super::runs::Runs;
use super::sweep::Vary;
use crate::files;
use crate::job::run_dir::inputs;
use crate::kinds::AnySettings;
use crate::pool::Pool;
use crate::sanitize;
use crate::settings::Listed as _;

/// What is to be planned.
pub struct Wanted {
    /// See [`PlanManifest::command`].
    pub command: &'static str,
    /// Of the first run before anything is varied; the seed is the first of `seeds`.
    pub settings: AnySettings,
    pub seeds: Vec<u64>,
    pub vary: Vec<Vary>,
    /// How many games of a tournament's cell make a unit; what takes about a minute if that is not said.
    pub block: Option<u32>,
}

/// Makes a plan in a folder, which is made if it is missing and must be empty.
///
/// # Errors
/// It cannot be planned so, or the folder is not empty or cannot be written: why. What was made of it then is deleted.
pub fn make(wanted: Wanted, folder: &Path) -> Result<Plan, Error> {
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

/// Makes the folder, or sees that it is empty; gives whether it is new.
fn free(folder: &Path) -> Result<bool, Error> {
    let fail = |error: std::io::Error| {
        format!("cannot make a plan in {}: {}", sanitize::path(folder), sanitize::reason(&error))
    };
    match fs::read_dir(folder).map(Iterator::count) {
        Ok(count) if count > 0 => {
            let what = if folder.join(PLAN).exists() { "holds a plan already" } else { "is not empty" };
            Err(format!("{} {what}; name a folder that is new", sanitize::path(folder)).into())
        }
        Ok(_) => Ok(false),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            fs::create_dir_all(folder).map_err(fail)?;
            Ok(true)
        }
        Err(error) => Err(fail(error).into()),
    }
}

fn made(wanted: Wanted, folder: &Path) -> Result<Plan, Error> {
    let Wanted { command, mut settings, seeds, vary, block } = wanted;
    if let Some((_, twice)) =
        vary.iter().enumerate().find(|(at, one)| vary[..*at].iter().any(|other| other.key == one.key))
    {
        bail!("--vary: {} varies twice; name all of its values at once", twice.key);
    }
    if let Some(first) = seeds.first() {
        settings.set("seed", &first.to_string())?;
    }
    check(&settings, command)?;
    let sample = settings.sample(block, &Pool::alone())?;
    let mut draft = PlanManifest {
        command,
        manifest: settings.manifest(),
        settings: settings.settings_text(),
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
    // What every unit will do first.
    Runs::of(&plan)?;
    Ok(plan)
}

/// Whether runs with these settings can be planned.
fn check(settings: &AnySettings, command: &str) -> Result<(), Error> {
    if !settings.manifest().reproducible {
        return Err("these settings give something else each time, so no two attempts at a unit would agree; plan runs that are \
                    reproducible"
            .into());
    }
    settings.check_plan(command)
}
