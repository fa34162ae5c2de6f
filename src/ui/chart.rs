//! Curves over a run: axes with round numbers, lines in braille or plain characters, a shaded band.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::{self, Canvas};

use super::{Look, put, short_count, width};
use crate::theme::Role;

/// One curve.
pub struct Series<'a> {
    /// What the legend calls it.
    pub label: &'a str,
    pub role: Role,
    /// What draws it where there is no braille, and what tells it apart without colour.
    pub mark: char,
    /// `(x, y)`, x rising.
    pub points: Vec<(f64, f64)>,
}

/// Curves over a common x axis.
pub struct Chart<'a> {
    /// From and to on the x axis; all points lie between.
    pub x: (f64, f64),
    /// What must be seen on the y axis even if no point is there.
    pub y: Option<(f64, f64)>,
    pub series: Vec<Series<'a>>,
    pub band: Option<Band<'a>>,
}

/// What is shaded behind the curves.
pub struct Band<'a> {
    /// What the legend calls it.
    pub label: &'a str,
    /// `(x, low, high)`, x rising.
    pub points: Vec<(f64, f64, f64)>,
}

impl Chart<'_> {
    /// Draws axes and curves into `area`; with less than 12×4 cells, only the curves.
    pub fn draw(&self, area: Rect, buf: &mut Buffer, look: &Look) {
        if area.is_empty() {
            return;
        }
        let y = self.y_range();
        if area.width < 12 || area.height < 4 {
            return self.curves(area, y, buf, look);
        }
        let ticks = ticks(y.0, y.1, usize::from(area.height / 3).clamp(2, 6));
        let y = (ticks[0].min(y.0), ticks[ticks.len() - 1].max(y.1));
        let labels: Vec<String> = ticks.iter().map(|&tick| number(tick)).collect();
        let gutter = labels.iter().map(|label| width(label)).max().unwrap_or(0) + 1;
        // The legend has a row of its own where there is one to spare.
        let legend = u16::from(area.height >= 9);
        let height = area.height - 2 - legend;
        let plot = Rect { x: area.x + gutter + 1, y: area.y, width: area.width - gutter - 1, height };
        self.curves(plot, y, buf, look);
        self.y_axis(plot, gutter, y, &ticks, buf, look);
        self.x_axis(plot, buf, look);
        let line = if legend == 1 { area.bottom() - 1 } else { plot.bottom() - 1 };
        self.legend(Rect { y: line, height: 1, ..plot }, buf, look);
    }

    /// The least and greatest value of any curve, never the same.
    fn y_range(&self) -> (f64, f64) {
        let curves = self.series.iter().flat_map(|series| series.points.iter().map(|&(_, y)| y));
        let band = self.band.iter().flat_map(|band| band.points.iter().flat_map(|&(_, low, high)| [low, high]));
        let forced = self.y.into_iter().flat_map(|(low, high)| [low, high]);
        let all = || curves.clone().chain(band.clone()).chain(forced.clone()).filter(|y| y.is_finite());
        let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
        match high - low {
            span if span > 0.0 => (low, high),
            _ if low.is_finite() => (low - 1.0, high + 1.0),
            _ => (0.0, 1.0),
        }
    }

    fn curves(&self, plot: Rect, y: (f64, f64), buf: &mut Buffer, look: &Look) {
        let marker = |mark: char| if look.glyphs.braille { Marker::Braille } else { Marker::Custom(mark) };
        let x = if self.x.1 > self.x.0 { self.x } else { (self.x.0, self.x.0 + 1.0) };
        Canvas::default()
            .x_bounds([x.0, x.1])
            .y_bounds([y.0, y.1])
            .marker(marker('*'))
            .paint(|cx| {
                for series in &self.series {
                    cx.marker(marker(series.mark));
                    let color = look.style(series.role).fg.unwrap_or_default();
                    for pair in series.points.windows(2) {
                        let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
                        cx.draw(&canvas::Line { x1, y1, x2, y2, color });
                    }
                    if let [(x, y)] = series.points[..] {
                        cx.draw(&canvas::Points { coords: &[(x, y)], color });
                    }
                    cx.layer();
                }
            })
            .render(plot, buf);
        if let Some(band) = &self.band {
            self.shade(plot, (x, y), &band.points, buf, look);
        }
    }

    /// The band as shaded cells where no curve is, one column at a time.
    fn shade(
        &self,
        plot: Rect,
        (x, y): ((f64, f64), (f64, f64)),
        band: &[(f64, f64, f64)],
        buf: &mut Buffer,
        look: &Look,
    ) {
        let row = |value: f64| row_of(value, y, plot, look);
        for column in 0..plot.width {
            let at = x.0 + (x.1 - x.0) * f64::from(column) / f64::from(plot.width.max(2) - 1);
            let Some(&(_, low, high)) = band.iter().rev().find(|&&(x, ..)| x <= at) else { continue };
            if band.last().is_some_and(|&(last, ..)| at > last) {
                break;
            }
            for y in row(high)..=row(low) {
                let cell = &mut buf[(plot.x + column, y)];
                if matches!(cell.symbol(), " " | "\u{2800}") {
                    cell.set_symbol(look.glyphs.shade[1]).set_style(look.style(Role::Dim));
                }
            }
        }
    }

    fn y_axis(&self, plot: Rect, gutter: u16, y: (f64, f64), ticks: &[f64], buf: &mut Buffer, look: &Look) {
        let lines = &look.glyphs.line;
        for row in plot.y..plot.bottom() {
            buf[(plot.x - 1, row)].set_symbol(lines.vertical).set_style(look.style(Role::Border));
        }
        for &tick in ticks {
            let row = row_of(tick, y, plot, look);
            buf[(plot.x - 1, row)].set_symbol(lines.vertical_left).set_style(look.style(Role::Border));
            let label = number(tick);
            let x = plot.x - 2 - width(&label).min(gutter - 1);
            put(look.span(Role::Dim, label), Rect { x, y: row, width: gutter, height: 1 }, buf);
        }
    }

    fn x_axis(&self, plot: Rect, buf: &mut Buffer, look: &Look) {
        let lines = &look.glyphs.line;
        let y = plot.bottom();
        for x in plot.x - 1..plot.right() {
            buf[(x, y)].set_symbol(lines.horizontal).set_style(look.style(Role::Border));
        }
        buf[(plot.x - 1, y)].set_symbol(lines.bottom_left).set_style(look.style(Role::Border));
        let mut free = plot.x;
        for tick in ticks(self.x.0, self.x.1, usize::from(plot.width / 12).clamp(2, 10)) {
            if tick < self.x.0 || tick > self.x.1 {
                continue;
            }
            let share = (tick - self.x.0) / (self.x.1 - self.x.0).max(f64::MIN_POSITIVE);
            let x = plot.x + (share * f64::from(plot.width - 1)).round() as u16;
            let label = number(tick);
            let left = x.saturating_sub(width(&label) / 2).max(plot.x).min(plot.right().saturating_sub(width(&label)));
            if left < free {
                continue;
            }
            buf[(x, y)].set_symbol(lines.horizontal_down).set_style(look.style(Role::Border));
            free = left + width(&label) + 1;
            put(look.span(Role::Dim, label), Rect { x: left, y: y + 1, width: plot.right() - left, height: 1 }, buf);
        }
    }

    /// The curves' names at the right end of a row.
    fn legend(&self, plot: Rect, buf: &mut Buffer, look: &Look) {
        let mut spans: Vec<Span> = Vec::new();
        for series in &self.series {
            let mark = if look.glyphs.braille { "⠒".to_owned() } else { series.mark.to_string() };
            spans.push(look.span(series.role, format!(" {mark} {} ", series.label)));
        }
        if let Some(band) = &self.band {
            spans.push(look.span(Role::Dim, format!(" {} {} ", look.glyphs.shade[1], band.label)));
        }
        let line = Line::from(spans);
        let wide = line.width() as u16;
        if wide < plot.width {
            put(line, Rect { x: plot.right() - wide, width: wide, ..plot }, buf);
        }
    }
}

