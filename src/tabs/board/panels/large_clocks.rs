//! The clocks of both sides in large digits, above and below the list of moves on large screens. On others the players' lines show them.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::layout::is_large;
use crate::game::Side;
use crate::tabs::board::session::Session;
use crate::tabs::board::session::clock::clock_text;
use crate::theme::Role;
use crate::ui::digits::{self, Pixel};
use crate::ui::{Look, put, row, width};

/// Rows of a clock with a blank one, and those of the list of moves that must be left.
const CLOCK: u16 = 4;
const LIST: u16 = 8;

/// Whether the clocks are drawn large beside a page of this area, in a panel of moves of this one.
pub fn has_large_clocks(session: &Session, page: Rect, moves: Rect) -> bool {
    let is_drawable = |side| session.time_left(side).is_some_and(|left| digits::can_draw(&clock_text(left)));
    let has_room = is_large(page) && moves.height >= 2 * CLOCK + LIST + 2;
    has_room && Side::BOTH.into_iter().all(is_drawable)
}

/// Draws the clocks at both ends of an area, and returns the rest of it.
pub(super) fn draw_clocks(session: &Session, area: Rect, buf: &mut Buffer, look: &Look) -> Rect {
    let bottom = session.bottom();
    draw_clock(session, bottom.other(), Rect { height: CLOCK - 1, ..area }, buf, look);
    draw_clock(session, bottom, Rect { y: area.bottom() - (CLOCK - 1), height: CLOCK - 1, ..area }, buf, look);
    Rect { y: area.y + CLOCK, height: area.height - 2 * CLOCK, ..area }
}

fn draw_clock(session: &Session, side: Side, area: Rect, buf: &mut Buffer, look: &Look) {
    let Some(text) = session.clock_text(side) else { return };
    let role = session.clock_role(side);
    let pixel = if look.glyphs.has_blocks() { Pixel::Half } else { Pixel::Segment };
    let wide = digits::size(&text, pixel).0.min(area.width);
    let digits = Rect { x: area.x + 1, width: wide, ..area };
    // No underline or reverse through large digits.
    let style = look.style(role);
    digits::draw(&text, pixel, digits, buf, Style { fg: style.fg, bg: style.bg, ..Style::new() });
    let pointer = if session.is_to_move(side) { look.glyphs.pointer } else { "" };
    let name = format!("{pointer} {}", session.seat_title(side, look));
    let place = Rect { x: area.right().saturating_sub(width(&name) + 1), ..row(area, 1) };
    if place.x > digits.right() {
        put(look.span(Role::Dim, name), place, buf);
    }
}
