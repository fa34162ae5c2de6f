//! The program between the terminal and the tabs: it routes keys and news, carries out effects, and knows when to draw.
//!
//! [`App`] is a plain state machine over events and a clock; [`run`] drives it with a real terminal, tests without one.

pub(crate) mod command;
mod commands;
mod draw;
pub(crate) mod effect;
mod layers;
pub(crate) mod overlay;
pub mod run;
#[cfg(test)]
pub(crate) mod stage;
pub(crate) mod tab;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use crate::config::Config;
use crate::crew::Crew;
use crate::job::errand::{Answer, Errand, Work};
use crate::job::worker::{self, JobId, News, State, Worker};
use crate::paths::Paths;
use crate::term::{Chord, Event, Signal};
use crate::ui::Look;
use command::{Commands, Keymap, Label, Place, Reach, Registry, Whose, labels, placed};
use effect::{Context, Effect, Line, Tone};
use layers::{Input, Layer};
use tab::Tab;

/// How long a notice stands in the footer's place.
const NOTICE: Duration = Duration::from_secs(6);

/// What only the owner of the terminal can do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Wish {
    Redraw,
    Suspend,
    /// Take the terminal over again after somebody else had it.
    Resume,
    Copy(String),
}

/// Why the screen is out of date; input is drawn sooner than a job's progress.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Stale {
    No,
    News,
    Input,
    /// Nothing was drawn yet.
    First,
}

struct Notice {
    tone: Tone,
    text: String,
    until: Instant,
}

/// Says how to get the look of the next theme, which may have to be read from a file; the app knows no theme by name.
pub(crate) type NextLook = Box<dyn FnMut() -> ReadLook>;

/// Reads a look, on another thread than the one that draws.
pub(crate) type ReadLook = Box<dyn FnOnce() -> Look + Send>;

/// Whom the news of a worker are for.
#[derive(Clone, Copy)]
enum Owner {
    /// The tab that started a job.
    Tab(usize),
    /// The tab that sent an errand.
    Sender(usize),
    /// The overlay with this number.
    Layer(u64),
    /// The app, which waits for its next look.
    App,
}

/// A command as footer, help and palette list it now.
pub(crate) struct Listed {
    pub place: Place,
    pub label: Label,
    pub title: String,
    /// The labels of its keys, the one to show first.
    pub keys: Vec<String>,
}

pub struct App {
    config: Rc<Config>,
    crew: Crew,
    paths: Rc<Paths>,
    look: Look,
    next_look: NextLook,
    keymap: Keymap,
    tabs: Vec<Box<dyn Tab>>,
    front: usize,
    layers: Vec<Layer>,
    /// What was typed for tabs that wait for an errand, with the tab's index.
    held: HashMap<JobId, (usize, Vec<Input>)>,
    /// How many were opened so far.
    layers_opened: u64,
    workers: HashMap<JobId, (Owner, Worker)>,
    pings: Sender<JobId>,
    notice: Option<Notice>,
    wishes: Vec<Wish>,
    stale: Stale,
    /// When the last frame was drawn; before the first, when the app was made.
    drawn: Instant,
    /// The last frame had no room for the tabs.
    too_small: bool,
    /// Where the titles of the tabs stand, for the mouse.
    titles: Vec<Rect>,
    quit: Option<u8>,
}

/// The registry: the app's commands and those of the tabs.
pub(crate) fn registry(tabs: &[Box<dyn Tab>]) -> Registry {
    let of_tabs = tabs.iter().enumerate().flat_map(|(index, tab)| placed(Whose::Tab(index), tab.labels()));
    placed(Whose::App, labels::<App>()).chain(of_tabs).collect()
}

