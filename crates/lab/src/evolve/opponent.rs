//! Opponents of programs, and their text format.

use mancalab_base::{Error, bail};
use std::fmt;
use std::str::FromStr;

use crate::codec::checksum;
use crate::game::Variant;
use crate::player::offers::check_no_level;
use crate::player::{self, Spec};
use crate::settings::texts;
use crate::train::opponents::{impure, weighted, write_weighted};

/// An opponent and its weight. Text: `minimax:8`, `2*max`, `programs:10`, `champions:3`.
#[derive(Clone, PartialEq, Debug)]
pub struct Opponent {
    /// Above 0, at most 1000.
    pub weight: f64,
    pub kind: OpponentKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum OpponentKind {
    Player(Spec),
    /// This number of random programs, 1 to 1000, which share the weight.
    Programs(u32),
    /// This number of the fittest programs of the previous generation, 1 to 100, which share the weight.
    Champions(u32),
}

/// The available opponents, besides the game's players.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    pub programs: bool,
    pub champions: bool,
    /// Whether other programs are, which make a run not reproducible.
    pub engines: bool,
    /// Examples for messages.
    pub examples: &'static str,
}

impl Offer {
    /// Checks that the opponent is available in a game.
    ///
    /// # Errors
    /// Returns an error with examples of accepted opponents if it is not.
    pub(super) fn check(&self, opponent: &Opponent, game: &Variant) -> Result<(), Error> {
        let none = |name: &str| {
            let title = game.title();
            Err(format!("'{opponent}': {name} are not available in {title}; use {}", self.examples).into())
        };
        match &opponent.kind {
            OpponentKind::Player(spec @ Spec::External(_)) if !self.engines => Err(impure(&opponent.to_string(), spec)),
            OpponentKind::Player(spec) => player::check_plays(spec, game),
            OpponentKind::Programs(_) if !self.programs => none("random programs"),
            OpponentKind::Champions(_) if !self.champions => none("champions"),
            OpponentKind::Programs(_) | OpponentKind::Champions(_) => Ok(()),
        }
    }
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match &self.kind {
            OpponentKind::Player(spec) => spec.to_string(),
            OpponentKind::Programs(count) => format!("programs:{count}"),
            OpponentKind::Champions(count) => format!("champions:{count}"),
        };
        write_weighted(f, self.weight, &name)
    }
}

/// Constructs an opponent of this number of programs.
type Constructor = fn(u32) -> OpponentKind;

impl FromStr for Opponent {
    type Err = Error;

    fn from_str(text: &str) -> Result<Opponent, Error> {
        let (weight, name) = weighted(text, "weight")?;
        let bred =
            [("programs", 1000, OpponentKind::Programs as Constructor), ("champions", 100, OpponentKind::Champions)];
        for (word, most, kind) in bred {
            if let Some(count) = name.strip_prefix(word).and_then(|rest| rest.strip_prefix(':')) {
                let count = count.parse().ok().filter(|count| (1..=most).contains(count));
                let count = count.ok_or_else(|| format!("'{text}': {word} takes a number from 1 to {most}"))?;
                return Ok(Opponent { weight, kind: kind(count) });
            }
        }
        check_no_level(name)?;
        let spec: Spec = name.parse()?;
        if spec.is_human() {
            bail!("a human cannot be an opponent; use any other player or programs:N");
        }
        // Another program is no setting that could be left out: the run is marked instead.
        if spec.impurity().is_some() && !matches!(spec, Spec::External(_)) {
            return Err(impure(text, &spec));
        }
        Ok(Opponent { weight, kind: OpponentKind::Player(spec) })
    }
}

/// Returns whether all opponents play the same each time: none is another program.
pub(super) fn are_reproducible(opponents: &[Opponent]) -> bool {
    opponents.iter().all(|opponent| !matches!(&opponent.kind, OpponentKind::Player(spec) if spec.impurity().is_some()))
}

/// Returns the opponents read from files, with checksums of their contents; see [`RunSettings::files`](crate::job::RunSettings::files).
pub(super) fn files(opponents: &[Opponent]) -> Vec<(String, u64)> {
    let file = |opponent: &Opponent| match &opponent.kind {
        OpponentKind::Player(player) => {
            Some((format!("the opponent {player}"), checksum(player.contents()?.as_bytes())))
        }
        OpponentKind::Programs(_) | OpponentKind::Champions(_) => None,
    };
    opponents.iter().filter_map(file).collect()
}

/// Returns how many of the fittest programs of the previous generation are opponents.
pub(super) fn champions(opponents: &[Opponent]) -> usize {
    let most = |kind: &OpponentKind| match kind {
        OpponentKind::Champions(count) => *count as usize,
        OpponentKind::Player(_) | OpponentKind::Programs(_) => 0,
    };
    opponents.iter().map(|opponent| most(&opponent.kind)).max().unwrap_or(0)
}

/// Replaces an empty list by the random player, so that every game is played.
pub(super) fn or_random(specs: Vec<Spec>) -> Vec<Spec> {
    if specs.is_empty() { vec![Spec::Random] } else { specs }
}

/// Parses one opponent, a TOML list, or opponents separated by commas. A player's text may contain commas itself.
///
/// # Errors
/// Returns an error with what is accepted if a text is not an opponent or does not play this game.
pub(super) fn list(text: &str, offer: &Offer, game: &Variant) -> Result<Vec<Opponent>, Error> {
    let expected = format!("players such as {}", offer.examples);
    let read = |text: &str| -> Result<Opponent, Error> {
        let opponent = text.parse()?;
        offer.check(&opponent, game).map(|()| opponent)
    };
    if !text.starts_with(['[', '"', '\'']) {
        let one = read(text);
        let parts = Spec::parts(text);
        return match one {
            Ok(one) => Ok(vec![one]),
            Err(error) if parts.len() < 2 => Err(error),
            Err(_) => Ok(parts.iter().map(|part| read(part)).collect::<Result<_, Error>>()?),
        };
    }
    let items = texts(text, &expected)?;
    if items.is_empty() {
        return Err(Error::expected(format!("at least one of {expected}")));
    }
    let item = |(index, text): (usize, &String)| read(text).map_err(|error| error.in_item(index));
    items.iter().enumerate().map(item).collect()
}
