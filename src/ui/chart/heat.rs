//! A heat map: a row per value, a column per generation or per few of them, brighter where the value is larger.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::lens::{Lens, Plot};
use super::{cursor_column, legended, titled, x_axis};
use crate::theme::Role;
use crate::ui::list::{ListState, scrollbar};
use crate::ui::{Canvas, Look, clip, put, row, width};

/// One row.
pub struct HeatRow {
    pub label: String,
    /// `(x, value)`, x ascending.
    pub points: Vec<(f64, f64)>,
}

impl HeatRow {
    /// Returns the mean of the values from `from` to `to`, or else the value before; `None` outside of the values.
    fn value(&self, from: f64, to: f64) -> Option<f64> {
        let at = |x: f64| self.points.partition_point(|point| point.0 < x);
        let here = &self.points[at(from)..at(to)];
        match here.len() {
            0 => self.points.get(at(to)).and(self.points.get(at(to).checked_sub(1)?)).map(|(_, value)| *value),
            count => Some(here.iter().map(|(_, value)| value).sum::<f64>() / count as f64),
        }
    }
}

/// Rows over a common x axis.
pub struct HeatMap {
    /// The range of the x axis.
    pub x: (f64, f64),
    /// The unit of the x axis.
    pub unit: &'static str,
    pub rows: Vec<HeatRow>,
    /// The values of the darkest and of the brightest cell.
    pub scale: (f64, f64),
}

/// Width of the numbers to the right of the rows, and the minimum width of the cells.
const NUMBER: u16 = 6;
const LEAST: u16 = 8;

impl HeatMap {
    /// Draws the map through `lens`, with as many rows as fit, and `list` selecting one; to the right of each its value at the cursor,
    /// or else its newest one, and at the bottom the selected row at the cursor.
    pub fn through(&self, lens: &mut Lens, (title, list): (&str, &mut ListState), canvas: Canvas<'_>) {
        let Canvas { area, focused, buf, look } = canvas;
        let below = lens.cursor.and_then(|at| self.read(at, list.selected, look));
        let below = below.map_or(Line::default(), |text| Line::from(look.span(Role::Accent, text)));
        let title = titled(title, lens, look);
        let inner = legended((title, below), focused, area, |rooms| self.legend(rooms, look), buf, look);
        lens.drawn(self.draw(lens.cursor, list, focused, inner, buf, look));
    }

    /// Returns the selected row's value at a generation.
    fn read(&self, at: u64, selected: usize, look: &Look) -> Option<String> {
        let chosen = self.rows.get(selected)?;
        let value = chosen.value(at as f64, at as f64 + 0.5)?;
        Some(look.with_minus(&format!("generation {at}: {} {value:.2}", chosen.label)))
    }

    /// Returns the scale from the darkest to the brightest cell, where it fits.
    fn legend(&self, rooms: [u16; 2], look: &Look) -> [Line<'static>; 2] {
        let number = |value: f64| look.span(Role::Dim, look.with_minus(&format!(" {value:.1} ")));
        let mut spans = vec![number(self.scale.0)];
        spans.extend((0..=8).map(|step| cell(f64::from(step) / 8.0, look)));
        spans.push(number(self.scale.1));
        let line = Line::from(spans);
        match rooms.map(|room| line.width() <= usize::from(room)) {
            [true, _] => [line, Line::default()],
            [false, true] => [Line::default(), line],
            [false, false] => Default::default(),
        }
    }

    /// Draws the rows and the axis; returns the area of the cells.
    fn draw(
        &self,
        cursor: Option<u64>,
        list: &mut ListState,
        focused: bool,
        area: Rect,
        buf: &mut Buffer,
        look: &Look,
    ) -> Option<Plot> {
        let longest = self.rows.iter().map(|row| width(&row.label)).max().unwrap_or(0);
        let names = longest.min((area.width / 3).max(4)) + 2;
        if area.width < names + LEAST + NUMBER || area.height < 3 {
            return None;
        }
        let body = Rect { height: area.height - 2, ..area };
        let shown = list.window(self.rows.len(), usize::from(body.height));
        scrollbar(body, &shown, self.rows.len(), buf, look);
        let plot = Rect { x: area.x + names, width: area.width - names - NUMBER, height: shown.len() as u16, ..area };
        let x = if self.x.1 > self.x.0 { self.x } else { (self.x.0, self.x.0 + 1.0) };
        for (line, index) in shown.enumerate() {
            let heat = &self.rows[index];
            let place = row(body, line as u16);
            let chosen = focused && index == list.selected;
            if chosen {
                let column = cursor_column(cursor.map(|at| at as f64), plot, x).unwrap_or(place.x);
                look.cursor_place.set(Rect { x: column, width: 1, ..place });
            }
            let (mark, role) = if chosen { (look.glyphs.pointer, Role::Selection) } else { (" ", Role::Dim) };
            let label = clip(&heat.label, names - 2, look);
            let gap = " ".repeat(usize::from(names - 1 - width(&label)));
            put(look.span(role, format!("{mark}{label}{gap}")), Rect { width: names, ..place }, buf);
            put(self.cells(heat, x, plot.width, look), Rect { x: plot.x, width: plot.width, ..place }, buf);
            let value = match cursor {
                Some(at) => heat.value(at as f64, at as f64 + 0.5),
                None => heat.points.last().map(|(_, value)| *value),
            };
            let number = value.map_or(String::new(), |value| look.with_minus(&format!("{value:>6.2}")));
            put(look.span(Role::Text, number), Rect { x: plot.right(), width: NUMBER, ..place }, buf);
        }
        x_axis(plot, area.x, x, self.unit, buf, look);
        if let Some(column) = cursor_column(cursor.map(|at| at as f64), plot, x) {
            buf[(column, plot.bottom())].set_symbol(look.glyphs.up).set_style(look.style(Role::Accent));
        }
        Some(Plot { area: plot, x })
    }

