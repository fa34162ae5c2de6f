//! The rows of tidy tables, from the files of a run.

use std::path::Path;
use std::sync::Arc;

use mancalab_base::{Error, csv};

use super::Take;
use crate::arena::{self, Ledger, Score};
use crate::job::run_dir::Columns;
use crate::job::{Manifest, RunReader, RunSettings, export};
use crate::measuring::{PANEL_PERCENT, PanelResult};
use crate::{evaluations, kinds};

pub(super) use crate::job::measured::PANEL;

/// Columns of the runs, after the name.
pub(super) const RUN_COLUMNS: &[&str] = &["kind", "preset", "seed", "generations_count", "version", "is_reproducible"];
/// Columns of the settings.
pub(super) const SETTING_COLUMNS: &[&str] = &["setting", "item", "value"];
/// Columns of the panel.
pub(super) const PANEL_COLUMNS: &[&str] = &["generation", "player", "seat", "won_count", "drawn_count", "lost_count"];

/// Beginning of the packed column of errors by stage; its unit follows.
const ERRORS: &str = "errors_by_stage_";

/// Whether a column of a run's files holds several values in a cell, which have a table of their own.
pub(super) fn is_packed(name: &str) -> bool {
    [PANEL, "games", "nanoseconds_and_moves_of_both"].contains(&name) || name.starts_with(ERRORS)
}

/// Returns the column of one stage's error, if there are any.
pub(super) fn stage_error(names: &[String]) -> Option<String> {
    names.iter().find_map(|name| name.strip_prefix(ERRORS)).map(|unit| format!("stage_error_{unit}"))
}

pub(super) fn run(kind: &str, manifest: &Manifest) -> Vec<String> {
    let Manifest { preset, seed, generations, version, reproducible, .. } = manifest;
    vec![
        kind.to_owned(),
        preset.clone(),
        seed.to_string(),
        generations.to_string(),
        version.clone(),
        reproducible.to_string(),
    ]
}

pub(super) fn settings(listed: &[(String, String)]) -> Vec<Vec<String>> {
    let rows = |(key, value): &(String, String)| {
        let items = export::items(value);
        let is_list = items.is_some();
        let row = |(number, item): (usize, String)| {
            let item_number = if is_list { (number + 1).to_string() } else { String::new() };
            vec![key.clone(), item_number, item]
        };
        items.unwrap_or_else(|| vec![value.clone()]).into_iter().enumerate().map(row).collect::<Vec<_>>()
    };
    listed.iter().flat_map(rows).collect()
}

/// Passes on the columns that are not packed.
pub(super) fn plain(rows: &export::Rows, take: Take<'_>) -> Result<(), Error> {
    let keep: Vec<bool> = rows.names.iter().map(|name| !is_packed(name)).collect();
    rows.each(|row| {
        let own: Vec<String> = row.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(text, _)| text.clone()).collect();
        take(&own)
    })
}

/// Returns the field of a column with the generation, for rows that have it.
fn field(row: &[String], at: Option<usize>) -> Option<(&String, &str)> {
    Some((row.first()?, row.get(at?)?))
}

/// Passes on the results against each player of the panel in each seat, such as `17-1-2/15-0-5`.
pub(super) fn panel(rows: &export::Rows, listed: &[(String, String)], take: Take<'_>) -> Result<(), Error> {
    let at = rows.names.iter().position(|name| name == PANEL);
    let players =
        listed.iter().find(|(key, _)| key == "panel").and_then(|(_, value)| export::items(value)).unwrap_or_default();
    rows.each(|row| {
        let Some((generation, met)) = field(row, at).filter(|(_, met)| *met != "-") else { return Ok(()) };
        for (player, seats) in players.iter().zip(met.split(' ')) {
            for (seat, games) in ["first", "second"].into_iter().zip(seats.split('/')) {
                let counts = games.split('-').map(str::to_owned);
                let own: Vec<String> =
                    [generation.as_str(), player, seat].map(str::to_owned).into_iter().chain(counts).collect();
                take(&own)?;
            }
        }
        Ok(())
    })
}

