//! The kinds of runs there are, by the commands that drive them.

use std::path::Path;

use anyhow::{Result, bail};
use clap::ValueEnum;

use super::as_error;
use crate::arena::Tournament;
use crate::crew::Crew;
use crate::document::{Listed, Refusal};
use crate::evolve::{problems, tasks};
use crate::job::{Manifest, Run, RunJob, RunReader};
use crate::reproduce::tournament;
use crate::train::{self, Training};

/// A kind as flags name it: by its command.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum KindName {
    Evolve,
    Tune,
    Train,
    Arena,
}

/// Settings by their keys.
type Pairs = Vec<(String, String)>;

/// What is known of a kind of run.
pub struct Kind {
    /// The kind's words in `run.toml`.
    pub words: &'static [&'static str],
    pub name: KindName,
    /// The subcommand that drives it.
    pub command: &'static str,
    /// The number that people give the first generation.
    pub first: u64,
    /// The settings of a preset by their keys, `generations` among them where runs of the kind have it; `None` if it is no preset.
    pub preset: fn(&str) -> Option<Pairs>,
    /// Extends a run; gives what was odd, a sentence each.
    pub extend: fn(&Path, u64) -> Result<Vec<String>, Refusal>,
}

const KINDS: [Kind; 4] = [
    Kind {
        words: problems::AnyRun::KINDS,
        name: KindName::Evolve,
        command: "evolve",
        first: 0,
        preset: |name| listed::<problems::AnyRun>(&problems::AnySettings::preset(name).ok()?),
        extend: extend::<problems::AnyRun>,
    },
    Kind {
        words: tasks::AnyRun::KINDS,
        name: KindName::Tune,
        command: "tune",
        first: 0,
        preset: |name| listed::<tasks::AnyRun>(&tasks::AnySettings::preset(name).ok()?),
        extend: extend::<tasks::AnyRun>,
    },
    Kind {
        words: Training::KINDS,
        name: KindName::Train,
        command: "train",
        first: 0,
        preset: |name| listed::<Training>(&train::preset(name)?),
        extend: extend::<Training>,
    },
    Kind {
        words: Tournament::KINDS,
        name: KindName::Arena,
        command: "arena",
        first: 1,
        preset: |name| Some(texts(&tournament(name)?)),
        extend: extend::<Tournament>,
    },
];

fn texts(settings: &impl Listed) -> Pairs {
    settings.list().into_iter().map(|(key, _, value)| (key.to_owned(), value)).collect()
}

fn listed<R: Run<Settings: Listed>>(settings: &R::Settings) -> Option<Pairs> {
    let generations = ("generations".to_owned(), R::manifest(settings).generations.to_string());
    Some(std::iter::once(generations).chain(texts(settings)).collect())
}

fn extend<R: Run>(folder: &Path, until: u64) -> Result<Vec<String>, Refusal> {
    RunJob::<R>::extend(folder, until, &Crew::alone()).map(|(_, notes)| notes)
}

/// The kind with this word in `run.toml`.
pub fn by_word(word: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.words.contains(&word))
}

/// The kind of a run.
///
/// # Errors
/// It is none that this version knows.
pub fn of(reader: &RunReader) -> Result<&'static Kind> {
    let word = &reader.manifest().kind;
    match by_word(word) {
        Some(kind) => Ok(kind),
        None => bail!("this version of mancalab knows no runs of the kind '{word}'"),
    }
}

/// How long a run is to be.
pub struct Wanted {
    pub count: u64,
    /// Of what, such as `generations`.
    pub what: &'static str,
}

impl Kind {
    /// # Errors
    /// The run cannot be read.
    pub fn wanted(&self, folder: &Path) -> Result<Wanted> {
        let Manifest { generations, .. } = RunReader::open(folder).map_err(as_error)?.manifest().clone();
        let what = if self.name == KindName::Arena { "games" } else { "generations" };
        Ok(Wanted { count: generations + self.first, what })
    }

    /// A run's settings by their keys, with what its preset has where that is another value.
    ///
    /// # Errors
    /// The run cannot be read.
    pub fn settings(&self, reader: &RunReader) -> Result<Vec<Setting>> {
        Ok(self.beside(reader.manifest(), reader.listed().map_err(as_error)?))
    }

    /// Settings by their keys, with what the preset has where that is another value.
    pub fn beside(&self, manifest: &Manifest, mut own: Vec<(String, String)>) -> Vec<Setting> {
        if self.name != KindName::Arena {
            own.insert(0, ("generations".to_owned(), manifest.generations.to_string()));
        }
        let preset = (self.preset)(&manifest.preset);
        let setting = |(key, value): (String, String)| {
            let usual = preset.iter().flatten().find(|(known, _)| *known == key).map(|(_, usual)| usual.clone());
            Setting { usual: usual.filter(|usual| !is_same(usual, &value)), key, value }
        };
        own.into_iter().map(setting).collect()
    }
}

/// Numbers may be written in more than one way.
fn is_same(one: &str, other: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    one == other || number(one).is_some_and(|one| number(other) == Some(one))
}

/// A setting of a run.
pub struct Setting {
    pub key: String,
    pub value: String,
    /// What its preset has, if that is another.
    pub usual: Option<String>,
}
