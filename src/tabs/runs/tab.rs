//! The [`Tab`] implementation of run tabs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::asks::{FormDialog, ReadValues};
use super::current::{Current, Source};
use super::home::Selection;
use super::parts::kind::RunTab;
use super::plan::PlanPage;
use super::{Answer, Page, Runs};
use crate::app::overlay::TaskResult;
use crate::app::tab::{Badge, Context, Effect, PaletteSource, Tab, Tone};
use crate::game::Position;
use crate::job::run_dir::NOT_REPRODUCIBLE;
use crate::job::{JobId, News, RunSettings, RunView, State, worker};
use crate::kept::RunOrPlan;
use crate::monitor::Overview;
use crate::ui::form::{Field, Form};
use crate::ui::{Canvas, Look, hit_test, put, row};

/// Timeout for reading the list; after it, the list is requested again.
const PATIENCE: Duration = Duration::from_secs(2);

impl Runs {
    pub(super) fn command(&self, command: worker::Command, cx: &mut Context) {
        if let Some(Source::Here { job, .. }) = self.current.as_ref().map(|current| &current.source) {
            cx.effects.push(Effect::Command(*job, command));
        }
    }

    pub(super) fn toggle_pause(&mut self, cx: &mut Context) {
        let Some(current) = &self.current else { return };
        if current.is_running() {
            self.command(worker::Command::Pause, cx);
            self.await_state(State::Paused, cx.now);
        } else if current.is_open() {
            self.command(worker::Command::Run, cx);
            self.await_state(State::Running, cx.now);
        } else {
            cx.notice(Tone::Info, "This run is not running here");
        }
    }

    pub(super) fn await_state(&mut self, state: State, now: Instant) {
        if let Some(current) = &mut self.current {
            current.await_state(state, now);
        }
    }

    pub(super) fn choose(&mut self, cx: &mut Context) {
        match self.home.chosen() {
            None => {}
            Some(Selection::Preset(preset)) => {
                let settings = preset.settings.clone();
                self.start(settings, false, cx);
            }
            Some(Selection::Saved(RunOrPlan::Run(run))) => {
                let folder = run.folder.clone();
                self.open_in_front(folder, cx);
            }
            Some(Selection::Saved(RunOrPlan::Plan(plan))) => {
                let folder = plan.folder.clone();
                self.open_plan(folder, cx);
            }
        }
    }

    /// Shows this run: the running one, or opened from its folder.
    pub(super) fn open_in_front(&mut self, folder: PathBuf, cx: &mut Context) {
        match &self.current {
            Some(current) if current.folder == folder && current.is_open() => self.turn_to(Page::Run),
            // The shown run has ended or was only watched: it is read again.
            Some(current) if current.folder == folder => {
                self.current = None;
                self.open(folder, cx);
            }
            _ => self.open(folder, cx),
        }
    }

    /// Edits the settings of a preset before a start, or extends a run.
    pub(super) fn edit(&mut self, cx: &mut Context) {
        match self.home.chosen() {
            Some(Selection::Preset(preset)) => cx.open(edit(self.tab, preset.settings.clone())),
            Some(Selection::Saved(_)) => self.ask_extend(cx),
            None => {}
        }
    }
}

/// Maximum time between the two clicks of a double click.
const DOUBLE: Duration = Duration::from_millis(500);

impl Runs {
    /// A click selects, a double click opens or starts; a click on a column head of the list sorts by that column.
    fn click(&mut self, at: (u16, u16), cx: &mut Context) {
        // The two clicks of a double click on a row may be in different columns.
        let place = if self.page == Page::List { (0, at.1) } else { at };
        let is_second = |(other, time)| other == place && cx.now.duration_since(time) <= DOUBLE;
        // The first click chose; the list may have scrolled under the pointer since.
        if self.clicked.take().is_some_and(is_second) {
            return self.open_selected(cx);
        }
        let chosen = match self.page {
            Page::Run => {
                let mut chosen = false;
                self.with_panels(|panels, view_model, _| chosen = panels.click(at, view_model));
                chosen
            }
            Page::Plan => self.plan.as_mut().is_some_and(|plan| plan.click(at)),
            Page::List => self.click_in_list(at, cx),
        };
        self.clicked = chosen.then_some((place, cx.now));
    }