/// Passes on the errors by stage.
pub(super) fn stage_errors(rows: &export::Rows, settings: &dyn RunSettings, take: Take<'_>) -> Result<(), Error> {
    let at = rows.names.iter().position(|name| name.starts_with(ERRORS));
    let stages = settings.get::<evaluations::Settings>().map_or(&[][..], |settings| settings.subject.stages);
    rows.each(|row| {
        let Some((generation, errors)) = field(row, at) else { return Ok(()) };
        for (number, error) in errors.split(' ').enumerate() {
            let name = stages.get(number).map_or("", |(name, ..)| name);
            take(&[generation.clone(), (number + 1).to_string(), name.to_owned(), error.to_owned()])?;
        }
        Ok(())
    })
}

/// Passes on the individuals, whose fields may be quoted and contain line breaks.
pub(super) fn individuals(columns: &Columns, take: Take<'_>) -> Result<(), Error> {
    let mut record = String::new();
    columns.try_each(|line| {
        if !record.is_empty() {
            record.push('\n');
        }
        record += line;
        if record.matches('"').count() % 2 == 1 {
            return Ok(());
        }
        take(&fields(&std::mem::take(&mut record)))
    })
}

/// Splits a record of a CSV file into its fields.
fn fields(record: &str) -> Vec<String> {
    csv::rows(record).pop().map_or_else(|| vec![String::new()], |(_, fields)| fields)
}

/// The reader of a run's rows, in turn from the first.
pub struct Scalars {
    /// The names of the columns; empty before the header.
    names: Vec<String>,
    /// The players of the panel.
    panel: Vec<String>,
    settings: Box<dyn RunSettings>,
    /// The games of a tournament.
    ledger: Option<Ledger>,
}

/// A generation or round, and its numbers with their names.
pub type Step = (u64, Vec<(String, f64)>);

impl Scalars {
    /// # Errors
    /// The folder holds no run, or its `run.toml` cannot be read.
    pub fn open(folder: &Path) -> Result<Scalars, Error> {
        let listed = RunReader::open(folder)?.listed()?;
        let settings = kinds::settings(folder)?;
        let panel = listed.iter().find(|(key, _)| key == "panel").and_then(|(_, value)| export::items(value));
        let ledger = settings.get::<arena::Settings>().map(|settings| Ledger::new(Arc::new(settings.clone())));
        Ok(Scalars { names: Vec::new(), panel: panel.unwrap_or_default(), settings, ledger })
    }

    /// Reads the next line of `generations.csv`: returns the generation or round, and the numbers with their names, of which a panel, the
    /// stages of a game and the players of a tournament have one each. `None` for the header.
    ///
    /// # Errors
    /// The row is not the next of a tournament.
    pub fn read(&mut self, line: &str) -> Result<Option<Step>, Error> {
        let mut fields = line.split(',');
        if self.names.is_empty() {
            self.names = fields.map(str::to_owned).collect();
            return Ok(None);
        }
        let step = fields.next().and_then(|step| step.parse().ok()).unwrap_or(0);
        let mut numbers = Vec::new();
        for (name, field) in self.names.iter().skip(1).zip(fields) {
            match name.strip_prefix(ERRORS) {
                Some(unit) => numbers.extend(self.errors(unit, field)),
                None if name == PANEL => numbers.extend(self.met(field)),
                None => numbers.extend(field.parse().ok().map(|number| (name.clone(), number))),
            }
        }
        if let Some(ledger) = &mut self.ledger {
            ledger.count(line)?;
            numbers.extend(shares(ledger));
        }
        Ok(Some((step, numbers)))
    }

    fn errors(&self, unit: &str, field: &str) -> Vec<(String, f64)> {
        let stages = self.settings.get::<evaluations::Settings>().map_or(&[][..], |settings| settings.subject.stages);
        let name = |at: usize| stages.get(at).map_or_else(|| (at + 1).to_string(), |(name, ..)| (*name).to_owned());
        let error =
            |(at, error): (usize, &str)| Some((format!("stage_error_{unit}/{}", name(at)), error.parse().ok()?));
        field.split(' ').enumerate().filter_map(error).collect()
    }

