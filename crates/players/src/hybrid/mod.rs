//! The player with ten weighted heuristics and a network: what the genetic algorithm tunes and what the actor-critic learned, in one sum.
//!
//! The Kalah thesis proposes this combination at its end and leaves open how. Here the network's value of a position is an eleventh
//! term of the [heuristic player](super::heuristic), H11, at the same leaves of the same search. It is in percent: 100 for a game
//! that is surely won, -100 for a lost one, so that 1 is worth about one seed. The policy is not used.
//!
//! The ten heuristics and a network's value as a search evaluation.
//!
//! The network takes a hundred times as long as the ten heuristics. Its value of a position depends on no weight, so values are
//! cached: by a player for its turn, by a contest for all its genomes in all generations. The cache affects only the time.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mancalab_base::{Error, bail};

use super::budget::{Budget, Status};
use super::game::kalah::Kalah;
use super::game::{Move, PitGame, Planes, Position, Side, Variant};
use super::heuristic::terms::{COUNT as TEN, TERMS};
use super::heuristic::weights::{ACCEPTED, GREATEST, USUAL, Weights as Ten, decimal};
use super::heuristic::{self, Contribution, Heuristic, HeuristicReading};
use super::kind::{Effort, PlayerKind, Unread};
use super::net::{Activations, Network};
use super::network::{self, GameNetwork};
use super::pool::Pool;
use super::search::alpha_beta::{AlphaBetaSearch, Evaluation, JudgedMove};
use super::search::{SearchHints, Ties};
use super::settings::{Report, Source as Document};
use super::weight_file::{self, KnownWeights, WeightRules};
use super::{Built, Player, Turn, of_one, text};

pub use heuristic::Source;

/// A loaded network with its source. `Display` gives the text that reads as the same.
#[derive(Clone, PartialEq, Debug)]
pub struct Net {
    source: network::Source,
    trained: Arc<GameNetwork>,
}

// Parameters read from a file are never NaN.
impl Eq for Net {}

/// A player with ten heuristics and a network. `Display` gives the text that parses to the same player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hybrid {
    /// The settings of the heuristic player; its weights are the first ten.
    pub plain: Heuristic,
    pub weights: Weights,
    source: Source,
    net: Net,
}

impl Net {
    /// Loads the network.
    ///
    /// # Errors
    /// The file is not a network, or the network plays a game without pits.
    fn load(source: network::Source) -> Result<Net, Error> {
        let trained = source.load()?;
        match trained.variant {
            Variant::Kalah(_) => Ok(Net { source, trained }),
            other => Err(format!("net={source}: expected a network for a game with pits (got one for {other}), since heuristics weigh seeds").into()),
        }
    }

    /// Returns the network that comes with the program.
    ///
    /// # Panics
    /// The program was built with a file that is not a network for a game with pits. A test checks the file.
    pub fn shipped() -> Net {
        Net::load(network::Source::Shipped).unwrap_or_else(|error| panic!("weights/a3c.safetensors: {error}"))
    }

    /// The game it was trained for.
    pub fn variant(&self) -> Variant {
        self.trained.variant
    }

    /// Returns a short text that differs between networks.
    pub fn contents(&self) -> String {
        self.trained.contents()
    }

    /// Checks that the network knows this game.
    ///
    /// The network was trained for other rules.
    pub fn check_plays(&self, variant: &Variant) -> Result<(), Error> {
        self.trained.check_plays(&format!("net={self}"), variant)
    }

    /// Returns its values of such positions, with a cache of this capacity; under rules that the network does not know they are 0.
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
    type Err = Error;

    fn from_str(text: &str) -> Result<Net, Error> {
        if text.is_empty() {
            return Err(NET_WANTED.into());
        }
        Net::load(network::Source::named(text))
    }
}

const NET_WANTED: &str = "net must be best or a network file, as in heuristic:4:net=network.safetensors";

