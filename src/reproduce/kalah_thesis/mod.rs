//! T. J. Hunter, *The Exploration and Analysis of Mancala from an AI Perspective* (Andrews University, 2021): its tables on
//! the heuristic player, computed again.

mod chart;
pub mod depth;
pub mod figures;
pub mod matches;
pub mod table1;
pub mod table2;
pub mod table3;

use std::path::{Path, PathBuf};

use super::Table;
use crate::files::write_atomic;
use crate::player::heuristic::Reading;

const SOURCE: &str = "The Exploration and Analysis of Mancala from an AI Perspective";

/// How many moves at the start of a game are random.
const OPENING: u32 = 2;

/// Plies every heuristic player looks ahead.
const DEPTH: u32 = 4;

/// What can be asked for besides the target.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// All chance follows from it.
    pub seed: u64,
    /// Games in a match; without it 10 in Table 2 and 1,000 in the matches.
    pub games: Option<u32>,
    /// Runs of Table 3.
    pub runs: u32,
    /// Generations of each run.
    pub generations: u64,
    /// Other readings, as KEY=VALUE.
    pub set: Vec<String>,
    /// Where CSV files, plots and runs go.
    pub out: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        Options { seed: 1, games: None, runs: 20, generations: 250, set: Vec::new(), out: None }
    }
}

/// Reproduces the target with this name; `tell` is given a line now and then.
///
/// # Errors
/// There is no such target, an option makes no sense, or a file cannot be written: a sentence.
pub fn reproduce(target: &str, options: &Options, tell: &mut dyn FnMut(&str)) -> Result<Table, String> {
    match target {
        "kalah-thesis/table1" => table1::reproduce(options, tell),
        "kalah-thesis/epsilon" => table1::epsilon(options, tell),
        "kalah-thesis/figure4" => figures::FIGURE4.reproduce(options, tell),
        "kalah-thesis/figure5" => figures::FIGURE5.reproduce(options, tell),
        "kalah-thesis/depth" => depth::reproduce(options, tell),
        "kalah-thesis/table2" => table2::reproduce(options),
        "kalah-thesis/table3" => table3::reproduce(options, tell),
        "kalah-thesis/matches" => matches::reproduce(options, tell),
        _ => Err(format!(
            "nothing is called '{target}'; known: kalah-thesis/table1, table2, table3, epsilon, figure4, figure5, depth and matches"
        )),
    }
}

/// How the thesis is read where it is silent, wherever heuristic players meet.
fn reading(reading: Reading) -> Vec<(&'static str, String)> {
    vec![
        ("rules", "6x4:standard; every sowing is one level of the search".to_owned()),
        (
            "chance",
            format!("the first {OPENING} moves of a game are random, and so are ties between equally good moves"),
        ),
        ("H5, H7", format!("judged={}: the move at the root, or the last own one on the path", reading.judged)),
        (
            "H9, H10",
            format!(
                "near={}: seeds by which a store exceeds 1.5 of the other, whether it does, or as printed",
                reading.nearness
            ),
        ),
        ("no store", "below five seeds in the store they look at, H9 and H10 are 0".to_owned()),
    ]
}

/// Settings as (key, value).
type Pairs<'a> = Vec<(&'a str, &'a str)>;

/// The reading that `set` asks for; what is not about readings is left in the list that is given back.
fn read_settings(set: &[String]) -> Result<(Reading, Pairs<'_>), String> {
    let mut reading = Reading::default();
    let mut others = Vec::new();
    for text in set {
        let (key, value) = text.split_once('=').ok_or_else(|| format!("--set takes KEY=VALUE; '{text}' is not"))?;
        let (key, value) = (key.trim(), value.trim());
        match key {
            "judged" => reading.judged = value.parse().map_err(|error| format!("judged: {error}"))?,
            "near" => reading.nearness = value.parse().map_err(|error| format!("near: {error}"))?,
            _ => others.push((key, value)),
        }
    }
    Ok((reading, others))
}

