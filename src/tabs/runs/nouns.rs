//! The presets and runs of a tab, for the palette.

use std::path::PathBuf;

use super::home::own_runs;
use super::{Kind, Runs};
use crate::app::effect::Context;
use crate::app::noun::{Finding, Noun};
use crate::job::run_dir::{Entry, EntryState};

/// What was found by its name.
pub(super) enum Named {
    Preset(&'static str),
    Run(PathBuf),
}

impl<K: Kind> Runs<K> {
    pub(super) fn find_nouns(&self) -> Finding {
        let folder = self.folder.clone();
        Box::new(move || {
            let presets = K::presets().into_iter().map(|(name, about)| Noun {
                kind: "preset",
                name: name.to_owned(),
                about: format!("{}: {about}", K::TITLE),
                pick: Box::new(Named::Preset(name)),
            });
            let runs = folder.map(|folder| own_runs::<K>(&folder)).unwrap_or_default();
            presets.chain(runs.into_iter().map(run::<K>)).collect()
        })
    }

    /// Opens the run; of a preset, the settings with which a run would start.
    pub(super) fn take_named(&mut self, named: Named, cx: &mut Context) {
        match named {
            Named::Run(folder) => {
                self.home.choose(&folder);
                self.open_in_front(folder, cx);
            }
            Named::Preset(name) => {
                self.home.choose_preset(name);
                (self.shows_run, self.compared) = (false, None);
                self.edit(cx);
            }
        }
    }
}

fn run<K: Kind>(entry: Entry) -> Noun {
    let state = match entry.state {
        EntryState::Running(_) => "running",
        EntryState::Paused => "paused",
        EntryState::Finished => "finished",
        EntryState::Damaged(_) => "damaged",
    };
    let of = entry.manifest.as_ref().map(|manifest| manifest.generations);
    let at = entry.generation.zip(of).map_or(String::new(), |(at, of)| format!(" {}/{}", at + K::FIRST, of + K::FIRST));
    let pick = Box::new(Named::Run(entry.folder));
    Noun { kind: "run", name: entry.name, about: format!("{}: {state}{at}", K::TITLE), pick }
}
