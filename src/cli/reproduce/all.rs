//! `mancalab reproduce all`: every table and figure within a budget of processor time, and one index of them.
//!
//! Each target has a folder for each size with its files, and a file with its result, written when it is complete: the same command goes
//! on from there. Neither times nor paths are in results, tables and pictures, so that these are the same bytes for the same budget; only
//! the runs' own folders tell when and where they were computed. Several machines that share the folder compute a share of the targets
//! each; the command without a share then writes the index.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, anyhow, bail};
use serde_json::Value;

use super::{ReproduceArgs, Share, report};
use crate::cli::build::BUILD;
use crate::cli::live::ProgressLine;
use crate::cli::out;
use crate::files::{self, Kind, write_atomic};
use crate::grid::Grid;
use crate::pool::Pool;
use crate::report::{Block, Figure, Report, refuse_others};
use crate::reproduce::work::{Size, pinned, sizes};
use crate::reproduce::{Options, ProgressEvent, Target};
use crate::sanitize;

/// The folder if none is given.
const USUAL: &str = "reproduced";

/// What is written besides the folders of the targets.
const INDEX: [&str; 2] = ["report.html", "measured.txt"];

/// The file with a target's result, in its folder.
const RESULT: &str = "result.json";

/// A computed target.
struct TargetResult {
    target: &'static Target,
    size: Size,
    /// The value of the file `result.json`.
    output: Value,
    pictures: Vec<Figure>,
}

/// Reproduces all targets, or those of a source.
///
/// # Errors
/// There is no such source, a target fails, or the folder cannot be written or holds other files.
pub(super) fn run(args: &ReproduceArgs) -> Result<ExitCode> {
    let given = args.given();
    if let Some(flag) = given.iter().find(|flag| **flag != "--out") {
        bail!("reproduce all chooses sizes by --hours; {flag} is for a single target");
    }
    if !args.output.is_text() {
        bail!("reproduce all writes its results into files; --format and --json are for a single target");
    }
    let targets = of_source(args.source.as_deref())?;
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from(USUAL));
    refuse_others(&out, INDEX)?;
    let mut sizes = sizes(targets, args.hours.map(|hours| 3600.0 * hours));
    if let Some(share) = args.share {
        let costs: Vec<f64> = sizes.iter().map(|(target, size)| target.work.of_size(size)).collect();
        let mut owners = balanced(&costs, share.machines).into_iter();
        sizes.retain(|_| owners.next() == Some(share.machine));
    }
    let pool = Pool::new(args.threads);
    let mut line = ProgressLine::begin();
    let known = sizes.iter().map(|(target, size)| known(target, size, &out)).collect::<Result<Vec<_>>>()?;
    // The work to do: what is left of it follows from the work done, which grows from target to target.
    let cost = |(target, size): &(&Target, Size), known: &Option<Value>| match known {
        Some(_) => 0.0,
        None => target.work.of_size(size),
    };
    let all: f64 = sizes.iter().zip(&known).map(|(sized, known)| cost(sized, known)).sum();
    let mut done = 0.0;
    let mut results = Vec::new();
    for (sized, known) in sizes.into_iter().zip(known) {
        let cost = cost(&sized, &known);
        let (target, size) = sized;
        let result = reproduced(target, size, known, (&out, &pool), &mut |heard| {
            if let ProgressEvent::Progress { share, .. } = heard {
                let share = (done + cost * share) / all;
                report(&mut line, ProgressEvent::Progress { share, item: target.name.to_owned() });
            }
        })?;
        done += cost;
        line.news(&format!("{:<24}  {:<32}  {}", target.name, result.size.text(), result.verdict()));
        results.push(result);
    }
    line.clear();
    if let Some(Share { machine, machines }) = args.share {
        let count = results.len();
        let machine = machine + 1;
        out::line(&format!(
            "share {machine}/{machines}: {count} targets; when all shares are complete, the same command without --share writes the index"
        ));
        return Ok(status(&results));
    }
    // In the order of the sources, as listed.
    let place = |result: &TargetResult| Target::all().position(|target| target.name == result.target.name);
    crate::sort::sort_by_key(&mut results, place);
    write_index(&out, &results)?;
    out::line(&format!("index: {}", sanitize::path(&out.join(INDEX[0]))));
    Ok(status(&results))
}

