//! Line plots for figures: as SVG for files, in characters for the terminal.

use std::fmt::Write as _;

/// One line of a plot.
#[derive(Clone, Debug, Default)]
pub struct Series {
    pub name: String,
    /// The mark of its points in text output.
    pub mark: char,
    /// The values at 0, 1, 2 …
    pub values: Vec<f64>,
    /// The 95 % confidence interval of each value, or its quartiles; empty if unknown. Drawn at named points as whiskers, along plain
    /// numbers as a band.
    pub intervals: Vec<(f64, f64)>,
}

impl Series {
    pub fn new(name: impl Into<String>, values: Vec<f64>) -> Series {
        Series { name: name.into(), mark: '*', values, intervals: Vec::new() }
    }
}

/// A plot: its series and axes.
#[derive(Clone, Debug, Default)]
pub struct Plot {
    pub title: String,
    /// The axis labels.
    pub x: String,
    pub y: String,
    /// The labels of 0, 1, 2 … on the x axis, at equal steps; empty for plain numbers. Labelled points are few, so they are marked.
    pub ticks: Vec<String>,
    /// The labels are categories, whose points no line joins.
    pub is_categorical: bool,
    /// The distance of two values on the x axis in plain numbers; 0 counts as 1.
    pub step: usize,
    /// The end of the y axis, which begins at 0 or below the least value; `None`: the axis fits the values.
    pub top: Option<f64>,
    /// The only published value, of an unknown number of games: its point on the x axis, and the value.
    pub published: Option<(usize, f64)>,
    pub series: Vec<Series>,
}

impl Plot {
    /// A plot over numbers from 0 on, scaled to its values.
    pub fn new(title: &str, x: &str, y: &str, series: Vec<Series>) -> Plot {
        Plot { title: title.to_owned(), x: x.to_owned(), y: y.to_owned(), series, ..Plot::default() }
    }
}

/// Colour-blind-safe colours (Okabe and Ito, brown for their yellow, which is hard to see on white), each with a dash pattern.
const STYLES: [(&str, &str); 8] = [
    ("#0072b2", ""),
    ("#d55e00", "7 3"),
    ("#009e73", "2 3"),
    ("#cc79a7", "9 3 2 3"),
    ("#e69f00", "12 4"),
    ("#56b4e9", "4 4"),
    ("#000000", "1 4"),
    ("#8c510a", "14 3 2 3 2 3"),
];

const SIZE: (f64, f64) = (720.0, 420.0);
/// Left, top, right, bottom; the top has room for the title and one row of the legend, and grows with further rows.
const MARGIN: (f64, f64, f64, f64) = (70.0, 56.0, 20.0, 52.0);

/// The y of the last row of the legend, the height of a row, the width beside a name, and about that of a letter.
const LEGEND: f64 = 36.0;
const LEGEND_ROW: f64 = 18.0;
const LEGEND_LINE: f64 = 48.0;
const LETTER: f64 = 6.6;

/// Pixels between the marks of two series at the same point, so that their intervals do not overlap.
const APART: f64 = 7.0;

