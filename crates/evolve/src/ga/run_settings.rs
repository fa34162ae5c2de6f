//! The settings of the genetic algorithm on a task, from which runs are started and restored.

use mancalab_base::Error;
use std::sync::Arc;

use super::run::{FORMAT, Ga, TIMING_COLUMNS};
use super::task::{Settings, Task};
use super::tasks::Snapshot;
use super::view::GaView;
use crate::job::conduct::Conduct;
use crate::job::measured::Measurement;
use crate::job::{Form, Manifest, Rows, Run, RunSettings, View, Watched};
use crate::settings::{Diagnostic, KeyedSettings as _, Table};

impl<T: Task> Settings<T> {
    /// The file format of such runs.
    pub const FORM: Form = Form {
        kind: T::KIND,
        format: FORMAT,
        timing_columns: TIMING_COLUMNS,
        free: &[],
        curve: Some("best_percent"),
        read: read::<T>,
    };
}

fn read<T: Task>(manifest: &Manifest, table: &Table<'_>, problems: &mut Vec<Diagnostic>) -> Box<dyn RunSettings> {
    let mut settings = T::settings();
    settings.preset.clone_from(&manifest.preset);
    settings.seed = manifest.seed;
    settings.generations = manifest.generations;
    settings.read(table, problems);
    settings.into()
}

impl<T: Task> RunSettings for Settings<T> {
    fn boxed(&self) -> Box<dyn RunSettings> {
        self.clone().into()
    }

    fn form(&self) -> Form {
        Settings::<T>::FORM
    }

    fn manifest(&self) -> Manifest {
        Manifest::new(T::KIND, &self.preset, self.seed, self.generations)
    }

    fn columns(&self) -> &'static str {
        T::columns()
    }

    fn files(&self) -> Vec<(String, u64)> {
        [self.task.files(), self.initial.files()].concat()
    }

    fn conduct(&self) -> Conduct {
        self.conduct
    }

    fn check(&self) -> Result<(), Error> {
        Settings::check(self)?;
        T::measurement(self).map(drop)
    }

    fn measurement(&self) -> Result<Option<Box<dyn Measurement>>, Error> {
        T::measurement(self)
    }

    fn start_unmeasured(&self) -> Result<Box<dyn Run>, Error> {
        Ok(Box::new(Ga::start(self.clone())?))
    }

    fn restore_unmeasured(&self, state: &[u8], rows: Rows<'_>) -> Result<Box<dyn Run>, Error> {
        Ok(Box::new(Ga::restore(self.clone(), state, rows)?))
    }

    fn watch_unmeasured(&self) -> Box<dyn Watched> {
        Box::new(GaView::empty(T::labels().len(), self.generations))
    }

    fn view_from_checkpoint(&self, state: &[u8], seen: &dyn Watched) -> Option<View> {
        let view = Ga::view_from_checkpoint(self, state, seen.get()?)?;
        Some(View::new(Snapshot { settings: Arc::new(self.clone()), view }))
    }
}
