//! The weights of the terms and their sources: built-in ones, a file, or numbers.

use mancalab_base::Error;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

pub use super::super::weight_file::Source;
use super::super::weight_file::{self, KnownWeights, WeightRules};
use super::terms::{COUNT, TERMS};
use crate::files;
use crate::settings::Report;

/// A weight for each of the [`TERMS`], in order. None is NaN or beyond [`GREATEST`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights(pub [f64; COUNT]);

impl Eq for Weights {}

/// The maximum absolute value of a weight; the paper's went up to 2^18.
pub const GREATEST: f64 = 1e9;

const ACCEPTED: &str = "a number from -1000000000 to 1000000000";

/// The name of the default weights.
pub(super) const USUAL: &str = "ones";

/// Weight 1 for every term.
pub const ONES: Weights = Weights([1.0; COUNT]);

/// The piece advantage alone, the last of the terms.
pub const PIECES: Weights = {
    let mut weights = [0.0; COUNT];
    weights[COUNT - 1] = 1.0;
    Weights(weights)
};

/// The best weights found so far: those of the best individual in the last generation of `mancalab tune checkers-ga-robin --seed 1`.
/// `docs/checkers-ga.md` has their strength.
pub const BEST: Weights = Weights([
    0.763129,
    3.42021,
    5.10285,
    -2.74589,
    0.261947,
    0.0137452,
    -0.0864458,
    -1.54956,
    0.514267,
    0.60366,
    1.70217,
    0.322922,
    -2.83231,
    -0.315861,
    0.0399581,
    0.743112,
    -0.733351,
    0.0237339,
    0.33113,
    0.000815409,
    -0.392366,
    2.34177,
    7.17691,
    0.684592,
    0.0592167,
    0.0488394,
    12.649,
]);

/// The built-in weights by name.
pub const KNOWN: &[(&str, Weights)] = &[("ones", ONES), ("pieces", PIECES), ("best", BEST)];

const NAMES: [&str; COUNT] = {
    let mut names = [""; COUNT];
    let mut index = 0;
    while index < COUNT {
        names[index] = TERMS[index].name;
        index += 1;
    }
    names
};

const WANTED: WeightRules = WeightRules {
    names: &NAMES,
    all: "ADV to PIECE are required, one for each term",
    greatest: GREATEST,
    accepted: ACCEPTED,
    after_at: "expected weights after @: ones, pieces, best, a file, or 27 numbers",
    count: "expected 27 weights, ADV to PIECE",
    prefix: "the weight of ",
};

impl Default for Weights {
    fn default() -> Weights {
        ONES
    }
}

impl Weights {
    /// Weights of these numbers.
    ///
    /// # Errors
    /// Names the weight that is not finite or exceeds [`GREATEST`].
    pub fn from_reals(reals: [f64; COUNT]) -> Result<Weights, Error> {
        WANTED.check(&reals).map(|()| Weights(reals))
    }

    /// Returns the weights of a name in [`KNOWN`].
    ///
    /// # Errors
    /// The text is empty.
    pub(super) fn known(text: &str) -> KnownWeights<Weights> {
        if text.is_empty() {
            return Err(WANTED.after_at.into());
        }
        let known = KNOWN.iter().find(|(name, _)| *name == text);
        Ok(known.map(|(name, weights)| ((*name).to_owned(), *weights)))
    }

    /// Reads a file of weights.
    ///
    /// # Errors
    /// Every problem of the file, each with its position.
    pub fn read(path: &Path) -> Result<Weights, Report> {
        WANTED.read(path).map(Weights::from_file)
    }

    fn from_file(reals: Vec<f64>) -> Weights {
        Weights(std::array::from_fn(|index| reals.get(index).copied().unwrap_or_default()))
    }

