//! The summary of groups as tables: for the command line, the tabs and reports.

use std::collections::BTreeSet;
use std::path::Path;

use crate::cluster::layout::MERGED;
use crate::cluster::plan::Plan;
use crate::cluster::runs::Runs;
use crate::cluster::sweep::seeds_text;
use crate::faults;
use crate::grid::Grid;
use crate::groups::{Goal, Group, GroupRun, Groups, PANEL_PERCENT};
use crate::job::run_dir::EntryState;
use crate::job::run_dir::index::runs_in;
use crate::sanitize;
use crate::statistics::{Estimate, Summary, difference_of_medians};
use crate::ui::duration;

/// Returns at most `most` evenly spaced indices below `len`, including the last one.
pub(crate) fn evenly(len: usize, most: usize) -> Vec<usize> {
    let step = len.div_ceil(most.max(1)).max(1);
    let mut shown: Vec<usize> = (0..len).rev().step_by(step).collect();
    shown.reverse();
    shown
}

/// Returns a number with four significant digits; large ones whole, and `-` for none.
pub(crate) fn number(value: f64) -> String {
    if value.is_nan() {
        return "-".to_owned();
    }
    let digits = (3.0 - value.abs().max(0.001).log10().floor()).clamp(0.0, 6.0) as usize;
    let text = format!("{value:.digits$}");
    let short = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

/// Returns the 95 % interval of an estimate from `count` values, such as `40.2 to 55`; one value has none.
fn interval(estimate: Estimate, count: usize) -> String {
    if count < 2 {
        return "-".to_owned();
    }
    format!("{} to {}", number(estimate.low), number(estimate.high))
}

/// Returns a row per group: its runs and where their results lie; with a goal, how many reached it and when.
pub(crate) fn table(groups: &Groups, goal: Option<Goal>) -> Grid {
    let mut head = vec!["group", "runs", "seeds", "median", "mean", "IQM", "95 % of the IQM", "lowest", "highest"];
    if goal.is_some() {
        head.extend(["reached", "in generation"]);
    }
    head.push("time");
    let numbers = (1..head.len()).filter(|column| *column != 2).collect();
    let rows = groups.groups.iter().map(|group| row(group, goal));
    Grid {
        rows: std::iter::once(head.into_iter().map(str::to_owned).collect()).chain(rows).collect(),
        numbers,
        ..Grid::default()
    }
}

fn row(group: &Group, goal: Option<Goal>) -> Vec<String> {
    let seeds: Vec<u64> = group.runs.iter().map(|run| run.seed).collect();
    let mut row = vec![group.name.clone(), runs_text(group), seeds_text(&seeds)];
    match group.summary() {
        Some(Summary { median, mean, interquartile_mean, least, greatest, count }) => {
            row.extend([median, mean, interquartile_mean].map(|estimate| number(estimate.value)));
            row.extend([interval(interquartile_mean, count), number(least), number(greatest)]);
        }
        None => row.extend(vec!["-".to_owned(); 6]),
    }
    if let Some(goal) = goal {
        let reached: Vec<f64> = group.reached(goal).into_iter().flatten().map(|at| at as f64).collect();
        row.push(format!("{} of {}", reached.len(), group.runs.len()));
        row.push(middle(&reached).map_or("-".to_owned(), number));
    }
    let time = middle(&group.seconds()).unwrap_or(0.0);
    row.push(duration(std::time::Duration::try_from_secs_f64(time).unwrap_or_default()));
    row
}

/// Returns a row per group with a strip of the results of all its seeds over a common range, whose ends are in the head: `·` is a result,
/// `:` are several, `|` is the median. Only the head if there is no range.
pub(crate) fn strips(groups: &Groups, cells: usize) -> Grid {
    let results: Vec<Vec<f64>> = groups.groups.iter().map(Group::results).collect();
    let range = range(&results);
    let (low, high) = range;
    let head = vec!["group".to_owned(), strip_ends(range, cells)];
    let rows = groups.groups.iter().zip(&results).filter(|_| high > low);
    let rows = rows.map(|(group, results)| vec![group.name.clone(), strip(results, range, cells)]);
    Grid { rows: std::iter::once(head).chain(rows).collect(), ..Grid::default() }
}

/// Returns the least and the greatest of the results of all groups.
pub(crate) fn range(results: &[Vec<f64>]) -> (f64, f64) {
    let all = || results.iter().flatten().copied();
    (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max))
}

