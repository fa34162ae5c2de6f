//! The training as a run: rounds, rows, checkpoints.

use mancalab_base::{Error, bail};
use std::sync::Arc;
use std::time::Instant;

use super::row::{Pace, TrainingRow};
use super::settings::{Schedule, Settings};
use super::view::{self, NetworkSnapshot, Probe, View as TrainingView, notes};
use super::worker::Sums;
use super::worker_group::{WorkerGroup, start_group};
use crate::budget::Budget;
use crate::codec::{Decoder, Encoder};
use crate::job::run_dir::{NETWORK, NOT_REPRODUCIBLE};
use crate::job::{Progress, Row, Rows, Run, View};
use crate::measuring::{Learner as _, MeasuredSettings as _};
use crate::net::{Adam, Betas, Network, file};
use crate::pool::Pool;
use crate::rng;
use crate::row::Row as _;

/// Key of the initial weights. The number is part of every recorded training, and no game uses it.
const WEIGHTS: u64 = u64::MAX;

/// A network in training.
pub struct Training {
    settings: Arc<Settings>,
    /// The global network and its optimizer state.
    network: Network,
    adam: Adam,
    /// Earlier networks at the end of some generations, a ring buffer.
    selves: Vec<Network>,
    group: Box<dyn WorkerGroup>,
    /// Number of completed rounds of the current generation.
    round: u32,
    /// Sum of the gradient norms.
    lengths: f64,
    past: Arc<Vec<TrainingRow>>,
    /// The state and the network at the end of the newest generation; empty before.
    kept: Vec<u8>,
    newest: Option<NetworkSnapshot>,
    /// The network of the newest measurement since the start or the resumption.
    measured: Option<NetworkSnapshot>,
    probes: Arc<[Probe]>,
    pace: Pace,
}

