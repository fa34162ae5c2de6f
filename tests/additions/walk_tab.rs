//! The tab of walks.

use std::path::Path;

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::runs::{PLAIN_FORM, RunPanels, RunViewModel, RunTab, Status, panels, view_model, run_commands, watched};
use crate::app::effect::Context;
use crate::job::{View, Watching};
use crate::theme::Role;
use crate::ui::{Look, put};
use crate::walk::Walk;

pub static TAB: RunTab = RunTab {
    command: "walk",
    scope: "walk",
    title: "Walk",
    about: "A walk of one step per generation.",
    keys: &[],
    commands: run_commands!("walk", "generation"),
    custom: None,
    form: PLAIN_FORM,
    panels: panels::<Panels>,
    view_model: view_model::<Panels>,
    watched: watched::<Panels>,
};

impl RunViewModel for Walk {
    fn downcast(view: &View) -> Option<Walk> {
        view.get().cloned()
    }

    fn watched(run: &Watching) -> Option<Walk> {
        run.seen().get().cloned()
    }

    fn status(&self) -> Status {
        let generation = (self.past.len() as u64).checked_sub(1);
        Status::of_generations(generation, self.settings.generations, 0.0)
    }
}

#[derive(Default)]
pub struct Panels;

impl RunPanels for Panels {
    type ViewModel = Walk;

    fn open(&mut self, _: &Walk, _: &Path, _: &mut Context) {}

    fn can_open(&self, _: &Walk) -> bool {
        false
    }

    fn key(&mut self, _: KeyCode, _: &Walk) -> bool {
        false
    }

    fn turn(&mut self, _: isize) {}

    fn reverse(&mut self) {}

    fn click(&mut self, _: (u16, u16), _: &Walk) -> bool {
        false
    }

    fn wheel(&mut self, _: (u16, u16), _: bool, _: &Walk) {}

    fn draw(&mut self, walk: &Walk, area: Rect, buf: &mut Buffer, look: &Look) {
        put(look.span(Role::Text, format!("at {}", walk.past.last().unwrap_or(&0))), area, buf);
    }
}