/// Returns the ends of the strips, for the line above them.
pub(crate) fn strip_ends((low, high): (f64, f64), cells: usize) -> String {
    let ends = [low, high].map(number);
    let gap = cells.saturating_sub(ends[0].chars().count() + ends[1].chars().count());
    format!("{}{}{}", ends[0], " ".repeat(gap.max(1)), ends[1])
}

/// Returns the strip of a group's results between the ends of a range that is not empty.
pub(crate) fn strip(results: &[f64], (low, high): (f64, f64), cells: usize) -> String {
    let place = |value: f64| ((value - low) / (high - low) * (cells.max(1) - 1) as f64).round() as usize;
    let mut counts = vec![0_usize; cells.max(1)];
    results.iter().for_each(|&value| counts[place(value)] += 1);
    let median = middle(results).map(place);
    let mark = |(at, count): (usize, &usize)| match count {
        _ if median == Some(at) => '|',
        0 => ' ',
        1 => '·',
        _ => ':',
    };
    counts.iter().enumerate().map(mark).collect()
}

/// What the marks of [`strips`] are, for a line below it.
pub(crate) const STRIPS: &str = "each · is the result of one seed, : of several; | is the median";

/// The number of runs, and of those that have no result or are not finished.
fn runs_text(group: &Group) -> String {
    let all = group.runs.len();
    let is_open = |run: &&GroupRun| run.entry.state != EntryState::Finished;
    let without = all - group.results().len();
    let open = group.runs.iter().filter(is_open).count();
    let parts = [(without, "without result"), (open, "unfinished")].into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, what)| format!("{count} {what}")).collect();
    if parts.is_empty() { all.to_string() } else { format!("{all} ({})", parts.join(", ")) }
}

/// Returns the median; `None` without values.
pub(crate) fn middle(values: &[f64]) -> Option<f64> {
    let mut values = values.to_vec();
    crate::sort::sort_floats(&mut values);
    (!values.is_empty()).then(|| crate::statistics::quantile(&values, 0.5))
}

/// Settings that decide what a fitness measures.
const MEASURES: [&str; 10] =
    ["game", "capture", "fitness", "opponents", "games", "seat", "opening", "termination", "parsimony", "depth"];

/// Settings that decide what games against a panel measure; the games of `train` have the panel's opening.
const MEASURES_OF_PANEL: [&str; 5] = ["game", "capture", "opening", "panel", "panel_opening"];

/// Returns what the reader of a summary must know: unlike groups, plans whose runs are not all merged, and runs whose rows are wrong.
pub(crate) fn warnings(groups: &Groups) -> Option<String> {
    let folders = groups.groups.iter().flat_map(|group| &group.runs).map(|run| &*run.entry.folder);
    let all = unlike(groups).into_iter().chain(incomplete(groups)).chain(faulty(folders));
    all.reduce(|one, other| format!("{one}. {other}"))
}

/// Returns a warning for runs whose rows are not what their settings give: the first in full, and the number of the others.
pub(crate) fn faulty<'a>(folders: impl IntoIterator<Item = &'a Path>) -> Option<String> {
    let mut warnings = folders.into_iter().filter_map(faults::warning);
    let first = warnings.next()?;
    let more = match warnings.count() {
        0 => String::new(),
        1 => ". Another run has a warning too: `mancalab runs show`".to_owned(),
        others => format!(". {others} other runs have warnings too: `mancalab runs show`"),
    };
    Some(format!("Warning: {first}{more}"))
}

/// Returns a warning for each plan whose runs are not all merged.
fn incomplete(groups: &Groups) -> Vec<String> {
    let runs = groups.groups.iter().flat_map(|group| &group.runs);
    let merged = runs.filter_map(|run| run.entry.folder.parent().filter(|folder| folder.ends_with(MERGED)));
    let plans: BTreeSet<&Path> = merged.filter_map(Path::parent).collect();
    let warning = |folder: &Path| {
        let all = Runs::read_checked(&Plan::open(folder).ok()?).ok()?.runs();
        let merged = runs_in(&folder.join(MERGED)).len();
        let text = format!("Warning: {merged} of {all} runs of {} are merged", sanitize::path(folder));
        (merged < all).then_some(text)
    };
    plans.into_iter().filter_map(warning).collect()
}

/// Returns a warning if the compared values are a fitness or a strength, which measures different things in the groups.
fn unlike(groups: &Groups) -> Option<String> {
    let differing = groups.groups.iter().flat_map(|group| &group.differing).map(|(key, _)| key.as_str());
    warning(&groups.column, "groups", differing)
}