fn status(results: &[TargetResult]) -> ExitCode {
    let differs = results.iter().any(|result| result.compared() == Some(false));
    if differs { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Returns the machine, from 0, of each target: the next in the order of their costs, the greatest first, goes to the machine with the
/// least so far.
fn balanced(costs: &[f64], machines: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..costs.len()).collect();
    crate::sort::sort_by(&mut order, |&a, &b| costs[b].total_cmp(&costs[a]));
    let mut loads = vec![0.0; machines];
    let mut owners = vec![0; costs.len()];
    for target in order {
        let least = (0..machines).min_by(|&a, &b| f64::total_cmp(&loads[a], &loads[b])).expect("there is a machine");
        loads[least] += costs[target];
        owners[target] = least;
    }
    owners
}

/// Returns the targets of a source, or all.
fn of_source(source: Option<&str>) -> Result<Vec<&'static Target>> {
    let Some(source) = source else { return Ok(Target::all().collect()) };
    let is_of_source = |target: &&Target| target.name.split_once('/').is_some_and(|(name, _)| name == source);
    let targets: Vec<&'static Target> = Target::all().filter(is_of_source).collect();
    if targets.is_empty() {
        bail!("no source is called '{}'; there are {}", sanitize::inline(source), super::sources().join(", "));
    }
    Ok(targets)
}

/// Returns the folder of a target's results of a size.
fn folder_of(target: &Target, size: &Size, out: &Path) -> PathBuf {
    out.join(target.name.replace('/', "-")).join(size.word())
}

/// The version of the program whose results are taken as they are.
fn build() -> String {
    format!("{} {}", env!("CARGO_PKG_VERSION"), BUILD.sources)
}

/// Returns the result of a target that the same command of the same program has computed earlier, if it has.
fn known(target: &Target, size: &Size, out: &Path) -> Result<Option<Value>> {
    let known = earlier(&folder_of(target, size, out).join(RESULT))?;
    Ok(known.filter(|known| known["size"] == size.text() && known["build"] == build()))
}