impl Training {
    /// Starts a training.
    ///
    /// # Errors
    /// The settings cannot be used: a sentence.
    pub fn start(settings: Settings) -> Result<Training, Error> {
        settings.check()?;
        let network = Network::random(settings.shape()?, &mut rng::keyed(&[settings.seed, WEIGHTS]))?;
        let adam = Adam::new(network.parameters().len(), Betas::default(), settings.epsilon as f32);
        let group = start_group(&settings, &network);
        let probes = view::probes(&settings.variant);
        Ok(Training {
            settings: Arc::new(settings),
            network,
            adam,
            selves: Vec::new(),
            group,
            round: 0,
            lengths: 0.0,
            past: Arc::default(),
            kept: Vec::new(),
            newest: None,
            measured: None,
            probes,
            pace: Pace::default(),
        })
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns one row per completed generation.
    pub fn past(&self) -> &[TrainingRow] {
        &self.past
    }

    /// Returns the network at the end of the newest generation.
    pub fn network(&self) -> Option<&Network> {
        self.newest.as_ref().map(|learned| &*learned.network)
    }

    /// Returns the current generation.
    fn under_way(&self) -> u64 {
        self.past.len() as u64
    }

    /// Plays a part of a round or of a measurement; returns the row if that completes the generation.
    ///
    /// # Errors
    /// Returns an error with the cause and the remedy if the training diverges.
    fn go_on(&mut self, pool: &Pool, budget: Budget) -> Result<Option<(String, Sums)>, Error> {
        let settings = Arc::clone(&self.settings);
        let generation = self.under_way();
        if self.round < settings.rounds {
            match settings.schedule {
                Schedule::Fixed => self.play_in_order(&settings, pool, budget),
                Schedule::Free => self.play_freely(&settings, pool, budget),
            }
            return Ok(None);
        }
        if !self.is_finite() {
            return Err(boundless(generation).into());
        }
        let panel = match settings.is_measured(generation) {
            true => self.group.measure(&settings, &self.network, generation, pool, budget),
            false => Some(Vec::new()),
        };
        let Some(panel) = panel else { return Ok(None) };
        let sums = self.group.sums();
        let lengths = std::mem::take(&mut self.lengths);
        let mut past = TrainingRow::new(&settings, generation, self.past.last(), sums, lengths, panel);
        // Rounds the numbers as they are printed, so that a resumed training has the same values.
        let values = past.print().ok_or_else(|| boundless(generation))?;
        Arc::make_mut(&mut self.past).push(past);
        self.remember_itself(generation);
        self.conclude(&values);
        Ok(Some((values, sums)))
    }

    /// Returns whether all weights and norms are finite.
    fn is_finite(&self) -> bool {
        self.lengths.is_finite() && self.network.parameters().iter().all(|number| number.is_finite())
    }

    /// Plays a part of a round; at its end the gradients are applied in order.
    fn play_in_order(&mut self, settings: &Settings, pool: &Pool, budget: Budget) {
        if self.group.play(settings, &self.selves, pool, budget) {
            let rate = settings.rate_in(self.under_way()) as f32;
            self.lengths += self.group.apply(&mut self.network, &mut self.adam, settings, rate);
            self.round += 1;
        }
    }

    /// Plays a part of a generation in which no worker waits for another.
    fn play_freely(&mut self, settings: &Settings, pool: &Pool, budget: Budget) {
        let rate = settings.rate_in(self.under_way()) as f32;
        let learner = (&mut self.network, &mut self.adam);
        let (round, lengths) = self.group.play_freely(learner, settings, &self.selves, rate, (pool, budget));
        self.round = round;
        self.lengths += lengths;
    }

    /// Stores the network as a past self, if it is due.
    fn remember_itself(&mut self, generation: u64) {
        let Settings { past, past_every, .. } = *self.settings;
        if !(generation + 1).is_multiple_of(past_every) {
            return;
        }
        let nth = (generation / past_every) as usize % past;
        match self.selves.get_mut(nth) {
            Some(oldest) => oldest.clone_from(&self.network),
            None => self.selves.push(self.network.clone()),
        }
    }

    /// Encodes the state at the end of the generation with this row.
    fn conclude(&mut self, row: &str) {
        self.round = 0;
        self.learned();
        let mut out = Encoder::new();
        out.text(row);
        out.floats(self.network.parameters());
        self.adam.save(&mut out);
        out.small(self.selves.len() as u64);
        self.selves.iter().for_each(|network| out.floats(network.parameters()));
        self.group.save(&mut out);
        self.kept = out.finish();
    }

    /// Restores the state that [`conclude`](Training::conclude) encoded.
    pub(super) fn take_up(&mut self, state: &[u8], newest: &str) -> Result<(), Error> {
        let mut from = Decoder::new(state);
        if from.text()? != newest {
            bail!("the checkpoint does not match the newest row of generations.csv");
        }
        from.floats_into(self.network.parameters_mut())?;
        self.adam.restore(&mut from)?;
        let count = from.count()?;
        if count > self.settings.past {
            bail!("the checkpoint must hold at most {} past selves (got {count})", self.settings.past);
        }
        for _ in 0..count {
            let mut network = self.network.clone();
            from.floats_into(network.parameters_mut())?;
            self.selves.push(network);
        }
        self.group.restore(&mut from, &self.settings, &self.selves)?;
        from.end()?;
        self.learned();
        self.kept = state.to_vec();
        Ok(())
    }

    /// Publishes the network of the completed generation and its evaluations of the probes.
    fn learned(&mut self) {
        let network = Arc::new(self.network.clone());
        self.probes = view::evaluated(&self.probes, &network, &self.settings.encoding);
        self.newest = self.generation().map(|generation| NetworkSnapshot { generation, network });
        if self.past.last().is_some_and(|past| !past.panel.is_empty()) {
            self.measured = self.newest.clone();
        }
    }
}

/// Returns the message for a training that diverges.
fn boundless(generation: u64) -> String {
    format!(
        "in generation {generation} the network's weights diverged: its steps are too long. Start another run with a smaller \
         rate, clip or value, or with total=mean"
    )
}

impl Training {
    /// Restores a training from the output of [`save`](Run::save); `rows` are those up to then.
    ///
    /// # Errors
    /// The state is invalid or does not match the rows: a sentence.
    pub(super) fn restore(settings: Settings, state: &[u8], rows: Rows<'_>) -> Result<Training, Error> {
        let mut training = Training::start(settings)?;
        let players = training.settings.panel.players.len();
        let (past, newest) = rows.all(|row, before| TrainingRow::next(row, before, players))?;
        training.past = Arc::new(past);
        training.take_up(state, &newest)?;
        Ok(training)
    }

