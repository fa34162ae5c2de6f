//! The tabs, and the one list of them.
//!
//! A tab is added by a file that implements `Tab` and a line in [`all`]; the event loop knows tabs by this trait only.

pub(crate) mod arena;
pub mod board;
pub(crate) mod evolution;
#[cfg(test)]
mod proof;
pub(crate) mod runs;
pub(crate) mod train;
pub(crate) mod weights;

use std::path::PathBuf;

use crate::app::tab::Tab;
use crate::paths::Paths;

/// What the tabs open with.
#[derive(Clone, Debug)]
pub struct Opening {
    pub board: board::Settings,
    /// Where runs are kept; `None` if the system names no place.
    pub runs: Option<PathBuf>,
    /// A run of the Evolution tab to open at once.
    pub evolution: Option<PathBuf>,
    /// The same for the Weights tab.
    pub weights: Option<PathBuf>,
    /// The same for the Arena tab.
    pub arena: Option<PathBuf>,
    /// The same for the Train tab.
    pub train: Option<PathBuf>,
}

impl Opening {
    /// No run is opened.
    pub fn new(board: board::Settings, paths: &Paths) -> Opening {
        Opening { board, runs: paths.runs(), evolution: None, weights: None, arena: None, train: None }
    }
}

/// All tabs, in the order of the tab bar.
pub fn all(opening: Opening) -> Vec<Box<dyn Tab>> {
    let Opening { board, runs, evolution, weights, arena, train } = opening;
    vec![
        Box::new(board::Board::new(board)),
        Box::new(evolution::Evolution::new(runs.clone(), evolution)),
        Box::new(weights::WeightsTab::new(runs.clone(), weights)),
        Box::new(arena::ArenaTab::new(runs.clone(), arena)),
        Box::new(train::TrainTab::new(runs, train)),
    ]
}