    /// The percentage of points against each player of the panel, and against all.
    fn met(&self, field: &str) -> Vec<(String, f64)> {
        let met = PanelResult::parse_list(field).unwrap_or_default();
        let of_all = (!met.is_empty()).then(|| (PANEL_PERCENT.to_owned(), PanelResult::percent_of_all(&met)));
        let of_one =
            |(player, met): (&String, &PanelResult)| (format!("{PANEL_PERCENT}/{player}"), 100.0 * met.both().share());
        of_all.into_iter().chain(self.panel.iter().zip(&met).map(of_one)).collect()
    }
}

/// The percentage of points of each player of a tournament in its games so far.
fn shares(ledger: &Ledger) -> Vec<(String, f64)> {
    let players = &ledger.settings().players;
    let score = |player: usize| {
        ledger.cells().iter().fold(Score::default(), |all, view| {
            let first = if view.cell.first == player { view.score } else { Score::default() };
            let second = if view.cell.second == player { view.score.turned() } else { Score::default() };
            all.plus(first).plus(second)
        })
    };
    let scores = players.iter().enumerate().map(|(at, player)| (at, player, score(at)));
    let met = scores.filter(|(_, _, score)| score.games() > 0);
    met.map(|(at, player, score)| (format!("points_percent/{} {player}", at + 1), 100.0 * score.share())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluations::Learnable as _;
    use crate::game::othello::Othello;
    use crate::job::RunJob;
    use crate::pool::Pool;

    #[test]
    fn fields_are_what_was_quoted() {
        for texts in [&["a", "b,c", "d\"e\"", "", "two\nlines"][..], &[""], &["\"", ",", "x"]] {
            let line = csv::line(texts);
            assert_eq!(fields(&line), texts);
        }
    }

    #[test]
    fn lists_have_a_row_for_each_item() {
        let listed = [("players", "[\"a:1\", \"b\"]"), ("games", "64-64"), ("none", "[]")];
        let listed = listed.map(|(key, value)| (key.to_owned(), value.to_owned()));
        assert_eq!(settings(&listed), [["players", "1", "a:1"], ["players", "2", "b"], ["games", "", "64-64"]]);
    }

    /// The numbers of a row of a new run.
    fn numbers(preset: &str, columns: &str, row: &str) -> (u64, Vec<(String, f64)>) {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        let settings = kinds::KINDS.iter().find_map(|kind| kind.preset(preset)).unwrap();
        drop(RunJob::create(&run, settings, &Pool::alone()).unwrap());
        let mut scalars = Scalars::open(&run).unwrap();
        assert_eq!(scalars.read(columns).unwrap(), None);
        scalars.read(row).unwrap().unwrap()
    }

    fn named(numbers: &[(&str, f64)]) -> Vec<(String, f64)> {
        numbers.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect()
    }

    #[test]
    fn packed_columns_have_a_number_for_each_player_and_stage() {
        let (step, numbers) =
            numbers("a3c-mixed", "generation,won_percent,panel_won_drawn_lost", "12,50.5,3-0-1/1-2-1 0-0-4/0-0-4");
        assert_eq!((step, numbers.len()), (12, 4));
        let values: Vec<f64> = numbers.iter().map(|(_, number)| *number).collect();
        assert_eq!((values, numbers[1].0.as_str()), (vec![50.5, 31.25, 62.5, 0.0], "panel_percent"));
        assert!(numbers[2].0.starts_with("panel_percent/") && numbers[2].0 != numbers[3].0);
        let (_, numbers) = self::numbers("a3c-mixed", "generation,rate,panel_won_drawn_lost", "1,0.5,-");
        assert_eq!(numbers, named(&[("rate", 0.5)]));
    }

    #[test]
    fn errors_are_named_by_the_stage() {
        let (_, numbers) = numbers("othello-patterns", "generation,errors_by_stage_discs", "3,1.5 2.5");
        assert_eq!(numbers.iter().map(|(_, number)| *number).collect::<Vec<_>>(), [1.5, 2.5]);
        let names = [0, 1].map(|at| format!("stage_error_discs/{}", Othello::SUBJECT.stages[at].0));
        assert_eq!(numbers.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(), names);
    }
}
