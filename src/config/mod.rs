//! The settings: what they are, and the files they come from.
//!
//! `config.toml` at the top of the project is built in and is the one place where usual values stand; every other file says
//! only what should differ. A file with a mistake is not half obeyed: all its mistakes are told, and the program does not
//! start. Files are read, never written.

mod entries;
mod layers;
mod per_game;

pub(crate) use layers::FILE;

pub use crate::evolve::kalah::Settings as Evolution;
use crate::game::Variant;
use crate::log::Level;
use crate::player::Spec;
use crate::player::analysing::Engine;
use crate::player::reviewing::Terms;
use crate::settings::{Location, Report, words_of};
use crate::term::{Chord, Notify};
use crate::theme::{ColorChoice, GlyphChoice};
pub use per_game::PerGame;

/// The built-in settings with their explanations.
pub const DEFAULT_TEXT: &str = include_str!("../../config.toml");

/// Everything that is wrong with the files, as a person reads it.
pub type ConfigError = Report;

/// All settings. What each means and may be is told by [`DEFAULT_TEXT`], from which the default is made.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    pub ui: Ui,
    pub board: Board,
    pub search: Search,
    pub review: Review,
    /// `[evolution]`: the settings of `mancalab evolve custom`.
    pub evolution: Evolution,
    pub pool: Pool,
    /// One a command, in the order of the files.
    pub keys: Vec<KeyBinding>,
    pub log: Log,
}

/// `[ui]`
#[derive(Clone, PartialEq, Debug)]
pub struct Ui {
    /// A name or a path, for [`Theme::load`](crate::theme::Theme::load).
    pub theme: String,
    pub color: ColorChoice,
    pub glyphs: GlyphChoice,
    pub mouse: bool,
    pub notify: Notify,
    /// Frames a second, 1 to 60.
    pub input_fps: u32,
    /// Frames a second, 1 to 30.
    pub news_fps: u32,
}

/// `[board]`
#[derive(Clone, PartialEq, Debug)]
pub struct Board {
    pub game: Variant,
    pub south: Spec,
    pub north: Spec,
    /// Seeds a second, 0.1 to 100, or 0: not animated.
    pub animation: f64,
    /// Moves a second, 0.01 to 50.
    pub autoplay: f64,
    pub seat: Seat,
    pub digits: Digits,
    pub analysis: bool,
}

/// `[search]`
#[derive(Clone, PartialEq, Debug)]
pub struct Search {
    /// MiB, 1 to 4096.
    pub table_mb: u32,
    pub analysis: Engine,
    /// Plies, 1 to 60.
    pub analysis_depth: u32,
    /// Games, 1 to ten million.
    pub analysis_iterations: u32,
}

/// `[review]`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Review {
    /// Plies, 1 to 60.
    pub depth: PerGame,
    /// Plies before the end of a game, 0 to 60.
    pub solve: u32,
    /// Seeds or discs, 1 to 1000.
    pub mistake: PerGame,
    /// The same, no less than a mistake.
    pub blunder: PerGame,
}

impl Review {
    /// For a game, with so many megabytes for each position's table.
    pub fn terms(&self, variant: &Variant, mb: u32) -> Terms {
        Terms {
            depth: self.depth.of(variant),
            solve: self.solve,
            mistake: self.mistake.of(variant),
            blunder: self.blunder.of(variant),
            mb: mb as usize,
        }
    }
}

/// `[pool]`
#[derive(Clone, PartialEq, Debug)]
pub struct Pool {
    /// 1 to 256, or 0: one a processor.
    pub threads: u32,
}

/// `[log]`
#[derive(Clone, PartialEq, Debug)]
pub struct Log {
    pub level: Level,
}

/// From whose seat the board is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Seat {
    #[default]
    South,
    North,
    /// Whoever is to move sits below.
    Mover,
}

impl Seat {
    /// The words that people write, the same in config and in flags.
    pub const WORDS: &'static [(&'static str, Seat)] =
        &[("south", Seat::South), ("north", Seat::North), ("mover", Seat::Mover)];
}

words_of!(Seat);

/// What digits do on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Digits {
    #[default]
    Tabs,
    Pits,
}

impl Digits {
    /// The words that people write, the same in config and in flags.
    pub const WORDS: &'static [(&'static str, Digits)] = &[("tabs", Digits::Tabs), ("pits", Digits::Pits)];
}

words_of!(Digits);

/// Keys for a command. Which commands there are is not known here: whoever knows answers an unknown `id` with a
/// [`Problem`](crate::settings::Problem) at `at`.
#[derive(Clone, PartialEq, Debug)]
pub struct KeyBinding {
    /// The command, such as `board.undo`.
    pub id: String,
    /// In place of the usual ones; empty: the command has no key.
    pub chords: Vec<Chord>,
    /// Where the command is named.
    pub at: Location,
    /// Where each chord stands.
    pub chords_at: Vec<Location>,
}
