//! An attempt at a unit, from its mark to its result.
//!
//! A running attempt writes its progress into its mark regularly, which also touches it, so that other machines can see that it is
//! alive. It saves its state in
//! its own folder and starts from a copy of another attempt's state. Two simultaneous attempts at one unit compute the
//! same result and do no harm.

use mancalab_base::{Error, bail, threads};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use crossbeam_channel::{RecvTimeoutError, Sender, bounded};

use super::layout::{self, AttemptId, Mark};
use super::plan::Plan;
use super::result::BuildId;
use super::runs::Runs;
use super::{processes, result};
use crate::experiment::Half;
use crate::experiment::task::{JobContext, Outcome, make_folder, progress};
use crate::pool::Pool;
use crate::{confined, files};

/// Interval between touches of a mark, and the age after which its attempt counts as dead.
const BEAT: Duration = Duration::from_secs(5);
pub(crate) const DEAD_AFTER: Duration = Duration::from_secs(60);
/// How far the clock of another machine may be ahead.
const MAX_CLOCK_SKEW: Duration = Duration::from_secs(600);

/// Outcome of an attempt.
#[derive(Clone, PartialEq, Debug)]
pub enum AttemptOutcome {
    /// The result was computed, in this many seconds.
    Done(f64),
    /// The result already existed.
    Already,
    /// These units must be computed first.
    Missing(Vec<u32>),
    /// Stopped on request, with its state saved.
    Stopped,
}

/// Interval between checks for a pending result.
const LOOK: Duration = Duration::from_millis(200);

/// Computes a unit unless it has a result. Waits at most `wait` for the results that it needs.
///
/// # Errors
/// The plan's files or needed results are invalid, or the unit cannot be computed or written.
pub fn compute(
    plan: &Plan,
    work: &Runs,
    unit: u32,
    wait: Duration,
    pool: &Pool,
    stop: &dyn Fn() -> bool,
    report: &mut dyn FnMut(f64),
) -> Result<AttemptOutcome, Error> {
    if is_there(plan, unit)? {
        return Ok(AttemptOutcome::Already);
    }
    let needs = work.needs(unit);
    let until = Instant::now() + wait;
    let is_missing = |need: &&u32| layout::results_of(plan.folder(), **need).is_empty();
    loop {
        let missing: Vec<u32> = needs.iter().filter(is_missing).copied().collect();
        match missing[..] {
            [] => break,
            _ if stop() => return Ok(AttemptOutcome::Stopped),
            _ if Instant::now() >= until => return Ok(AttemptOutcome::Missing(missing)),
            _ => std::thread::sleep(LOOK),
        }
    }
    let inputs = inputs(plan, &needs)?;
    let attempt = Attempt::begin(plan, unit)?;
    let began = Instant::now();
    let others: Vec<PathBuf> = layout::attempts_at(plan.folder(), unit)
        .into_iter()
        .filter(|other| *other != attempt.id)
        .map(|other| layout::attempt(plan.folder(), &other))
        .collect();
    let folder = attempt.folder();
    make_folder(&folder)?;
    let mut report = |share: f64| {
        attempt.beat.percent.store((100.0 * share) as u8, Ordering::Relaxed);
        report(share);
    };
    let mut working = JobContext { inputs: &inputs, folder: &folder, others: &others, pool, stop, report: &mut report };
    // A resumed run reads its settings again.
    let outcome = plan.with_copies(|| work.compute(unit, &mut working));
    attempt.conclude(outcome, began.elapsed().as_secs_f64(), pool.count())
}

/// Returns the results of these units.
fn inputs(plan: &Plan, needs: &[u32]) -> Result<Vec<Vec<u8>>, Error> {
    let input = |&need: &u32| {
        let found = result::of_unit(plan, &layout::results_of(plan.folder(), need))?;
        found.ok_or_else(|| format!("the result of unit {need} was deleted"))?.body().read(Half::Deterministic)
    };
    needs.iter().map(input).collect()
}

