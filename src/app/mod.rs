//! The program between the terminal and the tabs: it routes keys and news, carries out effects, and knows when to draw.
//!
//! [`App`] is a plain state machine over events and a clock; [`run`] drives it with a real terminal, tests without one.

pub(crate) mod collisions;
pub(crate) mod command;
mod commands;
mod draw;
pub(crate) mod effect;
mod input;
mod layers;
mod notice;
pub(crate) mod overlay;
pub(crate) mod palette_item;
pub mod run;
#[cfg(test)]
pub(crate) mod stage;
pub(crate) mod tab;
#[cfg(test)]
mod tests;
pub mod theme_catalog;
mod work;

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use ratatui::layout::Rect;

use crate::config::Config;
use crate::job::worker::{self, JobId, Worker};
use crate::paths::Paths;
use crate::pool::Pool;
use crate::settings::Report;
use crate::term::Notify;
use crate::ui::Look;
use command::{Commands, Keymap, Label, Place, Registry, Whose, labels, placed};
use effect::{Context, Tone};
use layers::{Input, Layer};
use notice::Notice;
use tab::Tab;
use theme_catalog::ThemeCatalog;
use work::Owner;

/// What only the owner of the terminal can do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TerminalRequest {
    Redraw,
    Suspend,
    /// Take the terminal over again after somebody else had it.
    Resume,
    Copy(String),
    /// Call the person, in this way.
    Announce(Notify, String),
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

/// A command as footer, help and palette list it now.
pub(crate) struct Listed {
    pub place: Place,
    pub label: Label,
    pub title: String,
    /// Why it does not apply now, in a few words; `None`: it does.
    pub why_not: Option<String>,
    /// The labels of its keys, the one to show first.
    pub keys: Vec<String>,
}

pub struct App {
    config: Rc<Config>,
    pool: Pool,
    paths: Rc<Paths>,
    look: Look,
    looks: Arc<dyn ThemeCatalog>,
    /// That a key does nothing was said once, which is enough.
    told_of_keys: bool,
    /// The look was chosen by a person here.
    chosen: bool,
    keymap: Keymap,
    tabs: Vec<Box<dyn Tab>>,
    front: usize,
    layers: Vec<Layer>,
    /// What was typed for tabs that wait for an background, with the tab's index.
    held: HashMap<JobId, (usize, Vec<Input>)>,
    /// How many were opened so far.
    layers_opened: u64,
    workers: HashMap<JobId, (Owner, Worker)>,
    pings: Sender<JobId>,
    notice: Option<Notice>,
    wishes: Vec<TerminalRequest>,
    stale: Stale,
    /// When the last frame was drawn; before the first, when the app was made.
    drawn: Instant,
    /// The last frame had no room for the tabs.
    too_small: bool,
    /// Where the titles of the tabs stand, for the mouse.
    titles: Vec<Rect>,
    /// Where the footer's words stand, with their commands.
    words: Vec<(Rect, Place)>,
    /// What the terminal's title says now; `None` before it was given one.
    heading: Option<String>,
    quit: Option<u8>,
}

/// The registry: the app's commands and those of the tabs.
pub(crate) fn registry(tabs: &[Box<dyn Tab>]) -> Registry {
    let of_tabs = tabs.iter().enumerate().flat_map(|(index, tab)| placed(Whose::Tab(index), tab.labels()));
    placed(Whose::App, labels::<App>()).chain(of_tabs).collect()
}

impl App {
    /// `look` is what it begins with, `looks` what there is to choose from. `pool` does what its tabs have computed; `paths` are the person's at the terminal. `pings` carries the ids of jobs that have news back to the loop.
    ///
    /// # Errors
    /// A binding in the config's `[keys]` that names no command: the place and a sentence.
    pub fn new(
        config: Config,
        look: Look,
        looks: Arc<dyn ThemeCatalog>,
        tabs: Vec<Box<dyn Tab>>,
        pool: Pool,
        paths: Paths,
        pings: Sender<JobId>,
    ) -> Result<App, crate::settings::Problem> {
        let keymap = Keymap::new(registry(&tabs), &config.keys)?;
        Ok(App {
            config: Rc::new(config),
            pool,
            paths: Rc::new(paths),
            look,
            looks,
            told_of_keys: false,
            chosen: false,
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
            words: Vec::new(),
            heading: None,
            quit: None,
        })
    }

