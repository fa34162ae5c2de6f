//! The reader of the runs' folder: the one source of all tabs, and of the alarms, whichever tab is active.
//!
//! It reads often while runs are shown and seldom otherwise, always in the background. A frame follows only a change.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::tab::{Context, Tone};
use super::work::Owner;
use super::{App, Stale};
use crate::job::JobId;
use crate::job::background::TaskResult;
use crate::monitor::{self, EVERY, Overview, Reader, ReportedAlarms};

/// The time between two reads while no runs are shown.
const SELDOM: Duration = Duration::from_secs(30);
/// Reads take at most one part in `SHARE` of the time.
const SHARE: u32 = 10;

/// What is known of the runs.
#[derive(Default)]
pub(super) struct Runs {
    /// The folder that the tabs show; `None` if none does.
    folder: Option<PathBuf>,
    /// `None` while it reads, and before the first read.
    reader: Option<Box<Reader>>,
    /// The task that reads now.
    job: Option<JobId>,
    /// To be read again after this read, which began before a change.
    is_wanted: bool,
    /// Time and duration of the last read; `None` before the first.
    read: Option<(Instant, Duration)>,
    /// What the tabs have.
    seen: Option<Arc<Overview>>,
    reported: ReportedAlarms,
}

/// The result of a read.
struct ReadOutcome {
    reader: Box<Reader>,
    seen: Overview,
    took: Duration,
}

impl App {
    /// Begins to read the folder that the tabs show, if any does.
    pub(super) fn open_runs(&mut self, now: Instant) {
        self.runs.folder = self.tabs.iter().find_map(|tab| tab.runs_folder()).map(Path::to_owned);
        self.read_runs(None, now);
    }

    /// Returns the time of the next read; `None` while it reads, and without a folder of runs.
    pub(super) fn runs_deadline(&self) -> Option<Instant> {
        let (at, took) = self.runs.read.filter(|_| self.runs.job.is_none())?;
        let pause = if self.tabs[self.front].shows_runs() { EVERY } else { SELDOM };
        Some(at + pause.max(took * SHARE))
    }

    /// Reads the runs now, or again if they are being read. Inputs of the tab `holds` wait for the result.
    pub(super) fn read_runs(&mut self, holds: Option<usize>, now: Instant) {
        self.runs.is_wanted = self.runs.job.is_some();
        if let Some(folder) = self.runs.folder.clone().filter(|_| self.runs.job.is_none()) {
            let mut reader = self.runs.reader.take().unwrap_or_else(|| Box::new(Reader::new(folder)));
            // Also where no thread can be started: the next read is due later.
            self.runs.read = Some((now, Duration::ZERO));
            let work = move || {
                let began = Instant::now();
                let seen = reader.read(began);
                ReadOutcome { reader, seen, took: began.elapsed() }
            };
            self.runs.job = self.start_task(Owner::Runs, Box::new(move || Box::new(work())), now);
        }
        if let Some((job, tab)) = self.runs.job.zip(holds) {
            self.held.entry(job).or_insert_with(|| (tab, Vec::new()));
        }
    }

    /// Passes the runs to the tabs and reports alarms.
    pub(super) fn take_runs(&mut self, answer: Option<TaskResult>, now: Instant) {
        let job = self.runs.job.take();
        let held = job.and_then(|job| self.held.remove(&job));
        let Some(read) = answer.and_then(|answer| answer.downcast::<ReadOutcome>().ok()) else {
            // The read failed, which has been reported; the next begins anew.
            self.runs.read = Some((now, Duration::ZERO));
            return self.again(held.map(|(_, inputs)| inputs).unwrap_or_default(), now);
        };
        let ReadOutcome { reader, seen, took } = *read;
        (self.runs.reader, self.runs.read) = (Some(reader), Some((now, took)));
        if self.runs.is_wanted {
            self.read_runs(None, now);
            if let Some((job, held)) = self.runs.job.zip(held) {
                self.held.insert(job, held);
            }
            return;
        }
        let shows_machine = self.tabs[self.front].shows_machine();
        let is_same =
            |before: &Arc<Overview>| seen.looks_like(before) && (!shows_machine || seen.machine() == before.machine());
        if !self.runs.seen.as_ref().is_some_and(is_same) {
            self.mark(Stale::News);
        }
        let seen = Arc::new(seen);
        self.runs.seen = Some(Arc::clone(&seen));
        self.report_alarms(&seen, now);
        (0..self.tabs.len()).for_each(|index| self.with_tab(index, now, |tab, cx| tab.take_runs(&seen, cx)));
        self.again(held.map(|(_, inputs)| inputs).unwrap_or_default(), now);
    }

    /// Reports new alarms: by a notice, by the terminal, and by the user's command. Guests get none: the runs are not theirs.
    fn report_alarms(&mut self, seen: &Overview, now: Instant) {
        if self.paths.rights().is_guest() {
            return;
        }
        let news = self.runs.reported.news(seen);
        let config = self.config.clone();
        let pool = self.pool.clone();
        let paths = self.paths.clone();
        let mut cx = Context::new(now, &config, &pool, &paths);
        for alarm in news {
            cx.notice(Tone::Bad, alarm.clone());
            if let Some(command) = config.ui.on_alarm.clone() {
                let alarm = alarm.clone();
                cx.background(move || monitor::run_command(&command, &alarm));
            }
            cx.announce(alarm);
        }
        for effect in cx.effects {
            self.carry_out(None, effect, now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tabs::staged::with_runs;

    #[test]
    fn the_load_is_drawn_again_where_it_is_shown_and_nowhere_else() {
        let folder = tempfile::tempdir().unwrap();
        for (tab, is_drawn) in [("6", true), ("3", false)] {
            let mut stage = with_runs(tab, folder.path(), None);
            stage.screen(120, 40);
            stage.pass(EVERY);
            let runs = &mut stage.parts().0.runs;
            let seen = runs.seen.as_deref().cloned().unwrap();
            runs.seen = Some(Arc::new(Overview { load: Some((99.0, 2)), ..seen }));
            stage.screen(120, 40);
            stage.pass(EVERY);
            assert_eq!(stage.parts().0.is_draw_due(Instant::now() + SELDOM), is_drawn, "{tab}");
        }
    }
}
