//! The job that drives a run of any kind and writes its rows and checkpoints. The clock decides when checkpoints are
//! written, which does not affect the results.

use mancalab_base::{Error, bail};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::conduct::EarlyStopping;
use super::run::{Form, Progress, Row, Run, RunSettings, RunView};
use super::run_dir::csv::Tail;
use super::run_dir::inputs::Inputs;
use super::run_dir::processes::Role;
use super::run_dir::{self, Format, Manifest, RunDir};
use super::run_inputs::{Extension, copy_inputs, early_stopping, examined, format, of_kind, restored, run_inputs};
use crate::budget::{Budget, Job, Status};
use crate::pool::Pool;

/// Maximum delay of a checkpoint, rounded up to the end of the generation; shorter in builds for tests, which interrupt runs
/// that have saved something.
pub const SAVE_EVERY: Duration = Duration::from_millis(if cfg!(debug_assertions) { 100 } else { 1000 });
/// At most one part in this many of the time is spent saving.
pub const SAVE_SHARE: u32 = 20;

/// Drives a run, with or without a folder, one step per turn of the pool.
pub struct RunJob {
    settings: Box<dyn RunSettings>,
    run: Box<dyn Run>,
    pool: Pool,
    dir: Option<RunDir>,
    /// When to save next.
    due: Instant,
    /// The saved generation, and whether as the end.
    saved: Option<(u64, bool)>,
    between: bool,
    /// The rules that may end it early.
    stop: EarlyStopping,
    /// A step is in progress; stays set after a panic, when the state may be inconsistent and must not replace a good
    /// one.
    stepping: bool,
    done: bool,
    /// Other processes see the run as paused.
    is_paused: bool,
    error: Option<Error>,
    is_halted: bool,
}

impl RunJob {
    /// Creates a run without a folder.
    ///
    /// # Errors
    /// See [`start`](RunSettings#method.start).
    pub fn in_memory(settings: impl Into<Box<dyn RunSettings>>, pool: &Pool) -> Result<RunJob, Error> {
        let settings = settings.into();
        let stop = EarlyStopping::new(&*settings)?;
        let run = settings.start()?;
        Ok(RunJob::new(settings, run, stop, None, pool))
    }

    /// Starts a run in `folder`.
    ///
    /// # Errors
    /// See [`start`](RunSettings#method.start) and `RunDir::create`.
    pub fn create(folder: &Path, settings: impl Into<Box<dyn RunSettings>>, pool: &Pool) -> Result<RunJob, Error> {
        let settings = settings.into();
        let format = Format { individual_columns: None, ..format(&*settings) };
        RunJob::begin(folder, settings, format, pool)
    }

    /// Starts a run in `folder` that keeps the individuals of every generation.
    ///
    /// # Errors
    /// See [`create`](RunJob::create); or such runs have no individuals.
    pub fn create_with_individuals(
        folder: &Path,
        settings: impl Into<Box<dyn RunSettings>>,
        pool: &Pool,
    ) -> Result<RunJob, Error> {
        let settings = settings.into();
        let format = format(&*settings);
        if format.individual_columns.is_none() {
            bail!("runs of the kind '{}' have no individuals to keep", format.expected.kind);
        }
        RunJob::begin(folder, settings, format, pool)
    }

    fn begin(folder: &Path, settings: Box<dyn RunSettings>, format: Format, pool: &Pool) -> Result<RunJob, Error> {
        let stop = EarlyStopping::new(&*settings)?;
        let run = settings.start()?;
        let dir = RunDir::create(folder, format, None, || {
            Ok(run_inputs(&*settings, &copy_inputs(&*settings, folder)?, None))
        })?;
        dir.add_process(Role::Computed, pool.count())?;
        Ok(RunJob::new(settings, run, stop, Some(dir), pool))
    }

