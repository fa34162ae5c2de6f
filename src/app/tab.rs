//! The tab interface, through which the app accesses all tabs of [`crate::tabs`].

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crossterm::event::{KeyEvent, MouseEvent};
use mancalab_base::Error;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::command::Commands;
use super::effect::Context;
use crate::job::background::TaskResult;
use crate::job::{JobId, News};
use crate::monitor::Overview;
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
