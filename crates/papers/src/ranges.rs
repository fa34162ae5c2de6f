//! Ranges as an SVG chart: published above measured, a row for each quantity.

use std::fmt::Write as _;

use super::Line;
use crate::arena::wilson;

/// The mean, minimum and maximum of values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Span {
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}

impl Span {
    /// The span of a single value.
    pub fn at(value: f64) -> Span {
        Span { mean: value, low: value, high: value }
    }

    /// The share of so many games, in percent, with its 95 % confidence interval.
    pub fn of_games(share: f64, games: u32) -> Span {
        let (low, high) = wilson(share, games);
        Span { mean: 100.0 * share, low: 100.0 * low, high: 100.0 * high }
    }

    /// The span of `values`; 0 if there are none.
    pub fn from_values(values: &[f64]) -> Span {
        if values.is_empty() {
            return Span::at(0.0);
        }
        let fold = |with: fn(f64, f64) -> f64| values.iter().copied().fold(values[0], with);
        Span { mean: values.iter().sum::<f64>() / values.len() as f64, low: fold(f64::min), high: fold(f64::max) }
    }
}

/// A row: its label, the published span, the measured span.
pub type Row = (String, Option<Span>, Span);

/// Returns the measured lines as rows. A published percentage of a known number of games has its interval.
pub fn rows(lines: &[Line]) -> Vec<Row> {
    let published = |line: &Line| match (line.published?, line.published_games) {
        (percent, Some(games)) => Some(Span::of_games(percent / 100.0, games)),
        (value, None) => Some(Span::at(value)),
    };
    let row = |line: &Line| {
        let mean = line.measured?;
        let (low, high) = line.interval.unwrap_or((mean, mean));
        Some((line.what.clone(), published(line), Span { mean, low, high }))
    };
    lines.iter().filter_map(row).collect()
}

/// The minimum width of the label column.
const LEFT: f64 = 220.0;
/// The approximate width of a letter.
const LETTER: f64 = 6.6;
const WIDTH: f64 = 460.0;
const ROW: f64 = 28.0;
const TOP: f64 = 60.0;

/// Draws the rows on a scale from 0 to `most` of `unit`.
pub fn ranges(title: &str, unit: &str, most: f64, rows: &[Row]) -> String {
    let height = TOP + ROW * rows.len() as f64 + 40.0;
    let longest = rows.iter().map(|(label, ..)| label.chars().count()).max().unwrap_or(0);
    let left = LEFT.max((LETTER * longest as f64).ceil() + 20.0);
    let x = |value: f64| left + WIDTH * (value / most).clamp(0.0, 1.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"20\" y=\"20\" font-size=\"15\">{title}</text>\n",
        left + WIDTH + 40.0
    );
    // Okabe and Ito's blue and vermilion; measured spans are also dashed.
    let styles = [("published", "#0072b2", ""), ("measured", "#d55e00", "6 3")];
    let has_published = rows.iter().any(|(_, published, _)| published.is_some());
    for (number, (name, colour, dash)) in styles[usize::from(!has_published)..].iter().enumerate() {
        let x = left + 150.0 * number as f64;
        let line = format!("stroke=\"{colour}\" stroke-width=\"4\" stroke-dasharray=\"{dash}\"");
        _ = writeln!(svg, "<path d=\"M{x:.1} 38h26\" {line}/><text x=\"{:.1}\" y=\"42\">{name}</text>", x + 32.0);
    }
    for tick in 0..=5 {
        // Rounded, since a fifth of 1 is not exact in binary.
        let value = (1000.0 * most * f64::from(tick) / 5.0).round() / 1000.0;
        let x = x(value);
        let bottom = height - 34.0;
        _ = writeln!(svg, "<path d=\"M{x:.1} {TOP}V{bottom:.1}\" stroke=\"#ddd\"/>");
        _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{value}</text>", bottom + 16.0);
    }
    _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{unit}</text>",
        left + WIDTH / 2.0,
        height - 4.0
    );
    for (number, (label, published, measured)) in rows.iter().enumerate() {
        let y = TOP + ROW * (number as f64 + 0.5);
        // Labels may contain file names.
        let label = label.replace('&', "&amp;").replace('<', "&lt;");
        _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", left - 12.0, y + 4.0);
        for (span, (_, colour, dash), y) in [(*published, styles[0], y - 5.0), (Some(*measured), styles[1], y + 5.0)] {
            let Some(span) = span else { continue };
            _ = writeln!(
                svg,
                "<path d=\"M{:.1} {y:.1}H{:.1}\" stroke=\"{colour}\" stroke-width=\"4\" stroke-dasharray=\"{dash}\"/>\
                 <circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>",
                x(span.low),
                x(span.high),
                x(span.mean)
            );
        }
    }
    svg += "</svg>\n";
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_hold_what_they_are_of() {
        assert_eq!(Span::from_values(&[1.0, 3.0, 2.0]), Span { mean: 2.0, low: 1.0, high: 3.0 });
        assert_eq!(Span::from_values(&[]), Span::at(0.0));
    }

    /// Wilson's interval of 20 of 40 games.
    #[test]
    fn a_published_share_of_known_games_has_its_interval() {
        let line = Line::new("a v b", Some(50.0), 60.0, "% won").within(50.0, 70.0);
        let rows = rows(&[line.clone(), line.over_games(40)]);
        assert_eq!(rows[0].1, Some(Span::at(50.0)));
        let Span { mean, low, high } = rows[1].1.unwrap();
        assert!(mean == 50.0 && (low - 35.2).abs() < 0.05 && (high - 64.8).abs() < 0.05, "{low} {high}");
    }

    #[test]
    fn a_long_label_has_room() {
        let svg = |label: &str| ranges("", "", 1.0, &[(label.to_owned(), None, Span::at(0.5))]);
        assert!(!svg("short").contains(">published<") && svg("short").contains(">measured<"));
        assert!(svg("short").contains("viewBox=\"0 0 720 ") && svg(&"m".repeat(50)).contains("viewBox=\"0 0 850 "));
        assert!(svg(&"m".repeat(50)).contains("<text x=\"338.0\""));
    }

    #[test]
    fn every_row_is_drawn() {
        let rows = [("W1".to_owned(), Some(Span::at(0.2)), Span::at(0.4)), ("W2 <&>".to_owned(), None, Span::at(7.0))];
        let svg = ranges("Title", "weight", 1.0, &rows);
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!([">0<", ">0.6<", ">1<"].iter().all(|tick| svg.contains(tick)));
        assert!(svg.contains(">W2 &lt;&amp;></text>") && svg.ends_with("</svg>\n"));
    }
}
