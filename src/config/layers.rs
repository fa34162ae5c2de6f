//! The config layers, from general to specific.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Config, ConfigError, DEFAULT_TEXT, entries};
use crate::paths::Paths;
use crate::settings::{self, Diagnostic, Source, Table};

/// The name of config files.
pub(crate) const FILE: &str = "config.toml";

/// The note on errors of a file in the working directory, which may belong to another program.
const WHY_LOCAL: &str = "this file is read because it is named config.toml and is in the working directory";

impl Default for Config {
    fn default() -> Config {
        let mut config = entries::unset();
        let applied = config.apply(&Source::new("the built-in config.toml", DEFAULT_TEXT), &Paths::default());
        debug_assert!(applied.is_ok(), "{applied:?}");
        config.set.clear();
        config
    }
}

impl Config {
    /// Loads the settings from all files: the built-in one, the user's own (see `paths`), that of the working directory, and
    /// `explicit` (`--config`). Flags are applied later by the caller.
    ///
    /// # Errors
    /// `explicit` does not exist, or files cannot be read or have errors; all errors of all files are reported.
    pub fn load(paths: &Paths, explicit: Option<&Path>) -> Result<Config, ConfigError> {
        let user = paths.config().map(|dir| dir.join(FILE));
        Config::from_layers(user, Path::new("."), explicit, paths)
    }

    pub(super) fn from_layers(
        user: Option<PathBuf>,
        local: &Path,
        explicit: Option<&Path>,
        paths: &Paths,
    ) -> Result<Config, ConfigError> {
        let mut config = Config::default();
        let mut problems: Vec<Diagnostic> = Vec::new();
        if let Some(path) = user.filter(|path| exists(path)) {
            problems.extend(failure(config.apply_file(&path, paths)));
        }
        let path = local.join(FILE);
        if exists(&path) {
            let applied = config.apply_local(&path, paths).map_err(|report| report.note(WHY_LOCAL));
            problems.extend(failure(applied));
        }
        if let Some(path) = explicit {
            problems.extend(failure(config.apply_file(path, paths)));
        }
        ConfigError::check(problems).map(|()| config)
    }

    /// Checks a single file; returns the default settings with its changes.
    ///
    /// # Errors
    /// The file cannot be read or has errors; all of them are reported.
    pub fn check_file(path: &Path, paths: &Paths) -> Result<Config, ConfigError> {
        Config::check_file_and(path, paths, |_| Vec::new())
    }

    /// Checks a single file as [`check_file`](Config::check_file) does. `also` returns further problems of the settings that were read.
    ///
    /// # Errors
    /// Those of [`check_file`](Config::check_file) and the further ones, in the order of the lines.
    pub(crate) fn check_file_and(
        path: &Path,
        paths: &Paths,
        also: impl FnOnce(&Config) -> Vec<Diagnostic>,
    ) -> Result<Config, ConfigError> {
        let mut config = Config::default();
        let check = |top: &Table<'_>, problems: &mut Vec<Diagnostic>| {
            entries::read(&mut config, top, paths, problems);
            problems.extend(also(&config));
            crate::sort::sort_by_key(problems, Diagnostic::line);
        };
        settings::parse(&settings::read(path)?, check).map(|()| config)
    }

    /// Checks a text as the file `name` of a user without themes.
    ///
    /// # Errors
    /// The text has errors; all of them are reported.
    pub fn check_text(name: &str, text: &str) -> Result<(), ConfigError> {
        Config::default().apply(&Source::new(name, text), &Paths::default())
    }

    fn apply_file(&mut self, path: &Path, paths: &Paths) -> Result<(), ConfigError> {
        self.apply(&settings::read(path)?, paths)
    }

    /// In the project's own checkout that file is the built-in one, which must not override the user's.
    fn apply_local(&mut self, path: &Path, paths: &Paths) -> Result<(), ConfigError> {
        let source = settings::read(path)?;
        let is_built_in = source.text().lines().eq(DEFAULT_TEXT.lines());
        if is_built_in { Ok(()) } else { self.apply(&source, paths) }
    }

    fn apply(&mut self, source: &Arc<Source>, paths: &Paths) -> Result<(), ConfigError> {
        settings::parse(source, |top, problems| entries::read(self, top, paths, problems))
    }
}

/// Whether the path exists, readable or not: an unreadable file is an error, a missing one is not.
pub(super) fn exists(path: &Path) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    !path.symlink_metadata().is_err_and(|err| matches!(err.kind(), NotFound | NotADirectory))
}

