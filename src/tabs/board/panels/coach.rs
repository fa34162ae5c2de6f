//! The coach: values the person's position while the person thinks, and rates each move in a word.
//!
//! The values come from the search of the review, one position at a time, so that the verdict is there with the move. The better
//! move is not named: taking the move back and finding it is the exercise.

use ratatui::text::Line;

use super::Panels;
use super::figures::lost_text;
use crate::game::Move;
use crate::game::record::NodeId;
use crate::player::reviewing::{Loss, Mark, PositionValue};
use crate::tabs::board::session::{Session, Spot};
use crate::theme::Role;
use crate::ui::{Look, clip};

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
