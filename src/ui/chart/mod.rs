//! Charts of a run: axes with round numbers, curves in braille or ASCII distinguished by patterns, a shaded band, a
//! cursor that reads values, and a frame with title, legend and the values at the cursor.

mod axes;
mod heat;
pub(crate) mod lens;
mod raster;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::frames::make_room;
use super::{Canvas, Look, fit, framed, put, width};
use crate::theme::Role;
use axes::Rows;
use lens::{Lens, Plot};
use raster::Raster;

pub(crate) use heat::{HeatMap, HeatRow};

/// The pattern of a curve; distinguishes curves without colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    Solid,
    Dashed,
    Dotted,
    /// Dash and dot.
    Mixed,
    /// Solid where a colour distinguishes the curve, else dashed.
    Faint,
}

impl Pattern {
    /// Returns the pattern along a curve, dot by dot; it repeats.
    fn dots(self, has_colour: bool) -> &'static str {
        match self {
            Pattern::Faint if has_colour => "#",
            Pattern::Solid => "#",
            Pattern::Dashed | Pattern::Faint => "####  ",
            Pattern::Dotted => "#  ",
            Pattern::Mixed => "#####  #  ",
        }
    }

    /// Returns the character of the curve in ASCII.
    fn mark(self) -> char {
        match self {
            Pattern::Solid => '*',
            Pattern::Dashed | Pattern::Faint => 'o',
            Pattern::Dotted => '.',
            Pattern::Mixed => 'x',
        }
    }
}

/// One curve.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name in the legend; empty for a single curve named by the title.
    pub label: String,
    pub role: Role,
    pub pattern: Pattern,
    /// `(x, y)`, x ascending. Points that are not finite are skipped.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    pub fn new(label: impl Into<String>, role: Role, pattern: Pattern, points: Vec<(f64, f64)>) -> Series {
        Series { label: label.into(), role, pattern, points }
    }
}

/// A curve of rows: its name and its values.
pub type Curve<R> = (&'static str, fn(&R) -> f64);

/// Returns curves of rows, at the generations that `at` returns: the best, which is on top, the mean, dim, and the worst, dotted.
pub fn curves<R>(rows: &[&R], at: fn(&R) -> u64, columns: &[Curve<R>]) -> Vec<Series> {
    const LOOKS: [(Role, Pattern); 3] =
        [(Role::Curve1, Pattern::Solid), (Role::Dim, Pattern::Faint), (Role::Curve2, Pattern::Dotted)];
    let points = |value: fn(&R) -> f64| rows.iter().map(|row| (at(row) as f64, value(row))).collect();
    let curve = |(&(label, value), (role, pattern))| Series::new(label, role, pattern, points(value));
    columns.iter().zip(LOOKS).map(curve).collect()
}

/// The shaded area behind the curves.
#[derive(Clone, Debug)]
pub struct Band {
    /// The name in the legend.
    pub label: String,
    /// `(x, low, high)`, x ascending.
    pub points: Vec<(f64, f64, f64)>,
}

/// Curves over a common x axis.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// The range of the x axis; points outside are not drawn.
    pub x: (f64, f64),
    /// The values are percentages: the y axis ends at 100 at the latest.
    pub is_percent: bool,
    /// The unit of the x axis, such as `generation`.
    pub unit: &'static str,
    /// The curves in the order of the legend; the first is on top.
    pub series: Vec<Series>,
    pub band: Option<Band>,
    /// The position of the cursor on the x axis.
    pub cursor: Option<f64>,
    /// The values are decimal logarithms.
    pub is_log: bool,
}

impl Chart {
    /// Draws the chart through `lens`: its span after the title, and at the bottom the result of `read` for the
    /// generation at the cursor.
    pub fn through(
        &self,
        lens: &mut Lens,
        (title, read): (impl Into<String>, impl FnOnce(usize) -> Option<String>),
        canvas: Canvas<'_>,
    ) {
        let Canvas { area, focused, buf, look } = canvas;
        let above = titled(title, lens, look);
        let values = lens.cursor.and_then(|at| read(usize::try_from(at).ok()?));
        let below = values.map_or(Line::default(), |values| Line::from(look.span(Role::Accent, values)));
        lens.drawn(lens.shape.apply(self).framed(above, below, focused, area, buf, look));
    }

