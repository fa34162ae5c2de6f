//! Type-erased settings of any kind of run.

use mancalab_base::Error;
use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::any_run::WatchedOf;
use super::{AnyRun, AnyView, AnyWatched, Experiment, Kind, by_command};
use crate::cluster::manifest::PlanManifest;
use crate::cluster::part::Part;
use crate::cluster::sample::Sample;
use crate::cluster::task::{JobContext, MergedRun, Outcome, PartResults, RowReceiver};
use crate::cluster::whole;
use crate::evolve::problems::AnyProblem;
use crate::evolve::tasks::AnyTask;
use crate::job::{Manifest, Rows, Run, Watched as _};
use crate::pool::Pool;
use crate::settings::{Field, KeyedSettings};

/// The settings of a run of any kind.
pub struct AnySettings(Box<dyn DynSettings>);

/// Object-safe methods of settings: see [`Run`] and [`Experiment`].
pub trait DynSettings: Send + Sync {
    fn boxed(&self) -> AnySettings;
    fn kind(&self) -> &'static Kind;
    fn as_any(&self) -> &dyn Any;
    fn listed(&self) -> &dyn KeyedSettings;
    fn listed_mut(&mut self) -> &mut dyn KeyedSettings;
    fn manifest(&self) -> Manifest;
    fn columns(&self) -> &'static str;
    fn individual_columns(&self) -> Option<&'static str>;
    fn settings_text(&self) -> String;
    fn files(&self) -> Vec<(String, u64)>;
    fn extended(&self, generations: u64) -> Result<AnySettings, Error>;
    fn start(&self) -> Result<AnyRun, Error>;
    fn restore(&self, state: &[u8], rows: Rows<'_>) -> Result<AnyRun, Error>;
    fn begin(&self) -> AnyWatched;
    fn view_from_checkpoint(&self, state: &[u8], seen: &AnyWatched) -> Option<AnyView>;
    fn about_unlisted(&self, key: &str) -> Option<&'static str>;
    fn offers(&self, key: &str) -> Vec<String>;
    fn check(&self) -> Result<(), Error>;
    fn problem(&self) -> Option<Arc<dyn AnyProblem>>;
    fn task(&self) -> Option<Arc<dyn AnyTask>>;
    fn check_plan(&self, command: &str) -> Result<(), Error>;
    fn contents(&self) -> u64;
    fn sample(&self, block: Option<u32>, pool: &Pool) -> Result<Sample, Error>;
    fn count(&self, draft: &PlanManifest) -> u64;
    fn parts(&self, draft: &PlanManifest) -> Vec<Part>;
    fn compute(&self, part: &Part, work: &mut JobContext<'_>) -> Result<Outcome, Error>;
    fn fold(
        &self,
        parts: &[Part],
        given: &mut PartResults<'_>,
        taken: RowReceiver<'_>,
    ) -> Result<MergedRun<AnyRun>, Error>;
}

struct Of<R: Run>(R::Settings);

impl<R: Experiment> DynSettings for Of<R> {
    fn boxed(&self) -> AnySettings {
        AnySettings::new::<R>(self.0.clone())
    }

    fn kind(&self) -> &'static Kind {
        by_command(R::COMMAND).expect("every kind of run is in the list of kinds")
    }

    fn as_any(&self) -> &dyn Any {
        &self.0
    }

    fn listed(&self) -> &dyn KeyedSettings {
        &self.0
    }

    fn listed_mut(&mut self) -> &mut dyn KeyedSettings {
        &mut self.0
    }

    fn manifest(&self) -> Manifest {
        R::manifest(&self.0)
    }

    fn columns(&self) -> &'static str {
        R::columns(&self.0)
    }