    /// Resumes the run in `folder`, of one of the `forms`; also returns notes about its files, a sentence each.
    ///
    /// # Errors
    /// It is of another kind, its settings or files are invalid or were changed, or another process writes it. Nothing
    /// is changed then.
    pub fn resume(folder: &Path, forms: &[Form], pool: &Pool) -> Result<(RunJob, Vec<String>), Error> {
        let (found, manifest, settings) = examined(folder, forms)?;
        let run = restored(folder, &found, &manifest, &*settings)?;
        let stop = early_stopping(folder, &found, &*settings)?;
        let saved = found.checkpoint().map(|checkpoint| (checkpoint.generation, checkpoint.finished));
        let (dir, notes) = found.commit()?;
        dir.add_process(Role::Computed, pool.count())?;
        let mut job = RunJob::new(settings, run, stop, Some(dir), pool);
        job.restore_timings(folder);
        job.saved = saved;
        Ok((job, notes))
    }

    /// Resumes the run in `folder` with more generations, or with other rules that may end it early; the result equals one longer
    /// run. Without a change it is just resumed. Also returns notes about its files.
    ///
    /// # Errors
    /// Those of [`resume`](RunJob::resume); or it has more already, or cannot be extended, and why. Nothing is changed
    /// then.
    pub fn extend(
        folder: &Path,
        extension: impl Into<Extension>,
        forms: &[Form],
        pool: &Pool,
    ) -> Result<(RunJob, Vec<String>), Error> {
        let Extension { generations, stop } = extension.into();
        let (found, manifest, settings) = examined(folder, forms)?;
        let before = settings.manifest().generations;
        let rules = settings.conduct().stop;
        let is_same_stop = stop.is_none_or(|stop| stop == rules);
        if generations == before && is_same_stop {
            drop(found);
            return RunJob::resume(folder, forms, pool);
        }
        if generations < before {
            let reason = format!("{} is longer already; a run can be extended, but not shortened", folder.display());
            return Err(reason.into());
        }
        let refused = |reason| format!("{} cannot be extended: {reason}", folder.display());
        let mut settings = match generations {
            _ if generations == before => settings,
            _ => settings.extended(generations).map_err(refused)?,
        };
        if let Some(stop) = stop.filter(|_| !is_same_stop) {
            settings.set("stop", &stop.to_string())?;
        }
        let run_inputs = run_inputs(&*settings, &manifest.files, manifest.parent.as_ref());
        let run = restored(folder, &found, &manifest, &*settings)?;
        let stop = early_stopping(folder, &found, &*settings)?;
        if run.is_over() {
            return Err(refused("it has ended early, and more generations would change nothing".into()).into());
        }
        if let Some(rule) = stop.fired() {
            let reason = match is_same_stop {
                true => format!("{rule} ended it; change that rule as well, such as with --stop never"),
                false => format!("it meets {rule} already; choose another rule, or --stop never"),
            };
            return Err(refused(reason.into()).into());
        }
        let checkpoint = found.checkpoint().cloned();
        let (mut dir, notes) = found.commit()?;
        dir.extend(run_inputs, checkpoint.as_ref())?;
        dir.add_process(Role::Computed, pool.count())?;
        dir.note(&match generations {
            _ if generations == before => format!("resumed with stop = {} instead of {rules}", settings.conduct().stop),
            _ => {
                let form = settings.form();
                let [after, before] = [generations, before].map(|last| form.number(last));
                format!("extended: {after} {}s instead of {before}", form.unit())
            }
        });
        let mut job = RunJob::new(settings, run, stop, Some(dir), pool);
        job.restore_timings(folder);
        job.saved = checkpoint.map(|checkpoint| (checkpoint.generation, false));
        Ok((job, notes))
    }

