//! The settings of a training.

use super::opponents::{self, Opponent, Who};
use crate::codec::checksum;
use crate::game::planes::encoding;
use crate::game::{Planes, Variant, with_position};
use crate::net::{Shape, Weighing};
use crate::player::Spec;
use crate::settings::{Entry, Listed as _, Tabled, entry, list_of, words_of};
use mancalab_base::{Error, bail};

/// Numbers that all networks of a training may hold: 2 GiB, so that what it keeps can be read again.
const MOST_NUMBERS: usize = 1 << 29;

/// All that decides what a training computes.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The preset they started from.
    pub preset: String,
    pub seed: u64,
    /// Generations after the first, number 0.
    pub generations: u64,
    pub variant: Variant,
    /// The name of one of the game's encodings.
    pub encoding: String,
    /// Units of each hidden layer.
    pub hidden: Vec<usize>,
    /// Copies of the network that play by themselves, 1 to 256.
    pub workers: usize,
    pub schedule: Schedule,
    /// Rounds a generation: in each every worker has a gradient applied.
    pub rounds: u32,
    /// Decisions a worker makes in a round; 0 for those of one game.
    pub steps: u32,
    pub opponents: Vec<Opponent>,
    /// How many of its past selves can be met, the newest; 1 to 64.
    pub past: usize,
    /// Every so many generations the network becomes one of these.
    pub past_every: u64,
    /// Random moves at the beginning of a game: from 0 to so many in training, as many where it is measured.
    pub opening: u32,
    /// What the future counts, a decision ahead.
    pub gamma: f64,
    /// What the values further ahead count when a decision is judged.
    pub lambda: f64,
    /// What an own seed (or disc) more between two own decisions is worth beside a game won.
    pub shaping: f64,
    /// What of the values' error, and of the policy's entropy, the loss has.
    pub value: f64,
    pub entropy: f64,
    pub total: Total,
    /// No gradient is longer.
    pub clip: f64,
    /// Adam's rate at the beginning, and from generation `decay` on.
    pub rate: f64,
    pub rate_end: f64,
    pub decay: u64,
    /// Adam's epsilon.
    pub epsilon: f64,
    /// Whom the network is measured against.
    pub panel: Vec<Spec>,
    /// Games against each of them in either seat.
    pub panel_games: u32,
    /// Every so many generations, and at the end of the last.
    pub panel_every: u64,
    /// At the end of these generations as well: of a run that was extended, those that were the last.
    pub panel_at: Vec<u64>,
}

/// When the workers' gradients are applied to the global network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Schedule {
    /// At the end of each round, one after the other: what is computed follows from the settings.
    #[default]
    Fixed,
    /// As soon as there is one, by whichever thread has it: what is computed follows from how fast the threads were, too.
    Free,
}

impl Schedule {
    pub const WORDS: &'static [(&'static str, Schedule)] = &[("fixed", Schedule::Fixed), ("free", Schedule::Free)];
}
words_of!(Schedule);

/// How the losses of a worker's decisions become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Total {
    #[default]
    Mean,
    Sum,
}

impl Total {
    pub const WORDS: &'static [(&'static str, Total)] = &[("mean", Total::Mean), ("sum", Total::Sum)];
}
words_of!(Total);

/// Numbers of generations with commas between them, perhaps none.
fn generations(text: &str) -> Result<Vec<u64>, Error> {
    let listed = text.trim_start_matches('[').trim_end_matches(']');
    let numbers = listed.split(',').map(str::trim).filter(|number| !number.is_empty());
    let read: Option<Vec<u64>> = numbers.map(|number| number.parse().ok().filter(|n| *n <= 1_000_000)).collect();
    read.ok_or_else(|| Error::expected("numbers from 0 to 1000000 with commas between them, as in [400, 600], or []"))
}

/// Whole numbers with commas between them.
fn sizes(text: &str) -> Result<Vec<usize>, Error> {
    let read: Option<Vec<usize>> = text.split([',', '-']).map(|size| size.trim().parse().ok()).collect();
    let sizes = read.filter(|sizes| sizes.len() <= 4 && sizes.iter().all(|size| (1..=1024).contains(size)));
    sizes.ok_or_else(|| Error::expected("up to four numbers from 1 to 1024, as in 64-64"))
}

