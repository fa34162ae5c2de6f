//! What a run is to its directory: the form of its files, what its rows follow from, and its settings as they are read.

use mancalab_base::Error;
use std::path::Path;

use super::run::{Form, Run};
use super::run_dir::{Expected, Format, Manifest, RunInputs};
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

/// All that a run's rows follow from.
pub(super) fn run_inputs<R: Run>(settings: &R::Settings) -> RunInputs {
    let run = R::manifest(settings).to_text(&R::settings_text(settings));
    RunInputs { run, files: R::files(settings), free: own_form::<R>(settings).free }
}

/// A `run.toml` as it would be written today; `None` if it cannot be read.
pub(super) fn as_written_now<R: Run>(run: &str) -> Option<String> {
    let (_, settings) = Manifest::parse(&Source::new("checkpoint", run), of_kind::<R>).ok()?;
    settings.map(|settings| run_inputs::<R>(&settings).run)
}

/// Reads `[settings]` if they are of a run of the kind `R`.
pub(super) fn of_kind<R: Run>(
    manifest: &Manifest,
    table: &Table<'_>,
    problems: &mut Vec<Problem>,
) -> Option<R::Settings> {
    form::<R>(&manifest.kind).is_some().then(|| R::read_settings(manifest, table, problems))
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
