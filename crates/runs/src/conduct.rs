//! How a run is conducted: when it ends before its last generation, and which checkpoints it keeps. No row depends on it.

use mancalab_base::{Error, bail, entry};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::run::RunSettings;
use super::run_dir::TIMES;
use crate::settings::{Entry, SettingsTable};

/// The settings of every kind of run that affect no row.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Conduct {
    pub stop: StopRules,
    /// The checkpoint of every generation that this number divides is kept; 0: only the newest two are.
    pub keep: u64,
}

impl SettingsTable for Conduct {
    fn entries() -> Vec<Entry<Conduct>> {
        vec![
            entry!(
                stop: word,
                "when to end early: never, or the first of target:VALUE, plateau:GENERATIONS and hours:N, as in plateau:200,hours:8; tournaments have hours:N alone"
            )
            .words(["never", "plateau:100", "hours:8"])
            .implied("never"),
            entry!(
                keep: whole(0, 1_000_000),
                "checkpoints to keep, to fork the run from (no tournament is forked): of every generation that this number divides, up to 1000000; 0: none"
            )
            .implied("0"),
        ]
    }
}

/// Rules of which the first that applies ends a run at the end of a generation.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct StopRules {
    /// The run's curve has reached this value.
    target: Option<f64>,
    /// For this number of generations, at least 1, the curve has reached no new best.
    plateau: Option<u64>,
    /// The generations have taken this time, above 0.
    hours: Option<f64>,
}

impl StopRules {
    pub fn is_never(&self) -> bool {
        *self == StopRules::default()
    }

    /// Returns the time that the generations may take.
    pub fn time(&self) -> Option<Duration> {
        self.hours.map(|hours| Duration::try_from_secs_f64(3600.0 * hours).unwrap_or(Duration::MAX))
    }

    fn texts(&self) -> impl Iterator<Item = String> {
        let target = self.target.map(|value| format!("target:{value}"));
        let plateau = self.plateau.map(|count| format!("plateau:{count}"));
        let hours = self.hours.map(|hours| format!("hours:{hours}"));
        [target, plateau, hours].into_iter().flatten()
    }
}

impl fmt::Display for StopRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_never() {
            return f.write_str("never");
        }
        f.write_str(&self.texts().collect::<Vec<_>>().join(","))
    }
}

impl FromStr for StopRules {
    type Err = Error;

    fn from_str(text: &str) -> Result<StopRules, Error> {
        let mut rules = StopRules::default();
        if text.trim() == "never" {
            return Ok(rules);
        }
        for part in text.split(',').map(str::trim) {
            let (word, value) = part.split_once(':').unwrap_or((part, ""));
            let number = value.parse::<f64>().ok().filter(|number| number.is_finite());
            let above_zero = || number.filter(|number| *number > 0.0);
            let is_taken = match word {
                "target" => rules.target.replace(number.ok_or_else(|| wrong(part, "a number"))?).is_some(),
                "plateau" => {
                    let count = value.parse().ok().filter(|count| (1..=1_000_000).contains(count));
                    rules.plateau.replace(count.ok_or_else(|| wrong(part, "1 to 1000000 generations"))?).is_some()
                }
                "hours" => rules.hours.replace(above_zero().ok_or_else(|| wrong(part, "a number above 0"))?).is_some(),
                _ => return Err(unknown(word)),
            };
            if is_taken {
                bail!("'{word}' is given twice");
            }
        }
        Ok(rules)
    }
}

fn unknown(word: &str) -> Error {
    let known = ["never", "target:VALUE", "plateau:GENERATIONS", "hours:N"];
    Error::unknown(format!("no rule is named '{word}'"), known)
}

fn wrong(part: &str, expected: &str) -> Error {
    let word = part.split(':').next().unwrap_or_default();
    format!("'{part}': {word} takes {expected}").into()
}

/// Follows the rows of a run and tells which of its [`StopRules`] ends it.
#[derive(Debug)]
pub struct EarlyStopping {
    rules: StopRules,
    /// The index of the curve's column.
    column: Option<usize>,
    is_less_better: bool,
    best: Option<f64>,
    /// Rows since the best.
    since_best: u64,
    /// Which columns of the timings are times.
    times: Vec<bool>,
    seconds: f64,
}

impl EarlyStopping {
    /// # Errors
    /// A rule needs a curve, which such runs do not have.
    pub fn new(settings: &dyn RunSettings) -> Result<EarlyStopping, Error> {
        let rules = settings.conduct().stop;
        let form = settings.form();
        let column = form.curve.and_then(|curve| settings.columns().split(',').position(|column| column == curve));
        if column.is_none() && (rules.target.is_some() || rules.plateau.is_some()) {
            bail!("stop: such runs have no value that could reach a target or a plateau; use hours:N");
        }
        let times = form.timing_columns.split(',').map(|column| TIMES.contains(&column)).collect();
        let is_less_better = form.curve.is_some_and(is_less_better);
        Ok(EarlyStopping { rules, column, is_less_better, best: None, since_best: 0, times, seconds: 0.0 })
    }

