//! What a tab of runs brings of its own.

use std::path::Path;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Runs;
use super::header::Status;
use crate::app::command::Command;
use crate::app::effect::Context;
use crate::cluster::kinds::Planned;
use crate::document::Listed;
use crate::game::Position;
use crate::job::{Run, Watching};
use crate::ui::Look;

/// What a tab of runs brings of its own.
pub trait Kind: Sized + 'static {
    /// Other machines may compute it in units.
    type Run: Planned;

    /// All there is to see of a run, whether it runs here or is only watched.
    type Picture: Send + 'static;

    /// What the panels remember: selected rows, orders, toggles.
    type Panels: Default;

    const SCOPE: &'static str;
    const TITLE: &'static str;

    /// What a run goes forward by, such as `generation`.
    const UNIT: &'static str;

    /// The number that people give the first generation.
    const FIRST: u64 = 0;

    /// The column of `generations.csv` by which runs are compared; `None` if the rows have none that is a curve.
    const CURVE: Option<&'static str>;

    /// Keys on a run that are no commands, for the help: (keys, what they do).
    const KEYS: &'static [(&'static str, &'static str)];

    /// Made with `run_commands!`, which adds the commands that all kinds share, and `own` for each of the kind's own.
    const COMMANDS: &'static [Command<Runs<Self>>];

    /// What runs here, in a sentence or two.
    const ABOUT: &'static str;

    /// The presets: (name, what it is).
    fn presets() -> Vec<(&'static str, &'static str)>;

    /// The settings to begin with: of a preset, changed by the config where it says so.
    ///
    /// # Errors
    /// There is no such preset.
    fn preset(name: &str, cx: &Context) -> Result<Settings<Self>, String>;

    /// The settings for people, by the names that forms, flags and files have for them: (key, value).
    fn describe(settings: &Settings<Self>) -> Vec<(&'static str, String)>;

    /// The settings one by one, as (key, value), for a form.
    fn fields(settings: &Settings<Self>) -> Vec<(String, String)>;

    /// What one of them is, with its range, as flags and files tell it.
    fn about(settings: &Settings<Self>, key: &str) -> String;

    /// Sets one of the [`fields`](Kind::fields).
    ///
    /// # Errors
    /// What is wrong with the value, and what would be accepted.
    fn set(settings: &mut Settings<Self>, key: &str, value: &str) -> Result<(), String>;

    /// What the form offers for one of them, besides typing.
    fn offers(_settings: &Settings<Self>, _key: &str) -> Vec<String> {
        Vec::new()
    }

    /// Sets all of the [`fields`](Kind::fields), as a form gives them back.
    ///
    /// # Errors
    /// The number of the field that is wrong, and why.
    fn apply(settings: &mut Settings<Self>, fields: &[(&str, &str)]) -> Result<(), (usize, String)> {
        let mut set = |(index, (key, value)): (usize, &(&str, &str))| {
            Self::set(settings, key, value).map_err(|reason| (index, reason))
        };
        fields.iter().enumerate().try_for_each(&mut set)
    }

    /// What no single setting shows.
    ///
    /// # Errors
    /// Which settings do not go together, and what would be accepted.
    fn check(settings: &Settings<Self>) -> Result<(), String>;

    /// What a run that runs here shows.
    fn picture(view: <Self::Run as Run>::View) -> Self::Picture;

    /// What a run shows that another process writes, cheap to make.
    fn watched(run: &Watching<Self::Run>) -> Self::Picture;

    fn status(picture: &Self::Picture) -> Status;

    /// Opens what is selected in the panels.
    fn open(panels: &mut Self::Panels, picture: &Self::Picture, at: &Path, cx: &mut Context);

    /// Whether there is something selected to open.
    fn can_open(panels: &Self::Panels, picture: &Self::Picture) -> bool;

    /// A key that is no command, such as the arrows in a table; true if it was taken.
    fn key(panels: &mut Self::Panels, key: KeyEvent, picture: &Self::Picture) -> bool;

    /// Sorts what the panels list by the next column to the right or left.
    fn turn(panels: &mut Self::Panels, by: isize);

    /// Sorts it the other way round.
    fn reverse(panels: &mut Self::Panels);

    /// A click at a place; true if it has chosen something that can be opened.
    fn click(panels: &mut Self::Panels, at: (u16, u16), picture: &Self::Picture) -> bool;

    /// The wheel was turned over a place.
    fn wheel(panels: &mut Self::Panels, at: (u16, u16), down: bool, picture: &Self::Picture);

    /// What the panels remember when another run comes to the front.
    fn anew(_panels: Self::Panels) -> Self::Panels {
        Self::Panels::default()
    }

    /// The Board shows this.
    fn see(_panels: &mut Self::Panels, _board: Position) {}

    fn draw(panels: &mut Self::Panels, picture: &Self::Picture, area: Rect, buf: &mut Buffer, look: &Look);
}

/// What a setting is, of those that every run has or else as the list of settings tells it.
pub(in crate::tabs) fn about(settings: &impl Listed, key: &str) -> String {
    match key {
        "seed" => "decides all random choices; the same seed and settings give the same run".to_owned(),
        "generations" => "how many generations are bred after the first".to_owned(),
        _ => settings.list().iter().find(|(known, ..)| *known == key).map_or("", |(_, about, _)| about).to_owned(),
    }
}

/// The settings of a kind's runs.
pub type Settings<K> = <<K as Kind>::Run as Run>::Settings;
