//! The panels beside the board and what they know of the game.
//!
//! The coach: values the person's position while the person thinks, and rates each move in a word.
//!
//! The values come from the search of the review, one position at a time, so that the verdict is there with the move. The better
//! move is not named: taking the move back and finding it is the exercise.

pub(super) mod analysis;
pub(super) mod card;
mod curve;
pub(super) mod explorer;
pub(super) mod figures;
pub(super) mod findings;
pub(super) mod judging;
pub(super) mod layout;
mod mistakes;
pub(super) mod moves;
pub(super) mod reports;
pub(super) mod review;
pub(super) mod samuel;
pub(super) mod terms;
pub(super) mod why;

use std::time::{Duration, Instant};

use mancalab_base::Error;
use ratatui::text::Line;

use super::session::{Session, Spot};
use crate::config::Coach;
use crate::game::Move;
use crate::game::record::NodeId;
use crate::openings::Answer;
use crate::player::review::{Loss, Mark, PositionValue};
use crate::tables::endgame::checkers::Value;
use crate::theme::Role;
use crate::ui::{Look, clip};
use analysis::{Analysis, Preview, Threat};
use explorer::Explorer;
use figures::lost_text;
use reports::Reports;
use review::Review;
use terms::Terms;

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

/// Share of the threshold of a mistake from which a move is an inaccuracy.
const INACCURATE: f64 = 0.5;

/// A move that the coach has warned of: the person may insist on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Warning {
    spot: Spot,
    mv: Move,
}

/// The last move of a person, with the position before it.
fn rated_move(session: &Session) -> Option<(NodeId, Move)> {
    let record = &session.record;
    let mut node = record.at();
    while let Some((parent, mv)) = record.came(node) {
        let side = record.position_at(parent).side();
        if session.is_human(side) {
            return Some((parent, mv));
        }
        node = parent;
    }
    None
}

/// What a move loses, marked where it is an estimate: a review may find another value.
fn estimated(valued: &PositionValue, loss: &Loss) -> String {
    let about = if valued.solved { "" } else { "about " };
    format!("{about}{}", lost_text(loss))
}

impl Panels {
    /// The word for a move, with its loss: `? C: mistake, about 8 % lost · u takes it back`.
    pub fn coach_line(&self, session: &Session, room: u16, look: &Look) -> Option<Line<'static>> {
        let (parent, mv) = rated_move(session)?;
        let name = session.record.position_at(parent).move_text(mv);
        let Some(loss) = self.review.valued(session, parent).and_then(|valued| valued.loss(mv)) else {
            let text = format!("Coach: rating {name}{}", look.glyphs.ellipsis);
            return self.review.is_rating().then(|| Line::from(look.span(Role::Dim, text)));
        };
        let valued = self.review.valued(session, parent)?;
        let mistake = self.review.thresholds().map_or(0.0, |[mistake, _]| f64::from(mistake));
        let mark = self.review.mark(valued, mv);
        let (role, text) = match mark {
            Some(Mark::Blunder) => (Role::Bad, format!("?? {name}: blunder")),
            Some(Mark::Mistake) => (Role::Warning, format!("? {name}: mistake")),
            None if valued.moves.len() == 1 => (Role::Dim, format!("{} {name}: the only move", look.glyphs.check)),
            None if loss.is_zero() => (Role::Good, format!("{} {name}: best", look.glyphs.check)),
            None if loss.chance < INACCURATE * mistake => (Role::Good, format!("{} {name}: good", look.glyphs.check)),
            None => (Role::Warning, format!("{name}: inaccuracy")),
        };
        let is_worse = mark.is_some() || loss.chance >= INACCURATE * mistake;
        let lost = if is_worse { format!(", {}", estimated(valued, &loss)) } else { String::new() };
        let undo = if mark.is_some() { format!(" {} u takes it back", look.glyphs.dot) } else { String::new() };
        Some(Line::from(look.span(role, clip(&format!("{text}{lost}{undo}"), room, look))))
    }

    /// Returns the warning of a blunder, once a move.
    pub fn warning(&mut self, session: &Session, mv: Move) -> Option<String> {
        let warned = Warning { spot: session.spot(), mv };
        let valued = self.review.valued(session, session.record.at())?;
        let is_blunder = self.review.mark(valued, mv) == Some(Mark::Blunder);
        if !is_blunder || self.warned == Some(warned) {
            return None;
        }
        let lost = valued.loss(mv).map_or_else(String::new, |loss| format!(" ({})", estimated(valued, &loss)));
        self.warned = Some(warned);
        Some(format!("{} is a blunder{lost}. Enter it again to play it", session.position().move_text(mv)))
    }
}
