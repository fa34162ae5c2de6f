//! Palette entries besides commands, provided by the tabs.

use crate::job::background::TaskResult;

/// An entry of a tab: a run, a preset, a player, a saved game.
pub struct PaletteItem {
    /// The kind, in a word or two, lower case.
    pub kind: &'static str,
    pub name: String,
    /// The description, in a few words; may be empty.
    pub about: String,
    /// The answer sent to the tab's [`answer`](super::tab::Tab::answer) on selection, after the tab is activated.
    pub pick: TaskResult,
}

/// Collects a tab's palette entries; runs on another thread, because it may read files.
pub type PaletteSource = Box<dyn FnOnce() -> Vec<PaletteItem> + Send>;
