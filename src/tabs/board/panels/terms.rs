//! The ten heuristics of the position on screen: values, and contributions to the heuristic player's evaluation; with a
//! network the eleventh. For a function player see `judging`, for a network player `network`, for checkers `samuel`.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::judging::Judge;
use super::layout::Layout;
use crate::app::effect::{Context, Tone};
use crate::player::heuristic::{self, Contribution, Heuristic, Weights};
use crate::player::{Spec, hybrid};
use crate::tabs::board::Board;
use crate::tabs::board::session::casual::Reason;
use crate::theme::Role;
use crate::ui::{Look, clip, fit, joined, put, row};

/// Minimum width of two columns.
const WIDE: u16 = 76;

impl Board {
    pub(in crate::tabs::board) fn toggle_terms(&mut self, cx: &mut Context) {
        if !self.has_terms() {
            let game = self.session.record.variant.title();
            let text = "This needs at most 8 pits a side, or a function or network player";
            return cx.notice(Tone::Info, format!("{text}; nothing to show for {game}"));
        }
        self.panels.terms = !self.panels.terms;
        self.panels.terms_last = self.panels.terms;
        if self.panels.terms {
            self.use_help(Reason::Values, cx);
        }
        self.settle_table_value(cx);
    }

    /// Shows the panel if `on` and it is hidden.
    pub(in crate::tabs::board) fn show_terms(&mut self, is_wanted: bool) {
        self.panels.terms |= is_wanted;
        self.panels.terms_last |= is_wanted;
    }

    /// Returns whether the panel is on and has content.
    pub(in crate::tabs::board) fn shows_terms(&self) -> bool {
        self.panels.terms && self.has_terms()
    }

    /// Returns whether the panel has content: heuristics or Samuel's terms, a function or a network player.
    pub(in crate::tabs::board) fn has_terms(&self) -> bool {
        heuristic::knows(self.session.position()) || self.judge().is_some() || self.has_samuels_terms()
    }

    /// The rows in a narrow and in a wide panel.
    pub(in crate::tabs::board) fn term_lines(&self) -> [u16; 2] {
        match self.judge() {
            Some(Judge::Functions(_)) => [Board::JUDGED_LINES; 2],
            Some(Judge::Network(_)) => [self.network_lines(); 2],
            None if self.has_samuels_terms() => Board::SAMUEL_LINES,
            None => {
                let count =
                    if matches!(self.weigher(), Spec::Hybrid(_)) { hybrid::COUNT } else { heuristic::terms::COUNT };
                [count as u16, count.div_ceil(2) as u16]
            }
        }
    }

    /// The heuristic player at the board, or the default weights.
    fn weigher(&self) -> Spec {
        let seated = self.of_players(|spec| matches!(spec, Spec::Heuristic(_) | Spec::Hybrid(_)).then(|| spec.clone()));
        seated.unwrap_or_else(|| Spec::Heuristic(Heuristic::new(4, Weights::usual())))
    }

    pub(in crate::tabs::board) fn draw_terms(&self, places: &Layout, buf: &mut Buffer, look: &Look) {
        match self.judge() {
            Some(Judge::Functions(staged)) => return self.draw_judged(staged, places, buf, look),
            Some(Judge::Network(network)) => return self.draw_network(&network, places, buf, look),
            None => {}
        }
        if self.has_samuels_terms() {
            return self.draw_samuels_terms(places, buf, look);
        }
        let judge = self.weigher();
        let side = self.session.position().side();
        let played = self.session.record.last().filter(|(before, _)| before.side() == side);
        let (whose, terms) = match &judge {
            Spec::Hybrid(hybrid) => ("Heuristics and network", hybrid.explain(self.session.position(), side, played)),
            Spec::Heuristic(plain) => (
                "Ten heuristics",
                heuristic::explain(self.session.position(), side, played, plain).map(|terms| terms.to_vec()),
            ),
            _ => ("Ten heuristics", None),
        };
        let sum = terms.as_ref().map_or(0.0, |terms| terms.iter().map(|term| term.contribution).sum());
        let title = Line::from(vec![
            look.span(Role::Title, format!("{whose} for {}", self.session.seat_name(side))),
            look.span(Role::Dim, format!("  sum {}  {judge}", look.with_minus(&format!("{sum:+.2}")))),
        ]);
        let title = fit(title, places.terms_title(), look);
        let inner = places.terms_frame(title, buf, look);
        let [narrow, wide] = self.term_lines();
        let (lines, columns) = if places.terms.width >= WIDE { (wide, 2) } else { (narrow, 1) };
        let width = inner.width / columns;
        for (index, term) in terms.iter().flatten().enumerate() {
            let column = index as u16 / lines;
            let line = index as u16 % lines;
            let place = row(inner, line);
            put(term_line(term, width, look), Rect { x: place.x + column * width, width, ..place }, buf);
        }
    }
}

impl Layout {
    /// Width of the panel's title.
    pub(in crate::tabs::board) fn terms_title(&self) -> u16 {
        self.terms.width.saturating_sub(if self.compact { 0 } else { 4 })
    }

    /// Draws the panel's frame, or only its title, and returns the inner area.
    pub(in crate::tabs::board) fn terms_frame(&self, title: Line<'static>, buf: &mut Buffer, look: &Look) -> Rect {
        let area = self.terms;
        if !self.compact {
            return joined(area, title, Line::default(), buf, look);
        }
        put(title, area, buf);
        Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area }
    }
}

fn term_line(term: &Contribution, cells: u16, look: &Look) -> Line<'static> {
    let label = format!("{} {}", term.name, term.title);
    let room = cells.saturating_sub(22).max(4);
    let label = clip(&label, room, look);
    let gap = " ".repeat(usize::from(room - crate::ui::width(&label)));
    let role = if term.contribution < 0.0 { Role::Bad } else { Role::Text };
    Line::from(vec![
        look.span(Role::Dim, format!(" {label}{gap} ")),
        look.span(Role::Text, format!("{:>5}", look.with_minus(&term.value.to_string()))),
        look.span(Role::Dim, format!(" {}{:<5.3}", look.glyphs.times, term.weight)),
        look.span(role, format!("{:>7}", look.with_minus(&format!("{:+.2}", term.contribution)))),
    ])
}
