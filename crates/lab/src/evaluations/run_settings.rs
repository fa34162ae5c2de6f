//! The settings of learning evaluations, from which runs are started and restored.

use mancalab_base::Error;

use super::learnable::Learnable;
use super::{EvaluationLearning, Settings, Subject, View as EvaluationView};
use crate::experiment::Experiment;
use crate::job::conduct::Conduct;
use crate::job::{Form, Manifest, Rows, Run, RunSettings, Watched};
use crate::measuring::{self, MeasuredSettings as _};
use crate::settings::{Diagnostic, KeyedSettings as _, Table};

type RunResult = Result<Box<dyn Run>, Error>;

/// The functions that read, start and restore the runs of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunFunctions {
    read: fn(&Manifest, &Table<'_>, &mut Vec<Diagnostic>) -> Box<dyn RunSettings>,
    start: fn(Settings) -> RunResult,
    restore: fn(Settings, &[u8], Rows<'_>) -> RunResult,
}

impl RunFunctions {
    pub(super) const fn new<G: Learnable>() -> RunFunctions {
        RunFunctions {
            read: read::<G>,
            start: |settings| Ok(Box::new(EvaluationLearning::<G>::start(settings)?)),
            restore: |settings, state, rows| Ok(Box::new(EvaluationLearning::<G>::restore(settings, state, rows)?)),
        }
    }
}

fn read<G: Learnable>(manifest: &Manifest, table: &Table<'_>, problems: &mut Vec<Diagnostic>) -> Box<dyn RunSettings> {
    let mut settings = G::usual();
    settings.preset.clone_from(&manifest.preset);
    (settings.seed, settings.generations) = (manifest.seed, manifest.generations);
    settings.read(table, problems);
    if problems.is_empty() {
        problems.extend(settings.check().err().map(|reason| Diagnostic::new(table.at(), reason.to_string())));
    }
    settings.into()
}

impl Subject {
    /// Returns the file format of the runs of this game.
    pub(crate) const fn form(&self) -> Form {
        Form {
            kind: self.preset.0,
            format: 1,
            timing_columns: "generation,seconds,games_per_second",
            free: &[],
            curve: Some(self.curve),
            read: self.runs.read,
        }
    }
}

impl RunSettings for Settings {
    fn boxed(&self) -> Box<dyn RunSettings> {
        self.clone().into()
    }

    fn form(&self) -> Form {
        self.subject.form()
    }

    fn manifest(&self) -> Manifest {
        Manifest::new(self.subject.preset.0, &self.preset, self.seed, self.generations)
    }

    fn columns(&self) -> &'static str {
        self.subject.columns
    }

    fn files(&self) -> Vec<(String, u64)> {
        measuring::files(&self.panel.players)
    }

    fn conduct(&self) -> Conduct {
        self.conduct
    }

    fn check(&self) -> Result<(), Error> {
        Settings::check(self)
    }

    fn extended(&self, generations: u64) -> Result<Box<dyn RunSettings>, Error> {
        Ok(self.lengthened(generations)?.into())
    }

    fn start_unmeasured(&self) -> Result<Box<dyn Run>, Error> {
        (self.subject.runs.start)(self.clone())
    }

    fn restore_unmeasured(&self, state: &[u8], rows: Rows<'_>) -> Result<Box<dyn Run>, Error> {
        (self.subject.runs.restore)(self.clone(), state, rows)
    }

    fn watch_unmeasured(&self) -> Box<dyn Watched> {
        Box::new(EvaluationView::empty(self.clone()))
    }
}

impl Experiment for Settings {}
