//! All workers of a training, whatever the game.

use super::panel::{Met, Panel};
use super::settings::Settings;
use super::worker::{Common, Sums, Worker};
use crate::budget::Budget;
use crate::codec::{Decoder, Encoder};
use crate::game::planes::encoding;
use crate::game::{Planes, with_position};
use crate::net::{Adam, Network, Shared, clip};
use crate::pool::Pool;
use mancalab_base::Error;

/// The workers, and where the network is measured.
pub trait WorkerGroup: Send {
    /// Lets every worker play on for its gradient; whether all have theirs.
    fn play(&mut self, settings: &Settings, past: &[Network], pool: &Pool, budget: Budget) -> bool;

    /// Applies the workers' gradients to the global network, one by one in their order, and gives each the weights right after its
    /// own. Gives the sum of the gradients' lengths before they were clipped.
    fn apply(&mut self, network: &mut Network, adam: &mut Adam, settings: &Settings, rate: f32) -> f64;

    /// Lets every worker play on, apply its gradients to what becomes the global network at the end of the generation, and take over
    /// the weights as they are then; no worker waits for another. Gives the rounds that all have behind them in this generation, and
    /// the sum of the lengths of the gradients that are new, before they were clipped.
    fn play_freely(
        &mut self,
        learner: (&mut Network, &mut Adam),
        settings: &Settings,
        past: &[Network],
        rate: f32,
        time: (&Pool, Budget),
    ) -> (u32, f64);

    /// What came of the decisions since this was last asked.
    fn sums(&mut self) -> Sums;

    /// Goes on with measuring the network; `None` until all games of the panel have ended.
    fn measure(
        &mut self,
        settings: &Settings,
        network: &Network,
        generation: u64,
        pool: &Pool,
        budget: Budget,
    ) -> Option<Vec<Met>>;

    fn save(&self, out: &mut Encoder);

    /// # Errors
    /// It is no state of such workers.
    fn restore(&mut self, from: &mut Decoder<'_>, settings: &Settings, past: &[Network]) -> Result<(), Error>;
}

/// Workers that begin with this network.
pub fn class(settings: &Settings, network: &Network) -> Box<dyn WorkerGroup> {
    fn of<G: Planes>(start: G, settings: &Settings, network: &Network) -> Box<dyn WorkerGroup> {
        let worker = |number| Worker::new(number, network.clone(), settings.opponents.len());
        let workers = (0..settings.workers).map(worker).collect();
        // Whether the game has this encoding was asked when the run began.
        let encoding = encoding::<G>(&settings.encoding).unwrap_or_default();
        Box::new(Workers { start, encoding, workers, shared: None, panel: Panel::new() })
    }
    with_position!(settings.variant.start(), start => of(start, settings, network))
}

struct Workers<G: Planes> {
    start: G,
    encoding: usize,
    workers: Vec<Worker<G>>,
    /// The global network while workers change it without any order: in the middle of a generation.
    shared: Option<Shared>,
    panel: Panel<G>,
}

impl<G: Planes> WorkerGroup for Workers<G> {
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
        let shared = self.shared.get_or_insert_with(|| Shared::new(network, adam));
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
    ) -> Option<Vec<Met>> {
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

/// Lets a thread's workers play on in turn until each has given so many gradients as a generation has rounds, or the budget is spent.
/// Gives the sum of the gradients' lengths.
fn freely<G: Planes>(
    workers: &mut [Worker<G>],
    common: Common<'_, G>,
    (shared, rate): (&Shared, f32),
    budget: Budget,
) -> f64 {
    let (rounds, mut lengths) = (common.settings.rounds, 0.0);
    while let Some(worker) = workers.iter_mut().filter(|worker| worker.given < rounds).min_by_key(|worker| worker.given)
    {
        worker.run(common, budget);
        // It may have its gradient just when the budget is spent.
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
