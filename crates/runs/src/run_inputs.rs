//! What a run's folder needs to know: file formats, inputs, and how to read the settings; and what is read to resume a run.

use std::path::Path;

use mancalab_base::Error;

use super::conduct::{EarlyStopping, StopRules};
use super::files;
use super::run::{Form, Run, RunSettings};
use super::run_dir::csv::Tail;
use super::run_dir::inputs::{self, Inputs};
use super::run_dir::{self, CheckedRun, CheckpointFormat, Format, LockedRun, Manifest, Parent, RUN, RunInputs};
use super::settings::{Diagnostic, Source, Table};

pub(super) fn format(settings: &dyn RunSettings) -> Format {
    let form = settings.form();
    let columns = settings.header();
    let individual_columns = settings.individual_columns();
    Format { expected: expected(&form), columns, timing_columns: form.timing_columns, individual_columns }
}

/// Returns the expected kind and format of a checkpoint.
pub(super) fn expected(form: &Form) -> CheckpointFormat {
    CheckpointFormat { kind: form.kind, format: form.format }
}

/// Everything that determines a run's rows; `files` are its copies of what the settings name, and `parent` is the run it was forked
/// from.
pub(super) fn run_inputs(settings: &dyn RunSettings, files: &Inputs, parent: Option<&Parent>) -> RunInputs {
    let manifest = Manifest { files: files.clone(), parent: parent.cloned(), ..settings.manifest() };
    let run = manifest.to_text(&settings.to_text());
    RunInputs { run, files: settings.files(), free: settings.form().free }
}

/// Copies the files that the settings name into a new run's folder.
///
/// # Errors
/// A file cannot be read or copied, or changed since the settings were read: which.
pub(super) fn copy_inputs(settings: &dyn RunSettings, folder: &Path) -> Result<Inputs, Error> {
    let contents = settings.files();
    if contents.is_empty() {
        return Ok(Inputs::new());
    }
    let forms = [settings.form()];
    let source = Source::new(RUN, run_inputs(settings, &Inputs::new(), None).run);
    let (read, paths) = files::noting(|| Manifest::parse(&source, of_kind(&forms, folder)));
    read?;
    let inputs = inputs::copy(&paths, folder)?;
    let (_, copied) = inputs::with_copies(&inputs, folder, || Manifest::parse(&source, of_kind(&forms, folder)))?;
    let copied = copied.map(|copied| copied.files()).unwrap_or_default();
    match contents.iter().find(|file| !copied.contains(file)) {
        None => Ok(inputs),
        Some((name, _)) => Err(format!("{name} was changed while the run was started; start it again").into()),
    }
}

/// A `run.toml` as this version writes it; `None` if it cannot be read.
pub(super) fn as_written_now(forms: &[Form], run: &str, folder: &Path) -> Option<String> {
    let (manifest, settings) = Manifest::parse(&Source::new("checkpoint", run), of_kind(forms, folder)).ok()?;
    settings.map(|settings| run_inputs(&*settings, &manifest.files, manifest.parent.as_ref()).run)
}

/// Returns a reader of `[settings]` for a run of one of the `forms` in `folder`; named files are read from the run's
/// copies.
pub(super) fn of_kind(
    forms: &[Form],
    folder: &Path,
) -> impl FnOnce(&Manifest, &Table<'_>, &mut Vec<Diagnostic>) -> Option<Box<dyn RunSettings>> {
    |manifest, table, problems| {
        let form = forms.iter().find(|form| form.kind == manifest.kind)?;
        let checked = inputs::check(&manifest.files, folder);
        let parent = manifest.parent.as_ref().map_or(Ok(()), |parent| parent.check(folder));
        if let Err(error) = checked.and(parent) {
            problems.push(Diagnostic::new(table.at(), error.to_string()));
            return None;
        }
        let mut read = || (form.read)(manifest, table, problems);
        // Without copies, the caller may substitute its own.
        Some(if manifest.files.is_empty() { read() } else { inputs::with_copies(&manifest.files, folder, read) })
    }
}

/// Returns the result of [`of_kind`], or the error that the run is of another kind.
pub(super) fn settings(
    forms: &[Form],
    folder: &Path,
    (manifest, settings): (Manifest, Option<Box<dyn RunSettings>>),
) -> Result<(Manifest, Box<dyn RunSettings>), Error> {
    let wrong = || {
        let kinds: Vec<&str> = forms.iter().map(|form| form.kind).collect();
        format!("{} is a run of kind '{}', not '{}'", folder.display(), manifest.kind, kinds.join("', '"))
    };
    settings.map(|settings| (manifest.clone(), settings)).ok_or_else(|| wrong().into())
}

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
