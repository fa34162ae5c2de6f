//! Groups: runs that differ only in their seeds, summarised together and compared with other groups.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use mancalab_base::{Error, bail};

use crate::cluster::index::is_plan;
use crate::cluster::layout::MERGED;
use crate::job::RunReader;
use crate::job::measured::PANEL;
use crate::job::run_dir::index::runs_in;
use crate::job::run_dir::{self, Columns, Entry, RUN, TIMINGS};
use crate::kinds::{self, Kind};
pub use crate::measuring::PANEL_PERCENT;
use crate::measuring::PanelResult;
use crate::sanitize;
use crate::settings::nearest;
use crate::statistics::{MannWhitney, Summary, holm, quantile};

/// Up to this many groups each is compared with each; of more, each with the first.
const FEW: usize = 8;

/// Runs that differ only in their seeds.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// The settings in which the groups of one comparison differ, such as `population=200`; the preset of a single group.
    pub name: String,
    /// Those settings.
    pub differing: Vec<(String, String)>,
    /// In the order of their seeds.
    pub runs: Vec<GroupRun>,
}

/// A run of a group.
#[derive(Clone, PartialEq, Debug)]
pub struct GroupRun {
    pub entry: Entry,
    pub seed: u64,
    /// The values of the column, one per generation.
    pub curve: Vec<f64>,
}

impl GroupRun {
    /// Returns the value of the last generation; NaN without one.
    pub fn result(&self) -> f64 {
        self.curve.last().copied().unwrap_or(f64::NAN)
    }
}

/// What curves are drawn over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Axis {
    #[default]
    Generations,
    /// Programs evaluated or games played since the start.
    Evaluations,
    /// Computing time since the start.
    Seconds,
}

impl Axis {
    pub const ALL: [Axis; 3] = [Axis::Generations, Axis::Evaluations, Axis::Seconds];

    /// Returns the unit.
    pub fn unit(self) -> &'static str {
        match self {
            Axis::Generations => "generation",
            Axis::Evaluations => "evaluations",
            Axis::Seconds => "seconds",
        }
    }

    /// Returns the columns of `timings.csv` whose sums it shows.
    fn columns(self) -> &'static [&'static str] {
        match self {
            Axis::Generations => &[],
            Axis::Evaluations => &["programs_evaluated_count", "games_count"],
            Axis::Seconds => &["seconds", "breeding_seconds", "evaluation_seconds"],
        }
    }

    /// Returns whether a run has it: its columns exist, and not all times are 0 as in a run merged from a plan.
    pub fn is_of(self, folder: &Path) -> bool {
        self == Axis::Generations
            || self.values(folder, usize::MAX).is_ok_and(|sums| sums.last().is_some_and(|sum| *sum > 0.0))
    }

    /// Returns the place of each row on the axis, of at most `rows` rows.
    ///
    /// # Errors
    /// The timings of the run cannot be read.
    pub fn values(self, folder: &Path, rows: usize) -> Result<Vec<f64>, Error> {
        if self == Axis::Generations {
            return Ok((0..rows).map(|row| row as f64).collect());
        }
        let columns = Columns::open_file(folder, TIMINGS)?;
        let is_summed = |name: &String| self.columns().contains(&name.as_str());
        let summed: Vec<bool> = columns.names.iter().map(is_summed).collect();
        let mut sum = 0.0;
        let mut sums = Vec::new();
        columns.each(|row| {
            let fields = row.split(',').zip(&summed).filter(|(_, is_summed)| **is_summed);
            sum += fields.filter_map(|(field, _)| field.parse::<f64>().ok()).sum::<f64>();
            sums.push(sum);
        })?;
        sums.truncate(rows);
        Ok(sums)
    }
}

/// Groups of runs of one kind, and the column that is looked at.
#[derive(Clone, PartialEq, Debug)]
pub struct Groups {
    pub kind: &'static str,
    pub column: String,
    pub groups: Vec<Group>,
}

/// A value to be reached.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Goal {
    AtLeast(f64),
    AtMost(f64),
}

impl std::str::FromStr for Goal {
    type Err = Error;

    fn from_str(text: &str) -> Result<Goal, Error> {
        let (goal, number): (fn(f64) -> Goal, &str) = match (text.strip_prefix("<="), text.strip_prefix(">=")) {
            (Some(rest), _) => (Goal::AtMost, rest),
            (_, Some(rest)) => (Goal::AtLeast, rest),
            _ => (Goal::AtLeast, text),
        };
        let number = number.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        number.map(goal).ok_or_else(|| Error::expected("a number to reach, such as 60 or <=0.5"))
    }
}

impl Goal {
    fn is_reached(self, value: f64) -> bool {
        match self {
            Goal::AtLeast(least) => value >= least,
            Goal::AtMost(most) => value <= most,
        }
    }
}