    /// Returns the view of a run of another process, with the network of the checkpoint: the first item after the row in
    /// the result of `conclude`.
    pub(super) fn view_from_checkpoint(settings: &Settings, state: &[u8], seen: &TrainingView) -> Option<TrainingView> {
        let mut from = Decoder::new(state);
        let generation = from.text().ok()?.split(',').next()?.parse().ok()?;
        let mut network = Network::new(settings.shape().ok()?).ok()?;
        from.floats_into(network.parameters_mut()).ok()?;
        let probes = view::evaluated(&seen.probes, &network, &settings.encoding);
        let learned = Some(NetworkSnapshot { generation, network: Arc::new(network) });
        let is_measured = seen.past.get(generation as usize).is_some_and(|past| !past.panel.is_empty());
        let measured_network = learned.clone().filter(|_| is_measured);
        Some(TrainingView { learned, measured_network, probes, ..seen.clone() })
    }

    /// Returns a view, cheap to create and clone.
    pub fn view(&self) -> TrainingView {
        let Pace { spent, total, games_per_second, decisions_per_second } = self.pace;
        TrainingView {
            settings: Arc::clone(&self.settings),
            generation: self.under_way().min(self.settings.generations),
            finished: self.is_over(),
            round: self.round,
            is_own: true,
            games_per_second,
            decisions_per_second,
            spent: total + spent,
            past: Arc::clone(&self.past),
            learned: self.newest.clone(),
            measured_network: self.measured.clone(),
            probes: Arc::clone(&self.probes),
        }
    }
}

impl Run for Training {
    fn advance(&mut self, pool: &Pool, budget: Budget) -> Progress {
        if self.is_over() {
            return Progress::Done;
        }
        let began = Instant::now();
        loop {
            match self.go_on(pool, budget) {
                Ok(Some((values, sums))) => {
                    self.pace.spent += began.elapsed();
                    let timings = self.pace.conclude(self.under_way() - 1, sums);
                    return Progress::Generation(Row { values, timings });
                }
                Ok(None) => {}
                Err(reason) => return Progress::Halted(reason),
            }
            if budget.is_spent() {
                self.pace.spent += began.elapsed();
                return Progress::Working;
            }
        }
    }

    fn generation(&self) -> Option<u64> {
        self.under_way().checked_sub(1)
    }

    fn is_over(&self) -> bool {
        self.under_way() > self.settings.generations
    }

    fn save(&self, _pool: &Pool) -> Vec<u8> {
        self.kept.clone()
    }

    fn restore_timings(&mut self, row: &str) {
        self.pace.restore_timings(row);
    }

    fn product(&self) -> Option<(&'static str, Vec<u8>)> {
        let (NetworkSnapshot { network, .. }, past) = (self.newest.as_ref()?, self.past.last()?);
        Some((NETWORK, file::write(network, &notes(&self.settings, past))))
    }

    /// The newest measurement, and the path of the network.
    fn best(&self) -> String {
        let Some(past) = self.past.last() else { return String::new() };
        let mut text = format!("# generation {}, after {} games", past.generation, past.games);
        if !self.settings.is_reproducible() {
            text += &format!(", {NOT_REPRODUCIBLE}");
        }
        let view = self.view();
        if let Some((generation, met)) = view.measured() {
            let mean = met.iter().map(|met| (met.percent(0) + met.percent(1)) / 2.0).sum::<f64>() / met.len() as f64;
            text += &format!(": {mean:.1} % against the panel in generation {generation}");
            text += "\n# won, drawn and lost of the games that it began / of the others; seen: it trains against them";
            for (met, player) in met.iter().zip(&view.settings.panel.players) {
                let what = if view.is_seen(player) { "seen" } else { "unseen" };
                text += &format!("\n{player} ({what}): {met}");
            }
        }
        format!("{text}\n# the network is in {NETWORK}\n")
    }

    fn view(&self) -> View {
        View::new(Training::view(self))
    }
}
