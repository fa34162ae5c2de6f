//! The tab of walks.

use ratatui::layout::Rect;

use super::runs::parts::header::Status;
use super::runs::parts::kind::{PLAIN_FORM, Pages, RunTab, RunViewModel};
use super::runs::parts::panels::RunPanels;
use super::runs::{Runs, run_commands};
use crate::app::command::Command;
use crate::job::{View, RunWatcher};
use crate::theme::Role;
use crate::ui::Canvas;
use crate::ui::chart::lens::Lens;
use crate::walk::Walk;

pub static TAB: RunTab = RunTab {
    command: "walk",
    scope: "walk",
    title: "Walk",
    about: "A walk of one step per generation.",
    keys: &[],
    custom: None,
    form: PLAIN_FORM,
    pages: Pages::new::<Panels>(),
};

pub static COMMANDS: &[Command<Runs>] = run_commands!("walk", "generation");

impl RunViewModel for Walk {
    fn downcast(view: &View) -> Option<Walk> {
        view.get().cloned()
    }

    fn watched(run: &RunWatcher) -> Option<Walk> {
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
    /// There is one panel.
    type Pane = ();

    fn all(&self, _: &Walk) -> Vec<()> {
        vec![()]
    }

    fn layout(&self, _: &Walk, area: Rect) -> Vec<((), Rect)> {
        vec![((), area)]
    }

    fn draw(&mut self, (): (), walk: &Walk, _: &mut Lens, mut canvas: Canvas<'_>) {
        let text = format!("at {}", walk.past.last().unwrap_or(&0));
        canvas.put(0, canvas.look.span(Role::Text, text));
    }
}
