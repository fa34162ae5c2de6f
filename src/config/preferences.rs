//! Remembered choices: theme, game, players, animation, analysis and coach, as chosen on the screen.
//!
//! They apply to what no config file sets, and only to commands that open the screen. Each choice replaces its own line in the file, so
//! that several processes and edits by hand keep theirs. A value that cannot be used is reported and skipped; a file that is not TOML is
//! left alone.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fs, io, mem};

use mancalab_base::Error;

use super::{Config, entries, exists};
use crate::paths::Paths;
use crate::settings::{self, Source, Table};
use crate::theme::AUTO;
use crate::{files, sanitize};

/// The name of the file, in the state folder.
pub(crate) const FILE: &str = "preferences.toml";

const HEAD: &str = "# Chosen in mancalab. A config.toml wins over this file, which may be deleted.\n";

/// The file of the remembered choices.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Preferences {
    /// `None`: nothing is remembered.
    file: Option<PathBuf>,
    /// No config file sets anything, and nothing was chosen.
    pub(crate) is_first: bool,
    /// The file has a theme: one that the user chose, or `auto` after the hint at the key for themes.
    pub(crate) has_theme: bool,
    /// What of the file cannot be used.
    pub(crate) problem: Option<String>,
}

impl Config {
    /// Applies the remembered choices to what no config file sets.
    pub(crate) fn recall(&mut self, paths: &Paths) {
        let Some(file) = paths.state().map(|state| state.join(FILE)) else { return };
        self.preferences = Preferences { is_first: self.set.is_empty() && !exists(&file), ..Preferences::default() };
        if exists(&file) {
            let board = self.board.clone();
            let read = settings::read(&file).and_then(|source| {
                settings::parse(&source, |top, problems| {
                    entries::recall(self, top, paths, problems);
                    let (has_theme, is_all) = remembered_theme(top);
                    self.preferences.has_theme = has_theme;
                    self.preferences.is_first = self.set.is_empty() && is_all;
                })
            });
            self.preferences.problem = read.err().map(|report| report.to_string());
            if !entries::plays(&self.board) {
                self.board = board;
            }
        }
        self.preferences.file = Some(file);
    }
}

/// Returns whether a theme is remembered, and whether that is all: `auto`, which the program remembers by itself.
fn remembered_theme(top: &Table<'_>) -> (bool, bool) {
    let tables = top.entries().into_iter().filter_map(|section| Some((section.key(), section.table().ok()?)));
    let entries = tables.flat_map(|(section, table)| table.entries().into_iter().map(move |value| (section, value)));
    let entries: Vec<_> = entries.collect();
    let theme = entries.iter().find(|(section, value)| (*section, value.key()) == ("ui", "theme"));
    (theme.is_some(), entries.len() == 1 && theme.is_some_and(|(_, value)| value.as_text() == Some(AUTO)))
}

/// A choice: section, key and value as TOML.
pub(crate) type Choice = (&'static str, &'static str, String);

/// The choices that are not written yet. One task at a time writes them, in their order, however fast they are made.
#[derive(Clone, Default)]
pub(crate) struct PendingChoices(Arc<Mutex<ChoiceQueue>>);

#[derive(Default)]
struct ChoiceQueue {
    choices: Vec<Choice>,
    has_task: bool,
}

impl PendingChoices {
    fn lock(&self) -> MutexGuard<'_, ChoiceQueue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the choices for the task that writes them; the task ends when there are none.
    fn take(&self) -> Vec<Choice> {
        let mut waiting = self.lock();
        waiting.has_task = !waiting.choices.is_empty();
        mem::take(&mut waiting.choices)
    }

    /// The task has ended early: the next choice starts another.
    pub fn lose_task(&self) {
        self.lock().has_task = false;
    }
}

impl Preferences {
    /// Adds a choice to those to be written. Returns the work that writes them, which is not for the drawing thread, unless a task does
    /// so already.
    pub(crate) fn remember(
        &self,
        choice: Choice,
        unwritten: &PendingChoices,
    ) -> Option<impl FnOnce() -> Result<(), Error> + Send + use<>> {
        let file = self.file.clone()?;
        let mut waiting = unwritten.lock();
        waiting.choices.retain(|(section, key, _)| (*section, *key) != (choice.0, choice.1));
        waiting.choices.push(choice);
        let unwritten = unwritten.clone();
        (!mem::replace(&mut waiting.has_task, true)).then_some(move || {
            loop {
                let choices = unwritten.take();
                if choices.is_empty() {
                    return Ok(());
                }
                write(&file, &choices).map_err(|error| {
                    unwritten.lose_task();
                    format!("cannot remember the choice in {}: {}", file.display(), sanitize::reason(&error))
                })?;
            }
        })
    }
}

fn write(file: &Path, choices: &[Choice]) -> io::Result<()> {
    let text = if exists(file) { fs::read_to_string(file)? } else { HEAD.to_owned() };
    let parsed = settings::parse(&Source::new(FILE, &text), |_, _| {});
    parsed.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "the file is not valid TOML"))?;
    let text = choices.iter().fold(text, |text, (section, key, value)| replaced(&text, section, key, value));
    files::write_atomic(file, text.as_bytes())
}

