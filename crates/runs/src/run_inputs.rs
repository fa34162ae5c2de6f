//! What a run's folder needs to know: file formats, inputs, and how to read the settings.

use mancalab_base::Error;
use std::path::Path;

use super::run::{Form, Run};
use super::run_dir::inputs::{self, Inputs};
use super::run_dir::{CheckpointFormat, Format, Manifest, RUN, RunInputs};
use crate::files;
use crate::settings::{Diagnostic, Source, Table};

pub(super) fn format<R: Run>(settings: &R::Settings) -> Format {
    let Form { kind, format, timing_columns, .. } = own_form::<R>(settings);
    let columns = R::columns(settings);
    let individual_columns = R::individual_columns(settings);
    Format { expected: CheckpointFormat { kind, format }, columns, timing_columns, individual_columns }
}

/// Returns the expected kind and format of a checkpoint.
pub(super) fn expected<R: Run>(kind: &str) -> CheckpointFormat {
    let Form { kind, format, .. } = form::<R>(kind).unwrap_or(NONE);
    CheckpointFormat { kind, format }
}

const NONE: Form = Form { kind: "", format: 0, timing_columns: "", free: &[] };

fn form<R: Run>(kind: &str) -> Option<Form> {
    R::forms().into_iter().find(|form| form.kind == kind)
}

fn own_form<R: Run>(settings: &R::Settings) -> Form {
    form::<R>(&R::manifest(settings).kind).unwrap_or(NONE)
}

/// Everything that determines a run's rows; `files` are its copies of what the settings name.
pub(super) fn run_inputs<R: Run>(settings: &R::Settings, files: &Inputs) -> RunInputs {
    let manifest = Manifest { files: files.clone(), ..R::manifest(settings) };
    let run = manifest.to_text(&R::settings_text(settings));
    RunInputs { run, files: R::files(settings), free: own_form::<R>(settings).free }
}

/// Copies the files that the settings name into a new run's folder.
///
/// # Errors
/// A file cannot be read or copied, or changed since the settings were read: which.
pub(super) fn copy_inputs<R: Run>(settings: &R::Settings, folder: &Path) -> Result<Inputs, Error> {
    let contents = R::files(settings);
    if contents.is_empty() {
        return Ok(Inputs::new());
    }
    let source = Source::new(RUN, run_inputs::<R>(settings, &Inputs::new()).run);
    let (read, paths) = files::noting(|| Manifest::parse(&source, of_kind::<R>(folder)));
    read?;
    let inputs = inputs::copy(&paths, folder)?;
    let (_, copied) = inputs::with_copies(&inputs, folder, || Manifest::parse(&source, of_kind::<R>(folder)))?;
    let copied = copied.map(|copied| R::files(&copied)).unwrap_or_default();
    match contents.iter().find(|file| !copied.contains(file)) {
        None => Ok(inputs),
        Some((name, _)) => Err(format!("{name} was changed while the run was started; start it again").into()),
    }
}

/// A `run.toml` as this version writes it; `None` if it cannot be read.
pub(super) fn as_written_now<R: Run>(run: &str, folder: &Path) -> Option<String> {
    let (manifest, settings) = Manifest::parse(&Source::new("checkpoint", run), of_kind::<R>(folder)).ok()?;
    settings.map(|settings| run_inputs::<R>(&settings, &manifest.files).run)
}

/// Returns a reader of `[settings]` for a run of kind `R` in `folder`; named files are read from the run's copies.
pub(super) fn of_kind<R: Run>(
    folder: &Path,
) -> impl FnOnce(&Manifest, &Table<'_>, &mut Vec<Diagnostic>) -> Option<R::Settings> {
    |manifest, table, problems| {
        form::<R>(&manifest.kind)?;
        if let Err(error) = inputs::check(&manifest.files, folder) {
            problems.push(Diagnostic::new(table.at(), error.to_string()));
            return None;
        }
        let mut read = || R::read_settings(manifest, table, problems);
        // Without copies, the caller may substitute its own.
        Some(if manifest.files.is_empty() { read() } else { inputs::with_copies(&manifest.files, folder, read) })
    }
}

/// Returns the result of [`of_kind`], or the error that the run is of another kind.
pub(super) fn settings<R: Run>(
    folder: &Path,
    (manifest, settings): (Manifest, Option<R::Settings>),
) -> Result<(Manifest, R::Settings), Error> {
    let wrong = || {
        let kinds: Vec<&str> = R::forms().iter().map(|form| form.kind).collect();
        format!("{} is a run of kind '{}', not '{}'", folder.display(), manifest.kind, kinds.join("', '"))
    };
    settings.map(|settings| (manifest.clone(), settings)).ok_or_else(|| wrong().into())
}
