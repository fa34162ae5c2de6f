//! All workers of a training, for any game.

use super::panel::Panel;
use super::settings::Settings;
use super::worker::{Common, Sums, Worker};
use crate::budget::Budget;
use crate::codec::{Decoder, Encoder};
use crate::game::planes::encoding;
use crate::game::{Planes, with_position};
use crate::measuring::PanelResult;
use crate::net::{Adam, Network, SharedParameters, clip};
use crate::player::Playable;
use crate::pool::Pool;
use mancalab_base::Error;

/// The workers and the panel.
pub trait WorkerGroup: Send {
    /// Lets every worker play for its gradient; returns whether all gradients are ready.
    fn play(&mut self, settings: &Settings, past: &[Network], pool: &Pool, budget: Budget) -> bool;

    /// Applies the workers' gradients to the global network, one by one in order, and copies the weights to each worker right
    /// after its own. Returns the sum of the gradient norms before clipping.
    fn apply(&mut self, network: &mut Network, adam: &mut Adam, settings: &Settings, rate: f32) -> f64;

    /// Lets every worker play, apply its gradients to the shared weights, and copy them back, without waiting for other
    /// workers. The shared weights become the global network at the end of the generation. Returns the rounds that all workers
    /// have completed in this generation, and the sum of the norms of the new gradients before clipping.
    fn play_freely(
        &mut self,
        learner: (&mut Network, &mut Adam),
        settings: &Settings,
        past: &[Network],
        rate: f32,
        time: (&Pool, Budget),
    ) -> (u32, f64);

    /// Returns the sums over the decisions since the last call.
    fn sums(&mut self) -> Sums;

    /// Continues the measurement of the network; `None` until all games of the panel are finished.
    fn measure(
        &mut self,
        settings: &Settings,
        network: &Network,
        generation: u64,
        pool: &Pool,
        budget: Budget,
    ) -> Option<Vec<PanelResult>>;

    fn save(&self, out: &mut Encoder);

    /// Restores the state of the workers.
    ///
    /// # Errors
    /// Returns an error if it is invalid.
    fn restore(&mut self, from: &mut Decoder<'_>, settings: &Settings, past: &[Network]) -> Result<(), Error>;
}

/// Returns workers that start with this network.
pub fn start_group(settings: &Settings, network: &Network) -> Box<dyn WorkerGroup> {
    fn start_workers<G: Planes + Playable>(start: G, settings: &Settings, network: &Network) -> Box<dyn WorkerGroup> {
        let worker = |number| Worker::new(number, network.clone(), settings.opponents.len());
        let workers = (0..settings.workers).map(worker).collect();
        // The run's settings check that the game has this encoding.
        let encoding = encoding::<G>(&settings.encoding).unwrap_or_default();
        Box::new(Workers { start, encoding, workers, shared: None, panel: Panel::new() })
    }
    with_position!(settings.variant.start(), start => start_workers(start, settings, network))
}

struct Workers<G: Planes + Playable> {
    start: G,
    encoding: usize,
    workers: Vec<Worker<G>>,
    /// The shared network in the middle of a generation without an order of workers.
    shared: Option<SharedParameters>,
    panel: Panel<G>,
}

impl<G: Planes + Playable> WorkerGroup for Workers<G> {
    fn play(&mut self, settings: &Settings, past: &[Network], pool: &Pool, budget: Budget) -> bool {
        let common = Common { start: self.start, settings, encoding: self.encoding, past };
        pool.map_each(&mut self.workers, |worker| worker.run(common, budget));
        self.workers.iter().all(|worker| worker.is_done)
    }

    fn apply(&mut self, network: &mut Network, adam: &mut Adam, settings: &Settings, rate: f32) -> f64 {
        let mut lengths = 0.0;
        for worker in &mut self.workers {
            lengths += f64::from(clip(&mut worker.gradient, settings.clip as f32));
            adam.step(network.parameters_mut(), &worker.gradient, rate);
            worker.network.parameters_mut().copy_from_slice(network.parameters());
            worker.is_done = false;
        }
        lengths
    }

    fn play_freely(
        &mut self,
        (network, adam): (&mut Network, &mut Adam),
        settings: &Settings,
        past: &[Network],
        rate: f32,
        (pool, budget): (&Pool, Budget),
    ) -> (u32, f64) {
        let common = Common { start: self.start, settings, encoding: self.encoding, past };
        let shared = self.shared.get_or_insert_with(|| SharedParameters::new(network, adam));
        let a_lane = self.workers.len().div_ceil(pool.count());
        let mut workers: Vec<&mut [Worker<G>]> = self.workers.chunks_mut(a_lane).collect();
        let lengths = pool.map_each(&mut workers, |workers| freely(workers, common, (&*shared, rate), budget));
        let rounds = self.workers.iter().map(|worker| worker.given).min().unwrap_or(settings.rounds);
        if rounds >= settings.rounds {
            shared.settle(network, adam);
            self.shared = None;
            self.workers.iter_mut().for_each(|worker| worker.given = 0);
        }
        (rounds, lengths.into_iter().sum())
    }

    fn sums(&mut self) -> Sums {
        let mut all = Sums::default();
        self.workers.iter_mut().for_each(|worker| all.add(std::mem::take(&mut worker.sums)));
        all
    }

    fn measure(
        &mut self,
        settings: &Settings,
        network: &Network,
        generation: u64,
        pool: &Pool,
        budget: Budget,
    ) -> Option<Vec<PanelResult>> {
        self.panel.measure(self.start, (settings, self.encoding), network, generation, (pool, budget))
    }

    fn save(&self, out: &mut Encoder) {
        self.workers.iter().for_each(|worker| worker.save(out));
    }

    fn restore(&mut self, from: &mut Decoder<'_>, settings: &Settings, past: &[Network]) -> Result<(), Error> {
        let common = Common { start: self.start, settings, encoding: self.encoding, past };
        self.workers.iter_mut().try_for_each(|worker| worker.restore(from, common))
    }
}

/// Lets a thread's workers play in turn until each has given as many gradients as a generation has rounds, or the budget is
/// spent. Returns the sum of the gradient norms.
fn freely<G: Planes + Playable>(
    workers: &mut [Worker<G>],
    common: Common<'_, G>,
    (shared, rate): (&SharedParameters, f32),
    budget: Budget,
) -> f64 {
    let rounds = common.settings.rounds;
    let mut lengths = 0.0;
    while let Some(worker) = workers.iter_mut().filter(|worker| worker.given < rounds).min_by_key(|worker| worker.given)
    {
        worker.run(common, budget);
        // The gradient may be ready exactly when the budget is spent.
        if worker.is_done {
            lengths += f64::from(clip(&mut worker.gradient, common.settings.clip as f32));
            shared.step(&worker.gradient, rate);
            shared.copy_to(&mut worker.network);
            (worker.is_done, worker.given) = (false, worker.given + 1);
        }
        if budget.is_spent() {
            break;
        }
    }
    lengths
}