/// The text with this value; all else stays as it is.
fn replaced(text: &str, section: &str, key: &str, value: &str) -> String {
    let head = format!("[{section}]");
    let line = format!("{key} = {value}");
    let mut lines: Vec<&str> = text.lines().collect();
    let Some(start) = lines.iter().position(|line| line.trim() == head) else {
        return format!("{}\n\n{head}\n{line}\n", text.trim_end());
    };
    let end = lines[start + 1..].iter().position(|line| line.trim_start().starts_with('['));
    let end = end.map_or(lines.len(), |end| start + 1 + end);
    let is_key = |line: &&str| line.split_once('=').is_some_and(|(name, _)| name.trim() == key);
    match lines[start..end].iter().position(is_key) {
        Some(at) => lines[start + at] = &line,
        None => lines.insert(start + 1, &line),
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::super::Coach;
    use super::*;

    fn start(paths: &Paths) -> Config {
        let user = paths.config().map(|dir| dir.join("config.toml"));
        let mut config = Config::from_layers(user, Path::new("/nowhere"), None, paths).unwrap();
        config.recall(paths);
        config
    }

    fn remember(paths: &Paths, (section, key): (&'static str, &'static str), value: &str) {
        let unwritten = PendingChoices::default();
        start(paths).preferences.remember((section, key, value.to_owned()), &unwritten).unwrap()().unwrap();
    }

    fn north(config: &Config) -> String {
        config.board.north.to_string()
    }

    #[test]
    fn a_choice_is_the_default_of_the_next_start_and_a_config_wins() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::within(folder.path());
        assert!(start(&paths).preferences.is_first);
        remember(&paths, ("board", "north"), "\"hard\"");
        remember(&paths, ("board", "coach"), "\"on\"");
        let config = start(&paths);
        assert_eq!(
            (config.preferences.is_first, north(&config), config.board.coach),
            (false, "hard".into(), Coach::On)
        );
        remember(&paths, ("ui", "theme"), "\"light\"");
        assert_eq!((start(&paths).board.coach, start(&paths).ui.theme.as_str()), (Coach::On, "light"));
        fs::create_dir_all(paths.config().unwrap()).unwrap();
        fs::write(paths.config().unwrap().join("config.toml"), "[board]\ncoach = \"warn\"\nsouth = \"human\"\n")
            .unwrap();
        let config = start(&paths);
        assert_eq!((config.board.coach, north(&config)), (Coach::Warn, "easy".into()), "players belong together");
    }

    #[test]
    fn an_automatic_theme_is_remembered_as_said_and_nothing_chosen() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::within(folder.path());
        let state = || {
            let preferences = start(&paths).preferences;
            (preferences.has_theme, preferences.is_first)
        };
        assert_eq!(state(), (false, true));
        remember(&paths, ("ui", "theme"), "\"auto\"");
        assert_eq!(state(), (true, true));
        remember(&paths, ("ui", "theme"), "\"light\"");
        assert_eq!(state(), (true, false));
        remember(&paths, ("ui", "theme"), "\"auto\"");
        remember(&paths, ("board", "coach"), "\"on\"");
        assert_eq!(state(), (true, false));
    }

    #[test]
    fn a_game_and_players_that_do_not_fit_are_not_recalled() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::within(folder.path());
        remember(&paths, ("board", "game"), "\"othello\"");
        remember(&paths, ("board", "north"), "\"heuristic:4\"");
        let config = start(&paths);
        assert_eq!((config.board.game.name(), north(&config)), ("kalah", "easy".into()));
    }

    #[test]
    fn a_value_that_cannot_be_used_is_skipped_and_a_broken_file_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::within(folder.path());
        let file = paths.state().unwrap().join(FILE);
        fs::create_dir_all(paths.state().unwrap()).unwrap();
        fs::write(&file, "[board]\nnorth = \"nobody\"\ncoach='on' # by hand\n").unwrap();
        let config = start(&paths);
        assert_eq!((north(&config), config.board.coach), ("easy".into(), Coach::On));
        assert!(config.preferences.problem.unwrap().contains("no player is named 'nobody'"));
        remember(&paths, ("board", "north"), "\"hard\"");
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text, "[board]\nnorth = \"hard\"\ncoach='on' # by hand\n");
        fs::write(&file, "[board\n").unwrap();
        let unwritten = PendingChoices::default();
        let choice = || ("board", "north", "\"hard\"".to_owned());
        let error = start(&paths).preferences.remember(choice(), &unwritten).unwrap()().unwrap_err();
        assert!(error.to_string().contains("not valid TOML"), "{error}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "[board\n");
        assert!(start(&paths).preferences.remember(choice(), &unwritten).is_some(), "the next choice is tried");
    }

    #[test]
    fn many_choices_are_written_by_one_task_and_the_last_counts() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::within(folder.path());
        let preferences = start(&paths).preferences;
        let unwritten = PendingChoices::default();
        let choose = |is_on: bool| preferences.remember(("board", "analysis", is_on.to_string()), &unwritten);
        let task = choose(true).unwrap();
        assert!(choose(false).is_none() && choose(true).is_none());
        assert_eq!(unwritten.lock().choices.len(), 1);
        task().unwrap();
        assert!(start(&paths).board.analysis);
        choose(false).unwrap()().unwrap();
        assert!(!start(&paths).board.analysis);
    }
}
