//! What a sweep found: the table of trials, and how much each setting explains.

use std::path::Path;

use anyhow::Result;
use mancalab_base::Error;

use super::How;
use super::judge::TrialResult;
use crate::cli::out;
use crate::cluster::trials::{Dimension, Domain};
use crate::files::write_atomic;
use crate::grid::Grid;
use crate::job::RunSettings;
use crate::kinds::KindOf as _;
use crate::player::levels::Opponent;
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

/// Spearman's rank correlation of each searched number with the result, over the trials of the first rung.
fn importance(searched: &[Dimension], judged: &[TrialResult]) -> Grid {
    let first = judged.iter().map(|one| one.generations).min().unwrap_or(0);
    let of_first: Vec<&TrialResult> = judged.iter().filter(|one| one.generations == first).collect();
    let results: Vec<f64> = of_first.iter().map(|one| one.result).collect();
    let mut rows = vec![["setting", "rank correlation", "share explained"].map(str::to_owned).to_vec()];
    for (at, one) in searched.iter().enumerate().filter(|(_, one)| !matches!(one.domain, Domain::Words(_))) {
        let values: Vec<f64> = of_first.iter().filter_map(|trial| trial.values[at].parse().ok()).collect();
        let rho = spearman(&values, &results);
        rows.push(vec![one.key.clone(), number(rho), format!("{:.0} %", 100.0 * rho * rho)]);
    }
    for (at, one) in searched.iter().enumerate() {
        let Domain::Words(words) = &one.domain else { continue };
        for word in words {
            let of_word = of_first.iter().filter(|trial| trial.values[at] == *word).map(|trial| trial.result);
            let median = middle(&of_word.collect::<Vec<_>>()).unwrap_or(f64::NAN);
            rows.push(vec![format!("{}={word}", one.key), format!("median {}", number(median)), String::new()]);
        }
    }
    Grid { rows, numbers: vec![1, 2], ..Grid::default() }
}

/// Prints what matters and writes the trials and a report.
///
/// # Errors
/// A file cannot be written.
pub fn write(
    searched: &[Dimension],
    settings: &dyn RunSettings,
    how: &How,
    all: &[TrialResult],
    out: &Path,
) -> Result<()> {
    let importance = importance(searched, all);
    out::line("");
    out::result(&importance.table());
    let text = |title: &str, text: &str| [Block::Heading(title.to_owned()), Block::Text(text.to_owned())];
    let judge = match how.judge.is_empty() {
        true => "the median of the runs' own results".to_owned(),
        false => format!(
            "the median of the points, in percent, against {}",
            how.judge.iter().map(Opponent::to_string).collect::<Vec<_>>().join(", ")
        ),
    };
    let mut blocks: Vec<Block> = Vec::new();
    blocks.extend(text("Trials", &format!("A result is {judge}, over {} seeds.", how.seeds.len())));
    blocks.push(Block::Table(table(searched, all.iter())));
    blocks.extend(text(
        "Importance",
        "Over the trials of the first rung: Spearman's rank correlation of a setting with the result, and its square.",
    ));
    blocks.push(Block::Table(importance));
    let title = format!("Sweep of {} {}", settings.kind().command, settings.manifest().preset);
    let files = [(TRIALS, table(searched, all.iter()).csv()), (PAGE, Report { title, blocks }.html())];
    for (name, text) in files {
        let path = out.join(name);
        write_atomic(&path, text.as_bytes()).map_err(Error::cannot("write", &path))?;
    }
    out::line(&format!("wrote {} and {TRIALS}", sanitize::path(&out.join(PAGE))));
    Ok(())
}
