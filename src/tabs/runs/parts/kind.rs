//! The kind-specific part of a run tab: names, settings form, and view model.

use mancalab_base::Error;
use std::any::Any;

use super::header::Status;
use super::panels::{self, RunPage, RunPanels};
use crate::app::tab::Context;
use crate::job::{RunSettings, RunWatcher, View};
use crate::kinds::{Kind, KindOf as _, by_command};

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
    /// The user's preset: its name, its description, and its settings.
    pub custom: Option<Custom>,
    pub form: SettingsForm,
    pub pages: Pages,
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
pub trait RunViewModel: Any + Send {
    /// Returns the view model of a run of this process; `None` if it is of another kind.
    fn downcast(view: &View) -> Option<Self>
    where
        Self: Sized;

    /// Returns the view model of another process's run, cheap to create; `None` if it is of another kind.
    fn watched(run: &RunWatcher) -> Option<Self>
    where
        Self: Sized;

    fn status(&self) -> Status;
}

/// Creates the pages of runs, and what they display.
pub struct Pages {
    /// Creates the page with the panels of a run.
    pub page: fn() -> Box<dyn RunPage>,
    /// Returns the view model of a run of this process.
    pub view_model: fn(&View) -> Option<Box<dyn RunViewModel>>,
    /// Returns the view model of another process's run.
    pub watched: fn(&RunWatcher) -> Option<Box<dyn RunViewModel>>,
}

impl Pages {
    /// The pages of a kind.
    pub const fn new<P: RunPanels>() -> Pages {
        Pages {
            page: panels::page::<P>,
            view_model: |view| Some(Box::new(P::ViewModel::downcast(view)?)),
            watched: |run| Some(Box::new(P::ViewModel::watched(run)?)),
        }
    }
}
