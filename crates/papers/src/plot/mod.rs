//! Line plots for figures: as SVG for files, in characters for the terminal.

mod svg;
mod text;

pub use svg::{captioned, escaped};

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
