//! `mancalab runs summary`: groups of runs that differ only in their seeds, summarised and compared.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use crate::cli::format::{Format, OutputArgs};
use crate::cli::out;
use crate::grid::Grid;
use crate::groups::{self, Band, Goal, Group, Groups};
use crate::job::run_dir::Columns;
use crate::job::run_dir::index::runs_in;
use crate::paths::Paths;
use crate::statistics::{Estimate, MannWhitney, Summary, difference_of_medians};
use crate::summary::{self, COMPARED};

#[derive(Args, Debug)]
pub struct SummaryArgs {
    /// A merged plan, a folder of runs, a run (stands for all beside it that differ only in the seed), or the start of
    /// runs' names
    #[arg(required = true, value_name = "GROUP")]
    pub groups: Vec<PathBuf>,
    /// Column of generations.csv whose last value is a run's result; default: the best
    #[arg(long, value_name = "NAME")]
    pub column: Option<String>,
    /// Also show how many runs reached a value and in which generation: at least N, or at most with <=N
    #[arg(long, value_name = "[<=]N", allow_hyphen_values = true)]
    pub target: Option<Goal>,
    /// Also show the learning curves: median and quartiles of each group by generation; of csv instead of a row per run
    #[arg(long)]
    pub curves: bool,
    /// Maximum number of generations in the table of curves; csv and json have all
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub rows: u32,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Prints a summary of each group, comparisons of the groups, and with `--curves` their learning curves.
///
/// # Errors
/// There are no such runs, a run cannot be read, runs are of several kinds, or there is no such column.
pub fn run(args: &SummaryArgs, paths: &Paths) -> Result<ExitCode> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for text in &args.groups {
        folders.extend(groups::named(paths.runs().as_deref(), text)?);
    }
    let mut seen = std::collections::HashSet::new();
    folders.retain(|folder| seen.insert(folder.clone()));
    let groups = Groups::read(&folders, args.column.as_deref())?;
    if args.output.format() == Format::Csv {
        summary::warnings(&groups).iter().for_each(|warning| out::report(&format!("mancalab: {warning}")));
    }
    let most = args.rows as usize;
    match args.output.format() {
        Format::Json => out::json("runs-summary", &json(&groups, args.target)),
        Format::Csv if args.curves => out::result(&curves_of_groups(&groups).csv()),
        Format::Csv => out::result(&runs_of_groups(&groups, args.target).csv()),
        Format::Text => texts(&groups, args, most, Grid::table),
        Format::Md => texts(&groups, args, most, Grid::markdown),
    };
    Ok(ExitCode::SUCCESS)
}

fn texts(groups: &Groups, args: &SummaryArgs, most: usize, form: fn(&Grid) -> String) -> bool {
    summary::warnings(groups).iter().for_each(|warning| _ = out::line(&format!("{warning}\n")));
    out::line(&format!("{} in the last generation of {}\n", groups.column, groups.kind));
    out::result(&form(&summary::table(groups, args.target)));
    if args.output.is_text() {
        strips(groups);
    }
    compared(groups, form);
    if args.curves {
        out::line(&format!("\n{} by generation: median, lower and upper quartile\n", groups.column));
        out::result(&form(&curves(groups, most)));
    }
    true
}

/// Cells of the strip of a group's results.
pub(super) const STRIP: usize = 48;

/// Prints a strip of every group's results, if they differ.
fn strips(groups: &Groups) {
    let strips = summary::strips(groups, STRIP);
    if strips.rows.len() > 1 {
        out::line("");
        out::result(&strips.table());
        out::line(&format!("\n{}", summary::STRIPS));
    }
}

/// Prints the comparisons of the groups, if there are several.
fn compared(groups: &Groups, form: fn(&Grid) -> String) {
    let comparisons = summary::comparisons(groups);
    if comparisons.rows.len() > 1 {
        out::line("");
        out::result(&form(&comparisons));
        out::line(&format!("\n{COMPARED}"));
    }
}

/// Prints a summary of the runs in `folder`, if they differ in their seeds or settings; silent where their kind has no curve.
pub(crate) fn of_folder(folder: &Path) {
    let folders = runs_in(folder);
    let has_rows = |folder: &PathBuf| Columns::open(folder).is_ok();
    let folders: Vec<PathBuf> = folders.into_iter().filter(has_rows).collect();
    if let Some(groups) = Groups::read(&folders, None).ok().filter(|_| folders.len() > 1) {
        out::line(&format!("\n{} in the last generation\n", groups.column));
        summary::warnings(&groups).iter().for_each(|warning| _ = out::line(&format!("{warning}\n")));
        out::result(&summary::table(&groups, None).table());
        strips(&groups);
        compared(&groups, Grid::table);
    }
}