impl Settings {
    /// # Errors
    /// Which settings do not go together.
    pub fn check(&self) -> Result<(), Error> {
        let shape = self.shape()?;
        shape.check()?;
        // Each worker has weights and a gradient, each past self weights, and the learner two moments besides; all of it is kept.
        let numbers = shape.parameters() * (2 * self.workers + self.past + 3);
        if numbers > MOST_NUMBERS {
            bail!(
                "hidden, workers and past: networks of {} numbers, for {} workers and {} past selves, take {} MiB; {} are the most",
                shape.parameters(),
                self.workers,
                self.past,
                numbers >> 18,
                MOST_NUMBERS >> 18
            );
        }
        opponents::check(self.players(), &self.variant)
    }

    /// All who are met in training or in the panel, but for the network itself.
    fn players(&self) -> impl Iterator<Item = &Spec> {
        let trained = self.opponents.iter().filter_map(|opponent| match &opponent.who {
            Who::Player(spec) => Some(&**spec),
            Who::Itself | Who::Past => None,
        });
        trained.chain(&self.panel)
    }

    /// The names of the game's encodings.
    pub fn encodings(&self) -> Vec<&'static str> {
        fn of<G: Planes>(_: &G) -> Vec<&'static str> {
            G::ENCODINGS.iter().map(|(name, _)| *name).collect()
        }
        with_position!(self.variant.start(), start => of(&start))
    }

    /// The network's size.
    ///
    /// # Errors
    /// The game has no such encoding.
    pub(super) fn shape(&self) -> Result<Shape, Error> {
        fn sizes<G: Planes>(start: &G, name: &str) -> Result<(usize, usize), Error> {
            let known = || G::ENCODINGS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" or ");
            let encoding = encoding::<G>(name)
                .ok_or_else(|| format!("encoding: {} is expected for this game; '{name}' is not", known()))?;
            Ok((start.inputs(encoding), start.outputs()))
        }
        let (inputs, outputs) = with_position!(self.variant.start(), start => sizes(&start, &self.encoding))?;
        Ok(Shape { inputs, hidden: self.hidden.clone(), outputs })
    }

    /// Whether the rows follow from the settings alone.
    pub fn is_reproducible(&self) -> bool {
        self.schedule == Schedule::Fixed
    }

    pub(super) fn weighing(&self) -> Weighing {
        Weighing { value: self.value as f32, entropy: self.entropy as f32 }
    }

    /// The rate of learning in a generation.
    pub fn rate_in(&self, generation: u64) -> f64 {
        let share = generation.min(self.decay) as f64 / self.decay as f64;
        self.rate + (self.rate_end - self.rate) * share
    }

    /// Whether the network is measured at the end of a generation: the last always is, so that there are figures of what a run gives.
    pub fn is_measured(&self, generation: u64) -> bool {
        let is_due = (generation + 1).is_multiple_of(self.panel_every) || self.panel_at.contains(&generation);
        !self.panel.is_empty() && (is_due || generation == self.generations)
    }

    /// The first generation that is measured; `None` if there is no panel.
    pub fn first_measured(&self) -> Option<u64> {
        let due = self.panel_at.iter().copied().chain([self.panel_every - 1, self.generations]);
        due.min().filter(|_| !self.panel.is_empty())
    }

    /// The settings of a longer run that has the same rows so far: what was the last generation stays measured.
    ///
    /// # Errors
    /// There are no runs so long.
    pub(super) fn extended(&self, generations: u64) -> Result<Settings, Error> {
        let mut settings = self.clone();
        settings.set("generations", &generations.to_string())?;
        if self.is_measured(self.generations) && !settings.is_measured(self.generations) {
            settings.panel_at.push(self.generations);
        }
        Ok(settings)
    }

    /// What is read from files: players' texts with checksums of what they hold.
    pub(super) fn files(&self) -> Vec<(String, u64)> {
        let read = |spec: &Spec| Some((spec.to_string(), checksum(spec.contents()?.as_bytes())));
        self.players().filter_map(read).collect()
    }
}

