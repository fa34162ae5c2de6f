//! The commands of run tabs: the shared ones, and those of each kind of run.

use std::path::{Path, PathBuf};

use super::compare::{Comparison, Query, Source};
use super::current::Current;
use super::home::Selection;
use super::parts::kind::RunViewModel;
use super::parts::panels::{Action, RunPage};
use super::plan::PlanPage;
use super::{Answer, Page, Runs};
use crate::app::command::{Command, CommandTable};
use crate::app::tab::{Context, Tone};
use crate::job::run_dir::EntryState;
use crate::job::{State, worker};
use crate::kept::RunOrPlan;

/// The commands of a run tab: the shared ones in the tab's scope, then its own. `shared` implements them; a macro is needed to
/// concatenate ids at compile time.
macro_rules! run_commands {
    ($scope:literal, $unit:literal $(, $own:expr)* $(,)?) => {
        &[
            $crate::tabs::runs::shared::pause(concat!($scope, ".pause")),
            $crate::tabs::runs::shared::step(concat!($scope, ".step"), concat!("Run one ", $unit, ", then pause")),
            $crate::tabs::runs::shared::open(concat!($scope, ".open")),
            $crate::tabs::runs::shared::compare(concat!($scope, ".compare")),
            $crate::tabs::runs::shared::summary(concat!($scope, ".summary")),
            $crate::tabs::runs::shared::plan(concat!($scope, ".plan")),
            $crate::tabs::runs::shared::list(concat!($scope, ".list")),
            $crate::tabs::runs::shared::units(concat!($scope, ".units")),
            $($own,)*
            $crate::tabs::runs::shared::sort(concat!($scope, ".sort")),
            $crate::tabs::runs::shared::reverse(concat!($scope, ".reverse")),
            $crate::tabs::runs::shared::save(concat!($scope, ".save")),
            $crate::tabs::runs::shared::stop(concat!($scope, ".stop")),
            $crate::tabs::runs::shared::edit(concat!($scope, ".edit")),
            $crate::tabs::runs::shared::filter(concat!($scope, ".filter")),
            $crate::tabs::runs::shared::rename(concat!($scope, ".rename")),
            $crate::tabs::runs::shared::fork(concat!($scope, ".fork")),
            $crate::tabs::runs::shared::tag(concat!($scope, ".tag")),
            $crate::tabs::runs::shared::note(concat!($scope, ".note")),
            $crate::tabs::runs::shared::delete(concat!($scope, ".delete")),
            $crate::tabs::runs::shared::export(concat!($scope, ".export")),
        ]
    };
}

pub(crate) use run_commands;

impl CommandTable for Runs {
    /// Empty: each tab has its own table.
    const COMMANDS: &'static [Command<Runs>] = &[];

    fn commands(&self) -> &'static [Command<Runs>] {
        self.commands
    }

    /// Returns why a command does not apply now.
    fn why_not(&self) -> &'static str {
        if self.plan_in_front().is_some() {
            return "not available on the page of a plan: l shows the list";
        }
        match self.current.as_ref().filter(|_| self.shows_run()) {
            Some(current) if current.writer().is_some() => "read-only: another process computes this run",
            Some(current) if current.is_watched() => "read-only: press Enter in the list to resume this run",
            Some(current) if !current.is_open() => "this run has ended: extend it in the list",
            Some(current) if current.has_data() => "not available for this run",
            Some(_) => "there is no data yet",
            None if self.compared.is_some() => "press Esc to go back",
            None if self.home.chosen_kept().is_some_and(RunOrPlan::is_plan) => "not available for plans: select a run",
            None if self.home.chosen_kept().is_some() => "press Enter to open the selected run first",
            None => "select a run first (Down past the presets)",
        }
    }

    fn refuse(&mut self, command: &Command<Runs>, cx: &mut Context) {
        let why = command.reason().unwrap_or_else(|| CommandTable::why_not(self));
        let (first, rest) = why.split_at(1);
        cx.notice(Tone::Info, first.to_uppercase() + rest);
    }
}

