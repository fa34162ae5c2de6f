//! The job that drives any run: it writes the rows and checkpoints, and is the same for every kind. When a checkpoint is written is
//! decided by the clock, and changes nothing of what is computed.

use mancalab_base::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::run::{Progress, Row, Run, RunView};
use super::run_dir::inputs::Inputs;
use super::run_dir::tail::Tail;
use super::run_dir::{self, Examined, Found, Manifest, RunDir};
use super::run_inputs::{as_written_now, copy_inputs, format, of_kind, run_inputs, settings};
use crate::budget::{Budget, Job, Status};
use crate::pool::Pool;

/// A checkpoint no later than this after there is something to save, or as soon as the generation ends.
const SAVE_EVERY: Duration = Duration::from_secs(1);
/// And no more than one part in so many of the time goes into saving.
const SAVE_SHARE: u32 = 20;

/// Drives a run, with or without a directory, a step a turn of the pool.
pub struct RunJob<R: Run> {
    run: R,
    pool: Pool,
    dir: Option<RunDir>,
    /// When to save next.
    due: Instant,
    /// The generation that is on the disk, and whether as the end.
    saved: Option<(u64, bool)>,
    between: bool,
    /// In the middle of a step; still so after a panic, when the state may be half changed and must not replace a good one.
    stepping: bool,
    done: bool,
    /// Other processes see the run as paused.
    is_paused: bool,
    error: Option<Error>,
    is_halted: bool,
}

impl<R: Run> RunJob<R> {
    /// A run that leaves nothing on the disk.
    ///
    /// # Errors
    /// See [`Run::start`].
    pub fn in_memory(settings: R::Settings, pool: &Pool) -> Result<RunJob<R>, Error> {
        Ok(RunJob::new(R::start(settings)?, None, pool))
    }

    /// Begins a run in `folder`.
    ///
    /// # Errors
    /// See [`Run::start`] and `RunDir::create`.
    pub fn create(folder: &Path, settings: R::Settings, pool: &Pool) -> Result<RunJob<R>, Error> {
        let format = format::<R>(&settings);
        let run = R::start(settings.clone())?;
        let dir =
            RunDir::create(folder, format, || Ok(run_inputs::<R>(&settings, &copy_inputs::<R>(&settings, folder)?)))?;
        Ok(RunJob::new(run, Some(dir), pool))
    }

    /// Goes on with the run in `folder`; also gives what was odd there, a sentence each.
    ///
    /// # Errors
    /// It is of another kind, its settings or files cannot be read or were changed, or another process writes it. Then nothing of
    /// it was changed.
    pub fn resume(folder: &Path, pool: &Pool) -> Result<(RunJob<R>, Vec<String>), Error> {
        let (found, _, settings) = examined::<R>(folder)?;
        let run = restored::<R>(folder, &found, settings)?;
        let saved = found.checkpoint().map(|checkpoint| (checkpoint.generation, checkpoint.finished));
        let (dir, notes) = found.commit()?;
        let mut job = RunJob::new(run, Some(dir), pool);
        job.restore_timings(folder);
        job.saved = saved;
        Ok((job, notes))
    }

    /// Goes on with the run in `folder` as one that has `generations` behind the first: the same run as if they had been asked for
    /// at once. One that has as many already is just gone on with. Also gives what was odd there, a sentence each.
    ///
    /// # Errors
    /// As [`resume`](RunJob::resume); or it has more already, or cannot be extended: why. Then nothing of it was changed.
    pub fn extend(folder: &Path, generations: u64, pool: &Pool) -> Result<(RunJob<R>, Vec<String>), Error> {
        let (found, files, settings) = examined::<R>(folder)?;
        let before = R::manifest(&settings).generations;
        if generations == before {
            drop(found);
            return RunJob::resume(folder, pool);
        }
        if generations < before {
            let reason = format!(
                "{} goes on until generation {before} already; it can be made longer, but not shorter",
                folder.display()
            );
            return Err(reason.into());
        }
        let refused = |reason| format!("{} cannot be extended: {reason}", folder.display());
        let settings = R::extended(&settings, generations).map_err(refused)?;
        let run_inputs = run_inputs::<R>(&settings, &files);
        let run = restored::<R>(folder, &found, settings)?;
        if run.is_over() {
            return Err(refused("it has ended early, and more generations would change nothing".into()).into());
        }
        let checkpoint = found.checkpoint().cloned();
        let (mut dir, notes) = found.commit()?;
        dir.extend(run_inputs, checkpoint.as_ref())?;
        dir.note(&format!("extended: {generations} generations instead of {before}"));
        let mut job = RunJob::new(run, Some(dir), pool);
        job.restore_timings(folder);
        job.saved = checkpoint.map(|checkpoint| (checkpoint.generation, false));
        Ok((job, notes))
    }

