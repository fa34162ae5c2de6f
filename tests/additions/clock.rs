//! A tab without runs.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::command::{Command, CommandTable};
use crate::app::tab::{Context, Tab, Tone};
use crate::theme::Role;
use crate::ui::{Look, put};

#[derive(Default)]
pub struct Clock;

impl CommandTable for Clock {
    const COMMANDS: &'static [Command<Clock>] = &[Command::new("clock.ring", "Ring the clock", &["r"], Clock::ring)];
}

impl Clock {
    fn ring(&mut self, cx: &mut Context) {
        cx.notice(Tone::Good, "it rang");
    }
}

impl Tab for Clock {
    fn scope(&self) -> &'static str {
        "clock"
    }

    fn title(&self) -> &'static str {
        "Clock"
    }

    fn subtitle(&self, _: &Look) -> String {
        String::new()
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        put(look.span(Role::Text, "what time is it?"), area, buf);
    }
}
