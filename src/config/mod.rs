//! The settings and their config files.
//!
//! `config.toml` at the top of the project is built in and the only source of default values; other files contain only changes. If
//! a file has errors, all of them are reported and the program does not start. Files are read, never written.
//!
//! A number per game: `depth = 8`, or `depth = { kalah = 16, othello = 10 }`.

mod entries;
mod preferences;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::game::Variant;
use super::log::Level;
use super::paths::Paths;
use super::pictures::GraphicsChoice;
use super::player::analysis::Engine;
use super::player::offers::{Level as Strength, Opponent};
use super::player::review::{Effort, Terms};
use super::rights::{Limits, Rights};
use super::settings::{self, Diagnostic, Location, Report, Source, Table, Value, string_enum};
use super::term::{Chord, Notify};
use super::theme::{ColorChoice, GlyphChoice};

pub use super::evolve::kalah::Settings as Evolution;
pub use preferences::Preferences;
pub(crate) use preferences::{FILE as PREFERENCES, PendingChoices};

/// The built-in settings with their explanations.
pub const DEFAULT_TEXT: &str = include_str!("../../config.toml");

/// All errors of the config files, formatted for users.
pub type ConfigError = Report;

/// All settings. [`DEFAULT_TEXT`] explains each and defines the defaults.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    pub ui: Ui,
    pub board: Board,
    pub search: Search,
    pub review: Review,
    /// `[evolution]`: the settings of `mancalab evolve custom`.
    pub evolution: Evolution,
    pub pool: Pool,
    pub guest: Guest,
    /// One per command, in the order of the files.
    pub keys: Vec<KeyBinding>,
    pub log: Log,
    /// The keys that config files set, by section.
    pub(crate) set: BTreeSet<(&'static str, &'static str)>,
    /// The file of what was chosen on the screen.
    pub preferences: Preferences,
}

/// `[ui]`
#[derive(Clone, PartialEq, Debug)]
pub struct Ui {
    /// A name or a path, for [`Theme::load`](crate::theme::Theme::load).
    pub theme: String,
    pub color: ColorChoice,
    pub glyphs: GlyphChoice,
    /// Pictures of pieces and seeds.
    pub graphics: GraphicsChoice,
    pub mouse: bool,
    /// The terminal's cursor is shown where the choice is.
    pub cursor: bool,
    pub notify: Notify,
    /// Shell command for alarms of the Monitor, which finds the alarm in `MANCALAB_ALARM`; empty: none.
    pub on_alarm: Option<String>,
    /// Frames per second, 1 to 60.
    pub input_fps: u32,
    /// Frames per second, 1 to 30.
    pub news_fps: u32,
}

/// `[board]`
#[derive(Clone, PartialEq, Debug)]
pub struct Board {
    pub game: Variant,
    pub south: Opponent,
    pub north: Opponent,
    /// Seeds per second, 0.1 to 100; 0 disables the animation.
    pub animation: f64,
    /// Moves per second, 0.01 to 50.
    pub autoplay: f64,
    pub seat: Seat,
    pub digits: Digits,
    pub analysis: bool,
    pub coach: Coach,
    /// Collections of games for the explorer of openings.
    pub databases: Vec<PathBuf>,
}

/// `[search]`
#[derive(Clone, PartialEq, Debug)]
pub struct Search {
    /// MiB, 1 to 4096.
    pub table_mb: u32,
    pub analysis: Engine,
    /// Plies, 1 to 60.
    pub analysis_depth: u32,
    /// Playouts, 1 to ten million.
    pub analysis_iterations: u32,
    /// Solve positions of Kalah beside alpha-beta.
    pub solve: bool,
}

/// `[review]`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Review {
    /// Plies, 1 to 60.
    pub depth: PerGame,
    /// Solve every position of Kalah.
    pub perfect: bool,
    /// Empty squares, 0 to 24.
    pub solve: u32,
    /// Loss of the chance of winning in percentage points, 1 to 100.
    pub mistake: u32,
    /// At least that of a mistake.
    pub blunder: u32,
}

impl Config {
    /// The sections of a config file.
    pub(crate) const SECTIONS: &'static [&'static str] = entries::SECTIONS;

    /// Returns whether a config file sets this key.
    pub(crate) fn is_set(&self, section: &'static str, key: &'static str) -> bool {
        self.set.contains(&(section, key))
    }
}

impl Review {
    /// Returns the review settings of a game, with `mb` MiB for each position's transposition table.
    pub fn terms(&self, variant: &Variant, mb: u32) -> Terms {
        Terms {
            depth: self.depth.get(variant),
            effort: if self.perfect { Effort::Unlimited } else { Effort::Usual },
            solve: self.solve,
            mistake: self.mistake,
            blunder: self.blunder,
            mb: mb as usize,
        }
    }
}

/// `[pool]`
#[derive(Clone, PartialEq, Debug)]
pub struct Pool {
    /// 1 to 256, or 0 for one per processor.
    pub threads: u32,
}

/// `[guest]`
#[derive(Clone, PartialEq, Debug)]
pub struct Guest {
    pub limits: Limits,
    /// The number of sessions at the same time.
    pub sessions: u32,
    /// The folder with a folder of games for each guest's name; `None`: games live as long as the session.
    pub games: Option<PathBuf>,
    /// The folder of runs to watch; `None`: there are none.
    pub runs: Option<PathBuf>,
}

