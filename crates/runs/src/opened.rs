//! What is read to resume a run, apart from the job that drives it: its checked files and settings, the state at its
//! checkpoint, and the rules that may end it early.

use mancalab_base::Error;
use std::path::Path;

use super::conduct::{EarlyStopping, StopRules};
use super::run::{Form, Run, RunSettings};
use super::run_dir::csv::Tail;
use super::run_dir::{self, CheckedRun, LockedRun, Manifest, Parent};
use super::run_inputs::{as_written_now, format, of_kind, run_inputs, settings};

/// Opens the run in `folder` with its settings, after checking that its files match.
pub(super) fn examined(folder: &Path, forms: &[Form]) -> Result<(CheckedRun, Manifest, Box<dyn RunSettings>), Error> {
    let found = LockedRun::open(folder)?;
    let read = Manifest::parse(found.source(), of_kind(forms, folder))?;
    let (manifest, settings) = settings(forms, folder, read)?;
    let inputs = run_inputs(&*settings, &manifest.files, manifest.parent.as_ref());
    let as_written_now = |run: &str| as_written_now(forms, run, folder);
    let found = found.examine(format(&*settings), inputs, as_written_now)?;
    Ok((found, manifest, settings))
}

/// Restores the run from its checkpoint, or starts it if there is none.
pub(super) fn restored(
    folder: &Path,
    found: &CheckedRun,
    manifest: &Manifest,
    settings: &dyn RunSettings,
) -> Result<Box<dyn Run>, Error> {
    let Some(checkpoint) = found.checkpoint() else {
        return match &manifest.parent {
            None => settings.start(),
            Some(Parent { run, generation, .. }) => Err(format!(
                "{} has no checkpoint, from which a fork goes on; fork {run} after generation {generation} again",
                folder.display()
            )
            .into()),
        };
    };
    let restored = settings.restore(&checkpoint.state, found.rows()?);
    match (restored, found.changed_rows()) {
        (Ok(run), None) => Ok(run),
        (Err(reason), None) => Err(format!("the run in {} cannot be taken up: {reason}", folder.display()).into()),
        // The run itself may have a better error for the row.
        (Err(reason), Some(changed)) => Err(format!("{changed} ({reason}); restore it").into()),
        (Ok(_), Some(changed)) => Err(format!("{changed}; restore it").into()),
    }
}

/// Returns the rules that may end the run early, with the rows up to its checkpoint.
pub(super) fn early_stopping(
    folder: &Path,
    found: &CheckedRun,
    settings: &dyn RunSettings,
) -> Result<EarlyStopping, Error> {
    let mut stop = EarlyStopping::new(settings)?;
    let Some(checkpoint) = found.checkpoint().filter(|_| !stop.is_idle()) else { return Ok(stop) };
    found.rows()?.each(|row| {
        stop.row(row);
        Ok(())
    })?;
    let mut left = checkpoint.generation.saturating_add(1);
    // Invalid timings do not prevent a resumption; they are put aside.
    let _ = Tail::new(folder.join(run_dir::TIMINGS)).read(|row| {
        if left > 0 {
            stop.timing(row);
            left -= 1;
        }
        Ok(())
    });
    Ok(stop)
}

/// What changes when a run is extended.
#[derive(Clone, Copy, Debug)]
pub struct Extension {
    /// Generations after the initial one.
    pub generations: u64,
    /// Other rules that may end it early; `None`: those it has.
    pub stop: Option<StopRules>,
}

impl From<u64> for Extension {
    fn from(generations: u64) -> Extension {
        Extension { generations, stop: None }
    }
}
