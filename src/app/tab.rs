//! The tab interface, through which the app accesses all tabs of [`crate::tabs`], and the effects that tabs return and the app executes.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crossterm::event::{KeyEvent, MouseEvent};
use mancalab_base::Error;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::command::Commands;
use super::overlay::Overlay;
use crate::budget::{Budget, Job, Status};
use crate::config::Config;
use crate::job::background::{TaskResult, Work};
use crate::job::worker::{AnyJob, Command, erase};
use crate::job::{JobId, News};
use crate::monitor::Overview;
use crate::paths::Paths;
use crate::pool::Pool;
use crate::rights::Limits;
use crate::ui::Look;

/// The progress of a tab's work, for the tab bar and the terminal's title.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Badge {
    /// The completed share, 0 to 1.
    Running(f64),
    /// The completed share of paused work.
    Paused(f64),
    /// The work has ended since the tab was last shown.
    Finished,
    /// The work has failed since the tab was last shown.
    Failed,
}

impl Badge {
    /// Returns its marker, and its percentage if it has one.
    pub fn texts(self, look: &Look) -> (&'static str, String) {
        let percent = |share: f64| format!("{}%", ((share * 100.0) as u32).min(100));
        match self {
            Badge::Running(share) => (look.glyphs.pointer, percent(share)),
            Badge::Paused(share) => (look.glyphs.pause, percent(share)),
            Badge::Finished => (look.glyphs.check, String::new()),
            Badge::Failed => ("!", String::new()),
        }
    }
}

/// A page of the program. Handlers change the tab's own state and push effects into the [`Context`]; they never block.
///
/// Commands are a table of rows with handlers: every tab is [`CommandTable`](super::command::CommandTable).
pub trait Tab: Commands + Any {
    /// Returns the scope of its commands, lower case, as in `board`.
    fn scope(&self) -> &'static str;

    fn title(&self) -> &'static str;

    /// Returns its current subject, for the right end of the tab bar, such as the game's variant.
    fn subtitle(&self, look: &Look) -> String;

    /// Returns data for other tabs when they are activated, such as the position on the Board.
    fn offer(&self) -> Option<TaskResult> {
        None
    }

    /// Handles its activation; `offers` are what the other tabs [offer](Tab::offer).
    fn shown(&mut self, _offers: Vec<TaskResult>) {}

    /// Returns the progress of its work, if any.
    fn badge(&self) -> Option<Badge> {
        None
    }

    /// Returns sections of text that the help begins with: (heading, lines).
    fn about(&self, _look: &Look) -> Vec<(String, Vec<String>)> {
        Vec::new()
    }

    /// Returns sections of text that the help ends with: (heading, lines).
    fn notes(&self) -> Vec<(String, Vec<String>)> {
        Vec::new()
    }

