//! Value and policy of the network in fixed positions, as bars that change during training. If they fit, the boards are shown:
//! beside the bars, or above them for boards of pits.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::game::{Board, Side};
use crate::player::{NetworkOutput, Said};
use crate::theme::Role;
use crate::train::{Probe, View};
use crate::ui::board::{self, draw as draw_board, size as board_size};
use crate::ui::list::{RowList, scrollbar};
use crate::ui::{Canvas, Look, clip, fit, interval, panel, put, row, width};

/// Minimum width in cells of a position's block, and the maximum number of blocks side by side.
const BLOCK: u16 = 21;
const ABREAST: u16 = 4;

/// Rows of a block before its moves: its title, and its value.
const HEAD: u16 = 2;

/// Rows of a board of pits, which is above the moves, and of a board of squares, which is beside them.
const PITS: u16 = 5;
const SQUARES: u16 = 10;

/// Minimum number of visible moves; with fewer, not all positions are shown at once.
const FEW: u16 = 4;

/// Draws the positions, of which `list` selects one.
pub fn draw(list: &mut RowList, view: &View, canvas: Canvas<'_>) {
    let Canvas { area, focused, buf, look } = canvas;
    let probes = &view.probes;
    if probes.is_empty() {
        return;
    }
    let most = probes.iter().map(|probe| moves(probe) as u16).max().unwrap_or(0);
    let inside = (area.width.saturating_sub(2), area.height.saturating_sub(2));
    let with_board = HEAD + if is_square(&probes[0]) { most.max(SQUARES) } else { most + PITS };
    let (columns, high) = blocks(inside, probes.len() as u16, most, with_board);
    let abreast = usize::from(columns);
    let rows = usize::from((inside.1 / high.max(1)).max(1));
    // A page of complete rows of blocks, including the selected position.
    let first = (list.selected() / abreast / rows) * rows * abreast;
    let page = first..(first + rows * abreast).min(probes.len());
    let is_part = page.len() < probes.len();
    let title = match super::shown_generation(view) {
        Some(generation) if page.len() == 1 && is_part => {
            format!("Generation {generation}: position {} of {}", page.end, probes.len())
        }
        Some(generation) if is_part => {
            format!("Generation {generation}: positions {}-{} of {}", first + 1, page.end, probes.len())
        }
        Some(generation) => format!("Value and policy of generation {generation}"),
        None => "Value and policy".to_owned(),
    };
    let mut title = Line::from(look.span(Role::Title, title));
    let room = area.width.saturating_sub(4);
    let units = look.units_of_values(view.settings.shaping as f32);
    let units = units.map_or(String::new(), |units| format!(" {} {units}", look.glyphs.dot));
    if title.width() as u16 + width(&units) <= room {
        title.push_span(look.span(Role::Dim, units));
    }
    let title = fit(title, room, look);
    let inner = panel(area, title, focused, buf, look);
    if probes.iter().all(|probe| probe.opinion.is_none()) {
        let text =
            if view.past.is_empty() { " Playing the first generation" } else { " No network has been saved yet" };
        return put(look.span(Role::Dim, text), inner, buf);
    }
    scrollbar(inner, &page, probes.len(), buf, look);
    let wide = inner.width / columns;
    for (nth, index) in page.enumerate() {
        let x = (nth % abreast) as u16 * wide;
        let y = (nth / abreast) as u16 * high;
        let place = Rect { x: inner.x + x, y: inner.y + y, width: wide, height: high.min(inner.height - y) };
        let chosen = focused && index == list.selected();
        block(view, &probes[index], most, chosen, place, buf, look);
        list.drawn(place, index);
    }
}

fn moves(probe: &Probe) -> usize {
    probe.opinion.as_ref().map_or(0, |opinion| opinion.moves.len())
}

/// Whether the board is of squares, and so about as high as a list of moves.
fn is_square(probe: &Probe) -> bool {
    matches!(probe.position.board(), Board::Squares(_))
}

/// Returns the number of blocks side by side and the height of each: all blocks are shown if each then shows its moves or at least
/// a few of them. No block is higher than with its board.
fn blocks((wide, high): (u16, u16), count: u16, most: u16, with_board: u16) -> (u16, u16) {
    let whole = HEAD + most;
    let columns = (wide / BLOCK).clamp(1, ABREAST).min(count.max(1));
    // As few columns as possible, for long bars.
    let fits = |columns: &u16| high / count.div_ceil(*columns).max(1) > whole;
    let columns = (1..=columns).find(fits).unwrap_or(columns);
    let each = high / count.div_ceil(columns).max(1);
    (columns, if each >= whole.min(HEAD + FEW) { each.min(with_board + 1) } else { whole.min(high) })
}