/// The distribution of a group's values in each generation. A run that ended earlier keeps its last value.
#[derive(Clone, PartialEq, Debug, Default, serde::Serialize)]
pub struct Band {
    pub median: Vec<f64>,
    /// The quartiles.
    pub lower: Vec<f64>,
    pub upper: Vec<f64>,
}

impl Group {
    /// Returns the values of the runs' last generations.
    pub fn results(&self) -> Vec<f64> {
        self.runs.iter().map(GroupRun::result).filter(|value| !value.is_nan()).collect()
    }

    pub fn summary(&self) -> Option<Summary> {
        Summary::from_values(&self.results())
    }

    /// Returns the first generation of each run that reaches the goal; `None` if it does not.
    pub fn reached(&self, goal: Goal) -> Vec<Option<usize>> {
        self.runs.iter().map(|run| run.curve.iter().position(|&value| goal.is_reached(value))).collect()
    }

    /// Returns the seconds that each run took.
    pub fn seconds(&self) -> Vec<f64> {
        self.runs.iter().map(|run| run.entry.took.as_secs_f64()).collect()
    }

    /// Returns the place of each generation on an axis: the median of the runs. A run that ended earlier keeps its last place.
    ///
    /// # Errors
    /// The timings of a run cannot be read.
    pub fn along(&self, axis: Axis) -> Result<Vec<f64>, Error> {
        let places = self.runs.iter().map(|run| axis.values(&run.entry.folder, run.curve.len()));
        let places = places.collect::<Result<Vec<Vec<f64>>, Error>>()?;
        let median = |at: usize| {
            let place = |places: &Vec<f64>| places.get(at).or(places.last()).copied();
            let mut all: Vec<f64> = places.iter().filter_map(place).collect();
            crate::sort::sort_floats(&mut all);
            quantile(&all, 0.5)
        };
        Ok((0..places.iter().map(Vec::len).max().unwrap_or(0)).map(median).collect())
    }

    pub fn band(&self) -> Band {
        let mut band = Band::default();
        for at in 0..self.runs.iter().map(|run| run.curve.len()).max().unwrap_or(0) {
            let value = |run: &GroupRun| run.curve.get(at).or(run.curve.last()).copied();
            let mut values: Vec<f64> = self.runs.iter().filter_map(value).filter(|value| !value.is_nan()).collect();
            crate::sort::sort_floats(&mut values);
            let quantile_at = |share| if values.is_empty() { f64::NAN } else { quantile(&values, share) };
            band.median.push(quantile_at(0.5));
            band.lower.push(quantile_at(0.25));
            band.upper.push(quantile_at(0.75));
        }
        band
    }
}

/// Two groups compared by their results.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comparison {
    /// Indices of the group and of the one that it is compared with.
    pub pair: (usize, usize),
    pub test: MannWhitney,
    /// The test's probability after Holm's correction for the number of comparisons.
    pub corrected: f64,
}

impl Groups {
    /// Reads the runs in these folders, each once, and divides them into groups, in the order of the settings that differ. `column` is of
    /// `generations.csv`; `None`: the one in which runs of this kind are compared.
    ///
    /// # Errors
    /// A run cannot be read, runs are of different kinds, or there is no such column.
    pub fn read(folders: &[PathBuf], column: Option<&str>) -> Result<Groups, Error> {
        let folders = &distinct(folders);
        let readers = folders.iter().map(|folder| RunReader::open(folder)).collect::<Result<Vec<_>, Error>>()?;
        let Some(first) = readers.first() else { bail!("there are no runs to summarise") };
        let kind = kinds::known(&first.manifest().kind)?;
        if let Some(at) = readers.iter().position(|reader| !kind.is(&reader.manifest().kind)) {
            let path = |at: usize| sanitize::path(&folders[at]);
            bail!("{} is of the command {}, but {} is not; summarise them separately", path(0), kind.command, path(at));
        }
        let column = chosen(&folders[0], kind, column)?;
        let mut keys: Vec<Vec<(String, String)>> = Vec::new();
        let mut groups: Vec<Group> = Vec::new();
        for (folder, reader) in folders.iter().zip(&readers) {
            let key = key(reader)?;
            let at = keys.iter().position(|known| *known == key).unwrap_or(keys.len());
            if at == keys.len() {
                keys.push(key);
                groups.push(Group { name: reader.manifest().preset.clone(), differing: Vec::new(), runs: Vec::new() });
            }
            let entry = run_dir::entry(folder.clone());
            let seed = reader.manifest().seed;
            groups[at].runs.push(GroupRun { entry, seed, curve: curve(folder, &column)? });
        }
        for (group, differing) in groups.iter_mut().zip(differing(&keys)) {
            crate::sort::sort_by_key(&mut group.runs, |run| run.seed);
            if let Some(two) = group.runs.windows(2).find(|two| two[0].seed == two[1].seed) {
                let [one, other] = [&two[0], &two[1]].map(|run| sanitize::path(&run.entry.folder));
                bail!("{one} and {other} have the same settings and seed: name only one of them");
            }
            if !differing.is_empty() {
                let text = |(key, value): &(String, String)| {
                    if key == "preset" { value.clone() } else { format!("{key}={value}") }
                };
                group.name = differing.iter().map(text).collect::<Vec<_>>().join(" ");
            }
            group.differing = differing;
        }
        crate::sort::sort_by(&mut groups, |one, other| by_values(&one.differing, &other.differing));
        Ok(Groups { kind: kind.command, column, groups })
    }

