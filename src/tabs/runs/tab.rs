//! A tab of runs towards the app.

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::current::Source;
use super::home::Chosen;
use super::settings::{EditSettings, Wanted};
use super::{Kind, Runs};
use crate::app::command::Command;
use crate::app::effect::{Context, Effect, Tone};
use crate::app::overlay::Answer;
use crate::job::{JobId, News, Run, RunView, State, worker};
use crate::tabs::Tab;
use crate::theme::Role;
use crate::ui::{Look, put, row, wrap};

impl<K: Kind> Runs<K> {
    fn command(&self, command: worker::Command, cx: &mut Context) {
        if let Some(Source::Here { job, .. }) = self.current.as_ref().map(|current| &current.source) {
            cx.effects.push(Effect::Command(*job, command));
        }
    }

    fn toggle_pause(&mut self, cx: &mut Context) {
        let Some(current) = &self.current else { return };
        if current.is_running() {
            self.command(worker::Command::Pause, cx);
        } else if current.is_open() {
            self.command(worker::Command::Run, cx);
            self.set_state(State::Running, cx.now);
        } else {
            cx.notice(Tone::Info, "This run does not run here");
        }
    }

    fn set_state(&mut self, state: State, now: Instant) {
        if let Some(current) = &mut self.current {
            current.take_state(state, now);
        }
    }

    fn choose(&mut self, cx: &mut Context) {
        match self.home.chosen() {
            None => {}
            Some(Chosen::Preset(settings)) => {
                let settings = settings.clone();
                self.start(settings, cx);
            }
            Some(Chosen::Run(run)) => {
                let folder = run.folder.clone();
                if self.current.as_ref().is_some_and(|current| current.folder == folder) {
                    self.shows_run = true;
                } else {
                    self.open(folder, cx);
                }
            }
        }
    }

    fn edit(&mut self, cx: &mut Context) {
        match self.home.chosen() {
            Some(Chosen::Preset(settings)) if !self.shows_run => cx.open(EditSettings::<K>::new(settings.clone())),
            _ => cx.notice(Tone::Info, "Settings are changed before a run starts: choose a preset in the list"),
        }
    }
}

