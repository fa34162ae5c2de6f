//! Runs of genetic programming with their population, as of the newest checkpoint.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};

use super::find;
use crate::evolve::inspect::{AnyProgram, AnyView as ProgramsView};
use crate::evolve::problems::{AnyProblem, Snapshot};
use crate::evolve::subterms::Survivors;
use crate::job::{View, Watching};
use crate::kinds;
use crate::kinds::KindOf as _;
use crate::paths::Paths;
use crate::sanitize;
use crate::settings::texts;

/// A run of genetic programming.
pub(super) struct GpRunFiles {
    run: Watching,
    problem: Arc<dyn AnyProblem>,
    /// The folder, for messages.
    name: String,
}

impl GpRunFiles {
    /// Opens a run by folder, name or unique start of the name, for reading.
    ///
    /// # Errors
    /// There is no such run, it cannot be read, or it is of another kind.
    pub fn open(run: &Path, paths: &Paths) -> Result<GpRunFiles> {
        let folder = find(run, paths)?;
        let name = sanitize::path(&folder);
        let run = kinds::watch(&folder)?;
        let Some(problem) = run.settings().problem() else {
            bail!("{name} has no programs: it is not a run of `mancalab evolve`");
        };
        Ok(GpRunFiles { run, problem, name })
    }

    /// Returns the folder, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the opponents as the settings name them, with commas between them.
    pub fn opponents(&self) -> String {
        let list = self.run.settings().list();
        let text = list.into_iter().find(|(key, ..)| *key == "opponents").map(|(.., value)| value).unwrap_or_default();
        texts(&text, "opponents").map(|names| names.join(", ")).unwrap_or(text)
    }

    /// Returns the most common subterms of its generations; `None` without a checkpoint. `own` are those of a program.
    pub fn survivors(&self, own: &HashSet<u64>) -> Option<Survivors> {
        let (mut survivors, kept) = Survivors::begin(&self.run, own)?;
        kept.into_iter().for_each(|generation| survivors.read(&self.run, generation));
        Some(survivors)
    }

    /// Returns the view from the newest checkpoint.
    ///
    /// # Errors
    /// There is no checkpoint, or it cannot be read.
    pub fn view(&self) -> Result<&dyn ProgramsView> {
        let view = self.run.view().and_then(View::get::<Snapshot>).map(|snapshot| &*snapshot.view);
        view.with_context(|| match self.run.damage() {
            Some(damage) => damage.to_owned(),
            None => format!("{} has no checkpoint yet; its population is saved at the next one", self.name),
        })
    }

    /// Returns the program of a rank in the newest saved generation, from 1 for the fittest.
    ///
    /// # Errors
    /// See [`view`](GpRunFiles::view); or the generation has fewer programs.
    pub fn ranked(&self, rank: usize) -> Result<Arc<dyn AnyProgram>> {
        let view = self.view()?;
        let len = view.population().map_or(0, |(_, len)| len);
        let program = rank.checked_sub(1).and_then(|rank| view.program(rank));
        program.with_context(|| format!("--rank must be 1 to {len} (got {rank})"))
    }

    /// Returns a program of the hall of fame, from 1 for the first.
    ///
    /// # Errors
    /// See [`view`](GpRunFiles::view); or the hall of fame has fewer programs.
    pub fn in_hall(&self, place: usize) -> Result<Arc<dyn AnyProgram>> {
        let view = self.view()?;
        let program = place.checked_sub(1).and_then(|place| view.hall_program(place));
        program.with_context(|| format!("--hall must be 1 to {} (got {place})", view.hall().len()))
    }

    /// Returns the best program so far: of the newest checkpoint, or of `best.txt` where the checkpoint is missing.
    ///
    /// # Errors
    /// There is neither.
    pub fn best(&self) -> Result<Arc<dyn AnyProgram>> {
        match self.view() {
            Ok(view) => view.best_program().with_context(|| format!("{} has no best program", self.name)),
            Err(error) => self.run.best().and_then(|text| self.problem.program_in(text)).ok_or(error),
        }
    }
}
