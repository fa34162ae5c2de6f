//! What is kept in one list: runs, and plans among them.

use std::path::Path;
use std::time::SystemTime;

use super::kinds::{self, KindName};
use super::line::{self, Told};
use super::plans::{self, PlanTold};
use super::state::StateName;
use super::text::Grid;
use crate::cluster::shelf::{self, PlanEntry};
use crate::job::run_dir::{self, Entry};

/// One of the list.
pub enum Kept {
    Run(Box<Entry>),
    Plan(Box<PlanEntry>),
}

/// One of the list for programs.
#[derive(serde::Serialize)]
#[serde(untagged)]
pub enum KeptTold {
    Run(Told),
    Plan(PlanTold),
}

/// All runs and plans directly in `folder`, the one that came forward last at the front.
pub fn all(folder: &Path) -> Vec<Kept> {
    let runs = run_dir::list(folder).into_iter().map(|entry| Kept::Run(Box::new(entry)));
    let plans = shelf::list(folder).into_iter().map(|entry| Kept::Plan(Box::new(entry)));
    let mut kept: Vec<Kept> = runs.chain(plans).collect();
    kept.sort_by(|a, b| b.changed().cmp(&a.changed()).then_with(|| a.name().cmp(b.name())));
    kept
}

impl Kept {
    fn name(&self) -> &str {
        match self {
            Kept::Run(entry) => &entry.name,
            Kept::Plan(entry) => &entry.name,
        }
    }

    fn changed(&self) -> Option<SystemTime> {
        match self {
            Kept::Run(entry) => entry.changed,
            Kept::Plan(entry) => entry.changed,
        }
    }

    fn preset(&self) -> &str {
        match self {
            Kept::Run(entry) => entry.manifest.as_ref().map_or("", |manifest| &manifest.preset),
            Kept::Plan(entry) => entry.what.as_ref().map_or("", |what| &what.preset),
        }
    }

    /// Whether this text is in its name or preset.
    pub fn is_about(&self, text: &str) -> bool {
        self.name().contains(text) || self.preset().contains(text)
    }

    /// Whether a command drives it: a plan's is the one that goes on with its runs.
    pub fn is_of(&self, kind: KindName) -> bool {
        let word = match self {
            Kept::Run(entry) => entry.manifest.as_ref().map_or("", |manifest| &manifest.kind),
            Kept::Plan(entry) => entry.what.as_ref().map_or("", |what| &what.kind),
        };
        kinds::by_word(word).is_some_and(|known| known.name == kind)
    }

    pub fn state(&self) -> StateName {
        match self {
            Kept::Run(entry) => StateName::of(&entry.state),
            Kept::Plan(entry) => StateName::of_plan(&entry.state),
        }
    }

    pub fn told(&self) -> KeptTold {
        match self {
            Kept::Run(entry) => KeptTold::Run(Told::from(&**entry)),
            Kept::Plan(entry) => KeptTold::Plan(PlanTold::from(&**entry)),
        }
    }
}

/// All in a table, a line each.
pub fn grid(kept: &[Kept]) -> Grid {
    let head = ["name", "kind", "preset", "generations", "best", "state", "started (UTC)", "took", "size"];
    let row = |one: &Kept| match one {
        Kept::Run(entry) => line::row(entry),
        Kept::Plan(entry) => plans::row(entry),
    };
    let rows = std::iter::once(head.map(str::to_owned).to_vec()).chain(kept.iter().map(row)).collect();
    Grid { rows, numbers: vec![3, 7, 8] }
}
