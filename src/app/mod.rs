//! The application between the terminal and the tabs: it routes input and progress events, executes effects, and schedules frames.
//!
//! [`App`] is a plain state machine over events and a clock; [`run`] drives it with a real terminal, tests without one.

pub(crate) mod collisions;
pub(crate) mod command;
mod commands;
mod draw;
mod input;
mod layers;
mod notice;
pub(crate) mod overlay;
pub(crate) mod place;
pub mod run;
mod runs;
#[cfg(test)]
pub(crate) mod stage;
pub(crate) mod tab;
#[cfg(test)]
mod tests;
pub mod theme_catalog;
mod work;

use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use ratatui::layout::Rect;

use crate::config::{Config, PendingChoices};
use crate::job::worker::{self, JobId, Worker};
use crate::job::workers::Workers;
use crate::paths::Paths;
use crate::pool::Pool;
use crate::settings::Report;
use crate::term::{Cursor, Notify};
use crate::ui::Look;
use command::{Commands, Keymap, Label, Registry, labels, placed};
use layers::{Input, Layer};
use notice::Notice;
use place::{Place, Whose};
use runs::Runs;
use tab::{Context, Tab, Tone};
use theme_catalog::ThemeCatalog;
use work::Owner;

/// A request that only the owner of the terminal can execute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TerminalRequest {
    Redraw,
    Suspend,
    /// Take the terminal over again after another program used it.
    Resume,
    Copy(String),
    /// Notify the user by this method.
    Announce(Notify, String),
}

/// The reason for the next frame; input is drawn sooner than the progress of jobs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Stale {
    No,
    News,
    Input,
    /// No frame has been drawn yet.
    First,
}

/// A command in its current state, for footer, help and palette.
pub(crate) struct CommandEntry {
    pub place: Place,
    pub label: Label,
    pub title: String,
    /// Why it does not apply now, in a few words; `None` if it applies.
    pub why_not: Option<String>,
    /// The footer offers it now.
    pub is_offered: bool,
    /// The labels of its keys; the first is the one shown.
    pub keys: Vec<String>,
}

/// Threads that advance the owner's jobs; those of runs and searches use the pool.
const THREADS: usize = 3;

/// Threads that advance a guest's jobs.
const GUEST_THREADS: usize = 1;

/// Threads of background tasks.
pub(crate) const TASK_THREADS: usize = 2;

pub struct App {
    config: Rc<Config>,
    pool: Pool,
    paths: Rc<Paths>,
    appearance: Appearance,
    /// The notice about a key without a function has been shown, which happens only once.
    told_of_keys: bool,
    keymap: Keymap,
    tabs: Vec<Box<dyn Tab>>,
    front: usize,
    layers: Vec<Layer>,
    /// Layers that were closed while they write, until their result is reported.
    closing: Vec<Layer>,
    /// Held inputs of tabs that wait for a background task, with the tab's index.
    held: HashMap<JobId, (usize, Vec<Input>)>,
    /// Number of layers opened so far.
    layers_opened: u64,
    jobs: Jobs,
    runs: Runs,
    notice: Option<Notice>,
    requests: Vec<TerminalRequest>,
    stale: Stale,
    frame: LastFrame,
    quit: Option<u8>,
    /// The end of a guest's session.
    ends: Option<Instant>,
}

/// How the app is drawn.
struct Appearance {
    look: Look,
    /// The catalog to choose from.
    looks: Arc<dyn ThemeCatalog>,
    /// The user has chosen the look in this session.
    chosen: bool,
    /// When to say how the theme is changed.
    theme_hint: Option<Instant>,
    /// Frames should have few bytes.
    spares_bytes: bool,
}

/// The jobs in progress, and the threads that advance them.
struct Jobs {
    workers: HashMap<JobId, (Owner, Worker)>,
    /// The folders of the runs that go on after quitting.
    going_on: Vec<PathBuf>,
    threads: Workers,
    /// Settings of the screen that are not on disk yet.
    unwritten: PendingChoices,
    /// Carries the ids of jobs with news to the event loop.
    pings: Sender<JobId>,
}

