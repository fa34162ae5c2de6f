//! The settings of a tournament, from which it is started and restored.

use mancalab_base::Error;

use super::Settings;
use super::tournament::Tournament;
use super::view::FromRows;
use crate::game::Variant;
use crate::job::conduct::Conduct;
use crate::job::{Form, Manifest, Rows, Run, RunSettings, Watched};
use crate::settings::{Diagnostic, KeyedSettings as _, Table};

const KIND: &str = "tournament";
const TIMING_COLUMNS: &str = "round,seconds,nanoseconds_and_moves_of_both";

/// The file format of tournaments.
pub(crate) const FORM: Form =
    Form { kind: KIND, format: 1, timing_columns: TIMING_COLUMNS, free: &[], curve: None, read };

fn read(manifest: &Manifest, table: &Table<'_>, problems: &mut Vec<Diagnostic>) -> Box<dyn RunSettings> {
    let mut settings = Settings::round_robin(crate::game::Variant::usual()[0], Vec::new(), 1, manifest.seed);
    settings.preset.clone_from(&manifest.preset);
    settings.read(table, problems);
    if problems.is_empty() {
        let last = u64::from(settings.rounds()).saturating_sub(1);
        let fits = if last == manifest.generations {
            Ok(())
        } else {
            Err(format!("`generations` is {}, but must be {last} for these games", manifest.generations).into())
        };
        problems.extend(settings.check().and(fits).err().map(|reason| Diagnostic::new(table.at(), reason.to_string())));
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
        let last = u64::from(self.rounds()).saturating_sub(1);
        // Other programs, and players that play by the time, play other games the next time.
        let reproducible = self.players.iter().all(|player| player.impurity().is_none());
        Manifest { reproducible, ..Manifest::new(KIND, &self.preset, self.seed, last) }
    }

    fn columns(&self) -> &'static str {
        "round,games"
    }

    fn offers(&self, key: &str) -> Vec<String> {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        match key {
            "game" => Variant::usual().iter().map(Variant::to_string).collect(),
            "pairs" => texts(&["all"]),
            "sprt" => texts(&["never", "0,50"]),
            _ => Vec::new(),
        }
    }

    fn conduct(&self) -> Conduct {
        self.conduct
    }

    fn check(&self) -> Result<(), Error> {
        Settings::check(self)
    }

    fn check_fork(&self, _parent: &dyn RunSettings) -> Result<(), Error> {
        Err("the games of a tournament do not follow from those before; start another tournament".into())
    }

    fn extended(&self, generations: u64) -> Result<Box<dyn RunSettings>, Error> {
        Ok(self.with_rounds(generations.saturating_add(1))?.into())
    }

    fn start_unmeasured(&self) -> Result<Box<dyn Run>, Error> {
        Ok(Box::new(Tournament::start(self.clone())?))
    }

    fn restore_unmeasured(&self, state: &[u8], rows: Rows<'_>) -> Result<Box<dyn Run>, Error> {
        Ok(Box::new(Tournament::restore(self.clone(), state, rows)?))
    }

    fn watch_unmeasured(&self) -> Box<dyn Watched> {
        Box::new(FromRows::new(self.clone()))
    }
}
