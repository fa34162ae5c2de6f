//! The overlays that lie over the tabs, the topmost last, and what they wait for.
//!
//! A dialog may have to find something out before it can go on: which games there are, whether a file exists, what is wrong with
//! a player's file. It sends an [background](crate::job::background) and stays; keys typed meanwhile are held and given to it once the
//! answer is there, as if it had taken no time. Esc and Ctrl-C do not wait. A tab that opens something is waited for in the same
//! way; the app's own commands go on meanwhile.

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent};

use super::App;
use super::overlay::{Answer, Outcome, Overlay};
use super::work::Owner;
use crate::job::JobId;
use crate::job::background::Work;

/// Inputs that are held for a dialog that waits; what is typed beyond them is lost.
const MOST_HELD: usize = 1000;

/// What comes from a person.
pub(super) enum Input {
    Key(KeyEvent),
    Mouse(MouseEvent),
    Paste(String),
}

/// An overlay with what it waits for.
pub(super) struct Layer {
    pub overlay: Box<dyn Overlay>,
    /// The tab that opened it, which its answer is for; `None`: the app.
    opener: Option<usize>,
    number: u64,
    waits: Option<JobId>,
    held: Vec<Input>,
}

impl App {
    pub(super) fn open_layer(&mut self, opener: Option<usize>, overlay: Box<dyn Overlay>, now: Instant) {
        // Numbers go up, so that an answer for an overlay that was closed finds none.
        self.layers_opened += 1;
        let mut layer = Layer { overlay, opener, number: self.layers_opened, waits: None, held: Vec::new() };
        let work = layer.overlay.begin();
        self.push(layer, work, now);
    }

    fn push(&mut self, mut layer: Layer, work: Option<Work>, now: Instant) {
        let number = layer.number;
        layer.waits = work.and_then(|work| self.start_errand(Owner::Layer(number), work, now));
        self.layers.push(layer);
    }

    /// Gives an input to the topmost overlay; false if there is none.
    pub(super) fn layer_takes(&mut self, input: Input, now: Instant) -> bool {
        // Kept off the stack while it handles the input, so that what it opens lies above it.
        let Some(mut layer) = self.layers.pop() else { return false };
        if let Some(job) = layer.waits {
            if leaves(&input) {
                self.workers.remove(&job);
                return true;
            }
            if layer.held.len() < MOST_HELD {
                layer.held.push(input);
            }
            self.layers.push(layer);
            return true;
        }
        let outcome = match input {
            Input::Key(key) => layer.overlay.key(key),
            Input::Mouse(mouse) => layer.overlay.mouse(mouse),
            Input::Paste(text) => {
                layer.overlay.paste(&text);
                Outcome::Stay
            }
        };
        self.finish(layer, outcome, now);
        true
    }

    /// What came of an overlay's background; `None` if that failed, which has been told.
    pub(super) fn answer_layer(&mut self, number: u64, answer: Option<Answer>, now: Instant) {
        let Some(index) = self.layers.iter().position(|layer| layer.number == number) else { return };
        let above = self.layers.split_off(index + 1);
        let Some(mut layer) = self.layers.pop() else { return };
        layer.waits = None;
        let held = std::mem::take(&mut layer.held);
        let outcome = answer.map_or(Outcome::Stay, |answer| layer.overlay.answer(answer));
        self.finish(layer, outcome, now);
        self.layers.extend(above);
        self.again(held, now);
    }

    /// Keeps an input back if the tab in front waits for an background; false if it does not. Leaving gives up what was typed.
    pub(super) fn holds(&mut self, input: Input) -> bool {
        let front = self.front;
        let Some((_, held)) = self.held.values_mut().find(|(tab, _)| *tab == front) else { return false };
        if leaves(&input) {
            self.held.retain(|_, (tab, _)| *tab != front);
            return true;
        }
        if held.len() < MOST_HELD {
            held.push(input);
        }
        true
    }

    /// Handles what was held, as if it came now.
    pub(super) fn again(&mut self, held: Vec<Input>, now: Instant) {
        for input in held {
            match input {
                Input::Key(key) => self.key(key, now),
                Input::Mouse(mouse) => self.mouse(mouse, now),
                Input::Paste(text) => self.paste(text, now),
            }
        }
    }

    fn finish(&mut self, layer: Layer, outcome: Outcome, now: Instant) {
        match outcome {
            Outcome::Stay => self.layers.push(layer),
            Outcome::Background(work) => self.push(layer, Some(work), now),
            Outcome::Close => {}
            Outcome::Run(place) => self.run(place, now),
            Outcome::Give(tab, answer) => {
                self.go_to_tab(tab);
                self.with_tab(tab, now, |tab, cx| tab.answer(answer, cx));
            }
            Outcome::ApplyTheme(look) => self.wear(*look, now),
            Outcome::Answer(answer) => {
                if let Some(tab) = layer.opener {
                    self.with_tab(tab, now, |tab, cx| tab.answer(answer, cx));
                }
            }
            Outcome::Quit => self.quit = Some(0),
        }
    }
}

/// Esc and Ctrl-C, by which every dialog is left.
fn leaves(input: &Input) -> bool {
    match input {
        Input::Key(key) => {
            key.code == KeyCode::Esc
                || (key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL))
        }
        _ => false,
    }
}
