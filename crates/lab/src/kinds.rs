//! The kinds of runs, and the list of them.
//!
//! A new kind needs a module whose settings implement [`RunSettings`] and [`Experiment`] and whose computation implements
//! [`Run`](crate::job::Run) and [`Watched`](crate::job::Watched), and an entry in [`KINDS`]; a problem or a task needs a line in its kind.

use mancalab_base::Error;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use crate::arena;
use crate::evaluations::{self, Learnable};
use crate::evolve::checkers::CheckersWeights;
use crate::evolve::ga::{self, Task};
use crate::evolve::gp::GpSettings;
use crate::evolve::inspect::Inspect;
use crate::evolve::kalah::hybrid::HybridWeights;
use crate::evolve::kalah::network::NetworkWeights;
use crate::evolve::kalah::weights::HeuristicWeights;
use crate::evolve::kalah::{self, KalahProblem};
use crate::evolve::othello::{self, OthelloProblem};
use crate::evolve::problems::AnyProblem;
use crate::evolve::task::AnyTask;
use crate::experiment::Experiment;
use crate::game::checkers::Checkers;
use crate::game::othello::Othello;
use crate::job::{Extension, Form, Manifest, RunJob, RunReader, RunSettings, RunWatcher};
use crate::pool::Pool;
use crate::train;

pub use mancalab_runs::conduct::is_less_better;

/// The word of tournaments in files.
pub const TOURNAMENTS: &str = "arena";

/// All kinds of runs.
pub static KINDS: &[Kind] = &[
    Kind::new("evolve", &[Member::evolving::<KalahProblem>(), Member::evolving::<OthelloProblem>()]),
    Kind::new(
        "tune",
        &[
            Member::tuning::<HeuristicWeights>(),
            Member::tuning::<CheckersWeights>(),
            Member::tuning::<HybridWeights>(),
            Member::tuning::<NetworkWeights>(),
        ],
    ),
    Kind::new(
        "train",
        &[
            Member::new::<train::Settings>(train::settings::FORM, train::PRESETS, |name| {
                Some(Preset::new("networks", train::preset(name)?))
            }),
            Member::learning::<Othello>(),
            Member::learning::<Checkers>(),
        ],
    ),
    Kind {
        unit: "round",
        units: "rounds",
        first: 1,
        count: "games",
        ..Kind::new(
            TOURNAMENTS,
            &[Member::new::<arena::Settings>(arena::settings::FORM, arena::PRESETS, |name| {
                Some(Preset::new("", arena::preset(name)?))
            })],
        )
    },
];

static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| KINDS.iter().flat_map(Kind::forms).collect());

/// Returns the file formats of all kinds of runs.
pub fn forms() -> &'static [Form] {
    &FORMS
}

/// Properties of the runs of a command.
#[derive(Debug)]
pub struct Kind {
    /// The word in files, and of the command that drives the runs, except where [`typed`](Kind::typed) is another.
    pub command: &'static str,
    /// Unit of progress, and its plural.
    pub unit: &'static str,
    pub units: &'static str,
    /// Displayed number of the first unit.
    pub first: u64,
    /// Displayed name of the length of a run; `generations` is a setting then.
    pub count: &'static str,
    members: &'static [Member],
}

/// Runs with the same type of settings, among those of a command.
#[derive(Debug)]
struct Member {
    form: Form,
    /// The presets: (name, description). The first is the default.
    presets: &'static [(&'static str, &'static str)],
    preset: fn(&str) -> Option<Preset>,
    experiment: fn(&dyn RunSettings) -> Option<&dyn Experiment>,
    /// The problem, for genetic programming.
    problem: fn(&dyn RunSettings) -> Option<Arc<dyn AnyProblem>>,
    /// The task, for a genetic algorithm.
    task: fn(&dyn RunSettings) -> Option<Arc<dyn AnyTask>>,
}

/// The settings of a preset, with seed 1.
struct Preset {
    /// What distinguishes them from others of the command, such as the game; empty if there is only one type.
    title: String,
    settings: Box<dyn RunSettings>,
}

impl Preset {
    fn new(title: impl Into<String>, settings: impl Into<Box<dyn RunSettings>>) -> Preset {
        Preset { title: title.into(), settings: settings.into() }
    }
}

