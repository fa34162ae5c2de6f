//! The tabs, and the one list of them.
//!
//! A tab is added by a file that implements `Tab` and a line in [`all`], one of runs by a [`RunTab`] and a line in [`RUN_TABS`]; the event loop knows tabs by this trait only.

pub(crate) mod arena;
pub mod board;
pub(crate) mod evolution;
#[cfg(test)]
mod proof;
pub(crate) mod runs;
#[cfg(test)]
mod staged;
pub(crate) mod train;
pub(crate) mod weights;

use std::path::PathBuf;

use crate::app::tab::Tab;
use crate::paths::Paths;
use runs::{RunTab, Runs};

/// What the tabs open with.
#[derive(Clone, Debug)]
pub struct Opening {
    pub board: board::Settings,
    /// Where runs are kept; `None` if the system names no place.
    pub runs: Option<PathBuf>,
    /// A run or a plan to open at once, and the scope of its tab.
    pub run: Option<(&'static str, PathBuf)>,
}

impl Opening {
    /// No run is opened.
    pub fn new(board: board::Settings, paths: &Paths) -> Opening {
        Opening { board, runs: paths.runs(), run: None }
    }
}

/// The tabs of runs, in the order of the tab bar.
static RUN_TABS: &[&RunTab] = &[&evolution::TAB, &weights::TAB, &arena::TAB, &train::TAB];

/// The scope of the tab of runs with this word in `run.toml`.
pub fn of_kind(word: &str) -> Option<&'static str> {
    RUN_TABS.iter().find(|tab| tab.kind().is(word)).map(|tab| tab.scope)
}

/// All tabs, in the order of the tab bar.
pub fn all(opening: Opening) -> Vec<Box<dyn Tab>> {
    let Opening { board, runs, run } = opening;
    let first = |scope: &str| run.as_ref().filter(|(of, _)| *of == scope).map(|(_, folder)| folder.clone());
    let runs_tab = |tab: &'static RunTab| Box::new(Runs::new(tab, runs.clone(), first(tab.scope))) as Box<dyn Tab>;
    let mut tabs: Vec<Box<dyn Tab>> = vec![Box::new(board::Board::new(board))];
    tabs.extend(RUN_TABS.iter().map(|tab| runs_tab(tab)));
    tabs
}