    /// Returns the text of a file with these weights; `origin` adds a line for each (key, value).
    pub fn file_text(&self, origin: &[(&str, String)]) -> String {
        let row = |(term, weight): (&super::Term, f64)| (term.name.to_owned(), weight.to_string(), term.title);
        weight_file::text(
            "Weights of Samuel's terms, for the player samuel:DEPTH@FILE.",
            TERMS.iter().zip(self.0).map(row),
            origin,
        )
    }

    /// Writes such a file.
    ///
    /// # Errors
    /// An I/O error.
    pub fn write(&self, path: &Path, origin: &[(&str, String)]) -> std::io::Result<()> {
        files::write_atomic(path, self.file_text(origin).as_bytes())
    }
}

/// Comma-separated numbers.
impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.map(|weight| weight.to_string()).join(","))
    }
}

impl FromStr for Weights {
    type Err = Error;

    fn from_str(text: &str) -> Result<Weights, Error> {
        Ok(Weights(WANTED.numbers(text)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Source as Document;

    fn parse(text: &str) -> Result<Weights, Error> {
        Ok(WANTED.parse(&Document::new("w.toml", text)).map(Weights::from_file)?)
    }

    #[test]
    fn files_and_numbers_come_back_whole() {
        let mut uneven = ONES;
        (uneven.0[0], uneven.0[3], uneven.0[COUNT - 1]) = (-262_144.0, 0.1 + 0.2, 1e-12);
        for weights in [ONES, PIECES, BEST, uneven] {
            assert_eq!(parse(&weights.file_text(&[("run", "a \"quoted\" name".to_owned())])).unwrap(), weights);
            assert_eq!(weights.to_string().parse(), Ok(weights));
        }
        assert_eq!(PIECES.0.iter().sum::<f64>(), 1.0);
        assert_eq!(TERMS[COUNT - 1].name, "PIECE");
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        let wrong = parse("[weights]\nADV = 1e10\nADVANCE = 1\nback = \"x\"\n[weight]\n").unwrap_err();
        for part in ["w.toml:2:7", ACCEPTED, "unknown key `ADVANCE`", "w.toml:4:8", "unknown section `weight`"] {
            assert!(wrong.to_string().contains(part), "{part} in\n{wrong}");
        }
        assert!(parse("[weights]\nADV = 1\n").unwrap_err().to_string().contains("missing `APEX` in [weights]"));
        assert_eq!(
            "1,2".parse::<Weights>().unwrap_err(),
            "expected 27 weights, ADV to PIECE, with commas between them; '1,2' has 2".into()
        );
        let mut numbers = vec!["0"; COUNT];
        numbers[3] = "inf";
        let text = "the weight of CENT must be a number from -1000000000 to 1000000000 (got inf)";
        assert_eq!(numbers.join(",").parse::<Weights>().unwrap_err(), text.into());
    }

    #[test]
    fn sources_say_what_they_lack() {
        let without = |text: &str| Source::of_text(text, Weights::known);
        let in_file = |text: &str| Ok((Source::File(text.to_owned()), None));
        assert_eq!(without("pieces").unwrap(), (Source::known("pieces"), Some(PIECES)));
        assert_eq!(without("no/such/file.toml"), in_file("no/such/file.toml"));
        let known: Vec<&str> = KNOWN.iter().map(|(name, _)| *name).collect();
        let known = known.join(", ");
        let expected = format!("expected weights after @: {known}, a file, or {COUNT} numbers");
        assert_eq!(without("").unwrap_err().to_string(), expected);
        // For a missing file called by a plain word the error lists the other forms; for a path it does not.
        let refused = |name: &str| Weights::read(Path::new(name)).unwrap_err().to_string();
        assert!(refused("nobody").ends_with(&expected), "{}", refused("nobody"));
        assert!(!refused("no/such").contains("after @"), "{}", refused("no/such"));
        // Text that looks like numbers is an error; a path is a path.
        assert!(without("1,2.toml").unwrap_err().to_string().starts_with("expected 27 weights"));
        assert_eq!(without("./1,2"), in_file("./1,2"));
    }
}