    /// Finds a run in `runs`, of one of the `forms`, with the same results as these settings, whatever its length.
    pub fn twin(runs: &Path, settings: &dyn RunSettings, forms: &[Form]) -> Option<PathBuf> {
        let own = settings.manifest();
        let is_same = |(folder, manifest): &(PathBuf, Manifest)| {
            if (&manifest.kind, &manifest.preset, manifest.seed) != (&own.kind, &own.preset, own.seed) {
                return false;
            }
            let other = Manifest::read(folder, of_kind(forms, folder)).ok().and_then(|(_, settings)| settings);
            let other = other.map(|other| match other.extended(own.generations) {
                Ok(extended) if manifest.generations < own.generations => extended,
                _ => other,
            });
            let own = settings.extended(manifest.generations).ok().filter(|_| manifest.generations > own.generations);
            // The paths of the copied files do not matter, only their contents.
            let inputs = |settings: &dyn RunSettings| run_inputs(settings, &Inputs::new(), None);
            let own = inputs(own.as_deref().unwrap_or(settings));
            let other = other.as_deref().map(inputs);
            other.is_some_and(|other| own.change(&other.run).is_none() && own.changed_file(&other).is_none())
        };
        run_dir::index::manifests(runs).find(is_same).map(|(folder, _)| folder)
    }

    fn new(
        settings: Box<dyn RunSettings>,
        run: Box<dyn Run>,
        stop: EarlyStopping,
        dir: Option<RunDir>,
        pool: &Pool,
    ) -> RunJob {
        let pool = pool.clone();
        let due = Instant::now() + SAVE_EVERY;
        RunJob {
            settings,
            run,
            pool,
            dir,
            due,
            saved: None,
            between: true,
            stop,
            stepping: false,
            done: false,
            is_paused: false,
            error: None,
            is_halted: false,
        }
    }

    /// Restores displayed times; invalid rows are ignored.
    fn restore_timings(&mut self, folder: &Path) {
        let run = &mut self.run;
        let _ = Tail::new(folder.join(run_dir::TIMINGS)).read(|row| {
            run.restore_timings(row);
            Ok(())
        });
    }

    pub fn settings(&self) -> &dyn RunSettings {
        &*self.settings
    }

    pub fn run(&self) -> &dyn Run {
        &*self.run
    }

    /// Returns the run as its own type.
    ///
    /// # Panics
    /// The run is of another type.
    pub fn run_as<R: Run>(&self) -> &R {
        let name = std::any::type_name::<R>();
        self.run.get().unwrap_or_else(|| panic!("a run of the kind '{}' is no {name}", self.settings.form().kind))
    }

    /// Returns its folder, if any.
    pub fn folder(&self) -> Option<&Path> {
        self.dir.as_ref().map(RunDir::folder)
    }

    /// Returns where it can be resumed; see [`RunDir::goes_on_at`].
    pub fn goes_on_at(&self) -> Option<&Path> {
        self.dir.as_ref().and_then(RunDir::goes_on_at)
    }

    /// Returns why the run had to stop.
    pub fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// Returns whether the [`error`](RunJob::error) is that its settings prevent the next generation; complete ones are
    /// valid.
    pub fn is_halted(&self) -> bool {
        self.is_halted
    }

    /// Writes a checkpoint unless the newest is of this generation. Errors are kept as [`error`](RunJob::error).
    pub fn save(&mut self) {
        let (Some(dir), Some(generation)) = (&mut self.dir, self.run.generation()) else { return };
        let finished = self.done;
        if self.saved == Some((generation, finished)) || self.error.is_some() || self.stepping {
            return;
        }
        let began = Instant::now();
        let saved = dir.save(generation, finished, self.run.save(&self.pool), &self.run.best());
        let product = saved.and_then(|()| match self.run.product() {
            Some((name, bytes)) => dir.put(name, &bytes),
            None => Ok(()),
        });
        self.error = product.err();
        self.saved = Some((generation, finished));
        self.due = Instant::now() + SAVE_EVERY.max(began.elapsed() * SAVE_SHARE);
    }

    /// Returns whether the checkpoint of the newest generation is to be kept.
    fn is_kept(&self) -> bool {
        let keep = self.settings.conduct().keep;
        keep > 0 && self.run.generation().is_some_and(|generation| generation > 0 && generation.is_multiple_of(keep))
    }

