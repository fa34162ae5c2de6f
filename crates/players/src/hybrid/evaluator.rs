//! What a position is worth by ten heuristics and a network, as the search asks for it.
//!
//! The network takes a hundred times as long as the ten together. Its value of a position does not depend on any weight, so values are
//! remembered: by a player for its turn, by a contest for all of its genomes in all generations. Nothing but the time depends on what is
//! remembered.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::super::heuristic::{self, Reading};
use super::Weights;
use crate::game::{Move, PitGame, Planes, Side};
use crate::net::{Activations, Network};
use crate::search::alpha_beta::{Evaluation, Judged};

/// Plies searched in one go: some tenths of a millisecond.
const SUBTREE: u32 = 3;

/// The values of a network, found and remembered.
pub struct Values<G: PitGame> {
    network: Arc<Network>,
    /// `None`: it cannot be told positions of these rules.
    encoding: Option<usize>,
    /// What it was taught that a lead of a seed is worth beside a game won; its own value is that of what is still to come.
    shaping: f32,
    entries: Vec<Option<Entry<G::Key>>>,
    input: Vec<(u16, f32)>,
    said: Activations,
}

#[derive(Clone, Copy)]
struct Entry<K> {
    key: K,
    /// The stores, without which the key does not say what lies on the board.
    stores: [u8; 2],
    /// To the side that moves.
    value: f32,
}

impl<G: PitGame + Planes> Values<G> {
    /// `remembered` is how many values there is room for: 0, or a power of two.
    pub(super) fn new(network: Arc<Network>, encoding: Option<usize>, shaping: f32, remembered: usize) -> Values<G> {
        debug_assert!(remembered == 0 || remembered.is_power_of_two());
        let (input, said) = Default::default();
        Values { network, encoding, shaping, entries: vec![None; remembered], input, said }
    }

    /// To be asked by one evaluation after another.
    #[must_use]
    pub fn shared(self) -> Arc<Mutex<Values<G>>> {
        Arc::new(Mutex::new(self))
    }

    /// What `pos` is worth to `side`: 100 for a game that is won, -100 for one that is lost, and a little more or less by the margin where
    /// the network was trained so.
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

    /// The network's value to the side to move.
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
        self.network.forward(&self.input, &mut self.said);
        let value = self.said.value();
        if let Some(entry) = self.entries.get_mut(at) {
            *entry = Some(Entry { key, stores, value });
        }
        value
    }
}

/// The evaluation of one set of weights, in halves of a thousandth as that of the ten heuristics.
pub struct Evaluator<G: PitGame> {
    ten: heuristic::Evaluator,
    /// What a percent of a game counts.
    percent: f32,
    values: Arc<Mutex<Values<G>>>,
}

impl<G: PitGame> Evaluator<G> {
    /// The evaluation of `weights`, as `reading` has the ten.
    pub fn new(weights: &Weights, reading: Reading, values: &Arc<Mutex<Values<G>>>) -> Evaluator<G> {
        Evaluator::by(heuristic::Evaluator::new(&weights.ten, reading), weights, values)
    }

    /// The same where the evaluation of the ten is there already.
    pub fn by(ten: heuristic::Evaluator, weights: &Weights, values: &Arc<Mutex<Values<G>>>) -> Evaluator<G> {
        let [.., eleventh] = weights.thousandths();
        Evaluator { ten, percent: 2.0 * eleventh as f32, values: Arc::clone(values) }
    }

    fn values(&self) -> MutexGuard<'_, Values<G>> {
        // What is remembered is whole at any moment.
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<G: PitGame + Planes> Evaluation<G> for Evaluator<G> {
    type Value = i32;

    #[inline]
    fn position(&self, pos: &G, side: Side) -> i32 {
        let ten = self.ten.position(pos, side);
        // Without a weight the network need not be asked.
        if self.percent == 0.0 { ten } else { ten + (self.percent * self.values().percent(pos, side)).round() as i32 }
    }

    #[inline]
    fn mv(&self, pos: &G, mv: Move, after: &G) -> i32 {
        self.ten.mv(pos, mv, after)
    }

    fn judged(&self) -> Judged {
        Evaluation::<G>::judged(&self.ten)
    }

    fn subtree(&self) -> u32 {
        SUBTREE
    }
}
