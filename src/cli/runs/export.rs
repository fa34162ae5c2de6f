//! Rows and settings of runs, for other programs.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::{as_error, find, kinds, name};
use crate::cli::out;
use crate::job::run_dir::Columns;
use crate::job::{Manifest, RunReader};
use crate::paths::Paths;
use crate::plain;
use crate::reproduce::csv;

#[derive(Args, Debug)]
pub struct ExportArgs {
    /// The runs' names, the beginnings of them, or their folders
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// csv: a row a generation, with the run's name and settings in front; json: an object a run
    #[arg(long, value_name = "FORMAT", default_value = "csv")]
    pub format: Form,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Form {
    Csv,
    Json,
}

/// A run for programs.
#[derive(Serialize)]
struct Exported<'a> {
    run: String,
    #[serde(flatten)]
    about: About<'a>,
    settings: serde_json::Map<String, serde_json::Value>,
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

/// Prints the rows of the runs, which are of one kind.
///
/// # Errors
/// A run is not there, cannot be read, or is of another kind than the first.
pub fn run(args: &ExportArgs, paths: &Paths) -> Result<ExitCode> {
    let folders = args.runs.iter().map(|run| find(run, paths)).collect::<Result<Vec<_>>>()?;
    let mut before: Option<Vec<String>> = None;
    for folder in &folders {
        let reader = RunReader::open(folder).map_err(as_error)?;
        let Manifest { kind, preset, seed, generations, version } = reader.manifest();
        let settings = reader.listed().map_err(as_error)?;
        let columns = Columns::open(folder).map_err(as_error)?;
        if args.format == Form::Json {
            let known = kinds::of(&reader)?.command;
            let about = About { kind: known, preset, seed: *seed, generations: *generations, version };
            let text = |(key, value): (String, String)| (key, serde_json::Value::String(value));
            let (settings, names) = (settings.into_iter().map(text).collect(), columns.names.clone());
            let mut rows = Vec::new();
            columns.each(|row| rows.push(row.split(',').map(cell).collect())).map_err(as_error)?;
            out::json(&Exported { run: name(folder), about, settings, columns: names, rows });
            continue;
        }
        let (keys, values): (Vec<String>, Vec<String>) = settings.into_iter().unzip();
        let head = ["run", "preset", "seed"].map(str::to_owned).into_iter().chain(keys);
        let head: Vec<String> = head.chain(columns.names.iter().cloned()).collect();
        match &before {
            None => _ = out::result(&csv::row(&head)),
            Some(first) if *first != head => {
                bail!(
                    "{} is a run of '{kind}' with other columns than the first; export it by itself",
                    plain::path(folder)
                )
            }
            Some(_) => {}
        }
        before = Some(head);
        let front = [name(folder), preset.clone(), seed.to_string()].into_iter().chain(values);
        let front = csv::row(front);
        let mut taken = true;
        columns.each(|row| taken = taken && out::result(&format!("{},{row}\n", front.trim_end()))).map_err(as_error)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A number as one, everything else as a text.
fn cell(text: &str) -> serde_json::Value {
    let number = text.parse().ok().and_then(serde_json::Number::from_f64);
    let whole = text.parse::<i64>().ok().map(serde_json::Number::from);
    whole.or(number).map_or_else(|| text.into(), serde_json::Value::Number)
}
