//! Trials of a search over settings: values drawn at random, and how many of them continue for how many generations.

use std::collections::HashSet;

use mancalab_base::{Error, bail};
use rand::RngExt as _;

use super::sweep::Vary;
use crate::rng::{Rng, keyed};

/// The key of the generator.
const PURPOSE: u64 = 0x7472_6961;
/// Ranges of this ratio and more are drawn by their logarithms.
const WIDE: f64 = 10.0;
/// Draws for a trial that differs from those before.
const PATIENCE: usize = 1000;

/// The values of a setting that are searched.
#[derive(Clone, PartialEq, Debug)]
pub enum Domain {
    /// Whole numbers between both, inclusive.
    Whole(i64, i64),
    Real(f64, f64),
    Words(Vec<String>),
}

/// A setting and the values that are searched.
#[derive(Clone, PartialEq, Debug)]
pub struct Dimension {
    pub key: String,
    pub domain: Domain,
}

impl Domain {
    /// The numbers between two; `None` if one of them is none.
    fn between((low, high): (&str, &str)) -> Option<Domain> {
        let low = low.trim();
        let high = high.trim();
        let whole = || Some(Domain::Whole(low.parse().ok()?, high.parse().ok()?));
        whole().or_else(|| Some(Domain::Real(low.parse().ok()?, high.parse().ok()?)))
    }
}

impl Dimension {
    /// Parses `KEY=LOW..HIGH` with two numbers, or `KEY=WORD|WORD`; `None` if the text has neither form.
    ///
    /// # Errors
    /// The first number is not the smaller one.
    pub fn parse(text: &str) -> Result<Option<Dimension>, Error> {
        let Some((key, values)) = text.split_once('=') else { return Ok(None) };
        let domain = match values.split_once("..").and_then(Domain::between) {
            Some(domain) => domain,
            None if values.contains('|') => {
                Domain::Words(values.split('|').map(|word| word.trim().to_owned()).collect())
            }
            // A path may contain two dots too.
            None if values.split_once("..").is_some_and(|(low, high)| is_word(low) && is_word(high)) => {
                bail!("{text} is not a range: both ends must be numbers, as in mutation=0.1..10")
            }
            None => return Ok(None),
        };
        let is_range = match &domain {
            Domain::Whole(low, high) => low < high,
            Domain::Real(low, high) => low < high && (high - low).is_finite(),
            Domain::Words(_) => true,
        };
        if !is_range {
            bail!("{text} is not a range: the first number must be the smaller one, as in mutation=0.1..10");
        }
        Ok(Some(Dimension { key: key.trim().to_owned(), domain }))
    }

    fn draw(&self, rng: &mut Rng) -> String {
        match &self.domain {
            Domain::Whole(low, high) if *low > 0 && *high as f64 / *low as f64 >= WIDE => {
                let value = by_logarithm(*low as f64, *high as f64 + 1.0, rng);
                (value as i64).clamp(*low, *high).to_string()
            }
            Domain::Whole(low, high) => rng.random_range(*low..=*high).to_string(),
            Domain::Real(low, high) if *low > 0.0 && high / low >= WIDE => {
                short(by_logarithm(*low, *high, rng), *low, *high)
            }
            Domain::Real(low, high) => short(low + (high - low) * rng.random::<f64>(), *low, *high),
            Domain::Words(words) => words[rng.random_range(0..words.len())].clone(),
        }
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '.' || c == '-')
}

fn by_logarithm(low: f64, high: f64, rng: &mut Rng) -> f64 {
    let from = libm::log(low);
    let to = libm::log(high);
    libm::exp(from + (to - from) * rng.random::<f64>())
}

/// Three significant digits of the value or of the range's width, whichever are more: further ones say more than a trial can
/// tell. Rounding does not leave the range.
fn short(value: f64, low: f64, high: f64) -> String {
    let digits = |value: f64| (2.0 - libm::floor(libm::log10(value.abs().max(1e-9)))).clamp(0.0, 12.0) as usize;
    let digits = digits(value).max(digits(high - low));
    let text = format!("{value:.digits$}");
    match text.parse::<f64>() {
        Ok(rounded) if rounded < low => low.to_string(),
        Ok(rounded) if rounded > high => high.to_string(),
        _ => text,
    }
}