    /// Returns keys that are not commands, for the help: (keys, description).
    fn other_keys(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Returns keys that are not commands, for the start of the footer, in a word or two.
    fn footer_keys(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Returns the folder of runs that it shows, if it shows any.
    fn runs_folder(&self) -> Option<&Path> {
        None
    }

    /// Whether it shows runs now, when it is the active tab: they are read more often then.
    fn shows_runs(&self) -> bool {
        false
    }

    /// Whether it shows the load and the free disk, when it is the active tab.
    fn shows_machine(&self) -> bool {
        false
    }

    /// Takes the state of the folder of runs, whenever it was read.
    fn take_runs(&mut self, _seen: &Arc<Overview>, _cx: &mut Context) {}

    /// Called once, before anything else.
    fn open(&mut self, _cx: &mut Context) {}

    /// Whether it claims this key, which may be one of the app's, such as a digit; the app's command then does not apply.
    fn claims(&self, _key: KeyEvent) -> bool {
        false
    }

    /// Handles a key before the key map, in a modal state; returns whether it was handled.
    fn capture(&mut self, _key: KeyEvent, _cx: &mut Context) -> bool {
        false
    }

    /// Handles a key that is not a command; returns whether it was handled.
    fn key(&mut self, _key: KeyEvent, _cx: &mut Context) -> bool {
        false
    }

    fn mouse(&mut self, _mouse: MouseEvent, _cx: &mut Context) {}

    /// Whether it receives pastes, also while a tab without a use for them is active.
    fn reads_pastes(&self) -> bool {
        false
    }

    fn paste(&mut self, _text: &str, _cx: &mut Context) {}

    /// Returns the source of its palette entries; `None` if it has none.
    fn palette_items(&self, _cx: &Context) -> Option<PaletteSource> {
        None
    }

    /// Handles a progress event of one of its jobs.
    fn news(&mut self, _job: JobId, _news: News, _cx: &mut Context) {}

    /// Handles the answer of a dialog it opened, whichever tab is active.
    fn answer(&mut self, _answer: TaskResult, _cx: &mut Context) {}

    /// Returns the time of the next [`tick`](Tab::tick); `None` for never, which makes idling free.
    fn deadline(&self) -> Option<Instant> {
        None
    }

    fn tick(&mut self, _cx: &mut Context) {}

    /// Adjusts its jobs to its state; called after each of its handlers.
    fn settle(&mut self, _cx: &mut Context) {}

    /// The line to the display is slow: shows less that moves.
    fn slow_line(&mut self, _cx: &mut Context) {}

    /// Returns, as a sentence, the work that quitting would lose or interrupt.
    fn unfinished(&self) -> Option<String> {
        None
    }

    /// Returns whether quitting would lose some of it, because it cannot be saved.
    fn loses(&self) -> bool {
        false
    }

    /// Returns the folders of the runs of this process that can go on without it.
    fn runs_to_go_on(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Saves its persistent state; called when quitting is asked for, and on every exit path, also on a hang-up.
    ///
    /// # Errors
    /// The state could not be saved; the message is a sentence.
    fn leave(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look);
}

/// An entry of a tab: a run, a preset, a player, a saved game.
pub struct PaletteItem {
    /// The kind, in a word or two, lower case.
    pub kind: &'static str,
    pub name: String,
    /// The description, in a few words; may be empty.
    pub about: String,
    /// The answer sent to the tab's [`answer`](Tab::answer) on selection, after the tab is activated.
    pub pick: TaskResult,
}

/// Collects a tab's palette entries; runs on another thread, because it may read files.
pub type PaletteSource = Box<dyn FnOnce() -> Vec<PaletteItem> + Send>;

/// The severity of a notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    Info,
    Good,
    Bad,
}

/// The text of a notice: a sentence, or lines that show a place in a file.
pub struct Text(pub String);

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(text.to_owned())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text(text)
    }
}

impl From<Error> for Text {
    fn from(error: Error) -> Text {
        let text = error.to_string();
        Text(if text.trim_end().contains('\n') { text } else { error.in_a_line() })
    }
}

/// An effect for the app to execute.
pub enum Effect {
    Start(JobId, AnyJob),
    Command(JobId, Command),
    Stop(JobId),
    /// Run this in the background and return the result to the tab as an answer.
    Background(Work),
    /// Like `Background`, with the tab's keys held until the answer arrives.
    WaitFor(Work),
    /// Read the folder of runs now; `holds`: the tab's keys wait for the result.
    ReadRuns {
        holds: bool,
    },
    Open(Box<dyn Overlay>),
    Notice(Tone, Text),
    /// Activate the tab.
    ToFront,
    /// Copy this text to the terminal's clipboard.
    Copy(String),
    /// Notify the user by the method of the config's `ui.notify`.
    Announce(String),
    /// Remember a choice for the next start: section, key and value as TOML.
    Remember(&'static str, &'static str, String),
    /// Activate the tab of this scope and send it this answer, as if from its own dialog.
    Tell(&'static str, TaskResult),
}

/// A message to a tab, from other tabs, its dialogs, or its background tasks.
pub trait Message: Send + 'static {
    /// The receiving tab's scope.
    const SCOPE: &'static str;
}

/// A job that ends when it has computed for this long; `None`: it has no limit.
struct LimitedJob<J> {
    job: J,
    left: Option<Duration>,
}

impl<J: Job> Job for LimitedJob<J> {
    type View = J::View;

    fn step(&mut self, budget: Budget) -> Status {
        if self.left.is_some_and(|left| left.is_zero()) {
            return Status::Done;
        }
        let began = Instant::now();
        let status = self.job.step(budget);
        self.left = self.left.map(|left| left.saturating_sub(began.elapsed()));
        status
    }

    fn view(&self) -> J::View {
        self.job.view()
    }

    fn is_between(&self) -> bool {
        self.job.is_between()
    }

    fn rest(&mut self) {
        self.job.rest();
    }
}

