//! The ten heuristics and a network's value as a search evaluation.
//!
//! The network takes a hundred times as long as the ten heuristics. Its value of a position depends on no weight, so values are
//! cached: by a player for its turn, by a contest for all its genomes in all generations. The cache affects only the time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::super::heuristic::{self, Reading};
use super::Weights;
use crate::game::{Move, PitGame, Planes, Side};
use crate::net::{Activations, Network};
use crate::search::alpha_beta::{Evaluation, JudgedMove};

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
    pub(super) fn new(network: Arc<Network>, encoding: Option<usize>, shaping: f32, remembered: usize) -> Values<G> {
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
    pub fn new(weights: &Weights, reading: Reading, values: &Arc<Mutex<Values<G>>>) -> Evaluator<G> {
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
