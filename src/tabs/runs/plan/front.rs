//! The tab with a plan's page in front.

use std::path::PathBuf;
use std::time::Instant;

use super::{Looked, Merged, Opened, PlanPage};
use crate::app::effect::{Context, Tone};
use crate::tabs::runs::{Found, Page, Runs};

impl Runs {
    /// The plan's page, if that is what is shown.
    pub(in crate::tabs::runs) fn plan_in_front(&self) -> Option<&PlanPage> {
        self.plan.as_ref().filter(|_| self.page == Page::Plan)
    }

    pub(in crate::tabs::runs) fn plan_in_front_mut(&mut self) -> Option<&mut PlanPage> {
        self.plan.as_mut().filter(|_| self.page == Page::Plan)
    }

    /// Shows a plan's page; one that is open already as it was left.
    pub(in crate::tabs::runs) fn open_plan(&mut self, folder: PathBuf, cx: &mut Context) {
        if self.plan.as_ref().is_some_and(|plan| plan.folder == folder && plan.error.is_none()) {
            return self.turn_to(Page::Plan);
        }
        self.send(cx, move || Opened::read(&folder).map(|opened| Found::Plan { folder, opened: Box::new(opened) }));
    }

    pub(in crate::tabs::runs) fn take_plan(&mut self, folder: PathBuf, opened: Opened, now: Instant) {
        self.opened += 1;
        self.plan = Some(PlanPage::new(self.tab, self.opened, folder, self.folder.as_deref(), opened, now));
        self.turn_to(Page::Plan);
    }

    fn plan_of(&mut self, number: u64) -> Option<&mut PlanPage> {
        self.plan.as_mut().filter(|plan| plan.number == number)
    }

    pub(in crate::tabs::runs) fn take_looked(&mut self, number: u64, looked: Looked, cx: &mut Context) {
        let Some(plan) = self.plan_of(number) else { return };
        let was_done = plan.is_done();
        plan.take_looked(looked, cx.now);
        if plan.is_done() && !was_done {
            let text = format!("all units of {} are done", plan.name());
            cx.announce(text);
        }
    }

    pub(in crate::tabs::runs) fn take_merged(&mut self, number: u64, merged: Merged, now: Instant) {
        if let Some(plan) = self.plan_of(number) {
            plan.take_merged(merged, now);
        }
    }

    /// Has read of the plan in front what is due.
    pub(in crate::tabs::runs) fn tick_plan(&mut self, cx: &mut Context) {
        let Some(plan) = self.plan_in_front_mut() else { return };
        let number = plan.number;
        if let Some(look) = plan.poll(cx.now) {
            cx.background(move || Found::Looked { number, looked: look() });
        }
        if let Some(merge) = plan.merge(cx.now) {
            cx.background(move || Found::Merged { number, merged: Box::new(merge()) });
        }
    }

    /// Shows units and merged view, or only one of them.
    pub(in crate::tabs::runs) fn turn_plan(&mut self, cx: &mut Context) {
        self.change_plan(PlanPage::turn, cx);
    }

    /// Keys that follow are for what comes to be seen.
    pub(in crate::tabs::runs) fn change_plan(&mut self, change: impl FnOnce(&mut PlanPage), cx: &mut Context) {
        let Some(plan) = self.plan_in_front_mut() else { return };
        change(plan);
        let number = plan.number;
        if let Some(merge) = plan.merge(cx.now) {
            cx.wait_for(move || Found::Merged { number, merged: Box::new(merge()) });
        }
    }

    /// What makes no sense for a plan says so; true if a plan is chosen in the list.
    pub(in crate::tabs::runs) fn told_that_plan(&self, what: &str, cx: &mut Context) -> bool {
        let meant = self.home.meant();
        let Some(plan) = meant.into_iter().find(|kept| kept.is_plan()) else { return false };
        cx.notice(Tone::Info, format!("{} is a plan: {what}", plan.name()));
        true
    }
}
