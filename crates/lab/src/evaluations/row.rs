//! The rows of a run: the results of each generation.
//!
//! Games and positions count from the start of the run. Errors are root mean squares over the held-out games: of Othello in discs,
//! of checkers in points, where a win is one. Those by stage follow each other. The shallow error is that of a search to 4 plies
//! that predicts one to 8, in the middle of the game. Errors that no position measures are 0. The panel's results are as in a
//! training's rows.

use super::settings::Settings;
use crate::measuring::PanelResult;
use crate::row::{Cells, Row, odd_row};
use mancalab_base::Error;
use serde::Serialize;

/// A completed generation.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct EvaluationRow {
    pub generation: u64,
    pub games: u64,
    pub positions: u64,
    pub error: f64,
    pub shallow_error: f64,
    pub errors: Vec<f64>,
    /// Empty unless the panel was met.
    #[serde(skip)]
    pub panel: Vec<PanelResult>,
}

impl EvaluationRow {
    /// Parses the row after `before` others of a run with these settings.
    ///
    /// # Errors
    /// It is invalid or belongs to another generation.
    pub(super) fn next(row: &str, before: usize, settings: &Settings) -> Result<EvaluationRow, Error> {
        let read = EvaluationRow::default().read(row, before)?;
        let is_whole = read.panel.is_empty() || read.panel.len() == settings.panel.players.len();
        if is_whole && read.errors.len() == settings.subject.stages.len() {
            Ok(read)
        } else {
            Err(odd_row(row, before).into())
        }
    }
}

impl Row for EvaluationRow {
    fn columns(&mut self, cells: &mut Cells<'_>) -> Option<()> {
        cells.plain(&mut self.generation)?;
        cells.plain(&mut self.games)?;
        cells.plain(&mut self.positions)?;
        cells.rounded(&mut self.error, 3)?;
        cells.rounded(&mut self.shallow_error, 3)?;
        let mut errors = self.errors.iter().map(|error| format!("{error:.3}")).collect::<Vec<_>>().join(" ");
        cells.plain(&mut errors)?;
        self.errors = errors.split(' ').map(|error| error.parse().ok()).collect::<Option<_>>()?;
        let mut panel = PanelResult::list(&self.panel);
        cells.plain(&mut panel)?;
        self.panel = PanelResult::parse_list(&panel)?;
        Some(())
    }
}
