//! The open run: the source of its progress events, its status, and its remaining time.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mancalab_base::Error;
use ratatui::text::Line;

use super::parts;
use super::parts::header::{self, HeaderStatus, Status, Word};
use super::parts::kind::{RunTab, RunViewModel};
use crate::app::tab::Context;
use crate::job::{JobId, Manifest, RunJob, RunView, RunWatcher, State};
use crate::kinds;
use crate::ui::Look;

/// The source of progress events.
pub(super) enum Source {
    /// A run of this process.
    Here { job: JobId, state: State },
    /// A run of another process, or one that has ended. The reader is `None` while another thread polls it.
    Watched { reader: Option<Box<RunWatcher>>, seen: WatchStatus, polled: Instant },
}

/// The latest status from the reader, besides the view model.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct WatchStatus {
    /// The process that writes the run.
    pub writer: Option<String>,
    pub is_paused: bool,
    pub has_crashed: bool,
    pub finished: bool,
    /// The time of the newest checkpoint.
    pub saved: Option<Instant>,
}

impl WatchStatus {
    fn by(watcher: &RunWatcher) -> WatchStatus {
        let now = Instant::now();
        let reader = watcher.reader();
        let saved = reader.checkpoint().and_then(|(_, age)| now.checked_sub(age));
        let is_paused = reader.is_paused();
        let has_crashed = reader.has_crashed();
        WatchStatus {
            writer: reader.writer().map(str::to_owned),
            is_paused,
            has_crashed,
            finished: watcher.is_finished(),
            saved,
        }
    }
}

/// A snapshot of a watched run, read off the drawing thread.
pub(super) struct WatchSnapshot {
    reader: Box<RunWatcher>,
    seen: WatchStatus,
    /// `None` if unchanged.
    view_model: Option<Box<dyn RunViewModel>>,
    error: Option<String>,
}

impl WatchSnapshot {
    /// # Errors
    /// See [`RunWatcher::open`].
    pub fn open(tab: &'static RunTab, folder: &Path) -> Result<WatchSnapshot, Error> {
        let reader = kinds::watch(folder)?;
        let view_model = (tab.pages.watched)(&reader);
        let error = reader.damage().map(str::to_owned);
        Ok(WatchSnapshot { seen: WatchStatus::by(&reader), reader: Box::new(reader), view_model, error })
    }

    /// Polls the reader for changes.
    fn again(tab: &RunTab, mut reader: Box<RunWatcher>) -> WatchSnapshot {
        let (view_model, error) = match reader.poll() {
            Ok(changed) => {
                (changed.then(|| (tab.pages.watched)(&reader)).flatten(), reader.damage().map(str::to_owned))
            }
            Err(error) => (None, Some(error.to_string())),
        };
        WatchSnapshot { seen: WatchStatus::by(&reader), reader, view_model, error }
    }
}

pub(super) struct Current {
    tab: &'static RunTab,
    /// Identifies this opening of the run; progress events of another opening are discarded.
    pub number: u64,
    pub folder: PathBuf,
    pub manifest: Manifest,
    pub source: Source,
    pub view_model: Option<Box<dyn RunViewModel>>,
    pub saved: Option<Instant>,
    pub error: Option<String>,
    /// The state a command asked for, until the job reports it: what it reports meanwhile is older than the command.
    awaited: Option<State>,
    /// The time after which the run ends early.
    most_time: Option<Duration>,
    /// The current speed, from which the remaining time is estimated.
    pace: Pace,
    /// The run has ended since it was last shown.
    pub news: bool,
    now: Instant,
}

/// Polling interval for runs of another process.
const POLL: Duration = Duration::from_secs(1);

impl Current {
    pub fn running(
        tab: &'static RunTab,
        folder: PathBuf,
        manifest: Manifest,
        job: RunJob,
        cx: &mut Context,
    ) -> Current {
        let most_time = job.settings().conduct().stop.time();
        let source = Source::Here { job: cx.start(job), state: State::Running };
        Current { most_time, ..Current::new(tab, folder, manifest, source, cx.now) }
    }

    pub fn watching(tab: &'static RunTab, folder: PathBuf, read: WatchSnapshot, now: Instant) -> Current {
        let WatchSnapshot { reader, seen, view_model, error } = read;
        let manifest = reader.reader().manifest().clone();
        let most_time = reader.settings().conduct().stop.time();
        let source = Source::Watched { reader: Some(reader), seen, polled: now };
        Current { view_model, error, most_time, ..Current::new(tab, folder, manifest, source, now) }
    }

    fn new(tab: &'static RunTab, folder: PathBuf, manifest: Manifest, source: Source, now: Instant) -> Current {
        Current {
            tab,
            number: 0,
            folder,
            manifest,
            source,
            view_model: None,
            saved: None,
            error: None,
            awaited: None,
            most_time: None,
            pace: Pace::default(),
            news: false,
            now,
        }
    }

