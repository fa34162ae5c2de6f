//! The overlays over the tabs, the topmost last, and their pending background tasks.
//!
//! A dialog may need information before it can continue, such as the list of games, the existence of a file, or the errors in a
//! player's file. It starts a [background task](crate::job::background) and stays open; keys typed meanwhile are held and replayed
//! when the answer arrives. Esc and Ctrl-C do not wait; the result of a task that writes files is still reported. Keys for a tab that
//! opens something are held in the same way; the app's own commands stay available.

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent};

use super::App;
use super::overlay::{Outcome, Overlay, TaskResult};
use super::work::Owner;
use crate::job::JobId;
use crate::job::background::Work;

/// Maximum number of held inputs of a waiting dialog; further ones are discarded.
const MOST_HELD: usize = 1000;

/// User input.
pub(super) enum Input {
    Key(KeyEvent),
    Mouse(MouseEvent),
    Paste(String),
}

/// An overlay with its pending background task.
pub(super) struct Layer {
    pub overlay: Box<dyn Overlay>,
    /// The tab that opened it and gets its answer; `None` for the app.
    opener: Option<usize>,
    number: u64,
    waits: Option<JobId>,
    held: Vec<Input>,
}

impl App {
    pub(crate) fn open_layer(&mut self, opener: Option<usize>, overlay: Box<dyn Overlay>, now: Instant) {
        // Numbers are unique, so that the answer for a closed overlay finds no receiver.
        self.layers_opened += 1;
        let mut layer = Layer { overlay, opener, number: self.layers_opened, waits: None, held: Vec::new() };
        let work = layer.overlay.begin();
        self.push(layer, work, now);
    }

    fn push(&mut self, mut layer: Layer, work: Option<Work>, now: Instant) {
        let number = layer.number;
        layer.waits = work.and_then(|work| self.start_task(Owner::Layer(number), work, now));
        self.layers.push(layer);
    }

    /// Passes an input to the topmost overlay; returns false if there is none.
    pub(super) fn layer_takes(&mut self, input: Input, now: Instant) -> bool {
        // Removed from the stack while it handles the input, so that overlays it opens are above it.
        let Some(mut layer) = self.layers.pop() else { return false };
        if let Some(job) = layer.waits {
            if leaves(&input) {
                match layer.overlay.closes_writing() {
                    true => self.closing.push(layer),
                    false => drop(self.jobs.workers.remove(&job)),
                }
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

    /// Handles the result of an overlay's background task; `None` if it failed, which has been reported.
    pub(super) fn answer_layer(&mut self, number: u64, answer: Option<TaskResult>, now: Instant) {
        if let Some(index) = self.closing.iter().position(|layer| layer.number == number) {
            let mut layer = self.closing.swap_remove(index);
            if let Some(Outcome::TaskResult(answer)) = answer.map(|answer| layer.overlay.answer(answer)) {
                self.give(layer.opener, answer, now);
            }
            return;
        }
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

    /// Holds an input back if the active tab waits for a background task; returns false otherwise. Esc discards the held inputs.
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

    /// Replays held inputs.
    pub(super) fn again(&mut self, held: Vec<Input>, now: Instant) {
        for input in held {
            match input {
                Input::Key(key) => self.key(key, now),
                Input::Mouse(mouse) => self.mouse(mouse, now),
                Input::Paste(text) => self.paste(text, now),
            }
        }
    }

    /// Gives an overlay's answer to the tab that opened it.
    fn give(&mut self, opener: Option<usize>, answer: TaskResult, now: Instant) {
        if let Some(tab) = opener {
            self.with_tab(tab, now, |tab, cx| tab.answer(answer, cx));
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
            Outcome::ApplyTheme(name, look) => self.wear(&name, *look, now),
            Outcome::TaskResult(answer) => self.give(layer.opener, answer, now),
            Outcome::Quit { runs_go_on } => {
                if runs_go_on {
                    self.jobs.going_on = self.runs_to_go_on();
                }
                self.quit = Some(0);
            }
        }
    }
}

/// Whether the input is Esc or Ctrl-C, which close every dialog.
fn leaves(input: &Input) -> bool {
    match input {
        Input::Key(key) => {
            key.code == KeyCode::Esc
                || (key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL))
        }
        _ => false,
    }
}