/// The last frame.
struct LastFrame {
    /// Its time, initially of the app's creation.
    drawn: Instant,
    /// The terminal's cursor.
    cursor: Cursor,
    /// The screen was too small for the tabs.
    too_small: bool,
    /// The areas of the tabs' titles, for the mouse.
    titles: Vec<Rect>,
    /// The areas of the footer's labels, with their commands.
    words: Vec<(Rect, Place)>,
    /// The terminal's title; `None` before the first.
    heading: Option<String>,
}

impl Default for LastFrame {
    fn default() -> LastFrame {
        LastFrame {
            drawn: Instant::now(),
            cursor: Cursor::default(),
            too_small: false,
            titles: Vec::new(),
            words: Vec::new(),
            heading: None,
        }
    }
}

/// Returns the registry: the app's commands and those of the tabs.
pub(crate) fn registry(tabs: &[Box<dyn Tab>]) -> Registry {
    let of_tabs = tabs.iter().enumerate().flat_map(|(index, tab)| placed(Whose::Tab(index), tab.labels()));
    placed(Whose::App, labels::<App>()).chain(of_tabs).collect()
}

impl App {
    /// Creates the app. `look` is the initial look, `looks` the catalog to choose from. `pool` runs the tabs' computations; `paths`
    /// are those of the user at the terminal. `pings` carries the ids of jobs with progress events to the loop.
    ///
    /// # Errors
    /// Bindings in the config's `[keys]` name no command, or have the same key.
    pub fn new(
        config: Config,
        look: Look,
        looks: Arc<dyn ThemeCatalog>,
        tabs: Vec<Box<dyn Tab>>,
        pool: Pool,
        paths: Paths,
        pings: Sender<JobId>,
    ) -> Result<App, Report> {
        let mut keymap = Keymap::new(registry(&tabs), &config.keys)?;
        let ends =
            paths.rights().limits().map(|limits| Instant::now() + Duration::from_secs(60 * u64::from(limits.minutes)));
        let is_guest = paths.rights().is_guest();
        if is_guest {
            keymap = keymap.for_guests();
        }
        let threads = Workers::new(if is_guest { GUEST_THREADS } else { THREADS }, TASK_THREADS);
        Ok(App {
            config: Rc::new(config),
            pool,
            paths: Rc::new(paths),
            appearance: Appearance { look, looks, chosen: false, theme_hint: None, spares_bytes: false },
            told_of_keys: false,
            keymap,
            tabs,
            front: 0,
            layers: Vec::new(),
            closing: Vec::new(),
            held: HashMap::new(),
            layers_opened: 0,
            jobs: Jobs {
                workers: HashMap::new(),
                going_on: Vec::new(),
                threads,
                unwritten: PendingChoices::default(),
                pings,
            },
            runs: Runs::default(),
            notice: None,
            requests: Vec::new(),
            stale: Stale::First,
            frame: LastFrame::default(),
            quit: None,
            ends,
        })
    }

    /// Computes on threads that several sessions share, instead of its own.
    #[must_use]
    pub fn on(self, threads: Workers) -> App {
        App { jobs: Jobs { threads, ..self.jobs }, ..self }
    }

    /// Opens every tab. Call once before anything else.
    pub(crate) fn open(&mut self, now: Instant) {
        for index in 0..self.tabs.len() {
            self.with_tab(index, now, |tab, cx| tab.open(cx));
        }
        self.open_runs(now);
        self.tell_of_collisions(now);
    }

    /// Reports conflicting key bindings of the config: the first, and the number of others.
    fn tell_of_collisions(&mut self, now: Instant) {
        let collisions = collisions::collisions(&registry(&self.tabs), &self.config.keys);
        let more = collisions.len().saturating_sub(1);
        if let Err(report) = Report::check(collisions) {
            let others = if more > 0 { format!("; mancalab config check lists {more} more") } else { String::new() };
            self.notice(Tone::Bad, report.in_a_line() + &others, now);
        }
    }

