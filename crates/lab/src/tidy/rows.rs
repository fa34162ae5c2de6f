//! The rows of tidy tables, from the files of a run.

use mancalab_base::{Error, csv};

use super::Take;
use crate::job::RunSettings;
use crate::job::run_dir::Columns;
use crate::job::{Manifest, export};
use crate::patterns;

/// Columns of the runs, after the name.
pub(super) const RUN_COLUMNS: &[&str] = &["kind", "preset", "seed", "generations_count", "version", "is_reproducible"];
/// Columns of the settings.
pub(super) const SETTING_COLUMNS: &[&str] = &["setting", "item", "value"];
/// Columns of the panel.
pub(super) const PANEL_COLUMNS: &[&str] = &["generation", "player", "seat", "won_count", "drawn_count", "lost_count"];

pub(super) use crate::job::measured::PANEL;
/// Beginning of the packed column of errors by stage; its unit follows.
pub(super) const ERRORS: &str = "errors_by_stage_";

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
    let stages = settings.get::<patterns::Settings>().map_or(&[][..], |settings| settings.subject.stages);
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