    /// Returns the name of the run's folder.
    pub fn name(&self) -> String {
        parts::name(&self.folder)
    }

    /// Whether the run is not of this process.
    pub fn is_watched(&self) -> bool {
        matches!(self.source, Source::Watched { .. })
    }

    pub fn is_running(&self) -> bool {
        matches!(&self.source, Source::Here { state: State::Running, .. })
    }

    /// Whether the run can continue in this process.
    pub fn is_open(&self) -> bool {
        matches!(&self.source, Source::Here { state: State::Running | State::Paused, .. })
    }

    /// Whether a generation is complete.
    pub fn has_data(&self) -> bool {
        self.view_model.as_deref().is_some_and(|view_model| view_model.status().generation.is_some())
    }

    pub fn take_view(&mut self, view: RunView, state: State, now: Instant) {
        self.view_model = (self.tab.pages.view_model)(&view.run);
        self.saved = view.saved.map(|saved| saved.time);
        self.error = view.error.map(|error| error.to_string());
        self.take_state(state, now);
    }

    /// Shows the state that a command has just asked for.
    pub fn await_state(&mut self, state: State, now: Instant) {
        self.awaited = None;
        self.take_state(state.clone(), now);
        self.awaited = Some(state);
    }

    pub fn take_state(&mut self, newest: State, now: Instant) {
        self.now = now;
        let is_older = matches!(newest, State::Running | State::Paused)
            && self.awaited.as_ref().is_some_and(|state| *state != newest);
        if is_older {
            return self.keep_pace();
        }
        self.awaited = None;
        if let State::Failed(reason) = &newest {
            self.error = Some(reason.clone());
        }
        match &mut self.source {
            Source::Here { state, .. } => *state = newest,
            Source::Watched { .. } => {}
        }
        self.keep_pace();
    }

    pub fn status(&self) -> Option<Status> {
        self.view_model.as_ref().map(|view_model| view_model.status())
    }

    fn keep_pace(&mut self) {
        match self.status().filter(|_| self.word().goes_on()) {
            Some(status) => self.pace.note(self.now, status.done),
            None => self.pace = Pace::default(),
        }
    }

    /// Returns the time of the next poll of another process's run.
    pub fn deadline(&self) -> Option<Instant> {
        match &self.source {
            // Until the run has ended, another process may resume it at any time.
            Source::Watched { reader: Some(_), seen, polled } if !seen.finished || seen.writer.is_some() => {
                Some(*polled + POLL)
            }
            _ => None,
        }
    }

    /// Returns the poll of another process's run as a task for another thread, if it is due.
    pub fn poll(&mut self, now: Instant) -> Option<impl FnOnce() -> WatchSnapshot + Send + use<>> {
        self.deadline().filter(|deadline| *deadline <= now)?;
        let tab = self.tab;
        let Source::Watched { reader, .. } = &mut self.source else { return None };
        reader.take().map(|reader| move || WatchSnapshot::again(tab, reader))
    }

    /// Applies the result of a poll.
    pub fn take_read(&mut self, read: WatchSnapshot, now: Instant) {
        let WatchSnapshot { reader, seen, view_model, error } = read;
        self.source = Source::Watched { reader: Some(reader), seen, polled: now };
        self.now = now;
        self.view_model = view_model.or(self.view_model.take());
        self.error = error;
        self.keep_pace();
    }

    /// Returns the process that writes the run while it is watched.
    pub fn writer(&self) -> Option<&str> {
        match &self.source {
            Source::Watched { seen, .. } => seen.writer.as_deref(),
            Source::Here { .. } => None,
        }
    }

    /// Returns the line above the panels, of at most `cells`.
    pub fn status_line(&self, cells: u16, look: &Look) -> Line<'static> {
        let status = self.status();
        let left = status.as_ref().and_then(|status| self.left(status));
        let writer = self.writer();
        let error = self.error.as_deref();
        let header_status = HeaderStatus { state: self.word(), writer, error, left, saved: self.saved_age() };
        header::line(&header_status, status.as_ref(), cells, look)
    }

    /// Returns the estimated time until the run ends.
    fn left(&self, status: &Status) -> Option<Duration> {
        let by_time = self.most_time.zip(status.spent).map(|(most, spent)| most.saturating_sub(spent));
        let by_pace = self.pace.left(status.total - status.done);
        [by_pace, by_time.filter(|_| self.word().goes_on())].into_iter().flatten().min()
    }

    fn saved_age(&self) -> Option<Duration> {
        let saved = match &self.source {
            Source::Here { .. } => self.saved?,
            Source::Watched { seen, .. } => seen.saved?,
        };
        // The age of a run that does not progress would not be updated, and be wrong.
        self.word().goes_on().then(|| self.now.saturating_duration_since(saved))
    }

    /// Returns the run's state.
    pub fn word(&self) -> Word {
        let failed = matches!(&self.source, Source::Here { state: State::Failed(_), .. });
        if self.error.is_some() || failed {
            return Word::Failed;
        }
        match &self.source {
            Source::Here { state: State::Running, .. } => Word::Running,
            Source::Here { state: State::Paused, .. } => Word::Paused,
            Source::Here { .. } => Word::Finished,
            Source::Watched { seen, .. } => match &seen.writer {
                Some(_) if seen.is_paused => Word::Paused,
                Some(_) => Word::Watching,
                None if seen.finished => Word::Finished,
                None if seen.has_crashed => Word::Crashed,
                None => Word::Stopped,
            },
        }
    }

    /// Announces the end of the run if it was progressing until now. Pauses are not announced.
    pub fn tell_of_end(&mut self, went_on: bool, cx: &mut Context) {
        let outcome = match self.word() {
            Word::Finished => "has finished in",
            Word::Failed => "has stopped after",
            _ => return,
        };
        if went_on {
            self.news = true;
            let status = self.status().unwrap_or_default();
            let spent = crate::ui::duration(status.spent.unwrap_or_default());
            let best = if status.best.is_empty() { String::new() } else { format!(": {}", status.best) };
            cx.announce(format!("{} {outcome} {spent}{best}", self.name()));
        }
    }
}

