//! `mancalab runs export`: rows and settings of runs, for other programs.

mod package;
#[cfg(feature = "parquet")]
mod parquet;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::provenance::provenance_of;
use super::{find_runs, kinds};
use crate::cli::out;
use crate::job::run_dir::index::distinct_names;
use crate::job::{Manifest, RunReader, export};
use crate::paths::Paths;
use crate::sanitize;
use crate::summary;

#[derive(Args, Debug)]
pub struct ExportArgs {
    /// Runs and merged plans, by folder, name or unique start of the name
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// csv: one row per generation, after the run's name and settings; json: one object per run; parquet: with --out
    #[arg(long, value_name = "FORMAT", default_value = "csv")]
    pub format: Form,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Write tidy tables (generations, panel, games, individuals …) with types, units and provenance into this new folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Form {
    Csv,
    Json,
    Parquet,
}

/// A run for programs.
#[derive(Serialize)]
struct ExportedRun<'a> {
    run: String,
    #[serde(flatten)]
    about: About<'a>,
    settings: serde_json::Map<String, serde_json::Value>,
    /// The processes that computed it, the newest last.
    provenance: Vec<toml::Table>,
    columns: Vec<String>,
    rows: Vec<Vec<serde_json::Value>>,
}

#[derive(Serialize)]
struct About<'a> {
    kind: &'a str,
    preset: &'a str,
    seed: u64,
    generations: u64,
    version: &'a str,
}

/// Prints the rows of runs of one kind, or writes their tables.
///
/// # Errors
/// A run does not exist, cannot be read, or is of another kind than the first.
pub fn run(args: &ExportArgs, paths: &Paths) -> Result<ExitCode> {
    let folders = find_runs(&args.runs, paths)?;
    summary::faulty(folders.iter().map(PathBuf::as_path))
        .iter()
        .for_each(|warning| out::report(&format!("mancalab: {warning}")));
    match (if args.json { Form::Json } else { args.format }, &args.out) {
        (Form::Csv, None) => export::csv(&folders, |line| _ = out::result(line))?,
        (Form::Csv, Some(into)) => package::write(&folders, into, package::Format::Csv)?,
        (Form::Json, None) => {
            folders.iter().zip(distinct_names(&folders)).try_for_each(|(folder, name)| json(folder, name))?;
        }
        (Form::Json, Some(_)) => bail!("--out: tables are csv or parquet (got --format json)"),
        (Form::Parquet, None) => bail!("--format parquet: name a folder for the tables with --out"),
        #[cfg(feature = "parquet")]
        (Form::Parquet, Some(into)) => package::write(&folders, into, package::Format::Parquet)?,
        #[cfg(not(feature = "parquet"))]
        (Form::Parquet, Some(_)) => {
            bail!("--format parquet: this mancalab was built without it; build it with --features parquet")
        }
    }
    if let Some(into) = &args.out {
        out::report(&format!("wrote tables to {}", sanitize::path(into)));
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints a run as a JSON object.
fn json(folder: &Path, run: String) -> Result<()> {
    let reader = RunReader::open(folder)?;
    let Manifest { preset, seed, generations, version, .. } = reader.manifest();
    let own = export::Rows::open(folder)?;
    let settings = reader.listed()?.into_iter().map(|(key, value)| (key, out::setting(&value))).collect();
    let kind = kinds::find(&reader)?.typed();
    let about = About { kind, preset, seed: *seed, generations: *generations, version };
    let mut rows = Vec::new();
    own.each(|row| {
        rows.push(row.iter().map(|text| cell(text)).collect());
        Ok(())
    })?;
    let provenance = provenance_of(folder);
    out::json("runs-export", &ExportedRun { run, about, settings, provenance, columns: own.names, rows });
    Ok(())
}

/// A JSON number if the text is one, else a JSON string.
fn cell(text: &str) -> serde_json::Value {
    let number = text.parse().ok().and_then(serde_json::Number::from_f64);
    let whole = text.parse::<i64>().ok().map(serde_json::Number::from);
    whole.or(number).map_or_else(|| text.into(), serde_json::Value::Number)
}
