//! What a run's folder needs to know: file formats, inputs, and how to read the settings.

use mancalab_base::Error;
use std::path::Path;

use super::run::{Form, RunSettings};
use super::run_dir::inputs::{self, Inputs};
use super::run_dir::{CheckpointFormat, Format, Manifest, Parent, RUN, RunInputs};
use crate::files;
use crate::settings::{Diagnostic, Source, Table};

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
