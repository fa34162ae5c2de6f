//! The eleven weights: those of the ten heuristics and that of the network's value.

use mancalab_base::{Error, bail};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::super::heuristic::terms::{COUNT as TEN, TERMS};
use super::super::heuristic::weights::{ACCEPTED, GREATEST, USUAL, Weights as Ten, decimal};
use super::super::weight_file::{self, KnownWeights, WeightRules};
use crate::settings::{Report, Source as Document};

/// The number of terms.
pub const COUNT: usize = TEN + 1;

/// The name of the eleventh term, and its title.
pub const NAME: &str = "H11";
pub const TITLE: &str = "network value";

/// The weights that come with the program, with their origin.
pub(super) const DEFAULT_TEXT: &str = include_str!("../../weights/hybrid.toml");

const WANTED: WeightRules = WeightRules {
    names: &["W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8", "W9", "W10", "W11"],
    all: "W1 to W11 are required, one for each heuristic and one for the network's value",
    greatest: GREATEST,
    accepted: ACCEPTED,
    after_at: AFTER_AT,
    count: "with net=, expected eleven weights, W1 to W11",
    prefix: "",
};

const AFTER_AT: &str = "with net=, expected weights after @: default, a file, or eleven numbers";

/// W1 to W11, in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Weights {
    pub ten: Ten,
    /// W11, the weight of one percent of a game won.
    eleventh: i32,
}

impl Weights {
    /// Rounds each weight to the nearest thousandth.
    ///
    /// # Errors
    /// Names the weight that is not finite or exceeds [`GREATEST`].
    pub fn from_reals(reals: &[f64; COUNT]) -> Result<Weights, Error> {
        WANTED.check(reals)?;
        let ten = std::array::from_fn(|index| reals[index]);
        let eleventh = reals[TEN];
        Ok(Weights { ten: Ten::from_reals(&ten)?, eleventh: (eleventh * 1000.0).round() as i32 })
    }

    pub fn thousandths(&self) -> [i32; COUNT] {
        let ten = self.ten.thousandths();
        std::array::from_fn(|index| ten.get(index).copied().unwrap_or(self.eleventh))
    }

    pub fn reals(&self) -> [f64; COUNT] {
        self.thousandths().map(|thousandths| f64::from(thousandths) / 1000.0)
    }

    /// Returns the weights that come with the program, tuned with its network.
    pub fn usual() -> Weights {
        let usual = Weights::parse(&Document::new("weights/hybrid.toml", DEFAULT_TEXT));
        usual.unwrap_or(Weights { ten: Ten::usual(), eleventh: 0 })
    }

    /// Returns the weights called `default`.
    ///
    /// # Errors
    /// The text is empty, or names a row of Table 3, which has ten weights.
    pub(super) fn known(text: &str) -> KnownWeights<Weights> {
        if text.is_empty() || text.starts_with("table3-") {
            bail!("{AFTER_AT} (got '{text}')");
        }
        Ok((text == USUAL).then(|| (USUAL.to_owned(), Weights::usual())))
    }

    /// Reads a file of eleven weights.
    ///
    /// # Errors
    /// Every problem of the file, each with its position.
    pub fn read(path: &Path) -> Result<Weights, Report> {
        WANTED.read(path).map(|reals| Weights::of_file(&reals))
    }

    fn parse(document: &std::sync::Arc<Document>) -> Result<Weights, Report> {
        WANTED.parse(document).map(|reals| Weights::of_file(&reals))
    }

    /// Converts numbers that are within bounds.
    fn of_file(reals: &[f64]) -> Weights {
        let reals = <&[f64; COUNT]>::try_from(reals).ok();
        reals.and_then(|reals| Weights::from_reals(reals).ok()).unwrap_or_default()
    }

    /// Returns the text of a file with these weights; `origin` adds a line for each (key, value).
    pub fn file_text(&self, origin: &[(&str, String)]) -> String {
        let titles = TERMS.iter().map(|term| term.title).chain([TITLE]);
        let row = |(index, title): (usize, &'static str)| {
            (format!("W{}", index + 1), decimal(self.thousandths()[index]), title)
        };
        let what =
            "Weights of the ten heuristics and of a network's value, for the player heuristic:DEPTH@FILE:net=best.";
        weight_file::text(what, titles.enumerate().map(row), origin)
    }
}

/// Eleven comma-separated numbers.
impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.thousandths().map(decimal).join(","))
    }
}

impl FromStr for Weights {
    type Err = Error;

    fn from_str(text: &str) -> Result<Weights, Error> {
        Weights::from_reals(&WANTED.numbers(text)?)
    }
}
