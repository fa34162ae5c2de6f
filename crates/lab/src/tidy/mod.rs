//! The results of runs as tidy tables: one row per observation, one value per cell, typed columns with units. Empty cells are
//! missing values. Shares are fractions from 0 to 1.

mod rows;

use std::path::{Path, PathBuf};

use mancalab_base::Error;

use super::arena;
use super::job::run_dir::{Columns, INDIVIDUALS, TIMINGS};
use super::job::{Manifest, RunReader, RunSettings, export};
use super::kinds::{self, KindOf as _};

pub use rows::Scalars;

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
        let describe = |name: &&str| describe(name, &*self.settings);
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

/// Endings of names, with their type and unit. The first that fits is used.
const ENDINGS: &[(&str, Type, &str)] = &[
    ("_per_second", Type::Number, "1/s"),
    ("seconds", Type::Number, "s"),
    ("_count", Type::Integer, "1"),
    ("_share", Type::Number, "1"),
    ("_name", Type::String, ""),
    ("_generation", Type::Integer, "generation"),
    ("_rank", Type::Integer, "rank"),
    ("_nodes", Type::Number, "nodes"),
    ("_points", Type::Number, "points"),
    ("_nats", Type::Number, "nat"),
    ("_discs", Type::Number, "discs"),
    ("_men", Type::Number, "men"),
    ("_stones", Type::Number, "seeds"),
    ("_rms", Type::Number, "1"),
];

/// Columns whose type or unit does not follow from the ending of their name.
const TYPES: &[(&str, Type, &str)] = &[
    ("run", Type::String, ""),
    ("kind", Type::String, ""),
    ("preset", Type::String, ""),
    ("seed", Type::Integer, ""),
    ("version", Type::String, ""),
    ("is_reproducible", Type::Boolean, ""),
    ("setting", Type::String, ""),
    ("item", Type::Integer, ""),
    ("value", Type::String, ""),
    ("generation", Type::Integer, "generation"),
    ("round", Type::Integer, "round"),
    ("pair", Type::Integer, ""),
    ("rank", Type::Integer, "rank"),
    ("stage", Type::Integer, ""),
    ("player", Type::String, ""),
    ("seat", Type::String, ""),
    ("first_player", Type::String, ""),
    ("second_player", Type::String, ""),
    ("first_outcome", Type::String, ""),
    ("first_margin", Type::Integer, "seeds or discs"),
    ("first_lost", Type::Integer, "seeds"),
    ("second_lost", Type::Integer, "seeds"),
    ("moves", Type::String, ""),
    ("program", Type::String, ""),
    ("best_id", Type::Integer, ""),
    ("best_born", Type::Integer, "generation"),
    ("size_nodes", Type::Integer, "nodes"),
    ("depth_nodes", Type::Integer, "nodes"),
    ("best_size_nodes", Type::Integer, "nodes"),
    ("best_depth_nodes", Type::Integer, "nodes"),
    ("largest_size_nodes", Type::Integer, "nodes"),
    ("largest_depth_nodes", Type::Integer, "nodes"),
    ("policy_loss", Type::Number, "nat"),
    ("value_loss", Type::Number, "1"),
    ("gradient_length", Type::Number, "1"),
    ("rate", Type::Number, "1"),
];

