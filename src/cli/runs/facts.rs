//! `mancalab runs front`, `hall`, `islands` and `operators`: tables of facts about a run of genetic programming, from its newest
//! checkpoint.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde_json::{Map, Value, json};

use super::find;
use crate::cli::format::{Format, OutputArgs};
use crate::cli::out;
use crate::evolve::gp::{OperatorSuccess, Selectable};
use crate::evolve::inspect::{AnyProgram, AnyView, AnyView as ProgramsView};
use crate::evolve::problems::{AnyProblem, Snapshot};
use crate::evolve::subterms::Survivors;
use crate::grid::Grid;
use crate::job::{RunWatcher, View};
use crate::kinds::{self, KindOf as _};
use crate::paths::Paths;
use crate::sanitize;
use crate::settings::texts;

#[derive(Args, Debug)]
pub struct FactsArgs {
    /// Run of evolve, by folder, name or unique start of the name
    pub run: PathBuf,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args, Debug)]
pub struct IslandsArgs {
    #[command(flatten)]
    pub facts: FactsArgs,
    /// List the best fitness of each island over the generations
    #[arg(long)]
    pub curves: bool,
}

/// Prints the programs that no other one dominates in fitness and size, fittest first.
///
/// # Errors
/// Of this and the other commands: there is no such run, or it has no checkpoint.
pub fn front(args: &FactsArgs, paths: &Paths) -> Result<ExitCode> {
    let run = GpRunFiles::open(&args.run, paths)?;
    let view = run.view()?;
    let ranks = view.front();
    let row = |&rank: &usize| Some(row([rank as u64 + 1], view.ranked(rank)?));
    let rows = ranks.iter().filter_map(row).collect();
    let programs = ranks.iter().map(|&rank| view.program(rank));
    let grid = with_programs(grid(&["rank", "fitness", "nodes", "depth"], rows), programs, args.output.format());
    print(view, "runs-front", "programs", &grid, args.output.format())
}

/// Prints the hall of fame.
///
/// # Errors
/// See [`front`].
pub fn hall(args: &FactsArgs, paths: &Paths) -> Result<ExitCode> {
    let run = GpRunFiles::open(&args.run, paths)?;
    let view = run.view()?;
    let row = |(place, (found, one)): (usize, (u64, &Selectable))| row([place as u64 + 1, found], one);
    let rows: Vec<_> = view.hall().into_iter().enumerate().map(row).collect();
    let programs = (0..rows.len()).map(|place| view.hall_program(place));
    let grid =
        with_programs(grid(&["place", "found", "fitness", "nodes", "depth"], rows), programs, args.output.format());
    print(view, "runs-hall", "programs", &grid, args.output.format())
}

/// Prints the fittest program of each island, or the best fitness over the generations.
///
/// # Errors
/// See [`front`]; or the run has a single island.
pub fn islands(args: &IslandsArgs, paths: &Paths) -> Result<ExitCode> {
    let run = GpRunFiles::open(&args.facts.run, paths)?;
    let view = run.view()?;
    let ranks = view.islands();
    if ranks.len() < 2 {
        bail!("{} has one island; set `islands` for more", run.name());
    }
    let newest = |(island, rank): (usize, usize)| Some(row([island as u64 + 1, rank as u64 + 1], view.ranked(rank)?));
    let point = |(generation, values): &(u64, Vec<f64>)| {
        let cell = |(island, fitness): (usize, &f64)| {
            vec![generation.to_string(), (island + 1).to_string(), fitness.to_string()]
        };
        values.iter().enumerate().map(cell).collect::<Vec<_>>()
    };
    let (rows, head, name) = match args.curves {
        true => {
            let rows = view.island_curves().points.iter().flat_map(point).collect();
            (rows, &["generation", "island", "fitness"][..], "points")
        }
        false => {
            let rows = ranks.into_iter().enumerate().filter_map(newest).collect();
            (rows, &["island", "rank", "fitness", "nodes", "depth"][..], "islands")
        }
    };
    print(view, "runs-islands", name, &grid(head, rows), args.facts.output.format())
}

/// Prints for each operator how many programs it bred, and how many are fitter than their first parent, or equally fit: in the
/// newest generation, and over the run.
///
/// # Errors
/// See [`front`].
pub fn operators(args: &FactsArgs, paths: &Paths) -> Result<ExitCode> {
    let run = GpRunFiles::open(&args.run, paths)?;
    let view = run.view()?;
    let newest = newest(view);
    let (since, whole) = view.operators();
    let row = |first: u64, success: &OperatorSuccess| {
        let rate = success.rate();
        let compared = |count: u64| rate.map_or(String::new(), |_| count.to_string());
        let percent = rate.map_or(String::new(), |rate| format!("{:.1}", 100.0 * rate));
        let [first, last, bred] = [first, newest, success.bred].map(|count| count.to_string());
        let [better, equal] = [success.better, success.equal].map(compared);
        vec![success.operator.to_string(), first, last, bred, better, equal, percent]
    };
    let rows = view.run_status().histograms.operators.iter().map(|success| row(newest, success));
    let rows = rows.chain(whole.iter().map(|success| row(since, success))).collect();
    let head = ["operator", "first_generation", "last_generation", "bred", "better", "equal", "better_percent"];
    print(view, "runs-operators", "operators", &grid(&head, rows), args.output.format())
}

/// Returns the number of the newest saved generation.
fn newest(view: &dyn AnyView) -> u64 {
    view.population().map_or(0, |(generation, _)| generation)
}

/// Returns a row of numbers that ends with fitness, nodes and depth.
fn row<const COUNT: usize>(front: [u64; COUNT], one: &Selectable) -> Vec<String> {
    let end = [one.outcome.fitness.to_string(), one.nodes.to_string(), one.depth.to_string()];
    front.iter().map(u64::to_string).chain(end).collect()
}