/// Returns a new, unique id.
pub(super) fn next_job() -> JobId {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    JobId(NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The context of a tab's handlers.
pub struct Context<'a> {
    /// The current time of all handlers; set by tests.
    pub now: Instant,
    pub config: &'a Config,
    /// The thread pool for computations.
    pub pool: &'a Pool,
    pub paths: &'a Paths,
    pub effects: Vec<Effect>,
}

impl<'a> Context<'a> {
    pub fn new(now: Instant, config: &'a Config, pool: &'a Pool, paths: &'a Paths) -> Context<'a> {
        Context { now, config, pool, paths, effects: Vec::new() }
    }

    /// Starts a job; its progress events carry the returned id. A guest's ends after the time of an analysis.
    pub fn start<J: Job + 'static>(&mut self, job: J) -> JobId {
        self.start_within(job, |limits| limits.analysis_seconds)
    }

    /// Like [`start`](Context::start), for a move: a guest's ends after the time of a move.
    pub fn start_move<J: Job + 'static>(&mut self, job: J) -> JobId {
        self.start_within(job, |limits| limits.seconds)
    }

    fn start_within<J: Job + 'static>(&mut self, job: J, seconds: impl Fn(&Limits) -> u32) -> JobId {
        let id = next_job();
        let limit = self.paths.rights().limits().map(|limits| Duration::from_secs(seconds(limits).into()));
        self.effects.push(Effect::Start(id, erase(LimitedJob { job, left: limit })));
        id
    }

    /// Whether the session may do something, such as `start runs`; otherwise a notice says that guests cannot.
    pub fn permits(&mut self, what: &str) -> bool {
        let is_permitted = self.paths.rights().permit(what).is_ok();
        if !is_permitted {
            self.notice(Tone::Bad, format!("Guests cannot {what}"));
        }
        is_permitted
    }

    /// Whether the session may analyse and review.
    pub fn allows_analysis(&self) -> bool {
        self.paths.rights().limits().is_none_or(|limits| limits.analysis_seconds > 0)
    }

    /// The same; otherwise a notice says so.
    pub fn permits_analysis(&mut self) -> bool {
        let allows = self.allows_analysis();
        if !allows {
            self.notice(Tone::Info, "This host has no analysis for guests");
        }
        allows
    }

    pub fn stop(&mut self, job: JobId) {
        self.effects.push(Effect::Stop(job));
    }

    /// Runs `work` in the background; its result is passed to the tab's [`answer`](Tab::answer). All file access goes
    /// this way: handlers never block.
    pub fn background<T: Send + 'static>(&mut self, work: impl FnOnce() -> T + Send + 'static) {
        self.effects.push(Effect::Background(Box::new(move || Box::new(work()))));
    }

    /// Like [`background`](Context::background), for work that changes the meaning of the next keys, such as opening a run: the
    /// tab's keys wait for the answer. Esc does not wait.
    pub fn wait_for<T: Send + 'static>(&mut self, work: impl FnOnce() -> T + Send + 'static) {
        self.effects.push(Effect::WaitFor(Box::new(move || Box::new(work()))));
    }

    /// Reads the folder of runs now, which [`take_runs`](Tab::take_runs) gets.
    pub fn read_runs(&mut self) {
        self.effects.push(Effect::ReadRuns { holds: false });
    }

    /// The same, where the next keys mean what the new list shows: they wait for it.
    pub fn wait_for_runs(&mut self) {
        self.effects.push(Effect::ReadRuns { holds: true });
    }

    pub fn open(&mut self, overlay: impl Overlay + 'static) {
        self.effects.push(Effect::Open(Box::new(overlay)));
    }

    /// Activates the receiver of a message and sends it.
    pub fn report<M: Message>(&mut self, message: M) {
        self.effects.push(Effect::Tell(M::SCOPE, Box::new(message)));
    }

    /// Remembers a choice for the next start; the value is TOML.
    pub fn remember(&mut self, section: &'static str, key: &'static str, value: String) {
        self.effects.push(Effect::Remember(section, key, value));
    }

    pub fn come_to_front(&mut self) {
        self.effects.push(Effect::ToFront);
    }

    pub fn copy(&mut self, text: String) {
        self.effects.push(Effect::Copy(text));
    }

    /// Notifies the user, who may be elsewhere, of an awaited event.
    pub fn announce(&mut self, text: String) {
        self.effects.push(Effect::Announce(text));
    }

    pub fn notice(&mut self, tone: Tone, text: impl Into<Text>) {
        self.effects.push(Effect::Notice(tone, text.into()));
    }
}
