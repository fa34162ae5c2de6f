//! `mancalab runs report`: what runs found, as a page to keep or to send.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};
use clap::Args;
use mancalab_base::{counted, date};

use super::kinds::{self, RunSetting};
use super::provenance::provenance_of;
use super::summary::STRIP;
use super::{find_runs, line, name, name_among_others};
use crate::cli::out;
use crate::cluster::index::is_plan;
use crate::cluster::sweep::seeds_text;
use crate::evolve::inspect::ValuedTree;
use crate::files::{self, Kind, write_atomic};
use crate::fronts::{Front, fronts};
use crate::grid::Grid;
use crate::groups::{Band, Group, GroupRun, Groups, PANEL_PERCENT};
use crate::job::run_dir::{self, Columns, Notes, Parent};
use crate::job::{Manifest, RunReader};
use crate::kinds::{KindOf as _, is_less_better};
use crate::paths::Paths;
use crate::presets::presets;
use crate::report::{Block, Figure, PAGE, Report, draw_tree, refuse_others};
use crate::reproduce::plot::{Plot, Series};
use crate::sanitize;
use crate::summary::{self, COMPARED, STRIPS};

/// Maximum number of points of a curve: more cannot be told apart.
const POINTS: usize = 360;
/// Maximum number of curves in a figure.
const CURVES: usize = 6;

#[derive(Args, Debug)]
pub struct ReportArgs {
    /// Runs and merged plans of one kind, by folder, name or unique start of the name
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Folder for report.html, report.md and its figures; default: report-NAME here
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Column of generations.csv whose last value is a run's result; default: the best
    #[arg(long, value_name = "NAME")]
    pub column: Option<String>,
}

/// Writes a report.
///
/// # Errors
/// A run cannot be read, runs are of several kinds, or the folder holds another report.html or cannot be written.
pub fn run(args: &ReportArgs, paths: &Paths) -> Result<ExitCode> {
    let folders = find_runs(&args.runs, paths)?;
    let title = args.runs.iter().map(|run| name(run)).collect::<Vec<_>>().join(", ");
    let report = report(&title, &folders, args.column.as_deref())?;
    let usual = if args.runs.len() == 1 { format!("report-{title}") } else { "report".to_owned() };
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from(usual));
    let (markdown, figures) = report.markdown();
    let files = [(PAGE.to_owned(), report.html()), ("report.md".to_owned(), markdown)];
    refuse_others(&out, files.iter().chain(&figures).map(|(name, _)| name.as_str()))?;
    for (name, text) in files.iter().chain(&figures) {
        let path = out.join(name);
        write_atomic(&path, text.as_bytes()).map_err(mancalab_base::Error::cannot("write", &path))?;
    }
    out::line(&format!("wrote {} and report.md", sanitize::path(&out.join(PAGE))));
    Ok(ExitCode::SUCCESS)
}

fn report(title: &str, folders: &[PathBuf], column: Option<&str>) -> Result<Report> {
    let mut blocks = Vec::new();
    blocks.push(dates(folders));
    remarks(folders, &mut blocks)?;
    let has_curve = column.is_some() || has_curve(folders)?;
    let groups = has_curve.then(|| Groups::read(folders, column)).transpose()?;
    groups.iter().for_each(|groups| results(groups, &mut blocks));
    groups.iter().for_each(|groups| populations(folders, &groups.column, &mut blocks));
    // Only of runs that all have a panel.
    if column != Some(PANEL_PERCENT)
        && let Ok(groups) = Groups::read(folders, Some(PANEL_PERCENT))
    {
        strength(&groups, &mut blocks);
    }
    if let Some(folder) = ended_best(folders) {
        size(folder, &mut blocks)?;
        best(folder, &mut blocks)?;
    }
    settings(folders, &mut blocks)?;
    repeat(folders, groups.as_ref(), &mut blocks)?;
    provenance(folders, &mut blocks)?;
    Ok(Report { title: title.to_owned(), blocks })
}

/// When the runs were started, and when this is written.
fn dates(folders: &[PathBuf]) -> Block {
    let day = |time: SystemTime| date(time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() / 86_400);
    let started = || folders.iter().filter_map(|folder| run_dir::entry(folder.clone()).started);
    let text = match (started().min().map(day), started().max().map(day)) {
        (Some(first), Some(last)) if first != last => format!("Runs started from {first} to {last}"),
        (Some(first), _) => format!("Runs started on {first}"),
        _ => "Runs without times".to_owned(),
    };
    Block::Text(format!("{text} (UTC); report of {}.", day(SystemTime::now())))
}

