//! The settings of a training.

use mancalab_base::{Error, bail};

use super::opponents::{self, Opponent, Who};
use super::row::{self, COLUMNS};
use super::{Training, View as TrainingView};
use crate::experiment::Experiment;
use crate::game::planes::encoding;
use crate::game::{Planes, Variant, with_position};
use crate::job::conduct::Conduct;
use crate::job::{Form, Manifest, Rows, Run, RunSettings, View, Watched};
use crate::measuring::{self, MeasuredSettings, PanelSettings};
use crate::net::{LossWeights, Shape};
use crate::player::Spec;
use crate::settings::{Diagnostic, Entry, KeyedSettings as _, SettingsTable, Table, entry, list_of, string_enum};

/// Maximum number of weights and gradients of all networks of a training: 2 GiB, so that checkpoints can be read again.
const MOST_NUMBERS: usize = 1 << 29;

/// All settings that determine the results of a training.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The preset they started from.
    pub preset: String,
    pub seed: u64,
    /// Generations after the initial one, number 0.
    pub generations: u64,
    pub variant: Variant,
    /// The name of one of the game's encodings.
    pub encoding: String,
    /// Units of each hidden layer.
    pub hidden: Vec<usize>,
    /// Number of workers, 1 to 256.
    pub workers: usize,
    pub schedule: Schedule,
    /// Rounds per generation. In each round every worker has one gradient applied.
    pub rounds: u32,
    /// Decisions of a worker per round; 0 for those of one game.
    pub steps: u32,
    pub opponents: Vec<Opponent>,
    /// Number of stored past selves, the newest ones; 1 to 64.
    pub past: usize,
    /// Generations between two of them.
    pub past_every: u64,
    /// Random moves at the start of a game: 0 to this number in training, exactly this number in the panel.
    pub opening: u32,
    /// Discount factor per decision.
    pub gamma: f64,
    /// The λ of generalized advantage estimation.
    pub lambda: f64,
    /// Reward for a lead larger by one seed (or disc) between two own decisions, relative to a won game.
    pub shaping: f64,
    /// Weights of the value error and of the policy's entropy in the loss.
    pub value: f64,
    pub entropy: f64,
    pub total: Total,
    /// Maximum norm of a gradient.
    pub clip: f64,
    /// Adam's learning rate at the start, and from generation `decay` on.
    pub rate: f64,
    pub rate_end: f64,
    pub decay: u64,
    /// Adam's epsilon.
    pub epsilon: f64,
    pub panel: PanelSettings,
    pub conduct: Conduct,
}

/// When the workers' gradients are applied to the global network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Schedule {
    /// At the end of each round, in order: the results depend on the settings alone.
    #[default]
    Fixed,
    /// As soon as it is ready, by any thread: the results depend on the timing of the threads.
    Free,
}

string_enum!(Schedule { "fixed" => Fixed, "free" => Free });

/// How the losses of a worker's decisions are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Total {
    #[default]
    Mean,
    Sum,
}

string_enum!(Total { "mean" => Mean, "sum" => Sum });

/// Parses integers separated by commas.
fn sizes(text: &str) -> Result<Vec<usize>, Error> {
    let read: Option<Vec<usize>> = text.split([',', '-']).map(|size| size.trim().parse().ok()).collect();
    let sizes = read.filter(|sizes| sizes.len() <= 4 && sizes.iter().all(|size| (1..=1024).contains(size)));
    sizes.ok_or_else(|| Error::expected("up to four numbers from 1 to 1024, as in 64-64"))
}

impl Settings {
    /// Checks settings that depend on each other.
    ///
    /// # Errors
    /// Returns an error if settings contradict each other.
    pub fn check(&self) -> Result<(), Error> {
        let shape = self.shape()?;
        shape.check()?;
        // Each worker has weights and a gradient, each past self has weights, and the learner has weights and two moments.
        let numbers = shape.parameters() * (2 * self.workers + self.past + 3);
        if numbers > MOST_NUMBERS {
            bail!(
                "hidden, workers and past: networks of {} numbers, {} workers and {} past selves take {} MiB (maximum: {} MiB)",
                shape.parameters(),
                self.workers,
                self.past,
                numbers >> 18,
                MOST_NUMBERS >> 18
            );
        }
        opponents::check(self.players(), &self.variant)
    }

