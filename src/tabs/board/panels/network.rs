//! A network's output for the position on screen: its value, and for each move the policy, the logit, and the value
//! after it.

use mancalab_base::counted;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::layout::Layout;
use crate::game::{Move, Position};
use crate::player::{GameNetwork, NetworkOutput, Said};
use crate::tabs::board::session::Session;
use crate::theme::Role;
use crate::ui::{Look, fit, put, row, width};

/// Widths of the figures: probability, logit, value after the move.
const CHANCE: usize = 7;
const LOGIT: usize = 8;
const BEHIND: usize = 8;

/// Minimum and maximum width of a bar; without room for it there is none.
const BAR: (usize, usize) = (4, 30);

/// The rows of the panel: the moves of a side with few, a head and a foot.
pub(super) fn line_count(session: &Session) -> u16 {
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

    #[test]
    fn chances_are_never_reported_to_be_less_than_they_are() {
        assert_eq!([0.0, 0.001, 0.012, 0.625, 1.0].map(percent), ["0 %", "<1 %", "1 %", "62 %", "100 %"]);
    }
}