/// Returns a warning if a column is a fitness or a strength, and `what` (`runs` or `groups`) differ in settings that decide what it
/// measures.
pub(crate) fn warning<'a>(column: &str, what: &str, differing: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let is_fitness = ["fitness", "percent", "points"].iter().any(|word| column.contains(word));
    let measures = if column == PANEL_PERCENT { &MEASURES_OF_PANEL[..] } else { &MEASURES };
    let mut keys: Vec<&str> = differing.into_iter().filter(|key| is_fitness && measures.contains(key)).collect();
    crate::sort::sort(&mut keys);
    keys.dedup();
    let keys = keys.join(", ");
    (!keys.is_empty()).then(|| {
        format!(
            "Warning: {column} measures different things in these {what}, which differ in: {keys}. Differences of its values mean \
             nothing"
        )
    })
}

/// Returns a row per comparison of two groups; only the head if there are none.
pub(crate) fn comparisons(groups: &Groups) -> Grid {
    let head = ["group", "against", "difference of medians", "greater", "p", "p corrected"];
    let rows = groups.comparisons().into_iter().map(|comparison| {
        let (group, other) = comparison.pair;
        let name = |at: usize| groups.groups[at].name.clone();
        vec![
            name(group),
            name(other),
            difference(&groups.groups[group].results(), &groups.groups[other].results()),
            format!("{:.0} %", 100.0 * comparison.test.greater),
            probability(comparison.test.chance),
            probability(comparison.corrected),
        ]
    });
    Grid {
        rows: std::iter::once(head.map(str::to_owned).to_vec()).chain(rows).collect(),
        numbers: vec![2, 3, 4, 5],
        ..Grid::default()
    }
}

/// `+4 (-1 to 7)`; without the interval if a group has a single result.
fn difference(group: &[f64], other: &[f64]) -> String {
    let estimate = difference_of_medians(group, other);
    let sign = if estimate.value > 0.0 { "+" } else { "" };
    let value = number(estimate.value);
    match group.len().min(other.len()) {
        1 => format!("{sign}{value}"),
        count => format!("{sign}{value} ({})", interval(estimate, count)),
    }
}

/// Returns a probability with two digits, or a bound for the smallest.
pub(crate) fn probability(value: f64) -> String {
    match value {
        small if small < 0.0001 => "< 0.0001".to_owned(),
        small if small < 0.01 => format!("{small:.4}"),
        value => format!("{value:.2}"),
    }
}

/// What the columns of [`comparisons`] are, for a line below it.
pub(crate) const COMPARED: &str = "difference: with its 95 % interval; greater: chance that a run of the group ends above one of the other (Vargha and Delaney's A); \
    p: Mann-Whitney, two-sided; corrected by Holm for the number of comparisons";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_unlike_fitness_are_warned_of() {
        let group = |key: &str, value: &str| Group {
            name: value.to_owned(),
            differing: vec![(key.to_owned(), value.to_owned())],
            runs: Vec::new(),
        };
        let warned = |column: &str, key: &str| {
            let groups = vec![group(key, "a"), group(key, "b")];
            unlike(&Groups { kind: "evolve", column: column.to_owned(), groups })
        };
        let warning = warned("best_fitness_points", "opponents").unwrap();
        assert!(
            warning.contains("best_fitness_points measures different things") && warning.contains("in: opponents.")
        );
        assert_eq!(warned("best_fitness_points", "population"), None);
        assert_eq!(warned("mean_nodes", "opponents"), None);
        assert_eq!(warned(PANEL_PERCENT, "opponents"), None);
        assert!(warned(PANEL_PERCENT, "panel").unwrap().contains("in: panel."));
    }

    #[test]
    fn a_strip_has_a_mark_for_every_seed() {
        assert_eq!(strip(&[0.0, 1.0, 5.0, 5.1, 10.0], (0.0, 10.0), 11), "··   |    ·");
        assert_eq!(strip(&[0.0, 0.1, 10.0, 10.0], (0.0, 10.0), 11), ":    |    :");
        assert_eq!(strip(&[], (0.0, 1.0), 3), "   ");
    }

    #[test]
    fn numbers_have_four_digits() {
        let numbers = [7654.4, 66.126, 0.123_456, 0.0, -3.5, 1_234_567.0, f64::NAN, -0.000_000_1, 100.0];
        let texts = ["7654", "66.13", "0.1235", "0", "-3.5", "1234567", "-", "0", "100"];
        assert_eq!(numbers.map(number), texts);
        assert_eq!([0.000_01, 0.004_2, 0.049].map(probability), ["< 0.0001", "0.0042", "0.05"]);
    }
}