    /// Returns all players in training or in the panel, without the network itself.
    pub(super) fn players(&self) -> impl Iterator<Item = &Spec> {
        let trained = self.opponents.iter().filter_map(|opponent| match &opponent.who {
            Who::Player(spec) => Some(&**spec),
            Who::Itself | Who::Past => None,
        });
        trained.chain(&self.panel.players)
    }

    /// Returns the names of the game's encodings.
    pub fn encodings(&self) -> Vec<&'static str> {
        fn names<G: Planes>(_: &G) -> Vec<&'static str> {
            G::ENCODINGS.iter().map(|(name, _)| *name).collect()
        }
        with_position!(self.variant.start(), start => names(&start))
    }

    /// Returns the dimensions of the network.
    ///
    /// # Errors
    /// Returns an error if the game has no such encoding.
    pub(super) fn shape(&self) -> Result<Shape, Error> {
        fn sizes<G: Planes>(start: &G, name: &str) -> Result<(usize, usize), Error> {
            let known = || G::ENCODINGS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" or ");
            let encoding = encoding::<G>(name)
                .ok_or_else(|| format!("encoding must be {} for this game (got {name})", known()))?;
            Ok((start.inputs(encoding), start.outputs()))
        }
        let (inputs, outputs) = with_position!(self.variant.start(), start => sizes(&start, &self.encoding))?;
        Ok(Shape { inputs, hidden: self.hidden.clone(), outputs })
    }

    /// Returns whether the rows depend on the settings alone.
    pub fn is_reproducible(&self) -> bool {
        self.schedule == Schedule::Fixed
    }

    pub(super) fn loss_weights(&self) -> LossWeights {
        LossWeights { value: self.value as f32, entropy: self.entropy as f32 }
    }

    /// Returns the learning rate of a generation.
    pub fn rate_in(&self, generation: u64) -> f64 {
        let share = generation.min(self.decay) as f64 / self.decay as f64;
        self.rate + (self.rate_end - self.rate) * share
    }
}

impl MeasuredSettings for Settings {
    fn panel(&self) -> &PanelSettings {
        &self.panel
    }

    fn panel_mut(&mut self) -> &mut PanelSettings {
        &mut self.panel
    }

    fn last(&self) -> u64 {
        self.generations
    }
}

impl SettingsTable for Settings {
    fn entries() -> Vec<Entry<Settings>> {
        let mut entries = vec![
            entry!(seed: whole(0, i64::MAX as u64), "decides all random choices").common(),
            entry!(generations: whole(0, 1_000_000), "generations after the initial one").common(),
            entry!("game", variant: word, "game to learn, such as kalah:6x4:standard"),
            Entry::new(
                "encoding",
                "input encoding: for Kalah counts or outlook, for Othello discs, for checkers pieces",
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
            entry!(workers: whole(1, 256), "parallel workers, each with a copy of the network, 1 to 256"),
            entry!(
                schedule: one_of(Schedule::WORDS),
                "when gradients are applied: fixed, in order; free, as they come (not reproducible)"
            )
            .before("fixed"),
            entry!(rounds: whole(1, 10_000), "gradients of each worker in a generation, 1 to 10000"),
            entry!(steps: whole(0, 1000), "decisions per gradient, 1 to 1000; 0: one game"),
            Entry::new(
                "opponents",
                "opponents, each with a share such as 50*: players, self, past",
                |s: &Settings| list_of(s.opponents.iter().map(ToString::to_string)),
                |s, text| opponents::opponents(text).map(|opponents| s.opponents = opponents),
            ),
            entry!(past: whole(1, 64), "stored past selves, the newest ones, 1 to 64"),
            entry!(past_every: whole(1, 100_000), "generations between past selves, 1 to 100000"),
            entry!(
                opening: whole(0, 20),
                "random moves at the start of a game: at most this many in training, exactly in the panel, 0 to 20"
            ),
            entry!(gamma: real(0.0, 1.0), "discount factor per decision, 0 to 1"),
            entry!(lambda: real(0.0, 1.0), "lambda of generalized advantage estimation, 0 to 1"),
            entry!(shaping: real(0.0, 1.0), "reward for a lead larger by one, relative to a win, 0 to 1"),
            entry!(value: real(0.0, 100.0), "weight of the value loss, 0 to 100"),
            entry!(entropy: real(0.0, 1.0), "weight of the policy's entropy in the loss, 0 to 1"),
            entry!(total: one_of(Total::WORDS), "reduction of the losses of a gradient: mean or sum"),
            entry!(clip: real(0.001, 1000.0), "maximum gradient norm, 0.001 to 1000"),
            entry!(rate: real(0.0, 1.0), "initial learning rate, 0 to 1"),
            entry!(rate_end: real(0.0, 1.0), "final learning rate, 0 to 1"),
            entry!(decay: whole(1, 1_000_000), "generations of learning rate decay, 1 to 1000000"),
            entry!(epsilon: real(1e-12, 1.0), "Adam's epsilon, 1e-12 to 1"),
        ];
        entries.extend(PanelSettings::entries_of(|s: &Settings| &s.panel, |s| &mut s.panel));
        entries.extend(Conduct::entries_of(|s: &Settings| &s.conduct, |s| &mut s.conduct));
        entries
    }
}

const KIND: &str = "actor-critic";

/// The file format of trainings.
pub(crate) const FORM: Form =
    Form { kind: KIND, format: 1, timing_columns: row::TIMING_COLUMNS, free: &[], curve: Some("won_percent"), read };

fn read(manifest: &Manifest, table: &Table<'_>, problems: &mut Vec<Diagnostic>) -> Box<dyn RunSettings> {
    let mut settings = super::presets::usual();
    settings.preset.clone_from(&manifest.preset);
    (settings.seed, settings.generations) = (manifest.seed, manifest.generations);
    settings.read(table, problems);
    if problems.is_empty() && manifest.reproducible != settings.is_reproducible() {
        let why = match manifest.reproducible {
            true => "schedule = \"free\" requires `reproducible = false` above",
            false => "`reproducible = false` requires schedule = \"free\"",
        };
        problems.push(Diagnostic::new(table.at(), why));
    }
    if problems.is_empty() {
        problems.extend(settings.check().err().map(|reason| Diagnostic::new(table.at(), reason.to_string())));
    }
    settings.into()
}

impl RunSettings for Settings {
    fn boxed(&self) -> Box<dyn RunSettings> {
        self.clone().into()
    }

