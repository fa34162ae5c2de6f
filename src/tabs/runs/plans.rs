//! The part of the tab that shows a plan's page.

use std::path::{Path, PathBuf};
use std::time::Instant;

use mancalab_base::Error;

use super::asks::{FormDialog, ReadValues};
use super::home::Selection;
use super::plan::submit::{Engine, Submitted, submit};
use super::plan::{FoundResults, Looked, MergedResults, OpenedPlan, PlanPage};
use super::{Answer, Page, Runs};
use crate::app::tab::{Context, Tone};
use crate::cluster::create::{PlanSpec, make};
use crate::cluster::index::{PlanEntry, PlanState};
use crate::cluster::layout::MERGED;
use crate::cluster::merge::{MergeOutcome, merge};
use crate::cluster::plan::Plan;
use crate::cluster::runs::Runs as PlannedRuns;
use crate::cluster::sweep::{Vary, seeds};
use crate::job::RunSettings;
use crate::job::run_dir::free_folder;
use crate::kept::RunOrPlan;
use crate::kinds::KindOf as _;
use crate::pool::Pool;
use crate::ui::form::{Field, Form};

/// Merges a plan whose units are done into its own folder. For background tasks.
///
/// # Errors
/// Those of [`merge`]; a merged run cannot continue; or the plan cannot be read.
fn merge_all(folder: &Path) -> Result<(), Error> {
    let plan = Plan::open(folder)?;
    let work = PlannedRuns::read_checked(&plan)?;
    let (merged, _) = merge(&plan, &work, &folder.join(MERGED), false, &Pool::alone(), &mut |_| true)?;
    let stuck = |one: MergeOutcome| Some(format!("{} cannot continue: {}", one.name, one.merged.stuck?));
    merged.into_iter().find_map(stuck).map_or(Ok(()), |reason| Err(reason.into()))
}

impl Runs {
    /// Returns the plan's page, if it is shown.
    pub(super) fn plan_in_front(&self) -> Option<&PlanPage> {
        self.plan.as_ref().filter(|_| self.page == Page::Plan)
    }

    pub(super) fn plan_in_front_mut(&mut self) -> Option<&mut PlanPage> {
        self.plan.as_mut().filter(|_| self.page == Page::Plan)
    }

    /// Shows a plan's page; an open one keeps its state.
    pub(super) fn open_plan(&mut self, folder: PathBuf, cx: &mut Context) {
        if self.plan.as_ref().is_some_and(|plan| plan.folder == folder && plan.error.is_none()) {
            return self.turn_to(Page::Plan);
        }
        self.send(cx, move || {
            OpenedPlan::read(&folder).map(|opened| Answer::Plan { folder, opened: Box::new(opened) })
        });
    }

    pub(super) fn take_plan(&mut self, folder: PathBuf, opened: OpenedPlan, now: Instant) {
        self.opened += 1;
        self.plan = Some(PlanPage::new(self.tab, self.opened, folder, self.folder.as_deref(), opened, now));
        self.turn_to(Page::Plan);
    }

    /// Opens the dialog for a plan of the chosen preset, or computes the rest of the plan shown or chosen, or merges it.
    pub(super) fn plan(&mut self, cx: &mut Context) {
        if !cx.permits("make plans") {
            return;
        }
        if let Some(folder) = self.chosen_plan() {
            if self.can_merge() {
                self.submitting = Some(folder.clone());
                return cx.background(move || Answer::PlanMerged(merge_all(&folder)));
            }
            return self.submit(folder, Engine::Here, cx);
        }
        let Some(Selection::Preset(preset)) = self.home.chosen() else { return };
        match self.folder.clone() {
            Some(runs) => cx.open(new(preset.settings.clone(), runs)),
            None => cx.notice(Tone::Info, "No home directory: no folder for plans"),
        }
    }

    /// The folder of the plan on its page, or of the one selected in the list.
    fn chosen_plan(&self) -> Option<PathBuf> {
        let page = self.plan_in_front().map(|plan| &plan.folder);
        page.or_else(|| Some(&self.listed_plan()?.folder)).cloned()
    }

    pub(super) fn can_plan(&self) -> bool {
        let is_preset = self.shows_list() && matches!(self.home.chosen(), Some(Selection::Preset(_)));
        let plan = self.chosen_plan();
        let has_next = plan.is_some() && (!self.has_all_units() || self.can_merge());
        // A merge may take minutes of one of the few threads for tasks.
        is_preset || (has_next && self.submitting.is_none() && !self.computes_plan())
    }