impl Tabled for Settings {
    fn entries() -> Vec<Entry<Settings>> {
        vec![
            entry!(seed: whole(0, i64::MAX as u64), "decides all random choices").common(),
            entry!(generations: whole(0, 1_000_000), "generations after the first").common(),
            entry!("game", variant: word, "the game that is learned, such as kalah:6x4:standard"),
            Entry::new(
                "encoding",
                "how positions are put before the network: for Kalah counts or outlook, for Othello discs, for checkers pieces",
                |s: &Settings| s.encoding.clone(),
                |s, text| {
                    text.clone_into(&mut s.encoding);
                    Ok(())
                },
            ),
            Entry::new(
                "hidden",
                "units of the hidden layers, up to four numbers from 1 to 1024",
                |s: &Settings| s.hidden.iter().map(usize::to_string).collect::<Vec<_>>().join("-"),
                |s, text| sizes(text).map(|sizes| s.hidden = sizes),
            ),
            entry!(workers: whole(1, 256), "copies of the network that play by themselves, 1 to 256"),
            entry!(
                schedule: one_of(Schedule::WORDS),
                "when their gradients are applied: fixed, in their order; free, as they come, which is not reproducible"
            )
            .before("fixed"),
            entry!(rounds: whole(1, 10_000), "gradients of each worker in a generation, 1 to 10000"),
            entry!(steps: whole(0, 1000), "decisions that a gradient is made of, 1 to 1000; 0 for those of one game"),
            Entry::new(
                "opponents",
                "whom it plays against, each with a share such as 50*: players, self, past",
                |s: &Settings| list_of(s.opponents.iter().map(ToString::to_string)),
                |s, text| opponents::opponents(text).map(|opponents| s.opponents = opponents),
            ),
            entry!(past: whole(1, 64), "how many of its past selves it may meet, the newest, 1 to 64"),
            entry!(past_every: whole(1, 100_000), "generations between two of these, 1 to 100000"),
            entry!(
                opening: whole(0, 20),
                "random moves a game begins with: from 0 to so many in training, as many in the panel, 0 to 20"
            ),
            entry!(gamma: real(0.0, 1.0), "what the future counts a decision ahead, 0 to 1"),
            entry!(lambda: real(0.0, 1.0), "how far decisions are judged by what came instead of by the values, 0 to 1"),
            entry!(shaping: real(0.0, 1.0), "what a lead larger by one is worth beside a game won, 0 to 1"),
            entry!(value: real(0.0, 100.0), "what the error of the values weighs in the loss, 0 to 100"),
            entry!(entropy: real(0.0, 1.0), "what the policy's entropy weighs in the loss, 0 to 1"),
            entry!(total: one_of(Total::WORDS), "how the losses of a gradient's decisions become one: mean or sum"),
            entry!(clip: real(0.001, 1000.0), "the length beyond which a gradient is shortened, 0.001 to 1000"),
            entry!(rate: real(0.0, 1.0), "the rate of learning at the beginning, 0 to 1"),
            entry!(rate_end: real(0.0, 1.0), "the rate of learning once it no longer falls, 0 to 1"),
            entry!(decay: whole(1, 1_000_000), "generations in which the rate falls from the one to the other, 1 to 1000000"),
            entry!(epsilon: real(1e-12, 1.0), "what Adam adds to the root of the squares, 1e-12 to 1"),
            Entry::new(
                "panel",
                "players that it is measured against",
                |s: &Settings| list_of(s.panel.iter().map(ToString::to_string)),
                |s, text| opponents::players(text).map(|panel| s.panel = panel),
            ),
            entry!(panel_games: whole(1, 10_000), "games against each of them in either seat, 1 to 10000"),
            entry!(panel_every: whole(1, 100_000), "generations between two such measurements, 1 to 100000"),
            Entry::new(
                "panel_at",
                "generations at whose end it is measured, too, besides the last",
                |s: &Settings| format!("{:?}", s.panel_at),
                |s, text| generations(text).map(|generations| s.panel_at = generations),
            )
            .before("[]"),
        ]
    }
}
