//! The settings of a training, from which it is started and restored.

use mancalab_base::Error;

use super::row::COLUMNS;
use super::{Schedule, Settings, Total, Training, View as TrainingView, row};
use crate::experiment::Experiment;
use crate::game::Variant;
use crate::job::conduct::Conduct;
use crate::job::{Form, Manifest, Rows, Run, RunSettings, View, Watched};
use crate::measuring::{self, MeasuredSettings as _};
use crate::settings::{Diagnostic, KeyedSettings as _, Table};

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