impl App {
    /// `crew` does what its tabs have computed; `paths` are the person's at the terminal. `pings` carries the ids of jobs that have news back to the loop.
    ///
    /// # Errors
    /// A binding in the config's `[keys]` that names no command: the place and a sentence.
    pub fn new(
        config: Config,
        look: Look,
        next_look: NextLook,
        tabs: Vec<Box<dyn Tab>>,
        crew: Crew,
        paths: Paths,
        pings: Sender<JobId>,
    ) -> Result<App, crate::document::Problem> {
        let keymap = Keymap::new(registry(&tabs), &config.keys)?;
        Ok(App {
            config: Rc::new(config),
            crew,
            paths: Rc::new(paths),
            look,
            next_look,
            keymap,
            tabs,
            front: 0,
            layers: Vec::new(),
            held: HashMap::new(),
            layers_opened: 0,
            workers: HashMap::new(),
            pings,
            notice: None,
            wishes: Vec::new(),
            stale: Stale::First,
            drawn: Instant::now(),
            too_small: false,
            titles: Vec::new(),
            quit: None,
        })
    }

    /// Opens every tab; to be called once before anything else.
    pub(crate) fn open(&mut self, now: Instant) {
        for index in 0..self.tabs.len() {
            self.with_tab(index, now, |tab, cx| tab.open(cx));
        }
    }

    /// The exit status, once the program is to end.
    pub fn quit(&self) -> Option<u8> {
        self.quit
    }

    /// Ends the program with this exit status, unless it ends already.
    pub(crate) fn end(&mut self, status: u8) {
        self.quit.get_or_insert(status);
    }

    /// Lets every tab save what it keeps; to be called once, on every way out. Gives what could not be saved, a sentence each.
    ///
    /// The tabs come first: what they keep (the game on the board) is nowhere else, and is written in no time. Then the workers
    /// put their last checkpoints away; `more_time` is asked for what that takes.
    pub fn leave(&mut self, more_time: impl Fn(Duration)) -> Vec<String> {
        let unsaved = self.tabs.iter_mut().filter_map(|tab| tab.leave().err()).collect();
        worker::stop_all(self.workers.drain().map(|(_, (_, worker))| worker), more_time);
        unsaved
    }

    pub(crate) fn take_wishes(&mut self) -> Vec<Wish> {
        std::mem::take(&mut self.wishes)
    }

    /// Something came from the terminal.
    pub(crate) fn event(&mut self, event: Event, now: Instant) {
        self.mark(Stale::Input);
        match event {
            Event::Key(key) => self.key(key, now),
            Event::Mouse(mouse) => self.mouse(mouse, now),
            // Terminals send pasted line ends as the Enter key does.
            Event::Paste(text) => self.paste(text.replace("\r\n", "\n").replace('\r', "\n"), now),
            // A window that became smaller and larger again between two frames has lost what lay beyond, though its size is the same.
            Event::Resize(..) => self.wishes.push(Wish::Redraw),
            Event::Signal(Signal::Suspend) => self.wishes.push(Wish::Suspend),
            Event::Signal(Signal::Continue) => self.wishes.push(Wish::Resume),
            Event::Signal(Signal::Terminate(signal)) => self.quit = Some(128 + signal as u8),
            Event::HangUp => self.quit = Some(128 + 1),
        }
    }

    /// A job has news.
    pub(crate) fn news(&mut self, job: JobId, now: Instant) {
        let Some((owner, worker)) = self.workers.get(&job) else { return };
        let (owner, Some(news)) = (*owner, worker.take()) else { return };
        let ended = matches!(news.state, State::Done | State::Failed(_));
        if let State::Failed(message) = &news.state {
            tracing::error!(%message, "a job failed");
            self.notice(Tone::Bad, format!("A computation failed: {message}"), now);
        }
        if ended {
            self.workers.remove(&job);
        }
        self.mark(if ended { Stale::Input } else { Stale::News });
        match owner {
            Owner::Tab(tab) => self.with_tab(tab, now, |tab, cx| tab.news(job, news, cx)),
            Owner::Sender(tab) => {
                if let Some(answer) = answer_in(news) {
                    self.with_tab(tab, now, |tab, cx| tab.answer(answer, cx));
                }
                let held = self.held.remove(&job);
                self.again(held.map(|(_, inputs)| inputs).unwrap_or_default(), now);
            }
            Owner::Layer(layer) => self.answer_layer(layer, answer_in(news), now),
            Owner::App => self.take_look(answer_in(news), now),
        }
        if ended {
            let reasons = self.unfinished();
            self.layers.iter_mut().for_each(|layer| layer.overlay.unfinished(&reasons));
        }
    }