/// The tags and notes of the runs that have some, and of the plans of merged runs.
fn remarks(folders: &[PathBuf], blocks: &mut Vec<Block>) -> Result<()> {
    let mut all: Vec<&Path> = Vec::new();
    for folder in folders {
        let plan = folder.ancestors().nth(2).filter(|plan| is_plan(plan) && !all.contains(plan));
        all.extend(plan);
        all.push(folder);
    }
    for folder in all {
        let Notes { tags, note } = Notes::read(folder)?;
        let tags = if tags.is_empty() { String::new() } else { format!(" [{}]", tags.join(", ")) };
        if !tags.is_empty() || !note.is_empty() {
            blocks.push(Block::Text(format!("{}{tags} {note}", name_among_others(folder)).trim_end().to_owned()));
        }
    }
    Ok(())
}

/// Whether runs of the first one's kind are compared by a column: tournaments are not.
fn has_curve(folders: &[PathBuf]) -> Result<bool> {
    let Some(first) = folders.first() else { bail!("there are no runs to report") };
    Ok(kinds::find(&RunReader::open(first)?)?.curve(&Columns::open(first)?.names).is_some())
}

fn heading(text: &str, blocks: &mut Vec<Block>) {
    blocks.push(Block::Heading(text.to_owned()));
}

/// The summary of the groups, their comparisons, and their curves.
fn results(groups: &Groups, blocks: &mut Vec<Block>) {
    heading("Results", blocks);
    blocks.push(Block::Text(format!("{} in the last generation of each run.", groups.column)));
    blocks.extend(summary::warnings(groups).map(|warning| Block::Text(warning + ".")));
    blocks.push(Block::Table(summary::table(groups, None)));
    let strips = summary::strips(groups, STRIP);
    if strips.rows.len() > 1 {
        blocks.push(Block::Code(strips.table()));
        blocks.push(Block::Text(STRIPS.to_owned() + "."));
    }
    let comparisons = summary::comparisons(groups);
    if comparisons.rows.len() > 1 {
        blocks.push(Block::Table(comparisons));
        blocks.push(Block::Text(COMPARED.to_owned() + "."));
    }
    blocks.push(Block::Table(by_seed(groups)));
    figures("Learning curves", groups, blocks);
}

/// The curves of a few groups a figure.
fn figures(title: &str, groups: &Groups, blocks: &mut Vec<Block>) {
    for (number, few) in groups.groups.chunks(CURVES).enumerate() {
        let continued = if number == 0 { "" } else { ", continued" };
        let title = format!("{title}{continued}: median and quartiles");
        blocks.push(Block::Figure((&curves(&title, &groups.column, few)).into()));
    }
}

/// The curves of the populations' means and sizes, where the runs have such columns.
fn populations(folders: &[PathBuf], column: &str, blocks: &mut Vec<Block>) {
    let mean = column.replacen("best_", "mean_", 1);
    let all =
        [("Mean of the population", &*mean), ("Mean size", "mean_size_nodes"), ("Size of the best", "best_size_nodes")];
    let is_new = |(_, name): &(&str, &str)| *name != column;
    let first = blocks.len();
    for (title, name) in all.into_iter().filter(is_new) {
        if let Ok(groups) = Groups::read(folders, Some(name)) {
            figures(title, &groups, blocks);
        }
    }
    if blocks.len() > first {
        blocks.insert(first, Block::Heading("Population".to_owned()));
    }
}

/// The result of every run, in the order of groups and seeds.
fn by_seed(groups: &Groups) -> Grid {
    let row = |group: &Group, run: &GroupRun| {
        let started = line::minute(run.entry.started);
        [
            group.name.clone(),
            run.seed.to_string(),
            summary::number(run.result()),
            name_among_others(&run.entry.folder),
            started,
        ]
    };
    let rows = groups.groups.iter().flat_map(|group| group.runs.iter().map(move |run| row(group, run)));
    Grid::new(&["group", "seed", "result", "run", "started (UTC)"], &[1, 2], rows)
}

/// The summary of the groups by their games against a panel, and the curves of their strength.
fn strength(groups: &Groups, blocks: &mut Vec<Block>) {
    heading("Strength", blocks);
    blocks.push(Block::Text(
        "Points against all players of the panel in percent, which the best of a generation met; of the last measurement of each run."
            .to_owned(),
    ));
    blocks.push(Block::Table(summary::table(groups, None)));
    for few in groups.groups.chunks(CURVES) {
        blocks.push(Block::Figure((&curves("Against the panel: median and quartiles", "points, %", few)).into()));
    }
}

