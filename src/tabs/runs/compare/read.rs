//! Reading of the runs that are compared.

use std::path::{Path, PathBuf};

use mancalab_base::Error;

use super::Comparison;
use crate::grid::Grid;
use crate::groups::{self, Axis, Comparison as Comparing, Group, GroupRun, Groups};
use crate::job::run_dir::{Columns, Entry};
use crate::kept::{self, differing};
use crate::kinds;
use crate::summary;
use crate::tabs::runs::RunTab;
use crate::ui::duration;

/// Maximum number of points per curve, more than a chart can show. Longer curves are thinned.
const POINTS: usize = 2000;

/// What to compare, and how.
#[derive(Clone)]
pub struct Query {
    pub source: Source,
    /// The column of the curves; `None`: the usual one.
    pub column: Option<String>,
    pub axis: Axis,
}

/// The runs that are compared.
#[derive(Clone)]
pub enum Source {
    /// Each alone.
    Runs(&'static RunTab, Vec<Entry>),
    /// Groups of the runs that these folders stand for.
    Groups(Vec<PathBuf>),
}

impl Source {
    /// Returns the usual query.
    pub fn query(self) -> Query {
        Query { source: self, column: None, axis: Axis::default() }
    }
}

impl Query {
    /// Reads the runs' files.
    ///
    /// # Errors
    /// A run cannot be read, or groups have no common column.
    pub fn read(self) -> Result<Comparison, Error> {
        match self.source.clone() {
            Source::Runs(tab, runs) => self.read_runs(tab, &runs),
            Source::Groups(folders) => self.read_groups(&folders),
        }
    }

    fn read_runs(self, tab: &RunTab, runs: &[Entry]) -> Result<Comparison, Error> {
        let mut settings: Vec<Vec<(String, String)>> = Vec::new();
        let mut curves = Vec::new();
        let mut columns = Vec::new();
        // All settings by their keys; those of the form have titles.
        let mut keyed: Vec<Vec<(String, String)>> = Vec::new();
        let kind = tab.kind();
        let mut column = self.column.clone().unwrap_or_default();
        for run in runs {
            let own = kinds::settings(&run.folder)?;
            let preset = ("preset".to_owned(), own.manifest().preset_marked());
            keyed.push(own.list().into_iter().map(|(key, _, value)| (key.to_owned(), value)).collect());
            settings.push(std::iter::once(preset).chain((tab.form.fields)(&*own)).collect());
            let names = Columns::open(&run.folder)?.names;
            if column.is_empty() {
                kind.curve(&names).unwrap_or_default().clone_into(&mut column);
            }
            curves.push(match names.contains(&column) {
                true => {
                    let values = groups::curve(&run.folder, &column)?;
                    thinned(&self.axis.values(&run.folder, values.len())?, &values)
                }
                false => Vec::new(),
            });
            columns.extend(names.into_iter().filter(|name| !columns.contains(name)).collect::<Vec<_>>());
        }
        let keyed: Vec<&[(String, String)]> = keyed.iter().map(Vec::as_slice).collect();
        let warning = summary::warning(&column, "runs", differing(&keyed, "").iter().map(|(key, _)| key.as_str()));
        let faulty = summary::faulty(runs.iter().map(|run| &*run.folder));
        let settings: Vec<&[(String, String)]> = settings.iter().map(Vec::as_slice).collect();
        let mut rows = differing(&settings, "");
        rows.extend(kept::status_rows(&runs.iter().collect::<Vec<_>>(), kind, duration));
        let names = runs.iter().map(|run| run.name.clone()).collect();
        let axes = axes(runs.iter().map(|run| &*run.folder));
        let heat_from = usize::MAX;
        Ok(Comparison {
            names,
            columns,
            column,
            axes,
            curves,
            rows,
            warning: warning.into_iter().chain(faulty).reduce(|one, other| format!("{one}. {other}")),
            heat_from,
            ..Comparison::new(self, "Differences and status")
        })
    }

