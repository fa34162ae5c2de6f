#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! One module per paper, each with its [`Target`]s. A target names what it reproduces, such as `mancala-gp/figure5`, and returns a
//! [`Table`]; where the paper is silent, the table lists the reading used.

use mancalab_base::{budget, files, pool, rng, sanitize, settings, sort};
use mancalab_games as game;
use mancalab_lab::{arena, evolve, kinds, statistics, train};
use mancalab_net as net;
use mancalab_players::{self as player, program};
use mancalab_runs as job;
use mancalab_search as search;

mod checkers_ga;
pub mod csv;
mod fit;
pub mod kalah_thesis;
mod learning;
mod mancala_gp;
mod othello_gp;
#[cfg(test)]
mod pages;
pub mod plot;
mod ranges;
mod target;
mod typed_run;
pub mod work;

use std::collections::BTreeMap;
use std::fmt;

use mancalab_base::Error;
use serde::Serialize;
use serde_json::Value;

use crate::arena::Score;
use crate::fit::Welch;
use crate::settings::list;
pub use target::{Hear, Options, Target};

/// The flags of targets that play games without runs.
const PLAYED: &[&str] = &["--games", "--seed", "--out", "--set"];

/// A progress event of a reproduction.
#[derive(Clone, PartialEq, Debug)]
pub enum ProgressEvent<'a> {
    /// A result, in one line.
    News(&'a str),
    /// The share of the work done, 0 to 1, and the current item, such as `match 3/45`. Sent many times a second.
    Progress { share: f64, item: String },
}

/// The titles of the sources, each with its targets.
const SOURCES: [(&str, &[Target]); 4] = [
    (mancala_gp::SOURCE, mancala_gp::TARGETS),
    (kalah_thesis::SOURCE, kalah_thesis::TARGETS),
    (othello_gp::SOURCE, othello_gp::TARGETS),
    (checkers_ga::SOURCE, checkers_ga::TARGETS),
];

impl Target {
    pub fn all() -> impl Iterator<Item = &'static Target> + Clone {
        SOURCES.iter().flat_map(|(_, targets)| *targets)
    }

    /// Returns the title of the source.
    fn source(&self) -> &'static str {
        let is_own = |targets: &[Target]| targets.iter().any(|target| target.name == self.name);
        SOURCES.iter().find(|(_, targets)| is_own(targets)).map_or("", |(title, _)| title)
    }

    /// Returns the target of this name.
    ///
    /// # Errors
    /// There is no such target: those that the name is a part of, or all.
    pub fn named(name: &str) -> Result<&'static Target, Error> {
        let names = || Target::all().map(|target| target.name);
        if let Some(target) = Target::all().find(|target| target.name == name) {
            return Ok(target);
        }
        let unknown = format!("no target is called '{name}'");
        let meant: Vec<&str> = names().filter(|whole| whole.split('/').any(|part| part == name)).collect();
        Err(match meant.len() {
            0 => Error::unknown(unknown, names()).near(name, names()),
            1..=6 => format!("{unknown}; did you mean {}?", list(meant)).into(),
            count => format!("{unknown}; name one of {count}, as in {}; --list has all", meant[0]).into(),
        })
    }

    /// Checks that the target accepts the given flags.
    ///
    /// # Errors
    /// A flag belongs to other targets: which, and the flags of this one.
    pub fn check_flags(&self, given: &[&str]) -> Result<(), Error> {
        let Some(flag) = given.iter().find(|flag| !self.takes.contains(flag)) else { return Ok(()) };
        let others = Target::all().filter(|target| target.takes.contains(flag)).map(|target| target.name);
        let others: Vec<&str> = others.collect();
        let others = if others.len() > 3 { String::new() } else { format!(" (a flag of {})", others.join(", ")) };
        Err(format!("{} takes no {flag}{others}; it takes {}", self.name, list(self.takes)).into())
    }
}

/// Returns every tournament preset: (name, description). Those that belong to no paper come first.
pub fn tournaments() -> Vec<(&'static str, &'static str)> {
    arena::PRESETS.iter().copied().chain(kalah_thesis::tournaments()).collect()
}

/// Returns the settings of a tournament preset; its seed is 1.
pub fn tournament(name: &str) -> Option<arena::Settings> {
    arena::preset(name).or_else(|| kalah_thesis::tournament(name))
}

/// The verdict on a claim of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Yes,
    No,
    /// The measurement does not decide.
    Open,
}

impl Verdict {
    /// The verdict of a rule that always decides.
    fn from_holds(holds: bool) -> Verdict {
        if holds { Verdict::Yes } else { Verdict::No }
    }

