//! The coach: values the person's position while the person thinks, and rates each move in a word.
//!
//! The values come from the search of the review, one position at a time, so that the verdict is there with the move. The better
//! move is not named: taking the move back and finding it is the exercise.

use ratatui::text::Line;

use crate::app::effect::{Context, Tone};
use crate::config::Coach;
use crate::game::Move;
use crate::game::record::NodeId;
use crate::player::reviewing::{Loss, Mark};
use crate::settings::quoted;
use crate::tabs::board::Board;
use crate::tabs::board::session::casual::Reason;
use crate::theme::Role;
use crate::ui::{Look, clip};

/// Share of the threshold of a mistake from which a move is an inaccuracy.
const INACCURATE: f64 = 0.5;

/// A move that the coach has warned of: the person may insist on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::tabs::board) struct Warned {
    spot: crate::tabs::board::Spot,
    mv: Move,
}

impl Board {
    /// Returns whether the coach rates the moves of the game on the board.
    pub(in crate::tabs::board) fn is_coached(&self) -> bool {
        self.panels.coach != Coach::Off && self.session.has_human() && self.resigned().is_none() && !self.is_retrying()
    }

    /// Returns whether a coached game is being played, in which the review must not name moves.
    pub(in crate::tabs::board) fn is_playing_coached(&self) -> bool {
        let is_taken_back = self.session.taken_back == Some(self.session.record.at());
        self.is_coached() && (self.session.mode.is_live() || is_taken_back) && !self.session.is_over()
    }

    /// Switches the coach: off, on, with warnings before blunders.
    pub(in crate::tabs::board) fn change_coach(&mut self, cx: &mut Context) {
        if !cx.permits_analysis() {
            return;
        }
        let (coach, text) = match self.panels.coach {
            Coach::Off => (Coach::On, "Coach on: rates each of your moves (W: warn too)"),
            Coach::On => (Coach::Warn, "Coach with warnings before blunders (W: off)"),
            Coach::Warn => (Coach::Off, "Coach off"),
        };
        self.panels.coach = coach;
        cx.remember("board", "coach", quoted(&coach.to_string()));
        cx.notice(Tone::Info, text);
        if coach != Coach::Off {
            self.use_help(Reason::Coach, cx);
        }
        self.settle(cx);
    }

    /// Values the position in which a person is to move.
    pub(in crate::tabs::board) fn settle_coach(&mut self, cx: &mut Context) {
        let at = self.session.record.at();
        let is_wanted = self.is_playing_coached() && self.awaits_human();
        if is_wanted && self.is_unrated(at) && !self.is_reviewing() && !self.is_rating() {
            self.value_for_coach(at, cx);
        }
    }

    /// The last move of a person, with the position before it.
    fn rated_move(&self) -> Option<(NodeId, Move)> {
        let record = &self.session.record;
        let mut node = record.at();
        while let Some((parent, mv)) = record.came(node) {
            let side = record.position_at(parent).side();
            if self.session.is_human(side) {
                return Some((parent, mv));
            }
            node = parent;
        }
        None
    }

    fn loss_of(&self, (parent, mv): (NodeId, Move)) -> Option<Loss> {
        self.valued(parent)?.loss(mv)
    }

    /// The word for a move, with its loss: `? C: mistake, 8 % lost · u takes it back`.
    pub(in crate::tabs::board) fn coach_line(&self, room: u16, look: &Look) -> Option<Line<'static>> {
        if !self.is_playing_coached() || self.edit.is_some() {
            return None;
        }
        let (parent, mv) = self.rated_move()?;
        let name = self.session.record.position_at(parent).move_text(mv);
        let Some(loss) = self.loss_of((parent, mv)) else {
            let text = format!("Coach: rating {name}{}", look.glyphs.ellipsis);
            return self.is_rating().then(|| Line::from(look.span(Role::Dim, text)));
        };
        let valued = self.valued(parent)?;
        let mistake = self.thresholds().map_or(0.0, |[mistake, _]| f64::from(mistake));
        let mark = self.panels.review.mark(valued, mv);
        let (role, text) = match mark {
            Some(Mark::Blunder) => (Role::Bad, format!("?? {name}: blunder")),
            Some(Mark::Mistake) => (Role::Warning, format!("? {name}: mistake")),
            None if valued.moves.len() == 1 => (Role::Dim, format!("{} {name}: the only move", look.glyphs.check)),
            None if loss.is_zero() => (Role::Good, format!("{} {name}: best", look.glyphs.check)),
            None if loss.chance < INACCURATE * mistake => (Role::Good, format!("{} {name}: good", look.glyphs.check)),
            None => (Role::Warning, format!("{name}: inaccuracy")),
        };
        let is_worse = mark.is_some() || loss.chance >= INACCURATE * mistake;
        let lost = if is_worse {
            format!(", {}", crate::tabs::board::practice::retry::lost_text(&loss))
        } else {
            String::new()
        };
        let undo = if mark.is_some() { format!(" {} u takes it back", look.glyphs.dot) } else { String::new() };
        Some(Line::from(look.span(role, clip(&format!("{text}{lost}{undo}"), room, look))))
    }

    /// Warns of a blunder, once a move: returns whether the move waits for a second entry.
    pub(in crate::tabs::board) fn warns_of(&mut self, mv: Move, cx: &mut Context) -> bool {
        let at = self.session.record.at();
        let is_person = self.session.is_human(self.session.position().side());
        if self.panels.coach != Coach::Warn || !self.is_coached() || !is_person {
            return false;
        }
        let warned = Warned { spot: self.session.spot(), mv };
        let mark = self.valued(at).and_then(|valued| self.panels.review.mark(valued, mv));
        if mark != Some(Mark::Blunder) || self.panels.warned == Some(warned) {
            return false;
        }
        let lost = self
            .loss_of((at, mv))
            .map_or_else(String::new, |loss| format!(" ({})", crate::tabs::board::practice::retry::lost_text(&loss)));
        let name = self.session.position().move_text(mv);
        self.panels.warned = Some(warned);
        cx.notice(Tone::Bad, format!("{name} is a blunder{lost}. Enter it again to play it"));
        true
    }
}