fn curves(title: &str, column: &str, groups: &[Group]) -> Plot {
    let longest = groups.iter().flat_map(|group| &group.runs).map(|run| run.curve.len()).max().unwrap_or(0);
    let step = longest.div_ceil(POINTS).max(1);
    let series = |group: &Group| {
        let Band { median, lower, upper } = group.band();
        let thin = |values: Vec<f64>| values.into_iter().step_by(step).collect::<Vec<_>>();
        let quartiles = thin(lower).into_iter().zip(thin(upper)).collect();
        let intervals = if group.runs.len() > 1 { quartiles } else { Vec::new() };
        Series { intervals, ..Series::new(group.name.clone(), thin(median)) }
    };
    Plot { step, ..Plot::new(title, "generation", column, groups.iter().map(series).collect()) }
}

/// The settings of all runs that are the same, with those that differ from the preset marked.
fn settings(folders: &[PathBuf], blocks: &mut Vec<Block>) -> Result<()> {
    let all = folders.iter().map(|folder| kinds::settings(&RunReader::open(folder)?)).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = all.first() else { return Ok(()) };
    let mut rows = vec![["setting", "value", "preset"].map(str::to_owned).to_vec()];
    for setting in first {
        let own = || all.iter().filter_map(|other| other.iter().find(|one| one.key == setting.key));
        let mut values: Vec<&str> = own().map(|one| one.value.as_str()).collect();
        // Of the runs some may have the preset's value.
        let usual = own().find_map(|one| one.usual.clone()).unwrap_or_default();
        crate::sort::sort(&mut values);
        values.dedup();
        rows.push(vec![setting.key.clone(), values.join(" | "), usual]);
    }
    heading("Settings", blocks);
    blocks.push(Block::Text(
        "Several values are separated by |; the preset's value is given where it differs.".to_owned(),
    ));
    blocks.push(Block::Table(Grid { rows, ..Grid::default() }));
    Ok(())
}