    /// Returns the cells of a row.
    fn cells(&self, heat: &HeatRow, (from, to): (f64, f64), cells: u16, look: &Look) -> Line<'static> {
        let step = (to - from) / f64::from(cells.max(2) - 1);
        let level = |value: f64| (value - self.scale.0) / (self.scale.1 - self.scale.0).max(1e-9);
        let drawn = |column: u16| {
            let at = from + f64::from(column) * step;
            let value = heat.value(at - step / 2.0, at + step / 2.0);
            value.map_or(Span::raw(" "), |value| cell(level(value), look))
        };
        Line::from((0..cells).map(drawn).collect::<Vec<_>>())
    }
}

/// Returns a cell of a level from 0 to 1: its background where the terminal has enough colours, else a shade.
fn cell(level: f64, look: &Look) -> Span<'static> {
    if let Some(ground) = look.theme.heat_ground(level) {
        return Span::styled(" ", Style::new().bg(ground));
    }
    let level = if level.is_nan() { 0.0 } else { level.clamp(0.0, 1.0) };
    Span::styled(look.glyphs.shade[(level * 4.0).round() as usize], look.theme.heat(level))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::stage::look;
    use crate::theme::{ColorDepth, Glyphs, Theme};

    fn map(count: u32) -> HeatMap {
        let points = |of: fn(f64) -> f64| (0..count).map(|x| (f64::from(x), of(f64::from(x)))).collect();
        let row = |label: &str, of| HeatRow { label: label.to_owned(), points: points(of) };
        HeatMap {
            x: (0.0, 60.0),
            unit: "generation",
            rows: vec![row("up", |x| x / 60.0), row("down", |x| 1.0 - x / 30.0)],
            scale: (-1.0, 1.0),
        }
    }

    fn drawn(map: &HeatMap, lens: &mut Lens, size: (u16, u16), look: &Look) -> String {
        let area = Rect::new(0, 0, size.0, size.1);
        let mut buf = Buffer::empty(area);
        let canvas = Canvas { focused: true, ..Canvas::new(area, &mut buf, look) };
        map.through(lens, ("Weights", &mut ListState::default()), canvas);
        let line = |y: u16| (0..area.width).map(|x| buf[(x, y)].symbol()).collect::<String>() + "\n";
        (0..area.height).map(line).collect()
    }

    #[test]
    fn shades_show_the_values_without_colour() {
        let mono = Look { theme: Theme::usual(ColorDepth::None), ..look() };
        let ascii = Look { glyphs: Glyphs::ascii(), ..mono.clone() };
        let mut text = drawn(&map(61), &mut Lens::default(), (60, 6), &mono);
        let mut lens = Lens::default();
        lens.cursor = Some(10);
        text += &drawn(&map(31), &mut lens, (40, 5), &ascii);
        insta::assert_snapshot!(text);
    }

    #[test]
    fn columns_are_means_of_their_generations() {
        let row = &map(5).rows[0];
        assert_eq!(row.value(0.5, 2.5), Some(1.5 / 60.0));
        assert_eq!(row.value(2.2, 2.8), Some(2.0 / 60.0), "the generation before");
        assert_eq!([row.value(-3.0, -1.0), row.value(4.5, 6.0)], [None, None]);
    }

    #[test]
    fn any_map_can_be_drawn_at_any_size() {
        let mut flat = map(0);
        (flat.x, flat.scale) = ((0.0, 0.0), (1.0, 1.0));
        for size in [(0, 0), (1, 1), (20, 4), (21, 5), (300, 100)] {
            for map in [&map(0), &map(1), &map(61), &flat] {
                drawn(map, &mut Lens::default(), size, &look());
            }
        }
    }
}
