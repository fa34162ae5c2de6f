//! The player that weighs ten heuristics and a network: what the genetic algorithm tunes and what the actor-critic has learned, in one sum.
//!
//! The Kalah thesis proposes at its end to combine the two and leaves open how. Here the network's value of a position is an eleventh
//! term of the [heuristic player](super::heuristic), H11, at the same leaves of the same search. It counts in percent: 100 for a game
//! that is surely won, -100 for one that is lost, so that 1 is about what a seed is. The policy is not asked.

mod evaluator;
pub mod weights;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::heuristic::terms::COUNT as TEN;
use super::heuristic::{self, Contribution, Heuristic};
use super::network::{self, Trained};
use super::{Player, Turn};
use crate::document::Refusal;
use crate::game::kalah::Kalah;
use crate::game::{Move, PitGame, Planes, Position, Side, Variant};
use crate::search::evaluated::Searching;
use crate::step::{Budget, Status};
pub use evaluator::{Evaluator, Values};
pub use weights::{COUNT, Source, Weights};

/// What stands before the network in a player's text.
const NET: &str = "net=";

/// A network that was read, with where it came from. `Display` gives the text that reads as the same.
#[derive(Clone, PartialEq, Debug)]
pub struct Net {
    source: network::Source,
    trained: Arc<Trained>,
}

// No number that is read from a file is none.
impl Eq for Net {}

/// What stands in a player's text. `Display` gives the text that parses to the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unread {
    /// How deep it looks, which ties it takes, how the ten are read. Where the weights come from, `source` says.
    plain: Heuristic,
    weights: Weights,
    source: Source,
    net: network::Source,
}

/// A player by ten heuristics and a network. `Display` gives the text that parses to the same player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hybrid {
    /// Its weights are the first ten.
    pub plain: Heuristic,
    pub weights: Weights,
    source: Source,
    net: Net,
}

impl Net {
    /// Reads the network.
    ///
    /// # Errors
    /// There is none in the file, or it plays a game without pits: why.
    fn load(source: network::Source) -> Result<Net, Refusal> {
        let trained = source.load()?;
        match trained.variant {
            Variant::Kalah(_) => Ok(Net { source, trained }),
            other => Err(format!(
                "net={source}: a network for a game with pits is expected, as heuristics weigh seeds; it was trained for {other}"
            )
            .into()),
        }
    }

    /// The one that comes with the program.
    ///
    /// # Panics
    /// The program was built with another file than its own, which holds no network for a game with pits: what it is. Whoever puts another
    /// in its place is told so by a test before.
    pub fn shipped() -> Net {
        Net::load(network::Source::Shipped).unwrap_or_else(|refusal| panic!("weights/a3c.safetensors: {refusal}"))
    }

    /// The game it was trained for.
    pub fn variant(&self) -> Variant {
        self.trained.variant
    }

    /// What was read, in short: another network gives another text.
    pub fn contents(&self) -> String {
        self.trained.contents()
    }

    /// # Errors
    /// It cannot be told positions of this game: a sentence.
    pub fn check_plays(&self, variant: &Variant) -> Result<(), String> {
        self.trained.check_plays(&format!("net={self}"), variant)
    }

    /// Where its values of such positions are found and remembered; with rules that it was not made for they are 0.
    pub fn values<G: PitGame + Planes>(&self, pos: &G, remembered: usize) -> Values<G> {
        Values::new(Arc::clone(&self.trained.network), self.trained.reads(pos), self.trained.shaping, remembered)
    }
}

impl fmt::Display for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.source.fmt(f)
    }
}

/// Opens the file of this name, unless it is `best`.
impl FromStr for Net {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Net, Refusal> {
        if text.is_empty() {
            return Err(NET_WANTED.into());
        }
        Net::load(network::Source::named(text))
    }
}

const NET_WANTED: &str = "net takes best, or the file of a network, as in heuristic:4:net=network.safetensors";

/// Whether a text such as `ties=random` is one of the heuristic player's settings, which may also stand behind the network.
fn is_setting(text: &str) -> bool {
    text.split_once('=').is_some_and(|(key, _)| matches!(key, "ties" | "judged" | "near"))
}

/// Takes the settings at the end of a text off; they are given as they stood, each with its colon.
fn without_settings(text: &str) -> (&str, &str) {
    let mut rest = text;
    while let Some((before, setting)) = rest.rsplit_once(':') {
        if !is_setting(setting) {
            break;
        }
        rest = before;
    }
    text.split_at(rest.len())
}

impl Unread {
    /// Reads what stands behind `heuristic` in a player's text if it names a network: `:D@weights:net=FILE`, with settings before or
    /// behind the network. `None` if it does not. Opens nothing: weights that are in a file are nought until it is
    /// [loaded](Unread::load).
    ///
    /// # Errors
    /// Which part makes no sense, and what would be accepted.
    pub(super) fn from_text(text: &str) -> Option<Result<Unread, Refusal>> {
        let at = text.find(&format!(":{NET}"))?;
        Some(Unread::read(&text[..at], &text[at + 1 + NET.len()..]))
    }