    fn individual_columns(&self) -> Option<&'static str> {
        R::individual_columns(&self.0)
    }

    fn settings_text(&self) -> String {
        R::settings_text(&self.0)
    }

    fn files(&self) -> Vec<(String, u64)> {
        R::files(&self.0)
    }

    fn extended(&self, generations: u64) -> Result<AnySettings, Error> {
        R::extended(&self.0, generations).map(AnySettings::new::<R>)
    }

    fn start(&self) -> Result<AnyRun, Error> {
        R::start(self.0.clone()).map(|run| AnyRun::new(self.boxed(), run))
    }

    fn restore(&self, state: &[u8], rows: Rows<'_>) -> Result<AnyRun, Error> {
        R::restore(self.0.clone(), state, rows).map(|run| AnyRun::new(self.boxed(), run))
    }

    fn begin(&self) -> AnyWatched {
        AnyWatched(Box::new(WatchedOf::<R>(R::Watched::begin(self.0.clone()))))
    }

    fn view_from_checkpoint(&self, state: &[u8], seen: &AnyWatched) -> Option<AnyView> {
        R::view_from_checkpoint(&self.0, state, seen.downcast::<R>()?).map(|view| R::seen(&self.0, view))
    }

    fn about_unlisted(&self, key: &str) -> Option<&'static str> {
        R::about(key)
    }

    fn offers(&self, key: &str) -> Vec<String> {
        R::offers(&self.0, key)
    }

    fn check(&self) -> Result<(), Error> {
        R::check(&self.0)
    }

    fn problem(&self) -> Option<Arc<dyn AnyProblem>> {
        R::problem(&self.0)
    }

    fn task(&self) -> Option<Arc<dyn AnyTask>> {
        R::task(&self.0)
    }

    fn check_plan(&self, command: &str) -> Result<(), Error> {
        R::check_plan(&self.0, command)
    }

    fn contents(&self) -> u64 {
        R::contents(&self.0)
    }

    fn sample(&self, block: Option<u32>, pool: &Pool) -> Result<Sample, Error> {
        R::sample(&self.0, block, pool)
    }

    fn count(&self, draft: &PlanManifest) -> u64 {
        R::count(&self.0, draft)
    }

    fn parts(&self, draft: &PlanManifest) -> Vec<Part> {
        R::parts(&self.0, draft)
    }

    fn compute(&self, part: &Part, work: &mut JobContext<'_>) -> Result<Outcome, Error> {
        match part {
            Part::Whole => whole::compute(&self.boxed(), work),
            part => R::compute(&self.0, part, work),
        }
    }

    fn fold(
        &self,
        parts: &[Part],
        given: &mut PartResults<'_>,
        taken: RowReceiver<'_>,
    ) -> Result<MergedRun<AnyRun>, Error> {
        if let [Part::Whole] = parts {
            return whole::fold(&self.boxed(), given, taken);
        }
        let MergedRun { run, finished, missing, stuck } = R::fold(&self.0, parts, given, taken)?;
        Ok(MergedRun { run: run.map(|run| AnyRun::new(self.boxed(), run)), finished, missing, stuck })
    }
}

impl AnySettings {
    pub fn new<R: Experiment>(settings: R::Settings) -> AnySettings {
        AnySettings(Box::new(Of::<R>(settings)))
    }

    /// Returns the settings as their own type.
    pub fn get<S: 'static>(&self) -> Option<&S> {
        self.0.as_any().downcast_ref()
    }

    /// Returns all settings as (key, text), seed and generations first.
    pub fn texts(&self) -> Vec<(String, String)> {
        let Manifest { seed, generations, .. } = self.manifest();
        let generations = (self.kind().count == "generations").then(|| ("generations", generations.to_string()));
        let head = std::iter::once(("seed", seed.to_string())).chain(generations);
        let list = self.list().into_iter().map(|(key, _, value)| (key, value));
        head.chain(list).map(|(key, value)| (key.to_owned(), value)).collect()
    }

    /// Returns the description of a setting, with its range.
    pub fn about(&self, key: &str) -> &'static str {
        let listed = || self.list().into_iter().find(|(known, ..)| *known == key).map_or("", |(_, about, _)| about);
        self.about_unlisted(key).unwrap_or_else(listed)
    }
}

impl Deref for AnySettings {
    type Target = dyn DynSettings;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl Clone for AnySettings {
    fn clone(&self) -> AnySettings {
        self.0.boxed()
    }
}

impl PartialEq for AnySettings {
    fn eq(&self, other: &AnySettings) -> bool {
        let parts = |settings: &AnySettings| {
            let Manifest { kind, preset, seed, generations, .. } = settings.manifest();
            (kind, preset, seed, generations, settings.settings_text())
        };
        parts(self) == parts(other)
    }
}

impl fmt::Debug for AnySettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.texts()).finish()
    }
}

impl KeyedSettings for AnySettings {
    fn fields(&self) -> Vec<Field> {
        self.0.listed().fields()
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), Error> {
        self.0.listed_mut().set(key, value)
    }
}