/// Draws a position: its title, the value on a line from -1 to 1, and one bar per move in the game's order.
fn block(view: &View, probe: &Probe, most: u16, chosen: bool, area: Rect, buf: &mut Buffer, look: &Look) {
    let Some(opinion) = &probe.opinion else { return };
    // A blank between neighbours.
    let cells = area.width.saturating_sub(1);
    let seat = view.settings.variant.seats()[probe.position.side().index()];
    let what = match probe.ply {
        0 => format!("start, {seat}"),
        ply => format!("ply {ply}, {seat}"),
    };
    let (mark, role) = if chosen { (look.glyphs.pointer, Role::Selection) } else { (" ", Role::Title) };
    if chosen {
        look.cursor_place.set(area);
    }
    put(look.span(role, clip(&format!("{mark}{what}"), cells, look)), area, buf);
    let value = f64::from(opinion.value);
    let number = look.with_minus(&format!(" {value:>+6.2} "));
    let room = cells.saturating_sub(8);
    let mut line = Line::from(look.span(Role::Accent, number));
    line.spans.extend(interval(value, (value.min(0.0), value.max(0.0)), (-1.0, 1.0), room, look).spans);
    put(line, row(area, 1), buf);
    let below =
        Rect { y: area.y + HEAD.min(area.height), width: cells, height: area.height.saturating_sub(HEAD), ..area };
    let below = beside_board(view, probe, most, below, buf, look);
    bars(probe, opinion, below, buf, look);
}

/// Draws the board if `most` moves, the maximum over all positions, still fit, so that either all blocks have boards or none;
/// returns the remaining area.
fn beside_board(view: &View, probe: &Probe, most: u16, area: Rect, buf: &mut Buffer, look: &Look) -> Rect {
    let board = probe.position.board();
    let is_square = is_square(probe);
    let room = match is_square {
        true => (area.width.saturating_sub(BLOCK), area.height.min(SQUARES)),
        false => (area.width, area.height.saturating_sub(most).min(PITS)),
    };
    let (wide, high) = board_size(&board, room);
    if wide > room.0 || high > room.1 {
        return area;
    }
    let place = Rect { width: if is_square { wide } else { area.width }, height: high, ..area };
    draw_board(&board::View::new(&board, Side::South, view.settings.variant.seats()), place, buf, look);
    match is_square {
        true => Rect { x: area.x + wide, width: area.width - wide, ..area },
        false => Rect { y: area.y + high, height: area.height - high, ..area },
    }
}

/// Draws one bar per move.
fn bars(probe: &Probe, opinion: &NetworkOutput, area: Rect, buf: &mut Buffer, look: &Look) {
    let cells = area.width;
    let left = area.height;
    // If not all moves fit, the likeliest ones and a row with the number of the others.
    let shown = if moves(probe) > usize::from(left) { left.saturating_sub(1) } else { left };
    let kept = likeliest(opinion, usize::from(shown));
    let names: Vec<String> = kept.iter().map(|entry| probe.position.move_text(entry.mv)).collect();
    let name = names.iter().map(|name| width(name)).max().unwrap_or(1).min(7);
    let room = cells.saturating_sub(name + 7);
    for (line, (entry, text)) in kept.iter().zip(&names).enumerate() {
        let text = clip(text, name, look);
        let gap = " ".repeat(usize::from(name - width(&text)));
        let spans = vec![
            look.span(Role::Text, format!(" {text}{gap} ")),
            look.span(Role::Bar, look.low_bar(entry.chance.into(), room)),
            look.span(Role::Text, format!("{:>4.0}%", 100.0 * entry.chance)),
        ];
        put(Line::from(spans), row(area, line as u16), buf);
    }
    if kept.len() < moves(probe) {
        let more = format!(" {} more", moves(probe) - kept.len());
        put(look.span(Role::Dim, more), row(area, kept.len() as u16), buf);
    }
}

/// Returns up to `count` likeliest moves in the game's order, so that they keep their places while the bars change.
fn likeliest(opinion: &NetworkOutput, count: usize) -> Vec<Said> {
    let mut kept: Vec<(usize, Said)> = opinion.moves.iter().copied().enumerate().collect();
    crate::sort::sort_by(&mut kept, |(_, a), (_, b)| b.chance.total_cmp(&a.chance));
    kept.truncate(count);
    crate::sort::sort_by_key(&mut kept, |(index, _)| *index);
    kept.into_iter().map(|(_, entry)| entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_are_shown_if_each_shows_some_moves() {
        // Four positions of at most six moves.
        assert_eq!(blocks((45, 9), 4, 6, 13), (2, 8));
        assert_eq!(blocks((58, 18), 4, 6, 13), (2, 9));
        assert_eq!(blocks((58, 40), 4, 6, 13), (1, 10));
        assert_eq!(blocks((58, 80), 4, 6, 13), (1, 14));
        assert_eq!(blocks((100, 9), 4, 6, 13), (4, 9));
        // Of Othello a few moves of each.
        assert_eq!(blocks((58, 18), 4, 20, 22), (2, 9));
        assert_eq!(blocks((20, 8), 4, 20, 22), (1, 8));
    }
}