impl<K: Kind> Tab for Runs<K> {
    fn scope(&self) -> &'static str {
        K::SCOPE
    }

    fn title(&self) -> &'static str {
        K::TITLE
    }

    fn subtitle(&self, look: &Look) -> String {
        match &self.current {
            Some(current) => format!("{} {} seed {}", current.name(), look.glyphs.dot, current.manifest.seed),
            None => "no run".to_owned(),
        }
    }

    fn commands(&self) -> &'static [Command] {
        K::COMMANDS
    }

    fn footer_label(&self, command: &str) -> Option<&'static str> {
        let running = self.current.as_ref().is_some_and(|current| current.is_running());
        match command.split_once('.')?.1 {
            "pause" if !running => Some("run"),
            "list" if !self.shows_run => Some("back"),
            "open" if !self.shows_run => match self.home.chosen() {
                Some(Chosen::Preset(_)) => Some("start"),
                _ => Some("go on"),
            },
            _ => None,
        }
    }

    fn is_enabled(&self, command: &str) -> bool {
        let Some(name) = command.split_once('.').map(|(_, name)| name) else { return false };
        let open = self.current.as_ref().is_some_and(|current| current.is_open());
        match name {
            "pause" | "step" | "save" | "stop" => self.shows_run && open,
            "list" => self.shows_run || self.current.is_some(),
            "open" if !self.shows_run => self.home.chosen().is_some(),
            "edit" => !self.shows_run && matches!(self.home.chosen(), Some(Chosen::Preset(_))),
            _ => {
                let picture = self.current.as_ref().and_then(|current| current.picture.as_ref());
                self.shows_run && picture.is_some_and(|picture| K::is_enabled(&self.panels, command, picture))
            }
        }
    }

    fn open(&mut self, cx: &mut Context) {
        self.home.open(self.folder.as_deref(), cx);
        if let Some(first) = self.first.take() {
            Runs::open(self, first, cx);
        }
    }

    fn run(&mut self, command: &str, cx: &mut Context) {
        match command.split_once('.').map_or("", |(_, name)| name) {
            "pause" => self.toggle_pause(cx),
            "step" => {
                self.command(worker::Command::Step, cx);
                self.set_state(State::Paused, cx.now);
            }
            "save" => {
                // Pausing saves; a run that was running goes on.
                let running = self.current.as_ref().is_some_and(|current| current.is_running());
                self.command(worker::Command::Pause, cx);
                if running {
                    self.command(worker::Command::Run, cx);
                }
                cx.notice(Tone::Good, "A checkpoint is written at the end of the generation");
            }
            "stop" => {
                let name = self.current.as_ref().map(|current| current.name()).unwrap_or_default();
                self.stop(cx);
                self.go_home();
                cx.notice(Tone::Info, format!("{name} is saved and stopped"));
            }
            "list" if self.shows_run => self.go_home(),
            "list" => self.shows_run = self.current.is_some(),
            "edit" => self.edit(cx),
            "open" if !self.shows_run => self.choose(cx),
            _ => {
                if let Some((current, picture)) = self.current.as_ref().and_then(|c| Some((c, c.picture.as_ref()?))) {
                    K::run(&mut self.panels, command, picture, &current.folder, cx);
                }
            }
        }
    }

    fn key(&mut self, key: KeyEvent, _: &mut Context) -> bool {
        if self.shows_run {
            if key.code == KeyCode::Esc {
                self.go_home();
                return true;
            }
            let picture = self.current.as_ref().and_then(|current| current.picture.as_ref());
            return picture.is_some_and(|picture| K::key(&mut self.panels, key, picture));
        }
        self.home.list.key(key.code, self.home.len(), 10, true)
    }

    fn mouse(&mut self, mouse: MouseEvent, cx: &mut Context) {
        let code = match mouse.kind {
            MouseEventKind::ScrollUp => KeyCode::Up,
            MouseEventKind::ScrollDown => KeyCode::Down,
            MouseEventKind::Down(MouseButton::Left) if self.shows_run => {
                K::click(&mut self.panels, (mouse.column, mouse.row));
                return;
            }
            MouseEventKind::Down(MouseButton::Left) => {
                let at = (mouse.column, mouse.row).into();
                if let Some(&(_, index)) = self.home.places.iter().find(|(place, _)| place.contains(at)) {
                    // A click on the chosen row starts it; on another it chooses.
                    if std::mem::replace(&mut self.home.list.selected, index) == index {
                        self.choose(cx);
                    }
                }
                return;
            }
            _ => return,
        };
        self.key(KeyEvent::from(code), cx);
    }

    fn news(&mut self, job: JobId, news: News, cx: &mut Context) {
        let Some(current) = &mut self.current else { return };
        if !matches!(&current.source, Source::Here { job: own, .. } if *own == job) {
            return;
        }
        match news.view.downcast::<RunView<<K::Run as Run>::View>>() {
            Ok(view) => current.take_view(*view, news.state, cx.now),
            Err(_) => current.take_state(news.state, cx.now),
        }
        if let Some(error) = &current.error {
            cx.notice(Tone::Bad, error.clone());
        }
    }

    fn answer(&mut self, answer: Answer, cx: &mut Context) {
        if let Ok(wanted) = answer.downcast::<Wanted<K>>() {
            self.start(wanted.0, cx);
        }
    }

    fn deadline(&self) -> Option<Instant> {
        let watched = self.current.as_ref().and_then(|current| current.deadline());
        watched.into_iter().chain(self.leaving.as_ref().map(|(_, at)| *at)).min()
    }

    fn tick(&mut self, cx: &mut Context) {
        self.look_after_leaving(cx.now);
        if let Some(current) = &mut self.current {
            current.poll(cx.now);
        }
    }

    fn unfinished(&self) -> Option<String> {
        let current = self.current.as_ref().filter(|current| current.is_running())?;
        Some(format!("{} is running; it is saved and can be resumed.", current.name()))
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        let Some(current) = self.current.as_ref().filter(|_| self.shows_run) else {
            return self.home.draw(area, buf, look);
        };
        let line = row(area, 0);
        put(current.status_line(look), Rect { x: line.x + 1, width: line.width.saturating_sub(1), ..line }, buf);
        let body = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        match &current.picture {
            Some(picture) => K::draw(&mut self.panels, picture, body, buf, look),
            None => {
                for (index, text) in wrap("The first generation is being made.", body.width).into_iter().enumerate() {
                    put(look.span(Role::Dim, format!(" {text}")), row(body, 1 + index as u16), buf);
                }
            }
        }
    }
}
