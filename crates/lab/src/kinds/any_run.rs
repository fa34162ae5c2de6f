//! Type-erased runs of any kind.

use mancalab_base::Error;
use std::any::Any;
use std::sync::Arc;

use super::{AnySettings, Experiment, KINDS, Kind};
use crate::budget::Budget;
use crate::job::{Form, Manifest, Progress, Rows, Run, Watched};
use crate::pool::Pool;
use crate::settings::{Diagnostic, Table};

/// A run of any kind.
pub struct AnyRun {
    settings: AnySettings,
    run: Box<dyn DynRun>,
}

/// Snapshot of a run of any kind, for display.
#[derive(Clone)]
pub struct AnyView(Arc<dyn Any + Send + Sync>);

/// Watched state of a run of any kind that another process writes.
pub struct AnyWatched(pub(super) Box<dyn DynWatched>);

/// Object-safe methods of a run: see [`Run`].
trait DynRun: Any + Send {
    fn advance(&mut self, pool: &Pool, budget: Budget) -> Progress;
    fn generation(&self) -> Option<u64>;
    fn individuals(&self) -> String;
    fn is_over(&self) -> bool;
    fn save(&self, pool: &Pool) -> Vec<u8>;
    fn restore_timings(&mut self, timings: &str);
    fn product(&self) -> Option<(&'static str, Vec<u8>)>;
    fn best(&self) -> String;
    fn view(&self, settings: &AnySettings) -> AnyView;
}

impl<R: Experiment> DynRun for R {
    fn advance(&mut self, pool: &Pool, budget: Budget) -> Progress {
        Run::advance(self, pool, budget)
    }

    fn generation(&self) -> Option<u64> {
        Run::generation(self)
    }

    fn individuals(&self) -> String {
        Run::individuals(self)
    }

    fn is_over(&self) -> bool {
        Run::is_over(self)
    }

    fn save(&self, pool: &Pool) -> Vec<u8> {
        Run::save(self, pool)
    }

    fn restore_timings(&mut self, timings: &str) {
        Run::restore_timings(self, timings);
    }

    fn product(&self) -> Option<(&'static str, Vec<u8>)> {
        Run::product(self)
    }

    fn best(&self) -> String {
        Run::best(self)
    }

    fn view(&self, settings: &AnySettings) -> AnyView {
        match settings.get() {
            Some(settings) => R::seen(settings, Run::view(self)),
            None => AnyView::new(Run::view(self)),
        }
    }
}

impl AnyRun {
    pub(super) fn new<R: Experiment>(settings: AnySettings, run: R) -> AnyRun {
        AnyRun { settings, run: Box::new(run) }
    }

    pub fn settings(&self) -> &AnySettings {
        &self.settings
    }

    /// Returns the run as its own type.
    pub fn get<R: 'static>(&self) -> Option<&R> {
        let run: &dyn Any = &*self.run;
        run.downcast_ref()
    }
}

impl Run for AnyRun {
    type Settings = AnySettings;
    type View = AnyView;
    type Watched = AnyWatched;

    fn forms() -> Vec<Form> {
        KINDS.iter().flat_map(Kind::forms).collect()
    }

    fn manifest(settings: &AnySettings) -> Manifest {
        settings.manifest()
    }

    fn columns(settings: &AnySettings) -> &'static str {
        settings.columns()
    }

    fn individual_columns(settings: &AnySettings) -> Option<&'static str> {
        settings.individual_columns()
    }

    fn settings_text(settings: &AnySettings) -> String {
        settings.settings_text()
    }

    /// The manifest's kind selects the type of settings.
    fn read_settings(manifest: &Manifest, table: &Table<'_>, problems: &mut Vec<Diagnostic>) -> AnySettings {
        let all = || KINDS.iter().flat_map(|kind| kind.members);
        let member = all().find(|member| member.is(&manifest.kind)).unwrap_or(&KINDS[0].members[0]);
        (member.read)(manifest, table, problems)
    }

    fn files(settings: &AnySettings) -> Vec<(String, u64)> {
        settings.files()
    }

    fn extended(settings: &AnySettings, generations: u64) -> Result<AnySettings, Error> {
        settings.extended(generations)
    }

    fn start(settings: AnySettings) -> Result<AnyRun, Error> {
        settings.start()
    }

    fn advance(&mut self, pool: &Pool, budget: Budget) -> Progress {
        self.run.advance(pool, budget)
    }

    fn generation(&self) -> Option<u64> {
        self.run.generation()
    }

    fn individuals(&self) -> String {
        self.run.individuals()
    }

    fn is_over(&self) -> bool {
        self.run.is_over()
    }

    fn save(&self, pool: &Pool) -> Vec<u8> {
        self.run.save(pool)
    }

    fn restore(settings: AnySettings, state: &[u8], rows: Rows<'_>) -> Result<AnyRun, Error> {
        settings.restore(state, rows)
    }

    fn view_from_checkpoint(settings: &AnySettings, state: &[u8], seen: &AnyWatched) -> Option<AnyView> {
        settings.view_from_checkpoint(state, seen)
    }

    fn restore_timings(&mut self, timings: &str) {
        self.run.restore_timings(timings);
    }

    fn product(&self) -> Option<(&'static str, Vec<u8>)> {
        self.run.product()
    }

    fn best(&self) -> String {
        self.run.best()
    }

    fn view(&self) -> AnyView {
        self.run.view(&self.settings)
    }
}

impl AnyView {
    pub(crate) fn new<V: Send + Sync + 'static>(view: V) -> AnyView {
        AnyView(Arc::new(view))
    }

    /// Returns the view as its own type.
    pub fn get<V: 'static>(&self) -> Option<&V> {
        self.0.downcast_ref()
    }
}

/// See [`Watched`].
pub(super) trait DynWatched: Send {
    fn as_any(&self) -> &dyn Any;
    fn row(&mut self, row: &str) -> Result<(), Error>;
    fn timing(&mut self, row: &str);
}

pub(super) struct WatchedOf<R: Run>(pub R::Watched);

impl<R: Experiment> DynWatched for WatchedOf<R> {
    fn as_any(&self) -> &dyn Any {
        &self.0
    }

    fn row(&mut self, row: &str) -> Result<(), Error> {
        self.0.row(row)
    }

    fn timing(&mut self, row: &str) {
        self.0.timing(row);
    }
}

impl AnyWatched {
    pub(super) fn downcast<R: Experiment>(&self) -> Option<&R::Watched> {
        self.0.as_any().downcast_ref()
    }

    /// Returns the watched state as its own type.
    pub fn get<W: 'static>(&self) -> Option<&W> {
        self.0.as_any().downcast_ref()
    }
}

impl Watched<AnySettings> for AnyWatched {
    fn begin(settings: AnySettings) -> AnyWatched {
        settings.begin()
    }

    fn row(&mut self, row: &str) -> Result<(), Error> {
        self.0.row(row)
    }

    fn timing(&mut self, row: &str) {
        self.0.timing(row);
    }
}