impl Runs {
    /// Whether the open run, or a run of the open plan, is shown and satisfies `wanted`.
    pub(super) fn shows(&self, wanted: impl FnOnce(&dyn RunPage, &dyn RunViewModel) -> bool) -> bool {
        if let Some(plan) = self.plan_in_front() {
            return plan
                .view_model()
                .is_some_and(|view_model| plan.shows_merged() && wanted(&*plan.panels, view_model));
        }
        let view_model = self.current.as_ref().and_then(|current| current.view_model.as_deref());
        self.shows_run() && view_model.is_some_and(|view_model| wanted(&*self.panels, view_model))
    }

    /// Calls `act` with the panels and the view model of the open run, or of the open plan's run, and its folder.
    pub(super) fn with_panels(&mut self, act: impl FnOnce(&mut dyn RunPage, &dyn RunViewModel, &Path)) {
        if let Some(plan) = self.plan_in_front_mut() {
            return plan.with_panels(act);
        }
        if let Some((current, view_model)) = self.current.as_ref().and_then(|c| Some((c, c.view_model.as_deref()?))) {
            act(&mut *self.panels, view_model, &current.folder);
        }
    }

    /// Carries out a command of the page of a run.
    pub(super) fn act(&mut self, action: Action, cx: &mut Context) {
        self.with_panels(|panels, view_model, run| panels.act(action, view_model, run, cx));
    }

    /// Whether the list is shown with a run or a plan selected.
    pub(super) fn chooses_kept(&self) -> bool {
        self.shows_list() && self.home.chosen_kept().is_some()
    }

    pub(super) fn shows_list(&self) -> bool {
        self.page == Page::List && self.compared.is_none()
    }

    pub(super) fn pause_or_mark(&mut self, cx: &mut Context) {
        if self.shows_run() {
            return self.toggle_pause(cx);
        }
        self.home.mark();
        self.look_closer(cx);
    }

    pub(super) fn sort(&mut self, cx: &mut Context) {
        match self.page {
            Page::Run | Page::Plan => self.act(Action::Sort, cx),
            Page::List if self.compared.is_some() => self.compare_again(|compared| compared.with_column(1), cx),
            Page::List => self.home.turn(1),
        }
    }

    pub(super) fn reverse(&mut self, cx: &mut Context) {
        match self.page {
            Page::Run | Page::Plan => self.act(Action::Reverse, cx),
            Page::List if self.compared.is_some() => self.compare_again(|compared| compared.with_column(-1), cx),
            Page::List => self.home.reverse(),
        }
    }

    pub(super) fn can_sort(&self) -> bool {
        match self.page {
            Page::List => self.compared.is_some() || self.home.shown.len() > 1,
            Page::Run | Page::Plan => self.shows(|_, _| true),
        }
    }

    /// Reads the marked runs and shows the comparison.
    pub(super) fn compare(&mut self, cx: &mut Context) {
        if self.refuses_plan("only runs can be compared", cx) {
            return;
        }
        let runs: Vec<_> = self.home.targets().into_iter().filter_map(RunOrPlan::run).cloned().collect();
        let tab = self.tab;
        self.compares_plan = false;
        cx.wait_for(move || Answer::Compared(Source::Runs(tab, runs).query().read()));
    }

    /// Summarises the groups of the marked runs and plans, or of the selected one.
    pub(super) fn summarise(&mut self, cx: &mut Context) {
        let plan = self.plan_in_front().map(|plan| vec![plan.folder.clone()]);
        let targets = || self.home.targets().into_iter().map(|saved| saved.folder().to_owned()).collect();
        let folders: Vec<PathBuf> = plan.unwrap_or_else(targets);
        self.compares_plan = self.page == Page::Plan;
        cx.wait_for(move || Answer::Compared(Source::Groups(folders).query().read()));
    }