/// Returns whether the unit has a result.
fn is_there(plan: &Plan, unit: u32) -> Result<bool, Error> {
    Ok(result::of_unit(plan, &layout::results_of(plan.folder(), unit))?.is_some())
}

/// Returns whether an attempt seems to be running: on this machine by its process, elsewhere by the age of its mark.
pub(crate) fn is_alive(plan: &Path, id: &AttemptId) -> bool {
    let Some(touched) = touched(plan, id) else { return false };
    // Machine clocks differ: a mark from the near future counts as fresh.
    let is_fresh = || match SystemTime::now().duration_since(touched) {
        Ok(age) => age < DEAD_AFTER,
        Err(ahead) => ahead.duration() < MAX_CLOCK_SKEW,
    };
    id.is_alive_here().unwrap_or_else(is_fresh)
}

/// Returns when the mark of a running attempt was last touched, by its own machine's clock.
pub(super) fn touched(plan: &Path, id: &AttemptId) -> Option<SystemTime> {
    let mark = layout::mark(plan, id, Mark::Run);
    confined::resolve(&mark).and_then(fs::symlink_metadata).and_then(|meta| meta.modified()).ok()
}

/// Deletes the saved state of dead attempts at units that have a result.
pub(crate) fn clear_dead(plan: &Plan) {
    let done = layout::results(plan.folder());
    for id in layout::attempts(plan.folder()) {
        if done.contains_key(&id.unit) && !is_alive(plan.folder(), &id) {
            let _ = confined::remove_tree(&layout::attempt(plan.folder(), &id));
        }
    }
}

/// A running attempt.
struct Attempt<'a> {
    plan: &'a Plan,
    id: AttemptId,
    beat: Arc<Beat>,
    /// Dropping it ends the thread that writes the mark.
    _ends: Sender<()>,
}

/// What is written into the mark of a running attempt.
#[derive(Default)]
struct Beat {
    /// Its progress.
    percent: AtomicU8,
    /// Whether the mark is no longer that of a running attempt; locked while it is written.
    is_over: Mutex<bool>,
}

impl Beat {
    /// Writes the progress, in a text of the same length each time. A failure affects only the displayed status.
    fn write(&self, mark: &Path) {
        let is_over = self.is_over.lock().unwrap_or_else(PoisonError::into_inner);
        if !*is_over {
            let text = format!("{:3} %\n", self.percent.load(Ordering::Relaxed).min(100));
            let file = files::open_with(File::options().write(true), mark);
            let _ = file.and_then(|mut file| {
                // A full disk leaves the time to be set.
                let _ = file.write_all(text.as_bytes());
                file.set_modified(SystemTime::now())
            });
        }
    }
}

impl<'a> Attempt<'a> {
    fn begin(plan: &'a Plan, unit: u32) -> Result<Attempt<'a>, Error> {
        let id = AttemptId::own(unit);
        let mark = layout::mark(plan.folder(), &id, Mark::Run);
        files::write_whole(&mark, b"").map_err(Error::cannot("write", &mark))?;
        let (beat, ends) = bounded::<()>(0);
        let own = Arc::new(Beat::default());
        let shared = Arc::clone(&own);
        let touch = move || {
            while ends.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                shared.write(&mark);
            }
        };
        let _ = threads::spawn("mark", touch);
        Ok(Attempt { plan, id, beat: own, _ends: beat })
    }

    /// Returns the folder where it saves its state.
    fn folder(&self) -> PathBuf {
        layout::attempt(self.plan.folder(), &self.id)
    }

