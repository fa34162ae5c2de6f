//! The part of a run that its charts show, and the position of their cursor.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::{Band, Chart, Series};

/// The range of the x axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Span {
    /// From the first to the newest generation.
    #[default]
    SoFar,
    /// This number of newest generations.
    Last(u64),
    /// To the planned end.
    Whole,
}

impl Span {
    /// Returns the next span that shows a different range in a run at generation `newest`.
    #[must_use]
    pub fn next(self, newest: u64) -> Span {
        let spans = [Span::SoFar, Span::Last(10_000), Span::Last(1000), Span::Last(100), Span::Whole];
        let differs = |span: &Span| !matches!(span, Span::Last(count) if *count >= newest);
        let at = spans.iter().position(|span| *span == self).unwrap_or(0);
        (1..=spans.len()).map(|by| spans[(at + by) % spans.len()]).find(differs).unwrap_or_default()
    }

    /// Returns the ends of the x axis in a run at generation `newest` of `of`. The right end is a round number up to a
    /// tenth further, so that it stays constant for some generations: rescaling the curve redraws all of it.
    pub fn range(self, newest: u64, last: u64) -> (u64, u64) {
        let up = |unit: u64| newest.div_ceil(unit.max(1)).saturating_mul(unit.max(1)).min(last.max(newest)).max(1);
        match self {
            Span::Last(count) if count < newest => {
                let end = up(count / 10);
                (end.saturating_sub(count), end)
            }
            Span::Whole => (0, last.max(newest).max(1)),
            Span::SoFar | Span::Last(_) => (0, up(round_tenth(newest))),
        }
    }

    /// Returns the name for a chart's title; `None` for the default span.
    pub fn name(self) -> Option<String> {
        match self {
            Span::SoFar => None,
            Span::Last(count) => Some(format!("last {count}")),
            Span::Whole => Some("to the planned end".to_owned()),
        }
    }
}

/// Returns the largest of 1, 2, 5, 10, 20, 50 and so on up to a tenth of `of`; 0 below ten.
fn round_tenth(count: u64) -> u64 {
    let tenth = count / 10;
    let power = 10_u64.pow(tenth.max(1).ilog10());
    [5, 2, 1].map(|times| times * power).into_iter().find(|&round| round <= tenth).unwrap_or(0)
}

/// The area of a chart and the range of its x axis; maps a click to a value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plot {
    pub area: Rect,
    pub x: (f64, f64),
}

impl Plot {
    /// Returns the value on the x axis under a column.
    pub fn at(&self, column: u16) -> f64 {
        let last = f64::from(self.area.width.max(2) - 1);
        let share = f64::from(column.saturating_sub(self.area.x)) / last;
        self.x.0 + share.min(1.0) * (self.x.1 - self.x.0)
    }
}

/// State shared by the charts of a run: span, shape, cursor, and the areas drawn last.
#[derive(Clone, Default, Debug)]
pub struct Lens {
    pub span: Span,
    pub shape: Shape,
    /// The generation at the cursor.
    pub cursor: Option<u64>,
    plots: Vec<Plot>,
}

impl Lens {
    /// Returns the lens for another run, with the same span and shape.
    #[must_use]
    pub fn anew(&self) -> Lens {
        Lens { span: self.span, shape: self.shape, ..Lens::default() }
    }

    /// Clears the areas; call it before drawing.
    pub fn begin(&mut self) {
        self.plots.clear();
    }

    /// Records the area of a chart.
    pub(super) fn drawn(&mut self, plot: Option<Plot>) {
        self.plots.extend(plot);
    }

    /// Moves the cursor to a click. Returns whether a chart is there.
    pub fn click(&mut self, at: (u16, u16), newest: u64) -> bool {
        let Some(plot) = self.plots.iter().find(|plot| plot.area.contains(at.into())) else { return false };
        self.cursor = Some((plot.at(at.0).round() as u64).min(newest));
        true
    }

