//! The weights of the ten heuristics and their sources: the thesis' Table 3, this project's own runs, a file, or ten numbers.

use mancalab_base::Error;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

pub use super::super::weight_file::Source;
use super::super::weight_file::{self, KnownWeights, WeightRules};
use super::terms::{COUNT, TERMS};
use crate::files;
use crate::settings::{Report, Source as Document};

/// W1 to W10, in thousandths: precise enough for every printed weight, and integers, so that the search is exact.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Weights([i32; COUNT]);

/// The maximum absolute value of a weight.
pub const GREATEST: f64 = 100.0;

pub(crate) const ACCEPTED: &str = "a number from -100 to 100";

/// The name of the default weights.
pub(crate) const USUAL: &str = "default";

/// The weights of a file, W1 to W10.
const WANTED: WeightRules = WeightRules {
    names: &["W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8", "W9", "W10"],
    all: "W1 to W10 are required, one for each heuristic",
    greatest: GREATEST,
    accepted: ACCEPTED,
    after_at: "expected weights after @: default, table3-1 to table3-20, a file, or ten numbers",
    count: "expected ten weights, W1 to W10",
    prefix: "",
};

/// The default weights, from this project's own runs, with their origin.
pub const DEFAULT_TEXT: &str = include_str!("../../weights/default.toml");

/// Table 3 of the Kalah thesis, section 6: a row for each of its 20 runs of the genetic algorithm, W1 to W10 in thousandths.
pub const TABLE3: [Weights; 20] = [
    Weights([322, 124, 442, 1000, 665, 657, 776, 585, 127, 263]),
    Weights([136, 195, 671, 1000, 561, 548, 848, 676, 278, 371]),
    Weights([356, 303, 366, 1000, 413, 669, 943, 639, 153, 159]),
    Weights([46, 286, 438, 1000, 659, 656, 741, 1000, 116, 112]),
    Weights([301, 163, 526, 1000, 428, 887, 984, 829, 392, 399]),
    Weights([274, 0, 418, 1000, 462, 1000, 855, 452, 391, 366]),
    Weights([354, 197, 325, 1000, 491, 621, 1000, 754, 272, 257]),
    Weights([245, 285, 398, 1000, 673, 584, 969, 167, 319, 378]),
    Weights([379, 376, 714, 1000, 632, 797, 991, 0, 219, 159]),
    Weights([225, 283, 576, 1000, 644, 778, 936, 987, 229, 214]),
    Weights([148, 212, 777, 1000, 637, 629, 814, 654, 128, 384]),
    Weights([142, 81, 474, 1000, 653, 512, 715, 594, 246, 247]),
    Weights([121, 324, 434, 1000, 466, 514, 824, 632, 314, 125]),
    Weights([21, 241, 339, 1000, 599, 642, 825, 586, 261, 382]),
    Weights([136, 78, 317, 1000, 437, 579, 768, 993, 194, 375]),
    Weights([123, 124, 314, 1000, 413, 532, 1000, 914, 122, 339]),
    Weights([212, 388, 393, 1000, 664, 527, 957, 467, 365, 326]),
    Weights([336, 132, 682, 1000, 696, 667, 748, 229, 111, 229]),
    Weights([225, 122, 654, 1000, 484, 694, 918, 667, 194, 297]),
    Weights([234, 266, 465, 1000, 415, 527, 962, 332, 349, 329]),
];

/// The fitness of the rows in Table 3, in percent of the points available in the row's own last population.
pub const TABLE3_FITNESS: [f64; 20] = [
    57.3, 58.4, 59.5, 59.7, 63.9, 60.3, 61.4, 61.2, 60.7, 64.9, 62.1, 59.9, 58.3, 60.5, 60.9, 64.3, 65.2, 68.6, 68.7,
    66.2,
];

impl Weights {
    /// The weights of one heuristic alone, counted from 0, as in the thesis' Table 2.
    pub fn only(term: usize) -> Weights {
        Weights(std::array::from_fn(|index| if index == term { 1000 } else { 0 }))
    }

    /// Rounds each weight to the nearest thousandth.
    ///
    /// # Errors
    /// Names the weight that is not finite or exceeds [`GREATEST`].
    pub fn from_reals(reals: &[f64; COUNT]) -> Result<Weights, Error> {
        WANTED.check(reals)?;
        Ok(Weights(reals.map(|real| (real * 1000.0).round() as i32)))
    }

    pub fn thousandths(&self) -> [i32; COUNT] {
        self.0
    }

    pub fn reals(&self) -> [f64; COUNT] {
        self.0.map(|thousandths| f64::from(thousandths) / 1000.0)
    }

    /// Returns the default weights, from this project's own runs.
    pub fn usual() -> Weights {
        Weights::parse(&Document::new("weights/default.toml", DEFAULT_TEXT))
            .expect("the weights that come with the program are valid")
    }

    /// Loads the weights that `text` names, perhaps from a file, with their source.
    ///
    /// # Errors
    /// The row does not exist, or the numbers or the file are invalid.
    pub fn load(text: &str) -> Result<(Source, Weights), Error> {
        let (source, weights) = Source::of_text(text, Weights::known)?;
        let weights = weights.map_or_else(|| Weights::read(Path::new(text)), Ok)?;
        Ok((source, weights))
    }

