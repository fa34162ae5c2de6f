//! Forks: new runs that begin with the first generations of another run and go on with other settings.

use mancalab_base::{Error, bail};
use std::path::Path;

use super::reader::RunReader;
use super::run::{Form, Run, RunSettings};
use super::run_dir::checkpoint::Checkpoint;
use super::run_dir::csv::Tail;
use super::run_dir::dir_handle::DirHandle;
use super::run_dir::parent::{self, PARENT};
use super::run_dir::{
    self, Columns, EntryState, Format, Manifest, RUN, Rows, RunDir, TIMINGS, checkpoint, inputs, processes,
};
use super::run_inputs::{copy_inputs, expected, format, of_kind, run_inputs, settings};
use super::verify::{difference, next};
use crate::files::Kind;
use crate::pool::Pool;
use crate::sanitize;

/// A fork of a saved run, to be written into a folder of its own.
pub struct Fork<'a> {
    parent: &'a Path,
    manifest: Manifest,
    settings: Box<dyn RunSettings>,
    /// The last generation that both have in common.
    generation: u64,
}

impl<'a> Fork<'a> {
    /// Prepares a fork of the run in `parent` after a generation; without one, after its newest checkpoint.
    ///
    /// # Errors
    /// There is no such run or generation, or the run is not reproducible.
    pub fn new(parent: &'a Path, generation: Option<u64>, forms: &[Form]) -> Result<Fork<'a>, Error> {
        let reader = RunReader::open(parent)?;
        let manifest = reader.manifest().clone();
        if !manifest.reproducible {
            bail!("{} cannot be forked: it is not reproducible", sanitize::path(parent));
        }
        let settings = reader.settings(forms)?;
        let newest = || run_dir::checkpoint_generation(parent);
        let generation = generation.or_else(newest).ok_or_else(|| {
            let why = match run_dir::entry(parent.to_owned()).state {
                EntryState::Damaged(why) => why,
                _ => "it has no checkpoint yet".to_owned(),
            };
            format!("{} cannot be forked: {why}; name a generation", sanitize::path(parent))
        })?;
        Ok(Fork { parent, manifest, settings, generation })
    }

    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Returns the settings of the parent.
    pub fn settings(&self) -> &dyn RunSettings {
        &*self.settings
    }

    /// Writes the fork with the settings `changed` into a new folder, from where it is resumed. Generations after the nearest kept
    /// checkpoint are computed again; `goes_on` is called many times a second with their number so far and in all, and false stops,
    /// with nothing written. Returns false if it was stopped.
    ///
    /// # Errors
    /// The run does not have that generation, or its rows are not what this build computes; the changed settings do not allow it to
    /// go on; or the folder cannot be written.
    pub fn write(
        &self,
        changed: &dyn RunSettings,
        folder: &Path,
        pool: &Pool,
        goes_on: impl FnMut(u64, u64) -> bool,
    ) -> Result<bool, Error> {
        let columns = Columns::open(self.parent)?;
        let mut rows = Vec::new();
        let mut count: u64 = 0;
        columns.each(|row| {
            if count <= self.generation {
                rows.push(row.to_owned());
            }
            count += 1;
        })?;
        if count <= self.generation {
            let newest = count.checked_sub(1).map_or("none yet".to_owned(), |last| format!("up to {last}"));
            bail!("{} has no generation {}; it has {newest}", sanitize::path(self.parent), self.generation);
        }
        let refused =
            |reason: Error| Error::from(format!("{} cannot be forked: {reason}", sanitize::path(self.parent)));
        self.check(changed).map_err(refused)?;
        let Some(state) = self.state(&columns.names, &rows, pool, goes_on)? else { return Ok(false) };
        let run = changed.restore(&state, Rows::in_memory(&rows)).map_err(refused)?;
        if run.is_over() {
            return Err(refused("with these settings no further generation is computed".into()));
        }
        self.begin(changed, folder, &rows, &*run, pool)?;
        Ok(true)
    }

    fn check(&self, changed: &dyn RunSettings) -> Result<(), Error> {
        changed.check()?;
        let Manifest { generations, .. } = changed.manifest();
        if generations <= self.generation {
            bail!("generations must exceed {}, the last in common (got {generations})", self.generation);
        }
        if *changed == *self.settings {
            bail!("nothing changes, so that it would repeat the run; change a setting");
        }
        let own: Vec<_> = self.settings.list();
        if let Some((key, ..)) = changed.list().iter().find(|one| one.0.starts_with("panel") && !own.contains(one)) {
            bail!(
                "{key} cannot change, since the generations in common are measured by it; start another run with initial"
            );
        }
        changed.check_fork(&*self.settings)
    }

    /// Returns the state at the end of the generation; `None` if stopped.
    fn state(
        &self,
        names: &[String],
        rows: &[String],
        pool: &Pool,
        mut goes_on: impl FnMut(u64, u64) -> bool,
    ) -> Result<Option<Vec<u8>>, Error> {
        let nearest = self.nearest()?;
        let first = nearest.as_ref().map_or(0, |saved| saved.generation + 1);
        let mut run = match nearest {
            Some(saved) if first > self.generation => return Ok(Some(saved.state)),
            Some(saved) => self.settings.restore(&saved.state, Rows::in_memory(&rows[..first as usize]))?,
            None if self.manifest.parent.is_some() => bail!(
                "{} has no checkpoint up to generation {}, from which it could be computed: it is a fork itself",
                sanitize::path(self.parent),
                self.generation
            ),
            None => self.settings.start()?,
        };
        for number in first..=self.generation {
            let going = || goes_on(number - first, self.generation + 1 - first);
            let Some(computed) = next(&mut *run, pool, going)? else { return Ok(None) };
            if let Some(other) = difference(number, names, &rows[number as usize], &computed) {
                bail!(
                    "row {} of {} is not what this build computes: {} is {} there, and {} here",
                    other.row,
                    sanitize::path(self.parent),
                    other.column,
                    other.saved,
                    other.computed
                );
            }
        }
        Ok(Some(run.save(pool)))
    }

    /// Returns the newest checkpoint that is not newer than the generation.
    fn nearest(&self) -> Result<Option<Checkpoint>, Error> {
        let held = DirHandle::open(self.parent).map_err(Error::cannot("open", self.parent))?;
        let names = held.names().map_err(Error::cannot("read", self.parent))?;
        let is_checkpoint = |name: &&String| {
            checkpoint::kept_generation(name).is_some() || [checkpoint::FILE, checkpoint::OLD].contains(&name.as_str())
        };
        let generation = |name: &String| {
            let peek = checkpoint::peek(&self.parent.join(name)).ok().flatten();
            peek.map(|peek| peek.generation).filter(|generation| *generation <= self.generation)
        };
        let mut found: Vec<(u64, &String)> =
            names.iter().filter(is_checkpoint).filter_map(|name| Some((generation(name)?, name))).collect();
        crate::sort::sort_by_key(&mut found, |(generation, _)| std::cmp::Reverse(*generation));
        for (_, name) in found {
            // A damaged one is passed over: an older one, or the beginning, leads to the same state.
            if let Ok(Some(found)) = checkpoint::read(&held, name, expected(&self.settings.form()), Kind::Checkpoint) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn begin(
        &self,
        changed: &dyn RunSettings,
        folder: &Path,
        rows: &[String],
        run: &dyn Run,
        pool: &Pool,
    ) -> Result<(), Error> {
        let format = Format { individual_columns: None, ..format(changed) };
        let inputs = || {
            let files = inputs::with_copies(&self.manifest.files, self.parent, || copy_inputs(changed, folder))?;
            let parent = parent::copy(self.parent, self.generation, folder)?;
            Ok(run_inputs(changed, &files, Some(&parent)))
        };
        let columns = format.timing_columns.matches(',').count();
        let mut dir = RunDir::create(folder, format, None, inputs)?;
        dir.begin_processes(&processes::read(self.parent).unwrap_or_default())?;
        let mut timings = Vec::new();
        // Times are shown only.
        let _ = Tail::new(self.parent.join(TIMINGS)).read(|row| {
            timings.push(row.to_owned());
            Ok(())
        });
        for (number, row) in rows.iter().enumerate() {
            let untimed = || format!("{number}{}", ",0".repeat(columns));
            dir.append(row, &timings.get(number).cloned().unwrap_or_else(untimed))?;
        }
        dir.save(self.generation, false, run.save(pool), &run.best())?;
        if let Some((name, bytes)) = run.product() {
            dir.put(name, &bytes)?;
        }
        dir.note(&format!("forked from {} after generation {}", sanitize::path(self.parent), self.generation));
        Ok(())
    }
}

/// The settings of a run and of those it was forked from, the first of them first, each with the last generation it computed; none
/// for the run itself.
pub(crate) type Lineage = Vec<(Box<dyn RunSettings>, Option<u64>)>;

/// Returns the lineage of the run in a folder, of one of the `forms`.
///
/// # Errors
/// A `run.toml` cannot be read.
pub(crate) fn lineage(folder: &Path, forms: &[Form]) -> Result<Lineage, Error> {
    let mut lineage = Lineage::new();
    let mut folder = folder.to_owned();
    let mut until = None;
    loop {
        let read = Manifest::read(&folder, of_kind(forms, &folder))?;
        let (manifest, settings) = settings(forms, &folder, read)?;
        lineage.push((settings, until));
        let Some(parent) = manifest.parent else { break };
        until = Some(parent.generation);
        folder = folder.join(PARENT);
        if !folder.join(RUN).exists() {
            bail!("{} is missing, with the settings of the run it was forked from", sanitize::path(&folder.join(RUN)));
        }
    }
    lineage.reverse();
    Ok(lineage)
}
