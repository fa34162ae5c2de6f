//! The kind-specific part of a run tab: names, settings form, and panels.

use mancalab_base::Error;
use std::any::Any;
use std::path::Path;

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Runs;
use super::header::Status;
use crate::app::command::Command;
use crate::app::effect::Context;
use crate::game::Position;
use crate::job::{RunSettings, View, Watching};
use crate::kinds::{Kind, Listed as _, by_command};
use crate::ui::Look;

/// A tab for the runs of a command.
pub struct RunTab {
    /// The command's name.
    pub command: &'static str,
    pub scope: &'static str,
    pub title: &'static str,
    /// The description of the runs, in a sentence or two.
    pub about: &'static str,
    /// Keys on a run that are not commands, for the help: (keys, description).
    pub keys: &'static [(&'static str, &'static str)],
    /// Built by `run_commands!`, which adds the commands shared by all tabs, and `own` for each of the tab's own.
    pub commands: &'static [Command<Runs>],
    /// The user's preset: its name, its description, and its settings.
    pub custom: Option<Custom>,
    pub form: SettingsForm,
    /// Creates the panels.
    pub panels: fn() -> Box<dyn AnyPanels>,
    pub view_model: fn(&View) -> Option<Box<dyn AnyPicture>>,
    pub watched: fn(&Watching) -> Option<Box<dyn AnyPicture>>,
}

/// A preset from the config.
pub type Custom = (&'static str, &'static str, fn(&Context) -> Box<dyn RunSettings>);

impl RunTab {
    pub fn kind(&self) -> &'static Kind {
        by_command(self.command).expect("every kind of run is in the list of kinds")
    }

    /// Returns the presets: (name, description).
    pub fn presets(&self) -> Vec<(&'static str, &'static str)> {
        let custom = self.custom.map(|(name, about, _)| (name, about));
        crate::presets::presets(self.kind()).into_iter().chain(custom).collect()
    }

    /// Returns the settings of a preset, or those of the config.
    ///
    /// # Errors
    /// There is no such preset.
    pub fn preset(&self, name: &str, cx: &Context) -> Result<Box<dyn RunSettings>, Error> {
        match self.custom {
            Some((custom, _, settings)) if custom == name => Ok(settings(cx)),
            _ => crate::presets::preset(self.kind(), name),
        }
    }
}

/// The form of the settings.
pub struct SettingsForm {
    /// Returns (key, value) pairs.
    pub fields: fn(&dyn RunSettings) -> Vec<(String, String)>,
    /// Returns the description of a setting with its range, as in flags and files.
    pub about: fn(&dyn RunSettings, &str) -> String,
    /// Returns the values that the form offers for a setting.
    pub offers: fn(&dyn RunSettings, &str) -> Vec<String>,
    /// Applies all fields of the form.
    ///
    /// # Errors
    /// The index of the invalid field, and the reason.
    pub apply: Apply,
}

type Apply = fn(&mut Box<dyn RunSettings>, &[(&str, &str)]) -> Result<(), (usize, String)>;

/// One line per setting.
pub const PLAIN_FORM: SettingsForm = SettingsForm {
    fields: |settings| settings.texts(),
    about: |settings, key| settings.about(key).to_owned(),
    offers: |settings, key| settings.offers(key),
    apply: |settings, fields| {
        let mut set = |(index, (key, value)): (usize, &(&str, &str))| {
            settings.set(key, value).map_err(|error| (index, error.in_a_line()))
        };
        fields.iter().enumerate().try_for_each(&mut set)
    },
};

/// The displayed data of a run, of this process or watched.
pub trait RunViewModel: Sized + Send + 'static {
    /// Returns the picture of a run of this process; `None` if it is of another kind.
    fn downcast(view: &View) -> Option<Self>;

    /// Returns the picture of another process's run, cheap to create; `None` if it is of another kind.
    fn watched(run: &Watching) -> Option<Self>;

    fn status(&self) -> Status;
}