    /// Returns the exit status, once the program is to end.
    pub fn quit(&self) -> Option<u8> {
        self.quit
    }

    /// Ends the program with this exit status, unless it is ending already.
    pub(crate) fn end(&mut self, status: u8) {
        self.quit.get_or_insert(status);
    }

    /// Lets every tab save its state. Call once, on every exit path. Returns an error sentence for each failure.
    ///
    /// The tabs are first: their state, such as the game on the board, exists nowhere else and is written fast. Then the workers
    /// write their last checkpoints, after requesting the time for it by `more_time`.
    pub fn leave(&mut self, more_time: impl Fn(Duration)) -> Vec<String> {
        let unsaved = self.tabs.iter_mut().filter_map(|tab| tab.leave().err()).map(|error| error.to_string()).collect();
        worker::stop_all(self.jobs.workers.drain().map(|(_, (_, worker))| worker), more_time);
        unsaved
    }

    pub(crate) fn take_requests(&mut self) -> Vec<TerminalRequest> {
        let requests = std::mem::take(&mut self.requests);
        // Other programs that use the terminal in between set their own title.
        if requests.iter().any(|request| matches!(request, TerminalRequest::Suspend | TerminalRequest::Resume)) {
            self.frame.heading = None;
        }
        requests
    }

    /// Handles the passage of time: ticks the tabs that are due and removes expired notices.
    pub(crate) fn tick(&mut self, now: Instant) {
        if self.notice.as_ref().is_some_and(|notice| notice.until.is_some_and(|until| until <= now)) {
            self.notice = None;
            self.mark(Stale::Input);
        }
        if self.ends.is_some_and(|ends| ends <= now) {
            self.end(0);
        }
        self.hint_at_theme(now);
        if self.runs_deadline().is_some_and(|deadline| deadline <= now) {
            self.read_runs(None, now);
        }
        for index in 0..self.tabs.len() {
            if self.tabs[index].deadline().is_some_and(|deadline| deadline <= now) {
                self.mark(Stale::Input);
                self.with_tab(index, now, |tab, cx| tab.tick(cx));
            }
        }
    }

