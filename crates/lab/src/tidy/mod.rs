//! The results of runs as tidy tables: one row per observation, one value per cell, typed columns with units. Empty cells are
//! missing values. Shares are fractions from 0 to 1.

mod columns;
mod rows;
mod scalars;

use std::path::{Path, PathBuf};

use mancalab_base::Error;

pub use scalars::Scalars;

use crate::arena;
use crate::job::RunSettings;
use crate::job::run_dir::{Columns, INDIVIDUALS, TIMINGS};
use crate::job::{Manifest, RunReader, export};
use crate::kinds;

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Integer,
    Number,
    Boolean,
    String,
}

/// A column of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    pub name: String,
    pub kind: Type,
    /// The unit, such as `s` or `nodes`; empty for names and texts.
    pub unit: &'static str,
    pub about: String,
}

/// A table of a run. The first column is the run's name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// The name of its file, without an ending.
    pub name: &'static str,
    pub about: &'static str,
    pub columns: Vec<Column>,
    /// Columns that together identify a row.
    pub key: &'static [&'static str],
}

/// A row passed on; an error ends reading.
pub type Take<'a> = &'a mut dyn FnMut(&[String]) -> Result<(), Error>;

/// A run whose tables are read.
pub struct Tables {
    folder: PathBuf,
    /// The name of its folder.
    name: String,
    manifest: Manifest,
    kind: &'static str,
    settings: Box<dyn RunSettings>,
    listed: Vec<(String, String)>,
}

impl Tables {
    /// # Errors
    /// The folder holds no run, or its `run.toml` cannot be read.
    pub fn open(folder: &Path) -> Result<Tables, Error> {
        let reader = RunReader::open(folder)?;
        let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
        let manifest = reader.manifest().clone();
        let listed = reader.listed()?;
        let kind = kinds::known(&manifest.kind)?.typed();
        let settings = kinds::settings(folder)?;
        Ok(Tables { folder: folder.to_owned(), name, manifest, kind, settings, listed })
    }

    /// Returns the run's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the command, the description and the settings of the run.
    pub fn manifest(&self) -> (&'static str, &Manifest, &[(String, String)]) {
        (self.kind, &self.manifest, &self.listed)
    }

    /// Returns the run's tables, of which some may have no rows yet.
    ///
    /// # Errors
    /// A file with rows cannot be read.
    pub fn tables(&self) -> Result<Vec<Table>, Error> {
        let mut tables = vec![
            self.table("runs", "The runs.", &["run"], rows::RUN_COLUMNS),
            self.table(
                "settings",
                "The settings of the runs; lists have a row per item.",
                &["run", "setting", "item"],
                rows::SETTING_COLUMNS,
            ),
        ];
        let names = self.generations()?.names;
        let own: Vec<&str> = names.iter().map(String::as_str).filter(|name| !rows::is_packed(name)).collect();
        if own.len() > 1 {
            tables.push(self.table("generations", "The results of each generation.", &["run", "generation"], &own));
        }
        let is_tournament = self.tournament().is_some();
        if is_tournament {
            let key = &["run", "round", "pair"];
            tables.push(self.table("games", "The games of a tournament.", key, arena::tidy::GAME_COLUMNS));
        }
        if names.iter().any(|name| name == rows::PANEL) {
            let key = &["run", "generation", "player", "seat"];
            tables.push(self.table("panel", "The games against the panel.", key, rows::PANEL_COLUMNS));
        }
        if let Some(errors) = rows::stage_error(&names) {
            let columns = ["generation", "stage", "stage_name", errors.as_str()];
            tables.push(self.table(
                "stage_errors",
                "The errors by stage of the game.",
                &["run", "generation", "stage"],
                &columns,
            ));
        }
        if self.folder.join(TIMINGS).exists() {
            let names = self.timings()?.names;
            let own: Vec<&str> = names.iter().map(String::as_str).filter(|name| !rows::is_packed(name)).collect();
            let key: &[&str] = if is_tournament { &["run", "round"] } else { &["run", "generation"] };
            tables.push(self.table("timings", "The times of generations or rounds on the machine.", key, &own));
            if is_tournament {
                let key = &["run", "round", "pair", "seat"];
                let about = "The times of players on the machine.";
                tables.push(self.table("game_timings", about, key, arena::tidy::TIME_COLUMNS));
            }
        }
        if self.folder.join(INDIVIDUALS).exists() {
            let names = Columns::open_file(&self.folder, INDIVIDUALS)?.names;
            let own: Vec<&str> = names.iter().map(String::as_str).collect();
            tables.push(self.table(
                "individuals",
                "The individuals of each generation.",
                &["run", "generation", "rank"],
                &own,
            ));
        }
        Ok(tables)
    }

    fn table(&self, name: &'static str, about: &'static str, key: &'static [&'static str], names: &[&str]) -> Table {
        let describe = |name: &&str| columns::describe(name, &*self.settings);
        let columns = std::iter::once(&"run").chain(names).map(describe).collect();
        Table { name, about, columns, key }
    }

    /// Passes the rows of a table to `take`.
    ///
    /// # Errors
    /// They cannot be read, or an error of `take`.
    pub fn each(&self, table: &str, take: Take<'_>) -> Result<(), Error> {
        let take: Take<'_> = &mut |row: &[String]| take(&[std::slice::from_ref(&self.name), row].concat());
        match table {
            "runs" => take(&rows::run(self.kind, &self.manifest)),
            "settings" => rows::settings(&self.listed).iter().try_for_each(|row| take(row)),
            "generations" => rows::plain(&self.generations()?, take),
            "timings" => rows::plain(&self.timings()?, take),
            "panel" => rows::panel(&self.generations()?, &self.listed, take),
            "stage_errors" => rows::stage_errors(&self.generations()?, &*self.settings, take),
            "individuals" => rows::individuals(&Columns::open_file(&self.folder, INDIVIDUALS)?, take),
            "games" | "game_timings" => self.each_of_games(table == "games", take),
            _ => Ok(()),
        }
    }

    fn each_of_games(&self, games: bool, take: Take<'_>) -> Result<(), Error> {
        let Some(settings) = self.tournament() else { return Ok(()) };
        let tidy = arena::tidy::Games::new(settings);
        let columns = if games { Columns::open(&self.folder)? } else { Columns::open_file(&self.folder, TIMINGS)? };
        columns.try_each(|row| {
            let rows = if games { tidy.games(row)? } else { tidy.times(row)? };
            rows.iter().try_for_each(|row| take(row))
        })
    }

    fn tournament(&self) -> Option<&arena::Settings> {
        self.settings.get::<arena::Settings>()
    }

    fn generations(&self) -> Result<export::Rows, Error> {
        export::Rows::open(&self.folder)
    }

    fn timings(&self) -> Result<export::Rows, Error> {
        Ok(export::Rows::convert(Columns::open_file(&self.folder, TIMINGS)?))
    }
}