/// Refuses what is left over.
fn no_others(others: &[(&str, &str)]) -> Result<(), String> {
    others.first().map_or(Ok(()), |(key, _)| Err(format!("'{key}' is no reading; known: judged, near")))
}

/// Writes a CSV file and a plot called `name` into `out`, if there is one; gives the note that says so.
fn write_files(out: Option<&Path>, name: &str, csv: &str, svg: &str) -> Result<Option<String>, String> {
    let Some(out) = out else { return Ok(None) };
    let paths = [out.join(format!("{name}.csv")), out.join(format!("{name}.svg"))];
    for (path, text) in paths.iter().zip([csv, svg]) {
        write_atomic(path, text.as_bytes()).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(Some(format!("Written: {}, {}", paths[0].display(), paths[1].display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_make_no_sense_are_told() {
        let error = |target: &str, set: &str| {
            let options = Options { set: vec![set.to_owned()], games: Some(2), runs: 0, ..Options::default() };
            reproduce(target, &options, &mut |_| ()).unwrap_err()
        };
        assert_eq!(error("kalah-thesis/table2", "speed=1"), "'speed' is no reading; known: judged, near");
        assert_eq!(error("kalah-thesis/table2", "near"), "--set takes KEY=VALUE; 'near' is not");
        assert!(error("kalah-thesis/matches", "near=far").contains("expected difference, indicator or printed"));
        assert!(error("kalah-thesis/table3", "speed=1").starts_with("there is no setting 'speed'"));
        assert!(error("kalah-thesis/table9", "").contains("figure5, depth and matches"));
    }

    #[test]
    fn tables_of_the_arena_tell_intervals_and_write_files() {
        let folder = tempfile::tempdir().unwrap();
        let out = Some(folder.path().to_owned());
        for (name, set, lines) in [("figure4", "most=250", 4), ("figure5", "most=250", 4)] {
            let options = Options { games: Some(2), set: vec![set.to_owned()], out: out.clone(), ..Options::default() };
            let table = reproduce(&format!("kalah-thesis/{name}"), &options, &mut |_| ()).unwrap();
            assert_eq!(table.lines.len(), lines);
            assert!(table.lines.iter().all(|line| line.interval.is_some()));
            assert!(table.to_text().contains("iterations") && table.to_text().contains("95 %: "));
            let svg = std::fs::read_to_string(folder.path().join(format!("{name}.svg"))).unwrap();
            assert!(svg.starts_with("<svg ") && svg.matches("<polyline").count() == 4);
        }
        let error = |target: &str, set: &str| {
            let options = Options { games: Some(1), set: vec![set.to_owned()], ..Options::default() };
            reproduce(target, &options, &mut |_| ()).unwrap_err()
        };
        assert_eq!(error("kalah-thesis/table1", "eps=3"), "eps takes a probability from 0 to 1; '3' is none");
        assert_eq!(error("kalah-thesis/table1", "x=3"), "'x' is no reading; known: judged, near, eps");
        assert_eq!(error("kalah-thesis/figure4", "most=1"), "most takes iterations, at least 250; '1' is not that");
    }

    #[test]
    fn files_are_written_where_asked() {
        let folder = tempfile::tempdir().unwrap();
        let out = Some(folder.path().to_owned());
        let options = Options { games: Some(2), runs: 2, generations: 1, out, ..Options::default() };
        for name in ["table2", "matches"] {
            let options = Options { games: Some(2), ..options.clone() };
            let set = if name == "matches" { vec!["opponents=random".to_owned()] } else { Vec::new() };
            let table = reproduce(&format!("kalah-thesis/{name}"), &Options { set, ..options }, &mut |_| ()).unwrap();
            assert!(table.notes.iter().any(|note| note.starts_with("Written: ")), "{:?}", table.notes);
            let svg = std::fs::read_to_string(folder.path().join(format!("{name}.svg"))).unwrap();
            assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>") && !svg.contains("NaN"));
        }
    }
}