    /// Selects the preset or run at this position; returns whether there is one.
    fn click_in_list(&mut self, at: (u16, u16), cx: &mut Context) -> bool {
        if let Some(compared) = &mut self.compared {
            compared.click(at);
            return false;
        }
        if let Some(column) = hit_test(&self.home.heads, at) {
            self.home.order_by(column);
            return false;
        }
        let Some(index) = hit_test(&self.home.places, at) else { return false };
        self.home.list.selected = index;
        self.look_closer(cx);
        true
    }
}

impl Tab for Runs {
    fn scope(&self) -> &'static str {
        self.tab.scope
    }

    fn title(&self) -> &'static str {
        self.tab.title
    }

    fn subtitle(&self, look: &Look) -> String {
        if let Some(plan) = self.plan_in_front() {
            return format!("{} {} plan", plan.name(), look.glyphs.dot);
        }
        match &self.current {
            Some(current) => {
                let name = current.name();
                let seed = current.manifest.seed;
                let marked = match current.manifest.reproducible {
                    true => String::new(),
                    false => format!(" {} {NOT_REPRODUCIBLE}", look.glyphs.dot),
                };
                // Most run names contain the seed.
                if name.contains(&format!("-seed{seed}")) {
                    name + &marked
                } else {
                    format!("{name} {} seed {seed}{marked}", look.glyphs.dot)
                }
            }
            None if self.opening => format!("opening{}", look.glyphs.ellipsis),
            None => "no run".to_owned(),
        }
    }

    fn other_keys(&self) -> Vec<(String, String)> {
        let keys = match (self.page, &self.compared) {
            (Page::Run, _) => self.tab.keys,
            (Page::Plan, _) if self.plan_in_front().is_some_and(PlanPage::is_inside) => self.tab.keys,
            (Page::Plan, _) => {
                &[("arrows j k", "Choose a unit"), ("PgUp PgDn g G", "Page up, page down, first, last")][..]
            }
            (Page::List, Some(compared)) if compared.is_of_groups() => &[
                ("left right", "Choose the group whose quartiles are shown"),
                ("o O", "Show the next or previous column as curves"),
                ("t", "Show the curves over generations, evaluations or seconds"),
                (", .", "Move the cursor of the curves"),
                ("up down", "Scroll the table"),
                ("esc", "Remove the cursor, or go back"),
            ][..],
            (Page::List, Some(_)) => &[
                ("left right", "Choose a run"),
                ("o O", "Show the next or previous column as curves"),
                ("t", "Show the curves over generations, evaluations or seconds"),
                (", .", "Move the cursor of the curves"),
                ("up down", "Scroll the settings"),
                ("esc", "Remove the cursor, or go back"),
            ][..],
            (Page::List, None) => &[("up down", "Choose a preset or a run"), ("J K", "Scroll its settings")][..],
        };
        keys.iter().map(|(keys, what)| ((*keys).to_owned(), (*what).to_owned())).collect()
    }

    fn open(&mut self, cx: &mut Context) {
        self.is_guest = cx.paths.rights().is_guest();
        self.home.open(cx);
        if self.folder.is_none() {
            self.home.take(Vec::new());
        }
        if let Some(first) = self.first.take() {
            self.watch(first, cx);
        }
    }

    fn key(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        if let Some(plan) = self.plan_in_front_mut() {
            let taken = plan.key(key);
            if !taken && key.code == KeyCode::Esc {
                self.go_home(cx);
                return true;
            }
            return taken;
        }
        if self.shows_run() {
            let view_model = self.current.as_ref().and_then(|current| current.view_model.as_deref());
            let taken = view_model.is_some_and(|view_model| self.panels.key(key.code, view_model));
            // Esc leaves a panel's mode, then the run.
            if !taken && key.code == KeyCode::Esc {
                self.go_home(cx);
                return true;
            }
            return taken;
        }
        if let Some(compared) = &mut self.compared {
            match key.code {
                KeyCode::Esc if compared.leave_cursor() => {}
                KeyCode::Esc => _ = self.close_compared(),
                KeyCode::Char('t') => self.compare_again(|compared| compared.with_next_axis(), cx),
                code => return compared.key(code),
            }
            return true;
        }
        if let KeyCode::Char(letter @ ('J' | 'K')) = key.code {
            self.home.scroll_details(letter == 'J');
            return true;
        }
        let taken = self.home.list.key(key.code, self.home.len(), 10, true);
        self.look_closer(cx);
        taken
    }

    fn palette_items(&self, cx: &Context) -> Option<PaletteSource> {
        Some(self.palette_source(cx.paths.rights()))
    }

    fn mouse(&mut self, mouse: MouseEvent, cx: &mut Context) {
        let code = match mouse.kind {
            MouseEventKind::ScrollUp | MouseEventKind::ScrollDown if self.page != Page::List => {
                let at = (mouse.column, mouse.row);
                let down = mouse.kind == MouseEventKind::ScrollDown;
                if let Some(plan) = self.plan_in_front_mut() {
                    return plan.wheel(at, down);
                }
                return self.with_panels(|panels, view_model, _| panels.wheel(at, down, view_model));
            }
            MouseEventKind::ScrollUp | MouseEventKind::ScrollDown
                if self.compared.is_none() && self.home.details.contains((mouse.column, mouse.row).into()) =>
            {
                return self.home.scroll_details(mouse.kind == MouseEventKind::ScrollDown);
            }
            MouseEventKind::ScrollUp => KeyCode::Up,
            MouseEventKind::ScrollDown => KeyCode::Down,
            MouseEventKind::Down(MouseButton::Left) => return self.click((mouse.column, mouse.row), cx),
            _ => return,
        };
        self.key(KeyEvent::from(code), cx);
    }

    fn news(&mut self, job: JobId, news: News, cx: &mut Context) {
        let of_job = |current: &&mut Current| matches!(&current.source, Source::Here { job: own, .. } if *own == job);
        let Some(current) = self.current.iter_mut().chain(&mut self.others).find(of_job) else { return };
        let error = current.error.clone();
        let went_on = current.word().goes_on();
        match news.view.downcast::<RunView>() {
            Ok(view) => current.take_view(*view, news.state, cx.now),
            Err(_) => current.take_state(news.state, cx.now),
        }
        if let Some(newest) = current.error.clone().filter(|newest| error.as_ref() != Some(newest)) {
            cx.notice(Tone::Bad, newest);
        }
        current.tell_of_end(went_on, cx);
    }

    fn answer(&mut self, answer: TaskResult, cx: &mut Context) {
        if let Ok(found) = answer.downcast::<Answer>() {
            self.take_found(*found, cx);
        }
    }

    fn runs_folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    fn shows_runs(&self) -> bool {
        self.page == Page::List
    }

    fn take_runs(&mut self, seen: &Arc<Overview>, cx: &mut Context) {
        self.take_list(seen.of_kind(self.tab.kind()), cx.now);
        self.look_closer(cx);
    }

    fn deadline(&self) -> Option<Instant> {
        let watched = self.current.as_ref().and_then(|current| current.deadline());
        let plan = self.plan_in_front().and_then(|plan| plan.deadline());
        watched.into_iter().chain(plan).chain(self.leaving.as_ref().map(|(_, at)| *at)).min()
    }

    fn tick(&mut self, cx: &mut Context) {
        if let Some((_, at)) = self.leaving.as_mut().filter(|(_, at)| *at <= cx.now) {
            // Sooner once the list has been read.
            *at = cx.now + PATIENCE;
            cx.read_runs();
        }
        self.tick_plan(cx);
        let Some(current) = &mut self.current else { return };
        let number = current.number;
        if let Some(look) = current.poll(cx.now) {
            cx.background(move || Answer::News { number, read: look() });
        }
    }

    fn unfinished(&self) -> Option<String> {
        let running: Vec<String> = self.all().filter(|current| current.is_running()).map(Current::name).collect();
        match running.as_slice() {
            [] => None,
            [name] => Some(format!("{name} is running; it is saved and can be resumed.")),
            [name, rest @ ..] => {
                let more = if rest.len() == 1 { "another".to_owned() } else { format!("{} more", rest.len()) };
                Some(format!("{name} and {more} are running; all are saved and can be resumed."))
            }
        }
    }

    fn runs_to_go_on(&self) -> Vec<PathBuf> {
        let running = self.all().filter(|current| current.is_running());
        running.map(|current| current.folder.clone()).collect()
    }

    fn shown(&mut self, offers: Vec<TaskResult>) {
        for position in offers.into_iter().filter_map(|offer| offer.downcast::<Position>().ok()).map(|at| *at) {
            let plan = self.plan.as_mut().map(|plan| &mut plan.panels);
            plan.into_iter().for_each(|panels| panels.see(position));
            self.panels.see(position);
        }
    }

    fn badge(&self) -> Option<Badge> {
        let badge = |current: &Current| {
            let share = current.status().map_or(0.0, |status| status.share());
            current.word().badge(share)
        };
        let goes_on = self.all().find(|current| current.word().goes_on());
        let ended = || self.all().find(|current| current.news);
        let paused = || self.all().find(|current| current.is_open());
        goes_on.or_else(ended).or_else(paused).and_then(badge)
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        self.current.iter_mut().chain(&mut self.others).for_each(|current| current.news = false);
        if let Some(plan) = self.plan_in_front_mut() {
            return plan.draw(area, buf, look);
        }
        let Some(current) = self.current.as_ref().filter(|_| self.page == Page::Run) else {
            return match &mut self.compared {
                Some(compared) => compared.draw(area, buf, look),
                None => self.home.draw(area, buf, look),
            };
        };
        let line = row(area, 0);
        let place = Rect { x: line.x + 1, width: line.width.saturating_sub(2), ..line };
        put(current.status_line(place.width, look), place, buf);
        let body = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        match &current.view_model {
            Some(view_model) => self.panels.draw(&**view_model, body, buf, look),
            None => {
                let text = format!("Computing the first {}.", self.tab.kind().unit);
                Canvas::new(body, buf, look).below(1).explain(&text);
            }
        }
    }
}