impl Plot {
    /// Draws the plot as an SVG document.
    pub fn svg(&self) -> String {
        let scale = Scale::fit(self);
        let places = self.legend_places();
        let above = places.last().map_or(0.0, |(_, row)| LEGEND_ROW * row);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 {} {} {}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect y=\"{}\" width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"{}\" y=\"{}\" font-size=\"15\">{}</text>\n",
            0.0 - above,
            SIZE.0,
            SIZE.1 + above,
            0.0 - above,
            MARGIN.0,
            20.0 - above,
            escaped(&self.title)
        );
        self.draw_axes(&scale, &mut svg);
        for (number, series) in self.series.iter().enumerate() {
            self.draw_series(number, series, &scale, &mut svg);
        }
        for (number, (series, (x, row))) in self.series.iter().zip(places).enumerate() {
            self.draw_legend(number, series, (x, LEGEND + LEGEND_ROW * row - above), &mut svg);
        }
        if let Some((point, value)) = self.published {
            draw_published(scale.x(point), scale.y(value), &mut svg);
        }
        svg + "</svg>\n"
    }

    fn draw_axes(&self, scale: &Scale, svg: &mut String) {
        let left = MARGIN.0;
        let right = SIZE.0 - MARGIN.2;
        let [first, last] = [scale.bottom, scale.top].map(|end| end / scale.step_y);
        for step in (first - 1e-9).ceil() as i64..=(last + 1e-9).floor() as i64 {
            // Rounded, so that tenths are not 0.30000000000000004.
            let value = step as f64 * scale.step_y;
            let value = (value * 1e9).round() / 1e9;
            let y = scale.y(value);
            _ = writeln!(svg, "<path d=\"M{left:.1} {y:.1}H{right:.1}\" stroke=\"#ddd\"/>");
            _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>", left - 6.0, y + 4.0);
        }
        let bottom = scale.y(scale.bottom);
        for index in (0..=scale.last).step_by(scale.step_x) {
            let x = scale.x(index);
            let name = self.ticks.get(index).cloned().unwrap_or_else(|| (index * self.step.max(1)).to_string());
            _ = writeln!(svg, "<path d=\"M{x:.1} {bottom:.1}v5\" stroke=\"#444\"/>");
            _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{name}</text>", bottom + 18.0);
        }
        _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(16 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            (left + right) / 2.0,
            SIZE.1 - 12.0,
            escaped(&self.x),
            (MARGIN.1 + bottom) / 2.0,
            escaped(&self.y)
        );
    }

    fn draw_series(&self, number: usize, series: &Series, scale: &Scale, svg: &mut String) {
        let (colour, _) = style(number);
        let aside =
            if self.ticks.is_empty() { 0.0 } else { APART * (number as f64 - (self.series.len() as f64 - 1.0) / 2.0) };
        let x = |index: usize| scale.x(index) + aside;
        let band = if self.ticks.is_empty() { &series.intervals[..] } else { &[] };
        if !band.is_empty() {
            let is_known = |(_, value): &(usize, f64)| value.is_finite();
            let place = |(index, value): (usize, f64)| format!("{:.1},{:.1}", x(index), scale.y(value));
            let upper = band.iter().map(|(_, high)| *high).enumerate().filter(is_known).map(place);
            let lower = band.iter().map(|(low, _)| *low).enumerate().filter(is_known).rev().map(place);
            let points: Vec<String> = upper.chain(lower).collect();
            _ = writeln!(svg, "<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.15\"/>", points.join(" "));
        }
        for (index, &(low, high)) in series.intervals.iter().enumerate().filter(|_| band.is_empty()) {
            let x = x(index);
            let low = scale.y(low);
            let high = scale.y(high);
            let path = format!("M{x:.1} {low:.1}V{high:.1}M{:.1} {low:.1}h6M{:.1} {high:.1}h6", x - 3.0, x - 3.0);
            _ = writeln!(svg, "<path class=\"interval\" d=\"{path}\" stroke=\"{colour}\" fill=\"none\"/>");
        }
        let known = series.values.iter().enumerate().filter(|(_, value)| value.is_finite());
        let points: Vec<(f64, f64)> = known.map(|(index, &value)| (x(index), scale.y(value))).collect();
        let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        if !self.is_categorical {
            _ = writeln!(svg, "<polyline points=\"{}\" {}/>", path.join(" "), stroke(number));
        }
        if !self.ticks.is_empty() {
            points.iter().for_each(|&(x, y)| _ = writeln!(svg, "{}", mark(number, x, y)));
        }
    }

    /// Returns the place of each series in the legend, in columns wide enough for the longest name: its x and its row.
    fn legend_places(&self) -> Vec<(f64, f64)> {
        let longest = self.series.iter().map(|series| series.name.chars().count()).max().unwrap_or(0);
        let room = SIZE.0 - MARGIN.0 - MARGIN.2;
        let wide = LEGEND_LINE + LETTER * longest as f64;
        let columns = ((room / wide) as usize).clamp(1, self.series.len().max(1));
        let apart = (room / columns as f64).min(wide.max(150.0));
        let place = |number| (MARGIN.0 + apart * (number % columns) as f64, (number / columns) as f64);
        (0..self.series.len()).map(place).collect()
    }

    fn draw_legend(&self, number: usize, series: &Series, (x, y): (f64, f64), svg: &mut String) {
        if !self.is_categorical {
            _ = writeln!(svg, "<path d=\"M{x:.1} {y}h30\" {}/>", stroke(number));
        }
        if !self.ticks.is_empty() {
            _ = writeln!(svg, "{}", mark(number, x + 15.0, y));
        }
        _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{}\">{}</text>", x + 36.0, y + 4.0, escaped(&series.name));
    }
}