/// The state of the panels of a run: selected rows, sort orders, toggles.
pub trait RunPanels: Default + 'static {
    type ViewModel: RunViewModel;

    /// Returns the state to keep when another run is opened.
    #[must_use]
    fn anew(self) -> Self {
        Self::default()
    }

    /// Receives the position on the Board.
    fn see(&mut self, _board: Position) {}

    /// Opens the selection.
    fn open(&mut self, view_model: &Self::ViewModel, at: &Path, cx: &mut Context);

    /// Whether the selection can be opened.
    fn can_open(&self, view_model: &Self::ViewModel) -> bool;

    /// Handles a key that is not a command, such as the arrows in a table; returns whether it was handled.
    fn key(&mut self, code: KeyCode, view_model: &Self::ViewModel) -> bool;

    /// Sorts the table by the next column to the right or left.
    fn turn(&mut self, by: isize);

    /// Reverses the sort order.
    fn reverse(&mut self);

    /// Handles a click; returns whether it selected something that can be opened.
    fn click(&mut self, at: (u16, u16), view_model: &Self::ViewModel) -> bool;

    /// Handles the mouse wheel.
    fn wheel(&mut self, at: (u16, u16), down: bool, view_model: &Self::ViewModel);

    fn draw(&mut self, view_model: &Self::ViewModel, area: Rect, buf: &mut Buffer, look: &Look);
}

/// A picture of a run of any kind.
pub trait AnyPicture: Send {
    fn status(&self) -> Status;
    fn as_any(&self) -> &dyn Any;
}

impl<P: RunViewModel> AnyPicture for P {
    fn status(&self) -> Status {
        RunViewModel::status(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Panels of runs of any kind, see [`RunPanels`]; calls with a picture of another kind have no effect.
pub trait AnyPanels {
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
    /// Resets the panels for another run.
    fn renew(&mut self);
    fn see(&mut self, board: Position);
    fn open(&mut self, view_model: &dyn AnyPicture, at: &Path, cx: &mut Context);
    fn can_open(&self, view_model: &dyn AnyPicture) -> bool;
    fn key(&mut self, code: KeyCode, view_model: &dyn AnyPicture) -> bool;
    fn turn(&mut self, by: isize);
    fn reverse(&mut self);
    fn click(&mut self, at: (u16, u16), view_model: &dyn AnyPicture) -> bool;
    fn wheel(&mut self, at: (u16, u16), down: bool, view_model: &dyn AnyPicture);
    fn draw(&mut self, view_model: &dyn AnyPicture, area: Rect, buf: &mut Buffer, look: &Look);
}

fn own<P: RunPanels>(view_model: &dyn AnyPicture) -> Option<&P::ViewModel> {
    view_model.as_any().downcast_ref()
}

impl<P: RunPanels> AnyPanels for P {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn renew(&mut self) {
        *self = std::mem::take(self).anew();
    }

    fn see(&mut self, board: Position) {
        RunPanels::see(self, board);
    }

    fn open(&mut self, view_model: &dyn AnyPicture, at: &Path, cx: &mut Context) {
        if let Some(view_model) = own::<P>(view_model) {
            RunPanels::open(self, view_model, at, cx);
        }
    }

    fn can_open(&self, view_model: &dyn AnyPicture) -> bool {
        own::<P>(view_model).is_some_and(|view_model| RunPanels::can_open(self, view_model))
    }

    fn key(&mut self, code: KeyCode, view_model: &dyn AnyPicture) -> bool {
        own::<P>(view_model).is_some_and(|view_model| RunPanels::key(self, code, view_model))
    }

    fn turn(&mut self, by: isize) {
        RunPanels::turn(self, by);
    }

    fn reverse(&mut self) {
        RunPanels::reverse(self);
    }

    fn click(&mut self, at: (u16, u16), view_model: &dyn AnyPicture) -> bool {
        own::<P>(view_model).is_some_and(|view_model| RunPanels::click(self, at, view_model))
    }

    fn wheel(&mut self, at: (u16, u16), down: bool, view_model: &dyn AnyPicture) {
        if let Some(view_model) = own::<P>(view_model) {
            RunPanels::wheel(self, at, down, view_model);
        }
    }

    fn draw(&mut self, view_model: &dyn AnyPicture, area: Rect, buf: &mut Buffer, look: &Look) {
        if let Some(view_model) = own::<P>(view_model) {
            RunPanels::draw(self, view_model, area, buf, look);
        }
    }
}

/// Creates the panels of a tab, for [`RunTab`].
pub fn panels<P: RunPanels>() -> Box<dyn AnyPanels> {
    Box::new(P::default())
}

pub fn view_model<P: RunPanels>(view: &View) -> Option<Box<dyn AnyPicture>> {
    P::ViewModel::downcast(view).map(|view_model| Box::new(view_model) as Box<dyn AnyPicture>)
}

pub fn watched<P: RunPanels>(run: &Watching) -> Option<Box<dyn AnyPicture>> {
    P::ViewModel::watched(run).map(|view_model| Box::new(view_model) as Box<dyn AnyPicture>)
}