    /// Compares the groups that have results in pairs; see [`comparisons`].
    pub fn comparisons(&self) -> Vec<Comparison> {
        comparisons(&self.groups.iter().map(Group::results).collect::<Vec<_>>())
    }
}

/// Compares groups of results in pairs: each with each if there are up to 8, otherwise each with the first.
pub fn comparisons(results: &[Vec<f64>]) -> Vec<Comparison> {
    let first = |count: usize| if results.len() <= FEW { 0..count } else { 0..count.min(1) };
    let pairs = (0..results.len()).flat_map(|second| first(second).map(move |first| (second, first)));
    let pairs = pairs.filter(|&(a, b)| !results[a].is_empty() && !results[b].is_empty());
    let tests: Vec<_> = pairs.map(|(a, b)| ((a, b), MannWhitney::test(&results[a], &results[b]))).collect();
    let corrected = holm(&tests.iter().map(|(_, test)| test.chance).collect::<Vec<_>>());
    tests.into_iter().zip(corrected).map(|((pair, test), corrected)| Comparison { pair, test, corrected }).collect()
}

/// Returns the folders without those that are the same under another path.
fn distinct(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut seen = HashSet::new();
    let real = |folder: &PathBuf| fs::canonicalize(folder).unwrap_or_else(|_| folder.clone());
    folders.iter().filter(|folder| seen.insert(real(folder))).cloned().collect()
}

/// Returns everything but the seed that decides a run's rows.
fn key(reader: &RunReader) -> Result<Vec<(String, String)>, Error> {
    let manifest = reader.manifest();
    let own = [("preset", manifest.preset.clone()), ("generations", manifest.generations.to_string())];
    let parent = manifest.parent.iter().map(|parent| ("parent", format!("{} {}", parent.run, parent.generation)));
    let own = own.into_iter().chain(parent).map(|(key, value)| (key.to_owned(), value));
    let decides = |key: &str| !["seed", "generations", "keep"].contains(&key);
    Ok(own.chain(reader.listed()?.into_iter().filter(|(key, _)| decides(key))).collect())
}

/// Returns the entries of each list whose values are not the same in all lists.
fn differing(keys: &[Vec<(String, String)>]) -> Vec<Vec<(String, String)>> {
    let mut values: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    keys.iter().flatten().for_each(|(key, value)| values.entry(key).or_default().push(value));
    let differs = |key: &str| {
        let values = &values[key];
        values.len() != keys.len() || values.iter().any(|value| *value != values[0])
    };
    keys.iter().map(|list| list.iter().filter(|(key, _)| differs(key)).cloned().collect()).collect()
}

