//! The palette entries of a run tab: its presets, runs and plans.

use std::path::PathBuf;

use super::{Answer, Page, RunTab, Runs};
use crate::app::effect::Context;
use crate::app::tab::{PaletteItem, PaletteSource};
use crate::kept::RunOrPlan;
use crate::rights::Rights;

/// A chosen palette entry.
pub(super) enum PaletteEntry {
    Preset(&'static str),
    Run(PathBuf),
    Plan(PathBuf),
}

impl Runs {
    pub(super) fn palette_source(&self, rights: &Rights) -> PaletteSource {
        let tab = self.tab;
        let runs = self.home.runs.clone();
        let is_guest = rights.is_guest();
        Box::new(move || {
            // Guests start no runs.
            let presets = if is_guest { Vec::new() } else { tab.presets() };
            let presets = presets.into_iter().map(|(name, about)| PaletteItem {
                kind: "preset",
                name: name.to_owned(),
                about: format!("{}: {about}", tab.title),
                pick: Box::new(Answer::Named(PaletteEntry::Preset(name))),
            });
            presets.chain(runs.into_iter().map(|kept| palette_item(tab, kept))).collect()
        })
    }

    /// Opens the run or plan, or the settings of the preset.
    pub(super) fn take_named(&mut self, named: PaletteEntry, cx: &mut Context) {
        match named {
            PaletteEntry::Run(folder) => {
                self.home.choose(&folder);
                self.open_in_front(folder, cx);
            }
            PaletteEntry::Plan(folder) => {
                self.home.choose(&folder);
                self.open_plan(folder, cx);
            }
            PaletteEntry::Preset(name) => {
                self.home.choose_preset(name);
                (self.page, self.compared) = (Page::List, None);
                self.edit(cx);
            }
        }
    }
}

fn palette_item(tab: &RunTab, kept: RunOrPlan) -> PaletteItem {
    let (kind, pick) = match &kept {
        RunOrPlan::Run(run) => ("run", PaletteEntry::Run(run.folder.clone())),
        RunOrPlan::Plan(plan) => ("plan", PaletteEntry::Plan(plan.folder.clone())),
    };
    let at = kept.newest().and_then(|_| kept.progress()).map_or(String::new(), |at| format!(" {at}"));
    PaletteItem {
        kind,
        name: kept.name().to_owned(),
        about: format!("{}: {}{at}", tab.title, kept.word()),
        pick: Box::new(Answer::Named(pick)),
    }
}
