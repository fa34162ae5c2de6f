//! Dispatch of terminal input: to the topmost overlay, to the active tab, or to a command.

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::command::{Reach, Whose};
use super::effect::Tone;
use super::layers::Input;
use super::{App, Stale, TerminalRequest};
use crate::term::{Chord, Event, Report, Signal};

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
        let everywhere = self.keymap.command(Whose::App, chord);
        let reach = everywhere.map(|(_, label)| label.reach);
        if let Some((place, _)) = everywhere.filter(|_| reach == Some(Reach::Always)) {
            return self.run(place, now);
        }
        if self.frame.too_small {
            // An invisible page takes no input.
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
            None => {
                self.with_tab(self.front, now, |tab, cx| taken = tab.key(key, cx));
                if !taken {
                    self.tell_of_key(key, now);
                }
            }
        }
    }

    /// Whether a key with Alt has no use: terminals send the same for Esc and a key behind it, as fast as tmux and GNU screen pass
    /// them on. Alt-Backspace deletes words in fields.
    fn is_escape_and_key(&self, key: KeyEvent, chord: Chord) -> bool {
        key.modifiers.contains(KeyModifiers::ALT)
            && key.code != KeyCode::Backspace
            && [Whose::App, Whose::Tab(self.front)].into_iter().all(|whose| self.keymap.command(whose, chord).is_none())
    }

    /// Reports the first letter without a function, once, so that guessing users learn of the keys.
    fn tell_of_key(&mut self, key: KeyEvent, now: Instant) {
        let plain = key.modifiers.difference(KeyModifiers::SHIFT).is_empty();
        if let KeyCode::Char(letter) = key.code
            && letter.is_alphabetic()
            && plain
            && !std::mem::replace(&mut self.told_of_keys, true)
        {
            self.notice(Tone::Info, format!("{letter} does nothing here"), now);
        }
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