    /// The run among `runs` that computes the same as one with these settings would, however long it is.
    pub fn twin(runs: &Path, settings: &R::Settings) -> Option<PathBuf> {
        let own = R::manifest(settings);
        let is_same = |(folder, manifest): &(PathBuf, Manifest)| {
            if (&manifest.kind, &manifest.preset, manifest.seed) != (&own.kind, &own.preset, own.seed) {
                return false;
            }
            let other = Manifest::read(folder, of_kind::<R>(folder)).ok().and_then(|(_, settings)| settings);
            let other = other.map(|other| match R::extended(&other, own.generations) {
                Ok(extended) if manifest.generations < own.generations => extended,
                _ => other,
            });
            let own =
                R::extended(settings, manifest.generations).ok().filter(|_| manifest.generations > own.generations);
            // Where the copied files are is of no account, only what they hold.
            let inputs = |settings: &R::Settings| run_inputs::<R>(settings, &Inputs::new());
            let (own, other) = (inputs(own.as_ref().unwrap_or(settings)), other.as_ref().map(inputs));
            other.is_some_and(|other| own.change(&other.run).is_none() && own.changed_file(&other).is_none())
        };
        run_dir::index::manifests(runs).find(is_same).map(|(folder, _)| folder)
    }

    fn new(run: R, dir: Option<RunDir>, pool: &Pool) -> RunJob<R> {
        let (pool, due) = (pool.clone(), Instant::now() + SAVE_EVERY);
        RunJob {
            run,
            pool,
            dir,
            due,
            saved: None,
            between: true,
            stepping: false,
            done: false,
            is_paused: false,
            error: None,
            is_halted: false,
        }
    }

    /// Tells the run what time it took before; what cannot be read of that is left out.
    fn restore_timings(&mut self, folder: &Path) {
        let run = &mut self.run;
        let _ = Tail::new(folder.join(run_dir::TIMINGS)).read(|row| {
            run.restore_timings(row);
            Ok(())
        });
    }

    pub fn run(&self) -> &R {
        &self.run
    }

    /// Where it is written, if anywhere.
    pub fn folder(&self) -> Option<&Path> {
        self.dir.as_ref().map(RunDir::folder)
    }

    /// Where it can be gone on with later; see [`RunDir::goes_on_at`].
    pub fn goes_on_at(&self) -> Option<&Path> {
        self.dir.as_ref().and_then(RunDir::goes_on_at)
    }

    /// Why the run had to stop.
    pub fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// The [`error`](RunJob::error) is that its settings do not let it go on; all that it did is as good as ever.
    pub fn is_halted(&self) -> bool {
        self.is_halted
    }

    /// Writes a checkpoint unless the newest is of this generation. What goes wrong is kept as [`error`](RunJob::error).
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

    fn mark_paused(&mut self, is_paused: bool) {
        if let Some(dir) = self.dir.as_mut().filter(|_| self.is_paused != is_paused) {
            dir.mark_paused(is_paused);
            self.is_paused = is_paused;
        }
    }

    fn write(&mut self, row: &Row) {
        if let Some(dir) = &mut self.dir {
            self.error = dir.append(&row.values, &row.timings).err();
        }
    }
}

/// The run in `folder`, with its settings, once all of its files go together.
fn examined<R: Run>(folder: &Path) -> Result<(Examined, Inputs, R::Settings), Error> {
    let found = Found::open(folder)?;
    let read = Manifest::parse(found.source(), of_kind::<R>(folder))?;
    let (manifest, settings) = settings::<R>(folder, read)?;
    let inputs = run_inputs::<R>(&settings, &manifest.files);
    let as_written_now = |run: &str| as_written_now::<R>(run, folder);
    let found = found.examine(format::<R>(&settings), inputs, as_written_now)?;
    Ok((found, manifest.files, settings))
}

/// The run as of its checkpoint, or at its beginning if there is none.
fn restored<R: Run>(folder: &Path, found: &Examined, settings: R::Settings) -> Result<R, Error> {
    let Some(checkpoint) = found.checkpoint() else { return R::start(settings) };
    let restored = R::restore(settings, &checkpoint.state, found.rows()?);
    match (restored, found.changed_rows()) {
        (Ok(run), None) => Ok(run),
        (Err(reason), None) => Err(format!("the run in {} cannot be taken up: {reason}", folder.display()).into()),
        // The run itself may know best what is wrong with the row.
        (Err(reason), Some(changed)) => Err(format!("{changed} ({reason}); put back what it was").into()),
        (Ok(_), Some(changed)) => Err(format!("{changed}; put back what it was").into()),
    }
}

impl<R: Run> Job for RunJob<R> {
    type View = RunView<R::View>;

    fn step(&mut self, budget: Budget) -> Status {
        self.mark_paused(false);
        let pool = self.pool.clone();
        let mut turn = None;
        let mut budget = budget;
        while !self.done && self.error.is_none() {
            if turn.is_none() {
                turn = Some(pool.turn());
                // What was spent waiting is not the run's.
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
                    if self.dir.is_some() && Instant::now() >= self.due {
                        // A disk may be slow: the pool has better things to do than to wait for it.
                        turn = None;
                        self.save();
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

impl<R: Run> Drop for RunJob<R> {
    fn drop(&mut self) {
        self.save();
    }
}
