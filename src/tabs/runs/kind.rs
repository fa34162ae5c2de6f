//! What a tab of runs has of its kind: what to call things, and the panels of a run.

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
use crate::job::Watching;
use crate::kinds::{AnyRun, AnySettings, AnyView, KINDS, Kind, by_command};
use crate::settings::Listed as _;
use crate::ui::Look;

/// A tab of the runs that a command drives.
pub struct RunTab {
    /// The command.
    pub command: &'static str,
    pub scope: &'static str,
    pub title: &'static str,
    /// What runs here, in a sentence or two.
    pub about: &'static str,
    /// Keys on a run that are no commands, for the help: (keys, what they do).
    pub keys: &'static [(&'static str, &'static str)],
    /// Made with `run_commands!`, which adds the commands that all tabs share, and `own` for each of the tab's own.
    pub commands: &'static [Command<Runs>],
    /// The preset of the person's own: its name, what it is, and its settings.
    pub custom: Option<Custom>,
    pub form: SettingsForm,
    /// What runs show, and the panels that show it.
    pub panels: fn() -> Box<dyn AnyPanels>,
    pub picture: fn(&AnyView) -> Option<Box<dyn AnyPicture>>,
    pub watched: fn(&Watching<AnyRun>) -> Option<Box<dyn AnyPicture>>,
}

/// A preset that the config gives.
pub type Custom = (&'static str, &'static str, fn(&Context) -> AnySettings);

impl RunTab {
    pub fn kind(&self) -> &'static Kind {
        by_command(self.command).unwrap_or(&KINDS[0])
    }

    /// The presets: (name, what it is).
    pub fn presets(&self) -> Vec<(&'static str, &'static str)> {
        let custom = self.custom.map(|(name, about, _)| (name, about));
        crate::presets::presets(self.kind()).into_iter().chain(custom).collect()
    }

    /// The settings to begin with: of a preset, or of the config.
    ///
    /// # Errors
    /// There is no such preset.
    pub fn preset(&self, name: &str, cx: &Context) -> Result<AnySettings, Error> {
        match self.custom {
            Some((custom, _, settings)) if custom == name => Ok(settings(cx)),
            _ => crate::presets::preset(self.kind(), name),
        }
    }
}

/// How settings are shown line by line, for a form.
pub struct SettingsForm {
    /// (key, value).
    pub fields: fn(&AnySettings) -> Vec<(String, String)>,
    /// What one of them is, with its range, as flags and files tell it.
    pub about: fn(&AnySettings, &str) -> String,
    /// What the form offers for one of them, besides typing.
    pub offers: fn(&AnySettings, &str) -> Vec<String>,
    /// Sets all of the fields, as a form gives them back.
    ///
    /// # Errors
    /// The number of the field that is wrong, and why.
    pub apply: Apply,
}

type Apply = fn(&mut AnySettings, &[(&str, &str)]) -> Result<(), (usize, String)>;

/// A line a setting.
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

/// All there is to see of a run, whether it runs here or is only watched.
pub trait RunPicture: Sized + Send + 'static {
    /// What a run that runs here shows; `None` if it is of another kind.
    fn of(view: &AnyView) -> Option<Self>;

    /// What a run shows that another process writes, cheap to make; `None` if it is of another kind.
    fn watched(run: &Watching<AnyRun>) -> Option<Self>;

    fn status(&self) -> Status;
}

/// What the panels of a run remember: selected rows, orders, toggles.
pub trait RunPanels: Default + 'static {
    type Picture: RunPicture;

    /// What is remembered when another run comes to the front.
    #[must_use]
    fn anew(self) -> Self {
        Self::default()
    }

    /// The Board shows this.
    fn see(&mut self, _board: Position) {}

    /// Opens what is selected.
    fn open(&mut self, picture: &Self::Picture, at: &Path, cx: &mut Context);

    /// Whether there is something selected to open.
    fn can_open(&self, picture: &Self::Picture) -> bool;

    /// A key that is no command, such as the arrows in a table; true if it was taken.
    fn key(&mut self, code: KeyCode, picture: &Self::Picture) -> bool;

    /// Sorts what is listed by the next column to the right or left.
    fn turn(&mut self, by: isize);

    /// Sorts it the other way round.
    fn reverse(&mut self);

    /// A click at a place; true if it has chosen something that can be opened.
    fn click(&mut self, at: (u16, u16), picture: &Self::Picture) -> bool;

    /// The wheel was turned over a place.
    fn wheel(&mut self, at: (u16, u16), down: bool, picture: &Self::Picture);

    fn draw(&mut self, picture: &Self::Picture, area: Rect, buf: &mut Buffer, look: &Look);
}