/// The maximum length of a setting in characters; the longest one is a list of players.
const MOST: usize = 1 << 16;

/// Returns the form of a preset, whose values count as unchanged; the answer is the edited settings.
pub(super) fn edit(tab: &'static RunTab, settings: Box<dyn RunSettings>) -> FormDialog {
    let (keys, values): (Vec<String>, Vec<String>) = (tab.form.fields)(&*settings).into_iter().unzip();
    let field = |(key, value): (&String, String)| {
        let about = (tab.form.about)(&*settings, key);
        Field::text(key.clone(), (tab.form.offers)(&*settings, key), value.clone())
            .at_most(MOST)
            .explained(about, value)
    };
    let form = Form::new(keys.iter().zip(values).map(field).collect());
    let texts = ("Settings", "Enter: start, Esc: cancel, arrows: choose, type to replace, *: changed");
    FormDialog::new(texts, form, move |values| read(tab, settings.clone(), &keys, values))
}

fn read(tab: &RunTab, mut settings: Box<dyn RunSettings>, keys: &[String], values: &[String]) -> ReadValues {
    let fields: Vec<(&str, &str)> = keys.iter().map(String::as_str).zip(values.iter().map(String::as_str)).collect();
    (tab.form.apply)(&mut settings, &fields).map_err(|(index, reason)| (Some(index), reason))?;
    settings.check().map_err(|error| (None, error.to_string()))?;
    Ok(Answer::Wanted(settings))
}