/// Returns the result of a target: the known one, or computed now and written.
fn reproduced(
    target: &'static Target,
    size: Size,
    known: Option<Value>,
    (out, pool): (&Path, &Pool),
    hear: &mut dyn FnMut(ProgressEvent<'_>),
) -> Result<TargetResult> {
    let folder = folder_of(target, &size, out);
    let output = match known {
        Some(known) => known,
        None => {
            let out = target.takes.contains(&"--out").then(|| folder.clone());
            let options = Options { out, pool: pool.clone(), ..size.options(target) };
            let mut table = target.reproduce(&options, hear).with_context(|| target.name)?;
            table.notes.retain(|note| !note.starts_with("Written: "));
            let mut output = out::document("reproduce", &table.output());
            output["size"] = size.text().into();
            output["build"] = build().into();
            write(&folder.join(RESULT), &format!("{output:#}\n"))?;
            output
        }
    };
    Ok(TargetResult { target, size, output, pictures: pictures(&folder)? })
}

/// Returns the result in a file; `None` if there is none.
///
/// # Errors
/// The file is another one.
fn earlier(file: &Path) -> Result<Option<Value>> {
    if !file.exists() {
        return Ok(None);
    }
    let text = files::read_text(file, Kind::Collection).unwrap_or_default();
    let known = serde_json::from_str::<Value>(&text).ok().filter(|known| known["schema"] == "reproduce/1");
    match known {
        Some(known) => Ok(Some(known)),
        None => {
            bail!("{} is not a result of mancalab reproduce; move it, or choose another --out", sanitize::path(file))
        }
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    write_atomic(path, text.as_bytes())
        .map_err(|error| anyhow!("cannot write {}: {}", sanitize::path(path), sanitize::reason(&error)))
}

/// Returns the pictures in the folder of a target, by name.
fn pictures(folder: &Path) -> Result<Vec<Figure>> {
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path()).collect();
    names.retain(|path| path.extension().is_some_and(|end| end == "svg"));
    crate::sort::sort(&mut names);
    let picture = |path: PathBuf| {
        let svg = files::read_text(&path, Kind::Collection)
            .map_err(|error| anyhow!("cannot read {}: {}", sanitize::path(&path), sanitize::reason(&error)))?;
        Ok(Figure { title: path.file_name().unwrap_or_default().to_string_lossy().into_owned(), svg })
    };
    names.into_iter().map(picture).collect()
}

impl TargetResult {
    fn lines(&self) -> &[Value] {
        self.output["lines"].as_array().map_or(&[], Vec::as_slice)
    }

    /// Returns what the lines measured, in the form of the pinned results.
    fn measured(&self) -> Vec<String> {
        self.lines().iter().map(measured).collect()
    }

    /// Returns the pinned results, if those of this size are.
    fn pinned(&self) -> Option<Vec<&'static str>> {
        let pinned = pinned(self.target.name, &self.size.word());
        (!pinned.is_empty()).then_some(pinned)
    }

    /// Returns whether all lines have the pinned results; `None` if those of this size are not pinned.
    fn compared(&self) -> Option<bool> {
        self.pinned().map(|pinned| self.measured() == pinned)
    }

    fn verdict(&self) -> &'static str {
        match self.compared() {
            Some(true) => "same as pinned",
            Some(false) => "DIFFERS from what is pinned",
            None => "not pinned at this size",
        }
    }

    /// Returns the part of the index about it.
    fn blocks(&self) -> Vec<Block> {
        let seconds = self.target.work.seconds;
        let texts = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let reading = self.output["reading"].as_object().into_iter().flatten();
        let reading = Grid::pairs(reading.map(|(topic, choice)| (topic.as_str(), texts(choice))));
        let notes = self.output["notes"].as_array().into_iter().flatten().map(texts).map(Block::Text);
        let mut blocks = vec![
            Block::Heading(format!("{}: {}", self.target.name, self.target.about)),
            Block::Text(format!(
                "Size: {} (full: about {seconds} s of processor time). Results: {}.",
                self.size.text(),
                self.verdict()
            )),
            Block::Table(self.table()),
            Block::Text("Reading in force".to_owned()),
            Block::Table(reading),
        ];
        blocks.extend(notes);
        blocks.extend(self.pictures.iter().cloned().map(Block::Figure));
        blocks
    }

    fn table(&self) -> Grid {
        let pinned = self.pinned().unwrap_or_default();
        let number = |value: &Value| value.as_f64().map_or(String::new(), short);
        let row = |(at, line): (usize, &Value)| {
            let interval =
                line["interval"].as_array().map(|ends| ends.iter().map(number).collect::<Vec<_>>().join(" to "));
            let pinned = pinned.get(at).copied();
            let is_same = pinned
                .map(|pinned| line["measured"].as_f64().map_or(String::new(), |value| value.to_string()) == pinned);
            let same = match is_same {
                Some(true) => "yes",
                Some(false) => "NO",
                None => "",
            };
            let remark = line["remark"].as_str().unwrap_or_default().to_owned();
            vec![
                line["what"].as_str().unwrap_or_default().to_owned(),
                number(&line["published"]),
                number(&line["measured"]),
                number(&line["difference"]),
                line["unit"].as_str().unwrap_or_default().to_owned(),
                interval.unwrap_or_default(),
                number(&line["p_value"]),
                pinned.and_then(|pinned| pinned.parse().ok()).map_or(String::new(), short),
                same.to_owned(),
                remark,
            ]
        };
        let head = ["", "published", "measured", "difference", "unit", "95 %", "p", "pinned", "same", "remark"];
        Grid::new(&head, &[1, 2, 3, 6, 7], self.lines().iter().enumerate().map(row).collect::<Vec<_>>())
    }
}

/// Returns what a line measured to all digits; `-` for nothing.
fn measured(line: &Value) -> String {
    line["measured"].as_f64().map_or("-".to_owned(), |value| value.to_string())
}

/// Formats a number with at most three decimals.
fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Writes the index, and the results in the form in which they are pinned.
fn write_index(out: &Path, results: &[TargetResult]) -> Result<()> {
    let row = |one: &TargetResult| {
        let name = one.target.name.to_owned();
        vec![name, one.size.text(), one.verdict().to_owned(), one.target.about.to_owned()]
    };
    let all = Grid::new(&["target", "size", "results", "what"], &[], results.iter().map(row).collect::<Vec<_>>());
    let about = "Published numbers beside measured ones. Pinned results are those with seed 1 of the full sizes, which the pages \
                 of the sources are written from, of the least ones, and of those that fit into two hours.";
    let mut blocks = vec![Block::Text(about.to_owned()), Block::Table(all)];
    blocks.extend(results.iter().flat_map(TargetResult::blocks));
    let index = Report { title: "Tables and figures of four sources, reproduced".to_owned(), blocks };
    let rows = |one: &TargetResult| format!("{} {} {}\n", one.target.name, one.size.word(), one.measured().join(" "));
    let measured: String = results.iter().map(rows).collect();
    [index.html(), measured].iter().zip(INDEX).try_for_each(|(text, name)| write(&out.join(name), text))
}