    fn keep_checkpoint(&mut self) {
        if let Some(dir) = self.dir.as_mut().filter(|_| self.error.is_none()) {
            self.error = dir.keep_checkpoint().err();
        }
    }

    /// Returns the time that the generations took, and the time after which `stop` ends the run, if it does.
    pub fn time(&self) -> Option<(Duration, Duration)> {
        self.stop.time()
    }

    /// Returns the rule of `stop` that ends the run after the newest generation, if one does.
    pub fn ended_by(&self) -> Option<String> {
        if !self.between || self.stop.is_idle() || self.run.is_over() {
            return None;
        }
        self.stop.fired()
    }

    fn end_early(&mut self) {
        self.done = true;
        self.save();
        let ended = self.stop.fired().zip(self.run.generation());
        if let Some((dir, (rule, generation))) = self.dir.as_ref().filter(|_| self.error.is_none()).zip(ended) {
            let form = self.settings.form();
            dir.note_end(&rule, &format!("{} {}", form.unit(), form.number(generation)));
        }
    }

    fn mark_paused(&mut self, is_paused: bool) {
        if let Some(dir) = self.dir.as_mut().filter(|_| self.is_paused != is_paused) {
            dir.mark_paused(is_paused);
            self.is_paused = is_paused;
        }
    }

    fn write(&mut self, row: &Row) {
        self.stop.row(&row.values);
        self.stop.timing(&row.timings);
        if let Some(dir) = &mut self.dir {
            let kept = if dir.keeps_individuals() { dir.append_individuals(&self.run.individuals()) } else { Ok(()) };
            self.error = kept.and_then(|()| dir.append(&row.values, &row.timings)).err();
        }
    }
}

impl Job for RunJob {
    type View = RunView;

    fn step(&mut self, budget: Budget) -> Status {
        self.mark_paused(false);
        let pool = self.pool.clone();
        let mut turn = None;
        let mut budget = budget;
        while !self.done && self.error.is_none() {
            if self.ended_by().is_some() {
                turn = None;
                self.end_early();
                continue;
            }
            if turn.is_none() {
                turn = Some(pool.turn());
                // Waiting time does not count.
                budget = budget.afresh();
            }
            self.stepping = true;
            let progress = self.run.advance(&pool, budget);
            self.stepping = false;
            self.between = progress != Progress::Working;
            match progress {
                Progress::Working => return Status::Running,
                Progress::Generation(row) => {
                    self.write(&row);
                    let is_kept = self.is_kept();
                    if self.dir.is_some() && (is_kept || Instant::now() >= self.due) {
                        // A disk may be slow: the pool must not wait for it.
                        turn = None;
                        self.save();
                    }
                    if is_kept {
                        self.keep_checkpoint();
                    }
                }
                Progress::Done => {
                    self.done = true;
                    turn = None;
                    self.save();
                    if let Some(dir) = self.dir.as_ref().filter(|_| self.error.is_none()) {
                        dir.note("finished");
                    }
                }
                Progress::Halted(reason) => {
                    turn = None;
                    self.save();
                    if let Some(dir) = self.dir.as_ref().filter(|_| self.error.is_none()) {
                        dir.note_stop(&reason.to_string());
                    }
                    self.is_halted = self.error.is_none();
                    self.error.get_or_insert(reason);
                }
            }
            if self.error.is_none() && !self.done && (budget.is_single() || budget.is_spent()) {
                return Status::Running;
            }
        }
        Status::Done
    }

    fn view(&self) -> Self::View {
        let saved = self.dir.as_ref().and_then(RunDir::saved);
        RunView { run: self.run.view(), saved, error: self.error.clone() }
    }

    fn is_between(&self) -> bool {
        self.between
    }

    fn rest(&mut self) {
        self.save();
        self.mark_paused(!self.done && self.error.is_none());
    }
}

impl Drop for RunJob {
    fn drop(&mut self) {
        self.save();
    }
}