/// The row that a curve passes through at `value`: as the canvas has it, whose cells are four dots high in braille.
fn row_of(value: f64, y: (f64, f64), plot: Rect, look: &Look) -> u16 {
    let dots = if look.glyphs.braille { 4 } else { 1 };
    let last = f64::from(plot.height * dots - 1);
    let dot = ((y.1 - value) / (y.1 - y.0) * last).round().clamp(0.0, last);
    plot.y + dot as u16 / dots
}

/// Round numbers that cover `low` to `high`, about `wanted` of them, rising; at least two.
fn ticks(low: f64, high: f64, wanted: usize) -> Vec<f64> {
    let span = (high - low).max(1e-9);
    let rough = span / wanted.max(1) as f64;
    let magnitude = 10_f64.powf(rough.log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].into_iter().map(|unit| unit * magnitude).find(|&step| step >= rough).unwrap_or(rough);
    let (first, last) = ((low / step).floor() as i64, (high / step).ceil() as i64);
    (first..=last.max(first + 1)).map(|n| n as f64 * step).collect()
}

/// A tick's label: whole numbers short, others with as many places as they need.
fn number(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude >= 10_000.0 {
        let text = short_count(magnitude as u64);
        return if value < 0.0 { format!("-{text}") } else { text };
    }
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The last values that fit `cells`, as a line of bars between the least and the greatest of them.
pub fn sparkline(values: &[f64], cells: u16, look: &Look) -> String {
    let cells = usize::from(cells);
    if values.is_empty() || cells == 0 {
        return String::new();
    }
    // All of the history, each cell the mean of its stretch.
    let count = values.len().min(cells);
    let stretch = |cell: usize| {
        &values[cell * values.len() / count..((cell + 1) * values.len() / count).max(cell * values.len() / count + 1)]
    };
    let means: Vec<f64> =
        (0..count).map(|cell| stretch(cell).iter().sum::<f64>() / stretch(cell).len() as f64).collect();
    let (low, high) =
        (means.iter().copied().fold(f64::INFINITY, f64::min), means.iter().copied().fold(f64::NEG_INFINITY, f64::max));
    // The highest level fills its cell, and would touch the line above.
    let level = |value: f64| if high > low { ((value - low) / (high - low) * 6.0).round() as usize } else { 3 };
    means.into_iter().map(|value| look.glyphs.spark[level(value).min(6)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::stage::look;

    #[test]
    fn ticks_are_round_and_cover_the_range() {
        assert_eq!(ticks(0.0, 150.0, 3), [0.0, 50.0, 100.0, 150.0]);
        assert_eq!(ticks(0.0, 6520.0, 4), [0.0, 2000.0, 4000.0, 6000.0, 8000.0]);
        assert_eq!(ticks(5.0, 5.0, 4).len(), 2);
    }

    #[test]
    fn a_chart_has_axes_curves_a_band_and_a_legend() {
        let points = |f: fn(f64) -> f64| (0..=100).map(|x| (f64::from(x), f(f64::from(x)))).collect::<Vec<_>>();
        let chart = Chart {
            x: (0.0, 150.0),
            y: None,
            series: vec![
                Series { label: "best", role: Role::Curve1, mark: '*', points: points(|x| 50.0 * x.sqrt()) },
                Series { label: "mean", role: Role::Curve2, mark: '.', points: points(|x| 30.0 * x.sqrt()) },
            ],
            band: Some(Band {
                label: "half",
                points: (0..=100)
                    .map(|x| (f64::from(x), 20.0 * f64::from(x).sqrt(), 36.0 * f64::from(x).sqrt()))
                    .collect(),
            }),
        };
        let mut looks = vec![look()];
        looks.push(Look { glyphs: crate::theme::Glyphs::ascii(), ..look() });
        let mut text = String::new();
        for look in looks {
            let area = Rect::new(0, 0, 60, 14);
            let mut buf = Buffer::empty(area);
            chart.draw(area, &mut buf, &look);
            for y in 0..area.height {
                text += (0..area.width).map(|x| buf[(x, y)].symbol()).collect::<String>().trim_end();
                text += "\n";
            }
        }
        insta::assert_snapshot!(text);
    }

    #[test]
    fn any_chart_can_be_drawn_at_any_size() {
        for points in [vec![], vec![(0.0, 5.0)], vec![(0.0, f64::NAN), (1.0, 2.0)]] {
            let series = vec![Series { label: "x", role: Role::Curve1, mark: '*', points }];
            let chart = Chart { x: (0.0, 0.0), y: None, series, band: None };
            for (width, height) in [(0, 0), (1, 1), (12, 4), (13, 5), (300, 100)] {
                let area = Rect::new(0, 0, width, height);
                chart.draw(area, &mut Buffer::empty(area), &look());
            }
        }
    }

    #[test]
    fn a_sparkline_shows_the_whole_history() {
        let look = look();
        assert_eq!(sparkline(&[0.0, 1.0, 2.0, 3.0], 8, &look), "▁▃▅▇");
        assert_eq!(sparkline(&[1.0; 5], 3, &look), "▄▄▄");
        let long: Vec<f64> = (0..1000).map(f64::from).collect();
        assert_eq!(sparkline(&long, 8, &look).chars().count(), 8);
        assert_eq!(sparkline(&[], 8, &look), "");
    }
}