impl Hybrid {
    /// Reads the text after `heuristic`, split at `:net=` into `:D@weights` and `FILE`, each with settings.
    ///
    /// # Errors
    /// Names the invalid part and what is accepted.
    pub(super) fn unread(before: &str, behind: &str) -> Result<Unread<Hybrid>, Error> {
        let mut plain = Heuristic::new(heuristic::USUAL_DEPTH, Default::default());
        let name = text::read(behind, heuristic::SETTINGS, &mut plain)?;
        let (depth, weights) = text::head(text::read(before, heuristic::SETTINGS, &mut plain)?);
        plain.set_depth(depth)?;
        let text = weights.unwrap_or(heuristic::weights::USUAL);
        let (source, weights) = Source::of_text(text, Weights::known)?;
        if name.is_empty() {
            return Err(NET_WANTED.into());
        }
        let net = network::Source::named(name);
        if weights.is_none() && net.file().is_some() {
            bail!(
                "a player opens only one file: with the network {name}, use default or eleven numbers after @ instead of the file '{text}'"
            );
        }
        let what = if weights.is_some() { "a network" } else { "weights" };
        let file = source.file().or(net.file()).map(str::to_owned);
        let path = text.to_owned();
        Ok(Unread::in_file(file, what, move || {
            let weights = weights.map_or_else(|| Weights::read(path.as_ref()), Ok)?;
            Ok(Hybrid { source, ..Hybrid::new(plain, weights, Net::load(net)?) })
        }))
    }

    /// A player with these weights, the depth of `plain` and its reading of the ten heuristics.
    pub fn new(plain: Heuristic, weights: Weights, net: Net) -> Hybrid {
        let plain = Heuristic { weights: weights.ten, source: heuristic::Source::Numbers, ..plain };
        Hybrid { plain, weights, source: Source::Numbers, net }
    }

    /// Returns the values of the eleven terms in `position` for `side`; see [`heuristic::explain`].
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
        let name = NAME;
        let title = TITLE;
        let unit = "percent of a game won";
        // Rounded as it is displayed.
        let value = (10.0 * value).round() / 10.0;
        all.push(Contribution { name, title, unit, value, weight, contribution: value * weight });
        Some(all)
    }
}

impl fmt::Display for Hybrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "heuristic:{}", self.plain.depth)?;
        if self.source != Source::known(heuristic::weights::USUAL) {
            write!(f, "@{}", self.source.text(&self.weights))?;
        }
        text::write(f, heuristic::SETTINGS, &self.plain, Heuristic::new(1, self.plain.weights))?;
        write!(f, ":net={}", self.net)
    }
}

impl PlayerKind for Hybrid {
    fn build<G: SearchHints>(&self, _: &Pool) -> Built<G> {
        of_one::<G, Kalah, _>("heuristic", || HybridPlayer::new(self.clone()))
    }

    fn effort(&self) -> Effort {
        Effort::of_depth(self.plain.depth)
    }

    fn about(&self) -> String {
        format!("heuristics+net, depth {}", self.plain.depth)
    }

    fn contents(&self) -> Option<String> {
        Some(format!("{} {}", self.weights, self.net.contents()))
    }

    fn check_rules(&self, variant: &Variant) -> Result<(), Error> {
        self.net.trained.check_plays(self, variant)
    }

    fn is_deterministic(&self) -> bool {
        !self.plain.ties.is_drawn()
    }

    fn set_ties(&mut self, ties: Ties) {
        self.plain.ties = ties;
    }
}

/// Capacity of a player's cache: a move needs some hundred values, some of which the next move needs again.
const REMEMBERED: usize = 1 << 12;

/// The search of a turn.
type HybridSearch<G> = (Turn<G>, AlphaBetaSearch<G, Evaluator<G>>);

/// A player that searches to its depth with the eleven weighted terms.
pub struct HybridPlayer<G: PitGame + Planes + SearchHints> {
    settings: Hybrid,
    thinking: Option<HybridSearch<G>>,
}

impl<G: PitGame + Planes + SearchHints> HybridPlayer<G> {
    pub fn new(settings: Hybrid) -> HybridPlayer<G> {
        HybridPlayer { settings, thinking: None }
    }
}

