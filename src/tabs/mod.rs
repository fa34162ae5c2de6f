//! The tabs and their list.
//!
//! To add a tab, implement `Tab` in a file and add a line to [`all`]; to add a tab of runs, define a
//! [`RunTab`](runs::parts::kind::RunTab) and its commands, and add a line to [`RUN_TABS`]. The event loop uses tabs only through `Tab`.

pub(crate) mod arena;
pub mod board;
pub(crate) mod evolution;
pub(crate) mod monitor;
#[cfg(test)]
mod proof;
pub(crate) mod runs;
#[cfg(test)]
pub(crate) mod staged;
pub(crate) mod train;
pub(crate) mod weights;

use std::path::PathBuf;

use crate::app::tab::Tab;
use crate::paths::Paths;
use runs::{DescribedTab, Runs};

/// The settings of the tabs when the screen opens.
#[derive(Clone, Debug)]
pub struct TabSettings {
    pub board: board::Settings,
    /// The folder of saved runs; `None` if the system names none.
    pub runs: Option<PathBuf>,
    /// A run or plan to open at start, with the scope of its tab.
    pub run: Option<(&'static str, PathBuf)>,
}

impl TabSettings {
    /// Returns the settings without a run.
    pub fn new(board: board::Settings, paths: &Paths) -> TabSettings {
        TabSettings { board, runs: paths.runs(), run: None }
    }
}

/// The tabs of runs, in the order of the tab bar.
static RUN_TABS: &[DescribedTab] = &[
    (&evolution::TAB, evolution::COMMANDS),
    (&weights::TAB, weights::COMMANDS),
    (&arena::TAB, arena::COMMANDS),
    (&train::TAB, train::COMMANDS),
];

/// Returns the scope of the tab for runs of this kind, a word of `run.toml`.
pub fn of_kind(word: &str) -> Option<&'static str> {
    RUN_TABS.iter().find(|(tab, _)| tab.kind().is(word)).map(|(tab, _)| tab.scope)
}

/// Returns all tabs, in the order of the tab bar.
pub fn all(settings: TabSettings) -> Vec<Box<dyn Tab>> {
    let TabSettings { board, runs, run } = settings;
    let first = |scope: &str| run.as_ref().filter(|(owner, _)| *owner == scope).map(|(_, folder)| folder.clone());
    let runs_tab = |described: &DescribedTab| {
        Box::new(Runs::new(described, runs.clone(), first(described.0.scope))) as Box<dyn Tab>
    };
    let mut tabs: Vec<Box<dyn Tab>> = vec![Box::new(board::Board::new(board))];
    tabs.extend(RUN_TABS.iter().map(runs_tab));
    tabs.push(Box::new(monitor::Monitor::new(runs.clone(), of_kind)));
    tabs
}
