//! Line plots for figures: as SVG for files, in characters for the terminal.

mod svg;
mod text;

/// One line of a plot.
#[derive(Clone, Debug, Default)]
pub struct Series {
    pub name: String,
    /// What marks its points where there are only characters.
    pub mark: char,
    /// The values at 0, 1, 2 …
    pub values: Vec<f64>,
    /// Where each value lies with 95 % confidence; empty if that is not known.
    pub intervals: Vec<(f64, f64)>,
}

impl Series {
    pub fn new(name: impl Into<String>, values: Vec<f64>) -> Series {
        Series { name: name.into(), mark: '*', values, intervals: Vec::new() }
    }
}

/// What is plotted, and along which axes.
#[derive(Clone, Debug, Default)]
pub struct Plot {
    pub title: String,
    /// What the axes count.
    pub x: String,
    pub y: String,
    /// The names of 0, 1, 2 … on the x axis, at equal steps; empty where the numbers themselves name them. Points that have names
    /// are few, so they are marked.
    pub ticks: Vec<String>,
    /// Where the y axis ends; without it, above the greatest value.
    pub top: Option<f64>,
    pub series: Vec<Series>,
}

impl Plot {
    /// A plot over numbers from 0 on, as high as its values need.
    pub fn new(title: &str, x: &str, y: &str, series: Vec<Series>) -> Plot {
        Plot { title: title.to_owned(), x: x.to_owned(), y: y.to_owned(), series, ..Plot::default() }
    }
}