    /// Moves the cursor by `cells`; a new cursor starts at the newest generation.
    pub fn go(&mut self, cells: i64, newest: u64) {
        let per_cell = self.plots.first().map_or(1.0, |plot| (plot.x.1 - plot.x.0) / f64::from(plot.area.width.max(1)));
        let step = (per_cell.round() as i64).max(1);
        self.cursor = Some(match self.cursor {
            None => newest,
            Some(at) => at.saturating_add_signed(cells.saturating_mul(step)).min(newest),
        });
    }

    /// Moves the cursor by its keys. Returns whether the key is one of them.
    pub fn key(&mut self, code: KeyCode, newest: u64) -> bool {
        match code {
            KeyCode::Left => self.go(-1, newest),
            KeyCode::Right => self.go(1, newest),
            KeyCode::PageUp => self.go(-10, newest),
            KeyCode::PageDown => self.go(10, newest),
            KeyCode::Home => self.cursor = Some(0),
            KeyCode::End => self.cursor = Some(newest),
            _ => return false,
        }
        true
    }

    /// Returns the chart of curves over the generations of a run at generation `newest` of `of`.
    pub fn chart(&self, (newest, last): (u64, u64), series: Vec<Series>) -> Chart {
        let (from, to) = self.range(newest, last);
        let cursor = self.cursor.map(|at| at as f64);
        Chart { x: (from as f64, to as f64), unit: "generation", series, cursor, ..Chart::default() }
    }

    /// Returns the span's range in a run at generation `newest` of `of`.
    pub fn range(&self, newest: u64, last: u64) -> (u64, u64) {
        self.span.range(newest, last)
    }
}

/// The share of the x axis over which smoothed curves are averaged.
const WINDOW: f64 = 0.05;

/// How curves are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shape {
    #[default]
    Plain,
    /// Each value is the mean of those around it.
    Smooth,
    /// The y axis shows logarithms; values that are not positive are left out.
    Log,
}

impl Shape {
    #[must_use]
    pub fn next(self) -> Shape {
        match self {
            Shape::Plain => Shape::Smooth,
            Shape::Smooth => Shape::Log,
            Shape::Log => Shape::Plain,
        }
    }

    /// Returns the name for a chart's title; `None` for the default.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Shape::Plain => None,
            Shape::Smooth => Some("smoothed"),
            Shape::Log => Some("log axis"),
        }
    }

    /// Returns the chart with its curves and band in this shape.
    pub(super) fn apply(self, chart: &Chart) -> Chart {
        match self {
            Shape::Plain => chart.clone(),
            Shape::Smooth => {
                let half = (chart.x.1 - chart.x.0) * WINDOW / 2.0;
                let smooth = |series: &Series| Series { points: smoothed(&series.points, half), ..series.clone() };
                Chart { series: chart.series.iter().map(smooth).collect(), ..chart.clone() }
            }
            Shape::Log => {
                let points = |points: &[(f64, f64)]| points.iter().map(|&(x, y)| (x, log(y))).collect();
                let series = |series: &Series| Series { points: points(&series.points), ..series.clone() };
                let band = |band: &Band| {
                    let points = band.points.iter().filter(|(_, low, _)| *low > 0.0);
                    Band { points: points.map(|&(x, low, high)| (x, log(low), log(high))).collect(), ..band.clone() }
                };
                Chart {
                    series: chart.series.iter().map(series).collect(),
                    band: chart.band.as_ref().map(band),
                    is_log: true,
                    ..chart.clone()
                }
            }
        }
    }
}

/// The decimal logarithm; not a number for values that have none.
fn log(value: f64) -> f64 {
    if value > 0.0 { value.log10() } else { f64::NAN }
}

