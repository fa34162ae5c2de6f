//! The list of the line's mistakes, on large screens: what each gave away, and the better move.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::Board;
use super::figures::variation_text;
use crate::game::record::Step;
use crate::player::reviewing::{GivenAway, Mark};
use crate::theme::Role;
use crate::ui::list::scrollbar;
use crate::ui::{Look, fit, joined, put, row};

const HEADS: &str = " turn  move        lost        value  better  best play";

impl Board {
    /// Draws the list, and registers its rows for the mouse.
    pub(super) fn draw_mistakes(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        let inner = joined(area, Line::from(look.span(Role::Title, "Mistakes")), Line::default(), buf, look);
        let mistakes = self.mistakes();
        if mistakes.is_empty() {
            let text = if self.is_reviewing() { " none so far" } else { " no mistakes" };
            return put(look.span(Role::Dim, text), inner, buf);
        }
        put(fit(Line::from(look.span(Role::Dim, HEADS)), inner.width, look), inner, buf);
        let line = self.session.record.line();
        let height = usize::from(inner.height.saturating_sub(1));
        // The current or previous mistake stays visible.
        let passed =
            mistakes.partition_point(|(node, _)| self.session.record.ply_at(*node) <= self.session.record.ply());
        let top = passed.saturating_sub(1 + height / 2).min(mistakes.len().saturating_sub(height));
        let below = Rect { y: inner.y + 1, height: height as u16, ..inner };
        scrollbar(below, &(top..mistakes.len().min(top + height)), mistakes.len(), buf, look);
        for (index, &(node, mark)) in mistakes.iter().skip(top).take(height).enumerate() {
            let step = line.get((self.session.record.ply_at(node) as usize).saturating_sub(1));
            let Some(line) = step.and_then(|step| self.mistake(step, mark, inner.width, look)) else { continue };
            let place = row(inner, 1 + index as u16);
            put(fit(line, inner.width, look), place, buf);
            if node == self.session.record.at() {
                buf.set_style(Rect { width: place.width.min(12), ..place }, look.style(Role::Selection));
            }
            self.areas.rows.push((place, node));
        }
    }

    fn mistake(&self, step: &Step, mark: Mark, room: u16, look: &Look) -> Option<Line<'static>> {
        let parent = self.session.record.parent(step.node)?;
        let valued = self.valued(parent)?;
        let best = valued.best()?;
        let position = self.session.record.position_at(parent);
        let role = self.side_role(step.mover);
        let worse = if mark == Mark::Blunder { Role::Bad } else { Role::Warning };
        let name = format!("{}{}", position.move_text(step.mv), mark.text());
        let loss = valued.loss(step.mv)?;
        let lost = match loss.result {
            None => format!("{:.0} %", loss.chance),
            Some(GivenAway::Win) => "the win".to_owned(),
            Some(GivenAway::NotLost) => "the game".to_owned(),
        };
        let [from, to] = [best, valued.move_line(step.mv)?].map(|line| self.shown_value(valued, line, look));
        let change = if loss.result.is_none() { format!("{from} {} {to}", look.glyphs.right) } else { String::new() };
        let mut line = Line::from(vec![
            look.span(Role::Dim, format!(" {:>4}  ", step.turn)),
            look.span(role, format!("{name:<6}")),
            look.span(worse, format!("{lost:>10}")),
            look.span(Role::Text, format!("{change:>13}  {:<6}  ", position.move_text(best.mv))),
        ]);
        let left = room.saturating_sub(line.width() as u16);
        line.spans.push(look.span(Role::Dim, variation_text(position, &best.pv, left)));
        Some(line)
    }
}
