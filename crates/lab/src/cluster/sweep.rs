//! The differences among the runs of a plan: seeds and varied settings.

use mancalab_base::{Error, bail};

/// Maximum number of runs in a plan.
const MAX_RUNS: usize = 100_000;

/// A setting with several values, each in its own runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vary {
    pub key: String,
    pub values: Vec<String>,
}

impl Vary {
    /// Separates settings that vary together, and their values, as in `mutation+elitism=0.1+1,5+2`.
    pub const AND: char = '+';

    /// Returns the settings of a value: several if they vary together.
    pub fn settings<'a>(&'a self, value: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        // Without a separator in the key a value may contain it.
        let limit = self.key.split(Vary::AND).count();
        self.key.split(Vary::AND).zip(value.splitn(limit, Vary::AND))
    }

    /// Parses `KEY=VALUE,VALUE`, or `KEY=VALUE|VALUE` for values that contain commas.
    ///
    /// # Errors
    /// The text has another form or one value only, varies the seed, or repeats a value or a key.
    pub fn parse(text: &str) -> Result<Vary, Error> {
        let vary = Vary::read(text)?;
        if vary.values.len() < 2 { Err(Vary::expected()) } else { Ok(vary) }
    }

    fn expected() -> Error {
        Error::expected("KEY=VALUE,VALUE (or KEY=VALUE|VALUE where values have commas), with at least two values")
    }

    /// Like [`parse`](Vary::parse), also with one value, as a plan may have.
    ///
    /// # Errors
    /// As [`parse`](Vary::parse).
    pub(crate) fn read(text: &str) -> Result<Vary, Error> {
        let (key, values) = text.split_once('=').ok_or_else(Vary::expected)?;
        let mark = if values.contains('|') { '|' } else { ',' };
        let values: Vec<String> = values.split(mark).map(|value| value.trim().to_owned()).collect();
        if values.iter().any(String::is_empty) {
            return Err(Vary::expected());
        }
        let key = key.trim().to_owned();
        let keys: Vec<&str> = key.split(Vary::AND).collect();
        if keys.contains(&"seed") {
            bail!("the seed cannot be varied here; use --seeds");
        }
        if let Some((_, twice)) = keys.iter().enumerate().find(|(at, one)| keys[..*at].contains(one)) {
            bail!("{twice} is named twice in {key}");
        }
        let is_odd = |value: &&String| keys.len() > 1 && value.split(Vary::AND).count() != keys.len();
        if let Some(odd) = values.iter().find(is_odd) {
            bail!("{key} needs {} values joined by {} (got '{odd}')", keys.len(), Vary::AND);
        }
        if let Some(twice) = values.iter().enumerate().find(|(at, value)| values[..*at].contains(value)) {
            bail!("{key} has the value {} twice", twice.1);
        }
        Ok(Vary { key, values })
    }

    pub fn text(&self) -> String {
        let mark = if self.values.iter().any(|value| value.contains(',')) { "|" } else { "," };
        format!("{}={}", self.key, self.values.join(mark))
    }
}

/// Parses seeds such as `1-60` or `1,4,7-9`.
///
/// # Errors
/// The text has another form, or too many or repeated seeds.
pub fn seeds(text: &str) -> Result<Vec<u64>, Error> {
    let expected = || Error::expected(format!("seeds such as 1-60 or 1,4,7-9, each once, at most {MAX_RUNS}"));
    let number =
        |text: &str| text.trim().parse::<u64>().ok().filter(|seed| i64::try_from(*seed).is_ok()).ok_or_else(expected);
    let mut seeds = Vec::new();
    for part in text.split(',') {
        let (first, last) = match part.split_once('-') {
            Some((first, last)) => (number(first)?, number(last)?),
            None => (number(part)?, number(part)?),
        };
        if last < first || last - first >= MAX_RUNS as u64 || seeds.len() + (last - first) as usize >= MAX_RUNS {
            return Err(expected());
        }
        seeds.extend(first..=last);
    }
    let mut sorted = seeds.clone();
    crate::sort::sort(&mut sorted);
    if sorted.windows(2).any(|two| two[0] == two[1]) {
        return Err(expected());
    }
    Ok(seeds)
}

/// Formats seeds as text, with ranges.
pub fn seeds_text(seeds: &[u64]) -> String {
    ranges_of(seeds).collect::<Vec<_>>().join(",")
}

/// Formats numbers as ranges of consecutive ones, such as `0-3` and `7`.
pub(super) fn ranges_of<N: Copy + Into<u64>>(numbers: &[N]) -> impl Iterator<Item = String> {
    let range = |run: &[N]| match *run {
        [first, .., last] => format!("{}-{}", first.into(), last.into()),
        _ => run[0].into().to_string(),
    };
    numbers.chunk_by(|one, next| (*one).into() + 1 == (*next).into()).map(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_ranges_and_numbers() {
        for (text, count) in [("1-60", 60), ("1,4,7-9", 5), ("7", 1), ("3,2", 2)] {
            let read = seeds(text).unwrap();
            assert_eq!((read.len(), seeds_text(&read)), (count, text.to_owned()));
        }
        for odd in ["", "x", "3-1", "1,1", "1-3,2", "1-", "-1", "0-999999", "9223372036854775808"] {
            assert!(seeds(odd).unwrap_err().to_string().starts_with("seeds such as 1-60"), "{odd}");
        }
    }

    #[test]
    fn what_varies_is_a_key_with_values() {
        let vary = Vary::parse("population = 100, 200").unwrap();
        assert_eq!(
            (vary.key.as_str(), vary.values.len(), vary.text()),
            ("population", 2, "population=100,200".to_owned())
        );
        assert_eq!(Vary::parse("players=max,random|max,minimax:2").unwrap().text(), "players=max,random|max,minimax:2");
        for odd in ["", "x", "x=", "x=1", "x=1,"] {
            assert!(Vary::parse(odd).is_err(), "{odd}");
        }
    }
}