    fn read_groups(self, folders: &[PathBuf]) -> Result<Comparison, Error> {
        let mut runs = Vec::new();
        for folder in folders {
            runs.extend(groups::named(None, folder)?.into_iter().filter(|run| !runs.contains(run)).collect::<Vec<_>>());
        }
        let groups = Groups::read(&runs, self.column.as_deref())?;
        let bands: Vec<groups::Band> = groups.groups.iter().map(Group::band).collect();
        let x = groups.groups.iter().map(|group| group.along(self.axis)).collect::<Result<Vec<_>, Error>>()?;
        let mut rows = turned(&summary::table(&groups, None));
        rows.extend(differences(&groups));
        let heat_from = rows.len();
        rows.extend(results(&groups));
        Ok(Comparison {
            names: groups.groups.iter().map(|group| group.name.clone()).collect(),
            columns: runs.first().map_or(Ok(Vec::new()), |run| Columns::open(run).map(|columns| columns.names))?,
            axes: axes(runs.iter().map(|run| &**run)),
            curves: bands.iter().zip(&x).map(|(band, x)| thinned(x, &band.median)).collect(),
            bands: bands.iter().zip(&x).map(|(band, x)| quartiles(band, x)).collect(),
            warning: summary::warnings(&groups),
            results: groups.groups.iter().map(Group::results).collect(),
            column: groups.column,
            rows,
            heat_from,
            ..Comparison::new(self, "Groups of runs: their last generations")
        })
    }
}

/// Returns the axes that all runs have.
fn axes<'a>(runs: impl Iterator<Item = &'a Path> + Clone) -> Vec<Axis> {
    Axis::ALL.into_iter().filter(|axis| runs.clone().all(|run| axis.is_of(run))).collect()
}

/// Returns a table with its rows as columns, without the names.
fn turned(grid: &Grid) -> Vec<(String, Vec<String>)> {
    let Some((head, rows)) = grid.rows.split_first() else { return Vec::new() };
    let row = |(column, what): (usize, &String)| (what.clone(), rows.iter().map(|row| row[column].clone()).collect());
    head.iter().enumerate().skip(1).map(row).collect()
}

/// How likely the difference of each group from the first is chance, and how often it is ahead.
fn differences(groups: &Groups) -> Vec<(String, Vec<String>)> {
    let with_first: Vec<_> = groups.comparisons().into_iter().filter(|one| one.pair.1 == 0).collect();
    if with_first.is_empty() {
        return Vec::new();
    }
    let row = |what: &str, text: &dyn Fn(&Comparing) -> String| {
        let of = |group: usize| with_first.iter().find(|one| one.pair.0 == group).map_or("-".to_owned(), text);
        (what.to_owned(), (0..groups.groups.len()).map(of).collect())
    };
    vec![
        row("above the first", &|one| format!("{:.0} %", 100.0 * one.test.greater)),
        row("p corrected (Holm)", &|one| summary::probability(one.corrected)),
    ]
}

/// The result of each seed.
fn results(groups: &Groups) -> Vec<(String, Vec<String>)> {
    let mut seeds: Vec<u64> = groups.groups.iter().flat_map(|group| &group.runs).map(|run| run.seed).collect();
    crate::sort::sort(&mut seeds);
    seeds.dedup();
    let row = |seed: &u64| {
        let of = |group: &Group| group.runs.iter().find(|run| run.seed == *seed).map_or(f64::NAN, GroupRun::result);
        (format!("seed {seed}"), groups.groups.iter().map(|group| summary::number(of(group))).collect())
    };
    seeds.iter().map(row).collect()
}

fn quartiles(band: &groups::Band, x: &[f64]) -> Vec<(f64, f64, f64)> {
    let step = band.lower.len().div_ceil(POINTS).max(1);
    let points = x.iter().zip(band.lower.iter().zip(&band.upper)).step_by(step);
    points.map(|(x, (low, high))| (*x, *low, *high)).filter(|(_, low, high)| (low + high).is_finite()).collect()
}

/// Returns the points of a curve, thinned if there are many; its ends stay.
fn thinned(x: &[f64], values: &[f64]) -> Vec<(f64, f64)> {
    let step = values.len().div_ceil(POINTS).max(1);
    let last = values.len().saturating_sub(1);
    let points = x.iter().zip(values).enumerate();
    let points = points.filter(|(at, (_, value))| (at % step == 0 || *at == last) && value.is_finite());
    points.map(|(_, (x, value))| (*x, *value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_keeps_its_ends_when_it_is_thinned() {
        let values: Vec<f64> = (0..100_001).map(f64::from).collect();
        let points = thinned(&values, &values);
        assert!(points.len() <= POINTS + 1);
        assert_eq!((points[0], points[points.len() - 1]), ((0.0, 0.0), (100_000.0, 100_000.0)));
        assert_eq!(thinned(&[0.0, 5.0, 9.0], &[1.0, f64::NAN, 3.0]), [(0.0, 1.0), (9.0, 3.0)]);
    }
}