    /// Returns yes for an interval above `least`, and no for one below 0; open without an interval.
    fn above(least: f64, interval: Option<(f64, f64)>) -> Verdict {
        match interval {
            Some((_, high)) if high < 0.0 => Verdict::No,
            Some((low, _)) if low > least => Verdict::Yes,
            _ => Verdict::Open,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Yes => "yes",
            Verdict::No => "no",
            Verdict::Open => "open",
        })
    }
}

/// A published number and its measurement.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Line {
    pub what: String,
    /// `None`: not published.
    pub published: Option<f64>,
    /// `None`: not measured yet.
    pub measured: Option<f64>,
    /// The unit, such as "stones".
    pub unit: &'static str,
    /// The games behind the published share, if known.
    pub published_games: Option<u32>,
    /// The 95 % confidence interval of the measurement, if known.
    pub interval: Option<(f64, f64)>,
    /// Identifying columns for programs, such as `("iterations", 250)`; the same columns in all lines of a table.
    pub names: Vec<(&'static str, Value)>,
    /// The games of the measurement.
    pub score: Option<Score>,
    /// What is published in words only, or the reason why nothing is measured.
    pub remark: Option<String>,
}

impl Line {
    pub fn new(what: impl Into<String>, published: Option<f64>, measured: f64, unit: &'static str) -> Line {
        Line { what: what.into(), published, measured: Some(measured), unit, ..Line::default() }
    }

    /// A line for games won beside the published share, in percent.
    pub fn won(what: impl Into<String>, published: Option<f64>, score: Score) -> Line {
        let (low, high) = score.won_interval();
        let line = Line::new(what, published, 100.0 * score.won(), "% won").within(100.0 * low, 100.0 * high);
        Line { score: Some(score), ..line }
    }

    /// Sets the number of games behind the published share.
    #[must_use]
    pub fn over_games(self, games: u32) -> Line {
        Line { published_games: Some(games), ..self }
    }

    /// Sets the identifying columns.
    #[must_use]
    pub fn named(self, names: impl Into<Vec<(&'static str, Value)>>) -> Line {
        Line { names: names.into(), ..self }
    }

    /// Sets the remark.
    #[must_use]
    pub fn remarked(self, remark: impl Into<String>) -> Line {
        Line { remark: Some(remark.into()), ..self }
    }

    /// Sets the remark to a verdict on a claim and the rule that it follows.
    #[must_use]
    pub fn judged(self, verdict: Verdict, rule: impl fmt::Display) -> Line {
        self.remarked(format!("{verdict}; {rule}"))
    }

    /// A line for the difference of two samples by Welch's test, with a verdict by `rule`: yes above `least`, no below 0. Without a test
    /// nothing is measured.
    pub(crate) fn tested(
        what: impl Into<String>,
        unit: &'static str,
        tested: Option<Welch>,
        least: f64,
        rule: impl fmt::Display,
    ) -> Line {
        let interval = tested.map(|test| test.interval);
        let line = Line::new(what, None, 0.0, unit).judged(Verdict::above(least, interval), rule);
        Line { measured: tested.map(|test| test.difference), interval, ..line }
    }

    /// Sets the 95 % interval.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> Line {
        Line { interval: Some((low, high)), ..self }
    }

    /// Returns whether the published value is in the interval; `None` if either is unknown.
    pub fn is_inside(&self) -> Option<bool> {
        self.published.filter(|_| self.interval.is_some()).map(|published| self.may_be(published))
    }

    /// Returns whether `value` is in the interval.
    pub fn may_be(&self, value: f64) -> bool {
        // Tolerates rounding, as for the interval of a share of 1, which ends at 1.
        self.interval.is_some_and(|(low, high)| (low - 1e-6..=high + 1e-6).contains(&value))
    }

    /// Returns the difference of both samples' shares in standard errors, if both samples are known.
    pub(crate) fn standard_errors(&self) -> Option<f64> {
        Some(fit::standard_errors(self.score?, self.published? / 100.0, self.published_games?))
    }

    /// Returns how likely chance alone makes a difference at least as large, if both samples are known.
    pub fn chance(&self) -> Option<f64> {
        self.standard_errors().map(fit::chance)
    }

    /// Formats the line as text; `wide` is the width of the first column.
    fn to_text(&self, wide: usize) -> String {
        let [published, measured] = [self.published, self.measured].map(|value| value.map_or("-".to_owned(), number));
        let difference = self.difference().map_or("-".to_owned(), signed);
        let interval = self.interval.map_or(String::new(), |(low, high)| {
            let inside = match (self.chance(), self.is_inside()) {
                (Some(chance), _) => format!("  {}", fit::probability(chance)),
                (None, Some(true)) => ", published inside".to_owned(),
                (None, Some(false)) => ", published outside".to_owned(),
                (None, None) => String::new(),
            };
            format!("  95 %: {low:.1} to {high:.1}{inside}")
        });
        let remark = self.remark.as_ref().map_or(String::new(), |remark| format!("  ({remark})"));
        format!(
            "{:wide$}  {published:>9}  {measured:>9}  {difference:>10}  {}{interval}{remark}\n",
            self.what, self.unit
        )
    }

