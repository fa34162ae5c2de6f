//! Slow tasks block only input that depends on them, and answers reach their tab.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::stage::{Stage, config};
use crate::app::command::{Command, CommandTable};
use crate::app::overlay::{Outcome, Overlay, TaskResult};
use crate::app::tab::{Context, Message, Tab};
use crate::theme::Role;
use crate::ui::{Look, put};

/// A tab whose single command opens something slow.
struct Slow {
    opened: Arc<AtomicBool>,
    keys: String,
}

impl CommandTable for Slow {
    const COMMANDS: &'static [Command<Slow>] = &[Command::new("slow.open", "Open it", &["o"], Slow::start)];
}

impl Slow {
    fn start(&mut self, cx: &mut Context) {
        let opened = Arc::clone(&self.opened);
        cx.wait_for(move || {
            while !opened.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(1));
            }
            "opened "
        });
    }
}

impl Tab for Slow {
    fn scope(&self) -> &'static str {
        "slow"
    }

    fn title(&self) -> &'static str {
        "Slow"
    }

    fn subtitle(&self, _: &Look) -> String {
        String::new()
    }

    fn key(&mut self, key: KeyEvent, _: &mut Context) -> bool {
        self.keys.extend(key.code.as_char());
        true
    }

    fn answer(&mut self, answer: TaskResult, _: &mut Context) {
        self.keys += *answer.downcast::<&str>().unwrap();
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        put(look.span(Role::Text, format!("<{}>", self.keys)), area, buf);
    }
}

#[test]
fn a_file_that_does_not_come_keeps_no_key_waiting_but_those_that_need_it() {
    let opened = Arc::new(AtomicBool::new(false));
    let slow = Slow { opened: Arc::clone(&opened), keys: String::new() };
    let mut stage = Stage::with_tabs(config(), vec![Box::new(slow)]);
    stage.type_ahead("x o y z");
    assert_eq!(stage.tab_of::<Slow>().keys, "x");
    stage.type_ahead("?");
    assert!(stage.dialog_has("o Open it"), "the help opens meanwhile: {:?}", stage.dialog());
    stage.type_ahead("esc");
    opened.store(true, Ordering::SeqCst);
    stage.until("<xopened yz>");
    // Esc discards the held keys, and the answer still arrives.
    opened.store(false, Ordering::SeqCst);
    stage.type_ahead("o a b esc c");
    assert_eq!(stage.tab_of::<Slow>().keys, "xopened yzc");
    opened.store(true, Ordering::SeqCst);
    stage.until("<xopened yzcopened >");
}

/// Opens a dialog that answers with its input, after a background task of the tab has activated another tab.
struct AskTab {
    scope: &'static str,
    answers: String,
}

/// A message for the tab of a scope.
struct Told;

impl Message for Told {
    const SCOPE: &'static str = "told";
}

impl CommandTable for AskTab {
    const COMMANDS: &'static [Command<AskTab>] = &[Command::new("asking.ask", "Ask", &["a"], AskTab::ask)];
}

impl AskTab {
    fn ask(&mut self, cx: &mut Context) {
        cx.open(Question);
        cx.report(Told);
    }
}

impl Tab for AskTab {
    fn scope(&self) -> &'static str {
        self.scope
    }

    fn title(&self) -> &'static str {
        self.scope
    }

    fn subtitle(&self, _: &Look) -> String {
        String::new()
    }

    fn answer(&mut self, answer: TaskResult, _: &mut Context) {
        self.answers += answer.downcast::<&str>().map_or("come to the front ", |answer| *answer);
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        put(look.span(Role::Text, format!("{}: <{}>", self.scope, self.answers)), area, buf);
    }
}

struct Question;

impl Overlay for Question {
    fn key(&mut self, _: KeyEvent) -> Outcome {
        Outcome::TaskResult(Box::new("an answer"))
    }

    fn draw(&mut self, _: Rect, _: &mut Buffer, _: &Look) -> Option<(u16, u16)> {
        None
    }
}

#[test]
fn an_answer_reaches_the_tab_that_opened_the_dialog_whatever_is_in_front() {
    let tab = |scope| Box::new(AskTab { scope, answers: String::new() }) as Box<dyn Tab>;
    let mut stage = Stage::with_tabs(config(), vec![tab("asking"), tab("told")]);
    let first_line = |stage: &mut Stage| stage.body(80, 24).lines().next().map(str::to_owned).unwrap();
    assert_eq!(first_line(stage.keys("a")), "told: <come to the front >");
    assert_eq!(first_line(stage.keys("y")), "told: <come to the front >", "the answer is not for it");
    assert_eq!(first_line(stage.keys("1")), "asking: <an answer>");
}
