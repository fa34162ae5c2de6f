//! The list of the line's mistakes, on large screens: what each gave away, and the better move.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::figures::{shown_value, variation_text};
use super::review::Review;
use crate::game::record::{NodeId, Step};
use crate::player::review::{GivenAway, Mark};
use crate::tabs::board::session::Session;
use crate::theme::Role;
use crate::ui::list::scrollbar;
use crate::ui::{Look, fit, joined, put, row};

const HEADS: &str = " turn  move        lost        value  better";

/// Columns of a mistake without the best play, and the least for that beside them.
const FIGURES: u16 = 46;
const LINE: u16 = 30;

impl Review {
    /// Draws the list; returns the places of its rows, for the mouse.
    pub fn draw_mistakes(
        &mut self,
        session: &Session,
        area: Rect,
        buf: &mut Buffer,
        look: &Look,
    ) -> Vec<(Rect, NodeId)> {
        let inner = joined(area, Line::from(look.span(Role::Title, "Mistakes")), Line::default(), buf, look);
        let mistakes = self.mistakes(session);
        if mistakes.is_empty() {
            let text = if self.is_reviewing() { " none so far" } else { " no mistakes" };
            put(look.span(Role::Dim, text), inner, buf);
            return Vec::new();
        }
        let rows = usize::from(inner.height.saturating_sub(1));
        // The best play goes below its mistake where that shows more of it.
        let is_below = inner.width < FIGURES + LINE && 2 * mistakes.len() <= rows;
        let best_play = if is_below { "" } else { "  best play" };
        put(fit(Line::from(look.span(Role::Dim, format!("{HEADS}{best_play}"))), inner.width, look), inner, buf);
        let line = session.record.line();
        let height = if is_below { rows / 2 } else { rows };
        // The current or previous mistake stays visible.
        let passed = mistakes.partition_point(|(node, _)| session.record.ply_at(*node) <= session.record.ply());
        let top = passed.saturating_sub(1 + height / 2).min(mistakes.len().saturating_sub(height));
        let below = Rect { y: inner.y + 1, height: rows as u16, ..inner };
        scrollbar(below, &(top..mistakes.len().min(top + height)), mistakes.len(), buf, look);
        let mut places = Vec::new();
        for (index, &(node, mark)) in mistakes.iter().skip(top).take(height).enumerate() {
            let step = line.get((session.record.ply_at(node) as usize).saturating_sub(1));
            let Some(mut line) = step.and_then(|step| self.mistake(session, step, mark, look)) else { continue };
            let indent = if is_below { 7 } else { line.width() as u16 };
            let play = self.best_play(session, node, inner.width.saturating_sub(indent));
            let place = row(inner, 1 + if is_below { 2 * index } else { index } as u16);
            if is_below {
                let place = row(inner, place.y - inner.y + 1);
                let place = Rect { x: place.x + indent, width: place.width.saturating_sub(indent), ..place };
                put(look.span(Role::Dim, play), place, buf);
                places.push((place, node));
            } else {
                line.push_span(look.span(Role::Dim, play));
            }
            put(fit(line, inner.width, look), place, buf);
            if node == session.record.at() {
                look.select(Rect { width: place.width.min(12), ..place }, buf);
            }
            places.push((place, node));
        }
        places
    }

    fn mistake(&self, session: &Session, step: &Step, mark: Mark, look: &Look) -> Option<Line<'static>> {
        let parent = session.record.parent(step.node)?;
        let valued = self.valued(session, parent)?;
        let best = valued.best()?;
        let position = session.record.position_at(parent);
        let role = session.side_role(step.mover);
        let worse = if mark == Mark::Blunder { Role::Bad } else { Role::Warning };
        let name = format!("{}{}", position.move_text(step.mv), mark.text());
        let loss = valued.loss(step.mv)?;
        let lost = match loss.result {
            None => format!("{:.0} %", loss.chance),
            Some(GivenAway::Win) => "the win".to_owned(),
            Some(GivenAway::NotLost) => "the game".to_owned(),
        };
        let [from, to] = [best, valued.move_line(step.mv)?].map(|line| shown_value(session, valued, line, look));
        let change = if loss.result.is_none() { format!("{from} {} {to}", look.glyphs.right) } else { String::new() };
        Some(Line::from(vec![
            look.span(Role::Dim, format!(" {:>4}  ", step.turn)),
            look.span(role, format!("{name:<6}")),
            look.span(worse, format!("{lost:>10}")),
            look.span(Role::Text, format!("{change:>13}  {:<6}  ", position.move_text(best.mv))),
        ]))
    }

    /// The best play instead of a mistake.
    fn best_play(&self, session: &Session, node: NodeId, room: u16) -> String {
        let before = session.record.parent(node);
        let line = before.and_then(|before| Some((before, self.valued(session, before)?.best()?)));
        line.map_or(String::new(), |(before, best)| variation_text(session.record.position_at(before), &best.pv, room))
    }
}