    /// Returns measured minus published.
    pub fn difference(&self) -> Option<f64> {
        Some(self.measured? - self.published?)
    }
}

/// The result of a reproduction.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// The name of the [`Target`] and its source.
    target: &'static str,
    source: &'static str,
    pub lines: Vec<Line>,
    /// The lines as a text chart or matrix, for text output only; may be empty.
    pub chart: Vec<String>,
    /// The reading of the source: (topic, choice).
    pub reading: Vec<(&'static str, String)>,
    /// Further remarks, one sentence each.
    pub notes: Vec<String>,
    /// Games of the result, as the texts of game files.
    pub games: Vec<String>,
    /// The files to write: names and contents.
    files: Vec<(String, String)>,
}

impl Table {
    /// Adds a CSV file and an SVG file of this name.
    #[must_use]
    fn with_files(mut self, name: &str, csv: String, svg: String) -> Table {
        self.files.extend([(format!("{name}.csv"), csv), (format!("{name}.svg"), svg)]);
        self
    }

    /// Adds the lines as a CSV file, and this SVG chart.
    #[must_use]
    fn with_chart(self, name: &str, svg: String) -> Table {
        let csv = csv::lines(&self.lines);
        self.with_files(name, csv, svg)
    }

    /// Adds the lines as a CSV file and as an SVG chart of ranges from 0 to 100 `unit`.
    #[must_use]
    fn with_ranges(self, name: &str, title: &str, unit: &str) -> Table {
        let svg = ranges::ranges(title, unit, 100.0, &ranges::rows(&self.lines));
        self.with_chart(name, svg)
    }

    /// Formats the table as text.
    pub fn to_text(&self) -> String {
        let wide = self.lines.iter().map(|line| line.what.chars().count()).max().unwrap_or(0).max(12);
        let mut text = format!("{} · {}\n\n", self.target, self.source);
        text += &format!("{:wide$}  {:>9}  {:>9}  {:>10}\n", "", "published", "measured", "difference");
        self.lines.iter().for_each(|line| text += &line.to_text(wide));
        if !self.chart.is_empty() {
            text.push('\n');
        }
        self.chart.iter().for_each(|line| text += &format!("{line}\n"));
        text += "\nReading in force\n";
        let wide = self.reading.iter().map(|(what, _)| what.chars().count()).max().unwrap_or(0);
        self.reading.iter().for_each(|(what, reading)| text += &format!("  {what:wide$}  {reading}\n"));
        if !self.notes.is_empty() {
            text.push('\n');
        }
        self.notes.iter().for_each(|note| text += &format!("{note}\n"));
        self.games.iter().for_each(|game| text += &format!("\n{game}"));
        text
    }
}

/// A table for JSON output.
#[derive(Serialize)]
pub struct Output<'a> {
    target: &'a str,
    source: &'a str,
    lines: Vec<OutputLine<'a>>,
    reading: BTreeMap<&'a str, &'a str>,
    notes: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    games: &'a [String],
}

/// A line for JSON output: its identifying columns and game counts are keys of their own.
#[derive(Serialize)]
struct OutputLine<'a> {
    what: &'a str,
    published: Option<f64>,
    published_games: Option<u32>,
    measured: Option<f64>,
    difference: Option<f64>,
    unit: &'a str,
    interval: Option<(f64, f64)>,
    inside: Option<bool>,
    p_value: Option<f64>,
    remark: Option<&'a str>,
    #[serde(flatten)]
    names: BTreeMap<&'a str, &'a Value>,
    #[serde(flatten)]
    counted: Option<GamesCount>,
}

#[derive(Serialize)]
struct GamesCount {
    games: u32,
    #[serde(flatten)]
    score: Score,
}

impl Line {
    fn output(&self) -> OutputLine<'_> {
        OutputLine {
            what: &self.what,
            published: self.published,
            published_games: self.published_games,
            measured: self.measured,
            difference: self.difference(),
            unit: self.unit,
            interval: self.interval,
            inside: self.is_inside(),
            p_value: self.chance(),
            remark: self.remark.as_deref(),
            names: self.names.iter().map(|(name, value)| (*name, value)).collect(),
            counted: self.score.map(|score| GamesCount { games: score.games(), score }),
        }
    }
}

impl Table {
    /// Returns the table for JSON output.
    pub fn output(&self) -> Output<'_> {
        Output {
            target: self.target,
            source: self.source,
            lines: self.lines.iter().map(Line::output).collect(),
            reading: self.reading.iter().map(|(what, reading)| (*what, reading.as_str())).collect(),
            notes: &self.notes,
            games: &self.games,
        }
    }
}

/// Formats a number with at most two decimals, without trailing zeros.
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
