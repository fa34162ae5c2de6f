//! What a sweep found: the table of trials, and how much each setting explains.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use mancalab_base::Error;
use serde::Serialize;
use serde_json::Value;

use super::{How, TrialResult};
use crate::cli::format::Format;
use crate::cli::out;
use crate::cluster::trials::{Dimension, Domain};
use crate::files::write_atomic;
use crate::grid::Grid;
use crate::job::RunSettings;
use crate::kinds::KindOf as _;
use crate::player::offers::Opponent;
use crate::report::{Block, PAGE, Report};
use crate::sanitize;
use crate::statistics::spearman;
use crate::summary::{middle, number};

/// The table of all trials, for other programs.
pub const TRIALS: &str = "trials.csv";

/// Returns a row per trial.
pub fn table<'a>(searched: &[Dimension], judged: impl Iterator<Item = &'a TrialResult>) -> Grid {
    let head = searched.iter().map(|one| one.key.clone()).chain(["generations", "result"].map(str::to_owned)).collect();
    let row = |one: &TrialResult| {
        let end = [one.generations.to_string(), number(one.result)];
        one.values.iter().cloned().chain(end).collect()
    };
    Grid {
        rows: std::iter::once(head).chain(judged.map(row)).collect(),
        numbers: (0..searched.len() + 2).collect(),
        ..Grid::default()
    }
}

/// A trial, in JSON.
#[derive(Serialize)]
struct TrialRow<'a> {
    event: &'static str,
    rung: u64,
    settings: BTreeMap<&'a str, Value>,
    generations: u64,
    /// `None` without results.
    result: Option<f64>,
}

/// Prints the trials of a rung in JSON, the best first.
pub fn print_trials(searched: &[Dimension], rung: u64, judged: &[TrialResult]) {
    for one in judged {
        let values = one.values.iter().map(|value| out::setting(value));
        let settings = searched.iter().map(|one| one.key.as_str()).zip(values).collect();
        let result = Some(one.result).filter(|result| result.is_finite());
        out::json("sweep", &TrialRow { event: "trial", rung, settings, generations: one.generations, result });
    }
}

/// How much a setting explains: the rank correlation of its numbers with the result, or the median of the results with one of its words.
#[derive(Serialize)]
struct Importance<'a> {
    setting: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rank_correlation: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    median: Option<f64>,
}

/// The end of a sweep, in JSON.
#[derive(Serialize)]
struct End<'a> {
    event: &'static str,
    importance: Vec<Importance<'a>>,
    #[serde(serialize_with = "out::path")]
    folder: &'a Path,
}

/// All trials of a sweep, the best of each rung first.
pub struct Outcome<'a> {
    pub searched: &'a [Dimension],
    pub how: &'a How,
    pub all: &'a [TrialResult],
    pub out: &'a Path,
}

impl<'a> Outcome<'a> {
    /// Over the trials of the first rung: numbers first.
    fn importance(&self) -> Vec<Importance<'a>> {
        let first = self.all.iter().map(|one| one.generations).min().unwrap_or(0);
        let has_result = |one: &&TrialResult| one.generations == first && !one.result.is_nan();
        let of_first: Vec<&TrialResult> = self.all.iter().filter(has_result).collect();
        let results: Vec<f64> = of_first.iter().map(|one| one.result).collect();
        let mut all = Vec::new();
        for (at, one) in self.searched.iter().enumerate().filter(|(_, one)| !matches!(one.domain, Domain::Words(_))) {
            let values: Vec<f64> = of_first.iter().filter_map(|trial| trial.values[at].parse().ok()).collect();
            let rank_correlation = Some(spearman(&values, &results));
            all.push(Importance { setting: &one.key, value: None, rank_correlation, median: None });
        }
        for (at, one) in self.searched.iter().enumerate() {
            let Domain::Words(words) = &one.domain else { continue };
            for word in words {
                let of_word = of_first.iter().filter(|trial| trial.values[at] == *word).map(|trial| trial.result);
                let median = middle(&of_word.collect::<Vec<_>>());
                all.push(Importance { setting: &one.key, value: Some(word), rank_correlation: None, median });
            }
        }
        all
    }

    fn importance_table(&self) -> Grid {
        let row = |one: Importance<'_>| match (one.value, one.rank_correlation) {
            (Some(word), _) => {
                let median = number(one.median.unwrap_or(f64::NAN));
                vec![format!("{}={word}", one.setting), format!("median {median}"), String::new()]
            }
            (None, rho) => {
                let rho = rho.unwrap_or(f64::NAN);
                vec![one.setting.to_owned(), number(rho), format!("{:.0} %", 100.0 * rho * rho)]
            }
        };
        Grid::new(&["setting", "rank correlation", "share explained"], &[1, 2], self.importance().into_iter().map(row))
    }

    /// Writes the trials and a report.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, settings: &dyn RunSettings) -> Result<()> {
        let text = |title: &str, text: &str| [Block::Heading(title.to_owned()), Block::Text(text.to_owned())];
        let judge = match self.how.judge.is_empty() {
            true => "the median of the runs' own results".to_owned(),
            false => format!(
                "the median of the points, in percent, against {}",
                self.how.judge.iter().map(Opponent::to_string).collect::<Vec<_>>().join(", ")
            ),
        };
        let mut blocks: Vec<Block> = Vec::new();
        blocks.extend(text("Trials", &format!("A result is {judge}, over {} seeds.", self.how.seeds.len())));
        blocks.push(Block::Table(table(self.searched, self.all.iter())));
        blocks.extend(text(
            "Importance",
            "Over the trials of the first rung: Spearman's rank correlation of a setting with the result, and its square.",
        ));
        blocks.push(Block::Table(self.importance_table()));
        let title = format!("Sweep of {} {}", settings.kind().command, settings.manifest().preset);
        let files = [(TRIALS, table(self.searched, self.all.iter()).csv()), (PAGE, Report { title, blocks }.html())];
        for (name, text) in files {
            let path = self.out.join(name);
            write_atomic(&path, text.as_bytes()).map_err(Error::cannot("write", &path))?;
        }
        Ok(())
    }

    /// Prints what matters in text, the end in JSON, otherwise the table of trials.
    pub fn print(&self) {
        let wrote = format!("wrote {} and {TRIALS}", sanitize::path(&self.out.join(PAGE)));
        match self.how.output.format() {
            Format::Text => {
                out::result(&format!("\n{}{wrote}\n", self.importance_table().table()));
                return;
            }
            Format::Json => {
                out::json("sweep", &End { event: "end", importance: self.importance(), folder: self.out });
            }
            Format::Csv => _ = out::result(&table(self.searched, self.all.iter()).csv()),
            Format::Md => _ = out::result(&table(self.searched, self.all.iter()).markdown()),
        }
        out::report(&wrote);
    }
}