/// Returns the mean of the values at most `half` away from each point.
fn smoothed(points: &[(f64, f64)], half: f64) -> Vec<(f64, f64)> {
    let known: Vec<(f64, f64)> = points.iter().copied().filter(|(_, y)| y.is_finite()).collect();
    let mut from = 0;
    let mut to = 0;
    let mut sum = 0.0;
    let mut mean = |&(x, _): &(f64, f64)| {
        while to < known.len() && known[to].0 <= x + half {
            sum += known[to].1;
            to += 1;
        }
        while known[from].0 < x - half {
            sum -= known[from].1;
            from += 1;
        }
        (x, sum / (to - from) as f64)
    };
    known.iter().map(&mut mean).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Pattern;
    use super::*;
    use crate::theme::Role;

    #[test]
    fn the_axis_ends_at_the_newest_generation_or_at_a_round_number_just_behind() {
        assert_eq!(Span::SoFar.range(1126, 100_000), (0, 1200));
        assert_eq!(Span::SoFar.range(612, 100_000), (0, 650));
        assert_eq!(Span::SoFar.range(1, 250), (0, 1));
        assert_eq!(Span::SoFar.range(0, 250), (0, 1));
        assert_eq!(Span::SoFar.range(249, 250), (0, 250));
        for newest in 1..3000 {
            let (from, to) = Span::SoFar.range(newest, 100_000);
            assert!(from == 0 && to >= newest && to - newest <= newest / 10, "{newest}: {to}");
            let (from, to) = Span::Last(100).range(newest, 100_000);
            assert!(to >= newest && to - newest <= 10 && to - from <= newest.max(100), "{newest}: {from} to {to}");
        }
        assert_eq!(Span::Whole.range(1126, 100_000), (0, 100_000));
    }

    #[test]
    fn spans_that_show_the_same_are_left_out() {
        assert_eq!(Span::SoFar.next(50), Span::Whole);
        assert_eq!(Span::SoFar.next(500), Span::Last(100));
        assert_eq!(Span::SoFar.next(1126), Span::Last(1000));
        assert_eq!(Span::Last(100).next(1126), Span::Whole);
        assert_eq!(Span::Whole.next(1126), Span::SoFar);
    }

    #[test]
    fn the_cursor_comes_in_at_the_newest_and_stays_in_the_run() {
        let mut lens = Lens::default();
        lens.drawn(Some(Plot { area: Rect::new(10, 0, 50, 9), x: (0.0, 100.0) }));
        lens.go(-1, 90);
        assert_eq!(lens.cursor, Some(90));
        lens.go(-1, 90);
        assert_eq!(lens.cursor, Some(88));
        lens.go(9, 90);
        assert_eq!(lens.cursor, Some(90));
        assert!(lens.click((10, 3), 90) && lens.cursor == Some(0));
        assert!(lens.click((59, 3), 90) && lens.cursor == Some(90));
        assert!(!lens.click((9, 3), 90));
    }

    #[test]
    fn smoothed_values_are_means_and_ends_stay() {
        let points: Vec<(f64, f64)> = (0..5).map(|x| (f64::from(x), f64::from(x * x))).collect();
        assert_eq!(
            smoothed(&points, 1.0),
            [(0.0, 0.5), (1.0, 5.0 / 3.0), (2.0, 14.0 / 3.0), (3.0, 29.0 / 3.0), (4.0, 12.5)]
        );
        assert_eq!(smoothed(&points, 0.0), points);
        assert_eq!(smoothed(&[(0.0, f64::NAN), (1.0, 2.0)], 1.0), [(1.0, 2.0)]);
    }

    #[test]
    fn logarithms_leave_out_what_has_none() {
        let series = vec![Series::new("a", Role::Curve1, Pattern::Solid, vec![(0.0, 0.0), (1.0, 10.0), (2.0, 1000.0)])];
        let chart = Shape::Log.apply(&Chart { x: (0.0, 2.0), series, ..Chart::default() });
        assert!(chart.is_log && chart.series[0].points[0].1.is_nan());
        assert_eq!(chart.series[0].points[1..], [(1.0, 1.0), (2.0, 3.0)]);
    }
}