    /// Draws a frame with the title and the legend above and `below` at the bottom, and the chart inside. Returns the
    /// area of the curves, for the mouse.
    pub fn framed(
        &self,
        title: Line<'static>,
        below: Line<'static>,
        focused: bool,
        area: Rect,
        buf: &mut Buffer,
        look: &Look,
    ) -> Option<Plot> {
        let inner = legended((title, below), focused, area, |rooms| self.legend(rooms, look), buf, look);
        self.draw(inner, buf, look)
    }

    /// Returns the legend, a sample and a name per curve, in two lines of at most `rooms` cells.
    fn legend(&self, rooms: [u16; 2], look: &Look) -> [Line<'static>; 2] {
        let curve = |series: &Series| {
            vec![
                look.span(series.role, format!(" {}", raster::sample(series.pattern, look))),
                look.span(Role::Text, format!(" {}", series.label)),
            ]
        };
        let band = |band: &Band| {
            vec![Span::raw(" "), raster::shade_sample(look), look.span(Role::Text, format!(" {}", band.label))]
        };
        let mut lines = [Line::default(), Line::default()];
        let mut at = 0;
        // A curve without a name is named by the title.
        let named = self.series.iter().filter(|series| !series.label.is_empty());
        for item in named.map(curve).chain(self.band.iter().map(band)) {
            let wide: u16 = item.iter().map(|span| width(&span.content)).sum();
            while at < lines.len() && lines[at].width() as u16 + wide + 1 > rooms[at] {
                at += 1;
            }
            let Some(line) = lines.get_mut(at) else { break };
            line.spans.extend(item);
        }
        for line in lines.iter_mut().filter(|line| line.width() > 0) {
            line.spans.push(Span::raw(" "));
        }
        lines
    }

    /// Draws axes and curves; below 12×4 cells, only the curves.
    pub fn draw(&self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<Plot> {
        if area.is_empty() {
            return None;
        }
        let x = if self.x.1 > self.x.0 { self.x } else { (self.x.0, self.x.0 + 1.0) };
        let (low, high) = self.y_range(x);
        if area.width < 12 || area.height < 4 {
            self.curves(area, x, &Rows::covering(low, high, area.height, self.limit()), buf, look);
            return Some(Plot { area, x });
        }
        let rows = Rows::covering(low, high, area.height - 2, self.limit());
        let gutter = rows.ticks(self.is_log).map(|(_, label)| width(&label)).max().unwrap_or(0) + 2;
        let gutter = gutter.min(area.width / 2);
        let plot = Rect { x: area.x + gutter, y: area.y, width: area.width - gutter, height: area.height - 2 };
        self.curves(plot, x, &rows, buf, look);
        y_axis(plot, area.x, &rows, self.is_log, buf, look);
        x_axis(plot, area.x, x, self.unit, buf, look);
        if let Some(column) = cursor_column(self.cursor, plot, x) {
            buf[(column, plot.bottom())].set_symbol(look.glyphs.up).set_style(look.style(Role::Accent));
        }
        Some(Plot { area: plot, x })
    }

    /// Returns the end of the y axis that it does not exceed.
    fn limit(&self) -> Option<f64> {
        self.is_percent.then_some(if self.is_log { 2.0 } else { 100.0 })
    }

    /// Returns the least and greatest value of all curves in this range of the x axis.
    fn y_range(&self, (from, to): (f64, f64)) -> (f64, f64) {
        let seen = |x: f64| (from..=to).contains(&x);
        let curves = self.series.iter().flat_map(|series| &series.points);
        let curves = curves.filter(|(x, _)| seen(*x)).map(|&(_, y)| y);
        let band = self.band.iter().flat_map(|band| &band.points).filter(|(x, ..)| seen(*x));
        let band = band.flat_map(|&(_, low, high)| [low, high]);
        let all = curves.chain(band).filter(|y| y.is_finite());
        let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
        match high - low {
            span if span > 0.0 => (low, high),
            _ if low.is_finite() => (low - 1.0, self.limit().map_or(high + 1.0, |limit| limit.min(high + 1.0))),
            _ => (0.0, 1.0),
        }
    }

    fn curves(&self, plot: Rect, x: (f64, f64), rows: &Rows, buf: &mut Buffer, look: &Look) {
        let mut raster = Raster::new(plot, look);
        if let Some(band) = &self.band {
            raster.shade(&band.points, x, rows, buf, look);
        }
        self.cursor_line(plot, x, buf, look);
        self.series.iter().for_each(|series| raster.add(series, x, rows));
        raster.draw(&self.series, buf, look);
    }

    /// Draws the cursor's line through the plot, in front of the band and behind the curves.
    fn cursor_line(&self, plot: Rect, x: (f64, f64), buf: &mut Buffer, look: &Look) {
        let Some(column) = cursor_column(self.cursor, plot, x) else { return };
        look.cursor_place.set(Rect { x: column, width: 1, ..plot });
        for y in plot.y..plot.bottom() {
            buf[(column, y)].set_symbol(look.glyphs.line.vertical).set_style(look.style(Role::Accent));
        }
    }
}

/// Returns a title with the span and the shape of the lens.
fn titled(title: impl Into<String>, lens: &Lens, look: &Look) -> Line<'static> {
    let names = lens.span.name().into_iter().chain(lens.shape.name().map(str::to_owned));
    let names = names.map(|name| look.span(Role::Dim, format!(" {} {name}", look.glyphs.dot)));
    [look.span(Role::Title, title.into())].into_iter().chain(names).collect()
}