    /// Writes the result and the attempt's final mark.
    fn conclude(&self, outcome: Result<Outcome, Error>, seconds: f64, threads: usize) -> Result<AttemptOutcome, Error> {
        let plan = self.plan;
        let unit = self.id.unit;
        let written = match outcome {
            Ok(Outcome::Stopped) if !is_there(plan, unit)? => {
                // Whether an attempt of another machine is dead is only a guess, so its folder stays.
                let own = progress(&self.folder());
                self.clear_others(|id, folder| id.is_alive_here().is_some() && progress(folder) <= own);
                // This attempt ended as it should, after those that were killed.
                let dead = layout::marks_of(plan.folder(), unit);
                let dead =
                    dead.into_iter().filter(|(id, mark)| *mark == Mark::Run && id.is_alive_here() == Some(false));
                for id in dead.map(|(id, _)| id).chain([self.id.clone()]) {
                    let _ = confined::resolve(&layout::mark(plan.folder(), &id, Mark::Run)).and_then(fs::remove_file);
                }
                return Ok(AttemptOutcome::Stopped);
            }
            Ok(Outcome::Stopped) => Ok(()),
            Ok(Outcome::Done(body)) => result::write(plan, &self.id, &body, &BuildId::own()),
            Err(reason) => Err(reason),
        };
        match written {
            Ok(()) => {
                self.end(Mark::Done, &format!("{seconds:.3}\n{}", processes::of_attempt(&self.folder(), threads)))
            }
            // Another attempt finished first and deleted the files in use.
            Err(_) if is_there(plan, unit)? => self.end(Mark::Done, ""),
            Err(reason) => {
                self.end(Mark::Failed, &format!("{reason}\n"));
                bail!("unit {unit}: {reason}");
            }
        }
        let _ = confined::remove_tree(&self.folder());
        self.clear_others(|_, _| true);
        Ok(AttemptOutcome::Done(seconds))
    }

    /// Deletes the folders of dead attempts that are no longer needed.
    fn clear_others(&self, may_go: impl Fn(&AttemptId, &Path) -> bool) {
        for other in layout::attempts_at(self.plan.folder(), self.id.unit) {
            let folder = layout::attempt(self.plan.folder(), &other);
            if other != self.id && !is_alive(self.plan.folder(), &other) && may_go(&other, &folder) {
                let _ = confined::remove_tree(&folder);
            }
        }
    }

    /// Writes the final mark. A failure affects only the displayed status.
    fn end(&self, mark: Mark, text: &str) {
        *self.beat.is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        let [from, to] = [Mark::Run, mark].map(|mark| layout::mark(self.plan.folder(), &self.id, mark));
        // On a full disk only the name can be changed.
        let file = files::open_with(File::options().write(true).truncate(true), &from);
        let _ = file.and_then(|mut file| file.write_all(text.as_bytes()));
        let _ = confined::resolve(&from).and_then(|from| fs::rename(from, confined::resolve(&to)?));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_has_the_progress_until_the_attempt_ends() {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().join("mark");
        fs::write(&mark, "").unwrap();
        let beat = Beat::default();
        let text = |percent: u8| {
            beat.percent.store(percent, Ordering::Relaxed);
            beat.write(&mark);
            fs::read_to_string(&mark).unwrap()
        };
        assert_eq!([text(100), text(7), text(71)], ["100 %\n", "  7 %\n", " 71 %\n"]);
        *beat.is_over.lock().unwrap() = true;
        fs::write(&mark, "1.500\n").unwrap();
        assert_eq!(text(72), "1.500\n", "the time of an attempt that ended stays");
    }

    /// Clocks of machines differ by minutes, not by days.
    #[test]
    fn a_mark_from_the_far_future_is_not_alive() {
        let folder = tempfile::tempdir().unwrap();
        let id = AttemptId { host: "elsewhere".to_owned(), ..AttemptId::own(1) };
        let mark = layout::mark(folder.path(), &id, Mark::Run);
        files::write_whole(&mark, b"").unwrap();
        let now = SystemTime::now();
        let is_alive = |time: SystemTime| {
            File::options().write(true).open(&mark).unwrap().set_modified(time).unwrap();
            is_alive(folder.path(), &id)
        };
        let minutes = |count: u64| Duration::from_secs(60 * count);
        assert!(is_alive(now) && is_alive(now + minutes(5)));
        assert!(!is_alive(now + minutes(30)) && !is_alive(now - minutes(2)));
    }
}
