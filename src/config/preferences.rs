//! What was chosen on the screen and is remembered: theme, game, players, seat, speed and analysis.
//!
//! They are a config layer of their own, below all config files: what a config sets wins. The file is written by the program, one
//! value a line. One that cannot be read is left alone, and nothing is remembered until it is repaired or removed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use mancalab_base::Error;

use crate::files;

/// The name of the file, in the state folder.
const FILE: &str = "preferences.toml";

const HEAD: &str = "# Chosen in mancalab. A config.toml wins over this file, which may be deleted.\n";

/// The remembered values by section and key, as TOML.
type Values = BTreeMap<(&'static str, &'static str), String>;

/// Remembered values and their file. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Preferences {
    /// `None`: nothing is remembered.
    file: Option<PathBuf>,
    values: Arc<Mutex<Values>>,
    /// The file exists.
    pub(super) exists: bool,
    /// There is neither a config file nor anything remembered.
    pub(crate) is_first: bool,
    /// Why the file cannot be read.
    pub(crate) problem: Option<String>,
}

/// Settings compare by what they set; this only remembers.
impl PartialEq for Preferences {
    fn eq(&self, _: &Preferences) -> bool {
        true
    }
}

/// The values that can be remembered.
const KEYS: [(&str, &str); 7] = [
    ("ui", "theme"),
    ("board", "game"),
    ("board", "south"),
    ("board", "north"),
    ("board", "animation"),
    ("board", "seat"),
    ("board", "analysis"),
];

impl Preferences {
    /// The file in the state folder, with its text if there is one.
    pub(super) fn find(state: Option<&Path>) -> (Preferences, Option<PathBuf>) {
        let file = state.map(|state| state.join(FILE));
        let existing = file.clone().filter(|file| super::layers::exists(file));
        (Preferences { file, exists: existing.is_some(), ..Preferences::default() }, existing)
    }

    /// Takes over the values of a text that was read as settings.
    pub(super) fn take(&mut self, text: &str) {
        let mut section = "";
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        for line in text.lines() {
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                section = name;
            } else if let Some((key, value)) = line.split_once(" = ")
                && let Some(known) = KEYS.into_iter().find(|known| *known == (section, key))
            {
                values.insert(known, value.to_owned());
            }
        }
    }

    /// Leaves the file alone from now on.
    pub(super) fn refuse(&mut self, problem: String) {
        (self.file, self.problem) = (None, Some(problem));
    }

    /// Remembers a value, written as TOML. The result writes the file; call it off the drawing thread.
    pub(crate) fn remember(
        &self,
        (section, key): (&str, &str),
        value: String,
    ) -> impl FnOnce() -> Result<(), Error> + Send + use<> {
        let values = Arc::clone(&self.values);
        if let Some(known) = KEYS.into_iter().find(|known| *known == (section, key)) {
            values.lock().unwrap_or_else(PoisonError::into_inner).insert(known, value);
        }
        let file = self.file.clone();
        move || {
            let Some(file) = file else { return Ok(()) };
            // Whoever comes last writes the newest values.
            let values = values.lock().unwrap_or_else(PoisonError::into_inner);
            std::fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))
                .and_then(|()| files::write_atomic(&file, text(&values).as_bytes()))
                .map_err(|error| format!("cannot remember the choice in {}: {error}", file.display()).into())
        }
    }
}

/// The text of the file.
fn text(values: &Values) -> String {
    let mut text = HEAD.to_owned();
    let mut section = "";
    for ((of, key), value) in values {
        if *of != section {
            section = of;
            text += &format!("\n[{section}]\n");
        }
        text += &format!("{key} = {value}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::{Config, Seat};
    use crate::paths::Paths;

    fn load(paths: &Paths) -> Config {
        Config::from_layers(
            paths.config().map(|dir| dir.join("config.toml")),
            std::path::Path::new("/nowhere"),
            None,
            paths,
        )
        .unwrap()
    }

    #[test]
    fn what_is_remembered_is_the_default_of_the_next_start_and_a_config_wins() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::within(folder.path());
        let config = load(&paths);
        assert!(!config.preferences.exists && config.preferences.is_first);
        config.preferences.remember(("board", "north"), "\"hard\"".to_owned())().unwrap();
        config.preferences.remember(("board", "seat"), "\"north\"".to_owned())().unwrap();
        let config = load(&paths);
        assert!(config.preferences.exists && !config.preferences.is_first);
        assert_eq!((config.board.north.to_string().as_str(), config.board.seat), ("hard", Seat::North));
        // What was remembered before stays.
        config.preferences.remember(("ui", "theme"), "\"light\"".to_owned())().unwrap();
        assert_eq!((load(&paths).board.seat, load(&paths).ui.theme.as_str()), (Seat::North, "light"));
        std::fs::create_dir_all(paths.config().unwrap()).unwrap();
        std::fs::write(paths.config().unwrap().join("config.toml"), "[board]\nseat = \"mover\"\n").unwrap();
        assert_eq!(load(&paths).board.seat, Seat::Mover);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::within(folder.path());
        let file = paths.state().unwrap().join(super::FILE);
        std::fs::create_dir_all(paths.state().unwrap()).unwrap();
        std::fs::write(&file, "[board]\nnorth = \"nobody\"\n").unwrap();
        let config = load(&paths);
        assert_eq!(config.board.north.to_string(), "easy");
        assert!(config.preferences.problem.as_ref().unwrap().contains("no player is named 'nobody'"));
        config.preferences.remember(("board", "north"), "\"hard\"".to_owned())().unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "[board]\nnorth = \"nobody\"\n");
    }
}