    /// Returns the weights of a built-in name with its canonical spelling: `default`, `table3-N`.
    ///
    /// # Errors
    /// The text is empty, or the row does not exist.
    pub(super) fn known(text: &str) -> KnownWeights<Weights> {
        if text.is_empty() {
            return Err(WANTED.after_at.into());
        }
        let Some(row) = text.strip_prefix("table3-") else {
            return Ok((text == USUAL).then(|| (USUAL.to_owned(), Weights::usual())));
        };
        let number = row.parse().ok().filter(|number| (1..=TABLE3.len()).contains(number));
        let number: usize = number.ok_or_else(|| format!("the row of Table 3 must be 1 to 20 (got {row})"))?;
        Ok(Some((format!("table3-{number}"), TABLE3[number - 1])))
    }

    /// Reads a file of weights.
    ///
    /// # Errors
    /// Every problem of the file, each with its position.
    pub fn read(path: &Path) -> Result<Weights, Report> {
        WANTED.read(path).map(Weights::from_file)
    }

    fn parse(document: &std::sync::Arc<Document>) -> Result<Weights, Report> {
        WANTED.parse(document).map(Weights::from_file)
    }

    /// Rounds the weights of a file to thousandths.
    fn from_file(reals: Vec<f64>) -> Weights {
        let mut weights = Weights::default();
        weights.0.iter_mut().zip(reals).for_each(|(weight, real)| *weight = (real * 1000.0).round() as i32);
        weights
    }

    /// Returns the text of a file with these weights; `origin` adds a line for each (key, value).
    pub fn file_text(&self, origin: &[(&str, String)]) -> String {
        let row = |(number, term): (usize, &super::terms::Term)| {
            (format!("W{number}"), decimal(self.0[number - 1]), term.title)
        };
        let what = "Weights of the ten heuristics, for the player heuristic:DEPTH@FILE.";
        weight_file::text(what, (1..).zip(&TERMS).map(row), origin)
    }

    /// Writes such a file.
    ///
    /// # Errors
    /// An I/O error.
    pub fn write(&self, path: &Path, origin: &[(&str, String)]) -> std::io::Result<()> {
        files::write_atomic(path, self.file_text(origin).as_bytes())
    }
}

/// Formats thousandths as the shortest decimal number.
pub(crate) fn decimal(thousandths: i32) -> String {
    let text = format!("{:.3}", f64::from(thousandths) / 1000.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Ten comma-separated numbers.
impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.map(decimal).join(","))
    }
}

impl FromStr for Weights {
    type Err = Error;

    fn from_str(text: &str) -> Result<Weights, Error> {
        let reals = WANTED.numbers(text).map_err(|error| match text.split(',').count() {
            count if count == COUNT + 1 => format!("{error}; the eleventh is for a network: add :net=best").into(),
            _ => error,
        })?;
        Weights::from_reals(&reals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Weights, Error> {
        Ok(Weights::parse(&Document::new("w.toml", text))?)
    }

    #[test]
    fn files_come_back_whole() {
        let origin = [("run", "a \"quoted\" name".to_owned())];
        for weights in TABLE3.into_iter().chain([Weights::usual(), "-1,0.5,100,0,0,0,0,0,0,-0.001".parse().unwrap()]) {
            assert_eq!(parse(&weights.file_text(&origin)).unwrap(), weights);
            assert_eq!(weights.to_string().parse(), Ok(weights));
            assert_eq!(Weights::from_reals(&weights.reals()), Ok(weights));
        }
    }

    #[test]
    fn the_shipped_file_is_read() {
        assert!(parse(DEFAULT_TEXT).is_ok());
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        let wrong = parse("[weights]\nW1 = 101\nW11 = 1\nw2 = \"x\"\n[weight]\n").unwrap_err();
        for part in
            ["w.toml:2:6", "a number from -100 to 100", "unknown key `W11`", "w.toml:4:6", "unknown section `weight`"]
        {
            assert!(wrong.to_string().contains(part), "{part} in\n{wrong}");
        }
        assert!(parse("[weights]\nW1 = 1\n").unwrap_err().to_string().contains("missing `W2` in [weights]"));
        assert_eq!(
            "1,2".parse::<Weights>().unwrap_err(),
            "expected ten weights, W1 to W10, with commas between them; '1,2' has 2".into()
        );
        assert_eq!(
            "0,0,0,x,0,0,0,0,0,0".parse::<Weights>().unwrap_err(),
            "W4 must be a number from -100 to 100 (got x)".into()
        );
    }

    #[test]
    fn sources_say_what_they_lack() {
        assert_eq!(Weights::load("table3-19").unwrap(), (Source::known("table3-19"), TABLE3[18]));
        assert_eq!(Weights::load("table3-21").unwrap_err().to_string(), "the row of Table 3 must be 1 to 20 (got 21)");
        assert!(Weights::load("no/such/file.toml").unwrap_err().to_string().contains("cannot read no/such/file.toml"));
        assert!(Weights::load("").unwrap_err().to_string().contains("table3-1 to table3-20"));
        // Text that looks like numbers is an error; a path is a path.
        assert!(Weights::load("1,2.toml").unwrap_err().to_string().starts_with("expected ten weights"));
        assert!(Weights::load("./1,2").unwrap_err().to_string().contains("cannot read ./1,2"));
        assert!(Weights::load("a,b").unwrap_err().to_string().contains("cannot read a,b"));
    }
}