    /// Returns the footer's label for what is next of the plan shown or chosen.
    pub(super) fn word_for_plan(&self) -> Option<&'static str> {
        let is_plan = self.chosen_plan().is_some() && self.can_plan();
        is_plan.then(|| if self.can_merge() { "merge" } else { "compute" })
    }

    /// The plan selected in the list.
    fn listed_plan(&self) -> Option<&PlanEntry> {
        match self.home.chosen_kept().filter(|_| self.shows_list())? {
            RunOrPlan::Plan(plan) => Some(plan),
            RunOrPlan::Run(_) => None,
        }
    }

    /// Whether all units of the plan shown or chosen are done.
    fn has_all_units(&self) -> bool {
        match self.plan_in_front() {
            Some(plan) => plan.is_done(),
            None => self.listed_plan().is_some_and(|plan| plan.state == PlanState::Finished),
        }
    }

    /// Whether that plan is done and has not been merged.
    fn can_merge(&self) -> bool {
        let is_merged = match self.plan_in_front() {
            Some(plan) => plan.is_merged(),
            None => self.listed_plan().is_some_and(|plan| plan.has_merged),
        };
        self.has_all_units() && !is_merged
    }

    /// Whether a process started here computes the plan shown or chosen.
    pub(super) fn computes_plan(&self) -> bool {
        let plan = self.chosen_plan();
        self.submitted.iter().any(|one| one.is_running() && plan.as_ref() == Some(&one.folder))
    }

    pub(super) fn submit(&mut self, folder: PathBuf, engine: Engine, cx: &mut Context) {
        if !cx.permits("compute plans") {
            return;
        }
        self.submitted.retain(Submitted::is_running);
        self.submitting = Some(folder.clone());
        cx.background(move || Answer::Submitted(submit(folder, engine)));
    }

    /// Asks the process that computes the plan shown or chosen to save and end.
    pub(super) fn stop_plan(&mut self, cx: &mut Context) {
        let plan = self.chosen_plan();
        self.submitted.iter().filter(|one| plan.as_ref() == Some(&one.folder)).for_each(Submitted::stop);
        cx.notice(Tone::Info, "The units save and stop; p computes the rest");
    }

    fn plan_of(&mut self, number: u64) -> Option<&mut PlanPage> {
        self.plan.as_mut().filter(|plan| plan.number == number)
    }

    pub(super) fn take_looked(&mut self, number: u64, looked: Looked, cx: &mut Context) {
        let Some(plan) = self.plan_of(number) else { return };
        let was_done = plan.is_done();
        plan.take_looked(looked, cx.now);
        if plan.is_done() && !was_done {
            let text = format!("all units of {} are done", plan.name());
            cx.announce(text);
        }
    }

    pub(super) fn take_merged(&mut self, number: u64, merged: MergedResults, now: Instant) {
        if let Some(plan) = self.plan_of(number) {
            plan.take_merged(merged, now);
        }
    }

    /// Starts the due reads of the open plan.
    pub(super) fn tick_plan(&mut self, cx: &mut Context) {
        let Some(plan) = self.plan_in_front_mut() else { return };
        let number = plan.number;
        if let Some(look) = plan.poll(cx.now) {
            cx.background(move || Answer::Looked { number, looked: look() });
        }
        if let Some(read) = plan.read_results() {
            cx.background(move || Answer::Results { number, found: Box::new(read()) });
        }
        let Some(plan) = self.plan_in_front_mut() else { return };
        if let Some(merge) = plan.merge(cx.now) {
            cx.background(move || Answer::Merged { number, merged: Box::new(merge()) });
        }
    }

    pub(super) fn take_results(&mut self, number: u64, found: FoundResults) {
        if let Some(plan) = self.plan_of(number) {
            plan.take_results(found);
        }
    }

    /// Switches between units, merged view, and both.
    pub(super) fn turn_plan(&mut self, cx: &mut Context) {
        self.change_plan(PlanPage::turn, cx);
    }

    /// Changes the page; later keys apply to the new state.
    pub(super) fn change_plan(&mut self, change: impl FnOnce(&mut PlanPage), cx: &mut Context) {
        let Some(plan) = self.plan_in_front_mut() else { return };
        change(plan);
        let number = plan.number;
        if let Some(merge) = plan.merge(cx.now) {
            cx.wait_for(move || Answer::Merged { number, merged: Box::new(merge()) });
        }
    }

    /// Shows a notice if a plan is selected in the list, for commands that need a run; returns whether it is.
    pub(super) fn refuses_plan(&self, what: &str, cx: &mut Context) -> bool {
        let targets = self.home.targets();
        let Some(plan) = targets.into_iter().find(|kept| kept.is_plan()) else { return false };
        cx.notice(Tone::Info, format!("{} is a plan: {what}", plan.name()));
        true
    }
}