/// The commands that compute the runs again: a plan for each group of several runs.
fn repeat(folders: &[PathBuf], groups: Option<&Groups>, blocks: &mut Vec<Block>) -> Result<()> {
    let single = |folder: &PathBuf| command(folder, "", |seed| format!("--seed {seed}"));
    let commands: Vec<String> = match groups {
        None => folders.iter().map(single).collect::<Result<_>>()?,
        Some(groups) => {
            let of_group = |(number, group): (usize, &Group)| match &group.runs[..] {
                [run] => single(&run.entry.folder),
                runs if runs.iter().any(|run| is_fork(&run.entry.folder)) => {
                    let singly: Vec<String> =
                        runs.iter().map(|run| single(&run.entry.folder)).collect::<Result<_>>()?;
                    Ok(singly.join("\n"))
                }
                runs => {
                    let seeds: Vec<u64> = runs.iter().map(|run| run.seed).collect();
                    let plan =
                        command(&runs[0].entry.folder, "plan new ", |_| format!("--seeds {}", seeds_text(&seeds)))?;
                    let name = format!("group-{}", number + 1);
                    Ok(format!(
                        "{plan} --out {name}\nmancalab plan submit {name} --engine local\nmancalab plan merge {name}"
                    ))
                }
            };
            groups.groups.iter().enumerate().map(of_group).collect::<Result<_>>()?
        }
    };
    // Forks of one parent share its commands.
    let commands = commands.join("\n");
    let mut lines: Vec<&str> = Vec::new();
    for line in commands.lines() {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    heading("Commands that repeat it", blocks);
    blocks.push(Block::Code(lines.join("\n") + "\n"));
    Ok(())
}

fn is_fork(folder: &Path) -> bool {
    RunReader::open(folder).is_ok_and(|reader| reader.manifest().parent.is_some())
}

/// `mancalab evolve mancala-gp-2 --seed 3 --generations 10 --set population=50`
fn command(folder: &Path, before: &str, seed: impl Fn(u64) -> String) -> Result<String> {
    let reader = RunReader::open(folder)?;
    let kind = kinds::find(&reader)?;
    let manifest = reader.manifest();
    if let Some(parent) = &manifest.parent {
        let name = name(folder);
        return Ok(format!(
            "{}\nmancalab runs resume {}",
            fork_command(folder, parent, &reader, &name)?,
            sanitize::shell(&name)
        ));
    }
    let presets = presets(kind);
    let is_known = presets.iter().any(|(name, _)| *name == manifest.preset);
    // Of settings without a preset all are named, whatever preset they begin with.
    let preset = if is_known { &manifest.preset } else { presets.first().map_or("", |(name, _)| name) };
    let mut command = format!("mancalab {before}{} {} {}", kind.typed(), sanitize::shell(preset), seed(manifest.seed));
    let is_named = |setting: &RunSetting| setting.key != "seed" && (setting.usual.is_some() || !is_known);
    for setting in kinds::settings(&reader)?.into_iter().filter(is_named) {
        command += &match setting.key.as_str() {
            "generations" => format!(" --generations {}", setting.value),
            key => format!(" --set {}", sanitize::shell(format!("{key}={}", plain(&setting.value)))),
        };
    }
    Ok(command)
}

/// The commands of the parent, then `mancalab runs fork RUN --at 500 --set mutation=5 --out FORK`.
fn fork_command(folder: &Path, parent: &Parent, reader: &RunReader, name: &str) -> Result<String> {
    let parents_folder = folder.join(run_dir::PARENT);
    let of_parent = RunReader::open(&parents_folder)?;
    let run = sanitize::shell(&parent.run);
    let first = match &of_parent.manifest().parent {
        Some(before) => {
            format!("{}\nmancalab runs resume {run}", fork_command(&parents_folder, before, &of_parent, &parent.run)?)
        }
        None => command(&parents_folder, "", |seed| format!("--seed {seed}"))? + &format!(" --out {run}"),
    };
    let before = of_parent.listed()?;
    let common = |reader: &RunReader| {
        let Manifest { seed, generations, .. } = reader.manifest();
        [("seed".to_owned(), seed.to_string()), ("generations".to_owned(), generations.to_string())]
    };
    let now = [&common(reader)[..], &reader.listed()?].concat();
    let then = [&common(&of_parent)[..], &before].concat();
    let changed = now.into_iter().filter(|setting| !then.contains(setting));
    let set =
        |(key, value): (String, String)| format!(" --set {}", sanitize::shell(format!("{key}={}", plain(&value))));
    let sets: String = changed.map(set).collect();
    let out = sanitize::shell(name);
    Ok(format!("{first}\nmancalab runs fork {run} --at {}{sets} --out {out}", parent.generation))
}

/// The text of a setting as a flag takes it: lists without brackets and quotes.
fn plain(value: &str) -> String {
    match toml::from_str::<toml::Table>(&format!("value = {value}")).ok().and_then(|mut table| table.remove("value")) {
        Some(toml::Value::Array(items)) => {
            let text = |item: toml::Value| item.as_str().map_or_else(|| item.to_string(), str::to_owned);
            items.into_iter().map(text).collect::<Vec<_>>().join(",")
        }
        Some(toml::Value::String(text)) => text,
        _ => value.to_owned(),
    }
}

/// The processes that computed the runs, each different one once: what all have in common, and a row for each with the rest.
fn provenance(folders: &[PathBuf], blocks: &mut Vec<Block>) -> Result<()> {
    let mut known: Vec<(toml::Table, usize)> = Vec::new();
    for folder in folders {
        for mut process in provenance_of(folder) {
            ["started", "command", "files", "units"].iter().for_each(|key| _ = process.remove(*key));
            match known.iter_mut().find(|(other, _)| *other == process) {
                Some((_, count)) => *count += 1,
                None => known.push((process, 1)),
            }
        }
    }
    heading("Provenance", blocks);
    if known.is_empty() {
        blocks.push(Block::Text("The runs were computed by a version that did not record it.".to_owned()));
        return Ok(());
    }
    let keys: BTreeSet<&String> = known.iter().flat_map(|(process, _)| process.keys()).collect();
    let text = |process: &toml::Table, key: &str| process.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let is_common =
        |key: &&&String| known.iter().all(|(process, _)| process.get(key.as_str()) == known[0].0.get(key.as_str()));
    let (common, own): (Vec<&String>, Vec<&String>) = keys.iter().partition(|key| is_common(key));
    let known_text = |key: &&String| text(&known[0].0, key).filter(|text| !text.is_empty());
    let rows = common.iter().filter_map(|key| Some(vec![(*key).clone(), known_text(key)?]));
    let all: usize = known.iter().map(|(_, count)| count).sum();
    let rows = std::iter::once(vec!["processes".to_owned(), all.to_string()]).chain(rows).collect();
    blocks.push(Block::Table(Grid { rows, ..Grid::default() }));
    if !own.is_empty() {
        let head = std::iter::once("processes".to_owned()).chain(own.iter().map(|key| (*key).clone())).collect();
        let row = |(process, count): &(toml::Table, usize)| {
            let texts = own.iter().map(|key| text(process, key).unwrap_or_default());
            std::iter::once(count.to_string()).chain(texts).collect()
        };
        let rows = std::iter::once(head).chain(known.iter().map(row)).collect();
        blocks.push(Block::Table(Grid { rows, numbers: vec![0], ..Grid::default() }));
    }
    Ok(())
}

/// Returns the run that ended best.
fn ended_best(folders: &[PathBuf]) -> Option<&PathBuf> {
    let column = |folder: &PathBuf| {
        let names = Columns::open(folder).ok()?.names;
        let column = kinds::find(&RunReader::open(folder).ok()?).ok()?.curve(&names)?;
        let sign = if is_less_better(column) { -1.0 } else { 1.0 };
        crate::groups::curve(folder, column).ok()?.last().map(|last| sign * last).filter(|last| !last.is_nan())
    };
    let results = folders.iter().map(|folder| (column(folder).unwrap_or(f64::NEG_INFINITY), folder));
    results.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, folder)| folder)
}

