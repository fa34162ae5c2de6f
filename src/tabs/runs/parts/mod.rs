//! What the pages of runs, plans and comparisons are made of: a tab's description, panels, headers and pairs of labels and values.

pub mod header;
pub mod kind;
pub mod pairs;
pub mod panels;
pub mod strength;

use std::path::Path;

/// Returns the name of a run or plan, which is that of its folder.
pub fn name(folder: &Path) -> String {
    folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned()
}

/// Returns `height` rows of `len` with the selected one in the middle where possible.
pub fn window(selected: usize, len: usize, height: u16) -> std::ops::Range<usize> {
    let height = usize::from(height);
    let top = selected.saturating_sub(height / 2).min(len.saturating_sub(height));
    top..(top + height).min(len)
}