/// A picture of runs of any kind.
pub trait AnyPicture: Send {
    fn status(&self) -> Status;
    fn as_any(&self) -> &dyn Any;
}

impl<P: RunPicture> AnyPicture for P {
    fn status(&self) -> Status {
        RunPicture::status(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Panels of runs of any kind, see [`RunPanels`]; what a picture of another kind is for does nothing.
pub trait AnyPanels {
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
    /// As for another run.
    fn renew(&mut self);
    fn see(&mut self, board: Position);
    fn open(&mut self, picture: &dyn AnyPicture, at: &Path, cx: &mut Context);
    fn can_open(&self, picture: &dyn AnyPicture) -> bool;
    fn key(&mut self, code: KeyCode, picture: &dyn AnyPicture) -> bool;
    fn turn(&mut self, by: isize);
    fn reverse(&mut self);
    fn click(&mut self, at: (u16, u16), picture: &dyn AnyPicture) -> bool;
    fn wheel(&mut self, at: (u16, u16), down: bool, picture: &dyn AnyPicture);
    fn draw(&mut self, picture: &dyn AnyPicture, area: Rect, buf: &mut Buffer, look: &Look);
}

fn own<P: RunPanels>(picture: &dyn AnyPicture) -> Option<&P::Picture> {
    picture.as_any().downcast_ref()
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

    fn open(&mut self, picture: &dyn AnyPicture, at: &Path, cx: &mut Context) {
        if let Some(picture) = own::<P>(picture) {
            RunPanels::open(self, picture, at, cx);
        }
    }

    fn can_open(&self, picture: &dyn AnyPicture) -> bool {
        own::<P>(picture).is_some_and(|picture| RunPanels::can_open(self, picture))
    }

    fn key(&mut self, code: KeyCode, picture: &dyn AnyPicture) -> bool {
        own::<P>(picture).is_some_and(|picture| RunPanels::key(self, code, picture))
    }

    fn turn(&mut self, by: isize) {
        RunPanels::turn(self, by);
    }

    fn reverse(&mut self) {
        RunPanels::reverse(self);
    }

    fn click(&mut self, at: (u16, u16), picture: &dyn AnyPicture) -> bool {
        own::<P>(picture).is_some_and(|picture| RunPanels::click(self, at, picture))
    }

    fn wheel(&mut self, at: (u16, u16), down: bool, picture: &dyn AnyPicture) {
        if let Some(picture) = own::<P>(picture) {
            RunPanels::wheel(self, at, down, picture);
        }
    }

    fn draw(&mut self, picture: &dyn AnyPicture, area: Rect, buf: &mut Buffer, look: &Look) {
        if let Some(picture) = own::<P>(picture) {
            RunPanels::draw(self, picture, area, buf, look);
        }
    }
}

/// The panels of a tab, as [`RunTab`] has them.
pub fn panels<P: RunPanels>() -> Box<dyn AnyPanels> {
    Box::new(P::default())
}

pub fn picture<P: RunPanels>(view: &AnyView) -> Option<Box<dyn AnyPicture>> {
    P::Picture::of(view).map(|picture| Box::new(picture) as Box<dyn AnyPicture>)
}

pub fn watched<P: RunPanels>(run: &Watching<AnyRun>) -> Option<Box<dyn AnyPicture>> {
    P::Picture::watched(run).map(|picture| Box::new(picture) as Box<dyn AnyPicture>)
}
