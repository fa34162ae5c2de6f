//! The description of a kind of run.

use mancalab_base::Error;
use std::sync::Arc;

use crate::cluster::manifest::PlanManifest;
use crate::cluster::part::Part;
use crate::cluster::sample::{Sample, sample_run};
use crate::cluster::task::{JobContext, MergedRun, Outcome, PartResults, RowReceiver};
use crate::codec::checksum;
use crate::evolve::problems::AnyProblem;
use crate::evolve::tasks::AnyTask;
use crate::job::Run;
use crate::pool::Pool;
use crate::settings::KeyedSettings;

use super::{AnySettings, AnyView};

/// A kind of run with a command, a tab and support for plans.
pub trait Experiment: Run<Settings: KeyedSettings + Send + Sync + 'static, View: Sync> {
    /// The command of these runs.
    const COMMAND: &'static str;
    /// Unit of progress.
    const UNIT: &'static str = "generation";
    /// Displayed number of the first unit.
    const FIRST: u64 = 0;
    /// Displayed name of the length of a run; `generations` is a setting then.
    const COUNT: &'static str = "generations";
    /// The column of `generations.csv` for comparing runs; `None` if no column is a curve.
    const CURVE: Option<&'static str>;

    /// The presets: (name, description). The first is the default.
    const PRESETS: &'static [(&'static str, &'static str)];

    /// Returns the settings of a preset, with seed 1; `None` if the name is not in [`PRESETS`](Experiment::PRESETS).
    fn preset(name: &str) -> Option<Self::Settings>;

    /// Returns what distinguishes these settings from others of the command, such as the game; empty if there is
    /// only one type.
    fn title(_settings: &Self::Settings) -> String {
        String::new()
    }

    /// Returns the description of a setting that is not [keyed](KeyedSettings).
    fn about(key: &str) -> Option<&'static str> {
        match key {
            "seed" => Some("decides all random choices; the same seed and settings give the same run"),
            "generations" => Some("number of generations after the initial one"),
            _ => None,
        }
    }

    /// Returns the offered values of a setting: all, or typical ones.
    fn offers(settings: &Self::Settings, key: &str) -> Vec<String> {
        settings.words(key).into_iter().map(str::to_owned).collect()
    }

    /// Checks the combination of settings.
    ///
    /// # Errors
    /// Settings that exclude each other; the error describes what is accepted.
    fn check(settings: &Self::Settings) -> Result<(), Error>;

    /// Returns the problem, for genetic programming.
    fn problem(_settings: &Self::Settings) -> Option<Arc<dyn AnyProblem>> {
        None
    }

    /// Returns the task, for a genetic algorithm.
    fn task(_settings: &Self::Settings) -> Option<Arc<dyn AnyTask>> {
        None
    }

    /// Converts the view to that of the command's runs.
    fn seen(_settings: &Self::Settings, view: Self::View) -> AnyView {
        AnyView::new(view)
    }

    /// Checks whether a run can be divided into parts by this plan command.
    ///
    /// # Errors
    /// It cannot; the error names the setting.
    fn check_plan(_settings: &Self::Settings, _command: &str) -> Result<(), Error> {
        Ok(())
    }

    /// Returns a checksum of external data named by the settings, embedded files included, which may differ between
    /// builds of one version.
    fn contents(settings: &Self::Settings) -> u64 {
        let texts: Vec<String> = Self::files(settings).into_iter().map(|(_, sum)| format!("{sum:016x}")).collect();
        checksum(texts.join("\n").as_bytes())
    }

    /// Measures a short sample of a run's cost, and its division into units; `block` is the number of games per
    /// unit, if given.
    ///
    /// # Errors
    /// The run cannot start.
    fn sample(settings: &Self::Settings, _block: Option<u32>, pool: &Pool) -> Result<Sample, Error> {
        sample_run(&AnySettings::new::<Self>(settings.clone()), pool)
    }

    /// Returns the number of [`parts`](Experiment::parts) without creating them.
    fn count(_settings: &Self::Settings, _draft: &PlanManifest) -> u64 {
        1
    }

    /// Returns the parts of a run, in the order of their numbers.
    fn parts(_settings: &Self::Settings, _draft: &PlanManifest) -> Vec<Part> {
        vec![Part::Whole]
    }

    /// Computes a part of a run.
    ///
    /// # Errors
    /// The computation fails.
    fn compute(_settings: &Self::Settings, _part: &Part, _work: &mut JobContext<'_>) -> Result<Outcome, Error> {
        Err("this kind of run cannot be divided".into())
    }

    /// Merges the available parts into a run and passes on its rows.
    ///
    /// # Errors
    /// A part does not match the others; the error contains its file name.
    fn fold(
        _settings: &Self::Settings,
        _parts: &[Part],
        _given: &mut PartResults<'_>,
        _taken: RowReceiver<'_>,
    ) -> Result<MergedRun<Self>, Error> {
        Err("this kind of run cannot be divided".into())
    }
}