    /// Time has passed: ticks the tabs that wanted it and takes down an old notice.
    pub(crate) fn tick(&mut self, now: Instant) {
        if self.notice.as_ref().is_some_and(|notice| notice.until <= now) {
            self.notice = None;
            self.mark(Stale::Input);
        }
        for index in 0..self.tabs.len() {
            if self.tabs[index].deadline().is_some_and(|deadline| deadline <= now) {
                self.mark(Stale::Input);
                self.with_tab(index, now, |tab, cx| tab.tick(cx));
            }
        }
    }

    /// When the loop has to wake by itself; `None`: not before something happens.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let tabs = self.tabs.iter().filter_map(|tab| tab.deadline());
        tabs.chain(self.notice.as_ref().map(|notice| notice.until)).chain(self.draw_at()).min()
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

    /// When the next frame may be drawn; `None`: nothing has changed.
    fn draw_at(&self) -> Option<Instant> {
        let rate = match self.stale {
            Stale::No => return None,
            Stale::First => return Some(self.drawn),
            Stale::News => self.config.ui.news_fps,
            Stale::Input => self.config.ui.input_fps,
        };
        Some(self.drawn + Duration::from_secs(1) / rate.max(1))
    }

    fn key(&mut self, key: KeyEvent, now: Instant) {
        self.notice = None;
        let chord = Chord::from_event(&key);
        let everywhere = self.keymap.command(Whose::App, chord);
        let reach = everywhere.map(|(_, label)| label.reach);
        if let Some((place, _)) = everywhere.filter(|_| reach == Some(Reach::Always)) {
            return self.run(place, now);
        }
        if self.too_small {
            // What is not seen must not be typed into.
            let unseen = everywhere.filter(|_| reach >= Some(Reach::Unseen));
            return unseen.into_iter().for_each(|(place, _)| self.run(place, now));
        }
        let everywhere = everywhere.filter(|_| !self.tabs[self.front].claims(key));
        if self.layer_takes(Input::Key(key), now) || (everywhere.is_none() && self.holds(Input::Key(key))) {
            return;
        }
        let mut taken = false;
        self.with_tab(self.front, now, |tab, cx| taken = tab.capture(key, cx));
        if taken {
            return;
        }
        match self.keymap.command(Whose::Tab(self.front), chord).or(everywhere) {
            Some((place, _)) => self.run(place, now),
            None => self.with_tab(self.front, now, |tab, cx| _ = tab.key(key, cx)),
        }
    }

    fn paste(&mut self, text: String, now: Instant) {
        if !self.layers.is_empty() {
            self.layer_takes(Input::Paste(text), now);
        } else if !self.holds(Input::Paste(text.clone())) {
            self.with_tab(self.front, now, |tab, cx| tab.paste(&text, cx));
        }
    }

    fn mouse(&mut self, mouse: MouseEvent, now: Instant) {
        if self.layer_takes(Input::Mouse(mouse), now) {
            return;
        }
        let at = (mouse.column, mouse.row).into();
        let click = mouse.kind == MouseEventKind::Down(MouseButton::Left);
        if let Some(index) = self.titles.iter().position(|title| click && title.contains(at)) {
            return self.go_to_tab(index);
        }
        self.with_tab(self.front, now, |tab, cx| tab.mouse(mouse, cx));
    }