impl Config {
    /// Reduces the host's settings to what guests may use. A level replaces a player that they cannot use.
    pub(crate) fn restrict_to_guest(&mut self) {
        let limits = &self.guest.limits;
        let rights = Rights::of_guest(limits.clone());
        for opponent in [&mut self.board.south, &mut self.board.north] {
            if opponent.check_rights(&self.board.game, &rights).is_err() {
                *opponent = Opponent::Level(Strength::default());
            }
        }
        self.ui.on_alarm = None;
        self.search.table_mb = self.search.table_mb.min(limits.table_mb);
        self.search.analysis_depth = self.search.analysis_depth.min(limits.depth);
        self.search.analysis_iterations = self.search.analysis_iterations.min(limits.iterations);
        self.search.solve = false;
        self.review.depth.limit(limits.depth);
        (self.review.perfect, self.review.solve) = (false, 0);
        self.board.databases.clear();
        self.board.analysis &= limits.analysis_seconds > 0;
        if limits.analysis_seconds == 0 {
            self.board.coach = Coach::Off;
        }
    }
}

/// `[log]`
#[derive(Clone, PartialEq, Debug)]
pub struct Log {
    pub level: Level,
}

/// The side shown at the bottom of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Seat {
    /// The side of the only person, or South.
    #[default]
    Person,
    South,
    North,
    /// The side to move is at the bottom.
    Mover,
}

string_enum!(Seat { "person" => Person, "south" => South, "north" => North, "mover" => Mover });

/// What the coach does while a person plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Coach {
    #[default]
    Off,
    /// It rates each move.
    On,
    /// It also warns before a blunder.
    Warn,
}

string_enum!(Coach { "off" => Off, "on" => On, "warn" => Warn });

/// The effect of digit keys on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Digits {
    #[default]
    Tabs,
    Pits,
}

string_enum!(Digits { "tabs" => Tabs, "pits" => Pits });

/// A key binding of a command. This module does not know the commands: the caller reports an unknown `id` as a
/// [`Diagnostic`] at `at`.
#[derive(Clone, PartialEq, Debug)]
pub struct KeyBinding {
    /// The command, such as `board.undo`.
    pub id: String,
    /// The keys that replace the defaults; empty removes them.
    pub chords: Vec<Chord>,
    /// The location of the command's name.
    pub location: Location,
    /// The location of each chord.
    pub chords_at: Vec<Location>,
}

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

    fn from_layers(
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
            super::sort::sort_by_key(problems, Diagnostic::line);
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
fn exists(path: &Path) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    !path.symlink_metadata().is_err_and(|err| matches!(err.kind(), NotFound | NotADirectory))
}

fn failure(applied: Result<(), ConfigError>) -> Vec<Diagnostic> {
    applied.err().map(|report| report.problems().to_vec()).unwrap_or_default()
}

/// One number per game, for all of its variants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PerGame(Vec<(&'static str, u32)>);

impl PerGame {
    /// Returns the same number for all games.
    pub fn all(number: u32) -> PerGame {
        PerGame(Variant::KNOWN.iter().map(|(game, _)| (*game, number)).collect())
    }

    pub fn get(&self, variant: &Variant) -> u32 {
        self.0.iter().find(|(game, _)| *game == variant.name()).map_or(0, |(_, number)| *number)
    }

    /// Reduces the numbers to at most this one.
    pub fn limit(&mut self, most: u32) {
        self.0.iter_mut().for_each(|(_, number)| *number = (*number).min(most));
    }

    /// Parses one number for all games, or a table; games missing from the table keep their numbers.
    ///
    /// # Errors
    /// A value is not a number or out of range, or a game is unknown.
    fn read(&mut self, value: &Value<'_>, range: RangeInclusive<u32>) -> Result<(), Diagnostic> {
        let games = || Variant::KNOWN.iter().map(|(game, _)| *game);
        if !value.is_table() {
            let least = range.start();
            let most = range.end();
            let game = games().next().unwrap_or_default();
            let expected = format!("a whole number from {least} to {most}, or one per game: {{ {game} = {least} }}");
            *self = PerGame::all(value.whole(range).map_err(|_| value.wrong(expected))?);
            return Ok(());
        }
        let table = value.table()?;
        for entry in table.entries() {
            match self.0.iter_mut().find(|(game, _)| *game == entry.key()) {
                Some((_, number)) => *number = entry.whole(range.clone())?,
                None => return Err(table.unknown(&entry, "game", games())),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::paths::Paths;
    use super::super::theme::ColorChoice;
    use super::{Config, Digits, Seat, *};

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

    fn depth(text: &str, variant: &str) -> u32 {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
        let config = Config::check_file(file.path(), &Paths::default()).unwrap();
        config.review.terms(&variant.parse().unwrap(), config.search.table_mb).depth
    }

    #[test]
    fn a_number_is_for_all_games_and_a_table_for_those_it_names() {
        let [kalah, othello] = ["kalah:6x4", "othello"].map(|variant| depth("", variant));
        assert_ne!(kalah, othello, "the usual ones differ");
        assert_eq!(depth("", "kalah:3x2:empty"), kalah, "whichever rules it is played by");
        let games = ["kalah:6x4", "othello"];
        assert_eq!(games.map(|game| depth("[review]\ndepth = 7\n", game)), [7; 2]);
        assert_eq!(games.map(|game| depth("[review.depth]\nothello = 4\n", game)), [kalah, 4]);
    }

    #[test]
    fn a_blunder_is_no_less_than_a_mistake() {
        let error_of = |text: &str| Config::check_text("x.toml", text).unwrap_err().to_string();
        let text = error_of("[review]\nblunder = 2\n");
        assert!(
            text.contains("`review.blunder` is less than `review.mistake`") && text.contains("x.toml:2:"),
            "{text}"
        );
        assert!(text.contains("a mistake gives away 10 % and a blunder 2 %"), "{text}");
        assert!(error_of("[review]\nmistake = 101\n").contains("1 to 100"));
        Config::check_text("x.toml", "[review]\nmistake = 2\nblunder = 2\n").unwrap();
    }
}
