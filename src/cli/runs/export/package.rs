//! Runs as a data package: tidy tables with a description of every column, and the provenance of the runs.
//!
//! `datapackage.json` follows the Data Package standard (Frictionless), version 1. It is written last: a folder without it is
//! incomplete.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use mancalab_base::{Error, csv};
use serde_json::{Value, json};

use crate::cli::out;
use crate::cli::runs::provenance::provenance_of;
use crate::files;
use crate::job::run_dir::processes;
use crate::sanitize;
use crate::tidy::{Column, Table, Tables, Type};

/// The name of the description.
const PACKAGE: &str = "datapackage.json";

/// The format of the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    Csv,
    #[cfg(feature = "parquet")]
    Parquet,
}

/// A table and the runs that have it, by index.
type Part = (Table, Vec<usize>);

/// Writes the tables of runs into a new folder.
///
/// # Errors
/// The folder is not empty, a run cannot be read, or a table has other columns than that of another run.
pub(super) fn write(folders: &[PathBuf], into: &Path, format: Format) -> Result<()> {
    let runs = folders.iter().map(|folder| Tables::open(folder)).collect::<Result<Vec<_>, Error>>()?;
    check_names(&runs)?;
    let parts = parts(&runs)?;
    if std::fs::read_dir(into).is_ok_and(|mut entries| entries.next().is_some()) {
        bail!("--out: {} is not empty; name a new folder", sanitize::path(into));
    }
    std::fs::create_dir_all(into).map_err(Error::cannot("make", into))?;
    let package = package(&runs, folders, &parts, format);
    for (table, having) in &parts {
        let path = into.join(file(table, format));
        let having: Vec<&Tables> = having.iter().map(|&run| &runs[run]).collect();
        match format {
            Format::Csv => csv(table, &having, &path)?,
            #[cfg(feature = "parquet")]
            Format::Parquet => super::parquet::write(table, &having, &path, &package.to_string())?,
        }
    }
    let path = into.join(PACKAGE);
    Ok(files::write_atomic(&path, format!("{package:#}\n").as_bytes()).map_err(Error::cannot("write", &path))?)
}

/// # Errors
/// Two runs have the same name, which identifies a run in all tables.
fn check_names(runs: &[Tables]) -> Result<()> {
    for (index, run) in runs.iter().enumerate() {
        if runs[..index].iter().any(|other| other.name() == run.name()) {
            bail!("two runs are named {}; rename one, or export them separately", sanitize::inline(run.name()));
        }
    }
    Ok(())
}

/// The tables of all runs.
///
/// # Errors
/// A run cannot be read, or two have tables with other columns.
fn parts(runs: &[Tables]) -> Result<Vec<Part>> {
    let mut parts: Vec<Part> = Vec::new();
    for (index, run) in runs.iter().enumerate() {
        for table in run.tables()? {
            match parts.iter_mut().find(|(known, _)| known.name == table.name) {
                None => parts.push((table, vec![index])),
                Some((known, having)) if known.columns == table.columns => having.push(index),
                Some(_) => bail!(
                    "{} has other columns in {} than the runs before; export it by itself",
                    sanitize::inline(run.name()),
                    table.name
                ),
            }
        }
    }
    Ok(parts)
}

fn file(table: &Table, format: Format) -> String {
    let ending = match format {
        Format::Csv => "csv",
        #[cfg(feature = "parquet")]
        Format::Parquet => "parquet",
    };
    format!("{}.{ending}", table.name)
}

/// Creates a file that does not exist yet.
pub(super) fn create(path: &Path) -> Result<BufWriter<File>, Error> {
    let file = files::open_with(OpenOptions::new().write(true).create_new(true), path);
    file.map(BufWriter::new).map_err(Error::cannot("write", path))
}

fn csv(table: &Table, runs: &[&Tables], path: &Path) -> Result<(), Error> {
    let mut file = create(path)?;
    let mut put = |fields: &mut dyn Iterator<Item = String>| {
        writeln!(file, "{}", csv::line(fields)).map_err(Error::cannot("write", path))
    };
    put(&mut table.columns.iter().map(|column| column.name.clone()))?;
    runs.iter().try_for_each(|run| run.each(table.name, &mut |row| put(&mut row.iter().cloned())))?;
    file.flush().map_err(Error::cannot("write", path))
}

/// The description of all tables.
fn package(runs: &[Tables], folders: &[PathBuf], parts: &[Part], format: Format) -> Value {
    let run = |(run, folder): (&Tables, &PathBuf)| {
        let (kind, manifest, listed) = run.manifest();
        let settings: serde_json::Map<String, Value> =
            listed.iter().map(|(key, value)| (key.clone(), out::setting(value))).collect();
        json!({
            "run": run.name(),
            "kind": kind,
            "preset": manifest.preset,
            "seed": manifest.seed,
            "generations": manifest.generations,
            "version": manifest.version,
            "is_reproducible": manifest.reproducible,
            "settings": settings,
            "provenance": provenance_of(folder),
        })
    };
    let exported_by: serde_json::Map<String, Value> =
        processes::own().iter().map(|(key, value)| ((*key).to_owned(), value.clone().into())).collect();
    out::document(
        "datapackage",
        &json!({
            "profile": "tabular-data-package",
            "name": "mancalab-runs",
            "title": "Runs of mancalab",
            "resources": parts.iter().map(|(table, _)| resource(table, format)).collect::<Vec<_>>(),
            "runs": runs.iter().zip(folders).map(run).collect::<Vec<_>>(),
            "exported_by": exported_by,
        }),
    )
}

fn resource(table: &Table, format: Format) -> Value {
    let (media, profile) = match format {
        Format::Csv => ("text/csv", "tabular-data-resource"),
        #[cfg(feature = "parquet")]
        Format::Parquet => ("application/vnd.apache.parquet", "data-resource"),
    };
    let ending = file(table, format);
    let ending = ending.rsplit_once('.').map_or("", |(_, ending)| ending);
    let run = json!([{ "fields": "run", "reference": { "resource": "runs", "fields": "run" } }]);
    json!({
        "profile": profile,
        "name": table.name,
        "path": file(table, format),
        "format": ending,
        "mediatype": media,
        "encoding": "utf-8",
        "description": table.about,
        "schema": {
            "fields": table.columns.iter().map(field).collect::<Vec<_>>(),
            "primaryKey": table.key,
            "foreignKeys": if table.name == "runs" { json!([]) } else { run },
            "missingValues": [""],
        },
    })
}

fn field(column: &Column) -> Value {
    let kind = match column.kind {
        Type::Integer => "integer",
        Type::Number => "number",
        Type::Boolean => "boolean",
        Type::String => "string",
    };
    let mut field = json!({ "name": column.name, "type": kind, "description": column.about });
    if !column.unit.is_empty() {
        field["unit"] = column.unit.into();
    }
    field
}