    /// Runs a command of the app's or of a tab's.
    fn run(&mut self, place: Place, now: Instant) {
        match place.whose {
            Whose::Tab(index) => self.with_tab(index, now, |tab, cx| tab.call(place.row, cx)),
            Whose::App => {
                let (config, crew, paths) = (Rc::clone(&self.config), self.crew.clone(), Rc::clone(&self.paths));
                let mut cx = Context::new(now, &config, &crew, &paths);
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

    /// Whose commands work now: those of the tab in front, then the app's.
    fn tables_in_front(&self) -> [Whose; 2] {
        [Whose::Tab(self.front), Whose::App]
    }

    /// A table's commands as they are now.
    fn listed(&self, whose: Whose) -> Vec<Listed> {
        let labels = |place| self.keymap.keys(place).iter().map(|chord| chord.label(&self.look.glyphs)).collect();
        let listed = |(place, label): (Place, Label)| {
            let title = self.table(whose).title_of(place.row);
            Listed { place, label, title, keys: labels(place) }
        };
        self.keymap.table(whose).map(listed).collect()
    }

    /// What would be cut short by quitting, a sentence each.
    fn unfinished(&self) -> Vec<String> {
        self.tabs.iter().filter_map(|tab| tab.unfinished()).collect()
    }

    /// The next look has been read; `None` if that failed.
    fn take_look(&mut self, look: Option<Answer>, now: Instant) {
        if let Some(Ok(look)) = look.map(|look| look.downcast::<Look>()) {
            self.look = *look;
            self.notice(Tone::Info, format!("Theme: {}", self.look.theme.name()), now);
        }
    }

    /// Brings the tab of this scope to the front; nothing happens if there is none.
    pub(crate) fn go_to(&mut self, scope: &str) {
        if let Some(index) = self.tabs.iter().position(|tab| tab.scope() == scope) {
            self.go_to_tab(index);
        }
    }

    fn go_to_tab(&mut self, index: usize) {
        if index < self.tabs.len() {
            self.front = index;
        }
    }

    fn notice(&mut self, tone: Tone, text: String, now: Instant) {
        self.notice = Some(Notice { tone, text, until: now + NOTICE });
    }

    /// Lets a tab handle something, then carries out what it asks for.
    fn with_tab(&mut self, index: usize, now: Instant, handle: impl FnOnce(&mut dyn Tab, &mut Context)) {
        let mut cx = Context::new(now, &self.config, &self.crew, &self.paths);
        handle(self.tabs[index].as_mut(), &mut cx);
        for effect in cx.effects {
            self.carry_out(Some(index), effect, now);
        }
    }

    /// Does what a tab asks for, or the app itself (`None`).
    fn carry_out(&mut self, tab: Option<usize>, effect: Effect, now: Instant) {
        match effect {
            Effect::Start(id, job) => _ = self.start(id, tab.map_or(Owner::App, Owner::Tab), job, now),
            Effect::Errand(work) => _ = self.start_errand(tab.map_or(Owner::App, Owner::Sender), work, now),
            Effect::WaitFor(work) => {
                let job = self.start_errand(tab.map_or(Owner::App, Owner::Sender), work, now);
                if let Some((job, tab)) = job.zip(tab) {
                    self.held.insert(job, (tab, Vec::new()));
                }
            }
            Effect::Command(id, command) => {
                if let Some((_, worker)) = self.workers.get(&id) {
                    worker.command(command);
                }
            }
            Effect::Stop(id) => _ = self.workers.remove(&id),
            Effect::Open(overlay) => self.open_layer(tab, overlay, now),
            Effect::Notice(tone, Line(text)) => self.notice(tone, text, now),
            Effect::Copy(text) => self.wishes.push(Wish::Copy(text)),
            Effect::Tell(scope, message) => {
                if let Some(index) = self.tabs.iter().position(|tab| tab.scope() == scope) {
                    self.go_to_tab(index);
                    self.with_tab(index, now, |tab, cx| tab.answer(message, cx));
                }
            }
        }
    }

    /// Starts a job on a thread of its own; false if there is none to be had, which is told.
    fn start(&mut self, id: JobId, owner: Owner, job: worker::AnyJob, now: Instant) -> bool {
        let pings = self.pings.clone();
        match Worker::start(job, move || _ = pings.send(id)) {
            Ok(worker) => {
                self.workers.insert(id, (owner, worker));
                true
            }
            Err(error) => {
                self.notice(Tone::Bad, format!("No thread to compute on: {error}"), now);
                false
            }
        }
    }

    /// Has something done on another thread for `owner`; `None` if that cannot be begun.
    fn start_errand(&mut self, owner: Owner, work: Work, now: Instant) -> Option<JobId> {
        let id = effect::next_job();
        self.start(id, owner, worker::erase(Errand::new(work)), now).then_some(id)
    }
}

/// What came of an errand; `None` if it failed.
fn answer_in(news: News) -> Option<Answer> {
    news.view.downcast::<Option<Answer>>().ok().and_then(|answer| *answer)
}
