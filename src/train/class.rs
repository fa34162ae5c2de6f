//! All workers of a training, whatever the game.

use super::panel::{Met, Panel};
use super::settings::Settings;
use super::worker::{Common, Sums, Worker};
use crate::codec::{Decoder, Encoder, Refused};
use crate::crew::Crew;
use crate::game::planes::encoding;
use crate::game::{Planes, with_position};
use crate::net::{Adam, Network, clip};
use crate::step::Budget;

/// The workers, and where the network is measured.
pub trait Class: Send {
    /// Lets every worker play on for its gradient; whether all have theirs.
    fn play(&mut self, settings: &Settings, past: &[Network], crew: &Crew, budget: Budget) -> bool;

    /// Applies the workers' gradients to the global network, one by one in their order, and gives each the weights right after its
    /// own. Gives the sum of the gradients' lengths before they were clipped.
    fn apply(&mut self, network: &mut Network, adam: &mut Adam, settings: &Settings, rate: f32) -> f64;

    /// What came of the decisions since this was last asked.
    fn sums(&mut self) -> Sums;

    /// Goes on with measuring the network; `None` until all games of the panel have ended.
    fn measure(
        &mut self,
        settings: &Settings,
        network: &Network,
        generation: u64,
        crew: &Crew,
        budget: Budget,
    ) -> Option<Vec<Met>>;

    fn save(&self, out: &mut Encoder);

    /// # Errors
    /// It is no state of such workers.
    fn restore(&mut self, from: &mut Decoder<'_>, settings: &Settings, past: &[Network]) -> Result<(), Refused>;
}

/// Workers that begin with this network.
pub fn class(settings: &Settings, network: &Network) -> Box<dyn Class> {
    fn of<G: Planes>(start: G, settings: &Settings, network: &Network) -> Box<dyn Class> {
        let worker = |number| Worker::new(number, network.clone(), settings.opponents.len());
        let workers = (0..settings.workers).map(worker).collect();
        // Whether the game has this encoding was asked when the run began.
        let encoding = encoding::<G>(&settings.encoding).unwrap_or_default();
        Box::new(Workers { start, encoding, workers, panel: Panel::new() })
    }
    with_position!(settings.variant.start(), start => of(start, settings, network))
}

struct Workers<G: Planes> {
    start: G,
    encoding: usize,
    workers: Vec<Worker<G>>,
    panel: Panel<G>,
}

impl<G: Planes> Class for Workers<G> {
    fn play(&mut self, settings: &Settings, past: &[Network], crew: &Crew, budget: Budget) -> bool {
        let common = Common { start: self.start, settings, encoding: self.encoding, past };
        crew.lanes(&mut self.workers, |worker| worker.run(common, budget));
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
        crew: &Crew,
        budget: Budget,
    ) -> Option<Vec<Met>> {
        self.panel.measure(self.start, (settings, self.encoding), network, generation, (crew, budget))
    }

    fn save(&self, out: &mut Encoder) {
        self.workers.iter().for_each(|worker| worker.save(out));
    }

    fn restore(&mut self, from: &mut Decoder<'_>, settings: &Settings, past: &[Network]) -> Result<(), Refused> {
        let common = Common { start: self.start, settings, encoding: self.encoding, past };
        self.workers.iter_mut().try_for_each(|worker| worker.restore(from, common))
    }
}
