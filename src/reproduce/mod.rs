//! The sources' tables and figures again: what is published beside what is measured.
//!
//! One file a source. A target names what it reproduces, such as `mancala-gp/figure5`, and gives a [`Table`]; where the source
//! is silent, the table says how it was read.

pub mod kalah_thesis;
pub mod mancala_gp;
pub mod plot;

use serde_json::{Value, json};

/// Every target: (name, what it reproduces).
pub const TARGETS: &[(&str, &str)] = &[
    ("mancala-gp/figure5", "the scores of the two printed programs against the 8-level minimax"),
    ("mancala-gp/figure10", "average scores against 1,000 random programs (--seed, --programs)"),
    ("mancala-gp/figures6-9", "both runs: CSV files and SVG plots (--seed, --out)"),
    ("kalah-thesis/table1", "every player against every other (--games, --seed, --out, --set eps=0.1)"),
    ("kalah-thesis/table2", "the round robin of single heuristics (--games, --seed, --out)"),
    (
        "kalah-thesis/table3",
        "the weights after 20 runs of the genetic algorithm (--runs, --generations, --seed, --out)",
    ),
    ("kalah-thesis/epsilon", "the epsilon of MCTS that comes nearest to Table 1 (--games, --seed, --out)"),
    ("kalah-thesis/figure4", "MCTS by iterations against minimax by depth (--games, --seed, --out, --set most=4000)"),
    ("kalah-thesis/figure5", "MCTS by iterations against the heuristic player by depth (as figure4)"),
    ("kalah-thesis/depth", "heuristic:4 against minimax:8, and why (--games, --seed, --out)"),
    ("kalah-thesis/matches", "the heuristic player against others (--games, --seed, --out)"),
];

/// One published number and its measurement.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    pub what: String,
    /// `None`: the source does not say.
    pub published: Option<f64>,
    pub measured: f64,
    /// Such as "stones".
    pub unit: &'static str,
    /// Where the true value lies with 95 % confidence, if that is known.
    pub interval: Option<(f64, f64)>,
}

impl Line {
    pub fn new(what: impl Into<String>, published: Option<f64>, measured: f64, unit: &'static str) -> Line {
        Line { what: what.into(), published, measured, unit, interval: None }
    }

    /// The same with its 95 % interval.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> Line {
        Line { interval: Some((low, high)), ..self }
    }

    /// Whether the published value lies in the interval; `None` where one of them is not known.
    pub fn is_inside(&self) -> Option<bool> {
        let (low, high) = self.interval?;
        // The interval of a share that is 1 ends there but for rounding.
        self.published.map(|published| (low - 1e-6..=high + 1e-6).contains(&published))
    }

    /// Measured less published.
    pub fn difference(&self) -> Option<f64> {
        self.published.map(|published| self.measured - published)
    }
}

/// A reproduction.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    pub target: &'static str,
    pub source: &'static str,
    pub lines: Vec<Line>,
    /// How the source was read: (what, reading).
    pub reading: Vec<(&'static str, String)>,
    /// What else there is to say, a sentence each.
    pub notes: Vec<String>,
}

impl Table {
    /// For people.
    pub fn to_text(&self) -> String {
        let wide = self.lines.iter().map(|line| line.what.chars().count()).max().unwrap_or(0).max(12);
        let mut text = format!("{} · {}\n\n", self.target, self.source);
        text += &format!("{:wide$}  {:>9}  {:>9}  {:>10}\n", "", "published", "measured", "difference");
        for line in &self.lines {
            let published = line.published.map_or("-".to_owned(), number);
            let difference = line.difference().map_or("-".to_owned(), signed);
            let measured = number(line.measured);
            let interval = line.interval.map_or(String::new(), |(low, high)| {
                let inside = match line.is_inside() {
                    Some(true) => ", published inside",
                    Some(false) => ", published outside",
                    None => "",
                };
                format!("  95 %: {low:.1} to {high:.1}{inside}")
            });
            text += &format!(
                "{:wide$}  {published:>9}  {measured:>9}  {difference:>10}  {}{interval}\n",
                line.what, line.unit
            );
        }
        text += "\nReading in force\n";
        let wide = self.reading.iter().map(|(what, _)| what.chars().count()).max().unwrap_or(0);
        self.reading.iter().for_each(|(what, reading)| text += &format!("  {what:wide$}  {reading}\n"));
        if !self.notes.is_empty() {
            text.push('\n');
        }
        self.notes.iter().for_each(|note| text += &format!("{note}\n"));
        text
    }

    /// For programs.
    pub fn to_json(&self) -> Value {
        let line = |line: &Line| {
            json!({
                "what": line.what, "published": line.published, "measured": line.measured,
                "difference": line.difference(), "unit": line.unit, "interval": line.interval, "inside": line.is_inside(),
            })
        };
        let lines: Vec<Value> = self.lines.iter().map(line).collect();
        let reading: serde_json::Map<String, Value> =
            self.reading.iter().map(|(what, reading)| ((*what).to_owned(), json!(reading))).collect();
        json!({
            "target": self.target, "source": self.source, "lines": lines, "reading": reading, "notes": self.notes,
        })
    }
}

/// At most two decimals, none where there are none.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn signed(value: f64) -> String {
    match number(value).as_str() {
        "0" | "-0" => "0".to_owned(),
        text if value > 0.0 => format!("+{text}"),
        text => text.to_owned(),
    }
}
