//! The ten heuristics of the position on screen: values, and contributions to the heuristic player's evaluation; with a
//! network the eleventh. For a function player see `judging`, for a network player `network`, for checkers `samuel`.
//!
//! The title of Samuel's terms has the value by an endgame table, which a background task reads, as no file is read while drawing.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::PanelMessage;
use super::judging::{self, Judge, RecentResults, judge};
use super::layout::Layout;
use super::{network, samuel};
use crate::app::effect::Context;
use crate::game::checkers::Checkers;
use crate::player::heuristic::{self, Contribution, Heuristic, Weights};
use crate::player::{Spec, hybrid};
use crate::tables::endgame::checkers::{PIECES, Tables, Value};
use crate::tabs::board::session::{Session, Spot};
use crate::theme::Role;
use crate::ui::{Look, clip, fit, joined, put, row};

/// Minimum width of two columns.
const WIDE: u16 = 76;

/// The panel of terms.
#[derive(Default)]
pub struct Terms {
    pub on: bool,
    /// It was switched on after the analysis.
    pub last: bool,
    /// The value of the position by an endgame table.
    table_value: Option<TableValue>,
    /// Cached values of function players.
    pub known: RecentResults,
}

/// Returns whether the panel has content: heuristics or Samuel's terms, a function or a network player.
pub fn has_terms(session: &Session) -> bool {
    heuristic::knows(session.position()) || judge(session).is_some() || samuel::is_known(session)
}

/// The rows in a narrow and in a wide panel.
pub fn term_lines(session: &Session) -> [u16; 2] {
    match judge(session) {
        Some(Judge::Functions(_)) => [judging::LINES; 2],
        Some(Judge::Network(_)) => [network::line_count(session); 2],
        None if samuel::is_known(session) => samuel::LINES,
        None => {
            let count =
                if matches!(weigher(session), Spec::Hybrid(_)) { hybrid::COUNT } else { heuristic::terms::COUNT };
            [count as u16, count.div_ceil(2) as u16]
        }
    }
}

/// The heuristic player at the board, or the default weights.
fn weigher(session: &Session) -> Spec {
    let seated = session.of_players(|spec| matches!(spec, Spec::Heuristic(_) | Spec::Hybrid(_)).then(|| spec.clone()));
    seated.unwrap_or_else(|| Spec::Heuristic(Heuristic::new(4, Weights::usual())))
}

impl Terms {
    /// Shows the panel if it is wanted and hidden.
    pub fn show(&mut self, is_wanted: bool) {
        self.on |= is_wanted;
        self.last |= is_wanted;
    }

    /// Returns whether the panel is on and has content.
    pub fn is_shown(&self, session: &Session) -> bool {
        self.on && has_terms(session)
    }

    pub fn draw(&self, session: &Session, places: &Layout, buf: &mut Buffer, look: &Look) {
        match judge(session) {
            Some(Judge::Functions(staged)) => return self.known.draw(session, staged, places, buf, look),
            Some(Judge::Network(network)) => return network::draw(session, &network, places, buf, look),
            None => {}
        }
        if samuel::is_known(session) {
            return samuel::draw(session, &self.table_text(session), places, buf, look);
        }
        let judge = weigher(session);
        let side = session.position().side();
        let played = session.record.last().filter(|(before, _)| before.side() == side);
        let (whose, terms) = match &judge {
            Spec::Hybrid(hybrid) => ("Heuristics and network", hybrid.explain(session.position(), side, played)),
            Spec::Heuristic(plain) => (
                "Ten heuristics",
                heuristic::explain(session.position(), side, played, plain).map(|terms| terms.to_vec()),
            ),
            _ => ("Ten heuristics", None),
        };
        let sum = terms.as_ref().map_or(0.0, |terms| terms.iter().map(|term| term.contribution).sum());
        let title = Line::from(vec![
            look.span(Role::Title, format!("{whose} for {}", session.seat_name(side))),
            look.span(Role::Dim, format!("  sum {}  {judge}", look.with_minus(&format!("{sum:+.2}")))),
        ]);
        let title = fit(title, places.terms_title(), look);
        let inner = places.terms_frame(title, buf, look);
        let [narrow, wide] = term_lines(session);
        let (lines, columns) = if places.terms.width >= WIDE { (wide, 2) } else { (narrow, 1) };
        let width = inner.width / columns;
        for (index, term) in terms.iter().flatten().enumerate() {
            let column = index as u16 / lines;
            let line = index as u16 % lines;
            let place = row(inner, line);
            put(term_line(term, width, look), Rect { x: place.x + column * width, width, ..place }, buf);
        }
    }

    /// Reads the value of the position on screen, if it has few pieces and the panel is on.
    pub fn settle_table_value(&mut self, session: &Session, cx: &mut Context) {
        let spot = session.spot();
        if !self.on || session.edit.is_some() || self.table_value.as_ref().is_some_and(|known| known.spot == spot) {
            return;
        }
        self.table_value = None;
        let Ok(pos) = Checkers::try_from(*session.position()) else { return };
        let pieces = 32 - pos.empty().count_ones();
        if pieces <= u32::from(*PIECES.end()) {
            self.table_value = Some(TableValue { spot, value: None });
            cx.background(move || PanelMessage::TableValue {
                spot,
                value: Tables::open().and_then(|tables| tables.probe(&pos)),
            });
        }
    }

    pub fn take_table_value(&mut self, spot: Spot, value: Option<Value>) {
        if let Some(known) = self.table_value.as_mut().filter(|known| known.spot == spot) {
            known.value = value;
        }
    }

    /// The value for the side to move, such as `table: wins in 23`; empty if it is not known.
    pub fn table_text(&self, session: &Session) -> String {
        let known = self.table_value.as_ref().filter(|known| known.spot == session.spot());
        known.and_then(|known| known.value).map_or(String::new(), |value| format!("  table: {}", text(value)))
    }
}

impl Layout {
    /// Width of the panel's title.
    pub fn terms_title(&self) -> u16 {
        self.terms.width.saturating_sub(if self.compact { 0 } else { 4 })
    }

    /// Draws the panel's frame, or only its title, and returns the inner area.
    pub fn terms_frame(&self, title: Line<'static>, buf: &mut Buffer, look: &Look) -> Rect {
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

/// A position, and its value once it is known.
struct TableValue {
    spot: Spot,
    value: Option<Value>,
}

fn text(value: Value) -> String {
    match value {
        Value::Wins(plies) => format!("wins in {plies}"),
        Value::Draws => "draws".to_owned(),
        Value::Loses(plies) => format!("loses in {plies}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::stage::Stage;

    #[test]
    fn a_value_is_that_of_the_side_to_move() {
        assert_eq!([Value::Wins(23), Value::Draws, Value::Loses(0)].map(text), ["wins in 23", "draws", "loses in 0"]);
    }

    #[test]
    fn positions_without_a_table_have_no_value() {
        let mut stage = Stage::of_game("checkers", "human", "human");
        stage.paste("B:WK32:BK1,K5");
        stage.text("w");
        let terms = stage.panel("Samuel's terms for Black").unwrap();
        assert!(terms.title.contains(" sum ") && !terms.title.contains("table:"), "{}", terms.title);
    }
}
