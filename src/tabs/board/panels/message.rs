//! The results of the panels' background tasks.

use mancalab_base::Error;

use crate::openings::Answer;
use crate::tables::endgame::checkers::Value;
use crate::tabs::board::session::Spot;

/// A result for the panels.
pub enum PanelMessage {
    /// The value of a position was read from an endgame table.
    TableValue { spot: Spot, value: Option<Value> },
    /// The moves that were played in a position were read.
    Explored { request: u64, spot: Spot, result: Result<Answer, Error> },
}
