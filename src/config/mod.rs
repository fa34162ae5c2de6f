//! The settings and their config files.
//!
//! `config.toml` at the top of the project is built in and the only source of default values; other files contain only changes. If
//! a file has errors, all of them are reported and the program does not start. Files are read, never written.

mod entries;
mod layers;
mod per_game;
mod preferences;

pub(crate) use layers::FILE;
pub(crate) use preferences::FILE as PREFERENCES;

use std::collections::BTreeSet;
use std::path::PathBuf;

pub use crate::evolve::kalah::Settings as Evolution;
use crate::game::Variant;
use crate::log::Level;
use crate::pictures::GraphicsChoice;
use crate::player::analysing::Engine;
use crate::player::levels::{Level as Strength, Opponent};
use crate::player::reviewing::{Effort, Terms};
use crate::rights::{Limits, Rights};
use crate::settings::{Location, Report, string_enum};
use crate::term::{Chord, Notify};
use crate::theme::{ColorChoice, GlyphChoice};
pub use per_game::PerGame;
pub(crate) use preferences::PendingChoices;
pub use preferences::Preferences;

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
/// [`Diagnostic`](crate::settings::Diagnostic) at `at`.
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