/// Draws distinct trials, each a value per searched setting. Fewer than `count` if there are not as many.
pub fn draw(searched: &[Dimension], count: usize, seed: u64) -> Vec<Vec<String>> {
    let mut trials = Vec::new();
    let mut seen = HashSet::new();
    for number in 0..count {
        let mut rng = keyed(&[PURPOSE, seed, number as u64]);
        let mut draw = || searched.iter().map(|one| one.draw(&mut rng)).collect::<Vec<_>>();
        trials.extend((0..PATIENCE).map(|_| draw()).find(|trial| seen.insert(trial.clone())));
    }
    trials
}

/// Returns the trials as one varied setting.
///
/// # Errors
/// A value contains the character that separates values.
pub fn vary(searched: &[Dimension], trials: &[Vec<String>]) -> Result<Vary, Error> {
    if let Some(value) = trials.iter().flatten().find(|value| value.contains(Vary::AND)) {
        bail!("the value {value} contains {}, which separates the values of a trial", Vary::AND);
    }
    let and = Vary::AND.to_string();
    let key = searched.iter().map(|one| one.key.as_str()).collect::<Vec<_>>().join(&and);
    Ok(Vary { key, values: trials.iter().map(|trial| trial.join(&and)).collect() })
}

/// A step of successive halving: so many trials run so many generations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rung {
    pub trials: usize,
    pub generations: u64,
}

/// Returns the rungs for `trials` trials, of which one in `keep` goes on at each, up to `generations`; one if `keep` is below 2.
pub fn rungs(trials: usize, generations: u64, keep: usize) -> Vec<Rung> {
    let mut rungs = vec![Rung { trials, generations }];
    let goes_on =
        |rungs: &[Rung]| keep >= 2 && rungs[rungs.len() - 1].trials >= keep && rungs[0].generations >= keep as u64;
    while goes_on(&rungs) {
        let trials = rungs[rungs.len() - 1].trials.div_ceil(keep);
        rungs.iter_mut().for_each(|rung| rung.generations = (rung.generations / keep as u64).max(1));
        rungs.push(Rung { trials, generations });
    }
    rungs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn searched(text: &str) -> Dimension {
        Dimension::parse(text).unwrap().unwrap()
    }

    #[test]
    fn ranges_and_words_are_searched_and_other_settings_are_not() {
        assert_eq!(searched("population=10..20").domain, Domain::Whole(10, 20));
        assert_eq!(searched("mutation=0.1..10").domain, Domain::Real(0.1, 10.0));
        assert_eq!(searched("a=x|y").domain, Domain::Words(vec!["x".to_owned(), "y".to_owned()]));
        assert_eq!(Dimension::parse("a=7").unwrap(), None);
        assert_eq!(Dimension::parse("opponents=gp:../best.txt").unwrap(), None);
        assert!(Dimension::parse("a=b..c").unwrap_err().to_string().contains("both ends must be numbers"));
        assert!(Dimension::parse("a=9..3").unwrap_err().to_string().contains("a=9..3 is not a range"));
        let narrow = draw(&[searched("m=0.1234..0.1239")], 50, 1);
        assert!(narrow.iter().all(|trial| (0.1234..=0.1239).contains(&trial[0].parse::<f64>().unwrap())), "{narrow:?}");
    }

    #[test]
    fn trials_are_distinct_in_range_and_follow_from_the_seed() {
        let space = [searched("mutation=0.01..10"), searched("population=10..1000"), searched("a=x|y")];
        let trials = draw(&space, 200, 1);
        assert_eq!((trials.len(), &trials), (200, &draw(&space, 200, 1)));
        assert_ne!(trials, draw(&space, 200, 2));
        let mutations: Vec<f64> = trials.iter().map(|trial| trial[0].parse().unwrap()).collect();
        assert!(mutations.iter().all(|value| (0.01..=10.0).contains(value)));
        let small = mutations.iter().filter(|value| **value < 0.316).count();
        assert!((70..130).contains(&small), "half of them by the logarithm: {small}");
        assert_eq!(draw(&[searched("a=x|y")], 9, 1).len(), 2);
        assert_eq!(vary(&space, &trials[..2]).unwrap().key, "mutation+population+a");
    }

    #[test]
    fn a_share_of_the_trials_goes_on() {
        let rung = |trials, generations| Rung { trials, generations };
        assert_eq!(rungs(9, 90, 3), [rung(9, 10), rung(3, 30), rung(1, 90)]);
        assert_eq!(rungs(9, 90, 0), [rung(9, 90)]);
        assert_eq!(rungs(40, 3, 3), [rung(40, 1), rung(14, 3)]);
    }
}