fn grid(head: &[&str], rows: Vec<Vec<String>>) -> Grid {
    let head: Vec<String> = head.iter().map(|name| (*name).to_owned()).collect();
    let numbers = (0..head.len()).filter(|&column| head[column] != "operator").collect();
    Grid { rows: std::iter::once(head).chain(rows).collect(), numbers, ..Grid::default() }
}

/// Adds the programs themselves, for which a line of a terminal is too short.
fn with_programs(mut grid: Grid, programs: impl Iterator<Item = Option<Arc<dyn AnyProgram>>>, format: Format) -> Grid {
    if format != Format::Text {
        let texts = programs.map(|program| program.map(|program| program.text()).unwrap_or_default());
        let cells = std::iter::once("program".to_owned()).chain(texts);
        grid.rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
    }
    grid
}

fn print(view: &dyn AnyView, schema: &str, name: &str, grid: &Grid, format: Format) -> Result<ExitCode> {
    let generation = newest(view);
    out::result(&match format {
        Format::Json => out::in_a_line(schema, &json!({ "generation": generation, name: objects(grid) })),
        Format::Csv => grid.csv(),
        Format::Md => grid.markdown(),
        Format::Text => format!("generation {generation}\n\n{}", grid.table()),
    });
    Ok(ExitCode::SUCCESS)
}

/// Returns the rows as objects: numbers are numbers, and empty cells null.
fn objects(grid: &Grid) -> Vec<Value> {
    let Some((head, rows)) = grid.rows.split_first() else { return Vec::new() };
    let value = |column: usize, text: &str| match text {
        "" => Value::Null,
        text if grid.numbers.contains(&column) => text.parse().unwrap_or(Value::Null),
        text => text.into(),
    };
    let object = |row: &Vec<String>| {
        let field = |(column, text): (usize, &String)| (head[column].clone(), value(column, text));
        Value::Object(row.iter().enumerate().map(field).collect::<Map<_, _>>())
    };
    rows.iter().map(object).collect()
}

/// A run of genetic programming.
pub(super) struct GpRunFiles {
    run: RunWatcher,
    problem: Arc<dyn AnyProblem>,
    /// The folder, for messages.
    name: String,
}

impl GpRunFiles {
    /// Opens a run by folder, name or unique start of the name, for reading.
    ///
    /// # Errors
    /// There is no such run, it cannot be read, or it is of another kind.
    pub fn open(run: &Path, paths: &Paths) -> Result<GpRunFiles> {
        let folder = find(run, paths)?;
        let name = sanitize::path(&folder);
        let run = kinds::watch(&folder)?;
        let Some(problem) = run.settings().problem() else {
            bail!("{name} has no programs: it is not a run of `mancalab evolve`");
        };
        Ok(GpRunFiles { run, problem, name })
    }

    /// Returns the folder, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the opponents as the settings name them, with commas between them.
    pub fn opponents(&self) -> String {
        let list = self.run.settings().list();
        let text = list.into_iter().find(|(key, ..)| *key == "opponents").map(|(.., value)| value).unwrap_or_default();
        texts(&text, "opponents").map(|names| names.join(", ")).unwrap_or(text)
    }

    /// Returns the most common subterms of its generations; `None` without a checkpoint. `own` are those of a program.
    pub fn survivors(&self, own: &HashSet<u64>) -> Option<Survivors> {
        let (mut survivors, kept) = Survivors::begin(&self.run, own)?;
        kept.into_iter().for_each(|generation| survivors.read(&self.run, generation));
        Some(survivors)
    }

    /// Returns the view from the newest checkpoint.
    ///
    /// # Errors
    /// There is no checkpoint, or it cannot be read.
    pub fn view(&self) -> Result<&dyn ProgramsView> {
        let view = self.run.view().and_then(View::get::<Snapshot>).map(|snapshot| &*snapshot.view);
        view.with_context(|| match self.run.damage() {
            Some(damage) => damage.to_owned(),
            None => format!("{} has no checkpoint yet; its population is saved at the next one", self.name),
        })
    }

    /// Returns the program of a rank in the newest saved generation, from 1 for the fittest.
    ///
    /// # Errors
    /// See [`view`](GpRunFiles::view); or the generation has fewer programs.
    pub fn ranked(&self, rank: usize) -> Result<Arc<dyn AnyProgram>> {
        let view = self.view()?;
        let len = view.population().map_or(0, |(_, len)| len);
        let program = rank.checked_sub(1).and_then(|rank| view.program(rank));
        program.with_context(|| format!("--rank must be 1 to {len} (got {rank})"))
    }

    /// Returns a program of the hall of fame, from 1 for the first.
    ///
    /// # Errors
    /// See [`view`](GpRunFiles::view); or the hall of fame has fewer programs.
    pub fn in_hall(&self, place: usize) -> Result<Arc<dyn AnyProgram>> {
        let view = self.view()?;
        let program = place.checked_sub(1).and_then(|place| view.hall_program(place));
        program.with_context(|| format!("--hall must be 1 to {} (got {place})", view.hall().len()))
    }

    /// Returns the best program so far: of the newest checkpoint, or of `best.txt` where the checkpoint is missing.
    ///
    /// # Errors
    /// There is neither.
    pub fn best(&self) -> Result<Arc<dyn AnyProgram>> {
        match self.view() {
            Ok(view) => view.best_program().with_context(|| format!("{} has no best program", self.name)),
            Err(error) => self.run.best().and_then(|text| self.problem.program_in(text)).ok_or(error),
        }
    }
}
