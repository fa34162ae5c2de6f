//! What a kind of run says of itself.

use mancalab_base::Error;
use std::sync::Arc;

use crate::cluster::manifest::PlanManifest;
use crate::cluster::part::Part;
use crate::cluster::sample::{Sample, sample_run};
use crate::cluster::task::{Folded, Given, JobContext, Outcome, Taken};
use crate::codec::checksum;
use crate::evolve::problems::AnyProblem;
use crate::evolve::tasks::AnyTask;
use crate::job::Run;
use crate::pool::Pool;
use crate::settings::Listed;

use super::{AnySettings, AnyView};

/// A kind of run that commands drive, a tab shows and plans cut into parts.
pub trait Experiment: Run<Settings: Listed + Send + Sync + 'static, View: Sync> {
    /// The command that drives it.
    const COMMAND: &'static str;
    /// What a run goes forward by.
    const UNIT: &'static str = "generation";
    /// The number that people give the first.
    const FIRST: u64 = 0;
    /// What people count to say how long a run is to be; `generations` is a setting then.
    const COUNT: &'static str = "generations";
    /// The column of `generations.csv` by which runs are compared; `None` if the rows have none that is a curve.
    const CURVE: Option<&'static str>;

    /// The presets: (name, what it is). The first is the usual one.
    const PRESETS: &'static [(&'static str, &'static str)];

    /// The settings of a preset, with seed 1; `None` if it is none of [`PRESETS`](Experiment::PRESETS).
    fn preset(name: &str) -> Option<Self::Settings>;

    /// What tells these settings from others that the command takes, such as the game; empty if all are alike.
    fn title(_settings: &Self::Settings) -> String {
        String::new()
    }

    /// What a setting is, of those that are not [listed](Listed).
    fn about(key: &str) -> Option<&'static str> {
        match key {
            "seed" => Some("decides all random choices; the same seed and settings give the same run"),
            "generations" => Some("how many generations are bred after the first"),
            _ => None,
        }
    }

    /// Values of a setting that are offered to people: all, or some that are usual.
    fn offers(settings: &Self::Settings, key: &str) -> Vec<String> {
        settings.words(key).into_iter().map(str::to_owned).collect()
    }

    /// What no single setting shows.
    ///
    /// # Errors
    /// Which settings do not go together, and what would be accepted.
    fn check(settings: &Self::Settings) -> Result<(), Error>;

    /// The problem, if programs are bred.
    fn problem(_settings: &Self::Settings) -> Option<Arc<dyn AnyProblem>> {
        None
    }

    /// The task, if numbers are tuned.
    fn task(_settings: &Self::Settings) -> Option<Arc<dyn AnyTask>> {
        None
    }

    /// What there is to see, for whoever asks for a run of the command.
    fn seen(_settings: &Self::Settings, view: Self::View) -> AnyView {
        AnyView::of(view)
    }

    /// Whether a run can be cut into parts as this command of a plan does.
    ///
    /// # Errors
    /// It cannot: which setting stands in the way.
    fn check_plan(_settings: &Self::Settings, _command: &str) -> Result<(), Error> {
        Ok(())
    }

    /// A checksum of what the settings name and is read from elsewhere, files that come with the program among them: two builds of one
    /// version may differ in these.
    fn contents(settings: &Self::Settings) -> u64 {
        let texts: Vec<String> = Self::files(settings).into_iter().map(|(_, sum)| format!("{sum:016x}")).collect();
        checksum(texts.join("\n").as_bytes())
    }

    /// Tries out for a moment what a run takes, and how it is cut; `block` is how many games make a unit, if that was said.
    ///
    /// # Errors
    /// It cannot be begun: why.
    fn sample(settings: &Self::Settings, _block: Option<u32>, pool: &Pool) -> Result<Sample, Error> {
        sample_run(&AnySettings::of::<Self>(settings.clone()), pool)
    }

    /// How many [`parts`](Experiment::parts) there are, without making them.
    fn count(_settings: &Self::Settings, _draft: &PlanManifest) -> u64 {
        1
    }

    /// The parts of a run, in the order in which they are numbered.
    fn parts(_settings: &Self::Settings, _draft: &PlanManifest) -> Vec<Part> {
        vec![Part::Whole]
    }

    /// Computes a part that is less than a run.
    ///
    /// # Errors
    /// It cannot be computed: why.
    fn compute(_settings: &Self::Settings, _part: &Part, _work: &mut JobContext<'_>) -> Result<Outcome, Error> {
        Err("such a run is planned as a whole".into())
    }

    /// Puts a run together from such parts as far as they are there, and gives its rows away.
    ///
    /// # Errors
    /// A part does not go with the others: why, with the name of its file.
    fn fold(
        _settings: &Self::Settings,
        _parts: &[Part],
        _given: &mut Given<'_>,
        _taken: Taken<'_>,
    ) -> Result<Folded<Self>, Error> {
        Err("such a run is planned as a whole".into())
    }
}
