//! What a chart shows of its curves: as they are, smoothed, or on a logarithmic axis.

use super::{Band, Chart, Series};

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
