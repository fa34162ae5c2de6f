//! A value and a range around it, drawn on a line.

use ratatui::text::Line;

use super::Look;
use crate::theme::Role;

/// Returns a line of `cells` from `from` to `to`, with the range `low` to `high` as a rule and `value` as a mark.
pub fn interval(value: f64, (low, high): (f64, f64), (from, to): (f64, f64), cells: u16, look: &Look) -> Line<'static> {
    let span = (to - from).max(1e-9);
    let last = f64::from(cells.max(1) - 1);
    let cell = |value: f64| (((value - from) / span).clamp(0.0, 1.0) * last).round() as u16;
    let inside = cell(low)..=cell(high);
    let drawn = |x: u16| match x {
        x if x == cell(value) => look.span(Role::Accent, look.glyphs.mark),
        x if inside.contains(&x) => {
            look.span(Role::Text, if look.glyphs.has_blocks() { look.glyphs.line.horizontal } else { "=" })
        }
        _ => look.span(Role::Empty, if look.glyphs.has_blocks() { look.glyphs.dot } else { "." }),
    };
    Line::from((0..cells).map(drawn).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::stage::look;

    #[test]
    fn the_range_lies_around_the_mark() {
        let text = |value, range, cells| {
            interval(value, range, (0.0, 1.0), cells, &look()).spans.iter().map(|s| s.content.to_string()).collect()
        };
        let mark = look().glyphs.mark;
        let drawn: String = text(0.5, (0.25, 0.75), 9);
        assert_eq!(drawn, format!("··──{mark}──··"));
        assert_eq!(text(2.0, (0.5, 3.0), 3), format!("·─{mark}"));
        assert_eq!(text(0.0, (0.0, 0.0), 0), "");
    }
}
