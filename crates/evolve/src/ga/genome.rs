//! Genomes of real numbers and the range of each gene.

use mancalab_base::{Error, bail};
use std::sync::Arc;

use crate::initial::Initial;
use crate::rng::{Rng, gaussian};
use crate::settings::{self, Diagnostic, Source};

/// The values of all genes. Cheap to clone: views and generations share them.
pub type Genome = Arc<[f64]>;

/// The range, initial distribution and precision of one number of a genome.
#[derive(Clone, PartialEq, Debug)]
pub struct Gene {
    pub name: String,
    /// Bounds; values are clamped to them.
    pub low: f64,
    pub high: f64,
    /// Mean of the first population.
    pub start: f64,
    /// Standard deviation of the first population.
    pub spread: f64,
    pub grain: Grain,
    /// Whether the gene always keeps `start`.
    pub fixed: bool,
    /// How its value follows from that of another gene, if it does.
    pub tie: Option<Tie>,
}

/// A value in proportion to that of another gene, which is not tied itself.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tie {
    /// The other gene.
    pub lead: usize,
    pub ratio: f64,
}

/// Gives each tied gene the value that follows.
pub(super) fn tie(genes: &[Gene], values: &mut [f64]) {
    for (index, gene) in genes.iter().enumerate() {
        if let Some(Tie { lead, ratio }) = gene.tie {
            values[index] = gene.admit(ratio * values[lead]);
        }
    }
}

/// The precision of a gene. Stored values are exactly the printed ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grain {
    /// Number of decimal places.
    Decimals(u32),
    /// Number of significant digits, 1 to 17, for genes of any magnitude.
    Digits(u32),
}

impl Grain {
    /// Rounds to the nearest value of this precision. NaN becomes 0.
    fn round(self, value: f64) -> f64 {
        let rounded = match self {
            Grain::Decimals(places) => {
                let grain = 10_f64.powi(places as i32);
                (value * grain).round() / grain
            }
            // Rounds by the decimal text, so that no power of ten is rounded.
            Grain::Digits(digits) => {
                format!("{value:.places$e}", places = digits.max(1) as usize - 1).parse().unwrap_or(0.0)
            }
        };
        // Adding 0 turns negative zero into positive zero.
        if rounded.is_nan() { 0.0 } else { rounded + 0.0 }
    }
}

impl Gene {
    /// Whether a value is within the bounds.
    fn is_in_range(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Returns the admissible value nearest to `value`.
    pub fn admit(&self, value: f64) -> f64 {
        if self.fixed {
            return self.start;
        }
        self.grain.round(value.clamp(self.low, self.high))
    }

    /// Draws a value for the first population.
    pub fn draw(&self, rng: &mut Rng) -> f64 {
        self.admit(self.start + self.spread * gaussian(rng))
    }
}

/// Returns the genomes in files, at most `most` of them.
///
/// # Errors
/// A file holds none: its name, the line and the reason.
pub fn first(initial: &Initial, genes: &[Gene], most: usize) -> Result<Vec<Genome>, Error> {
    let mut genomes = initial.read(|text| read(genes, text))?;
    genomes.truncate(most);
    Ok(genomes)
}

/// Reads a genome: numbers with commas between them, or the section `[weights]` of a file with a number for each gene's name.
///
/// # Errors
/// A gene is missing, unknown or out of its range.
fn read(genes: &[Gene], text: &str) -> Result<Genome, Error> {
    if !text.contains('[') {
        return numbers(genes, text);
    }
    let mut values: Vec<Option<f64>> = genes.iter().map(|gene| gene.fixed.then_some(gene.start)).collect();
    let source = Source::new("weights", text);
    settings::parse(&source, |top, problems| {
        let section = top.entries().into_iter().find(|section| section.key() == "weights");
        match section.map(|section| section.table()) {
            Some(Ok(table)) => {
                for value in table.entries() {
                    match genes.iter().position(|gene| gene.name.eq_ignore_ascii_case(value.key())) {
                        Some(index) => {
                            let read = value.number(|_| true, "a number");
                            values[index] = Some(read.map_err(|wrong| problems.push(wrong)).unwrap_or_default());
                        }
                        None => problems.push(table.unknown(&value, "gene", genes.iter().map(|gene| &*gene.name))),
                    }
                }
            }
            Some(Err(wrong)) => problems.push(wrong),
            None => problems.push(Diagnostic::of_file("the section [weights] is missing")),
        }
    })
    .map_err(|report| report.in_a_line())?;
    if let Some(missing) = values.iter().position(Option::is_none) {
        bail!("{} is missing in [weights]", genes[missing].name);
    }
    let values: Vec<f64> = values.into_iter().map(Option::unwrap_or_default).collect();
    if let Some((value, gene)) = values.iter().zip(genes).find(|(value, gene)| !gene.is_in_range(**value)) {
        bail!("{} must be a number from {} to {} (got {value})", gene.name, gene.low, gene.high);
    }
    Ok(admitted(genes, &values))
}

fn numbers(genes: &[Gene], text: &str) -> Result<Genome, Error> {
    let count = text.split(',').count();
    if count != genes.len() {
        bail!("expected {} numbers with commas between them, or a section [weights] (got {count})", genes.len());
    }
    let read = |(text, gene): (&str, &Gene)| {
        let number = text.trim().parse().ok().filter(|&number| gene.is_in_range(number));
        let expected = || format!("'{}' is not a number from {} to {}", text.trim(), gene.low, gene.high);
        number.ok_or_else(expected)
    };
    let values = text.split(',').zip(genes).map(read).collect::<Result<Vec<f64>, String>>()?;
    Ok(admitted(genes, &values))
}

/// Returns values as the genes admit them.
fn admitted(genes: &[Gene], values: &[f64]) -> Genome {
    let mut values: Vec<f64> = values.iter().zip(genes).map(|(value, gene)| gene.admit(*value)).collect();
    tie(genes, &mut values);
    values.into()
}

/// A member of the population.
#[derive(Clone, PartialEq, Debug)]
pub struct Individual {
    /// Unique within the run.
    pub id: u64,
    /// The first generation that contains it; an elite member is older than its generation.
    pub born: u64,
    pub genome: Genome,
}

/// A member of a population with its points.
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    pub individual: Individual,
    /// Points won in the contests.
    pub points: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn genes_admit_what_they_may_be() {
        let low = 0.0;
        let high = 1.0;
        let grain = Grain::Decimals(3);
        let gene = Gene { name: "W1".into(), low, high, start: 0.5, spread: 0.1, grain, fixed: false, tie: None };
        assert_eq!([1.7, -0.2, 0.12349, -0.0001].map(|value| gene.admit(value)), [1.0, 0.0, 0.123, 0.0]);
        assert!(gene.admit(-0.0).is_sign_positive());
        let fixed = Gene { fixed: true, ..gene };
        assert_eq!(fixed.admit(0.9), 0.5);
    }