    fn read(before: &str, behind: &str) -> Result<Unread, Refusal> {
        let (name, last) = without_settings(behind);
        let (rest, first) = without_settings(before);
        let (depth, weights) = rest.split_once('@').unwrap_or((rest, "default"));
        let mut plain = Heuristic::unread(&format!("{depth}{first}{last}"))?;
        let known = Source::without_file(weights)?;
        if name.is_empty() {
            return Err(NET_WANTED.into());
        }
        let net = network::Source::named(name);
        if known.is_none() && net.file().is_some() {
            return Err(format!(
                "a player's text opens one file: with the network {name}, default or eleven numbers are expected after @ instead of the file '{weights}'"
            )
            .into());
        }
        let (source, weights) = known.unwrap_or_else(|| (Source::File(weights.to_owned()), Weights::default()));
        (plain.weights, plain.source) = (weights.ten, heuristic::Source::Numbers);
        Ok(Unread { plain, weights, source, net })
    }

    /// The file that [`load`](Unread::load) opens, if any.
    pub(super) fn file(&self) -> Option<&str> {
        match &self.source {
            Source::File(name) => Some(name),
            _ => self.net.file(),
        }
    }

    /// The player, with its network and its weights.
    ///
    /// # Errors
    /// What is wrong with a file.
    pub(super) fn load(self) -> Result<Hybrid, Refusal> {
        let Unread { mut plain, mut weights, source, net } = self;
        if let Source::File(name) = &source {
            weights = Weights::read(name.as_ref())?;
            plain.weights = weights.ten;
        }
        Ok(Hybrid { plain, weights, source, net: Net::load(net)? })
    }
}

impl Hybrid {
    /// A player with these weights, which looks `plain.depth` plies ahead and reads the ten as `plain` does.
    pub fn new(plain: Heuristic, weights: Weights, net: Net) -> Hybrid {
        let plain = Heuristic { weights: weights.ten, source: heuristic::Source::Numbers, ..plain };
        Hybrid { plain, weights, source: Source::Numbers, net }
    }

    /// What was read from files, in short.
    pub(super) fn contents(&self) -> String {
        format!("{} {}", self.weights, self.net.contents())
    }

    /// # Errors
    /// The network is for other rules, whose positions it cannot be told: a sentence.
    pub(super) fn check_plays(&self, variant: &Variant) -> Result<(), String> {
        self.net.trained.check_plays(self, variant)
    }

    /// What each of the eleven terms says of `position` to `side`; see [`heuristic::explain`].
    pub fn explain(
        &self,
        position: &Position,
        side: Side,
        played: Option<(&Position, Move)>,
    ) -> Option<Vec<Contribution>> {
        let mut all = heuristic::explain(position, side, played, &self.plain)?.to_vec();
        let pos = Kalah::try_from(*position).ok()?;
        let value = f64::from(self.net.values(&pos, 0).percent(&pos, side));
        let weight = self.weights.reals()[TEN];
        let (name, title, unit) = (weights::NAME, weights::TITLE, "percent of a game won");
        // As exactly as it is shown.
        let value = (10.0 * value).round() / 10.0;
        all.push(Contribution { name, title, unit, value, weight, contribution: value * weight });
        Some(all)
    }
}

impl fmt::Display for Hybrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = self.plain.to_string();
        let (_, settings) = without_settings(&plain);
        write!(f, "heuristic:{}", self.plain.depth)?;
        match &self.source {
            Source::Usual => {}
            Source::Numbers => write!(f, "@{}", self.weights)?,
            Source::File(name) => write!(f, "@{name}")?,
        }
        write!(f, "{settings}:{NET}{}", self.net)
    }
}

/// Values that a player remembers: a move asks for some hundred, of which the next asks for some again.
const REMEMBERED: usize = 1 << 12;

/// The search for a turn.
type Thinking<G> = (Turn<G>, Searching<G, Evaluator<G>>);

/// Plays the move that is worth most, `depth` plies ahead.
pub struct HybridPlayer<G: PitGame + Planes> {
    settings: Hybrid,
    thinking: Option<Thinking<G>>,
}

impl<G: PitGame + Planes> HybridPlayer<G> {
    pub fn new(settings: Hybrid) -> HybridPlayer<G> {
        HybridPlayer { settings, thinking: None }
    }
}

impl<G: PitGame + Planes> Player<G> for HybridPlayer<G> {
    fn think(&mut self, turn: &Turn<G>, budget: Budget) -> Option<Move> {
        let Hybrid { plain: Heuristic { depth, ties, reading, .. }, weights, net, .. } = &self.settings;
        let same = self.thinking.take().filter(|(before, _)| before == turn);
        let begin = || {
            let values = net.values(&turn.pos, REMEMBERED).shared();
            (turn.clone(), Searching::new(turn.course(), *depth, Evaluator::new(weights, *reading, &values)))
        };
        let (_, searching) = self.thinking.insert(same.unwrap_or_else(begin));
        if searching.step(budget) == Status::Running {
            return None;
        }
        heuristic::chosen(searching.best().moves, *ties, turn)
    }

    fn rest(&mut self) {
        self.thinking = None;
    }
}

#[cfg(test)]
mod tests;
