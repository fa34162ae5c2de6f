//! Samuel's terms of the position on screen: each term for both sides, its weight, and its contribution.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::layout::Layout;
use crate::player::Spec;
use crate::player::samuel::{self, Contribution, Samuel};
use crate::tabs::board::session::Session;
use crate::theme::Role;
use crate::ui::{Look, clip, fit, put, row, width};

/// Minimum width of a term with its title.
const TITLED: u16 = 46;

/// Minimum width of a column with all of a term's figures.
const COLUMN: u16 = 24;

/// The rows of the terms in one and in two columns.
pub(super) const LINES: [u16; 2] = [samuel::COUNT as u16, samuel::COUNT.div_ceil(2) as u16];

/// Returns whether the game has Samuel's terms.
pub(super) fn is_known(session: &Session) -> bool {
    samuel::knows(session.position())
}

/// The samuel player at the board, the one to move if both are; otherwise equal weights.
fn seated(session: &Session) -> Samuel {
    let seated = session.of_players(|spec| match spec {
        Spec::Samuel(samuel) => Some(Samuel::clone(samuel)),
        _ => None,
    });
    seated.unwrap_or_default()
}

pub(super) fn draw(session: &Session, table_text: &str, places: &Layout, buf: &mut Buffer, look: &Look) {
    let side = session.position().side();
    let samuel = seated(session);
    let Some(mut terms) = samuel::explain(session.position(), side, &samuel.weights) else { return };
    let sum: f64 = terms.iter().map(|term| term.contribution).sum();
    let area = places.terms;
    let inner_height = area.height.saturating_sub(if places.compact { 1 } else { 2 });
    let inner_width = area.width.saturating_sub(if places.compact { 0 } else { 2 });
    let is_high = usize::from(inner_height) >= terms.len();
    let columns = if is_high { 1 } else { (inner_width / COLUMN).clamp(1, 2) };
    let room = usize::from(columns * inner_height);
    if room < terms.len() {
        let rank = |term: &Contribution| (term.contribution.abs(), term.weight.abs());
        crate::sort::sort_by(&mut terms, |a, b| rank(b).partial_cmp(&rank(a)).unwrap_or(std::cmp::Ordering::Equal));
    }
    let which =
        if room < terms.len() { format!("{room} of {} terms", terms.len()) } else { "Samuel's terms".to_owned() };
    let space = places.terms_title();
    let title = samuels_title(session, table_text, &which, sum, &samuel, space, look);
    let inner = places.terms_frame(title, buf, look);
    let cells = inner.width / columns;
    // A gap between columns, if it costs no figure.
    let used = if columns > 1 && cells > COLUMN { cells - 1 } else { cells };
    let rows = usize::from(inner.height).min(terms.len().div_ceil(columns.into())).max(1);
    for (index, term) in terms.iter().take(rows * usize::from(columns)).enumerate() {
        let place = row(inner, (index % rows) as u16);
        let x = place.x + (index / rows) as u16 * cells;
        put(term_line(term, used, look), Rect { x, width: used, ..place }, buf);
    }
}

/// The player, the sum, the value by an endgame table and the weights, as far as they fit.
fn samuels_title(
    session: &Session,
    table_text: &str,
    which: &str,
    sum: f64,
    samuel: &Samuel,
    space: u16,
    look: &Look,
) -> Line<'static> {
    let sum = format!("  sum {}{}", look.with_minus(&short(sum, 9, true)), table_text);
    let whose = format!("{which} for {}", session.seat_name(session.position().side()));
    let ways = [(whose.clone(), format!("{sum}  {samuel}")), (whose, sum.clone()), (which.to_owned(), sum.clone())];
    let fits = |way: &(String, String)| width(&way.0) + width(&way.1) <= space;
    let (head, rest) = ways.into_iter().find(fits).unwrap_or_else(|| ("Terms".to_owned(), sum));
    fit(Line::from(vec![look.span(Role::Title, head), look.span(Role::Dim, rest)]), space, look)
}

/// `KCENT  2:1 ×1    +1`, with the title where there is room.
fn term_line(term: &Contribution, cells: u16, look: &Look) -> Line<'static> {
    let (figures, titled) = if cells >= TITLED { (7, true) } else { (5, false) };
    let room = if titled { cells.saturating_sub(27) } else { 5 };
    let label = if titled { format!("{:<5} {}", term.name, term.title) } else { term.name.to_owned() };
    let label = clip(&label, room, look);
    let gap = " ".repeat(usize::from(room - width(&label)));
    let role = if term.contribution < 0.0 { Role::Bad } else { Role::Text };
    let sides = look.with_minus(&format!("{}:{}", term.own, term.other));
    let weight = look.with_minus(&short(term.weight, figures - 1, false));
    let sum = look.with_minus(&short(term.contribution, figures, true));
    let weight = format!(" {}{weight:<1$}", look.glyphs.times, figures - 1);
    // The smallest screens omit the weight.
    let weight = if cells < COLUMN { String::new() } else { weight };
    let between = usize::from(cells.saturating_sub(room + 1 + width(&weight))).saturating_sub(figures);
    Line::from(vec![
        look.span(Role::Dim, format!(" {label}{gap}")),
        look.span(Role::Text, format!("{sides:>between$}")),
        look.span(Role::Dim, weight),
        look.span(role, format!("{sum:>figures$}")),
    ])
}

/// A number of at most this width, with as many decimals as fit and matter: `+1.5`, `0.25`, `-3e8`.
fn short(number: f64, characters: usize, signed: bool) -> String {
    let written = |places: usize| {
        let text = if signed { format!("{number:+.places$}") } else { format!("{number:.places$}") };
        match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => text,
        }
    };
    let text = (0..4)
        .rev()
        .map(written)
        .find(|text| text.len() <= characters)
        .unwrap_or_else(|| if signed && number > 0.0 { format!("+{number:.0e}") } else { format!("{number:.0e}") });
    if matches!(text.as_str(), "+0" | "-0") { "0".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_are_as_exact_as_there_is_room() {
        for (number, characters, signed, text) in [
            (1.0, 4, false, "1"),
            (0.25, 4, false, "0.25"),
            (1.0 / 3.0, 4, false, "0.33"),
            (-12.5, 5, true, "-12.5"),
            (-123.46, 5, true, "-123"),
            (1.5, 5, true, "+1.5"),
            (0.0, 5, true, "0"),
            (-0.0001, 5, true, "0"),
            (262_144.0, 4, false, "3e5"),
            (262_144.0, 5, true, "+3e5"),
        ] {
            assert_eq!(short(number, characters, signed), text);
        }
    }
}