/// The measuring window, extended if too little was done in it.
const LATELY: Duration = Duration::from_secs(60);

/// The minimum time between two samples.
const APART: Duration = Duration::from_secs(1);

/// The minimum progress before an estimate: the first generation is slower than the following ones, which reuse earlier results.
const ENOUGH: f64 = 1.0;

/// Samples of a run's progress over time.
#[derive(Default)]
pub(super) struct Pace {
    notes: VecDeque<(Instant, f64)>,
    newest: Option<(Instant, f64)>,
}

impl Pace {
    /// Records that the run has completed `done`.
    pub fn note(&mut self, now: Instant, done: f64) {
        self.newest = Some((now, done));
        if self.notes.back().is_none_or(|(at, _)| now.duration_since(*at) >= APART) {
            self.notes.push_back((now, done));
        }
        // At least a minute back, and as far as needed for enough progress.
        let tells = |note: &(Instant, f64)| now.duration_since(note.0) >= LATELY && done - note.1 >= 2.0 * ENOUGH;
        while self.notes.get(1).is_some_and(tells) {
            self.notes.pop_front();
        }
    }

    /// Returns the estimated time for `rest`; `None` if unknown.
    pub fn left(&self, rest: f64) -> Option<Duration> {
        let ((began, from), (now, done)) = (*self.notes.front()?, self.newest?);
        let speed = (done - from) / now.duration_since(began).as_secs_f64();
        let left = rest / speed;
        (done - from >= ENOUGH && speed > 0.0 && left.is_finite())
            .then(|| Duration::from_secs_f64(left.clamp(0.0, 1e10)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_shown_at_once_and_older_reports_do_not_end_it() {
        let now = Instant::now();
        let source = Source::Here { job: JobId(1), state: State::Running };
        let manifest = Manifest::new("tune", "kalah-thesis", 1, 10);
        let mut current = Current::new(&crate::tabs::weights::TAB, PathBuf::from("run"), manifest, source, now);
        current.await_state(State::Paused, now);
        assert!(!current.is_running());
        current.take_state(State::Running, now);
        assert!(!current.is_running(), "a step that began before the pause");
        current.take_state(State::Paused, now);
        current.take_state(State::Running, now);
        assert!(current.is_running(), "another command, from elsewhere");
        current.await_state(State::Paused, now);
        current.take_state(State::Done, now);
        assert!(!current.is_open());
    }

    #[test]
    fn what_is_left_follows_the_pace_of_the_last_minute() {
        let mut pace = Pace::default();
        let began = Instant::now();
        let at = |seconds: u64| began + Duration::from_secs(seconds);
        pace.note(at(0), 0.0);
        assert_eq!(pace.left(100.0), None);
        pace.note(at(10), 0.9);
        assert_eq!(pace.left(100.0), None, "less than a generation says nothing");
        (0..=100).for_each(|second| pace.note(at(10 + second), 1.0 + second as f64));
        // One generation per second, though the first took ten.
        assert_eq!(pace.left(100.0).map(|left| left.as_secs()), Some(100));
        // Slower from now on: ten seconds each.
        (1..=30).for_each(|step| pace.note(at(110 + 10 * step), 101.0 + step as f64));
        assert_eq!(pace.left(10.0).map(|left| left.as_secs()), Some(100));
        assert!(pace.notes.len() < 100);
    }

    #[test]
    fn generations_of_minutes_are_judged_by_as_many_as_it_takes() {
        let mut pace = Pace::default();
        let began = Instant::now();
        for minute in 0..20 {
            pace.note(began + Duration::from_secs(60 * minute), minute as f64 / 4.0);
        }
        assert_eq!(pace.left(2.0).map(|left| left.as_secs()), Some(480));
    }
}
