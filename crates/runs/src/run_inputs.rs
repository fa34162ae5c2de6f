//! What a run is to its directory: the form of its files, what its rows follow from, and its settings as they are read.

use mancalab_base::Error;
use std::path::Path;

use super::run::{Form, Run};
use super::run_dir::inputs::{self, Inputs};
use super::run_dir::{Expected, Format, Manifest, RUN, RunInputs};
use crate::files;
use crate::settings::{Problem, Source, Table};

pub(super) fn format<R: Run>(settings: &R::Settings) -> Format {
    let Form { kind, format, timing_columns, .. } = own_form::<R>(settings);
    Format { expected: Expected { kind, format }, columns: R::columns(settings), timing_columns }
}

/// What a checkpoint of such a run must be.
pub(super) fn expected<R: Run>(kind: &str) -> Expected {
    let Form { kind, format, .. } = form::<R>(kind).unwrap_or(NONE);
    Expected { kind, format }
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

/// Returns what reads `[settings]` of a run of the kind `R` in `folder`; files they name are read from the run's copies.
pub(super) fn of_kind<R: Run>(
    folder: &Path,
) -> impl FnOnce(&Manifest, &Table<'_>, &mut Vec<Problem>) -> Option<R::Settings> {
    |manifest, table, problems| {
        form::<R>(&manifest.kind)?;
        if let Err(error) = inputs::check(&manifest.files, folder) {
            problems.push(Problem::new(table.at(), error.to_string()));
            return None;
        }
        let mut read = || R::read_settings(manifest, table, problems);
        // Without copies, whoever calls may substitute its own.
        Some(if manifest.files.is_empty() { read() } else { inputs::with_copies(&manifest.files, folder, read) })
    }
}

/// What [`of_kind`] gave of the run in `folder`, or that it is of another kind.
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