/// Draws a frame with a title above. Beside it is a text such as the cursor's values, or else as much of the `legend` as fits; what does
/// not fit there is below. Returns the area inside.
fn legended(
    (title, text): (Line<'static>, Line<'static>),
    focused: bool,
    area: Rect,
    legend: impl FnOnce([u16; 2]) -> [Line<'static>; 2],
    buf: &mut Buffer,
    look: &Look,
) -> Rect {
    let title = fit(title, area.width.saturating_sub(4), look);
    // Corners, a rule between title and legend, and blanks around both.
    let above = area.width.saturating_sub(title.width() as u16 + 7);
    let beneath = area.width.saturating_sub(4);
    let lines = match text.width() as u16 {
        0 => legend([above, beneath]),
        wide if wide <= above => [spaced(text), Line::default()],
        _ => [Line::default(), spaced(fit(text, beneath, look))],
    };
    // The legend is at the right, where the panel above has its lower title.
    if lines[0].width() > 0 {
        make_room(area, area.width.saturating_sub(2), buf, look);
    }
    let inner = framed(area, title, Line::default(), focused, buf, look);
    // The lower line of the frame may be that of a panel below, with its title.
    let is_low = inner.height < LOW;
    let below = if is_low { area.bottom().saturating_sub(1) } else { inner.bottom() - 1 };
    let has_below = lines[1].width() > 0;
    for (line, y) in lines.into_iter().zip([area.y, below]).take(usize::from(area.height)) {
        let wide = line.width() as u16;
        put(line, Rect { x: area.right().saturating_sub(wide + 1), y, width: wide, height: 1 }, buf);
    }
    Rect { height: inner.height - u16::from(has_below && !is_low), ..inner }
}

/// Rows of a chart that can spare one for a text.
const LOW: u16 = 6;

/// Returns a line with a blank at either end.
fn spaced(line: Line<'static>) -> Line<'static> {
    if line.width() == 0 {
        return line;
    }
    [Span::raw(" ")].into_iter().chain(line.spans).chain([Span::raw(" ")]).collect()
}

/// Returns the column of the cursor, if it is in the plot.
fn cursor_column(cursor: Option<f64>, plot: Rect, (from, to): (f64, f64)) -> Option<u16> {
    let at = cursor.filter(|at| (from..=to).contains(at))?;
    Some(plot.x + ((at - from) / (to - from) * f64::from(plot.width.max(1) - 1)).round() as u16)
}

fn y_axis(plot: Rect, left: u16, rows: &Rows, is_log: bool, buf: &mut Buffer, look: &Look) {
    let lines = &look.glyphs.line;
    for y in plot.bottom() - 1 - rows.top.min(plot.height - 1)..plot.bottom() {
        buf[(plot.x - 1, y)].set_symbol(lines.vertical).set_style(look.style(Role::Border));
    }
    for (above, label) in rows.ticks(is_log) {
        let y = plot.bottom() - 1 - above;
        buf[(plot.x - 1, y)].set_symbol(lines.vertical_left).set_style(look.style(Role::Border));
        let x = (plot.x - 1).saturating_sub(width(&label)).max(left);
        put(look.span(Role::Dim, label), Rect { x, y, width: plot.x - 1 - x, height: 1 }, buf);
    }
}

/// Draws the x axis with its numbers, and its unit where they leave room.
fn x_axis(plot: Rect, left: u16, (from, to): (f64, f64), unit: &str, buf: &mut Buffer, look: &Look) {
    let lines = &look.glyphs.line;
    let y = plot.bottom();
    for x in plot.x - 1..plot.right() {
        buf[(x, y)].set_symbol(lines.horizontal).set_style(look.style(Role::Border));
    }
    buf[(plot.x - 1, y)].set_symbol(lines.bottom_left).set_style(look.style(Role::Border));
    let mut labels: Vec<(u16, String)> = Vec::new();
    for (value, label) in axes::columns(from, to, plot.width) {
        let x = plot.x + ((value - from) / (to - from) * f64::from(plot.width - 1)).round() as u16;
        buf[(x, y)].set_symbol(lines.horizontal_down).set_style(look.style(Role::Border));
        let wide = width(&label);
        labels.push((x.saturating_sub(wide / 2).min(plot.right().saturating_sub(wide)).max(left), label));
    }
    name_axis(&mut labels, left, unit);
    for (at, label) in labels {
        put(look.span(Role::Dim, label), Rect { x: at, y: y + 1, width: plot.right() - at, height: 1 }, buf);
    }
}

/// Adds the unit of the x axis between the last numbers that leave room for it, if need be in place of one of them.
fn name_axis(labels: &mut Vec<(u16, String)>, left: u16, unit: &str) {
    if unit.is_empty() {
        return;
    }
    let end = |labels: &[(u16, String)], index: usize| labels[index].0 + width(&labels[index].1);
    // Instead of none or one number before the number `next`.
    for spared in [0, 1] {
        for next in (spared..labels.len()).rev() {
            let start = match (next - spared).checked_sub(1) {
                Some(before) => end(labels, before),
                None if spared > 0 => continue,
                None => left,
            };
            let room = labels[next].0.saturating_sub(start);
            if room >= width(unit) + 2 {
                labels.splice(next - spared..next, [(start + (room - width(unit)) / 2, unit.to_owned())]);
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests;

/// Returns `values` as a line of at most `cells` bars between their least and greatest value.
pub fn sparkline(values: &[f64], cells: u16, look: &Look) -> String {
    let cells = usize::from(cells);
    if values.is_empty() || cells == 0 {
        return String::new();
    }
    // Each cell is the mean of its part of the history.
    let count = values.len().min(cells);
    let stretch = |cell: usize| {
        &values[cell * values.len() / count..((cell + 1) * values.len() / count).max(cell * values.len() / count + 1)]
    };
    let means: Vec<f64> =
        (0..count).map(|cell| stretch(cell).iter().sum::<f64>() / stretch(cell).len() as f64).collect();
    let low = means.iter().copied().fold(f64::INFINITY, f64::min);
    let high = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // The highest level fills its cell and would touch the line above.
    let level = |value: f64| if high > low { ((value - low) / (high - low) * 6.0).round() as usize } else { 3 };
    means.into_iter().map(|value| look.glyphs.spark[level(value).min(6)]).collect()
}

/// Returns a [`sparkline`] of at most `cells` between its least and greatest value as `number` formats them, such as `4 ▁▂▃▅▆▇ 37`; without
/// room for them, only the line.
pub fn scaled_sparkline(values: &[f64], number: fn(f64) -> String, cells: u16, look: &Look) -> String {
    let ends = values.iter().copied().fold(None, |ends: Option<(f64, f64)>, value| {
        Some(ends.map_or((value, value), |(low, high)| (low.min(value), high.max(value))))
    });
    let Some((low, high)) = ends.map(|(low, high)| (look.with_minus(&number(low)), look.with_minus(&number(high))))
    else {
        return String::new();
    };
    match cells.checked_sub(width(&low) + width(&high) + 2).filter(|rest| *rest >= LEAST) {
        Some(rest) => format!("{low} {} {high}", sparkline(values, rest, look)),
        None => sparkline(values, cells, look),
    }
}

/// The fewest bars that are worth their scale.
const LEAST: u16 = 5;