/// Returns the form of a plan with these settings, made in the folder of saved `runs`.
pub(super) fn new(settings: Box<dyn RunSettings>, runs: PathBuf) -> FormDialog {
    let generations = settings.manifest().generations;
    let set = if settings.kind().count == "generations" { format!("generations={generations}") } else { String::new() };
    let engines = Engine::WORDS.iter().map(|(word, _)| (*word).to_owned()).collect();
    let vary = "settings with several values, such as population=100,200; separate several settings by ;";
    let form = Form::new(vec![
        Field::text("Seeds", Vec::new(), "1-10").explained("seeds of the runs, such as 1-20 or 1,4,7-9", "1-10"),
        Field::text("Vary", Vec::new(), "").explained(vary, ""),
        Field::text("Set", Vec::new(), set.clone()).explained("other settings of all runs, separated by ;", set),
        Field::choice("Compute", engines, Engine::Here.to_string())
            .explained("who computes the units: this machine, HyperQueue, Slurm, or nobody yet", "here"),
    ]);
    let texts = ("A plan of many runs", "Enter: plan (takes some seconds), Esc: cancel");
    FormDialog::new(texts, form, move |values| read(settings.clone(), &runs, values))
}

fn read(mut settings: Box<dyn RunSettings>, runs: &Path, values: &[String]) -> ReadValues {
    let wrong = |field: usize| move |error: Error| (Some(field), error.to_string());
    let [seeds_text, vary_text, set_text, engine] = values else { return Err((None, "a field is missing".to_owned())) };
    let seeds = seeds(seeds_text).map_err(wrong(0))?;
    let vary = parts(vary_text).map(Vary::parse).collect::<Result<Vec<_>, _>>().map_err(wrong(1))?;
    for part in parts(set_text) {
        let (key, value) = part.split_once('=').ok_or((Some(2), format!("'{part}' is not KEY=VALUE")))?;
        settings.set(key.trim(), value.trim()).map_err(wrong(2))?;
    }
    settings.check().map_err(wrong(2))?;
    let folder = free_folder(runs, &format!("plan-{}", settings.manifest().preset));
    let wanted = PlanSpec { command: settings.kind().command, settings, seeds, vary, block: None };
    make(wanted, &folder).map_err(wrong(1))?;
    Ok(Answer::Planned { folder, engine: engine.parse().unwrap_or_default() })
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(';').map(str::trim).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds;

    #[test]
    fn a_plan_is_made_of_texts_and_errors_name_their_field() {
        let runs = tempfile::tempdir().unwrap();
        let settings = || kinds::by_command("evolve").unwrap().preset("mancala-gp-1").unwrap();
        let plan = |[seeds, vary, set]: [&str; 3]| match read(
            settings(),
            runs.path(),
            &[seeds, vary, set, "slurm"].map(str::to_owned),
        ) {
            Ok(Answer::Planned { folder, engine: Engine::Slurm }) => Ok(folder),
            Ok(_) => panic!("no plan"),
            Err((field, reason)) => Err((field.unwrap(), reason)),
        };
        let folder = plan(["1-2", "population=8,9; elitism=1,2", "generations=1;opponents=max"]).unwrap();
        let plan_made = crate::cluster::plan::Plan::open(&folder).unwrap();
        assert_eq!((plan_made.units(), plan_made.draft().manifest.generations), (8, 1));
        assert_eq!(plan(["x", "", ""]).unwrap_err().0, 0);
        assert_eq!(plan(["1", "population", ""]).unwrap_err().0, 1);
        assert_eq!(plan(["1", "", "populaton=8"]).unwrap_err().0, 2);
        assert!(plan(["1", "", "generations"]).unwrap_err().1.contains("KEY=VALUE"));
    }
}