    #[test]
    fn genomes_are_numbers_or_named_weights() {
        let gene = |name: &str, fixed| {
            let grain = Grain::Decimals(3);
            Gene { name: name.into(), low: 0.0, high: 1.0, start: 0.5, spread: 0.0, grain, fixed, tie: None }
        };
        let genes = [gene("W1", false), gene("W2", false), gene("W3", true)];
        let of = |text: &str| read(&genes, text).map(|genome| genome.to_vec()).map_err(|error| error.to_string());
        assert_eq!(of("0.25, 1,0"), Ok(vec![0.25, 1.0, 0.5]));
        assert_eq!(
            of("# best\n[weights]\nw2 = 0.1 # second\nW1 = 1\n\n[origin]\nseed = \"1\"\n"),
            Ok(vec![1.0, 0.1, 0.5])
        );
        for (text, error) in [
            ("0.25,1", "expected 3 numbers with commas between them, or a section [weights] (got 2)"),
            ("0.25,2,0", "'2' is not a number from 0 to 1"),
            ("[weights]\nW1 = 1\n", "W2 is missing in [weights]"),
            ("[weights]\nW1 = 2\nW2 = 1\n", "W1 must be a number from 0 to 1 (got 2)"),
            ("[weights]\nW4 = 1\n", "W4"),
            ("[other]\n", "the section [weights] is missing"),
        ] {
            let found = of(text).unwrap_err();
            assert!(found.contains(error), "{text}: {found}");
        }
    }

    #[test]
    fn genes_of_any_magnitude_keep_their_digits() {
        let low = -1e12;
        let high = 1e12;
        let grain = Grain::Digits(6);
        let gene = Gene { name: "ADV".into(), low, high, start: 1.0, spread: 0.0, grain, fixed: false, tie: None };
        let values = [123_456.789, -0.000_123_456_789, 2.0, 0.0, -0.0, f64::INFINITY, f64::NAN, 1e-300];
        let kept = values.map(|value| gene.admit(value));
        assert_eq!(kept, [123_457.0, -0.000_123_457, 2.0, 0.0, 0.0, 1e12, 0.0, 1e-300]);
        for value in kept {
            assert_eq!(gene.admit(value).to_bits(), value.to_bits());
            assert_eq!(value.to_string().parse::<f64>().unwrap().to_bits(), value.to_bits());
        }
        assert_eq!(gene.draw(&mut crate::rng::keyed(&[1])), 1.0);
    }
}
