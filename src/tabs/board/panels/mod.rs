//! The panels beside the board and what they know of the game.

pub(super) mod analysis;
pub(super) mod card;
pub(super) mod coach;
mod curve;
pub(super) mod explorer;
pub(super) mod figures;
pub(super) mod findings;
pub(super) mod judging;
pub(super) mod large_clocks;
pub(super) mod layout;
mod mistakes;
mod moves;
pub(super) mod preview;
pub(super) mod reports;
pub(super) mod review;
pub(super) mod samuel;
pub(super) mod terms;
pub(super) mod threat;
pub(super) mod why;

use std::time::{Duration, Instant};

use mancalab_base::Error;

use crate::config::Coach;
use crate::game::Move;
use crate::openings::Answer;
use crate::tables::endgame::checkers::Value;
use crate::tabs::board::session::{Session, Spot};
use analysis::Analysis;
use coach::Warning;
use explorer::Explorer;
use preview::Preview;
use reports::Reports;
use review::Review;
use terms::Terms;
use threat::Threat;

/// A result of a panel's background task.
pub enum PanelMessage {
    /// The value of a position was read from an endgame table.
    TableValue { spot: Spot, value: Option<Value> },
    /// The moves that were played in a position were read.
    Explored { request: u64, spot: Spot, result: Result<Answer, Error> },
}

/// A move chosen in a panel, and when.
#[derive(Clone, Copy)]
struct PickedMove {
    spot: Spot,
    mv: Move,
    time: Instant,
}

/// Maximum interval of a double click.
const DOUBLE: Duration = Duration::from_millis(500);

/// The contents of the panels.
#[derive(Default)]
pub struct Panels {
    pub(super) analysis: Analysis,
    /// The analysis was drawn, not dropped for space or for the terms.
    pub(super) shows_analysis: bool,
    /// The explorer of openings, and whether it was drawn.
    pub(super) explorer: Explorer,
    pub(super) shows_explorer: bool,
    /// The move chosen in the analysis or in the explorer.
    picked: Option<PickedMove>,
    pub(super) review: Review,
    /// The review of the game that is set aside.
    former_review: Option<Review>,
    threat: Option<Threat>,
    pub(super) coach: Coach,
    /// The blunder that the coach warned of last.
    warned: Option<Warning>,
    /// A line that is shown on the board.
    pub(super) preview: Option<Preview>,
    pub(super) terms: Terms,
    /// Variations are hidden, but marked.
    pub(super) folded: bool,
    /// The clocks are drawn large.
    pub(super) large_clocks: bool,
    /// Narrow lists of moves have times instead of values.
    pub(super) times: bool,
    /// The reports of the computer players.
    pub(super) reports: Reports,
    /// The end of a game that is shown on a card.
    pub(super) card: Option<Spot>,
}

impl Panels {
    /// Sets the review of the game on the board aside while puzzles take its place.
    pub fn set_aside(&mut self) {
        self.former_review = Some(std::mem::take(&mut self.review));
    }

    /// Puts the review back with its game.
    pub fn put_back(&mut self) {
        self.review = self.former_review.take().unwrap_or_default();
    }

    /// Drops the review that was set aside: its game does not come back.
    pub fn forget_former(&mut self) {
        self.former_review = None;
    }

    /// Returns the move chosen in the analysis or in the explorer.
    pub fn picked(&self, session: &Session) -> Option<Move> {
        self.picked.filter(|picked| picked.spot == session.spot()).map(|picked| picked.mv)
    }

    /// Returns whether a move was chosen a moment ago.
    pub fn is_picked_again(&self, session: &Session, mv: Move, now: Instant) -> bool {
        self.picked(session) == Some(mv) && self.picked.is_some_and(|picked| now - picked.time <= DOUBLE)
    }

    /// Points at a move on the board.
    pub fn point_at(&mut self, session: &Session, mv: Move, now: Instant) {
        self.picked = Some(PickedMove { spot: session.spot(), mv, time: now });
    }

    /// Points at no move.
    pub fn unpick(&mut self) {
        self.picked = None;
    }
}