    /// Reads the compared runs again for other curves.
    pub(super) fn compare_again(&mut self, query: impl FnOnce(&Comparison) -> Option<Query>, cx: &mut Context) {
        if let Some(query) = self.compared.as_ref().and_then(query) {
            cx.wait_for(move || Answer::Compared(query.read()));
        }
    }

    pub(super) fn can_summarise(&self) -> bool {
        self.plan_in_front().is_some() || self.chooses_kept()
    }

    pub(super) fn can_compare(&self) -> bool {
        self.shows_list() && self.home.targets().len() > 1
    }

    pub(super) fn is_running(&self) -> bool {
        self.current.as_ref().is_some_and(Current::is_running)
    }

    /// Whether the open run is shown and can continue in this process.
    pub(super) fn shows_open_run(&self) -> bool {
        self.shows_run() && self.current.as_ref().is_some_and(Current::is_open)
    }

    pub(super) fn step(&mut self, cx: &mut Context) {
        self.command(worker::Command::Step, cx);
        self.await_state(State::Paused, cx.now);
    }

    pub(super) fn save(&mut self, cx: &mut Context) {
        // Pausing saves; a run that was running is resumed.
        let running = self.is_running();
        self.command(worker::Command::Pause, cx);
        if running {
            self.command(worker::Command::Run, cx);
        }
        cx.notice(Tone::Good, format!("Saving at the end of this {}", self.tab.kind().unit));
    }

    /// Whether there is something to stop: the open run, or the process that computes the plan.
    pub(super) fn can_stop(&self) -> bool {
        self.shows_open_run() || self.computes_plan()
    }

    pub(super) fn save_and_stop(&mut self, cx: &mut Context) {
        if self.computes_plan() {
            return self.stop_plan(cx);
        }
        let name = self.current.as_ref().map(Current::name).unwrap_or_default();
        self.stop(cx);
        self.go_home(cx);
        cx.notice(Tone::Info, format!("Saved and stopped {name}"));
    }

    /// Switches between the list and the open run or plan.
    pub(super) fn turn_page(&mut self, cx: &mut Context) {
        if self.page != Page::List {
            self.go_home(cx);
        } else if !self.close_compared() {
            self.turn_to(self.behind());
        }
    }

    pub(super) fn open_selected(&mut self, cx: &mut Context) {
        match self.plan_in_front() {
            Some(plan) if !plan.is_inside() => self.change_plan(PlanPage::look_inside, cx),
            None if self.page == Page::List => self.choose(cx),
            _ => self.act(Action::Open, cx),
        }
    }

    pub(super) fn can_open(&self) -> bool {
        match self.plan_in_front() {
            Some(plan) if !plan.is_inside() => true,
            None if self.page == Page::List => self.shows_list() && self.home.chosen().is_some(),
            // What a run's panels open on the Board is written to a file first.
            _ => !self.is_guest && self.shows(|panels, view_model| panels.can_open(view_model)),
        }
    }

    pub(super) fn word_for_open(&self) -> Option<&'static str> {
        if self.plan_in_front().is_some_and(|plan| !plan.is_inside()) {
            return Some("enter view");
        }
        match self.home.chosen().filter(|_| self.page == Page::List)? {
            Selection::Preset(_) => Some("start"),
            Selection::Saved(RunOrPlan::Plan(_)) => Some("show"),
            Selection::Saved(RunOrPlan::Run(run)) => Some(match run.state {
                EntryState::Finished => "show",
                EntryState::Running(_) | EntryState::Paused(_) => "watch",
                _ => "resume",
            }),
        }
    }

    /// Returns the footer's label for the next layout of a plan's page.
    pub(super) fn word_for_units(&self) -> Option<&'static str> {
        self.plan_in_front().map(PlanPage::word_for_next)
    }

    pub(super) fn can_edit(&self) -> bool {
        self.shows_list() && self.home.chosen().is_some() && !self.home.chosen_kept().is_some_and(RunOrPlan::is_plan)
    }
}
