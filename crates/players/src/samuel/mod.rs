//! The player that weighs the terms of Samuel's paper, for checkers.
//!
//! [`terms`] says what each term is, [`weights`] where the numbers come from, `evaluator` adds up what they say of a position and
//! `searcher` looks ahead.

mod evaluator;
mod player;
mod scene;
mod searcher;
pub mod terms;
pub mod weights;

#[cfg(test)]
mod tests;

use std::fmt;
use std::time::Duration;

use crate::document::{self, Refusal};
use crate::game::checkers::Checkers;
use crate::game::{Position, Side};
use crate::search::Ties;
pub use evaluator::Evaluator;
pub use player::SamuelPlayer;
pub use scene::{Halves, Scene};
pub use searcher::Searcher;
pub use terms::{COUNT, TERMS, Term};
pub use weights::{Source, Weights};

/// Settings of the player. `Display` gives the text that parses to the same settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Samuel {
    /// Plies to search, 1 to [`MAX_DEPTH`].
    pub depth: u32,
    /// Deepen step by step and stop at this time, at `depth` at the latest.
    pub time: Option<Duration>,
    pub weights: Weights,
    pub source: Source,
    pub ties: Ties,
    /// Captures are played out beyond the depth.
    pub plays_out: bool,
    /// Moves that seem hopeless are skipped: see [`Manner`](crate::search::weighing::Manner).
    pub prunes: bool,
}

/// The deepest search that can be asked for.
pub const MAX_DEPTH: u32 = 60;

/// The depth where none is given, nor a time.
const USUAL_DEPTH: u32 = 6;

const DEPTH_WANTED: &str = "samuel takes a depth from 1 to 60, as in samuel:6";

impl Samuel {
    /// A player with these weights, as it usually looks.
    pub fn new(depth: u32, weights: Weights) -> Samuel {
        let (time, source, ties) = (None, Source::Numbers, Ties::First);
        Samuel { depth, time, weights, source, ties, plays_out: true, prunes: false }
    }

    /// Reads what stands behind `samuel` in a player's text: `:D`, `@weights` and settings, each of which may be left out. Opens nothing:
    /// weights that are in a file are ones until [`load`](Samuel::load) reads them.
    ///
    /// # Errors
    /// Which part makes no sense, and what would be accepted.
    pub fn unread(text: &str) -> Result<Samuel, Refusal> {
        let mut samuel = Samuel::default();
        let mut rest = text;
        // Settings stand at the end, and a path may hold colons of its own.
        while let Some((before, setting)) = rest.rsplit_once(':') {
            if !samuel.set(setting)? {
                break;
            }
            rest = before;
        }
        let (depth, source) = match rest.split_once('@') {
            Some((depth, source)) => (depth, Some(source)),
            None => (rest, None),
        };
        samuel.depth = match depth.strip_prefix(':') {
            None if depth.is_empty() && samuel.time.is_some() => MAX_DEPTH,
            None if depth.is_empty() => USUAL_DEPTH,
            None => return Err(format!("{DEPTH_WANTED}; '{depth}' is none").into()),
            Some(depth) => {
                let known = depth.parse().ok().filter(|depth| (1..=MAX_DEPTH).contains(depth));
                known.ok_or_else(|| match depth.split_once(':') {
                    None => format!("{DEPTH_WANTED}; '{depth}' is none"),
                    Some((_, setting)) => format!(
                        "samuel takes ms=T, ties=first|random, prune=on|off and quiet=on|off; '{setting}' is none of them"
                    ),
                })?
            }
        };
        (samuel.source, samuel.weights) = match source {
            None => (Source::USUAL, Weights::default()),
            Some(source) => {
                Source::without_file(source)?.unwrap_or_else(|| (Source::File(source.to_owned()), Weights::default()))
            }
        };
        Ok(samuel)
    }

    /// Takes in a setting such as `ms=500`; whether it is one.
    fn set(&mut self, setting: &str) -> Result<bool, Refusal> {
        match setting.split_once('=') {
            Some(("ms", value)) => {
                let ms = value.parse().ok().filter(|ms| (1..=3_600_000).contains(ms));
                let ms = ms.ok_or_else(|| format!("ms takes milliseconds from 1 to 3600000; '{value}' is none"))?;
                self.time = Some(Duration::from_millis(ms));
            }
            Some(("ties", value)) => self.ties = one_of(Ties::WORDS, "ties", value)?,
            Some(("prune", value)) => self.prunes = one_of(SWITCH, "prune", value)?,
            Some(("quiet", value)) => self.plays_out = one_of(SWITCH, "quiet", value)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Reads the weights, if they are in a file.
    ///
    /// # Errors
    /// What is wrong with the file, each mistake with its place.
    pub fn load(mut self) -> Result<Samuel, Refusal> {
        if let Source::File(name) = &self.source {
            self.weights = Weights::read(name.as_ref())?;
        }
        Ok(self)
    }
}

const SWITCH: &[(&str, bool)] = &[("on", true), ("off", false)];

/// One of a setting's values.
fn one_of<T: Copy>(words: &[(&str, T)], setting: &str, value: &str) -> Result<T, Refusal> {
    words.iter().find(|(word, _)| *word == value).map(|(_, value)| *value).ok_or_else(|| {
        let known = document::list(words.iter().map(|(word, _)| word));
        format!("{setting} takes {known}; '{value}' is not accepted").into()
    })
}

impl fmt::Display for Samuel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("samuel")?;
        if self.time.is_none() || self.depth < MAX_DEPTH {
            write!(f, ":{}", self.depth)?;
        }
        if self.source != Source::USUAL {
            write!(f, "@{}", self.source.text(&self.weights))?;
        }
        if let Some(time) = self.time {
            write!(f, ":ms={}", time.as_millis())?;
        }
        if self.ties == Ties::Random {
            f.write_str(":ties=random")?;
        }
        if self.prunes {
            f.write_str(":prune=on")?;
        }
        if !self.plays_out {
            f.write_str(":quiet=off")?;
        }
        Ok(())
    }
}

impl Default for Samuel {
    fn default() -> Samuel {
        Samuel { source: Source::USUAL, ..Samuel::new(USUAL_DEPTH, Weights::default()) }
    }
}

/// Whether the terms have something to say of this position: it is one of checkers.
pub fn knows(position: &Position) -> bool {
    Checkers::try_from(*position).is_ok()
}

/// What one term says of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Contribution {
    pub name: &'static str,
    pub title: &'static str,
    /// The side's and the other's, in units, with halves.
    pub own: f64,
    pub other: f64,
    pub weight: f64,
    /// The difference times the weight.
    pub contribution: f64,
}

/// What the terms say of `position` to `side`, and what each contributes to the sum with these weights. `None` for a game other than
/// checkers.
pub fn explain(position: &Position, side: Side, weights: &Weights) -> Option<[Contribution; COUNT]> {
    let scene = Scene::new(&Checkers::try_from(*position).ok()?, side);
    Some(std::array::from_fn(|index| {
        let (Term { name, title, halves }, weight) = (TERMS[index], weights.0[index]);
        let [own, other] = halves(&scene).of_both().map(|halves| f64::from(halves) / 2.0);
        Contribution { name, title, own, other, weight, contribution: (own - other) * weight }
    }))
}