    /// Whether it needs any row.
    pub fn is_idle(&self) -> bool {
        self.rules.is_never()
    }

    /// Adds the next row.
    pub fn row(&mut self, row: &str) {
        // Some rows have no value, such as those of generations that are not measured.
        let value = self.column.and_then(|column| row.split(',').nth(column)?.parse::<f64>().ok());
        let value = value.map(|value| if self.is_less_better { -value } else { value });
        self.since_best += 1;
        if let Some(value) = value.filter(|value| self.best.is_none_or(|best| *value > best)) {
            self.best = Some(value);
            self.since_best = 0;
        }
    }

    /// Adds the next row of the timings.
    pub fn timing(&mut self, row: &str) {
        let times = row.split(',').zip(&self.times).filter(|(_, is_time)| **is_time);
        self.seconds += times.filter_map(|(text, _)| text.parse::<f64>().ok()).sum::<f64>();
    }

    /// Returns the time that the generations took and that they may take.
    pub fn time(&self) -> Option<(Duration, Duration)> {
        let spent = Duration::try_from_secs_f64(self.seconds).unwrap_or_default();
        Some((spent, self.rules.time()?))
    }

    /// Returns the rule that ends the run after the rows so far.
    pub fn fired(&self) -> Option<String> {
        let StopRules { target, plateau, hours } = self.rules;
        let goal = target.map(|target| if self.is_less_better { -target } else { target });
        let target = target.filter(|_| self.best.zip(goal).is_some_and(|(best, goal)| best >= goal));
        let plateau = plateau.filter(|&count| self.best.is_some() && self.since_best >= count);
        let hours = hours.filter(|hours| self.seconds >= 3600.0 * hours);
        StopRules { target, plateau, hours }.texts().next()
    }
}

/// Whether less is better in a column of `generations.csv`: errors and losses.
pub fn is_less_better(column: &str) -> bool {
    column.starts_with("error") || column.contains("loss")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_come_back_from_their_text() {
        for text in ["never", "target:78", "plateau:200", "hours:0.5", "target:-1.5,plateau:2,hours:8"] {
            assert_eq!(text.parse::<StopRules>().unwrap().to_string(), text);
        }
        assert_eq!(" hours:8, target:78 ".parse::<StopRules>().unwrap().to_string(), "target:78,hours:8");
        for (text, error) in [
            ("soon", "known: never, target:VALUE, plateau:GENERATIONS, hours:N"),
            ("target:x", "'target:x': target takes a number"),
            ("plateau:0", "plateau takes 1 to 1000000 generations"),
            ("hours:0", "hours takes a number above 0"),
            ("hours:1,hours:2", "'hours' is given twice"),
        ] {
            let found = text.parse::<StopRules>().unwrap_err().in_a_line();
            assert!(found.contains(error), "{text}: {found}");
        }
    }

    fn early_stopping(rules: &str, is_less_better: bool) -> EarlyStopping {
        let rules = rules.parse().unwrap();
        let times = vec![false, true, true];
        EarlyStopping { rules, column: Some(1), is_less_better, best: None, since_best: 0, times, seconds: 0.0 }
    }

    /// Returns the number of rows after which a rule applies, and which.
    fn ended(mut stop: EarlyStopping, values: &[&str]) -> Option<(usize, String)> {
        values.iter().enumerate().find_map(|(generation, value)| {
            stop.row(&format!("{generation},{value}"));
            stop.timing(&format!("{generation},900,900"));
            stop.fired().map(|rule| (generation, rule))
        })
    }

    #[test]
    fn the_first_rule_that_applies_ends_a_run() {
        let values = ["1", "3", "", "3", "2", "4", "5"];
        assert_eq!(ended(early_stopping("target:4", false), &values), Some((5, "target:4".to_owned())));
        assert_eq!(ended(early_stopping("plateau:3", false), &values), Some((4, "plateau:3".to_owned())));
        assert_eq!(ended(early_stopping("plateau:4", false), &values), None);
        assert_eq!(ended(early_stopping("hours:1", false), &values), Some((1, "hours:1".to_owned())));
        assert_eq!(
            ended(early_stopping("target:4,plateau:3,hours:9", false), &values),
            Some((4, "plateau:3".to_owned()))
        );
        assert_eq!(ended(early_stopping("target:2", true), &["4", "3", "2"]), Some((2, "target:2".to_owned())));
        assert_eq!(ended(early_stopping("never", false), &values), None);
    }

    #[test]
    fn the_time_of_generations_is_that_of_their_timings() {
        let mut stop = early_stopping("hours:1", false);
        stop.timing("0,900,900");
        assert_eq!(stop.time(), Some((Duration::from_secs(1800), Duration::from_secs(3600))));
        assert_eq!(early_stopping("plateau:3", false).time(), None);
    }
}
