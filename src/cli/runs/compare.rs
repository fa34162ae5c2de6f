//! `mancalab runs compare`: settings that differ, status and curves of several runs side by side.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;

use super::kinds;
use super::{find, name, name_among_others};
use crate::cli::format::{Format, OutputArgs};
use crate::cli::live::clock;
use crate::cli::out;
use crate::grid::Grid;
use crate::groups;
use crate::job::RunReader;
use crate::job::run_dir::index::distinct_names;
use crate::job::run_dir::{self, Columns, Entry};
use crate::kept;
use crate::kinds::Kind;
use crate::paths::Paths;
use crate::summary;

#[derive(Args, Debug)]
pub struct CompareArgs {
    /// Runs, by folder, name or unique start of the name
    #[arg(required = true, num_args = 2.., value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Column of generations.csv to compare; default: the best
    #[arg(long, value_name = "NAME")]
    pub column: Option<String>,
    /// Maximum number of generations in the table; csv, which has only the curves, and json have all
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub rows: u32,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// A run of the comparison.
struct ComparedRun {
    /// Its name, and its name in tables.
    names: [String; 2],
    entry: Entry,
    settings: Vec<(String, String)>,
    /// The values of the column, one per generation.
    curve: Vec<f64>,
}

/// The command of a run, with its kind where the command has several.
fn what(reader: &RunReader) -> String {
    let kind = &reader.manifest().kind;
    match kinds::find(reader) {
        Ok(command) => format!("mancalab {} ({kind})", command.typed()),
        Err(_) => kind.clone(),
    }
}

/// Prints the settings in which the runs differ, and their curves.
///
/// # Errors
/// A run does not exist, cannot be read, or is of another kind than the first; or there is no such column.
pub fn run(args: &CompareArgs, paths: &Paths) -> Result<ExitCode> {
    let folders = args.runs.iter().map(|run| find(run, paths)).collect::<Result<Vec<_>>>()?;
    let readers = folders.iter().map(|folder| RunReader::open(folder)).collect::<Result<Vec<_>, _>>()?;
    let kind = kinds::find(&readers[0])?;
    if let Some(at) = readers.iter().position(|reader| reader.manifest().kind != readers[0].manifest().kind) {
        bail!(
            "{} is a run of {}, but {} of {}: only runs of one kind can be compared",
            name(&folders[0]),
            what(&readers[0]),
            name(&folders[at]),
            what(&readers[at])
        );
    }
    let names = Columns::open(&folders[0]).map(|columns| columns.names).unwrap_or_default();
    let column = args.column.clone().or_else(|| kind.curve(&names).map(str::to_owned));
    let compared = |((folder, reader), names): ((&PathBuf, &RunReader), [String; 2])| {
        let seed = ("seed".to_owned(), reader.manifest().seed.to_string());
        let preset = ("preset".to_owned(), reader.manifest().preset.clone());
        let settings = kinds::settings(reader)?.into_iter().map(|one| (one.key, one.value));
        let curve = column.as_deref().map_or(Ok(Vec::new()), |column| groups::curve(folder, column))?;
        let settings = [preset, seed].into_iter().chain(settings).collect();
        Ok(ComparedRun { names, entry: run_dir::entry(folder.clone()), settings, curve })
    };
    let compared = folders.iter().zip(&readers).zip(names_of(&folders)).map(compared).collect::<Result<Vec<_>>>()?;
    let column = column.unwrap_or_default();
    let format = args.output.format();
    match (warning(&compared, &column), format) {
        (Some(warning), Format::Text | Format::Md) => _ = out::line(&format!("{warning}\n")),
        (Some(warning), Format::Csv) => out::report(&format!("mancalab: {warning}")),
        // JSON has it as a field.
        (_, Format::Json) | (None, _) => {}
    }
    match format {
        Format::Csv => out::result(&all_curves(&compared, &column).csv()),
        Format::Json => out::json("runs-compare", &json(&compared, &column)),
        Format::Text => {
            tables(&compared, kind, &column, args.rows as usize).iter().all(|grid| out::result(&(grid.table() + "\n")))
        }
        Format::Md => tables(&compared, kind, &column, args.rows as usize)
            .iter()
            .all(|grid| out::result(&(grid.markdown() + "\n"))),
    };
    Ok(ExitCode::SUCCESS)
}

/// The names of the compared runs, and those in tables, where a merged run's begins with its plan's.
fn names_of(folders: &[PathBuf]) -> Vec<[String; 2]> {
    let in_tables: Vec<String> = folders.iter().map(|folder| name_among_others(folder)).collect();
    let is_own = |name: &String| in_tables.iter().filter(|other| *other == name).count() == 1;
    let named = |(distinct, name): (String, &String)| {
        let in_table = if is_own(name) { name } else { &distinct }.clone();
        [distinct, in_table]
    };
    distinct_names(folders).into_iter().zip(&in_tables).map(named).collect()
}

/// The settings that differ with the status of each run, and the curves.
fn tables(compared: &[ComparedRun], kind: &Kind, column: &str, most: usize) -> Vec<Grid> {
    let names = compared.iter().map(|one| one.names[1].clone());
    let mut rows = vec![std::iter::once(String::new()).chain(names).collect::<Vec<_>>()];
    let entries: Vec<&Entry> = compared.iter().map(|one| &one.entry).collect();
    let status = kept::status_rows(&entries, kind, |took| clock(took.as_secs_f64()));
    let pairs = differing(compared).into_iter().chain(status);
    rows.extend(pairs.map(|(key, values)| std::iter::once(key).chain(values).collect()));
    let mut grids = vec![Grid { rows, ..Grid::default() }];
    if !column.is_empty() {
        grids.push(some_curves(compared, column, most));
    }
    grids
}

/// The settings whose values differ between runs, with the values.
fn differing(compared: &[ComparedRun]) -> Vec<(String, Vec<String>)> {
    let settings: Vec<&[(String, String)]> = compared.iter().map(|one| one.settings.as_slice()).collect();
    kept::differing(&settings, "-")
}

/// A warning if the runs' curves measure different things, or their rows are wrong.
fn warning(compared: &[ComparedRun], column: &str) -> Option<String> {
    let unlike = summary::warning(column, "runs", differing(compared).iter().map(|(key, _)| key.as_str()));
    let faulty = summary::faulty(compared.iter().map(|one| &*one.entry.folder));
    unlike.into_iter().chain(faulty).reduce(|one, other| format!("{one}. {other}"))
}

/// The curves in all generations for programs, whose head says what each column is alone.
fn all_curves(compared: &[ComparedRun], column: &str) -> Grid {
    let names = compared.iter().map(|one| format!("{} {column}", one.names[1]));
    curves(compared, std::iter::once("generation".to_owned()).chain(names).collect(), usize::MAX)
}

/// The curves for readers, under the runs' names alone so that several stand side by side.
fn some_curves(compared: &[ComparedRun], column: &str, most: usize) -> Grid {
    let names = compared.iter().map(|one| one.names[1].clone());
    curves(compared, std::iter::once(format!("{column} in generation")).chain(names).collect(), most)
}

/// The curves at up to `most` evenly spaced generations, including the last one, below `head`.
fn curves(compared: &[ComparedRun], head: Vec<String>, most: usize) -> Grid {
    let len = compared.iter().map(|one| one.curve.len()).max().unwrap_or(0);
    let shown = summary::evenly(len, most);
    let value = |one: &ComparedRun, at: usize| one.curve.get(at).map_or(String::new(), f64::to_string);
    let row = |at: usize| std::iter::once(at.to_string()).chain(compared.iter().map(|one| value(one, at))).collect();
    let rows = std::iter::once(head).chain(shown.into_iter().map(row)).collect();
    Grid { rows, numbers: (0..=compared.len()).collect(), ..Grid::default() }
}

/// A comparison for programs.
#[derive(Serialize)]
struct Comparison<'a> {
    column: &'a str,
    /// Set if the runs' values in the column measure different things, or are not what the runs wrote.
    warning: Option<String>,
    /// Keys, each with one value per run.
    differing: Vec<(String, Vec<String>)>,
    runs: Vec<OneRun<'a>>,
}

#[derive(Serialize)]
struct OneRun<'a> {
    name: &'a str,
    generation: Option<u64>,
    best: &'a str,
    seconds: f64,
    curve: &'a [f64],
}

fn json<'a>(compared: &'a [ComparedRun], column: &'a str) -> Comparison<'a> {
    let one = |one: &'a ComparedRun| OneRun {
        name: &one.names[0],
        generation: one.entry.generation,
        best: &one.entry.best,
        seconds: one.entry.took.as_secs_f64(),
        curve: &one.curve,
    };
    Comparison {
        column,
        warning: warning(compared, column),
        differing: differing(compared),
        runs: compared.iter().map(one).collect(),
    }
}