impl Member {
    const fn new<S: Experiment>(
        form: Form,
        presets: &'static [(&'static str, &'static str)],
        preset: fn(&str) -> Option<Preset>,
    ) -> Member {
        Member {
            form,
            presets,
            preset,
            experiment: |settings| settings.get::<S>().map(|settings| settings as &dyn Experiment),
            problem: |_| None,
            task: |_| None,
        }
    }

    const fn evolving<P: Inspect>() -> Member {
        Member {
            problem: |settings| Some(Arc::new(GpSettings::<P>(Arc::clone(&settings.get::<GpSettings<P>>()?.0)))),
            ..Member::new::<GpSettings<P>>(GpSettings::<P>::FORM, P::PRESETS, |name| {
                let settings = P::preset(name)?;
                Some(Preset::new(P::game(&settings).title(), GpSettings::<P>::new(settings)))
            })
        }
    }

    const fn tuning<T: Task>() -> Member {
        Member {
            task: |settings| Some(Arc::new(settings.get::<ga::Settings<T>>()?.clone())),
            ..Member::new::<ga::Settings<T>>(ga::Settings::<T>::FORM, T::PRESETS, |name| {
                let settings = T::preset(name)?;
                Some(Preset::new(settings.task.game().title(), settings))
            })
        }
    }

    const fn learning<G: Learnable>() -> Member {
        Member::new::<evaluations::Settings>(G::SUBJECT.form(), std::slice::from_ref(&G::SUBJECT.preset), |name| {
            (name == G::SUBJECT.preset.0)
                .then(|| Preset::new(format!("{} of {}", G::LEARNED, G::SUBJECT.title), G::usual()))
        })
    }
}

/// Returns the command that a person types for a word in files.
pub fn typed(command: &str) -> &str {
    if command == TOURNAMENTS { "match" } else { command }
}

impl Kind {
    /// A kind whose runs have generations.
    const fn new(command: &'static str, members: &'static [Member]) -> Kind {
        Kind { command, unit: "generation", units: "generations", first: 0, count: "generations", members }
    }

    /// Returns the command that drives these runs; `command` is the word in files.
    pub fn typed(&self) -> &'static str {
        typed(self.command)
    }

    /// Returns the presets: (name, description).
    pub fn presets(&self) -> Vec<(&'static str, &'static str)> {
        self.members.iter().flat_map(|member| member.presets).copied().collect()
    }

    /// Returns the settings of a preset, with seed 1; `None` if the name is not in [`presets`](Kind::presets).
    pub fn preset(&self, name: &str) -> Option<Box<dyn RunSettings>> {
        self.members.iter().find_map(|member| (member.preset)(name)).map(|preset| preset.settings)
    }

    /// Returns example settings that together have all keys, each with its title; one if all presets have the same
    /// keys.
    pub fn samples(&self) -> Vec<(String, Box<dyn RunSettings>)> {
        let mut samples: Vec<(String, Box<dyn RunSettings>)> = Vec::new();
        for member in self.members {
            let Some((name, _)) = member.presets.first() else { continue };
            let Some(Preset { title, settings }) = (member.preset)(name) else { continue };
            // Two members may be for the same game.
            let is_taken = samples.iter().any(|(other, _)| *other == title);
            samples.push((if is_taken { (*name).to_owned() } else { title }, settings));
        }
        samples
    }

    /// Returns the column for comparing runs with these columns, if they have it.
    pub fn curve(&self, columns: &[String]) -> Option<&'static str> {
        let mut curves = self.forms().filter_map(|form| form.curve);
        curves.find(|curve| columns.iter().any(|column| column == curve))
    }

    fn forms(&self) -> impl Iterator<Item = Form> {
        self.members.iter().map(|member| member.form)
    }

    /// Returns the file format with this word in `run.toml`, if it is one of these runs.
    pub(crate) fn form(&self, word: &str) -> Option<Form> {
        self.forms().find(|form| form.kind == word)
    }

    /// Returns the values of `kind` in `run.toml`.
    pub fn words(&self) -> Vec<&'static str> {
        self.forms().map(|form| form.kind).collect()
    }

    /// Returns whether `word` is one of them.
    pub fn is(&self, word: &str) -> bool {
        self.form(word).is_some()
    }
}