fn failure(applied: Result<(), ConfigError>) -> Vec<Diagnostic> {
    applied.err().map(|report| report.problems().to_vec()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::{Digits, Seat};
    use super::*;
    use crate::theme::ColorChoice;

    fn dir(text: &str) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(FILE), text).unwrap();
        dir
    }

    #[test]
    fn the_default_is_what_the_default_file_says() {
        let config = Config::default();
        assert_eq!(config.ui.theme, "auto");
        assert_eq!((config.ui.input_fps, config.ui.news_fps, config.ui.mouse), (20, 5, true));
        assert_eq!(config.board.game.to_string(), "kalah:6x4:standard");
        assert_eq!((config.board.south.to_string(), config.board.north.to_string()), ("human".into(), "easy".into()));
        assert_eq!((config.board.animation, config.board.autoplay, config.board.analysis), (12.0, 1.0, false));
        let search = &config.search;
        assert_eq!((search.table_mb, search.analysis_depth, search.analysis_iterations), (64, 40, 1_000_000));
        assert!(config.keys.is_empty());
    }

    #[test]
    fn later_layers_win_key_by_key() {
        let user =
            dir("[ui]\ncolor = '16'\nmouse = false\n[board]\nseat = 'mover'\n[keys]\nboard.undo = 'x'\nquit = []\n");
        let local = dir("[ui]\ncolor = 'never'\n[keys]\n'board.undo' = ['u', 'ctrl-u']\n");
        let explicit = dir("[board]\ndigits = 'pits'\n");
        let user = user.path().join(FILE);
        let explicit = explicit.path().join(FILE);
        let config = Config::from_layers(Some(user), local.path(), Some(&explicit), &Paths::default()).unwrap();
        assert_eq!((config.ui.color, config.ui.mouse), (ColorChoice::Never, false));
        assert_eq!((config.board.seat, config.board.digits), (Seat::Mover, Digits::Pits));
        let keys: Vec<(&str, Vec<String>, usize)> = config
            .keys
            .iter()
            .map(|key| (key.id.as_str(), key.chords.iter().map(ToString::to_string).collect(), key.location.line()))
            .collect();
        assert_eq!(keys, [("quit", vec![], 8), ("board.undo", vec!["u".into(), "ctrl-u".into()], 4)]);
    }

    #[test]
    fn optional_files_may_be_missing_and_an_explicit_one_may_not() {
        let empty = tempfile::tempdir().unwrap();
        let nowhere = empty.path().join("none/config.toml");
        assert_eq!(
            Config::from_layers(Some(nowhere.clone()), empty.path(), None, &Paths::default()).unwrap(),
            Config::default()
        );
        let err = Config::from_layers(None, empty.path(), Some(&nowhere), &Paths::default()).unwrap_err().to_string();
        assert!(err.contains("cannot read") && err.contains("no such file"), "{err}");
    }

    #[test]
    fn the_projects_own_file_does_not_undo_the_users() {
        let user = dir("[ui]\nmouse = false\n");
        let local = dir(DEFAULT_TEXT);
        let config = Config::from_layers(Some(user.path().join(FILE)), local.path(), None, &Paths::default()).unwrap();
        assert!(!config.ui.mouse);
    }

    #[test]
    fn mistakes_of_all_files_are_reported_and_a_file_met_by_chance_shows_why() {
        let user = dir("[ui]\nmouse = 1\n");
        let local = dir("baseURL = 'https://example.org'\n");
        let err = Config::from_layers(Some(user.path().join(FILE)), local.path(), None, &Paths::default()).unwrap_err();
        assert_eq!(err.problems().len(), 2);
        assert_eq!(err.to_string().matches(WHY_LOCAL).count(), 1);
    }

    #[test]
    fn speeds_that_no_clock_can_keep_are_refused() {
        let check = |line: &str| Config::check_text("x.toml", &format!("[board]\n{line}\n"));
        for line in ["autoplay = 1e-300", "autoplay = 0", "autoplay = 50.1", "autoplay = nan", "autoplay = 0.009"] {
            assert!(check(line).unwrap_err().to_string().contains("expected a number from 0.01 to 50"), "{line}");
        }
        for line in ["animation = 1e-300", "animation = -1", "animation = inf", "animation = 100.1"] {
            assert!(check(line).unwrap_err().to_string().contains("expected 0, or a number from 0.1 to 100"), "{line}");
        }
        for line in [
            "autoplay = 0.01",
            "autoplay = 50",
            "animation = 0",
            "animation = 0.0",
            "animation = 0.1",
            "animation = 100",
        ] {
            assert!(check(line).is_ok(), "{line}");
        }
    }

    #[test]
    fn a_theme_must_exist_and_its_path_counts_from_the_file() {
        let err = Config::check_text("x.toml", "[ui]\ntheme = 'drak'\n").unwrap_err().to_string();
        assert!(err.contains("did you mean \"dark\"?"), "{err}");
        let user = dir("[ui]\ntheme = 'mine.toml'\n");
        let empty = tempfile::tempdir().unwrap();
        let config = Config::from_layers(Some(user.path().join(FILE)), empty.path(), None, &Paths::default()).unwrap();
        assert_eq!(Path::new(&config.ui.theme), user.path().join("mine.toml"));
    }
}
