//! The terms of the position on screen: the ten heuristics, Samuel's terms, and a network's output, with their contributions to the player's evaluation.
//!
//! The title of Samuel's terms has the value by an endgame table, which a background task reads, as no file is read while drawing.

use mancalab_base::counted;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::judging::{self, Judge, RecentResults, judge};
use super::layout::Layout;
use super::{PanelMessage, samuel};
use crate::app::tab::Context;
use crate::game::checkers::Checkers;
use crate::game::{Move, Position};
use crate::player::heuristic::{self, Contribution, Heuristic, Weights};
use crate::player::{GameNetwork, NetworkOutput, Said, Spec, hybrid};
use crate::tables::endgame::checkers::{PIECES, Tables, Value};
use crate::tabs::board::session::{Session, Spot};
use crate::theme::Role;
use crate::ui::{Look, clip, fit, joined, put, row, width};

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
        Some(Judge::Network(_)) => [line_count(session); 2],
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
            Some(Judge::Network(network)) => return draw(session, &network, places, buf, look),
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

/// Widths of the figures: probability, logit, value after the move.
const CHANCE: usize = 7;
const LOGIT: usize = 8;
const BEHIND: usize = 8;

/// Minimum and maximum width of a bar; without room for it there is none.
const BAR: (usize, usize) = (4, 30);

/// The rows of the panel: the moves of a side with few, a head and a foot.
fn line_count(session: &Session) -> u16 {
    match session.pits() {
        0 => super::judging::LINES,
        pits => u16::from(pits) + 2,
    }
}

/// Draws the output of the player's network.
pub(super) fn draw(session: &Session, network: &GameNetwork, places: &Layout, buf: &mut Buffer, look: &Look) {
    let position = session.position();
    let opinion = network.opinion(position);
    let room = places.terms_title();
    let title = fit(network_title(session, opinion.as_ref(), room, look), room, look);
    let inner = places.terms_frame(title, buf, look);
    let Some(opinion) = opinion else {
        return put(look.span(Role::Dim, " The game is over"), inner, buf);
    };
    let foot = foot(&opinion, network.shaping, look);
    let lines = lines(&opinion, position, session.record.next(), foot, inner, look);
    for (index, line) in lines.into_iter().enumerate() {
        put(line, row(inner, index as u16), buf);
    }
}

/// The player, the value, and the certainty of the policy, as far as they fit.
fn network_title(session: &Session, opinion: Option<&NetworkOutput>, room: u16, look: &Look) -> Line<'static> {
    let whose = format!("Network for {}", session.seat_name(session.position().side()));
    let Some(opinion) = opinion else { return Line::from(look.span(Role::Title, whose)) };
    let value = look.with_minus(&format!("  value {:+.2}", opinion.value));
    let entropy = format!(" {} entropy {:.2}", look.glyphs.dot, opinion.entropy);
    let fits = |texts: &[&str]| texts.iter().map(|text| width(text)).sum::<u16>() <= room;
    let (whose, rest) = match () {
        () if fits(&[&whose, &value, &entropy]) => (whose, entropy),
        () if fits(&[&whose, &value]) => (whose, String::new()),
        () => ("Network".to_owned(), String::new()),
    };
    Line::from(vec![look.span(Role::Title, whose), look.span(Role::Accent, value), look.span(Role::Dim, rest)])
}

/// A head, a row per move, the most probable first, with a mark at the `played` one, and the foot.
fn lines(
    opinion: &NetworkOutput,
    position: &Position,
    played: Option<Move>,
    foot: String,
    area: Rect,
    look: &Look,
) -> Vec<Line<'static>> {
    let cells = usize::from(area.width);
    let height = usize::from(area.height);
    let ranked = opinion.ranked();
    let name =
        ranked.iter().map(|printed| usize::from(width(&position.move_text(printed.mv)))).max().unwrap_or(1).max(4);
    // The value after a move is dropped first, then the logit.
    let figures = [CHANCE, LOGIT, BEHIND];
    let fitting = (1..=3).rev().find(|&count| name + 2 + figures[..count].iter().sum::<usize>() <= cells).unwrap_or(1);
    let left = cells.saturating_sub(name + 3 + figures[..fitting].iter().sum::<usize>());
    let bar = if left < BAR.0 { 0 } else { left.min(BAR.1) };
    let heads = ["policy", "logit", "value"].iter().zip(figures).take(fitting);
    let heads: String = heads.map(|(head, cells)| format!("{head:>cells$}")).collect();
    let mut lines = vec![Line::from(look.span(Role::Dim, format!(" {:<name$} {}{heads}", "move", " ".repeat(bar))))];
    for (index, Said { mv, chance, logit, value }) in ranked.into_iter().enumerate() {
        let role = if index == 0 { Role::Accent } else { Role::Text };
        let mark = if played == Some(mv) { look.glyphs.pointer } else { " " };
        let sign = |text: String, cells: usize| format!("{:>cells$}", look.with_minus(&text));
        let texts = [
            (role, format!("{:>CHANCE$}", percent(chance))),
            (Role::Text, sign(format!("{logit:+.2}"), LOGIT)),
            (Role::Text, sign(format!("{value:+.2}"), BEHIND)),
        ];
        let mut spans = vec![
            look.span(Role::Accent, mark),
            look.span(role, format!("{:<name$} ", position.move_text(mv))),
            look.span(Role::Bar, look.low_bar(chance.into(), bar as u16)),
        ];
        spans.extend(texts.into_iter().take(fitting).map(|(role, text)| look.span(role, text)));
        lines.push(Line::from(spans));
    }
    // Dropped rows are mentioned; a single row shows the most probable move.
    if height <= 2 {
        lines.truncate(height);
    } else if lines.len() > height {
        let more = lines.len() - height.saturating_sub(1).min(lines.len());
        lines.truncate(height.saturating_sub(1));
        lines.push(Line::from(look.span(Role::Dim, format!(" {more} more moves"))));
    } else if lines.len() < height {
        lines.push(fit(Line::from(look.span(Role::Dim, foot)), area.width, look));
    }
    lines
}

/// `62 %`, `<1 %`: a nonzero probability is not shown as 0.
fn percent(chance: f32) -> String {
    match 100.0 * chance {
        some if some > 0.0 && some < 0.5 => "<1 %".to_owned(),
        some => format!("{some:.0} %"),
    }
}

/// The share of illegal moves, if any, and what the value includes besides the outcome.
fn foot(opinion: &NetworkOutput, shaping: f32, look: &Look) -> String {
    let masked = opinion.masked.iter().copied().reduce(f32::max).map(|most| {
        look.with_minus(&format!("masked: {}, logits up to {most:+.2}", counted(opinion.masked.len(), "output")))
    });
    let texts: Vec<String> = masked.into_iter().chain(look.units_of_values(shaping)).collect();
    format!(" {}", texts.join(&format!(" {} ", look.glyphs.dot)))
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

    #[test]
    fn chances_are_never_reported_to_be_less_than_they_are() {
        assert_eq!([0.0, 0.001, 0.012, 0.625, 1.0].map(percent), ["0 %", "<1 %", "1 %", "62 %", "100 %"]);
    }
}