impl<G: PitGame + Planes + SearchHints> Player<G> for HybridPlayer<G> {
    fn think(&mut self, turn: &Turn<G>, budget: Budget) -> Option<Move> {
        let Hybrid { plain: Heuristic { depth, ties, reading, .. }, weights, net, .. } = &self.settings;
        let same = self.thinking.take().filter(|(before, _)| before == turn);
        let begin = || {
            let values = net.values(&turn.pos, REMEMBERED).shared();
            (turn.clone(), AlphaBetaSearch::new(turn.game_state(), *depth, Evaluator::new(weights, *reading, &values)))
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

/// Plies searched in one step: some tenths of a millisecond.
const SUBTREE: u32 = 3;

/// A network's values with their cache.
pub struct Values<G: PitGame> {
    network: Arc<Network>,
    /// `None`: the network does not know these rules.
    encoding: Option<usize>,
    /// The value that the training gave a lead of one seed, a game won being 1; the network's own output is the value still to come.
    shaping: f32,
    entries: Vec<Option<Entry<G::Key>>>,
    input: Vec<(u16, f32)>,
    activations: Activations,
}

#[derive(Clone, Copy)]
struct Entry<K> {
    key: K,
    /// The stores, which the key does not contain.
    stores: [u8; 2],
    /// The value for the side to move.
    value: f32,
}

impl<G: PitGame + Planes> Values<G> {
    /// `remembered` is the capacity of the cache: 0, or a power of two.
    fn new(network: Arc<Network>, encoding: Option<usize>, shaping: f32, remembered: usize) -> Values<G> {
        debug_assert!(remembered == 0 || remembered.is_power_of_two());
        let (input, activations) = Default::default();
        Values { network, encoding, shaping, entries: vec![None; remembered], input, activations }
    }

    /// Wraps the values for use by several evaluations.
    #[must_use]
    pub fn shared(self) -> Arc<Mutex<Values<G>>> {
        Arc::new(Mutex::new(self))
    }

    /// Returns the value of `pos` for `side`: 100 for a won game, -100 for a lost one, and a little more or less by the margin if the
    /// network was trained so.
    #[inline]
    pub fn percent(&mut self, pos: &G, side: Side) -> f32 {
        let margin = pos.margin(side);
        let value = match self.encoding {
            _ if pos.is_over() => margin.signum() as f32,
            None => return 0.0,
            Some(encoding) if pos.side() == side => self.value(pos, encoding),
            Some(encoding) => -self.value(pos, encoding),
        };
        100.0 * (value + self.shaping * margin as f32)
    }

    /// Returns the network's value for the side to move.
    #[inline]
    fn value(&mut self, pos: &G, encoding: usize) -> f32 {
        let key = pos.key();
        let stores = [pos.side(), pos.side().other()].map(|side| pos.seeds(side).store);
        let salt = u64::from(u16::from_le_bytes(stores)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        let at = (G::hash(&key) ^ salt) as usize & self.entries.len().wrapping_sub(1);
        if let Some(Some(entry)) = self.entries.get(at)
            && entry.key == key
            && entry.stores == stores
        {
            return entry.value;
        }
        self.input.clear();
        pos.encode(encoding, &mut self.input);
        self.network.forward(&self.input, &mut self.activations);
        let value = self.activations.value();
        if let Some(entry) = self.entries.get_mut(at) {
            *entry = Some(Entry { key, stores, value });
        }
        value
    }
}

/// The evaluation of one set of weights, in units of 1/2000 like that of the ten heuristics.
pub struct Evaluator<G: PitGame> {
    ten: heuristic::Evaluator,
    /// The weight of one percent of a game.
    percent: f32,
    values: Arc<Mutex<Values<G>>>,
}

impl<G: PitGame> Evaluator<G> {
    /// The evaluation of `weights`, with the ten heuristics under `reading`.
    pub fn new(weights: &Weights, reading: HeuristicReading, values: &Arc<Mutex<Values<G>>>) -> Evaluator<G> {
        Evaluator::by(heuristic::Evaluator::new(&weights.ten, reading), weights, values)
    }

    /// The same with an existing evaluation of the ten heuristics.
    pub fn by(ten: heuristic::Evaluator, weights: &Weights, values: &Arc<Mutex<Values<G>>>) -> Evaluator<G> {
        let [.., eleventh] = weights.thousandths();
        Evaluator { ten, percent: 2.0 * eleventh as f32, values: Arc::clone(values) }
    }

    fn values(&self) -> MutexGuard<'_, Values<G>> {
        // The cache is consistent at any moment.
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<G: PitGame + Planes> Evaluation<G> for Evaluator<G> {
    type Value = i32;

    #[inline]
    fn position(&self, pos: &G, side: Side) -> i32 {
        let ten = self.ten.position(pos, side);
        // With weight 0 the network's value is not needed.
        if self.percent == 0.0 { ten } else { ten + (self.percent * self.values().percent(pos, side)).round() as i32 }
    }

    #[inline]
    fn mv(&self, pos: &G, mv: Move, after: &G) -> i32 {
        self.ten.mv(pos, mv, after)
    }

    fn judged(&self) -> JudgedMove {
        Evaluation::<G>::judged(&self.ten)
    }

    fn subtree(&self) -> u32 {
        SUBTREE
    }
}

/// The number of terms.
pub const COUNT: usize = TEN + 1;

/// The name of the eleventh term, and its title.
pub const NAME: &str = "H11";
pub const TITLE: &str = "network value";

/// The weights that come with the program, with their origin.
const DEFAULT_TEXT: &str = include_str!("../../weights/hybrid.toml");

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
    fn known(text: &str) -> KnownWeights<Weights> {
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