/// Compares the values of settings one by one, numbers by size.
fn by_values(one: &[(String, String)], other: &[(String, String)]) -> Ordering {
    let order = |((_, one), (_, other)): (&(String, String), &(String, String))| match (
        one.parse::<f64>(),
        other.parse::<f64>(),
    ) {
        (Ok(one), Ok(other)) => one.total_cmp(&other),
        _ => one.cmp(other),
    };
    one.iter().zip(other).map(order).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

fn chosen(folder: &Path, kind: &Kind, column: Option<&str>) -> Result<String, Error> {
    let names = names(&Columns::open(folder)?);
    let column = match column {
        Some(column) => column,
        None => kind.curve(&names).ok_or_else(|| {
            Error::unknown(format!("runs of {} have no usual column to compare; name one", kind.command), names.clone())
        })?,
    };
    match names.iter().any(|name| name == column) {
        true => Ok(column.to_owned()),
        false => Err(no_column(column, &names)),
    }
}

fn no_column(column: &str, names: &[String]) -> Error {
    let near = nearest(column, names.iter().map(String::as_str));
    let hint = near.map(|near| format!(" (did you mean '{near}'?)")).unwrap_or_default();
    Error::unknown(format!("generations.csv has no column '{column}'{hint}"), names.to_vec())
}

/// Returns the values of a column of a run's rows.
///
/// # Errors
/// There are no rows, they cannot be read, or have no such column.
pub fn curve(folder: &Path, column: &str) -> Result<Vec<f64>, Error> {
    let columns = Columns::open(folder)?;
    let find = |column: &str| columns.names.iter().position(|name| name == column);
    match (find(column), find(PANEL)) {
        (Some(at), _) => columns.numbers(at),
        (None, Some(at)) if column == PANEL_PERCENT => against_panel(&columns, at),
        _ => Err(no_column(column, &names(&columns))),
    }
}

/// Returns the names of the columns, with those that are computed.
fn names(columns: &Columns) -> Vec<String> {
    let computed = columns.names.iter().any(|name| name == PANEL).then(|| PANEL_PERCENT.to_owned());
    columns.names.iter().cloned().chain(computed).collect()
}

/// Returns the values of [`PANEL_PERCENT`] from the column of the panel.
fn against_panel(columns: &Columns, panel: usize) -> Result<Vec<f64>, Error> {
    let mut percents = Vec::new();
    let mut newest = f64::NAN;
    columns.each(|row| {
        let met = row.split(',').nth(panel).and_then(PanelResult::parse_list);
        newest = met.filter(|met| !met.is_empty()).map_or(newest, |met| PanelResult::percent_of_all(&met));
        percents.push(newest);
    })?;
    Ok(percents)
}

/// Returns the runs that a text names: the merged runs of a plan; all runs in a folder; a run with those beside it that differ
/// only in the seed; or all runs in `saved` whose names begin with it.
///
/// # Errors
/// There are none, or the plan was not merged yet.
pub fn named(saved: Option<&Path>, text: &Path) -> Result<Vec<PathBuf>, Error> {
    let places = [Some(text.to_owned()), saved.map(|saved| saved.join(text))];
    for place in places.into_iter().flatten().filter(|place| place.is_dir()) {
        if is_plan(&place) {
            let merged = runs_in(&place.join(MERGED));
            if merged.is_empty() {
                let shown = sanitize::path(&place);
                bail!("{shown} has no merged runs yet: `mancalab plan merge {}`", sanitize::shell_path(&place));
            }
            return Ok(merged);
        }
        if place.join(RUN).exists() {
            return siblings(&place);
        }
        let inside = runs_in(&place);
        if !inside.is_empty() {
            return Ok(inside);
        }
    }
    let start = text.to_string_lossy();
    let begins = |folder: &PathBuf| folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&*start));
    let found: Vec<PathBuf> = saved.map(runs_in).unwrap_or_default().into_iter().filter(begins).collect();
    if found.is_empty() {
        let places = [saved, Some(Path::new("."))].into_iter().flatten().flat_map(fs::read_dir).flatten().flatten();
        let folders = places.map(|entry| entry.path()).filter(|path| is_plan(path) || path.join(RUN).exists());
        let names: Vec<String> = folders.filter_map(|folder| Some(folder.file_name()?.to_str()?.to_owned())).collect();
        let near = nearest(&start, names.iter().map(String::as_str));
        let near = near.map_or(String::new(), |near| format!("; did you mean '{}'?", sanitize::inline(near)));
        bail!("no plan, folder of runs, run or start of runs' names is '{}'{near}", sanitize::inline(&start));
    }
    Ok(found)
}

/// Returns a run and those beside it that differ only in the seed; of copies of a run the named or first one.
fn siblings(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let reader = RunReader::open(folder)?;
    let own = key(&reader)?;
    let mut seeds = HashSet::from([reader.manifest().seed]);
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut runs = runs_in(parent);
    runs.retain(|other| {
        let Ok(reader) = RunReader::open(other) else { return false };
        other.file_name() == folder.file_name()
            || (key(&reader).is_ok_and(|other| other == own) && seeds.insert(reader.manifest().seed))
    });
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_sums_the_timings() {
        let folder = tempfile::tempdir().unwrap();
        let timings = "generation,breeding_seconds,evaluation_seconds,programs_evaluated_count,memo_misses_seconds\n\
                       0,0.5,1.5,100,9\n1,0.25,0.75,40,9\n2,0,1,60,9\n";
        fs::write(folder.path().join("timings.csv"), timings).unwrap();
        let of = |axis: Axis, rows| axis.values(folder.path(), rows).unwrap();
        assert_eq!(of(Axis::Generations, 3), [0.0, 1.0, 2.0]);
        assert_eq!(of(Axis::Seconds, 3), [2.0, 3.0, 4.0]);
        assert_eq!(of(Axis::Evaluations, 2), [100.0, 140.0]);
        assert!(Axis::Evaluations.is_of(folder.path()));
        fs::write(folder.path().join("timings.csv"), "generation,seconds\n0,0\n1,0\n").unwrap();
        assert!(!Axis::Seconds.is_of(folder.path()) && !Axis::Evaluations.is_of(folder.path()));
    }
}