    /// Opens every tab; to be called once before anything else.
    pub(crate) fn open(&mut self, now: Instant) {
        for index in 0..self.tabs.len() {
            self.with_tab(index, now, |tab, cx| tab.open(cx));
        }
        self.tell_of_collisions(now);
    }

    /// Keys of the config that collide: the first, and how many more there are.
    fn tell_of_collisions(&mut self, now: Instant) {
        let collisions = collisions::collisions(&registry(&self.tabs), &self.config.keys);
        let more = collisions.len().saturating_sub(1);
        if let Err(report) = Report::check(collisions) {
            let others = if more > 0 { format!("; mancalab config --check lists {more} more") } else { String::new() };
            self.notice(Tone::Bad, report.in_a_line() + &others, now);
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
        let unsaved = self.tabs.iter_mut().filter_map(|tab| tab.leave().err()).map(|error| error.to_string()).collect();
        worker::stop_all(self.workers.drain().map(|(_, (_, worker))| worker), more_time);
        unsaved
    }

    pub(crate) fn take_wishes(&mut self) -> Vec<TerminalRequest> {
        let wishes = std::mem::take(&mut self.wishes);
        // Whoever has the terminal in between gives it a title of their own.
        if wishes.iter().any(|wish| matches!(wish, TerminalRequest::Suspend | TerminalRequest::Resume)) {
            self.heading = None;
        }
        wishes
    }

    /// Time has passed: ticks the tabs that wanted it and takes down an old notice.
    pub(crate) fn tick(&mut self, now: Instant) {
        if self.notice.as_ref().is_some_and(|notice| notice.until.is_some_and(|until| until <= now)) {
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
        tabs.chain(self.notice.as_ref().and_then(|notice| notice.until)).chain(self.draw_at()).min()
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

    /// Runs a command of the app's or of a tab's.
    fn run(&mut self, place: Place, now: Instant) {
        match place.whose {
            Whose::Tab(index) => self.with_tab(index, now, |tab, cx| tab.call(place.row, cx)),
            Whose::App => {
                let (config, pool, paths) = (Rc::clone(&self.config), self.pool.clone(), Rc::clone(&self.paths));
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

    /// Whose commands work now: those of the tab in front, then the app's.
    fn tables_in_front(&self) -> [Whose; 2] {
        [Whose::Tab(self.front), Whose::App]
    }

    /// A table's commands as they are now.
    fn listed(&self, whose: Whose) -> Vec<Listed> {
        // A key that the tab takes for itself now is no command's, unless the command has no other.
        let is_free =
            |chord: &&crate::term::Chord| !matches!(whose, Whose::Tab(tab) if self.tabs[tab].claims(chord.event()));
        let labels = |place| {
            let keys = self.keymap.keys(place);
            let free: Vec<String> = keys.iter().filter(is_free).map(|chord| chord.label(&self.look.glyphs)).collect();
            if free.is_empty() { keys.iter().map(|chord| chord.label(&self.look.glyphs)).collect() } else { free }
        };
        let listed = |(place, label): (Place, Label)| {
            let (table, row) = (self.table(whose), place.row);
            let why_not = (!table.applies(row)).then(|| table.why_not(row));
            Listed { place, label, title: table.title_of(row), why_not, keys: labels(place) }
        };
        let exists = |(place, _): &(Place, Label)| self.table(whose).exists(place.row);
        self.keymap.table(whose).filter(exists).map(listed).collect()
    }

    /// What would be cut short by quitting, a sentence each.
    fn unfinished(&self) -> Vec<String> {
        self.tabs.iter().filter_map(|tab| tab.unfinished()).collect()
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
            let others = self.tabs.iter().enumerate().filter(|(other, _)| *other != index);
            let offers = others.filter_map(|(_, tab)| tab.offer()).collect();
            self.tabs[index].shown(offers);
        }
    }

    fn notice(&mut self, tone: Tone, text: String, now: Instant) {
        self.notice = Some(Notice::new(tone, text, now));
    }
}