/// The fronts of fitness and size over the generations, where the run keeps its individuals.
fn size(folder: &Path, blocks: &mut Vec<Block>) -> Result<()> {
    let fronts = fronts(folder, CURVES)?;
    let Some(largest) = fronts.iter().filter_map(|front| front.points.first()).map(|point| point.1).max() else {
        return Ok(());
    };
    let step = (largest as usize).div_ceil(POINTS).max(1);
    let series = |front: &Front| {
        let values = (0..=largest as usize + step).step_by(step).map(|nodes| front.best_within(nodes as u32));
        Series::new(format!("generation {}", front.generation), values.collect())
    };
    let series: Vec<Series> = fronts.iter().map(series).collect();
    heading(&format!("Fitness and size, of {}", name_among_others(folder)), blocks);
    blocks.push(Block::Text(
        "The greatest fitness of the programs of at most so many nodes. Each rise ends at a program of the front."
            .to_owned(),
    ));
    let title = "The front of fitness and size";
    blocks.push(Block::Figure((&Plot { step, ..Plot::new(title, "nodes", "fitness, points", series) }).into()));
    Ok(())
}

/// The best of a run, in full.
fn best(folder: &Path, blocks: &mut Vec<Block>) -> Result<()> {
    let path = folder.join(run_dir::BEST);
    if !path.exists() {
        return Ok(());
    }
    let text = files::read_text(&path, Kind::Program).map_err(mancalab_base::Error::cannot("read", &path))?;
    heading(&format!("The best, of {}", name_among_others(folder)), blocks);
    trees(folder, &text, blocks);
    blocks.push(Block::Code(text));
    Ok(())
}

/// The trees of the program in a text of the run; none if it is not one of genetic programming.
fn trees(folder: &Path, text: &str, blocks: &mut Vec<Block>) {
    let problem = crate::kinds::settings(folder).ok().and_then(|settings| settings.problem());
    let Some(program) = problem.and_then(|problem| problem.program_in(text)) else { return };
    let trees = program.valued(None).trees;
    if trees.iter().flat_map(|tree| &tree.nodes).any(|node| !node.needed) {
        blocks.push(Block::Text("Grey nodes never change the value.".to_owned()));
    }
    for tree in trees {
        let drawing = draw_tree(&tree);
        let title = title(&tree, drawing.hidden);
        blocks.push(Block::Text(title.clone() + "."));
        blocks.push(Block::Figure(Figure { title, svg: drawing.svg }));
    }
}

/// `Stage 2, 50 %: 121 nodes, of which 64 are hidden`
fn title(tree: &ValuedTree, hidden: usize) -> String {
    let role = if tree.title.is_empty() { "The tree" } else { &tree.title };
    let nodes = counted(tree.nodes.len(), "node");
    let rest = match hidden {
        0 => String::new(),
        1 => ", of which 1 is hidden".to_owned(),
        hidden => format!(", of which {hidden} are hidden"),
    };
    let mut title = format!("{role}: {nodes}{rest}");
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    title
}