/// What columns hold.
const ABOUT: &[(&str, &str)] = &[
    ("run", "Name of the run's folder"),
    ("kind", "Command that drives the run"),
    ("preset", "Preset that the settings started from"),
    ("seed", "Seed of all random choices"),
    ("generations_count", "Generations planned after the initial one"),
    ("version", "Version of mancalab that started the run"),
    ("is_reproducible", "Whether the same settings give the same rows"),
    ("setting", "Name of the setting"),
    ("item", "Position in a list, from 1; missing for a setting that is no list"),
    ("value", "Value of the setting or item"),
    ("generation", "Generation, from 0 for the initial one"),
    ("round", "Round, from 0: a game of every pair of players and seats"),
    ("pair", "Pair of players and seats, from 1"),
    ("rank", "Rank in the generation, from 1 for the fittest"),
    ("stage", "Stage of the game, from 1"),
    ("stage_name", "Discs placed (Othello) or pieces taken (checkers) in the stage"),
    (
        "stage_error_discs",
        "Root mean square error of the evaluation in the stage, on games held out; 0 without positions",
    ),
    ("stage_error_points", "The same in points, where a win is one; 0 without positions"),
    ("player", "Player, by the text that names it"),
    ("seat", "Whether the player, or in a panel the learner, moves first or second: first or second"),
    ("won_count", "Games won by the learner"),
    ("drawn_count", "Games drawn"),
    ("lost_count", "Games lost by the learner"),
    ("first_player", "Player that moves first"),
    ("second_player", "Player that moves second"),
    ("first_outcome", "Result for the player that moves first: won, drawn or lost"),
    ("first_points", "Points of the player that moves first: 1, 0.5 or 0"),
    ("first_margin", "Final margin of the player that moves first; missing in games without margins"),
    ("first_lost", "What the moves of the player that moves first lost under perfect play; missing unless counted"),
    ("second_lost", "What the moves of the other player lost under perfect play; missing unless counted"),
    ("moves_count", "Moves of the game, or of one player in it; missing where the moves were not recorded"),
    (
        "moves",
        "Moves in the notation of the game, or a letter or ~ and a hexadecimal number each; missing where not recorded",
    ),
    ("program", "Text of the program"),
    ("fitness_points", "Fitness"),
    ("size_nodes", "Nodes of the program"),
    ("depth_nodes", "Nodes from the root to the farthest leaf"),
    ("operator_name", "Operator that brought the program into this generation"),
    ("born_generation", "Generation in which the program was last changed"),
    ("birth_operator_name", "Operator that changed it then"),
    ("parent1_rank", "Rank of its first parent in the generation before its birth; missing without one"),
    ("parent2_rank", "Rank of its second parent in the generation before its birth; missing without one"),
    ("best_fitness_points", "Highest fitness"),
    ("upper_quartile_fitness_points", "Upper quartile of the fitness"),
    ("median_fitness_points", "Median of the fitness"),
    ("lower_quartile_fitness_points", "Lower quartile of the fitness"),
    ("worst_fitness_points", "Lowest fitness"),
    ("mean_fitness_points", "Mean fitness"),
    ("best_size_nodes", "Nodes of the fittest program"),
    ("best_depth_nodes", "Depth of the fittest program"),
    ("mean_size_nodes", "Mean of the programs' nodes"),
    ("largest_size_nodes", "Nodes of the largest program"),
    ("mean_depth_nodes", "Mean depth of the programs"),
    ("largest_depth_nodes", "Depth of the deepest program"),
    ("unique_programs_count", "Different programs"),
    ("unique_behaviours_count", "Programs that behave differently in the games of the fitness"),
    ("best_operator_name", "Operator that last changed the fittest program"),
    ("best_born_generation", "Generation in which the fittest program was last changed"),
    ("best_parent1_rank", "Rank of its first parent in the generation before; 0 without one"),
    ("best_parent2_rank", "Rank of its second parent in the generation before; 0 without one"),
    ("best_share", "Share of points won by the fittest genome"),
    ("mean_share", "Mean share of points won by a genome"),
    ("worst_share", "Share of points won by the least fit genome"),
    ("best_id", "Number of the fittest genome, unique in the run"),
    ("best_born", "Generation in which the fittest genome first occurred"),
    ("hidden_rms", "Root mean square of the best network's weights of the hidden layer"),
    ("hidden_bias_rms", "Root mean square of the best network's biases of the hidden layer"),
    ("policy_rms", "Root mean square of the best network's weights of the policy"),
    ("policy_bias_rms", "Root mean square of the best network's biases of the policy"),
    ("games_count", "Games: since the start of the run in generations, of this generation in timings"),
    ("decisions_count", "Decisions since the start of the run"),
    ("positions_count", "Positions since the start of the run"),
    ("policy_loss", "Mean loss of the policy over the generation's decisions"),
    ("value_loss", "Mean squared error of the value over the generation's decisions"),
    ("entropy_nats", "Mean entropy of the policy"),
    ("gradient_length", "Mean length of the gradient before clipping"),
    ("won_share", "Share of points won in games against others than itself; 0.5 without such games"),
    ("rate", "Learning rate"),
    ("error_discs", "Root mean square error of the evaluation on games held out"),
    ("error_points", "Root mean square error of the evaluation on games held out; a win is one point"),
    ("shallow_error_discs", "Root mean square error of a shallow search's prediction of a deep search"),
    ("shallow_error_men", "Root mean square error of a shallow search's prediction of a deep search"),
    ("seconds", "Time of the generation, of the round, or of the player's moves"),
    ("games_per_second", "Games per second"),
    ("decisions_per_second", "Decisions per second"),
    ("breeding_seconds", "Time of breeding"),
    ("evaluation_seconds", "Time of evaluation"),
    ("programs_evaluated_count", "Programs evaluated, without those whose fitness was known"),
    ("evaluations_per_second", "Programs evaluated per second"),
    ("memo_hits_share", "Share of lookups that the memo table answered, since the start or the last resumption"),
    ("memo_kept_count", "Entries in the memo table"),
    (
        "memo_misses_seconds",
        "Time of computing what the memo table did not know, since the start or the last resumption",
    ),
];