    fn form(&self) -> Form {
        FORM
    }

    fn manifest(&self) -> Manifest {
        let reproducible = self.is_reproducible();
        Manifest { reproducible, ..Manifest::new(KIND, &self.preset, self.seed, self.generations) }
    }

    fn columns(&self) -> &'static str {
        COLUMNS
    }

    fn files(&self) -> Vec<(String, u64)> {
        measuring::files(self.players())
    }

    fn about_unlisted(&self, key: &str) -> Option<&'static str> {
        match key {
            "seed" => Some("decides all random choices; the same seed and settings give the same run"),
            "generations" => Some("generations of rounds after the initial one"),
            _ => None,
        }
    }

    fn offers(&self, key: &str) -> Vec<String> {
        match key {
            "game" => Variant::usual().iter().map(Variant::to_string).collect(),
            "encoding" => self.encodings().into_iter().map(str::to_owned).collect(),
            "schedule" => Schedule::WORDS.iter().map(|(word, _)| (*word).to_owned()).collect(),
            "total" => Total::WORDS.iter().map(|(word, _)| (*word).to_owned()).collect(),
            _ => Vec::new(),
        }
    }

    fn conduct(&self) -> Conduct {
        self.conduct
    }

    fn check(&self) -> Result<(), Error> {
        Settings::check(self)
    }

    /// The learning rate decays over a fixed number of generations, so the results do not depend on the number of generations.
    fn extended(&self, generations: u64) -> Result<Box<dyn RunSettings>, Error> {
        Ok(self.lengthened(generations)?.into())
    }

    fn start_unmeasured(&self) -> Result<Box<dyn Run>, Error> {
        Ok(Box::new(Training::start(self.clone())?))
    }

    fn restore_unmeasured(&self, state: &[u8], rows: Rows<'_>) -> Result<Box<dyn Run>, Error> {
        Ok(Box::new(Training::restore(self.clone(), state, rows)?))
    }

    fn watch_unmeasured(&self) -> Box<dyn Watched> {
        Box::new(TrainingView::empty(self.clone()))
    }

    fn view_from_checkpoint(&self, state: &[u8], seen: &dyn Watched) -> Option<View> {
        Training::view_from_checkpoint(self, state, seen.get()?).map(View::new)
    }
}

impl Experiment for Settings {}