/// Properties of settings that follow from the list of kinds.
pub trait KindOf {
    fn kind(&self) -> &'static Kind;

    /// Returns the settings for plans.
    fn experiment(&self) -> &dyn Experiment;

    /// Returns the problem, for genetic programming.
    fn problem(&self) -> Option<Arc<dyn AnyProblem>>;

    /// Returns the task, for a genetic algorithm.
    fn task(&self) -> Option<Arc<dyn AnyTask>>;

    /// Returns all settings as (key, text), seed and generations first.
    fn texts(&self) -> Vec<(String, String)>;
}

impl KindOf for dyn RunSettings {
    fn kind(&self) -> &'static Kind {
        by_word(self.form().kind).expect("every kind of run is in the list of kinds")
    }

    fn experiment(&self) -> &dyn Experiment {
        members().find_map(|member| (member.experiment)(self)).expect("every kind of run is in the list of kinds")
    }

    fn problem(&self) -> Option<Arc<dyn AnyProblem>> {
        members().find_map(|member| (member.problem)(self))
    }

    fn task(&self) -> Option<Arc<dyn AnyTask>> {
        members().find_map(|member| (member.task)(self))
    }

    fn texts(&self) -> Vec<(String, String)> {
        let Manifest { seed, generations, .. } = self.manifest();
        let generations = (self.kind().count == "generations").then(|| ("generations", generations.to_string()));
        let head = std::iter::once(("seed", seed.to_string())).chain(generations);
        let list = self.list().into_iter().map(|(key, _, value)| (key, value));
        head.chain(list).map(|(key, value)| (key.to_owned(), value)).collect()
    }
}

fn members() -> impl Iterator<Item = &'static Member> {
    KINDS.iter().flat_map(|kind| kind.members)
}

impl From<kalah::Settings> for Box<dyn RunSettings> {
    fn from(settings: kalah::Settings) -> Box<dyn RunSettings> {
        GpSettings::<KalahProblem>::new(settings).into()
    }
}

impl From<othello::Settings> for Box<dyn RunSettings> {
    fn from(settings: othello::Settings) -> Box<dyn RunSettings> {
        GpSettings::<OthelloProblem>::new(settings).into()
    }
}

/// Returns the kind of a command.
pub fn by_command(command: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.command == command)
}

/// Returns the kind with this word in `run.toml`.
pub fn by_word(word: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.is(word))
}

/// Returns the kind with this word in `run.toml`.
///
/// # Errors
/// This version does not know the kind.
pub fn known(word: &str) -> Result<&'static Kind, Error> {
    by_word(word).ok_or_else(|| format!("this version of mancalab has no runs of the kind '{word}'").into())
}

/// Returns the settings of the run in a directory.
///
/// # Errors
/// The directory cannot be read; the error lists all problems.
pub fn settings(folder: &Path) -> Result<Box<dyn RunSettings>, Error> {
    RunReader::open(folder)?.settings(forms())
}

/// Resumes the run in a directory; see [`RunJob::resume`].
///
/// # Errors
/// Those of [`RunJob::resume`].
pub fn resume(folder: &Path, pool: &Pool) -> Result<(RunJob, Vec<String>), Error> {
    RunJob::resume(folder, forms(), pool)
}

/// Resumes the run in a directory with more generations or other rules; see [`RunJob::extend`].
///
/// # Errors
/// Those of [`RunJob::extend`].
pub fn extend(folder: &Path, extension: impl Into<Extension>, pool: &Pool) -> Result<(RunJob, Vec<String>), Error> {
    RunJob::extend(folder, extension, forms(), pool)
}

/// Finds a run with the same results as these settings; see [`RunJob::twin`].
pub fn twin(runs: &Path, settings: &dyn RunSettings) -> Option<PathBuf> {
    RunJob::twin(runs, settings, forms())
}

/// Follows the run in a directory; see [`RunWatcher::open`].
///
/// # Errors
/// Those of [`RunWatcher::open`].
pub fn watch(folder: &Path) -> Result<RunWatcher, Error> {
    RunWatcher::open(folder, forms())
}