    /// Returns the time of the next wake-up; `None` to wait for events only.
    #[cfg(test)]
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.next_wake(None)
    }

    /// Returns the time of the next wake-up; `None` to wait for events only. `busy`: when the display takes the next frame, if not now.
    pub(crate) fn next_wake(&self, busy: Option<Instant>) -> Option<Instant> {
        let tabs = self.tabs.iter().filter_map(|tab| tab.deadline());
        tabs.chain(self.notice.as_ref().and_then(|notice| notice.until))
            .chain(self.draw_at().max(busy).filter(|_| self.stale != Stale::No))
            .chain(self.ends)
            .chain(self.appearance.theme_hint.filter(|_| self.may_hint()))
            .chain(self.runs_deadline())
            .min()
    }

    /// Whether frames should have few bytes.
    pub(crate) fn spare_bytes(&mut self, spares: bool) {
        self.appearance.spares_bytes = spares;
    }

    /// Handles the measurement of the line to the display. On a slow one moves are no longer animated; on another one boards get their
    /// colours.
    pub(crate) fn take_line_speed(&mut self, is_slow: bool, now: Instant) {
        let tabs = if is_slow { self.tabs.len() } else { 0 };
        (0..tabs).for_each(|index| self.with_tab(index, now, |tab, cx| tab.slow_line(cx)));
        self.mark(Stale::Input);
    }

    /// For sessions without a screen: takes the text of the notice, and that a frame is due.
    pub(crate) fn take_notice(&mut self) -> Option<String> {
        self.stale = Stale::No;
        self.notice.take().map(Notice::into_text)
    }

    fn mark(&mut self, stale: Stale) {
        if stale > self.stale {
            self.stale = stale;
        }
    }

    /// Whether a frame is due.
    pub(crate) fn is_draw_due(&self, now: Instant) -> bool {
        self.draw_at().is_some_and(|at| at <= now)
    }

    /// Returns the time of the next frame; `None` if nothing has changed.
    fn draw_at(&self) -> Option<Instant> {
        let rate = match self.stale {
            Stale::No => return None,
            Stale::First => return Some(self.frame.drawn),
            Stale::News => self.config.ui.news_fps,
            Stale::Input => self.config.ui.input_fps,
        };
        Some(self.frame.drawn + Duration::from_secs(1) / rate.max(1))
    }

    /// Runs a command of the app or of a tab.
    fn run(&mut self, place: Place, now: Instant) {
        match place.whose {
            Whose::Tab(index) => self.with_tab(index, now, |tab, cx| tab.call(place.row, cx)),
            Whose::App => {
                let config = Rc::clone(&self.config);
                let pool = self.pool.clone();
                let paths = Rc::clone(&self.paths);
                let mut cx = Context::new(now, &config, &pool, &paths);
                self.call(place.row, &mut cx);
                for effect in cx.effects {
                    self.carry_out(None, effect, now);
                }
            }
        }
    }

    fn table(&self, whose: Whose) -> &dyn Commands {
        match whose {
            Whose::App => self,
            Whose::Tab(index) => self.tabs[index].as_ref(),
        }
    }

    /// Returns the owners of the active commands: the active tab, then the app.
    fn tables_in_front(&self) -> [Whose; 2] {
        [Whose::Tab(self.front), Whose::App]
    }

    /// Returns a table's commands in their current state.
    fn listed(&self, whose: Whose) -> Vec<CommandEntry> {
        // A key claimed by the tab is not shown for a command, unless it is the only one.
        let is_free =
            |chord: &&crate::term::Chord| !matches!(whose, Whose::Tab(tab) if self.tabs[tab].claims(chord.event()));
        let labels = |place| {
            let keys = self.keymap.keys(place);
            let free: Vec<String> =
                keys.iter().filter(is_free).map(|chord| chord.label(&self.appearance.look.glyphs)).collect();
            if free.is_empty() {
                keys.iter().map(|chord| chord.label(&self.appearance.look.glyphs)).collect()
            } else {
                free
            }
        };
        let listed = |(place, label): (Place, Label)| {
            let table = self.table(whose);
            let row = place.row;
            let why_not = (!table.applies(row)).then(|| table.why_not(row));
            let is_offered = why_not.is_none() && table.footer_of(row).is_some();
            CommandEntry { place, label, title: table.title_of(row), why_not, is_offered, keys: labels(place) }
        };
        let exists = |(place, _): &(Place, Label)| self.table(whose).exists(place.row);
        self.keymap.table(whose).filter(exists).map(listed).collect()
    }

    /// Returns the work that quitting would interrupt, a sentence each.
    fn unfinished(&self) -> Vec<String> {
        self.tabs.iter().filter_map(|tab| tab.unfinished()).collect()
    }

    fn runs_to_go_on(&self) -> Vec<PathBuf> {
        self.tabs.iter().flat_map(|tab| tab.runs_to_go_on()).collect()
    }

    /// Takes the runs that are to go on in processes of their own, once they are saved: the command and the folder of each.
    pub fn take_going_on(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.jobs.going_on)
    }

    /// Activates the tab of this scope; does nothing if there is none.
    pub(crate) fn go_to(&mut self, scope: &str) {
        if let Some(index) = self.tabs.iter().position(|tab| tab.scope() == scope) {
            self.go_to_tab(index);
        }
    }

    fn go_to_tab(&mut self, index: usize) {
        if index < self.tabs.len() {
            self.front = index;
            let others = self.tabs.iter().enumerate().filter(|(other, _)| *other != index);
            let offers = others.filter_map(|(_, tab)| tab.offer()).collect();
            self.tabs[index].shown(offers);
        }
    }

    fn notice(&mut self, tone: Tone, text: String, now: Instant) {
        self.notice = Some(Notice::new(tone, text, now));
    }
}
