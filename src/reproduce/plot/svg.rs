//! Line plots as SVG, for figures.

use std::fmt::Write as _;

/// One line of a plot.
#[derive(Clone, Debug)]
pub struct Series {
    pub name: &'static str,
    /// The values at 0, 1, 2 …
    pub values: Vec<f64>,
}

/// Colours that are told apart by everybody (Okabe and Ito), each with a dash of its own as well.
const STYLES: [(&str, &str); 4] = [("#0072b2", ""), ("#d55e00", "7 3"), ("#009e73", "2 3"), ("#cc79a7", "9 3 2 3")];

const SIZE: (f64, f64) = (720.0, 420.0);
/// Left, top, right, bottom.
const MARGIN: (f64, f64, f64, f64) = (70.0, 46.0, 20.0, 52.0);

/// A plot of all `series` over their index.
pub fn lines(title: &str, x: &str, y: &str, series: &[Series]) -> String {
    let most = series.iter().flat_map(|series| &series.values).copied().fold(1e-9, f64::max);
    let last = series.iter().map(|series| series.values.len().saturating_sub(1)).max().unwrap_or(0).max(1);
    let (step_x, step_y) = (nice(last as f64 / 6.0).max(1.0), nice(most / 5.0));
    let top = (most / step_y).ceil() * step_y;
    let (width, height) = (SIZE.0 - MARGIN.0 - MARGIN.2, SIZE.1 - MARGIN.1 - MARGIN.3);
    let at = |index: f64, value: f64| (MARGIN.0 + width * index / last as f64, MARGIN.1 + height * (1.0 - value / top));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{}\" y=\"20\" font-size=\"15\">{title}</text>\n",
        SIZE.0, SIZE.1, MARGIN.0
    );
    let mut value = 0.0;
    while value <= top + step_y / 2.0 {
        let ((left, y), (right, _)) = (at(0.0, value), at(last as f64, value));
        _ = writeln!(svg, "<path d=\"M{left:.1} {y:.1}H{right:.1}\" stroke=\"#ddd\"/>");
        _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>", left - 6.0, y + 4.0);
        value += step_y;
    }
    let mut index = 0.0;
    while index <= last as f64 {
        let (x, y) = at(index, 0.0);
        _ = writeln!(svg, "<path d=\"M{x:.1} {y:.1}v5\" stroke=\"#444\"/>");
        _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{index}</text>", y + 18.0);
        index += step_x;
    }
    for (number, (series, (colour, dash))) in series.iter().zip(STYLES.iter().cycle()).enumerate() {
        let points: Vec<String> = series
            .values
            .iter()
            .enumerate()
            .map(|(index, &value)| {
                let (x, y) = at(index as f64, value);
                format!("{x:.1},{y:.1}")
            })
            .collect();
        let line = format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"");
        _ = writeln!(svg, "<polyline points=\"{}\" {line}/>", points.join(" "));
        let x = MARGIN.0 + 150.0 * number as f64;
        _ = writeln!(
            svg,
            "<path d=\"M{x:.1} 34h26\" {line}/><text x=\"{:.1}\" y=\"38\">{}</text>",
            x + 32.0,
            series.name
        );
    }
    _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{x}</text>\n\
         <text transform=\"translate(16 {:.1}) rotate(-90)\" text-anchor=\"middle\">{y}</text>\n</svg>",
        MARGIN.0 + width / 2.0,
        SIZE.1 - 12.0,
        MARGIN.1 + height / 2.0
    );
    svg
}

/// The smallest of 1, 2 and 5 times a power of ten that is not below `value`.
fn nice(value: f64) -> f64 {
    let power = 10f64.powf(value.max(1e-9).log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|nice| *nice >= value * 0.999).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!([nice(0.7), nice(1.0), nice(13.0), nice(21.0), nice(600.0)], [1.0, 1.0, 20.0, 50.0, 1000.0]);
    }

    #[test]
    fn a_plot_has_a_line_a_series() {
        let series = |name| Series { name, values: vec![1.0, 4.0, 2.0] };
        let svg = lines("Figure", "generation", "stones", &[series("one"), series("two")]);
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.ends_with("</svg>\n"));
        assert!(lines("", "", "", &[Series { name: "", values: vec![] }]).contains("polyline"));
    }
}
