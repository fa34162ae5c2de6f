//! Dispatch of terminal input. A key falls through a stack of [levels](LEVELS) until one takes it.

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::command::{Label, Reach};
use super::layers::Input;
use super::place::{Place, Whose};
use super::tab::Tone;
use super::{App, Stale, TerminalRequest};
use crate::term::{Chord, Event, Report, Signal};

/// Takes a key, or returns false to let it fall.
type Level = fn(&mut App, KeyEvent, Instant) -> bool;

/// The levels, the topmost first.
const LEVELS: [Level; 6] =
    [App::key_always, App::key_unseen, App::key_of_layer, App::key_held, App::key_of_tab, App::key_without_function];

impl App {
    /// Handles a terminal event.
    pub(crate) fn event(&mut self, event: Event, now: Instant) {
        self.mark(Stale::Input);
        match event {
            Event::Key(key) => self.key(key, now),
            Event::Mouse(mouse) => self.mouse(mouse, now),
            // Terminals send pasted line ends as carriage returns.
            Event::Paste(text) => self.paste(text.replace("\r\n", "\n").replace('\r', "\n"), now),
            // A window that shrinks and grows back between two frames loses content, though its size is the same.
            Event::Resize(..) => self.requests.push(TerminalRequest::Redraw),
            Event::Signal(Signal::Suspend) => self.requests.push(TerminalRequest::Suspend),
            Event::Signal(Signal::Continue) => self.requests.push(TerminalRequest::Resume),
            Event::Signal(Signal::Terminate(signal)) => self.quit = Some(128 + signal as u8),
            Event::Wake => {}
            Event::Report(Report::Background(shade)) => self.suit(shade, now),
            Event::Report(Report::Wide) => self.draw_in_ascii(),
            Event::Report(_) => {}
            Event::HangUp => self.quit = Some(128 + 1),
        }
    }

    pub(super) fn key(&mut self, key: KeyEvent, now: Instant) {
        self.notice = None;
        let chord = Chord::from_event(&key);
        if self.is_escape_and_key(key, chord) {
            self.key(KeyCode::Esc.into(), now);
            return self.key(KeyEvent { modifiers: key.modifiers - KeyModifiers::ALT, ..key }, now);
        }
        LEVELS.iter().any(|level| level(self, key, now));
    }

    /// Runs a command of the app that works above everything, such as quitting.
    fn key_always(&mut self, key: KeyEvent, now: Instant) -> bool {
        self.key_of_app(key, Reach::Always, now)
    }

    /// Ends the fall on a screen too small for the page: what is not seen takes no input.
    fn key_unseen(&mut self, key: KeyEvent, now: Instant) -> bool {
        if self.frame.too_small {
            self.key_of_app(key, Reach::Unseen, now);
        }
        self.frame.too_small
    }

    /// Passes the key to the topmost overlay, which takes all.
    fn key_of_layer(&mut self, key: KeyEvent, now: Instant) -> bool {
        self.layer_takes(Input::Key(key), now)
    }

    /// Keeps a key for a tab that waits for a background task.
    fn key_held(&mut self, key: KeyEvent, _now: Instant) -> bool {
        let is_for_app = self.app_command(key).is_some() && !self.tabs[self.front].claims(key);
        !is_for_app && self.holds(Input::Key(key))
    }

    /// Passes the key to what is being typed in the front tab, then to commands of the tab and of the app, then to the tab.
    fn key_of_tab(&mut self, key: KeyEvent, now: Instant) -> bool {
        let mut taken = false;
        let claims = self.tabs[self.front].claims(key);
        self.with_tab(self.front, now, |tab, cx| taken = tab.capture(key, cx));
        if taken {
            return true;
        }
        let of_app = self.app_command(key).filter(|_| !claims).map(|(place, _)| place);
        let of_tab = self.keymap.command(Whose::Tab(self.front), Chord::from_event(&key)).map(|(place, _)| place);
        match of_tab.or(of_app) {
            Some(place) => self.run(place, now),
            None => self.with_tab(self.front, now, |tab, cx| taken = tab.key(key, cx)),
        }
        taken || of_tab.or(of_app).is_some()
    }

    /// Reports the first letter without a function, once, so that guessing users learn of the keys.
    fn key_without_function(&mut self, key: KeyEvent, now: Instant) -> bool {
        let plain = key.modifiers.difference(KeyModifiers::SHIFT).is_empty();
        if let KeyCode::Char(letter) = key.code
            && letter.is_alphabetic()
            && plain
            && !std::mem::replace(&mut self.told_of_keys, true)
        {
            self.notice(Tone::Info, format!("{letter} does nothing here"), now);
        }
        true
    }

    fn app_command(&self, key: KeyEvent) -> Option<(Place, Label)> {
        self.keymap.command(Whose::App, Chord::from_event(&key))
    }

    /// Runs the app's command of a key if it reaches at least that far.
    fn key_of_app(&mut self, key: KeyEvent, reach: Reach, now: Instant) -> bool {
        let place = self.app_command(key).filter(|(_, label)| label.reach >= reach).map(|(place, _)| place);
        place.into_iter().for_each(|place| self.run(place, now));
        place.is_some()
    }

    /// Whether a key with Alt has no use: terminals send the same for Esc and a key behind it, as fast as tmux and GNU screen pass
    /// them on. Alt-Backspace deletes words in fields.
    fn is_escape_and_key(&self, key: KeyEvent, chord: Chord) -> bool {
        key.modifiers.contains(KeyModifiers::ALT)
            && key.code != KeyCode::Backspace
            && [Whose::App, Whose::Tab(self.front)].into_iter().all(|whose| self.keymap.command(whose, chord).is_none())
    }

    pub(super) fn paste(&mut self, text: String, now: Instant) {
        if let Err(error) = self.paths.rights().permit_paste(text.len()) {
            return self.notice(Tone::Bad, error.to_string(), now);
        }
        if !self.layers.is_empty() {
            self.layer_takes(Input::Paste(text), now);
        } else if !self.holds(Input::Paste(text.clone())) {
            let reads = |&index: &usize| self.tabs[index].reads_pastes();
            let reader = [self.front].into_iter().chain(0..self.tabs.len()).find(reads);
            self.with_tab(reader.unwrap_or(self.front), now, |tab, cx| tab.paste(&text, cx));
        }
    }

    pub(super) fn mouse(&mut self, mouse: MouseEvent, now: Instant) {
        let click = mouse.kind == MouseEventKind::Down(MouseButton::Left);
        if click {
            self.notice = None;
        }
        if self.layer_takes(Input::Mouse(mouse), now) {
            return;
        }
        let at = (mouse.column, mouse.row).into();
        if let Some(&(_, place)) = self.frame.words.iter().find(|(word, _)| click && word.contains(at)) {
            return self.run(place, now);
        }
        if let Some(index) = self.frame.titles.iter().position(|title| click && title.contains(at)) {
            return self.go_to_tab(index);
        }
        self.with_tab(self.front, now, |tab, cx| tab.mouse(mouse, cx));
    }
}