/// The curves at up to `most` evenly spaced generations, including the last one.
fn curves(groups: &Groups, most: usize) -> Grid {
    let bands: Vec<Band> = groups.groups.iter().map(Group::band).collect();
    let columns = |group: &Group| [group.name.clone(), "lower".to_owned(), "upper".to_owned()];
    let head = std::iter::once("generation".to_owned()).chain(groups.groups.iter().flat_map(columns)).collect();
    let len = bands.iter().map(|band| band.median.len()).max().unwrap_or(0);
    let shown = summary::evenly(len, most);
    let cells = |band: &Band, at: usize| {
        [&band.median, &band.lower, &band.upper]
            .map(|values| values.get(at).map_or(String::new(), |value| summary::number(*value)))
    };
    let row =
        |at: usize| std::iter::once(at.to_string()).chain(bands.iter().flat_map(|band| cells(band, at))).collect();
    let numbers = (0..=3 * bands.len()).collect();
    Grid { rows: std::iter::once(head).chain(shown.into_iter().map(row)).collect(), numbers, ..Grid::default() }
}

/// A row per run: its group and result.
fn runs_of_groups(groups: &Groups, goal: Option<Goal>) -> Grid {
    let mut rows = vec![["group", "run", "seed", "result", "seconds", "reached"].map(str::to_owned).to_vec()];
    for group in &groups.groups {
        let reached = goal.map(|goal| group.reached(goal)).unwrap_or_default();
        for (at, run) in group.runs.iter().enumerate() {
            let reached = reached.get(at).copied().flatten().map_or(String::new(), |at| at.to_string());
            let seed = run.seed.to_string();
            let seconds = run.entry.took.as_secs_f64().to_string();
            rows.push(vec![group.name.clone(), run.entry.name.clone(), seed, exact(run.result()), seconds, reached]);
        }
    }
    Grid { rows, ..Grid::default() }
}

/// A row per group and generation: median and quartiles.
fn curves_of_groups(groups: &Groups) -> Grid {
    let mut rows =
        vec![["group", "generation", "median", "lower_quartile", "upper_quartile"].map(str::to_owned).to_vec()];
    for group in &groups.groups {
        let Band { median, lower, upper } = group.band();
        let cells = |at: usize| [&median, &lower, &upper].map(|values| exact(values[at]));
        let row = |at: usize| [group.name.clone(), at.to_string()].into_iter().chain(cells(at)).collect();
        rows.extend((0..median.len()).map(row));
    }
    Grid { rows, ..Grid::default() }
}

/// All digits of a number; empty for none.
fn exact(value: f64) -> String {
    if value.is_nan() { String::new() } else { value.to_string() }
}

/// Groups for programs.
#[derive(Serialize)]
struct Json<'a> {
    kind: &'static str,
    column: &'a str,
    groups: Vec<JsonGroup<'a>>,
    comparisons: Vec<JsonComparison<'a>>,
    correction: &'static str,
    /// Why the groups cannot be compared.
    warning: Option<String>,
}

#[derive(Serialize)]
struct JsonGroup<'a> {
    name: &'a str,
    /// The settings in which the groups differ.
    settings: serde_json::Map<String, serde_json::Value>,
    seeds: Vec<u64>,
    folders: Vec<Cow<'a, str>>,
    /// The value of the column in the last generation of each run.
    results: Vec<Option<f64>>,
    seconds: Vec<f64>,
    summary: Option<Summary>,
    /// The first generation of each run that reached the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    reached: Option<Vec<Option<usize>>>,
    curve: Band,
}

#[derive(Serialize)]
struct JsonComparison<'a> {
    group: &'a str,
    against: &'a str,
    difference_of_medians: Estimate,
    #[serde(flatten)]
    test: MannWhitney,
    chance_corrected: f64,
}

impl<'a> JsonGroup<'a> {
    fn new(group: &'a Group, target: Option<Goal>) -> JsonGroup<'a> {
        let Group { name, differing, runs } = group;
        JsonGroup {
            name,
            settings: differing.iter().map(|(key, value)| (key.clone(), out::setting(value))).collect(),
            seeds: runs.iter().map(|run| run.seed).collect(),
            folders: runs.iter().map(|run| run.entry.folder.to_string_lossy()).collect(),
            results: runs.iter().map(|run| Some(run.result()).filter(|value| !value.is_nan())).collect(),
            seconds: group.seconds(),
            summary: group.summary(),
            reached: target.map(|goal| group.reached(goal)),
            curve: group.band(),
        }
    }
}

fn json(groups: &Groups, target: Option<Goal>) -> Json<'_> {
    let name = |at: usize| groups.groups[at].name.as_str();
    let comparison = |one: groups::Comparison| {
        let group = name(one.pair.0);
        let against = name(one.pair.1);
        let [first, second] = [one.pair.0, one.pair.1].map(|at| groups.groups[at].results());
        let difference_of_medians = difference_of_medians(&first, &second);
        JsonComparison { group, against, difference_of_medians, test: one.test, chance_corrected: one.corrected }
    };
    Json {
        kind: groups.kind,
        column: &groups.column,
        groups: groups.groups.iter().map(|group| JsonGroup::new(group, target)).collect(),
        comparisons: groups.comparisons().into_iter().map(comparison).collect(),
        correction: "holm",
        warning: summary::warnings(groups),
    }
}
