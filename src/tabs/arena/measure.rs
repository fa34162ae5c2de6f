//! The measure shown in the matrix.

use crate::arena::{CellView, unsigned_nought};
use crate::ui::Look;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Measure {
    /// Games won by the row's player, in percent.
    #[default]
    Won,
    /// The row's player's share of points in percent; a draw is half a point.
    Points,
    /// The row's player's mean final margin.
    Margin,
    /// The published share of games won, in percent.
    Published,
    /// Games won minus the published value, in percentage points.
    Difference,
}

impl Measure {
    /// Returns the next measure; margins and measures of published values only if there are any.
    pub fn next(self, has_margins: bool, has_published: bool) -> Measure {
        match self {
            Measure::Won => Measure::Points,
            Measure::Points if has_margins => Measure::Margin,
            Measure::Points | Measure::Margin if has_published => Measure::Published,
            Measure::Published => Measure::Difference,
            Measure::Points | Measure::Margin | Measure::Difference => Measure::Won,
        }
    }

    /// Whether a missing number will stay missing.
    pub fn is_printed(self) -> bool {
        matches!(self, Measure::Published | Measure::Difference)
    }

    pub fn title(self) -> &'static str {
        match self {
            Measure::Won => "% of games won by the row, moving first",
            Measure::Points => "% of points of the row, moving first",
            Measure::Margin => "mean margin of the row, moving first",
            Measure::Published => "published: % won by the row, moving first",
            Measure::Difference => "% won by the row minus the published %",
        }
    }

    /// Returns a cell's number, and its quality for the row's player from 0 to 1; `None` if it is missing. The margin saturates at
    /// half of the `seeds`.
    pub fn value(self, cell: &CellView, published: Option<f64>, seeds: f64, look: &Look) -> Option<(String, f64)> {
        let percent = |share: f64| (format!("{:.1}", 100.0 * share), share);
        let signed = |value: f64| look.with_minus(&format!("{:+.1}", unsigned_nought(value, 1)));
        let played = cell.score.games() > 0;
        match self {
            Measure::Published => published.map(|printed| percent(printed / 100.0)),
            _ if !played => None,
            Measure::Won => Some(percent(cell.sample.won())),
            Measure::Points => Some(percent(cell.sample.share())),
            Measure::Margin => Some((signed(cell.mean_margin()), (0.5 + cell.mean_margin() / seeds).clamp(0.0, 1.0))),
            Measure::Difference => published.map(|printed| {
                let difference = 100.0 * cell.sample.won() - printed;
                // The scale saturates at 20 percentage points.
                (signed(difference), (0.5 + difference / 40.0).clamp(0.0, 1.0))
            }),
        }
    }
}