/// Draws a published value: a ring, with its name below. It has no interval, since the number of its games is not published.
fn draw_published(x: f64, y: f64, svg: &mut String) {
    _ = writeln!(
        svg,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"8\" fill=\"none\" stroke=\"black\" stroke-width=\"2\"/>"
    );
    let anchor = if x > SIZE.0 - 100.0 { "end" } else { "middle" };
    _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">published, games not stated</text>",
        y + 22.0
    );
}

/// The height of a line of a caption, and about the width of its letters.
const CAPTION_LINE: f64 = 15.0;
const CAPTION_LETTER: f64 = 5.8;

/// Returns a picture with a caption below, its lines broken where the picture ends. A text without a view box is returned as it is.
pub fn captioned(svg: &str, caption: &[String]) -> String {
    let Some((before, rest)) = svg.split_once("viewBox=\"") else { return svg.to_owned() };
    let Some((numbers, after)) = rest.split_once('"') else { return svg.to_owned() };
    let numbers: Vec<f64> = numbers.split(' ').filter_map(|number| number.parse().ok()).collect();
    let &[x, y, width, height] = &numbers[..] else { return svg.to_owned() };
    let letters = ((width - 40.0) / CAPTION_LETTER) as usize;
    let lines: Vec<String> = caption.iter().flat_map(|line| broken(line, letters)).collect();
    let whole = height + CAPTION_LINE * lines.len() as f64 + 8.0;
    let mut text =
        format!("{before}viewBox=\"{x} {y} {width} {whole}\"{}", after.trim_end().trim_end_matches("</svg>"));
    for (number, line) in lines.iter().enumerate() {
        let y = y + height + CAPTION_LINE * (number as f64 + 0.5);
        _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{y}\" font-size=\"10.5\" fill=\"#444\">{}</text>",
            x + 20.0,
            escaped(line)
        );
    }
    text + "</svg>\n"
}

