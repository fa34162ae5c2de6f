//! A kind of run: a walk of one step up or down per generation.

use mancalab_base::Error;
use rand::RngExt;

use crate::pool::Pool;
use crate::settings::{Entry, Diagnostic, Table, SettingsTable, entry};
use crate::settings::KeyedSettings as _;
use crate::experiment::Experiment;
use crate::job::conduct::Conduct;
use crate::job::{Form, Manifest, Progress, Row, Rows, Run, RunSettings, View, Watched};
use crate::rng;
use crate::budget::Budget;

#[derive(Clone, Debug)]
pub struct Settings {
    pub seed: u64,
    pub generations: u64,
    /// Length of a step.
    pub stride: u32,
    pub conduct: Conduct,
}

impl SettingsTable for Settings {
    fn entries() -> Vec<Entry<Settings>> {
        let own = vec![
            entry!(seed: whole(0, i64::MAX as u64), "decides all random choices").common(),
            entry!(generations: whole(0, 1_000_000), "steps after the first").common(),
            entry!(stride: whole(1, 100), "length of a step, 1 to 100"),
        ];
        own.into_iter().chain(Conduct::entries_of(|s: &Settings| &s.conduct, |s| &mut s.conduct)).collect()
    }
}

/// The position after each generation.
#[derive(Clone, Debug)]
pub struct Walk {
    pub settings: Settings,
    pub past: Vec<i64>,
}

impl Walk {
    fn count(&mut self, row: &str) -> Result<(), Error> {
        let at = row.split(',').nth(1).and_then(|at| at.parse().ok());
        self.past.push(at.ok_or_else(|| format!("'{row}' is not a step"))?);
        Ok(())
    }
}

impl Watched for Walk {
    fn row(&mut self, row: &str) -> Result<(), Error> {
        self.count(row)
    }

    fn timing(&mut self, _: &str) {}
}

pub const PRESETS: &[(&str, &str)] = &[("short", "a short walk")];

pub fn preset(name: &str) -> Option<Settings> {
    (name == "short").then_some(Settings { seed: 1, generations: 9, stride: 1, conduct: Conduct::default() })
}

pub const FORM: Form = Form { kind: "walk", format: 1, timing_columns: "generation", free: &[], curve: Some("at"), read };

fn read(manifest: &Manifest, table: &Table<'_>, problems: &mut Vec<Diagnostic>) -> Box<dyn RunSettings> {
    let mut settings = Settings { seed: manifest.seed, generations: manifest.generations, stride: 1, conduct: Conduct::default() };
    settings.read(table, problems);
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
        Manifest::new("walk", "short", self.seed, self.generations)
    }

    fn columns(&self) -> &'static str {
        "generation,at"
    }

    fn conduct(&self) -> Conduct {
        self.conduct
    }

    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    fn start_unmeasured(&self) -> Result<Box<dyn Run>, Error> {
        Ok(Box::new(Walk { settings: self.clone(), past: Vec::new() }))
    }

    fn restore_unmeasured(&self, _: &[u8], rows: Rows<'_>) -> Result<Box<dyn Run>, Error> {
        let mut walk = Walk { settings: self.clone(), past: Vec::new() };
        rows.each(|row| walk.count(row))?;
        Ok(Box::new(walk))
    }

    fn watch_unmeasured(&self) -> Box<dyn Watched> {
        Box::new(Walk { settings: self.clone(), past: Vec::new() })
    }
}

impl Experiment for Settings {}

impl Run for Walk {
    fn advance(&mut self, _: &Pool, _: Budget) -> Progress {
        if self.is_over() {
            return Progress::Done;
        }
        let generation = self.past.len() as u64;
        let up: bool = rng::keyed(&[self.settings.seed, generation]).random();
        let step = i64::from(self.settings.stride) * if up { 1 } else { -1 };
        self.past.push(self.past.last().unwrap_or(&0) + step);
        let values = format!("{generation},{}", self.past[generation as usize]);
        Progress::Generation(Row { values, timings: generation.to_string() })
    }

    fn generation(&self) -> Option<u64> {
        (self.past.len() as u64).checked_sub(1)
    }

    fn is_over(&self) -> bool {
        self.past.len() as u64 > self.settings.generations
    }

    fn save(&self, _: &Pool) -> Vec<u8> {
        Vec::new()
    }

    fn best(&self) -> String {
        format!("{}\n", self.past.iter().max().unwrap_or(&0))
    }

    fn view(&self) -> View {
        View::new(self.clone())
    }
}