/// Describes a column of a run with these settings.
fn describe(name: &str, settings: &dyn RunSettings) -> Column {
    let typed = TYPES.iter().find(|(known, ..)| *known == name);
    let ending = ENDINGS.iter().find(|(ending, ..)| name.ends_with(ending));
    let (kind, unit) = typed.or(ending).map_or((Type::Number, "1"), |&(_, kind, unit)| (kind, unit));
    let about = own(name, settings);
    let known = || ABOUT.iter().find(|(known, _)| *known == name).map(|(_, about)| (*about).to_owned());
    Column { name: name.to_owned(), kind, unit, about: about.or_else(known).unwrap_or_default() }
}

/// Describes a measure or a gene of the kind of run.
fn own(name: &str, settings: &dyn RunSettings) -> Option<String> {
    let measures = settings.problem().map(|problem| problem.history().measures());
    let measure = measures.into_iter().flat_map(|measures| measures.all).find_map(|measure| {
        // Exported shares have another ending than the file's column.
        let own = measure.name.strip_suffix("_percent").map_or(measure.name.to_owned(), |name| format!("{name}_share"));
        let about = measure.about.replace("% of", "share of");
        let best = name.strip_prefix("best_").is_some_and(|name| name == own || name == measure.name);
        match best {
            true => Some(format!("Score of the fittest program: {about}")),
            false => (name == own || name == measure.name).then(|| format!("Score: {about}")),
        }
    });
    let gene = || {
        let genes = settings.task()?.genes();
        genes.iter().any(|gene| gene.name == name).then(|| format!("Weight {name} of the fittest genome"))
    };
    measure.or_else(gene)
}

#[cfg(test)]
mod tests {
    use super::super::kinds::KINDS;
    use super::rows;
    use super::*;

    #[test]
    fn every_column_of_every_kind_of_run_is_described() {
        let share = |name: &str| name.strip_suffix("_percent").map_or(name.to_owned(), |name| format!("{name}_share"));
        for kind in KINDS {
            for (title, settings) in kind.samples() {
                let own = settings.form();
                let individuals = settings.individual_columns().unwrap_or_default();
                let files = [settings.columns(), own.timing_columns, individuals].map(|header| header.split(','));
                for name in files.into_iter().flatten().filter(|name| !name.is_empty() && !rows::is_packed(name)) {
                    let column = describe(&share(name), &*settings);
                    assert!(!column.about.is_empty(), "{} {title}: describe {name} in ABOUT", kind.command);
                }
            }
        }
    }

    #[test]
    fn every_column_of_the_other_tables_is_described() {
        let (_, settings) = KINDS[0].samples().remove(0);
        let arena = [super::super::arena::tidy::GAME_COLUMNS, super::super::arena::tidy::TIME_COLUMNS];
        let tables = [rows::RUN_COLUMNS, rows::SETTING_COLUMNS, rows::PANEL_COLUMNS].into_iter().chain(arena);
        let stages = ["stage", "stage_name", "stage_error_discs", "stage_error_points"];
        for name in tables.flatten().chain(&stages) {
            assert!(!describe(name, &*settings).about.is_empty(), "describe {name} in ABOUT");
        }
    }

    #[test]
    fn types_and_units_follow_from_names() {
        let (_, settings) = KINDS[0].samples().remove(0);
        let of = |name: &str| (describe(name, &*settings).kind, describe(name, &*settings).unit);
        assert_eq!(of("games_per_second"), (Type::Number, "1/s"));
        assert_eq!(of("breeding_seconds"), (Type::Number, "s"));
        assert_eq!(of("generation"), (Type::Integer, "generation"));
        assert_eq!((of("best_operator_name"), of("mean_size_nodes")), ((Type::String, ""), (Type::Number, "nodes")));
    }
}