/// Breaks a text at spaces into lines of at most this many letters, where there is a space.
fn broken(text: &str, letters: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines
            .last_mut()
            .filter(|line| line.is_empty() || line.chars().count() + 1 + word.chars().count() <= letters);
        match line {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => *line += &format!(" {word}"),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Returns text with the characters of markup replaced.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The mapping from values to coordinates.
struct Scale {
    bottom: f64,
    top: f64,
    step_y: f64,
    /// The last index.
    last: usize,
    step_x: usize,
    /// Free space at either end of the x axis, in steps.
    free: f64,
}

impl Scale {
    fn fit(plot: &Plot) -> Scale {
        let intervals =
            plot.series.iter().flat_map(|series| series.intervals.iter().flat_map(|&(low, high)| [low, high]));
        let values = plot.series.iter().flat_map(|series| series.values.iter().copied()).chain(intervals);
        let values = values.filter(|value| value.is_finite());
        let ends = plot.top.map_or((f64::INFINITY, f64::NEG_INFINITY), |top| (0.0, top));
        let (least, most) = values.fold(ends, |(least, most), value| (least.min(value), most.max(value)));
        let (least, most) = match most - least {
            span if span > 0.0 => (least, plot.top.unwrap_or(most)),
            _ if least.is_finite() => (least - 1.0, least + 1.0),
            _ => (0.0, 1.0),
        };
        let step_y = nice((most - least) / 5.0);
        // The ends are near to the values, between two labels if need be.
        let unit = step_y / 5.0;
        let bottom = (least / unit + 1e-9).floor() * unit;
        let top = (most / unit - 1e-9).ceil() * unit;
        let last = plot.series.iter().map(|series| series.values.len().saturating_sub(1)).max().unwrap_or(0).max(1);
        if plot.ticks.is_empty() {
            return Scale { bottom, top, step_y, last, step_x: nice(last as f64 / 6.0).max(1.0) as usize, free: 0.0 };
        }
        Scale { bottom, top, step_y, last: plot.ticks.len().saturating_sub(1), step_x: 1, free: 0.5 }
    }

    fn x(&self, index: usize) -> f64 {
        let steps = self.last as f64 + 2.0 * self.free;
        MARGIN.0 + (SIZE.0 - MARGIN.0 - MARGIN.2) * (index as f64 + self.free) / steps.max(1.0)
    }

    fn y(&self, value: f64) -> f64 {
        MARGIN.1 + (SIZE.1 - MARGIN.1 - MARGIN.3) * (self.top - value) / (self.top - self.bottom)
    }
}

/// Returns the colour and the dashes of a series. Later ones have the colours again, with other dashes.
fn style(number: usize) -> (&'static str, &'static str) {
    let (colour, _) = STYLES[number % STYLES.len()];
    let (_, dash) = STYLES[(number + number / STYLES.len()) % STYLES.len()];
    (colour, dash)
}

fn stroke(number: usize) -> String {
    let (colour, dash) = style(number);
    format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"")
}

/// Draws a point of this series, in a shape of its own for readers who cannot distinguish the colours.
fn mark(number: usize, x: f64, y: f64) -> String {
    let (colour, _) = style(number);
    let shape = match number % STYLES.len() {
        0 => return format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>"),
        1 => "m-4 -4h8v8h-8z",
        2 => "m0 -5l5 9h-10z",
        3 => "m0 -5l5 5l-5 5l-5 -5z",
        4 => "m0 5l5 -9h-10z",
        5 => "m-6 -2h12v4h-12z",
        6 => "m-2 -6h4v12h-4z",
        _ => "m-1.5 -5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z",
    };
    format!("<path d=\"M{x:.1} {y:.1}{shape}\" fill=\"{colour}\"/>")
}

/// Returns the smallest of 1, 2 and 5 times a power of ten that is at least `value`.
fn nice(value: f64) -> f64 {
    let power = 10f64.powf(value.max(1e-9).log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|nice| *nice >= value * 0.999).unwrap_or(value)
}

/// Rows between the bottom and the top.
const ROWS: usize = 20;
/// Characters from one point to the next.
const WIDE: usize = 9;
/// Rows from one number on the y axis to the next.
const STEP: usize = 4;

impl Plot {
    /// Draws the plot as lines of text, 70 characters wide with seven points. The series' marks at a point are side by side, so that
    /// none hides another.
    pub fn text(&self) -> Vec<String> {
        let points = self.series.iter().map(|series| series.values.len()).max().unwrap_or(0);
        let most = self.series.iter().flat_map(|series| &series.values).copied().fold(1e-9, f64::max);
        let top = self.top.unwrap_or(most);
        let mut grid = vec![vec![' '; points * WIDE]; ROWS + 1];
        for (number, series) in self.series.iter().enumerate() {
            draw(&mut grid, self.left(number), series, top);
        }
        let mut legend: Vec<String> =
            self.series.iter().map(|series| format!("{}  {}", series.mark, series.name)).collect();
        if let Some((point, value)) = self.published.filter(|(point, _)| *point < points) {
            // Left of all marks.
            let left = self.left(0).saturating_sub(1);
            draw(&mut grid[..], point * WIDE + left, &Series { mark: 'P', ..Series::new("", vec![value]) }, top);
            legend.push("P  published".to_owned());
        }
        let mut lines = vec![self.title.clone(), self.y.clone()];
        lines.extend(grid.iter().enumerate().map(|(row, cells)| {
            let above = ROWS - row;
            let (label, axis) = match above % STEP {
                0 => (format!("{:.0}", top * above as f64 / ROWS as f64), '+'),
                _ => (String::new(), '|'),
            };
            format!("{label:>5} {axis}{}", cells.iter().collect::<String>()).trim_end().to_owned()
        }));
        lines.push(format!("      +{}", "-".repeat(points * WIDE)));
        let names: String = self.ticks.iter().take(points).map(|name| format!("{name:^WIDE$}")).collect();
        lines.push(format!("       {}", names.trim_end()));
        lines.push(format!("       {:^wide$}", self.x, wide = points * WIDE).trim_end().to_owned());
        lines.push(format!("       {}", legend.join("     ")));
        lines
    }

    /// Returns the column offset of this series' marks; together the marks are centred.
    fn left(&self, number: usize) -> usize {
        (number + (WIDE.saturating_sub(self.series.len())) / 2).min(WIDE - 1)
    }
}

fn draw(grid: &mut [Vec<char>], left: usize, series: &Series, top: f64) {
    let row = |value: f64| ROWS - ((value / top).clamp(0.0, 1.0) * ROWS as f64).round() as usize;
    for (point, pair) in series.values.windows(2).enumerate() {
        for step in 1..WIDE {
            let value = pair[0] + (pair[1] - pair[0]) * step as f64 / WIDE as f64;
            let cell = &mut grid[row(value)][point * WIDE + left + step];
            if *cell == ' ' {
                *cell = '.';
            }
        }
    }
    for (point, &value) in series.values.iter().enumerate() {
        grid[row(value)][point * WIDE + left] = series.mark;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!([nice(0.7), nice(1.0), nice(13.0), nice(21.0), nice(600.0)], [1.0, 1.0, 20.0, 50.0, 1000.0]);
    }

    #[test]
    fn an_axis_fits_its_values() {
        for (least, span) in [(10.0, 45.0), (4000.0, 317.0), (-3.0, 0.7), (0.0, 101.0), (55.0, 44.9)] {
            let scale = Scale::fit(&Plot::new("", "", "", vec![Series::new("", vec![least, least + span])]));
            let ends = (scale.bottom, scale.top);
            assert!(
                ends.0 <= least + 1e-6 && ends.1 >= least + span - 1e-6 && ends.1 - ends.0 <= 1.3 * span,
                "{ends:?}"
            );
        }
        let percent = Plot { top: Some(100.0), ..Plot::new("", "", "", vec![Series::new("", vec![30.0, 50.0])]) };
        assert_eq!((Scale::fit(&percent).bottom, Scale::fit(&percent).top), (0.0, 100.0));
    }

    #[test]
    fn many_series_differ() {
        let drawn: std::collections::HashSet<String> = (0..64).map(stroke).collect();
        assert_eq!(drawn.len(), 64);
        let marks: std::collections::HashSet<String> = (0..8).map(|number| mark(number, 0.0, 0.0)).collect();
        assert_eq!(marks.len(), 8);
    }

    #[test]
    fn a_caption_is_below_the_picture() {
        let svg = Plot::new("Figure", "", "", vec![Series::new("one", vec![1.0, 2.0])]).svg();
        let words = vec!["word"; 60].join(" ");
        let with = captioned(&svg, &["Source: <A>".to_owned(), words.clone()]);
        assert!(with.contains("viewBox=\"0 0 720 488\"") && with.contains(">Source: &lt;A&gt;</text>"), "{with}");
        assert!(with.ends_with("</text>\n</svg>\n") && with.matches("</svg>").count() == 1);
        assert_eq!(broken(&words, 117).join(" "), words);
        assert!(broken(&words, 117).iter().all(|line| line.len() <= 117));
        assert_eq!(captioned("mine", &[words]), "mine");
    }

    #[test]
    fn categories_are_not_joined() {
        let ticks = ["a", "b"].map(str::to_owned).to_vec();
        let plot =
            Plot { ticks, is_categorical: true, ..Plot::new("", "", "", vec![Series::new("one", vec![1.0, 2.0])]) };
        let svg = plot.svg();
        assert!(!svg.contains("polyline") && svg.matches("<circle").count() == 3);
    }

    #[test]
    fn a_plot_has_a_line_a_series() {
        let series = |name| Series::new(name, vec![1.0, 4.0, 2.0]);
        let svg = Plot::new("Figure", "generation", "stones", vec![series("one"), series("two")]).svg();
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.ends_with("</svg>\n") && !svg.contains("<circle"));
        assert!(Plot::new("", "", "", vec![Series::new("", vec![])]).svg().contains("polyline"));
        // The legend fits, however many series there are.
        let many = Plot::new("", "", "", vec![series("walk:25"); 6]).svg();
        let name = many.rmatch_indices("<text x=\"").find(|(at, _)| many[*at..].contains("y=\"40\">walk:25"));
        let x: f64 = many[name.unwrap().0 + 9..].split('"').next().unwrap().parse().unwrap();
        assert!(x + 60.0 < SIZE.0, "{x}");
        // Long names take more rows, above the plot.
        let long = Plot::new("", "", "", vec![series("checkers-ga-broad against pieces"); 4]).svg();
        assert!(long.contains("viewBox=\"0 -18 720 438\"") && long.contains("y=\"22\">checkers"), "{long}");
    }

    #[test]
    fn named_points_are_marked_and_have_their_intervals() {
        let series = Series { intervals: vec![(10.0, 40.0), (50.0, 90.0)], ..Series::new("one", vec![20.0, 75.0]) };
        let ticks = ["250", "500"].map(str::to_owned).to_vec();
        let plot = Plot { ticks, top: Some(100.0), ..Plot::new("", "", "%", vec![series]) };
        let published = Plot { published: Some((1, 60.0)), ..plot.clone() }.svg();
        assert!(published.contains(">published, games not stated</text>") && published.matches("<circle").count() == 4);
        let svg = plot.svg();
        assert_eq!(svg.matches("class=\"interval\"").count(), 2);
        // Two points and the one in the legend.
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!([">250<", ">500<", ">100<", ">0<"].iter().all(|text| svg.contains(text)), "{svg}");
        let one = Plot { ticks: vec!["250".to_owned()], ..Plot::new("", "", "", vec![Series::new("", vec![1.0])]) };
        assert!(!one.svg().contains("NaN"));
    }

    #[test]
    fn marks_stand_where_their_values_are() {
        let series = |mark, values: [f64; 2]| Series { mark, ..Series::new(format!("depth {mark}"), values.to_vec()) };
        let series = vec![series('1', [100.0, 0.0]), series('2', [50.0, 50.0])];
        let ticks = ["250", "16,000"].map(str::to_owned).to_vec();
        let plot = Plot { ticks, top: Some(100.0), ..Plot::new("Figure", "iterations", "% won", series) };
        let lines = plot.text();
        assert_eq!(lines[..2], ["Figure", "% won"]);
        assert_eq!(lines[2], "  100 +   1");
        assert_eq!(&lines[12][..12], "      |    2");
        assert!(lines[22].starts_with("    0 +") && lines[22].ends_with('1'), "{}", lines[22]);
        assert!(lines[24].contains("250") && lines[24].contains("16,000"));
        assert!(lines[26].ends_with("1  depth 1     2  depth 2"), "{}", lines[26]);
        assert!(lines.iter().all(|line| line.chars().count() <= 80));
        let published = Plot { published: Some((1, 75.0)), ..plot }.text();
        assert!(published[7].ends_with(" P") && published[26].ends_with("P  published"), "{published:#?}");
        // A plot without series is valid.
        assert!(Plot::new("", "", "", Vec::new()).text().len() > ROWS);
    }
}
