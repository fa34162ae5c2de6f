//! What the palette finds besides commands: the things that tabs have, by their names.

use crate::job::background::Answer;

/// A thing of a tab's: a run, a preset, a player, a saved game.
pub struct PaletteItem {
    /// What kind of thing it is, in a word or two, lower case.
    pub kind: &'static str,
    pub name: String,
    /// What is to be said of it, in a few words; may be empty.
    pub about: String,
    /// What the tab's [`answer`](super::tab::Tab::answer) is given when somebody wants it, the tab being in front by then.
    pub pick: Answer,
}

/// Finds a tab's palette_items, on another thread, as that may take files.
pub type PaletteSource = Box<dyn FnOnce() -> Vec<PaletteItem> + Send>;
