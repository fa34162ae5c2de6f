//! Tabs whose engines are still to be built: they say what will run there, and how far the build is.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::Tab;
use crate::app::command::Command;
use crate::app::effect::Context;
use crate::theme::Role;
use crate::ui::{Look, put, row};

/// A page of text in a tab's place.
pub struct Planned {
    scope: &'static str,
    title: &'static str,
    purpose: &'static str,
    /// What will be there, a line each.
    plan: &'static [&'static str],
    /// What it needs, and whether that is built.
    parts: &'static [(&'static str, bool)],
}

pub fn weights() -> Planned {
    Planned {
        scope: "weights",
        title: "Weights",
        purpose: "A genetic algorithm will tune the ten weights of a heuristic player.",
        plan: &[
            "Each of 50 genomes plays every other; the share of points won",
            "is its fitness, for 250 generations.",
            "You will watch the weights converge, and open any genome as a",
            "player on the Board.",
        ],
        parts: &[
            ("rules and boards", true),
            ("alpha-beta search", true),
            ("jobs that run beside the keys", true),
            ("the ten heuristics", false),
            ("the genetic algorithm and the run on disk", false),
            ("this page's charts", false),
        ],
    }
}

impl Tab for Planned {
    fn scope(&self) -> &'static str {
        self.scope
    }

    fn title(&self) -> &'static str {
        self.title
    }

    fn subtitle(&self, _: &Look) -> String {
        "not built yet".to_owned()
    }

    fn commands(&self) -> &'static [Command] {
        &[]
    }

    fn run(&mut self, _: &str, _: &mut Context) {}

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        let mut lines = vec![Line::from(look.span(Role::Title, self.purpose)), Line::default()];
        lines.extend(self.plan.iter().map(|text| Line::from(look.span(Role::Text, *text))));
        lines.extend([Line::default(), Line::from(look.span(Role::Title, "How far it is"))]);
        lines.extend(self.parts.iter().map(|&(part, built)| {
            let (mark, role) = if built { (look.glyphs.check, Role::Good) } else { (look.glyphs.dot, Role::Dim) };
            let state = if built { "built" } else { "to come" };
            Line::from(vec![
                look.span(role, format!("  {mark} {state:<8}")),
                look.span(if built { Role::Text } else { Role::Dim }, part),
            ])
        }));
        lines.extend([Line::default(), Line::from(look.span(Role::Dim, "Until then: 1 or Tab goes to the Board."))]);
        let wide = lines.iter().map(Line::width).max().unwrap_or(0) as u16;
        let x = area.x + area.width.saturating_sub(wide).min(12) / 2 + 1;
        let y = area.y + area.height.saturating_sub(lines.len() as u16) / 3;
        let place = Rect { x, y, width: area.right().saturating_sub(x), height: area.bottom().saturating_sub(y) };
        for (index, line) in lines.into_iter().enumerate() {
            put(line, row(place, index as u16), buf);
        }
    }
}
